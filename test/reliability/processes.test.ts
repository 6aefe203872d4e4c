import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { People } from '../../server/doors/people/people.ts'
import {
  asAdministrator,
  ask,
  besideServers,
  clientOf,
  figure,
  newShop,
  type Reply,
  type Shop,
  sized,
  startTogether,
  type Together,
  timeUntil,
  until,
  whenFileEnds,
} from './rig.ts'

// Two processes that answer requests and two workers on one database: limits are those of the installation and not of a process, and a
// change at one process is seen at the other within a second (docs/operations.md section 10). The times are figures, no bounds.

const atEnd = whenFileEnds()
const options = { timeout: sized(1_800_000, 600_000) }
const FAILURES_MAX = 20
const PASSWORD = 'correct horse 7'

/** The callbacks that arrived, by the ids of their events. */
const callbacks = new Map<string, number>()
let destination: string
let together: Together
/** Each test fails from an address of its own. */
let addresses = 1
let emails = 1
let shop: Shop

beforeAll(async () => {
  const receiver = createServer((request, response) => {
    const id = String(request.headers['webhook-id'])
    callbacks.set(id, (callbacks.get(id) ?? 0) + 1)
    request.resume().once('end', () => response.writeHead(204).end())
  })
  atEnd(() => void receiver.close())
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const address = receiver.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.')
  destination = `http://127.0.0.1:${address.port}/hook`
  const settings = {
    FAILED_LOGINS_MAX: String(FAILURES_MAX),
    // The tests say their addresses.
    TRUST_PROXY: '1',
    OUTGOING_SUBNETS: '127.0.0.0/8',
    WEBHOOK_ORIGINS: 'http://127.0.0.1:*',
  }
  together = await startTogether(
    atEnd,
    ['api', 'api', 'worker', 'worker'].map((ROLE) => ({ ...settings, ROLE })),
  )
  shop = await newShop(together.folder)
}, options.timeout)

