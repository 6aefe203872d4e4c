import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { html, NO_ICON, pageHeadersFor, pageText } from '../../../../core/markup.ts'
import { packagePath } from '../../../../core/package.ts'
import { type FindDemoStore, isOfThisMachine } from '../../demo-store.ts'
import { acceptsHtml, type SiteCheckParts, siteCheck } from '../start-page.ts'

const style = `
  body { margin: 1rem; font: 15px/1.5 system-ui, sans-serif; color: #1b1f24; }
  h1 { margin: 0 0 .5rem; font-size: 1.4rem; } h2 { margin: .5rem 0; font-size: 1rem; overflow-wrap: anywhere; } a { color: #0550ae; }
  form { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) minmax(0, 22rem); gap: 1rem; }
  .top { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: end; } .top label { flex: 1 1 12rem; }
  label { display: block; } input, select, textarea { box-sizing: border-box; width: 100%; padding: .3rem .4rem; font: inherit; }
  textarea, pre, code, li { font: 13px/1.5 ui-monospace, monospace; } #query { height: 24rem; } #variables { height: 6rem; }
  pre { box-sizing: border-box; margin: 0; padding: .6rem 1rem; height: 33rem; overflow: auto; background: #f6f8fa; border-radius: 6px; }
  .quiet { color: #59636e; } ul { margin: 0; padding: 0; list-style: none; height: 30rem; overflow: auto; } li { margin: .3rem 0; }
  li button { padding: 0; border: 0; background: none; font: inherit; color: #0550ae; cursor: pointer; } li button.type { color: #8250df; }
  #run { padding: .4rem 1.5rem; font: inherit; }
  @media (max-width: 60rem) { form { grid-template-columns: minmax(0, 1fr); } pre, ul { height: auto; max-height: 30rem; } }
  @media (prefers-color-scheme: dark) {
    body { color: #d1d7e0; background: #0d1117; } a, li button { color: #6cb6ff; } li button.type { color: #d2a8ff; } pre { background: #161b22; }
    .quiet { color: #9da7b3; } input, select, textarea, button { color: inherit; background: #161b22; border: 1px solid #3d444d; }
  }
`
const ownHeaders = pageHeadersFor(style)
const headers = {
  ...ownHeaders,
  'content-security-policy': `${ownHeaders['content-security-policy']}; script-src 'self'; connect-src 'self'; img-src data:`,
}

const PAGE = pageText(
  'GraphQL (storeward)',
  style,
  html`<h1>GraphQL</h1>
<form>
<div class="top">
<label>API <select id="api"><option value="storefront">Storefront</option><option value="buyers">Buyers of companies</option></select></label>
<label>Token <input id="token" autocomplete="off" spellcheck="false"></label>
<label>Examples <select id="example"></select></label>
<p><a href="/">Start page</a> · <a href="/docs">Reference</a></p>
</div>
<div>
<label>Operation <textarea id="query" spellcheck="false" autofocus></textarea></label>
<label>Variables, as JSON <textarea id="variables" spellcheck="false"></textarea></label>
<p><button id="run" type="button">Run</button> <span class="quiet">or Ctrl-Enter</span></p>
</div>
<div>
<p id="facts" class="quiet" role="status">Run an operation to see its answer.</p>
<pre id="result" tabindex="0" role="region" aria-label="Answer"></pre>
</div>
<div>
<label>Find in the schema <input id="filter" type="search" autocomplete="off" spellcheck="false"></label>
<h2 id="here"></h2>
<ul id="fields" aria-labelledby="here"></ul>
</div>
</form>`,
  html`${NO_ICON}<script src="/graphql/script.js" type="module"></script>`,
)

interface QueryPageParts extends SiteCheckParts {
  findDemoStore: FindDemoStore
}

/**
 * The page at `/graphql` of the server's own address: it sends operations to the GraphQL APIs, with the tokens of the demo store. In a
 * sandbox only. It loads nothing from elsewhere, and gives tokens to its own script in a browser of this machine alone.
 * @param server whose storefronts leave `GET /graphql` to this page
 */
export function queryPage(server: FastifyInstance, parts: QueryPageParts) {
  const isAtSite = siteCheck(parts)
  server.get('/graphql', async (request, reply) => {
    reply.header('vary', 'accept')
    if (acceptsHtml(request.headers.accept) && !(await isAtSite(request))) return reply.headers(headers).send(PAGE)
    const errors = [{ message: 'GraphQL requests use POST.' }]
    return reply.status(405).header('allow', 'POST, OPTIONS').send({ errors })
  })
  server.get('/graphql/script.js', async (_request, reply) =>
    reply
      .type('text/javascript')
      .header('cache-control', 'no-cache')
      .send(await readFile(packagePath('queryScript'))),
  )
  server.get('/graphql/demo-store', async (request, reply) => {
    // Browsers send this value only with requests of this server's own pages.
    const isOwnScript = request.headers['sec-fetch-site'] === 'same-origin'
    const demo = isOwnScript && isOfThisMachine(request) ? parts.findDemoStore() : undefined
    const { store_hash, storefront_token, buyer } = demo ?? {}
    return reply.header('cache-control', 'no-store').send(demo ? { store_hash, storefront_token, buyer } : {})
  })
}
