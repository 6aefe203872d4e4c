import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Files } from '../../core/files/files.ts'
import { insert } from '../../core/rest/lists/verbs.ts'
import { createProducts } from '../../goods/catalog/products/create.ts'
import { readConfig } from '../../process/config.ts'
import { filesOf } from '../../process/files.ts'
import { openInstallation } from '../../process/installation.ts'
import { insertCart } from '../../sales/carts/row/cart.ts'
import { emptyDocument } from '../../sales/carts/row/document.ts'
import { promotionCodes } from '../../sales/promotions/coupon-row.ts'
import { coupons } from '../../sales/promotions/coupons/row.ts'
import { createPromotion } from '../../sales/promotions/promotions/saving.ts'
import { lockTaxClassesShared } from '../../sales/tax/classes/classes.ts'
import { command } from '../../test/harness/command.ts'
import { openCommandStores } from '../../test/harness/command-stores.ts'

const CATEGORY = 3
const CART_ID = '4d4b2c9e-3f0a-4a0e-9d52-5e8f1f0c7a11'
const LINE_ID = '0b6f1d52-7f0c-4c6e-8f39-2f6a3c1d9e70'
const { settings, folder } = await openCommandStores('promotions')
let ids: { mug: number; bowl: number; red: number }
beforeAll(() => fill())

type Items = NonNullable<
  NonNullable<Parameters<typeof createPromotion>[1]['rules'][number]['action']['cart_items']>['items']
>
const tenPercent = (items: Items) => ({
  cart_items: { discount: { percentage_amount: '10' }, items },
})
const oneOff = { cart_value: { discount: { fixed_amount: '1' } } }
const automatic = { redemption_type: 'AUTOMATIC' }
const uses = { max_uses: 0, max_uses_per_customer: 0, current_uses: 0, created: '2026-01-01T00:00:00Z' }

async function fill() {
  const config = readConfig(settings)
  const installation = await openInstallation(config)
  const store = await installation.directory.find('shop1')
  const db = store && (await installation.directory.dbById(store.id))
  const files = await filesOf(config, 'http://localhost', installation)
  await db?.transaction(async (tx) => {
    const brand = await createGoods(tx, files)
    await createPromotions(tx, brand)
    await storeCart(tx)
  })
  await installation.close()
}

/** Creates a mug with a custom field, and a bowl with a brand, a category and a red variant. @returns the brand */
async function createGoods(tx: Tx, files: Files): Promise<number> {
  const common = { type: 'physical', weight: 1, price: 10 } as const
  const bodies = [
    { ...common, name: 'Mug', custom_fields: [{ name: 'Glaze', value: 'Blue' }] },
    {
      ...common,
      name: 'Bowl',
      brand_name: 'Clay',
      variants: [{ sku: 'BOWL-RED', option_values: [{ option_display_name: 'Color', label: 'Red' }] }],
    },
  ]
  const at = (i: number, field: string) => `${i}.${field}`
  const [mug, bowl] = await createProducts(tx, { files, bodies, at, lockTaxClassesShared })
  if (!mug || !bowl) throw new Error('The products were not created.')
  const row = { store_id: tx.store.id, product_id: bowl.id, category_id: CATEGORY }
  await tx.rows(sql`insert into product_categories ${sql.rows([row])}`)
  const red = await tx.row<{ id: number }>(
    sql`select id from variants where store_id = ${tx.store.id} and product_id = ${bowl.id}`,
  )
  ids = { mug: mug.id, bowl: bowl.id, red: red.id }
  return bowl.brand_id
}

/** Creates three automatic promotions, of which the second stops the third, three coupon promotions and a coupon. */
async function createPromotions(tx: Tx, brand: number) {
  const blue = tenPercent({ product_custom_field: { name: 'glaze', values: ['blue'] } })
  const large = { cart: { minimum_spend: '100' } }
  await createPromotion(tx, { ...automatic, name: 'Large carts', rules: [{ action: oneOff, condition: large }] })
  await createPromotion(tx, { ...automatic, name: 'Blue mugs', rules: [{ action: blue }], stop: true })
  await createPromotion(tx, { ...automatic, name: 'Last', rules: [{ action: oneOff }] })
  const red = tenPercent({
    and: [
      { brands: [brand] },
      { categories: [CATEGORY] },
      { product_option: { type: 'string_match', name: 'color', values: ['red'] } },
    ],
  })
  const coupon = { redemption_type: 'COUPON', rules: [{ action: oneOff }] }
  const ofCodes = {
    HELLO: await createPromotion(tx, { ...coupon, name: 'Welcome' }),
    OLD: await createPromotion(tx, { ...coupon, name: 'Old', status: 'DISABLED' }),
    RED: await createPromotion(tx, { ...coupon, name: 'Red bowls', rules: [{ action: red }] }),
  }
  for (const [code, { id }] of Object.entries(ofCodes)) {
    await insert(tx, promotionCodes, { code, ...uses, promotion_id: id })
  }
  await insert(tx, coupons, {
    ...uses,
    promotion_id: null,
    code: 'SAVE',
    name: 'Save',
    type: 'per_total_discount',
    amount: 3,
    min_purchase: 0,
    expires: null,
    enabled: true,
    applies_to: { entity: 'categories', ids: [0] },
    restricted_to: {},
    shipping_methods: [],
  })
}

/** Stores the cart that the tests describe in files. */
async function storeCart(tx: Tx) {
  const variant = await tx.row<{ id: number }>(
    sql`select id from variants where store_id = ${tx.store.id} and product_id = ${ids.mug}`,
  )
  const line = { id: LINE_ID, product_id: ids.mug, variant_id: variant.id, quantity: 2 }
  const plain = { list_price: null, name: null, modifiers: [], texts: [], wrapping: null }
  const document = { ...emptyDocument(), lines: [{ ...line, ...plain }] }
  await insertCart(tx, { id: CART_ID, channel_id: 1, currency_code: 'USD', customer_id: 0, email: '', document })
}

