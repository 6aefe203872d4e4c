import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { isObject } from '../../../core/objects.ts'
import { answerJson, modifiedAt, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { AnyInteger, Id, IdList, idSegment } from '../../../core/rest/input/fields.ts'
import { oneOrMany } from '../../../core/rest/input/validator.ts'
import { collection, envelope, type FieldsQuery, type ListQuery } from '../../../core/rest/lists/collection.ts'
import { ComparedText, condition, conditionsOf, filterOf, refuseBlanks } from '../../../core/rest/lists/filters.ts'
import { filteredPage } from '../../../core/rest/lists/pages/filtered.ts'
import { type Inclusions, included, withInclusions } from '../../../core/rest/lists/pages/inclusions.ts'
import { findKeyed, findPage } from '../../../core/rest/lists/pages.ts'
import { findOne, lock, pick } from '../../../core/rest/lists/verbs.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { metafieldRoutes } from '../../../shared/metafields/metafields.ts'
import type { Pictures } from '../../../shared/pictures/pictures.ts'
import { ChannelIds } from '../../../shop/channels/channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { includedModifiers, modifiers } from '../choices/modifiers.ts'
import { includedOptions, options } from '../choices/options.ts'
import type { DependentAreas } from '../dependents.ts'
import { matchesSearch, PRODUCT_NAMES, type Search, searchCondition } from '../product-row/names.ts'
import { Product, productFacts, productMetafields, products } from '../product-row/shape.ts'
import { bulkPricingRules } from '../sub-resources/bulk-pricing-rules.ts'
import { customFields } from '../sub-resources/custom-fields.ts'
import { primaryImages, productImages } from '../sub-resources/images.ts'
import { reviews } from '../sub-resources/reviews.ts'
import { videos } from '../sub-resources/videos.ts'
import { variants } from '../variants/shape.ts'
import { changeProducts, ProductChanges } from './change.ts'
import { NewProduct, storeProducts } from './create.ts'
import { deleteProducts } from './delete.ts'
import type { BodyPath } from './references.ts'
import { validateProducts } from './validation.ts'

const BATCH_MAX = 10
const NEW_MAX = 100
const DELETED_AT_ONCE = 250
/** The longest page with options or modifiers (docs/contract/products.md section 5). */
const LIMIT_WITH_OPTIONS = 10

const { read, write } = access('catalog')

/** Query parameters that are more than a comparison with a column. `furtherConditions` makes conditions of them. */
const Queries = t.Object({
  categories: t.Optional(Id),
  'categories:in': t.Optional(IdList),
  'channel_id:in': t.Optional(ChannelIds),
  condition: t.Optional(ComparedText),
  'date_last_imported:not': t.Optional(t.String({ format: 'date-time' })),
  inventory_low: t.Optional(t.Boolean()),
  out_of_stock: t.Optional(t.Boolean()),
  'name:like': t.Optional(ComparedText),
  keyword: t.Optional(ComparedText),
  keyword_context: t.Optional(t.Enum(['shopper', 'merchant'])),
})

/** Another product that offers this product as a value of an option or modifier. */
const Relation = t.Object(
  { type: t.Enum(['variant_option', 'modifier']), product_id: Id, attribute_id: Id },
  { title: 'ParentRelation' },
)

/** The sub-resources that `include` can add to a product. */
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

/** Each takes one statement for a page of any length. */
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

/** Includes that change without their product, so that `date_modified` does not cover them. */
const undatedIncludes: ReadonlySet<string> = new Set(['channels', 'parent_relations'])

const productsWithIncludes = collection('products', Product, { ...productFacts, queries: Queries.properties, includes })

const Batch = t.Array(t.Object({ ...ProductChanges.properties, id: Id }, { title: 'ProductChangesById' }), {
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
  inventory_level: 40,
  variants: [
    { sku: 'MUG-SAND-S', option_values: valuesNamed({ Glaze: 'Sand', Handle: 'Straight' }) },
    { sku: 'MUG-SEA-R', option_values: valuesNamed({ Glaze: 'Sea', Handle: 'Round' }) },
  ],
}

/** The filters of a deletion. A request without any of them is refused, because it would delete every product. */
const DeleteFilters = t.Object(
  {
    ...t.Partial(
      t.Object({
        name: ComparedText,
        sku: ComparedText,
        price: t.Number(),
        weight: t.Number(),
        condition: ComparedText,
        brand_id: AnyInteger,
        date_modified: t.String({ format: 'date-time' }),
        date_last_imported: t.String({ format: 'date-time' }),
        is_visible: t.Boolean(),
        is_featured: t.Boolean(),
        'id:in': IdList,
        inventory_level: AnyInteger,
        total_sold: AnyInteger,
        type: ComparedText,
        categories: Id,
        keyword: ComparedText,
      }),
    ).properties,
  },
  { additionalProperties: false, examples: [{ name: 'Stoneware mug' }] },
)

const deleteFilters = [
  'name',
  'sku',
  'price',
  'weight',
  'brand_id',
  'date_modified',
  'date_last_imported',
  'is_visible',
]
  .concat('is_featured', 'id:in', 'inventory_level', 'total_sold', 'type')
  .map((name) => filterOf(Product.properties, name))
const imported = filterOf(Product.properties, 'date_last_imported')

/** Products one by one and in batches, with their metafields (docs/contract/products.md). */
export function productRoutes(app: Api, pictures: Pictures, above: DependentAreas) {
  const { files } = pictures
  const { lockTaxClassesShared } = above
  const naming = { config: { ...write.config, ...pictures.copying(addressesIn) } }
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
        ...productsWithIncludes.list,
      },
    },
    ({ db, query }) =>
      isOnlySearch(query)
        ? findByName(db, withinLimit(query))
        : findPage(db, productsWithIncludes, withinLimit(query), {
            where: furtherConditions(db, query),
            inclusions: requestedInclusions(query),
          }),
  )

  app.post(
    list,
    {
      ...naming,
      schema: {
        summary: 'Create a product, or several',
        description: `Takes a product or a list of at most ${NEW_MAX} products. All products are stored, or none. The values that variants name create the options of the product.`,
        querystring: productsWithIncludes.one.querystring,
        body: oneOrMany(NewProduct, NEW_MAX, [example]),
        response: {
          200: envelope(t.Union([productsWithIncludes.shape, t.Array(productsWithIncludes.shape)])),
        },
      },
    },
    async (request) => {
      const { db, query, body } = request
      const bodies = Array.isArray(body) ? body : [body]
      const copies = pictures.copiesOf(request)
      const rows = await storeProducts(db, { files, bodies, at: pathsIn(body), copies, lockTaxClassesShared })
      const created = await toAnswers(db, rows, query, partsIn(bodies))
      return answerJson(Array.isArray(body) ? `[${created.join()}]` : created.join())
    },
  )

  app.put(
    list,
    {
      ...naming,
      schema: {
        summary: 'Change several products',
        description:
          'All products are stored, or none. A list in a product replaces all its items: missing ones are deleted.',
        querystring: productsWithIncludes.one.querystring,
        body: Batch,
        response: { 200: envelope(t.Array(productsWithIncludes.shape)) },
      },
    },
    async (request) => {
      const { db, query, body } = request
      const at = pathsIn(body)
      validateProducts(body, at)
      const copies = pictures.copiesOf(request)
      const changed = await db.transaction(async (tx) => {
        const rows = await changeProducts(tx, { files, bodies: body, at, copies, lockTaxClassesShared })
        return toAnswers(tx, rows, query, partsIn(body))
      })
      return answerJson(`[${changed.join()}]`)
    },
  )

  app.delete(
    list,
    {
      ...write,
      schema: {
        summary: 'Delete products by a filter',
        description: `Deletes at most ${DELETED_AT_ONCE} products; the others stay. A filter is required (422).`,
        querystring: DeleteFilters,
      },
    },
    async ({ db, query }) => {
      if (Object.keys(query).length === 0) {
        throw new Problem(422, 'The query is not valid: the deletion of products needs a filter.')
      }
      refuseBlanks(query)
      const matching = async (db: Db, locking = sql.empty) => {
        const found = await db.rows<{ id: number }>(sql`
        select id from products
        where store_id = ${db.store.id} and ${sql.and(conditionsOf(deleteFilters, query))} and ${furtherConditions(db, query) ?? sql`true`}
        order by id limit ${DELETED_AT_ONCE} ${locking}`)
        return found.map(({ id }) => id)
      }
      await above.deleteManyRowsOfProducts(db, await matching(db))
      await db.transaction(async (tx) => deleteProducts(tx, files, above, await matching(tx, sql`for update`)))
      return noContent()
    },
  )

  app.get(
    one,
    { ...read, schema: { summary: 'Get a product', params, ...productsWithIncludes.one } },
    async ({ db, params, query }) => {
      const row = await findOne(db, products, params.product_id)
      const product = await toAnswers(db, [row], query)
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
        description: 'A list in the body replaces all its items: missing ones are deleted.',
        params,
        querystring: productsWithIncludes.one.querystring,
        body: ProductChanges,
        response: { 200: envelope(productsWithIncludes.shape) },
      },
    },
    async (request) => {
      const { db, params, query, body } = request
      const at = pathsIn(body)
      validateProducts([body], at)
      const copies = pictures.copiesOf(request)
      const product = await db.transaction(async (tx) => {
        const bodies = [{ ...body, id: params.product_id }]
        const rows = await changeProducts(tx, { files, bodies, at, copies, lockTaxClassesShared })
        return toAnswers(tx, rows, query, partsIn([body]))
      })
      return answerJson(product.join())
    },
  )

  app.delete(
    one,
    { ...write, schema: { summary: 'Delete a product', params } },
    async ({ db, params: { product_id } }) => {
      await above.deleteManyRowsOfProducts(db, [product_id])
      await db.transaction(async (tx) => {
        await lock(tx, products, product_id)
        await deleteProducts(tx, files, above, [product_id])
      })
      return noContent()
    },
  )

  metafieldRoutes(app, productMetafields)
}

