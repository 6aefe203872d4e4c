import t, { type Static } from 'typebox'
import type { Instrument, PayerAddress } from '../../../payments/gateways/gateway.ts'
import type { OrderRow } from '../../row/rows.ts'
import type { InstrumentFacts } from '../../transactions/payment-rows.ts'

// The instruments of shoppers (docs/contract/payments.md section 3).

/** Our tokens have 64 characters. Those of gateways have any length. */
const Token = t.String({ minLength: 1, maxLength: 255 })
const Verification = t.String({ minLength: 3, maxLength: 4 })
const Month = t.Integer({ minimum: 1, maximum: 12 })
const Year = t.Integer({ minimum: 2000, maximum: 2999 })

/** The fields of all types. `REQUIRED` has those that each type needs. */
export const PaymentInstrument = t.Object(
  {
    type: t.Enum([
      'card',
      'stored_card',
      'stored_paypal_account',
      'stored_bank_account',
      'tokenized_card',
      'store_credit',
      'gift_certificate',
    ]),
    number: t.Optional(t.String({ pattern: '^\\d(?:[ -]?\\d){11,18}$' })),
    cardholder_name: t.Optional(t.String({ minLength: 1, maxLength: 255 })),
    expiry_month: t.Optional(Month),
    expiry_year: t.Optional(Year),
    verification_value: t.Optional(Verification),
    issue_month: t.Optional(Month),
    issue_year: t.Optional(Year),
    issue_number: t.Optional(t.Integer()),
    token: t.Optional(Token),
    iin: t.Optional(t.String({ maxLength: 8 })),
    last_four_digits: t.Optional(t.String({ maxLength: 4 })),
    expiration_month: t.Optional(t.String({ maxLength: 2 })),
    expiration_year: t.Optional(t.String({ maxLength: 4 })),
    gift_certificate_code: t.Optional(t.String({ minLength: 1, maxLength: 255 })),
  },
  { title: 'PaymentInstrument' },
)
export type PaymentInstrument = Static<typeof PaymentInstrument>

const REQUIRED: Readonly<Record<PaymentInstrument['type'], readonly (keyof PaymentInstrument)[]>> = {
  card: ['number', 'cardholder_name', 'expiry_month', 'expiry_year'],
  stored_card: ['token'],
  stored_paypal_account: ['token'],
  stored_bank_account: ['token'],
  tokenized_card: ['token'],
  store_credit: [],
  gift_certificate: ['gift_certificate_code'],
}

/** The required fields that an instrument lacks. */
export const missingFields = (instrument: PaymentInstrument) =>
  REQUIRED[instrument.type].filter((field) => instrument[field] === undefined)

/** The instrument for a gateway, from a card or a token of the gateway. */
export function newInstrument(input: PaymentInstrument): Instrument {
  const { type, token = '', number = '', cardholder_name = '', expiry_month = 0, expiry_year = 0 } = input
  if (type !== 'card') return { type: 'tokenized_card', token }
  const { verification_value, issue_month, issue_year, issue_number } = input
  return {
    type,
    number: bare(number),
    cardholder_name,
    expiry_month,
    expiry_year,
    ...(verification_value === undefined ? {} : { verification_value }),
    ...(issue_month === undefined ? {} : { issue_month }),
    ...(issue_year === undefined ? {} : { issue_year }),
    ...(issue_number === undefined ? {} : { issue_number }),
  }
}

const bare = (number: string) => number.replaceAll(/[ -]/g, '')

/** The first digits of card numbers, by brand. */
const BRANDS: readonly (readonly [string, RegExp])[] = [
  ['visa', /^4/],
  ['mastercard', /^(5[1-5]|2[2-7])/],
  ['american_express', /^3[47]/],
  ['diners_club', /^3(0[0-5]|[68])/],
  ['discover', /^6(011|4[4-9]|5)/],
  ['jcb', /^35/],
]

/** The data of a card that may be stored: its brand, its first six and last four digits, and its expiry date. */
export function instrumentFacts(
  input: PaymentInstrument,
  stored: Readonly<Record<string, unknown>> = {},
): InstrumentFacts {
  if (input.type === 'card') {
    const number = bare(input.number ?? '')
    const brand = BRANDS.find(([, begins]) => begins.test(number))?.[0]
    return {
      method: 'credit_card',
      credit_card: {
        ...(brand === undefined ? {} : { card_type: brand }),
        card_iin: number.slice(0, 6),
        card_last4: number.slice(-4),
        ...(input.expiry_month === undefined ? {} : { card_expiry_month: input.expiry_month }),
        ...(input.expiry_year === undefined ? {} : { card_expiry_year: input.expiry_year }),
      },
    }
  }
  if (input.type === 'tokenized_card') {
    const { iin, last_four_digits } = input
    return {
      method: 'token',
      credit_card: {
        ...(iin === undefined ? {} : { card_iin: iin }),
        ...(last_four_digits === undefined ? {} : { card_last4: last_four_digits }),
      },
    }
  }
  if (input.type !== 'stored_card') return { method: 'electronic_wallet' }
  const text = (name: string) => (typeof stored[name] === 'string' ? stored[name] : '')
  return {
    method: 'credit_card',
    credit_card: {
      card_type: text('brand').toLowerCase(),
      card_iin: text('issuer_identification_number'),
      card_last4: text('last_4'),
    },
  }
}

export const billingOf = ({ billing_address }: Pick<OrderRow, 'billing_address'>): PayerAddress => {
  const { first_name, last_name, street_1, street_2, city, state, zip, country_iso2, email, phone } = billing_address
  return { first_name, last_name, street_1, street_2, city, state, zip, country_iso2, email, phone }
}
