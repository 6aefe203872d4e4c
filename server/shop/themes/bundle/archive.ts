import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import {
  type Entry,
  fromFdPromise,
  getFileNameLowLevel,
  type LocalFileHeader,
  parseExtraFields,
  type ZipFile,
} from 'yauzl'
import { BundleFault } from './faults.ts'
import { PathList, quotePath } from './paths.ts'

const MIB = 1024 * 1024

/** Limits of an archive (docs/contract/themes.md section 3). */
const BOUNDS = { entries: 10_000, bytes: 250 * MIB, fileBytes: 50 * MIB, ratio: 100 }
/** A small archive of texts may shrink to less than a hundredth: the ratio counts from here on. */
const RATIO_FROM = 4 * MIB
/** Files up to this size are unpacked at once: so it takes a tenth of the calls. */
const AT_ONCE_MAX = MIB
/** Of a larger file that many bytes are looked at. */
const HEAD_MAX = 64 * 1024
/** Unpacked side by side. */
const LANES = 2
/** Kinds of files in the upper bits of the attributes of an entry, as Unix has them; none from other systems. */
const KIND = { mask: 0o170_000, file: 0o100_000, folder: 0o040_000 }
/** An extra field of PKWARE that can hold the target of a link. */
const UNIX_FIELD = { id: 0x000d, bytes: 12 }
const STORED = 0
const DEFLATED = 8

const inflate = promisify(inflateRaw)

/** A file of an archive. */
export interface ArchiveFile {
  path: string
  size: number
}

/** Receives the content of a file, or its beginning if it is larger than 1 MiB. */
export type Visit = (file: ArchiveFile, bytes: Buffer) => void

/** A packed file: the values of its headers, and its bytes. */
export interface PackedBytes {
  method: number
  crc32: number
  packedSize: number
  size: number
  bytes: Iterable<Buffer> | AsyncIterable<Buffer>
}

/** A file where it lies in its archive. */
interface PackedFile extends ArchiveFile {
  entry: Entry
}

/** The list of an archive: its files, and the entries of its folders, which hold nothing. */
interface ArchiveList {
  files: readonly PackedFile[]
  folders: readonly Entry[]
}

/** An archive with a valid central directory. */
export class Archive {
  readonly #file: FileHandle
  readonly #zip: ZipFile
  readonly #files: readonly PackedFile[]
  readonly #byPath: ReadonlyMap<string, Entry>
  readonly #folders: readonly Entry[]
  readonly #size: number

  private constructor(file: FileHandle, zip: ZipFile, { files, folders }: ArchiveList, size: number) {
    this.#file = file
    this.#zip = zip
    this.#files = withoutEnclosingFolder(files)
    this.#byPath = new Map(this.#files.map(({ path, entry }) => [path, entry]))
    this.#folders = folders
    this.#size = size
  }

