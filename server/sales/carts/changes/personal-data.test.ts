import { expect, test } from 'vitest'
import { ann, checkoutOf, createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { eraseCarts, exportCarts } from './personal-data.ts'

// docs/operations.md, "A customer's data".

test('carts of a customer, and of guests with the address, are exported and erased; carts of others stay', async () => {
  const shop = await openWithShipping()
  const person = (email: string) => ({ email, first_name: 'Ann', last_name: 'Lee' })
  await shop.call('POST', '/customers', [person('ANN@example.com'), person('bo@example.com')])
  const cartOf = async (customer_id: number, email?: string) => {
    const id = await createCart(shop, { 1: 1 }, { customer_id })
    if (email) expect((await checkoutOf(shop, id).call('POST', '/billing-address', { ...ann, email })).status).toBe(200)
    return id
  }
  const own = await cartOf(1, 'work@example.com')
  const guest = await cartOf(0, 'ann@example.com')
  const others = [await cartOf(2, 'ann@example.com'), await cartOf(0, 'cy@example.com'), await cartOf(0)]
  const metafield = { namespace: 'gift', key: 'note', value: 'For Ann', permission_set: 'read' }
  expect((await shop.call('POST', `/carts/${own}/metafields`, metafield)).status).toBe(200)
  const db = await dbOf(shop)
  const customer = { id: 1, email: 'ANN@example.com' }
  const exported = await exportCarts(db, customer)
  expect(exported).toHaveLength(2)
  expect(exported).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: own, customer_id: 1, metafields: [expect.objectContaining(metafield)] }),
      expect.objectContaining({ id: guest, customer_id: 0, email: 'ann@example.com', metafields: [] }),
    ]),
  )
  expect(JSON.stringify(exported)).not.toMatch(/store_id|"token"|_key"/)

  expect(await eraseCarts(db, customer)).toBe(2)
  expect((await rowsOf(shop, 'carts')).map(({ id }) => id)).toEqual([...others].sort())
  const deleted = (await rowsOf(shop, 'events')).filter(({ scope }) => scope === 'store/cart/deleted')
  expect(deleted).toHaveLength(2)
  expect(await exportCarts(db, customer)).toEqual([])
  expect(await eraseCarts(db, customer)).toBe(0)
})
