import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { NullableAmount } from '../../../core/rest/input/amounts.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, idSegment, Line, NeededLine, nullable } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { change, insertOne, removeAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { deleteMetafieldsOf, type MetafieldOwner } from '../../../shared/metafields/metafields.ts'
import { ImageUrl } from '../../../shared/pictures/pictures.ts'
import { deleteListedVariants } from '../../../shop/channels/listings.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { deleteStockOfVariants, emptyProduct, STOCK_MAX, trackStock } from '../../stock/stock.ts'
import type { VariantDependents } from '../dependents.ts'
import { storeProductNames } from '../product-row/names.ts'
import { calculatedPrice, type Product, products, Sku, TradeNumber } from '../product-row/shape.ts'
import { updateSearchRows } from '../search/rows.ts'
import { deleteComplexRulesOn } from '../sub-resources/complex-rules.ts'
import { releaseSkus } from './skus.ts'

// A variant is the unit that a customer buys. A product with options has a variant for each combination of values that is
// for sale, up to 600; a product without options has one base variant. Variants are created with their product or one by
// one, each with a SKU of its own. A combination is used once in a product. A field that is null inherits the value of the
// product; calculated_price and calculated_weight store the result. A change of the product updates them, and a renamed
// option or value updates the names in the variant. A variant goes when one of its values, its option or its product is
// deleted. If a deleted option takes the last variant, the product gets a base variant again. A base variant is never
// deleted alone and has no events of its own.

/** SKUs of one product (docs/contract/limits.md). */
export const VARIANTS_MAX = 600

/** The SKU of a variant with options, which is required. SKUs are compared without outer blanks. */
export const NeededSku = NeededLine

const Measure = NullableAmount({ maximum: 9_999_999_999 })
const Stock = nullable(t.Integer({ minimum: 0, maximum: STOCK_MAX }))

/** The value that a variant has for an option. */
const ChosenValue = t.Object({
  id: Id,
  label: t.String({ minLength: 1, maxLength: 255 }),
  option_id: Id,
  option_display_name: t.String({ minLength: 1, maxLength: 255 }),
})
export type ChosenValue = Static<typeof ChosenValue>

export const Variant = t.Object({
  id: Id,
  product_id: Id,
  sku: Sku,
  sku_id: nullable(Id),
  cost_price: NullableAmount(),
  price: NullableAmount(),
  sale_price: NullableAmount(),
  retail_price: NullableAmount(),
  map_price: NullableAmount(),
  weight: Measure,
  width: Measure,
  height: Measure,
  depth: Measure,
  is_free_shipping: t.Boolean(),
  fixed_cost_shipping_price: NullableAmount(),
  purchasing_disabled: t.Boolean(),
  purchasing_disabled_message: Line,
  image_url: ImageUrl,
  upc: nullable(TradeNumber),
  mpn: nullable(Line),
  gtin: nullable(TradeNumber),
  inventory_level: Stock,
  inventory_warning_level: Stock,
  bin_picking_number: nullable(Line),
  calculated_price: t.Number(),
  calculated_weight: t.Number(),
  option_values: t.Array(ChosenValue),
})
export type Variant = Static<typeof Variant>

/** The fields of a variant that requests can set. */
export const VariantChanges = t.Partial(
  t.Omit(Variant, ['id', 'product_id', 'sku_id', 'calculated_price', 'calculated_weight', 'option_values']),
)
export type VariantChanges = Static<typeof VariantChanges>

/** A variant with its hidden column. */
export type VariantRow = Variant & { combination: string }

const facts = {
  noun: 'variant',
  hidden: ['combination'],
  twins: ['sku', 'upc'],
  conflicts: {
    variants_combination_unique: ['A variant with these option values already exists.', 'option_values'],
  },
} as const

/** The variants of one product. */
export const variants = collection('variants', Variant, { ...facts, filters: '' })

/** The variants of all products of a store. */
export const variantsOfAll = collection('variants', Variant, {
  ...facts,
  filters: 'id sku upc product_id:in',
  counted: true,
})

