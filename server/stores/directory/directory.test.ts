import { expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { openShop, theHouse } from '../../test/fixtures/shop.ts'
import { STORE_STATES } from './directory.ts'

const { directory } = (await theHouse()).installation

test('a new store is open, has a number, and a hash of ten letters and digits that begins with a letter', async () => {
  const store = await directory.create({ name: 'Corner shop' })
  expect(store).toEqual({
    id: expect.any(Number),
    hash: expect.stringMatching(/^[a-z][a-z0-9]{9}$/),
    state: 'active',
    cell: expect.any(String),
    is_test: false,
    name: 'Corner shop',
    plan: 'standard',
    limits: {},
  })
  expect(await directory.find(store.hash)).toEqual({
    id: store.id,
    hash: store.hash,
    state: 'active',
    cell: store.cell,
    is_test: false,
  })
  expect((await directory.list()).find(({ hash }) => hash === store.hash)).toEqual(store)
})

test('a new store has its first channel, and a complete store is not furnished again', async () => {
  const { hash, id } = await directory.create({ name: 'Corner shop' })
  const db = await directory.dbById(id)
  const found = () =>
    db?.rows(sql`select id, status, name, type, platform, date_modified from channels where store_id = ${id}`)
  const first = [expect.objectContaining({ id: 1, status: 'active', name: 'Storefront', platform: 'bigcommerce' })]
  expect(await found()).toEqual(first)
  await db?.transaction((tx) =>
    tx.rows(sql`update channels set name = 'Web' where store_id = ${id} and id = 1 returning id`),
  )
  await expect(directory.create({ name: 'Again', hash })).rejects.toThrow('is taken')
  expect(await found()).toMatchObject([{ name: 'Web' }])
})

test('numbers of stores rise and are unique, also if many stores are opened at the same time', async () => {
  const stores = await Promise.all(Array.from({ length: 8 }, (_, i) => directory.create({ name: `Store ${i}` })))
  expect(new Set(stores.map(({ id }) => id)).size).toBe(8)
  const next = await directory.create({ name: 'Next' })
  for (const { id } of stores) expect(id).toBeLessThan(next.id)
})

test('new stores are created in the cell with the fewest stores', async () => {
  for (const _ of directory.cells) await directory.create({ name: 'x' })
  const counts = new Map(directory.cells.map(({ name }) => [name, 0]))
  for (const { cell } of await directory.list()) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  const [fewest] = [...counts].sort(([, a], [, b]) => a - b)
  expect((await directory.create({ name: 'x' })).cell).toBe(fewest?.[0])
})

test('a directory that does not know the stores of its cells creates no store', async () => {
  const { cell } = await directory.create({ name: 'Known' })
  const { system } = directory.cellOf({ hash: '', cell })
  const number = 2_000_000_000
  await system.system(sql`insert into store_profiles ${sql.rows([{ store_id: number, name: 'x', plan: 'standard' }])}`)
  await expect(directory.create({ name: 'New' })).rejects.toThrow(
    `The cell ${cell} has a store with the number ${number}, which this directory has not assigned yet.`,
  )
  await system.system(sql`delete from store_profiles where store_id = ${number}`)
  await directory.create({ name: 'New' })
})

test.each(['abcde', 'abcdefghijklmnop', '12345', 'a1b2c'])('the hash %s can be chosen, once', async (hash) => {
  expect((await directory.create({ name: 'x', hash })).hash).toBe(hash)
  await expect(directory.create({ name: 'x', hash })).rejects.toThrow(`The store hash "${hash}" is taken.`)
})

test.each(['', 'abcd', 'abcdefghijklmnopq', 'ABCDE', 'ab-cd', 'äbcde', 'abcde\n', "x'; --"])(
  'the malformed hash %j is refused, and no store is looked up by it',
  async (hash) => {
    await expect(directory.create({ name: 'x', hash })).rejects.toThrow(
      'A store hash has 5 to 16 lower-case letters and digits.',
    )
    expect(await directory.find(hash)).toBeUndefined()
  },
)

test('the state of a store is stored, and a missing store has no state', async () => {
  const { hash } = await directory.create({ name: 'x' })
  for (const state of STORE_STATES) {
    expect(await directory.setState(hash, state)).toBe(true)
    expect((await directory.find(hash))?.state).toBe(state)
  }
  expect(await directory.setState('nosuchstore', 'active')).toBe(false)
})

test('a request beyond a plan limit is 507 with the limit, and other stores are not affected', async () => {
  const { call } = await openShop({ limits: { brands: 1 } })
  const { call: unlimited } = await openShop()
  for (const ask of [call, unlimited]) expect((await ask('POST', '/catalog/brands', { name: 'One' })).status).toBe(200)
  expect(await call('POST', '/catalog/brands', { name: 'Two' })).toMatchObject({
    status: 507,
    body: { status: 507, title: 'The plan of this store allows 1 brands.', errors: {} },
  })
  expect((await unlimited('POST', '/catalog/brands', { name: 'Two' })).status).toBe(200)
})
