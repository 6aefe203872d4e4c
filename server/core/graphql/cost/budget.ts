import { Problem } from '../../rest/problem.ts'

// One thread serves all stores, and in GraphQL the client decides how much of it a request takes. So clients and stores have budgets
// of work, counted in steps of about a microsecond of the thread (docs/contract/storefront-tokens.md section 5).

interface Account {
  /** Steps that can be used at once. */
  readonly most: number
  /** Steps that are restored in a second. */
  readonly perSecond: number
}

/** The budget of one shopper at one address: a tenth of the thread in the long run. */
const SHOPPER: Account = { most: 500_000, perSecond: 100_000 }
/** The budget of a store, and of a server with a secret token. When a store's is used up, clients that have used half of theirs wait. */
const STORE: Account = { most: 1_000_000, perSecond: 300_000 }
/** Accounts in memory. Beyond it the oldest is evicted. */
const ACCOUNTS_MAX = 10_000

/** A client whose work is counted. */
export interface GraphClient {
  readonly store: number
  /** Identifies the client within the store: its token and address. */
  readonly id: string
  /** Whether it is a server with a secret token, which acts for many shoppers. */
  readonly isServer: boolean
}

interface Balance {
  steps: number
  at: number
}

/** Counts the work of clients and stores in this process. Times are milliseconds of a monotonic clock. */
export class WorkBudget {
  readonly #clients = new Map<string, Balance>()
  readonly #stores = new Map<string, Balance>()

  /**
   * Admits a request before its work is known. Work is charged afterwards, so a balance may be below zero.
   * @throws Problem 429 for a client that has used up its budget, or half of it if its store's is used up
   */
  admit(client: GraphClient, now: number) {
    const account = accountOf(client)
    const ofClient = balanceOf(this.#clients, keyOf(client), account, now)
    const ofStore = balanceOf(this.#stores, String(client.store), STORE, now)
    const wait = Math.max(
      secondsUntil(ofClient, account, 0),
      Math.min(secondsUntil(ofClient, account, account.most / 2), secondsUntil(ofStore, STORE, 0)),
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

/** The present balance of a key, including restored steps. */
function balanceOf(balances: Map<string, Balance>, key: string, { most, perSecond }: Account, now: number): Balance {
  const known = balances.get(key)
  if (known) {
    // Changed in place: in a map whose first entries are often deleted, finding the first one is slow.
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

/** A debt is never larger than the whole account, which limits the wait. */
function take(balance: Balance, { most }: Account, steps: number) {
  balance.steps = Math.max(-most, balance.steps - steps)
}

const secondsUntil = ({ steps }: Balance, { perSecond }: Account, least: number) =>
  // A balance of zero admits no request.
  (least + 1 - steps) / perSecond
