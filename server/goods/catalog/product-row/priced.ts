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

/**
 * Reads products, and besides those whose prices shoppers pay with values of their modifiers. One statement.
 * @returns by id; missing products are left out
 */
export async function findPricedProducts(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, PricedProduct>> {
  const { id: store } = db.store
  const rows = await db.rows<PricedProduct>(
    prepared(sql`
    with wanted as materialized (
      select unnest(${[...new Set(ids)]}::int[]) as id
      union
      select (value.value_data ->> 'product_id')::int from modifiers modifier
        join modifier_values value on value.store_id = ${store} and value.option_id = modifier.id
      where modifier.store_id = ${store} and modifier.product_id = any(${ids})
        and modifier.type in ('product_list', 'product_list_with_images')
        and modifier.config ->> 'product_list_adjusts_pricing' = 'true'
        and value.value_data ->> 'product_id' is not null
    )
    select product.id, price, sale_price, retail_price, map_price, tax_class_id, base_variant_id, categories,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', variant.id, 'price', variant.price, 'sale_price', variant.sale_price,
          'retail_price', variant.retail_price, 'map_price', variant.map_price,
          'purchasing_disabled', purchasing_disabled, 'values', (
            select coalesce(jsonb_agg(jsonb_build_array(chosen -> 'option_id', chosen -> 'id')), '[]')
            from jsonb_array_elements(option_values) chosen
          )) order by variant.id)
        from variants variant where variant.store_id = ${store} and variant.product_id = product.id
      ), '[]') as variants,
      case when base_variant_id is null then coalesce((
        select jsonb_agg(jsonb_build_array(option_id, option_value.id)) from option_values option_value
        where option_value.store_id = ${store} and option_value.product_id = product.id
      ), '[]') else '[]' end as "optionValues",
      coalesce((
        select jsonb_agg(jsonb_build_object('id', modifier.id, 'type', type, 'required', required, 'values', coalesce((
          select jsonb_agg(jsonb_build_object('id', value.id, 'price', value.adjusters -> 'price',
            'picked', case when modifier.config ->> 'product_list_adjusts_pricing' = 'true'
              then value.value_data -> 'product_id' end) order by value.sort_order, value.id)
          from modifier_values value where value.store_id = ${store} and value.option_id = modifier.id
        ), '[]')) order by sort_order, modifier.id)
        from modifiers modifier where modifier.store_id = ${store} and modifier.product_id = product.id
      ), '[]') as modifiers,
      coalesce((
        select jsonb_agg(jsonb_build_object('stop', stop, 'price', price_adjuster, 'conditions', coalesce((
          select jsonb_agg(jsonb_build_object('modifier_id', modifier_id, 'modifier_value_id', modifier_value_id,
            'variant_id', variant_id))
          from complex_rule_conditions condition where condition.store_id = ${store} and condition.rule_id = rule.id
        ), '[]')) order by sort_order, rule.id)
        from complex_rules rule where rule.store_id = ${store} and rule.product_id = product.id and enabled
      ), '[]') as rules,
      coalesce((
        select jsonb_agg(jsonb_build_object('quantity_min', quantity_min, 'quantity_max', quantity_max, 'type', type,
          'amount', amount) order by quantity_min, bulk.id)
        from bulk_pricing_rules bulk where bulk.store_id = ${store} and bulk.product_id = product.id
      ), '[]') as "bulkRules"
    from products product where product.store_id = ${store} and product.id = any(array(select id from wanted))`),
  )
  return new Map(rows.map((product) => [product.id, product]))
}

/** A query for categories with all above them: `leaf` is one of these ids, and `id` the leaf itself or one of its ancestors. */
export const withAncestors = ({ store }: Pick<Db, 'store'>, ids: readonly number[]): Sql => sql`
  with recursive above as (
    select id as leaf, id, parent_id from categories where store_id = ${store.id} and id = any(${[...new Set(ids)]})
    union
    select above.leaf, category.id, category.parent_id from above
      join categories category on category.store_id = ${store.id} and category.id = above.parent_id
  )
  select leaf, id from above`
