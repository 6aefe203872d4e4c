import { type Db, prepared, StatementTimeout, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { newUuid } from '../../../core/secrets/row-ids.ts'
import { stampOf } from '../../../core/stamps/stamps.ts'
import { contactOf, type ShopperContact } from '../../../customers/row/shoppers.ts'
import { deleteMetafieldsOfUuids } from '../../../shared/metafields/metafields.ts'
import { hasLiveChannel } from '../../../shop/channels/channels.ts'
import { siteOf } from '../../../shop/channels/sites/shape.ts'
import type { TaxAddress } from '../../tax/calculation/shopper.ts'
import { type CartDocument, readDocument, writeDocument } from './document.ts'

// A cart is a shopper's list of things to buy, and the checkout is the same cart seen as a purchase: addresses, shipping, fees and
// totals. Both are views of one row with one id and one version. A back end, a storefront or a session creates it; each change of
// either view adds one to its version and begins its 30 days again. The row has a document with the input alone. Prices, promotions and
// taxes are calculated from it by every request, so that a read shows the cost of an order placed now, and changes nothing. A cart
// becomes idle an hour after its last change, and expires after 30 days without an event. It ends when it is deleted, when its last line
// is deleted, or when an order of it is paid.

/** A cart as it is stored. */
export interface Cart {
  id: string
  channel_id: number
  /** The code of an enabled currency that shoppers pay in. */
  currency_code: string
  /** 0 for guests, and for customers that were deleted. */
  customer_id: number
  email: string
  version: number
  created_at: string
  updated_at: string
  /** The newest order of the checkout; 0 for none. */
  order_id: number
  document: CartDocument
}

/** The customer of a cart, as far as carts need one. */
export interface CartCustomer {
  id: number
  email: string
  /** The first address of the customer. */
  address: TaxAddress | undefined
}

/** The site whose pages show the products of a cart; null if the store has none. */
type CartSite = { channel_id: number; url: string } | null

/** A cart that was read, with the stamps of the data that evaluate it. */
export interface FoundCart {
  cart: Cart
  customer: CartCustomer | undefined
  /** The site of the channel. */
  site: CartSite
  stamps: { tax: number; promotions: number }
}

/** A shopper at a storefront. Carts of other channels and of other customers don't exist for shoppers. */
export interface CartViewer {
  channel_id: number
  /** 0 for a guest. */
  customer_id: number
}

interface CartRow extends Omit<Cart, 'document' | 'created_at' | 'updated_at'> {
  created_at: string
  updated_at: string
  document: unknown
  customer: ShopperContact | null
  site: CartSite
  tax_stamp: number
  promotions_stamp: number
}

/** Days until a cart without a change expires. */
const CART_DAYS = 30
/** Minutes until a cart without a change is idle. */
const IDLE_MINUTES = 60

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (text: string): boolean => UUID.test(text)

/**
 * Reads a cart with one statement.
 * @param at carts that have expired by then count as deleted, as do those of ended channels
 * @param viewer undefined for the back end, which sees all carts
 * @throws Problem 404
 */
export async function findCart(db: Db, id: string, at: Date, viewer?: CartViewer): Promise<FoundCart> {
  const [row] = isUuid(id) ? await db.rows<CartRow>(prepared(selection(db, id, at, sql.empty))) : []
  return foundIn(row, id, viewer)
}

/** Finds the id of the cart that a customer changed last in a channel. */
export async function findNewestCart(db: Db, { channel_id, customer_id }: CartViewer, at: Date) {
  const [row] = await db.rows<{ id: string }>(
    prepared(sql`
    select id from carts
    where store_id = ${db.store.id} and customer_id = ${customer_id} and customer_id > 0 and channel_id = ${channel_id}
      and expires_at > ${at}
    order by updated_at desc, id limit 1`),
  )
  return row?.id
}

/**
 * Reads a cart and locks it until the transaction ends. It waits up to 10 s for another change of the cart.
 * @param version the version that the caller has read; undefined for any
 * @param viewer undefined for the back end, which sees all carts
 * @throws Problem 404, 409 if the cart has another version, 423 if another change takes too long
 */
export async function lockCart(tx: Tx, id: string, version?: number | null, viewer?: CartViewer): Promise<FoundCart> {
  if (!isUuid(id)) throw notFound('cart', id)
  // A statement may usually take five seconds.
  tx.setLocal({ lock_timeout: '10s', statement_timeout: '11s' })
  const [row] = await tx.rows<CartRow>(prepared(selection(tx, id, tx.now, sql`for update of cart`))).catch((error) => {
    if (error instanceof StatementTimeout) throw new Problem(423, 'Another change of this cart takes too long.')
    throw error
  })
  tx.setLocal({ lock_timeout: '0', statement_timeout: '5s' })
  const found = foundIn(row, id, viewer)
  if (version !== undefined && version !== null && version !== found.cart.version) {
    throw new Problem(409, `The cart was changed: its version is ${found.cart.version}, and not ${version}.`, {
      version: `The cart has the version ${found.cart.version}.`,
    })
  }
  return found
}

const selection = (db: Db, id: string, at: Date, locking: Sql): Sql => sql`
  select cart.id, cart.channel_id, cart.currency_code, cart.customer_id, cart.email, cart.version, cart.created_at, cart.updated_at,
    cart.order_id, cart.document, ${stampOf(db, 'tax')} as tax_stamp, ${stampOf(db, 'promotions')} as promotions_stamp, (
      ${contactOf(db, sql`cart.customer_id`)}
    ) as customer, (
      ${siteOf(db, sql`cart.channel_id`)}
    ) as site
  from carts cart
  where cart.store_id = ${db.store.id} and cart.id = ${id.toLowerCase()} and cart.expires_at > ${at}
    and ${hasLiveChannel(db, sql`cart.channel_id`)}
  ${locking}`

function foundIn(row: CartRow | undefined, id: string, viewer: CartViewer | undefined): FoundCart {
  if (!row || (viewer && !isVisible(row, viewer))) throw notFound('cart', id)
  const { customer, site, tax_stamp, promotions_stamp, document, ...columns } = row
  return {
    cart: {
      ...columns,
      customer_id: customer ? columns.customer_id : 0,
      created_at: toSeconds(new Date(columns.created_at)),
      updated_at: toSeconds(new Date(columns.updated_at)),
      document: readDocument(document),
    },
    customer: customer ? toCustomer(columns.customer_id, customer) : undefined,
    site,
    stamps: { tax: tax_stamp, promotions: promotions_stamp },
  }
}

const isVisible = ({ channel_id, customer_id, customer }: CartRow, viewer: CartViewer): boolean =>
  channel_id === viewer.channel_id && (customer === null || customer_id === viewer.customer_id)

const toCustomer = (id: number, { email, address }: ShopperContact): CartCustomer => ({
  id,
  email,
  address: address ?? undefined,
})

/** Reads the customer and the site of a cart that is not stored yet, or that gets another customer. */
export async function findSurroundings(
  db: Db,
  { channel_id, customer_id }: Pick<Cart, 'channel_id' | 'customer_id'>,
): Promise<Pick<FoundCart, 'customer' | 'site'>> {
  const { customer, site } = await db.row<Pick<CartRow, 'customer' | 'site'>>(
    prepared(sql`
    select (${contactOf(db, sql`${customer_id}::int`)}) as customer, (${siteOf(db, sql`${channel_id}::bigint`)}) as site`),
  )
  return { customer: customer ? toCustomer(customer_id, customer) : undefined, site }
}

/** A random id: whoever knows it may read the cart. */
export const newCartId = (): string => newUuid()

/** A cart to store. */
export type NewCart = Pick<Cart, 'id' | 'channel_id' | 'currency_code' | 'customer_id' | 'email' | 'document'>

/** Stores a new cart with its first version. @throws Problem 422 for a document that is too large */
export async function insertCart(tx: Tx, { document, ...cart }: NewCart): Promise<Cart> {
  const now = toSeconds(tx.now)
  const row = { ...cart, version: 1, created_at: now, updated_at: now, order_id: 0 }
  const values = { store_id: tx.store.id, ...row, ...timesAt(tx.now), email_key: fold(cart.email), spell: 0, token: '' }
  await tx.rows(sql`
    insert into carts ${sql.rows([{ ...values, reminders: 0, document: writeDocument(document) }])}`)
  return { ...row, document }
}

/** The parts of a cart that change. */
export type CartChanges = Partial<Pick<Cart, 'currency_code' | 'customer_id' | 'email' | 'order_id' | 'document'>>

/**
 * Stores the next version of a locked cart: its idle spell ends, and its 30 days begin again.
 * @throws Problem 422 for a document that is too large
 */
export async function saveCart(tx: Tx, before: Cart, changes: CartChanges): Promise<Cart> {
  const cart = { ...before, ...changes, version: before.version + 1, updated_at: toSeconds(tx.now) }
  const { currency_code, customer_id, email, order_id, version } = cart
  const { updated_at, expires_at, idle_at, due_at } = { ...timesAt(tx.now), updated_at: cart.updated_at }
  await tx.rows(
    prepared(sql`
    update carts set customer_id = ${customer_id}, email = ${email}, email_key = ${fold(email)}, order_id = ${order_id},
      currency_code = ${currency_code}, version = ${version}, updated_at = ${updated_at}, document = ${writeDocument(cart.document)},
      idle_at = ${idle_at}, expires_at = ${expires_at}, due_at = ${due_at}, reminder_at = null, reminders = 0
    where store_id = ${tx.store.id} and id = ${cart.id}`),
  )
  return cart
}

/** The times of a cart that was changed now. */
function timesAt(now: Date) {
  const idle_at = toSeconds(new Date(now.getTime() + IDLE_MINUTES * 60_000))
  return { idle_at, due_at: idle_at, expires_at: toSeconds(new Date(now.getTime() + CART_DAYS * 86_400_000)) }
}

/** Deletes a locked cart with its metafields. */
export async function deleteCart(tx: Tx, { id }: Pick<Cart, 'id'>) {
  await tx.together(() => ({
    cart: tx.rows(prepared(sql`delete from carts where store_id = ${tx.store.id} and id = ${id}`)),
    metafields: deleteMetafieldsOfUuids(tx, { kind: 'cart' }, [id]),
  }))
}
