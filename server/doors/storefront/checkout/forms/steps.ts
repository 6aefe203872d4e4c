import { randomInt } from 'node:crypto'
import { hasPostalCodes } from '../../../../core/geography/countries.ts'
import { statesOf } from '../../../../core/geography/states.ts'
import { MAIL_ADDRESS } from '../../../../core/mail/outbox.ts'
import { ID_MAX } from '../../../../core/rest/input/fields.ts'
import type { Mistakes } from '../../../../core/rest/input/mistakes.ts'
import type { Problem } from '../../../../core/rest/problem.ts'
import type { Definition } from '../../../../customers/form-fields/shape.ts'
import { toCartAddress } from '../../../../sales/carts/checkouts/addresses.ts'
import {
  addConsignments,
  changeConsignment,
  newConsignmentId,
} from '../../../../sales/carts/checkouts/changes/consignments.ts'
import { findOption } from '../../../../sales/carts/checkouts/consignments.ts'
import { applyCoupon, unapplyCoupon } from '../../../../sales/carts/checkouts/coupons.ts'
import type { ChangeCheckout } from '../../../../sales/carts/checkouts/writes.ts'
import { evaluateCart } from '../../../../sales/carts/evaluation/evaluate.ts'
import type { CartAddress, CartDocument } from '../../../../sales/carts/row/document.ts'
import { blankAddress } from '../state.ts'
import { readCustomFields } from './custom-fields.ts'
import { type FieldErrors, type Form, textIn } from './form.ts'

// The steps before the payment. Each checks its form, and returns the change of the cart.

/** The change of a step, or the mistakes of its form. */
export type StepOutcome = { change: ChangeCheckout; codes?: string[] } | { errors: FieldErrors }

const isMail = new RegExp(MAIL_ADDRESS, 'u')
/** The host of an address that mail from elsewhere reaches: names between single dots, of which the last one is a word. */
const HOST = /@[^@.]+(?:\.[^@.]+)*\.[^@.\d][^@.]*$/
const EMAIL_MAX = 255

const billingIn = (document: CartDocument): CartAddress =>
  document.billing ?? blankAddress(String(randomInt(1, ID_MAX)))

/** @param email of the customer; empty for a guest, who enters one */
export function customerStep(form: Form, email: string): StepOutcome {
  const named = email || textIn(form, 'email')
  if (named === '') return { errors: { email: 'needed' } }
  if (named.length > EMAIL_MAX || !isMail.test(named) || !HOST.test(named)) return { errors: { email: 'badEmail' } }
  return {
    change: ({ document }) => ({
      ...document,
      billing: { ...billingIn(document), email: named },
      consignments: document.consignments.map((consignment) => ({
        ...consignment,
        address: consignment.address && { ...consignment.address, email: named },
      })),
    }),
  }
}

/** The fields of an address: the name in the form, the name in the cart, and the most characters. */
export const ADDRESS_FIELDS = [
  ['firstName', 'first_name', 255],
  ['lastName', 'last_name', 255],
  ['company', 'company', 255],
  ['addressLine1', 'address1', 255],
  ['addressLine2', 'address2', 255],
  ['city', 'city', 255],
  ['countryCode', 'country_code', 2],
  ['postCode', 'postal_code', 30],
  ['phone', 'phone', 50],
] as const

const REQUIRED = new Set<string>(['firstName', 'lastName', 'addressLine1', 'city', 'countryCode'])
const PHONE = /^(\+?[\d ().\-/]*\d[\d ().\-/]*( ?x ?\d{1,5})?)?$/

/** The facts of the shopper and the store that a form of an address needs. */
export interface AddressFormFacts {
  email: string
  /** The store's own fields of addresses. */
  definitions: readonly Definition[]
}

