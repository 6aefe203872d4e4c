import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTable } from '../../test/citus/cluster.ts'
import { form, openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { asAdministrator } from '../../test/harness/administrator.ts'

// If a connection is lost during the commit, the row may or may not be stored. The file must stay until this is known
// (docs/contract/catalog.md section 1, Image endpoint).

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let shop: Shop

beforeEach(async () => {
  shop = await openShop()
  await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
  await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 1, price: 9 })
  // The database ends the connection during the commit of the row, and not earlier.
  await asAdministrator(shop.store, async (client) => {
    const files = await openTable(client, shop.store.id, 'files')
    await client.query(`
    create function lose_connection() returns trigger language plpgsql as
      'begin perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null; end';
    create constraint trigger lost after insert on ${files} deferrable initially deferred for each row
      when (new.store_id = ${shop.store.id}) execute function lose_connection()`)
  })
})

afterEach(() =>
  asAdministrator(shop.store, async (client) => {
    const files = await openTable(client, shop.store.id, 'files')
    await client.query(`drop trigger lost on ${files}; drop function lose_connection()`)
  }),
)

const stored = async () => readdir(join((await theHouse()).files.folder, shop.store.hash))

test.each(['/catalog/brands/1/image', '/catalog/products/1/images'])(
  'a file stays if its row may be stored: POST %s',
  async (path) => {
    const { payload, headers } = form('image_file', 'dot.png', png)
    expect((await shop.call('POST', path, undefined, { payload, headers })).status).toBe(503)
    expect(await stored()).toHaveLength(1)
  },
)

test('the file of a refused request is deleted', async () => {
  const { payload, headers } = form('image_file', 'dot.png', png)
  expect((await shop.call('POST', '/catalog/brands/2/image', undefined, { payload, headers })).status).toBe(404)
  expect(await stored()).toEqual([])
})
