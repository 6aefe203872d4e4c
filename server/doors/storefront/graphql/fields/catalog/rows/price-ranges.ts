import { sql } from '../../../../../../core/db/sql.ts'
import { Load } from '../../../../../../core/graphql/loads.ts'
import { literal, VALUES } from '../../../../../../goods/catalog/search/values.ts'
import { productSettings } from '../../../../../../shop/settings/families/families.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import { connectionOf, type PageArgs } from '../../connections.ts'
import { moneyToAnswer } from '../../money/money.ts'
import { rulesFor } from '../../shop.ts'
import { isVisibleHit, visibilityFor } from './visibility.ts'

/** Ranges of a category, of equal width. */
const RANGES = 5
/** Prices are stored in units of 1/10,000. */
const UNIT = 10_000

interface Bounds {
  lowest: number
  highest: number
}

/** The lowest and the highest catalog price of the products that a shopper finds in each category. */
const boundsLoad = new Load<StorefrontCaller, number, Bounds>(async (caller, categories) => {
  const { db } = caller.storefront
  const visibility = await visibilityFor(caller)
  const rows = await db.rows<Bounds & { category: number }>(sql`
    select (place.value - ${literal(VALUES.category)})::int as category,
      min(hit.price)::float8 as lowest, max(hit.price)::float8 as highest
    from product_facets place join search_rows hit on hit.product_id = place.product_id and ${isVisibleHit(visibility)}
    where place.store_id = ${db.store.id}
      and place.value = any(${categories.map((id) => VALUES.category + id)}::bigint[])
    group by place.value`)
  return new Map(rows.map(({ category, ...bounds }) => [category, bounds]))
})

interface RangeArgs extends PageArgs {
  currencyCode?: string | null
}

/**
 * Ranges of prices to choose from in a category: five of equal width between the lowest and the highest catalog price, in whole units of the
 * currency [our choice]. Prices of another currency follow from its rate. There is none if prices are hidden.
 */
export async function priceRangeConnection(
  caller: StorefrontCaller,
  category: number,
  { currencyCode, ...args }: RangeArgs,
) {
  const { currencies, settings } = await rulesFor(caller)
  const { enabled, standard } = currencies
  const { show_product_price, hide_price_from_guests } = settings.of(productSettings)
  const isHidden = !show_product_price || (hide_price_from_guests && !caller.customer)
  const currency = enabled.find(({ currency_code }) => currency_code === currencyCode) ?? standard
  const bounds = isHidden ? undefined : await boundsLoad.find(caller, category, undefined)
  const steps = bounds ? stepsBetween(bounds, Number(currency.currency_exchange_rate)) : []
  const ranges = steps.map(([min, max]) => ({
    ranges: { min: moneyToAnswer(currency, min), max: moneyToAnswer(currency, max) },
  }))
  return connectionOf(ranges, args)
}

/** The ranges in whole units of a currency; a single one if all prices are about the same. */
export function stepsBetween({ lowest, highest }: Bounds, rate: number): [min: number, max: number][] {
  const [from, to] = [Math.floor((lowest / UNIT) * rate), Math.ceil((highest / UNIT) * rate)]
  const count = Math.max(1, Math.min(RANGES, to - from))
  const edge = (i: number) => from + Math.round(((to - from) * i) / count)
  return Array.from({ length: count }, (_, i) => [edge(i), edge(i + 1)])
}
