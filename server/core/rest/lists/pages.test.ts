import fc from 'fast-check'
import t from 'typebox'
import { describe, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import type { Db } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { Id } from '../input/fields.ts'
import { collection, type ListQuery } from './collection.ts'
import { findPage } from './pages.ts'

// Brands as the pages see them: two fields are enough.
const brands = collection('brands', t.Object({ id: Id, name: t.String() }), {
  noun: 'brand',
  filters: 'name',
  sort: ['name'],
  counted: true,
})

async function dbOf({ store }: Shop): Promise<Db> {
  const { directory } = (await theHouse()).installation
  return directory.cellOf(store).api.of({ ...store, limits: {} })
}

const read = async (db: Db, query: ListQuery) => JSON.parse((await findPage(db, brands, query)).body.bytes.toString())

const readIds = async (db: Db, query: ListQuery) => (await read(db, query)).data.map(({ id }: { id: number }) => id)

/** The same page by an independent count from the first row. */
async function counted(db: Db, { page, limit, sort = 'id', direction = 'asc' }: ListQuery) {
  const by = sql.raw(`${sort === 'name' ? 'name_key' : 'id'} ${direction}, id`)
  const rows = await db.rows<{ id: number }>(sql`
    select id from brands where store_id = ${db.store.id} order by ${by} limit ${limit} offset ${(page - 1) * limit}`)
  return rows.map(({ id }) => id)
}

describe('a page of a long list', () => {
  test('is the same with a remembered position and with a counted one, after any inserts and deletes', async () => {
    const deed = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          page: fc.integer({ min: 1, max: 8 }),
          limit: fc.constantFrom(1, 2, 3),
          direction: fc.constantFrom(undefined, 'asc' as const, 'desc' as const),
          sort: fc.constantFrom(undefined, undefined, 'name'),
        }),
      },
      { weight: 1, arbitrary: fc.constant('create' as const) },
      { weight: 1, arbitrary: fc.record({ remove: fc.nat() }) },
    )
    let named = 0
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 40 }), async (deeds) => {
        const shop = await openShop()
        const db = await dbOf(shop)
        const create = () => shop.call('POST', '/catalog/brands', { name: `Brand ${named++ % 7} ${named}` })
        for (let i = 0; i < 12; i++) await create()
        for (const deed of deeds) {
          if (deed === 'create') await create()
          else if ('remove' in deed) {
            const rows = await db.rows<{ id: number }>(sql`select id from brands where store_id = ${db.store.id}`)
            const victim = rows[deed.remove % rows.length]
            if (victim) await shop.call('DELETE', `/catalog/brands/${victim.id}`)
          } else {
            const { sort, direction, ...piece } = deed
            const query = { ...piece, ...(sort ? { sort } : {}), ...(direction ? { direction } : {}) }
            expect(await readIds(db, query)).toEqual(await counted(db, query))
          }
        }
      }),
      { numRuns: 15 },
    )
  })

  test('is read from its position while the counter has the same version, and counted after a change', async () => {
    const shop = await openShop()
    const db = await dbOf(shop)
    for (let i = 0; i < 7; i++) await shop.call('POST', '/catalog/brands', { name: `Brand ${i}` })
    const query = { page: 2, limit: 2 }
    await read(db, query)

    // Nobody else writes positions: a wrong one shows whether it is used.
    const { version } = await db.row<{ version: number }>(
      sql`select version from counters where store_id = ${db.store.id} and resource = 'brands'`,
    )
    const key = `${db.store.id} brands undefined 2 2`
    expect(db.places?.find(key)).toEqual({ after: 2, version })
    db.places?.keep(key, { after: 4, version })
    expect(await readIds(db, query)).toEqual([5, 6])

    await shop.call('POST', '/catalog/brands', { name: 'Brand 7' })
    expect(await readIds(db, query)).toEqual([3, 4])
  })

  test('of a filtered list or of one in another order has no position', async () => {
    const shop = await openShop()
    const db = await dbOf(shop)
    for (let i = 0; i < 4; i++) await shop.call('POST', '/catalog/brands', { name: `Brand ${i}` })
    await read(db, { page: 2, limit: 2, name: 'Brand 1' })
    await read(db, { page: 2, limit: 2, sort: 'name' })
    expect(db.places?.find(`${db.store.id} brands undefined 2 2`)).toBe(undefined)
  })
})

describe('the order of a list', () => {
  test.each(['store_id', 'name_key', 'name"; drop table brands; --', 'name desc, id', '__proto__', ''])(
    'is never by %j, which is no column, even if a schema lets it through',
    async (name) => {
      const shape = t.Object({ id: Id, name: t.String() })
      const careless = collection('brands', shape, {
        noun: 'brand',
        filters: 'name',
        sort: ['name', name],
        counted: true,
      })
      const db = await dbOf(await openShop())
      const sent: unknown[] = []
      const watched = { ...db, store: db.store, jsonRows: async (query: unknown) => sent.push(query) as never }
      for (const query of [{}, { page: 2 }, { name: 'Ferm' }]) {
        for (const sort of [name, `${name}:desc`]) {
          const asked = { page: 1, limit: 2, sort, ...query }
          await expect(findPage(watched, careless, asked)).rejects.toThrow('which is no column')
        }
      }
      expect(sent).toEqual([])
    },
  )
})

describe('a row as JSON text', () => {
  test('equals the row as an object, for every type of wire columns', async () => {
    const db = await dbOf(await openShop())
    const value = fc.record({
      small: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      large: fc.maxSafeInteger(),
      amount: fc.integer({ min: -1e9, max: 1e9 }).map((n) => (n / 10_000).toFixed(4)),
      truth: fc.boolean(),
      words: fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
      moment: fc
        .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
        .map((date) => new Date(Math.floor(date.getTime() / 1_000) * 1_000)),
      document: fc
        .jsonValue({ noUnicodeString: false })
        .map((value) => JSON.stringify(value))
        .filter((text) => !text.includes('\\u')),
    })
    await fc.assert(
      fc.asyncProperty(value, async ({ small, large, amount, truth, words, moment, document }) => {
        const row = sql`
          -- of a test
          select ${small}::int as small, ${large}::bigint as large, ${amount}::numeric(15, 4) as amount,
            ${truth}::boolean as truth, ${words}::text as words, ${moment.toISOString()}::timestamptz(0) as moment,
            ${document}::jsonb as document, null::text as nothing`
        const object = await db.row<object>(row)
        const thrice = () => db.jsonRows(sql`${row} from generate_series(1, 3)`, Object.keys(object))
        expect(JSON.parse(`[${(await thrice()).take()}]`)).toEqual([object, object, object])
        expect((await thrice()).takeTexts().map((text) => JSON.parse(text))).toEqual([object, object, object])
        const { before } = await db.jsonRows(
          sql`-- of a test
          select ${small}::int, ${large}::bigint, null::int, 1 as one`,
          ['one'],
        )
        expect(before).toEqual([[small, large, null]])
      }),
    )
  })
})
