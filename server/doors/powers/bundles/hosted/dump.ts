import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../../../core/objects.ts'
import { randomIds } from '../../../../core/secrets/ids.ts'
import { FolderRows, FolderTarget, PROGRESS_FILE } from '../bundle.ts'
import { type Counts, exportStore } from '../export.ts'
import type { BundleArea } from '../kinds/kind.ts'
import { OMITTED } from '../kinds/kinds.ts'
import { hostedApi } from './hosted-api.ts'

interface HostedDump {
  /** The address of the store. */
  url: string
  token: string
  /** The address of its companion API, if it is not `/b2b` of the same server. */
  companionUrl?: string | undefined
  folder: string
  areas?: readonly BundleArea[] | undefined
  progress?: ((kind: string, rows: number) => void) | undefined
  onPause?: ((seconds: number) => void) | undefined
  signal?: AbortSignal | undefined
}

/**
 * Writes a bundle of a store at another server to a folder. An interrupted dump continues: kinds that are complete, and pictures, are not
 * read again.
 * @returns the rows of each kind, and data that no bundle has
 * @throws HostedFault, ListFault
 */
export async function dumpHosted({ url, token, companionUrl, folder, areas, progress, onPause, signal }: HostedDump) {
  const address = url.replace(/\/+$/, '')
  if (!/^https?:\/\/[^/]+\/stores\/[^/]+$/.test(address))
    throw new Error('The address of a store is like https://api.example.com/stores/abc123.')
  await mkdir(folder, { recursive: true })
  const former = await jsonIn(folder, 'manifest.json')
  if (former !== undefined && former.source !== address)
    throw new Error(`${folder} has a bundle of ${String(former.source)}. Name another folder.`)
  const target = new FolderTarget(folder)
  const api = hostedApi({ url: address, token, companionUrl, onPause, signal })
  const id = typeof former?.id === 'string' ? former.id : randomIds.fileName()
  const done = await jsonIn(folder, PROGRESS_FILE)
  const there = new FolderRows(folder)
  const rows: Counts = await exportStore(api, target, {
    source: address,
    id,
    now: new Date(),
    areas,
    progress,
    resume: {
      done: isObject(done?.rows) ? countsIn(done.rows) : {},
      files: async (kind) => (await there.names(kind)).length,
      kept: (kind) => there.rows(kind),
      discard: (kind) => there.discard(kind),
      record: (counts) => target.write(PROGRESS_FILE, Buffer.from(JSON.stringify({ rows: counts }))),
    },
  })
  const end = await jsonIn(folder, 'end.json')
  return { folder, rows, lost_pictures: Number(end?.lost_pictures ?? 0), omitted: OMITTED }
}

const countsIn = (rows: Record<string, unknown>): Counts =>
  Object.fromEntries(Object.entries(rows).map(([kind, count]) => [kind, Number(count)]))

async function jsonIn(folder: string, name: string): Promise<Record<string, unknown> | undefined> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
  const value: unknown = text === undefined ? undefined : JSON.parse(text)
  return isObject(value) ? value : undefined
}
