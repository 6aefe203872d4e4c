import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { publish } from '../../core/events/publish.ts'
import { type Mistakes, refuse } from '../../core/rest/input/mistakes.ts'
import { lockCounter } from '../../core/rest/lists/counters.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { change, differences, findWhere, insert } from '../../core/rest/lists/verbs.ts'
import { notFound, unknownId } from '../../core/rest/problem.ts'
import { releaseOfChannels } from '../../goods/catalog/addresses/owners.ts'
import { requestAddress } from '../../goods/catalog/addresses/requests.ts'
import { slug } from '../../goods/catalog/addresses/slug.ts'
import { isOfLiveChannel, lockLiveChannelsShared } from '../../shop/channels/live-channels.ts'
import { blank, type NewPage, type PageChanges, type PageRow, type PageValues, pages, withFields } from './shape.ts'

/** The kind of pages in the table of addresses. */
export const PAGE_KIND = pages.noun

/** A stored page, and the reason why it did not get the requested address. */
export interface PageOutcome {
  page: PageRow
  failure?: string | undefined
}

/** Lets one transaction of the store at a time change pages: their addresses, parents and home pages depend on each other. */
export const lockPages = (tx: Tx) => lockCounter(tx, pages.table)

/**
 * Creates a page. The caller has called `lockPages`.
 * @throws Problem 422; 409 for a name that is taken, 403 at the maximum, 413 for too large a body
 */
export async function createPage(tx: Tx, input: NewPage): Promise<PageOutcome> {
  const mistakes: Mistakes = {}
  if (input.type === 'raw' && input.body === undefined) mistakes.body = 'error.path.missing'
  const values = withFields({ ...blank, name: input.name, type: input.type }, input, mistakes)
  await refuseWrongPlace(tx, values, mistakes)
  refuse(mistakes)
  const row = await insert(tx, pages, { ...values, ...bodyColumns(input.body ?? null) })
  const { url, failure } = await addressFor(tx, row, { former: '', wish: input.url })
  const page = await change(tx, pages, row, { url })
  if (page.is_homepage) await clearOtherHomePages(tx, page)
  publishPage(tx, 'created', page)
  return { page, failure }
}

/**
 * Changes a page. The caller has called `lockPages`.
 * @throws Problem 404; 422; 409 for a name that is taken, 413 for too large a body
 */
export async function changePage(tx: Tx, id: number, input: PageChanges): Promise<PageOutcome> {
  const before = await findPage(tx, id)
  const mistakes: Mistakes = {}
  if (input.channel_id !== undefined && input.channel_id !== before.channel_id) {
    mistakes.channel_id = 'A page stays on its channel.'
  }
  if (input.type === 'blog' && before.type !== 'blog') mistakes.type = 'No other page can become the blog.'
  const values = withFields(before, input, mistakes)
  if (values.parent_id !== before.parent_id) await refuseWrongParent(tx, values, mistakes, id)
  refuse(mistakes)
  const { url, failure } = await addressFor(tx, { ...values, id }, { former: before.url, wish: input.url })
  const changes = { ...differences(before, { ...values, url }), ...(await changedBody(tx, id, input.body)) }
  if (Object.keys(changes).length === 0) return { page: before, failure }
  const page = await change(tx, pages, before, changes)
  if (page.is_homepage && !before.is_homepage) await clearOtherHomePages(tx, page)
  publishPage(tx, 'updated', page)
  return { page, failure }
}

/** A page of a channel that is not deleted. @throws Problem 404 */
async function findPage(tx: Tx, id: number): Promise<PageRow> {
  const [page] = await findWhere(tx, pages, sql`id = ${id} and ${isOfLiveChannel(tx, 'pages.channel_id')}`)
  if (!page) throw notFound(pages.noun, id)
  return page
}

/** Only the beginning of a body is searched: so a search among all pages of a store reads at most 256 MiB. */
const bodyColumns = (body: string | null) => ({ body, body_key: fold((body ?? '').slice(0, SEARCHED_MAX)) })
const SEARCHED_MAX = 65_536

async function changedBody(tx: Tx, id: number, body: string | null | undefined): Promise<object> {
  if (body === undefined) return {}
  const same = await tx.rows(sql`
    select id from pages where store_id = ${tx.store.id} and id = ${id} and body is not distinct from ${body}::text`)
  return same.length > 0 ? {} : bodyColumns(body)
}

/** Locks the channel of a new page. Adds mistakes for an unknown channel or parent. */
async function refuseWrongPlace(tx: Tx, values: PageValues, mistakes: Mistakes) {
  const { channel_id } = values
  if (!(await lockLiveChannelsShared(tx, [channel_id])).has(channel_id)) {
    mistakes.channel_id = unknownId('channel', channel_id)
  }
  await refuseWrongParent(tx, values, mistakes)
}

/** Adds a mistake if the parent is on another channel, or is the page itself or below it. */
async function refuseWrongParent(tx: Tx, { parent_id, channel_id }: PageValues, mistakes: Mistakes, id = 0) {
  if (parent_id === 0) return
  const above = await tx.rows<{ id: number }>(sql`
    with recursive above as (
      select id, parent_id from pages
      where store_id = ${tx.store.id} and id = ${parent_id} and channel_id = ${channel_id}::bigint
      union
      select page.id, page.parent_id from pages page join above on page.id = above.parent_id
      where page.store_id = ${tx.store.id}
    )
    select id from above`)
  if (above.length === 0) mistakes.parent_id = `There is no page ${parent_id} on the channel ${channel_id}.`
  else if (above.some((page) => page.id === id)) mistakes.parent_id = `The page ${parent_id} is this page or below it.`
}

/** The address of a page, as `requestAddress` finds it. A link has none, and releases its former one. */
async function addressFor(
  tx: Tx,
  { id, channel_id, type, name }: PageRow,
  { former, wish }: { former: string; wish: string | null | undefined },
): Promise<{ url: string; failure?: string }> {
  if (type !== 'link') {
    const owner = { kind: PAGE_KIND, id, channel_id }
    return requestAddress(tx, owner, { former, wish, stem: `/${slug(name) || `${PAGE_KIND}-${id}`}` })
  }
  if (former !== '') await releaseOfChannels(tx, PAGE_KIND, [id])
  return { url: '' }
}

/** A channel has one home page. */
async function clearOtherHomePages(tx: Tx, { id, channel_id }: PageRow) {
  const others = await tx.rows<{ id: number }>(sql`
    update pages set is_homepage = false
    where store_id = ${tx.store.id} and channel_id = ${channel_id}::bigint and is_homepage and id <> ${id} returning id`)
  for (const other of others) publishPage(tx, 'updated', { id: other.id, channel_id })
}

/** Publishes an event of a page (docs/contract/webhooks.md section 6). */
export const publishPage = (
  tx: Tx,
  action: 'created' | 'updated',
  { id, channel_id }: Pick<PageRow, 'id' | 'channel_id'>,
) => publish(tx, `store/channel/${channel_id}/page/${action}`, `page ${id}`, { page_id: id })
