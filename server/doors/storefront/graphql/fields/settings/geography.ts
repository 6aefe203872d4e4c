import { ALL_COUNTRIES, type Country } from '../../../../../core/geography/countries.ts'
import { statesOf } from '../../../../../core/geography/states.ts'
import type { Fields } from '../../types.ts'
import { currencyOfCountry } from './country-currencies.ts'

declare module '../../types.ts' {
  interface Parents {
    Geography: object
    Country: Country
  }
}

/** The states of countries as their fields, by the code of the country. */
const STATES = new Map(
  ALL_COUNTRIES.map(({ iso2 }) => [
    iso2,
    (statesOf(iso2) ?? []).map(({ id, name, code }) => ({ entityId: id, name, abbreviation: code })),
  ]),
)

/** Countries with their states, which are the same in all stores. */
export const geographyFields: Fields<'Geography' | 'Country'> = {
  Geography: {
    countries(_, { filters }) {
      const [name, code] = [filters?.name?.toLowerCase(), filters?.code?.toUpperCase()]
      return ALL_COUNTRIES.filter(
        (country) =>
          (name === undefined || country.name.toLowerCase() === name) && (code === undefined || country.iso2 === code),
      )
    },
  },
  Country: {
    entityId: ({ id }) => id,
    code: ({ iso2 }) => iso2,
    currency: ({ iso2 }) => currencyOfCountry(iso2),
    stateRequired: ({ iso2 }) => statesOf(iso2) !== undefined,
    statesOrProvinces: ({ iso2 }) => STATES.get(iso2) ?? [],
  },
}
