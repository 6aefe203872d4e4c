import { sumOf, type Units, unitsOf } from '../../../../../../core/money/units.ts'
import { withPreparations } from '../../../../../../core/rest/preparation.ts'
import { balancesOfCheckout, type CheckoutBalances } from '../../../../../../sales/carts/checkouts/balances.ts'
import { offersFor } from '../../../../../../sales/carts/costs/shipping.ts'
import type { ResultConsignment, Taxed } from '../../../../../../sales/carts/evaluation/result.ts'
import type { CartAddress, ChosenOption } from '../../../../../../sales/carts/row/document.ts'
import { couponNameOf, couponTypeOf } from '../../../../../../sales/carts/views/line-items.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { Fields } from '../../../types.ts'
import { globalId } from '../../global-ids.ts'
import { bothOf, type CartView, inUtc, withTwins } from '../carts/cart.ts'
import { orderOfCheckout } from '../orders/orders.ts'
import { customFieldsToAnswer } from './custom-fields.ts'

// Checkouts of shoppers: the same cart with its addresses, shipping and totals (docs/contract/storefront-purchases.md section 5).

/** A consignment in its checkout. */
interface ConsignmentInView {
  consignment: ResultConsignment
  view: CartView
}

declare module '../../../types.ts' {
  interface Parents {
    Checkout: CartView
    CheckoutBillingAddress: CartAddress
    CheckoutConsignmentAddress: CartAddress
    CheckoutShippingConsignment: ConsignmentInView
  }
}

/** An amount as prices are entered: with tax or without. */
const displayAmount = ({ result }: CartView, { ex, inc }: Taxed): Units => (result.isInclusive ? inc : ex)

const totalOf = (view: CartView, amounts: readonly Taxed[]): Units =>
  sumOf(amounts.map((amount) => displayAmount(view, amount)))

/** All discounts. @param byCodes whether those of coupons count */
function discountTotal({ result }: CartView, byCodes: boolean): Units {
  const lines = result.lines.flatMap(({ promotions, manual, orderShare, coupons }) => [
    ...promotions.map(({ amount }) => amount),
    manual,
    orderShare,
    ...(byCodes ? coupons.map(({ amount }) => amount) : []),
  ])
  const shipping = byCodes ? result.consignments.flatMap(({ coupons }) => coupons.map(({ amount }) => amount)) : []
  return sumOf([...lines, ...shipping])
}

const amounts = withTwins({
  shippingCostTotal: (view: CartView) =>
    view.money(
      totalOf(
        view,
        view.result.consignments.map(({ paid }) => paid),
      ),
    ),
  shippingCostBeforeDiscount: (view: CartView) => view.money(displayAmount(view, view.result.shipping)),
  comparisonShippingCost: (view: CartView) => view.money(displayAmount(view, view.result.shipping)),
  giftWrappingCostTotal: (view: CartView) => view.money(displayAmount(view, view.result.wrapping)),
  handlingCostTotal: (view: CartView) => view.money(displayAmount(view, view.result.handling)),
  taxTotal: ({ money, result }: CartView) => money(result.taxTotal),
  subtotal: (view: CartView) => view.money(displayAmount(view, view.result.subtotal)),
  grandTotal: ({ money, result }: CartView) => money(result.grandTotal),
  totalDiscount: (view: CartView) => view.money(discountTotal(view, true)),
  displayDiscountTotal: (view: CartView) => view.money(discountTotal(view, false)),
  orderBasedAutoDiscountTotal: ({ money, result }: CartView) => money(result.orderDiscount - result.manualDiscount),
  manualDiscountTotal: ({ money, result }: CartView) => money(result.manualDiscount),
})

/** The balances that pay a checkout, which are read once. */
const balancesByView = new WeakMap<CartView, Promise<CheckoutBalances>>()

function balancesOf({ storefront }: StorefrontCaller, view: CartView): Promise<CheckoutBalances> {
  const balances = balancesByView.get(view) ?? balancesOfCheckout(storefront.db, view, storefront.db.now)
  balancesByView.set(view, balances)
  return balances
}

const outstanding = async (view: CartView, _: object, caller: StorefrontCaller) =>
  view.money(hasBalances(view) ? (await balancesOf(caller, view)).rest : view.result.grandTotal)

const hasBalances = ({ cart: { document } }: CartView): boolean =>
  (document.redeemed ?? []).length > 0 || document.uses_credit === true

