import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Db } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { sized } from '../../test/document/sized.ts'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { dbOf } from '../../test/fixtures/webhooks.ts'
import { adjusted } from './adjustments.ts'
import { commitStock, releaseStock } from './commitments.ts'

// Stock is the same on every side that writes it (docs/decisions/021-stock.md, C-121).

const MAX = 2_147_483_647
const RUNS = sized(1_000, 12)
const LIMIT_MS = sized(1_800_000, 60_000)

/** The values of the catalog that differ from the rows of stock. One statement for each rule; each finds nothing. */
const RULES: Record<string, (db: Db) => Promise<unknown[]>> = {
  'the level of a variant is the sum of its stock': ({ store, rows }) =>
    rows(sql`
      -- of a test
      select v.id, v.inventory_level, s.total from variants v join lateral (
        select least(coalesce(sum(greatest(on_hand - safety_stock, 0)), 0), ${MAX}) as total from stock
        where store_id = ${store.id} and product_id = v.product_id and variant_id = coalesce(v.sku_id, 0) and counts) s on true
      where v.store_id = ${store.id} and coalesce(v.inventory_level, 0) <> s.total`),
  'the level of a product is the sum of its stock, or that of its variants': ({ store, rows }) =>
    rows(sql`
      -- of a test
      select p.id, p.inventory_level, case when summed then v.total else s.total end from products p
      join lateral (select inventory_tracking = 'variant' and base_variant_id is null as summed) kind on true
      join lateral (
        select least(coalesce(sum(greatest(on_hand - safety_stock, 0)), 0), ${MAX}) as total from stock
        where store_id = ${store.id} and product_id = p.id and variant_id = 0 and counts) s on true
      join lateral (
        select least(coalesce(sum(inventory_level), 0), ${MAX}) as total from variants
        where store_id = ${store.id} and product_id = p.id) v on true
      where p.store_id = ${store.id} and p.inventory_level <> case when summed then v.total else s.total end`),
  'warning level and bin are those of the first location': ({ store, rows }) =>
    rows(sql`
      -- of a test
      select v.id, v.inventory_warning_level, s.warning_level, v.bin_picking_number, s.bin_picking_number from variants v
      left join stock s on s.store_id = v.store_id and s.product_id = v.product_id and s.location_id = 1
        and s.variant_id = coalesce(v.sku_id, 0)
      where v.store_id = ${store.id} and (coalesce(v.inventory_warning_level, 0) <> coalesce(s.warning_level, 0)
        or coalesce(v.bin_picking_number, '') <> coalesce(s.bin_picking_number, ''))`),
  'stock belongs to what is there, counts where its location is enabled, and is tracked as its product says': ({
    store,
    rows,
  }) =>
    rows(sql`
      -- of a test
      select s.*, l.enabled, p.inventory_tracking from stock s
      left join products p on p.store_id = s.store_id and p.id = s.product_id
      left join variants v on v.store_id = s.store_id and v.product_id = s.product_id and v.id = s.variant_id
      left join locations l on l.store_id = s.store_id and l.id = s.location_id
      where s.store_id = ${store.id} and (p.id is null or (s.variant_id > 0 and v.sku_id is null) or l.id is null
        or s.counts <> l.enabled or s.on_hand < 0
        or s.is_tracked <> case when s.variant_id > 0 then p.inventory_tracking = 'variant'
          when p.inventory_tracking = 'variant' then p.base_variant_id is not null else p.inventory_tracking = 'product' end)`),
  'the last change that is remembered led to the amount that is there': ({ store, rows }) =>
    rows(sql`
      -- of a test
      select s.product_id, s.variant_id, s.location_id, s.on_hand, c.amount_after, s.version from stock s
      join stock_changes c on c.store_id = s.store_id and c.product_id = s.product_id and c.variant_id = s.variant_id
        and c.location_id = s.location_id and c.version = s.version
      where s.store_id = ${store.id} and c.amount_after <> s.on_hand`),
}

async function untruths(shop: Shop): Promise<Record<string, unknown[]>> {
  const db = await dbOf(shop)
  const found: Record<string, unknown[]> = {}
  for (const [rule, ask] of Object.entries(RULES)) {
    const wrong = await ask({ ...db, store: db.store, rows: (query) => db.rows(query) })
    if (wrong.length > 0) found[rule] = wrong
  }
  return found
}

const amount = fc.oneof({ weight: 5, arbitrary: fc.nat(20) }, fc.constantFrom(MAX, MAX - 1, MAX - 20))
const location = fc.integer({ min: 1, max: 3 })
const product = fc.integer({ min: 1, max: 3 })
const variant = fc.integer({ min: 1, max: 9 })
const identity = fc.oneof(
  product.map((product_id) => ({ product_id })),
  variant.map((variant_id) => ({ variant_id })),
)
const levels = fc.record(
  {
    inventory_level: amount,
    inventory_warning_level: fc.nat(3),
    bin_picking_number: fc.constantFrom('', 'A'),
  },
  { requiredKeys: [] },
)
const tracking = fc.constantFrom('none', 'product', 'variant')
const settings = fc.record(
  {
    safety_stock: fc.nat(9),
    warning_level: fc.nat(3),
    bin_picking_number: fc.constantFrom('', 'B'),
    is_in_stock: fc.boolean(),
  },
  { requiredKeys: ['safety_stock'] },
)

type Command = readonly [method: string, path: string, body?: unknown]

