import { prepared, type Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { fold } from '../core/rest/fold.ts'
import { Problem } from '../core/rest/problem.ts'

/** A SKU that a product or a variant is to have. Products and variants share one namespace per store. */
export interface SkuWish {
  sku: string
  product_id: number
  /** 0 for that of the product itself, which its base variant has too. */
  variant_id: number
  /** Where the request says so. */
  path: string
}

/** Reserves them, all or none; no SKU needs none. @throws Problem 409 for those that are taken, each at its path */
export async function reserveSkus(tx: Tx, wishes: readonly SkuWish[]) {
  // In one order, so that two requests never wait for each other.
  const keyed = wishes
    .map((wish) => ({ ...wish, key: fold(wish.sku) }))
    .filter(({ key }) => key !== '')
    .sort((one, other) => Number(one.key > other.key) - Number(one.key < other.key))
  if (keyed.length === 0) return
  const reserved = await tx.rows<{ product_id: number; variant_id: number }>(
    prepared(sql`
    insert into skus (store_id, sku_key, product_id, variant_id)
    select ${tx.store.id}, key, product_id, variant_id
    from unnest(
      ${keyed.map(({ key }) => key)}::text[],
      ${keyed.map(({ product_id }) => product_id)}::int[],
      ${keyed.map(({ variant_id }) => variant_id)}::int[]
    ) as wish (key, product_id, variant_id)
    on conflict do nothing returning product_id, variant_id`),
  )
  const done = new Set(reserved.map(({ product_id, variant_id }) => `${product_id} ${variant_id}`))
  const taken = keyed.filter(({ product_id, variant_id }) => !done.has(`${product_id} ${variant_id}`))
  if (taken.length === 0) return
  throw new Problem(
    409,
    'A product or variant with this SKU already exists.',
    Object.fromEntries(taken.map(({ path, sku }) => [path, `The SKU ${sku} is already in use.`])),
  )
}

/** Another SKU for what has one, or none, already. */
export interface SkuChange extends SkuWish {
  before: string
}

/** Gives SKUs up for others, all or none: two may take each other's. @throws Problem 409 for those that are taken */
export async function changeSkus(tx: Tx, changes: readonly SkuChange[]) {
  const others = changes.filter(({ before, sku }) => fold(before) !== fold(sku))
  if (others.length === 0) return
  await tx.rows(sql`
    delete from skus using unnest(
      ${others.map(({ product_id }) => product_id)}::int[], ${others.map(({ variant_id }) => variant_id)}::int[]
    ) as given (product_id, variant_id)
    where skus.store_id = ${tx.store.id} and skus.product_id = given.product_id and skus.variant_id = given.variant_id`)
  await reserveSkus(tx, others)
}

/** Gives up the SKUs of variants, or with 0 that of the product itself. */
export async function releaseSkus(tx: Tx, product_id: number, variantIds: readonly number[]) {
  await tx.rows(sql`
    delete from skus
    where store_id = ${tx.store.id} and product_id = ${product_id} and variant_id = any(${variantIds})`)
}

/** Gives up every SKU of these products and their variants. */
export async function releaseSkusOf(tx: Tx, productIds: readonly number[]) {
  await tx.rows(sql`delete from skus where store_id = ${tx.store.id} and product_id = any(${productIds})`)
}
