import { describe, expect, test } from 'vitest'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { invalid, onlyPage, problem } from '../../../test/document/expected.ts'
import { openStaffedShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, happen, rowsOf, SCOPE } from '../../../test/fixtures/webhooks.ts'
import { claimHook } from '../queue/claims.ts'

// docs/contract/webhooks.md sections 1 and 4. worker.test.ts tests callbacks, and deliveries.test.ts their log.

const ids = (data: { id: number }[]) => data.map(({ id }) => id)
const destination = (name: string) => `https://hooks.example.com/${name}`
const text = (length: number) => 'a'.repeat(length)

const DAY_MS = 86_400_000
const MOMENT = expect.toSatisfy((seconds: unknown) => Number.isSafeInteger(seconds))

describe('a new webhook', () => {
  test('is answered completely, with the defaults of a webhook', async () => {
    const { call, store, admin } = await openStaffedShop()
    const { status, body } = await call('POST', '/hooks', { scope: SCOPE, destination: destination('new') })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        data: {
          id: 1,
          client_id: admin.client_id,
          store_hash: store.hash,
          scope: SCOPE,
          destination: 'https://hooks.example.com/new',
          headers: null,
          is_active: true,
          events_history_enabled: false,
          created_at: MOMENT,
          updated_at: MOMENT,
        },
        meta: {},
      },
    })
    const { clock } = await theHouse()
    expect(Math.abs(body.data.created_at - clock.now().getTime() / 1_000)).toBeLessThan(10)
    expect(body.data.updated_at).toBe(body.data.created_at)
  })

  test('keeps every field as it was sent, in each answer', async () => {
    const { call, store, admin } = await openStaffedShop()
    const whole = {
      scope: 'store/channel/5/order/*',
      destination: 'https://hooks.example.com:443/Path?key=%20Value',
      headers: { Authorization: 'Basic eDp5', 'x-trace': '', __proto__x: 'a' },
      is_active: false,
      events_history_enabled: true,
    }
    const ours = { id: 1, client_id: admin.client_id, store_hash: store.hash, created_at: MOMENT, updated_at: MOMENT }
    const data = { ...whole, ...ours }
    expect((await call('POST', '/hooks', { ...whole, id: 77, client_id: 'x', store_hash: 'y' })).body.data).toEqual(
      data,
    )
    expect((await call('GET', '/hooks/1')).body).toEqual({ data, meta: {} })
    expect((await call('GET', '/hooks')).body).toEqual({
      data: [data],
      meta: { pagination: onlyPage(1) },
    })
  })

  test('needs no scope besides webhooks: it carries ids only', async () => {
    const { call, noscope } = await openStaffedShop()
    const made = await call('POST', '/hooks', { scope: SCOPE, destination: destination('a') }, { as: noscope })
    expect(made).toMatchObject({ status: 200, body: { data: { client_id: noscope.client_id } } })
    expect(await call('DELETE', '/hooks/1', undefined, { as: noscope })).toMatchObject({ status: 200 })
  })

  test('has sealed headers in the database', async () => {
    const shop = await openStaffedShop()
    const headers = { Authorization: 'Bearer marked-secret' }
    await shop.call('POST', '/hooks', { scope: SCOPE, destination: destination('a'), headers })
    const [stored] = await rowsOf(shop, 'hooks')
    expect(JSON.stringify(stored)).not.toMatch(/marked-secret|Authorization/)
  })

  test('is created once for one Idempotency-Key', async () => {
    const { call } = await openStaffedShop()
    const send = () =>
      call('POST', '/hooks', { scope: SCOPE, destination: destination('a') }, { headers: { 'idempotency-key': 'k' } })
    const first = await send()
    const second = await send()
    expect(second).toMatchObject({ status: 200, text: first.text, headers: { 'idempotent-replayed': 'true' } })
    const refused = () =>
      call('POST', '/hooks', { scope: SCOPE, destination: 'http://x' }, { headers: { 'idempotency-key': 'l' } })
    expect(await refused()).toMatchObject({ status: 422 })
    expect(await refused()).toMatchObject({ status: 422, body: invalid({ destination: expect.any(String) }) })
  })
})

