import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { FolderTarget, type Row, type StoreBundle } from '../doors/powers/bundles/bundle.ts'
import { folderOf, idOf } from '../doors/powers/bundles/export.ts'
import { changeRefs } from '../doors/powers/bundles/fields.ts'
import { kinds } from '../doors/powers/bundles/kinds/kinds.ts'
import { type BundleParts, exportBundle } from '../doors/powers/bundles/store-bundles.ts'
import { type Shop, theHouse } from './fixtures/shop.ts'

/** The parts that exports and imports need. */
export async function bundleParts(): Promise<BundleParts> {
  const { server, installation, files, callers } = await theHouse()
  if (!callers) throw new Error('The server has routes.')
  return { ...installation, files, server, callers, publicUrl: 'http://shop.test' }
}

/** Exports a shop to a new folder in a folder. */
export async function exportTo(folder: string, { store }: Pick<Shop, 'store'>): Promise<string> {
  const path = await mkdtemp(join(folder, 'bundle-'))
  await exportBundle(await bundleParts(), store.hash, new FolderTarget(path))
  return path
}

/** The rows of each kind in a bundle, without ids and times. A reference is the position of the other row in its list. */
export async function contentOf(bundle: StoreBundle): Promise<Record<string, unknown[]>> {
  const rows = new Map<string, Row[]>()
  const positions = new Map<string, string>()
  const number = (kind: string, id: unknown, at: string) => positions.set(`${kind} ${id}`, at)
  for (const kind of kinds) {
    const found: Row[] = []
    for await (const row of bundle.rows(folderOf(kind))) found.push(row)
    rows.set(kind.name, found)
    for (const [i, row] of found.entries()) number(kind.name, idOf(kind, row), `${kind.name} ${i}`)
  }
  for (const [i, product] of (rows.get('products') ?? []).entries()) {
    for (const part of ['variants', 'modifiers']) {
      for (const [j, one] of listIn(product[part]).entries()) number(part, one.id, `${part} ${i} ${j}`)
    }
    for (const [j, value] of listIn(product.modifiers)
      .flatMap((one) => listIn(one.option_values))
      .entries())
      number('modifier-values', value.id, `values ${i} ${j}`)
  }
  for (const [i, { products, pickups, shipping_addresses }] of (rows.get('orders') ?? []).entries()) {
    const collected = listIn(pickups).flatMap(({ line_items }) => listIn(line_items))
    for (const [j, { id }] of [...collected, ...listIn(products)].entries())
      number('order-lines', id, `lines ${i} ${j}`)
    for (const [j, { id }] of listIn(shipping_addresses).entries()) number('order-addresses', id, `addresses ${i} ${j}`)
  }
  const isNoRow = (id: unknown) => id === null || id === '' || id === '*' || Number(id) <= 0
  const placed = (kind: string, id: unknown) => (isNoRow(id) ? id : (positions.get(`${kind} ${id}`) ?? 'unknown'))
  return Object.fromEntries(
    kinds.map((kind) => {
      const more = {
        ...(kind.name === 'products' ? { 'related_products[]': 'products' } : {}),
        ...(kind.under ? { $under: kind.under.kind } : {}),
      }
      const named = (row: Row) => changeRefs({ refs: more }, changeRefs(kind, row, placed), placed)
      return [kind.name, (rows.get(kind.name) ?? []).map((row) => plain(named(row)))]
    }),
  )
}

const ID = /^(?:id|uuid|.*_ids?|.*_uuids?|token)$/
const TIME = /^(?:date_.*|.*_at|created|modified|last_updated)$/

/** A value without ids and times; references are texts with a position. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([field, each]) => !TIME.test(field) && (!ID.test(field) || / \d/.test(String(each))))
      // The internal name of an option has the time and the id of its creation.
      .filter(([field, each]) => field !== 'name' || !/\d{10}-\d+$/.test(String(each)))
      .map(([field, each]) => [field, plain(each)]),
  )
}

const listIn = (value: unknown): Row[] => (Array.isArray(value) ? value : [])

/** A picture of one pixel. Each shade has other bytes. */
export const png = (shade: number) =>
  Buffer.concat([
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    // Bytes behind the end of a picture are allowed, and make another file.
    Buffer.from([shade]),
  ])

/** Sends a change that must succeed. @returns the resource, without the envelope of `/v3` */
export async function made(
  shop: Shop,
  method: 'POST' | 'PUT',
  path: string,
  body: object,
  version: 'v2' | 'v3' = 'v3',
) {
  const { status, body: answered } = await shop.call(method, path, body, { version })
  expect(status, JSON.stringify(answered)).toBeLessThan(300)
  return version === 'v2' ? answered : answered?.data
}
