import { expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { openTable } from '../../../test/citus/cluster.ts'
import { sized } from '../../../test/document/sized.ts'
import { type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'
import { asAdministrator } from '../../../test/harness/administrator.ts'

// Checks of the reliability list that concern single writes of carts.

const HOUR = 3_600_000

test('C-073: a cart and a checkout ignore fields that only the server sets', async () => {
  const shop = await openWithShipping()
  const forged = {
    id: '00000000-0000-4000-8000-000000000001',
    store_id: 1,
    created_time: '2001-01-01T00:00:00Z',
    updated_time: '2001-01-01T00:00:00Z',
    cart_amount: 0.01,
    base_amount: 0.01,
    discount_amount: 99,
    order_id: '7',
    grand_total: 0.01,
    tax_total: 0,
    is_tax_included: true,
  }
  const line = { product_id: 1, quantity: 2, id: forged.id, sale_price: 0.01, extended_sale_price: 0.01 }
  const created = await shop.call('POST', '/carts', { ...forged, line_items: [line] })
  expect(created.status).toBe(201)
  const { id, cart_amount, base_amount, version, created_time, line_items } = created.body.data
  expect(id).not.toBe(forged.id)
  expect([cart_amount, base_amount, version]).toEqual([25, 25, 1])
  expect(created_time).not.toMatch(/^2001/)
  const [item] = line_items.physical_items
  expect(item).toMatchObject({ name: 'Lamp', sale_price: 12.5, extended_sale_price: 25 })
  expect(item.id).not.toBe(forged.id)

  const checkout = checkoutOf(shop, id)
  const billed = await checkout.call('POST', '/billing-address', { ...ann, ...forged })
  expect([billed.status, billed.body.data.grand_total, billed.body.data.order_id]).toEqual([200, 25, null])
  const address = { ...ann, id: 'forged' }
  const consignment = { ...forged, address, line_items: [{ item_id: item.id, quantity: 2 }], shipping_cost_inc_tax: 0 }
  const shipped = await checkout.call('POST', '/consignments', [consignment])
  expect(shipped.status, shipped.text).toBe(200)
  expect(shipped.body.data.consignments[0].id).not.toBe(forged.id)
  expect(await rowsOf(shop, 'carts')).toMatchObject([{ id, store_id: shop.store.id }])
})

test('C-024: checkouts with the same products in opposite order become orders at once', async () => {
  const shop = await openWithShipping()
  const stock = [1, 2].map((id) => ({ id, inventory_level: 1_000, inventory_tracking: 'product' }))
  expect((await shop.call('PUT', '/catalog/products', stock)).status).toBe(200)
  const rounds = sized(50, 4)
  for (let round = 0; round < rounds; round++) {
    const ready = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        const line_items = (i % 2 === 0 ? [1, 2] : [2, 1]).map((product_id) => ({ product_id, quantity: 1 }))
        const { body } = await shop.call('POST', '/carts', { line_items })
        const checkout = checkoutOf(shop, body.data.id)
        await checkout.call('POST', '/billing-address', ann)
        const shipped = Object.values(await checkout.lines()).map((item_id) => ({ item_id, quantity: 1 }))
        const { body: made } = await checkout.call('POST', '/consignments', [{ address: ann, line_items: shipped }])
        const custom_shipping = { price: 1, description: 'Van' }
        await checkout.call('PUT', `/consignments/${made.data.consignments[0].id}`, { custom_shipping })
        return checkout
      }),
    )
    const orders = await Promise.all(ready.map(({ call }) => call('POST', '/orders')))
    expect(orders.map(({ status }) => status)).toEqual(ready.map(() => 200))
    const paid = await Promise.all(
      orders.map(({ body }) => shop.call('PUT', `/orders/${body.data.id}`, { status_id: 11 }, { version: 'v2' })),
    )
    expect(paid.map(({ status }) => status)).toEqual(ready.map(() => 200))
  }
  const { body } = await shop.call('GET', '/catalog/products')
  const levels = body.data.slice(0, 2).map(({ inventory_level }: { inventory_level: number }) => inventory_level)
  expect(levels).toEqual([1_000 - 6 * rounds, 1_000 - 6 * rounds])
})

test('C-111: a clock that jumps an hour forth and two back loses no write of a cart', async () => {
  const { clock } = await theHouse()
  const shop = await openWithShipping()
  const id = await createCart(shop, { 1: 1 })
  const read = async () => (await shop.call('GET', `/carts/${id}`)).body.data
  const add = () => shop.call('POST', `/carts/${id}/items`, { line_items: [{ product_id: 2, quantity: 1 }] })
  for (const step of [HOUR, -2 * HOUR, HOUR]) {
    clock.move(step)
    const { version } = await read()
    expect((await add()).status).toBe(201)
    expect((await read()).version).toBe(version + 1)
  }
  expect((await read()).line_items.physical_items).toMatchObject([{ quantity: 1 }, { quantity: 3 }])
})

/** Refuses every fifth commit that stores a cart of a shop, with a serialization failure. @returns a function that ends that */
async function failCommits({ store }: Shop) {
  const schema = `faults_${store.id}`
  const table = await asAdministrator(store, async (client) => {
    const name = await openTable(client, store.id, 'carts')
    await client.query(`
      create schema ${schema};
      create sequence ${schema}.commits;
      create function ${schema}.refuse_fifth() returns trigger language plpgsql security definer as $$
        begin
          if nextval('${schema}.commits') % 5 = 0 then
            raise exception 'Injected.' using errcode = 'serialization_failure';
          end if;
          return null;
        end $$;
      grant usage on schema ${schema} to public;
      create constraint trigger refuse_fifth after insert or update on ${name} deferrable initially deferred
        for each row when (new.store_id = ${store.id}) execute function ${schema}.refuse_fifth();`)
    return name
  })
  return async () =>
    asAdministrator(store, async (client) => {
      const { rows } = await client.query(`select last_value::int as commits from ${schema}.commits`)
      await openTable(client, store.id, 'carts')
      await client.query(`drop trigger refuse_fifth on ${table}; drop schema ${schema} cascade`)
      return rows[0].commits
    })
}

test('C-025: every fifth commit fails, and each write of a cart has one effect, one version and its events once', async () => {
  const shop = await openWithShipping()
  const end = await failCommits(shop)
  const writes = sized(1_000, 40)
  const id = await createCart(shop, { 1: 1 })
  for (let i = 0; i < writes; i++) {
    const { status, text, body } = await shop.call('POST', `/carts/${id}/items`, {
      line_items: [{ product_id: 2, quantity: 1 }],
    })
    expect(status, text).toBe(201)
    expect(body.data.version).toBe(i + 2)
  }
  const commits = await end()
  expect(commits).toBeGreaterThanOrEqual(writes + Math.floor(writes / 5))
  const { body } = await shop.call('GET', `/carts/${id}`)
  expect(body.data.line_items.physical_items).toMatchObject([{ quantity: 1 }, { quantity: writes }])
  const events = (await rowsOf(shop, 'events')).filter(({ scope }) => scope === 'store/cart/updated')
  // The creation of a cart publishes it too.
  expect(events).toHaveLength(writes + 1)
})