describe('a webhook is refused', () => {
  const good = { scope: SCOPE, destination: destination('good') }

  test.each([
    ['without anything', {}, { scope: 'error.path.missing', destination: 'error.path.missing' }],
    ['without a scope', { destination: good.destination }, { scope: 'error.path.missing' }],
    ['without a destination', { scope: good.scope }, { destination: 'error.path.missing' }],
    ['with an unknown scope (W1)', { ...good, scope: 'store/category/moved' }, { scope: 'This scope does not exist.' }],
    [
      'with a scope without a channel',
      { ...good, scope: 'store/channel/{channel_id}/order/created' },
      { scope: 'This scope does not exist.' },
    ],
    ['with a scope of all', { ...good, scope: 'store/*' }, { scope: 'This scope does not exist.' }],
    [
      'with a scope in capital letters',
      { ...good, scope: 'Store/Category/created' },
      { scope: 'This scope does not exist.' },
    ],
    ['with an empty scope', { ...good, scope: '' }, { scope: 'scope must have at least 1 character.' }],
    ['with a number for a scope', { ...good, scope: 1 }, { scope: 'error.expected.jsstring' }],
    [
      'with plain http (W1)',
      { ...good, destination: 'http://hooks.example.com/' },
      { destination: 'The destination must begin with https://, unless WEBHOOK_ORIGINS allows it otherwise.' },
    ],
    [
      'with another port (W1)',
      { ...good, destination: 'https://hooks.example.com:8443/' },
      { destination: 'The destination must use port 443, unless WEBHOOK_ORIGINS allows it otherwise.' },
    ],
    [
      'with a private host (W1)',
      { ...good, destination: 'https://db.internal.test/' },
      {
        destination: 'The host of the destination must resolve to a public address, unless OUTGOING_SUBNETS allows it.',
      },
    ],
    [
      'with a loopback address (W1)',
      { ...good, destination: 'https://127.0.0.1/' },
      {
        destination: 'The host of the destination must resolve to a public address, unless OUTGOING_SUBNETS allows it.',
      },
    ],
    [
      'with a host that does not resolve',
      { ...good, destination: 'https://nowhere.test/' },
      {
        destination: 'The host of the destination must resolve to a public address, unless OUTGOING_SUBNETS allows it.',
      },
    ],
    ['with true for a destination', { ...good, destination: true }, { destination: 'error.expected.jsstring' }],
    [
      'with a destination of 2,049 characters',
      { ...good, destination: destination(text(2_049 - destination('').length)) },
      { destination: 'destination must have at most 2048 characters, not 2049.' },
    ],
    ['with a word for is_active', { ...good, is_active: 'yes' }, { is_active: 'error.expected.jsboolean' }],
    ['with null for is_active', { ...good, is_active: null }, { is_active: 'error.expected.jsboolean' }],
    [
      'with a number for events_history_enabled',
      { ...good, events_history_enabled: 1 },
      { events_history_enabled: 'error.expected.jsboolean' },
    ],
    ['with a list for headers', { ...good, headers: [] }, { headers: 'error.expected.jsobject' }],
    ['with a header that is no text', { ...good, headers: { a: 1 } }, { 'headers.a': 'error.expected.jsstring' }],
    ['with a header that is null', { ...good, headers: { a: null } }, { 'headers.a': 'error.expected.jsstring' }],
    [
      'for all its mistakes at once',
      { scope: 'x', destination: 'y', headers: { 'a b': '1', Host: '2', c: 'line\r\nend' } },
      {
        scope: 'This scope does not exist.',
        destination: 'The destination must be an address such as https://example.com/webhooks.',
        'headers.a b': 'This is not the name of a header.',
        'headers.Host': 'The server sets this header itself.',
        'headers.c': 'The value of a header must be of printable ASCII characters.',
      },
    ],
  ])('%s', async (_, body, errors) => {
    const { call } = await sharedShop()
    const { status, body: answer } = await call('POST', '/hooks', body)
    expect({ status, answer }).toEqual({ status: 422, answer: invalid(errors) })
  })

  test('only past the bounds', async () => {
    const { call } = await openStaffedShop()
    const longest = destination(text(2_048 - destination('').length))
    const headers = Object.fromEntries([...'0123456789'].map((c) => [c.repeat(64), 'v'.repeat(1_024)]))
    const made = await call('POST', '/hooks', { scope: SCOPE, destination: longest, headers })
    expect(made).toMatchObject({ status: 200, body: { data: { destination: longest, headers } } })
  })

  test('as a second one with the same scope and destination, of the same client and store only (W2)', async () => {
    const { call, otherclient } = await openStaffedShop()
    const elsewhere = await openStaffedShop()
    expect((await call('POST', '/hooks', good)).status).toBe(200)
    const sentence = 'This client already has a webhook with this scope and destination.'
    expect(await call('POST', '/hooks', { ...good, is_active: false })).toMatchObject({
      status: 409,
      body: problem(409, sentence, { destination: sentence }),
    })
    expect((await call('POST', '/hooks', good, { as: otherclient })).status).toBe(200)
    expect((await elsewhere.call('POST', '/hooks', good)).status).toBe(200)
    expect((await call('POST', '/hooks', { ...good, scope: 'store/category/updated' })).status).toBe(200)
  })

  test('as the 11th of a client on one scope (W3), and so is a change that would make it', async () => {
    const { call, otherclient } = await openStaffedShop()
    const onScope = (scope: string, name: string) => call('POST', '/hooks', { scope, destination: destination(name) })
    for (let i = 1; i <= 10; i++) expect((await onScope(SCOPE, `${i}`)).status).toBe(200)
    const limit = problem(403, 'A client can have at most 10 webhooks on one scope.')
    expect(await onScope(SCOPE, '11')).toMatchObject({ status: 403, body: limit })
    expect(await onScope(SCOPE, '10'), 'a conflict is told before a limit').toMatchObject({ status: 409 })
    expect(await onScope('store/category/*', '11')).toMatchObject({ status: 200, body: { data: { id: 11 } } })
    expect(await call('PUT', '/hooks/11', { scope: SCOPE })).toMatchObject({ status: 403, body: limit })
    expect((await call('GET', '/hooks/11')).body.data.scope).toBe('store/category/*')
    const other = { scope: SCOPE, destination: destination('11') }
    expect((await call('POST', '/hooks', other, { as: otherclient })).status).toBe(200)
    expect((await call('DELETE', '/hooks/1')).status).toBe(200)
    expect((await call('PUT', '/hooks/11', { scope: SCOPE })).status).toBe(200)
  })

  test('exactly from the 11th on, even with concurrent requests', async () => {
    const { call } = await openStaffedShop()
    await call('POST', '/hooks', { scope: 'store/category/*', destination: destination('x') })
    await call('POST', '/hooks', { scope: 'store/category/*', destination: destination('y') })
    const answers = await Promise.all([
      ...Array.from({ length: 15 }, (_, i) =>
        call('POST', '/hooks', { scope: SCOPE, destination: destination(`${i}`) }),
      ),
      call('PUT', '/hooks/1', { scope: SCOPE }),
      call('PUT', '/hooks/2', { scope: SCOPE }),
    ])
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(10).fill(200), ...Array(7).fill(403)])
    expect((await call('GET', `/hooks?scope=${SCOPE}`)).body.meta.pagination.total).toBe(10)
  })

  test('as a second one for delivery exceptions, or with the destination of another', async () => {
    const { call, otherclient } = await openStaffedShop()
    const make = (scope: string, name: string, as = {}) =>
      call('POST', '/hooks', { scope, destination: destination(name) }, as)
    const exceptions = 'store/hook/deliveryException'
    const one = 'A client can have one webhook for store/hook/deliveryException.'
    const apart = `The destination of the webhook for ${exceptions} must differ from those of the other webhooks.`
    expect((await make(SCOPE, 'a')).status).toBe(200)
    expect(await make(exceptions, 'a')).toMatchObject({
      status: 409,
      body: problem(409, apart, { destination: apart }),
    })
    expect((await make(exceptions, 'b')).status).toBe(200)
    expect(await make(exceptions, 'c')).toMatchObject({ status: 409, body: problem(409, one, { scope: one }) })
    expect(await make('store/hook/*', 'c')).toMatchObject({ status: 409, body: problem(409, one, { scope: one }) })
    expect(await make(SCOPE, 'b')).toMatchObject({ status: 409, body: problem(409, apart, { destination: apart }) })
    expect(await call('PUT', '/hooks/1', { destination: destination('b') })).toMatchObject({ status: 409 })
    expect(await call('PUT', '/hooks/1', { scope: exceptions })).toMatchObject({ status: 409 })
    expect((await make(exceptions, 'a', { as: otherclient })).status).toBe(200)
    expect((await make(SCOPE, 'b', { as: otherclient })).status).toBe(200)
  })
})

