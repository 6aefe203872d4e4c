import type { Db } from '../../../core/db/database.ts'
import { unitSettings } from '../../../shop/settings/families/families.ts'
import { settingsOf } from '../../../shop/settings/families/family.ts'
import { payingIn } from '../../pricing/gather.ts'
import type { CarrierDesk, CarrierQuotes } from '../carriers/quotes.ts'
import type { Consignment, Parcel } from '../consignment.ts'
import { type Method, OWN_TYPES } from '../methods-row.ts'
import type { ZoneRow } from '../zones.ts'
import { type Destination, type ZoneFacts, zoneAt } from './matching.ts'
import { optionsFor, type ShippingOption } from './options.ts'

/** The options of a consignment, and the zone that offers them. */
export interface OfferedOptions {
  /** Undefined if no zone serves the address. */
  zone: Pick<ZoneRow, 'id' | 'name'> | undefined
  options: readonly ShippingOption[]
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
 * The shipping options of a consignment, in the cart's currency (docs/contract/shipping.md section 5). One statement
 * without carriers, or two if many zones name the address. Never call it in a transaction: it waits for carriers.
 * @returns no options without a zone or without a method that applies
 * @throws Error for a currency that the store does not have
 */
export async function shippingOptions(db: Db, desk: CarrierDesk, consignment: Consignment): Promise<OfferedOptions> {
  const [serving] = await servingZones(db, [consignment])
  const quotes = serving && serving.asking.length > 0 ? await askCarriers(db, desk, consignment, serving) : undefined
  return offeredBy(serving, consignment, quotes)
}

/**
 * Finds the zones that serve consignments, in one round trip.
 * @returns undefined for each that no zone serves
 */
export async function servingZones(db: Db, consignments: readonly Addressed[]): Promise<(ServingZone | undefined)[]> {
  const keys = consignments.map(
    ({ destination: { country_iso2, state_iso2, zip } }) => `${country_iso2} ${state_iso2} ${zip}`,
  )
  const places = new Map(consignments.map(({ destination }, i) => [keys[i] ?? '', destination]))
  const found = await db.together(() => [...places.values()].map((destination) => zoneAt(db, destination)))
  const facts = new Map([...places.keys()].map((key, i) => [key, found[i]]))
  return consignments.map(({ channel }, i) => {
    const zone = facts.get(keys[i] ?? '')
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