async function why(cart: unknown, ...args: string[]) {
  const file = join(folder, 'cart.json')
  await writeFile(file, typeof cart === 'string' ? cart : JSON.stringify(cart))
  return command(['promotions', 'why', 'shop1', '--cart', file, ...args], settings)
}

const cart = (more: object = {}) => ({
  lines: [{ product_id: ids.mug, quantity: 2, price: 10 }],
  at: '2099-01-01T12:00:00Z',
  ...more,
})

test('each promotion and each code of a cart is explained', async () => {
  const { code, out, err } = await why(cart({ codes: [' hello ', 'NONE', 'OLD'] }))
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out.trimEnd().split('\n')).toEqual([
    'Promotions at 2099-01-01T12:00:00.000Z',
    '',
    'PROMOTION  KIND       DISCOUNT  NAME         RESULT',
    '1          AUTOMATIC            Large carts  the cart is below its minimum spend',
    '2          AUTOMATIC  2 USD     Blue mugs    applied',
    '3          AUTOMATIC            Last         a promotion before it was applied and stops the later ones',
    '4          COUPON     1 USD     Welcome      applied',
    '6          COUPON               Red bowls    the cart has none of its codes',
    '',
    'CODE     PROMOTION  DISCOUNT  REFUSAL         RESULT',
    ' hello   4          1 USD                     applied',
    'NONE                          COUPON_INVALID  the store does not have this code',
    'OLD      5                    COUPON_EXPIRED  its promotion is not enabled, or has ended',
  ])
})

test('the explanation depends on the cart and its moment, and is printed as JSON', async () => {
  const large = await why(cart({ lines: [{ product_id: ids.mug, quantity: 20, price: 10 }] }), '--json')
  expect(JSON.parse(large.out)).toMatchObject({
    currency: 'USD',
    promotions: [
      { promotion_id: 1, name: 'Large carts', discount: 1 },
      { promotion_id: 2, discount: 20 },
      { promotion_id: 3, discount: 0, reason: 'stopped' },
      { promotion_id: 4, redemption_type: 'COUPON', reason: 'noCode' },
      { promotion_id: 6 },
    ],
    codes: [],
  })
  expect(JSON.parse(large.out).promotions[0]).not.toHaveProperty('reason')
  const early = await why(cart({ at: '2020-01-01T12:00:00Z' }), '--json')
  expect(JSON.parse(early.out).promotions[0]).toMatchObject({ reason: 'notStarted' })
})

test('lines are matched by their brand, categories and options, and coupons of the older family apply', async () => {
  const red = [{ variant_id: ids.red, quantity: 1, price: 20 }]
  const { codes } = JSON.parse((await why(cart({ lines: red, codes: ['RED', 'SAVE'] }), '--json')).out)
  expect(codes).toEqual([
    { code: 'RED', promotion_id: 6, discount: 2 },
    { code: 'SAVE', discount: 3 },
  ])
  // No variant of the bowl is named, and the mug is neither of the brand nor in the category.
  for (const product_id of [ids.bowl, ids.mug]) {
    const lines = [{ product_id, quantity: 1, price: 20 }]
    const other = JSON.parse((await why(cart({ lines, codes: ['RED'] }), '--json')).out)
    expect(other.codes).toEqual([
      { code: 'RED', promotion_id: 6, discount: 0, reason: 'noItems', refusal: 'COUPON_NOT_APPLICABLE' },
    ])
  }
})

test('a stored cart is explained by its id', async () => {
  const file = await why(cart({ at: undefined }), '--json')
  const stored = await command(['promotions', 'why', 'shop1', '--id', CART_ID, '--json'], settings)
  const explained = JSON.parse(stored.out)
  expect({ ...explained, at: '' }).toEqual({ ...JSON.parse(file.out), at: '' })
  const refused: [string[], string][] = [
    [['--id', 'nobody'], 'The cart nobody does not exist.'],
    [[], 'Name a cart by either --cart or --id.'],
    [['--id', CART_ID, '--cart', '-'], 'Name a cart by either --cart or --id.'],
  ]
  for (const [args, sentence] of refused) {
    const { code, err } = await command(['promotions', 'why', 'shop1', ...args], settings)
    expect({ code, err }).toEqual({ code: 1, err: `${sentence}\n` })
  }
})

test('a file that describes no cart is refused with the name of the field', async () => {
  const line = { product_id: 1, quantity: 1, price: 1 }
  const refused: [unknown, string][] = [
    ['{', 'The file of the cart is not JSON.'],
    [{}, 'The file describes no cart: the cart must have required properties lines.'],
    [cart({ lines: [{ ...line, price: -1 }] }), 'The file describes no cart: lines.0.price must be >= 0.'],
    [cart({ lines: [{ ...line, cost: 1 }] }), 'The file describes no cart: lines.0.cost is no field of a cart.'],
    [
      cart({ lines: [{ quantity: 1, price: 1 }] }),
      'The file describes no cart: lines.0 must have exactly one of product_id and variant_id.',
    ],
    [cart({ at: 'noon' }), 'The file describes no cart: at must be a date and time, such as 2026-11-27T12:00:00Z.'],
    [cart({ currency: 'XTS' }), 'The store does not have the currency XTS.'],
    [
      cart({ lines: [{ variant_id: 999, quantity: 1, price: 1 }] }),
      'The store does not have the variant 999 of lines.0.',
    ],
  ]
  for (const [file, sentence] of refused) {
    expect(await why(file)).toEqual({ code: 1, out: '', err: `${sentence}\n` })
  }
})
