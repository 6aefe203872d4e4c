import t, { type Static } from 'typebox'
import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { lockAll } from '../../../core/rest/batch.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { hasAny, missing } from '../../../core/rest/input/mistakes.ts'
import { change, differences, type NewIds, takeIds } from '../../../core/rest/lists/verbs.ts'
import { invalid, locating, notFound, Problem, unknownId } from '../../../core/rest/problem.ts'
import type { FilesOfRequest } from '../../../shared/pictures/pictures.ts'
import { STOCK_MAX, totalOf, trackStock } from '../../stock/stock.ts'
import { changeAddress } from '../addresses/urls.ts'
import type { LockTaxClasses } from '../dependents.ts'
import { setCategories, sortedIds } from '../product-row/categories.ts'
import { storeProductNames } from '../product-row/names.ts'
import {
  calculatedPrice,
  type Product,
  ProductFields,
  products,
  publishProduct,
  withMoments,
} from '../product-row/shape.ts'
import { updateSearchRows } from '../search/rows.ts'
import { BulkPricingRuleItems, bulkPricingRules, replaceBulkPricingRules } from '../sub-resources/bulk-pricing-rules.ts'
import { CustomFieldItems, customFields, replaceCustomFields } from '../sub-resources/custom-fields.ts'
import { ImageItems, productImages, replaceImages } from '../sub-resources/images.ts'
import { countNew, sum } from '../sub-resources/sub-resource.ts'
import { replaceVideos, VideoItems, videos } from '../sub-resources/videos.ts'
import { changedLevels, type Levels, publishFirstLocationChange, storeLevels } from '../variants/levels.ts'
import {
  baseVariant,
  isSummed,
  publishProductStock,
  recalculate,
  sumVariantStock,
  trackedBy,
  variants,
} from '../variants/shape.ts'
import { changeSkus, type SkuChange } from '../variants/skus.ts'
import { type BodyPath, brandsFor, findBrands, refuseMissingCategories, refuseMissingTaxClasses } from './references.ts'

/** The body of a change. A list replaces all items of its kind. */
export const ProductChanges = t.Object(
  {
    ...ProductFields.properties,
    custom_fields: t.Optional(CustomFieldItems),
    bulk_pricing_rules: t.Optional(BulkPricingRuleItems),
    images: t.Optional(ImageItems),
    videos: t.Optional(VideoItems),
  },
  { title: 'ProductChanges', examples: [{ price: 19.5, description: 'Fired twice.' }] },
)
type ProductChanges = Static<typeof ProductChanges>

/** A request that changes products. */
interface ChangeRequest extends FilesOfRequest {
  /** Validated (`validateProducts`). */
  bodies: readonly (ProductChanges & { id: number })[]
  /** The path in the body of a field of the nth product. */
  at: BodyPath
  lockTaxClassesShared: LockTaxClasses
}

/**
 * Changes products and their sub-resources: all or none.
 * @returns the products as they are stored, in the order of the bodies
 * @throws Problem 422 for an unknown id in a list, 404 for an unknown id in the path; 409
 */
export async function changeProducts(tx: Tx, request: ChangeRequest): Promise<Product[]> {
  const { files, bodies, at, copies, lockTaxClassesShared } = request
  const wanted = bodies.map(({ id }) => id)
  const { brands, before } = await tx.together(() => ({
    // First, because unknown ids are refused before conflicts.
    products: refuseMissing(tx, bodies, at),
    brands: findBrands(tx, bodies, at),
    categories: refuseMissingCategories(tx, bodies, at),
    taxClasses: refuseMissingTaxClasses(tx, bodies, at, lockTaxClassesShared),
    before: lockAll(tx, products, wanted),
  }))
  refuseUnknown(bodies, before, at)
  const brandIds = await brandsFor(tx, bodies, brands)

  const newIds = await takeIds(tx, [
    [customFields, sum(bodies, ({ custom_fields }) => countNew(custom_fields))],
    [bulkPricingRules, sum(bodies, ({ bulk_pricing_rules }) => countNew(bulk_pricing_rules))],
    [productImages, sum(bodies, ({ images }) => countNew(images))],
    [videos, sum(bodies, ({ videos }) => countNew(videos))],
  ])
  await changeSkus(
    tx,
    bodies.flatMap(({ id, sku }, i) => skuChange(before.get(id), sku, at(i, 'sku'))),
  )

  const changes: Change[] = []
  for (const [i, body] of bodies.entries()) {
    const product = before.get(body.id)
    if (!product) continue
    const edit = { product, body, brand_id: brandIds[i], at: (field: string) => at(i, field), newIds }
    changes.push(await changeAround(tx, edit, { files, copies }))
  }
  const changed = changes.filter(({ before, now }) => before !== now)
  const stored = await tx.together(() => changed.map((change) => storeChange(tx, change)))

  for (const change of changed) publishChange(tx, change)
  for (const change of changed) {
    const part = searchedPart(change)
    if (part) updateSearchRows(tx, [change.now.id], part)
  }
  const moved = changed.filter(({ before, now }) => 'categories' in differences(before, now))
  await setCategories(tx, new Map(moved.map(({ now }) => [now.id, now.categories])))
  const rows = new Map(stored.map((row) => [row.id, row]))
  return changes.map(({ before }) => rows.get(before.id) ?? before)
}

