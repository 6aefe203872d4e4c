import { share, type Units } from '../../../core/money/units.ts'
import type { TaxAddress } from '../../tax/calculation/shopper.ts'
import type { CartAddress, CartConsignment, CartDocument } from '../row/document.ts'
import type { CartFacts } from './facts.ts'
import type { PricedLine } from './result.ts'

// The places that lines go to, which decide about their tax (docs/contract/carts.md section 6). Pure.

/** Units of a line that go to one place. */
export interface PlacedUnits {
  /** Undefined for digital lines, and for units without a consignment. */
  consignment_id: string | undefined
  quantity: number
}

/** Allocates the units of lines to consignments. Lines that promotions added go with the first consignment. */
export function placeUnits(lines: readonly PricedLine[], { consignments }: CartDocument): PlacedUnits[][] {
  const named = Map.groupBy(
    consignments.flatMap(({ id, lines }) => lines.map(({ item_id, quantity }) => ({ id, item_id, quantity }))),
    ({ item_id }) => item_id,
  )
  return lines.map((line) => {
    const parts: PlacedUnits[] = []
    let left = line.quantity
    const add = (consignment_id: string | undefined, wanted: number) => {
      const quantity = Math.min(left, wanted)
      left -= quantity
      const same = parts.find((part) => part.consignment_id === consignment_id)
      if (same) same.quantity += quantity
      else if (quantity > 0) parts.push({ consignment_id, quantity })
    }
    if (!line.isDigital) {
      for (const { id, quantity } of named.get(line.id) ?? []) add(id, quantity)
      const [first] = consignments
      if (line.promotion_id !== undefined && first) add(first.id, left)
    }
    add(undefined, left)
    return parts
  })
}

/** Divides an amount of a line among its parts, by their units. The parts add up to the amount. */
export function divide(amount: Units, parts: readonly PlacedUnits[], quantity: number): Units[] {
  let before = 0n
  return parts.map((part) => {
    const next = BigInt(part.quantity)
    const found = share(amount, before, next, BigInt(quantity))
    before += next
    return found
  })
}

/** The places of a cart. An address is undefined until one is known. */
export interface CartPlaces {
  /** By the id of the consignment; without an id, the place of downloads, fees and units without a consignment. */
  of(consignment_id: string | undefined): TaxAddress | undefined
}

export function placesOf({ consignments, billing }: CartDocument, { customerAddress }: CartFacts): CartPlaces {
  const byId = new Map(consignments.map((consignment) => [consignment.id, placeOfConsignment(consignment)]))
  const [first] = byId.values()
  // A billing address may have only an e-mail address so far.
  const paid = (billing?.country_code ? placeOfAddress(billing) : undefined) ?? first ?? customerAddress
  return { of: (id) => (id === undefined ? paid : (byId.get(id) ?? paid)) }
}

const placeOfConsignment = ({ address, pickup }: CartConsignment): TaxAddress | undefined => {
  if (pickup) return { country_code: pickup.country_code, state: pickup.state, postal_code: pickup.postal_code }
  return address ? placeOfAddress(address) : undefined
}

const placeOfAddress = (address: CartAddress): TaxAddress => ({
  country_code: address.country_code,
  state: address.state_or_province_code || address.state_or_province,
  postal_code: address.postal_code,
})

/** The countries of all consignments, as promotions ask for them. */
export const countriesOf = (document: CartDocument): string[] =>
  document.consignments.flatMap((consignment) => placeOfConsignment(consignment)?.country_code || [])
