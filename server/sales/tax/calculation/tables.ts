import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { type Units, unitsOf } from '../../../core/money/units.ts'
import { findWhere } from '../../../core/rest/lists/verbs.ts'
import { type Compiled, CompiledData } from '../../../core/stamps/compiled.ts'
import { readStamp } from '../../../core/stamps/stamps.ts'
import { taxClassNames } from '../classes/classes.ts'
import { type CostClasses, costClassesOf } from '../classes/cost-classes.ts'
import { type ActiveProvider, findActiveProvider } from '../providers/providers.ts'
import { type TaxSettings, taxSettingsOf } from '../settings.ts'
import { type TaxRate, taxRates } from '../zones/rates.ts'
import { type TaxPlace, ZoneSearch } from '../zones/zone-search.ts'
import { DEFAULT_ZONE, type TaxZone, taxZones } from '../zones/zones.ts'

// The tax data of a store in the form in which prices and orders ask for it: settings, classes, zones and rates. It is read whole and
// kept in memory while the stamp of the store is the same (`core/stamps`).

/** A rate as it applies to one class. */
export interface RateInForce {
  id: number
  name: string
  /** Percent, in ten-thousandths. */
  percent: Units
  priority: number
}

/** The rates of a zone by class, each list in the order of priorities. Classes without a rate are missing. */
type RatesByClass = ReadonlyMap<number, readonly RateInForce[]>

/** A zone with its rates. */
export interface ZoneInForce {
  zone: TaxZone
  rates: RatesByClass
}

export interface TaxTables {
  settings: TaxSettings
  classNames: ReadonlyMap<number, string>
  costClasses: CostClasses
  zones: ReadonlyMap<number, ZoneInForce>
  search: ZoneSearch
  /** The provider that calculates in place of the rates. */
  provider: ActiveProvider | undefined
}

const compiled = new CompiledData<TaxTables>()

/**
 * The tax data of a store.
 * @param stamp of the subject `tax`, if the caller has read it with a statement of its own (`stampOf`)
 */
export async function taxTables(db: Db, stamp?: number): Promise<TaxTables> {
  return compiled.get(db.store, stamp ?? (await readStamp(db, 'tax')), () => load(db))
}

const ZONE_BYTES = 600
const RATE_BYTES = 150
const NAME_BYTES = 300

async function load(db: Db): Promise<Compiled<TaxTables>> {
  const { settings, classNames, costClasses, zones, rates, provider } = await db.together(() => ({
    settings: taxSettingsOf(db),
    classNames: taxClassNames(db),
    costClasses: costClassesOf(db),
    zones: findWhere(db, taxZones, sql`true`),
    rates: findWhere(db, taxRates, sql`enabled`, sql`order by priority, id`),
    provider: findActiveProvider(db),
  }))
  const byZone = Map.groupBy(rates, ({ tax_zone_id }) => tax_zone_id)
  const search = new ZoneSearch(zones)
  const classRates = rates.reduce((sum, { class_rates }) => sum + class_rates.length, 0)
  return {
    value: {
      settings,
      classNames,
      costClasses,
      zones: new Map(zones.map((zone) => [zone.id, { zone, rates: byClass(byZone.get(zone.id) ?? []) }])),
      search,
      provider,
    },
    // A zone keeps its codes a second time, as answers show them.
    bytes: 2 * search.bytes + zones.length * ZONE_BYTES + classRates * RATE_BYTES + classNames.size * NAME_BYTES,
  }
}

function byClass(rates: readonly TaxRate[]): RatesByClass {
  const found = new Map<number, RateInForce[]>()
  for (const { id, name, priority, class_rates } of rates) {
    for (const { rate, tax_class_id } of class_rates) {
      if (rate === 0) continue
      const list = found.get(tax_class_id) ?? []
      found.set(tax_class_id, list)
      list.push({ id, name, priority, percent: unitsOf(rate) })
    }
  }
  return found
}

/** The zone that serves a place: zone 1, if no other zone does. */
export const taxZoneAt = (tables: TaxTables, place: TaxPlace): ZoneInForce =>
  zoneOrDefault(tables, tables.search.find(place) ?? DEFAULT_ZONE)

/** A zone that settings name. */
export function zoneOrDefault({ zones }: TaxTables, id: number): ZoneInForce {
  const found = zones.get(id) ?? zones.get(DEFAULT_ZONE)
  if (!found) throw new Error('The store has no default tax zone.')
  return found
}
