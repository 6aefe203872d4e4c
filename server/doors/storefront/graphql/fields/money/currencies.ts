import type { Currency } from '../../../../../shop/channels/currencies/shape.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { connectionOf, type PageArgs } from '../connections.ts'
import { currenciesFor } from '../shop.ts'

declare module '../../types.ts' {
  interface Parents {
    Currency: Currency & { isDefault: boolean }
  }
}

/** The currencies of the storefront, in the order of their ids. */
export async function currencyConnection(args: PageArgs, caller: StorefrontCaller) {
  const { enabled, standard } = await currenciesFor(caller)
  const all = enabled.map((currency) => ({ ...currency, isDefault: currency.id === standard.id }))
  return connectionOf(all, args)
}

/** A currency of the storefront by its code; null for any other one. */
export async function currencyWithCode(code: string, caller: StorefrontCaller) {
  const { enabled, standard } = await currenciesFor(caller)
  const found = enabled.find(({ currency_code }) => currency_code === code)
  return found ? { ...found, isDefault: found.id === standard.id } : null
}

/** Currencies with the form of their amounts. */
export const currencyFields: Fields<'Currency'> = {
  Currency: {
    entityId: ({ id }) => id,
    code: ({ currency_code }) => currency_code,
    flagImage: () => null,
    isActive: ({ isDefault }) => isDefault,
    exchangeRate: ({ currency_exchange_rate }) => Number(currency_exchange_rate),
    isTransactional: ({ is_transactional }) => is_transactional,
    display: ({ token, token_location, decimal_token, thousands_token, decimal_places }) => ({
      symbol: token,
      symbolPlacement: token_location === 'left' ? 'LEFT' : 'RIGHT',
      decimalToken: decimal_token,
      thousandsToken: thousands_token,
      decimalPlaces: decimal_places,
    }),
  },
}