let shared: Promise<Shop> | undefined

/** A store that receives only refused requests. */
function sharedShop(): Promise<Shop> {
  shared ??= openStaffedShop()
  return shared
}

describe('the headers of a webhook', () => {
  const refused = async (headers: object) => {
    const { call } = await sharedShop()
    const answer = await call('POST', '/hooks', { scope: SCOPE, destination: destination('a'), headers })
    return { status: answer.status, errors: answer.body.errors }
  }

  test.each(
    'Host Content-Length CONTENT-TYPE connection transfer-encoding webhook-id Webhook-Anything user-agent X-Svc-Attempt keep-alive upgrade expect te trailer'.split(
      ' ',
    ),
  )('are not named %s', async (name) => {
    expect(await refused({ [name]: 'x' })).toEqual({
      status: 422,
      errors: { [`headers.${name}`]: 'The server sets this header itself.' },
    })
  })

  test.each([[''], ['a b'], ['a:'], ['ä'], ['a\r\nb'], ['a\tb'], ['(a)']])('are not named %j', async (name) => {
    expect(await refused({ [name]: 'x' })).toEqual({
      status: 422,
      errors: { [`headers.${name}`]: 'This is not the name of a header.' },
    })
  })

  test.each([['a\r\nb'], ['a\nb'], ['\u007f'], ['ä'], ['😀'], ['\u0001']])(
    'have no value %j (C-084)',
    async (value) => {
      expect(await refused({ a: value })).toEqual({
        status: 422,
        errors: { 'headers.a': 'The value of a header must be of printable ASCII characters.' },
      })
    },
  )

  test('have bounds', async () => {
    const eleven = Object.fromEntries([...'0123456789a'].map((name) => [name, 'x']))
    expect(await refused(eleven)).toEqual({ status: 422, errors: { headers: 'headers must hold at most 10, not 11.' } })
    expect(await refused({ [text(65)]: 'x' })).toEqual({
      status: 422,
      errors: { [`headers.${text(65)}`]: 'The name of a header must have at most 64 characters.' },
    })
    expect(await refused({ a: text(1_025) })).toEqual({
      status: 422,
      errors: { 'headers.a': 'The value of a header must have at most 1024 characters.' },
    })
  })

  test('are named once, independent of case', async () => {
    const twice = 'This header is named twice.'
    expect(await refused({ 'x-a': '1', 'X-A': '2' })).toEqual({
      status: 422,
      errors: { 'headers.x-a': twice, 'headers.X-A': twice },
    })
  })

  test('may have a name with a meaning in JavaScript', async () => {
    const { call } = await openStaffedShop()
    const payload = `{"scope":"${SCOPE}","destination":"${destination('a')}","headers":{"__proto__":"x","constructor":"y"}}`
    const sent = { payload, headers: { 'content-type': 'application/json' } }
    expect(await call('POST', '/hooks', undefined, sent)).toMatchObject({ status: 200 })
    expect((await call('GET', '/hooks/1')).text).toContain('"headers":{"__proto__":"x","constructor":"y"}')
  })
})

