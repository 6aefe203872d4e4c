import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { change, insertWithin } from '../../core/rest/lists/verbs.ts'
import { generateAddress } from '../../goods/catalog/addresses/owners.ts'
import type { Channel } from '../../shop/channels/channels.ts'
import { blank, pages } from './shape.ts'
import { lockPages, PAGE_KIND } from './writing.ts'

/** Creates the blog page of a storefront, without an event. Does nothing for other channels, and if the channel has one. */
export async function openBlogPage(tx: Tx, { id: channel_id, type }: Pick<Channel, 'id' | 'type'>) {
  if (type !== 'storefront') return
  await lockPages(tx)
  const found = await tx.rows(sql`
    select id from pages where store_id = ${tx.store.id} and channel_id = ${channel_id}::bigint and type = 'blog'`)
  if (found.length > 0) return
  const values = { ...blank, channel_id, name: 'Blog', type: 'blog' as const, body: null, body_key: '' }
  // A new storefront is never refused because of the number of pages.
  const page = await insertWithin(tx, pages, values, Number.MAX_SAFE_INTEGER)
  if (!page) throw new Error('The blog page was not stored.')
  await change(tx, pages, page, {
    url: await generateAddress(tx, { kind: PAGE_KIND, id: page.id, channel_id }, '/blog'),
  })
}
