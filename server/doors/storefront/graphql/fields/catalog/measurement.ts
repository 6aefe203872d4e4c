import { unitSettings } from '../../../../../shop/settings/families/families.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { settingsFor } from '../shop.ts'

/** A measure in the units of the store. */
export async function measurement(caller: StorefrontCaller, value: number, kind: 'weight' | 'length') {
  const { weight_measurement, length_measurement } = (await settingsFor(caller)).of(unitSettings)
  return { value, unit: kind === 'weight' ? weight_measurement : length_measurement }
}
