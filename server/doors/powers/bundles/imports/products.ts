import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../../core/objects.ts'
import type { Row } from '../bundle.ts'
import { changeAt } from '../fields.ts'
import { type BundleKind, without } from '../kinds/kind.ts'
import { type ImportWork, isFileOfBundle } from './work.ts'

/**
 * A product is created with the sub-resources that its request can have, several products in one request. Options follow with their
 * types and values, then variants, then pictures and reviews. Modifiers and related products may refer to products that come later, so
 * `relateProducts` adds them when all are there.
 */

const BATCH = 10
const VARIANT_BATCH = 50

/** Fields of a product that its request does not have, or that are sent later. */
const SENT_APART = [
  'id',
  'channels',
  'images',
  'modifiers',
  'options',
  'reviews',
  'variants',
  'related_products',
] as const

/** Fields of a variant that can be changed. */
const VARIANT_FIELDS = [
  'sku',
  'cost_price',
  'price',
  'sale_price',
  'retail_price',
  'map_price',
  'weight',
  'width',
  'height',
  'depth',
  'is_free_shipping',
  'fixed_cost_shipping_price',
  'purchasing_disabled',
  'purchasing_disabled_message',
  'upc',
  'mpn',
  'gtin',
  'inventory_level',
  'inventory_warning_level',
  'bin_picking_number',
] as const

/** A level of 0 is left out: a variant without a level has no stock at any location. */
const LEVELS: ReadonlySet<string> = new Set(['inventory_level', 'inventory_warning_level'])

const products: Pick<BundleKind, 'name'> = { name: 'products' }

/** Products of the bundle, in its order. Some are completed while the next ones are created. */
export async function importProducts(work: ImportWork, kind: BundleKind, rows: AsyncIterable<Row>) {
  let completed = Promise.resolve()
  const create = async (some: readonly Row[]) => {
    const created = await createProducts(work, kind, some)
    await completed
    completed = completeProducts(work, created)
    // The next `await completed` throws a failure. Without this handler Node.js would end the process before.
    completed.catch(() => {})
  }
  try {
    let gathered: Row[] = []
    for await (const row of rows) {
      if (work.ids.has('products', row.id)) {
        work.count(products)
        continue
      }
      gathered.push(row)
      if (gathered.length < BATCH) continue
      await create(gathered)
      gathered = []
    }
    if (gathered.length > 0) await create(gathered)
  } finally {
    await completed
  }
}

/** A product of the bundle, with the ids of the store, and the product that was created for it. */
interface CreatedProduct {
  former: unknown
  row: Row
  product: Row
}

async function createProducts(work: ImportWork, kind: BundleKind, rows: readonly Row[]): Promise<CreatedProduct[]> {
  const mapped = rows.map((row) => work.mapped(kind, row))
  const answer = await work.send(
    { method: 'POST', path: '/v3/catalog/products?include=options,variants', body: mapped.map(productBody) },
    `products ${rows.map(({ id }) => id).join(' ')}`,
  )
  const [first] = rows
  if (answer.status >= 400 && rows.length === 1) {
    work.refuse(products, first?.id, answer)
    return []
  }
  if (answer.status >= 400) {
    const created: CreatedProduct[] = []
    for (const row of rows) created.push(...(await createProducts(work, kind, [row])))
    return created
  }
  const answered = listIn(isObject(answer.body) ? answer.body.data : undefined)
  return rows.flatMap(({ id }, i) => {
    const [row, product] = [mapped[i], answered[i]]
    return row && product ? [{ former: id, row, product }] : []
  })
}

async function completeProducts(work: ImportWork, created: readonly CreatedProduct[]) {
  const changes: VariantChange[] = []
  for (const { row, product } of created) changes.push(...(await completeProduct(work, row, product)))
  for (let i = 0; i < changes.length; i += VARIANT_BATCH)
    await changeVariants(work, changes.slice(i, i + VARIANT_BATCH))
  await assignChannels(work, created)
  for (const { former, product } of created) {
    work.ids.set('products', former, product.id)
    work.count(products)
  }
  await work.ids.flush()
}

