export interface ImageType {
  extension: 'jpg' | 'png' | 'gif' | 'ico'
  mime: string
}

// Limits of pictures: docs/contract/limits.md section 2.
const GIF_FRAMES_MAX = 150
const GIF_SIDE_MAX = 5_120
const GIF_HEADER_BYTES = 13
const GIF_DESCRIPTOR_BYTES = 10
const GIF_DAMAGED = 'The GIF is damaged: its blocks break off before the trailer.'
const PIXELS_MAX = 50_000_000
const EXTENSION = 0x21
const FRAME = 0x2c
const TRAILER = 0x3b

/**
 * The kind of a picture by its content, never by its name: docs/contract/catalog.md section 1. Undefined for all but the four
 * kinds that stores accept, and for a file that ends within its header.
 *
 * file-type answers gif for the letters GIF alone, skips a byte order mark and an ID3 tag, and unpacks archives to see their
 * content. So it sees only files with a whole header, and both must agree.
 */
export async function imageType(bytes: Uint8Array): Promise<ImageType | undefined> {
  const extension = headerOf(view(bytes))
  if (extension === undefined) return undefined
  // 60 modules, that only an upload needs.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(bytes)
  return found?.ext === extension ? { extension, mime: found.mime } : undefined
}

function headerOf(data: Buffer): ImageType['extension'] | undefined {
  const mark = data.toString('latin1', 0, 16)
  const has = (length: number) => data.length >= length

  // The start of image, and the whole first segment after it.
  if (mark.startsWith('\xff\xd8\xff') && has(6) && has(4 + data.readUInt16BE(4))) return 'jpg'
  // The signature, and the whole image header after it.
  if (mark === '\x89PNG\r\n\x1a\n\0\0\0\rIHDR' && has(33)) return 'png'
  if (/^GIF8[79]a/.test(mark) && has(GIF_HEADER_BYTES)) return 'gif'
  // The directory, with one picture or more.
  if (mark.startsWith('\0\0\x01\0') && has(6)) {
    const pictures = data.readUInt16LE(4)
    if (pictures > 0 && has(6 + 16 * pictures)) return 'ico'
  }
  return undefined
}

/**
 * Why a GIF is not accepted, as a sentence for the caller: docs/contract/catalog.md section 1.
 * Walks from block to block without unpacking a picture, so that the cost is bounded by the size of the file.
 */
export function gifRefusal(bytes: Uint8Array): string | undefined {
  const data = view(bytes)
  if (headerOf(data) !== 'gif') return GIF_DAMAGED
  const tooLarge = sizeRefusal(data.readUInt16LE(6), data.readUInt16LE(8))
  if (tooLarge !== undefined) return tooLarge

  let frames = 0
  let at = GIF_HEADER_BYTES + colorTableBytes(data.readUInt8(10))
  while (at < data.length) {
    const block = data.readUInt8(at)
    if (block === TRAILER) return undefined
    if (block === EXTENSION) {
      at = afterSubBlocks(data, at + 2)
    } else if (block === FRAME && at + GIF_DESCRIPTOR_BYTES <= data.length) {
      frames += 1
      if (frames > GIF_FRAMES_MAX) return `A GIF may have at most ${GIF_FRAMES_MAX} frames; this one has more.`
      const reachesTooFar = frameRefusal(data, at)
      if (reachesTooFar !== undefined) return reachesTooFar
      const codeSizeAt = at + GIF_DESCRIPTOR_BYTES + colorTableBytes(data.readUInt8(at + 9))
      at = afterSubBlocks(data, codeSizeAt + 1)
    } else {
      return GIF_DAMAGED
    }
  }
  return GIF_DAMAGED
}

/** A frame may reach beyond the screen, and some programs then widen the screen: so its far corner counts too. */
function frameRefusal(data: Buffer, at: number): string | undefined {
  const left = data.readUInt16LE(at + 1)
  const top = data.readUInt16LE(at + 3)
  return sizeRefusal(left + data.readUInt16LE(at + 5), top + data.readUInt16LE(at + 7))
}

function sizeRefusal(width: number, height: number): string | undefined {
  if (width <= GIF_SIDE_MAX && height <= GIF_SIDE_MAX) return undefined
  return `A GIF may have at most ${GIF_SIDE_MAX} x ${GIF_SIDE_MAX} pixels; this one has ${width} x ${height}.`
}

/** A table has three bytes for each of 2 to 256 colours. The flags say whether there is one. */
function colorTableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0
}

/** The place after a chain of sub-blocks: each begins with its length, and length 0 ends the chain. */
function afterSubBlocks(data: Buffer, start: number): number {
  let at = start
  while (at < data.length) {
    const length = data.readUInt8(at)
    at += 1 + length
    if (length === 0) break
  }
  return at
}

/**
 * The refusal of a picture for its size, as a sentence for the caller: docs/contract/product-parts.md section 5. The header is
 * believed: programs that unpack the picture allocate as much as it says.
 */
export function pixelRefusal(bytes: Uint8Array, extension: ImageType['extension']): string | undefined {
  const data = view(bytes)
  const tooLarge = sizesIn(data, extension).find(({ width, height }) => width * height > PIXELS_MAX)
  if (!tooLarge) return undefined
  return `A picture may have at most ${PIXELS_MAX} pixels; this one has ${tooLarge.width} x ${tooLarge.height}.`
}

interface Size {
  width: number
  height: number
}

/** The sizes in the beginning of a picture. Empty if it is no JPEG, PNG, GIF or icon. */
export function pictureSizes(bytes: Uint8Array): Size[] {
  const extension = headerOf(view(bytes))
  return extension === undefined ? [] : sizesIn(view(bytes), extension)
}

/** Every size in the headers. Empty if one would lie beyond the end. */
function sizesIn(data: Buffer, extension: ImageType['extension']): Size[] {
  if (extension === 'png') return pngSize(data, 0)
  if (extension === 'gif') return [{ width: data.readUInt16LE(6), height: data.readUInt16LE(8) }]
  return extension === 'jpg' ? jpegSizes(data) : iconSizes(data)
}

const PNG_MARK = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function pngSize(data: Buffer, at: number): Size[] {
  if (at + 24 > data.length || !data.subarray(at, at + 8).equals(PNG_MARK)) return []
  return [{ width: data.readUInt32BE(at + 16), height: data.readUInt32BE(at + 20) }]
}

/** The frame headers before the first scan. */
function jpegSizes(data: Buffer): Size[] {
  const sizes: Size[] = []
  let at = 2
  while (at + 9 <= data.length && data.readUInt8(at) === 0xff) {
    const marker = data.readUInt8(at + 1)
    if (marker === 0xff) {
      at += 1 // A byte that fills the space before a marker.
      continue
    }
    if (marker === 0xda || marker === 0xd9) break
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) sizes.push({ height: data.readUInt16BE(at + 5), width: data.readUInt16BE(at + 7) })
    const standsAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
    at += standsAlone ? 2 : 2 + data.readUInt16BE(at + 2)
  }
  return sizes
}

/** The pictures that its directory names: each is a PNG, or the rest of a bitmap, whose height counts twice. */
function iconSizes(data: Buffer): Size[] {
  const pictures = data.readUInt16LE(4)
  return Array.from({ length: pictures }, (_, i) => data.readUInt32LE(6 + 16 * i + 12)).flatMap((at) => {
    const png = pngSize(data, at)
    if (png.length > 0 || at + 12 > data.length) return png
    return [{ width: Math.abs(data.readInt32LE(at + 4)), height: Math.abs(data.readInt32LE(at + 8)) / 2 }]
  })
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