export const variantMetafields: MetafieldOwner = {
  kind: 'variant',
  resources: variants,
  path: '/catalog/variants',
  parent: { path: `/catalog/products/${idSegment('product_id')}/variants`, id: 'product_id' },
  access: access('catalog'),
  scope: 'store/product/variant',
}

/** The defaults of a new variant: it inherits everything from its product. */
const blankVariant: Required<VariantChanges> = {
  sku: '',
  cost_price: null,
  price: null,
  sale_price: null,
  retail_price: null,
  map_price: null,
  weight: null,
  width: null,
  height: null,
  depth: null,
  is_free_shipping: false,
  fixed_cost_shipping_price: null,
  purchasing_disabled: false,
  purchasing_disabled_message: '',
  image_url: '',
  upc: '',
  mpn: '',
  gtin: '',
  inventory_level: 0,
  inventory_warning_level: 0,
  bin_picking_number: '',
}

/** The fields of a product that its variants may inherit. */
type ProductPrices = Pick<Product, 'price' | 'sale_price' | 'weight'>

/**
 * The price and weight of a variant with its inherited values (docs/contract/products.md section 3). A sale price takes
 * precedence. The sale price of the product is inherited only together with its price.
 */
export function calculated(
  product: ProductPrices,
  { price, sale_price, weight }: Pick<Variant, 'price' | 'sale_price' | 'weight'>,
): Pick<Variant, 'calculated_price' | 'calculated_weight'> {
  const sale = sale_price ?? (price === null ? product.sale_price : 0)
  return {
    calculated_price: sale > 0 ? sale : (price ?? product.price),
    calculated_weight: weight ?? product.weight,
  }
}

/** Updates the inherited prices and weights of variants after a change of their product. */
export async function recalculate(tx: Tx, product: ProductPrices & { id: number }) {
  await tx.rows(
    prepared(sql`
    with inherited as (
      select id, coalesce(sale_price, case when price is null then ${product.sale_price}::numeric else 0 end) as sale
      from variants where store_id = ${tx.store.id} and product_id = ${product.id}
    )
    update variants v set
      calculated_price = case when sale > 0 then sale else coalesce(price, ${product.price}::numeric) end,
      calculated_weight = coalesce(weight, ${product.weight}::numeric)
    from inherited i where v.store_id = ${tx.store.id} and v.product_id = ${product.id} and v.id = i.id`),
  )
}

/** The key of a combination of values. A unique rule allows each combination once in a product. */
export const combinationOf = (values: readonly ChosenValue[]) =>
  values
    .map(({ id }) => id)
    .sort((one, other) => one - other)
    .join(' ')

/**
 * Publishes store/sku/created, updated or deleted (docs/contract/webhooks.md section 6). A base variant has no such events:
 * those of its product stand for it.
 */
export function publishSku(tx: Tx, action: 'created' | 'updated' | 'deleted', { id, product_id }: Variant) {
  publish(tx, `store/sku/${action}`, `sku ${id}`, { type: 'sku', id, sku: { product_id, variant_id: id } })
}

/** Publishes store/product/inventory/updated (docs/contract/webhooks.md section 6). */
export function publishProductStock(tx: Tx, { id, inventory_level }: Pick<Product, 'id' | 'inventory_level'>) {
  const inventory = { product_id: id, method: 'absolute', value: inventory_level }
  publish(tx, 'store/product/inventory/updated', `product ${id}`, { type: 'product', id, inventory })
}

/** Publishes store/sku/inventory/updated (docs/contract/webhooks.md section 6). */
export function publishSkuStock(
  tx: Tx,
  { id, product_id, inventory_level }: Pick<Variant, 'id' | 'product_id' | 'inventory_level'>,
) {
  const inventory = { product_id, method: 'absolute', value: inventory_level ?? 0, variant_id: id }
  publish(tx, 'store/sku/inventory/updated', `sku ${id}`, { type: 'sku', id, inventory })
}