/** One of the two processes that answer requests. */
const at = (i: number) => together.at(i % 2)
const call = (i: number, method: string, path: string, body?: unknown) => clientOf(at(i), shop)(method, path, body)
async function must(reply: Promise<Reply>) {
  const { status, body, text } = await reply
  if (status > 299) throw new Error(text)
  return body
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`
/** Reports the time in which the second process followed the first. */
const follow = async (subject: string, holds: () => Promise<boolean>) =>
  figure('processes', `${subject}: ${seconds(await timeUntil(`the second process follows (${subject})`, holds))}`)

/** Waits until the counts of the requests of a store are written. */
const written = (hash: string, requests: number) =>
  asAdministrator(together.folder, async (client) => {
    const used = async () => {
      const { rows } = await client.query(
        'select sum(used)::int as used from directory.quota_windows join directory.stores on id = store_id where hash = $1',
        [hash],
      )
      return rows[0]?.used
    }
    await until('the requests are counted', async () => (await used()) >= requests)
  })

test('a quota that is used up at one process is used up at the other, from its first request on', options, async () => {
  for (;;) {
    const limited = await newShop(together.folder, 'standard')
    const first = await clientOf(at(0), limited)('GET', '/catalog/brands')
    const began = performance.now()
    expect([first.status, first.headers['x-rate-limit-requests-quota']]).toEqual([200, '150'])
    let admitted = 1
    while ((await clientOf(at(0), limited)('GET', '/catalog/brands')).status === 200) admitted++
    await written(limited.hash, 150)
    const refused = await clientOf(at(1), limited)('GET', '/catalog/brands')
    // The window of a machine that stands still may be over. Another store shows the same.
    if (performance.now() - began > 25_000) continue
    expect(admitted).toBe(150)
    expect([refused.status, refused.headers['x-rate-limit-requests-left']]).toEqual([429, '0'])
    return
  }
})

test('a client at the second process gets its share of the quota of the store', options, async () => {
  for (;;) {
    const limited = await newShop(together.folder, 'standard')
    const { access_token } = await besideServers(together, ({ accounts }) =>
      accounts.create(limited.hash, 'second', ['all']),
    )
    const quota = async (i: number, token: string) => {
      const reply = await clientOf(at(i), { ...limited, token })('GET', '/catalog/brands')
      return reply.headers['x-rate-limit-requests-quota']
    }
    const began = performance.now()
    expect(await quota(0, limited.token)).toBe('150')
    await written(limited.hash, 1)
    const share = await quota(1, access_token)
    if (performance.now() - began > 25_000) continue
    expect(share).toBe('75')
    return
  }
})

/** A request for brands from an address, with a token. */
const sendFrom = (from: string, i: number, token: string) =>
  ask(at(i).url, 'GET', `/stores/${shop.hash}/v3/catalog/brands`, {
    headers: { 'x-auth-token': token, 'x-forwarded-for': from },
  })
/** Whether the right token is refused from an address. */
const isBarred = async (i: number, from: string) => (await sendFrom(from, i, shop.token)).status === 429

const companionStatus = async (from: string, i: number, token: string) => {
  const headers = { 'x-auth-token': token, 'x-store-hash': shop.hash, 'x-forwarded-for': from }
  return (await ask(at(i).url, 'GET', '/b2b/api/v3/io/companies', { headers })).status
}
/** An e-mail address may fail ten times, wherever its requests come from, so each request has another. */
async function staffStatus(from: string, i: number, n: number) {
  const body = { storeHash: shop.hash, email: `ann${i}-${n}@example.com`, password: 'wrong', name: 'Ann' }
  const headers = { 'x-forwarded-for': from }
  return (await ask(at(i).url, 'POST', '/b2b/api/v3/io/auth/backend', { body, headers })).status
}
async function operatorStatus(from: string, i: number, method: string, body?: unknown) {
  const host = `localhost:${new URL(at(i).url).port}`
  const headers = { host, 'x-console': '1', 'x-forwarded-for': from }
  return (await ask(at(i).url, method, '/operator/v1/session', { body, headers })).status
}

/** Each with a request that fails at the first process, and one that shows at the second whether the address is barred. */
test.each<[kind: string, fail: (from: string, n: number) => Promise<number>, look: (from: string) => Promise<number>]>([
  [
    'tokens of stores',
    async (from) => (await sendFrom(from, 0, 'wrong')).status,
    async (from) => (await sendFrom(from, 1, shop.token)).status,
  ],
  [
    'tokens of the companion API',
    (from) => companionStatus(from, 0, 'wrong'),
    (from) => companionStatus(from, 1, shop.token),
  ],
  [
    'sign-ins of staff',
    (from, n) => staffStatus(from, 0, n),
    // Each refused sign-in counts, and bars an address from sign-ins only. So the second process is asked slowly.
    async (from) => {
      await sleep(500)
      return staffStatus(from, 1, emails++)
    },
  ],
  [
    'sign-ins of people',
    (from, n) => operatorStatus(from, 0, 'POST', { email: `ann${n}@example.com`, password: 'wrong' }),
    (from) => operatorStatus(from, 1, 'GET'),
  ],
])(
  'failed logins at one process bar an address at the other, which has seen none: %s',
  options,
  async (kind, fail, look) => {
    const from = `198.51.100.${addresses++}`
    expect(await look(from)).not.toBe(429)
    for (let i = 0; i < FAILURES_MAX; i++) expect([400, 401, 404, 422]).toContain(await fail(from, i))
    expect(await fail(from, FAILURES_MAX)).toBe(429)
    await follow(`an address is barred, ${kind}`, async () => (await look(from)) === 429)
  },
)

test('failures that are spread over the processes count together', options, async () => {
  const from = `198.51.100.${addresses++}`
  for (let i = 0; i < FAILURES_MAX + 2; i++) await sendFrom(from, i, 'wrong')
  for (const i of [0, 1]) await follow(`an address with failures at both, process ${i}`, () => isBarred(i, from))
})

test('wrong passwords of a customer count together at all processes, exactly', options, async () => {
  const email = 'ann@example.com'
  await must(
    call(0, 'POST', '/customers', [
      { email, first_name: 'Ann', last_name: 'Lee', authentication: { new_password: PASSWORD } },
    ]),
  )
  const check = (i: number, password: string) => call(i, 'POST', '/customers/validate-credentials', { email, password })
  expect((await check(1, PASSWORD)).body.is_valid).toBe(true)
  for (let i = 0; i < 10; i++) expect((await check(i, 'wrong')).body.is_valid).toBe(false)
  for (const i of [0, 1]) expect((await check(i, PASSWORD)).status).toBe(429)

  // The same count stops logins at a storefront.
  const wish = {
    channel_id: 1,
    expires_at: Math.floor(Date.now() / 1_000) + 86_400,
    scopes: ['Unauthenticated', 'Customer'],
  }
  const { token } = await must(call(0, 'POST', '/storefront/api-token-private', wish))
  const { body } = await ask(at(1).url, 'POST', `/storefront/${shop.hash}/1/graphql`, {
    headers: { authorization: `Bearer ${token}` },
    body: { query: `mutation { login(email: "${email}", password: "${PASSWORD}") { result } }` },
  })
  expect(body.errors).toHaveLength(1)
  expect(body.data?.login?.result).not.toBe('success')
})

test('a limit of requests at once holds for both processes together', options, async () => {
  const [{ id: tree }] = (await must(call(0, 'GET', '/catalog/trees'))).data
  await must(call(0, 'POST', '/catalog/categories', { name: 'Mugs', parent_id: 0 }))
  const treeAtSecond = () => call(1, 'GET', `/catalog/trees/${tree}/categories`)
  let isOn = true
  await asAdministrator(together.folder, async (client) => {
    await client.query('begin')
    await client.query('lock table categories in access exclusive mode')
    // One request after the other at the first process, each until a time-out: no process alone refuses any.
    const held = (async () => {
      while (isOn) await call(0, 'GET', `/catalog/trees/${tree}/categories`)
    })()
    await asAdministrator(together.folder, async (reader) => {
      const rounds = new Set<string>()
      const isShared = async () => {
        const { rows } = await reader.query<{ seen: string }>(
          "select seen_at::text as seen from directory.running_requests where kind = 'whole category trees'",
        )
        if (rows.length === 0) rounds.clear()
        for (const { seen } of rows) rounds.add(seen)
        // The other process has had its own rounds meanwhile.
        return rounds.size > 3
      }
      await until(
        'a request at the second process is refused',
        async () => {
          await until('a request of the first process is shared', isShared)
          rounds.clear()
          return (await treeAtSecond()).status === 429
        },
        400_000,
      )
    })
    isOn = false
    await client.query('commit')
    await held
  })
  await until('requests are answered again', async () => {
    const replies = [
      await call(0, 'GET', `/catalog/trees/${tree}/categories`),
      await call(1, 'GET', `/catalog/trees/${tree}/categories`),
    ]
    return replies.every(({ status }) => status === 200)
  })
})

test('changes of accounts, tokens and stores at one process are seen at the other', options, async () => {
  const other = await newShop(together.folder)
  const status = async (i: number) =>
    (await clientOf(at(i), other)('POST', '/catalog/brands', { name: `B${Math.random()}` })).status
  for (const i of [0, 1]) expect(await status(i)).toBe(200)
  const { hash, clientId } = other
  await besideServers(together, ({ accounts }) => accounts.setScopes(hash, clientId, ['read_only']))
  for (const i of [0, 1]) await follow(`scopes, process ${i}`, async () => (await status(i)) === 403)
  await besideServers(together, ({ accounts }) => accounts.setScopes(hash, clientId, ['all']))
  for (const i of [0, 1]) await follow(`scopes again, process ${i}`, async () => (await status(i)) === 200)

  const wish = { channel_id: 1, expires_at: Math.floor(Date.now() / 1_000) + 86_400, scopes: ['Unauthenticated'] }
  const { token } = await must(clientOf(at(0), other)('POST', '/storefront/api-token-private', wish))
  const graph = async (i: number) => {
    const headers = { authorization: `Bearer ${token}` }
    const body = { query: '{ site { settings { storeName } } }' }
    return (await ask(at(i).url, 'POST', `/storefront/${hash}/1/graphql`, { headers, body })).status
  }
  for (const i of [0, 1]) expect(await graph(i)).toBe(200)
  const revoked = await clientOf(at(0), other)('DELETE', '/storefront/api-token', undefined, {
    headers: { 'sf-api-token': token },
  })
  expect(revoked.status, revoked.text).toBe(200)
  for (const i of [0, 1])
    await follow(`a storefront token is revoked, process ${i}`, async () => (await graph(i)) === 401)

  await besideServers(together, ({ directory }) => directory.setState(hash, 'maintenance'))
  for (const i of [0, 1]) await follow(`a store is closed, process ${i}`, async () => (await status(i)) === 503)
  await besideServers(together, ({ directory }) => directory.setState(hash, 'active'))
  for (const i of [0, 1]) await follow(`a store is open, process ${i}`, async () => (await status(i)) === 200)

  await besideServers(together, ({ accounts }) => accounts.delete(hash, clientId))
  for (const i of [0, 1]) await follow(`an account is deleted, process ${i}`, async () => (await status(i)) === 401)
})

test('roles and sessions of people hold at both processes with the next request', options, async () => {
  const tokens = await besideServers(together, async ({ directory, secrets, clock, ids }) => {
    const people = new People({ database: directory.database, secrets, clock, ids })
    const owner = await people.invite({ email: 'owner@example.com', role: 'owner' })
    const admin = await people.invite({ email: 'admin@example.com', role: 'admin' })
    return [owner.token, admin.token]
  })
  const send = (i: number, method: string, path: string, { cookie, body }: { cookie?: string; body?: unknown }) =>
    ask(at(i).url, method, `/operator/v1${path}`, {
      body,
      headers: { 'x-console': '1', ...(cookie === undefined ? {} : { cookie }) },
    })
  const [owner = '', admin = ''] = await Promise.all(
    tokens.map(async (token) => {
      const reply = await send(0, 'PUT', '/invitation', { body: { token, name: 'A person', password: PASSWORD } })
      expect(reply.status, reply.text).toBe(201)
      return String(reply.headers['set-cookie']?.[0]).split(';')[0]
    }),
  )
  for (const i of [0, 1]) expect((await send(i, 'GET', '/audit', { cookie: admin })).status).toBe(200)
  const { data: list } = await must(send(1, 'GET', '/people', { cookie: owner }))
  const { id } = list.find(({ email }: { email: string }) => email === 'admin@example.com')
  await must(send(0, 'PUT', `/people/${id}`, { cookie: owner, body: { role: 'viewer' } }))
  for (const i of [1, 0]) expect((await send(i, 'GET', '/audit', { cookie: admin })).status).toBe(403)
  await must(send(0, 'DELETE', '/session', { cookie: admin }))
  for (const i of [1, 0]) expect((await send(i, 'GET', '/session', { cookie: admin })).status).toBe(401)
})

test(
  'settings, channels, currencies, taxes and promotions are read as they were stored by another process',
  options,
  async () => {
    const product = { name: 'Manual', type: 'digital', weight: 0, price: 100, is_visible: true }
    const { id: product_id } = (await must(call(0, 'POST', '/catalog/products', product))).data
    const total = async (i: number): Promise<number> => {
      const { id } = (await must(call(i, 'POST', '/carts', { line_items: [{ product_id, quantity: 1 }] }))).data
      return (await must(call(i, 'GET', `/carts/${id}`))).data.cart_amount
    }
    for (const i of [0, 1]) expect(await total(i)).toBe(100)
    const rule = (percentage_amount: string) => ({ action: { cart_value: { discount: { percentage_amount } } } })
    const promotion = { name: 'All', redemption_type: 'AUTOMATIC', rules: [rule('10')] }
    const { id: promotionId } = (await must(call(0, 'POST', '/promotions', promotion))).data
    for (const [turn, percent] of [20, 30, 40, 50].entries()) {
      // Both have evaluated with the former promotions, and keep them in memory.
      await must(call(turn, 'PUT', `/promotions/${promotionId}`, { rules: [rule(String(percent))] }))
      for (const i of [turn + 1, turn]) expect(await total(i)).toBe(100 - percent)
    }
    await must(call(0, 'DELETE', `/promotions/${promotionId}`))
    for (const i of [1, 0]) expect(await total(i)).toBe(100)

    for (const [turn, name] of ['One', 'Two', 'Three'].entries()) {
      await must(call(turn, 'PUT', '/settings/store/profile', { store_name: name }))
      for (const i of [turn + 1, turn]) {
        expect((await must(call(i, 'GET', '/settings/store/profile'))).data.store_name).toBe(name)
      }
      await must(call(turn, 'PUT', '/channels/1', { name: `Channel-${name}` }))
      for (const i of [turn + 1, turn])
        expect((await must(call(i, 'GET', '/channels/1'))).data.name).toBe(`Channel-${name}`)
    }

    const v2 = (i: number, method: string, path: string, body?: unknown) =>
      ask(at(i).url, method, `/stores/${shop.hash}/v2${path}`, { body, headers: { 'x-auth-token': shop.token } })
    const euro = {
      name: 'Euro',
      currency_code: 'EUR',
      currency_exchange_rate: '0.9',
      token_location: 'right',
      token: '€',
      decimal_token: ',',
      thousands_token: '.',
      decimal_places: 2,
    }
    const { id: currency } = await must(v2(0, 'POST', '/currencies', euro))
    for (const [turn, rate] of ['0.8000000000', '0.7000000000'].entries()) {
      await must(v2(turn, 'PUT', `/currencies/${currency}`, { currency_exchange_rate: rate }))
      for (const i of [turn + 1, turn]) {
        expect((await must(v2(i, 'GET', `/currencies/${currency}`))).currency_exchange_rate).toBe(rate)
      }
    }

    const { data: zones } = await must(
      call(0, 'POST', '/tax/zones', [
        { name: 'Denmark', shopper_target_settings: { locations: [{ country_code: 'DK' }] } },
      ]),
    )
    const rate = {
      name: 'VAT',
      enabled: true,
      priority: 1,
      tax_zone_id: zones[0].id,
      class_rates: [{ tax_class_id: 0, rate: 25 }],
    }
    const { data: rates } = await must(call(0, 'POST', '/tax/rates', [rate]))
    await must(call(0, 'PUT', `/tax/zones`, [{ id: zones[0].id, enabled: true }]))
    const taxed = async (i: number): Promise<number> => {
      const { id } = (await must(call(i, 'POST', '/carts', { line_items: [{ product_id, quantity: 1 }] }))).data
      const place = {
        first_name: 'Ann',
        last_name: 'Lee',
        email: 'ann@example.com',
        country_code: 'DK',
        postal_code: '1051',
      }
      const address = { ...place, address1: '1 Mill Road', city: 'Copenhagen', state_or_province: '' }
      const { data } = await must(call(i, 'POST', `/checkouts/${id}/billing-address`, address))
      return data.tax_total
    }
    for (const i of [0, 1]) expect(await taxed(i)).toBe(25)
    for (const [turn, percent] of [10, 5].entries()) {
      const class_rates = [{ tax_class_id: 0, rate: percent }]
      await must(call(turn, 'PUT', '/tax/rates', [{ id: rates[0].id, class_rates }]))
      for (const i of [turn + 1, turn]) expect(await taxed(i)).toBe(percent)
    }
  },
)

test('two workers send all callbacks, and one of them alone after kill -9 of the other', options, async () => {
  const products = sized(500, 60)
  const hook = { scope: 'store/product/created', destination, is_active: true }
  await must(call(0, 'POST', '/hooks', hook))
  callbacks.clear()
  const productOf = (n: number) => ({ name: `Callback ${n}`, type: 'digital', weight: 0, price: 1 })
  await Promise.all(
    Array.from({ length: 6 }, async (_, client) => {
      for (let n = client; n < products; n += 6) await must(call(n, 'POST', '/catalog/products', productOf(n)))
    }),
  )
  await until('all callbacks have arrived', () => callbacks.size >= products)
  // A callback whose receiver was too slow is sent again, as a machine that stands still makes it.
  figure(
    'processes',
    `${products} callbacks, ${[...callbacks.values()].filter((times) => times > 1).length} sent again`,
  )

  const [, , victim] = together.servers
  if (!victim) throw new Error('There are two workers.')
  process.kill(victim.pid, 'SIGKILL')
  await victim.ended
  await must(call(1, 'POST', '/catalog/products', productOf(products)))
  await until('the other worker sends the callback', () => callbacks.size > products)
  await together.restart(2)
})
