import { type Db, prepared } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { stampOf } from '../../core/stamps/stamps.ts'
import { findDiscounts, type NamedShopper, type ShopperGroup, shopperGroup } from '../../customers/row/shoppers.ts'
import { findPricedProducts, type PricedProduct } from '../../goods/catalog/product-row/priced.ts'
import { hasLiveChannel } from '../../shop/channels/channels.ts'
import { type Currency, currencyRows } from '../../shop/channels/currencies/shape.ts'
import { type TaxTables, taxTables } from '../tax/calculation/tables.ts'
import type { PriceSources } from './calculation/facts.ts'
import type { PayingCurrency, RecordPrices } from './calculation/price-of.ts'

// Reads the facts of prices: three statements in two round trips, for any number of items. The first trip finds the shopper's source of
// prices, and the products; the second one the records of the list, or the discounts of the group. Tax tables stay in memory while their
// stamp is the same.

/** A shopper and a currency, as a request names them. */
export interface Shopper extends NamedShopper {
  /** The default currency if undefined. */
  currency_code: string | undefined
}

/** A currency with its exchange rate. */
type RatedCurrency = Pick<Currency, 'currency_code' | 'currency_exchange_rate' | 'decimal_places'>

/** The source of a shopper's prices (docs/contract/price-lists.md section 5). */
type Source = { kind: 'list'; list: number } | { kind: 'discounts' } | { kind: 'catalog' }

/** The names of a shopper that exist. */
export interface ShopperFaults {
  hasChannel: boolean
  hasGroup: boolean
  hasCustomer: boolean
  hasCurrency: boolean
}

/** The facts of prices for a shopper. */
export interface ShopperPrices extends PriceSources {
  group: number
  /** Amounts are shown in this currency. It differs for a currency that nobody pays in. */
  shown: PayingCurrency
  tax: TaxTables
  /** The code of the currency that the shopper pays in. */
  code: string
  /** The code of the store's default currency. */
  defaultCode: string
}

/** The facts of a shopper that decide about prices. */
export interface ShopperFacts extends ShopperGroup {
  has_channel: boolean
  tax_stamp: number
  currencies: (RatedCurrency & Pick<Currency, 'is_default' | 'enabled' | 'is_transactional'>)[]
  /** Active lists: of the group in the channel, of the group, and of the channel. */
  pair_list: number | null
  group_list: number | null
  channel_list: number | null
}

/** Exceptions from the usual facts. */
interface GatherOptions {
  /**
   * The currency that the shopper pays in, in place of the one by its code: that of an order keeps its rate, and stays even if the store
   * doesn't have it any more.
   */
  agreed?: RatedCurrency
  /** Variants whose products are read besides the named ones. */
  variants?: readonly number[]
  /** The facts of the shopper, if the caller reads them for several lists of products. */
  found?: Promise<ShopperFacts>
}

/**
 * @returns the facts, undefined without a currency, and the faults of the shopper
 */
export async function gather(
  db: Db,
  shopper: Shopper,
  productIds: readonly number[],
  { agreed, variants = [], found: known }: GatherOptions = {},
): Promise<{ faults: ShopperFaults; gathered: ShopperPrices | undefined }> {
  const { found, products } = await db.together(() => ({
    found: known ?? findShopper(db, shopper),
    products: findPricedProducts(db, productIds, variants),
  }))
  const { paid, wanted } = agreed ? { paid: agreed, wanted: agreed } : currenciesOf(found, shopper.currency_code)
  const faults = {
    hasChannel: found.has_channel,
    hasGroup: found.has_group,
    hasCustomer: found.has_customer,
    hasCurrency: wanted !== undefined,
  }
  if (!wanted) return { faults, gathered: undefined }
  const currencyPaid = payingIn(paid)
  const source = sourceOf(found)
  const [facts, tax] = await Promise.all([
    source.kind === 'list'
      ? { records: await findRecordPrices(db, source.list, paid.currency_code, products), discounts: [] }
      : { records: new Map(), discounts: source.kind === 'discounts' ? await discountsFor(db, found, products) : [] },
    taxTables(db, found.tax_stamp),
  ])
  return {
    faults,
    gathered: {
      group: found.group_id,
      currency: currencyPaid,
      shown: wanted === paid ? currencyPaid : payingIn(wanted),
      tax,
      code: paid.currency_code,
      defaultCode: defaultOf(found).currency_code,
      products,
      ...facts,
    },
  }
}

