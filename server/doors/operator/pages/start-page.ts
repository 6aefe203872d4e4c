import type { FastifyInstance, FastifyRequest } from 'fastify'
import { html, type Markup, NO_ICON, pageHeadersFor, pageText } from '../../../core/markup.ts'
import { VERSION } from '../../../core/package.ts'
import { Problem, problemBody, toProblem } from '../../../core/rest/problem.ts'
import type { AddressRules } from '../../../shop/channels/sites/addresses.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import { Storefronts } from '../../storefront/storefronts.ts'
import { type Chapter, type FindDemoStore, isOfThisMachine, type Welcome } from '../demo-store.ts'

export interface SiteCheckParts {
  directory: Directory
  sites: AddressRules
}

interface StartParts extends SiteCheckParts {
  docsBase: string
  /** In a sandbox only. */
  findDemoStore?: FindDemoStore | undefined
}

const ICON_SECONDS = 24 * 3_600

const style = `
  body { margin: 2rem auto; max-width: 62rem; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; color: #1b1f24; }
  h1 { margin: 0 0 .25rem; font-size: 1.5rem; } h2 { margin: 2rem 0 .5rem; font-size: 1.1rem; } p { margin: .5rem 0; }
  a { color: #0550ae; overflow-wrap: anywhere; } .quiet { color: #59636e; }
  code, pre { font: 13px/1.45 ui-monospace, monospace; } code { overflow-wrap: anywhere; }
  table { border-collapse: collapse; } th, td { padding: .25rem 1.5rem .25rem 0; text-align: left; vertical-align: top; font-weight: normal; }
  pre { margin: .5rem 0; padding: .6rem 1rem; background: #f6f8fa; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; }
  section { margin-bottom: 1.5rem; } .whole { user-select: all; -webkit-user-select: all; }
  @media (max-width: 40rem) { tr, th, td { display: block; padding: 0; } tr { margin-bottom: .6rem; } th { color: #59636e; } }
`
const own = pageHeadersFor(style)
const headers = { ...own, 'content-security-policy': `${own['content-security-policy']}; img-src data:` }

/**
 * Pages for people who open an address of the server in a browser: the start page at `/`, and in a sandbox one page each for
 * the addresses of the storefront and of the companion API. Programs, which do not accept HTML, get the 404 of every unknown path, and so
 * does everybody at the host of a site. In a sandbox the pages show the text that was printed in the terminal, to a browser on the same
 * machine only: it contains tokens.
 */
export function startPage(server: FastifyInstance, { directory, sites, docsBase, findDemoStore }: StartParts) {
  const isAtSite = siteCheck({ directory, sites })

  server.register(async (app) => {
    app.setErrorHandler((error, request, reply) => {
      const problem = toProblem(error)
      if (problem.status >= 500 && !(error instanceof Problem)) {
        request.log.error({ err: error, request_id: request.id }, 'request failed')
      }
      return reply.status(problem.status).headers(problem.headers).send(problemBody(problem, docsBase))
    })

    /** @param page its text; undefined if there is none for this request */
    const forBrowsers = (url: string, page: (request: FastifyRequest) => string | undefined) =>
      app.get(url, async (request, reply) => {
        reply.header('vary', 'accept')
        const isForPeople = acceptsHtml(request.headers.accept) && !(await isAtSite(request))
        const text = isForPeople ? page(request) : undefined
        return text === undefined ? reply.callNotFound() : reply.headers(headers).send(text)
      })

    const welcomeFor = (request: FastifyRequest) => (isForItsOwner(request) ? findDemoStore?.()?.welcome : undefined)
    forBrowsers('/', (request) => {
      const welcome = welcomeFor(request)
      return welcome ? sandboxPage(welcome) : publicPage(findDemoStore !== undefined)
    })
    app.get('/favicon.ico', async (request, reply) =>
      (await isAtSite(request))
        ? reply.callNotFound()
        : reply.status(204).header('cache-control', `public, max-age=${ICON_SECONDS}`).send(),
    )

    if (!findDemoStore) return
    forBrowsers('/b2b', (request) => companionPage(welcomeFor(request)))
    forBrowsers('/storefront/:store_hash', (request) => {
      const demo = findDemoStore()
      const { store_hash }: { store_hash?: string } = request.params ?? {}
      if (demo === undefined || demo.store_hash !== store_hash) return undefined
      return storefrontPage(demo.store_hash, welcomeFor(request))
    })
  })
}

/** Makes the function that finds out whether a request is for the host of a site. */
export function siteCheck({ directory, sites }: SiteCheckParts): (request: FastifyRequest) => Promise<boolean> {
  const places = new Storefronts(directory, sites)
  const { host: publicHost } = new URL(sites.publicUrl)
  return async (request) => request.host.toLowerCase() !== publicHost && (await places.hasSite(request))
}

/** Whether `text/html` is named with a quality above 0. Browsers name it when they open a page; programs accept everything instead. */
export const acceptsHtml = (accept = '') =>
  /(?:^|[\s,])text\/html\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(accept)

