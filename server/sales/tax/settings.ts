import { isDeepStrictEqual } from 'node:util'
import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { publish } from '../../core/events/publish.ts'
import { answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Id } from '../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../core/rest/input/mistakes.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { unknownId } from '../../core/rest/problem.ts'
import { changeStamp } from '../../core/stamps/stamps.ts'
import { access } from '../../stores/accounts/scopes.ts'

const { read, write } = access('information')

const PriceDisplayStrategy = t.Enum(['ZONE', 'INCLUSIVE', 'EXCLUSIVE'])
const display = {
  control_panel_price_display_strategy: PriceDisplayStrategy,
  invoice_price_display_strategy: PriceDisplayStrategy,
}

const TaxSettings = t.Object(
  {
    tax_entered_with_prices: t.Boolean(),
    price_display_settings: t.Object(display, { title: 'TaxPriceDisplaySettings' }),
    fallback_strategy: t.Enum(['FIXED', 'BASIC', 'DISABLE']),
    should_subtract_store_tax: t.Boolean(),
    should_use_geolocation_to_determine_guest_shopper_tax_zone: t.Boolean(),
    guest_shopper_tax_zone_id: Id,
    store_tax_zone_id: Id,
    document_submission_strategy: t.Enum(['ON_PAYMENT_CAPTURE', 'ON_ORDER_CREATION']),
    rounding_strategy: t.Enum(['NO_ROUNDING', 'RATE_ROUNDING']),
  },
  { title: 'TaxSettings' },
)
export type TaxSettings = Static<typeof TaxSettings>

const defaults: TaxSettings = {
  tax_entered_with_prices: false,
  price_display_settings: { control_panel_price_display_strategy: 'ZONE', invoice_price_display_strategy: 'ZONE' },
  fallback_strategy: 'FIXED',
  should_subtract_store_tax: true,
  should_use_geolocation_to_determine_guest_shopper_tax_zone: false,
  guest_shopper_tax_zone_id: 1,
  store_tax_zone_id: 1,
  document_submission_strategy: 'ON_PAYMENT_CAPTURE',
  rounding_strategy: 'RATE_ROUNDING',
}

const { price_display_settings: _display, ...single } = TaxSettings.properties
const Changes = t.Object(
  {
    ...t.Partial(t.Object(single)).properties,
    price_display_settings: t.Optional(
      t.Partial(
        t.Object({
          ...display,
          show_inclusive_in_control_panel: t.Boolean({
            description: 'The older name of control_panel_price_display_strategy: true for INCLUSIVE',
          }),
        }),
      ),
    ),
  },
  { title: 'TaxSettingsChanges', examples: [{ rounding_strategy: 'NO_ROUNDING' }] },
)

/** The settings of a store about tax (docs/contract/tax.md section 6). */
export function taxSettingsRoutes(api: Api) {
  const path = '/tax/settings'
  const response = { 200: envelope(TaxSettings) }

  api.get(path, { ...read, schema: { summary: 'Get the tax settings', response } }, async ({ db }) =>
    answer(await taxSettingsOf(db)),
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Change the tax settings',
        description: 'Fields that are not sent stay.',
        body: Changes,
        response,
      },
    },
    async ({ db, body }) => answer(await db.transaction((tx) => changeSettings(tx, body))),
  )
}

/** The settings in force. */
export async function taxSettingsOf(db: Db): Promise<TaxSettings> {
  const [row] = await db.rows<{ value: Partial<TaxSettings> }>(
    prepared(sql`select value from tax_settings where store_id = ${db.store.id}`),
  )
  return toSettings(row?.value)
}

/** The settings in force, by those that are stored. */
export const toSettings = (stored: Partial<TaxSettings> | undefined): TaxSettings => ({ ...defaults, ...stored })

/** Whether the prices of the catalog contain tax. */
export const entersPricesWithTax = async (db: Db): Promise<boolean> => (await taxSettingsOf(db)).tax_entered_with_prices

/** @throws Problem 422 */
async function changeSettings(
  tx: Tx,
  { price_display_settings: given = {}, ...changes }: Static<typeof Changes>,
): Promise<TaxSettings> {
  await changeStamp(tx, 'tax')
  const before = await taxSettingsOf(tx)
  const { show_inclusive_in_control_panel: isInclusive, ...strategies } = given
  const older =
    isInclusive === undefined
      ? {}
      : { control_panel_price_display_strategy: isInclusive ? ('INCLUSIVE' as const) : ('EXCLUSIVE' as const) }
  const after = {
    ...before,
    ...changes,
    price_display_settings: { ...before.price_display_settings, ...older, ...strategies },
  }
  await refuseUnknownZones(tx, changes)
  if (isDeepStrictEqual(before, after)) return before
  await storeSettings(tx, after)
  if (before.tax_entered_with_prices !== after.tax_entered_with_prices) {
    publish(tx, 'store/information/updated', 'store information', { type: 'store' })
  }
  return after
}

const ZONE_FIELDS = ['guest_shopper_tax_zone_id', 'store_tax_zone_id'] as const

async function refuseUnknownZones(tx: Tx, changes: Pick<Static<typeof Changes>, (typeof ZONE_FIELDS)[number]>) {
  const named = ZONE_FIELDS.flatMap((field) => changes[field] ?? [])
  if (named.length === 0) return
  const rows = await tx.rows<{ id: number }>(sql`
    select id from tax_zones where store_id = ${tx.store.id} and id = any(${named})`)
  const mistakes: Mistakes = {}
  for (const field of ZONE_FIELDS) {
    const id = changes[field]
    if (id !== undefined && !rows.some((row) => row.id === id)) mistakes[field] = unknownId('tax zone', id)
  }
  refuse(mistakes)
}

const storeSettings = (tx: Tx, value: TaxSettings) =>
  tx.rows(sql`
    insert into tax_settings ${sql.rows([{ store_id: tx.store.id, value: JSON.stringify(value) }])}
    on conflict (store_id) do update set value = excluded.value`)

/** Settings that name one of the zones, which are deleted, name zone 1 instead. The stamp is changed already. */
export async function leaveZones(tx: Tx, zoneIds: readonly number[]) {
  const before = await taxSettingsOf(tx)
  const left = ZONE_FIELDS.filter((field) => zoneIds.includes(before[field]))
  if (left.length === 0) return
  await storeSettings(tx, { ...before, ...Object.fromEntries(left.map((field) => [field, defaults[field]])) })
}
