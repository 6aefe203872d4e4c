import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type Answered,
  type Call,
  form,
  openStaffedShop,
  type StaffedShop,
  theHouse,
} from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { sql } from '../db/sql.ts'

// Idempotency-Key: docs/contract/conventions.md section 12, and entry 1 of section 16 (C-013 to C-016).

const LIST = '/catalog/brands'
const HOUR_MS = 3_600_000

let shop: StaffedShop
let call: StaffedShop['call']
beforeEach(async () => {
  shop = await openStaffedShop()
  call = shop.call
})

const keyed = (key: string, more: Call = {}): Call => ({
  ...more,
  headers: { ...more.headers, 'idempotency-key': key },
})
const post = (key: string, body: unknown, more?: Call) => call('POST', LIST, body, keyed(key, more))
const total = async ({ call } = shop) => (await call('GET', LIST)).body.meta.pagination.total
const isReplay = ({ headers }: Answered) => headers['idempotent-replayed'] === 'true'
const statusAndBody = ({ status, body }: Answered) => ({ status, body })

describe('the same request under the same key', () => {
  test('is done once and answered from the store the next times, with a header that shows it', async () => {
    const first = await post('one', { name: 'Ferm' })
    expect(first.headers).not.toHaveProperty('idempotent-replayed')
    for (let i = 0; i < 3; i++) {
      const again = await post('one', { name: 'Ferm' })
      expect(statusAndBody(again)).toEqual(statusAndBody(first))
      expect(isReplay(again)).toBe(true)
      expect(again.headers['content-type']).toBe(first.headers['content-type'])
      expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
      expect(Number(again.headers['x-rate-limit-requests-left'])).toBeGreaterThan(0)
    }
    expect(await total()).toBe(1)
  })

  test('a hundred times at once has one effect; early repeats get 409 with Retry-After (C-013)', async () => {
    const attempts = await Promise.all(Array.from({ length: 100 }, () => post('race', { name: 'Ferm' })))
    const done = attempts.filter(({ status }) => status === 200)
    const early = attempts.filter(({ status }) => status === 409)
    expect(done.length + early.length).toBe(100)
    expect(done.filter((answer) => !isReplay(answer))).toHaveLength(1)
    for (const { body } of done) expect(body).toEqual(done[0]?.body)
    for (const { headers, body } of early) {
      expect(headers['retry-after']).toBe('1')
      expect(body.title).toBe('The first request with this Idempotency-Key is still running.')
    }
    expect(await total()).toBe(1)
    expect(isReplay(await post('race', { name: 'Ferm' }))).toBe(true)
  })

  test('is the same in another layout, with other unknown keys it is not', async () => {
    const headers = { 'content-type': 'application/json' }
    await post('layout', { name: 'Ferm', page_title: 'x' })
    const spaced = await call(
      'POST',
      LIST,
      undefined,
      keyed('layout', { headers, payload: '{ "name" : "Fe\\u0072m",\n"page_title":"x"}' }),
    )
    expect(isReplay(spaced)).toBe(true)
    expect((await post('layout', { name: 'Ferm', page_title: 'x', note: 1 })).status).toBe(422)
  })

  test.each([
    ['in another order', '?a=1&b=2&b=3', '?b=2&a=1&b=3'],
    ['in another spelling', '?a%3Amin=x+y&b=', '?b&a:min=x%20y'],
    ['that is empty', '', '?'],
  ])('is the same with a query %s', async (_, query, again) => {
    await call('POST', `${LIST}${query}`, { name: 'Ferm' }, keyed('query'))
    expect(isReplay(await call('POST', `${LIST}${again}`, { name: 'Ferm' }, keyed('query')))).toBe(true)
  })

  test('is the same with any query while its answer is from a version that did not store the query', async () => {
    await call('POST', `${LIST}?a=1`, { name: 'Ferm' }, keyed('older'))
    const db = await dbOf(shop)
    await db.transaction((tx) =>
      tx.rows(sql`update idempotent_answers set query_hash = null where store_id = ${tx.store.id} and key = 'older'`),
    )
    for (const query of ['?a=1', '?a=2', '']) {
      expect(isReplay(await call('POST', `${LIST}${query}`, { name: 'Ferm' }, keyed('older')))).toBe(true)
    }
    expect((await post('older', { name: 'Other' })).status).toBe(422)
  })

  test('may be a PUT, whose answer stays as it was', async () => {
    await post('make', { name: 'Ferm' })
    const put = (body: object) => call('PUT', `${LIST}/1`, body, keyed('change'))
    const first = await put({ page_title: 'one' })
    await call('PUT', `${LIST}/1`, { page_title: 'two' })
    const again = await put({ page_title: 'one' })
    expect(isReplay(again)).toBe(true)
    expect(statusAndBody(again)).toEqual(statusAndBody(first))
    expect((await call('GET', `${LIST}/1`)).body.data.page_title).toBe('two')
  })

  test('may be an upload, of which one file is kept', async () => {
    await post('make', { name: 'Ferm' })
    const { files } = await theHouse()
    const ico = [0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 32, 0, 4, 0, 0, 0, 22, 0, 0, 0, 1, 2, 3, 4]
    const upload = (bytes: number[]) =>
      call('POST', `${LIST}/1/image`, undefined, keyed('picture', form('image_file', 'a.ico', Uint8Array.from(bytes))))
    const first = await upload(ico)
    expect(first.status).toBe(200)
    const again = await upload(ico)
    expect(isReplay(again)).toBe(true)
    expect(statusAndBody(again)).toEqual(statusAndBody(first))
    expect((await upload([...ico, 5])).status).toBe(422)
    expect(await readdir(join(files.folder, shop.store.hash))).toHaveLength(1)
  })

  test('may be one that was saved but for its address: 207 again', async () => {
    await call('POST', LIST, { name: 'Ferm', custom_url: { url: '/taken/' } })
    const first = await post('address', { name: 'Other', custom_url: { url: '/taken/' } })
    expect(first.status).toBe(207)
    const again = await post('address', { name: 'Other', custom_url: { url: '/taken/' } })
    expect(statusAndBody(again)).toEqual(statusAndBody(first))
    expect(isReplay(again)).toBe(true)
    expect(await total()).toBe(2)
  })

  test('repeats the 422 of a batch that saved some items', async () => {
    await call('POST', LIST, { name: 'Ferm' })
    const items = [1, 9].map((resource_id) => ({
      key: 'k',
      value: 'v',
      namespace: 'n',
      permission_set: 'read',
      resource_id,
    }))
    const batch = () => call('POST', `${LIST}/metafields`, items, keyed('batch'))
    const first = await batch()
    expect(statusAndBody(first)).toMatchObject({ status: 422, body: { meta: { success: 1, failed: 1 } } })
    const again = await batch()
    expect(statusAndBody(again)).toEqual(statusAndBody(first))
    expect(isReplay(again)).toBe(true)
  })
})

