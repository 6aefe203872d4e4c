import type { Db, Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { remove } from '../../../core/rest/lists/verbs.ts'
import { exportedRows } from '../../../customers/privacy/personal-data.ts'
import { detachAllFromQuote } from '../../../sales/b2b/portal/quote-files.ts'
import { publishQuote, type QuoteRow, quotes } from '../../../sales/b2b/quotes/quote.ts'
import { saveQuote } from '../../../sales/b2b/quotes/quote-changes.ts'
import { ORDERED } from '../../../sales/b2b/quotes/states.ts'
import { deleteTexts } from '../../../sales/b2b/shared/texts.ts'

// The personal data in the companion API, for the operator's commands (docs/operations.md, "A customer's data").

interface Person {
  id: number
  email: string
}

/** The quotes of a customer, and those whose contact has its e-mail address. */
const quotesOf = ({ id, email }: Person): Sql => sql`
  (customer_id = ${id} or lower(contact ->> 'email') = ${email.toLowerCase()})`

/** Exports the company user or the super admin of a customer, the company, quotes, lists and orders, and the sign-ins without their tokens. */
export async function exportBuyer(db: Db, person: Person) {
  const ofCustomer = sql`customer_id = ${person.id}`
  const users = await exportedRows(db, 'company_users', ofCustomer)
  const companies = users.map(({ company_id }) => Number(company_id))
  const lists = await exportedRows(db, 'b2b_shopping_lists', ofCustomer)
  return {
    company_users: users,
    b2b_super_admins: await exportedRows(db, 'b2b_super_admins', ofCustomer),
    companies: await db.rows(sql`
      select id, company_name from companies where store_id = ${db.store.id} and id = any(${companies}::int[])`),
    b2b_quotes: await exportedRows(db, 'b2b_quotes', quotesOf(person)),
    b2b_shopping_lists: lists,
    b2b_shopping_list_items: await exportedRows(
      db,
      'b2b_shopping_list_items',
      sql`list_id = any(${lists.map(({ id }) => Number(id))}::int[])`,
    ),
    b2b_orders: await exportedRows(db, 'b2b_orders', ofCustomer),
    b2b_sign_ins: await db.rows(sql`
      select channel_id, begins_at, ends_at, created_at from b2b_storefront_tokens
      where store_id = ${db.store.id} and customer_id = ${person.id} order by created_at`),
  }
}

const QUOTES_AT_ONCE = 50

/**
 * Erases a person from quotes. A quote without a company is deleted, unless it is ordered. Of other quotes the prices stay, which
 * bookkeeping and the company need; contact, addresses, messages, names and files are deleted. Call it before the customer is deleted.
 * @returns the number of quotes
 */
export async function eraseFromQuotes(db: Db, files: Pick<Files, 'removeOwner'>, person: Person): Promise<number> {
  let erased = 0
  for (let piece = QUOTES_AT_ONCE; piece === QUOTES_AT_ONCE; erased += piece) {
    piece = await db.transaction(async (tx) => {
      await lockCounters(tx, [quotes.table])
      const columns = sql.join(quotes.columns.map(sql.id))
      const found = await tx.rows<QuoteRow>(sql`
        select ${columns} from b2b_quotes where store_id = ${tx.store.id} and ${quotesOf(person)}
        order by id limit ${QUOTES_AT_ONCE} for update`)
      for (const quote of found) await eraseFrom(tx, files, quote, person)
      return found.length
    })
  }
  return erased
}

async function eraseFrom(tx: Tx, files: Pick<Files, 'removeOwner'>, quote: QuoteRow, { id, email }: Person) {
  await detachAllFromQuote(tx, files, quote.id)
  if (quote.company_id === 0 && quote.status !== ORDERED) {
    await remove(tx, quotes, quote.id)
    await deleteTexts(tx, 'quote', quote.id)
    publishQuote(tx, 'deleted', quote)
    return
  }
  const isOwn = quote.customer_id === id || fold(quote.contact.email) === fold(email)
  await saveQuote(tx, quote, {
    contact: { name: '', email: '' },
    shipping_address: {},
    billing_address: {},
    recipients: [],
    history: [],
    read_by_buyer: 0,
    read_by_seller: 0,
    ...(isOwn ? { user_id: 0, customer_id: 0 } : {}),
    ...(quote.status === 0 || quote.created_by === quote.contact.name ? { created_by: '' } : {}),
  })
}

/** The data of companies that an erasure keeps. */
export const KEPT_COMPANIES =
  'companies: the name, the address, the telephone number and the e-mail address of a company, as its users wrote them'
/** The data of quotes and orders that an erasure keeps. */
export const KEPT_QUOTES =
  'b2b_quotes, b2b_orders: prices, notes and purchase order numbers of companies and of ordered quotes, without names and addresses'
