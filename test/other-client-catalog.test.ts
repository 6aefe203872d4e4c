import { createReadStream } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openShop } from '../server/test/fixtures/shop.ts'
import { plainClient } from './clients.ts'
import { openPort, type Port } from './port.ts'

// A second public client with other habits than that of public-client.test.ts: a method for each operation, pages read
// to the last one in `meta`, large batches cut to the documented sizes, dates made from every text that looks like one,
// null for a 404, forms made of files.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

const connect = async () => plainClient(port, await openShop())

// A GIF of one pixel.
const gif = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64')

async function pictureFile() {
  const path = join(await mkdtemp(join(inject('folder'), 'picture-')), 'mug.gif')
  await writeFile(path, gif)
  return createReadStream(path)
}

test('a batch creates a tree of categories, which is read, changed and deleted', async () => {
  const { categoriesBatch, categoryTrees, category } = (await connect()).catalog
  const made = await categoriesBatch.createCategories([
    { name: 'Table', tree_id: 1 },
    { name: 'Light', tree_id: 1, sort_order: -1 },
  ])
  expect(made.meta).toMatchObject({ total: 2, success: 2, failed: 0 })
  expect(made.data).toMatchObject([{ category_id: 1 }, { category_id: 2, url: { path: '/light/' } }])
  expect((await category.createCategory({ name: 'Mugs', parent_id: 1 })).data).toMatchObject({ id: 3, parent_id: 1 })

  await categoriesBatch.updateCategories([{ category_id: 3, name: 'Cups', description: 'Fired twice.' }])
  expect((await categoryTrees.getCategoryTree(1)).data).toMatchObject([
    { id: 2, name: 'Light', children: [] },
    { id: 1, name: 'Table', children: [{ id: 3, name: 'Cups', path: [1, 3], depth: 1 }] },
  ])
  expect((await categoriesBatch.getAllCategories({ 'parent_id:in': [1] })).data).toMatchObject([{ category_id: 3 }])
  expect((await categoryTrees.getAllCategoryTrees()).data).toMatchObject([{ id: 1, channels: [1] }])

  await expect(category.deleteCategory(1)).rejects.toThrow(/Response Status: 409/)
  await categoriesBatch.deleteCategories({ 'category_id:in': [1, 3] })
  expect((await category.getAllCategories()).data).toMatchObject([{ id: 2 }])
  expect(await category.getCategory(1)).toBeNull()
})

test('a product gets options, values, variants, modifiers and rules', async () => {
  const { catalog } = await connect()
  const { data: bowl } = await catalog.products.createProduct({
    name: 'Bowl',
    type: 'physical',
    weight: 1,
    price: 30,
    sku: 'BOWL',
    brand_name: 'Ferm',
  })
  expect(bowl).toMatchObject({ id: 1, brand_id: 1, base_variant_id: 1, calculated_price: 30 })
  expect((await catalog.brands.getAllBrands({ name: 'ferm' })).data).toMatchObject([{ id: 1, name: 'Ferm' }])

  const { data: size } = await catalog.productVariantOptions.createVariantOption(1, {
    display_name: 'Size',
    type: 'rectangles',
    option_values: [
      { label: 'S', sort_order: 0 },
      { label: 'M', sort_order: 1 },
    ],
  })
  expect(size).toMatchObject({ id: 1, option_values: [{ id: 1 }, { id: 2 }] })
  await catalog.productVariantOptionValues.createVariantOptionValue(1, 1, { label: 'L', sort_order: 2 })
  for (const id of [1, 2, 3]) {
    const made = await catalog.productVariants.createVariant(1, {
      sku: `BOWL-${id}`,
      price: 30 + id,
      option_values: [{ option_id: 1, id }],
    })
    expect(made.data).toMatchObject({ id: id + 1, sku_id: id + 1, calculated_price: 30 + id })
  }
  const changed = await catalog.variants.batchUpdateVariants(
    [2, 3, 4].map((id) => ({ id, product_id: 1, sku: `B-${id}`, inventory_level: id })),
  )
  expect(changed.data).toMatchObject([{ sku: 'B-2', inventory_level: 2 }, { sku: 'B-3' }, { sku: 'B-4' }])
  await catalog.productVariantOptionValues.deleteVariantOptionValue(1, 1, 2)
  expect((await catalog.productVariants.getAllVariants(1)).data?.map(({ sku }: { sku: string }) => sku)).toEqual([
    'B-2',
    'B-4',
  ])

  const { data: text } = await catalog.productModifiers.createModifier(1, {
    display_name: 'Engraving',
    type: 'dropdown',
    required: false,
    option_values: [{ label: 'None', sort_order: 0 }],
  })
  expect(text).toMatchObject({ id: 1, option_values: [{ id: 1, label: 'None' }] })
  expect(
    (await catalog.ProductModifierValues.createModifierValue(1, 1, { label: 'Initials', sort_order: 1 })).data,
  ).toMatchObject({ id: 2, option_id: 1 })
  const rule = await catalog.productComplexRules.createComplexRule(1, {
    price_adjuster: { adjuster: 'relative', adjuster_value: 8 },
    conditions: [{ modifier_id: 1, modifier_value_id: 2 }],
  })
  expect(rule.data).toMatchObject({ id: 1, enabled: true, conditions: [{ rule_id: 1, modifier_value_id: 2 }] })
  await catalog.productModifiers.deleteModifier(1, 1)
  expect(await catalog.productComplexRules.getComplexRule(1, 1)).toBeNull()
})