describe('another request under the same key is 422 and has no effect (C-014)', () => {
  test.each([
    ['with another body', 'POST', LIST, { name: 'Other' }],
    ['with another method', 'PUT', `${LIST}/1`, { name: 'Ferm' }],
    ['to another path', 'POST', '/catalog/categories', { name: 'Ferm' }],
    // The key is looked up before query and body are checked.
    ['that would be refused anyway', 'POST', LIST, {}],
    ['that would be too much anyway', 'PUT', `${LIST}/metafields`, Array(11).fill({})],
    ['with a body of another kind', 'POST', LIST, []],
    ['with a query', 'POST', `${LIST}?a=1`, { name: 'Ferm' }],
  ])('%s', async (_, method, path, body) => {
    await post('used', { name: 'Ferm' })
    const { status, body: refusal } = await call(method, path, body, keyed('used'))
    expect({ status, refusal }).toEqual({
      status: 422,
      refusal: {
        status: 422,
        title: 'This Idempotency-Key was used for another request: use a new key.',
        type: 'http://shop.test/docs/errors#422',
        errors: {},
      },
    })
    expect(await total()).toBe(1)
    expect(isReplay(await post('used', { name: 'Ferm' }))).toBe(true)
  })
})

test('a write for a channel is another request than the same write for the store', async () => {
  for (const [path, body, changed] of [
    [
      '/marketing/email-templates/account_reset_password_email',
      { subject: 'Hello', body: 'x', translations: [] },
      'subject',
    ],
    [
      '/settings/storefront/seo',
      { page_title: 'Lamps', meta_description: '', meta_keywords: '', www_redirect: 'none' },
      'page_title',
    ],
  ] as const) {
    // A busy machine may have no time for the trial rendering of a template. Such a request had no effect, and is sent again.
    const put = async (to: string, sent: object, key: string): Promise<Answered> => {
      const answer = await call('PUT', to, sent, keyed(key))
      return answer.status === 503 ? put(to, sent, key) : answer
    }
    expect((await put(path, body, path)).status).toBe(200)
    const ofChannel = `${path}?channel_id=1`
    const { status, body: refusal } = await put(ofChannel, body, path)
    expect({ status, title: refusal.title }).toEqual({
      status: 422,
      title: 'This Idempotency-Key was used for another request: use a new key.',
    })
    expect((await put(ofChannel, { ...body, [changed]: 'Own' }, `${path} own`)).status).toBe(200)
    expect((await call('GET', ofChannel)).body.data[changed]).toBe('Own')
    expect((await call('GET', path)).body.data[changed]).toBe(Reflect.get(body, changed))
  }
})

