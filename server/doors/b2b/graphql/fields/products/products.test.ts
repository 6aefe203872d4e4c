import { beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, codeOf, dataOf, openBuyers, tokenAt } from '../../../../../test/buyers.ts'
import { ask, makeCompany } from '../../../../../test/fixtures/companion.ts'
import { type Shop, theHouse } from '../../../../../test/fixtures/shop.ts'

// docs/contract/b2b-graphql.md section 10.

interface Item {
  productId: number
  variantId: number
}

let shop: Shop
let ada: string
let plain: string
let mug: Item
let few: Item
let hidden: Item
let unlisted: Item
let secret: Item
let shirt: { productId: number; small: number; large: number; option: number; values: number[] }
beforeAll(async () => {
  let companyId: number
  ;({ shop, companyId } = await openBuyers())
  const group = await shop.call(
    'POST',
    '/customer_groups',
    { name: 'Trade', discount_rules: [{ type: 'all', method: 'percent', amount: '10.0000' }] },
    { version: 'v2' },
  )
  await ask(shop, 'PUT', `/v3/io/companies/${companyId}`, { customerGroupId: group.body.id })
  mug = await makeProduct({ name: 'Mug', sku: 'MUG-1', price: 40 })
  few = await makeProduct({
    name: 'Few mugs',
    sku: 'FEW-1',
    price: 5,
    inventory_tracking: 'product',
    inventory_level: 2,
    order_quantity_minimum: 2,
    order_quantity_maximum: 6,
  })
  hidden = await makeProduct({ name: 'Hidden mug', sku: 'HIDDEN-1', price: 7, is_visible: false })
  unlisted = await makeProduct({ name: 'Unlisted mug', sku: 'UNLISTED-1', price: 7 }, false)
  secret = await makeProduct({ name: 'Secret mug', sku: 'SECRET-1', price: 9, is_price_hidden: true })
  shirt = await makeShirt()
  ada = await tokenAt(shop, ADMIN)
  plain = await tokenAt(shop, 'plain@example.com')
})

async function makeProduct(more: object, isListed = true): Promise<Item> {
  const product = { type: 'physical', weight: 1, is_visible: true, ...more }
  const { data } = (await shop.call('POST', '/catalog/products', product)).body
  const path = '/catalog/products/channel-assignments'
  if (isListed) await shop.call('PUT', path, [{ product_id: data.id, channel_id: 1 }])
  else await shop.call('DELETE', `${path}?product_id:in=${data.id}&channel_id:in=1`)
  return { productId: data.id, variantId: data.base_variant_id }
}

async function makeShirt() {
  const labels = ['Small', 'Large']
  const { data } = (
    await shop.call('POST', '/catalog/products', {
      name: 'Shirt',
      type: 'physical',
      weight: 1,
      price: 20,
      is_visible: true,
      variants: labels.map((label, i) => ({
        sku: `SHIRT-${label[0]}`,
        price: 20 + i,
        option_values: [{ option_display_name: 'Size', label }],
      })),
    })
  ).body
  await shop.call('PUT', '/catalog/products/channel-assignments', [{ product_id: data.id, channel_id: 1 }])
  const variants = (await shop.call('GET', `/catalog/products/${data.id}/variants`)).body.data
  const bySku = (sku: string) => variants.find((variant: { sku: string }) => variant.sku === sku)
  const [small, large] = [bySku('SHIRT-S'), bySku('SHIRT-L')]
  return {
    productId: data.id as number,
    small: small.id as number,
    large: large.id as number,
    option: small.option_values[0].option_id as number,
    values: [small.option_values[0].id, large.option_values[0].id] as number[],
  }
}

const search = async (args: string, token: string | undefined = ada) => {
  const { productsSearch } = await dataOf(`{ productsSearch(${args}) { id name } }`, { token })
  return productsSearch.map(({ name }: { name: string }) => name)
}

