import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'

// The facts of the catalog that promotions match the lines of a cart by.

/** A line of a cart: a variant, or a product with its base variant. */
export interface NamedLine {
  /** 0 if only the variant is named. */
  product_id: number
  /** 0 for the base variant. */
  variant_id: number
}

/** The facts of a line. Those that the caller did not ask for are empty. */
export interface CatalogFacts {
  product_id: number
  /** 0 for a product with options of which no variant is named. */
  variant_id: number
  brand_id: number
  /** Ids of the categories that the product is assigned to. */
  categories: number[]
  options: { name: string; value: string }[]
  customFields: { name: string; value: string }[]
}

/**
 * Reads the facts of lines with one statement.
 * @returns by the position of the line, without lines of unknown products and variants
 */
export async function factsOfLines(
  db: Db,
  lines: readonly NamedLine[],
  wanted: { categories: boolean; options: boolean; customFields: boolean },
): Promise<ReadonlyMap<number, CatalogFacts>> {
  if (lines.length === 0) return new Map()
  const rows = await db.rows<CatalogFacts & { position: number }>(
    prepared(sql`
    select (named.position - 1)::int as position, product.id as product_id, coalesce(variant.id, 0) as variant_id,
      product.brand_id,
      case when ${wanted.categories}::boolean then to_jsonb(array(
        select category_id from product_categories where store_id = ${db.store.id} and product_id = product.id
      )) else '[]' end as categories,
      case when ${wanted.options}::boolean then coalesce((
        select jsonb_agg(jsonb_build_object('name', value->'option_display_name', 'value', value->'label'))
        from jsonb_array_elements(variant.option_values) as value
      ), '[]') else '[]' end as options,
      case when ${wanted.customFields}::boolean then coalesce((
        select jsonb_agg(jsonb_build_object('name', name, 'value', value)) from custom_fields
        where store_id = ${db.store.id} and product_id = product.id
      ), '[]') else '[]' end as "customFields"
    from unnest(
      ${lines.map(({ product_id }) => product_id)}::int[], ${lines.map(({ variant_id }) => variant_id)}::int[]
    ) with ordinality as named (product_id, variant_id, position)
    left join variants given on given.store_id = ${db.store.id} and given.id = named.variant_id
    join products product on product.store_id = ${db.store.id}
      and product.id = case when named.variant_id = 0 then named.product_id else given.product_id end
    left join variants variant on variant.store_id = ${db.store.id}
      and variant.id = coalesce(given.id, product.base_variant_id)`),
  )
  return new Map(rows.map(({ position, ...facts }) => [position, facts]))
}
