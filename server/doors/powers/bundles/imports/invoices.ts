import { isObject } from '../../../../core/objects.ts'
import type { Row } from '../bundle.ts'
import { API } from '../kinds/companies/companion.ts'
import { channelIn } from '../kinds/companies/invoices.ts'
import { type BundleKind, without } from '../kinds/kind.ts'
import type { ImportWork } from './work.ts'

/** Payments of invoices are made again, and then undone as far as they were. At the end each invoice gets the open balance that it had. */

const COMPLETED = 3
const REFUNDED = 4
/** Adds the amounts of a payment back to its invoices. */
const REVERT = 1

export async function importInvoicePayments(work: ImportWork, kind: BundleKind, rows: AsyncIterable<Row>) {
  for await (const row of rows) {
    if (!work.ids.has(kind.name, row.id)) await createPayment(work, kind, row)
    if (work.ids.has(kind.name, row.id)) work.count(kind)
    await work.ids.flush()
  }
  for await (const invoice of work.bundle.rows('companies/invoices')) await setOpenBalance(work, invoice)
}

async function createPayment(work: ImportWork, kind: BundleKind, row: Row) {
  const missing = work.missingRef(kind, row)
  if (missing !== undefined)
    return work.refuse(kind, row.id, {
      status: 0,
      body: { title: `It needs a row that is not in the store (${missing}).` },
    })
  const { processingStatus, appliedStatus, channelId, ...payment } = without(work.mapped(kind, row), 'id')
  const isUndone = processingStatus === REFUNDED || (processingStatus === COMPLETED && appliedStatus !== 1)
  const texts = Object.fromEntries(Object.entries(payment).filter(([, value]) => value !== null))
  const body = { ...texts, ...channelIn({ channelId }), processingStatus: isUndone ? COMPLETED : processingStatus }
  const made = await work.send({ method: 'POST', path: `${API}/ip/payments/offline`, body }, `${kind.name} ${row.id}`)
  if (made.status >= 400) return work.refuse(kind, row.id, made)
  const id = isObject(made.body) && isObject(made.body.data) ? made.body.data.paymentId : undefined
  const path = `${API}/ip/payments/${id}`
  if (processingStatus === REFUNDED)
    await work.send({ method: 'PUT', path: `${path}/processing-status`, body: { processingStatus } })
  else if (isUndone) await work.send({ method: 'POST', path: `${path}/operations`, body: { operationCode: REVERT } })
  work.ids.set(kind.name, row.id, id)
}

async function setOpenBalance(work: ImportWork, invoice: Row) {
  const id = work.ids.find('invoices', invoice.id)
  if (id === undefined || work.ids.has('invoice-balances', invoice.id)) return
  const { openBalance } = invoice
  const answer = await work.send({ method: 'PUT', path: `${API}/ip/invoices/${id}`, body: { openBalance } })
  if (answer.status >= 400) return work.refuse({ name: 'invoices' }, invoice.id, answer)
  work.ids.set('invoice-balances', invoice.id, id)
  await work.ids.flush()
}
