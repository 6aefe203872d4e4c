import type { FastifyInstance } from 'fastify'
import type { Db } from '../../../core/db/database.ts'
import { readCounters } from '../../../core/rest/lists/counters.ts'
import { recordImportedMoney } from '../../../sales/orders/refunds/imported-money.ts'
import type { Callers } from '../../../stores/accounts/callers.ts'
import { type CopyParts, withCopy } from '../../../stores/forks/forks.ts'
import type { BundleTarget, StoreBundle } from './bundle.ts'
import { type BundleOptions, type Counts, exportStore } from './export.ts'
import { type Fixture, fixtureOf } from './fixture.ts'
import type { StoredId } from './imports/id-map.ts'
import { type ImportOptions, importBundle } from './imports/import.ts'
import type { ImportReport, MoneyRecorder } from './imports/work.ts'
import { localApi } from './store-api.ts'
import { findImported, storedIds, storeImported } from './stored-ids.ts'

/**
 * The way of a store out and in. Both use the API of the store: a bundle has what a client can read, and an import does what a client can do.
 * An export reads a copy of the store, which is deleted afterwards, so all lists are of one moment
 * (docs/decisions/159-exports-read-a-copy.md).
 */
export interface BundleParts extends CopyParts {
  server: Pick<FastifyInstance, 'inject'>
  callers: Pick<Callers, 'admit'>
  publicUrl: string
}

/** Writes the bundle of a store. @throws CopyRefusal for an unknown or incomplete store */
export function exportBundle(
  parts: BundleParts,
  hash: string,
  target: BundleTarget,
  { areas, progress }: Pick<BundleOptions, 'areas' | 'progress'> = {},
): Promise<Counts> {
  const options = { source: hash, id: parts.ids.fileName(), now: parts.clock.now(), areas, progress }
  return withCopy(parts, hash, async (db) => {
    const api = localApi(parts, { db, isStill: true })
    try {
      return await exportStore(api, target, options)
    } finally {
      api.end()
    }
  })
}

/** Reads the fixture of a store. @throws CopyRefusal for an unknown or incomplete store, FixtureRefusal for a large one */
export function exportFixture(parts: BundleParts, hash: string): Promise<Fixture> {
  return withCopy(parts, hash, async (db) => {
    const api = localApi(parts, { db, isStill: true })
    try {
      return await fixtureOf(api)
    } finally {
      api.end()
    }
  })
}

/** A store that has data, or rows of another bundle. */
export class ImportRefusal extends Error {}

/** Resources of which a new store has none. */
const DATA = ['products', 'brands', 'categories', 'customers', 'customer_groups', 'orders', 'price_lists', 'promotions']

/** Whether a store has data that an import of this bundle did not bring. */
export async function hasOtherData(db: Db, bundle: StoreBundle): Promise<boolean> {
  const former = await findImported(db)
  if (former) return former.id !== bundle.manifest.id
  const counters = await readCounters(db)
  return DATA.some((resource) => (counters.get(resource)?.total ?? 0) > 0)
}

/**
 * Brings a bundle into a store, or continues an interrupted import of the same bundle.
 * @param options overData: whether the store may have other data
 * @throws ImportRefusal for a store with other data, or with rows of another bundle; DamagedBundle; ImportFault
 */
export async function importInto(
  parts: BundleParts,
  db: Db,
  bundle: StoreBundle,
  { overData = false, ...options }: ImportOptions & { overData?: boolean } = {},
): Promise<ImportReport> {
  const { id, source } = bundle.manifest
  const former = await findImported(db)
  if (former && former.id !== id)
    throw new ImportRefusal(`The store ${db.store.hash} has rows of another bundle. Import this one into a new store.`)
  if (!overData && (await hasOtherData(db, bundle)))
    throw new ImportRefusal(`The store ${db.store.hash} has data. Import the bundle into a new store.`)
  const ids = storedIds(db)
  await storeImported(db, { id, source })
  const api = localApi(parts, { db })
  try {
    return await importBundle(bundle, { api, ids, recordMoney: moneyRecorder(db) }, options)
  } finally {
    api.end()
  }
}

/** Records the money of orders in the database of a store. */
export const moneyRecorder =
  (db: Db): MoneyRecorder =>
  ({ former, id }, money) =>
    db.transaction(async (tx) => {
      const { transactions, refunds } = await recordImportedMoney(tx, id, money)
      const ids = [
        { kind: 'order-money', old_id: String(former), new_id: String(id) },
        ...idsOf('order-transactions', transactions),
        ...idsOf('refunds', refunds),
      ]
      await storedIds(tx).store(ids)
      return ids
    })

const idsOf = (kind: string, ids: ReadonlyMap<number, number>): StoredId[] =>
  [...ids].map(([former, id]) => ({ kind, old_id: String(former), new_id: String(id) }))
