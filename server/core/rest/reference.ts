import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

/**
 * The reference page at `/docs`, made from `/openapi.json`; it works offline. It is 4 MB of script, which would be a sixth
 * of what an idle server keeps in memory: it is loaded when somebody asks for it.
 */
export function referencePage(app: FastifyInstance) {
  let page: Promise<FastifyInstance> | undefined
  const show = async ({ url }: FastifyRequest, reply: FastifyReply) => {
    page ??= load()
    const { statusCode, headers, rawPayload } = await (await page).inject({ url })
    const { connection, date, ...own } = headers
    return reply.status(statusCode).headers(own).send(rawPayload)
  }
  app.get('/docs', { schema: { hide: true } }, show)
  app.get('/docs/*', { schema: { hide: true } }, show)
}

async function load(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const page = fastify()
  await page.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json', telemetry: false } })
  await page.ready()
  return page
}
