import { once } from 'node:events'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

/** A file to be packed. */
export interface PackedFile {
  path: string
  /** Called when its turn has come, so that no more than one is open. */
  open(): Promise<Readable | Buffer>
}

/** Compressed formats, which gain nothing by packing. */
const DENSE = /\.(png|jpe?g|gif|ico|webp|woff2?|mp4|webm)$/i
/** The same files make the same archive, whenever they are packed. */
const PACKED_AT = new Date(Date.UTC(2000, 0, 1, 12))

/** Generates a zip archive of files. Rethrows errors of opening and reading them. */
export async function* pack(files: Iterable<PackedFile>): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const failing = once(zip, 'error').then(([error]) => {
    throw error
  })
  // A caller that stops early does not get the error.
  failing.catch(() => {})
  for (const { path, open } of files) {
    const options = { compress: !DENSE.test(path), mtime: PACKED_AT, mode: 0o100_644, forceDosTimestamp: true }
    zip.addReadStreamLazy(path, options, (give) => {
      const opened = open().then((bytes) => {
        const stream = Buffer.isBuffer(bytes) ? Readable.from([bytes], { objectMode: false }) : bytes
        stream.on('error', (error) => zip.emit('error', error))
        give(null, stream)
      })
      opened.catch((error: unknown) => zip.emit('error', error))
    })
  }
  zip.end()
  const chunks = zip.outputStream[Symbol.asyncIterator]()
  for (;;) {
    const next = await Promise.race([chunks.next(), failing])
    if (next.done) return
    yield Buffer.from(next.value)
  }
}
