import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { onlyPage, problem } from '../../test/document/expected.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'

let shop: Shop
const open = async () => {
  shop = await openShop()
}

const call: Shop['call'] = (method, path, body, options) => shop.call(method, path, body, options)
const segment = async (name: string): Promise<string> => (await call('POST', '/segments', [{ name }])).body.data[0].id
const customers = async (...names: string[]): Promise<number[]> => {
  const people = names.map((name) => ({ email: `${name}@x.test`, first_name: name, last_name: 'Lee' }))
  return (await call('POST', '/customers', people)).body.data.map(({ id }: { id: number }) => id)
}
const profile = async (...customerIds: number[]): Promise<string[]> =>
  (
    await call(
      'POST',
      '/shopper-profiles',
      customerIds.map((customer_id) => ({ customer_id })),
    )
  ).body.data.map(({ id }: { id: string }) => id)
const idsAt = async (path: string) => (await call('GET', path)).body.data.map(({ id }: { id: string }) => id)
const membersOf = (id: string) => `/segments/${id}/shopper-profiles`

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
const NOBODY = '00000000-0000-4000-8000-000000000000'
const some = expect.any(String)
const conflict = (total: number, errors: object) => ({
  data: [],
  errors: [problem(409, some, errors)],
  meta: { total, success: 0, failed: total },
})
const bad = (errors: object) => problem(400, 'JSON data is missing or invalid', errors)

describe('segments', () => {
  beforeEach(open)

  test('are created with 201, listed in that order, changed in part and deleted; nothing tells of it', async () => {
    const made = await call('POST', '/segments', [{ name: 'Regulars', description: 'Ten a year' }, { name: 'Éarly' }])
    const shown = { id: UUID, description: '', created_at: TIME, updated_at: TIME }
    const [regulars, early] = [
      { ...shown, name: 'Regulars', description: 'Ten a year' },
      { ...shown, name: 'Éarly' },
    ]
    expect(made).toMatchObject({ status: 201, body: { data: [regulars, early], meta: {} } })
    const [one, other] = made.body.data
    expect((await call('GET', '/segments')).body).toEqual({ data: [one, other], meta: { pagination: onlyPage(2) } })
    expect(await idsAt(`/segments?id:in=${other.id.toUpperCase()},${NOBODY}`)).toEqual([other.id])
    expect(await idsAt('/segments?limit=1&page=2')).toEqual([other.id])
    const { clock } = await theHouse()
    clock.move(60_000)
    const changed = await call('PUT', '/segments', [
      { id: other.id, description: 'Before noon', created_at: 'x' },
      { id: one.id.toUpperCase(), name: 'Regulars' },
    ])
    const now = { ...other, description: 'Before noon', updated_at: TIME }
    expect(changed).toMatchObject({ status: 201, body: { data: [now, one], meta: {} } })
    expect(changed.body.data[0].updated_at).not.toBe(other.updated_at)
    expect(changed.body.data[1]).toEqual(one)
    expect(await call('DELETE', `/segments?id:in=${one.id},${NOBODY}`)).toMatchObject({ status: 204, text: '' })
    expect(await idsAt('/segments')).toEqual([other.id])
    await segment('Another')
    expect((await call('DELETE', '/segments')).status).toBe(204)
    expect(await idsAt('/segments')).toEqual([])
    expect(await rowsOf(shop, 'events')).toEqual([])
  })

  test('have names that are taken once: 409 by index, and nothing is saved', async () => {
    const [gold, silver] = [await segment('Gold'), await segment('Silver')]
    const added = await call('POST', '/segments', [{ name: 'New' }, { name: ' gOLD' }, { name: 'new' }])
    expect(added).toMatchObject({ status: 409, body: conflict(3, { 1: some, 2: some }) })
    const renamed = await call('PUT', '/segments', [{ id: silver, name: 'GOLD' }])
    // Of those that change, the names count that they will have; two that swap theirs are in nobody's way but their own.
    expect(renamed).toMatchObject({ status: 409, body: conflict(1, { 0: some }) })
    expect((await call('PUT', '/segments', [{ id: gold, name: 'GOLD' }])).body.data[0].name).toBe('GOLD')
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', '/segments', [{ name: 'At once' }])))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    expect(await idsAt('/segments')).toHaveLength(3)
  })

  test('of a store are 1,000 at most: 403, also where some of a request had room', async () => {
    await segment('Last but 1')
    const db = await dbOf(shop)
    await db.transaction(async (tx) => {
      await tx.rows(sql`
        insert into segments (store_id, id, uuid, name, name_key, description, created_at, updated_at)
        select store_id, number, gen_random_uuid()::text, number::text, number::text, '', created_at, updated_at
        from segments, generate_series(2, 999) number where store_id = ${db.store.id} returning id`)
      await tx.rows(
        sql`update counters set last_id = 999, total = 999 where store_id = ${db.store.id} and resource = 'segments'`,
      )
    })
    const two = await call('POST', '/segments', [{ name: 'a' }, { name: 'b' }])
    expect(two).toMatchObject({ status: 403, body: problem(403, 'A store can hold at most 1000 segments.') })
    expect((await call('POST', '/segments', [{ name: 'a' }, { name: '2' }])).status).toBe(409)
    expect((await call('POST', '/segments', [{ name: 'a' }])).status).toBe(201)
    expect((await call('DELETE', '/segments')).status).toBe(204)
    expect(await idsAt('/segments')).toEqual([])
  })
})

