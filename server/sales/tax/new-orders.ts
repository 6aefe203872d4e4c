import { type Db, prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { type CostClasses, DEFAULT_COST_CLASSES } from './classes/cost-classes.ts'
import { type TaxSettings, toSettings } from './settings.ts'

/** How a new order is taxed: whether its prices contain tax, and the classes of its costs. Read by one statement. */
export async function taxOfNewOrders(db: Db): Promise<{ isInclusive: boolean; costClasses: CostClasses }> {
  const [row] = await db.rows<{ value: Partial<TaxSettings>; cost_classes: Partial<CostClasses> }>(
    prepared(sql`select value, cost_classes from tax_settings where store_id = ${db.store.id}`),
  )
  return {
    isInclusive: toSettings(row?.value).tax_entered_with_prices,
    costClasses: { ...DEFAULT_COST_CLASSES, ...row?.cost_classes },
  }
}
