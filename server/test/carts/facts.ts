import { unitsOf } from '../../core/money/units.ts'
import type { CartItem } from '../../goods/catalog/product-row/cart-items.ts'
import type { PricedProduct } from '../../goods/catalog/product-row/priced.ts'
import type { CartWithResult } from '../../sales/carts/changes/change.ts'
import { evaluateCart } from '../../sales/carts/evaluation/evaluate.ts'
import type { CartFacts } from '../../sales/carts/evaluation/facts.ts'
import {
  type CartAddress,
  type CartConsignment,
  type CartDocument,
  type CatalogLine,
  type ChosenOption,
  type CustomLine,
  emptyDocument,
} from '../../sales/carts/row/document.ts'
import type { CartCode } from '../../sales/promotions/engine/cart.ts'
import { compilePromotions } from '../../sales/promotions/engine/compile.ts'
import type { Promotion } from '../../sales/promotions/engine/promotion.ts'
import { keyOfCode } from '../../sales/promotions/evaluation/cart-codes.ts'
import type { RateInForce } from '../../sales/tax/calculation/tables.ts'
import type { TaxSettings } from '../../sales/tax/settings.ts'
import { taxTablesOf } from './tax-tables.ts'

// Documents and facts of carts for tests of the evaluation: products by their numbers, whose variants have the same numbers.

export const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** A line of the product `n`, with the id `uuid(n)`. */
export const line = (n: number, quantity: number, more: Partial<CatalogLine> = {}): CatalogLine => ({
  id: uuid(n),
  product_id: n,
  variant_id: n,
  quantity,
  list_price: null,
  name: null,
  modifiers: [],
  texts: [],
  wrapping: null,
  ...more,
})

export const customLine = (n: number, quantity: number, list_price: number): CustomLine => ({
  id: uuid(n),
  name: `Custom ${n}`,
  sku: '',
  quantity,
  list_price,
  image_url: '',
  wrapping: null,
})

export const certificate = (n: number, amount: number): CartDocument['certificates'][number] => ({
  id: uuid(n),
  name: 'Gift certificate',
  theme: 'General',
  amount,
  sender: { name: 'Ann', email: 'ann@example.com' },
  recipient: { name: 'Bob', email: 'bob@example.com' },
  message: '',
})

const address = (country_code: string, more: Partial<CartAddress> = {}): CartAddress => ({
  id: 'a1',
  first_name: '',
  last_name: '',
  email: 'ann@example.com',
  company: '',
  address1: '',
  address2: '',
  city: '',
  state_or_province: '',
  state_or_province_code: '',
  country_code,
  postal_code: '',
  phone: '',
  custom_fields: [],
  ...more,
})

export const option = (cost: number, handling_cost = 0): ChosenOption => ({
  id: 'o1',
  method_id: 1,
  zone_id: 1,
  zone_name: 'World',
  type: 'perorder',
  description: 'Post',
  additional_description: '',
  transit_time: '',
  image_url: '',
  cost,
  handling_cost,
})

/** A consignment `c<n>` with units of lines, as pairs of line and quantity. */
export const consignment = (
  n: number,
  country: string,
  lines: readonly (readonly [number, number])[],
  chosen: ChosenOption | null = null,
): CartConsignment => ({
  id: `c${n}`,
  address: address(country),
  pickup: null,
  lines: lines.map(([item, quantity]) => ({ item_id: uuid(item), quantity })),
  option: chosen,
})

const documentOf = (some: Partial<CartDocument>): CartDocument => ({ ...emptyDocument(), ...some })

/** A rate in percent. */
export const rate = (percent: number, more: Partial<RateInForce> = {}): RateInForce => ({
  id: 1,
  name: 'Tax',
  percent: unitsOf(percent),
  priority: 1,
  ...more,
})

/** The store of an example: prices by product, and rates by country. */
export interface ExampleStore {
  /** By the number of the product. */
  prices?: Record<number, number>
  /** Rates of every class by country; `'*'` is the default zone, which is the store's own. */
  rates?: Record<string, readonly RateInForce[]>
  settings?: Partial<TaxSettings>
  promotions?: readonly Promotion[]
  codes?: readonly CartCode[]
  currency?: CartFacts['prices']['currency']
  /** Percentages of promotions are of the amount that the earlier ones left. */
  isOnRest?: boolean
  items?: Record<number, Partial<CartItem>>
}

const product = (id: number, price: number): PricedProduct => ({
  id,
  price,
  sale_price: 0,
  retail_price: 0,
  map_price: 0,
  tax_class_id: 0,
  base_variant_id: id,
  categories: [],
  variants: [
    {
      id,
      price: null,
      sale_price: null,
      retail_price: null,
      map_price: null,
      purchasing_disabled: false,
      values: [],
    },
  ],
  optionValues: [],
  modifiers: [],
  rules: [],
  bulkRules: [],
})

const item = (id: number, more: Partial<CartItem> = {}): CartItem => ({
  variant_id: id,
  product_id: id,
  name: `Product ${id}`,
  type: 'physical',
  sku: '',
  upc: '',
  path: `/product-${id}/`,
  image_url: '',
  brand_id: 0,
  categories: [],
  options: [],
  customFields: [],
  is_available: true,
  order_quantity_minimum: 0,
  order_quantity_maximum: 0,
  product_stock: null,
  variant_stock: null,
  is_free_shipping: false,
  fixed_cost_shipping_price: 0,
  weight: 1,
  width: 0,
  height: 0,
  depth: 0,
  ...more,
})

/** The facts of a store. */
function factsOf(store: ExampleStore): CartFacts {
  const { prices = {}, rates = {}, promotions = [], codes = [], items = {}, isOnRest = false } = store
  const { currency = { decimals: 2, rate: 1n, one: 1n }, settings = {} } = store
  const numbered = Object.entries(prices).map(([n, price]) => [Number(n), price] as const)
  return {
    cart_id: uuid(0),
    at: new Date('2026-03-04T12:00:00Z'),
    channel_id: 1,
    currency_code: 'USD',
    group_id: 0,
    prices: {
      currency,
      products: new Map(numbered.map(([n, price]) => [n, product(n, price)])),
      records: new Map(),
      discounts: [],
    },
    tax: taxTablesOf(rates, settings),
    items: new Map(numbered.map(([n]) => [n, item(n, items[n])])),
    promotions: {
      ...compilePromotions(promotions),
      settings: {
        promotions_apply_on_products_with_custom_product_price: false,
        promotions_triggered_by_products_with_zero_product_price: false,
        number_of_coupons_allowed_at_checkout: 5,
        promotions_applied_on_original_product_price: !isOnRest,
      },
    },
    codes: new Map(codes.map((code) => [keyOfCode(code.code), code])),
    segments: [],
    orders: 0,
    usedUp: new Set(),
    customerAddress: undefined,
  }
}

export const evaluateExample = (store: ExampleStore, document: Partial<CartDocument>) =>
  evaluatedCart(store, document).result

/** A cart of a guest with its result, as orders are created from. */
export function evaluatedCart(store: ExampleStore, some: Partial<CartDocument>): Omit<CartWithResult, 'siteUrl'> {
  const document = documentOf(some)
  const facts = factsOf(store)
  const at = '2026-03-04T12:00:00Z'
  return {
    cart: {
      id: facts.cart_id,
      channel_id: 1,
      currency_code: facts.currency_code,
      customer_id: 0,
      email: '',
      version: 1,
      created_at: at,
      updated_at: at,
      order_id: 0,
      document,
    },
    facts,
    result: evaluateCart(document, facts),
    isTaxUnavailable: false,
  }
}
