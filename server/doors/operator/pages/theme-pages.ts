import { extname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { html, type Markup, pageHeadersFor } from '../../../core/markup.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { activeThemes } from '../../../shop/channels/active-theme.ts'
import { Archive } from '../../../shop/themes/bundle/archive.ts'
import {
  type ConfigurationRow,
  configurationSettings,
  findConfigurations,
  sourcesOf,
} from '../../../shop/themes/configurations.ts'
import { allThemes, findTheme, type ThemeRow } from '../../../shop/themes/shape.ts'
import { filesOfTheme } from '../../../shop/themes/transfer/theme-files.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import { pagesIn, storePages } from './store-pages.ts'

const style = `
  body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; color: #1b1f24; }
  h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
  table { border-collapse: collapse; width: 100%; } th { text-align: left; font-weight: normal; color: #59636e; }
  th, td { padding: .25rem 1rem .25rem 0; vertical-align: top; overflow-wrap: anywhere; }
  img { max-width: 20rem; border: 1px solid #d0d7de; } .quiet { color: #59636e; }
`
const headers = pageHeadersFor(style, { pictures: true })
const show = pagesIn(style, headers)

/** The pictures of a theme that a page shows, by the extension of their file. */
const PICTURES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
}

type OfStore = FastifyRequest<{ Params: { store: string } }>
type OfTheme = FastifyRequest<{ Params: { store: string; theme: string } }>
type OfPicture = FastifyRequest<{ Params: { store: string; theme: string; picture: string } }>

/**
 * Pages on which people look at the themes of a store: files, screenshots and configurations. In the sandbox only: they ask nobody
 * who he is.
 */
export function themePages(server: FastifyInstance, { directory, files }: { directory: Directory; files: Files }) {
  storePages(server, directory, show, (app, dbOf) => {
    app.get('/themes/:store', async ({ params }: OfStore, reply) => {
      const db = await dbOf(params.store)
      const active = await activeThemes(db)
      const row = ({ uuid, name, updated_at, is_private }: ThemeRow) => {
        const channels = active.flatMap((one) => (one.active_theme_uuid === uuid ? [one.channel_id] : []))
        return html`<tr><td><a href="/themes/${params.store}/${uuid}">${name}</a></td>
<td>${is_private ? 'private' : 'of every store'}</td><td>${channels.length > 0 ? `channel ${channels.join(', ')}` : ''}</td>
<td class="quiet">${updated_at}</td></tr>`
      }
      const themes = (await allThemes(db)).map(row)
      const head = html`<tr><th>Theme</th><th></th><th>Shown by</th><th>Changed</th></tr>`
      return show(reply, `Themes of ${params.store}`, html`<table>${head}${themes}</table>`)
    })

    app.get('/themes/:store/:theme', async ({ params }: OfTheme, reply) => {
      const db = await dbOf(params.store)
      const theme = await findTheme(db, params.theme)
      const paths = await filesOfTheme(db, files, theme)
      const { config } = await sourcesOf(db, theme)
      const configurations = await findConfigurations(db, sql`configuration.theme_uuid = ${theme.uuid}`)
      const pictures = paths.filter(({ path }) => isScreenshot(path))
      const picture = ({ path }: { path: string }) =>
        html`<p><img alt="${path}" src="/themes/${params.store}/${theme.uuid}/pictures/${path.slice('meta/'.length)}"></p>`
      const content = html`<p><a href="/themes/${params.store}">All themes</a></p>
<p class="quiet">Version ${config.version ?? 'unknown'}, changed ${theme.updated_at}.</p>
<p>The pages of a theme can not be shown yet: the server keeps and checks themes, and does not render storefronts.</p>
<h2>Screenshots</h2>${pictures.length > 0 ? pictures.map(picture) : html`<p>The theme has none.</p>`}
<h2>Configurations</h2>${await Promise.all(configurations.map(tableOf))}
<h2>Files</h2><table>${paths.map(({ path, size }) => html`<tr><td>${path}</td><td class="quiet">${size === null ? '' : `${size} bytes`}</td></tr>`)}</table>`
      return show(reply, theme.name, content)
    })

    app.get('/themes/:store/:theme/pictures/:picture', async ({ params }: OfPicture, reply) => {
      const db = await dbOf(params.store)
      const { archive } = await findTheme(db, params.theme)
      const path = `meta/${params.picture}`
      const type = PICTURES[extname(path).toLowerCase()]
      if (archive === null || type === undefined) throw new Problem(404, 'There is no such picture.')
      const bytes = await files.lend(db.store, archive, (place) =>
        Archive.reading(place, async (opened) => {
          const found = opened.files.find((file) => file.path === path)
          if (!found) throw new Problem(404, 'There is no such picture.')
          return buffer(await opened.stream(found))
        }),
      )
      return reply.headers({ ...headers, 'content-type': type }).send(bytes)
    })
  })
}

const isScreenshot = (path: string) => /^meta\/[^/]+$/.test(path) && PICTURES[extname(path).toLowerCase()] !== undefined

async function tableOf(row: ConfigurationRow): Promise<Markup> {
  const settings = await configurationSettings(row)
  const about = row.is_original ? 'as it came' : `saved ${row.date_created}`
  const values = Object.entries(settings).map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${JSON.stringify(value)}</td></tr>`,
  )
  return html`<h3>${row.external_id}, ${about}</h3><table>${values}</table>`
}
