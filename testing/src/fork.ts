import { setTimeout } from 'node:timers/promises'
import { type Store, storeward } from '@storeward/client'
import { StoreClock } from './clock.ts'
import { Faults } from './faults.ts'
import { Mailbox } from './mailbox.ts'
import { ask, FOLLOWED_MS, type ForkedStore, OperatorError, type Server } from './operator.ts'
import { Receiver } from './receiver.ts'
import { theServer } from './server.ts'

/** Names of forks begin so. */
const MARK = 'test fork'
/** A fork that nobody frees, because its run was killed, is deleted by the server after this time. */
const LIFETIME_MINUTES = 60
/** The time of forks with a seed. It is later than that of any run. */
const SEEDED_TIME = '2035-01-01T12:00:00.000Z'
/** Requests that are shown beside a failed test. */
const REQUESTS_KEPT = 20

/** A store of one test. */
export interface Fork {
  store: Store
  receiver: Receiver
  clock: StoreClock
  faults: Faults
  mailbox: Mailbox
  /** For other clients: the address of the server, the hash of the store and its token. */
  url: string
  storeHash: string
  token: string
  /** The client secret, which signs the webhooks. */
  secret: string
  /** The last requests of `store`, for the output of a failed test. */
  requests: readonly string[]
  /** Keeps the present data of the store, at most 20 times. @returns a function that brings them back */
  snapshot(): Promise<() => Promise<void>>
  /** Deletes the store. A fork that is never freed is deleted by the server after an hour. */
  free(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Forks a store: a new test store with its data and the same ids.
 * @param source the hash or the name of a store of the server. `tiny` is a store with 12 products, which the kit makes
 * @param options.seed the same seed and requests give the same ids, also those of carts and their lines, and the same times: the clock stands at
 * noon of January 1st, 2035 until it is moved on. So whole answers can be compared
 * @throws Error if there is no such store
 */
export async function fork(source = 'tiny', server?: Server, { seed }: { seed?: string } = {}): Promise<Fork> {
  const used = server ?? (await theServer())
  const hash = await hashOf(used, source)
  const seeded = seed === undefined ? {} : { seed, stands_at: SEEDED_TIME }
  return openFork(used, await ask<ForkedStore>(used, 'POST', `/stores/${hash}/forks`, { ...mortal(), ...seeded }))
}

interface StoreEntry {
  hash: string
  name: string
}

/** The hashes of stores that were forked, by server and name. A run forks the same few stores many times. */
const known = new Map<string, string>()

async function hashOf(server: Server, source: string): Promise<string> {
  const key = `${server.url} ${source}`
  const hash = known.get(key) ?? (await findHash(server, source))
  known.set(key, hash)
  return hash
}

async function findHash(server: Server, source: string): Promise<string> {
  const stores = await ask<StoreEntry[]>(server, 'GET', '/stores')
  const found = stores.find(({ hash }) => hash === source) ?? stores.find(({ name }) => name === source)
  if (!found) throw new Error(`The server has no store "${source}" to fork.`)
  return found.hash
}

/** A store without data of its own, for tests that bring a fixture. */
export async function emptyStore(server?: Server): Promise<Fork> {
  const used = server ?? (await theServer())
  return openFork(used, await ask<ForkedStore>(used, 'POST', '/stores', { ...mortal(), plan: 'unlimited' }))
}

/** The fields of a new store of a test. */
const mortal = () => ({ name: `${MARK} ${new Date().toISOString()}`, lifetime_minutes: LIFETIME_MINUTES })

function openFork(server: Server, forked: ForkedStore): Fork {
  const { hash } = forked
  const path = `/stores/${hash}`
  const requests: string[] = []
  const { access_token: token, client_secret: secret } = forked.account
  const client = { url: server.url, storeHash: hash, token }
  const receiver = new Receiver({ server, store: storeward(client), forked })
  const store = storeward({
    ...client,
    async fetch(input, init) {
      await receiver.ready()
      return fetch(input, init)
    },
    hooks: {
      onAnswer({ verb, url, status, ms, requestId }) {
        requests.push(`${verb} ${new URL(url).pathname}${new URL(url).search} ${status} ${ms} ms ${requestId ?? ''}`)
        if (requests.length > REQUESTS_KEPT) requests.shift()
      },
    },
  })
  let kept = 0
  const snapshot = async () => {
    kept += 1
    const name = `kept-${kept}`
    await ask(server, 'POST', `${path}/snapshots`, { name })
    return async () => {
      await ask(server, 'POST', `${path}/snapshots/${name}/restore`)
      await setTimeout(FOLLOWED_MS)
    }
  }
  const free = async () => {
    await receiver.close()
    await ask(server, 'DELETE', path).catch((error) => {
      if (!(error instanceof OperatorError && error.status === 404)) throw error
    })
  }
  return {
    store,
    receiver,
    clock: new StoreClock(server, hash),
    faults: new Faults(server, hash),
    mailbox: new Mailbox(server, hash),
    url: server.url,
    storeHash: hash,
    token,
    secret,
    requests,
    snapshot,
    free,
    [Symbol.asyncDispose]: free,
  }
}