test('products are read with their sub-resources page by page to the last, and changed in batches of ten', async () => {
  const { catalog } = await connect()
  const named = (i: number) => ({ name: `Mug ${i}`, type: 'physical', weight: 1, price: i, sku: `MUG-${i}` }) as const
  for (let i = 1; i <= 23; i++) {
    await catalog.products.createProduct({ ...named(i), custom_fields: [{ name: 'No', value: String(i) }] })
  }
  // Options make the pages short for every limit, and the client follows `meta`.
  const all = await catalog.products.getAllProducts(
    { include: ['variants', 'options', 'custom_fields', 'images'] },
    1,
    1_000,
  )
  expect(all.data).toHaveLength(23)
  expect(all.data?.at(-1)).toMatchObject({
    id: 23,
    variants: [{ id: 23, sku: 'MUG-23' }],
    custom_fields: [{ value: '23' }],
    options: [],
    images: [],
  })
  expect(all.meta.pagination).toMatchObject({ total: 23, current_page: 3, per_page: 10 })
  expect(all.data?.[0]?.date_created).toBeInstanceOf(Date)

  await catalog.products.batchUpdateProducts(
    Array.from({ length: 23 }, (_, i) => ({ id: i + 1, is_featured: true, price: 50 })),
  )
  expect((await catalog.products.getAllProducts({ price: 50, is_featured: 1 }, 1, 250)).data).toHaveLength(23)
  const some = await catalog.products.getAllProducts(
    { 'sku:in': ['mug-3', 'MUG-4'], sort: 'id', direction: 'desc', include_fields: ['sku'] },
    1,
    10,
  )
  expect(some.data).toEqual([
    { id: 4, sku: 'MUG-4' },
    { id: 3, sku: 'MUG-3' },
  ])
  // This client sends dates in filters of products as Unix seconds, which docs/contract/conventions.md section 5
  // doesn't allow.
  await expect(catalog.products.getAllProducts({ 'date_modified:min': new Date() })).rejects.toThrow(
    /Response Status: 422/,
  )
  await catalog.products.deleteProducts({ 'id:in': [1, 2], name: 'mug 2' })
  expect((await catalog.products.getAllProducts({}, 1, 2)).data?.map(({ id }: { id: number }) => id)).toEqual([1, 3])
})

