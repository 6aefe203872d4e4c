import { type Db, prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { amountOf, type Units, unitsOf } from '../../../../../core/money/units.ts'
import { type CompanyRow, epochSeconds } from '../../../../../sales/b2b/companies/company.ts'
import { itemsOfList, type ListItemRow, listItems } from '../../../../../sales/b2b/lists/items.ts'
import type { ShoppingListRow } from '../../../../../sales/b2b/lists/list.ts'
import { APPROVED_LIST } from '../../../../../sales/b2b/lists/states.ts'
import { roleNumber } from '../../../../../sales/b2b/roles/roles.ts'
import type { Window } from '../../../../../sales/b2b/shared/pages.ts'
import { channelNamesColumn } from '../../../../../shop/channels/channels.ts'
import { type Currency, currencyRows, pairOf } from '../../../../../shop/channels/currencies/shape.ts'
import { siteOf, urlOfSite } from '../../../../../shop/channels/sites/shape.ts'
import { type BuyerCaller, signedIn } from '../../caller.ts'
import type { BuyerFields } from '../../types.ts'
import { given } from '../companies.ts'
import { buyerConnection, windowOfPage } from '../connections.ts'
import { itemPrices, itemShopper, type PricedConfiguration, type VisibleItem, visibleItems } from '../products/items.ts'
import { pictureOf } from '../products/products.ts'
import { companyInfoToAnswer } from '../users.ts'

// Shopping lists in answers (docs/contract/b2b-graphql.md section 14). Prices are those of the acting company now.

interface PageArgs {
  offset?: number | null
  before?: string | null
  after?: string | null
  first?: number | null
  last?: number | null
  search?: string | null
}

/** Lists of a company, in the same order. */
export async function listsToBuyers(caller: BuyerCaller, rows: readonly ShoppingListRow[]) {
  const { db, customer } = signedIn(caller)
  const { companies, owners, channels } = await namesOf(db, rows)
  return listsWithItems(caller, rows, channels).map((list) => {
    const owner = owners.find(({ id }) => id === list.row.customer_id)
    const company = companies.find(({ id }) => id === list.row.company_id)
    return {
      ...list,
      status: list.row.status,
      approvedFlag: list.row.status === APPROVED_LIST,
      customerInfo: owner
        ? {
            firstName: owner.first_name,
            lastName: owner.last_name,
            userId: owner.user_id,
            email: owner.email,
            role: String(roleNumber(owner.role)),
          }
        : null,
      isOwner: list.row.customer_id === customer.id,
      companyInfo: company ? companyInfoToAnswer(company) : null,
    }
  })
}

/** Lists of a customer, in the same order. Items and their prices are read if they are asked for. */
export async function customerListsToAnswer(caller: BuyerCaller, rows: readonly ShoppingListRow[]) {
  const { channels } = await namesOf(signedIn(caller).db, rows)
  return listsWithItems(caller, rows, channels)
}

function listsWithItems(caller: BuyerCaller, rows: readonly ShoppingListRow[], channels: ListNames['channels']) {
  const { db } = signedIn(caller)
  const pages = itemPages(
    caller,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    let priced: Promise<PricedItem[]> | undefined
    return {
      row,
      id: String(row.id),
      createdAt: epochSeconds(row.created_at),
      updatedAt: epochSeconds(row.updated_at),
      name: row.name,
      description: row.description,
      reason: null,
      pages,
      /** All items with their prices, read once. */
      priced() {
        priced ??= itemsOfList(db, row.id).then((items) => pricedItems(caller, items))
        return priced
      },
      channelId: row.channel_id,
      channelName: channels.find(({ id }) => id === row.channel_id)?.name ?? '',
    }
  })
}

type CustomerList = Awaited<ReturnType<typeof customerListsToAnswer>>[number]
type BuyerList = Awaited<ReturnType<typeof listsToBuyers>>[number]

declare module '../../types.ts' {
  interface BuyerParents {
    ShoppingListType: BuyerList
    ShoppingListPageType: BuyerList
    CustomerShoppingListType: CustomerList
    CustomerShoppingListPageType: CustomerList
  }
}