/** The body that creates a product with the sub-resources that its request can have. */
export function productBody(row: Row): Row {
  const body = Object.fromEntries(Object.entries(without(row, ...SENT_APART)).filter(([, value]) => value !== null))
  const variants = firstVariants(row).map(variantBody)
  return {
    ...body,
    custom_fields: listIn(row.custom_fields).map((field) => without(field, 'id')),
    bulk_pricing_rules: listIn(row.bulk_pricing_rules).map((rule) => without(rule, 'id')),
    videos: listIn(row.videos).map((video) => without(video, 'id')),
    ...(variants.length > 0 ? { variants } : {}),
  }
}

/**
 * The variants of a product in the order in which they were made. An option that was added later is named by later variants only: a variant
 * names a value of every option that its product has at the time.
 */
function variantGroups(row: Row): { names: readonly unknown[]; variants: Row[] }[] {
  const groups = new Map<string, { names: readonly unknown[]; variants: Row[] }>()
  for (const variant of listIn(row.variants)) {
    const names = listIn(variant.option_values).map(({ option_display_name }) => option_display_name)
    const key = JSON.stringify([...names].sort())
    const group = groups.get(key) ?? { names, variants: [] }
    groups.set(key, group)
    group.variants.push(variant)
  }
  return [...groups.values()].sort((a, b) => a.names.length - b.names.length)
}

/** The variants that are created with their product: those whose options have the type that such options get. */
function firstVariants(row: Row): Row[] {
  const [first] = variantGroups(row)
  if (!first || first.names.length === 0) return []
  const types = new Map(listIn(row.options).map(({ display_name, type }) => [display_name, type]))
  return first.names.every((name) => types.get(name) === 'rectangles') ? first.variants : []
}

function variantBody(variant: Row): Row {
  const fields = VARIANT_FIELDS.filter(
    (name) => variant[name] !== null && (!LEVELS.has(name) || variant[name] !== 0),
  ).map((name) => [name, variant[name]])
  const option_values = listIn(variant.option_values).map(({ option_display_name, label }) => ({
    option_display_name,
    label,
  }))
  const address = variant.image_url
  const image = typeof address === 'string' && address !== '' && !isFileOfBundle(address) ? { image_url: address } : {}
  return { ...Object.fromEntries(fields), ...image, option_values }
}

/** Adds the sub-resources that the request of a product can't have. @returns the changes of its variants, which are not sent yet */
async function completeProduct(work: ImportWork, row: Row, product: Row): Promise<VariantChange[]> {
  const changes: VariantChange[] = []
  const path = `/v3/catalog/products/${Number(product.id)}`
  const made = firstVariants(row)
  const stored = listIn(product.variants).sort((a, b) => Number(a.id) - Number(b.id))
  const options = new Map(listIn(row.options).map((option) => [option.display_name, option]))
  const there = new Map(listIn(product.options).map((option) => [option.display_name, option]))
  for (const { names, variants } of variantGroups(row)) {
    for (const name of names) await completeOption(work, path, options.get(name), there)
    for (const [i, variant] of variants.entries()) {
      const isMade = names.length === 0 || made.includes(variant)
      const row = isMade ? stored[i] : await createVariant(work, path, variant)
      if (row) changes.push(...(await completeVariant(work, path, variant, row)))
    }
  }
  for (const option of options.values()) await completeOption(work, path, option, there)
  for (const image of listIn(row.images)) await addImage(work, path, image)
  for (const review of listIn(row.reviews)) {
    const body = without(review, 'id')
    const answer = await work.send({ method: 'POST', path: `${path}/reviews`, body }, `review ${review.id}`)
    if (answer.status >= 400) work.refuse({ name: 'reviews' }, review.id, answer)
  }
  return changes
}

