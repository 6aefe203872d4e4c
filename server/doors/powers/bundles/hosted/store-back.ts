import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../../../core/db/database.ts'
import { isObject } from '../../../../core/objects.ts'
import { FolderTarget, openBundle } from '../bundle.ts'
import { AREAS, type BundleArea } from '../kinds/kind.ts'
import { type BundleParts, exportBundle, ImportRefusal } from '../store-bundles.ts'
import { findImported, storedIds } from '../stored-ids.ts'
import { sendBack } from './back.ts'
import { hostedApi } from './hosted-api.ts'

interface StoreBack {
  /** The bundle of the store that was written when both had the same data: right after the import, or by the last run. */
  since: string
  token: string
  /** The address of the companion API of the other server, if it is not `/b2b` of the same server. */
  companionUrl?: string | undefined
  /** The folder to which the bundle of the store as it is now is written: `since` of the next run. */
  to?: string | undefined
  areas?: readonly BundleArea[] | undefined
  isSent: boolean
  onPause?: ((seconds: number) => void) | undefined
}

/**
 * Sends the changes of an imported store to the server that it came from, or lists them.
 * @throws ImportRefusal for a store that did not come from a server, and for a bundle of another store; HostedFault, ImportFault, DamagedBundle
 */
export async function sendStoreBack(parts: BundleParts, db: Db, options: StoreBack) {
  const { since, token, companionUrl, to, isSent, onPause } = options
  const { hash } = db.store
  const source = (await findImported(db))?.source ?? ''
  if (!/^https?:/.test(source)) throw new ImportRefusal(`The rows of store ${hash} do not come from another server.`)
  const before = await openBundle(since)
  const folder = to ?? (await mkdtemp(join(tmpdir(), 'storeward-back-')))
  try {
    if (before.manifest.source !== hash) throw new ImportRefusal(`${since} is no bundle of store ${hash}.`)
    const areas = AREAS.filter(
      (area) => before.manifest.areas.includes(area) && (options.areas?.includes(area) ?? true),
    )
    await exportBundle(parts, hash, new FolderTarget(folder), { areas })
    const after = await openBundle(folder)
    const api = hostedApi({ url: source, token, companionUrl, onPause })
    const fieldsOf = await changeableFields(parts)
    const changes = await sendBack({ api, ids: storedIds(db), before, after, fieldsOf, areas, isSent })
    return { url: source, changes }
  } finally {
    await before.close()
    if (to === undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** The fields that `PUT` takes at a path, as the API document has them. Parameters may have other names in the document. */
export async function changeableFields({
  server,
}: Pick<BundleParts, 'server'>): Promise<(path: string) => ReadonlySet<string>> {
  const document: unknown = JSON.parse((await server.inject({ method: 'GET', url: '/openapi.json' })).body)
  const paths = objectAt(document, 'paths')
  const schemas = objectAt(document, 'components', 'schemas')
  const unnamed = (path: string) => path.replace(/\{\w+\}/g, '{}')
  const bodies = new Map(
    Object.entries(paths).map(([path, operations]) => [
      unnamed(path.replace('/stores/{store_hash}', '')),
      objectAt(operations, 'put', 'requestBody', 'content', 'application/json', 'schema'),
    ]),
  )
  const resolved = (schema: Record<string, unknown>) =>
    typeof schema.$ref === 'string' ? objectAt(schemas, schema.$ref.slice('#/components/schemas/'.length)) : schema
  return (path) => {
    const schema = resolved(bodies.get(unnamed(path)) ?? {})
    const row = schema.type === 'array' ? resolved(objectAt(schema, 'items')) : schema
    return new Set(Object.keys(objectAt(row, 'properties')))
  }
}

function objectAt(value: unknown, ...names: readonly string[]): Record<string, unknown> {
  const found = names.reduce<unknown>((one, name) => (isObject(one) ? one[name] : undefined), value)
  return isObject(found) ? found : {}
}