/** The facts that don't depend on products, with one statement. */
const findShopper = (db: Db, shopper: Shopper): Promise<ShopperFacts> =>
  db.row<ShopperFacts>(
    prepared(sql`
    select facts.*, ${currencyRows(db, shopper.currency_code)} as currencies from ${shopperFacts(db, shopper)} facts`),
  )

/** The same facts without the currencies, as a table of one row for any statement. */
export function shopperFacts(db: Pick<Db, 'store'>, shopper: NamedShopper): Sql {
  const { id: store } = db.store
  const channel = sql`${shopper.channel_id}::bigint`
  return sql`(
    with shopper as materialized (${shopperGroup(db, shopper)}), lists as materialized (
      select assignment.price_list_id as list, assignment.customer_group_id as of_group, assignment.channel_id as in_channel
      from price_list_assignments assignment join price_lists on price_lists.store_id = ${store}
        and price_lists.id = assignment.price_list_id and price_lists.active
      where assignment.store_id = ${store} and (
        assignment.customer_group_id = (select group_id from shopper)
        or (assignment.customer_group_id is null and assignment.channel_id = ${channel})
      )
    )
    select shopper.*, ${hasLiveChannel(db, shopper.channel_id)} as has_channel, ${stampOf(db, 'tax')} as tax_stamp,
      (select list from lists where of_group is not null and in_channel = ${channel}) as pair_list,
      (select list from lists where of_group is not null and in_channel is null) as group_list,
      (select list from lists where of_group is null) as channel_list
    from shopper
  )`
}

/** The first match decides, and nothing is mixed. */
function sourceOf({ pair_list, group_list, channel_list, has_discounts }: ShopperFacts): Source {
  const own = pair_list ?? group_list
  if (own !== null) return { kind: 'list', list: own }
  if (has_discounts) return { kind: 'discounts' }
  return channel_list === null ? { kind: 'catalog' } : { kind: 'list', list: channel_list }
}

/** The currency of the code if it is enabled, and the one to pay in: the same, or the default one if nobody pays in it. */
function currenciesOf(found: ShopperFacts, code: string | undefined) {
  const { currencies } = found
  const standard = defaultOf(found)
  const wanted =
    code === undefined
      ? standard
      : currencies.find(({ currency_code, enabled }) => enabled && currency_code === code.toUpperCase())
  return { wanted, paid: wanted?.is_transactional ? wanted : standard }
}

function defaultOf({ currencies }: ShopperFacts) {
  const standard = currencies.find(({ is_default }) => is_default)
  if (!standard) throw new Error('The store has no default currency.')
  return standard
}

/** Amounts have at most four decimals. */
const DECIMALS_MAX = 4

/** Prepares a currency for the conversion of catalog amounts into it. The exchange rate becomes the fraction `rate / one`. */
export function payingIn(currency: Omit<RatedCurrency, 'currency_code'>): PayingCurrency {
  const [whole = '', fraction = ''] = currency.currency_exchange_rate.split('.')
  return {
    decimals: Math.min(currency.decimal_places, DECIMALS_MAX),
    rate: BigInt(whole + fraction),
    one: 10n ** BigInt(fraction.length),
  }
}

/** Reads the records of all variants by their keys. */
async function findRecordPrices(
  db: Db,
  list: number,
  code: string,
  products: ReadonlyMap<number, PricedProduct>,
): Promise<Map<number, RecordPrices>> {
  const variants = [...products.values()].flatMap((product) => product.variants.map(({ id }) => id))
  const currency = code.toLowerCase()
  const rows = await db.rows<RecordPrices & { variant_id: number }>(
    prepared(sql`
    select variant_id, price, sale_price, retail_price, map_price, bulk_pricing_tiers as tiers
    from price_records record
    where record.store_id = ${db.store.id} and price_list_id = ${list} and variant_id = ${sql.anyOf(variants)}
      and currency = ${currency} and generation = (
        select one.generation from price_record_sets one
        where one.store_id = ${db.store.id} and one.price_list_id = ${list} and one.currency = ${currency}
      )`),
  )
  return new Map(rows.map(({ variant_id, ...prices }) => [variant_id, prices]))
}

const discountsFor = (db: Db, { group_id }: ShopperFacts, products: ReadonlyMap<number, PricedProduct>) =>
  findDiscounts(db, group_id, {
    products: [...products.keys()],
    categories: [...products.values()].flatMap(({ categories }) => categories),
  })