/** The products of variants, by variant. */
export async function productsOfVariants(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const found = await db.rows<{ id: number; product_id: number }>(
    prepared(sql`select id, product_id from variants where store_id = ${db.store.id} and id = any(${ids})`),
  )
  return new Map(found.map(({ id, product_id }) => [id, product_id]))
}

/** The row of a base variant: SKU, prices, measures and stock are those of its product. */
export const baseVariant = (product: Product, id: number): VariantRow => ({
  ...blankVariant,
  ...sharedWithBase(product),
  ...calculated(product, product),
  id,
  product_id: product.id,
  sku_id: null,
  option_values: [],
  combination: '',
})

/** The row of a variant with option values. */
export const variantRow = (product: Product, given: VariantChanges, values: ChosenValue[], id: number): VariantRow => {
  const own = { ...blankVariant, ...given }
  return {
    ...own,
    ...calculated(product, own),
    id,
    product_id: product.id,
    sku_id: id,
    option_values: values,
    combination: combinationOf(values),
  }
}

export const tooManyVariants = () => new Problem(403, `A product can have at most ${VARIANTS_MAX} variants.`)

/** The fields that a product and its base variant share. A change of either changes the other. */
const sharedWithBase = (product: Product) => ({
  sku: product.sku,
  cost_price: product.cost_price,
  price: product.price,
  sale_price: product.sale_price,
  retail_price: product.retail_price,
  map_price: product.map_price,
  weight: product.weight,
  width: product.width,
  height: product.height,
  depth: product.depth,
  is_free_shipping: product.is_free_shipping,
  fixed_cost_shipping_price: product.fixed_cost_shipping_price,
  upc: product.upc,
  mpn: product.mpn,
  gtin: product.gtin,
  inventory_level: product.inventory_level,
  inventory_warning_level: product.inventory_warning_level,
  bin_picking_number: product.bin_picking_number,
})

type Tracked = Pick<Product, 'inventory_tracking' | 'base_variant_id'>

/** Whether the stock of a product is the sum of its variants. */
export const isSummed = ({ inventory_tracking, base_variant_id }: Tracked) =>
  inventory_tracking === 'variant' && base_variant_id === null

/**
 * Whether the stock of the product itself and that of its variants are tracked. The base variant stands for the product
 * itself.
 */
export const trackedBy = ({ inventory_tracking, base_variant_id }: Tracked) => ({
  ofProduct: inventory_tracking === 'product' || (inventory_tracking === 'variant' && base_variant_id !== null),
  ofVariants: inventory_tracking === 'variant',
})

/** The stock of a product whose variants are tracked: the sum of theirs. */
export async function sumVariantStock(tx: Tx, product_id: number): Promise<number> {
  const { stock } = await tx.row<{ stock: number }>(sql`
    select least(coalesce(sum(inventory_level), 0), ${STOCK_MAX})::int as stock from variants
    where store_id = ${tx.store.id} and product_id = ${product_id}`)
  return stock
}

/** Sums the stock of the variants into their product, if the variants are tracked. @returns the product with its stock */
export async function updateSummedStock<P extends Pick<Product, 'id' | 'inventory_tracking' | 'base_variant_id'>>(
  tx: Tx,
  product: P,
): Promise<P> {
  if (!isSummed(product)) return product
  updateSearchRows(tx, [product.id], 'row')
  const { inventory_level } = await tx.row<{ inventory_level: number }>(
    prepared(sql`
    update products set inventory_level = (
      select least(coalesce(sum(inventory_level), 0), ${STOCK_MAX})::int from variants
      where store_id = ${tx.store.id} and product_id = ${product.id}
    )
    where store_id = ${tx.store.id} and id = ${product.id} returning inventory_level`),
  )
  return { ...product, inventory_level }
}

const INHERITED = [
  'cost_price',
  'price',
  'sale_price',
  'retail_price',
  'map_price',
  'weight',
  'width',
  'height',
  'depth',
  'fixed_cost_shipping_price',
] as const

