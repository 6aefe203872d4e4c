import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { everyTree } from '../../../goods/catalog/categories/tree-shape.ts'
import type { Visibility } from '../graphql/fields/catalog/rows/visibility.ts'
import { STOREFRONT_PREFIXES, type Storefront } from '../storefronts.ts'
import { textsIn } from './pages.ts'

// Addresses of a shop for search engines (docs/contract/storefront-graphql.md section 11). A part has the objects whose ids are in one range,
// so that each part is read from an index, however many come before it.

/** Ids in one part, and so the most addresses. */
const PART_IDS = 25_000
const ROWS_AT_ONCE = 1_000
const CACHE_SECONDS = 300

/** The objects of a part: their table and address, and the condition that guests may see them. */
interface Kind {
  table: string
  path: Sql
  isOpen(storefront: Storefront, visibility: Visibility, parts: Conditions): Sql
}
type Conditions = Pick<
  typeof import('../graphql/fields/catalog/rows/visibility.ts'),
  'isVisibleProduct' | 'isVisibleCategory'
>

const KINDS: Readonly<Record<string, Kind>> = {
  products: {
    table: 'products',
    path: sql`custom_url ->> 'url'`,
    isOpen: (_, visibility, { isVisibleProduct }) => isVisibleProduct(visibility, 'inLists'),
  },
  categories: {
    table: 'categories',
    path: sql`custom_url ->> 'url'`,
    isOpen: ({ db, channel }, visibility, { isVisibleCategory }) => sql`${isVisibleCategory(visibility)}
      and categories.tree_id in (select tree.id from ${everyTree(db)} tree where tree.channel_id = ${channel})`,
  },
  brands: { table: 'brands', path: sql`custom_url ->> 'url'`, isOpen: () => sql`true` },
  pages: {
    table: 'pages',
    path: sql`url`,
    isOpen: ({ channel }) => sql`channel_id = ${channel} and is_visible and not is_customers_only and type <> 'link'`,
  },
  posts: { table: 'blog_posts', path: sql`url`, isOpen: () => sql`is_published and published_date <= now()` },
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** @param path with its query */
const locationOf = ({ url }: Pick<Storefront, 'url'>, path: string) =>
  `<loc>${encodeURI(decoded(`${url}${path}`))
    .replaceAll('&', '&amp;')
    .replaceAll("'", '&apos;')}</loc>`

/** Addresses may be encoded already. */
function decoded(address: string): string {
  try {
    return decodeURI(address)
  } catch {
    return address
  }
}

/** The sitemap of a storefront and its parts. They need no token. */
export function sitemapRoutes(pages: FastifyInstance) {
  const send = (reply: FastifyReply, xml: string | Readable) =>
    reply
      .headers({ 'cache-control': `public, max-age=${CACHE_SECONDS}` })
      .type('application/xml; charset=utf-8')
      .send(xml)

  const answer = async ({ storefront, query, host }: FastifyRequest, reply: FastifyReply) => {
    const { type, page = '1' } = textsIn(query)
    if (type === undefined) return send(reply, await indexOf(storefront, host))
    const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined
    if (!kind || !/^[1-9]\d{0,4}$/.test(page)) throw new Problem(404, 'There is no such sitemap.')
    // The rules of the catalog are loaded with the first sitemap: they need the library of GraphQL.
    const rules = await import('../graphql/fields/catalog/rows/visibility.ts')
    const isOpen = kind.isOpen(storefront, await rules.guestVisibility(storefront), rules)
    return send(reply, Readable.from(partOf(storefront, { kind, isOpen, from: (Number(page) - 1) * PART_IDS })))
  }
  for (const prefix of STOREFRONT_PREFIXES) pages.get(`${prefix}/xmlsitemap.php`, answer)
}

/**
 * The parts that have objects. A shop with a server of its own passes on the index only, so its parts are at the address of this server.
 * @param host of the request
 */
async function indexOf({ db, url, checkoutUrl }: Storefront, host: string): Promise<string> {
  const at = { url: new URL(url).host === host.toLowerCase() ? url : checkoutUrl }
  const ends = Object.entries(KINDS).map(
    ([type, { table }]) =>
      sql`select ${type} as type, (select max(id) from ${sql.id(table)} where store_id = ${db.store.id}) as last`,
  )
  const rows = await db.rows<{ type: string; last: number | null }>(sql.join(ends, ' union all '))
  const parts = rows.flatMap(({ type, last }) =>
    Array.from({ length: Math.ceil((last ?? 0) / PART_IDS) }, (_, i) => `/xmlsitemap.php?type=${type}&page=${i + 1}`),
  )
  const locations = parts.map((path) => `<sitemap>${locationOf(at, path)}</sitemap>\n`)
  return `${HEAD}<sitemapindex ${NAMESPACE}>\n${locations.join('')}</sitemapindex>\n`
}

interface Part {
  kind: Kind
  isOpen: Sql
  /** The ids behind this one. */
  from: number
}

/** Reads and writes a part piece by piece. */
async function* partOf(storefront: Storefront, { kind, isOpen, from }: Part): AsyncGenerator<string> {
  const { db } = storefront
  const table = sql.id(kind.table)
  yield `${HEAD}<urlset ${NAMESPACE}>\n`
  for (let last = from; ; ) {
    const rows = await db.rows<{ id: number; path: string }>(sql`
      select id, ${kind.path} as path from ${table}
      where ${table}.store_id = ${db.store.id} and id > ${last} and id <= ${from + PART_IDS} and ${isOpen}
      order by id limit ${ROWS_AT_ONCE}`)
    yield rows.map(({ path }) => `<url>${locationOf(storefront, path)}</url>\n`).join('')
    last = rows.at(-1)?.id ?? last
    if (rows.length < ROWS_AT_ONCE) break
  }
  yield '</urlset>\n'
}
