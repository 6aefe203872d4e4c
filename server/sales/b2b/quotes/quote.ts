import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { ID_MAX, Id, Moment, nullable } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import { TextOf } from '../companies/company.ts'
import { ExtraValues } from '../extra-fields/values.ts'
import { type CompanyCaller, type CompanyReader, isOfSeller, reachableBy, unreachable } from '../shared/caller.ts'
import { denied } from '../shared/refusals.ts'
import { ARCHIVED, DRAFT, quoteStatusAt } from './states.ts'

/**
 * A quote: prices that the seller offers a buyer until a day.
 *
 * A buyer asks for a quote, or the seller makes one over REST. Each line has an offered price, which may differ from the price of the
 * catalog. The quote is a document: it keeps the names of its company, its sales representative and its products as they were when it
 * was written. While it is open, the seller may change it, the buyer may answer, and it can be checked out into carts at the offered
 * prices. It ends when it is ordered, when its last day is over, or when it is archived; an ordered or archived quote never changes
 * again. It is linked to at most one order, and the order to no other quote. It outlives its company.
 */
export const QuoteOption = t.Object(
  {
    optionId: t.Integer({ minimum: 0, maximum: ID_MAX }),
    optionValue: t.String({ maxLength: 1_000 }),
    optionLabel: t.Optional(TextOf(255)),
    optionName: t.Optional(TextOf(255)),
  },
  { title: 'QuoteOption' },
)

const Line = t.Object({
  productId: Id,
  variantId: Id,
  productName: t.String(),
  sku: t.String(),
  basePrice: t.Number(),
  discount: t.Number(),
  offeredPrice: t.Number(),
  quantity: t.Integer(),
  orderQuantityMinimum: t.Integer(),
  orderQuantityMaximum: t.Integer(),
  imageUrl: t.String(),
  options: t.Array(QuoteOption),
  /** Whether it becomes a custom item of a cart, because its product could not be bought. */
  purchasedHandled: t.Boolean(),
})
export type QuoteLine = Static<typeof Line>

/** The format of amounts. */
export const QuoteCurrency = t.Object(
  {
    token: t.String({ maxLength: 4 }),
    location: t.Enum(['left', 'right']),
    currencyCode: t.String({ maxLength: 3 }),
    decimalToken: t.String({ maxLength: 4 }),
    decimalPlaces: t.Integer({ minimum: 0, maximum: 8 }),
    thousandsToken: t.String({ maxLength: 4 }),
    currencyExchangeRate: t.Number({ minimum: 0 }),
  },
  { title: 'QuoteCurrency' },
)
export type QuoteCurrency = Static<typeof QuoteCurrency>

export const QuoteAddress = t.Object(
  {
    address: t.Optional(TextOf(255)),
    apartment: t.Optional(TextOf(255)),
    city: t.Optional(TextOf(100)),
    state: t.Optional(TextOf(100)),
    zipCode: t.Optional(TextOf(50)),
    country: t.Optional(TextOf(100)),
    label: t.Optional(TextOf(255)),
    firstName: t.Optional(TextOf(255)),
    lastName: t.Optional(TextOf(255)),
    addressId: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX })),
    stateCode: t.Optional(TextOf(50)),
    countryCode: t.Optional(TextOf(3)),
  },
  { title: 'QuoteAddress' },
)
export type QuoteAddress = Static<typeof QuoteAddress>

export const QuoteContact = t.Object(
  {
    name: t.String(),
    email: t.String(),
    companyName: t.Optional(TextOf(255)),
    phoneNumber: t.Optional(TextOf(50)),
  },
  { title: 'QuoteContact' },
)

/** The chosen way to ship. */
export const QuoteShipping = t.Object(
  {
    id: t.String(),
    type: t.String({ description: 'custom, shipping_ with a method of the store, or provider_ with a carrier' }),
    isCustom: t.Boolean(),
    description: t.String(),
    additionalDescription: t.String(),
    transitTime: t.String(),
    imageUrl: t.String(),
    cost: t.Number(),
  },
  { title: 'QuoteShipping' },
)
export type QuoteShipping = Static<typeof QuoteShipping>

/** A message between the buyer and the seller. */
const Message = t.Object({
  date: t.Integer(),
  /** The name of the writer as clients show it. */
  role: t.String(),
  message: t.String(),
  by: t.Enum(['buyer', 'seller']),
})
export type QuoteMessageRow = Static<typeof Message>

const Row = t.Object({
  id: Id,
  quote_uuid: t.String(),
  quote_number: t.String(),
  status: t.Integer(),
  channel_id: ChannelId,
  company_id: t.Integer(),
  company_name: t.String(),
  user_id: t.Integer(),
  customer_id: t.Integer(),
  quote_title: t.String(),
  reference_number: t.String(),
  sales_rep: t.String(),
  sales_rep_email: t.String(),
  created_by: t.String(),
  currency_code: t.String(),
  currency: QuoteCurrency,
  subtotal: t.Number(),
  discount: t.Number(),
  discount_type: t.Integer(),
  discount_value: nullable(t.Number()),
  shipping_total: t.Number(),
  tax_total: t.Number(),
  grand_total: t.Number(),
  total_amount: t.Number(),
  notes: t.String(),
  legal_terms: t.String(),
  display_discount: t.Boolean(),
  allow_checkout: t.Boolean(),
  contact: QuoteContact,
  shipping_address: QuoteAddress,
  billing_address: QuoteAddress,
  shipping_method: t.Unsafe<QuoteShipping | null>({ ...QuoteShipping, type: ['object', 'null'] }),
  recipients: t.Array(t.String()),
  history: t.Array(Message),
  /** The number of first messages of the history that the buyer, and the seller, has read. */
  read_by_buyer: t.Integer(),
  read_by_seller: t.Integer(),
  /** When a mail about messages was sent last; null for never. */
  buyer_mailed_at: nullable(Moment),
  seller_mailed_at: nullable(Moment),
  lines: t.Array(Line),
  extra_values: ExtraValues,
  order_id: t.Integer(),
  expires_at: Moment,
  created_at: Moment,
  updated_at: Moment,
})
export type QuoteRow = Static<typeof Row>

