import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signCurrentCustomer } from '../../server/doors/storefront/graphql/current-customer.ts'
import { mismatch } from '../../server/test/document/document.ts'
import { Maker, type Operation, theOperations } from '../../server/test/document/operations.ts'
import { enableCompanion, makeCompany, makeStaff } from '../../server/test/fixtures/companion.ts'
import { CSV_HEADER } from '../../server/test/fixtures/content/redirects.ts'
import { openShop, type Shop, theHouse } from '../../server/test/fixtures/shop.ts'
import { openPort, type Port } from '../../test/port.ts'
import type { ClientOptions, Store } from '../src/index.ts'
import { type Row, TABLE } from '../src/table.ts'
import { clientOf, methodOf, PIXEL } from './clients.ts'
import { hosted, type StandIn } from './stand-in.ts'

// Every operation of the API is called by its method, with the resources that it needs. Each answer is compared with openapi.json, of which the
// types of the client are made.

let port: Port
let proxy: StandIn
let operations: Operation[]
beforeAll(async () => {
  port = await openPort()
  proxy = await hosted(port.origin)
  operations = await theOperations()
})
afterAll(() => {
  proxy.close()
  port.close()
})

const rowOf = ({ method, version, template }: Operation) => {
  const path = `${version}${template.replaceAll(/:\w+/g, '{}')}`
  return TABLE.find((row) => row.verb === method && row.path === path)
}

/** Operations of an area share a store as long as they find their resources in it. */
const areaOf = ({ version, template }: Operation) =>
  `${version} ${template
    .split('/')
    .slice(0, version === 'b2b' ? 4 : 2)
    .join('/')}`

/** A store, and the resources that were made in it. */
interface Furnished {
  shop: Shop
  maker: Maker
}

async function furnished(): Promise<Furnished> {
  const shop = await openShop()
  return { shop, maker: new Maker(shop, operations) }
}

/** One walk over all operations. */
class Walk {
  readonly options: Partial<ClientOptions>
  readonly called = new Set<string>()
  /** Answers that are not those of the document. */
  readonly differences: unknown[] = []

  constructor(options: Partial<ClientOptions>) {
    this.options = options
  }

