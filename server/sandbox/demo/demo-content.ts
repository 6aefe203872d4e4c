import { createPost } from '../../content/blog/writing.ts'
import { createPage, lockPages } from '../../content/pages/writing.ts'
import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { findWhere } from '../../core/rest/lists/verbs.ts'
import { channels, FIRST_CHANNEL } from '../../shop/channels/channels.ts'

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
