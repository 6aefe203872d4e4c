import type { Sharp } from 'sharp'
import type { PictureAnswer, PictureWish } from './picture-process.ts'

// The process that reads and resizes pictures (picture-process.ts starts it).

const PIXELS_MAX = 24_000_000
const QUALITY = { jpg: 82, webp: 80 } as const

process.on('message', async (wish: PictureWish) => process.send?.(await answerTo(wish)))
process.on('disconnect', () => process.exit())

const library = load()

async function answerTo({ id, path, made }: PictureWish): Promise<PictureAnswer> {
  const open = await library
  if (!open) return { id, kind: 'missing' }
  try {
    if (made === undefined) return { id, kind: 'measured', ...(await open(path).metadata()).autoOrient }
    const resized = open(path).autoOrient().resize({ width: made.width, withoutEnlargement: true })
    return { id, kind: 'made', bytes: await encode(resized, made.extension).toBuffer() }
  } catch {
    return { id, kind: 'damaged' }
  }
}

function encode(picture: Sharp, extension: string): Sharp {
  if (extension === 'webp') return picture.webp({ quality: QUALITY.webp })
  return extension === 'png' ? picture.png() : picture.jpeg({ quality: QUALITY.jpg })
}

/** @returns undefined without the library's optional package for this platform */
async function load(): Promise<((path: string) => Sharp) | undefined> {
  const { default: sharp } = await import('sharp').catch(() => ({ default: undefined }))
  if (!sharp) return undefined
  // One thread for each picture, and no memory of earlier ones: the folder is the cache.
  sharp.concurrency(1)
  sharp.cache(false)
  return (path) => sharp(path, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
}