export const quotes = collection('b2b_quotes', Row, {
  noun: 'quote',
  filters: '',
  twins: ['quote_number', 'company_name', 'quote_title', 'sales_rep', 'created_by'],
  conflicts: { b2b_quotes_order_unique: ['Another quote is linked to this order.', 'orderId'] },
})

const columns = sql.join(quotes.columns.map(sql.id))

/** The quotes that a caller may read. Drafts and archived quotes are nowhere for buyers. */
export function quotesWithin(caller: CompanyReader, code: string): Sql {
  const own = ownQuotes(caller, code)
  return isOfSeller(caller) ? own : sql`(${own} and status not in (${ARCHIVED}, ${DRAFT}))`
}

function ownQuotes(caller: CompanyReader, code: string): Sql {
  if (caller.kind === 'customer') return sql`(company_id = 0 and customer_id = ${caller.customerId})`
  if (caller.kind === 'guest') return sql`(company_id = 0 and customer_id = 0 and quote_uuid = ${caller.quote})`
  return reachableBy(caller, code, sql`company_id`, sql`user_id`)
}

/**
 * Reads a quote. Its status is the one at this moment: an open quote whose last day is over counts as expired.
 * @param code the permission that a buyer needs
 * @throws Problem 404, 403
 */
export const findQuote = (
  db: Db,
  caller: CompanyCaller,
  { id, now, code = 'get_quote_detail' }: { id: number; now: Date; code?: string },
): Promise<QuoteRow> => reachableQuote(db, caller, { id, code, now }, sql.empty)

/**
 * Locks a quote for a change, as `findQuote` reads it.
 * @throws Problem 404, 403
 */
export const lockQuote = (tx: Tx, caller: CompanyCaller, id: number, code: string): Promise<QuoteRow> =>
  reachableQuote(tx, caller, { id, code, now: tx.now }, sql`for update`)

/**
 * As `lockQuote`, for a change that only the seller makes.
 * @throws Problem 404, 403
 */
export function lockQuoteOfSeller(tx: Tx, caller: CompanyCaller, id: number): Promise<QuoteRow> {
  if (!isOfSeller(caller)) throw denied()
  return lockQuote(tx, caller, id, 'update_quote_message')
}

async function reachableQuote(
  db: Db,
  caller: CompanyCaller,
  { id, code, now }: { id: number; code: string; now: Date },
  tail: Sql,
): Promise<QuoteRow> {
  const found = await db.maybeRow<QuoteRow>(sql`
    select ${columns} from b2b_quotes
    where store_id = ${db.store.id} and id = ${id} and ${quotesWithin(caller, code)} ${tail}`)
  if (!found) throw unreachable(caller, notFound(quotes.noun, id))
  return { ...found, status: quoteStatusAt(found, now) }
}

/** Counts a new or deleted quote of a company. The caller has locked the counter of quotes. A deleted company counts nothing. */
export async function countQuote(tx: Tx, { company_id }: Pick<QuoteRow, 'company_id'>, more: 1 | -1) {
  if (company_id === 0) return
  await tx.rows(
    prepared(sql`
    update companies set quotes_total = quotes_total + ${more}::int
    where store_id = ${tx.store.id} and id = ${company_id} returning id`),
  )
}

/**
 * The number of quotes of companies. Counting the quotes of a thousand companies takes longer than a page of them.
 * @param companies a statement that reads the ids of the companies
 */
export const totalOfCompanies = ({ store }: Pick<Db, 'store'>, companies: Sql): Sql => sql`
  select coalesce(sum(quotes_total), 0)::int as total from companies
  where store_id = ${store.id} and id in (${companies})`

/** From this number of companies on, a page of their quotes is found by time, past the quotes of others. */
const MANY_COMPANIES = 200

/** Whether a representative sees many companies. @param companies a statement that reads their ids */
export async function seesManyCompanies(db: Db, companies: Sql): Promise<boolean> {
  const some = await db.rows(prepared(sql`select 1 from (${companies} offset ${MANY_COMPANIES} limit 1) one`))
  return some.length > 0
}

/** Publishes an event of a quote (docs/contract/b2b-quotes.md section 8). */
export function publishQuote(
  tx: Tx,
  change: 'created' | 'updated' | 'statusUpdated' | 'deleted',
  { id: quote_id, quote_uuid }: Pick<QuoteRow, 'id' | 'quote_uuid'>,
) {
  publish(tx, `store/quote/${change}`, `quote ${quote_id}`, { quote_id, quote_uuid })
}