test('another method on the same path with the same body is another request', async () => {
  await call('POST', LIST, { name: 'Ferm' })
  const items = [{ id: 1, resource_id: 1, key: 'k', value: 'v', namespace: 'n', permission_set: 'read' }]
  const batch = (method: string) => call(method, `${LIST}/metafields`, items, keyed('batch'))
  expect((await batch('POST')).status).toBe(200)
  expect((await batch('PUT')).body.title).toBe('This Idempotency-Key was used for another request: use a new key.')
})

test('another store and another client have keys of their own (C-015)', async () => {
  const other = await openStaffedShop()
  expect((await post('same', { name: 'Ferm' })).body.data.id).toBe(1)
  const elsewhere = await other.call('POST', LIST, { name: 'Ferm' }, keyed('same'))
  expect({ id: elsewhere.body.data.id, replay: isReplay(elsewhere) }).toEqual({ id: 1, replay: false })
  const byOther = await post('same', { name: 'Menu' }, { as: shop.otherclient })
  expect({ id: byOther.body.data.id, replay: isReplay(byOther) }).toEqual({ id: 2, replay: false })
  expect(isReplay(await post('same', { name: 'Menu' }, { as: shop.otherclient }))).toBe(true)
  expect([await total(), await total(other)]).toEqual([2, 1])
})

describe('a refused request leaves its key free (C-016)', () => {
  test.for<[name: string, method: string, path: string, body: unknown, status: number]>([
    ['that was not valid', 'POST', LIST, { name: 5 }, 422],
    ['that was a duplicate', 'POST', LIST, { name: 'taken' }, 409],
    ['for what is not there', 'PUT', `${LIST}/99`, { name: 'x' }, 404],
    ['with too many items', 'PUT', `${LIST}/metafields`, Array(11).fill({ id: 1 }), 413],
    ['of which no item was saved', 'PUT', `${LIST}/metafields`, [{ id: 99, value: 'x' }], 422],
    ['without a body', 'POST', LIST, undefined, 400],
  ])('%s', async ([, method, path, body, status]) => {
    await call('POST', LIST, { name: 'Taken' })
    for (let i = 0; i < 2; i++) {
      const refused = await call(method, path, body, keyed('again'))
      expect({ status: refused.status, replay: isReplay(refused) }).toEqual({ status, replay: false })
    }
    const done = await post('again', { name: 'Fine' })
    expect({ status: done.status, replay: isReplay(done) }).toEqual({ status: 200, replay: false })
    expect(isReplay(await post('again', { name: 'Fine' }))).toBe(true)
  })

  test('a refusal by a limit leaves it free too', async () => {
    const small = await openStaffedShop({ limits: { brands: 1 } })
    await small.call('POST', LIST, { name: 'one' })
    const two = () => small.call('POST', LIST, { name: 'two' }, keyed('limit'))
    expect((await two()).status).toBe(507)
    await small.call('DELETE', `${LIST}/1`)
    expect((await two()).body.data).toMatchObject({ name: 'two' })
  })
})

test('a key lasts for 24 hours, and is unused afterwards', async () => {
  const { clock } = await theHouse()
  let moved = 0
  const wait = (ms: number) => {
    clock.move(ms)
    moved += ms
  }
  try {
    await post('daily', { name: 'Ferm' })
    wait(24 * HOUR_MS - 2_000)
    expect(isReplay(await post('daily', { name: 'Ferm' }))).toBe(true)
    // A replay does not lengthen its life.
    wait(5_000)
    const late = await post('daily', { name: 'Ferm' })
    expect({ status: late.status, replay: isReplay(late) }).toEqual({ status: 409, replay: false })
    expect((await post('daily', { name: 'Menu' })).body.data.id).toBe(2)
    wait(23 * HOUR_MS)
    expect(isReplay(await post('daily', { name: 'Menu' }))).toBe(true)
  } finally {
    clock.move(-moved)
  }
})

test('the database has no plain digest of a request, which could reveal a password', async () => {
  const body = [
    { email: 'ann@x.test', first_name: 'A', last_name: 'B', authentication: { new_password: 'sunny day 1' } },
  ]
  expect((await call('POST', '/customers', body, keyed('password'))).status).toBe(200)
  const plain = createHash('sha256')
    .update(`POST /stores/${shop.store.hash}/v3/customers\n${JSON.stringify(body)}`)
    .digest('base64url')
  const [kept] = await rowsOf(shop, 'idempotent_answers')
  expect(kept?.request_hash).toMatch(/^[\w-]{43}$/)
  expect(kept?.request_hash).not.toBe(plain)
})

