import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream/promises'
import sharp from 'sharp'

// The floor of pictures in sizes: the library alone, with the settings of the server, and a server that streams one file. It sends its port,
// and the milliseconds of each picture that it is asked to make.

/** A picture to make, or nothing: then the address of the server is sent. */
interface Order {
  path?: string
  width?: number
}

const [, , file = ''] = process.argv

sharp.concurrency(1)
sharp.cache(false)

const server = createServer(async (_request, response) => {
  const { size } = await stat(file)
  response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': size })
  await pipeline(createReadStream(file), response)
})
server.listen(0, '127.0.0.1')

process.on('message', async ({ path, width }: Order) => {
  if (path === undefined || width === undefined) return process.send?.(server.address() ?? {})
  const began = performance.now()
  await sharp(path).autoOrient().resize({ width, withoutEnlargement: true }).jpeg({ quality: 82 }).toBuffer()
  process.send?.({ ms: performance.now() - began })
})
process.on('disconnect', () => process.exit())
