import type { Db } from '../../../core/db/database.ts'
import { NeedsPreparation, PREPARATIONS_MAX } from '../../../core/rest/preparation.ts'
import type { CarrierDesk, CarrierQuotes } from '../carriers/quotes.ts'
import type { Consignment } from '../consignment.ts'
import { askCarriers, type OfferedOptions, offeredBy, type ServingZone, servingZones } from './shipping-options.ts'

/** A consignment without the parts that only carriers ask for, which are read if there are carriers. */
export type SentConsignment = Omit<Consignment, 'origin' | 'customer'>

/** The parts of consignments that only carriers ask for. */
export type CarrierParts = Pick<Consignment, 'origin' | 'customer'>

/**
 * The shipping options of the consignments of one request. A transaction asks for the options of the consignments that it would store. If
 * carriers have not been asked about exactly these, `NeedsPreparation` rolls the transaction back, all carriers are asked, and the
 * transaction runs again. If the consignments have changed too often, the zones offer what they can without carriers. Make one for each
 * request.
 */
export class ShippingQuotes {
  readonly #desk: CarrierDesk
  readonly #asked = new Map<string, CarrierQuotes>()
  #count = 0

  constructor(desk: CarrierDesk) {
    this.#desk = desk
  }

  /**
   * @param readParts reads the parts that only carriers ask for
   * @returns the options of each consignment, in their order
   * @throws NeedsPreparation
   */
  async optionsOf(
    db: Db,
    consignments: readonly SentConsignment[],
    readParts: (db: Db) => Promise<CarrierParts>,
  ): Promise<OfferedOptions[]> {
    if (consignments.length === 0) return []
    const zones = await servingZones(db, consignments)
    const asking = consignments.flatMap((consignment, i) => {
      const zone = zones[i]
      return zone && zone.asking.length > 0 ? [{ consignment, zone }] : []
    })
    const unasked = asking.filter(({ consignment, zone }) => !this.#asked.has(keyOf(consignment, zone)))
    if (unasked.length > 0 && this.#count < PREPARATIONS_MAX) {
      throw new NeedsPreparation((outside) => this.#ask(outside, unasked, readParts))
    }
    return consignments.map((consignment, i) => {
      const zone = zones[i]
      return offeredBy(zone, consignment, zone && this.#asked.get(keyOf(consignment, zone)))
    })
  }

  async #ask(
    db: Db,
    unasked: readonly { consignment: SentConsignment; zone: ServingZone }[],
    readParts: (db: Db) => Promise<CarrierParts>,
  ) {
    this.#count++
    const parts = await readParts(db)
    await Promise.all(
      unasked.map(async ({ consignment, zone }) => {
        const quotes = await askCarriers(db, this.#desk, { ...consignment, ...parts }, zone)
        this.#asked.set(keyOf(consignment, zone), quotes)
      }),
    )
  }
}

/** Identifies the question to carriers. */
const keyOf = (consignment: SentConsignment, { asking, byCode }: ServingZone): string =>
  JSON.stringify([consignment, asking, [...byCode]], (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )

/** Makes the quotes of requests. The transactions of one request share them, also when they run again. */
export function shippingByRequest(desk: CarrierDesk): (request: object) => ShippingQuotes {
  const made = new WeakMap<object, ShippingQuotes>()
  return (request) => {
    const quotes = made.get(request) ?? new ShippingQuotes(desk)
    made.set(request, quotes)
    return quotes
  }
}
