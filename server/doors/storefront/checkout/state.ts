import type { FastifyRequest } from 'fastify'
import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { withPreparations } from '../../../core/rest/preparation.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { type Definition, findDefinitions } from '../../../customers/form-fields/shape.ts'
import { type CartWithResult, readCart } from '../../../sales/carts/changes/change.ts'
import { balancesOfCheckout, type CheckoutBalances } from '../../../sales/carts/checkouts/balances.ts'
import { offersFor } from '../../../sales/carts/costs/shipping.ts'
import type { Cart } from '../../../sales/carts/row/cart.ts'
import type { CartAddress, ChosenOption } from '../../../sales/carts/row/document.ts'
import { missingIn } from '../../../sales/orders/checkouts/ready.ts'
import { type Currency, currencyPair } from '../../../shop/channels/currencies/shape.ts'
import { customerOfBrowser } from '../sessions/browser-session.ts'
import { readFace, type ShopFace } from './face/face.ts'
import type { PageParts } from './parts.ts'

// The state of a checkout, from which its page follows. Prices, taxes and options are calculated by each request.

/** The steps of the page in their order. */
export const STEPS = ['customer', 'shipping', 'options', 'billing', 'payment'] as const
export type Step = (typeof STEPS)[number]

export interface CheckoutState {
  found: CartWithResult
  face: ShopFace
  currency: Currency
  /** The steps that this cart has. */
  steps: readonly Step[]
  /** The first step that is not complete. */
  next: Step
  /** Options by consignment. */
  offers: ReadonlyMap<string, readonly ChosenOption[]>
  /**
   * Whether the browser is signed in as the customer of the cart. A link into the checkout alone is not enough to see the addresses of the
   * customer, or to spend store credit.
   */
  isSignedIn: boolean
  /** Addresses of the customer who is signed in, at most 20. */
  addresses: readonly SavedAddress[]
  /** The store's own fields of addresses. */
  definitions: readonly Definition[]
  /** The gift certificates and the store credit that pay the order. */
  balances: CheckoutBalances
}

export interface SavedAddress {
  id: number
  first_name: string
  last_name: string
  company: string
  address1: string
  address2: string
  city: string
  state_or_province: string
  postal_code: string
  country_code: string
  phone: string
}

/**
 * Reads a checkout.
 * @throws Problem 404 for a cart that ended, or that belongs to another channel
 */
export async function readState(
  request: FastifyRequest,
  { carts, logins, at, id }: Pick<PageParts, 'carts' | 'logins'> & { at: Date; id: string },
): Promise<CheckoutState> {
  const { storefront, headers } = request
  const { db } = storefront
  const quotes = carts.quotesOf(request)
  const found = await withPreparations(db, () => readCart(db, carts, { id, quotes, at }))
  const { cart, result, facts } = found
  if (cart.channel_id !== storefront.channel) throw new Problem(404, 'The cart belongs to another storefront.')
  const { customer_id, document } = cart
  const isSignedIn = await isSignedInAs(request, cart, { logins })
  const [face, pair, addresses, definitions, balances, offers] = await Promise.all([
    readFace(storefront, headers['accept-language'], document.locale),
    currencyPair(db, cart.currency_code),
    isSignedIn ? savedAddresses(db, customer_id) : [],
    addressDefinitions(db),
    balancesOfCheckout(db, found, at),
    withPreparations(db, () =>
      offersFor(db, { customer_id, document, result, facts }, document.consignments, quotes.shipping),
    ),
  ])
  const steps = stepsOf(found)
  const next = steps.find((step) => !isComplete(found, step)) ?? 'payment'
  const currency = pair.wanted ?? pair.standard
  return { found, face, currency, steps, next, offers, isSignedIn, addresses, definitions, balances }
}

/** Whether the browser is signed in as the customer of a cart. */
export const isSignedInAs = async (
  request: FastifyRequest,
  { customer_id }: Pick<Cart, 'customer_id'>,
  { logins }: Pick<PageParts, 'logins'>,
): Promise<boolean> => customer_id > 0 && (await customerOfBrowser(request, logins))?.id === customer_id

/** The store's own fields of addresses. */
export const addressDefinitions = async (db: Db): Promise<Definition[]> =>
  (await findDefinitions(db)).filter(({ kind }) => kind === 'address')

const isPhysical = ({ result }: CartWithResult): boolean => result.lines.some(({ isDigital }) => !isDigital)

/** Carts without physical lines are not shipped, and goods that are collected need no address. */
function stepsOf(found: CartWithResult): Step[] {
  const isCollected = found.cart.document.consignments.some(({ pickup }) => pickup !== null)
  const isShipped = isPhysical(found) && !isCollected
  return STEPS.filter((step) => isShipped || (step !== 'shipping' && step !== 'options'))
}

function isComplete({ cart: { document }, result }: CartWithResult, step: Step): boolean {
  const { billing, consignments } = document
  switch (step) {
    case 'customer':
      return (billing?.email ?? '') !== ''
    case 'shipping':
      return (
        consignments.every(({ address }) => address === null || missingIn(address).length === 0) &&
        result.lines.every(
          ({ isDigital, parts }) => isDigital || parts.every(({ consignment_id }) => consignment_id !== undefined),
        )
      )
    case 'options':
      return consignments.every(({ option, pickup }) => option !== null || pickup !== null)
    case 'billing':
      return billing !== null && missingIn(billing).length === 0
    default:
      return false
  }
}

const savedAddresses = (db: Db, customer: number): Promise<SavedAddress[]> =>
  db.rows<SavedAddress>(
    prepared(sql`
    select id, first_name, last_name, company, address1, address2, city, state_or_province, postal_code, country_code, phone
    from customer_addresses where store_id = ${db.store.id} and customer_id = ${customer} order by id limit 20`),
  )

/** An address of a cart without anything. */
export const blankAddress = (id: string): CartAddress => ({
  id,
  first_name: '',
  last_name: '',
  email: '',
  company: '',
  address1: '',
  address2: '',
  city: '',
  state_or_province: '',
  state_or_province_code: '',
  country_code: '',
  postal_code: '',
  phone: '',
  custom_fields: [],
})
