import t, { type Static } from 'typebox'
import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { lockAll } from '../../../core/rest/batch.ts'
import { FileBytes, Id, idSegment } from '../../../core/rest/input/fields.ts'
import { type Mistakes, missing, refuse, repeatedIds } from '../../../core/rest/input/mistakes.ts'
import { isSamePicture } from '../../../core/rest/input/picture-addresses.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { findPage } from '../../../core/rest/lists/pages.ts'
import {
  change,
  differences,
  findBelow,
  findOne,
  insertOne,
  lock,
  pick,
  takeIds,
} from '../../../core/rest/lists/verbs.ts'
import { ListProblemBody, Problem, unknownId, withBatchErrors } from '../../../core/rest/problem.ts'
import { metafieldRoutes } from '../../../shared/metafields/metafields.ts'
import {
  type Copies,
  type FilesOfRequest,
  imageAnswers,
  type Pictures,
  withImage,
} from '../../../shared/pictures/pictures.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { insertStock, trackStock } from '../../stock/stock.ts'
import type { VariantDependents } from '../dependents.ts'
import { type Product, products, publishProduct, Sku, touchProduct, updateDateModified } from '../product-row/shape.ts'
import { addressIn, pictureIn, readPicture } from '../sub-resources/images.ts'
import { lockSubResource } from '../sub-resources/sub-resource.ts'
import { changedLevels, newStock, publishFirstLocationChange, storeLevels } from './levels.ts'
import {
  calculated,
  changesOfBase,
  chooserOf,
  deleteVariants,
  followBase,
  NeededSku,
  productsOfVariants,
  publishProductStock,
  publishSku,
  publishSkuStock,
  tooManyVariants,
  trackedBy,
  updateSummedStock,
  VARIANTS_MAX,
  type Variant,
  VariantChanges,
  type VariantOption,
  variantCounters,
  variantMetafields,
  variantRow,
  variants,
  variantsOfAll,
} from './shape.ts'
import { changeSkus, reserveSkus } from './skus.ts'

const BATCH_MAX = 50

const { read, write } = access('catalog')

/** An option value, by its ids or by the names of option and value. */
const NamedValue = t.Partial(
  t.Object({
    id: Id,
    option_id: Id,
    label: t.String({ minLength: 1, maxLength: 255 }),
    option_display_name: t.String({ minLength: 1, maxLength: 255 }),
  }),
)
const NewVariant = t.Object(
  { ...VariantChanges.properties, sku: NeededSku, option_values: t.Array(NamedValue) },
  {
    title: 'NewVariant',
    examples: [
      {
        sku: 'MUG-SAND-R',
        price: 21,
        option_values: [
          { option_display_name: 'Glaze', label: 'Sand' },
          { option_display_name: 'Handle', label: 'Round' },
        ],
      },
    ],
  },
)
const Changes = t.Partial(t.Object({ ...VariantChanges.properties, sku: Sku }), {
  title: 'VariantChanges',
  examples: [{ price: 21.5 }],
})
type Changes = Static<typeof Changes>
const Batch = t.Array(t.Object({ ...Changes.properties, id: Id }, { title: 'VariantChangesById' }), {
  minItems: 1,
  maxItems: BATCH_MAX,
  examples: [[{ id: 1, price: 21.5 }]],
})

// A file in a form, or an address in JSON.
const VariantPicture = t.Object(
  {
    image_url: t.Optional(t.String({ format: 'uri', maxLength: 2_048 })),
    image_file: t.Optional(FileBytes),
  },
  {
    title: 'VariantPicture',
    anyOf: [{ required: ['image_url'] }, { required: ['image_file'] }],
    examples: [{ image_url: 'https://cdn.example.com/mug-sea.png' }],
  },
)

/** Reads the options of products, by the id of the product, in the order of the options. */
type ReadOptions = (tx: Tx, productIds: readonly number[]) => Promise<ReadonlyMap<number, readonly VariantOption[]>>

/**
 * The dependencies of the variant routes. `choices/` imports `variants/`, so `goods/catalog/routes.ts` passes the function
 * that reads options.
 */
interface VariantParts {
  pictures: Pictures
  optionsOf: ReadOptions
  above: VariantDependents['above']
}

