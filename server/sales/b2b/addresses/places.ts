import { codeOfCountry, countryOf, nameOfCountry } from '../../../core/geography/countries.ts'
import { type State, stateByName, statesOf } from '../../../core/geography/states.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { fold } from '../../../core/rest/lists/fold.ts'

// Countries and states of addresses (docs/contract/b2b-addresses.md section 2). Pure.

/** Names and codes in a body. Each may be missing. */
export interface WrittenPlace {
  countryName?: string | undefined
  countryCode?: string | undefined
  stateName?: string | undefined
  stateCode?: string | undefined
}

export interface Place {
  country_name: string
  country_code: string
  state_name: string
  state_code: string
}

/** The code of a country by its code or name; undefined for an unknown one. */
export const countryByText = (text: string): string | undefined => countryOf(text) ?? codeOfCountry(text)

/**
 * Completes the country and the state of an address: a missing name or code follows from the other. Countries with a list of states
 * need a state of it; other countries take any text.
 */
export function completePlace(written: WrittenPlace): { place: Place; mistakes: Mistakes } {
  const { countryName = '', countryCode = '', stateName = '', stateCode = '' } = written
  const mistakes: Mistakes = {}
  const code = countryCode === '' ? codeOfCountry(countryName) : countryOf(countryCode)
  if (code === undefined) {
    const field = countryCode === '' ? 'country_name' : 'country_code'
    const isMissing = countryCode === '' && countryName === ''
    mistakes[field] = isMissing ? 'This field is required' : 'This country does not exist.'
    return { place: { country_name: '', country_code: '', state_name: '', state_code: '' }, mistakes }
  }
  if (countryName !== '' && codeOfCountry(countryName) !== code)
    mistakes.country_name = 'Name and code of the country differ.'
  const country = { country_name: nameOfCountry(code), country_code: code }
  if (statesOf(code) === undefined) {
    return { place: { ...country, state_name: stateName, state_code: stateCode }, mistakes }
  }
  const state = stateCode === '' ? stateByName(code, stateName) : stateByCode(code, stateCode)
  if (!state) {
    const field = stateCode === '' ? 'state_name' : 'state_code'
    mistakes[field] = stateCode === '' && stateName === '' ? 'This field is required' : 'The country has no such state.'
  } else if (stateName !== '' && stateByName(code, stateName) !== state) {
    mistakes.state_name = 'Name and code of the state differ.'
  }
  return { place: { ...country, state_name: state?.name ?? '', state_code: state?.code ?? '' }, mistakes }
}

/** A state by its code, in any case. */
export const stateByCode = (country: string, text: string): State | undefined =>
  statesOf(country)?.find(({ code }) => fold(code) === fold(text))