test('pictures are uploaded as forms and fetched by their address', async () => {
  const { catalog } = await connect()
  await catalog.brands.createBrand({ name: 'Ferm' })
  await catalog.products.createProduct({ name: 'Mug', type: 'physical', weight: 1, price: 9 })

  const url = expect.stringMatching(/^http:\/\/shop\.test\/files\/.*\.gif$/)
  expect((await catalog.brandImages.createImage(1, await pictureFile())).data).toEqual({ image_url: url })
  expect((await catalog.brands.getBrand(1)).data).toMatchObject({ image_url: url })
  await catalog.brandImages.deleteImage(1)
  expect((await catalog.brands.getBrand(1)).data).toMatchObject({ image_url: '' })

  const uploaded = await catalog.productImages.uploadImage(1, await pictureFile())
  expect(uploaded.data).toMatchObject({ id: 1, is_thumbnail: true, url_zoom: url })
  const address = 'https://cdn.example.com/mug.png'
  await catalog.productImages.createImage(1, { image_url: address, description: 'Side', sort_order: 1 })
  await catalog.productImages.updateImage(1, 2, { is_thumbnail: true })
  expect((await catalog.productImages.getAllImages(1)).data).toMatchObject([
    { id: 1, is_thumbnail: false },
    { id: 2, is_thumbnail: true, url_standard: address },
  ])
  await catalog.productImages.deleteImage(1, 2)
  expect((await catalog.products.getProduct(1, { include: ['primary_image'] })).data).toMatchObject({
    primary_image: { id: 1, is_thumbnail: true },
  })
})

test('metafields, assignments, reviews, prices of many products and the summary work', async () => {
  const { catalog } = await connect()
  for (const name of ['Mugs', 'Gifts']) await catalog.category.createCategory({ name, parent_id: 0 })
  await catalog.products.createProduct({
    name: 'Mug',
    type: 'physical',
    weight: 1,
    price: 9,
    categories: [1],
    inventory_level: 4,
  })

  const metafield = { namespace: 'warehouse', key: 'bin', value: '4', permission_set: 'write' } as const
  const made = await catalog.productMetafields.createMetafield(1, metafield)
  expect(made.data).toMatchObject({ id: 1, resource_type: 'product', resource_id: 1 })
  expect((await catalog.productMetafields.updateMetafield(1, 1, { value: '5' })).data).toMatchObject({ value: '5' })
  await catalog.productVariantMetafields.createMetafield(1, 1, metafield)
  await catalog.categoryMetafields.createMetafield(2, metafield)
  expect((await catalog.productVariantMetafields.getAllMetafields(1, 1, { key: 'bin' })).data).toMatchObject([
    { id: 2 },
  ])
  await catalog.productMetafields.deleteMetafield(1, 1)
  expect((await catalog.productMetafields.getAllMetafields(1)).data).toEqual([])

  await catalog.productCategoryAssignments.createCategoryAssignments([{ product_id: 1, category_id: 2 }])
  await catalog.productSortOrder.updateProductSortOrder(2, [{ product_id: 1, sort_order: 5 }])
  expect((await catalog.productSortOrder.getProductSortOrder(2)).data).toEqual([{ product_id: 1, sort_order: 5 }])
  await catalog.productCategoryAssignments.deleteCategoryAssignments({ 'category_id:in': [1] })
  expect((await catalog.products.getProduct(1)).data).toMatchObject({ categories: [2] })
  expect((await catalog.productChannelAssignments.getAllChannelAssignments()).data).toEqual([
    { product_id: 1, channel_id: 1 },
  ])

  await catalog.productReviews.createReview(1, { title: 'Warm', date_reviewed: '2026-02-03T04:05:06Z', rating: 4 })
  expect((await catalog.productReviews.getAllReviews(1)).data).toMatchObject([
    { id: 1, status: 'pending', rating: 4, date_reviewed: new Date('2026-02-03T04:05:06Z') },
  ])
  await catalog.productBuckPricingRules.createBuckPricingRule(1, {
    quantity_min: 6,
    quantity_max: 11,
    type: 'fixed',
    amount: 8,
  })
  await expect(
    catalog.productBuckPricingRules.createBuckPricingRule(1, {
      quantity_min: 11,
      quantity_max: 0,
      type: 'fixed',
      amount: 7,
    }),
  ).rejects.toThrow(/Response Status: 409/)
  expect((await catalog.summary.getCatalogSummary()).data).toMatchObject({
    inventory_count: 4,
    inventory_value: 36,
    variant_count: 1,
  })
  await catalog.products.deleteProduct(1)
  expect(await catalog.products.getProduct(1)).toBeNull()
  expect(await catalog.productMetafields.getAllMetafields(1)).toBeNull()
})
