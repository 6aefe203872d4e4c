import { extname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Db } from '../../../core/db/database.ts'
import type { Files } from '../../../core/files/files.ts'
import { Archive } from '../bundle/archive.ts'
import { findTheme, type ThemeRow } from '../shape.ts'
import { stockFiles } from '../stock.ts'

/** Longer files are not read: nobody reads them on a page. */
const TEXT_MAX = 256 * 1024
/** A page shows a picture in its JSON. */
const PICTURE_MAX = 2 * 1024 * 1024
/** Pictures by extension: the formats that archives of themes may have as screenshots. */
const PICTURES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
}

/** The archive of a theme as it was uploaded; undefined for the theme that comes with the server. @throws Problem 404 */
export async function uploadedArchive(db: Db, files: Pick<Files, 'read'>, uuid: string): Promise<Buffer | undefined> {
  const { archive } = await findTheme(db, uuid)
  return archive === null ? undefined : buffer(await files.read(db.store, archive))
}

/** A file of a theme. */
export interface ThemeFile {
  path: string
  /** Bytes; null for files of the stock theme, which come with the server. */
  size: number | null
}

/** The files of a theme, in the order of its archive. */
export async function filesOfTheme(db: Db, files: Files, { archive }: Pick<ThemeRow, 'archive'>): Promise<ThemeFile[]> {
  if (archive === null) return (await stockFiles()).map(({ path }) => ({ path, size: null }))
  return files.lend(db.store, archive, (place) =>
    Archive.reading(place, async (opened) => opened.files.map(({ path, size }) => ({ path, size }))),
  )
}

/**
 * The text of one file of a theme.
 * @returns undefined for an unknown path; null for a file that is longer than 256 KiB or is no text
 */
export async function textOfThemeFile(
  db: Db,
  files: Files,
  theme: Pick<ThemeRow, 'archive'>,
  path: string,
): Promise<string | null | undefined> {
  const bytes = await bytesOf(db, files, theme, { path, max: TEXT_MAX })
  return bytes && textOf(bytes)
}

/**
 * A picture of a theme, such as a screenshot.
 * @returns undefined for an unknown path; null for a file that is larger than 2 MiB or is no picture
 */
export async function pictureOfThemeFile(
  db: Db,
  files: Files,
  theme: Pick<ThemeRow, 'archive'>,
  path: string,
): Promise<{ type: string; bytes: Buffer } | null | undefined> {
  const type = PICTURES[extname(path).toLowerCase()]
  const bytes = await bytesOf(db, files, theme, { path, max: type === undefined ? 0 : PICTURE_MAX })
  if (bytes === undefined) return undefined
  return bytes !== null && type !== undefined ? { type, bytes } : null
}

/** @returns undefined for an unknown path; null for a file of more than `max` bytes */
async function bytesOf(
  db: Db,
  files: Files,
  { archive }: Pick<ThemeRow, 'archive'>,
  { path, max }: { path: string; max: number },
): Promise<Buffer | null | undefined> {
  if (archive === null) {
    const found = (await stockFiles()).find((file) => file.path === path)
    if (!found) return undefined
    const opened = await found.open()
    const bytes = Buffer.isBuffer(opened) ? opened : await buffer(opened)
    return bytes.length > max ? null : bytes
  }
  return files.lend(db.store, archive, (place) =>
    Archive.reading(place, async (opened) => {
      const found = opened.files.find((file) => file.path === path)
      if (!found) return undefined
      return found.size > max ? null : buffer(await opened.stream(found))
    }),
  )
}

function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
