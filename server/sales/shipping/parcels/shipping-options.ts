import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Currency } from '../../../shop/channels/currencies/shape.ts'
import { unitSettings } from '../../../shop/settings/families/families.ts'
import { settingsOf } from '../../../shop/settings/families/family.ts'
import { payingIn } from '../../pricing/gather.ts'
import type { CarrierDesk, CarrierQuotes } from '../carriers/quotes.ts'
import type { Consignment } from '../consignment.ts'
import { type Method, OWN_TYPES } from '../methods-row.ts'
import type { ZoneRow } from '../zones.ts'
import { zoneAt } from './matching.ts'
import { optionsFor, type ShippingOption } from './options.ts'

/** The options of a consignment, and the zone that offers them. */
export interface OfferedOptions {
  /** Undefined if no zone serves the address. */
  zone: Pick<ZoneRow, 'id' | 'name'> | undefined
  options: readonly ShippingOption[]
}

interface ZoneFacts {
  zone: ZoneRow
  methods: Method[]
  currencies: Currency[]
}

/**
 * The shipping options of a consignment, in the cart's currency (docs/contract/shipping.md section 5). Two statements without
 * carriers. Never call it in a transaction: it waits for carriers.
 * @returns no options without a zone or without a method that applies
 * @throws Error for a currency that the store does not have
 */
export async function shippingOptions(db: Db, desk: CarrierDesk, consignment: Consignment): Promise<OfferedOptions> {
  const { country_iso2, state_iso2, zip } = consignment.destination
  const id = await zoneAt(db, { country_iso2, state_iso2, zip })
  const facts = id === undefined ? undefined : await zoneFacts(db, id)
  if (!facts) return { zone: undefined, options: [] }
  const { zone, methods } = facts
  const byCode = new Map(facts.currencies.map((one) => [one.currency_code, payingIn(one)]))
  const currency = byCode.get(consignment.currency)
  if (!currency) throw new Error(`The store does not have the currency ${consignment.currency}.`)
  const { lines, channel } = consignment
  const asking = methods.filter(({ type, enabled, channel_ids }) => {
    const isOwn = OWN_TYPES.some((own) => own === type)
    return !isOwn && enabled && (channel_ids?.includes(channel) ?? true)
  })
  const quotes = asking.length > 0 ? await quotesOf(db, desk, consignment, { asking, currency, byCode }) : undefined
  return { zone, options: optionsFor({ lines, channel, currency }, zone, methods, quotes) }
}

async function quotesOf(
  db: Db,
  desk: CarrierDesk,
  consignment: Consignment,
  { asking, currency, byCode }: { asking: Method[]; currency: Paying; byCode: ReadonlyMap<string, Paying> },
): Promise<CarrierQuotes> {
  const { weight_measurement, length_measurement } = await settingsOf(db, unitSettings)
  const measures = { weight: weight_measurement, length: length_measurement }
  return desk.quotesFor(db, consignment, asking, { measures, currency, currencies: byCode })
}

type Paying = ReturnType<typeof payingIn>

/** The zone, its methods and the currencies of the store, in one statement. */
async function zoneFacts(db: Db, id: number): Promise<ZoneFacts | undefined> {
  const { id: store } = db.store
  const [row] = await db.rows<ZoneFacts>(
    prepared(sql`
    select to_jsonb(zone) as zone,
      (select coalesce(jsonb_agg(to_jsonb(method)), '[]')
        from shipping_methods method where store_id = ${store} and zone_id = ${id}) as methods,
      (select jsonb_agg(to_jsonb(currency)) from currencies currency where store_id = ${store}) as currencies
    from shipping_zones zone where store_id = ${store} and id = ${id}`),
  )
  return row
}