  clientOf(shop: Shop): Store {
    return clientOf(port, shop, { ...this.options, fetch: (input, init) => this.#fetch(String(input), init) })
  }

  async #fetch(url: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(url, init)
    const { pathname, search } = new URL(url)
    const type = response.headers.get('Content-Type') ?? ''
    // A stream is read by the client alone.
    const text = type.includes('json') ? await response.clone().text() : ''
    const answered = { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    const found = mismatch(init?.method ?? 'GET', `${pathname}${search}`, answered)
    if (found.length > 0) this.differences.push([init?.method, pathname, response.status, found])
    return response
  }

  /** Calls the operations, deletions last. Those that no longer find their resources get a store of their own. @returns the failures */
  async over(some: readonly Operation[]): Promise<string[]> {
    const shared = await furnished()
    const failed: string[] = []
    const inOrder = some.toSorted((one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'))
    for (const operation of inOrder) {
      const isDone = await this.#call(operation, shared).then(
        () => true,
        () => false,
      )
      if (isDone) continue
      await this.#call(operation, await furnished()).catch((error) => failed.push(`${operation.name}: ${error}`))
    }
    return failed
  }

  async #call(operation: Operation, { shop, maker }: Furnished) {
    const row = rowOf(operation)
    if (row === undefined) throw new Error('no method has this path')
    const ids = await maker.prepare(operation)
    if (operation.version === 'b2b') await enableCompanion(shop)
    const { query = {}, file } = operation.example ?? {}
    const body = file === undefined ? await maker.bodyFor(operation) : { [file]: fileFor(row.name) }
    const path = [...operation.template.matchAll(/:(\w+)/g)].map(([, name = '']) => ids[name])
    const options = REVOKING.has(row.name) ? { headers: { 'Sf-Api-Token': await tokenOf(shop) } } : {}
    const args = row.hasBody
      ? [...path, body, { query, ...options }]
      : [...path, ...(row.hasQuery ? [query] : []), options]
    await this.call(shop, row, args)
  }

  /** Calls a method and reads its answer. */
  async call(shop: Shop, row: Row, args: readonly unknown[]) {
    const result = Object(methodOf(this.clientOf(shop), row.name)(...args))
    if (row.media === 'events') {
      for await (const event of result) expect(event).toMatchObject({ event: 'message', data: expect.any(String) })
    } else if (row.pages !== undefined) expect(await result.all()).toBeInstanceOf(Array)
    else {
      const answer = await result.whole()
      expect(answer.status).toBeLessThan(300)
      if (row.isWrapped && answer.status !== 204) expect(answer.data).toBeDefined()
    }
    this.called.add(row.name)
  }
}

/** They name a token in a header. */
const REVOKING = new Set(['storefront.apiToken.revoke', 'storefront.apiTokenCustomerImpersonation.revoke'])

async function tokenOf(shop: Shop): Promise<string> {
  const made = { channel_id: 1, expires_at: 0, allowed_cors_origins: ['https://www.example.com'] }
  const { body } = await shop.call('POST', '/storefront/api-token', made)
  return body.data.token
}

const fileFor = (name: string) =>
  name.includes('edirect') ? { content: new Blob([CSV_HEADER]), filename: 'redirects.csv' } : PIXEL

/** The operations that take credentials in place of a token, with credentials. */
async function credentials(shop: Shop): Promise<Record<string, unknown[]>> {
  await enableCompanion(shop)
  const { installation } = await theHouse()
  const { email, password } = await makeStaff(shop)
  const { customerId } = await makeCompany(shop, 'Walkers')
  const own = { id: customerId, authentication: { new_password: 'correct horse 7' } }
  await shop.call('PUT', '/customers', [own])
  const shopper = { email: 'ann@walkers.example.com', password: 'correct horse 7' }
  const { clientId, clientSecret: secret } = installation.secrets.companionApplication
  const storeHash = shop.store.hash
  const jwt = await signCurrentCustomer(
    { id: customerId, email: shopper.email, group_id: '0' },
    { storeHash, clientId, secret, now: installation.clock.now() },
  )
  return {
    'b2b.auth.backend.create': [{ storeHash, email, password }],
    'b2b.auth.storefront.get': [{ jwtToken: jwt }],
    'b2b.login.create': [{ bcToken: jwt, storeHash, customerId }],
    'b2b.auth.customers.create': [{ storeHash, ...shopper }],
    'b2b.auth.customers.storefront.delete': [{ id: 'none' }],
  }
}

test('each operation has one method', () => {
  expect(operations.filter((operation) => rowOf(operation) === undefined).map(({ name }) => name)).toEqual([])
  expect(new Set(TABLE.map(({ name }) => name)).size).toBe(TABLE.length)
})

describe.each(['our server', 'a stand-in of the hosted service'])(
  'each operation works by its method at %s',
  (place) => {
    let walk: Walk
    beforeAll(() => {
      walk = new Walk(place === 'our server' ? {} : { url: proxy.origin, service: 'hosted' })
    })

    test('with a token, and each answer is that of the document', { timeout: 1_200_000 }, async () => {
      const waiting = Object.values(Object.groupBy(operations, areaOf))
      const failed: string[] = []
      const worker = async () => {
        for (let some = waiting.shift(); some; some = waiting.shift()) failed.push(...(await walk.over(some)))
      }
      await Promise.all([worker(), worker(), worker()])
      expect(failed).toEqual([])
      expect(walk.differences).toEqual([])
    })

    test('with credentials', async () => {
      const shop = await openShop()
      for (const [name, args] of Object.entries(await credentials(shop))) {
        const row = TABLE.find((one) => one.name === name)
        if (row === undefined) throw new Error(`There is no method ${name}.`)
        await walk.call(shop, row, args)
      }
      expect(walk.differences).toEqual([])
    })

    test('and none is left out', () => {
      expect(TABLE.map(({ name }) => name).filter((name) => !walk.called.has(name))).toEqual([])
    })
  },
)
