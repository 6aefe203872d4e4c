import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** An answer that is the same for as long as the server runs: made, compressed and given its ETag at the first request. */
export class Unchanging {
  readonly #make: () => Promise<Buffer>
  #made: Promise<{ bytes: Buffer; zipped: Buffer; etag: string }> | undefined

  constructor(make: () => Promise<Buffer>) {
    this.#make = make
  }

  async send({ headers }: FastifyRequest, reply: FastifyReply, type: string): Promise<FastifyReply> {
    this.#made ??= this.#prepare()
    const { bytes, zipped, etag } = await this.#made
    reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' })
    if (hasEtag(headers['if-none-match'], etag)) return reply.status(304).send()
    reply.type(type)
    return acceptsGzip(headers['accept-encoding'])
      ? reply.header('content-encoding', 'gzip').send(zipped)
      : reply.send(bytes)
  }

  async #prepare() {
    const bytes = await this.#make()
    // Weak: it stands for both encodings.
    const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    return { bytes, zipped: await promisify(gzip)(bytes), etag }
  }
}

const hasEtag = (given: string | undefined, etag: string) =>
  given?.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^(?!W\/)/, 'W/') === etag) === true

/** Whether gzip is named with a quality above 0. */
const acceptsGzip = (accepted = '') => /(?:^|[\s,])gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(accepted)