/** The variants of a product, those of all products, and their metafields (docs/contract/products.md section 3). */
export function variantRoutes(app: Api, { pictures, optionsOf, above }: VariantParts) {
  const { files } = pictures
  const ofProduct = `/catalog/products/${idSegment('product_id')}/variants`
  const one = `${ofProduct}/${idSegment('variant_id')}`
  const underProduct = t.Object({ product_id: Id })
  const params = t.Object({ product_id: Id, variant_id: Id })

  app.get(
    ofProduct,
    { ...read, schema: { summary: 'List the variants of a product', params: underProduct, ...variants.list } },
    async ({ db, params, query }) => {
      const { id } = await findOne(db, products, params.product_id)
      return findPage(db, variants, query, { where: sql`product_id = ${id}` })
    },
  )

  app.post(
    ofProduct,
    {
      ...write,
      schema: {
        summary: 'Create a variant',
        description: 'The body names one value of each option of the product.',
        params: underProduct,
        body: NewVariant,
        ...variants.answersOne,
      },
    },
    async ({ db, params, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const { product, options } = await tx.together(() => ({
            product: lock(tx, products, params.product_id),
            options: optionsOf(tx, [params.product_id]),
          }))
          return createVariant(tx, { files, above }, { product, options: options.get(product.id) ?? [] }, body)
        }),
      ),
  )

  app.get(
    one,
    { ...read, schema: { summary: 'Get a variant', params, ...variants.one } },
    async ({ db, params: { product_id, variant_id }, query }) =>
      answer(pick(variants, await findBelow(db, variants, { product_id }, variant_id), query)),
  )

  app.put(
    one,
    { ...write, schema: { summary: 'Change a variant', params, body: Changes, ...variants.answersOne } },
    async ({ db, params: { product_id, variant_id }, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const [product, variant] = await lockSubResource(tx, variants, product_id, variant_id)
          const [changed] = await changeVariants(tx, files, [{ product, variant, changes: body, at: (field) => field }])
          return changed
        }),
      ),
  )

  app.delete(
    one,
    { ...write, schema: { summary: 'Delete a variant', params } },
    async ({ db, params: { product_id, variant_id } }) => {
      await db.transaction(async (tx) => {
        const [product, variant] = await lockSubResource(tx, variants, product_id, variant_id)
        if (product.base_variant_id === variant.id) {
          throw new Problem(409, 'The base variant of a product cannot be deleted alone: delete the product.')
        }
        await lockCounters(tx, variantCounters)
        await deleteVariants(tx, { files, above }, product_id, sql`id = ${variant.id}`)
        await updateSummedStock(tx, product)
        await touchProduct(tx, product)
        publishSku(tx, 'deleted', variant)
      })
      return noContent()
    },
  )

  app.post(
    `${one}/image`,
    {
      config: { ...write.config, ...pictures.storing(addressIn), isUpload: 'either' },
      preValidation: readPicture,
      schema: {
        summary: 'Give a variant an image',
        params,
        body: VariantPicture,
        ...imageAnswers,
      },
    },
    async (request) => {
      const { db, params, body } = request
      const copies = pictures.copiesOf(request)
      return answer({
        image_url: await db.transaction((tx) => storeImage(tx, params, body.image_url, { files, copies })),
      })
    },
  )

  app.get(
    '/catalog/variants',
    {
      ...read,
      schema: { summary: 'List the variants of all products', tag: 'Product variants', ...variantsOfAll.list },
    },
    ({ db, query }) => findPage(db, variantsOfAll, query),
  )

  app.put(
    '/catalog/variants',
    {
      config: { ...write.config, errorBody: withBatchErrors },
      schema: {
        summary: 'Change several variants',
        description: 'All variants are stored, or none.',
        tag: 'Product variants',
        body: Batch,
        response: { 200: envelope(t.Array(variants.shape)), 409: ListProblemBody, 422: ListProblemBody },
      },
    },
    async ({ db, body }) => {
      refuse(repeatedIds(body, (i) => `${i}.id`))
      return answer(await db.transaction((tx) => changeBatch(tx, files, body)))
    },
  )

  metafieldRoutes(app, variantMetafields)
}