describe('productsSearch', () => {
  test('answers products with variants, options and the prices of the acting company', async () => {
    const { productsSearch } = await dataOf(
      `{ productsSearch(productIds: [${mug.productId}], currencyCode: "USD") { id name sku costPrice inventoryLevel inventoryTracking
        availability orderQuantityMinimum orderQuantityMaximum variants currencyCode imageUrl modifiers options optionsV3 channelId
        productUrl taxClassId isPriceHidden availableToSell unlimitedBackorder totalOnHand backorderMessage } }`,
      { token: ada },
    )
    const price = { as_entered: 36, tax_inclusive: 36, tax_exclusive: 36, entered_inclusive: false }
    expect(productsSearch).toEqual([
      {
        id: mug.productId,
        name: 'Mug',
        sku: 'MUG-1',
        costPrice: '0',
        inventoryLevel: 0,
        inventoryTracking: 'none',
        availability: 'available',
        orderQuantityMinimum: 0,
        orderQuantityMaximum: 0,
        variants: [
          {
            variant_id: mug.variantId,
            product_id: mug.productId,
            sku: 'MUG-1',
            option_values: [],
            calculated_price: 36,
            image_url: '',
            has_price_list: false,
            bulk_prices: [],
            purchasing_disabled: false,
            cost_price: 0,
            inventory_level: 0,
            available_to_sell: 0,
            unlimited_backorder: false,
            total_on_hand: 0,
            backorder_message: '',
            bc_calculated_price: price,
          },
        ],
        currencyCode: 'USD',
        imageUrl: '',
        modifiers: [],
        options: [],
        optionsV3: [],
        channelId: [1],
        productUrl: expect.stringMatching(/\/mug\/$/),
        taxClassId: 0,
        isPriceHidden: false,
        availableToSell: 0,
        unlimitedBackorder: false,
        totalOnHand: 0,
        backorderMessage: '',
      },
    ])
  })

  test('finds visible products by a piece of name or SKU', async () => {
    expect(await search('search: "mug"')).toEqual(['Mug', 'Few mugs', 'Secret mug'])
    expect(await search('search: "few-1"')).toEqual(['Few mugs'])
    expect(await search('search: "hidden"')).toEqual([])
    expect(await search('search: "unlisted"')).toEqual([])
    expect(await search('search: ""')).toEqual([])
    expect(await search('search: "mug", limit: 1')).toEqual(['Mug'])
    expect(await search('search: "mug", limit: 1, offset: 1')).toEqual(['Few mugs'])
    expect(await search('search: "mug", offset: 99')).toEqual([])
  })

  test('finds ids in their order, without hidden products', async () => {
    const ids = [few, hidden, unlisted, mug].map(({ productId }) => productId)
    expect(await search(`productIds: [${ids}, 999999, -1]`)).toEqual(['Few mugs', 'Mug'])
    const ones = (count: number) => Array.from({ length: count }, () => mug.productId)
    expect(await search(`productIds: [${ones(250)}]`)).toEqual(['Mug'])
    expect(await codeOf(`{ productsSearch(productIds: [${ones(251)}]) { id } }`, { token: ada })).toBe(422)
  })

  test('shows a guest the price of everybody, and no hidden price', async () => {
    const query = (id: number) =>
      `{ productsSearch(storeHash: "${shop.store.hash}", productIds: [${id}]) { isPriceHidden variants } }`
    const priceFor = async (id: number, token?: string) => {
      const { productsSearch } = await dataOf(query(id), { token })
      return productsSearch[0].variants[0].calculated_price
    }
    expect([await priceFor(mug.productId), await priceFor(mug.productId, plain)]).toEqual([40, 40])
    expect(await priceFor(mug.productId, ada)).toBe(36)
    expect(await priceFor(secret.productId, ada)).toBe(0)
    expect(await codeOf(`{ productsSearch(search: "mug") { id } }`)).toBe(401)
  })

  test('does not take another group or company by an argument', async () => {
    const other = await makeCompany(shop, 'Other')
    const args = `productIds: [${mug.productId}], customerGroupId: 99, companyId: "${other.companyId}", showAllProducts: true`
    const { productsSearch } = await dataOf(`{ productsSearch(${args}) { variants } }`, { token: ada })
    expect(productsSearch[0].variants[0].calculated_price).toBe(36)
    expect(await search(`productIds: [${hidden.productId}], showAllProducts: true, categoryFilter: false`)).toEqual([])
  })
})

