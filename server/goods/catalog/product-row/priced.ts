import { type Db, prepared } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'

// The facts of the catalog that decide about prices, product by product.

/** Prices as they are stored; null for those that a variant inherits. */
export interface StoredPrices {
  price: number | null
  sale_price: number | null
  retail_price: number | null
  map_price: number | null
}

/** Changes a price by an amount, or by a percentage. */
export interface PriceAdjuster {
  adjuster: 'relative' | 'percentage'
  adjuster_value: number
}

/** A lower price from a quantity on. */
export interface QuantityDiscount {
  quantity_min: number
  /** 0 or null for no end. */
  quantity_max: number | null
  type: 'price' | 'percent' | 'fixed'
  amount: number
}

export interface PricedVariant extends StoredPrices {
  id: number
  purchasing_disabled: boolean
  /** Pairs of option and value; none for a base variant. */
  values: readonly (readonly [option: number, value: number])[]
}

export interface PricedModifierValue {
  id: number
  price: PriceAdjuster | null
  /** The product whose price a shopper pays with this value; null for none. */
  picked: number | null
}

export interface PricedModifier {
  id: number
  type: string
  required: boolean
  values: readonly PricedModifierValue[]
}

/** A rule that changes the price if a shopper's choice meets all its conditions. */
export interface PriceRule {
  stop: boolean
  price: { adjuster: PriceAdjuster['adjuster'] | null; adjuster_value: number }
  conditions: readonly {
    modifier_id: number | null
    modifier_value_id: number | null
    variant_id: number | null
  }[]
}

export interface PricedProduct {
  id: number
  price: number
  sale_price: number
  retail_price: number
  map_price: number
  tax_class_id: number
  /** Null for a product with options. */
  base_variant_id: number | null
  categories: readonly number[]
  variants: readonly PricedVariant[]
  /** Values of its options, as pairs of option and value. */
  optionValues: readonly (readonly [option: number, value: number])[]
  /** By sort order. */
  modifiers: readonly PricedModifier[]
  /** The enabled ones, by sort order. */
  rules: readonly PriceRule[]
  bulkRules: readonly QuantityDiscount[]
}

/** The lists of a product that the database puts together. */
type Lists = Pick<PricedProduct, 'optionValues' | 'modifiers' | 'rules' | 'bulkRules'>

/** A product without its lists. */
type ProductColumns = Omit<PricedProduct, keyof Lists | 'variants'>

/** A variant as it is stored. */
interface VariantColumns extends Omit<PricedVariant, 'values'> {
  product_id: number
  option_values: readonly { option_id: number; id: number }[]
}

/** A product, a variant, or one of the lists of a product. */
type PricedRow =
  | ({ part: 'product' } & ProductColumns)
  | ({ part: 'variant' } & VariantColumns)
  | { part: keyof Lists; product_id: number; list: unknown }

/**
 * Reads products, and besides those whose prices shoppers pay with values of their modifiers. One statement: it reads each table once for
 * all products (docs/decisions/072-prices-of-many-products.md).
 * @param variants variants whose products are read as well
 * @returns by id; missing products are left out
 */
