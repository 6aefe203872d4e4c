import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Product } from './product-row/shape.ts'
import type { ChosenValue } from './variants/shape.ts'

// The data of the catalog that orders copy: for each line the sold variant and the chosen values.

/** The product of an order line: a variant, or a product with choices. */
export interface WantedThing {
  product_id: number
  /** 0 if the choices decide. */
  variant_id: number
  choices: readonly Selection[]
}

/** The chosen value of an option or modifier. */
export interface Selection {
  id: number
  value: string
}

/** A variant that a line can refer to, with its inherited values. */
export interface SoldVariant
  extends Pick<
    Product,
    'name' | 'type' | 'sku' | 'upc' | 'bin_picking_number' | 'fixed_cost_shipping_price' | 'cost_price'
  > {
  product_id: number
  variant_id: number
  brand: string
  weight: number
  width: number
  height: number
  depth: number
  option_values: ChosenValue[]
}

/** A modifier of a product, with its chosen values. */
export interface SoldModifier {
  id: number
  product_id: number
  display_name: string
  type: string
  required: boolean
  values: readonly SoldValue[]
}

interface SoldValue {
  id: number
  modifier_id: number
  label: string
}

/** The variants and modifiers that lines can refer to, of one product. */
export interface SoldProduct {
  variants: SoldVariant[]
  modifiers: SoldModifier[]
  /** The types of its options, by id. */
  optionTypes: ReadonlyMap<number, string>
}

/** A product with one of its matching variants, or with none. */
interface VariantRow extends Omit<SoldVariant, 'variant_id'> {
  variant_id: number | null
}

/**
 * Reads the catalog data of order lines: for each product the matching variants, and the modifiers with the chosen values. Prices are
 * the business of `sales/pricing`.
 * @returns by the id of the product, without unknown products
 */
export async function findSold(tx: Tx, things: readonly WantedThing[]): Promise<ReadonlyMap<number, SoldProduct>> {
  if (things.length === 0) return new Map()
  const productIds = [...new Set(things.map(({ product_id }) => product_id))]
  const valueIds = [...new Set(things.flatMap(({ choices }) => choices.flatMap(({ value }) => idIn(value) ?? [])))]
  const hasChoices = things.some(({ choices }) => choices.length > 0)
  const { variants, modifiers, values, types } = await tx.together(() => ({
    variants: variantsOf(tx, things),
    modifiers: modifiersOf(tx, productIds),
    values: valueIds.length > 0 ? modifierValuesOf(tx, productIds, valueIds) : [],
    types: hasChoices || things.some(({ variant_id }) => variant_id > 0) ? optionTypesOf(tx, productIds) : [],
  }))
  const valuesOf = Map.groupBy(values, ({ modifier_id }) => modifier_id)
  const modifiersBy = Map.groupBy(modifiers, ({ product_id }) => product_id)
  const typesBy = Map.groupBy(types, ({ product_id }) => product_id)
  return new Map(
    [...Map.groupBy(variants, ({ product_id }) => product_id)].map(([id, rows]) => [
      id,
      {
        variants: rows.flatMap(({ variant_id, ...row }) => (variant_id === null ? [] : [{ ...row, variant_id }])),
        modifiers: (modifiersBy.get(id) ?? []).map((row) => ({ ...row, values: valuesOf.get(row.id) ?? [] })),
        optionTypes: new Map((typesBy.get(id) ?? []).map(({ option_id, type }) => [option_id, type])),
      },
    ]),
  )
}

/** The id in a text; undefined if the text is no id. */
const idIn = (value: string): number | undefined => (/^[1-9]\d{0,9}$/.test(value) ? Number(value) : undefined)

/**
 * The products of lines with their matching variants: the named variant, or variants whose values are all among the choices.
 * The base variant of a product without options matches any choices.
 */
const variantsOf = (db: Db, things: readonly WantedThing[]): Promise<VariantRow[]> =>
  db.rows<VariantRow>(
    prepared(sql`
    select distinct product.id as product_id, variant.id as variant_id, product.name, product.type,
      coalesce(nullif(variant.sku, ''), product.sku) as sku, coalesce(nullif(variant.upc, ''), product.upc) as upc,
      coalesce(nullif(variant.bin_picking_number, ''), product.bin_picking_number) as bin_picking_number,
      coalesce(variant.fixed_cost_shipping_price, product.fixed_cost_shipping_price) as fixed_cost_shipping_price,
      coalesce(variant.cost_price, product.cost_price) as cost_price,
      variant.calculated_weight as weight, coalesce(variant.width, product.width) as width,
      coalesce(variant.height, product.height) as height, coalesce(variant.depth, product.depth) as depth,
      variant.option_values, coalesce((
        select name from brands where brands.store_id = ${db.store.id} and brands.id = product.brand_id
      ), '') as brand
    from unnest(
      ${things.map(({ product_id }) => product_id)}::int[], ${things.map(({ variant_id }) => variant_id)}::int[],
      ${things.map(({ choices }) => choices.map(({ value }) => value).join(' '))}::text[]
    ) as wanted (product_id, variant_id, chosen)
    join products product on product.store_id = ${db.store.id} and product.id = wanted.product_id
    left join variants variant on variant.store_id = ${db.store.id} and variant.product_id = wanted.product_id and (
      variant.id = wanted.variant_id
      or (wanted.variant_id = 0 and string_to_array(variant.combination, ' ') <@ string_to_array(wanted.chosen, ' '))
    )`),
  )

const modifiersOf = (db: Db, productIds: readonly number[]) =>
  db.rows<Omit<SoldModifier, 'values'>>(
    prepared(sql`
    select id, product_id, display_name, type, required from modifiers
    where store_id = ${db.store.id} and product_id = any(${productIds}) order by sort_order, id`),
  )

const modifierValuesOf = (db: Db, productIds: readonly number[], ids: readonly number[]) =>
  db.rows<SoldValue>(
    prepared(sql`
    select id, option_id as modifier_id, label from modifier_values
    where store_id = ${db.store.id} and id = any(${ids}::bigint[]) and product_id = any(${productIds})`),
  )

const optionTypesOf = (db: Db, productIds: readonly number[]) =>
  db.rows<{ product_id: number; option_id: number; type: string }>(
    prepared(sql`
    select product_id, id as option_id, type from options
    where store_id = ${db.store.id} and product_id = any(${productIds})`),
  )
