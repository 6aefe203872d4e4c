import type { RateInForce, TaxTables } from '../../sales/tax/calculation/tables.ts'
import { DEFAULT_COST_CLASSES } from '../../sales/tax/classes/cost-classes.ts'
import type { TaxSettings } from '../../sales/tax/settings.ts'
import { ZoneSearch } from '../../sales/tax/zones/zone-search.ts'
import type { TaxZone } from '../../sales/tax/zones/zones.ts'

const CLASSES = [0, 1, 2, 3]

/**
 * Tax tables with a zone for each country. Its rates count for all classes.
 * @param rates by country; those of `'*'` are in zone 1, the store's own, which serves all other places
 */
export function taxTablesOf(
  rates: Record<string, readonly RateInForce[]>,
  settings: Partial<TaxSettings> = {},
): TaxTables {
  const { '*': own = [], ...countries } = rates
  const zones = [{ zone: zoneOf(1, []), rates: own }]
  for (const [country, ofCountry] of Object.entries(countries)) {
    zones.push({ zone: zoneOf(zones.length + 1, [country]), rates: ofCountry })
  }
  return {
    settings: {
      tax_entered_with_prices: false,
      price_display_settings: {
        control_panel_price_display_strategy: 'ZONE',
        invoice_price_display_strategy: 'ZONE',
      },
      fallback_strategy: 'FIXED',
      should_subtract_store_tax: true,
      should_use_geolocation_to_determine_guest_shopper_tax_zone: false,
      guest_shopper_tax_zone_id: 1,
      store_tax_zone_id: 1,
      document_submission_strategy: 'ON_PAYMENT_CAPTURE',
      rounding_strategy: 'RATE_ROUNDING',
      ...settings,
    },
    costClasses: DEFAULT_COST_CLASSES,
    classNames: new Map(CLASSES.map((id) => [id, `Class ${id}`])),
    zones: new Map(
      zones.map(({ zone, rates: ofZone }) => [
        zone.id,
        {
          zone,
          rates: new Map(CLASSES.map((id) => [id, ofZone.toSorted((one, other) => one.priority - other.priority)])),
        },
      ]),
    ),
    search: new ZoneSearch(zones.map(({ zone }) => zone)),
    provider: undefined,
  }
}

const zoneOf = (id: number, countries: readonly string[]): TaxZone => ({
  id,
  name: `Zone ${id}`,
  enabled: true,
  price_display_settings: { show_inclusive: false, show_both_on_detail_view: false, show_both_on_list_view: false },
  shopper_target_settings: {
    locations: countries.map((country_code) => ({ country_code, subdivision_codes: [], postal_codes: [] })),
    customer_groups: [],
  },
})
