import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { isObject } from '../../../core/objects.ts'

/**
 * A setting of the portal of buyers: a text and an object, which the pages of the portal read by its key.
 *
 * Every setting has a default. The operator's command changes it for the store or for one channel; the value of a channel wins. Words
 * such as `ABC-123.name` switch features of a client on, and are always off: no switch is on before the server has the feature.
 */
interface PortalSetting {
  key: string
  value: string
  extraFields: Readonly<Record<string, unknown>>
}

type Default = Omit<PortalSetting, 'key'>

const on = (extraFields: Default['extraFields'] = {}): Default => ({ value: '1', extraFields })
const off: Default = { value: '0', extraFields: {} }
const text = (value: string): Default => ({ value, extraFields: {} })

/** The settings that `storefrontConfigs` answers (docs/contract/b2b-graphql.md section 6). */
const PORTAL = {
  quote_for_b2b: on(),
  quote_customer: on(),
  quote_on_product_page: on(),
  quote_on_cart_page: on(),
  quote_floating_action_button: on(),
  account_login_registration: on(),
  company_auto_approval: off,
  quote_for_guest: off,
  quote_for_individual_customer: off,
  quote_auto_quoting: off,
  non_purchasable_quote: off,
  buyer_non_purchasable_quote: off,
  quote_on_non_purchasable_product_page: off,
  block_pending_account_order_creation: on(),
  block_pending_account_seeing_products_pricing: off,
  // The menu entry of shopping lists needs these three.
  shopping_list_on_product_page: on({ b2b: true, b2c: true, guest: false }),
  // "0" is the portal, "1" the home page of the shop.
  login_landing_location: on({ location: '0' }),
  quote_submission_response: on({
    title: 'Quote submitted',
    message: 'Thank you. We will answer your request as soon as possible.',
  }),
  quote_logo: text(''),
  portal_style: on({ primaryColor: '#1f5fbf', backgroundColor: '#f7f7f5' }),
  masquerade_button: on(),
  switch_account_button: on(),
  login_page_html: on(),
  login_page_display: on(),
  login_page_button: on(),
  css_override: on(),
} as const satisfies Readonly<Record<string, Default>>

/** Settings that other queries answer. */
const OTHERS = {
  account_hierarchy: on(),
  junior_place_order: off,
  quote_expiration_days: text('30'),
  address_book: on(),
  address_admin: on(),
  address_sales_rep: on(),
  address_label: on(),
  accountSettings: on(),
  addressBook: on(),
  buyAgain: on(),
  dashboard: on(),
  invoice: on(),
  messages: off,
  orders: on(),
  quickOrderPad: on(),
  quotes: on(),
  recentlyViewed: off,
  returns: off,
  shoppingLists: on(),
  tradeProfessionalApplication: off,
  userManagement: on(),
  wishLists: off,
} as const satisfies Readonly<Record<string, Default>>

type PortalKey = keyof typeof PORTAL | keyof typeof OTHERS

const DEFAULTS: ReadonlyMap<string, Default> = new Map(Object.entries({ ...PORTAL, ...OTHERS }))
/** The settings that are texts; others are on or off. */
const TEXTS: ReadonlySet<string> = new Set<PortalKey>(['quote_logo', 'quote_expiration_days'])
/** A word that switches a feature of a client on. */
const SWITCH = /^[\w-]+\.[\w.-]+$/
/** The longest text or object. */
const VALUE_MAX = 20_000

interface Row {
  channel_id: number
  key: string
  value: string | null
  extra: Record<string, unknown> | null
}

/** The settings of a store in a channel, read with one statement. */
export class PortalSettings {
  readonly #rows: readonly Row[]

  constructor(rows: readonly Row[]) {
    this.#rows = rows
  }

  /** The setting of a key that clients ask for; undefined for an unknown key. */
  find(key: string): PortalSetting | undefined {
    if (SWITCH.test(key)) return { key, value: 'false', extraFields: {} }
    const standard = DEFAULTS.get(key)
    if (!standard) return undefined
    // Rows of the store come before those of the channel.
    return this.#rows
      .filter((row) => row.key === key)
      .reduce<PortalSetting>(
        ({ value, extraFields }, row) => ({
          key,
          value: row.value ?? value,
          extraFields: { ...extraFields, ...row.extra },
        }),
        { key, ...standard },
      )
  }

  textOf(key: PortalKey): string {
    return this.find(key)?.value ?? ''
  }

  isOn(key: PortalKey): boolean {
    return this.textOf(key) === '1'
  }
}

/** @param channel 0 for the values of the store */
export async function portalSettingsOf(db: Db, channel: number): Promise<PortalSettings> {
  const rows = await db.rows<Row>(
    prepared(sql`
    select channel_id, key, value, extra from b2b_portal_settings
    where store_id = ${db.store.id} and channel_id in (0, ${channel}) order by channel_id`),
  )
  return new PortalSettings(rows)
}

/**
 * Changes a setting of a store, or of one channel. An object changes the extra fields, any other text the value.
 * @param channel 0 for the store
 * @throws Error with a sentence for the operator
 */
export async function setPortalSetting(
  db: Db,
  { key, given, channel }: { key: string; given: string; channel: number },
): Promise<PortalSetting> {
  if (!DEFAULTS.has(key)) {
    throw new Error(`There is no setting ${key}. The settings are ${[...DEFAULTS.keys()].join(', ')}.`)
  }
  if (given.length > VALUE_MAX) throw new Error(`A value has at most ${VALUE_MAX} characters.`)
  const { value, extra } = readGiven(key, given)
  await db.transaction(async (tx) => {
    if (channel !== 0) {
      const known = await tx.rows(sql`select id from channels where store_id = ${tx.store.id} and id = ${channel}`)
      if (known.length === 0) throw new Error(`The store has no channel ${channel}.`)
    }
    await tx.rows(sql`
      insert into b2b_portal_settings as stored (store_id, channel_id, key, value, extra)
      values (${tx.store.id}, ${channel}, ${key}, ${value}, ${extra}::jsonb)
      on conflict (store_id, channel_id, key) do update
      set value = coalesce(excluded.value, stored.value), extra = coalesce(excluded.extra, stored.extra)
      returning key`)
  })
  const stored = (await portalSettingsOf(db, channel)).find(key)
  if (!stored) throw new Error('A setting was not stored.')
  return stored
}

const STATES: Readonly<Record<string, string>> = { on: '1', off: '0', 1: '1', 0: '0' }

function readGiven(key: string, given: string): { value: string | null; extra: string | null } {
  if (given.trimStart().startsWith('{')) {
    const extra: unknown = JSON.parse(given)
    if (!isObject(extra)) throw new Error('The extra fields are an object.')
    return { value: null, extra: JSON.stringify(extra) }
  }
  if (key === 'quote_expiration_days' && !/^[1-9]\d{0,2}$/.test(given)) throw new Error('The days are 1 to 999.')
  if (TEXTS.has(key)) return { value: given, extra: null }
  const value = STATES[given]
  if (value === undefined) throw new Error(`${key} is on or off.`)
  return { value, extra: null }
}
