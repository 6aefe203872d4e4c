import t, { type Static } from 'typebox'
import { brokenUnique, type Db, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { hasAny, type Mistakes, repeated } from '../../../core/rest/input/mistakes.ts'
import type { Collection } from '../../../core/rest/lists/collection.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { insertAll, type NewIds, takeIds } from '../../../core/rest/lists/verbs.ts'
import { locating, Problem } from '../../../core/rest/problem.ts'
import type { Copies, FilesOfRequest } from '../../../shared/pictures/pictures.ts'
import { FIRST_CHANNEL } from '../../../shop/channels/channels.ts'
import { insertStock, STOCK_MAX } from '../../stock/stock.ts'
import {
  ADDRESS_RULE,
  addressOfNew,
  claimAddresses,
  giveFreeAddress,
  addressTaken as takenAddress,
} from '../addresses/urls.ts'
import { channelsOf } from '../categories/tree-shape.ts'
import { internalNameOf } from '../choices/choices.ts'
import { options, optionValues } from '../choices/options.ts'
import type { LockTaxClasses } from '../dependents.ts'
import { insertLinks, publishCategoryLinks, sortedIds } from '../product-row/categories.ts'
import { insertChannels, publishChannelLinks } from '../product-row/channels.ts'
import { storeProductNames } from '../product-row/names.ts'
import { calculatedPrice, Product, ProductFields, products, publishProduct, withMoments } from '../product-row/shape.ts'
import { updateSearchRows } from '../search/rows.ts'
import { bulkPricingRuleRow, bulkPricingRules, NewBulkPricingRules } from '../sub-resources/bulk-pricing-rules.ts'
import { customFieldRow, customFields, NewCustomFields } from '../sub-resources/custom-fields.ts'
import { attachCopies, NewImages, newImageRows, productImages } from '../sub-resources/images.ts'
import { sum } from '../sub-resources/sub-resource.ts'
import { NewVideos, videoRow, videos } from '../sub-resources/videos.ts'
import { newStock } from '../variants/levels.ts'
import {
  baseVariant,
  chooserOf,
  isSummed,
  publishSku,
  type VariantOption,
  type VariantRow,
  variantRow,
  variants,
} from '../variants/shape.ts'
import { reserveSkus, SKU_RULE, type SkuReservation } from '../variants/skus.ts'
import { type BodyPath, brandsFor, findBrands, refuseMissingCategories, refuseMissingTaxClasses } from './references.ts'
import { type NamedOption, NewVariant, optionsNamed, validateProducts } from './validation.ts'

const { name, type, weight, price } = Product.properties
export const NewProduct = t.Object(
  {
    ...ProductFields.properties,
    name,
    type,
    weight,
    price,
    variants: t.Optional(t.Array(NewVariant)),
    custom_fields: t.Optional(NewCustomFields),
    bulk_pricing_rules: t.Optional(NewBulkPricingRules),
    images: t.Optional(NewImages),
    videos: t.Optional(NewVideos),
  },
  { title: 'NewProduct' },
)
export type NewProduct = Static<typeof NewProduct>

/** The defaults of a new product (docs/contract/products.md section 2). */
const blank = {
  sku: '',
  description: '',
  width: 0,
  depth: 0,
  height: 0,
  cost_price: 0,
  retail_price: 0,
  sale_price: 0,
  map_price: 0,
  tax_class_id: 0,
  product_tax_code: '',
  option_set_id: null,
  option_set_display: 'right',
  inventory_level: 0,
  inventory_warning_level: 0,
  inventory_tracking: 'none' as const,
  reviews_rating_sum: 0,
  reviews_count: 0,
  total_sold: 0,
  fixed_cost_shipping_price: 0,
  is_free_shipping: false,
  is_visible: true,
  is_featured: false,
  related_products: [-1],
  warranty: '',
  bin_picking_number: '',
  layout_file: 'product.html',
  upc: '',
  mpn: '',
  gtin: '',
  date_last_imported: null,
  search_keywords: '',
  availability: 'available' as const,
  availability_description: '',
  gift_wrapping_options_type: 'any' as const,
  gift_wrapping_options_list: [],
  sort_order: 0,
  condition: 'New' as const,
  is_condition_shown: false,
  order_quantity_minimum: 0,
  order_quantity_maximum: 0,
  page_title: '',
  meta_keywords: [],
  meta_description: '',
  view_count: 0,
  preorder_release_date: null,
  preorder_message: '',
  is_preorder_only: false,
  is_price_hidden: false,
  price_hidden_label: '',
  open_graph_type: 'product' as const,
  open_graph_title: '',
  open_graph_description: '',
  open_graph_use_meta_description: true,
  open_graph_use_product_name: true,
  open_graph_use_image: true,
}

/** A new product before it is stored: its body and its ids. */
interface Draft {
  body: NewProduct
  /** The path of a field in the request. */
  at: (field: string) => string
  id: number
  /** The options that its variants name. */
  choices: readonly VariantOption[]
  /** The ids of its variants, or that of its base variant. */
  variantIds: readonly number[]
}

/** A request for new products. */
interface Creation {
  files: Files
  bodies: readonly NewProduct[]
  /** The path in the body of a field of the nth product. */
  at: BodyPath
  /** Fetched copies of pictures. */
  copies?: Copies
  /** Finds the colours of a label. An option whose labels all have some is a swatch. By default there are none. */
  coloursOf?: ColoursOf
  lockTaxClassesShared: LockTaxClasses
}

type ColoursOf = (label: string) => readonly string[] | undefined

/** The unique rules that the first attempt may break, and that the second attempt checks. */
const CHECKED_RULES: readonly string[] = [ADDRESS_RULE, SKU_RULE]

/**
 * Stores new products with their sub-resources: all or none. The first attempt expects every address and SKU to be free, as
 * nearly all are, and commits without waiting for the results of its statements. If one is taken, nothing is stored, and the
 * second attempt checks before it commits (docs/decisions/063-a-product-in-two-round-trips.md).
 * @throws Problem 422, 409, 403, 507
 */
export async function storeProducts(db: Db, creation: Creation): Promise<Product[]> {
  try {
    return await db.transaction((tx) => createProducts(tx, creation, tx.isWhole))
  } catch (error) {
    if (!CHECKED_RULES.includes(brokenUnique(error) ?? '')) throw error
    return db.transaction((tx) => createProducts(tx, creation))
  }
}

/**
 * Stores new products in a transaction. Any number of products takes three round trips: for references and ids, for all rows
 * with their addresses and SKUs, and for the events with the commit.
 * @param expectsFree whether rows and commit may be sent together; a taken address or SKU then fails as a broken unique rule
 * @throws Problem 422, 409, 403, 507
 */
export async function createProducts(
  tx: Tx,
  { files, bodies, at, copies = new Map(), coloursOf = () => undefined, lockTaxClassesShared }: Creation,
  expectsFree = false,
): Promise<Product[]> {
  validateProducts(bodies, at)

  const named = bodies.map(({ variants = [] }) => optionsNamed(variants))
  const categories = bodies.flatMap(({ categories = [] }) => categories)
  const { brands, channels, ids } = await tx.together(() => ({
    brands: findBrands(tx, bodies, at),
    categories: refuseMissingCategories(tx, bodies, at),
    taxClasses: refuseMissingTaxClasses(tx, bodies, at, lockTaxClassesShared),
    names: refuseTakenNames(tx, bodies, at),
    channels: categories.length > 0 ? channelsOf(tx, categories) : new Map<number, number>(),
    ids: takeIds(tx, idsFor(bodies, named)),
  }))
  const brandIds = await brandsFor(tx, bodies, brands)
  const drafts = bodies.map((body, i) => draftOf(body, named[i] ?? [], ids, (field) => at(i, field)))

  const rows = drafts.map((draft, i) => productRow(draft, brandIds[i], tx.now))
  const links = rows.flatMap(({ id, categories }) => categories.map((category_id) => ({ product_id: id, category_id })))
  const sales = rows.map(({ id }) => ({ product_id: id, channel_id: FIRST_CHANNEL }))
  const sold = rows.flatMap((product, i) => (drafts[i] ? variantRows(product, drafts[i]) : []))
  for (const { id } of rows) publishProduct(tx, 'created', id)
  for (const variant of sold) if (variant.sku_id !== null) publishSku(tx, 'created', variant)
  publishChannelLinks(tx, 'assigned', sales)
  updateSearchRows(
    tx,
    rows.map(({ id }) => id),
  )
  publishCategoryLinks(tx, 'assigned', links, channels)

  // Pictures need further statements to be attached. A conflict is refused before a limit, so a full store checks for
  // conflicts first.
  const isLast = expectsFree && bodies.every(({ images = [] }) => images.length === 0)
  const begin = () => ({
    crowded: claimProductAddresses(tx, drafts, rows, isLast ? 'fails' : 'passes'),
    skus: reserveSkus(tx, drafts.flatMap(skusOf), isLast ? 'fails' : 'is refused'),
    created: insertProducts(tx, drafts, rows),
    names: storeProductNames(tx, rows),
    choices: insertChoices(tx, drafts, sold, coloursOf),
    subResources: insertSubResources(tx, drafts, ids, { files, copies }),
    stock: insertStock(
      tx,
      drafts.flatMap((draft, i) => (rows[i] ? stockOf(rows[i], draft) : [])),
    ),
    channels: insertChannels(tx, sales),
    links: insertLinks(tx, links),
  })
  const { crowded, created } = isLast ? await tx.conclude(begin) : await tx.together(begin)
  if (isLast) return created
  // Not earlier: a conflict is refused before a limit.
  return readdressed(tx, created, crowded)
}

/** The number of ids that the products need of each collection. */
const idsFor = (bodies: readonly NewProduct[], named: readonly NamedOption[][]): [Collection, number][] => [
  [products, bodies.length],
  [options, named.flat().length],
  [optionValues, sum(named.flat(), ({ labels }) => labels.length)],
  [variants, sum(bodies, variantCount)],
  [customFields, sum(bodies, ({ custom_fields = [] }) => custom_fields.length)],
  [bulkPricingRules, sum(bodies, ({ bulk_pricing_rules = [] }) => bulk_pricing_rules.length)],
  [productImages, sum(bodies, ({ images = [] }) => images.length)],
  [videos, sum(bodies, ({ videos = [] }) => videos.length)],
]

/** A product without variants has its base variant. */
const variantCount = ({ variants = [] }: NewProduct) => Math.max(variants.length, 1)

function draftOf(body: NewProduct, named: readonly NamedOption[], ids: NewIds, at: Draft['at']): Draft {
  return {
    body,
    at,
    id: ids.next(products),
    choices: named.map(({ display_name, labels }) => ({
      id: ids.next(options),
      display_name,
      option_values: labels.map((label) => ({ id: ids.next(optionValues), label })),
    })),
    variantIds: Array.from({ length: variantCount(body) }, () => ids.next(variants)),
  }
}

/** The row of a product, with the address that it gets if that is free. */
function productRow({ id, body, choices, variantIds }: Draft, brand_id = 0, moment: Date) {
  const now = toSeconds(moment)
  return {
    ...blank,
    ...withMoments(ownFields(body)),
    id,
    categories: sortedIds(body.categories ?? []),
    brand_id,
    calculated_price: calculatedPrice(body),
    custom_url: addressOfNew(products, { id, name: body.name }, body.custom_url),
    base_variant_id: choices.length === 0 ? (variantIds[0] ?? null) : null,
    inventory_level: levelOf(body),
    date_created: now,
    date_modified: now,
  }
}

/** @returns the stored products, in the order of the drafts */
function insertProducts(tx: Tx, drafts: readonly Draft[], rows: readonly Product[]): Promise<Product[]> {
  // The unique rule does not tell which of several products broke it.
  const [only, other] = drafts
  return locating(
    (field) => (only && !other ? only.at(field) : field),
    () => insertAll(tx, products, rows),
  )
}

/** Stores the options of products with their values, and the variants. */
async function insertChoices(tx: Tx, drafts: readonly Draft[], sold: readonly VariantRow[], coloursOf: ColoursOf) {
  const drawn = drafts.map(({ id, choices }) => ({
    id,
    choices: choices.map((choice) => ({ choice, swatch: swatchOf(choice, coloursOf) })),
  }))
  await tx.together(() => [
    insertAll(
      tx,
      options,
      drawn.flatMap(({ id, choices }) =>
        choices.map(({ choice, swatch }, sort_order) => ({
          ...optionRow(id, choice, tx.now),
          type: swatch ? ('swatch' as const) : ('rectangles' as const),
          sort_order,
        })),
      ),
    ),
    insertAll(
      tx,
      optionValues,
      drawn.flatMap(({ id, choices }) => choices.flatMap(({ choice, swatch }) => optionValueRows(id, choice, swatch))),
    ),
    insertAll(tx, variants, sold),
  ])
}

/** Stores custom fields, bulk pricing rules, videos and images. */
async function insertSubResources(tx: Tx, drafts: readonly Draft[], ids: NewIds, { files, copies }: FilesOfRequest) {
  const numbered = <Row extends object>(collection: Collection, rowsOf: (draft: Draft) => readonly Row[]) =>
    drafts.flatMap(rowsOf).map((row) => ({ ...row, id: ids.next(collection) }))
  const images = numbered(productImages, ({ id, at, body: { images = [] } }) =>
    newImageRows(tx, { id }, { items: images, path: at('images') }, copies),
  )

  await tx.together(() => [
    insertAll(
      tx,
      customFields,
      numbered(customFields, ({ id, body: { custom_fields = [] } }) =>
        custom_fields.map((field) => customFieldRow({ id }, field)),
      ),
    ),
    insertAll(
      tx,
      bulkPricingRules,
      numbered(bulkPricingRules, ({ id, body: { bulk_pricing_rules = [] } }) =>
        bulk_pricing_rules.map((rule) => bulkPricingRuleRow({ id }, rule)),
      ),
    ),
    insertAll(
      tx,
      videos,
      numbered(videos, ({ id, body: { videos = [] } }) => videos.map((video) => videoRow({ id }, video))),
    ),
    insertAll(tx, productImages, images),
    attachCopies(tx, files, images),
  ])
}

/** The unique rule of the table also catches names that are stored meanwhile. @throws Problem 409 */
async function refuseTakenNames(tx: Tx, bodies: readonly NewProduct[], at: BodyPath) {
  // For one product the unique rule names the field; for several it would not say which product.
  if (bodies.length === 1) return
  const sentence = 'A product with this name already exists.'
  const keys = bodies.map(({ name }) => fold(name))
  const there = await tx.rows<{ name_key: string }>(
    sql`
    select name_key from products where store_id = ${tx.store.id} and name_key = any(${keys})`,
  )
  const known = new Set(there.map(({ name_key }) => name_key))
  const mistakes: Mistakes = repeated(
    keys,
    (key) => key,
    (i) => at(i, 'name'),
    sentence,
  )
  for (const [i, key] of keys.entries()) if (known.has(key)) mistakes[at(i, 'name')] = sentence
  if (hasAny(mistakes)) throw new Problem(409, sentence, mistakes)
}

/**
 * Claims the addresses of products.
 * @returns the rows with a taken address that was made from their name
 * @throws Problem 409 if a requested address is taken (docs/contract/catalog.md section 5)
 */
async function claimProductAddresses(
  tx: Tx,
  drafts: readonly Draft[],
  rows: readonly Product[],
  taken: 'passes' | 'fails',
): Promise<Product[]> {
  const crowded = await claimAddresses(tx, products, rows, taken)
  const refused = new Set(crowded.flatMap(({ id, custom_url }) => (custom_url.is_customized ? id : [])))
  const mistakes: Mistakes = {}
  for (const { id, body, at } of drafts) {
    if (refused.has(id)) mistakes[at('custom_url.url')] = takenAddress(body.custom_url?.url ?? '')
  }
  const [sentence] = Object.values(mistakes)
  if (sentence !== undefined) throw new Problem(409, sentence, mistakes)
  return crowded
}

/** Gives the products with a taken address another one. @returns all products as they are stored */
async function readdressed(tx: Tx, created: readonly Product[], crowded: readonly Product[]): Promise<Product[]> {
  const ids = new Set(crowded.map(({ id }) => id))
  const all: Product[] = []
  for (const product of created) all.push(ids.has(product.id) ? await giveFreeAddress(tx, products, product) : product)
  return all
}

const skusOf = ({ id, body, variantIds, at }: Draft): SkuReservation[] => [
  { sku: body.sku ?? '', product_id: id, variant_id: 0, path: at('sku') },
  ...(body.variants ?? []).map(({ sku }, j) => ({
    sku,
    product_id: id,
    variant_id: variantIds[j] ?? 0,
    path: at(`variants.${j}.sku`),
  })),
]

function variantRows(product: Product, { body, choices, variantIds }: Draft) {
  if (choices.length === 0) return variantIds.map((id) => baseVariant(product, id))
  const choose = chooserOf(choices)
  return (body.variants ?? []).map((given, j) =>
    variantRow(product, given, choose(given.option_values, '').values, variantIds[j] ?? 0),
  )
}

/** The stock of a new product and its variants at the first location. */
function stockOf(product: Product, { body, choices, variantIds }: Draft) {
  const { inventory_level, ...own } = body
  const named = choices.length === 0 ? [] : (body.variants ?? [])
  return [
    ...newStock(product, 0, isSummed(product) ? own : body),
    ...named.flatMap((given, j) => newStock(product, variantIds[j] ?? 0, given)),
  ]
}

/** Options that variants name have the type rectangles (docs/contract/catalog.md section 2). */
/** The colours of each value of a swatch; undefined for another option. */
function swatchOf({ option_values }: VariantOption, coloursOf: ColoursOf): ReadonlyMap<number, string[]> | undefined {
  const found = option_values.flatMap(({ id, label }): [number, string[]][] => {
    const colors = coloursOf(label)
    return colors ? [[id, [...colors]]] : []
  })
  return found.length === option_values.length ? new Map(found) : undefined
}

const optionRow = (product_id: number, { id, display_name }: VariantOption, now: Date) => ({
  id,
  product_id,
  name: internalNameOf(display_name, { id: product_id }, now),
  display_name,
  display_name_key: fold(display_name),
  config: [],
  image_url: '' as const,
})

const optionValueRows = (
  product_id: number,
  choice: VariantOption,
  swatch: ReadonlyMap<number, string[]> | undefined,
) =>
  choice.option_values.map(({ id, label }, sort_order) => ({
    id,
    product_id,
    option_id: choice.id,
    label,
    label_key: fold(label),
    sort_order,
    value_data: swatch ? { colors: swatch.get(id) ?? [] } : null,
    is_default: false,
  }))

/** The level of a product with tracked variants is their sum. */
const levelOf = ({ inventory_tracking, inventory_level = 0, variants = [] }: NewProduct) =>
  inventory_tracking === 'variant' && variants.length > 0
    ? Math.min(
        sum(variants, ({ inventory_level }) => inventory_level ?? 0),
        STOCK_MAX,
      )
    : inventory_level

/** The fields of a body that are stored in the product's own row. */
function ownFields({
  custom_url,
  brand_name,
  variants,
  custom_fields,
  bulk_pricing_rules,
  images,
  videos,
  ...own
}: NewProduct) {
  return own
}