/** Looks for the products without locking them. @throws Problem as `refuseUnknown` */
async function refuseMissing(tx: Tx, bodies: readonly { id: number }[], at: BodyPath) {
  const there = await tx.rows<{ id: number }>(
    prepared(sql`
    select id from products where store_id = ${tx.store.id} and id = any(${bodies.map(({ id }) => id)})`),
  )
  refuseUnknown(bodies, new Set(there.map(({ id }) => id)), at)
}

/** @throws Problem 422 for unknown ids in a list, 404 for an unknown id in the path */
function refuseUnknown(bodies: readonly { id: number }[], there: { has(id: number): boolean }, at: BodyPath) {
  const place = (i: number) => at(i, 'id')
  const mistakes = missing(
    bodies.map(({ id }) => id),
    there,
    place,
    (id) => unknownId('product', id),
  )
  if (!hasAny(mistakes)) return
  const [first] = bodies
  const isInPath = place(0) === 'id'
  throw first && isInPath ? notFound(products.noun, first.id) : invalid(mistakes)
}

const skuChange = (product: Product | undefined, sku: string | undefined, path: string): SkuChange[] =>
  product === undefined || sku === undefined
    ? []
    : [{ before: product.sku, sku, product_id: product.id, variant_id: 0, path }]

/** The changes of one product. */
interface Edit {
  /** Locked. */
  product: Product
  body: ProductChanges
  brand_id: number | undefined
  /** The path of a field in the request. */
  at: (field: string) => string
  newIds: NewIds
}

/** Replaces the lists of sub-resources that the body has. @returns whether anything has changed */
async function replaceLists(tx: Tx, { product, body, at, newIds }: Edit, files: FilesOfRequest): Promise<boolean> {
  const { custom_fields, bulk_pricing_rules, images, videos } = body
  const list = <I>(path: string, items: readonly I[]) => ({ product, items, path: at(path), newIds })
  const replaced = [
    custom_fields && (await replaceCustomFields(tx, list('custom_fields', custom_fields))),
    bulk_pricing_rules && (await replaceBulkPricingRules(tx, list('bulk_pricing_rules', bulk_pricing_rules))),
    images && (await replaceImages(tx, list('images', images), files)),
    videos && (await replaceVideos(tx, list('videos', videos))),
  ]
  return replaced.includes(true)
}

/** A locked product and its new row: the same object if nothing changes. */
interface Change {
  before: Product
  now: Product
  /** Whether the amount at the first location has changed. */
  isMoved: boolean
  /** Whether its custom fields were replaced. */
  hasNewFields: boolean
  /** The path of a field in the request. */
  at: (field: string) => string
}

/**
 * Stores sub-resources, stock and address of a product, and makes its new row. The row itself and its copies are stored
 * later.
 */