/** The changes of a base variant. Null means that a variant inherits a field; a base variant inherits all fields anyway. */
export function changesOfBase(given: VariantChanges): VariantChanges {
  const changes = { ...given }
  for (const field of INHERITED) if (changes[field] === null) delete changes[field]
  return changes
}

/** Copies the shared fields of a base variant to its product, with the time of the change. */
export async function followBase(tx: Tx, product: Product, base: Variant) {
  updateSearchRows(tx, [product.id])
  const price = base.price ?? product.price
  const sale_price = base.sale_price ?? product.sale_price
  const row = {
    sku: base.sku,
    cost_price: base.cost_price ?? product.cost_price,
    price,
    sale_price,
    calculated_price: calculatedPrice({ price, sale_price }),
    retail_price: base.retail_price ?? product.retail_price,
    map_price: base.map_price ?? product.map_price,
    weight: base.weight ?? product.weight,
    width: base.width ?? product.width,
    height: base.height ?? product.height,
    depth: base.depth ?? product.depth,
    is_free_shipping: base.is_free_shipping,
    fixed_cost_shipping_price: base.fixed_cost_shipping_price ?? product.fixed_cost_shipping_price,
    upc: base.upc ?? '',
    mpn: base.mpn ?? '',
    gtin: base.gtin ?? '',
    inventory_level: base.inventory_level ?? 0,
    inventory_warning_level: base.inventory_warning_level ?? 0,
    bin_picking_number: base.bin_picking_number ?? '',
    date_modified: toSeconds(tx.now),
  }
  await tx.together(() => [
    change(tx, products, product, row),
    (base.sku !== product.sku || row.upc !== product.upc) &&
      storeProductNames(tx, [{ ...product, sku: base.sku, upc: row.upc }]),
  ])
}

/** Creates the base variant of a product whose last option was deleted. */
export async function restoreBaseVariant(tx: Tx, product: Product) {
  const taken = await takeIds(tx, [[variants, 1]])
  const base_variant_id = taken.next(variants)
  await insertOne(tx, variants, baseVariant(product, base_variant_id))
  await tx.rows(sql`
    update products set base_variant_id = ${base_variant_id} where store_id = ${tx.store.id} and id = ${product.id}`)
  // The product summed its variants, which are deleted.
  if (isSummed(product)) await emptyProduct(tx, product.id)
  await trackStock(tx, product.id, trackedBy({ ...product, base_variant_id }))
}

/**
 * Deletes the variants of a product that use an option or one of some values. Publishes no event.
 * @returns the product with its remaining stock
 */
export async function deleteVariantsUsing(
  tx: Tx,
  dependents: VariantDependents,
  product: Product,
  used: { option_id: number } | { value_ids: readonly number[] },
): Promise<Product> {
  const [key, ids] = 'option_id' in used ? ['option_id', [used.option_id]] : ['id', used.value_ids]
  await deleteVariants(
    tx,
    dependents,
    product.id,
    sql`exists (select from jsonb_array_elements(option_values) value where (value->>${key})::int = any(${ids}))`,
  )
  return updateSummedStock(tx, product)
}

/** The counters that a deletion of variants changes, in the order in which they are locked. */
export const variantCounters = ['complex_rule_conditions', 'complex_rules', 'metafields', 'variants']

/** Deletes variants with their metafields, SKUs, pictures and complex rules. @returns the ids of the deleted variants */
export async function deleteVariants(
  tx: Tx,
  { files, above }: VariantDependents,
  product_id: number,
  where: Sql,
): Promise<number[]> {
  const gone = await removeAll(tx, variants, sql`product_id = ${product_id} and ${where}`)
  if (gone.length === 0) return gone
  await deleteComplexRulesOn(tx, { id: product_id }, { variants: gone })
  await deleteMetafieldsOf(tx, variantMetafields, gone)
  await deleteListedVariants(tx, gone)
  await releaseSkus(tx, product_id, gone)
  await deleteStockOfVariants(tx, product_id, gone)
  await above.deleteRowsOfVariants(tx, gone)
  await files.detachAll(tx, variants.noun, gone)
  return gone
}

