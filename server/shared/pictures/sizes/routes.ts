import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerFileErrors, PICTURE_TYPES, sendFile } from '../../../core/files/serve.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { SizedPictures } from './sized-pictures.ts'
import { readSize } from './sizes.ts'

type OfPicture = FastifyRequest<{
  Params: { hash: string; size: string; '*': string }
  Querystring: Record<string, unknown>
}>

/** The name of a stored picture, the last part of an address. The parts before it change nothing. */
const NAME = /(?:^|\/)([0-9a-f]{32}\.(?:jpg|png|gif|ico))$/

/** Sends pictures in sizes to everybody. Their addresses are those of the storefront's GraphQL. */
export function sizedPictureRoutes(server: FastifyInstance, pictures: SizedPictures, docsBase: string) {
  server.register(async (app) => {
    answerFileErrors(app, docsBase)
    app.get('/s-:hash/images/stencil/:size/*', async (request: OfPicture, reply) => {
      const { hash, size: text, '*': rest } = request.params
      const [, name] = NAME.exec(rest) ?? []
      const size = readSize(text)
      if (!/^[a-z][a-z0-9]+$/.test(hash) || name === undefined || size === undefined) throw nothing()
      const isLossy = request.query.compression === 'lossy'
      const isWebp = isLossy && /(?:^|[\s,])image\/webp(?:[\s,;]|$)/.test(request.headers.accept ?? '')
      const found = await pictures.find({ hash, name }, size, isWebp)
      const type = found && PICTURE_TYPES.get(found.extension)
      if (!found || !type) throw nothing()
      reply.header('cache-control', 'public, max-age=31536000, immutable')
      if (isLossy) reply.header('vary', 'Accept')
      // Pages of any site may draw pictures on a canvas, as with those of a content network.
      reply.header('access-control-allow-origin', '*')
      return sendFile(request, reply, found.source, { hash, name: found.name, type })
    })
  })
}

const nothing = () => new Problem(404, 'There is nothing at this path.')
