import t, { type Static } from 'typebox'
import { type Db, prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { AMOUNT_MAX, Amount } from '../../core/rest/input/amounts.ts'
import { Id, NeededText } from '../../core/rest/input/fields.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import { findWhere, insert, remove } from '../../core/rest/lists/verbs.ts'

const NAME_LENGTH_MAX = 100
const WRAPPINGS_MAX = 100

/**
 * A gift wrapping that a store offers for units of a cart. The operator sets it by `storeward wrapping`; no route of the API changes
 * one. A cart keeps the name and the price that a wrapping had when it was chosen.
 */
const StoreWrapping = t.Object({ id: Id, name: NeededText(NAME_LENGTH_MAX), price: Amount(), is_visible: t.Boolean() })
export type StoreWrapping = Static<typeof StoreWrapping>

const wrappings = collection('wrappings', StoreWrapping, { noun: 'wrapping', filters: '', max: WRAPPINGS_MAX })

/** Wrappings by their ids; unknown ones are missing. */
export async function findWrappings(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, StoreWrapping>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<StoreWrapping>(
    prepared(
      sql`select id, name, price, is_visible from wrappings where store_id = ${db.store.id} and id = ${sql.anyOf(ids)}`,
    ),
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** The wrappings of a store, in the order of their ids. */
export const listWrappings = (db: Db): Promise<StoreWrapping[]> => findWhere(db, wrappings, sql`true`)

const PRICE = /^\d{1,11}(?:\.\d{1,4})?$/

/** A wrapping as an operator describes it. The price is a decimal text: for one unit, in the default currency of the store. */
export interface WrappingWish {
  name: string
  price: string
  isVisible: boolean
}

/**
 * Stores a new wrapping. Ids are not used twice, so that the id in a cart never is that of another wrapping.
 * @throws Error with a sentence for the operator; Problem 403 at the maximum of a store
 */
export async function addWrapping(db: Db, { name, price, isVisible }: WrappingWish): Promise<StoreWrapping> {
  const trimmed = name.trim()
  if (trimmed === '' || trimmed.length > NAME_LENGTH_MAX) {
    throw new Error(`The name of a wrapping has 1 to ${NAME_LENGTH_MAX} characters.`)
  }
  if (!PRICE.test(price)) {
    throw new Error(`A price is a number from 0 to ${AMOUNT_MAX} with at most four places, not "${price}".`)
  }
  return db.transaction((tx) => insert(tx, wrappings, { name: trimmed, price: Number(price), is_visible: isVisible }))
}

/** Carts whose lines have the wrapping keep it. @returns whether the store had it */
export const removeWrapping = (db: Db, id: number): Promise<boolean> =>
  db.transaction((tx) => remove(tx, wrappings, id))
