import { Problem } from '../rest/problem.ts'

// One thread serves all stores, and GraphQL lets a client choose how much of it a request takes. So clients and stores have
// budgets of work, counted in steps: a step takes about a microsecond of the thread (docs/contract/storefront-tokens.md section
// 5).

interface Account {
  /** Steps that can be had at once. */
  readonly most: number
  /** Steps that come back in a second. */
  readonly perSecond: number
}

/** The budget of one client of a store, a shopper at an address: a tenth of the thread in the long run. */
const SHOPPER: Account = { most: 500_000, perSecond: 100_000 }
/** The budget of a store, and of a server with a secret token. Beyond it, clients of the store wait that have used half of their own. */
const STORE: Account = { most: 1_000_000, perSecond: 300_000 }
/** Accounts in memory. The oldest is evicted first. */
const ACCOUNTS_MAX = 10_000

/** A client whose work is counted. */
export interface GraphClient {
  readonly store: number
  /** Identifies a client of a store: a token and an address. */
  readonly id: string
  /** Whether many shoppers stand behind it: a server with a secret token. */
  readonly isServer: boolean
}

interface Balance {
  steps: number
  at: number
}

/** Counts the work of clients and stores in this process. Times are milliseconds of a clock that never jumps. */
export class WorkBudget {
  readonly #clients = new Map<string, Balance>()
  readonly #stores = new Map<string, Balance>()

  /**
   * Admits a request before its work is known. Work is charged when it has been done, so that a balance may be below zero.
   * @throws Problem 429 for a client that has used up its budget, or half of it where its store has used up its own
   */
  admit(client: GraphClient, now: number) {
    const account = accountOf(client)
    const own = balanceOf(this.#clients, keyOf(client), account, now)
    const ofStore = balanceOf(this.#stores, String(client.store), STORE, now)
    const wait = Math.max(
      secondsUntil(own, account, 0),
      Math.min(secondsUntil(own, account, account.most / 2), secondsUntil(ofStore, STORE, 0)),
    )
    if (wait <= 0) return
    const seconds = String(Math.ceil(wait))
    throw new Problem(
      429,
      'Too many costly GraphQL requests. Send fewer different documents, and smaller ones.',
      {},
      { headers: { 'retry-after': seconds, 'x-retry-after': seconds } },
    )
  }

  charge(client: GraphClient, steps: number, now: number) {
    const account = accountOf(client)
    take(balanceOf(this.#clients, keyOf(client), account, now), account, steps)
    take(balanceOf(this.#stores, String(client.store), STORE, now), STORE, steps)
  }
}

const accountOf = ({ isServer }: GraphClient): Account => (isServer ? STORE : SHOPPER)
const keyOf = ({ store, id }: GraphClient) => `${store} ${id}`

/** The balance of a key with the steps that have come back since. */
function balanceOf(balances: Map<string, Balance>, key: string, { most, perSecond }: Account, now: number): Balance {
  const known = balances.get(key)
  if (known) {
    // In place: a map whose first entries come and go takes long to name its first.
    known.steps = Math.min(most, known.steps + ((now - known.at) / 1_000) * perSecond)
    known.at = now
    return known
  }
  const balance = { steps: most, at: now }
  balances.set(key, balance)
  if (balances.size > ACCOUNTS_MAX) {
    const [oldest] = balances.keys()
    if (oldest !== undefined) balances.delete(oldest)
  }
  return balance
}

/** A debt is never larger than a whole account, so that nobody waits longer than that takes to come back. */
function take(balance: Balance, { most }: Account, steps: number) {
  balance.steps = Math.max(-most, balance.steps - steps)
}

const secondsUntil = ({ steps }: Balance, { perSecond }: Account, least: number) =>
  // A balance of zero admits nobody.
  (least + 1 - steps) / perSecond
