import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { insertAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { groups } from '../../../customers/row/groups.ts'
import { sized } from '../../../test/document/sized.ts'
import { type Answered, openShop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import type { Reduction } from '../../../test/pricing/drawn-prices.ts'
import {
  CODES,
  hasOwnList,
  moneyOf,
  orderOnPaper,
  pricesOnPaper,
  type Rate,
  SHOPPERS,
  type Shopper,
  type Steps,
  variantOf,
  type World,
  world,
} from '../../../test/pricing/on-paper.ts'
import { priceLists } from '../../pricing/price-list.ts'

// An item costs a shopper the same by POST /pricing/products and as a line of an order, and both are the amounts of a second calculator
// (server/test/pricing/on-paper.ts). 1,000 shoppers in every build, 100,000 at full size. Catalog, group, list, rules and rates are
// drawn for each shopper; a store is opened for 50 of them, since the rest belongs to stores, and the API has batches.

const STORES = sized(100_000, 1_000) / SHOPPERS

/** Sends requests for all items, a few at once. */
async function each<Item, Result>(
  items: readonly Item[],
  send: (item: Item, i: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let start = 0; start < items.length; start += 5) {
    results.push(...(await Promise.all(items.slice(start, start + 5).map((item, i) => send(item, start + i)))))
  }
  return results
}

const inPieces = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

async function byRest(world: World) {
  const shop = await openShop()
  const send = async (method: string, path: string, body: object, version: 'v2' | 'v3' = 'v3') => {
    const answer = await shop.call(method, path, body, { version })
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300)
    return answer.body
  }
  await setUp(world, send)
  const items = await makeProducts(world.shoppers, send)
  const db = await dbOf(shop)
  const groupIds = await makeGroups(db, world.shoppers, items)
  await makeLists(world, { groups: groupIds, items, db }, send)
  const customers: number[] = (
    await each(inPieces(groupIds, 10), async (piece) => {
      const named = piece.map((customer_group_id) => ({
        email: `${customer_group_id}@example.com`,
        first_name: 'A',
        last_name: 'B',
        customer_group_id,
      }))
      return (await send('POST', '/customers', named)).data.map(({ id }: { id: number }) => id)
    })
  ).flat()
  await makeTaxes(world, groupIds, send)
  return each(world.shoppers, async (one, i) => {
    const { product_id = 0, variants = [], option } = items[i] ?? {}
    const [customer_id, code] = [customers[i], CODES[one.currency] ?? 'USD']
    const wanted = one.lines.map((line) => ({
      product_id,
      variant_id: variants[variantOf(one, line)],
      ...(line.isModified && option ? { option } : {}),
    }))
    const { data } = await send('POST', '/pricing/products', {
      channel_id: 1,
      currency_code: code,
      country_code: 'US',
      customer_id,
      items: wanted.map(({ option: chosen, ...item }) => ({
        ...item,
        options: chosen ? [{ option_id: chosen.id, value_id: Number(chosen.value) }] : [],
      })),
    })
    const order = await send(
      'POST',
      '/orders?include=consignments.line_items',
      {
        billing_address: { zip: '10001', country_iso2: 'US', state: 'NY' },
        customer_id,
        default_currency_code: moneyOf(world, one).shown.isPaid ? code : 'USD',
        products: wanted.map(({ option: chosen, ...item }, n) => ({
          ...item,
          quantity: one.lines[n]?.quantity,
          product_options: chosen ? [chosen] : [],
        })),
      },
      'v2',
    )
    const [{ line_items: lines }] = order.consignments.shipping
    return {
      prices: data.map(
        ({
          calculated_price: { as_entered, tax_exclusive, tax_inclusive },
        }: {
          calculated_price: Record<string, number>
        }) => [as_entered, tax_exclusive, tax_inclusive],
      ),
      order: {
        lines: lines.map((line: Record<string, string>) => [
          line.base_price,
          line.total_ex_tax,
          line.discounted_total_inc_tax,
        ]),
        total: order.total_inc_tax,
      },
    }
  })
}

type Send = (method: string, path: string, body: object, version?: 'v2' | 'v3') => Promise<Answered['body']>

/** Makes settings, currencies and two categories: the category 2 is below the category 1. */
async function setUp({ isInclusive, subtracts, roundsRates, currencies }: World, send: Send) {
  await send('PUT', '/tax/settings', {
    tax_entered_with_prices: isInclusive,
    should_subtract_store_tax: subtracts,
    rounding_strategy: roundsRates ? 'RATE_ROUNDING' : 'NO_ROUNDING',
  })
  for (const [i, { isPaid, rate, decimals }] of currencies.entries()) {
    const marks = { token_location: 'left', token: '$', decimal_token: '.', thousands_token: ',' }
    const code = { currency_code: CODES[i], currency_exchange_rate: rate, name: CODES[i] }
    const currency = { ...marks, ...code, decimal_places: decimals, is_transactional: isPaid }
    await send('POST', '/currencies', currency, 'v2')
  }
  for (const parent_id of [0, 1]) await send('POST', '/catalog/categories', { name: `Below ${parent_id}`, parent_id })
}

interface StoredItem {
  product_id: number
  variants: number[]
  /** The value that changes the price. */
  option: { id: number; value: string } | undefined
}

async function makeProducts(shoppers: readonly Shopper[], send: Send): Promise<StoredItem[]> {
  const bodies = shoppers.map(({ product, variants, inCategory, bulkRules }, i) => ({
    name: `Product ${i}`,
    type: 'physical',
    weight: 1,
    ...product,
    categories: inCategory ? [2] : [],
    bulk_pricing_rules: withEnds(bulkRules, 0),
    ...(variants
      ? {
          variants: variants.map((own, n) => ({
            sku: `SKU-${i}-${n}`,
            ...own,
            option_values: [{ option_display_name: 'Size', label: `Size ${n}` }],
          })),
        }
      : {}),
  }))
  const made = await each(inPieces(bodies, 10), (piece) => send('POST', '/catalog/products?include=variants', piece))
  return each(
    made.flatMap(({ data }: { data: { id: number; variants: { id: number }[] }[] }) => data),
    async ({ id: product_id, variants }, i) => {
      const { modifiers = [], complexRule } = shoppers[i] ?? {}
      const [price] = modifiers
      const variantIds = variants.map(({ id }) => id)
      const path = `/catalog/products/${product_id}`
      if (complexRule) {
        const conditions = [{ variant_id: variantIds[0] }]
        await send('POST', `${path}/complex-rules`, { sort_order: 0, price_adjuster: complexRule, conditions })
      }
      if (!price) return { product_id, variants: variantIds, option: undefined }
      const { data } = await send('POST', `${path}/modifiers`, {
        display_name: 'Engraving',
        type: 'dropdown',
        required: false,
        option_values: [{ label: 'Yes', sort_order: 0, adjusters: { price } }],
      })
      return { product_id, variants: variantIds, option: { id: data.id, value: String(data.option_values[0].id) } }
    },
  )
}

const withEnds = (list: Steps, open: 0 | null) =>
  list.map((step, i) => ({ ...step, quantity_max: list[i + 1] ? (list[i + 1]?.quantity_min ?? 1) - 1 : open }))

/** Makes the group of each shopper. One transaction in place of a request for each: groups have no batch, and are not tested here. */
function makeGroups(db: Db, shoppers: readonly Shopper[], items: readonly StoredItem[]): Promise<number[]> {
  return db.transaction(async (tx) => {
    const ids = await takeIds(tx, [[groups, shoppers.length]])
    const times = { date_created: toSeconds(tx.now), date_modified: toSeconds(tx.now) }
    const plain = { ...times, is_default: false, is_group_for_guests: false, access_type: 'all' as const }
    const rows = shoppers.map((_, i) => ({ ...plain, id: ids.next(groups), name: `Group ${i}` }))
    const made = await insertAll(tx, groups, rows)
    const rules = shoppers.flatMap((one, i) =>
      rulesOf(one, items[i]?.product_id).map((rule, position) => ({ ...rule, group_id: made[i]?.id, position })),
    )
    await tx.rows(sql`
      insert into customer_group_rules (store_id, group_id, position, type, method, amount, category_id, product_id)
      select ${tx.store.id}, group_id, position, type, method, amount, category_id, product_id
      from json_populate_recordset(null::customer_group_rules, ${JSON.stringify(rules)}::json)
      returning position`)
    return made.map(({ id }) => id)
  })
}

function rulesOf(one: Shopper, product_id: number | undefined): object[] {
  if (hasOwnList(one)) return []
  const rule = (type: string, wish: Reduction | undefined, more: object) => (wish ? [{ type, ...wish, ...more }] : [])
  return [
    ...rule('all', one.ofAll, {}),
    ...rule('category', one.ofCategory, { category_id: 1 }),
    ...rule('product', one.ofProduct, { product_id }),
  ]
}

/** Makes the list of the channel, and those of groups. */
async function makeLists(
  world: World,
  { groups: groupIds, items, db }: { groups: readonly number[]; items: StoredItem[]; db: Db },
  send: Send,
) {
  const ofChannel = (await send('POST', '/pricelists', { name: 'Of the channel' })).data.id
  await send('POST', '/pricelists/assignments', [{ price_list_id: ofChannel, channel_id: 1 }])
  const own = await db.transaction(async (tx) => {
    const ids = await takeIds(tx, [[priceLists, world.shoppers.length]])
    const times = { date_created: toSeconds(tx.now), date_modified: toSeconds(tx.now) }
    const rows = world.shoppers.map(({ list }, i) => ({
      ...times,
      id: ids.next(priceLists),
      name: `List ${i}`,
      active: list !== 'inactive',
    }))
    return insertAll(tx, priceLists, rows)
  })
  const lists = world.shoppers.map((one, i) => (hasOwnList(one) ? own[i]?.id : ofChannel))
  const assignments = world.shoppers.flatMap((one, i) => {
    const assigned = { price_list_id: lists[i], customer_group_id: groupIds[i] }
    return hasOwnList(one) ? [one.list === 'pair' ? { ...assigned, channel_id: 1 } : assigned] : []
  })
  await each(inPieces(assignments, 25), (piece) => send('POST', '/pricelists/assignments', piece))
  const stored = world.shoppers.flatMap((one, i) =>
    one.list === 'none'
      ? []
      : one.records.slice(0, one.variants ? 2 : 1).flatMap((wish, n) => {
          if (!wish) return []
          const { tiers, ...own } = wish
          const currency = (one.recordsInDefault ? undefined : CODES[one.currency]) ?? 'USD'
          const key = { price_list_id: lists[i], variant_id: items[i]?.variants[n], currency }
          return [{ ...key, ...own, bulk_pricing_tiers: withEnds(tiers, null) }]
        }),
  )
  if (stored.length > 0) await send('PUT', '/pricelists/records', stored)
}

/** Makes a tax zone for each group. */
async function makeTaxes({ shoppers, storeRates }: World, groupIds: readonly number[], send: Send) {
  const zones = groupIds.map((group) => ({
    name: `Zone of ${group}`,
    shopper_target_settings: { locations: [{ country_code: 'US' }], customer_groups: [group] },
  }))
  const made: { id: number }[] = (await send('POST', '/tax/zones', zones)).data
  const inZone = (tax_zone_id: number, list: readonly Rate[]) =>
    list.map(({ priority, rate }, i) => ({
      name: `Rate ${i}`,
      tax_zone_id,
      priority,
      class_rates: [{ tax_class_id: 0, rate }],
    }))
  const wanted = [...inZone(1, storeRates), ...shoppers.flatMap((one, i) => inZone(made[i]?.id ?? 0, one.rates))]
  for (const piece of inPieces(wanted, 100)) await send('POST', '/tax/rates', piece)
}

test('items cost the same by pricing, as lines of orders, and on paper', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (drawn) => {
      const onPaper = drawn.shoppers.map((one) => ({
        prices: pricesOnPaper(drawn, one),
        order: orderOnPaper(drawn, one),
      }))
      expect(await byRest(drawn)).toEqual(onPaper)
    }),
    { numRuns: STORES, endOnFailure: true },
  )
}, 7_200_000)
