import type { Row } from '../../bundle.ts'
import { type BundleKind, objectIn, only, rowsIn } from '../kind.ts'
import { API, companion, withExtraFields } from './companion.ts'

/**
 * Invoices of companies with the payments that lower them. An invoice is created with all of its amount open, its payments are made again in
 * their order, and then it gets the open balance that it had. Receipts follow from payments.
 */

const INVOICE = [
  'id',
  'customerId',
  'externalCustomerId',
  'externalId',
  'invoiceNumber',
  'type',
  'dueDate',
  'issuedAt',
  'orderNumber',
  'purchaseOrderNumber',
  'details',
  'source',
  'originalBalance',
  'openBalance',
  'channelId',
  'termsConditions',
  'extraFields',
] as const

const PAYMENT = [
  'id',
  'customerId',
  'externalId',
  'externalCustomerId',
  'payerName',
  'payerCustomerId',
  'details',
  'processingStatus',
  'appliedStatus',
  'channelId',
] as const

/** A payment that a buyer has begun and not made. */
const INCOMPLETE = 0

export const invoiceKinds: readonly BundleKind[] = [
  companion({
    name: 'invoices',
    list: `${API}/ip/invoices?isIncludeExtraFields=true&sortBy=id&orderBy=ASC`,
    paging: 'offsets',
    refs: { customerId: 'companies', channelId: 'channels' },
    neededRefs: ['customerId'],
    toBundle: (row) => withExtraFields(only(row, INVOICE)),
    create: { path: `${API}/ip/invoices`, body: newInvoice, second: (body) => ({ ...body, extraFields: [] }) },
  }),
  companion({
    name: 'invoice-payments',
    list: `${API}/ip/payments?sortBy=id&orderBy=ASC`,
    paging: 'offsets',
    refs: ({ customerId, payerCustomerId }) => ({
      customerId: 'companies',
      ...(payerCustomerId === customerId ? { payerCustomerId: 'companies' } : {}),
      channelId: 'channels',
      'lineItems[].invoiceId': 'invoices',
    }),
    neededRefs: ['customerId', 'lineItems[].invoiceId'],
    toBundle: paymentToBundle,
    create: { path: `${API}/ip/payments/offline`, by: 'invoice payments' },
  }),
]

/** The channel of an answer is a text, and empty without one. */
export const channelIn = ({ channelId }: Row): Row => ((channelId ?? '') === '' ? {} : { channelId: Number(channelId) })

function newInvoice({ channelId, openBalance: _, ...invoice }: Row): Row {
  return { ...invoice, ...channelIn({ channelId }), openBalance: invoice.originalBalance }
}

function paymentToBundle(payment: Row): Row | undefined {
  if (payment.processingStatus === INCOMPLETE) return undefined
  const lines = rowsIn(payment.lineItems)
  return {
    ...only(payment, PAYMENT),
    currency: objectIn(payment.total).code,
    lineItems: lines.map(({ invoiceId, amount }) => ({ invoiceId, amount: objectIn(amount).value })),
  }
}