/** Creates an option, or gives one that variants have made its order and values. */
async function completeOption(work: ImportWork, path: string, option: Row | undefined, made: Map<unknown, Row>) {
  if (!option || work.ids.has('options', option.id)) return
  const there = made.get(option.display_name)
  const values = listIn(option.option_values)
  const body = {
    ...without(option, 'id', 'product_id', 'name'),
    option_values: values.map((value) => without(value, 'id')),
  }
  const answer = there
    ? await changeOption(work, `${path}/options/${there.id}`, { option, there })
    : await work.send({ method: 'POST', path: `${path}/options`, body }, `option ${option.id}`)
  if (answer && answer.status >= 400) return work.refuse({ name: 'options' }, option.id, answer)
  const stored = answer && isObject(answer.body) && isObject(answer.body.data) ? answer.body.data : there
  work.ids.set('options', option.id, stored?.id)
  const labels = new Map(listIn(stored?.option_values).map(({ label, id }) => [label, id]))
  for (const { id, label } of values) if (labels.has(label)) work.ids.set('option-values', id, labels.get(label))
}

/** @returns undefined if the option is right already */
async function changeOption(work: ImportWork, path: string, { option, there }: { option: Row; there: Row }) {
  const changeable = (one: Row) => ({
    config: one.config,
    sort_order: one.sort_order,
    image_url: one.image_url,
    option_values: listIn(one.option_values).map((value) => without(value, 'id')),
  })
  if (isDeepStrictEqual(changeable(option), changeable(there))) return undefined
  const ids = new Map(listIn(there.option_values).map(({ label, id }) => [label, id]))
  const option_values = listIn(option.option_values).map((value) => {
    const id = ids.get(value.label)
    return { ...without(value, 'id'), ...(id === undefined ? {} : { id }) }
  })
  return work.send({ method: 'PUT', path, body: { ...changeable(option), option_values } })
}

/** The fields of a variant that are not those that the store has given it. */
interface VariantChange {
  /** Its id in the bundle. */
  former: unknown
  body: Row
}

/** Uploads the picture of a variant. @returns its change, if it needs one */
async function completeVariant(work: ImportWork, path: string, variant: Row, there: Row): Promise<VariantChange[]> {
  work.ids.set('variants', variant.id, there.id)
  const picture = variant.image_url
  if (isFileOfBundle(picture)) {
    const upload = { path: `${path}/variants/${there.id}/image`, field: 'image_file', name: picture }
    await work.upload({ name: 'variants' }, variant.id, upload)
  }
  const changed = VARIANT_FIELDS.filter((name) => !isDeepStrictEqual(variant[name], there[name]))
  if (changed.length === 0) return []
  const fields = Object.fromEntries(changed.map((name) => [name, variant[name]]))
  return [{ former: variant.id, body: { id: there.id, ...fields } }]
}

/** Changes variants in one request. If it is refused, each of them is tried alone. */
async function changeVariants(work: ImportWork, changes: readonly VariantChange[]): Promise<void> {
  const [first] = changes
  if (!first) return
  const answer = await work.send({
    method: 'PUT',
    path: '/v3/catalog/variants',
    body: changes.map(({ body }) => body),
  })
  if (answer.status < 400) return
  if (changes.length === 1) return work.refuse({ name: 'variants' }, first.former, answer)
  for (const change of changes) await changeVariants(work, [change])
}

async function createVariant(work: ImportWork, path: string, variant: Row): Promise<Row | undefined> {
  const answer = await work.send(
    { method: 'POST', path: `${path}/variants`, body: variantBody(variant) },
    `variant ${variant.id}`,
  )
  if (answer.status < 400 && isObject(answer.body) && isObject(answer.body.data)) return answer.body.data
  work.refuse({ name: 'variants' }, variant.id, answer)
  return undefined
}

async function addImage(work: ImportWork, path: string, image: Row) {
  const address = image.image_url
  if (typeof address !== 'string' || address === '') return
  const fields = { is_thumbnail: image.is_thumbnail, sort_order: image.sort_order, description: image.description }
  if (!isFileOfBundle(address)) {
    const body = { ...fields, image_url: address }
    const answer = await work.send({ method: 'POST', path: `${path}/images`, body }, `image ${image.id}`)
    if (answer.status >= 400) work.refuse({ name: 'images' }, image.id, answer)
    return
  }
  const texts = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
  const upload = { path: `${path}/images`, field: 'image_file', name: address, fields: texts }
  await work.upload({ name: 'images' }, image.id, upload)
}