async function appliedCertificates(caller: StorefrontCaller, view: CartView) {
  if (!hasBalances(view)) return []
  const { certificates } = await balancesOf(caller, view)
  return certificates.map(({ certificate: { id, code, balance, purchased_at }, used }) => ({
    entityId: id,
    code,
    ...bothOf('balance', view.money(balance)),
    ...bothOf('remaining', view.money(unitsOf(balance) - used)),
    ...bothOf('used', view.money(used)),
    purchaseDate: { utc: inUtc(purchased_at) },
  }))
}

const consignmentAmounts = withTwins({
  shippingCost: ({ consignment, view }: ConsignmentInView) => view.money(displayAmount(view, consignment.paid)),
  shippingCostBeforeDiscount: ({ consignment, view }: ConsignmentInView) =>
    view.money(displayAmount(view, consignment.shipping)),
  comparisonShippingCost: ({ consignment, view }: ConsignmentInView) =>
    view.money(displayAmount(view, consignment.shipping)),
  handlingCost: ({ consignment, view }: ConsignmentInView) => view.money(displayAmount(view, consignment.handling)),
})

/** The options of all consignments of a checkout, which are read once. */
const offersByView = new WeakMap<CartView, ReturnType<typeof readOffers>>()

function offersOf(caller: StorefrontCaller, view: CartView) {
  const offers = offersByView.get(view) ?? readOffers(caller, view)
  offersByView.set(view, offers)
  return offers
}

function readOffers(caller: StorefrontCaller, { cart, result, facts }: CartView) {
  const { db } = caller.storefront
  const { shipping } = caller.selling.carts.quotesOf(caller)
  const { customer_id, document } = cart
  return withPreparations(db, () =>
    offersFor(db, { customer_id, document, result, facts }, document.consignments, shipping),
  )
}

/** The cheapest option; among equal ones the first. */
export const recommended = (options: readonly ChosenOption[]): ChosenOption | undefined =>
  options.reduce<ChosenOption | undefined>((one, other) => (one && one.cost <= other.cost ? one : other), undefined)

const optionOf = (view: CartView, { id, description, type, cost, transit_time }: ChosenOption) => ({
  entityId: id,
  description,
  type,
  imageUrl: null,
  image: null,
  transitTime: transit_time || null,
  ...bothOf('cost', view.money(cost)),
})

const couponOf = ({ money, facts, result }: CartView, code: CartView['result']['codes'][number]) => ({
  entityId: code.id,
  promotionEntityId: typeof code.of === 'number' ? code.of : 0,
  code: code.code,
  couponType: COUPON_TYPES[couponTypeOf(code)],
  ...bothOf('discountedAmount', money(code.amount)),
  displayName: couponNameOf(code, facts.promotions.coupons),
  status: code.refusal === undefined ? ('APPLIED' as const) : ('STAGED' as const),
  hasMaxLimitReached: result.codes.length >= facts.promotions.settings.number_of_coupons_allowed_at_checkout,
})

const COUPON_TYPES = {
  per_item_discount: 'PER_ITEM_DISCOUNT',
  percentage_discount: 'PERCENTAGE_DISCOUNT',
  per_total_discount: 'PER_TOTAL_DISCOUNT',
  shipping_discount: 'SHIPPING_DISCOUNT',
  free_shipping: 'FREE_SHIPPING',
  promotion: 'PROMOTION',
} as const

/** The promotions with their banners and discounts. */
function promotionsOf(view: CartView) {
  const { money, facts, result } = view
  const { automatic, coupons } = facts.promotions
  return result.promotions.promotions
    .filter(({ reason }) => reason === undefined)
    .map(({ promotion_id: id }) => {
      const found = automatic.find(({ promotion }) => promotion.id === id) ?? coupons.get(id)
      const items = result.lines.flatMap((line) =>
        line.promotions
          .filter(({ promotion_id }) => promotion_id === id)
          .map(({ amount }) => ({ entityId: line.id, amount })),
      )
      const order = result.promotions.order.filter(({ promotion_id }) => promotion_id === id)
      const discount = (target: 'PRODUCT' | 'ORDER', amount: Units, allocations: typeof items) => ({
        ...bothOf('discountedAmount', money(amount)),
        type: 'AUTOMATIC' as const,
        target,
        allocations: allocations.map(({ entityId, amount }) => ({
          entityId,
          ...bothOf('discountedAmount', money(amount)),
        })),
      })
      return {
        entityId: id,
        displayName: found?.promotion.name ?? null,
        priority: null,
        banners: result.promotions.banners
          .filter(({ promotion_id }) => promotion_id === id)
          .map(({ type, locations, content }) => ({
            entityId: id,
            type,
            locations: LOCATIONS.filter((location) => locations.includes(location)),
            text: content,
          })),
        discounts: [
          ...(items.length > 0 ? [discount('PRODUCT', sumOf(items.map(({ amount }) => amount)), items)] : []),
          ...order.map(({ amount }) => discount('ORDER', amount, [])),
        ],
      }
    })
}

