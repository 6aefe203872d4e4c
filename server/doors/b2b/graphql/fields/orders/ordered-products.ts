import { sql } from '../../../../../core/db/sql.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import type { OrderedProductRow } from '../../../../../sales/b2b/orders/ordered-products.ts'
import { mayDo } from '../../../../../sales/b2b/shared/caller.ts'
import { findWindow, when } from '../../../../../sales/b2b/shared/pages.ts'
import { channelsById } from '../../../../../shop/channels/channels.ts'
import { siteUrlOf } from '../../../../../shop/channels/sites/shape.ts'
import { type BuyerCaller, signedIn } from '../../caller.ts'
import { companiesFor, given } from '../companies.ts'
import { buyerConnection, intSeconds, windowOfPage } from '../connections.ts'
import { itemPrices, itemShopper, visibleItems } from '../products/items.ts'
import { pictureOf, priceText } from '../products/products.ts'

interface ProductArgs {
  channelId?: number | null
  offset?: number | null
  before?: string | null
  after?: string | null
  first?: number | null
  last?: number | null
  q?: string | null
  productId?: number | null
  beginDateAt?: string | null
  endDateAt?: string | null
  minOrderedTimes?: number | null
  maxOrderedTimes?: number | null
  orderBy?: string | null
}

const ORDERS: Readonly<Record<string, string>> = {
  lastOrderedAt: 'last_ordered_at',
  firstOrderedAt: 'first_ordered_at',
  productName: 'name_key',
  orderedTimes: 'ordered_times',
}

/** The products that the company has bought, or at level 1 and without a company the caller, with the prices that the caller pays now. */
export async function orderedProductPage(args: ProductArgs, caller: BuyerCaller) {
  const { db, customer, channel, buyer } = signedIn(caller)
  const [company = 0] = buyer ? companiesFor(caller, 'get_orders', undefined) : []
  const owner = buyer && mayDo(buyer, 'get_orders', company) ? 0 : customer.id
  const window = windowOfPage(args)
  const name = (args.orderBy ?? '').replace(/^-/, '')
  const direction = ORDERS[name] !== undefined && !args.orderBy?.startsWith('-') ? 'asc' : 'desc'
  const { rows, total } = await findWindow<OrderedProductRow>(
    db,
    {
      table: 'b2b_ordered_products',
      columns: sql.raw('*'),
      where: [
        sql`company_id = ${company}`,
        sql`customer_id = ${owner}`,
        ...when(given(args.q), (text) => sql`strpos(name_key, ${fold(text)}) > 0`),
        ...when(given(args.productId), (id) => sql`product_id = ${id}::numeric`),
        ...when(args.channelId ?? undefined, (id) => sql`channel_id = ${id}`),
        ...when(given(args.beginDateAt), (day) => sql`last_ordered_at >= ${`${day}T00:00:00Z`}::timestamptz`),
        ...when(
          given(args.endDateAt),
          (day) => sql`last_ordered_at < ${`${day}T00:00:00Z`}::timestamptz + interval '1 day'`,
        ),
        ...when(given(args.minOrderedTimes), (count) => sql`ordered_times >= ${count}::numeric`),
        ...when(given(args.maxOrderedTimes), (count) => sql`ordered_times <= ${count}::numeric`),
      ],
      order: sql.raw(`${ORDERS[name] ?? 'last_ordered_at'} ${direction}, variant_id, options_key`),
    },
    window,
  )
  const shopper = itemShopper(caller, db, channel)
  const items = await visibleItems(
    shopper,
    rows.map(({ variant_id }) => variant_id),
  )
  const list = [...items.values()]
  const prices = await itemPrices(
    shopper,
    list.map(({ product_id, variant_id }) => ({ product_id, variant_id })),
  )
  const priceOf = new Map(list.map((item, i) => [item.variant_id, prices[i]]))
  const channels = await channelsById(
    db,
    rows.map(({ channel_id }) => channel_id),
  )
  const site = await siteUrlOf(db, channel, caller.parts.sites)
  const nodes = rows.map((row) => {
    const item = items.get(row.variant_id)
    const price = priceOf.get(row.variant_id)
    const chosen = row.options.map(({ product_option_id, value, display_name, display_value }) => ({
      option_id: product_option_id,
      value_id: value,
      option_name: display_name,
      value_name: display_value,
    }))
    return {
      id: `${row.variant_id}${row.options_key === '' ? '' : `-${row.options_key}`}`,
      createdAt: intSeconds(row.first_ordered_at),
      updatedAt: intSeconds(row.last_ordered_at),
      productName: row.name,
      productBrandName: row.brand,
      variantSku: row.sku,
      productId: String(row.product_id),
      variantId: String(row.variant_id),
      // Unlike in lists it is no text: clients read the chosen options as an order has them.
      optionList: row.options,
      orderedTimes: String(row.ordered_times),
      firstOrderedAt: intSeconds(row.first_ordered_at),
      lastOrderedAt: intSeconds(row.last_ordered_at),
      lastOrderedItems: String(row.last_quantity),
      companyId: null,
      ordersInfo: {},
      orderProductId: String(row.order_product_id),
      sku: row.sku,
      lastOrdered: String(intSeconds(row.last_ordered_at)),
      optionSelections: chosen,
      imageUrl: item ? pictureOf(caller, item) : '',
      channelId: row.channel_id,
      channelName: channels.get(row.channel_id)?.name ?? '',
      baseSku: row.sku,
      basePrice: item ? priceText(item, price) : '',
      discount: '0',
      tax: price ? String(price.calculated_price.tax_inclusive - price.calculated_price.tax_exclusive) : '0',
      enteredInclusive: price?.calculated_price.entered_inclusive ?? false,
      productUrl: item ? `${site}${item.path}` : '',
    }
  })
  return buyerConnection(nodes, total, window)
}
