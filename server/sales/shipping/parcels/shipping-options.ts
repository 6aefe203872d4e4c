import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Currency } from '../../../shop/channels/currencies/shape.ts'
import { unitSettings } from '../../../shop/settings/families/families.ts'
import { settingsOf } from '../../../shop/settings/families/family.ts'
import { payingIn } from '../../pricing/gather.ts'
import type { CarrierDesk, CarrierQuotes } from '../carriers/quotes.ts'
import type { Consignment, Parcel } from '../consignment.ts'
import { type Method, OWN_TYPES } from '../methods-row.ts'
import type { ZoneRow } from '../zones.ts'
import { type Destination, zoneAt } from './matching.ts'
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

type Paying = ReturnType<typeof payingIn>

/** The zone that serves a consignment, with the facts that its options follow from. */
export interface ServingZone extends ZoneFacts {
  /** The methods whose carriers are asked. */
  asking: Method[]
  /** The currencies of the store, by code. */
  byCode: ReadonlyMap<string, Paying>
}

/** A consignment as far as its zone depends on it. */
interface Addressed extends Omit<Parcel, 'lines' | 'currency'> {
  destination: Destination
}

/**
 * The shipping options of a consignment, in the cart's currency (docs/contract/shipping.md section 5). Two statements without
 * carriers. Never call it in a transaction: it waits for carriers.
 * @returns no options without a zone or without a method that applies
 * @throws Error for a currency that the store does not have
 */
export async function shippingOptions(db: Db, desk: CarrierDesk, consignment: Consignment): Promise<OfferedOptions> {
  const [serving] = await servingZones(db, [consignment])
  const quotes = serving && serving.asking.length > 0 ? await askCarriers(db, desk, consignment, serving) : undefined
  return offeredBy(serving, consignment, quotes)
}

/**
 * Finds the zones that serve consignments, in two round trips.
 * @returns undefined for each that no zone serves
 */
export async function servingZones(db: Db, consignments: readonly Addressed[]): Promise<(ServingZone | undefined)[]> {
  const ids = await db.together(() => consignments.map(({ destination }) => zoneAt(db, destination)))
  const wanted = [...new Set(ids)].filter((id) => id !== undefined)
  const found = await db.together(() => wanted.map((id) => zoneFacts(db, id)))
  const facts = new Map(wanted.map((id, i) => [id, found[i]]))
  return consignments.map(({ channel }, i) => {
    const zone = facts.get(ids[i] ?? 0)
    return zone && servingZone(zone, channel)
  })
}

function servingZone(facts: ZoneFacts, channel: number): ServingZone {
  const asking = facts.methods.filter(({ type, enabled, channel_ids }) => {
    const isOwn = OWN_TYPES.some((own) => own === type)
    return !isOwn && enabled && (channel_ids?.includes(channel) ?? true)
  })
  return { ...facts, asking, byCode: new Map(facts.currencies.map((one) => [one.currency_code, payingIn(one)])) }
}

/** Asks the carriers of a zone. Never call it in a transaction. */
export async function askCarriers(
  db: Db,
  desk: CarrierDesk,
  consignment: Consignment,
  { asking, byCode }: Pick<ServingZone, 'asking' | 'byCode'>,
): Promise<CarrierQuotes> {
  const { weight_measurement, length_measurement } = await settingsOf(db, unitSettings)
  return desk.quotesFor(db, consignment, asking, {
    measures: { weight: weight_measurement, length: length_measurement },
    currency: currencyOf(byCode, consignment.currency),
    currencies: byCode,
  })
}

/** The options that a zone offers. @param quotes of its carriers */
export function offeredBy(
  serving: ServingZone | undefined,
  { lines, channel, currency }: Pick<Consignment, 'lines' | 'channel' | 'currency'>,
  quotes?: CarrierQuotes,
): OfferedOptions {
  if (!serving) return { zone: undefined, options: [] }
  const { zone, methods, byCode } = serving
  return {
    zone,
    options: optionsFor({ lines, channel, currency: currencyOf(byCode, currency) }, zone, methods, quotes),
  }
}

function currencyOf(byCode: ServingZone['byCode'], code: string): Paying {
  const currency = byCode.get(code)
  if (!currency) throw new Error(`The store does not have the currency ${code}.`)
  return currency
}

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