async function changeAround(tx: Tx, edit: Edit, files: FilesOfRequest): Promise<Change> {
  const { product, body, brand_id, at } = edit
  const hasOtherSubResources = await replaceLists(tx, edit, files)

  const { custom_fields, bulk_pricing_rules, images, videos, custom_url, brand_name, categories, ...fields } = body
  const requested = withMoments(fields)
  const now = {
    ...product,
    ...requested,
    ...(brand_id === undefined ? {} : { brand_id }),
    ...(categories === undefined ? {} : { categories: sortedIds(categories) }),
  }
  now.calculated_price = calculatedPrice(now)
  const { levels, isMoved } = await stockNow(tx, product, now, requested)
  Object.assign(now, levels)
  const address = await changeAddress(tx, products, product, { name: now.name, custom_url })
  if (address.failure !== undefined)
    throw new Problem(409, address.failure, { [at('custom_url.url')]: address.failure })
  now.custom_url = address.custom_url

  const isChanged = hasOtherSubResources || Object.keys(differences(product, now)).length > 0
  const dated = { ...now, date_modified: toSeconds(tx.now) }
  return { before: product, now: isChanged ? dated : product, isMoved, hasNewFields: custom_fields !== undefined, at }
}

/** Columns that search rows copy. From those of the second list, values of the product follow. */
const SORTED = ['calculated_price', 'total_sold', 'sort_order', 'name']
const VALUED = ['is_featured', 'is_free_shipping', 'brand_id', 'inventory_level', 'inventory_tracking']

/** The part of a product that its search rows must follow; undefined for none. */
function searchedPart({ before, now, hasNewFields }: Change): 'any' | 'row' | 'sorting' | undefined {
  const differing = differences(before, now)
  const isAmong = (fields: readonly string[]) => fields.some((field) => field in differing)
  if (hasNewFields || isAmong(['is_visible', 'categories'])) return 'any'
  if (isAmong(VALUED)) return 'row'
  return isAmong(SORTED) ? 'sorting' : undefined
}

const SEARCHED = ['name', 'sku', 'upc', 'search_keywords'] as const

/** Stores a product's row together with its copies in other rows. @returns the stored row */
async function storeChange(tx: Tx, { before, now, at }: Change): Promise<Product> {
  const changed = differences(before, now)
  const { row } = await tx.together(() => ({
    row: locating(at, () => change(tx, products, before, now)),
    names: SEARCHED.some((field) => field in changed) && storeProductNames(tx, [now]),
    baseVariant: now.base_variant_id !== null && changeBaseVariant(tx, now.base_variant_id, before, now),
    calculatedPrice:
      now.base_variant_id === null &&
      ('price' in changed || 'sale_price' in changed || 'weight' in changed) &&
      recalculate(tx, now),
  }))
  return row
}

/** Copies the shared fields of a product to its base variant. */
const changeBaseVariant = (tx: Tx, id: number, before: Product, now: Product) =>
  change(tx, variants, baseVariant(before, id), baseVariant(now, id))

/**
 * Stores the stock fields of a request at the item that is tracked. The level of a product with tracked variants is their
 * sum, and a request cannot set it.
 * @param now the product with the fields of the request
 * @returns the levels for the product's row
 */
async function stockNow(
  tx: Tx,
  before: Product,
  now: Product,
  given: Partial<Levels>,
): Promise<{ levels: Partial<Levels>; isMoved: boolean }> {
  if (now.inventory_tracking !== before.inventory_tracking) await trackStock(tx, now.id, trackedBy(now))
  if (isSummed(now)) {
    const { levels } = await storeLevels(tx, now, 0, withoutLevel(changedLevels(before, given)))
    return { levels: { ...levels, inventory_level: await sumVariantStock(tx, now.id) }, isMoved: false }
  }
  const own = isSummed(before)
    ? Math.min(await totalOf(tx, { product_id: now.id, variant_id: 0 }), STOCK_MAX)
    : before.inventory_level
  const { levels, isMoved } = await storeLevels(tx, now, 0, changedLevels({ ...before, inventory_level: own }, given))
  return { levels: { inventory_level: own, ...levels }, isMoved }
}

const withoutLevel = ({ inventory_level: _, ...others }: Partial<Levels>) => others

/** Publishes the product, then its stock. Events of its categories follow (docs/contract/products.md section 7). */
function publishChange(tx: Tx, { before, now, isMoved }: Change) {
  publishProduct(tx, 'updated', now.id)
  if (now.inventory_level !== before.inventory_level) publishProductStock(tx, now)
  if (isMoved) publishFirstLocationChange(tx, now.id, now.base_variant_id ?? 0)
}
