import type { Store } from '../../db/database.ts'

// Rows keep the path of a stored picture, and answers have its address: PUBLIC_URL is a setting of a process, and may change or be
// wrong. A picture that lies elsewhere is kept by its address.

/** The path of a file below the address of the server. Rows keep stored pictures in this form. */
export const pathOfFile = ({ hash }: Pick<Store, 'hash'>, name: string): string => `${folderOf(hash)}${name}`

const folderOf = (hash: string) => `/files/${hash}/`

/** The address of a picture as clients see it. @param kept a path, or an address elsewhere, or nothing */
export const addressOfPicture = (publicUrl: string, kept: string): string =>
  kept.startsWith('/') ? publicUrl + kept : kept

/** Whether a given address is that of the picture that is kept: its path may stand behind any PUBLIC_URL of the past. */
export const isSamePicture = (given: string, kept: string): boolean =>
  given === kept || (kept.startsWith('/files/') && given.endsWith(kept))

/** The fields of answers in which stored pictures are. */
const FIELDS: ReadonlySet<string> = new Set([
  'image_url',
  'url_zoom',
  'url_standard',
  'url_thumbnail',
  'url_tiny',
  'logo_image_url',
  'favicon_url',
])
const LONGEST = Math.max(...[...FIELDS].map(({ length }) => length))

/** Which answers of a route have pictures: all, or those that include one of these parts. */
interface Pictured {
  always: boolean
  parts: ReadonlySet<string>
}

/** @param includes the parts that requests can ask for */
export function picturesIn(response: unknown, includes: readonly string[]): Pictured {
  const pictured = { always: false, parts: new Set<string>() }
  const walk = (schema: unknown, part: string | undefined) => {
    if (typeof schema !== 'object' || schema === null) return
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword !== 'properties' || typeof value !== 'object') {
        walk(value, part)
        continue
      }
      for (const [field, below] of Object.entries(value ?? {})) {
        if (FIELDS.has(field) && part === undefined) pictured.always = true
        else if (FIELDS.has(field) && part !== undefined) pictured.parts.add(part)
        walk(below, part ?? (includes.includes(field) ? field : undefined))
      }
    }
  }
  walk(response, undefined)
  return pictured
}

/**
 * Completes the paths of stored pictures in the JSON of an answer. A text that a client wrote can't be taken for one: quotes in
 * it are escaped, and fields of these names hold addresses only.
 */
export function withAddresses(json: Buffer, { hash }: Pick<Store, 'hash'>, publicUrl: string): Buffer {
  const folder = folderOf(hash)
  const pieces: Uint8Array[] = []
  const base = Buffer.from(publicUrl)
  let written = 0
  for (let at = json.indexOf(folder); at >= 0; at = json.indexOf(folder, at + folder.length)) {
    if (!isBehindKey(json, at)) continue
    pieces.push(json.subarray(written, at), base)
    written = at
  }
  return written === 0 ? json : Buffer.concat([...pieces, json.subarray(written)])
}

const QUOTE = 0x22
const COLON = 0x3a
const BLANK = 0x20

/** Whether a text that begins at this place is the value of such a field. JSON of the database has a blank behind the colon. */
function isBehindKey(json: Buffer, at: number): boolean {
  if (json[at - 1] !== QUOTE) return false
  const colon = json[at - 2] === BLANK ? at - 3 : at - 2
  const end = colon - 1
  if (json[colon] !== COLON || json[end] !== QUOTE) return false
  let start = end
  while (start > 0 && json[start - 1] !== QUOTE && end - start < LONGEST) start--
  return json[start - 1] === QUOTE && FIELDS.has(json.toString('latin1', start, end))
}
