import { Problem } from '../../../../../core/rest/problem.ts'
import { mailedDay } from '../../../../../sales/orders/writing/status/mail-data.ts'
import { type CertificateRow, certificateWithCode } from '../../../../../sales/promotions/certificates.ts'
import type { Currency } from '../../../../../shop/channels/currencies/shape.ts'
import { previewOf } from '../../../../../shop/emails/preview/preview.ts'
import { RenderersBusy } from '../../../../../shop/templates/renderers.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { SchemaInputs } from '../../schema-types.ts'
import type { Fields } from '../../types.ts'
import { moneyToAnswer } from '../money/money.ts'
import { limitCalls, type ValidationError, validationError } from '../result-errors.ts'
import { currenciesFor } from '../shop.ts'
import { themeOf } from './carts/cart.ts'

// Gift certificates for whoever knows their codes, and previews of those that a shopper is about to buy
// (docs/contract/storefront-purchases.md section 8).

const MESSAGE_MAX = 200
const NAME_MAX = 255
const STATUSES = { active: 'ACTIVE', disabled: 'DISABLED', expired: 'EXPIRED', pending: 'PENDING' } as const

type CertificateView = ReturnType<typeof toView>

declare module '../../types.ts' {
  interface Parents {
    GiftCertificate: CertificateView
  }
}

function toView(row: CertificateRow, currency: Currency) {
  const moment = (text: string) => ({ utc: new Date(text).toISOString() })
  return {
    row,
    amount: moneyToAnswer(currency, row.amount),
    balance: moneyToAnswer(currency, row.balance),
    code: row.code,
    currencyCode: row.currency_code,
    message: row.message || null,
    status: STATUSES[row.status],
    recipient: { name: row.to_name, email: row.to_email },
    sender: { name: row.from_name, email: row.from_email },
    purchasedAt: moment(row.purchase_date),
    expiresAt: row.expiry_date === null ? null : moment(row.expiry_date),
    theme: themeOf(row.template.replace('.html', '')),
  }
}

/** The certificate with a code, if its currency is one of the store. Tries are counted, since codes could be guessed. */
export async function findGiftCertificate(caller: StorefrontCaller, code: string): Promise<CertificateView | null> {
  await limitCalls(caller)
  const [found, currencies] = await Promise.all([
    code.includes('\0') ? undefined : certificateWithCode(caller.storefront.db, code, caller.now),
    currenciesFor(caller),
  ])
  const currency = currencies.all.find(({ currency_code }) => currency_code === found?.currency_code)
  return found && currency ? toView(found, currency) : null
}

type MailedCertificate = Pick<CertificateRow, 'code' | 'to_name' | 'to_email' | 'from_name' | 'from_email'> & {
  amount: string
  expiry_date: string | null
}

/** The HTML of the e-mail with a certificate; null if the store's template has a mistake. @throws Problem 503 if no renderer is free */
async function htmlOf(caller: StorefrontCaller, { expiry_date, ...certificate }: MailedCertificate) {
  const { storefront, renderers, selling } = caller
  const expiry = expiry_date === null ? {} : { expiry_date: { value: expiry_date, formatted: mailedDay(expiry_date) } }
  const { to_name, to_email: email } = certificate
  const context = {
    customer: { first_name: to_name, full_name: to_name, email, group: [] },
    certificate: { ...certificate, ...expiry, redeem_link: '' },
  }
  const wish = { channel: storefront.channel, locale: 'en', context }
  const parts = { renderers, sites: selling.redirects.sites, clock: selling.clock }
  try {
    const outcome = await previewOf(storefront.db, 'giftcertificate_email', wish, parts)
    return outcome.ok ? outcome.mail.html : null
  } catch (error) {
    if (!(error instanceof RenderersBusy)) throw error
    throw new Problem(503, 'E-mails cannot be shown at the moment.', {}, { headers: { 'retry-after': '1' } })
  }
}

/** Shows the e-mail of a certificate before it is bought. Nothing is stored. */
export async function previewGiftCertificate(
  caller: StorefrontCaller,
  input: SchemaInputs['GiftCertificatePreviewInput'],
): Promise<{ html: string | null; errors: ValidationError[] }> {
  await limitCalls(caller)
  const { all } = await currenciesFor(caller)
  const currency = all.find(({ currency_code }) => currency_code === input.currencyCode)
  const { amount, message, sender, recipient } = input
  const isName = ({ name }: { name: string }) => name.trim() !== '' && name.length <= NAME_MAX
  const errors = [
    ...(Number.isFinite(amount) && amount > 0 ? [] : [validationError(['amount'], 'amount must be more than 0.')]),
    ...(currency ? [] : [validationError(['currencyCode'], 'The store does not have this currency.')]),
    ...((message ?? '').length <= MESSAGE_MAX
      ? []
      : [validationError(['message'], `message has at most ${MESSAGE_MAX} characters.`)]),
    ...(isName(sender) ? [] : [validationError(['sender', 'name'], 'name has 1 to 255 characters.')]),
    ...(isName(recipient) ? [] : [validationError(['recipient', 'name'], 'name has 1 to 255 characters.')]),
  ]
  if (!currency || errors.length > 0) return { html: null, errors }
  const { formatted } = moneyToAnswer(currency, amount)
  const blank = { code: 'XXX-XXX-XXX-XXX', to_email: '', from_email: '', expiry_date: null }
  const html = await htmlOf(caller, { ...blank, to_name: recipient.name, from_name: sender.name, amount: formatted })
  return { html, errors: [] }
}

/** Fields of gift certificates. */
export const certificateFields: Fields<'GiftCertificate'> = {
  GiftCertificate: {
    async html({ row, amount }, _, caller) {
      const { code, to_name, to_email, from_name, from_email, expiry_date } = row
      const people = { to_name, to_email, from_name, from_email }
      return htmlOf(caller, { code, ...people, amount: amount.formatted, expiry_date })
    },
  },
}
