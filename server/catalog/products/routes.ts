import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import type { Files } from '../../core/files/files.ts'
import { answerJson, modifiedAt, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { collection, envelope, type FieldsQuery, type ListQuery } from '../../core/rest/collection.ts'
import { holdCounters } from '../../core/rest/counters.ts'
import { toSeconds } from '../../core/rest/dates.ts'
import { Id, IdList, idSegment } from '../../core/rest/fields.ts'
import { ComparedText, condition, conditionsOf, filterOf, refuseBlanks } from '../../core/rest/filters.ts'
import { type Mistakes, refuse, repeated } from '../../core/rest/mistakes.ts'
import { filteredPage } from '../../core/rest/pages/filtered.ts'
import { type Inclusions, included, withInclusions } from '../../core/rest/pages/inclusions.ts'
import { findKeyed, findPage } from '../../core/rest/pages.ts'
import { invalid, locating, notFound, Problem } from '../../core/rest/problem.ts'
import { oneOrMany } from '../../core/rest/validator.ts'
import { change, differences, findOne, lock, pick, removeAll, takeIds } from '../../core/rest/verbs.ts'
import { deleteMetafieldsOf, type MetafieldOwner, metafieldRoutes } from '../../metafields/metafields.ts'
import type { Copies, Pictures } from '../../pictures/pictures.ts'
import { access } from '../../stores/scopes.ts'
import { changeAddressed, releaseAddresses } from '../addresses/urls.ts'
import { deleteModifiersOf, includedModifiers, modifiers, modifierValues } from '../choices/modifiers.ts'
import { deleteOptionsOf, includedOptions, options, optionValues } from '../choices/options.ts'
import {
  BulkPricingRuleItems,
  bulkPricingRuleMistakes,
  bulkPricingRules,
  replaceBulkPricingRules,
} from '../parts/bulk-pricing-rules.ts'
import { CustomFieldItems, customFieldMistakes, customFields, replaceCustomFields } from '../parts/custom-fields.ts'
import { ImageItems, imageMistakes, primaryImages, productImages, replaceImages } from '../parts/images.ts'
import { countNew, sum } from '../parts/part.ts'
import { reviews } from '../parts/reviews.ts'
import { deletePartsOf, partCounters } from '../parts/routes.ts'
import { replaceVideos, VideoItems, videoMistakes, videos } from '../parts/videos.ts'
import { forgetCategories, setCategories, sortedIds } from '../product-row/categories.ts'
import { forgetChannels } from '../product-row/channels.ts'
import { among, forgetNames, keepNames, NAMES, type Search, searched } from '../product-row/names.ts'
import {
  calculatedPrice,
  Product,
  ProductFields,
  productFacts,
  products,
  tellOfProduct,
  touch,
  withMoments,
} from '../product-row/shape.ts'
import {
  calculated,
  recalculate,
  sharedWithBase,
  stockOf,
  tellOfStock,
  variantMetafields,
  variants,
} from '../variants/shape.ts'
import { changeSkus, releaseSkusOf } from '../variants/skus.ts'
import { createProducts, NewProduct } from './create.ts'
import { type At, brandsFor, faultyAddress, refuseMissingCategories } from './references.ts'

const BATCH_MAX = 10
const NEW_MAX = 100
const DELETED_AT_ONCE = 250
/** A page that shows options or modifiers is no longer than this (docs/contract/products.md section 5). */
const LIMIT_WITH_OPTIONS = 10

const { read, write } = access('catalog')

/** Names of a query that are more than a comparison with a column; `alsoWhere` makes conditions of them. */
const Queries = t.Object({
  categories: t.Optional(Id),
  'categories:in': t.Optional(IdList),
  'channel_id:in': t.Optional(IdList),
  condition: t.Optional(ComparedText),
  'date_last_imported:not': t.Optional(t.String({ format: 'date-time' })),
  inventory_low: t.Optional(t.Boolean()),
  out_of_stock: t.Optional(t.Boolean()),
  'name:like': t.Optional(ComparedText),
  keyword: t.Optional(ComparedText),
  keyword_context: t.Optional(t.Enum(['shopper', 'merchant'])),
})

/** Another product that can be chosen as this one: of which option or modifier it is a value. */
const Relation = t.Object(
  { type: t.Enum(['variant_option', 'modifier']), product_id: Id, attribute_id: Id },
  { title: 'ParentRelation' },
)

/** What can be shown with a product. */
const includes = {
  bulk_pricing_rules: t.Array(bulkPricingRules.shape),
  channels: t.Array(Id),
  custom_fields: t.Array(customFields.shape),
  images: t.Array(productImages.shape),
  modifiers: t.Array(modifiers.shape),
  options: t.Array(options.shape),
  parent_relations: t.Array(Relation),
  primary_image: t.Union([productImages.shape, t.Null()]),
  reviews: t.Array(reviews.shape),
  variants: t.Array(variants.shape),
  videos: t.Array(videos.shape),
}

/** By one statement each, however many products are shown. */
const inclusions: Inclusions = {
  bulk_pricing_rules: included(bulkPricingRules, 'product_id'),
  channels: includedChannels,
  custom_fields: included(customFields, 'product_id'),
  images: included(productImages, 'product_id'),
  modifiers: includedModifiers,
  options: includedOptions,
  parent_relations: includedRelations,
  primary_image: primaryImages,
  reviews: included(reviews, 'product_id'),
  variants: included(variants, 'product_id'),
  videos: included(videos, 'product_id'),
}

/** What changes without its product, so that `date_modified` says nothing about it. */
const undatedIncludes: ReadonlySet<string> = new Set(['channels', 'parent_relations'])

const shown = collection('products', Product, { ...productFacts, queries: Queries.properties, includes })

const Changes = t.Object(
  {
    ...ProductFields.properties,
    custom_fields: t.Optional(CustomFieldItems),
    bulk_pricing_rules: t.Optional(BulkPricingRuleItems),
    images: t.Optional(ImageItems),
    videos: t.Optional(VideoItems),
  },
  { title: 'ProductChanges', examples: [{ price: 19.5, description: 'Fired twice.' }] },
)
type Changes = Static<typeof Changes>

const Batch = t.Array(t.Object({ ...Changes.properties, id: Id }, { title: 'ProductChangesById' }), {
  minItems: 1,
  maxItems: BATCH_MAX,
  examples: [[{ id: 1, price: 19.5 }]],
})

/** One value of each option, as variants name them. */
function valuesNamed(named: Record<string, string>) {
  return Object.entries(named).map(([option_display_name, label]) => ({ option_display_name, label }))
}

const example = {
  name: 'Stoneware mug',
  type: 'physical',
  weight: 0.4,
  price: 18.5,
  sku: 'MUG',
  variants: [
    { sku: 'MUG-SAND-S', option_values: valuesNamed({ Glaze: 'Sand', Handle: 'Straight' }) },
    { sku: 'MUG-SEA-R', option_values: valuesNamed({ Glaze: 'Sea', Handle: 'Round' }) },
  ],
}

/** What a DELETE of many may be narrowed by; without any of it every product would go. */
const Narrowed = t.Object(
  {
    ...t.Partial(
      t.Object({
        name: ComparedText,
        sku: ComparedText,
        price: t.Number(),
        weight: t.Number(),
        condition: ComparedText,
        brand_id: t.Integer(),
        date_modified: t.String({ format: 'date-time' }),
        date_last_imported: t.String({ format: 'date-time' }),
        is_visible: t.Boolean(),
        is_featured: t.Boolean(),
        'id:in': IdList,
        inventory_level: t.Integer(),
        total_sold: t.Integer(),
        type: ComparedText,
        categories: Id,
        keyword: ComparedText,
      }),
    ).properties,
  },
  { additionalProperties: false, examples: [{ name: 'Stoneware mug' }] },
)

const narrowing = ['name', 'sku', 'price', 'weight', 'brand_id', 'date_modified', 'date_last_imported', 'is_visible']
  .concat('is_featured', 'id:in', 'inventory_level', 'total_sold', 'type')
  .map((name) => filterOf(Product.properties, name))
const imported = filterOf(Product.properties, 'date_last_imported')

const productMetafields: MetafieldOwner = {
  kind: 'product',
  things: products,
  path: '/catalog/products',
  access: access('catalog'),
  scope: 'store/product',
}

/** Products one by one and in batches, with their metafields (docs/contract/products.md). */
export function productRoutes(app: Api, pictures: Pictures) {
  const { files } = pictures
  const naming = { ...write, preHandler: pictures.fetching(addressesIn) }
  const list = '/catalog/products'
  const one = `${list}/${idSegment('product_id')}`
  const params = t.Object({ product_id: Id })

  app.get(
    list,
    {
      ...read,
      schema: {
        summary: 'List the products',
        description: `A page that includes options or modifiers has at most ${LIMIT_WITH_OPTIONS} products.`,
        ...shown.list,
      },
    },
    ({ db, query }) =>
      isOnlySearch(query)
        ? findByName(db, withinLimit(query))
        : findPage(db, shown, withinLimit(query), alsoWhere(db, query), asked(query)),
  )

  app.post(
    list,
    {
      ...naming,
      schema: {
        summary: 'Create a product, or several',
        description: `Takes a product, or a list of at most ${NEW_MAX}, which is stored as a whole or not at all. The values that variants name make the options of the product.`,
        querystring: shown.one.querystring,
        body: oneOrMany(NewProduct, NEW_MAX, [example]),
        response: { 200: envelope(t.Union([shown.someFields, t.Array(shown.someFields)])) },
      },
    },
    (request) => {
      const { db, query, body } = request
      const bodies = Array.isArray(body) ? body : [body]
      return pictures.keeping(request, async (copies) => {
        const created = await db.transaction(async (tx) => {
          const rows = await createProducts(tx, files, bodies, placesIn(body), copies)
          return show(tx, rows, query, partsIn(bodies))
        })
        return answerJson(Array.isArray(body) ? `[${created.join()}]` : created.join())
      })
    },
  )

  app.put(
    list,
    {
      ...naming,
      schema: {
        summary: 'Change several products',
        description:
          'Stored as a whole or not at all. A list in a product is all of it: what it does not name is deleted.',
        querystring: shown.one.querystring,
        body: Batch,
        response: { 200: envelope(t.Array(shown.someFields)) },
      },
    },
    (request) => {
      const { db, query, body } = request
      refuseFaulty(body, placesIn(body))
      return pictures.keeping(request, async (copies) => {
        const changed = await db.transaction(async (tx) => {
          // Before what the items name is looked for: what is not there is told before what conflicts.
          const there = await tx.rows<{ id: number }>(sql`
            select id from products where store_id = ${tx.store.id} and id = any(${body.map(({ id }) => id)})`)
          refuseMissing(body, new Set(there.map(({ id }) => id)), placesIn(body))
          const rows = await changeProducts(tx, files, body, placesIn(body), copies)
          return show(tx, rows, query, partsIn(body))
        })
        return answerJson(`[${changed.join()}]`)
      })
    },
  )

  app.delete(
    list,
    {
      ...write,
      schema: {
        summary: 'Delete products by a filter',
        description: `At most ${DELETED_AT_ONCE} in one call; the others stay. Without a filter none goes: 422.`,
        querystring: Narrowed,
      },
    },
    async ({ db, query }) => {
      if (Object.keys(query).length === 0) {
        throw new Problem(422, 'The query is not valid: a DELETE of products needs a filter.')
      }
      refuseBlanks(query)
      await db.transaction(async (tx) => {
        const found = await tx.rows<{ id: number }>(sql`
        select id from products
        where store_id = ${tx.store.id} and ${sql.and(conditionsOf(narrowing, query))} and ${alsoWhere(tx, query) ?? sql`true`}
        order by id limit ${DELETED_AT_ONCE} for update`)
        await deleteProducts(
          tx,
          files,
          found.map(({ id }) => id),
        )
      })
      return noContent()
    },
  )

  app.get(
    one,
    { ...read, schema: { summary: 'Get a product', params, ...shown.one } },
    async ({ db, params, query }) => {
      const row = await findOne(db, products, params.product_id)
      const product = await show(db, [row], query)
      const isDated = !query.include?.some((part) => undatedIncludes.has(part))
      return answerJson(product.join(), isDated ? modifiedAt(row.date_modified) : {})
    },
  )

  app.put(
    one,
    {
      ...naming,
      schema: {
        summary: 'Change a product',
        description: 'A list in the body is all of it: what it does not name is deleted.',
        params,
        querystring: shown.one.querystring,
        body: Changes,
        response: { 200: envelope(shown.someFields) },
      },
    },
    (request) => {
      const { db, params, query, body } = request
      refuseFaulty([body], placesIn(body))
      return pictures.keeping(request, async (copies) => {
        const product = await db.transaction(async (tx) => {
          const { id } = await findOne(tx, products, params.product_id)
          const rows = await changeProducts(tx, files, [{ ...body, id }], placesIn(body), copies)
          return show(tx, rows, query, partsIn([body]))
        })
        return answerJson(product.join())
      })
    },
  )

  app.delete(
    one,
    { ...write, schema: { summary: 'Delete a product', params } },
    async ({ db, params: { product_id } }) => {
      await db.transaction(async (tx) => {
        await lock(tx, products, product_id)
        await deleteProducts(tx, files, [product_id])
      })
      return noContent()
    },
  )

  metafieldRoutes(app, productMetafields)
}

/** Where a field stands in a body of one product, or of many. */
const placesIn =
  (body: unknown): At =>
  (i, field) =>
    Array.isArray(body) ? `${i}.${field}` : field

/** What a list or a product is asked to show beside its fields. */
const asked = ({ include = [] }: FieldsQuery, more: readonly string[] = []) =>
  Object.fromEntries(Object.entries(inclusions).filter(([field]) => include.includes(field) || more.includes(field)))

/** What came with products is answered with them. */
const partsIn = (bodies: readonly object[]) =>
  Object.keys(inclusions).filter((part) => bodies.some((body) => part in body))

const show = (db: Db, rows: readonly Product[], query: FieldsQuery, parts: readonly string[] = []) =>
  withInclusions(db, rows, (row) => pick(shown, row, query), asked(query, parts))

const withinLimit = (query: ListQuery): ListQuery =>
  query.include?.some((part) => part === 'options' || part === 'modifiers')
    ? { ...query, limit: Math.min(query.limit, LIMIT_WITH_OPTIONS) }
    : query

/** Rows that searches look into have the ids of products, and their order by name. */
function findByName(db: Db, query: ListQuery & Search) {
  const statement = filteredPage(db, shown, query, [searched(query) ?? sql`true`], NAMES)
  return findKeyed(db, shown, query, statement, asked(query))
}

/** Whether a list is asked for nothing but a search, in an order that names or ids have. */
function isOnlySearch(query: ListQuery): query is ListQuery & Search {
  const { sort = 'id' } = query
  const searches = query['name:like'] !== undefined || query.keyword !== undefined
  return searches && (sort === 'id' || sort === 'name') && Object.keys(query).every((name) => searchQuery.has(name))
}
const searchQuery: ReadonlySet<string> = new Set([
  'name:like',
  'keyword',
  'page',
  'limit',
  'sort',
  'direction',
  'include',
  'include_fields',
  'exclude_fields',
])

/** Conditions of a query that are more than a comparison with a column (docs/contract/products.md section 4). */
function alsoWhere(db: Db, query: Readonly<Record<string, unknown>>): Sql | undefined {
  const { store } = db
  const asked: Static<typeof Queries> = query
  const linked = (table: 'product_categories' | 'product_channels', column: string, ids: readonly number[]) =>
    sql`id in (select product_id from ${sql.id(table)} where store_id = ${store.id} and ${sql.id(column)} = any(${ids}))`
  const conditions: Sql[] = []
  if (asked.categories !== undefined) conditions.push(linked('product_categories', 'category_id', [asked.categories]))
  if (asked['categories:in']) conditions.push(linked('product_categories', 'category_id', asked['categories:in']))
  if (asked['channel_id:in']) conditions.push(linked('product_channels', 'channel_id', asked['channel_id:in']))
  if (asked.condition !== undefined) conditions.push(sql`condition = ${conditionNamed(asked.condition)}`)
  if (asked['date_last_imported:not'] !== undefined) {
    conditions.push(sql`(${condition(imported, asked['date_last_imported:not'])}) is not true`)
  }
  if (asked.inventory_low !== undefined) conditions.push(sql`${LOW} = ${asked.inventory_low}`)
  if (asked.out_of_stock !== undefined) conditions.push(sql`${SOLD_OUT} = ${asked.out_of_stock}`)
  const search = searched(asked)
  if (search) conditions.push(among(db, search))
  if (asked.keyword_context === 'shopper') conditions.push(sql`is_visible`)
  return conditions.length > 0 ? sql.and(conditions) : undefined
}

const COUNTED = sql`inventory_tracking <> 'none'`
const LOW = sql`(${COUNTED} and inventory_level <= inventory_warning_level)`
const SOLD_OUT = sql`(${COUNTED} and inventory_level = 0)`

/** The filter spells the conditions in small letters, the product does not. */
const conditionNamed = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()

/** The channels of products, as a list of ids. */
async function includedChannels(db: Db, ids: readonly number[]) {
  const rows = await db.rows<{ product_id: number; channels: number[] }>(sql`
    select product_id, json_agg(channel_id order by channel_id) as channels from product_channels
    where store_id = ${db.store.id} and product_id = any(${ids}) group by product_id`)
  return new Map(rows.map(({ product_id, channels }) => [product_id, JSON.stringify(channels)]))
}

/** The options and modifiers of other products that have products as values. */
async function includedRelations(db: Db, ids: readonly number[]) {
  const lists = sql`('product_list', 'product_list_with_images')`
  const named = (values: string, choices: string, type: string) => sql`
    select (value.value_data->>'product_id')::int as named, ${type}::text as type, choice.product_id, choice.id
    from ${sql.id(choices)} choice join ${sql.id(values)} value
      on value.store_id = choice.store_id and value.option_id = choice.id
    where choice.store_id = ${db.store.id} and value.store_id = ${db.store.id} and choice.type in ${lists}
      and (value.value_data->>'product_id')::int = any(${ids})`
  const rows = await db.rows<{ named: number; relations: object[] }>(sql`
    select named, json_agg(
      json_build_object('type', type, 'product_id', product_id, 'attribute_id', id) order by type desc, product_id, id
    ) as relations from (
      ${named('option_values', 'options', 'variant_option')} union
      ${named('modifier_values', 'modifiers', 'modifier')}
    ) relations group by named`)
  return new Map(rows.map(({ named, relations }) => [named, JSON.stringify(relations)]))
}

/** The addresses of pictures in a body that was not checked yet, by their paths. */
function addressesIn(body: unknown): Record<string, unknown> {
  const at = placesIn(body)
  const addresses: Record<string, unknown> = {}
  for (const [i, product] of [body].flat().entries()) {
    const images = isRecord(product) ? product.images : undefined
    if (!Array.isArray(images)) continue
    for (const [j, image] of images.entries()) {
      if (isRecord(image)) addresses[at(i, `images.${j}.image_url`)] = image.image_url
    }
  }
  return addresses
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/**
 * Changes products and what hangs on them: all or none. A list that is given is the whole of it.
 * @param bodies passed `refuseFaulty`
 * @param at where a field of the nth product stands in the body
 * @throws Problem 422 for an id of a list that is not there, 404 for that of the path; 409
 */
async function changeProducts(
  tx: Tx,
  files: Files,
  bodies: readonly (Changes & { id: number })[],
  at: At,
  copies: Copies,
): Promise<Product[]> {
  const brandIds = await brandsFor(tx, bodies, at)
  await refuseMissingCategories(tx, bodies, at)
  const rows = await lockProducts(tx, bodies, at)
  const taken = await takeIds(tx, [
    [customFields, sum(bodies, ({ custom_fields }) => countNew(custom_fields))],
    [bulkPricingRules, sum(bodies, ({ bulk_pricing_rules }) => countNew(bulk_pricing_rules))],
    [productImages, sum(bodies, ({ images }) => countNew(images))],
    [videos, sum(bodies, ({ videos }) => countNew(videos))],
  ])
  await changeSkus(
    tx,
    bodies.flatMap(({ id, sku }, i) => {
      const before = rows.get(id)?.sku
      return before === undefined || sku === undefined
        ? []
        : [{ before, sku, product_id: id, variant_id: 0, path: at(i, 'sku') }]
    }),
  )
  const changed: Product[] = []
  for (const [i, body] of bodies.entries()) {
    const product = rows.get(body.id)
    if (!product) continue
    const { custom_fields, bulk_pricing_rules, images, videos, ...fields } = body
    const given = <I>(field: string, items: readonly I[]) => ({ items, path: at(i, field) })
    const replaced = [
      custom_fields && (await replaceCustomFields(tx, product, given('custom_fields', custom_fields), taken)),
      bulk_pricing_rules &&
        (await replaceBulkPricingRules(tx, product, given('bulk_pricing_rules', bulk_pricing_rules), taken)),
      images && (await replaceImages(tx, files, product, given('images', images), taken, copies)),
      videos && (await replaceVideos(tx, product, given('videos', videos), taken)),
    ]
    const row = await changeOwn(tx, product, withMoments(fields), brandIds[i], (field) => at(i, field))
    const isChanged = row !== product || replaced.includes(true)
    if (isChanged) {
      await touch(tx, product)
      await follow(tx, product, row)
    }
    changed.push(isChanged ? { ...row, date_modified: toSeconds(tx.now) } : row)
  }
  taken.refuseTooMany()
  return changed
}

/** Locked in one order, whatever that of the body. @throws Problem 422 for those that are not there */
async function lockProducts(tx: Tx, bodies: readonly { id: number }[], at: At): Promise<ReadonlyMap<number, Product>> {
  const wanted = bodies.map(({ id }) => id)
  const found = await tx.rows<Product>(sql`
    select ${sql.join(products.columns.map(sql.id))} from products
    where store_id = ${tx.store.id} and id = any(${wanted}) order by id for update`)
  const rows = new Map(found.map((row) => [row.id, row]))
  refuseMissing(bodies, rows, at)
  return rows
}

/** @throws Problem 422 for the ids of a list, 404 for that of the path */
function refuseMissing(bodies: readonly { id: number }[], there: { has(id: number): boolean }, at: At) {
  const missing = bodies.flatMap(({ id }, i): [string, string][] =>
    there.has(id) ? [] : [[at(i, 'id'), `The product ${id} does not exist.`]],
  )
  if (missing.length === 0) return
  const [one] = bodies
  throw one && at(0, 'id') === 'id' ? notFound(products.noun, one.id) : invalid(Object.fromEntries(missing))
}

/**
 * Changes what stands in a product's own row, and with it its address, its base variant and what variants inherit.
 * @returns the row as it is stored; the same one if nothing is otherwise
 */
async function changeOwn(
  tx: Tx,
  product: Product,
  { custom_url, brand_name, categories, ...fields }: ProductFields,
  brand_id: number | undefined,
  at: (field: string) => string,
): Promise<Product> {
  const wished = {
    ...fields,
    ...(brand_id === undefined ? {} : { brand_id }),
    ...(categories === undefined ? {} : { categories: sortedIds(categories) }),
  }
  const now = { ...product, ...wished }
  const followed = { ...wished, calculated_price: calculatedPrice(now), ...(await stockNow(tx, now)) }
  const { row, failure } = await locating(at, () => changeAddressed(tx, products, product, followed, custom_url))
  if (failure !== undefined) throw new Problem(409, failure, { [at('custom_url.url')]: failure })

  const changed = differences(product, row)
  if ('name' in changed || 'sku' in changed) await keepNames(tx, [row.id])
  const shared = differences(sharedWithBase(product), sharedWithBase(row))
  if (row.base_variant_id === null) {
    if ('price' in changed || 'sale_price' in changed || 'weight' in changed) await recalculate(tx, row)
  } else if (Object.keys(shared).length > 0) {
    const base = await lock(tx, variants, row.base_variant_id)
    await change(tx, variants, base, { ...shared, ...calculated(row, row) })
  }
  return row
}

/** What is told after the change of the product itself (docs/contract/products.md section 7), with its links. */
async function follow(tx: Tx, before: Product, now: Product) {
  const changed = differences(before, now)
  if ('inventory_level' in changed) tellOfStock(tx, now)
  if ('categories' in changed) await setCategories(tx, new Map([[now.id, now.categories]]))
}

/** Where variants are counted, the stock of their product is that of all of them, whatever a request says. */
async function stockNow(tx: Tx, { id, inventory_tracking, base_variant_id }: Product) {
  return inventory_tracking === 'variant' && base_variant_id === null ? { inventory_level: await stockOf(tx, id) } : {}
}

/** What needs no database to be refused: all fields of all products together. @throws Problem 422 */
function refuseFaulty(bodies: readonly (Changes & { id?: number })[], at: At) {
  const mistakes: Mistakes = repeated(
    bodies,
    ({ id }) => id?.toString(),
    (i) => at(i, 'id'),
    'Another item has this id.',
  )
  for (const [
    i,
    { custom_url, custom_fields = [], bulk_pricing_rules = [], images = [], videos = [] },
  ] of bodies.entries()) {
    const address = faultyAddress(custom_url)
    if (address !== undefined) mistakes[at(i, 'custom_url.url')] = address
    Object.assign(
      mistakes,
      customFieldMistakes(custom_fields, at(i, 'custom_fields')),
      bulkPricingRuleMistakes(bulk_pricing_rules, at(i, 'bulk_pricing_rules')),
      imageMistakes(images, at(i, 'images')),
      videoMistakes(videos, at(i, 'videos')),
    )
  }
  refuse(mistakes)
}

/** The counters that a deletion changes beside those of the parts. */
const counted = [
  'metafields',
  ...partCounters,
  ...[options, optionValues, modifiers, modifierValues, products, variants].map(({ table }) => table),
]

/** With everything that hangs on them. Of that nothing is told (docs/contract/webhooks.md section 6). */
async function deleteProducts(tx: Tx, files: Files, ids: readonly number[]) {
  if (ids.length === 0) return
  await holdCounters(tx, counted)
  await deletePartsOf(tx, ids, files)
  await deleteOptionsOf(tx, ids)
  await deleteModifiersOf(tx, files, ids)
  const sold = await removeAll(tx, variants, sql`product_id = any(${ids})`)
  await files.detachAll(tx, variants.noun, sold)
  await deleteMetafieldsOf(tx, variantMetafields, sold)
  await deleteMetafieldsOf(tx, productMetafields, ids)
  await forgetCategories(tx, ids)
  await forgetChannels(tx, ids)
  await releaseSkusOf(tx, ids)
  await releaseAddresses(tx, products, ids)
  await forgetNames(tx, ids)
  await removeAll(tx, products, sql`id = any(${ids})`)
  for (const id of ids) tellOfProduct(tx, 'deleted', id)
}
