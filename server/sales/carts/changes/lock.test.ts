import { expect, test } from 'vitest'
import type { Tx } from '../../../core/db/database.ts'
import { createCart } from '../../../test/carts/checkouts.ts'
import { openShop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { lockCart } from '../row/cart.ts'

/** A transaction that waits a shorter time for locks than it is asked to, and records what it is asked. */
function impatient(tx: Tx, asked: Readonly<Record<string, string>>[]): Tx {
  return new Proxy(tx, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (name === 'setLocal') {
        return (settings: Readonly<Record<string, string>>) => {
          asked.push(settings)
          target.setLocal(
            'lock_timeout' in settings && settings.lock_timeout !== '0' ? { lock_timeout: '20ms' } : settings,
          )
        }
      }
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

test('C-137: a change that waits 10 s for another one of its cart is a 423', async () => {
  const shop = await openShop()
  const id = await createCart(shop, {}, { custom_items: [{ name: 'Engraving', quantity: 1, list_price: 3 }] })
  const db = await dbOf(shop)
  const asked: Readonly<Record<string, string>>[] = []
  await db.transaction(async (holder) => {
    await lockCart(holder, id)
    const waiting = db.transaction((tx) => lockCart(impatient(tx, asked), id))
    await expect(waiting).rejects.toMatchObject({ status: 423, message: 'Another change of this cart takes too long.' })
  })
  expect(asked).toEqual([{ lock_timeout: '10s', statement_timeout: '11s' }])
  expect((await db.transaction((tx) => lockCart(impatient(tx, asked), id))).cart.version).toBe(1)
  expect(asked.slice(1)).toEqual([
    { lock_timeout: '10s', statement_timeout: '11s' },
    { lock_timeout: '0', statement_timeout: '5s' },
  ])
})
