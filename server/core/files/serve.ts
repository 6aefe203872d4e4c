import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, problemBody, toProblem } from '../rest/problem.ts'
import type { Files } from './files.ts'
import type { ByteRange } from './storage.ts'

/** A file to send. */
interface SentFile {
  /** The hash of the store. */
  hash: string
  name: string
  /** Its media type. */
  type: string
}

/** The media types of pictures by their extensions. */
export const PICTURE_TYPES: ReadonlyMap<string, string> = new Map([
  ['jpg', 'image/jpeg'],
  ['png', 'image/png'],
  ['gif', 'image/gif'],
  ['ico', 'image/vnd.microsoft.icon'],
  ['webp', 'image/webp'],
])

type OfPicture = FastifyRequest<{ Params: { store: string; name: string } }>

/** Serves uploaded pictures to everybody. A file whose name is not that of a picture, such as an archive, is not found. */
export function pictureFiles(server: FastifyInstance, files: Files, docsBase: string) {
  server.register(async (app) => {
    answerFileErrors(app, docsBase)
    app.get('/files/:store/:name', async (request: OfPicture, reply) => {
      const { store, name } = request.params
      const [, extension = ''] = /^[0-9a-f]{32}\.(\w+)$/.exec(name) ?? []
      const type = PICTURE_TYPES.get(extension)
      if (!/^[a-z][a-z0-9]+$/.test(store) || !type) throw new Problem(404, 'There is nothing at this path.')
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      return sendFile(request, reply, files, { hash: store, name, type })
    })
  })
}

/** Answers errors of requests for files in the contract's form. */
export function answerFileErrors(app: FastifyInstance, docsBase: string) {
  app.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error)
    if (problem.status >= 500) request.log.error({ err: error, request_id: request.id }, 'request failed')
    const headers = { ...problem.headers, 'cache-control': 'no-store' }
    return reply.status(problem.status).headers(headers).type('application/json').send(problemBody(problem, docsBase))
  })
}

/**
 * Sends a file, or one range of its bytes. A request for several ranges gets the whole (RFC 9110 section 14). The bytes under a
 * name never change, so the name is the tag.
 * @throws Problem 404
 */
export async function sendFile(
  { headers, method }: FastifyRequest,
  reply: FastifyReply,
  files: Pick<Files, 'find' | 'read'>,
  { hash, name, type }: SentFile,
): Promise<FastifyReply> {
  const facts = await files.find({ hash }, name)
  if (!facts) throw new Problem(404, 'There is nothing at this path.')
  const { size, writtenAt } = facts
  const tag = `"${name}"`
  reply.headers({
    etag: tag,
    'last-modified': writtenAt.toUTCString(),
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'",
  })
  const known = headers['if-none-match']
  if (
    known === undefined ? isUnmodified(headers['if-modified-since'], writtenAt) : known === '*' || known.includes(tag)
  ) {
    return reply.status(304).send()
  }
  reply.type(type)
  const mayRange = headers['if-range'] === undefined || headers['if-range'] === tag
  const range = mayRange && method === 'GET' ? rangeOf(headers.range, size) : undefined
  if (range === 'beyond') {
    reply.header('content-range', `bytes */${size}`)
    throw new Problem(416, 'The file ends before this range.')
  }
  if (range) {
    reply.status(206).header('content-range', `bytes ${range.first}-${range.last}/${size}`)
  }
  reply.header('content-length', range ? range.last - range.first + 1 : size)
  // The framework would set a length of 0 bytes for no content.
  if (method === 'HEAD' || size === 0) return reply.send(Readable.from([]))
  return reply.send(await files.read({ hash }, name, range))
}

function isUnmodified(since: string | undefined, writtenAt: Date): boolean {
  return since !== undefined && Math.floor(writtenAt.getTime() / 1_000) * 1_000 <= Date.parse(since)
}

/** The range in a header; undefined for a missing header and for forms other than one range of bytes. */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'beyond' | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (from === undefined || to === undefined || from + to === '') return undefined
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'beyond' : { first: size - length, last: size - 1 }
  }
  if (Number(from) >= size) return 'beyond'
  if (to !== '' && Number(to) < Number(from)) return undefined
  return { first: Number(from), last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}
