/** What an order holds of an item at a location. */
export interface Allocation {
  location_id: number
  quantity: number
  /** What was sold and not there. */
  oversold: number
}

/** What there is of the item at a location that it may be taken from. */
export interface Supply {
  location_id: number
  /** As much as customers may buy. */
  forSale: number
  on_hand: number
}

/**
 * What an order holds of an item when it needs so many (docs/contract/inventory.md section 4). Pure. Only the difference to what it held
 * moves: what was sold and not there counts as held, and is given up first; what goes back, goes back where it was taken last.
 * @param supplies in the order in which it is taken from them, at least one
 * @param mayOversell whether it takes what is there where too little is for sale, and more than there is
 * @returns undefined where too little is for sale
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
