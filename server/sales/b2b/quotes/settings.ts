import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { withoutUndefined } from '../../../core/objects.ts'
import { type Currency, currencyRows, pairOf } from '../../../shop/channels/currencies/shape.ts'
import { extraFieldsColumn } from '../extra-fields/definitions.ts'
import type { ExtraField } from '../extra-fields/field.ts'

/** The settings of the quotes of a store. Only the operator's command changes them. */
export interface QuoteSettings {
  /** Whether products that can't be bought become custom items. */
  takesCustomItems: boolean
  takesCustomShipping: boolean
  /** The default of `displayDiscount`. */
  showsDiscount: boolean
  /** The default of `allowCheckout`. */
  allowsCheckout: boolean
  /** The names of the custom ways to ship. */
  shippingMethods: readonly string[]
}

const DEFAULTS: QuoteSettings = {
  takesCustomItems: true,
  takesCustomShipping: true,
  showsDiscount: true,
  allowsCheckout: true,
  shippingMethods: [],
}

const settingsRow = ({ store }: Pick<Db, 'store'>) => sql`
  select quotes_take_custom_items as "takesCustomItems", quotes_take_custom_shipping as "takesCustomShipping",
    quotes_show_discount as "showsDiscount", quotes_allow_checkout as "allowsCheckout",
    quote_shipping_methods as "shippingMethods"
  from b2b_settings where store_id = ${store.id}`

export async function quoteSettingsOf(db: Db): Promise<QuoteSettings> {
  const [row] = await db.rows<QuoteSettings>(settingsRow(db))
  return row ?? DEFAULTS
}

/** The data of a store that decide about a quote. */
interface QuoteRules {
  settings: QuoteSettings
  /** The extra fields of quotes. */
  definitions: ExtraField[]
  /** The currency of the quote and that of the store. */
  currencies: ReturnType<typeof pairOf>
}

/** Reads the data for a quote with one statement. @param currency the code of its currency; undefined for that of the store */
export async function quoteRulesOf(db: Db, currency: string | undefined): Promise<QuoteRules> {
  const { settings, definitions, currencies } = await db.row<{
    settings: QuoteSettings | null
    definitions: ExtraField[]
    currencies: Currency[]
  }>(
    prepared(sql`
    select (select to_jsonb(setting) from (${settingsRow(db)}) setting) as settings,
      ${extraFieldsColumn(db, 'quote')} as definitions, ${currencyRows(db, currency)} as currencies`),
  )
  return { settings: settings ?? DEFAULTS, definitions, currencies: pairOf(currencies, currency) }
}

/** Changes settings of a store; those that are undefined stay unchanged. */
export async function changeQuoteSettings(
  db: Db,
  changes: { [Name in keyof QuoteSettings]?: QuoteSettings[Name] | undefined },
): Promise<QuoteSettings> {
  return db.transaction(async (tx) => {
    const { shippingMethods, ...flags } = { ...(await quoteSettingsOf(tx)), ...withoutUndefined(changes) }
    const columns = {
      quotes_take_custom_items: flags.takesCustomItems,
      quotes_take_custom_shipping: flags.takesCustomShipping,
      quotes_show_discount: flags.showsDiscount,
      quotes_allow_checkout: flags.allowsCheckout,
      quote_shipping_methods: JSON.stringify(shippingMethods),
    }
    await tx.rows(sql`
      insert into b2b_settings ${sql.rows([{ store_id: tx.store.id, is_enabled: false, ...columns }])}
      on conflict (store_id) do update set ${sql.set(columns)} returning store_id`)
    return { ...flags, shippingMethods }
  })
}
