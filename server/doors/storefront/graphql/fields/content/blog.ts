import type { PostRow } from '../../../../../content/blog/shape.ts'
import { prepared } from '../../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { plainText } from '../catalog/plain-text.ts'
import { isId } from '../catalog/rows/product-row.ts'
import { type Key, keyedConnection, type Order, type PageArgs, planPage } from '../connections.ts'
import { globalId } from '../global-ids.ts'
import { localeAlternates } from '../settings/alternates.ts'
import { isOpenPage, pageColumns, type ShopPage } from './pages.ts'

// The blog: the page of a storefront that lists the posts, which all storefronts of a store have in common.

const COLUMNS = [
  'id',
  'title',
  'url',
  'published_date',
  'meta_description',
  'meta_keywords',
  'author',
  'thumbnail_path',
] as const satisfies readonly (keyof PostRow)[]
const columns = sql.raw(COLUMNS.join(', '))

/** A post without its body. */
type ShopPost = Pick<PostRow, (typeof COLUMNS)[number]>

declare module '../../types.ts' {
  interface Parents {
    Blog: ShopPage
    BlogPost: ShopPost
    BlogPostConnection: Awaited<ReturnType<typeof postConnection>>
  }
}

/** The condition that shoppers see a row of `blog_posts`. */
const isPublished = ({ storefront: { db }, now }: StorefrontCaller): Sql =>
  sql`store_id = ${db.store.id} and is_published and published_date <= ${now}`

const postLoad = new Load<StorefrontCaller, number, ShopPost>(async (caller, ids) => {
  const rows = await caller.storefront.db.rows<ShopPost>(
    prepared(sql`select ${columns} from blog_posts where ${isPublished(caller)} and id = ${sql.anyOf(ids)}`),
  )
  return new Map(rows.map((row) => [row.id, row]))
})

export const findPost = async (caller: StorefrontCaller, id: number): Promise<ShopPost | undefined> =>
  isId(id) ? postLoad.find(caller, id, undefined) : undefined

/** The page of the blog. A storefront has one from its creation. */
const blogLoad = new Load<StorefrontCaller, 'blog', ShopPage>(async (caller) => {
  const [row] = await caller.storefront.db.rows<ShopPage>(
    prepared(sql`select ${pageColumns} from pages where ${isOpenPage(caller)} and type = 'blog' order by id limit 1`),
  )
  return new Map(row ? [['blog', row]] : [])
})

export const findBlog = async (caller: StorefrontCaller): Promise<ShopPage | null> =>
  (await blogLoad.find(caller, 'blog', undefined)) ?? null

const BY_DATE: Pick<Order, 'columns'> = { columns: ['extract(epoch from published_date)::bigint', 'id'] }
const ORDERS = {
  NEWEST: { ...BY_DATE, isFalling: true },
  OLDEST: { ...BY_DATE, isFalling: false },
} as const satisfies Record<string, Order>

interface PostArgs extends PageArgs {
  filters?: { entityIds?: readonly number[] | null; tags?: readonly string[] | null } | null
  sort: keyof typeof ORDERS | null
}

const orderOf = ({ sort }: Pick<PostArgs, 'sort'>): Order => ORDERS[sort ?? 'NEWEST']

function conditionOf(caller: StorefrontCaller, { entityIds, tags }: NonNullable<PostArgs['filters']>): Sql {
  const conditions = [isPublished(caller)]
  if (entityIds) conditions.push(sql`id = any(${entityIds.filter(isId)})`)
  if (tags) {
    conditions.push(sql`id in (
      select post_id from blog_tags where store_id = ${caller.storefront.db.store.id} and tag_key = any(${tags.map(fold)}))`)
  }
  return sql.and(conditions)
}

type ListedPost = ShopPost & { sort_key: Key }

const listLoad = new Load<StorefrontCaller, 'all', ListedPost[], PostArgs>(async (caller, _, args) => {
  const plan = planPage(args, orderOf(args))
  const rows = await caller.storefront.db.rows<ListedPost>(sql`
    select ${columns}, jsonb_build_array(${sql.raw(BY_DATE.columns.join(', '))}) as sort_key from blog_posts
    where ${conditionOf(caller, args.filters ?? {})} and ${plan.where} ${plan.tail}`)
  return new Map([['all', rows]])
})