export async function findPricedProducts(
  db: Db,
  ids: readonly number[],
  variants: readonly number[] = [],
): Promise<ReadonlyMap<number, PricedProduct>> {
  const { id: store } = db.store
  const below = (table: string) =>
    sql`${sql.id(table)}.store_id = ${store} and ${sql.id(table)}.product_id = any(array(select id from wanted))`
  const rows = await db.rows<PricedRow>(
    prepared(sql`
    with wanted as materialized (
      select unnest(${[...new Set(ids)]}::int[]) as id
      union
      select product_id from variants where store_id = ${store} and id = ${sql.anyOf(variants)}
      union
      select (value.value_data ->> 'product_id')::int from modifiers modifier
        join modifier_values value on value.store_id = ${store} and value.option_id = modifier.id
      where modifier.store_id = ${store} and modifier.product_id = ${sql.anyOf(ids)}
        and modifier.type in ('product_list', 'product_list_with_images')
        and modifier.config ->> 'product_list_adjusts_pricing' = 'true'
        and value.value_data ->> 'product_id' is not null
    )
    select 'product' as part, null::int as product_id, null::json as list, null::jsonb as option_values, null::bool as purchasing_disabled,
      id, price, sale_price, retail_price, map_price, tax_class_id, base_variant_id, categories
    from products where store_id = ${store} and id = any(array(select id from wanted))
    union all
    select 'variant', product_id, null, option_values, purchasing_disabled,
      id, price, sale_price, retail_price, map_price, null, null, null
    from variants where ${below('variants')}
    union all
    select 'optionValues', product_id, json_agg(json_build_array(option_id, id)), ${NO_COLUMNS}
    from option_values where ${below('option_values')} group by product_id
    union all
    select 'modifiers', product_id, json_agg(json_build_object('id', id, 'type', type, 'required', required, 'values', coalesce((
      select json_agg(json_build_object('id', value.id, 'price', value.adjusters -> 'price',
        'picked', case when modifiers.config ->> 'product_list_adjusts_pricing' = 'true'
          then value.value_data -> 'product_id' end) order by value.sort_order, value.id)
      from modifier_values value where value.store_id = ${store} and value.option_id = modifiers.id
    ), '[]')) order by sort_order, id), ${NO_COLUMNS}
    from modifiers where ${below('modifiers')} group by product_id
    union all
    select 'rules', product_id, json_agg(json_build_object('stop', stop, 'price', price_adjuster, 'conditions', coalesce((
      select json_agg(json_build_object('modifier_id', modifier_id, 'modifier_value_id', modifier_value_id,
        'variant_id', variant_id))
      from complex_rule_conditions condition where condition.store_id = ${store} and condition.rule_id = complex_rules.id
    ), '[]')) order by sort_order, id), ${NO_COLUMNS}
    from complex_rules where ${below('complex_rules')} and enabled group by product_id
    union all
    select 'bulkRules', product_id, json_agg(json_build_object('quantity_min', quantity_min, 'quantity_max', quantity_max,
      'type', type, 'amount', amount) order by quantity_min, id), ${NO_COLUMNS}
    from bulk_pricing_rules where ${below('bulk_pricing_rules')} group by product_id`),
  )
  const products = new Map<number, Filled>()
  for (const row of rows) if (row.part === 'product') products.set(row.id, withoutLists(row))
  for (const row of rows) {
    if (row.part === 'product') continue
    const product = products.get(row.product_id)
    if (!product) continue
    if (row.part === 'variant') product.variants.push(toVariant(row))
    else Object.assign(product, { [row.part]: row.list })
  }
  for (const { variants } of products.values()) variants.sort((one, other) => one.id - other.id)
  return products
}

/** A product whose variants are being added. */
type Filled = PricedProduct & { variants: PricedVariant[] }

const withoutLists = (product: ProductColumns): Filled => ({
  id: product.id,
  price: product.price,
  sale_price: product.sale_price,
  retail_price: product.retail_price,
  map_price: product.map_price,
  tax_class_id: product.tax_class_id,
  base_variant_id: product.base_variant_id,
  categories: product.categories,
  variants: [],
  optionValues: [],
  modifiers: [],
  rules: [],
  bulkRules: [],
})

const toVariant = (variant: VariantColumns): PricedVariant => ({
  id: variant.id,
  price: variant.price,
  sale_price: variant.sale_price,
  retail_price: variant.retail_price,
  map_price: variant.map_price,
  purchasing_disabled: variant.purchasing_disabled,
  values: variant.option_values.map(({ option_id, id }) => [option_id, id]),
})

/** The columns of products and variants in rows of lists. */
const NO_COLUMNS = sql`null, null, null, null, null, null, null, null, null, null`

/** A query for categories with all above them: `leaf` is one of these ids, and `id` the leaf itself or one of its ancestors. */
export const withAncestors = ({ store }: Pick<Db, 'store'>, ids: readonly number[]): Sql => sql`
  with recursive above as (
    select id as leaf, id, parent_id from categories where store_id = ${store.id} and id = ${sql.anyOf([...new Set(ids)])}
    union
    select above.leaf, category.id, category.parent_id from above
      join categories category on category.store_id = ${store.id} and category.id = above.parent_id
  )
  select leaf, id from above`