describe('shopper profiles', () => {
  beforeEach(open)

  test('are created with 201, one for a customer, and go with it', async () => {
    const [ann = 0, bo = 0] = await customers('ann', 'bo')
    const made = await call('POST', '/shopper-profiles', [{ customer_id: bo }, { customer_id: ann }])
    const data = [bo, ann].map((customer_id) => ({ id: UUID, customer_id, created_at: TIME, updated_at: TIME }))
    expect(made).toMatchObject({ status: 201, body: { data, meta: {} } })
    expect((await call('GET', '/shopper-profiles')).body).toEqual({
      data: made.body.data,
      meta: { pagination: onlyPage(2) },
    })
    const [cy = 0] = await customers('cy')
    const again = await call('POST', '/shopper-profiles', [
      { customer_id: cy },
      { customer_id: ann },
      { customer_id: cy },
    ])
    expect(again).toMatchObject({ status: 409, body: conflict(3, { 1: some, 2: some }) })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call('POST', '/shopper-profiles', [{ customer_id: cy }])),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
    await call('DELETE', `/customers?id:in=${bo}`)
    expect((await call('GET', '/shopper-profiles')).body.data).toMatchObject([
      { customer_id: ann },
      { customer_id: cy },
    ])
  })

  test('are put into segments and taken out; both tell where they are', async () => {
    const [gold, silver] = [await segment('Gold'), await segment('Silver')]
    const [ann = 0, bo = 0, cy = 0] = await customers('ann', 'bo', 'cy')
    const [anns = '', bos = ''] = await profile(ann, bo)
    const { clock } = await theHouse()
    clock.move(60_000)
    const added = await call('POST', membersOf(gold), [bos, anns.toUpperCase()])
    expect(added).toMatchObject({ status: 201, body: { data: [{ id: bos }, { id: anns }], meta: {} } })
    const [{ created_at, updated_at }] = added.body.data
    expect(updated_at).not.toBe(created_at)
    expect(await idsAt(membersOf(gold))).toEqual([anns, bos])
    expect((await call('GET', membersOf(gold))).body.data).toEqual(added.body.data.toReversed())
    await call('POST', membersOf(silver), [bos])
    const again = await call('POST', membersOf(silver), [anns, bos, anns])
    expect(again).toMatchObject({ status: 409, body: conflict(3, { 1: some, 2: some }) })
    expect(await idsAt(membersOf(silver))).toEqual([bos])
    expect(await idsAt(`/shopper-profiles/${bos}/segments`)).toEqual([gold, silver])
    const { body } = await call('GET', '/customers?include=shopper_profile_id,segment_ids')
    expect(body.data).toMatchObject([
      { id: ann, shopper_profile_id: anns, segment_ids: [gold] },
      { id: bo, shopper_profile_id: bos, segment_ids: [gold, silver] },
      { id: cy, shopper_profile_id: null, segment_ids: [] },
    ])
    expect((await call('DELETE', `${membersOf(gold)}?id:in=${anns},${NOBODY}`)).status).toBe(204)
    expect(await idsAt(membersOf(gold))).toEqual([bos])
    expect((await call('DELETE', membersOf(gold))).status).toBe(204)
    expect(await idsAt(membersOf(gold))).toEqual([])
    expect(await idsAt('/shopper-profiles')).toEqual([anns, bos])
  })

  test('stay where their segment goes, and leave segments and customers where they go themselves', async () => {
    const [gold, silver] = [await segment('Gold'), await segment('Silver')]
    const people = await customers('ann', 'bo')
    const [anns = '', bos = ''] = await profile(...people)
    for (const id of [gold, silver]) await call('POST', membersOf(id), [anns, bos])
    await call('DELETE', `/segments?id:in=${gold}`)
    expect(await idsAt(`/shopper-profiles/${anns}/segments`)).toEqual([silver])
    expect((await call('DELETE', `/shopper-profiles?id:in=${anns},${NOBODY}`)).status).toBe(204)
    expect(await idsAt(membersOf(silver))).toEqual([bos])
    expect((await call('DELETE', '/shopper-profiles')).status).toBe(204)
    expect(await idsAt('/shopper-profiles')).toEqual([])
    expect(await idsAt(membersOf(silver))).toEqual([])
    expect((await call('GET', '/customers')).body.data).toHaveLength(2)
  })

  test('leave a large segment in steps', async () => {
    const gold = await segment('Gold')
    const [anns = ''] = await profile(...(await customers('ann')))
    await call('POST', membersOf(gold), [anns])
    const db = await dbOf(shop)
    // Copies of one customer with his profile, so that there is more than one step to do.
    const { columns } = await db.row<{ columns: string }>(sql`-- of a test
      select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
      where table_name = 'customers' and column_name not in ('store_id', 'id')`)
    const store = db.store.id
    await db.transaction(async (tx) => {
      await tx.rows(sql`
        insert into customers (store_id, id, ${sql.raw(columns)})
        select store_id, id + number, ${sql.raw(columns)} from customers, generate_series(1, 2100) number
        where store_id = ${store} returning id`)
      await tx.rows(sql`
        insert into shopper_profiles (store_id, id, uuid, customer_id, created_at, updated_at)
        select store_id, id + number, gen_random_uuid()::text, customer_id + number, created_at, updated_at
        from shopper_profiles, generate_series(1, 2100) number where store_id = ${store} returning id`)
      await tx.rows(sql`
        insert into segment_members (store_id, segment_id, profile_id)
        select store_id, segment_id, profile_id + number from segment_members, generate_series(1, 2100) number
        where store_id = ${store} returning profile_id`)
      await tx.rows(sql`
        update counters set last_id = last_id + 2100, total = total + 2100
        where store_id = ${store} and resource in ('customers', 'shopper_profiles')`)
    })
    const total = async (path: string) => (await call('GET', `${path}?limit=1`)).body.meta.pagination.total
    expect(await total(membersOf(gold))).toBe(2_101)
    await call('DELETE', '/shopper-profiles')
    expect([await total('/shopper-profiles'), await total(membersOf(gold))]).toEqual([0, 0])
  })
})