describe('the webhooks of a client', () => {
  test('are unknown to another client (W12, C-045) and another store', async () => {
    const shop = await openStaffedShop()
    const elsewhere = await openStaffedShop()
    await shop.call('POST', '/hooks', { scope: SCOPE, destination: destination('a') })
    const asked: [string, string, unknown?][] = [
      ['GET', '/hooks/1'],
      ['PUT', '/hooks/1', { is_active: false }],
      ['DELETE', '/hooks/1'],
      ['GET', '/hooks/1/deliveries'],
      ['GET', '/hooks/1/deliveries/1-1'],
      ['POST', '/hooks/1/deliveries/1-1/resend'],
      ['POST', '/hooks/1/recover', { since: 0 }],
      ['POST', '/hooks/1/test', {}],
    ]
    for (const [method, path, body] of asked) {
      const missing = problem(404, 'Webhook with id 1 not found')
      expect(await shop.call(method, path, body, { as: shop.otherclient }), path).toMatchObject({ body: missing })
      expect(await elsewhere.call(method, path, body), path).toMatchObject({ status: 404, body: missing })
    }
    expect((await shop.call('GET', '/hooks', undefined, { as: shop.otherclient })).body.data).toEqual([])
    expect((await elsewhere.call('GET', '/hooks')).body.data).toEqual([])
    expect((await shop.call('GET', '/hooks/1')).body.data.is_active).toBe(true)
  })

  test.each([['0'], ['01'], ['x'], ['2147483648'], ['99999999999']])('have no id such as %s', async (id) => {
    expect((await (await sharedShop()).call('GET', `/hooks/${id}`)).status).toBe(404)
  })

  test('are filtered, in pages', async () => {
    const { call } = await openStaffedShop()
    const make = (scope: string, name: string, is_active = true) =>
      call('POST', '/hooks', { scope, destination: destination(name), is_active })
    await make(SCOPE, 'a')
    await make(SCOPE, 'b', false)
    await make('store/category/*', 'a')
    const list = async (query: string) => ids((await call('GET', `/hooks?${query}`)).body.data)
    expect(await list('')).toEqual([1, 2, 3])
    expect(await list('is_active=true')).toEqual([1, 3])
    expect(await list('is_active=0')).toEqual([2])
    expect(await list(`scope=${SCOPE}`)).toEqual([1, 2])
    expect(await list('scope=store/category/*')).toEqual([3])
    expect(await list('scope=store/category')).toEqual([])
    expect(await list(`destination=${encodeURIComponent(destination('a'))}`)).toEqual([1, 3])
    expect(await list(`destination=${destination('')}`)).toEqual([])
    expect(await list(`destination=${destination('a')}&is_active=true&scope=${SCOPE}`)).toEqual([1])
    expect(await list('direction=desc&limit=2')).toEqual([3, 2])
    expect((await call('GET', `/hooks?scope=${SCOPE}&limit=1`)).body.meta).toEqual({
      pagination: {
        total: 2,
        count: 1,
        per_page: 1,
        current_page: 1,
        total_pages: 2,
        links: {
          current: '?scope=store%2Fcategory%2Fcreated&page=1&limit=1',
          next: '?scope=store%2Fcategory%2Fcreated&page=2&limit=1',
        },
      },
    })
  })

  test.each([
    ['limit=251', 413],
    ['limit=0', 422],
    ['page=x', 422],
    ['is_active=maybe', 422],
    ['client_id=x', 422],
    ['scope:like=x', 422],
  ])('are not listed by %s', async (query, status) => {
    const { call } = await sharedShop()
    expect((await call('GET', `/hooks?${query}`)).status).toBe(status)
  })

  test('show the requested fields', async () => {
    const { call, store } = await openStaffedShop()
    await call('POST', '/hooks', { scope: SCOPE, destination: destination('a') })
    const { data } = (await call('GET', '/hooks?include_fields=store_hash,scope')).body
    expect(data).toEqual([{ id: 1, store_hash: store.hash, scope: SCOPE }])
    const rest = (await call('GET', '/hooks/1?exclude_fields=store_hash,headers,created_at,updated_at')).body.data
    expect(Object.keys(rest).sort()).toEqual(
      ['client_id', 'destination', 'events_history_enabled', 'id', 'is_active', 'scope'].sort(),
    )
  })
})