test('variantSku answers the variant of each visible SKU', async () => {
  const { variantSku } = await dataOf(
    `{ variantSku(storeHash: "${shop.store.hash}", variantSkus: ["few-1", "SHIRT-L", "HIDDEN-1", "UNLISTED-1", "none"], currencyCode: "USD") {
      isStock stock calculatedPrice imageUrl productId variantId baseSku productName categories option isVisible minQuantity maxQuantity
      modifiers purchasingDisabled variantSku inventoryTracking availableToSell unlimitedBackorder totalOnHand backorderMessage } }`,
    { token: ada },
  )
  const fewAnswer = {
    isStock: '1',
    stock: 2,
    calculatedPrice: '4.5',
    imageUrl: '',
    productId: String(few.productId),
    variantId: String(few.variantId),
    baseSku: 'FEW-1',
    productName: 'Few mugs',
    categories: [],
    option: [],
    isVisible: '1',
    minQuantity: 2,
    maxQuantity: 6,
    modifiers: [],
    purchasingDisabled: '0',
    variantSku: 'FEW-1',
    inventoryTracking: 'product',
    availableToSell: 2,
    unlimitedBackorder: false,
    totalOnHand: 2,
    backorderMessage: '',
  }
  expect(variantSku).toHaveLength(2)
  expect(variantSku).toContainEqual(fewAnswer)
  expect(variantSku).toContainEqual({
    ...fewAnswer,
    isStock: '0',
    stock: 0,
    calculatedPrice: '18.9',
    productId: String(shirt.productId),
    variantId: String(shirt.large),
    baseSku: 'SHIRT-L',
    productName: 'Shirt',
    option: [{ id: shirt.values[1], label: 'Large', option_id: shirt.option, option_display_name: 'Size' }],
    minQuantity: 0,
    maxQuantity: 0,
    variantSku: 'SHIRT-L',
    inventoryTracking: 'none',
    availableToSell: 0,
    totalOnHand: 0,
  })
  const skus = (count: number) => Array.from({ length: count }, (_, i) => `"S${i}"`)
  const many = (count: number) =>
    codeOf(`{ variantSku(storeHash: "${shop.store.hash}", variantSkus: [${skus(count)}]) { variantId } }`, {
      token: ada,
    })
  expect([await many(250), await many(251)]).toEqual([undefined, 422])
})

test('priceProducts answers prices of visible products, and none that are hidden', async () => {
  const item = ({ productId, variantId }: Item) => `{productId: ${productId}, variantId: ${variantId}}`
  const fields = `productId variantId options { optionId valueId } referenceRequest { productId variantId options { optionId valueId } }
    retailPrice { asEntered } salePrice { asEntered } price { asEntered enteredInclusive taxExclusive taxInclusive }
    calculatedPrice { asEntered } bulkPricing { minimum }`
  const query = (items: string) =>
    `{ priceProducts(storeHash: "${shop.store.hash}", currencyCode: "USD", customerGroupId: 0, items: [${items}]) { ${fields} } }`
  const all = [mug, hidden, unlisted, secret].map(item)
  const { priceProducts } = await dataOf(query(`${all}, {productId: 999999}`), { token: ada })
  expect(priceProducts).toEqual([
    {
      ...mug,
      options: [],
      referenceRequest: { ...mug, options: [] },
      retailPrice: null,
      salePrice: null,
      price: { asEntered: 40, enteredInclusive: false, taxExclusive: 40, taxInclusive: 40 },
      calculatedPrice: { asEntered: 36 },
      bulkPricing: [],
    },
  ])
  const option = `options: [{optionId: ${shirt.option}, valueId: ${shirt.values[1]}}]`
  const ofShirt = (await dataOf(query(`{productId: ${shirt.productId}, ${option}}`), { token: ada })).priceProducts
  expect(ofShirt).toMatchObject([
    { variantId: shirt.large, calculatedPrice: { asEntered: 18.9 }, options: [{ valueId: shirt.values[1] }] },
  ])
})

describe('productPurchasable', () => {
  const fields =
    '{ availability inventoryLevel inventoryTracking purchasingDisabled availableToSell unlimitedBackorder }'
  const of = async (args: string) =>
    (
      await dataOf(`{ productPurchasable(storeHash: "${shop.store.hash}", ${args}) ${fields} }`, {
        token: ada,
      })
    ).productPurchasable
  test('answers stock by id and by SKU', async () => {
    const answer = {
      availability: 'available',
      inventoryLevel: 2,
      inventoryTracking: 'product',
      purchasingDisabled: false,
      availableToSell: 2,
      unlimitedBackorder: false,
    }
    expect(await of(`productId: ${few.productId}`)).toEqual(answer)
    expect(await of('sku: "FEW-1"')).toEqual(answer)
  })
  test('knows no hidden product, also by SKU', async () => {
    for (const { productId } of [hidden, unlisted]) expect(await of(`productId: ${productId}`)).toBeNull()
    expect(await of('sku: "HIDDEN-1"')).toBeNull()
    expect(await of(`productId: ${mug.productId}, sku: "FEW-1"`)).toBeNull()
    expect(await of('productId: 999999')).toBeNull()
  })
})