const FIRST_CHANNEL = 1

/** Assigns new products to their channels. A new product is at the first channel. */
async function assignChannels(work: ImportWork, created: readonly CreatedProduct[]) {
  const wanted = created.map(({ row: { channels }, product }) => ({
    product_id: Number(product.id),
    channels: Array.isArray(channels) ? channels.map(Number) : [FIRST_CHANNEL],
  }))
  const path = '/v3/catalog/products/channel-assignments'
  const more = wanted.flatMap(({ product_id, channels }) =>
    channels.filter((id) => id !== FIRST_CHANNEL).map((channel_id) => ({ product_id, channel_id })),
  )
  if (more.length > 0) await work.send({ method: 'PUT', path, body: more })
  const elsewhere = wanted.filter(({ channels }) => !channels.includes(FIRST_CHANNEL))
  if (elsewhere.length === 0) return
  const ids = elsewhere.map(({ product_id }) => product_id).join(',')
  await work.send({ method: 'DELETE', path: `${path}?product_id:in=${ids}&channel_id:in=${FIRST_CHANNEL}` })
}

/** Adds modifiers and related products. A product that has them already is left out. */
export async function relateProducts(work: ImportWork, rows: AsyncIterable<Row>) {
  for await (const row of rows) {
    const id = work.ids.find('products', row.id)
    if (id === undefined || work.ids.has('product-relations', row.id)) continue
    const path = `/v3/catalog/products/${id}`
    for (const modifier of listIn(row.modifiers)) await addModifier(work, path, modifier)
    const related = (Array.isArray(row.related_products) ? row.related_products : []).filter(
      (other) => Number(other) > 0,
    )
    if (related.length > 0) {
      const { related_products } = work.mapped(
        { name: 'products', refs: { 'related_products[]': 'products' } },
        { related_products: related },
      )
      const answer = await work.send({ method: 'PUT', path, body: { related_products } })
      if (answer.status >= 400) work.refuse({ name: 'products' }, row.id, answer)
    }
    if (listIn(row.modifiers).length === 0 && related.length === 0) continue
    work.ids.set('product-relations', row.id, id)
    await work.ids.flush()
  }
}

async function addModifier(work: ImportWork, path: string, modifier: Row) {
  const values = listIn(modifier.option_values)
  const mapped = work.mapped(
    { name: 'modifiers', refs: { 'option_values[].value_data.product_id': 'products' } },
    changeAt(without(modifier, 'id', 'product_id', 'name'), 'option_values[].adjusters.image_url', (address) =>
      isFileOfBundle(address) ? '' : address,
    ),
  )
  const option_values = listIn(mapped.option_values).map((value) => without(value, 'id', 'option_id'))
  const body = { ...mapped, ...(values.length > 0 ? { option_values } : {}) }
  const answer = await work.send({ method: 'POST', path: `${path}/modifiers`, body }, `modifier ${modifier.id}`)
  if (answer.status >= 400) return work.refuse({ name: 'modifiers' }, modifier.id, answer)
  const stored = isObject(answer.body) && isObject(answer.body.data) ? answer.body.data : undefined
  work.ids.set('modifiers', modifier.id, stored?.id)
  const labels = new Map(listIn(stored?.option_values).map(({ label, id }) => [label, id]))
  for (const value of values) {
    const id = labels.get(value.label)
    work.ids.set('modifier-values', value.id, id)
    const picture = isObject(value.adjusters) ? value.adjusters.image_url : undefined
    if (!isFileOfBundle(picture)) continue
    const upload = { path: `${path}/modifiers/${stored?.id}/values/${id}/image`, field: 'image_file', name: picture }
    await work.upload({ name: 'modifiers' }, value.id, upload)
  }
}

const listIn = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isObject) : [])
