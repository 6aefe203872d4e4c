import { expect, test } from 'vitest'
import { moneyToAnswer } from './money.ts'

const dollar = {
  currency_code: 'USD',
  token: '$',
  token_location: 'left' as const,
  decimal_token: '.',
  thousands_token: ',',
  decimal_places: 2,
}
const euro = { ...dollar, token: ' €', token_location: 'right' as const, decimal_token: ',', thousands_token: '.' }

test.each([
  [dollar, 1_234.5, 1_234.5, '$1,234.50'],
  [dollar, 0, 0, '$0.00'],
  [dollar, 0.005, 0.01, '$0.01'],
  [dollar, -12_345_678.9, -12_345_678.9, '-$12,345,678.90'],
  [dollar, 123_450_000n, 12_345, '$12,345.00'],
  [euro, 1_000_000, 1_000_000, '1.000.000,00 €'],
  [{ ...dollar, decimal_places: 0 }, 999.5, 1_000, '$1,000'],
  [{ ...dollar, decimal_places: 8 }, 0.1234, 0.1234, '$0.1234'],
])('the amount %o %s is %d and written %s', (currency, amount, value, formattedV2) => {
  expect(moneyToAnswer(currency, amount)).toEqual({ currencyCode: 'USD', value, formatted: formattedV2, formattedV2 })
})
