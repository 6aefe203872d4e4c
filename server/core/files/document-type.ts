// Kinds of documents and pictures by their content, never by their name. A kind is accepted if a reader of its format would open the
// file. Documents are only downloaded, never rendered, so their structure is not validated.

/** The parts of a file that identify it. */
export interface FileEnds {
  /** Its first bytes, at most `ENDS_BYTES`. */
  head: Buffer
  /** Its last bytes, at most `ENDS_BYTES`. */
  tail: Buffer
  size: number
}

const ENDS_BYTES = 65_536
/** Pieces of a body that are kept for its end. More of them are copied into one. */
const PIECES_MAX = 64

/** The texts of each kind at their offsets, as Latin-1. */
const SIGNATURES: readonly (readonly [kind: string, ...texts: (readonly [offset: number, text: string])[]])[] = [
  ['png', [0, '\x89PNG\r\n\x1a\n']],
  ['jpg', [0, '\xff\xd8\xff']],
  ['gif', [0, 'GIF87a']],
  ['gif', [0, 'GIF89a']],
  ['bmp', [0, 'BM'], [6, '\0\0\0\0']],
  ['ico', [0, '\0\0\x01\0']],
  ['tif', [0, 'II*\0']],
  ['tif', [0, 'MM\0*']],
  ['webp', [0, 'RIFF'], [8, 'WEBP']],
  ['pdf', [0, '%PDF-']],
]
/** The entry of a document in a ZIP archive, and the stream of one in a compound file. */
const IN_ARCHIVES = { 'word/document.xml': 'docx', 'xl/workbook.xml': 'xlsx' } as const
const IN_COMPOUNDS = { WordDocument: 'doc', Workbook: 'xls', Book: 'xls' } as const
const MARKUP = /^\s*<[a-z!?/]/i

/** The kind of a file, such as `pdf`; undefined for all others, for example HTML under the name of a picture. */
export function documentKind({ head, tail, size }: FileEnds): string | undefined {
  const begin = head.toString('latin1')
  const signed = SIGNATURES.find(([, ...texts]) => texts.every(([offset, text]) => begin.startsWith(text, offset)))
  if (signed) return signed[0]
  const ends = `${begin}${tail.toString('latin1')}`
  if (begin.startsWith('PK\x03\x04')) return within(IN_ARCHIVES, (name) => ends.includes(name))
  if (begin.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) {
    return within(IN_COMPOUNDS, (name) => ends.includes(Buffer.from(name, 'utf16le').toString('latin1')))
  }
  return isWirelessBitmap(head, size) ? 'wbmp' : textKind(head, tail)
}

const within = (kinds: Readonly<Record<string, string>>, has: (name: string) => boolean): string | undefined =>
  Object.entries(kinds).find(([name]) => has(name))?.[1]

/** Two zeros, width and height in groups of seven bits, and exactly the bits of the picture. */
function isWirelessBitmap(head: Buffer, size: number): boolean {
  if (head.length < 5 || head[0] !== 0 || head[1] !== 0) return false
  const width = groupsOfSeven(head, 2)
  const height = width && groupsOfSeven(head, width.end)
  return height !== undefined && size === height.end + Math.ceil((width?.value ?? 0) / 8) * height.value
}

function groupsOfSeven(bytes: Buffer, start: number): { value: number; end: number } | undefined {
  let value = 0
  for (let at = start; at < Math.min(start + 4, bytes.length); at++) {
    const byte = bytes.readUInt8(at)
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return value > 0 ? { value, end: at + 1 } : undefined
  }
  return undefined
}

/** SVG, XBM and CSV are texts. */
function textKind(head: Buffer, tail: Buffer): string | undefined {
  if (!isText(head) || !isText(tail)) return undefined
  const text = head.toString('utf8').replace(/^\uFEFF/, '')
  if (/^\s*#define\s+\w+_width\s+\d+/.test(text)) return 'xbm'
  if (MARKUP.test(text)) return isSvg(text) ? 'svg' : undefined
  const [line = ''] = text.split(/\r?\n/)
  return /[,;\t]/.test(line) ? 'csv' : undefined
}

/** Whether a text is an SVG element behind declarations and comments. A loop, since an expression could take exponential time. */
function isSvg(text: string): boolean {
  let rest = text.trimStart()
  for (;;) {
    const comment = rest.startsWith('<!--') ? rest.indexOf('-->') + 3 : 0
    const declaration = comment > 3 ? comment : (/^<(?:\?xml|!doctype svg)\b[^>]*>/i.exec(rest)?.[0].length ?? 0)
    if (declaration === 0) return /^<svg[\s>]/i.test(rest)
    rest = rest.slice(declaration).trimStart()
  }
}

/** A character may be cut at either end of a part, so its bytes are not validated as UTF-8. */
const isText = (bytes: Buffer): boolean =>
  !bytes.some((byte) => byte === 0x7f || (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13))

/** Passes bytes on, and reports the parts that identify them when they end. */
export async function* watchingEnds(
  bytes: AsyncIterable<Uint8Array>,
  report: (ends: FileEnds) => void,
): AsyncGenerator<Uint8Array> {
  let head = Buffer.alloc(0)
  // Only the last pieces are copied, and only once.
  let last: Uint8Array[] = []
  let kept = 0
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (head.length < ENDS_BYTES) head = Buffer.concat([head, chunk.subarray(0, ENDS_BYTES - head.length)])
    last.push(chunk)
    kept += chunk.length
    for (; kept - (last[0]?.length ?? 0) >= ENDS_BYTES; last.shift()) kept -= last[0]?.length ?? 0
    if (last.length > PIECES_MAX) last = [Buffer.concat(last)]
    yield chunk
  }
  report({ head, tail: Buffer.concat(last).subarray(-ENDS_BYTES), size })
}