test('productsLoad answers variants with their prices', async () => {
  const list = [mug, hidden, unlisted].map(
    ({ productId, variantId }) => `{productId: ${productId}, variantId: ${variantId}}`,
  )
  const { productsLoad } = await dataOf(
    `{ productsLoad(currencyCode: "USD", productList: [${list}]) { productId variantId companyId channelId storeHash sku imageUrl hasPriceList
      bulkPrices purchasingDisabled costPrice inventoryLevel modifiers isAvailable calculatedPrice currencyCode optionValues availability
      isPriceHidden } }`,
    { token: ada },
  )
  expect(productsLoad).toEqual([
    {
      ...mug,
      companyId: expect.any(Number),
      channelId: [1],
      storeHash: shop.store.hash,
      sku: 'MUG-1',
      imageUrl: '',
      hasPriceList: false,
      bulkPrices: [],
      purchasingDisabled: false,
      costPrice: '0',
      inventoryLevel: 0,
      modifiers: [],
      isAvailable: true,
      calculatedPrice: '36',
      currencyCode: 'USD',
      optionValues: [],
      availability: 'available',
      isPriceHidden: false,
    },
  ])
})

test('productsInventory answers the stock of visible products', async () => {
  const { productsInventory } = await dataOf(
    `{ productsInventory(products: [{productId: ${few.productId}, quantity: 3}, {productId: ${hidden.productId}}]) { productId variantId
      quantity modifiers productInventoryTracking productInventoryLevel productInventoryWarningLevel variantInventoryLevel
      variantInventoryWarningLevel purchasingDisabled isVisible } }`,
    { token: ada },
  )
  expect(productsInventory).toEqual([
    {
      ...few,
      quantity: 3,
      modifiers: [],
      productInventoryTracking: 'product',
      productInventoryLevel: 2,
      productInventoryWarningLevel: 0,
      variantInventoryLevel: 2,
      variantInventoryWarningLevel: 0,
      purchasingDisabled: false,
      isVisible: true,
    },
  ])
})

test('productVariantsInfo answers SKUs of a visible product', async () => {
  const of = async (id: number | string) =>
    (await dataOf(`{ productVariantsInfo(productId: "${id}") { sku variantId } }`, { token: ada })).productVariantsInfo
  expect(await of(shirt.productId)).toEqual([
    { sku: 'SHIRT-S', variantId: shirt.small },
    { sku: 'SHIRT-L', variantId: shirt.large },
  ])
  for (const id of [hidden.productId, 999999, 'abc']) expect(await of(id)).toEqual([])
})

describe('validation', () => {
  const product = ({ productId, variantId }: Item, quantity: number) =>
    `productId: ${productId}, variantId: ${variantId}, quantity: ${quantity}`
  const one = async (args: string, target = 'CART') =>
    (
      await dataOf(
        `{ validateProduct(${args}, target: "${target}") { responseType message errorCode product { productId variantId sku
          availableToSell unlimitedBackorder } } }`,
        { token: ada },
      )
    ).validateProduct

  test('of one product has its outcome', async () => {
    expect(await one(product(mug, 3))).toEqual({
      responseType: 'SUCCESS',
      message: '',
      errorCode: null,
      product: { ...mug, sku: 'MUG-1', availableToSell: 0, unlimitedBackorder: false },
    })
    expect(await one(product(few, 3))).toMatchObject({ responseType: 'ERROR', errorCode: 'OOS' })
    expect(await one(product(few, 3), 'QUOTE')).toMatchObject({ responseType: 'SUCCESS' })
    for (const quantity of [1, 7]) {
      expect(await one(product(few, quantity), 'QUOTE')).toMatchObject({ errorCode: 'INVALID_FIELDS' })
    }
    const missing = { responseType: 'ERROR', errorCode: 'OTHER', message: 'The product does not exist.' }
    for (const item of [hidden, unlisted, { productId: mug.productId, variantId: few.variantId }]) {
      expect(await one(product(item, 1))).toMatchObject(missing)
    }
  })

  test('of several products is valid if all are', async () => {
    const all = async (...items: string[]) =>
      (
        await dataOf(
          `{ validateProducts(products: [${items.map((item) => `{${item}}`)}]) { isValid products { responseType } } }`,
          { token: ada },
        )
      ).validateProducts
    expect(await all(product(mug, 1), product(few, 2))).toEqual({
      isValid: true,
      products: [{ responseType: 'SUCCESS' }, { responseType: 'SUCCESS' }],
    })
    expect(await all(product(mug, 1), product(hidden, 1))).toEqual({
      isValid: false,
      products: [{ responseType: 'SUCCESS' }, { responseType: 'ERROR' }],
    })
  })
})

