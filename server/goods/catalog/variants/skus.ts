import { prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { Problem } from '../../../core/rest/problem.ts'

/**
 * The SKU of a product or variant. It is unique in the store among products and variants together (docs/contract/catalog.md
 * section 5).
 */
export interface SkuReservation {
  sku: string
  product_id: number
  /** 0 for the SKU of the product itself, which is also that of its base variant. */
  variant_id: number
  /** The path of the SKU in the request. */
  path: string
}

/** The unique rule of SKUs. */
export const SKU_RULE = 'skus_unique'

// A transaction first locks the existing SKUs that it gives up or wants, in the order of their keys, and then inserts new
// ones in the same order. So two requests never wait for each other in a circle, even if they exchange SKUs.

/** A `with` query that locks SKUs in the order of their keys. */
const lockedInOrder = ({ store }: Tx, which: Sql) => sql`
  held as materialized (select from skus where store_id = ${store.id} and ${which} order by sku_key for update)`

/** Always true. Reading it runs the `with` query before any row is changed. */
const AFTER_LOCKS = sql`(select count(*) from held) >= 0`

/**
 * Reserves SKUs, all or none. An empty SKU needs no reservation.
 * @param taken a taken SKU is refused, or makes the statement fail
 * @throws Problem 409 for taken SKUs, with their paths
 */
export async function reserveSkus(
  tx: Tx,
  wishes: readonly SkuReservation[],
  taken: 'is refused' | 'fails' = 'is refused',
) {
  const keyed = wishes
    .map((wish) => ({ ...wish, key: fold(wish.sku) }))
    .filter(({ key }) => key !== '')
    .sort((one, other) => Number(one.key > other.key) - Number(one.key < other.key))
  if (keyed.length === 0) return
  const keys = keyed.map(({ key }) => key)
  const reserved = await tx.rows<{ product_id: number; variant_id: number }>(
    prepared(sql`
    with ${lockedInOrder(tx, sql`sku_key = any(${keys})`)}
    insert into skus (store_id, sku_key, product_id, variant_id)
    select ${tx.store.id}, key, product_id, variant_id
    from ${sql.table('wanted', keyed, { key: 'text', product_id: 'int', variant_id: 'int' })}
    where ${AFTER_LOCKS}
    ${taken === 'fails' ? sql.empty : sql`on conflict do nothing`} returning product_id, variant_id`),
  )
  const done = new Set(reserved.map(({ product_id, variant_id }) => `${product_id} ${variant_id}`))
  const refused = keyed.filter(({ product_id, variant_id }) => !done.has(`${product_id} ${variant_id}`))
  if (refused.length === 0) return
  throw new Problem(
    409,
    'A product or variant with this SKU already exists.',
    Object.fromEntries(refused.map(({ path, sku }) => [path, `The SKU ${sku} is already in use.`])),
  )
}

/** A new SKU for a product or variant. */
export interface SkuChange extends SkuReservation {
  before: string
}

/** Replaces SKUs, all or none. Two items may exchange theirs. @throws Problem 409 for taken SKUs */
export async function changeSkus(tx: Tx, changes: readonly SkuChange[]) {
  const others = changes.filter(({ before, sku }) => fold(before) !== fold(sku))
  if (others.length === 0) return
  const keys = others.flatMap(({ before, sku }) => [fold(before), fold(sku)])
  await tx.rows(sql`
    with ${lockedInOrder(tx, sql`sku_key = any(${keys})`)}
    delete from skus using ${sql.table('owner', others, { product_id: 'int', variant_id: 'int' })}
    where ${AFTER_LOCKS}
      and skus.store_id = ${tx.store.id} and skus.product_id = owner.product_id and skus.variant_id = owner.variant_id`)
  await reserveSkus(tx, others)
}

/** Deletes the SKUs of variants; 0 stands for the product itself. */
export const releaseSkus = (tx: Tx, product_id: number, variantIds: readonly number[]) =>
  release(tx, sql`product_id = ${product_id} and variant_id = any(${variantIds})`)

/** Deletes all SKUs of products and their variants. */
export const releaseSkusOf = (tx: Tx, productIds: readonly number[]) =>
  release(tx, sql`product_id = any(${productIds})`)

const release = (tx: Tx, which: Sql) =>
  tx.rows(sql`
    with ${lockedInOrder(tx, which)} delete from skus where ${AFTER_LOCKS} and store_id = ${tx.store.id} and ${which}`)
