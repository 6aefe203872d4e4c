import { isObject } from '../../../../core/objects.ts'
import type { Row } from '../bundle.ts'
import { type BundleKind, rowsIn } from '../kinds/kind.ts'
import type { ImportWork } from './work.ts'

const FIRST_CHANNEL = 1

/**
 * Sites of channels. That of the first channel is there from the beginning. A site without an address of its own gets the one that its
 * new server gives to its channel (docs/contract/sites.md section 2).
 */
export async function importSites(work: ImportWork, kind: BundleKind, rows: AsyncIterable<Row>) {
  const listed = await work.send({ method: 'GET', path: '/v3/sites' })
  const sites = isObject(listed.body) ? rowsIn(listed.body.data) : []
  const first = sites.find(({ channel_id }) => channel_id === FIRST_CHANNEL)
  for await (const row of rows) {
    if (!work.ids.has(kind.name, row.id)) await importSite(work, kind, { row, first })
    if (work.ids.has(kind.name, row.id)) work.count(kind)
  }
}

interface Found {
  row: Row
  /** The site of the first channel of the store. */
  first: Row | undefined
}

async function importSite(work: ImportWork, kind: BundleKind, { row, first }: Found) {
  const channel_id = work.ids.find('channels', row.channel_id)
  const isFirst = channel_id === FIRST_CHANNEL && first !== undefined
  if (isFirst) work.ids.set(kind.name, row.id, first.id)
  if (isFirst && row.url === '') return
  const url = row.url === '' ? givenAddress(first, channel_id) : row.url
  const answer = isFirst
    ? await work.send({ method: 'PUT', path: `/v3/sites/${first.id}`, body: { url } })
    : await work.send({ method: 'POST', path: '/v3/sites', body: { channel_id, url } }, `sites ${row.id}`)
  if (answer.status >= 400) return work.refuse(kind, row.id, answer)
  const created = isObject(answer.body) && isObject(answer.body.data) ? answer.body.data : {}
  work.ids.set(kind.name, row.id, created.id)
}

/** The address that the server gives to a channel: `https://store-<hash>-<channel>.<domain>`. */
function givenAddress(first: Row | undefined, channel: unknown): string {
  const given = rowsIn(first?.urls).find(({ type }) => type === 'canonical')
  return String(given?.url ?? '').replace(/^(https?:\/\/[^./:]+)/, `$1-${channel}`)
}