/** Replaces the picture of a variant: by the uploaded file, the fetched copy, or the address itself. */
async function storeImage(
  tx: Tx,
  { product_id, variant_id }: { product_id: number; variant_id: number },
  address: string | undefined,
  { files, copies }: FilesOfRequest,
): Promise<string> {
  const [product, variant] = await lockSubResource(tx, variants, product_id, variant_id)
  const copy = pictureIn(copies)
  const image_url = copy?.url ?? address ?? ''
  if (isSamePicture(image_url, variant.image_url)) return variant.image_url
  await files.detach(tx, { kind: variants.noun, id: variant.id })
  if (copy) await files.attach(tx, { kind: variants.noun, id: variant.id }, copy.file)
  const { changed } = await tx.together(() => ({
    changed: change(tx, variants, variant, { image_url }),
    product: touchProduct(tx, product),
  }))
  if (changed.sku_id !== null) publishSku(tx, 'updated', changed)
  return image_url
}

/** Creates a variant. @param product locked, so that its options and the number of its variants stay the same */
async function createVariant(
  tx: Tx,
  dependents: VariantDependents,
  { product, options }: { product: Product; options: readonly VariantOption[] },
  { option_values, ...fields }: Static<typeof NewVariant>,
) {
  const { values, errors } = chooserOf(options)(option_values, 'option_values')
  if (options.length === 0) errors.option_values = 'The product has no options and is sold as its base variant.'
  refuse(errors)

  if (product.base_variant_id !== null) await lockCounters(tx, variantCounters)
  const taken = await takeIds(tx, [[variants, 1]])
  const id = taken.next(variants)
  // The base variant of a product without options goes when the product gets its first variant.
  if (product.base_variant_id !== null) {
    await deleteVariants(tx, dependents, product.id, sql`id = ${product.base_variant_id}`)
    await tx.rows(sql`
      update products set base_variant_id = null where store_id = ${tx.store.id} and id = ${product.id}`)
  }
  const optioned = { ...product, base_variant_id: null }
  const { variant } = await tx.together(() => ({
    skus: reserveSkus(tx, [{ sku: fields.sku, product_id: product.id, variant_id: id, path: 'sku' }]),
    variant: insertOne(tx, variants, variantRow(product, fields, values, id)),
    stock: insertStock(tx, newStock(optioned, id, fields)),
    tracked: product.base_variant_id !== null && trackStock(tx, product.id, trackedBy(optioned)),
    limit: refuseTooMany(tx, product),
    total: updateSummedStock(tx, optioned),
    product: touchProduct(tx, product),
  }))
  publishSku(tx, 'created', variant)
  return variant
}

/** Counts after the insertion, because a conflict is refused before a limit. @throws Problem 403 */
async function refuseTooMany(tx: Tx, { id }: Product) {
  const { count } = await tx.row<{ count: number }>(
    prepared(sql`
    select count(*)::int as count from variants where store_id = ${tx.store.id} and product_id = ${id}`),
  )
  if (count > VARIANTS_MAX) throw tooManyVariants()
}

/**
 * Changes variants of any products, all or none (docs/contract/products.md section 3).
 * @throws Problem 422 for an unknown id, 409 for a taken SKU
 */
async function changeBatch(tx: Tx, files: Files, body: Static<typeof Batch>): Promise<Variant[]> {
  const wanted = body.map(({ id }) => id)
  const owners = await productsOfVariants(tx, wanted)
  const { productOf, variantOf } = await tx.together(() => ({
    // Products before variants, as everywhere.
    productOf: lockAll(tx, products, [...owners.values()]),
    variantOf: lockAll(tx, variants, wanted),
  }))
  const place = (i: number) => `${i}.id`
  refuse(missing(wanted, variantOf, place, (id) => unknownId('variant', id)))
  return changeVariants(
    tx,
    files,
    body.flatMap(({ id, ...changes }, i) => {
      const variant = variantOf.get(id)
      const product = variant && productOf.get(variant.product_id)
      return variant && product ? [{ product, variant, changes, at: (field: string) => `${i}.${field}` }] : []
    }),
  )
}

/** The changes of a variant. The variant and its product are locked; `at` makes the path of a field in the body. */
interface VariantEdit {
  product: Product
  variant: Variant
  changes: Changes
  at: (field: string) => string
}

