import type { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { parse as parseWhole } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { Problem } from '../../../core/rest/problem.ts'
import { type RedirectRow, TARGET_TYPES } from '../rows.ts'

// The form of imported and exported files (docs/contract/redirects.md section 5).

const HEADER = ['Domain', 'Old Path', 'Manual URL/Path', 'Dynamic Target Type', 'Dynamic Target ID'] as const
const TARGET_HEADER = 'Dynamic Target URL'
const HEADER_BYTES_MAX = 1_024
/** Characters of a row: more than a domain, a path and an address of the longest kind. */
const ROW_LENGTH_MAX = 8_192
const DELIMITERS = ['\r\n', '\n', '\r']
/** Spreadsheets run a cell that begins so. Exports put an apostrophe before it, and imports remove that. */
const ESCAPED_CELL = /^'(?=[=+\-@\t\r])/

const TYPES = TARGET_TYPES.filter((type) => type !== 'url')

/** A row of a file. The header is row 1. */
export interface CsvRow {
  row: number
  cells: string[]
}

/** A file that can't be read any further. */
export class UnreadableCsv extends Error {
  readonly row: number

  constructor(row: number, sentence: string) {
    super(sentence)
    this.row = row
  }
}

/** Passes the bytes of a file on. @throws Problem 400 if its first line is no header of redirects */
export async function* checkingHeader(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (head) {
      head = Buffer.concat([head, chunk.subarray(0, HEADER_BYTES_MAX)])
      if (head.length >= HEADER_BYTES_MAX || /[\r\n]/.test(head.toString('latin1'))) {
        refuseHeader(head)
        head = undefined
      }
    }
    yield chunk
  }
  if (head) refuseHeader(head)
}

function refuseHeader(head: Buffer) {
  const [line = ''] = head.toString().split(/[\r\n]/)
  let cells: string[] = []
  try {
    ;[cells = []] = parseWhole(line, { bom: true, trim: true, relax_quotes: true })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
  }
  const isKnown = HEADER.every((name, i) => cells[i] === name)
  if (isKnown && (cells.length === HEADER.length || (cells.length === 6 && cells[5] === TARGET_HEADER))) return
  throw new Problem(400, `The file must be CSV with the header ${HEADER.join(',')}.`)
}

/**
 * Reads the rows of a file behind its header, as they arrive. Blank lines count as rows and are left out.
 * @throws UnreadableCsv
 */
export async function* readRows(file: Readable): AsyncGenerator<CsvRow> {
  let unreadable: UnreadableCsv | undefined
  let row = 0
  const parser = parse({
    bom: true,
    record_delimiter: DELIMITERS,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: ROW_LENGTH_MAX,
    // An error of the parser would lose the rows before it that nobody has read yet.
    skip_records_with_error: true,
    on_skip(error) {
      unreadable ??= new UnreadableCsv(row + 1, sentenceOf(error))
      return undefined
    },
    on_record: (cells) => (unreadable ? null : [String(++row), ...cells]),
  })
  // A pipe doesn't pass errors on.
  file.once('error', (error) => parser.destroy(error))
  file.pipe(parser)
  try {
    for await (const read of parser) {
      if (!isCells(read)) continue
      const [number, ...cells] = read
      if (number !== '1' && cells.some((cell) => cell !== '')) yield { row: Number(number), cells }
    }
  } finally {
    file.destroy()
  }
  if (unreadable) throw unreadable
}

const isCells = (record: unknown): record is string[] => Array.isArray(record)

function sentenceOf(error: CsvError | undefined): string {
  if (error?.code === 'CSV_MAX_RECORD_SIZE')
    return `The row has more than ${ROW_LENGTH_MAX} characters, or a quote does not end.`
  return 'A quote of the row does not end.'
}

/** A redirect as a row describes it, without its site. */
interface ReadRow {
  domain: string
  from_path: string
  to: { type: RedirectRow['type']; entity_id: number; url: string }
}

/** Reads a row. @returns the sentence that says why it is refused */
export function readRow({ cells }: CsvRow): ReadRow | string {
  if (cells.length < HEADER.length || cells.length > HEADER.length + 1) {
    return `The row has ${cells.length} columns, not ${HEADER.length}.`
  }
  const [domain = '', from_path = '', url = '', type = '', id = ''] = cells.map((cell) =>
    cell.replace(ESCAPED_CELL, ''),
  )
  if (from_path === '') return 'The row has no Old Path.'
  if (type === '') {
    if (url === '') return 'The row has no target.'
    return { domain, from_path, to: { type: 'url', entity_id: 0, url } }
  }
  if (url !== '') return 'The row has a manual and a dynamic target.'
  const known = TYPES.find((one) => one === type.trim().toLowerCase())
  if (!known) return `${JSON.stringify(type)} is no type of targets.`
  if (!/^[1-9]\d{0,8}$/.test(id.trim())) return 'Dynamic Target ID must be an id.'
  return { domain, from_path, to: { type: known, entity_id: Number(id), url: '' } }
}

/** The header of a file. */
export const headerLine = (withTargets: boolean): string =>
  stringify([withTargets ? [...HEADER, TARGET_HEADER] : [...HEADER]])

/** Writes rows. @param target the present addresses of the targets; undefined without their column */
export const rowsOfRedirects = (
  redirects: readonly { domain: string; redirect: RedirectRow; target: string | undefined }[],
): string =>
  stringify(
    redirects.map(({ domain, redirect: { from_path, type, entity_id, url }, target }) => [
      domain,
      from_path,
      url,
      ...(type === 'url' ? ['', ''] : [capitalizedType(type), String(entity_id)]),
      ...(target === undefined ? [] : [target]),
    ]),
    { escape_formulas: true },
  )

const capitalizedType = (type: string) => type.charAt(0).toUpperCase() + type.slice(1)
