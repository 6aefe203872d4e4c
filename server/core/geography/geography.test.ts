import { expect, test } from 'vitest'
import { codeOfCountry, countryOf, hasPostalCodes, nameOfCountry } from './countries.ts'
import { stateByName, statesOf } from './states.ts'

test('a country is known by either code in any case, and by its name', () => {
  expect(['US', 'us', 'usa', 'DNK', 'XX', ''].map(countryOf)).toEqual(['US', 'US', 'US', 'DK', undefined, undefined])
  expect(codeOfCountry('Australia')).toBe('AU')
  expect(codeOfCountry('australia')).toBeUndefined()
  expect(nameOfCountry('CI')).toBe("Cote d'Ivoire")
})

/** The countries with states of the contract, and how many each has. */
const COUNTS = {
  AE: 7,
  AR: 24,
  AT: 9,
  AU: 8,
  BR: 27,
  CA: 13,
  CH: 26,
  CL: 16,
  DE: 16,
  ES: 52,
  ID: 38,
  IE: 26,
  IN: 36,
  IT: 107,
  JP: 47,
  MM: 15,
  MX: 32,
  MY: 16,
  NZ: 17,
  PH: 83,
  QA: 8,
  RO: 42,
  US: 62,
  ZA: 9,
}

test('24 countries have states; each has a code of one to three characters and a name, and no two share one', () => {
  for (const [country, count] of Object.entries(COUNTS)) {
    const states = statesOf(country) ?? []
    expect(states.length, country).toBe(count)
    expect(new Set(states.map(({ code }) => code)).size, country).toBe(count)
    expect(new Set(states.map(({ name }) => stateByName(country, name))), country).toEqual(new Set(states))
    for (const { code, name } of states) expect(`${code} ${name}`).toMatch(/^[A-Z0-9]{1,3} \p{L}/u)
  }
  expect(statesOf('DK')).toBeUndefined()
})

test('a state is known by its full name, without regard to case and accents', () => {
  const quebec = { code: 'QC', name: 'Quebec' }
  expect(['Quebec', 'québec', ' QUÉBEC '].map((name) => stateByName('CA', name))).toEqual([quebec, quebec, quebec])
  expect(stateByName('BR', 'Sao Paulo')).toEqual({ code: 'SP', name: 'São Paulo' })
  expect(stateByName('AU', 'New South Wales')).toEqual({ code: 'NSW', name: 'New South Wales' })
  for (const other of ['QC', '', 'Alberta Quebec']) expect(stateByName('CA', other)).toBeUndefined()
  expect(stateByName('US', 'Quebec')).toBeUndefined()
})

test('some countries do without postal codes', () => {
  expect(['HK', 'AE', 'JM', 'PA'].map(hasPostalCodes)).toEqual([false, false, false, false])
  expect(['US', 'DK', 'IE', 'AU'].map(hasPostalCodes)).toEqual([true, true, true, true])
})
