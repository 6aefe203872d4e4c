import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { lockIds } from '../../core/rest/batch.ts'
import { parseDate, toSeconds } from '../../core/rest/input/dates.ts'
import { lockCounter } from '../../core/rest/lists/counters.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { change, insert, lock, removeAll } from '../../core/rest/lists/verbs.ts'
import { Problem } from '../../core/rest/problem.ts'
import { EVERY_CHANNEL, releaseEverywhere } from '../../goods/catalog/addresses/owners.ts'
import { requestAddress } from '../../goods/catalog/addresses/requests.ts'
import { slug } from '../../goods/catalog/addresses/slug.ts'
import { BODY_MAX, type NewPost, ORDER, type PostChanges, type PostRow, posts, summaryOf, TAGS_MAX } from './shape.ts'

const POST_KIND = posts.noun

/** Functions of areas above that delete their rows of posts, in the transaction that deletes the posts and with the posts locked. */
export interface PostDependents {
  deleteRowsOfPosts(tx: Tx, ids: readonly number[]): Promise<void>
}

/** A stored post, and the reason why it did not get the requested address. */
export interface PostOutcome {
  post: PostRow
  failure?: string | undefined
}

/** Lets one transaction of the store at a time change posts: tags are counted in all of them. */
const lockPosts = (tx: Tx) => lockCounter(tx, posts.table)

/** Creates a post. @throws Problem 403 for one post or tag too many, 413 for too large a body */
export function createPost(db: Db, { tags, url: wish, is_published = false, ...input }: NewPost): Promise<PostOutcome> {
  refuseLarge(input.body)
  return db.transaction(async (tx) => {
    await lockPosts(tx)
    const row = await insert(tx, posts, {
      meta_description: null,
      meta_keywords: null,
      author: null,
      thumbnail_path: null,
      ...input,
      url: '',
      is_published,
      summary: summaryOf(input.body),
      published_date: momentOf(input.published_date) ?? toSeconds(tx.now),
    })
    const { url, failure } = await requestAddress(tx, ownerOf(row), { wish, former: '', stem: stemOf(row) })
    if (tags) await storeTags(tx, row.id, tags)
    return { post: await change(tx, posts, row, { url }), failure }
  })
}

/** Changes a post. Without `is_published` it goes offline. @throws Problem 404; 403 for one tag too many, 413 for too large a body */
export function changePost(
  db: Db,
  id: number,
  { tags, url: wish, is_published = false, published_date, ...input }: PostChanges,
): Promise<PostOutcome> {
  if (input.body !== undefined) refuseLarge(input.body)
  return db.transaction(async (tx) => {
    await lockPosts(tx)
    const before = await lock(tx, posts, id)
    const { url, failure } = await requestAddress(tx, ownerOf(before), {
      wish,
      former: before.url,
      stem: stemOf(before),
    })
    if (tags) await storeTags(tx, id, tags)
    const post = await change(tx, posts, before, {
      ...input,
      ...(input.body === undefined ? {} : { summary: summaryOf(input.body) }),
      published_date: momentOf(published_date) ?? before.published_date,
      is_published,
      url,
    })
    return { post, failure }
  })
}

/** Deletes posts with their tags, addresses and rows of areas above. @returns whether any existed */
export function deletePosts(db: Db, above: PostDependents, choice: { id: number } | { page: number; limit: number }) {
  return db.transaction(async (tx) => {
    await lockPosts(tx)
    const chosen =
      'id' in choice
        ? [choice]
        : await tx.rows<{ id: number }>(sql`
            select id from blog_posts where store_id = ${tx.store.id} ${ORDER}
            limit ${choice.limit} offset ${(choice.page - 1) * choice.limit}`)
    const ids = [
      ...(await lockIds(
        tx,
        posts,
        chosen.map(({ id }) => id),
      )),
    ]
    if (ids.length === 0) return false
    await above.deleteRowsOfPosts(tx, ids)
    await tx.rows(sql`delete from blog_tags where store_id = ${tx.store.id} and post_id = any(${ids})`)
    await removeAll(tx, posts, sql`id = any(${ids})`)
    await releaseEverywhere(tx, POST_KIND, ids)
    return true
  })
}

/** @throws Problem 413 */
function refuseLarge(body: string) {
  if (Buffer.byteLength(body) > BODY_MAX) throw new Problem(413, 'The body of a post can have at most 1 MiB.')
}

const momentOf = (text: string | undefined): string | undefined => {
  const moment = text === undefined ? undefined : parseDate(text)
  return moment && toSeconds(moment.at)
}

const ownerOf = ({ id }: PostRow) => ({ kind: POST_KIND, id, channel_id: EVERY_CHANNEL })
const stemOf = ({ id, title }: PostRow) => `/blog/${slug(title) || `${POST_KIND}-${id}`}`

/** Replaces the tags of a post. Equal tags in different case count once. @throws Problem 403 at the maximum of the store */
async function storeTags(tx: Tx, post_id: number, given: readonly string[]) {
  const tags = new Map<string, string>()
  for (const tag of given) if (!tags.has(fold(tag))) tags.set(fold(tag), tag.trim())
  const row = ([tag_key, tag]: [string, string], position: number) => ({
    store_id: tx.store.id,
    post_id,
    tag_key,
    tag,
    position,
  })
  const [first, ...more] = [...tags].map(row)
  await tx.rows(sql`delete from blog_tags where store_id = ${tx.store.id} and post_id = ${post_id}`)
  if (!first) return
  await tx.rows(sql`insert into blog_tags ${sql.rows([first, ...more])}`)
  const { count } = await tx.row<{ count: number }>(
    sql`select count(distinct tag_key)::int as count from blog_tags where store_id = ${tx.store.id}`,
  )
  if (count > TAGS_MAX) throw new Problem(403, `A store can have at most ${TAGS_MAX} different tags.`)
}
