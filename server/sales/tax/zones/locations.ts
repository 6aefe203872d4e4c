import t, { type Static } from 'typebox'
import { countryOf } from '../../../core/geography/countries.ts'
import { NOT_BLANK } from '../../../core/rest/input/fields.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'

// A zone names places: whole countries, states of countries, or postal codes of one country. All locations of a zone are of one kind.

/** Codes in all locations of a zone. */
const CODES_MAX = 10_000

export const TaxLocation = t.Object(
  {
    country_code: t.String({ minLength: 2, maxLength: 2, description: 'ISO 3166-1 with two letters' }),
    subdivision_codes: t.Array(
      t.String({ pattern: '^[A-Za-z0-9]{1,3}$', description: 'ISO 3166-2 without the country' }),
    ),
    postal_codes: t.Array(t.String({ minLength: 1, maxLength: 20, pattern: NOT_BLANK }), {
      description: '? stands for one character, * for any others',
    }),
  },
  { title: 'TaxLocation' },
)
export type TaxLocation = Static<typeof TaxLocation>

const { country_code, subdivision_codes, postal_codes } = TaxLocation.properties
export const LocationInput = t.Object(
  { country_code, subdivision_codes: t.Optional(subdivision_codes), postal_codes: t.Optional(postal_codes) },
  { title: 'NewTaxLocation' },
)
type LocationInput = Static<typeof LocationInput>

type Kind = 'postal code' | 'subdivision' | 'country'

/** The more exact kind wins over the others. */
export const KIND_RANKS: Readonly<Record<Kind, number>> = { 'postal code': 0, subdivision: 1, country: 2 }

export const kindOfLocation = ({ subdivision_codes = [], postal_codes = [] }: LocationInput): Kind =>
  postal_codes.length > 0 ? 'postal code' : subdivision_codes.length > 0 ? 'subdivision' : 'country'

/** As it is stored: with both lists, and codes of countries and states in capitals. */
export const toLocation = ({
  country_code,
  subdivision_codes = [],
  postal_codes = [],
}: LocationInput): TaxLocation => ({
  country_code: country_code.toUpperCase(),
  subdivision_codes: [...new Set(subdivision_codes.map((code) => code.toUpperCase()))],
  postal_codes: [...new Set(postal_codes)],
})

/** How many codes locations name; a whole country is one. */
export const countCodes = (locations: readonly LocationInput[]): number =>
  locations.reduce(
    (sum, { subdivision_codes = [], postal_codes = [] }) =>
      sum + Math.max(1, subdivision_codes.length + postal_codes.length),
    0,
  )

/** The mistakes in the locations of a zone. @param path of the list in the body */
export function locationMistakes(locations: readonly LocationInput[], path: string): Mistakes {
  const mistakes: Mistakes = {}
  if (locations.length === 0) mistakes[path] = 'A zone needs at least one location.'
  if (countCodes(locations) > CODES_MAX) mistakes[path] = `The locations of a zone have at most ${CODES_MAX} codes.`
  const [first] = locations
  for (const [i, location] of locations.entries()) {
    const { country_code, subdivision_codes = [], postal_codes = [] } = location
    const at = `${path}.${i}`
    if (countryOf(country_code) === undefined) {
      mistakes[`${at}.country_code`] = `There is no country ${country_code}.`
    } else if (subdivision_codes.length > 0 && postal_codes.length > 0) {
      mistakes[at] = 'A location has either subdivision_codes or postal_codes.'
    } else if (first && kindOfLocation(location) !== kindOfLocation(first)) {
      mistakes[at] =
        `All locations of a zone are of one kind: this is a ${kindOfLocation(location)}, the first a ${kindOfLocation(first)}.`
    } else if (first && kindOfLocation(first) === 'postal code' && !isSame(country_code, first.country_code)) {
      mistakes[`${at}.country_code`] = 'All postal codes of a zone are of one country.'
    }
  }
  return mistakes
}

const isSame = (one: string, other: string) => one.toUpperCase() === other.toUpperCase()