/** Reads an address; with mistakes it has none. */
function addressOf(
  form: Form,
  id: string,
  { email, definitions }: AddressFormFacts,
): { address: CartAddress } | { errors: FieldErrors } {
  const errors: FieldErrors = {}
  for (const [name, , most] of ADDRESS_FIELDS) {
    const text = textIn(form, name)
    if (text === '' && REQUIRED.has(name)) errors[name] = name === 'countryCode' ? 'badCountry' : 'needed'
    if (text.length > most || /\p{Cc}/u.test(text)) errors[name] = 'tooLong'
  }
  // A longer text is refused above: the pattern takes the square of its length.
  if (!errors.phone && !PHONE.test(textIn(form, 'phone'))) errors.phone = 'badPhone'
  const country = textIn(form, 'countryCode')
  const [code, state] = [textIn(form, 'provinceCode'), textIn(form, 'province')]
  const states = statesOf(country.toUpperCase()) ?? []
  if (states.length > 0 && code === '' && state === '') errors.provinceCode = 'badState'
  if (hasPostalCodes(country.toUpperCase()) && country !== '' && textIn(form, 'postCode') === '')
    errors.postCode = 'needed'
  const mistakes: Mistakes = {}
  const texts = Object.fromEntries(ADDRESS_FIELDS.map(([name, field]) => [field, textIn(form, name)]))
  // A country that has states ignores a text that belongs to another one.
  const place = { state_or_province_code: code, state_or_province: code === '' ? state.slice(0, 100) : '' }
  const input = { ...texts, ...place, country_code: country, email }
  const address = toCartAddress(id, input, new Set(), { at: (field) => field, mistakes })
  if ('country_code' in mistakes) errors.countryCode = 'badCountry'
  if ('state_or_province_code' in mistakes || 'state_or_province' in mistakes) errors.provinceCode = 'badState'
  const custom = readCustomFields(form, definitions)
  const all = { ...errors, ...custom.errors }
  return Object.keys(all).length > 0 ? { errors: all } : { address: { ...address, custom_fields: custom.fields } }
}

/** Ships all goods to one address. */
export function shippingStep(form: Form, owner: AddressFormFacts): StepOutcome {
  const read = addressOf(form, newConsignmentId(), owner)
  if ('errors' in read) return read
  const isBilling = textIn(form, 'sameBilling') !== ''
  return {
    change: ({ document, facts }) => {
      const result = evaluateCart(document, facts)
      const goods = result.lines.filter(({ isDigital, promotion_id }) => !isDigital && promotion_id === undefined)
      const lines = goods.map(({ id, quantity }) => ({ item_id: id, quantity }))
      const [consignment] = document.consignments
      const { id } = consignment?.address ?? read.address
      const address = { ...read.address, id }
      const shipped = consignment
        ? changeConsignment(document, result, consignment.id, { address, lines })
        : addConsignments(document, result, [{ destination: { address }, lines }])
      const billing = billingIn(document)
      return isBilling ? { ...shipped, billing: { ...read.address, id: billing.id } } : shipped
    },
  }
}

/** Chooses an option for each consignment. */
export function optionsStep(form: Form, consignments: readonly string[]): StepOutcome {
  const chosen = consignments.map((id) => [id, textIn(form, `option-${id}`)] as const)
  const missing = chosen.filter(([, option]) => option === '')
  if (missing.length > 0) return { errors: Object.fromEntries(missing.map(([id]) => [`option-${id}`, 'badOption'])) }
  return {
    async change(context) {
      let { document } = context
      for (const [id, optionId] of chosen) {
        const option = await findOption(context, id, optionId)
        document = changeConsignment(document, evaluateCart(document, context.facts), id, { option })
      }
      return document
    },
  }
}

export function billingStep(form: Form, owner: AddressFormFacts): StepOutcome {
  const read = addressOf(form, '', owner)
  if ('errors' in read) return read
  return {
    change: ({ document }) => ({ ...document, billing: { ...read.address, id: billingIn(document).id } }),
  }
}

export function couponStep(form: Form): StepOutcome {
  const removed = textIn(form, 'remove')
  if (removed !== '') return { change: ({ document }) => unapplyCoupon(document, removed) }
  const code = textIn(form, 'couponCode')
  if (code === '') return { errors: { couponCode: 'needed' } }
  return { codes: [code], change: (context) => applyCoupon(context, code) }
}

/** The name of the field that a refusal of the cart is about. */
export const isAboutCoupon = (problem: Problem): boolean => problem.detail?.startsWith('COUPON_') ?? false
