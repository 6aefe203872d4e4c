import { randomBytes } from 'node:crypto'
import type { Store } from '../../../core/db/database.ts'
import { stateByName } from '../../../core/geography/states.ts'
import { html, type Markup } from '../../../core/markup.ts'
import { unitsOf } from '../../../core/money/units.ts'
import type { CartAddress } from '../../../sales/carts/row/document.ts'
import { amountsToPay } from '../../../sales/orders/checkouts/purchase.ts'
import { customFieldName, customFieldValues } from './forms/custom-fields.ts'
import { addressInputs, type ShownForm, sentenceOf, textField } from './forms/fields.ts'
import { type FieldErrors, type Form, formToken, textIn } from './forms/form.ts'
import { troublesIn } from './forms/notices.ts'
import { ADDRESS_FIELDS, type AddressFormFacts } from './forms/steps.ts'
import type { PageMethod } from './methods.ts'
import type { PageParts } from './parts.ts'
import type { CheckoutState, SavedAddress, Step } from './state.ts'
import { moneyIn, orderSummary } from './summary.ts'
import { countryNamesIn } from './texts/countries.ts'
import type { Texts } from './texts/en.ts'

// The checkout page. One step is open as a form; those before it show their values.

/** A form beside the steps. */
type SideForm = 'coupon' | 'certificate' | 'credit'

export interface ShownCheckout {
  state: CheckoutState
  openStep: Step
  methods: readonly PageMethod[]
  /** The fields of a form with mistakes; undefined for the values of the cart. */
  form?: Form | undefined
  /** The form that was sent, if it is not that of the open step. */
  side?: SideForm | undefined
  errors?: FieldErrors | undefined
  notice?: keyof Texts | undefined
  /** A saved address to begin with. */
  saved?: SavedAddress | undefined
  /** The page at which guests sign in to the shop. */
  signInUrl: string
  /** The countries that the shop ships to; undefined for all. */
  shippedCountries?: ReadonlySet<string> | undefined
}

/** The parts that sign forms. */
interface FormParts extends Pick<PageParts, 'secrets'> {
  store: Store
}

/** The id of the section of the open step. */
export const OPEN_STEP = 'open-step'

/** Makes the content of the page. */
export function checkoutContent(shown: ShownCheckout, parts: FormParts): Markup {
  const { state, openStep, errors = {}, notice } = shown
  const { texts } = state.face.language
  const summary = orderSummary(state)
  const sides = html`${couponForms(shown, parts)}${certificateForms(shown, parts)}${creditForm(shown, parts)}`
  const notices = [...new Set([...(notice ? [notice] : []), ...troublesIn(state)])]
  const alerts = notices.map((name, i) => html`<p class="notice" role="alert" id="notice${i || ''}">${texts[name]}</p>`)
  const count = Object.keys(errors).length
  const listed = count > 0 ? html`<p class="notice" role="alert">${texts.errors} ${errorNames(errors, state)}</p>` : ''
  // Codes and credit change the amount to pay, so they stand above the payment.
  const steps = state.steps.map((step, i) => {
    const section = stepOf(shown, step, { i, isOpen: step === openStep }, parts)
    return step === 'payment' ? html`${sides}${section}` : section
  })
  return html`${alerts}${listed}
<details class="phone summary"><summary>${texts.showSummary}: ${moneyIn(state)(state.found.result.grandTotal)}</summary>${summary}</details>
<div class="columns"><div>${steps}</div>
<aside class="wide summary" aria-label="${texts.summary}">${summary}</aside></div>`
}

/** The labels of the fields with mistakes. */
const LABELS: Readonly<Record<string, keyof Texts>> = {
  email: 'email',
  countryCode: 'country',
  provinceCode: 'state',
  postCode: 'postCode',
  firstName: 'firstName',
  lastName: 'lastName',
  company: 'company',
  addressLine1: 'addressLine1',
  addressLine2: 'addressLine2',
  city: 'city',
  phone: 'phone',
  method: 'payment',
  ccNumber: 'cardNumber',
  ccExpiry: 'cardExpiry',
  ccName: 'cardName',
  ccCvv: 'cardCode',
  couponCode: 'couponCode',
  certificateCode: 'certificateCode',
}

function errorNames(errors: FieldErrors, { definitions, face: { language } }: CheckoutState): string {
  const ofStore = new Map(definitions.map((definition) => [customFieldName(definition), definition.label]))
  const names = Object.keys(errors).map((name) => ofStore.get(name) ?? language.texts[LABELS[name] ?? 'options'])
  return [...new Set(names)].join(', ')
}

