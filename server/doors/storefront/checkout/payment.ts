import type { Db } from '../../../core/db/database.ts'
import { withPreparations } from '../../../core/rest/preparation.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { countPaymentTry, uncountPaymentTry } from '../../../customers/logins/attempts.ts'
import type { CartQuotes } from '../../../sales/carts/changes/change.ts'
import { orderToPay, placeWithoutPayment } from '../../../sales/orders/checkouts/purchase.ts'
import { processPayment } from '../../../sales/orders/shopper-payments/process.ts'
import { codeOf } from '../../../sales/orders/shopper-payments/refusals.ts'
import { PAYMENT_CODES } from '../../../sales/payments/gateways/gateway.ts'
import { readPaymentToken } from '../../../sales/payments/tokens.ts'
import { type FieldErrors, type Form, textIn } from './forms/form.ts'
import type { PageMethod } from './methods.ts'
import type { PageParts } from './parts.ts'
import type { Texts } from './texts/en.ts'

// The payment. A card number goes from the form to the gateway, and nowhere else.

/** The order that was made, or the reasons why there is none. */
export type PayStepOutcome = { order: number } | { errors: FieldErrors } | { notice: keyof Texts }

interface Purchase {
  id: string
  quotes: CartQuotes
  /** The version and the total that the shopper has seen. */
  version: number
  total: string
  /** A random text of the form: sent twice, it is one payment. */
  nonce: string
  shopperAddress: string
  /** The address of the shopper as a digest. */
  source: string
}

export async function payStep(
  db: Db,
  parts: PageParts,
  { form, methods, purchase }: { form: Form; methods: readonly PageMethod[]; purchase: Purchase },
): Promise<PayStepOutcome> {
  const named = textIn(form, 'method')
  const method = methods.find(({ id }) => id === named) ?? (methods.length === 1 ? methods[0] : undefined)
  if (!method) return { errors: { method: 'badMethod' } }
  const card = method.kind === 'card' ? readCard(form, db.now) : undefined
  if (card && 'errors' in card) return card
  const { id, version, total, quotes, shopperAddress, source, nonce } = purchase
  let made: Awaited<ReturnType<typeof orderToPay>>
  try {
    made = await withPreparations(db, () =>
      db.transaction((tx) => orderToPay(tx, parts, { id, version, total, quotes, shopperAddress })),
    )
  } catch (error) {
    return { notice: reasonIn(error) }
  }
  if (!made) return { notice: 'totalChanged' }
  const { id: order } = made.order
  if (!card || made.token === undefined) {
    const placement = method.kind === 'offline' ? { payment_method: method.name } : 'nothing left'
    try {
      await db.transaction((tx) => placeWithoutPayment(tx, order, placement))
    } catch (error) {
      return { notice: reasonIn(error) }
    }
    return { order }
  }
  const token = await readPaymentToken(`PAT ${made.token}`, { hash: db.store.hash, nowOf: () => db.now }, parts.tokens)
  const input = { instrument: { type: 'card' as const, ...card }, payment_method_id: method.id }
  const tried = { cart: id, source }
  try {
    await countPaymentTry(db, tried)
  } catch (error) {
    if (error instanceof Problem && error.status === 429) return { notice: 'paused' }
    throw error
  }
  let notice: keyof Texts | undefined
  try {
    await processPayment(db, parts, { token, input, key: `page-${order}-${nonce}` })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    notice = noticeOf(error)
  }
  if (notice === undefined || UNREFUSED.has(notice)) await uncountPaymentTry(db, tried)
  return notice === undefined ? { order } : { notice }
}

/** Notices of payments that nobody has refused: no answer of the gateway, or goods and coupons that are gone. */
const UNREFUSED: ReadonlySet<keyof Texts> = new Set(['unknownOutcome', 'shortStock', 'couponGone'])

interface Card {
  number: string
  cardholder_name: string
  expiry_month: number
  expiry_year: number
  verification_value?: string
}

const CARD_FIELDS = ['ccNumber', 'ccExpiry', 'ccCvv', 'ccName']
/** Month and year. Keypads of telephones have no slash. */
const EXPIRY = /^(\d{2}|\d(?=\D))[ /.-]*(?:20)?(\d{2})$/

/** Reads the fields of a card. Errors never repeat them, so with one mistake all fields are empty again and say so. */
function readCard(form: Form, now: Date): Card | { errors: FieldErrors } {
  const errors: FieldErrors = {}
  const number = textIn(form, 'ccNumber').replaceAll(/[ -]/g, '')
  if (!/^\d{12,19}$/.test(number) || !hasCheckDigit(number)) errors.ccNumber = 'badCard'
  const [, month = '', year = ''] = EXPIRY.exec(textIn(form, 'ccExpiry')) ?? []
  if (Number(month) < 1 || Number(month) > 12) errors.ccExpiry = 'badExpiry'
  else if (isOver({ year: 2_000 + Number(year), month: Number(month) }, now)) errors.ccExpiry = 'expired'
  const name = textIn(form, 'ccName')
  if (name === '') errors.ccName = 'needed'
  if (name.length > 255) errors.ccName = 'tooLong'
  const code = textIn(form, 'ccCvv')
  if (!/^\d{3,4}$/.test(code)) errors.ccCvv = 'badCode'
  if (Object.keys(errors).length > 0)
    return { errors: Object.fromEntries(CARD_FIELDS.map((field) => [field, errors[field] ?? 'typeAgain'])) }
  return {
    number,
    cardholder_name: name,
    expiry_month: Number(month),
    expiry_year: 2_000 + Number(year),
    verification_value: code,
  }
}

/** Whether the last digit of a card number is that of its other digits (ISO/IEC 7812-1), which finds one wrong digit. */
export function hasCheckDigit(number: string): boolean {
  const digits = [...number].reverse().map((digit, i) => Number(digit) * (i % 2 === 1 ? 2 : 1))
  return digits.reduce((sum, digit) => sum + (digit > 9 ? digit - 9 : digit), 0) % 10 === 0
}

/** Whether the month of a card has ended everywhere on earth. */
const isOver = ({ year, month }: { year: number; month: number }, now: Date): boolean =>
  Date.UTC(year, month, 1, 12) <= now.getTime()

const NOTICES: Readonly<Record<number, keyof Texts>> = {
  [PAYMENT_CODES.temporary]: 'unknownOutcome',
  [PAYMENT_CODES.duplicate]: 'unknownOutcome',
  [PAYMENT_CODES.insufficientFunds]: 'insufficient',
  [PAYMENT_CODES.expiredCard]: 'expired',
  [PAYMENT_CODES.verificationFailed]: 'unverified',
  [PAYMENT_CODES.issuerRefused]: 'declined',
}

/** The sentence about a refusal by a gateway, or by stock and coupons that another shopper took meanwhile. */
function noticeOf(problem: Problem): keyof Texts {
  if ('products' in problem.errors) return 'shortStock'
  if ('coupons' in problem.errors) return 'couponGone'
  return NOTICES[codeOf(problem) ?? 0] ?? 'notPaid'
}

/** The sentence about a cart that can't become an order. @throws any other error */
function reasonIn(error: unknown): keyof Texts {
  if (!(error instanceof Problem) || (error.status >= 500 && error.status !== 503)) throw error
  if (error.status === 503) return 'taxUnknown'
  if ('products' in error.errors || error.message.startsWith('Not enough stock:')) return 'shortStock'
  const isCoupon = Object.keys(error.errors).some((field) => field.startsWith('coupons'))
  return isCoupon ? 'couponGone' : 'changed'
}