describe('a change of a webhook', () => {
  test('is answered completely, and keeps the other fields', async () => {
    const { call } = await openStaffedShop()
    const headers = { a: '1' }
    const { data } = (await call('POST', '/hooks', { scope: SCOPE, destination: destination('a'), headers })).body
    const { clock } = await theHouse()
    clock.move(5_000)
    const changes = { destination: destination('b'), events_history_enabled: true }
    const { status, body } = await call('PUT', '/hooks/1', { ...changes, id: 5, client_id: 'x', created_at: 1 })
    expect(status).toBe(200)
    expect(body).toEqual({ data: { ...data, ...changes, updated_at: body.data.updated_at }, meta: {} })
    expect(body.data.updated_at).toBeGreaterThanOrEqual(data.updated_at + 5)
    expect((await call('GET', '/hooks/1')).body).toEqual(body)
    expect((await call('PUT', '/hooks/1', { scope: 'store/order/*' })).body.data.scope).toBe('store/order/*')
    expect((await call('PUT', '/hooks/1', { headers: { b: '2' } })).body.data.headers).toEqual({ b: '2' })
    expect((await call('PUT', '/hooks/1', { headers: null })).body.data.headers).toBeNull()
    expect((await call('GET', '/hooks/1')).body.data.headers).toBeNull()
  })

  test('without a difference keeps the time', async () => {
    const { call } = await openStaffedShop()
    const whole = { scope: SCOPE, destination: destination('a'), headers: { a: '1' }, is_active: true }
    const { data } = (await call('POST', '/hooks', whole)).body
    ;(await theHouse()).clock.move(5_000)
    expect((await call('PUT', '/hooks/1', whole)).body.data).toEqual(data)
    expect((await call('PUT', '/hooks/1', data)).body.data).toEqual(data)
  })

  test.each([
    ['nothing (W15)', {}, { '': 'The body must have at least 1 field.' }],
    ['only what is unknown', { id: 5, colour: 'red' }, { '': 'The body must have at least 1 field.' }],
    ['an unknown scope', { scope: 'x' }, { scope: 'This scope does not exist.' }],
    [
      'a forbidden destination',
      { destination: 'https://10.0.0.1/' },
      {
        destination: 'The host of the destination must resolve to a public address, unless OUTGOING_SUBNETS allows it.',
      },
    ],
    ['a bad header', { headers: { te: 'x' } }, { 'headers.te': 'The server sets this header itself.' }],
    ['null where that means nothing', { scope: null }, { scope: 'error.expected.jsstring' }],
  ])('is refused with %s, even for an unknown webhook', async (_, body, errors) => {
    const { call } = await sharedShop()
    const answer = await call('PUT', '/hooks/1', body)
    expect(answer).toMatchObject({ status: 422, body: invalid(errors) })
  })

  test('is refused without a body, and for an unknown webhook', async () => {
    const { call } = await sharedShop()
    expect((await call('PUT', '/hooks/1')).status).toBe(400)
    const missing = problem(404, 'Webhook with id 1 not found')
    expect(await call('PUT', '/hooks/1', { is_active: true })).toMatchObject({ status: 404, body: missing })
    expect(await call('DELETE', '/hooks/1')).toMatchObject({ status: 404, body: missing })
    expect(await call('GET', '/hooks/1')).toMatchObject({ status: 404, body: missing })
  })

  test('is refused if it duplicates another webhook', async () => {
    const { call } = await openStaffedShop()
    await call('POST', '/hooks', { scope: SCOPE, destination: destination('a') })
    await call('POST', '/hooks', { scope: SCOPE, destination: destination('b') })
    expect((await call('PUT', '/hooks/2', { destination: destination('a') })).status).toBe(409)
    expect((await call('GET', '/hooks/2')).body.data.destination).toBe(destination('b'))
  })

  test('of the destination redirects waiting deliveries (C-036)', async () => {
    const shop = await openStaffedShop()
    await shop.call('POST', '/hooks', { scope: SCOPE, destination: destination('old') })
    await happen(shop, 'category 1')
    await shop.call('PUT', '/hooks/1', { destination: destination('new') })
    const claimed = await (await dbOf(shop)).transaction((tx) => claimHook(tx, 1, () => 10))
    expect(claimed).toMatchObject({
      hook: { destination: destination('new') },
      lanes: [{ deliveries: [{ seq: 1, attempt: 1 }] }],
    })
  })

  test('to is_active false parks waiting deliveries; is_active true starts again', async () => {
    const shop = await openStaffedShop()
    const db = await dbOf(shop)
    await shop.call('POST', '/hooks', { scope: SCOPE, destination: destination('a') })
    await happen(shop, 'category 1', 'category 2', 'category 1')
    expect(await rowsOf(shop, 'lanes')).toHaveLength(2)
    expect((await shop.call('PUT', '/hooks/1', { is_active: false })).body.data.is_active).toBe(false)
    expect(await rowsOf(shop, 'lanes')).toEqual([])
    expect(await rowsOf(shop, 'deliveries')).toEqual([])
    expect((await rowsOf(shop, 'parked_deliveries')).map(({ seq }) => seq).sort()).toEqual([1, 2, 3])
    expect(await rowsOf(shop, 'hooks')).toMatchObject([{ status: 'inactive', reason: '' }])

    await db.transaction((tx) =>
      tx.rows(sql`
        update hooks set status = 'deactivated', reason = 'x', failing_since = ${tx.now} where store_id = ${shop.store.id}`),
    )
    await shop.call('PUT', '/hooks/1', { is_active: false, events_history_enabled: true })
    expect(await rowsOf(shop, 'hooks'), 'who switched it off').toMatchObject([{ status: 'deactivated', reason: 'x' }])
    expect((await shop.call('PUT', '/hooks/1', { is_active: true })).body.data.is_active).toBe(true)
    expect(await rowsOf(shop, 'hooks')).toMatchObject([{ status: 'active', reason: '', failing_since: null }])
    expect(await rowsOf(shop, 'lanes'), 'nothing comes back by itself').toEqual([])
  })

  test('to is_active true restarts the 90 days, even if it was true', async () => {
    const shop = await openStaffedShop()
    const { clock } = await theHouse()
    await shop.call('POST', '/hooks', { scope: SCOPE, destination: destination('a') })
    clock.move(DAY_MS)
    const { data } = (await shop.call('PUT', '/hooks/1', { is_active: true })).body
    expect(data.updated_at).toBe(data.created_at)
    const [{ last_matched_at } = {}] = await rowsOf(shop, 'hooks')
    expect(Math.abs(Date.parse(String(last_matched_at)) - clock.now().getTime())).toBeLessThan(10_000)
  })
})

