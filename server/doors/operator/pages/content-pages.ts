import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bodiesOf, type PageRow, pages } from '../../../content/pages/shape.ts'
import { type RedirectRow, redirects, targetsOf } from '../../../content/redirects/rows.ts'
import { type Script, scripts } from '../../../content/scripts/scripts.ts'
import { findWidget, type WidgetRow, widgets } from '../../../content/widgets/rows.ts'
import { renderWidget } from '../../../content/widgets/templates/preview.ts'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { html, type Markup, pageHeadersFor } from '../../../core/markup.ts'
import type { Collection, RowWithId } from '../../../core/rest/lists/collection.ts'
import { findOne, findWhere } from '../../../core/rest/lists/verbs.ts'
import { notFound } from '../../../core/rest/problem.ts'
import type { AddressRules } from '../../../shop/channels/sites/addresses.ts'
import type { Renderers } from '../../../shop/templates/renderers.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import { pagesIn, storePages } from './store-pages.ts'

const style = `
  body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; color: #1b1f24; }
  h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin-top: 2rem; }
  table { border-collapse: collapse; width: 100%; } th { text-align: left; font-weight: normal; color: #59636e; }
  th, td { padding: .25rem 1rem .25rem 0; vertical-align: top; overflow-wrap: anywhere; unicode-bidi: isolate; }
  iframe { display: block; width: 100%; height: 30rem; border: 1px solid #d0d7de; border-radius: 6px; background: #fff; }
  .quiet { color: #59636e; }
`
const headers = pageHeadersFor(style, { frames: true })
const show = pagesIn(style, headers)

/** The rows of each kind that a page shows. */
const ROWS = 250

/**
 * Content of a merchant in a frame: its own scripts and styles run, in an origin of their own that has no cookies and no token. It loads
 * nothing from this server and sends nothing anywhere (C-086).
 */
const contentHeaders = {
  ...headers,
  'content-security-policy':
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
}

interface Parts {
  directory: Directory
  renderers: Renderers
  rules: AddressRules
}

type OfStore = FastifyRequest<{ Params: { store: string } }>
type OfPage = FastifyRequest<{ Params: { store: string; page: string } }>
type OfItem = FastifyRequest<{ Params: { store: string; uuid: string } }>

/**
 * Pages on which people look at the content of a store: pages, redirects, scripts and rendered widgets. In the sandbox only: they ask nobody
 * who he is.
 */
export function contentPages(server: FastifyInstance, { directory, renderers, rules }: Parts) {
  storePages(server, directory, show, (app, dbOf) => {
    app.get('/content/:store', async ({ params: { store } }: OfStore, reply) => {
      const db = await dbOf(store)
      const [ownPages, ownRedirects, ownScripts, ownWidgets] = await Promise.all([
        firstRows(db, pages),
        firstRows(db, redirects),
        firstRows(db, scripts),
        firstRows(db, widgets),
      ])
      const targets = await targetsOf(db, ownRedirects, rules)
      const pageRow = ({ id, name, type, url, is_visible, channel_id }: PageRow) => html`<tr>
<td><a href="/content/${store}/pages/${id}">${name}</a></td><td>${type}</td><td>${url}</td>
<td>channel ${channel_id}</td><td class="quiet">${is_visible ? '' : 'hidden'}</td></tr>`
      const redirectRow = ({ id, from_path, type }: RedirectRow) =>
        html`<tr><td>${from_path}</td><td>${targets.get(id) ?? ''}</td><td class="quiet">${type}</td></tr>`
      const scriptRow = ({ uuid, name, location, visibility, enabled, src }: Script) => html`<tr>
<td><a href="/content/${store}/scripts/${uuid}">${name}</a></td><td>${src === '' ? 'HTML' : src}</td>
<td>${location}, ${visibility}</td><td class="quiet">${enabled ? '' : 'off'}</td></tr>`
      const widgetRow = ({ uuid, name, channel_id }: WidgetRow) =>
        html`<tr><td><a href="/content/${store}/widgets/${uuid}">${name}</a></td><td>channel ${channel_id}</td></tr>`
      const content = html`<p class="quiet">At most ${ROWS} of each kind.</p>
${section('Pages', ownPages.map(pageRow))}${section('Redirects', ownRedirects.map(redirectRow))}
${section('Scripts', ownScripts.map(scriptRow))}${section('Widgets', ownWidgets.map(widgetRow))}`
      return show(reply, `Content of ${store}`, content)
    })

    app.get('/content/:store/pages/:page', async ({ params: { store, page } }: OfPage, reply) => {
      const { name, id } = await pageOf(await dbOf(store), page)
      return showFrame(reply, { store, name, source: `/content/${store}/pages/${id}/body` })
    })

    app.get('/content/:store/pages/:page/body', async ({ params: { store, page } }: OfPage, reply) => {
      const db = await dbOf(store)
      const { id } = await pageOf(db, page)
      return reply.headers(contentHeaders).send((await bodiesOf(db, [id])).get(id) ?? '')
    })

    app.get('/content/:store/scripts/:uuid', async ({ params: { store, uuid } }: OfItem, reply) => {
      const { name } = await scriptOf(await dbOf(store), uuid)
      return showFrame(reply, { store, name, source: `/content/${store}/scripts/${uuid}/body` })
    })

    app.get('/content/:store/scripts/:uuid/body', async ({ params: { store, uuid } }: OfItem, reply) =>
      reply.headers(contentHeaders).send((await scriptOf(await dbOf(store), uuid)).html),
    )

    app.get('/content/:store/widgets/:uuid', async ({ params: { store, uuid } }: OfItem, reply) => {
      const { name } = await widgetOf(await dbOf(store), uuid)
      return showFrame(reply, { store, name, source: `/content/${store}/widgets/${uuid}/body` })
    })

    app.get('/content/:store/widgets/:uuid/body', async ({ params: { store, uuid } }: OfItem, reply) => {
      const db = await dbOf(store)
      const { widget_template_uuid, widget_configuration } = await widgetOf(db, uuid)
      return reply
        .headers(contentHeaders)
        .send(await renderWidget(renderers, db, widget_template_uuid, widget_configuration))
    })
  })
}

const firstRows = <R extends RowWithId>(db: Db, collection: Collection<R>): Promise<R[]> =>
  findWhere(db, collection, sql`true`, sql`order by id limit ${ROWS}`)

const section = (title: string, rows: readonly Markup[]) =>
  html`<h2>${title}</h2>${rows.length > 0 ? html`<table>${rows}</table>` : html`<p>The store has none.</p>`}`

const showFrame = (reply: FastifyReply, { store, name, source }: { store: string; name: string; source: string }) =>
  show(
    reply,
    name,
    html`<p><a href="/content/${store}">All content</a></p>
<iframe sandbox="allow-scripts" title="${name}" src="${source}"></iframe>`,
  )

const pageOf = (db: Db, id: string) => {
  if (!/^\d{1,9}$/.test(id)) throw notFound(pages.noun, id)
  return findOne(db, pages, Number(id))
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

async function scriptOf(db: Db, uuid: string): Promise<Script> {
  const [row] = isUuid(uuid) ? await findWhere(db, scripts, sql`uuid = ${uuid}`) : []
  if (!row) throw notFound(scripts.noun, uuid)
  return row
}

async function widgetOf(db: Db, uuid: string): Promise<WidgetRow> {
  if (!isUuid(uuid)) throw notFound(widgets.noun, uuid)
  return findWidget(db, uuid)
}
