import t from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { codeOfCountry } from '../../../core/geography/countries.ts'
import { answer } from '../../../core/rest/answer.ts'
import { type Api, wantsStrict } from '../../../core/rest/api.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { hasLanguagesByChannel } from '../../channels/channels.ts'
import {
  ALL_CHANNELS,
  effectiveValues,
  family,
  lockSettings,
  saveSettings,
  storedSettingsOf,
} from '../families/family.ts'
import { settingsBodyReader } from '../families/family-body.ts'

const { read, write } = access('information')

const Locale = t.Object(
  {
    default_shopper_language: t.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35, default: 'en' }),
    shopper_language_selection_method: t.Enum(['browser', 'default_shopper_language'], {
      default: 'default_shopper_language',
    }),
    store_country: t.String({ maxLength: 255, default: 'United States' }),
  },
  { title: 'StoreLocale' },
)

export const storeLocale = family('store/locale', Locale, {
  noun: 'store locale',
  example: { default_shopper_language: 'fr-CA', store_country: 'Canada' },
  required: ['default_shopper_language'],
  check({ store_country }): Mistakes {
    if (codeOfCountry(store_country) !== undefined) return {}
    return {
      store_country: `store_country must be the English name of a country, not ${JSON.stringify(store_country)}.`,
    }
  },
  isInformation: true,
})

const Warned = t.Object({
  deprecated_fields: t.Optional(
    t.String({ description: 'The deprecated fields of this store, and their replacements' }),
  ),
})
const response = { 200: t.Object({ data: Locale, meta: Warned }) }

/** The language and the country of a store, for all channels alike (docs/contract/settings.md section 4). */
export function storeLocaleRoutes(api: Api) {
  const path = `/settings/${storeLocale.path}`
  const readBody = settingsBodyReader(storeLocale)
  const { default_shopper_language, ...others } = Locale.properties

  api.get(
    path,
    { ...read, schema: { summary: 'Get the store locale', operationId: 'getStoreLocale', tag: 'Settings', response } },
    async ({ db }) =>
      answer(effectiveValues(storeLocale, await storedSettingsOf(db, storeLocale, ALL_CHANNELS)), await warningsOf(db)),
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Change the store locale',
        operationId: 'updateStoreLocale',
        tag: 'Settings',
        body: t.Object(
          { default_shopper_language, ...t.Partial(t.Object(others)).properties },
          { title: 'StoreLocaleChanges', examples: [storeLocale.example] },
        ),
        response,
      },
      preHandler: async (request) => {
        Object.assign(request, { body: readBody(request.body, { isOfChannel: false, isStrict: wantsStrict(request) }) })
      },
    },
    async ({ db, body }) => {
      const level = await db.transaction(async (tx) =>
        saveSettings(tx, storeLocale, await lockSettings(tx, storeLocale, ALL_CHANNELS), body),
      )
      return answer(effectiveValues(storeLocale, level), await warningsOf(db))
    },
  )
}

/** Where channels have languages of their own, the store's way to choose one is deprecated. */
async function warningsOf(db: Db) {
  if (!(await hasLanguagesByChannel(db))) return {}
  return {
    deprecated_fields:
      'shopper_language_selection_method is deprecated for stores whose channels have languages of their own: the list of ' +
      'languages of each channel decides.',
  }
}
