import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html, Markup, pageHeadersFor, pageText } from '../../core/markup.ts'
import type { ConsoleBuild } from './build.ts'

interface ConsoleParts {
  build: Pick<ConsoleBuild, 'folder' | 'look' | 'failure'>
  /** Whether a request is for the site of a store, where the console is not. */
  isAtSite(request: FastifyRequest): Promise<boolean>
}

const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' }
/** The bundler names files by their contents. */
const ASSET = /^[\w.-]+-[\w-]{8}\.(js|css)$/
const NONCE = '{{nonce}}'
/** A `refresh` header would not reload an address with a fragment, such as the link of an invitation. */
const RELOAD = 'setTimeout(() => location.reload(), 2000)'

const compress = promisify(gzip)

const style = 'body { margin: 3rem auto; max-width: 40rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; }'
const messageHeaders = pageHeadersFor(style)
const reloadingHeaders = {
  ...messageHeaders,
  'content-security-policy': `${messageHeaders['content-security-policy']}; script-src 'sha256-${createHash('sha256').update(RELOAD).digest('base64')}'`,
}

/**
 * The operator's console: a page that loads its scripts and styles from this server and calls the API like any client (docs/console.md).
 * Its policy allows no script in the page, no other host, and no frame around it.
 */
export function consolePages(server: FastifyInstance, { build, isAtSite }: ConsoleParts) {
  const files = new Map<string, Promise<{ bytes: Buffer; gzipped: Buffer }>>()
  const read = (name: string) => {
    const known = files.get(name) ?? readBoth(join(build.folder, 'assets', name))
    files.set(name, known)
    known.catch(() => files.delete(name))
    return known
  }

  server.get<{ Params: { file: string } }>('/console/assets/:file', { compress: false }, async (request, reply) => {
    const { file } = request.params
    const [, extension = ''] = ASSET.exec(file) ?? []
    const found = extension === '' ? undefined : await read(file).catch(() => undefined)
    if (!found || (await isAtSite(request))) return reply.callNotFound()
    const isCompressed = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    return reply
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
      })
      .headers(isCompressed ? { 'content-encoding': 'gzip' } : {})
      .type(TYPES[extension] ?? 'application/octet-stream')
      .send(isCompressed ? found.gzipped : found.bytes)
  })

  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    if (await isAtSite(request)) return reply.callNotFound()
    const state = await build.look()
    if (state !== 'ready') return showMessage(reply, state, build.failure)
    const nonce = randomBytes(16).toString('base64')
    const text = await readFile(join(build.folder, 'index.html'), 'utf8')
    return reply.headers(pageHeaders(nonce)).send(text.replace(NONCE, nonce))
  }
  server.get('/console', page)
  server.get('/console/*', page)
}

async function readBoth(path: string) {
  const bytes = await readFile(path)
  return { bytes, gzipped: await compress(bytes) }
}

const pageHeaders = (nonce: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; style-src-attr 'unsafe-inline'; img-src 'self' data:; ` +
    `connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
})

/** The page that is shown while the console is built, or if it was not. */
function showMessage(reply: FastifyReply, state: 'building' | 'missing', failure: string) {
  const isBuilding = state === 'building'
  const text = isBuilding
    ? html`<p role="status">The console is being built. This takes some seconds, once. The page reloads by itself.</p>`
    : html`<p>The console is not built. Run <code>npm run build</code> in the folder of the server, and reload this page.</p>
${failure === '' ? '' : html`<pre>${failure}</pre>`}`
  const script = isBuilding ? html`<script>${new Markup(RELOAD)}</script>` : ''
  return reply
    .status(isBuilding ? 200 : 503)
    .headers(isBuilding ? reloadingHeaders : messageHeaders)
    .send(pageText('Console (storeward)', style, html`<h1>Console</h1>${text}`, script))
}
