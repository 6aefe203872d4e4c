import { type Db, prepared } from '../../../../../../core/db/database.ts'
import { sql } from '../../../../../../core/db/sql.ts'
import { Load } from '../../../../../../core/graphql/loads.ts'
import type { ChoiceConfig, ChoiceType } from '../../../../../../goods/catalog/choices/rules.ts'
import type { StorefrontCaller } from '../../../../caller.ts'

/** A value of an option or modifier. */
export interface ChoiceValueRow {
  id: number
  label: string
  is_default: boolean
  value_data: {
    colors?: string[]
    image_url?: string
    product_id?: number
    checked_value?: boolean
  } | null
}

/** An option or a modifier of a product with its values. */
export interface ChoiceRow {
  id: number
  product_id: number
  display_name: string
  type: ChoiceType
  required: boolean
  config: ChoiceConfig
  isOption: boolean
  values: ChoiceValueRow[]
}

/** The options of products in their order, followed by the modifiers. */
export async function readChoices(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, ChoiceRow[]>> {
  const { id: store } = db.store
  const values = (table: 'option_values' | 'modifier_values') => sql`coalesce((
    select json_agg(json_build_object('id', id, 'label', label, 'is_default', is_default, 'value_data', value_data)
      order by value.sort_order, value.id)
    from ${sql.id(table)} value where value.store_id = ${store} and value.option_id = choice.id
  ), '[]') as values`
  const rows = await db.rows<ChoiceRow>(
    prepared(sql`
    select * from (
      select id, product_id, display_name, type, true as required, config, sort_order, true as "isOption",
        ${values('option_values')}
      from options choice where choice.store_id = ${store} and choice.product_id = ${sql.anyOf(ids)}
      union all
      select id, product_id, display_name, type, required, config, sort_order, false, ${values('modifier_values')}
      from modifiers choice where choice.store_id = ${store} and choice.product_id = ${sql.anyOf(ids)}
    ) choices order by product_id, "isOption" desc, sort_order, id`),
  )
  const found = new Map(ids.map((id): [number, ChoiceRow[]] => [id, []]))
  for (const row of rows) found.get(row.product_id)?.push(row)
  return found
}

const choiceLoad = new Load<StorefrontCaller, number, ChoiceRow[]>(({ storefront: { db } }, ids) =>
  readChoices(db, ids),
)

export const choicesOf = async (caller: StorefrontCaller, product: number): Promise<ChoiceRow[]> =>
  (await choiceLoad.find(caller, product, undefined)) ?? []