/** The path of a field in a body of one product or of a list. */
const pathsIn =
  (body: unknown): BodyPath =>
  (i, field) =>
    Array.isArray(body) ? `${i}.${field}` : field

/** The inclusions that a query asks for. */
const requestedInclusions = ({ include = [] }: FieldsQuery, more: readonly string[] = []) =>
  Object.fromEntries(Object.entries(inclusions).filter(([field]) => include.includes(field) || more.includes(field)))

/** Sub-resources in a body are also in the answer. */
const partsIn = (bodies: readonly object[]) =>
  Object.keys(inclusions).filter((part) => bodies.some((body) => part in body))

const toAnswers = (db: Db, rows: readonly Product[], query: FieldsQuery, parts: readonly string[] = []) =>
  withInclusions(db, rows, (row) => pick(productsWithIncludes, row, query), requestedInclusions(query, parts))

const withinLimit = (query: ListQuery): ListQuery =>
  query.include?.some((part) => part === 'options' || part === 'modifiers')
    ? { ...query, limit: Math.min(query.limit, LIMIT_WITH_OPTIONS) }
    : query

/** The rows of names have the ids of products, and their order by name. */
function findByName(db: Db, query: ListQuery & Search) {
  const statement = filteredPage(db, productsWithIncludes, query, {
    conditions: [searchCondition(db, query) ?? sql`true`],
    keysIn: PRODUCT_NAMES,
  })
  return findKeyed(db, productsWithIncludes, query, { statement, inclusions: requestedInclusions(query) })
}

