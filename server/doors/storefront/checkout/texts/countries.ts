import { ALL_COUNTRIES } from '../../../../core/geography/countries.ts'

const namesByLanguage = new Map<string, ReadonlyMap<string, string>>()

/**
 * The names of all countries by their two-letter codes, in the order of the language. English names are those of the API.
 * @param language a language of the page
 */
export function countryNamesIn(language: string): ReadonlyMap<string, string> {
  const known = namesByLanguage.get(language)
  if (known) return known
  const translated = new Intl.DisplayNames([language], { type: 'region' })
  const { compare } = new Intl.Collator(language)
  const names = ALL_COUNTRIES.map(({ iso2, name }): [string, string] => [
    iso2,
    language === 'en' ? name : (translated.of(iso2) ?? name),
  ])
  const sorted = new Map(names.sort(([, one], [, other]) => compare(one, other)))
  namesByLanguage.set(language, sorted)
  return sorted
}
