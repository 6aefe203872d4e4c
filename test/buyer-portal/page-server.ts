import { createReadStream, existsSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { portalPage, scriptIn } from '../../server/doors/b2b/graphql/side/portal-page.ts'

export type Platform = 'bigcommerce' | 'custom'

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
}
/** The requests that the portal sends to the shop at the origin of its page. */
const OF_SHOP = /^\/(?:graphql|customer\/|login\/token\/|checkout|cart)/

interface PageServer {
  /** The port at which the files were built to be. */
  port: number
  /** The folder of the built portal. */
  built: string
  /** The address of the server, and the host of the shop. */
  api: string
  shopHost: string
  store: string
}

/** Serves the page of the portal, its files below `/portal/`, and forwards the requests of the shop. */
export async function servePortal({ port, built, api, shopHost, store }: PageServer): Promise<Server> {
  const script = `http://localhost:${port}/portal/${await scriptIn(built)}`
  const server = createServer((asked, answer) => {
    const url = new URL(asked.url ?? '/', `http://localhost:${port}`)
    if (url.pathname.startsWith('/portal/')) {
      const file = join(built, normalize(url.pathname.slice('/portal/'.length)))
      if (!file.startsWith(built) || !existsSync(file)) {
        answer.writeHead(404).end()
        return
      }
      const type = TYPES[extname(file)] ?? 'application/octet-stream'
      answer.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' })
      createReadStream(file).pipe(answer)
      return
    }
    if (OF_SHOP.test(url.pathname)) {
      const headers = { ...asked.headers, host: shopHost }
      const forwarded = request(new URL(asked.url ?? '/', api), { method: asked.method, headers }, (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(answer)
      })
      forwarded.on('error', () => answer.writeHead(502).end())
      asked.pipe(forwarded)
      return
    }
    if (url.pathname !== '/' && !url.pathname.endsWith('.php')) {
      answer.writeHead(404).end()
      return
    }
    const platform: Platform = url.searchParams.get('platform') === 'custom' ? 'custom' : 'bigcommerce'
    answer.writeHead(200, { 'content-type': 'text/html' })
    answer.end(portalPage({ store, channel: 1, platform, script }))
  })
  await new Promise<void>((resolve) => server.listen(port, resolve))
  return server
}
