import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { countryOf } from '../../../core/geography/countries.ts'
import { stateByName, statesOf } from '../../../core/geography/states.ts'
import { MAIL_ADDRESS } from '../../../core/mail/outbox.ts'
import { Line } from '../../../core/rest/input/fields.ts'
import type { ItemCheck } from '../../../core/rest/input/mistakes.ts'
import { findDefinitions } from '../../../customers/form-fields/shape.ts'
import type { CartAddress } from '../row/document.ts'

// Billing and shipping addresses of a checkout (docs/contract/checkouts.md section 4). They may be incomplete until the order is created: wallets
// reveal a part of an address, and shipping can be calculated from it.

const FIELDS_MAX = 50
const VALUE_MAX = 2_000

const FieldId = t.Union([t.String({ maxLength: 255 }), t.Integer({ minimum: 1, maximum: 2_147_483_647 })])
const FieldValue = t.Union([
  t.String({ maxLength: VALUE_MAX }),
  t.Array(t.String({ maxLength: VALUE_MAX }), { maxItems: 100 }),
])
const texts = {
  first_name: Line,
  last_name: Line,
  company: Line,
  address1: Line,
  address2: Line,
  city: Line,
  state_or_province: t.String({ maxLength: 100 }),
  state_or_province_code: t.String({ maxLength: 50, description: 'Of ISO 3166-2, without the country' }),
  postal_code: t.String({ maxLength: 30 }),
  phone: t.String({
    maxLength: 50,
    pattern: '^(\\+?(?=[ ().\\-/]*\\d)[\\d ().\\-/]*( ?x ?\\d{1,5})?)?$',
    description: 'Digits and the signs that people put between them, with an extension behind an x',
  }),
}
const email = t.String({ maxLength: 255, pattern: MAIL_ADDRESS })
const country_code = t.String({ minLength: 2, maxLength: 2, description: 'Code of ISO 3166-1' })

/** An address in a body. */
export const addressInput = {
  ...t.Partial(t.Object(texts)).properties,
  email,
  country_code,
  custom_fields: t.Optional(
    t.Array(t.Object({ field_id: FieldId, field_value: FieldValue }, { title: 'CheckoutCustomFieldInput' }), {
      maxItems: FIELDS_MAX,
      description: 'Values of the form fields of addresses (/settings/form-fields)',
    }),
  ),
}
const AddressInput = t.Object(addressInput)
export type CheckoutAddressInput = Static<typeof AddressInput>

/** An address in answers. */
export const CheckoutAddress = t.Object(
  {
    id: t.String(),
    first_name: t.String(),
    last_name: t.String(),
    email: t.String(),
    company: t.String(),
    address1: t.String(),
    address2: t.String(),
    city: t.String(),
    state_or_province: t.String(),
    state_or_province_code: t.String(),
    country_code: t.String(),
    postal_code: t.String(),
    phone: t.String(),
    custom_fields: t.Array(
      t.Object(
        { field_id: t.String(), field_value: t.Union([t.String(), t.Array(t.String())]) },
        { title: 'CheckoutCustomField' },
      ),
    ),
  },
  { title: 'CheckoutAddress' },
)

/** The ids of the form fields of addresses, as texts. Reads nothing if no address names one. */
export async function findAddressFields(db: Db, inputs: readonly CheckoutAddressInput[]): Promise<ReadonlySet<string>> {
  if (!inputs.some(({ custom_fields = [] }) => custom_fields.length > 0)) return new Set()
  const fields = await findDefinitions(db)
  return new Set(fields.filter(({ kind }) => kind === 'address').map(({ id }) => String(id)))
}

/**
 * Completes an address: a state gets its code or its name. Pure.
 * @param fields the ids of form fields of addresses
 */
export function toCartAddress(
  id: string,
  input: CheckoutAddressInput,
  fields: ReadonlySet<string>,
  { at, mistakes }: ItemCheck,
): CartAddress {
  const country = countryOf(input.country_code)
  if (country === undefined) mistakes[at('country_code')] = `There is no country with the code ${input.country_code}.`
  const custom_fields = (input.custom_fields ?? []).map(({ field_id, field_value }, i) => {
    const name = String(field_id)
    if (!fields.has(name)) mistakes[at(`custom_fields.${i}.field_id`)] = `Addresses have no form field ${name}.`
    return { field_id: name, field_value }
  })
  return {
    id,
    first_name: input.first_name ?? '',
    last_name: input.last_name ?? '',
    email: input.email,
    company: input.company ?? '',
    address1: input.address1 ?? '',
    address2: input.address2 ?? '',
    city: input.city ?? '',
    ...stateOf(country ?? '', input, { at, mistakes }),
    country_code: country ?? '',
    postal_code: input.postal_code ?? '',
    phone: input.phone ?? '',
    custom_fields,
  }
}

/** The code decides, if both are given. Countries without a list of states take any text. */
function stateOf(
  country: string,
  { state_or_province = '', state_or_province_code = '' }: CheckoutAddressInput,
  { at, mistakes }: ItemCheck,
): Pick<CartAddress, 'state_or_province' | 'state_or_province_code'> {
  const states = statesOf(country)
  const given = { state_or_province: state_or_province.trim(), state_or_province_code: state_or_province_code.trim() }
  const byCode = (code: string) => states?.find((state) => state.code === code.toUpperCase())
  if (!states || (given.state_or_province === '' && given.state_or_province_code === '')) return given
  const hasCode = given.state_or_province_code !== ''
  const found = hasCode
    ? byCode(given.state_or_province_code)
    : (stateByName(country, given.state_or_province) ?? byCode(given.state_or_province))
  if (!found) {
    const field = hasCode ? 'state_or_province_code' : 'state_or_province'
    mistakes[at(field)] = `The country ${country} has no state ${given[field]}.`
    return given
  }
  return { state_or_province: found.name, state_or_province_code: found.code }
}