  /**
   * Opens an archive for some work, and validates its central directory: the number of files, their sizes, paths and positions.
   * @throws BundleFault
   */
  static async reading<T>(path: string, work: (archive: Archive) => Promise<T>): Promise<T> {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const zip = await fromFdPromise(file.fd, { lazyEntries: true, autoClose: false, decodeStrings: false }).catch(
        (error: Error) => {
          throw new BundleFault('TR-300', `The file is not a zip archive: ${error.message}.`)
        },
      )
      return await work(new Archive(file, zip, await filesIn(zip), size))
    } finally {
      await file.close()
    }
  }

  get files(): readonly ArchiveFile[] {
    return this.#files
  }

  /**
   * Unpacks all files in any order and passes each to `visit`. Limits apply to the real output, not to the sizes in the archive.
   * @param progress receives the finished part, from 0 to 1
   * @throws BundleFault TR-301 beyond a limit, and for damaged files
   */
  async unpack(visit: Visit, progress: (part: number) => void, signal?: AbortSignal) {
    const total = this.#files.reduce((sum, { size }) => sum + size, 0)
    let done = 0
    const count = (bytes: number) => {
      done += bytes
      if (done > BOUNDS.bytes) throw tooMuch()
      if (done > RATIO_FROM && done > this.#size * BOUNDS.ratio) throw tooDense()
    }
    for (const folder of this.#folders) {
      await asFault(nameOf(folder), async () => refuseContradiction(folder, await this.#localHeader(folder)))
    }
    const waiting = this.#files.values()
    let isOver = false
    const lane = async () => {
      try {
        for (const file of waiting) {
          if (isOver) return
          signal?.throwIfAborted()
          visit(file, await this.#unpackOne(file, count))
          progress(total === 0 ? 1 : done / total)
        }
      } finally {
        isOver = true
      }
    }
    // All of them have to end before the file is closed.
    const ends = await Promise.allSettled(Array.from({ length: LANES }, lane))
    const failure = ends.find((end) => end.status === 'rejected')
    if (failure) throw failure.reason
  }

  /** The bytes of one file. */
  stream(file: ArchiveFile) {
    return this.#zip.openReadStreamPromise(this.#entryOf(file))
  }

  /** One file as it is packed, for a copy. */
  async packed(file: ArchiveFile): Promise<PackedBytes> {
    const entry = this.#entryOf(file)
    const { fileDataStart } = await this.#localHeader(entry)
    return {
      method: entry.compressionMethod,
      crc32: entry.crc32,
      packedSize: entry.compressedSize,
      size: entry.uncompressedSize,
      bytes: this.#pieces(fileDataStart, entry.compressedSize),
    }
  }

  #entryOf({ path }: ArchiveFile): Entry {
    const entry = this.#byPath.get(path)
    if (!entry) throw new Error(`The archive has no file ${path}.`)
    return entry
  }

  async *#pieces(start: number, length: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < length; ) {
      const piece = Buffer.allocUnsafe(Math.min(MIB, length - at))
      const { bytesRead } = await this.#file.read(piece, 0, piece.length, start + at)
      if (bytesRead < piece.length) throw new Error('The archive ends too early.')
      yield piece
      at += bytesRead
    }
  }

  #unpackOne({ entry, path, size }: PackedFile, count: (bytes: number) => void): Promise<Buffer> {
    return asFault(path, async () => {
      const local = await this.#localHeader(entry)
      refuseContradiction(entry, local)
      const isSmall = size <= AT_ONCE_MAX && entry.compressedSize <= AT_ONCE_MAX
      const [bytes, sum] = isSmall ? await this.#whole(entry, local, count) : await this.#head(entry, count)
      if (sum !== entry.crc32) throw new Error('its checksum is wrong')
      return bytes
    })
  }

  #localHeader(entry: Entry): Promise<LocalFileHeader> {
    return this.#zip.readLocalFileHeaderPromise(entry, { minimal: false })
  }

  async #whole(
    entry: Entry,
    { fileDataStart }: LocalFileHeader,
    count: (bytes: number) => void,
  ): Promise<[Buffer, number]> {
    const packed = Buffer.allocUnsafe(entry.compressedSize)
    const { bytesRead } = await this.#file.read(packed, 0, packed.length, fileDataStart)
    if (bytesRead < packed.length) throw new Error('it ends too early')
    // One byte more than it says would be a lie, and is as far as it goes; in one piece, for each costs a turn of a thread.
    const most = entry.uncompressedSize + 1
    const bytes =
      entry.compressionMethod === STORED
        ? packed
        : await inflate(packed, { maxOutputLength: most, chunkSize: Math.max(64, most) })
    if (bytes.length !== entry.uncompressedSize) throw new Error('it is not as large as it says')
    count(bytes.length)
    return [bytes, crc32(bytes)]
  }

  async #head(entry: Entry, count: (bytes: number) => void): Promise<[Buffer, number]> {
    const head: Buffer[] = []
    let kept = 0
    let sum = 0
    for await (const chunk of await this.#zip.openReadStreamPromise(entry)) {
      count(chunk.length)
      sum = crc32(chunk, sum)
      if (kept < HEAD_MAX) head.push(chunk)
      kept += chunk.length
    }
    return [Buffer.concat(head), sum]
  }
}

/** Does work on an entry. @throws BundleFault TR-301 for any error that is not a fault by itself */
async function asFault<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BundleFault) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new BundleFault('TR-301', `The file ${quotePath(path)} cannot be unpacked: ${reason}.`)
  }
}

const tooMuch = () => new BundleFault('TR-301', `The unpacked archive has more than ${BOUNDS.bytes / MIB} MiB.`)
const tooDense = () =>
  new BundleFault('TR-301', `The unpacked archive is more than ${BOUNDS.ratio} times as large as the packed one.`)

/** The files that the central directory names. @throws BundleFault */
async function filesIn(zip: ZipFile): Promise<ArchiveList> {
  if (zip.entryCount > BOUNDS.entries) {
    throw new BundleFault('TR-301', `The archive has more than ${BOUNDS.entries} entries.`)
  }
  const paths = new PathList()
  const files: PackedFile[] = []
  const folders: Entry[] = []
  let bytes = 0
  for await (const entry of entriesOf(zip)) {
    const path = checkedPath(entry)
    paths.add(path)
    if (path.endsWith('/')) {
      folders.push(entry)
      continue
    }
    bytes += entry.uncompressedSize
    if (bytes > BOUNDS.bytes) throw tooMuch()
    files.push({ entry, path, size: entry.uncompressedSize })
  }
  refuseOverlaps([...folders, ...files.map(({ entry }) => entry)], zip.fileSize)
  return { files, folders }
}