function stepOf(
  shown: ShownCheckout,
  step: Step,
  { i, isOpen }: { i: number; isOpen: boolean },
  parts: FormParts,
): Markup {
  const { state } = shown
  const { texts } = state.face.language
  const isBefore = state.steps.indexOf(step) < state.steps.indexOf(state.next)
  const link =
    !isOpen && isBefore ? html`<a href="?step=${step}">${texts.edit}<span class="vh"> ${texts[step]}</span></a>` : ''
  const content = isOpen ? formOf(shown, step, parts) : isBefore ? completedStep(state, step) : ''
  return html`<section class="step"${isOpen ? html` id="${OPEN_STEP}"` : ''} aria-labelledby="step-${step}"><div><h2 id="step-${step}">${i + 1}. ${texts[step]}</h2>${link}</div>${content}</section>`
}

function oneLine(address: CartAddress, { face: { language } }: CheckoutState): string {
  const { first_name, last_name, address1, address2, city, postal_code, state_or_province, country_code } = address
  return [
    `${first_name} ${last_name}`,
    address1,
    address2,
    `${postal_code} ${city}`.trim(),
    state_or_province,
    countryNamesIn(language.code).get(country_code) ?? '',
  ]
    .filter((text) => text.trim() !== '')
    .join(', ')
}

/** The values of a step that is complete. */
function completedStep(state: CheckoutState, step: Step): Markup | Markup[] {
  const { billing, consignments } = state.found.cart.document
  const lines: Readonly<Record<Step, string[]>> = {
    customer: [billing?.email ?? ''],
    shipping: consignments.flatMap(({ address }) => (address ? [oneLine(address, state)] : [])),
    options: consignments.flatMap(({ option }) => (option ? [option.description] : [])),
    billing: billing ? [oneLine(billing, state)] : [],
    payment: [],
  }
  return lines[step].map((line) => html`<p>${line}</p>`)
}

function formOf(shown: ShownCheckout, step: Step, { secrets, store }: FormParts): Markup {
  const { state, methods } = shown
  const { found, face } = state
  const { texts } = face.language
  const { cart, result } = found
  const token = formToken(secrets, { store, cartId: cart.id, step })
  const button = step === 'payment' ? payLabel(shown) : texts.continue
  const isPossible = !(step === 'payment' && methods.length === 0) && !(step === 'options' && hasNoOption(state))
  const hidden = [
    ['step', step],
    ['token', token],
    ['version', cart.version],
    ['total', amountsToPay(result, state.balances)],
    ['nonce', randomBytes(12).toString('hex')],
  ].map(([name, value]) => html`<input type="hidden" name="${name ?? ''}" value="${value ?? ''}">`)
  return html`<form method="post" action="?" novalidate>${hidden}${fieldsOf(shown, step)}${isPossible ? html`<button type="submit" class="main">${button}</button>` : ''}</form>`
}

const hasNoOption = ({ found, offers }: CheckoutState): boolean =>
  found.cart.document.consignments.some(({ id, address }) => address !== null && (offers.get(id) ?? []).length === 0)

const payLabel = ({ state, methods }: ShownCheckout): string => {
  const { texts } = state.face.language
  const isCard = methods.some(({ kind }) => kind === 'card')
  return isCard ? `${texts.payAmount} ${moneyIn(state)(state.balances.rest)}` : texts.placeOrder
}

function fieldsOf(shown: ShownCheckout, step: Step): Markup {
  const { state, errors = {} } = shown
  const { found, face, addresses, definitions } = state
  const { texts } = face.language
  const { document, customer_id, email } = found.cart
  const stored: Readonly<Partial<Record<Step, CartAddress | null>>> = {
    shipping: document.consignments[0]?.address ?? null,
    billing: document.billing,
  }
  const begin = shown.saved ?? stored[step] ?? undefined
  const values =
    shown.form && !shown.side
      ? shown.form
      : valuesOf(begin, { email: document.billing?.email ?? email, definitions, country: firstCountry(shown, step) })
  const form: ShownForm = { values, errors: shown.side ? {} : errors, language: face.language }
  switch (step) {
    case 'customer':
      if (customer_id > 0)
        return html`<p>${state.isSignedIn ? texts.signedInAs : texts.cartOf} ${email || document.billing?.email || ''}</p>`
      return html`${textField(form, {
        name: 'email',
        id: 'emailInput',
        label: texts.email,
        autocomplete: 'email',
        type: 'email',
      })}<p>${texts.haveAccount} <a href="${shown.signInUrl}">${texts.signIn}</a></p>`
    case 'shipping': {
      const isSame = shown.form ? textIn(shown.form, 'sameBilling') !== '' : true
      return html`${savedLinks(addresses, step, texts)}${addressInputs(form, 'shipping', { definitions, countries: shown.shippedCountries })}
<div class="choice"><input type="checkbox" id="sameBilling" name="sameBilling" value="1"${isSame ? html` checked` : ''}> <label for="sameBilling">${texts.sameBilling}</label></div>`
    }
    case 'billing':
      return html`${savedLinks(addresses, step, texts)}${addressInputs(form, 'billing', { definitions })}`
    case 'options':
      return html`${document.consignments.flatMap((one) => (one.address ? optionsOf(state, { ...one, address: one.address }, form) : []))}`
    default:
      return paymentFields(shown, form)
  }
}