/** The items and the sums of one list. The sums contain tax. */
const ofOne = {
  async products({ priced }: CustomerList, args: PageArgs, caller: BuyerCaller) {
    const window = windowOfPage(args)
    const text = given(args.search)?.toLowerCase()
    const all = (await priced()).filter(
      ({ item }) => text === undefined || `${item?.name}\n${item?.sku}`.toLowerCase().includes(text),
    )
    const page = all.slice(window.offset, window.offset + window.limit)
    return buyerConnection(await pricedToAnswer(caller, page), all.length, window)
  },
  grandTotal: (list: CustomerList, _: object, caller: BuyerCaller) =>
    sumOf(list, caller, ({ price }) => price?.calculated_price.tax_inclusive ?? 0),
  totalTax: (list: CustomerList, _: object, caller: BuyerCaller) =>
    sumOf(list, caller, ({ price }) => taxOfUnit(price)),
  totalDiscount: () => '0',
  isShowGrandTotal: async ({ priced }: CustomerList) => (await priced()).every(({ price }) => price !== undefined),
}

/** The items of a list among others, without prices: one statement reads those of all lists. */
const ofMany = {
  async products({ row, pages }: CustomerList, args: PageArgs) {
    const window = windowOfPage(args)
    const { items, total } = (await pages(window)).get(row.id) ?? { items: [], total: 0 }
    return buyerConnection(items.map(itemToAnswer), total, window)
  },
}

export const listFields: BuyerFields<
  'ShoppingListType' | 'ShoppingListPageType' | 'CustomerShoppingListType' | 'CustomerShoppingListPageType'
> = {
  ShoppingListType: ofOne,
  ShoppingListPageType: ofMany,
  CustomerShoppingListType: ofOne,
  CustomerShoppingListPageType: ofMany,
}

/** The companies, customers and channels of lists. */
interface ListNames {
  companies: CompanyRow[]
  /** Customers with their users. */
  owners: { id: number; first_name: string; last_name: string; email: string; user_id: number; role: number }[]
  channels: { id: number; name: string }[]
}

async function namesOf(db: Db, rows: readonly ShoppingListRow[]): Promise<ListNames> {
  const { id: store } = db.store
  const idsOf = (field: 'company_id' | 'customer_id' | 'channel_id') => [...new Set(rows.map((row) => row[field]))]
  const found = await db.row<{ [Kind in keyof ListNames]: ListNames[Kind] | null }>(
    prepared(sql`
    select (
      select jsonb_agg(to_jsonb(c)) from companies c where c.store_id = ${store} and c.id = any(${idsOf('company_id')}::int[])
    ) as companies, (
      select jsonb_agg(jsonb_build_object('id', p.id, 'first_name', p.first_name, 'last_name', p.last_name, 'email', p.email,
        'user_id', coalesce(u.id, 0), 'role', coalesce(u.company_role_id, 1)))
      from customers p left join company_users u on u.store_id = ${store} and u.customer_id = p.id
      where p.store_id = ${store} and p.id = any(${idsOf('customer_id')}::int[])
    ) as owners, ${channelNamesColumn(db, sql`${JSON.stringify(idsOf('channel_id'))}::jsonb`)} as channels`),
  )
  return { companies: found.companies ?? [], owners: found.owners ?? [], channels: found.channels ?? [] }
}

interface ItemPage {
  items: readonly PlainItem[]
  total: number
}

type PlainItem = ListItemRow & { sku: string }

/** Reads the same page of the items of several lists with one statement, once for each page that is asked for. */
function itemPages(caller: BuyerCaller, listIds: readonly number[]) {
  const known = new Map<string, Promise<ReadonlyMap<number, ItemPage>>>()
  return (window: Window) => {
    const key = `${window.offset}:${window.limit}`
    const page = known.get(key) ?? readPages(caller, listIds, window)
    known.set(key, page)
    return page
  }
}

async function readPages(
  caller: BuyerCaller,
  listIds: readonly number[],
  { offset, limit }: Window,
): Promise<ReadonlyMap<number, ItemPage>> {
  const { db, channel } = signedIn(caller)
  const rows = await db.rows<ListItemRow & { total: number; place: number }>(sql`
    select * from (
      select ${columns}, (count(*) over (partition by list_id))::int as total,
        (row_number() over (partition by list_id order by sort_order, id))::int as place
      from ${sql.id(listItems.table)} where store_id = ${db.store.id} and list_id = any(${[...listIds]}::int[])
    ) item
    where place = 1 or (place > ${offset} and place <= ${offset + limit}) order by list_id, place`)
  const visible = await visibleItems(
    itemShopper(caller, db, channel),
    rows.map(({ variant_id }) => variant_id),
  )
  const pages = new Map<number, { items: PlainItem[]; total: number }>()
  for (const { total, place, ...row } of rows) {
    const page = pages.get(row.list_id) ?? { items: [], total }
    pages.set(row.list_id, page)
    if (place > offset) page.items.push({ ...row, sku: visible.get(row.variant_id)?.sku ?? '' })
  }
  return pages
}