/** Whether a list asks for a search only, in the order of names or ids. */
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

/** Conditions that are more than a comparison with a column (docs/contract/products.md section 4). */
function furtherConditions(db: Db, query: Readonly<Record<string, unknown>>): Sql | undefined {
  const { store } = db
  const requestedInclusions: Static<typeof Queries> = query
  const linked = (table: 'product_categories' | 'product_channels', column: string, ids: readonly number[]) =>
    sql`id in (select product_id from ${sql.id(table)} where store_id = ${store.id} and ${sql.id(column)} = any(${ids}))`
  const conditions: Sql[] = []
  if (requestedInclusions.categories !== undefined)
    conditions.push(linked('product_categories', 'category_id', [requestedInclusions.categories]))
  if (requestedInclusions['categories:in'])
    conditions.push(linked('product_categories', 'category_id', requestedInclusions['categories:in']))
  if (requestedInclusions['channel_id:in'])
    conditions.push(linked('product_channels', 'channel_id', requestedInclusions['channel_id:in']))
  if (requestedInclusions.condition !== undefined)
    conditions.push(sql`condition = ${conditionNamed(requestedInclusions.condition)}`)
  if (requestedInclusions['date_last_imported:not'] !== undefined) {
    conditions.push(sql`(${condition(imported, requestedInclusions['date_last_imported:not'])}) is not true`)
  }
  if (requestedInclusions.inventory_low !== undefined)
    conditions.push(sql`${LOW} = ${requestedInclusions.inventory_low}`)
  if (requestedInclusions.out_of_stock !== undefined)
    conditions.push(sql`${SOLD_OUT} = ${requestedInclusions.out_of_stock}`)
  const search = searchCondition(db, requestedInclusions)
  if (search) conditions.push(matchesSearch(db, search))
  if (requestedInclusions.keyword_context === 'shopper') conditions.push(sql`is_visible`)
  return conditions.length > 0 ? sql.and(conditions) : undefined
}

const COUNTED = sql`inventory_tracking <> 'none'`
const LOW = sql`(${COUNTED} and inventory_level <= inventory_warning_level)`
const SOLD_OUT = sql`(${COUNTED} and inventory_level = 0)`

/** The filter spells conditions in lower case, the product does not. */
const conditionNamed = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()

/** The channels of products, as a list of ids. */
async function includedChannels(db: Db, ids: readonly number[]) {
  const rows = await db.rows<{ product_id: number; channels: number[] }>(sql`
    select product_id, json_agg(channel_id order by channel_id) as channels from product_channels
    where store_id = ${db.store.id} and product_id = any(${ids}) group by product_id`)
  return new Map(rows.map(({ product_id, channels }) => [product_id, JSON.stringify(channels)]))
}

/** The options and modifiers of other products that offer these products as values. */
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

/** The addresses of pictures in a body that is not validated yet, by their paths. */
function addressesIn(body: unknown): Record<string, unknown> {
  const at = pathsIn(body)
  const addresses: Record<string, unknown> = {}
  for (const [i, product] of [body].flat().entries()) {
    const images = isObject(product) ? product.images : undefined
    if (!Array.isArray(images)) continue
    for (const [j, image] of images.entries()) {
      if (isObject(image)) addresses[at(i, `images.${j}.image_url`)] = image.image_url
    }
  }
  return addresses
}