/** The country that the form of an address begins with, whose states it lists: that of the shop, or the only one that it ships to. */
function firstCountry({ state: { face }, shippedCountries }: ShownCheckout, step: Step): string {
  if (step !== 'shipping' || !shippedCountries || shippedCountries.has(face.country)) return face.country
  const [only = '', ...others] = shippedCountries
  return others.length === 0 ? only : ''
}

/** The values of the fields of an address. @param facts with the country of an address without one */
function valuesOf(
  address: CartAddress | SavedAddress | undefined,
  { email, definitions, country }: AddressFormFacts & { country: string },
): Form {
  const texts = ADDRESS_FIELDS.map(([name, field]): [string, string] => [name, address?.[field] ?? ''])
  if (!address?.country_code) texts.push(['countryCode', country])
  const code = address && 'state_or_province_code' in address ? address.state_or_province_code : ''
  const state = address?.state_or_province ?? ''
  const provinceCode = code || (address ? (stateByName(address.country_code.toUpperCase(), state)?.code ?? '') : '')
  const own = address && 'custom_fields' in address ? customFieldValues(address.custom_fields, definitions) : []
  return new Map([...texts, ...own, ['email', email], ['province', state], ['provinceCode', provinceCode]])
}

const savedLinks = (addresses: readonly SavedAddress[], step: Step, texts: Texts): Markup | '' =>
  addresses.length === 0
    ? ''
    : html`<p>${texts.savedAddresses}:</p><ul>${addresses.map(
        ({ id, first_name, last_name, address1, city }) =>
          html`<li><a href="?step=${step}&amp;address=${id}">${first_name} ${last_name}, ${address1}, ${city}</a></li>`,
      )}</ul>`

/** The options of a consignment. The first one is chosen until the shopper chooses another. */
function optionsOf(
  state: CheckoutState,
  { id, address, option: chosen }: { id: string; address: CartAddress; option: { id: string } | null },
  form: ShownForm,
): Markup {
  const { texts } = state.face.language
  const options = state.offers.get(id) ?? []
  const name = `option-${id}`
  const value = textIn(form.values, name) || (chosen?.id ?? options[0]?.id ?? '')
  const listed = options.map((option) => {
    const element = `shippingOptionRadio-${id}-${option.id}`
    return html`<div class="choice"><input type="radio" id="${element}" name="${name}" value="${option.id}"${option.id === value ? html` checked` : ''}> <label for="${element}">${option.description}${option.transit_time ? ` (${option.transit_time})` : ''}: ${moneyIn(state)(unitsOf(option.cost))}</label></div>`
  })
  const none = options.length === 0 ? html`<p class="error">${texts.noOptions}</p>` : ''
  return html`<fieldset><legend>${texts.optionsFor} ${oneLine(address, state)}</legend>${listed}${none}${sentenceOf(form, name, name)}</fieldset>`
}

