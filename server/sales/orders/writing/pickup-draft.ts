import type { Tx } from '../../../core/db/database.ts'
import type { ItemCheck } from '../../../core/rest/input/mistakes.ts'
import { unknownId } from '../../../core/rest/problem.ts'
import { findLocation } from '../../../goods/inventory/locations/location-shape.ts'
import { lockMethodsShared } from '../../../goods/pickup/methods.ts'
import type { NewPickup } from '../calculation/bodies.ts'
import { defined } from '../calculation/charges.ts'
import type { PickupRow } from '../row/rows.ts'

/** A pickup consignment to store. */
export type PickupDraft = Omit<PickupRow, 'id' | 'order_id'>

/**
 * Copies a pickup method and its location for an order. Fields of the input take precedence.
 * @returns undefined, with a mistake, if orders can't be collected with this method
 */
export async function pickupOf(
  tx: Tx,
  input: Omit<NewPickup, 'line_items'>,
  { at, mistakes }: ItemCheck,
): Promise<PickupDraft | undefined> {
  const { pickup_method_id, pickup_method_display_name, collection_instructions, collection_time_description } = input
  const method = (await lockMethodsShared(tx, [pickup_method_id])).get(pickup_method_id)
  if (!method) {
    mistakes[at('pickup_method_id')] = unknownId('pickup method', pickup_method_id)
    return undefined
  }
  const place = await findLocation(tx, method.location_id)
  if (!place?.enabled) {
    mistakes[at('pickup_method_id')] = `Orders can't be collected at the location ${method.location_id}.`
    return undefined
  }
  const { address } = place
  return {
    pickup_method_id,
    pickup_method_display_name: pickup_method_display_name ?? method.name,
    collection_instructions: collection_instructions ?? method.collection_instructions,
    collection_time_description: collection_time_description ?? method.collection_time_description,
    location: {
      id: place.id,
      name: place.label,
      code: place.code,
      address_line_1: address?.address1 ?? '',
      address_line_2: address?.address2 ?? '',
      city: address?.city ?? '',
      state: address?.state ?? '',
      postal_code: address?.zip ?? '',
      country_alpha2: address?.country_code ?? '',
      email: address?.email ?? '',
      phone: address?.phone ?? '',
      ...defined(input.location ?? {}),
    },
  }
}
