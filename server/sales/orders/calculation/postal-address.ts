import { codeOfCountry, countryOf, nameOfCountry } from '../../../core/geography/countries.ts'
import type { ItemCheck } from '../../../core/rest/input/mistakes.ts'
import type { OrderBillingAddress } from '../row/rows.ts'
import type { AddressInput } from './bodies.ts'

export const BLANK_ADDRESS: OrderBillingAddress = {
  first_name: '',
  last_name: '',
  company: '',
  street_1: '',
  street_2: '',
  city: '',
  state: '',
  zip: '',
  country: '',
  country_iso2: '',
  phone: '',
  email: '',
  form_fields: [],
}

/** Applies changes to an address. If they have only the name of a country, its code follows from it, and the reverse. */
export function changedAddress(
  before: OrderBillingAddress,
  input: AddressInput,
  { at, mistakes }: ItemCheck,
): OrderBillingAddress {
  const after = { ...before, ...input }
  if (input.country_iso2 !== undefined) {
    const code = input.country_iso2 === '' ? '' : countryOf(input.country_iso2)
    if (code === undefined) mistakes[at('country_iso2')] = `There is no country ${input.country_iso2}.`
    return { ...after, country_iso2: code ?? '', country: input.country ?? nameOfCountry(code ?? '') }
  }
  if (input.country !== undefined && input.country !== before.country) {
    return { ...after, country_iso2: codeOfCountry(input.country) ?? '' }
  }
  return after
}