function paymentFields({ methods, state }: ShownCheckout, form: ShownForm): Markup {
  const { texts } = form.language
  const { message } = state.found.cart.document
  if (methods.length === 0) return html`<p class="error">${texts.noMethods}</p>`
  const [first] = methods
  const value = textIn(form.values, 'method') || (first?.id ?? '')
  const isFree = first?.kind === 'free'
  const listed = methods.map(
    ({ id, elementId, kind, name, instructions }) =>
      html`<div class="choice"><input type="radio" id="${elementId}"${kind === 'card' ? html` class="by-card"` : ''} name="method" value="${id}"${id === value ? html` checked` : ''}> <label for="${elementId}">${kind === 'card' ? `${texts.card} (${name})` : name}</label>${instructions ? html`<p class="instructions">${instructions}</p>` : ''}</div>`,
  )
  const choice = isFree
    ? ''
    : html`<fieldset><legend>${texts.payBy}</legend>${listed}${sentenceOf(form, 'method', 'method')}</fieldset>`
  // The values of a card are never sent back.
  const blank: ShownForm = { ...form, values: new Map() }
  const card = (name: string, label: string, autocomplete: string) =>
    textField(blank, { name, id: name, label, autocomplete, ...(name === 'ccName' ? {} : { inputmode: 'numeric' }) })
  const cards = methods.some(({ kind }) => kind === 'card')
    ? html`<fieldset class="card"><legend>${texts.card}</legend>${card('ccNumber', texts.cardNumber, 'cc-number')}<div class="pair">${card('ccExpiry', texts.cardExpiry, 'cc-exp')}${card('ccCvv', texts.cardCode, 'cc-csc')}</div>${card('ccName', texts.cardName, 'cc-name')}</fieldset>`
    : ''
  const text = form.values.get('message') ?? message
  return html`${choice}${cards}<div class="field"><label for="message">${texts.message}</label><textarea id="message" name="message" rows="2" maxlength="2000">${text}</textarea></div>`
}

/** The forms of coupons, which stay closed until the shopper opens them. */
function couponForms(shown: ShownCheckout, parts: FormParts): Markup {
  const { texts } = shown.state.face.language
  const codes = shown.state.found.result.codes.map(({ code }) => code)
  return codeForms(shown, parts, {
    side: 'coupon',
    codes,
    field: 'couponCode',
    title: texts.couponTitle,
    label: texts.couponCode,
  })
}

/** Gift certificates that pay the order. */
function certificateForms(shown: ShownCheckout, parts: FormParts): Markup {
  const { texts } = shown.state.face.language
  const codes = shown.state.balances.certificates.map(({ certificate }) => certificate.code)
  return codeForms(shown, parts, {
    side: 'certificate',
    codes,
    field: 'certificateCode',
    title: texts.certificateTitle,
    label: texts.certificateCode,
  })
}

const hiddenOf = ({ state: { found } }: ShownCheckout, { secrets, store }: FormParts, step: SideForm): Markup => {
  const { id, version } = found.cart
  const token = formToken(secrets, { store, cartId: id, step })
  return html`<input type="hidden" name="step" value="${step}"><input type="hidden" name="token" value="${token}"><input type="hidden" name="version" value="${version}">`
}

/** The applied codes with buttons that remove them, and a field for another one. */
function codeForms(
  shown: ShownCheckout,
  parts: FormParts,
  named: { side: SideForm; codes: readonly string[]; field: string; title: string; label: string },
): Markup {
  const { side, codes, field, title, label } = named
  const { language } = shown.state.face
  const { texts } = language
  const hidden = hiddenOf(shown, parts, side)
  const isSent = shown.side === side
  const applied = codes.map(
    (code) =>
      html`<form method="post" action="?">${hidden}<input type="hidden" name="remove" value="${code}"><p>${code} <button type="submit" class="small">${texts.remove}<span class="vh"> ${code}</span></button></p></form>`,
  )
  const values = isSent && shown.form ? shown.form : new Map<string, string>()
  const errors = isSent ? (shown.errors ?? {}) : {}
  const input = textField({ values, errors, language }, { name: field, id: field, label, autocomplete: 'off' })
  return html`<details${isSent || codes.length > 0 ? html` open` : ''}><summary>${title}</summary>${applied}<form method="post" action="?" novalidate>${hidden}${input}<button type="submit" class="small">${texts.apply}</button></form></details>`
}

/** Lets customers use their store credit. A shopper who isn't signed in can only remove it. */
function creditForm(shown: ShownCheckout, parts: FormParts): Markup | '' {
  const { state } = shown
  const { available } = state.balances
  const { texts } = state.face.language
  if (available <= 0) return ''
  const isUsed = state.found.cart.document.uses_credit === true
  const use = isUsed ? '' : html`<input type="hidden" name="useCredit" value="1">`
  if (!state.isSignedIn && !isUsed) return html`<p>${texts.creditNeedsLogin}</p>`
  const sentence = state.isSignedIn
    ? `${texts.creditAvailable} ${moneyIn(state)(unitsOf(available))}`
    : texts.creditNeedsLogin
  return html`<form method="post" action="?">${hiddenOf(shown, parts, 'credit')}${use}<p>${sentence} <button type="submit" class="small">${isUsed ? texts.keepCredit : texts.useCredit}</button></p></form>`
}