async function postConnection(caller: StorefrontCaller, args: PostArgs) {
  const rows = (await listLoad.find(caller, 'all', args)) ?? []
  const plan = planPage(args, orderOf(args))
  const connection = keyedConnection(plan, rows, { keyOf: ({ sort_key }) => sort_key, nodeOf: (row) => row })
  const count = async () =>
    (
      await caller.storefront.db.row<{ count: number }>(sql`
        select count(*)::int as count from blog_posts where ${conditionOf(caller, args.filters ?? {})}`)
    ).count
  return { ...connection, count }
}

const tagLoad = new Load<StorefrontCaller, number, { tag: string }[]>(async ({ storefront: { db } }, ids) => {
  const rows = await db.rows<{ post_id: number; tag: string }>(
    prepared(sql`
    select post_id, tag from blog_tags where store_id = ${db.store.id} and post_id = ${sql.anyOf(ids)} order by post_id, position`),
  )
  return Map.groupBy(rows, ({ post_id }) => post_id)
})

/** Characters of a body that make a summary. A page of 50 posts reads at most 800 KiB. */
const SUMMARIZED = 16_384

/** The beginnings of bodies, or whole bodies. */
const bodyLoad = new Load<StorefrontCaller, number, string, 'summary' | 'whole'>(
  async ({ storefront: { db } }, ids, part) => {
    const body = part === 'whole' ? sql`body` : sql`left(body, ${SUMMARIZED})`
    const rows = await db.rows<{ id: number; body: string }>(
      sql`select id, ${body} as body from blog_posts where store_id = ${db.store.id} and id = ${sql.anyOf(ids)}`,
    )
    return new Map(rows.map(({ id, body }) => [id, body]))
  },
)

/** The blog and its posts. */
export const blogFields: Fields<'Blog' | 'BlogPost' | 'BlogPostConnection'> = {
  Blog: {
    id: ({ id }) => globalId('Blog', id),
    description: ({ meta_description }) => meta_description,
    path: ({ url }) => url,
    isVisibleInNavigation: ({ is_visible }) => is_visible,
    posts: (_, args, caller) => postConnection(caller, args),
    post: async (_, { entityId }, caller) => (await findPost(caller, entityId)) ?? null,
    renderedRegions: () => ({ file: 'pages/blog', entity: '' }),
  },
  BlogPostConnection: { collectionInfo: async ({ count }) => ({ totalItems: await count() }) },
  BlogPost: {
    id: ({ id }) => globalId('BlogPost', id),
    entityId: ({ id }) => id,
    name: ({ title }) => title,
    tags: async ({ id }, _, caller) => ((await tagLoad.find(caller, id, undefined)) ?? []).map(({ tag }) => tag),
    path: ({ url }) => url,
    htmlBody: async ({ id }, _, caller) => (await bodyLoad.find(caller, id, 'whole')) ?? '',
    async plainTextSummary({ id }, { characterLimit }, caller) {
      const beginning = (await bodyLoad.find(caller, id, 'summary')) ?? ''
      const isCut = beginning.lastIndexOf('<') > beginning.lastIndexOf('>')
      return plainText(isCut ? beginning.slice(0, beginning.lastIndexOf('<')) : beginning, characterLimit ?? 0)
    },
    publishedDate: ({ published_date }) => ({ utc: new Date(published_date).toISOString() }),
    thumbnailImage: ({ thumbnail_path, title }) =>
      thumbnail_path ? { kept: thumbnail_path, altText: title, isDefault: false } : null,
    seo: ({ title, meta_description, meta_keywords }) => ({
      pageTitle: title,
      metaDescription: meta_description ?? '',
      metaKeywords: meta_keywords ?? '',
    }),
    locales: ({ url }, args, caller) => localeAlternates(caller, url, args),
    renderedRegions: () => ({ file: 'pages/blog-post', entity: '' }),
  },
}
