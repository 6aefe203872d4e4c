/** Units of an item that an order has taken at a location. */
export interface Allocation {
  location_id: number
  quantity: number
  /** Units that were sold although the location did not have them. */
  oversold: number
}

/** The stock of the item at a location from which the order may take. */
export interface Supply {
  location_id: number
  /** The amount that customers may buy. */
  forSale: number
  on_hand: number
}

/**
 * The allocations of an order after it needs another quantity of an item (docs/contract/inventory.md section 4). Pure. Only
 * the difference to the current allocations moves. Oversold units count as allocated and are given up first; other units
 * return to the location that was used last.
 * @param supplies in the order in which they are used, at least one
 * @param mayOversell whether to take units that are not for sale, and more than there are
 * @returns undefined if too little is for sale
 */
export function allocate(
  need: number,
  held: readonly Allocation[],
  supplies: readonly Supply[],
  mayOversell: boolean,
): Allocation[] | undefined {
  const more = need - held.reduce((sum, { quantity, oversold }) => sum + quantity + oversold, 0)
  if (more <= 0) return releaseUnits(held, -more)
  const after = new Map(held.map((place) => [place.location_id, { ...place }]))
  const at = (location_id: number) => {
    const place = after.get(location_id) ?? { location_id, quantity: 0, oversold: 0 }
    after.set(location_id, place)
    return place
  }
  let left = more
  const take = (location_id: number, most: number): number => {
    const taken = Math.min(left, Math.max(0, most))
    if (taken > 0) at(location_id).quantity += taken
    left -= taken
    return taken
  }
  const rest = supplies.map(({ location_id, forSale, on_hand }) => ({
    location_id,
    on_hand: on_hand - take(location_id, forSale),
  }))
  if (left > 0 && !mayOversell) return undefined
  for (const { location_id, on_hand } of rest) take(location_id, on_hand)
  const [first] = supplies
  if (left > 0 && first) at(first.location_id).oversold += left
  return [...after.values()]
}

function releaseUnits(held: readonly Allocation[], count: number): Allocation[] {
  let left = count
  const giveUp = (most: number): number => {
    const given = Math.min(left, most)
    left -= given
    return most - given
  }
  const sold = held.map((place) => ({ ...place, oversold: giveUp(place.oversold) }))
  const back = sold.toReversed().map((place) => ({ ...place, quantity: giveUp(place.quantity) }))
  return back.toReversed().filter(({ quantity, oversold }) => quantity + oversold > 0)
}
