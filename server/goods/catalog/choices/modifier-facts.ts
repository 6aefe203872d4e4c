import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { ChoiceConfig, ChoiceType } from './rules.ts'

/** A modifier with everything that a shopper's choice is checked by. */
export interface ModifierFacts {
  id: number
  product_id: number
  display_name: string
  type: ChoiceType
  required: boolean
  config: ChoiceConfig
  values: readonly { id: number; label: string }[]
}

/** Reads the modifiers of products with one statement, in their order. */
export async function findModifiers(
  db: Db,
  productIds: readonly number[],
): Promise<ReadonlyMap<number, ModifierFacts[]>> {
  if (productIds.length === 0) return new Map()
  const rows = await db.rows<ModifierFacts>(
    prepared(sql`
    select id, product_id, display_name, type, required, config, coalesce((
      select jsonb_agg(jsonb_build_object('id', value.id, 'label', value.label) order by value.sort_order, value.id)
      from modifier_values value where value.store_id = ${db.store.id} and value.option_id = modifiers.id
    ), '[]') as values
    from modifiers where store_id = ${db.store.id} and product_id = any(${[...new Set(productIds)]}::int[])
    order by sort_order, id`),
  )
  return Map.groupBy(rows, ({ product_id }) => product_id)
}