const columns = sql.join(listItems.columns.map(sql.id))

/** An item with its variant and its price; undefined if the product is hidden or deleted, or its price is hidden. */
interface PricedItem {
  row: ListItemRow
  item: VisibleItem | undefined
  price: Awaited<ReturnType<typeof itemPrices>>[number]
}

async function pricedItems(caller: BuyerCaller, rows: readonly ListItemRow[]): Promise<PricedItem[]> {
  const { db, channel } = signedIn(caller)
  const shopper = itemShopper(caller, db, channel)
  const items = await visibleItems(
    shopper,
    rows.map(({ variant_id }) => variant_id),
  )
  const visible = rows.filter(({ variant_id }) => items.get(variant_id)?.is_price_hidden === false)
  const { currency } = await shopOf(caller)
  const prices = await itemPrices(shopper, visible.map(configurationOf), currency.currency_code)
  const priceOf = new Map(visible.map((row, i) => [row.id, prices[i]]))
  return rows.map((row) => ({ row, item: items.get(row.variant_id), price: priceOf.get(row.id) }))
}

/** Clients name options as `attribute[7]`. Values that are no ids belong to modifiers that take any text. */
const configurationOf = ({ product_id, variant_id, options }: ListItemRow): PricedConfiguration => ({
  product_id,
  variant_id,
  options: options.flatMap(({ optionId, optionValue }) => {
    const [, option] = /(\d{1,9})/.exec(optionId) ?? []
    return option !== undefined && /^\d{1,9}$/.test(optionValue)
      ? [{ option_id: Number(option), value_id: Number(optionValue) }]
      : []
  }),
})

const taxOfUnit = (price: PricedItem['price']): number =>
  price ? amountOf(unitsOf(price.calculated_price.tax_inclusive) - unitsOf(price.calculated_price.tax_exclusive)) : 0

async function sumOf({ priced }: CustomerList, caller: BuyerCaller, amount: (item: PricedItem) => number) {
  const { currency } = await shopOf(caller)
  const sum = (await priced()).reduce<Units>(
    (units, item) => units + unitsOf(amount(item)) * BigInt(item.row.quantity),
    0n,
  )
  return amountOf(sum).toFixed(currency.decimal_places)
}

/** Items of lists with their products and prices, in the same order. */
export const itemsToAnswer = async (caller: BuyerCaller, rows: readonly ListItemRow[]) =>
  pricedToAnswer(caller, await pricedItems(caller, rows))

/** The currency of the store, and the address of the pages of the shop. */
async function shopOf(caller: BuyerCaller) {
  const { db, channel } = signedIn(caller)
  const { currencies, site } = await db.row<{ currencies: Currency[]; site: Parameters<typeof urlOfSite>[1] }>(
    prepared(sql`
    select ${currencyRows(db, undefined)} as currencies, (${siteOf(db, sql`${channel}::bigint`)}) as site`),
  )
  return { currency: pairOf(currencies, undefined).standard, site: urlOfSite(db.store, site, caller.parts.sites) }
}

async function pricedToAnswer(caller: BuyerCaller, priced: readonly PricedItem[]) {
  const { currency, site } = await shopOf(caller)
  const { decimal_places } = currency
  return priced.map(({ row, item, price }) => ({
    ...itemToAnswer({ ...row, sku: item?.sku ?? '' }),
    productName: item?.name ?? '',
    baseSku: item?.sku ?? '',
    variantSku: item?.sku ?? '',
    basePrice: price ? price.calculated_price.as_entered.toFixed(decimal_places) : '',
    discount: '0',
    tax: taxOfUnit(price).toFixed(decimal_places),
    enteredInclusive: price?.calculated_price.entered_inclusive ?? false,
    productUrl: item ? `${site}${item.path}` : '',
    primaryImage: item ? pictureOf(caller, item) : '',
    sortOrder: row.sort_order,
  }))
}

const itemToAnswer = (row: PlainItem) => ({
  id: String(row.id),
  // Items have no times of their own.
  createdAt: 0,
  updatedAt: 0,
  productId: row.product_id,
  variantId: row.variant_id,
  quantity: row.quantity,
  // Clients parse a text.
  optionList: JSON.stringify(
    row.options.map(({ optionId, optionValue }) => ({ option_id: optionId, option_value: optionValue })),
  ),
  itemId: row.id,
  productSku: row.sku,
  productNote: row.product_note,
})