/** Stores the new name of an option, or new labels of values by their ids, in the variants of a product. */
export async function relabelVariants(
  tx: Tx,
  product_id: number,
  renamed: { option_id: number; display_name: string } | { labels: ReadonlyMap<number, string> },
) {
  const [key, names] =
    'option_id' in renamed
      ? ['option_id', { [renamed.option_id]: { option_display_name: renamed.display_name } }]
      : ['id', Object.fromEntries([...renamed.labels].map(([id, label]) => [id, { label }]))]
  await tx.rows(sql`
    update variants set option_values = (
      select jsonb_agg(value || coalesce(${JSON.stringify(names)}::jsonb -> (value->>${key}), '{}') order by place)
      from jsonb_array_elements(option_values) with ordinality as chosen (value, place)
    )
    where store_id = ${tx.store.id} and product_id = ${product_id}
      and exists (select from jsonb_array_elements(option_values) value
        where (value->>${key})::int = any(${Object.keys(names).map(Number)}))`)
}

/** An option of a product with its values. */
export interface VariantOption {
  id: number
  display_name: string
  option_values: readonly { id: number; label: string }[]
}

/** A value in a request: by ids, or by the names of option and value. */
export interface NamedValue {
  id?: number | undefined
  option_id?: number | undefined
  label?: string | undefined
  option_display_name?: string | undefined
}

/** The number of missing options that a refusal lists, so that it stays short for a product with very many options. */
const MISSING_LISTED = 10

/**
 * Makes a function that chooses the values of one variant: exactly one value of every option, in the order of the options
 * (docs/contract/catalog.md section 2, Cascades). It returns the values, or mistakes by path.
 */
export function chooserOf(choices: readonly VariantOption[]) {
  const options = choices.map((choice) => ({
    ...choice,
    valuesById: new Map(choice.option_values.map((value) => [value.id, value])),
    valuesByLabel: new Map(choice.option_values.map((value) => [fold(value.label), value])),
  }))
  const byId = new Map(options.map((option) => [option.id, option]))
  const byName = new Map(options.map((option) => [fold(option.display_name), option]))
  return (named: readonly NamedValue[], path: string) => {
    const errors: Record<string, string> = {}
    const chosen = new Map<number, ChosenValue>()
    for (const [i, { id, option_id, label, option_display_name = '' }] of named.entries()) {
      const option = option_id === undefined ? byName.get(fold(option_display_name)) : byId.get(option_id)
      const value = id === undefined ? option?.valuesByLabel.get(fold(label ?? '')) : option?.valuesById.get(id)
      if (!option) errors[`${path}.${i}`] = 'The product has no such option.'
      else if (!value) errors[`${path}.${i}`] = `The option ${option.display_name} has no such value.`
      else if (chosen.has(option.id)) errors[`${path}.${i}`] = `The option ${option.display_name} is repeated.`
      else {
        chosen.set(option.id, {
          id: value.id,
          label: value.label,
          option_id: option.id,
          option_display_name: option.display_name,
        })
      }
    }
    if (chosen.size < options.length && Object.keys(errors).length === 0) {
      errors[path] = `A variant names one value of every option; missing: ${missingNames(options, chosen)}.`
    }
    const isWhole = Object.keys(errors).length === 0
    return { values: isWhole ? options.flatMap(({ id }) => chosen.get(id) ?? []) : [], errors }
  }
}

function missingNames(options: readonly VariantOption[], chosen: ReadonlyMap<number, unknown>): string {
  const names: string[] = []
  for (const { id, display_name } of options) {
    if (names.length === MISSING_LISTED) break
    if (!chosen.has(id)) names.push(display_name)
  }
  const more = options.length - chosen.size - names.length
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