describe('a deleted webhook', () => {
  test('is answered a last time, and sends nothing more (W13)', async () => {
    const shop = await openStaffedShop()
    const headers = { a: '1' }
    const body = { scope: SCOPE, destination: destination('a'), headers }
    const { data } = (await shop.call('POST', '/hooks', body)).body
    await happen(shop, 'category 1')
    expect(await shop.call('DELETE', '/hooks/1')).toMatchObject({ status: 200, body: { data, meta: {} } })
    expect((await shop.call('DELETE', '/hooks/1')).status).toBe(404)
    await happen(shop, 'category 1')
    for (const table of ['hooks', 'lanes', 'deliveries', 'parked_deliveries']) {
      expect(await rowsOf(shop, table), table).toEqual([])
    }
    expect((await shop.call('POST', '/hooks', body)).body.data.id, 'ids are not given twice').toBe(2)
  })

  test('loses its parked deliveries', async () => {
    const shop = await openStaffedShop()
    await shop.call('POST', '/hooks', { scope: SCOPE, destination: destination('a') })
    await happen(shop, 'category 1')
    await shop.call('PUT', '/hooks/1', { is_active: false })
    expect(await rowsOf(shop, 'parked_deliveries')).toHaveLength(1)
    await shop.call('DELETE', '/hooks/1')
    expect(await rowsOf(shop, 'parked_deliveries')).toEqual([])
  })

  test('refuses filters, which it would ignore', async () => {
    expect((await (await sharedShop()).call('DELETE', '/hooks/1?scope=x')).status).toBe(422)
  })
})