async function* entriesOf(zip: ZipFile) {
  try {
    yield* zip.eachEntry()
  } catch (error) {
    if (error instanceof BundleFault) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new BundleFault('TR-300', `The list of files in the archive cannot be read: ${reason}.`)
  }
}

/**
 * Validates an entry.
 * @returns its path
 * @throws BundleFault
 */
function checkedPath(entry: Entry): string {
  const path = nameOf(entry)
  if (entry.isEncrypted()) throw new BundleFault('TR-300', `The file ${quotePath(path)} is encrypted.`)
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw new BundleFault('TR-300', `The file ${quotePath(path)} is packed by a method other than deflate.`)
  }
  const kind = (entry.externalFileAttributes >>> 16) & KIND.mask
  // The system that the archive claims does not matter: Unix and Darwin have numbers of their own, and readers follow the bits.
  const isOther = kind !== 0 && kind !== KIND.file && kind !== KIND.folder
  const target = entry.extraFields.find(({ id, data }) => id === UNIX_FIELD.id && data.length > UNIX_FIELD.bytes)
  if (isOther || target) {
    throw new BundleFault('TR-400', `The path ${quotePath(path)} is a link or a device, not a file.`)
  }
  if (path.endsWith('.map') && entry.uncompressedSize > 5 * MIB) {
    throw new BundleFault('TR-300', `The source map ${quotePath(path)} has more than 5 MiB.`)
  }
  if (entry.uncompressedSize > BOUNDS.fileBytes) {
    throw new BundleFault('TR-500', `The file ${quotePath(path)} has more than ${BOUNDS.fileBytes / MIB} MiB.`)
  }
  return path
}

const nameOf = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry) =>
  getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true)

/** Sizes and checksum come behind the bytes of a file, and may be zero in its header. */
const HAS_DESCRIPTOR = 0x8
const ENCRYPTED = 0x1
/** The size is in a field for archives beyond 4 GiB. */
const ELSEWHERE = 0xffff_ffff

/**
 * Refuses an entry whose own header says something else than the list of files: other programs may believe the header.
 * @throws BundleFault
 */
function refuseContradiction(entry: Entry, local: LocalFileHeader) {
  const path = nameOf(entry)
  const name = getFileNameLowLevel(
    local.generalPurposeBitFlag,
    local.fileName,
    parseExtraFields(local.extraField),
    true,
  )
  if (name !== path) {
    throw new BundleFault(
      'TR-400',
      `The path ${quotePath(path)} is ${quotePath(name)} in the header of the file itself.`,
    )
  }
  const flags = local.generalPurposeBitFlag
  const may = (own: number, listed: number) =>
    own === listed || own === ELSEWHERE || ((flags & HAS_DESCRIPTOR) !== 0 && own === 0)
  const agrees =
    (flags & ENCRYPTED) === 0 &&
    local.compressionMethod === entry.compressionMethod &&
    may(local.compressedSize, entry.compressedSize) &&
    may(local.uncompressedSize, entry.uncompressedSize) &&
    (local.crc32 === entry.crc32 || ((flags & HAS_DESCRIPTOR) !== 0 && local.crc32 === 0))
  if (!agrees) {
    throw new BundleFault('TR-301', `The header of the file ${quotePath(path)} contradicts the list of files.`)
  }
}

const LOCAL_HEADER_BYTES = 30

/** Files that share bytes of the archive would come out larger than any of its sizes tells. */
function refuseOverlaps(entries: readonly Entry[], size: number) {
  const places = entries
    .map((entry) => ({
      start: entry.relativeOffsetOfLocalHeader,
      end: entry.relativeOffsetOfLocalHeader + LOCAL_HEADER_BYTES + entry.fileNameLength + entry.compressedSize,
    }))
    .toSorted((one, other) => one.start - other.start)
  for (const [i, { end }] of places.entries()) {
    if (end > (places[i + 1]?.start ?? size)) {
      throw new BundleFault('TR-301', 'Files of the archive overlap, or reach beyond its end.')
    }
  }
}

/** Archives of a folder hold the folder, and those of its content do not. */
function withoutEnclosingFolder(files: readonly PackedFile[]): readonly PackedFile[] {
  const [folder = ''] = files[0]?.path.split('/') ?? []
  const isEnclosed = files.every(({ path }) => path.startsWith(`${folder}/`)) && !TOP_FOLDERS.has(folder)
  return isEnclosed ? files.map((file) => ({ ...file, path: file.path.slice(folder.length + 1) })) : files
}

/** Folders of a theme: an archive with only one of these is not a theme in a folder. */
const TOP_FOLDERS = new Set(['assets', 'lang', 'meta', 'parsed', 'templates'])
