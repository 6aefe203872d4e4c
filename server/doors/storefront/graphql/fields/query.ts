import type { Fields } from '../types.ts'
import { currencyConnection, currencyWithCode } from './currencies.ts'
import { localesFor, resolveLocale } from './locales.ts'

declare module '../types.ts' {
  interface Parents {
    Site: object
    Channel: { entityId: number }
    Store: { entityId: number }
    ShopperPreferences: object
  }
}

/** The roots of all queries. */
export const queryFields: Fields<'Query' | 'Site' | 'ShopperPreferences'> = {
  Query: {
    site: () => ({}),
    customer: (_, _args, { customer }) => customer ?? null,
    channel: (_, _args, { storefront }) => ({ entityId: storefront.channel }),
    store: (_, _args, { storefront }) => ({ entityId: storefront.db.store.id }),
    geography: () => ({}),
    shopperPreferences: () => ({}),
  },
  Site: {
    settings: () => ({}),
    currency: (_, { currencyCode }, caller) => currencyWithCode(currencyCode, caller),
    currencies: (_, args, caller) => currencyConnection(args, caller),
  },
  ShopperPreferences: {
    async locale(_, _args, caller) {
      return { resolved: resolveLocale(await localesFor(caller), caller.acceptLanguage) }
    },
  },
}
