import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Row, StoreBundle } from '../bundle.ts'
import { folderOf } from '../export.ts'
import { type BundleKind, rowsIn } from '../kinds/kind.ts'
import { kinds } from '../kinds/kinds.ts'
import { idOf } from '../lists.ts'
import { WAYS } from './ways.ts'

/** A row that was created, changed or deleted between two bundles of a store. */
export interface RowChange {
  kind: BundleKind
  /** Its id in the store, or the values that identify it. */
  id: string
  /** The row as it was; undefined for a new one. */
  before?: Row | undefined
  /** The row as it is; undefined for a deleted one. */
  after?: Row | undefined
}

/** Variants are parts of their products in a bundle, and have a path of their own. */
export const VARIANTS: BundleKind = {
  name: 'variants',
  area: 'catalog',
  list: '/v3/catalog/variants',
  paging: 'ids',
  under: { kind: 'products' },
  pictures: ['image_url'],
  create: { path: '/v3/catalog/products/{under}/variants' },
}

/** The kinds of a bundle, and the variants behind their products. */
const comparedKinds = kinds.flatMap((kind) => (kind.name === 'products' ? [kind, VARIANTS] : [kind]))

/**
 * The changes of a store between two bundles of it, in the order of the kinds. Variants of products that were created or deleted are left out:
 * they are created and deleted with their products. Of the rows that did not change, only digests are in memory.
 */
export async function changesBetween(before: StoreBundle, after: StoreBundle): Promise<RowChange[]> {
  const changes: RowChange[] = []
  const products = new Set<string>()
  for (const kind of comparedKinds) {
    const found = await changesOf(kind, before, after)
    if (kind.name === 'products')
      for (const one of found) if (one.before === undefined || one.after === undefined) products.add(one.id)
    const isOfProduct = ({ before, after }: RowChange) => products.has(String((after ?? before)?.$under))
    changes.push(...(kind === VARIANTS ? found.filter((one) => !isOfProduct(one)) : found))
  }
  return changes
}

async function changesOf(kind: BundleKind, before: StoreBundle, after: StoreBundle): Promise<RowChange[]> {
  const former = new Map<string, string>()
  for await (const row of rowsOf(kind, before)) former.set(identityOf(kind, row), digestOf(row))
  const changed = new Map<string, RowChange>()
  for await (const row of rowsOf(kind, after)) {
    const id = identityOf(kind, row)
    if (former.get(id) !== digestOf(row)) changed.set(id, { kind, id, after: row })
    former.delete(id)
  }
  for await (const row of rowsOf(kind, before)) {
    const id = identityOf(kind, row)
    const change = changed.get(id)
    if (change) change.before = row
    else if (former.has(id)) changed.set(id, { kind, id, before: row })
  }
  return [...changed.values()]
}

async function* rowsOf(kind: BundleKind, bundle: StoreBundle): AsyncGenerator<Row> {
  if (kind !== VARIANTS) return yield* bundle.rows(folderOf(kind))
  for await (const { id, variants } of bundle.rows('catalog/products'))
    for (const variant of rowsIn(variants)) {
      // The variant of a product without options has the values of the product.
      if (rowsIn(variant.option_values).length > 0) yield { $under: id, ...variant }
    }
}

/** The id of a row; of one without an id its identifying fields, or all of it. */
export function identityOf(kind: BundleKind, row: Row): string {
  const fields = WAYS[kind.name]?.identity
  return fields ? fields.map((field) => String(row[field])).join(' ') : String(idOf(kind, row) ?? digestOf(row))
}

const digestOf = (row: Row) => hash('sha256', JSON.stringify(row), 'base64url')

/** Whether two values mean the same: lists of ids have no order, and a missing value is null. */
export function isSame(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right) && [...left, ...right].every((each) => typeof each === 'number'))
    return isDeepStrictEqual(left.toSorted(), right.toSorted())
  return isDeepStrictEqual(left ?? null, right ?? null)
}
