import { buffer } from 'node:stream/consumers'
import type { Db } from '../../../core/db/database.ts'
import type { Files } from '../../../core/files/files.ts'
import { Archive } from '../bundle/archive.ts'
import type { ThemeRow } from '../shape.ts'
import { stockFiles } from '../stock.ts'

/** Longer files are not read: nobody reads them on a page. */
const TEXT_MAX = 256 * 1024

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
  { archive }: Pick<ThemeRow, 'archive'>,
  path: string,
): Promise<string | null | undefined> {
  if (archive === null) {
    const found = (await stockFiles()).find((file) => file.path === path)
    if (!found) return undefined
    const opened = await found.open()
    return textOf(Buffer.isBuffer(opened) ? opened : await buffer(opened))
  }
  return files.lend(db.store, archive, (place) =>
    Archive.reading(place, async (opened) => {
      const found = opened.files.find((file) => file.path === path)
      if (!found) return undefined
      return found.size > TEXT_MAX ? null : textOf(await buffer(await opened.stream(found)))
    }),
  )
}

function textOf(bytes: Buffer): string | null {
  if (bytes.length > TEXT_MAX || bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
