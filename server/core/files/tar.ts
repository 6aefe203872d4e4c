import type { FileHandle } from 'node:fs/promises'

// Archives in the ustar format (POSIX.1-1988) with regular files only: `tar` lists and unpacks them
// (docs/decisions/158-tar-without-a-library.md).

const BLOCK = 512
/** The longest name that a header has without a prefix. */
const NAME_MAX = 100
const SIZE_MAX = 8 ** 11 - 1

/** A file of an archive, and the position of its bytes. */
export interface TarEntry {
  readonly name: string
  readonly size: number
  readonly offset: number
}

/** An archive that is malformed or was cut off. */
export class TarFault extends Error {}

/** The header of a file, which its bytes and `tarPadding` follow. @throws TarFault for a name or size that ustar does not have */
export function tarHeader(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > NAME_MAX || size > SIZE_MAX)
    throw new TarFault(`${name} does not fit into a tar archive.`)
  const header = Buffer.alloc(BLOCK)
  header.write(name, 0)
  header.write('0000644\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${octal(size, 11)}\0`, 124)
  header.write(`${octal(0, 11)}\0`, 136)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(`${octal(checksum(header), 6)}\0 `, 148)
  return header
}

/** The zeros behind the bytes of a file. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK)

/** The end of an archive. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * BLOCK)

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')

/** The sum of all bytes, with blanks in place of the sum itself. */
function checksum(header: Buffer): number {
  let sum = 0
  for (const [i, byte] of header.entries()) sum += i >= 148 && i < 156 ? 0x20 : byte
  return sum
}

/** Kinds of entries that other programs write beside files, and that have no meaning here: headers of pax, and folders. */
const IGNORED = new Set(['x', 'g', '5'])

/**
 * Lists the files of an archive by their headers: their bytes are not read.
 * @throws TarFault for links, devices, long names and sparse files, and for an archive without its end
 */
export async function* tarEntries(file: FileHandle): AsyncGenerator<TarEntry> {
  const { size: length } = await file.stat()
  const header = Buffer.alloc(BLOCK)
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(header, 0, BLOCK, at)
    if (bytesRead < BLOCK) throw new TarFault('The archive is cut off.')
    if (header.every((byte) => byte === 0)) return
    if (Number.parseInt(header.toString('latin1', 148, 156), 8) !== checksum(header))
      throw new TarFault('The archive is not a tar archive, or damaged.')
    const name = textOf(header, 0, NAME_MAX)
    const prefix = header.toString('latin1', 257, 262) === 'ustar' ? textOf(header, 345, 500) : ''
    const digits = textOf(header, 124, 136).trim()
    if (!/^[0-7]+$/.test(digits)) throw new TarFault(`The archive has no size for ${name}.`)
    const size = Number.parseInt(digits, 8)
    const kind = header.toString('latin1', 156, 157)
    const offset = at + BLOCK
    if (offset + size > length) throw new TarFault('The archive is cut off.')
    at = offset + Math.ceil(size / BLOCK) * BLOCK
    if (kind === '0' || kind === '\0') yield { name: prefix === '' ? name : `${prefix}/${name}`, size, offset }
    else if (!IGNORED.has(kind)) throw new TarFault(`The archive has an entry that is no file: ${name}.`)
  }
}

function textOf(header: Buffer, from: number, to: number): string {
  const end = header.indexOf(0, from)
  return header.toString('utf8', from, end < 0 || end > to ? to : end)
}