const LOCATIONS = ['CART_PAGE', 'CHECKOUT_PAGE', 'HOME_PAGE', 'PRODUCT_PAGE'] as const

const addressFields = {
  firstName: ({ first_name }: CartAddress) => first_name || null,
  lastName: ({ last_name }: CartAddress) => last_name || null,
  email: ({ email }: CartAddress) => email || null,
  company: ({ company }: CartAddress) => company || null,
  address1: ({ address1 }: CartAddress) => address1 || null,
  address2: ({ address2 }: CartAddress) => address2 || null,
  city: ({ city }: CartAddress) => city || null,
  stateOrProvince: ({ state_or_province }: CartAddress) => state_or_province || null,
  stateOrProvinceCode: ({ state_or_province_code }: CartAddress) => state_or_province_code || null,
  countryCode: ({ country_code }: CartAddress) => country_code,
  postalCode: ({ postal_code }: CartAddress) => postal_code || null,
  phone: ({ phone }: CartAddress) => phone || null,
  customFields: (address: CartAddress, _: object, caller: StorefrontCaller) => customFieldsToAnswer(caller, address),
}

export const checkoutFields: Fields<
  'Checkout' | 'CheckoutBillingAddress' | 'CheckoutConsignmentAddress' | 'CheckoutShippingConsignment'
> = {
  Checkout: {
    id: ({ cart }) => globalId('Checkout', cart.id),
    entityId: ({ cart }) => cart.id,
    currencyCode: ({ cart }) => cart.currency_code,
    displayCurrencyCode: ({ cart }) => cart.currency_code,
    billingAddress: ({ cart }) => cart.document.billing,
    cart: (view) => view,
    // Consignments that are collected have no address, and the schema has no other kind.
    shippingConsignments: (view) =>
      view.result.consignments
        .filter(({ input }) => input.address !== null)
        .map((consignment) => ({ consignment, view })),
    ...amounts,
    taxes: ({ money, result }) =>
      result.taxes.map(({ name, amount }) => ({ name, ...bothOf('amount', money(amount)) })),
    createdAt: ({ cart }) => ({ utc: inUtc(cart.created_at) }),
    updatedAt: ({ cart }) => ({ utc: inUtc(cart.updated_at) }),
    customerMessage: ({ cart }) => cart.document.message || null,
    coupons: (view) => view.result.codes.map((code) => couponOf(view, code)),
    outstandingBalance: outstanding,
    outstandingBalanceInDisplayCurrency: outstanding,
    giftCertificates: (view, _, caller) => appliedCertificates(caller, view),
    promotions: promotionsOf,
    fees: ({ money, result }) =>
      result.fees.map(({ input, ex, inc }) => ({
        id: input.id,
        feeType: 'CUSTOM_FEE' as const,
        name: input.name,
        displayName: input.display_name,
        ...bothOf('cost', money(result.isInclusive ? inc : ex)),
        source: input.source,
        taxClassId: input.tax_class_id,
      })),
    version: ({ cart }) => cart.version,
    order: ({ cart }, _, caller) => orderOfCheckout(caller, cart.order_id),
  },
  CheckoutBillingAddress: { entityId: ({ id }) => id, ...addressFields },
  CheckoutConsignmentAddress: addressFields,
  CheckoutShippingConsignment: {
    entityId: ({ consignment }) => consignment.input.id,
    address({ consignment }) {
      const { address } = consignment.input
      if (!address) throw new Error('A consignment that is shipped has no address.')
      return address
    },
    async availableShippingOptions({ consignment, view }, _, caller) {
      const options = (await offersOf(caller, view)).get(consignment.input.id) ?? []
      const best = recommended(options)
      return options.map((option) => ({
        ...optionOf(view, option),
        isRecommended: option === best,
        ...bothOf('costAfterDiscount', view.money(option.cost)),
      }))
    },
    selectedShippingOption: ({ consignment, view }) =>
      consignment.input.option && optionOf(view, consignment.input.option),
    coupons: ({ consignment, view }) =>
      view.result.codes
        .filter(({ code }) => consignment.coupons.some((one) => one.code === code))
        .map((code) => couponOf(view, code)),
    ...consignmentAmounts,
    lineItemIds: ({ consignment }) => consignment.lines.map(({ item_id }) => item_id),
  },
}