describe('refused is', () => {
  beforeAll(open)
  const one = { name: 'A' }

  test.each<[string, string, unknown, number, object]>([
    ['POST', '/segments', one, 400, bad({ '': 'error.expected.jsarray' })],
    ['POST', '/segments', [], 400, bad({ '': some })],
    ['POST', '/segments', Array(51).fill(one), 413, problem(413, some)],
    ['POST', '/segments', [one, {}], 400, bad({ '1.name': 'error.path.missing' })],
    ['POST', '/segments', [{ name: ' ' }], 400, bad({ '0.name': some })],
    ['POST', '/segments', [{ name: 'a'.repeat(256) }], 400, bad({ '0.name': some })],
    ['POST', '/segments', [{ ...one, description: 'a'.repeat(1_001) }], 400, bad({ '0.description': some })],
    ['PUT', '/segments', [one], 400, bad({ '0.id': 'error.path.missing' })],
    ['PUT', '/segments', [{ id: 'x' }], 400, bad({ '0.id': some })],
    [
      'PUT',
      '/segments',
      [{ id: NOBODY, name: 'B' }, { id: NOBODY }],
      400,
      bad({ '0.id': `The segment ${NOBODY} does not exist.`, '1.id': some }),
    ],
    ['PUT', '/segments', Array(51).fill({ id: NOBODY }), 413, problem(413, some)],
    ['DELETE', `/segments?ids=${NOBODY}`, undefined, 422, problem(422, some)],
    ['DELETE', '/segments?id:in=', undefined, 422, problem(422, some)],
    ['DELETE', '/segments?id:in=7', undefined, 422, problem(422, some)],
    ['GET', '/segments?name=A', undefined, 422, problem(422, some)],
    ['GET', '/segments?limit=251', undefined, 413, problem(413, some)],
    [
      'GET',
      `/segments/${NOBODY}/shopper-profiles`,
      undefined,
      404,
      problem(404, `The segment ${NOBODY} does not exist.`),
    ],
    ['GET', '/segments/7/shopper-profiles', undefined, 404, problem(404, some)],
    ['POST', `/segments/${NOBODY}/shopper-profiles`, [NOBODY], 404, problem(404, some)],
    ['DELETE', `/segments/${NOBODY}/shopper-profiles`, undefined, 404, problem(404, some)],
    ['GET', `/shopper-profiles/${NOBODY}/segments`, undefined, 404, problem(404, some)],
    ['GET', '/shopper-profiles?customer_id=1', undefined, 422, problem(422, some)],
    ['POST', '/shopper-profiles', [{}], 400, bad({ '0.customer_id': 'error.path.missing' })],
    [
      'POST',
      '/shopper-profiles',
      [{ customer_id: 99 }],
      400,
      bad({ '0.customer_id': 'The customer 99 does not exist.' }),
    ],
    ['POST', '/shopper-profiles', Array(51).fill({ customer_id: 1 }), 413, problem(413, some)],
    ['DELETE', '/shopper-profiles?customer_id=1', undefined, 422, problem(422, some)],
  ])('%s %s %j: %i', async (...[method, path, body, status, expected]) => {
    expect(await call(method, path, body)).toMatchObject({ status, body: expected })
  })

  test('a DELETE of 251 ids, 51 profiles at once, and profiles that are not there', async () => {
    const ids = Array.from({ length: 251 }, (_, i) => NOBODY.replace(/0{4}$/, String(1_000 + i)))
    const gold = await segment('Gold')
    for (const path of ['/segments', '/shopper-profiles', membersOf(gold)]) {
      expect((await call('DELETE', `${path}?id:in=${ids}`)).status, path).toBe(413)
      expect((await call('DELETE', `${path}?id:in=${ids.slice(1)}`)).status, path).toBe(204)
    }
    expect((await call('POST', membersOf(gold), ids.slice(200))).status).toBe(413)
    expect((await call('POST', membersOf(gold), ids.slice(201))).body.errors).toMatchObject({ 0: some, 49: some })
    expect((await call('POST', membersOf(gold), [NOBODY])).status).toBe(422)
    const limits = [{ name: 'a'.repeat(255), description: 'b'.repeat(1_000) }]
    expect((await call('POST', '/segments', limits)).status).toBe(201)
    expect(
      (
        await call(
          'POST',
          '/segments',
          Array.from({ length: 50 }, (_, i) => ({ name: `${i}` })),
        )
      ).status,
    ).toBe(201)
  })
})