/** The headers of a browser in which a person opens an address or follows a link of this server. Old browsers send neither. */
const OPENED_FROM: readonly unknown[] = ['none', 'same-origin', undefined]
const OPENED_AS: readonly unknown[] = ['document', undefined]

/**
 * Whether a browser on this machine opened the page for a person. Requests that another page caused are refused, also one at another port of
 * this machine.
 */
const isForItsOwner = (request: FastifyRequest) =>
  isOfThisMachine(request) &&
  request.headers.origin === undefined &&
  OPENED_FROM.includes(request.headers['sec-fetch-site']) &&
  OPENED_AS.includes(request.headers['sec-fetch-dest'])

const page = (title: string, content: Markup) =>
  pageText(title === 'storeward' ? title : `${title} (storeward)`, style, html`<h1>${title}</h1>\n${content}`, NO_ICON)

const LINKS = html`<table>
<tr><th scope="row">Reference</th><td><a href="/docs">/docs</a></td><td class="quiet">lists all operations and sends requests</td></tr>
<tr><th scope="row">Refusals</th><td><a href="/docs/errors">/docs/errors</a></td><td class="quiet">explains the statuses of errors</td></tr>
<tr><th scope="row">Document</th><td><a href="/openapi.json">/openapi.json</a></td><td class="quiet">describes the API to programs</td></tr>
</table>`

const publicPage = (isSandbox: boolean) =>
  page(
    'storeward',
    html`<p class="quiet">Version ${VERSION}</p>
<p>This is a commerce administration server for many stores. Programs use its API; it has no pages for shoppers.</p>
${LINKS}
${isSandbox ? WHERE_TOKENS_ARE : HOW_TO_OPEN_A_STORE}`,
  )

const WHERE_TOKENS_ARE = html`<h2>Sandbox</h2>
<p>This server has a demo store. Its tokens stand in the terminal in which the server was started, and in <code>sandbox.json</code> in its data
folder. This page shows them if you type its address, <code>http://127.0.0.1</code> with the port of the server, in a browser on the same
machine.</p>
<p>If the server was started a moment ago, reload this page: the demo store may not be complete yet.</p>`

const HOW_TO_OPEN_A_STORE = html`<h2>Open a store</h2>
<p>Run these commands in the folder of the server, with its settings. The second one prints a token for the API of the store.</p>
<pre>npm run -s storeward -- store create --name 'Acme' --hash acme1
npm run -s storeward -- account create acme1 --name 'My client' --scopes all</pre>
<p>The API of this store is below <code>/stores/acme1/v3</code>. Clients send the token in the header <code>X-Auth-Token</code>.</p>`

const sandboxPage = ({ headline, addresses, tokens, record, chapters }: Welcome) =>
  page(
    'storeward',
    html`<p>${headline}</p>
<h2>Addresses</h2>
<table>${addresses.map(addressRow)}</table>
<h2>Tokens</h2>
<table>${tokens.map(
      ({ token, says }) => html`<tr><td><code class="whole">${token}</code></td><td class="quiet">${says}</td></tr>`,
    )}</table>
<p>All of this, with passwords and client secrets: <code class="whole">${record}</code></p>
<h2>Commands</h2>
<p class="quiet">Click a command to select it.</p>
${chapters.map(chapterMarkup)}
<p class="quiet">Only browsers on this machine see the tokens on this page.</p>`,
  )

const addressRow = ({ name, url, says, isPage }: Welcome['addresses'][number]) =>
  html`<tr><th scope="row">${name}</th><td>${isPage ? html`<a href="${url}">${url}</a>` : html`<code>${url}</code>`}</td>
<td class="quiet">${says}</td></tr>`

const chapterMarkup = ({ says, commands }: Chapter) =>
  html`<section><p>${says}</p>
${commands.map((command) => html`<pre class="whole">${command}</pre>\n`)}</section>
`

const BACK = html`<p><a href="/">Start page</a> · <a href="/docs">All operations</a></p>`

const chaptersAbout = (about: Chapter['about'], welcome: Welcome | undefined): Markup[] =>
  (welcome?.chapters ?? []).filter((chapter) => chapter.about === about).map(chapterMarkup)

const storefrontPage = (hash: string, welcome: Welcome | undefined) =>
  page(
    `Storefront of ${hash}`,
    html`${BACK}
<p>The pages of a shop send their requests below this address, such as GraphQL to <code>/storefront/${hash}/graphql</code>. This server
does not render these pages.</p>
${chaptersAbout('storefront', welcome)}`,
  )

const companionPage = (welcome: Welcome | undefined) =>
  page(
    'Companion API',
    html`${BACK}
<p>Programs send their requests for companies, users and roles below <code>/b2b/api</code>. The
<a href="/docs#business-to-business">reference</a> lists the operations.</p>
${chaptersAbout('companion', welcome)}`,
  )
