import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'
import { Archive, type PackedBytes } from './archive.ts'

const deflate = promisify(deflateRaw)

/** An archive that is to be written as another one, but for some files. */
export interface Repacking {
  from: string
  /** The path of the archive to write. Nothing is there yet. */
  to: string
  /** Texts by path, in place of the files that the archive has there. */
  replaced: Readonly<Record<string, string>>
}

/** A file that was written: its digest, SHA-256 in hex, and its bytes. */
export interface WrittenFile {
  digest: string
  size: number
}

const SIGNATURE = { local: 0x0403_4b50, central: 0x0201_4b50, end: 0x0605_4b50 }
/** Version 2.0, made on Unix: required for deflated files. */
const VERSION = 20
const MADE_BY = (3 << 8) | VERSION
const UTF8 = 0x800
const DEFLATED = 8
const ATTRIBUTES = (0o100_644 << 16) >>> 0
/** Noon of the first day of 2000, as DOS has it: the same files make the same archive. */
const TIME = 12 << 11
const DATE = ((2000 - 1980) << 9) | (1 << 5) | 1

/**
 * Writes an archive as another one has it. Files are copied as they are packed, so that it takes little more than a copy; only those
 * that are replaced are packed. Headers are written from the list of files of the other one.
 */
export function repack({ from, to, replaced }: Repacking): Promise<WrittenFile> {
  return Archive.reading(from, async (archive) => {
    const file = await open(to, 'wx')
    try {
      const digest = createHash('sha256')
      const writer = new ZipWriter(async (bytes) => {
        digest.update(bytes)
        await file.writeFile(bytes)
      })
      for (const one of archive.files) {
        const text = Object.hasOwn(replaced, one.path) ? replaced[one.path] : undefined
        await writer.add(one.path, text === undefined ? await archive.packed(one) : await packedText(text))
      }
      const size = await writer.end()
      await file.sync()
      return { digest: digest.digest('hex'), size }
    } finally {
      await file.close()
    }
  })
}

async function packedText(text: string): Promise<PackedBytes> {
  const bytes = Buffer.from(text)
  const packed = await deflate(bytes)
  return { method: DEFLATED, crc32: crc32(bytes), packedSize: packed.length, size: bytes.length, bytes: [packed] }
}

/** Writes a zip archive, without the fields for more than 65,535 files or 4 GiB: those that are copied have neither. */
class ZipWriter {
  readonly #write: (bytes: Buffer) => Promise<void>
  readonly #central: Buffer[] = []
  #at = 0

  constructor(write: (bytes: Buffer) => Promise<void>) {
    this.#write = write
  }

  async add(path: string, { method, crc32, packedSize, size, bytes }: PackedBytes) {
    const name = Buffer.from(path)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(VERSION, 0)
    common.writeUInt16LE(UTF8, 2)
    common.writeUInt16LE(method, 4)
    common.writeUInt16LE(TIME, 6)
    common.writeUInt16LE(DATE, 8)
    common.writeUInt32LE(crc32, 10)
    common.writeUInt32LE(packedSize, 14)
    common.writeUInt32LE(size, 18)
    common.writeUInt16LE(name.length, 22)
    const more = Buffer.alloc(14)
    more.writeUInt32LE(ATTRIBUTES, 6)
    more.writeUInt32LE(this.#at, 10)
    this.#central.push(Buffer.concat([uint32(SIGNATURE.central), uint16(MADE_BY), common, more, name]))
    await this.#put(Buffer.concat([uint32(SIGNATURE.local), common, name]))
    for await (const piece of bytes) await this.#put(piece)
  }

  /** @returns how large the archive is */
  async end(): Promise<number> {
    const start = this.#at
    const list = Buffer.concat(this.#central)
    await this.#put(list)
    const end = Buffer.alloc(18)
    end.writeUInt16LE(this.#central.length, 4)
    end.writeUInt16LE(this.#central.length, 6)
    end.writeUInt32LE(list.length, 8)
    end.writeUInt32LE(start, 12)
    await this.#put(Buffer.concat([uint32(SIGNATURE.end), end]))
    return this.#at
  }

  async #put(bytes: Buffer) {
    await this.#write(bytes)
    this.#at += bytes.length
  }
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
