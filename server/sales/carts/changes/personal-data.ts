import type { Db } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { exportedRows } from '../../../customers/privacy/personal-data.ts'
import { metafieldsOf } from '../../../shared/metafields/metafields.ts'
import { cartMetafields } from '../metafields.ts'
import { type Cart, deleteCart } from '../row/cart.ts'
import { publishCart } from './events.ts'

// Personal data in carts for the operator's commands (docs/operations.md, "A customer's data").

interface Person {
  id: number
  email: string
}

/** The carts of a customer, and those of guests with the same e-mail address. A cart of a deleted customer is that of a guest. */
const ofPerson = (db: Db, { id, email }: Person): Sql => sql`
  (customer_id = ${id} or email_key = ${fold(email)} and email_key <> '' and not exists (
    select 1 from customers where store_id = ${db.store.id} and id = carts.customer_id
  ))`

/** Exports the carts of a person with their metafields. The token that restores an idle cart is left out. */
export async function exportCarts(db: Db, person: Person): Promise<object[]> {
  const exported: object[] = []
  for (const { token: _, ...cart } of await exportedRows(db, 'carts', ofPerson(db, person))) {
    exported.push({ ...cart, metafields: await metafieldsOf(db, cartMetafields, String(cart.id)) })
  }
  return exported
}

const CARTS_AT_ONCE = 100

/**
 * Deletes the carts of a person and publishes that. Call it before the customer is deleted, so that it can be repeated after an
 * interruption.
 * @returns the number of deleted carts
 */
export async function eraseCarts(db: Db, person: Person): Promise<number> {
  let erased = 0
  for (let piece = CARTS_AT_ONCE; piece === CARTS_AT_ONCE; erased += piece) {
    piece = await db.transaction(async (tx) => {
      const carts = await tx.rows<Pick<Cart, 'id' | 'channel_id'>>(sql`
        select id, channel_id from carts where store_id = ${tx.store.id} and ${ofPerson(tx, person)}
        order by id limit ${CARTS_AT_ONCE} for update`)
      for (const cart of carts) {
        await deleteCart(tx, cart)
        publishCart(tx, cart, 'deleted')
      }
      return carts.length
    })
  }
  return erased
}
