import type { FastifyReply, FastifyRequest } from 'fastify'

/** The result of a handler. It never sends, so that the answer can be stored with its effect before the commit. */
export class Answer<Body = unknown> {
  readonly body: Body
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(body: Body, status = 200, headers: Record<string, string> = {}) {
    this.body = body
    this.status = status
    this.headers = headers
  }
}

/** A body that is no JSON, such as a file or a stream: it sends itself. */
export class SentBody {
  readonly send: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>

  constructor(send: SentBody['send']) {
    this.send = send
  }
}

/** A body that is JSON already, in UTF-8. */
export class JsonBytes {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/** JSON in pieces, which follow each other without a separator. */
export type JsonPieces = readonly (string | Uint8Array)[]

/** Items of a list, or members of an object, with commas between them. */
export const commaSeparated = (items: readonly JsonPieces[]): JsonPieces =>
  items.flatMap((item, i) => (i === 0 ? item : [',', ...item]))

export const joined = (pieces: JsonPieces): JsonBytes =>
  new JsonBytes(Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece))))

export interface Envelope<Data, Meta = object> {
  data: Data
  meta: Meta
}

/** The envelope of one resource or of a list (docs/contract/conventions.md section 2). */
export const answer = <Data, Meta extends object = object>(data: Data, meta?: Meta) =>
  new Answer<Envelope<Data, Meta | object>>({ data, meta: meta ?? {} })

/** The same for JSON text: a resource, or a list of resources. */
export const answerJson = (data: string, headers?: Record<string, string>) =>
  new Answer(new JsonBytes(Buffer.from(`{"data":${data},"meta":{}}`)), 200, headers)

/** The bytes of a body; undefined without one. */
export function bytesOf(body: unknown): Buffer | undefined {
  if (body instanceof JsonBytes) return body.bytes
  return body === undefined ? undefined : Buffer.from(JSON.stringify(body))
}

/** One resource that knows when it was last changed: the answer to `If-Modified-Since` is made from this. */
export const dated = <Data>(data: Data, modified: string) => new Answer({ data, meta: {} }, 200, modifiedAt(modified))

/** The header of an answer that knows when its resource was last changed. */
export const modifiedAt = (date: string) => ({ 'last-modified': new Date(date).toUTCString() })

/** 204, zero bytes. */
export const noContent = () => new Answer(undefined, 204)
