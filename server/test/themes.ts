import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import { sql } from '../core/db/sql.ts'
import { readBundle } from '../themes/bundle/bundle.ts'
import { pack } from '../themes/bundle/pack.ts'
import { repack } from '../themes/bundle/repack.ts'
import { downloadRunner } from '../themes/download.ts'
import { stockFiles } from '../themes/stock.ts'
import { uploadRunner } from '../themes/upload.ts'
import { doJobs } from './jobs.ts'
import { form, type Shop, theHouse } from './shop.ts'
import { dbOf } from './webhooks.ts'

const activeTheme = {
  active_theme_uuid: '7d0f36c0-0f4b-4d3e-9d0a-6c1f1f1b1a01',
  active_theme_configuration_uuid: '7d0f36c0-0f4b-4d3e-9d0a-6c1f1f1b1a02',
  active_theme_version_uuid: '7d0f36c0-0f4b-4d3e-9d0a-6c1f1f1b1a03',
  saved_theme_configuration_uuid: '7d0f36c0-0f4b-4d3e-9d0a-6c1f1f1b1a02',
}

/** Gives a channel a theme that is nowhere, whatever the channel is. */
export async function activate(shop: Shop, channel_id: number) {
  const row = { store_id: shop.store.id, channel_id, ...activeTheme }
  await (await dbOf(shop)).transaction((tx) =>
    tx.rows(sql`insert into active_themes ${sql.rows([row])} on conflict do nothing`),
  )
}

let bundle: Promise<Buffer> | undefined

/** The archive of a theme that can be uploaded: that of every store. */
export const themeBundle = (): Promise<Buffer> => {
  bundle ??= stockFiles().then((files) => buffer(Readable.from(pack(files))))
  return bundle
}

/** Uploads an archive. Its job waits for `doThemeJobs`. @returns the id of the job */
export async function uploadBundle(shop: Shop, bytes?: Buffer): Promise<string> {
  const { status, body, text } = await shop.call(
    'POST',
    '/themes',
    undefined,
    form('file', 'theme.zip', bytes ?? (await themeBundle())),
  )
  if (status !== 201) throw new Error(`The upload is answered with ${status}: ${text}`)
  return body.job_id
}

/** Does the jobs of themes that wait. */
export async function doThemeJobs() {
  const { files } = await theHouse()
  await doJobs([uploadRunner(files, readBundle), downloadRunner(files, repack)])
}

interface MadeTheme {
  uuid: string
  version: string
  variation: string
}

const made = new WeakMap<Shop, Promise<MadeTheme>>()

/** A private theme of a shop, which is made at the first call. */
export function makeTheme(shop: Shop): Promise<MadeTheme> {
  const known = made.get(shop) ?? uploadTheme(shop)
  made.set(shop, known)
  return known
}

/** Uploads a theme, and has it made. */
export async function uploadTheme(shop: Shop, bytes?: Buffer): Promise<MadeTheme> {
  const id = await uploadBundle(shop, bytes)
  await doThemeJobs()
  const { body } = await shop.call('GET', `/themes/jobs/${id}`)
  if (body.data.status !== 'COMPLETED') throw new Error(`The theme was not made: ${JSON.stringify(body.data)}`)
  const { theme_id } = body.data.result
  const theme = (await shop.call('GET', `/themes/${theme_id}`)).body.data
  const { version_uuid } = await (await dbOf(shop)).row<{ version_uuid: string }>(
    sql`select version_uuid from themes where store_id = ${shop.store.id} and uuid = ${theme_id}`,
  )
  return { uuid: theme_id, version: version_uuid, variation: theme.variations[0].uuid }
}

/** The archive of a theme that can be uploaded, but for these files: others in place of its own, or null for none. */
export async function bundleOf(changes: Readonly<Record<string, string | Buffer | null>>): Promise<Buffer> {
  const others = Object.entries(changes).flatMap(([path, text]) =>
    text === null ? [] : [{ path, open: async () => Buffer.from(text) }],
  )
  const kept = (await stockFiles()).filter(({ path }) => changes[path] === undefined)
  return buffer(Readable.from(pack([...kept, ...others])))
}

/** What is in an archive, by path. */
export async function files(archive: Buffer): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  const zip = await fromBufferPromise(archive, { lazyEntries: true })
  for await (const entry of zip.eachEntry()) {
    found.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  }
  return found
}
