import { stateByName } from '../../../core/geography/states.ts'
import { type TaxTables, taxZoneAt, type ZoneInForce, zoneOrDefault } from './tables.ts'
import { ratesOfZone, type TaxZones } from './tax-of.ts'

/** The address that decides about tax: that of the shipment, else the billing address. */
export interface TaxAddress {
  /** Two letters. */
  country_code: string
  /** A code of ISO 3166-2 without the country, or a name in English. */
  state: string
  postal_code: string
}

/** A shopper, as far as tax is concerned. */
export interface TaxShopper {
  /** Undefined if nothing is known about it. */
  address: TaxAddress | undefined
  /** 0 for guests and customers without a group. */
  customer_group_id: number
}

/**
 * The zone that serves a shopper. Without an address it is the first zone for the group, else the one that the settings name for
 * guests (docs/contract/tax.md section 5).
 */
export function zoneOfShopper(tables: TaxTables, { address, customer_group_id }: TaxShopper): ZoneInForce {
  if (address && address.country_code !== '') {
    const { country_code, state, postal_code } = address
    const subdivision_code = stateByName(country_code.toUpperCase(), state)?.code ?? state
    return taxZoneAt(tables, { country_code, subdivision_code, postal_code, customer_group_id })
  }
  return zoneOrDefault(tables, firstZoneOfGroup(tables, customer_group_id) ?? tables.settings.guest_shopper_tax_zone_id)
}

function firstZoneOfGroup({ zones }: TaxTables, group: number): number | undefined {
  if (group === 0) return undefined
  const found = zones
    .values()
    .find(({ zone }) => zone.enabled && zone.shopper_target_settings.customer_groups.includes(group))
  return found?.zone.id
}

/** The rates that count for a shopper. */
export const taxZonesOf = (tables: TaxTables, shopper: TaxShopper): TaxZones => ({
  shopper: ratesOfZone(zoneOfShopper(tables, shopper)),
  store: ratesOfZone(zoneOrDefault(tables, tables.settings.store_tax_zone_id)),
})