const items = <Q>(quantity: fc.Arbitrary<Q>) =>
  fc.array(
    fc
      .tuple(identity, location, quantity)
      .map(([named, location_id, quantity]) => ({ ...named, location_id, quantity })),
    { minLength: 1, maxLength: 3 },
  )

/** The requests of either side, with ids that exist, were deleted or never existed. */
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 3,
    arbitrary: items(amount).map((items) => ['PUT', '/inventory/adjustments/absolute', { items }] as const),
  },
  {
    weight: 4,
    arbitrary: items(fc.integer({ min: -9, max: 9 })).map(
      (items) => ['POST', '/inventory/adjustments/relative', { items }] as const,
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(location, identity, settings)
      .map(
        ([id, identity, said]) =>
          ['PUT', `/inventory/locations/${id}/items`, { settings: [{ identity, ...said }] }] as const,
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(product, levels, fc.option(tracking, { nil: undefined }))
      .map(
        ([id, said, inventory_tracking]) =>
          ['PUT', `/catalog/products/${id}`, { ...said, inventory_tracking }] as const,
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(variant, levels, fc.boolean())
      .map(
        ([id, said, isNull]) =>
          ['PUT', '/catalog/variants', [{ id, ...said, ...(isNull ? { inventory_level: null } : {}) }]] as const,
      ),
  },
  fc.tuple(product, variant).map(([id, of]) => ['DELETE', `/catalog/products/${id}/variants/${of}`] as const),
  fc
    .tuple(product, fc.nat(99), levels)
    .map(
      ([id, nr, said]) =>
        [
          'POST',
          `/catalog/products/${id}/variants`,
          { sku: `NEW-${nr}`, option_values: [{ option_display_name: 'Size', label: 'M' }], ...said },
        ] as const,
    ),
  product.map((id) => ['DELETE', `/catalog/products/${id}/options/${id}`] as const),
  product.map(
    (id) =>
      [
        'POST',
        `/catalog/products/${id}/options`,
        { display_name: 'Size', type: 'rectangles', option_values: [{ label: 'M', sort_order: 0 }] },
      ] as const,
  ),
  fc
    .tuple(fc.integer({ min: 2, max: 3 }), fc.boolean())
    .map(([id, enabled]) => ['PUT', '/inventory/locations', [{ id, enabled }]] as const),
  fc.constant(['DELETE', '/inventory/locations?location_id:in=3'] as const),
  fc
    .tuple(variant, fc.nat(5))
    .map(([variant_id, quantity]) => ['order', '', { variant_id, quantity: quantity + 1 }] as const),
  fc.constant(['cancel', ''] as const),
)

async function perform(shop: Shop, [method, path, body]: Command): Promise<number> {
  const db = await dbOf(shop)
  if (method === 'cancel') return db.transaction((tx) => releaseStock(tx, { key: 'one', order_id: 1 })).then(() => 200)
  if (method === 'order') {
    const lines = [body as { variant_id: number; quantity: number }]
    await db.transaction((tx) => commitStock(tx, { key: 'one', order_id: 1, location_id: 1, lines, mayOversell: true }))
    return 200
  }
  return (await shop.call(method, path, body)).status
}

const chosen = (label: string) => [{ option_display_name: 'Size', label }]
const article = (name: string, more: object) => ({ name, type: 'physical', weight: 1, price: 9, sku: name, ...more })

test(
  'the catalog shows the rows of stock after any writes of inventory, catalog and orders',
  async () => {
    const statuses: Record<number, number> = {}
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 8, maxLength: 25, size: 'max' }), async (commands) => {
        const shop = await openShop()
        await shop.call('POST', '/inventory/locations', [
          { label: 'Two', type_id: 'VIRTUAL' },
          { label: 'Three', type_id: 'VIRTUAL' },
        ])
        // Without options; tracked by variants (2 and 3); tracked by itself (4 and 5).
        await shop.call('POST', '/catalog/products', [
          article('A', { inventory_tracking: 'product', inventory_level: 7 }),
          article('B', {
            inventory_tracking: 'variant',
            variants: ['S', 'L'].map((label) => ({
              sku: `B-${label}`,
              inventory_level: 4,
              option_values: chosen(label),
            })),
          }),
          article('C', {
            inventory_tracking: 'product',
            inventory_level: 3,
            variants: ['S', 'L'].map((label) => ({ sku: `C-${label}`, option_values: chosen(label) })),
          }),
        ])
        for (const one of commands) {
          const status = await perform(shop, one)
          statuses[status] = (statuses[status] ?? 0) + 1
          expect(status, JSON.stringify(one)).toBeLessThan(500)
          expect(await untruths(shop), JSON.stringify(one)).toEqual({})
        }
      }),
      { numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS },
    )
    // Nothing was tested if all requests were refused, or none.
    expect(statuses[200]).toBeGreaterThan(0)
    expect(statuses[422]).toBeGreaterThan(0)
  },
  LIMIT_MS + 60_000,
)

test('an adjustment moves an amount by its quantity, or is refused: never below the safety stock, never past the largest amount', () => {
  const row = fc.record({ on_hand: fc.nat(MAX), safety_stock: fc.oneof(fc.nat(50), fc.nat(MAX)) })
  fc.assert(
    fc.property(row, fc.integer({ min: -MAX, max: MAX }), (before, quantity) => {
      const amount = adjusted('relative', before, quantity)
      const moved = before.on_hand + quantity
      const isFine = quantity !== 0 && moved <= MAX && (quantity > 0 || moved >= before.safety_stock)
      expect(amount).toEqual(isFine ? moved : expect.any(String))
    }),
    { numRuns: 5_000 },
  )
})
