import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { repOf } from '../../../doors/b2b/staff/staff.ts'
import type { NewCompanyQuote } from '../../../sales/b2b/quotes/bodies.ts'
import { type AskingParts, askForQuote } from '../../../sales/b2b/quotes/buyers/asking.ts'
import { writeToSeller } from '../../../sales/b2b/quotes/buyers/writing.ts'
import { markOrdered } from '../../../sales/b2b/quotes/checkout.ts'
import { itemsOfLines } from '../../../sales/b2b/quotes/lines.ts'
import { createQuote, type QuoteRep, saveQuote } from '../../../sales/b2b/quotes/quote-changes.ts'
import { ARCHIVED, DRAFT, EXPIRED, NEW, ORDERED, UPDATED_BY_CUSTOMER } from '../../../sales/b2b/quotes/states.ts'
import { type Buyer, SELLER } from '../../../sales/b2b/shared/caller.ts'
import { PREDEFINED } from '../../../sales/b2b/shared/permissions.ts'
import type { NamedUser } from '../../../sales/b2b/users/user.ts'

const QUOTES = 40
const DAY_MS = 86_400_000
/** Products that quotes and lists name. */
const PRODUCTS = Array.from({ length: 40 }, (_, i) => ({ productId: i + 1 }))

/** The products of the demo store that can be bought without a choice. */
export async function productsToBuy(tx: Tx): Promise<number[]> {
  const items = await itemsOfLines(tx, PRODUCTS)
  const rows = await tx.rows<{ product_id: number }>(sql`
    select distinct product_id from modifiers where store_id = ${tx.store.id} and required`)
  const choosy = new Set(rows.map(({ product_id }) => product_id))
  return [...items.values()]
    .filter(({ is_available, options, product_id }) => is_available && options.length === 0 && !choosy.has(product_id))
    .map(({ product_id }) => product_id)
}

/** The quotes take turns. */
const TURNS = [NEW, 'in process', UPDATED_BY_CUSTOMER, ORDERED, EXPIRED, ARCHIVED, DRAFT, 'in process', NEW] as const

interface DemoQuotes {
  /** Users of approved companies. */
  users: readonly NamedUser[]
  products: readonly number[]
  /** The ids of orders by company. Each ends one quote of its company. */
  orders: ReadonlyMap<number, readonly number[]>
}

/** Quotes of companies in every state: those of buyers have the prices of the shop, and those of the seller a tenth less. */
export async function writeQuotes(tx: Tx, { users, products, orders }: DemoQuotes) {
  const rep = await repOf(tx, undefined)
  const waiting = new Map([...orders].map(([company, ids]) => [company, [...ids]]))
  for (let i = 0; i < QUOTES; i++) {
    const user = users[i % users.length]
    if (!user) return
    const turn = TURNS[i % TURNS.length]
    const productIds = [0, 1, 2].slice(0, (i % 3) + 1).map((n) => products[(i + 7 * n) % products.length] ?? 0)
    if (turn === NEW || turn === UPDATED_BY_CUSTOMER) {
      const { id } = await ask(tx, user, { productIds, units: (i % 5) + 1 }, rep)
      const writer = `${user.first_name} ${user.last_name}`
      if (turn !== NEW) await writeToSeller(tx, asBuyer(user), id, { writer, message: 'Can we have them by Friday?' })
      continue
    }
    const body = bodyOf(tx, user, { productIds, units: (i % 5) + 1, number: i })
    const quote = await createQuote(tx, SELLER, body, { rep, isDraft: turn === DRAFT })
    if (turn === ORDERED) {
      const order = waiting.get(user.company_id)?.shift()
      if (order !== undefined) await markOrdered(tx, SELLER, quote.id, String(order))
    }
    if (turn === EXPIRED) {
      await saveQuote(tx, quote, { status: EXPIRED, expires_at: toSeconds(new Date(tx.now.getTime() - 3 * DAY_MS)) })
    }
    if (turn === ARCHIVED) await saveQuote(tx, quote, { status: ARCHIVED })
  }
}

export const asBuyer = (user: NamedUser): Buyer => ({
  kind: 'buyer',
  userId: user.id,
  companyId: user.company_id,
  subsidiaries: new Set(),
  grants: PREDEFINED.Admin,
})

interface Wanted {
  productIds: readonly number[]
  units: number
}

function ask(tx: Tx, user: NamedUser, { productIds, units }: Wanted, rep: QuoteRep | undefined) {
  const name = `${user.first_name} ${user.last_name}`
  const parts: AskingParts = {
    rep,
    expiryDays: 30,
    takesUnavailable: false,
    visibleProducts: async (_, ids) => new Set(ids),
  }
  const asker = { caller: asBuyer(user), companyId: user.company_id, customerId: user.customer_id, name }
  const lines = productIds.map((productId) => ({ productId, quantity: units }))
  return askForQuote(tx, asker, { contact: { name, email: user.email }, lines, quoteTitle: 'For the season' }, parts)
}

function bodyOf(tx: Tx, user: NamedUser, { productIds, units, number }: Wanted & { number: number }): NewCompanyQuote {
  const [base, offered] = [20 + number, Math.round(90 * (20 + number)) / 100]
  const count = productIds.length * units
  const day = new Date(tx.now.getTime() + 30 * DAY_MS)
  const total = Math.round(offered * count * 100) / 100
  return {
    companyId: user.company_id,
    quoteTitle: `Offer ${number + 1}`,
    contactInfo: { name: `${user.first_name} ${user.last_name}`, email: user.email },
    expiredAt: `${day.getUTCMonth() + 1}/${day.getUTCDate()}/${day.getUTCFullYear()}`,
    subtotal: base * count,
    discount: Math.round((base - offered) * count * 100) / 100,
    grandTotal: total,
    message: 'A tenth less for your next order.',
    productList: productIds.map((productId) => ({
      productId,
      sku: '',
      basePrice: base,
      discount: Math.round((base - offered) * 100) / 100,
      offeredPrice: offered,
      quantity: units,
    })),
  }
}