describe('a deleted account', () => {
  test('deletes its webhooks with their queues, and nothing of other accounts', async () => {
    const shop = await openStaffedShop()
    const { accounts } = (await theHouse()).installation
    const db = await dbOf(shop)
    const asOther = { as: shop.otherclient }
    for (const as of [{}, asOther]) {
      await shop.call('POST', '/hooks', { scope: SCOPE, destination: destination('a') }, as)
      await shop.call('POST', '/hooks', { scope: SCOPE, destination: destination('b') }, as)
      await shop.call('PUT', '/hooks/admin', { emails: ['a@example.com'] }, as)
    }
    for (const { client_id } of [shop.admin, shop.otherclient]) await block(db, client_id, 60)
    await happen(shop, 'category 1')
    await shop.call('PUT', '/hooks/2', { is_active: false })
    await shop.call('PUT', '/hooks/4', { is_active: false }, asOther)
    const tables = ['hooks', 'lanes', 'deliveries', 'parked_deliveries', 'hook_admins', 'host_blocks']
    const counts = async () => Promise.all(tables.map(async (table) => (await rowsOf(shop, table)).length))
    expect(await counts()).toEqual([4, 2, 2, 2, 2, 2])
    expect(await accounts.delete(shop.store.hash, shop.otherclient.client_id)).toBe(true)
    expect(await counts()).toEqual([2, 1, 1, 1, 1, 1])
    expect((await shop.call('GET', '/hooks')).body.meta.pagination.total).toBe(2)
    expect(await accounts.delete(shop.store.hash, shop.otherclient.client_id)).toBe(false)
    expect(await counts()).toEqual([2, 1, 1, 1, 1, 1])
  })
})

/** A block of hooks.example.com that ends in this many seconds. */
const block = (db: Db, clientId: string, seconds: number) =>
  db.transaction((tx) =>
    tx.rows(sql`
      insert into host_blocks ${sql.rows([
        {
          store_id: tx.store.id,
          client_id: clientId,
          host: 'hooks.example.com',
          blocked_until: new Date(tx.now.getTime() + seconds * 1_000),
          reasons: JSON.stringify([{ failure_description: 'Too many failed.', count: 12, timestamp: 1_561_479_335 }]),
        },
      ])}`),
  )

