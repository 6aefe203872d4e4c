import t from 'typebox'
import { statesOf } from '../../../../../../core/geography/states.ts'
import type { Mistakes } from '../../../../../../core/rest/input/mistakes.ts'
import { bodyReader } from '../../../../../../core/rest/input/validator.ts'
import { refuseWithTitle } from '../../../../../../sales/carts/changes/refusal.ts'
import { addressInput, findAddressFields, toCartAddress } from '../../../../../../sales/carts/checkouts/addresses.ts'
import type { ChangeCheckout } from '../../../../../../sales/carts/checkouts/writes.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { SchemaInputs } from '../../../schema-types.ts'
import { withSentences } from '../refusals.ts'
import { toCustomFields } from './custom-fields.ts'

// Converts addresses of the storefront's inputs to those of carts.

type AddressInput = SchemaInputs['CheckoutAddressInput']

/** An estimate of shipping needs no e-mail address, and an order does. */
const Address = t.Object({ ...addressInput, email: t.Optional(addressInput.email) })
const readAddress = bodyReader(Address)

/** An address as REST takes it. @throws Problem 422 */
export async function toAddressInput(caller: StorefrontCaller, input: AddressInput) {
  const texts = {
    first_name: input.firstName,
    last_name: input.lastName,
    email: input.email || undefined,
    company: input.company,
    address1: input.address1,
    address2: input.address2,
    city: input.city,
    state_or_province: stateNamed(input),
    state_or_province_code: input.stateOrProvinceCode,
    postal_code: input.postalCode,
    phone: input.phone,
  }
  const present = Object.fromEntries(Object.entries(texts).filter(([, text]) => text != null))
  const { countryCode: country_code } = input
  const custom_fields = await toCustomFields(caller, input.customFields)
  const read = { ...present, country_code, custom_fields: structuredClone(custom_fields) }
  await withSentences(undefined, async () => readAddress(read))
  return { email: '', ...present, country_code, custom_fields }
}

/** The name of a state. Public shops send the id that `geography` gives it. */
function stateNamed({ countryCode, stateOrProvince }: Pick<AddressInput, 'countryCode' | 'stateOrProvince'>) {
  const named = statesOf(countryCode.toUpperCase())?.find(({ id }) => String(id) === stateOrProvince)
  return named?.name ?? stateOrProvince
}

export type RestAddress = Awaited<ReturnType<typeof toAddressInput>>

/** @throws Problem 422 with all mistakes */
export async function checkedAddress({ tx }: Parameters<ChangeCheckout>[0], id: string, input: RestAddress) {
  const mistakes: Mistakes = {}
  const fields = await findAddressFields(tx, [input])
  const address = toCartAddress(id, input, fields, { at: (field) => field, mistakes })
  refuseWithTitle(mistakes)
  return address
}
