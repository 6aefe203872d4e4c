import type { Mistakes } from '../../../../core/rest/input/mistakes.ts'
import { Problem } from '../../../../core/rest/problem.ts'
import { newHexId } from '../../../../core/secrets/row-ids.ts'
import { refuseWithTitle } from '../../changes/refusal.ts'
import type { CartResult } from '../../evaluation/result.ts'
import type { CartAddress, CartConsignment, CartDocument, ChosenOption, PickupChoice } from '../../row/document.ts'

// Changes of consignments (docs/contract/checkouts.md section 6). Pure, except that new consignments get random ids. A unit of a line is in one
// consignment at most: units that a request names leave the consignments that have them, the oldest first.

const CONSIGNMENTS_MAX = 50

/** Units of a line in a request. */
interface NamedUnits {
  item_id: string
  quantity: number
}

/** A consignment to create: shipped to an address, or collected. */
export interface NewConsignment {
  destination: { address: CartAddress } | { pickup: PickupChoice }
  lines: readonly NamedUnits[]
}

/** The id of a consignment or of an option: hexadecimal digits. */
export const newConsignmentId = (): string => newHexId(12)

/** @throws Problem 422 for units that can't be shipped, and for too many consignments */
export function addConsignments(
  document: CartDocument,
  result: Pick<CartResult, 'lines'>,
  added: readonly NewConsignment[],
): CartDocument {
  refuseUnits(
    added.map(({ lines }) => lines),
    result,
    (i, j, field) => `${i}.line_items.${j}.${field}`,
  )
  const before = leave(
    document.consignments,
    added.flatMap(({ lines }) => lines),
    result,
  )
  return withConsignments(document, [
    ...before,
    ...added.map(({ destination, lines }) => ({
      id: newConsignmentId(),
      address: null,
      pickup: null,
      ...destination,
      lines: merged(lines),
      option: null,
    })),
  ])
}

/** The changed parts of a consignment. */
export type ConsignmentChange =
  | { address?: CartAddress; lines?: readonly NamedUnits[] }
  | { option: ChosenOption }
  | { pickup: PickupChoice }

/**
 * A new address or other units drop the chosen option.
 * @throws Problem 404 for an unknown consignment, 422
 */
export function changeConsignment(
  document: CartDocument,
  result: Pick<CartResult, 'lines'>,
  id: string,
  change: ConsignmentChange,
): CartDocument {
  const consignment = findConsignment(document, id)
  if ('option' in change) {
    if (!consignment.address) {
      throw new Problem(422, 'A consignment that is collected has no shipping.', {
        '': 'The consignment is collected.',
      })
    }
    return replace(document, { ...consignment, option: change.option })
  }
  if ('pickup' in change) {
    return replace(document, { ...consignment, address: null, pickup: change.pickup, option: null })
  }
  const { address, lines } = change
  if (lines) refuseUnits([lines], result, (_, j, field) => `line_items.${j}.${field}`)
  const changed: CartConsignment = {
    ...consignment,
    ...(address ? { address, pickup: null } : {}),
    ...(lines ? { lines: merged(lines) } : {}),
    option: null,
  }
  if (!lines) return replace(document, changed)
  const others = document.consignments.filter((one) => one.id !== id)
  const left = new Map(leave(others, lines, result).map((one) => [one.id, one]))
  const consignments = document.consignments.flatMap((one) => (one.id === id ? changed : (left.get(one.id) ?? [])))
  return withConsignments(document, consignments)
}

/** @throws Problem 404 */
export function removeConsignment(document: CartDocument, id: string): CartDocument {
  const { id: found } = findConsignment(document, id)
  return { ...document, consignments: document.consignments.filter((one) => one.id !== found) }
}

/** @throws Problem 404 */
export function findConsignment({ consignments }: CartDocument, id: string): CartConsignment {
  const found = consignments.find((one) => one.id === id)
  if (!found) throw new Problem(404, `This checkout has no consignment ${id}.`)
  return found
}

const replace = (document: CartDocument, changed: CartConsignment): CartDocument =>
  withConsignments(
    document,
    document.consignments.map((one) => (one.id === changed.id ? changed : one)),
  )

/** @throws Problem 422 for too many, and for a pickup beside another consignment */
function withConsignments(document: CartDocument, consignments: CartConsignment[]): CartDocument {
  if (consignments.length > CONSIGNMENTS_MAX) {
    const sentence = `A checkout can have at most ${CONSIGNMENTS_MAX} consignments.`
    throw new Problem(422, sentence, { '': sentence })
  }
  if (consignments.length > 1 && consignments.some(({ pickup }) => pickup)) {
    const sentence = 'Pickup method is limited to 1 consignment.'
    throw new Problem(422, sentence, { pickup_option: sentence })
  }
  return { ...document, consignments }
}

/** Refuses unknown lines, lines that nobody ships, and more units than a line has. @throws Problem 422 */
function refuseUnits(
  lists: readonly (readonly NamedUnits[])[],
  { lines }: Pick<CartResult, 'lines'>,
  at: (i: number, j: number, field: keyof NamedUnits) => string,
) {
  const mistakes: Mistakes = {}
  const byId = new Map(lines.map((line) => [line.id, line]))
  const named = new Map<string, number>()
  for (const [i, list] of lists.entries()) {
    for (const [j, { item_id, quantity }] of list.entries()) {
      const line = byId.get(item_id)
      if (!line) mistakes[at(i, j, 'item_id')] = `This cart has no physical line ${item_id}.`
      else if (line.isDigital) mistakes[at(i, j, 'item_id')] = 'A digital line is not shipped.'
      else {
        const sum = (named.get(item_id) ?? 0) + quantity
        named.set(item_id, sum)
        if (sum > line.quantity) mistakes[at(i, j, 'quantity')] = `The line has only ${line.quantity}.`
      }
    }
  }
  refuseWithTitle(mistakes)
}

/** Takes units out of consignments, as far as the lines have no free ones. Empty consignments are removed. */
function leave(
  consignments: readonly CartConsignment[],
  wanted: readonly NamedUnits[],
  { lines }: Pick<CartResult, 'lines'>,
): CartConsignment[] {
  const excess = new Map<string, number>()
  for (const { item_id, quantity } of merged(wanted)) {
    const taken = consignments.flatMap((one) => one.lines).filter((units) => units.item_id === item_id)
    const total = lines.find(({ id }) => id === item_id)?.quantity ?? 0
    excess.set(item_id, taken.reduce((sum, units) => sum + units.quantity, quantity) - total)
  }
  return consignments.flatMap((consignment) => {
    let isChanged = false
    const left = consignment.lines.flatMap((units) => {
      const moved = Math.min(units.quantity, Math.max(0, excess.get(units.item_id) ?? 0))
      if (moved === 0) return [units]
      isChanged = true
      excess.set(units.item_id, (excess.get(units.item_id) ?? 0) - moved)
      return moved < units.quantity ? [{ ...units, quantity: units.quantity - moved }] : []
    })
    if (!isChanged) return [consignment]
    return left.length > 0 ? [{ ...consignment, lines: left }] : []
  })
}

/** The units of each line once. */
function merged(lines: readonly NamedUnits[]): NamedUnits[] {
  const sums = new Map<string, number>()
  for (const { item_id, quantity } of lines) sums.set(item_id, (sums.get(item_id) ?? 0) + quantity)
  return [...sums].map(([item_id, quantity]) => ({ item_id, quantity }))
}
