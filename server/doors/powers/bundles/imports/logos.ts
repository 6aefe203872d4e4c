import type { Row } from '../bundle.ts'
import type { BundleKind } from '../kinds/kind.ts'
import { type ImportWork, isFileOfBundle } from './work.ts'

/** The uploads of a shop's pictures: the field with the address, and the part of the form. */
const PICTURES = [
  { field: 'logo_image_url', path: '/v3/settings/logo/image', part: 'LogoFile' },
  { field: 'favicon_url', path: '/v3/settings/favicon/image', part: 'FaviconFile' },
] as const

/** Logos of a store or of channels: the pictures come first, because the type `image` needs one. */
export async function importLogos(work: ImportWork, kind: BundleKind, rows: AsyncIterable<Row>) {
  for await (const row of rows) {
    const key = String(row.$under ?? 'store')
    if (!work.ids.has(kind.name, key)) await importLogo(work, kind, { row, key })
    work.count(kind)
  }
}

async function importLogo(work: ImportWork, kind: BundleKind, { row, key }: { row: Row; key: string }) {
  const { type, logo_text } = row
  const channel = kind.under ? work.ids.find(kind.under.kind, row.$under) : undefined
  // A channel without a logo of its own has nulls.
  if (type === null || (kind.under && channel === undefined)) return
  const query = channel === undefined ? '' : `?channel_id=${channel}`
  for (const { field, path, part } of PICTURES) {
    const name = row[field]
    if (isFileOfBundle(name)) await work.upload(kind, key, { path: `${path}${query}`, field: part, name })
  }
  const answer = await work.send({ method: 'PUT', path: `/v3/settings/logo${query}`, body: { type, logo_text } })
  if (answer.status >= 400) return work.refuse(kind, key, answer)
  work.ids.set(kind.name, key, '')
}