describe('the administration of webhooks', () => {
  test('shows the addresses, the webhooks with their status, and blocked hosts (W16)', async () => {
    const shop = await openStaffedShop()
    const { call } = shop
    expect((await call('GET', '/hooks/admin')).body).toEqual({
      data: { emails: [], hooks_list: [], blocked_domains: [] },
      meta: {
        pagination: {
          total: 0,
          count: 0,
          per_page: 50,
          current_page: 1,
          total_pages: 0,
          links: { current: '?page=1&limit=50' },
        },
      },
    })
    const first = (await call('POST', '/hooks', { scope: SCOPE, destination: destination('a') })).body.data
    const second = (await call('POST', '/hooks', { scope: SCOPE, destination: destination('b'), is_active: false }))
      .body.data
    await call('POST', '/hooks', { scope: SCOPE, destination: destination('a') }, { as: shop.otherclient })
    expect((await call('PUT', '/hooks/admin', { emails: ['one@example.com', 'two@example.com'] })).status).toBe(204)
    const db = await dbOf(shop)
    await block(db, shop.admin.client_id, 180)
    const { body } = await call('GET', '/hooks/admin')
    expect(body).toEqual({
      data: {
        emails: ['one@example.com', 'two@example.com'],
        hooks_list: [
          { ...first, status: 'active' },
          { ...second, status: 'inactive' },
        ],
        blocked_domains: [
          {
            destination: 'https://hooks.example.com',
            time_left: expect.toSatisfy((left: number) => left > 170 && left <= 180),
            reasons: [{ failure_description: 'Too many failed.', count: 12, timestamp: 1_561_479_335 }],
          },
        ],
      },
      meta: { pagination: expect.objectContaining({ total: 2, count: 2 }) },
    })
    const list = async (query: string) => ids((await call('GET', `/hooks/admin?${query}`)).body.data.hooks_list)
    expect(await list('is_active=false')).toEqual([2])
    expect(await list('is_active=true')).toEqual([1])
    expect(await list('limit=1&page=2')).toEqual([2])
    expect((await call('GET', '/hooks/admin?scope=x')).status).toBe(422)
    expect((await call('GET', '/hooks/admin?limit=251')).status).toBe(413)
    ;(await theHouse()).clock.move(181_000)
    expect((await call('GET', '/hooks/admin')).body.data.blocked_domains).toEqual([])
  })

  test('is separate for each client', async () => {
    const shop = await openStaffedShop()
    await shop.call('PUT', '/hooks/admin', { emails: ['a@example.com'] })
    await block(await dbOf(shop), shop.admin.client_id, 60)
    const { data } = (await shop.call('GET', '/hooks/admin', undefined, { as: shop.otherclient })).body
    expect(data).toEqual({ emails: [], hooks_list: [], blocked_domains: [] })
  })

  test('replaces all addresses; without a list it changes nothing', async () => {
    const { call } = await openStaffedShop()
    const emails = async () => (await call('GET', '/hooks/admin')).body.data.emails
    const ten = Array.from({ length: 10 }, (_, i) => `${i}@example.com`)
    await call('PUT', '/hooks/admin', { emails: ten })
    expect(await emails()).toEqual(ten)
    await call('PUT', '/hooks/admin', { emails: ['b@example.com', 'b@example.com', 'ä@example.com'] })
    expect(await emails()).toEqual(['b@example.com', 'ä@example.com'])
    expect((await call('PUT', '/hooks/admin', {})).status).toBe(204)
    expect(await emails()).toEqual(['b@example.com', 'ä@example.com'])
    await call('PUT', '/hooks/admin', { emails: [] })
    expect(await emails()).toEqual([])
  })

  test.each([
    [Array.from({ length: 11 }, (_, i) => `${i}@example.com`), { emails: 'emails must hold at most 10.' }],
    [['a@example.com', 'nobody'], { 'emails.1': 'emails is not well formed: "nobody".' }],
    [['a@b@c'], { 'emails.0': 'emails is not well formed: "a@b@c".' }],
    [['a b@c'], { 'emails.0': 'emails is not well formed: "a b@c".' }],
    [['a@b\r\nBcc: c@d'], { 'emails.0': expect.stringContaining('not well formed') }],
    [['a@b,c'], { 'emails.0': expect.stringContaining('not well formed') }],
    [['<a@b>'], { 'emails.0': expect.stringContaining('not well formed') }],
    [[`${text(244)}@example.com`], { 'emails.0': 'emails must have at most 255 characters, not 256.' }],
    [[5], { 'emails.0': 'error.expected.jsstring' }],
    ['a@example.com', { emails: 'error.expected.jsarray' }],
    [null, { emails: 'error.expected.jsarray' }],
  ])('refuses the addresses %j', async (emails, errors) => {
    const { call } = await sharedShop()
    expect(await call('PUT', '/hooks/admin', { emails })).toMatchObject({ status: 422, body: invalid(errors) })
  })
})