/** Changes variants. @returns the stored rows; an unchanged row is the same object @throws Problem 422, 409 */
async function changeVariants(tx: Tx, files: Files, wishes: readonly VariantEdit[]): Promise<Variant[]> {
  refuseMissingSku(wishes)
  await changeSkus(
    tx,
    wishes.flatMap(({ product, variant, changes: { sku }, at }) => {
      const variant_id = isBase(product, variant) ? 0 : variant.id
      return sku === undefined
        ? []
        : [{ before: variant.sku, sku, product_id: product.id, variant_id, path: at('sku') }]
    }),
  )
  const changes: Change[] = []
  for (const wish of wishes) changes.push(await prepareChange(tx, files, wish))
  const changed = changes.filter(({ before, now }) => before !== now)
  const byProduct = Map.groupBy(changed, ({ product }) => product)
  const { stored } = await tx.together(() => ({
    stored: tx.together(() => changed.map(({ before, now }) => change(tx, variants, before, now))),
    products: tx.together(() => [...byProduct].map(([product, changes]) => changeProduct(tx, product, changes))),
  }))
  for (const [product, changes] of byProduct) publishChanges(tx, product, changes)
  const rows = new Map(stored.map((row) => [row.id, row]))
  return changes.map(({ before }) => rows.get(before.id) ?? before)
}

const isBase = ({ base_variant_id }: Product, { id }: Variant) => base_variant_id === id

/** @throws Problem 422 */
function refuseMissingSku(wishes: readonly VariantEdit[]) {
  const mistakes: Mistakes = {}
  for (const { product, variant, changes, at } of wishes) {
    const isBlank = changes.sku?.trim() === '' && !isBase(product, variant)
    if (isBlank) mistakes[at('sku')] = 'A variant with options needs a SKU.'
  }
  refuse(mistakes)
}

/** Pictures in bodies of variants are not fetched (docs/contract/product-parts.md section 5). */
const NO_COPIES: Copies = new Map()

/** A locked variant and its new row: the same object if nothing changes. */
interface Change {
  product: Product
  before: Variant
  now: Variant
  /** Whether the amount at the first location has changed. */
  isMoved: boolean
}

/** Stores the picture and the stock of a variant, and makes its new row. */
async function prepareChange(tx: Tx, files: Files, { product, variant, changes: given }: VariantEdit): Promise<Change> {
  const wished = isBase(product, variant) ? changesOfBase(given) : given
  const changes = await withImage(tx, files, { kind: variants.noun, row: variant, copies: NO_COPIES }, wished)
  const variant_id = isBase(product, variant) ? 0 : variant.id
  const { levels, isMoved } = await storeLevels(tx, product, variant_id, changedLevels(variant, changes))
  const now = { ...variant, ...changes, ...levels }
  Object.assign(now, calculated(product, now))
  const isChanged = Object.keys(differences(variant, now)).length > 0
  return { product, before: variant, now: isChanged ? now : variant, isMoved }
}

/**
 * Copies changed variants to their product: the shared fields of a base variant, or the summed stock, and the time of the
 * change.
 */
async function changeProduct(tx: Tx, product: Product, changes: readonly Change[]) {
  const base = changes.find(({ now }) => isBase(product, now))
  if (base) await followBase(tx, product, base.now)
  else
    await tx.together(() => [
      changes.some(isOfStock) && updateSummedStock(tx, product),
      updateDateModified(tx, product),
    ])
}

const isOfStock = ({ before, now }: Pick<Change, 'before' | 'now'>) => before.inventory_level !== now.inventory_level

/** Publishes events in the order of docs/contract/products.md section 7. */
function publishChanges(tx: Tx, product: Product, changes: readonly Change[]) {
  publishProduct(tx, 'updated', product.id)
  for (const { now } of changes) if (now.sku_id !== null) publishSku(tx, 'updated', now)
  for (const { now } of changes.filter(isOfStock)) {
    if (now.sku_id === null) publishProductStock(tx, { id: product.id, inventory_level: now.inventory_level ?? 0 })
    else publishSkuStock(tx, now)
  }
  for (const { now, isMoved } of changes) if (isMoved) publishFirstLocationChange(tx, product.id, now.id)
}
