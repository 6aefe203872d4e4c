import type { Db } from '../../../core/db/database.ts'
import type { Files } from '../../../core/files/files.ts'
import { findOne } from '../../../core/rest/lists/verbs.ts'
import { eraseCustomer, exportCustomer } from '../../../customers/privacy/personal-data.ts'
import { customers } from '../../../customers/row/shape.ts'
import { eraseCarts, exportCarts } from '../../../sales/carts/changes/personal-data.ts'
import { exportOrders, KEPT_ORDERS } from '../../../sales/orders/row/personal-data.ts'
import { KEPT_USES } from '../../../sales/promotions/uses/personal-data.ts'
import { KEPT_TAX_DOCUMENTS } from '../../../sales/tax/submissions/personal-data.ts'
import type { Cell } from '../../../stores/directory/directory.ts'
import { deleteRequests, requestsWith } from '../../../stores/requests/search.ts'
import { leaveCompanies } from '../../b2b/customers/deleted-customers.ts'
import { eraseFromQuotes, exportBuyer, KEPT_COMPANIES, KEPT_QUOTES } from '../../b2b/customers/personal-data.ts'

// Exports and erases all data of a customer, for the console and for the operator's commands (docs/operations.md, "A customer's data").

/**
 * All data of a customer as JSON, for a person who requests it.
 * @throws Problem 404
 */
export async function exportPerson(db: Db, cell: Cell, id: number): Promise<object> {
  const exported = await exportCustomer(db, id)
  const orders = await exportOrders(db, exported.customer)
  const carts = await exportCarts(db, exported.customer)
  return {
    ...exported,
    orders,
    carts,
    ...(await exportBuyer(db, exported.customer)),
    requests: await requestsWith(cell, db.store.id, textsOf(exported.customer.email)),
  }
}

/** The result of an erasure: numbers of deleted rows, and sentences on the rows that stay. */
interface ErasedPerson {
  id: number
  carts: number
  quotes: number
  mails: number
  stored_answers: number
  requests: number
  kept: string[]
}

/**
 * Deletes a customer and all other personal data. Data that bookkeeping needs is kept and listed.
 * @throws Problem 404
 */
export async function erasePerson(
  db: Db,
  cell: Cell,
  files: Pick<Files, 'removeOwner'>,
  id: number,
): Promise<ErasedPerson> {
  const person = await findOne(db, customers, id)
  const carts = await eraseCarts(db, person)
  const quotes = await eraseFromQuotes(db, files, person)
  const { kept, ...removed } = await eraseCustomer(db, id)
  await leaveCompanies(db, [removed.id])
  const requests = await deleteRequests(cell, db.store.id, textsOf(person.email))
  return {
    ...removed,
    carts,
    quotes,
    requests,
    kept: [...kept, KEPT_ORDERS, KEPT_USES, KEPT_TAX_DOCUMENTS, KEPT_COMPANIES, KEPT_QUOTES],
  }
}

/** An e-mail address as bodies and as paths have it. */
const textsOf = (email: string): string[] => [...new Set([email, encodeURIComponent(email)])]
