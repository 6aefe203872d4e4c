import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { buildSchema, isInputObjectType, isObjectType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { DocumentCache } from '../../../core/graphql/documents.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../test/fixtures/storefront.ts'
import { connectionOf } from './fields/connections.ts'

// Checks of the list of reliability that no test of a single field makes.

let shop: Shop
let token: string
beforeAll(async () => {
  shop = await openShop({ name: 'Fern & Co' })
  token = await makeToken(shop, 'storefront')
  for (const name of ['Mug', 'Cup']) {
    const made = await shop.call('POST', '/catalog/products', {
      name,
      type: 'physical',
      weight: 1,
      price: 1,
      variants: [{ sku: `${name}-S`, option_values: [{ option_display_name: 'Size', label: 'S' }] }],
    })
    expect(made.status, made.text).toBe(200)
  }
})

describe('names that every object has (C-083)', () => {
  const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']

  test('are aliases like others, also in documents that are sent often', async () => {
    const names = NAMES.filter((name) => !name.startsWith('__'))
    const query = `{ site { settings { ${names.map((name) => `${name}: storeName`).join(' ')} } } }`
    // From the eleventh execution on the document is compiled.
    for (let i = 0; i < 13; i++) {
      const { body } = await askStorefront(shop, { token, query })
      expect(body).toEqual({
        data: { site: { settings: Object.fromEntries(names.map((name) => [name, 'Fern & Co'])) } },
      })
    }
  })

  test('change nothing as variables, keys of inputs and names of operations', async () => {
    for (const name of NAMES) {
      const payloads = [
        `{"query":"{ __typename }","${name}":{"isAdmin":true}}`,
        `{"query":"query Q($n: Int) { site { products(first: $n) { edges { cursor } } } }","variables":{"n":1,"${name}":{"isAdmin":true}}}`,
        `{"query":"query Q($f: SearchProductsFiltersInput!) { site { search { searchProducts(filters: $f) { products { edges { cursor } } } } } }","variables":{"f":{"${name}":{"isAdmin":true}}}}`,
        `{"query":"query Q { __typename }","operationName":"${name}"}`,
        `{"query":"{ ${name} { isAdmin } }"}`,
      ]
      for (const payload of payloads) {
        const { status } = await askStorefront(shop, { token, payload })
        expect([200, 400], payload).toContain(status)
      }
    }
    for (const key of ['isAdmin', 'edges']) expect(key in Object.prototype, key).toBe(false)
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

describe('requests that are too large (C-106)', () => {
  test.each([
    [
      'a list of 1,000 operations',
      JSON.stringify(Array.from({ length: 1_000 }, () => ({ query: '{ __typename }' }))),
      400,
    ],
    ['a document of 1 MiB', JSON.stringify({ query: `{ __typename ${'#'.repeat(2 ** 20)} }` }), 413],
    ['variables of 1 MiB', JSON.stringify({ query: '{ __typename }', variables: { a: 'x'.repeat(2 ** 20) } }), 413],
    [
      'variables nested 10,000 deep',
      `{"query":"{ __typename }","variables":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`,
      400,
    ],
  ])('are refused: %s', async (_, payload, status) => {
    const answer = await askStorefront(shop, { token, payload })
    expect([answer.status, answer.body.errors.length], answer.message).toEqual([status, 1])
  })
})

test('100,000 different documents leave the newest few in memory, in the engine of shoppers and of buyers (C-107)', () => {
  const cache = new DocumentCache<{ nr: number }>()
  const documentOf = (nr: number) => ({
    query: `{ site { settings { a${nr}: storeName } } }`,
    operationName: undefined,
    variables: {},
  })
  for (let nr = 0; nr < 100_000; nr++) cache.add(documentOf(nr), { nr })
  const kept = Array.from({ length: 100_000 }, (_, nr) => cache.find(documentOf(nr))).filter((one) => one !== undefined)
  expect([kept.length, kept.at(-1)?.nr]).toEqual([250, 99_999])
})

test('ids of other parents find nothing (C-066)', async () => {
  const query = `query One($product: Int!, $variant: Int!, $option: Int!, $value: Int!) { site {
    product(entityId: $product, optionValueIds: [{ optionEntityId: $option, valueEntityId: $value }]) {
      sku
      variants(entityIds: [$variant]) { edges { node { sku } } } } } }`
  const { data: variants } = (await shop.call('GET', '/catalog/variants')).body
  const [own, foreign] = ['Mug-S', 'Cup-S'].map((sku) => variants.find((one: { sku: string }) => one.sku === sku))
  const ask = async (one: { id: number; option_values: { id: number; option_id: number }[] }) => {
    const [value] = one.option_values
    const { body } = await askStorefront(shop, {
      token,
      query,
      variables: { product: own.product_id, variant: one.id, option: value?.option_id, value: value?.id },
    })
    return body.data.site.product
  }
  expect(await ask(own)).toMatchObject({ sku: 'Mug-S', variants: { edges: [{ node: { sku: 'Mug-S' } }] } })
  expect(await ask(foreign)).toMatchObject({ sku: '', variants: { edges: [] } })
})

test('no input has an address that the server would open (C-088, C-089)', async () => {
  const schema = buildSchema(await readFile(new URL('schema.graphql', import.meta.url), 'utf8'))
  const inputs = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isInputObjectType(type)) return Object.keys(type.getFields()).map((name) => `${type.name}.${name}`)
    if (!isObjectType(type)) return []
    return Object.values(type.getFields()).flatMap(({ name, args }) =>
      args.map((arg) => `${type.name}.${name}(${arg.name})`),
    )
  })
  expect(inputs.length).toBeGreaterThan(500)
  // None of these is opened: files of companies and carts are named by their ids, and the pages of events are not even stored.
  expect(inputs.filter((name) => /ur[il]$|href$|webhook|callback/i.test(name)).toSorted()).toEqual([
    'AddCompanyFileInput.fileUrl',
    'AnalyticsEventRequestInput.refererUrl',
    'AnalyticsEventRequestInput.url',
    'CartSelectedFileUploadOptionInput.downloadUrl',
  ])
})

interface Step {
  length: number
  isBackward: boolean
  cursor: string | null
}

/** One page of a list. @returns the cursor of the next page, null at the end */
function pageOf(items: readonly number[], { length, isBackward, cursor }: Step) {
  const { edges, pageInfo, collectionInfo } = connectionOf(
    items,
    isBackward ? { last: length, before: cursor } : { first: length, after: cursor },
  )
  const hasNext = isBackward ? pageInfo.hasPreviousPage : pageInfo.hasNextPage
  const next = isBackward ? pageInfo.startCursor : pageInfo.endCursor
  return { nodes: edges.map(({ node }) => node), next: hasNext ? next : null, total: collectionInfo.totalItems }
}

test('pages of a list in memory join to the whole list, forwards and backwards (C-121)', () => {
  const property = fc.property(
    fc.array(fc.integer(), { maxLength: 120 }),
    fc.integer({ min: 1, max: 50 }),
    (items, length) => {
      const walk = (isBackward: boolean) => {
        const found: number[] = []
        let cursor: string | null = null
        for (let pages = 0; pages <= items.length; pages++) {
          const { nodes, next, total } = pageOf(items, { length, isBackward, cursor })
          expect(total).toBe(items.length)
          if (isBackward) found.unshift(...nodes)
          else found.push(...nodes)
          if (next === null) break
          cursor = next
        }
        return found
      }
      expect(walk(false)).toEqual(items)
      expect(walk(true)).toEqual(items)
    },
  )
  fc.assert(property, { numRuns: 1_000 })
})
