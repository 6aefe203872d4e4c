import { createPost } from '../../content/blog/writing.ts'
import { createPage, lockPages } from '../../content/pages/writing.ts'
import { type RedirectInput, storeRedirects } from '../../content/redirects/rows.ts'
import { createScript } from '../../content/scripts/scripts.ts'
import { publishPageWidgets } from '../../content/widgets/pages/page-widgets.ts'
import { createPlacement } from '../../content/widgets/placements/placements.ts'
import { TEXT_TEMPLATE } from '../../content/widgets/templates/builtin.ts'
import { changeWidgetTemplate, createWidgetTemplate } from '../../content/widgets/templates/templates.ts'
import { createWidget } from '../../content/widgets/widgets.ts'
import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Client } from '../../core/rest/api.ts'
import { findWhere } from '../../core/rest/lists/verbs.ts'
import { channels, FIRST_CHANNEL } from '../../shop/channels/channels.ts'
import { FIRST_SITE } from '../../shop/channels/sites/shape.ts'

type NewPage = Parameters<typeof createPage>[1]

const pages: readonly NewPage[] = [
  {
    type: 'page',
    name: 'About us',
    body: '<h1>About us</h1><p>We sell goods of small makers from the north.</p>',
    meta_description: 'Who we are',
    sort_order: 1,
  },
  { type: 'page', name: 'Returns', body: '<h1>Returns</h1><p>Send goods back within 30 days.</p>', sort_order: 2 },
  {
    type: 'contact_form',
    name: 'Contact',
    body: '<p>We answer within two days.</p>',
    email: 'hello@demo.example.com',
    contact_fields: 'fullname,phone,orderno',
    sort_order: 3,
  },
]
/** The page of the marketplace. */
const imprint: NewPage = { type: 'page', name: 'Imprint', body: '<p>Demo store, Copenhagen</p>' }

const posts = [
  ['The light of the north', '2026-01-14', ['Lamps', 'Rooms']],
  ['How a cup is made', '2026-02-02', ['Makers']],
  ['Five rooms, five chairs', '2026-02-20', ['Rooms']],
  ['A visit to the weaver', '2026-03-11', ['Makers']],
  ['New lamps for spring', '2026-04-01', ['Lamps', 'News']],
] as const

/** Pages of two channels, and posts: one of them is a draft. */
export async function writeContent(tx: Tx) {
  const [market] = await findWhere(tx, channels, sql`type = 'marketplace'`)
  await lockPages(tx)
  for (const page of pages) await createPage(tx, { ...page, channel_id: FIRST_CHANNEL })
  if (market) await createPage(tx, { ...imprint, channel_id: market.id })
  for (const [title, published_date, tags] of posts) {
    await createPost(tx, {
      title,
      body: bodyOf(title),
      published_date,
      tags: [...tags],
      is_published: true,
      author: 'Ida',
    })
  }
  await createPost(tx, { title: 'Summer sale', body: bodyOf('Summer sale'), tags: ['News'] })
}

const bodyOf = (title: string) => `<h1>${title}</h1><p>A story of the demo store.</p>`

const HOME = 'pages/home'
/** The number of redirects to each kind of target, with its table; the others lead to addresses. */
const TARGETS = [
  ['product', 'products', 20],
  ['brand', 'brands', 8],
  ['category', 'categories', 8],
  ['page', 'pages', 2],
  ['post', 'blog_posts', 4],
] as const
const REDIRECTS = 60
/** No path of the demo names a host, so these are compared with none. */
const RULES = { domain: 'localhost', publicUrl: 'http://localhost', allowsPorts: true }

const scripts = [
  { name: 'Visits', html: '<script>window.visits = [location.pathname]</script>', consent_category: 'analytics' },
  { name: 'Chat', html: '<script>window.chat = { shop: "demo" }</script>', consent_category: 'functional' },
  { name: 'Receipt', html: '<script>window.receipt = true</script>', visibility: 'order_confirmation' },
] as const

/** Scripts, redirects and widgets: a template with two versions, and widgets on the home page. */
export async function decorateShop(tx: Tx, client: Client) {
  for (const script of scripts) await createScript(tx, client, { ...script })
  await storeRedirects(tx, await demoRedirects(tx), { rules: RULES, nameOf: (i, field) => `${i}.${field}` })
  const { uuid } = await createWidgetTemplate(tx, {
    name: 'Greeting',
    template: '<p>{{text}}</p>',
    schema: [{ type: 'hidden', settings: [{ type: 'input', id: 'text', label: 'Text', default: 'Hello' }] }],
  })
  const greet = (text: string) =>
    createWidget(tx, { name: text, widget_template_uuid: uuid, widget_configuration: { text } })
  const first = await greet('Good morning')
  await changeWidgetTemplate(tx, uuid, { template: '<p class="greeting">{{text}}</p>', create_new_version: true })
  const second = await greet('Good evening')
  await publishPageWidgets(tx, { channel_id: FIRST_CHANNEL, template_file: HOME, entity_id: '' }, [
    {
      name: 'home_below_headline',
      children: [
        {
          type: 'widget',
          widget_template_uuid: TEXT_TEMPLATE,
          configuration: { heading: 'New lamps', text: 'For spring' },
        },
      ],
    },
  ])
  for (const [sort_order, { uuid: widget_uuid }] of [first, second].entries()) {
    await createPlacement(tx, {
      widget_uuid,
      template_file: HOME,
      region: 'home_below_headline',
      sort_order,
      status: 'active',
    })
  }
}

async function demoRedirects(tx: Tx): Promise<RedirectInput[]> {
  const inputs: RedirectInput[] = []
  for (const [type, table, count] of TARGETS) {
    const rows = await tx.rows<{ id: number }>(
      sql`select id from ${sql.id(table)} where store_id = ${tx.store.id} order by id limit ${count}`,
    )
    for (const { id } of rows) {
      inputs.push({ site_id: FIRST_SITE, from_path: `/old/${type}/${id}`, to: { type, entity_id: id } })
    }
  }
  for (let number = 1; inputs.length < REDIRECTS; number++) {
    const url = number % 3 === 0 ? `https://archive.example.com/${number}` : `/news/${number}`
    inputs.push({ site_id: FIRST_SITE, from_path: `/2019/${number}.html`, to: { type: 'url', url } })
  }
  return inputs
}
