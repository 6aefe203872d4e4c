import t from 'typebox'
import { type Db, prepared } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { Answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { parseDate, toSeconds } from '../../core/rest/input/dates.ts'
import { Id, idSegment } from '../../core/rest/input/fields.ts'
import { ComparedText } from '../../core/rest/lists/filters.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { paging, pagingUpTo } from '../../core/rest/lists/paging.ts'
import { findOne } from '../../core/rest/lists/verbs.ts'
import { notFound, Problem, problemBody } from '../../core/rest/problem.ts'
import { listV2 } from '../../core/rest/v2.ts'
import { withSlash } from '../../goods/catalog/addresses/slug.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { listPosts, NewPost, PartlySaved, Post, PostChanges, posts, postsToAnswers } from './shape.ts'
import { changePost, createPost, deletePosts, type PostDependents, type PostOutcome } from './writing.ts'

const { read, write } = access('content')

/** Most posts of a request that deletes a page of the list. */
const DELETED_MAX = 50
const DAY_MS = 86_400_000

const Listed = t.Object(
  {
    is_published: t.Optional(t.Boolean()),
    url: t.Optional(ComparedText),
    tag: t.Optional(ComparedText),
    published_date: t.Optional(t.String({ format: 'date-time', description: 'All posts of this day in UTC' })),
    ...paging,
  },
  { table: 'blog_posts' },
)
const Deleted = t.Object(pagingUpTo(DELETED_MAX), { additionalProperties: false, examples: [{ page: 1 }] })
const TagOfPosts = t.Object({ tag: t.String(), post_ids: t.Array(t.Integer()) }, { title: 'BlogTag' })

const response = { 200: Post, 207: PartlySaved }
const ADDRESS = 'If the address is taken or malformed, everything else is saved, and the answer is 207.'

/** Routes of the blog (docs/contract/blog.md). */
export function blogRoutesV2(api: Api, above: PostDependents) {
  const all = '/blog/posts'
  const one = `${all}/${idSegment('post_id')}`
  const params = t.Object({ post_id: Id })

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the blog posts',
        description: 'The newest come first.',
        querystring: Listed,
        response: { 200: t.Array(Post), 204: t.Null() },
      },
    },
    async ({ db, query }) => {
      const { page = 1, limit = 50 } = query
      return listV2(await postsToAnswers(db, await listPosts(db, conditionOf(db, query), { page, limit })))
    },
  )

  api.post(
    all,
    { ...write, schema: { summary: 'Create a blog post', description: ADDRESS, body: NewPost, response } },
    async ({ db, body }) => answerPost(db, await createPost(db, body), api.docsBase),
  )

  api.delete(
    all,
    {
      ...write,
      schema: {
        summary: 'Delete a page of the blog posts',
        description: `Deletes the posts of one page of the list, by default the ${DELETED_MAX} newest.`,
        querystring: Deleted,
      },
    },
    async ({ db, query: { page = 1, limit = DELETED_MAX } }) => {
      await deletePosts(db, above, { page, limit })
      return noContent()
    },
  )

  api.get(
    `${all}/count`,
    {
      ...read,
      schema: {
        summary: 'Count the blog posts',
        operationId: 'countBlogPosts',
        response: { 200: t.Object({ count: t.Integer() }, { title: 'BlogPostCount' }) },
      },
    },
    async ({ db }) =>
      new Answer(
        await db.row<{ count: number }>(
          prepared(sql`select count(*)::int as count from blog_posts where store_id = ${db.store.id}`),
        ),
      ),
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get a blog post', params, response: { 200: Post } } },
    async ({ db, params }) => new Answer((await postsToAnswers(db, [await findOne(db, posts, params.post_id)]))[0]),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a blog post',
        description: `Without is_published the post goes offline; other fields that the body omits keep their values. ${ADDRESS}`,
        params,
        body: PostChanges,
        response,
      },
    },
    async ({ db, params, body }) => answerPost(db, await changePost(db, params.post_id, body), api.docsBase),
  )

  api.delete(one, { ...write, schema: { summary: 'Delete a blog post', params } }, async ({ db, params }) => {
    const { post_id: id } = params
    if (!(await deletePosts(db, above, { id }))) throw notFound(posts.noun, id)
    return noContent()
  })

  api.get(
    '/blog/tags',
    {
      ...read,
      schema: {
        summary: 'List the blog tags',
        description: 'All tags of all posts, in alphabetical order, on one page.',
        response: { 200: t.Array(TagOfPosts), 204: t.Null() },
      },
    },
    async ({ db }) =>
      listV2(
        await db.rows(
          prepared(sql`
          select (array_agg(tag order by post_id))[1] as tag, jsonb_agg(post_id order by post_id) as post_ids from blog_tags
          where store_id = ${db.store.id} group by tag_key order by tag_key`),
        ),
      ),
  )
}

interface Filters {
  is_published?: boolean
  url?: string
  tag?: string
  published_date?: string
}

function conditionOf({ store }: Db, { is_published, url, tag, published_date }: Filters): Sql {
  const day = published_date === undefined ? undefined : parseDate(published_date)?.at
  return sql.and([
    sql`true`,
    ...(is_published === undefined ? [] : [sql`is_published = ${is_published}`]),
    ...(url === undefined ? [] : [sql`url_key = ${fold(withSlash(url))}`]),
    ...(tag === undefined
      ? []
      : [sql`id in (select post_id from blog_tags where store_id = ${store.id} and tag_key = ${fold(tag)})`]),
    ...(day === undefined ? [] : [isOnDay(day)]),
  ])
}

function isOnDay(moment: Date): Sql {
  const begin = Math.floor(moment.getTime() / DAY_MS) * DAY_MS
  const [from, until] = [new Date(begin), new Date(begin + DAY_MS)].map(toSeconds)
  return sql`(published_date >= ${from} and published_date < ${until})`
}

async function answerPost(db: Db, { post, failure }: PostOutcome, docsBase: string): Promise<Answer> {
  const [data] = await postsToAnswers(db, [post])
  if (failure === undefined) return new Answer(data)
  const problem = new Problem(409, 'Everything was saved except the address.', { url: failure })
  return new Answer({ ...data, errors: problemBody(problem, docsBase) }, 207)
}