test('expired keys are deleted by new ones', async () => {
  const { clock, installation } = await theHouse()
  const db = installation.directory.cellOf(shop.store).api.of(shop.store)
  const kept = async () => {
    const { count } = await db.row<{ count: number }>(
      sql`select count(*)::int as count from idempotent_answers where store_id = ${shop.store.id}`,
    )
    return count
  }
  for (let i = 0; i < 15; i++) await post(`old ${i}`, { name: `old ${i}` })
  expect(await kept()).toBe(15)
  clock.move(25 * HOUR_MS)
  try {
    await post('new 1', { name: 'new 1' })
    await post('new 2', { name: 'new 2' })
    expect(await kept()).toBe(2)
  } finally {
    clock.move(-25 * HOUR_MS)
  }
})

describe('a key', () => {
  test.each([
    ['1 character', 'a'],
    ['255 characters', 'k'.repeat(255)],
    ['any printable characters', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~ 09AZ'],
    ['what looks like SQL', "x'); drop table idempotent_answers; --"],
  ])('of %s is valid', async (_, key) => {
    expect((await post(key, { name: 'Ferm' })).status).toBe(200)
    expect(isReplay(await post(key, { name: 'Ferm' }))).toBe(true)
  })

  test.each([
    ['no character', ''],
    ['256 characters', 'k'.repeat(256)],
    ['a letter beyond ASCII', 'schlüssel'],
    ['a tab', 'a\tb'],
    ['DEL', 'a\x7fb'],
  ])('of %s is 422', async (_, key) => {
    const { status, body } = await post(key, { name: 'Ferm' })
    expect({ status, title: body.title }).toEqual({
      status: 422,
      title: 'Idempotency-Key must have 1 to 255 printable ASCII characters.',
    })
    expect(await total()).toBe(0)
  })

  test('differs from one in other case', async () => {
    await post('KEY', { name: 'one' })
    expect((await post('key', { name: 'two' })).body.data.id).toBe(2)
  })

  test('has no effect on GET and DELETE', async () => {
    await post('one', { name: 'Ferm' })
    expect((await call('GET', `${LIST}/1`, undefined, keyed('one'))).status).toBe(200)
    expect((await call('GET', LIST, undefined, keyed('k'.repeat(256)))).status).toBe(200)
    expect((await call('DELETE', `${LIST}/1`, undefined, keyed('one'))).status).toBe(204)
    expect((await call('DELETE', `${LIST}/1`, undefined, keyed('one'))).status).toBe(404)
  })

  test('is checked after the scope and before the body', async () => {
    expect((await post('', {}, { as: shop.readonly })).status).toBe(403)
    expect((await post('', {})).body.title).toBe('Idempotency-Key must have 1 to 255 printable ASCII characters.')
    const broken = { headers: { 'content-type': 'application/json' }, payload: '{' }
    expect((await call('POST', LIST, undefined, keyed('', broken))).status).toBe(400)
  })
})

test('a repeated request is 409 with Retry-After while the first one runs, and other requests are served', async () => {
  const { installation } = await theHouse()
  const db = installation.directory.cellOf(shop.store).api.of(shop.store)
  const isAnybodyWaiting = async () =>
    (
      await db.row<{ waiting: boolean }>(sql`
        -- of a test
        select count(*) > 0 as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
    ).waiting
  await call('POST', LIST, { name: 'before' })
  let first: Promise<Answered> | undefined
  let ended: Answered | undefined
  const begin = () => {
    first = post('slow', { name: 'Ferm' }).then((answer) => {
      ended = answer
      return answer
    })
  }
  // A transaction that locks the counter blocks every new brand.
  await db.transaction(async (tx) => {
    await tx.rows(sql`select from counters where store_id = ${shop.store.id} and resource = 'brands' for update`)
    begin()
    const waits = async () => {
      // On a busy machine no connection may be free in time. Such a request had no effect, and is sent again.
      if (ended?.status === 503) begin()
      ended = undefined
      return isAnybodyWaiting()
    }
    await expect.poll(waits).toBe(true)
    const second = await post('slow', { name: 'Ferm' })
    expect({ status: second.status, retry: second.headers['retry-after'] }).toEqual({ status: 409, retry: '1' })
    expect(second.body).toEqual({
      status: 409,
      title: 'The first request with this Idempotency-Key is still running.',
      type: 'http://shop.test/docs/errors#409',
      errors: {},
    })
    const change = (key: string, more?: Call) => call('PUT', `${LIST}/1`, { page_title: key }, keyed(key, more))
    expect((await change('other')).status).toBe(200)
    expect((await change('slow', { as: shop.otherclient })).status).toBe(200)
  })
  const done = await first
  expect({ status: done?.status, id: done?.body.data.id }).toEqual({ status: 200, id: 2 })
  expect(isReplay(await post('slow', { name: 'Ferm' }))).toBe(true)
  expect(await total()).toBe(2)
})
