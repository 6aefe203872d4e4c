import t, { type Static } from 'typebox'
import type { Db } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { Id, Line, NeededLine, nullable, Text } from '../../core/rest/input/fields.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import { names } from '../../core/rest/lists/columns.ts'
import { Problem, ProblemBody } from '../../core/rest/problem.ts'

/** Most bytes of a post's body, and of the bodies of one answer. */
export const BODY_MAX = 1_048_576
const BODIES_MAX = 16 * BODY_MAX
const POSTS_MAX = 10_000
/** Most different tags of a store, and tags of a post. */
export const TAGS_MAX = 2_000
const TAGS_OF_POST_MAX = 50
/** Characters of a summary. */
const SUMMARY_MAX = 400

/**
 * A post is an article of the store's blog, which all storefronts have in common. It has an address that no page and nothing of the
 * catalog has, and tags. Shoppers see published posts from their date on. A change that does not mention `is_published` takes the post
 * offline (docs/contract/blog.md).
 */
const PostRow = t.Object({
  id: Id,
  title: NeededLine,
  url: t.String(),
  body: t.String(),
  summary: t.String(),
  is_published: t.Boolean(),
  published_date: t.String({ format: 'date-time' }),
  meta_description: nullable(Text),
  meta_keywords: nullable(Text),
  author: nullable(Line),
  thumbnail_path: nullable(t.String({ maxLength: 2_048 })),
})
export type PostRow = Static<typeof PostRow>

export const posts = collection('blog_posts', PostRow, { noun: 'post', filters: 'url', max: POSTS_MAX })

const PublishedDate = t.Object(
  { date: t.String(), timezone_type: t.Integer(), timezone: t.String() },
  { title: 'PublishedDate' },
)
const Tags = t.Array(t.String())
const { published_date: _, ...answered } = PostRow.properties
export const Post = t.Object(
  {
    ...answered,
    preview_url: t.String({ description: 'As url' }),
    tags: Tags,
    published_date: PublishedDate,
    published_date_iso8601: t.String(),
  },
  { title: 'BlogPost' },
)
export const PartlySaved = t.Object({ ...Post.properties, errors: ProblemBody })

const Tag = t.String({ minLength: 1, maxLength: 255, pattern: '\\S' })
const writable = {
  title: NeededLine,
  url: t.Optional(nullable(Text)),
  body: t.String({ description: 'At most 1 MiB' }),
  tags: t.Optional(t.Array(Tag, { maxItems: TAGS_OF_POST_MAX })),
  is_published: t.Optional(t.Boolean({ default: false })),
  published_date: t.Optional(
    t.String({ format: 'date-time', description: 'RFC 2822 or RFC 3339; default the present' }),
  ),
  ...t.Partial(t.Pick(PostRow, ['meta_description', 'meta_keywords', 'author', 'thumbnail_path'])).properties,
}
export const NewPost = t.Object(writable, {
  title: 'NewBlogPost',
  examples: [{ title: 'Spring', body: '<p>New cups</p>', tags: ['News'], is_published: true }],
})
export type NewPost = Static<typeof NewPost>
export const PostChanges = t.Partial(NewPost, {
  title: 'BlogPostChanges',
  examples: [{ title: 'Summer', is_published: true }],
})
export type PostChanges = Static<typeof PostChanges>

/** The beginning of a body as text, without tags and with single blanks. */
export function summaryOf(body: string): string {
  const text = withoutTags(body).replace(/\s+/g, ' ').trim()
  const characters = [...text.slice(0, 2 * SUMMARY_MAX + 2)]
  return characters.length > SUMMARY_MAX ? `${characters.slice(0, SUMMARY_MAX).join('')} [...]` : text
}

/** Every tag ends before the last `>`, so no search for an end is in vain. A tag that never ends hides the rest. */
function withoutTags(html: string): string {
  const end = html.lastIndexOf('>') + 1
  const [rest = ''] = html.slice(end).split(/<[a-z/!?]/i, 1)
  return `${html.slice(0, end).replaceAll(/<[a-z/!?][^>]*>/gi, ' ')}${rest}`
}

/** Posts in the order of their list, newest first. @throws Problem 413 if their bodies are too large for one answer */
export async function listPosts(
  db: Db,
  where: Sql,
  { page, limit }: { page: number; limit: number },
): Promise<PostRow[]> {
  const columns = names(posts.columns.filter((column) => column !== 'body'))
  const found = await db.rows<PostRow & { is_too_much: boolean }>(sql`
    with page as materialized (
      select id from blog_posts where store_id = ${db.store.id} and ${where} ${ORDER}
      limit ${limit} offset ${(page - 1) * limit}
    ), size as materialized (
      select coalesce(sum(octet_length(body)), 0) > ${BODIES_MAX} as is_too_much from blog_posts
      where store_id = ${db.store.id} and id = any(array(select id from page))
    )
    select ${columns}, case when is_too_much then '' else body end as body, is_too_much from blog_posts cross join size
    where store_id = ${db.store.id} and id = any(array(select id from page)) ${ORDER}`)
  if (found.some(({ is_too_much }) => is_too_much)) {
    throw new Problem(413, 'The bodies of these posts have more than 16 MiB. Ask for fewer of them with a lower limit.')
  }
  return found.map(({ is_too_much: _, ...row }) => row)
}
export const ORDER = sql`order by published_date desc, id`

/** The answers for posts, with their tags by one more statement. */
export async function postsToAnswers(db: Db, rows: readonly PostRow[]): Promise<Static<typeof Post>[]> {
  const ids = rows.map(({ id }) => id)
  const found =
    ids.length === 0
      ? []
      : await db.rows<{ post_id: number; tag: string }>(sql`
          select post_id, tag from blog_tags where store_id = ${db.store.id} and post_id = any(${ids}) order by post_id, position`)
  const tags = Map.groupBy(found, ({ post_id }) => post_id)
  return rows.map(({ published_date, url, ...row }) => {
    const [day = '', time = ''] = new Date(published_date).toISOString().slice(0, 19).split('T')
    return {
      ...row,
      url,
      preview_url: url,
      tags: (tags.get(row.id) ?? []).map(({ tag }) => tag),
      published_date: { date: `${day} ${time}.000000`, timezone_type: 1, timezone: '+00:00' },
      published_date_iso8601: `${day}T${time}+00:00`,
    }
  })
}

/** The present addresses of posts, by id. Unknown posts are left out. */
export async function addressesOfPosts(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const found = await db.rows<{ id: number; url: string }>(
    sql`select id, url from blog_posts where store_id = ${db.store.id} and id = any(${ids})`,
  )
  return new Map(found.map(({ id, url }) => [id, url]))
}