describe('an uploaded list', () => {
  const UPLOAD = `mutation ($productListData: ProductUploadInputType!) { productUpload(productListData: $productListData) { result {
    errorFile errorProduct validProduct stockErrorFile stockErrorSkus } } }`
  const upload = async (productList: object[], more: object = {}) =>
    (
      await dataOf(UPLOAD, {
        token: ada,
        variables: { productListData: { productList, currencyCode: 'USD', ...more } },
      })
    ).productUpload.result

  test('is checked line by line', async () => {
    const lines = [
      { sku: 'MUG-1', qty: '3' },
      { sku: ' few-1 ', qty: '1000000' },
      { sku: 'HIDDEN-1', qty: '1' },
      { sku: 'MUG-1', qty: '0' },
      { sku: 'MUG-1', qty: '1000001' },
      { sku: 'MUG-1', qty: '1.5' },
    ]
    const result = await upload(lines)
    expect(result.validProduct).toMatchObject([
      { row: 0, sku: 'MUG-1', qty: '3', products: { calculatedPrice: '36', variantSku: 'MUG-1' } },
      { row: 1, qty: '1000000', products: { variantSku: 'FEW-1' } },
    ])
    expect(result.errorProduct.map(({ row, error }: { row: number; error: string }) => [row, error])).toEqual([
      [2, 'The SKU does not exist.'],
      [3, 'The quantity is a whole number from 1 to 1,000,000.'],
      [4, 'The quantity is a whole number from 1 to 1,000,000.'],
      [5, 'The quantity is a whole number from 1 to 1,000,000.'],
    ])
    expect([result.stockErrorSkus, result.stockErrorFile, result.errorFile]).toEqual([[], '', ''])
  })

  test('for a cart names the SKUs that lack stock, also in a file', async () => {
    const result = await upload([{ sku: 'FEW-1', qty: '3' }], { isToCart: true })
    expect(result.stockErrorSkus).toEqual(['FEW-1'])
    const { server } = await theHouse()
    const { pathname, search: query } = new URL(result.stockErrorFile)
    const file = await server.inject({ url: `${pathname}${query}` })
    expect([file.statusCode, file.body]).toEqual([200, 'sku\r\n"FEW-1"\r\n'])
  })

  test('has at most 500 lines', async () => {
    const lines = (count: number) => Array.from({ length: count }, () => ({ sku: 'none', qty: '1' }))
    expect((await upload(lines(500))).errorProduct).toHaveLength(500)
    const variables = { productListData: { productList: lines(501), currencyCode: 'USD' } }
    expect(await codeOf(UPLOAD, { token: ada, variables })).toBe(422)
  })

  test('of a guest has the prices of everybody', async () => {
    const ANON = `mutation ($data: ProductAnonUploadInputType) { productAnonUpload(productListData: $data) { result {
      validProduct errorProduct stockErrorSkus } } }`
    const data = {
      storeHash: shop.store.hash,
      productList: [{ sku: 'MUG-1', qty: '1' }],
      currencyCode: 'USD',
      channelId: 1,
    }
    const { productAnonUpload } = await dataOf(ANON, { variables: { data } })
    expect(productAnonUpload.result.validProduct).toMatchObject([{ products: { calculatedPrice: '40' } }])
    expect(await codeOf(UPLOAD, { variables: { productListData: data } })).not.toBeUndefined()
  })
})
