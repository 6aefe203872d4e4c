import type { PageRow } from '../../../../../content/pages/shape.ts'
import { bodiesOf } from '../../../../../content/pages/shape.ts'
import { prepared } from '../../../../../core/db/database.ts'
import { type Sql, sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { plainText } from '../catalog/plain-text.ts'
import { isId } from '../catalog/rows/product-row.ts'
import { connectionOf, type Key, keyedConnection, type Order, type PageArgs, planPage } from '../connections.ts'
import { globalId } from '../global-ids.ts'
import { localeAlternates } from '../settings/alternates.ts'

// Pages of a storefront. A page that is not visible is missing in the navigation only. Guests don't see pages for customers
// (docs/contract/storefront-graphql.md section 10).

const COLUMNS = [
  'id',
  'type',
  'name',
  'url',
  'link',
  'parent_id',
  'sort_order',
  'is_visible',
  'meta_title',
  'meta_keywords',
  'meta_description',
  'email',
  'contact_fields',
] as const satisfies readonly (keyof PageRow)[]
export const pageColumns = sql.raw(COLUMNS.map((column) => `pages.${column}`).join(', '))

/** A page without its body. */
export type ShopPage = Pick<PageRow, (typeof COLUMNS)[number]>

declare module '../../types.ts' {
  interface Parents {
    NormalPage: ShopPage
    RawHtmlPage: ShopPage
    ContactPage: ShopPage
    ExternalLinkPage: ShopPage
    BlogIndexPage: ShopPage
  }
}

/** The condition that a shopper may open a row of `pages`. */
export function isOpenPage({ storefront: { db, channel }, customer }: StorefrontCaller): Sql {
  const here = sql`pages.store_id = ${db.store.id} and pages.channel_id = ${channel}`
  return customer ? here : sql`${here} and not pages.is_customers_only`
}

const pageLoad = new Load<StorefrontCaller, number, ShopPage>(async (caller, ids) => {
  const rows = await caller.storefront.db.rows<ShopPage>(
    prepared(sql`select ${pageColumns} from pages where ${isOpenPage(caller)} and id = ${sql.anyOf(ids)}`),
  )
  return new Map(rows.map((row) => [row.id, row]))
})

export const findShopPage = async (caller: StorefrontCaller, id: number): Promise<ShopPage | undefined> =>
  isId(id) ? pageLoad.find(caller, id, undefined) : undefined

const TYPE_NAMES = {
  page: 'NormalPage',
  raw: 'RawHtmlPage',
  contact_form: 'ContactPage',
  link: 'ExternalLinkPage',
  blog: 'BlogIndexPage',
} as const satisfies Record<PageRow['type'], string>

/** A page with the name of its type. */
export function typedPage(row: ShopPage) {
  switch (row.type) {
    case 'page':
      return { __typename: TYPE_NAMES.page, ...row }
    case 'raw':
      return { __typename: TYPE_NAMES.raw, ...row }
    case 'contact_form':
      return { __typename: TYPE_NAMES.contact_form, ...row }
    case 'link':
      return { __typename: TYPE_NAMES.link, ...row }
    case 'blog':
      return { __typename: TYPE_NAMES.blog, ...row }
  }
}

const TYPES = { NORMAL: 'page', RAW: 'raw', CONTACT: 'contact_form', LINK: 'link', BLOG: 'blog' } as const

/** The ids and parents of lists are those of pages. */
const ORDERS = {
  PAGE_ID: { columns: ['id'], isFalling: false },
  SORT_ORDER: { columns: ['sort_order', 'id'], isFalling: false },
  PARENT_ID_AND_SORT_ORDER_AND_TITLE: {
    columns: ['parent_id', 'sort_order', 'name_key', 'id'],
    isFalling: false,
    textAt: 2,
  },
} as const satisfies Record<string, Order>

interface PageFilters {
  entityIds?: readonly number[] | null
  pageType?: keyof typeof TYPES | null
  isVisibleInNavigation?: boolean | null
  parentEntityIds?: readonly number[] | null
}
interface ListArgs extends PageArgs {
  filters?: PageFilters | null
  sortBy: keyof typeof ORDERS | null
}

/** The parent of a list of all pages. */
const ANY_PARENT = -1

type ListedPage = ShopPage & { parent: number; sort_key: Key }

/** One page of the list below each of several parents. */
const listLoad = new Load<StorefrontCaller, number, ListedPage[], ListArgs>(async (caller, parents, args) => {
  const order = orderOf(args)
  const plan = planPage(args, order)
  const { entityIds, pageType, isVisibleInNavigation, parentEntityIds } = args.filters ?? {}
  const conditions = [isOpenPage(caller), sql`(parent.id = ${ANY_PARENT} or parent_id = parent.id)`, plan.where]
  if (entityIds) conditions.push(sql`pages.id = any(${entityIds.filter(isId)})`)
  if (parentEntityIds) conditions.push(sql`parent_id = any(${[...parentEntityIds]})`)
  if (pageType) conditions.push(sql`type = ${TYPES[pageType]}`)
  if (isVisibleInNavigation != null) conditions.push(sql`is_visible = ${isVisibleInNavigation}`)
  const key = sql.raw(order.columns.map((column) => `pages.${column}`).join(', '))
  const rows = await caller.storefront.db.rows<ListedPage>(sql`
    select parent.id as parent, found.* from unnest(${parents}::int[]) parent (id) cross join lateral (
      select ${pageColumns}, jsonb_build_array(${key}) as sort_key from pages
      where ${sql.and(conditions)} ${plan.tail}
    ) found`)
  return Map.groupBy(rows, ({ parent }) => parent)
})

const orderOf = ({ sortBy }: Pick<ListArgs, 'sortBy'>): Order => ORDERS[sortBy ?? 'PAGE_ID']

/** One page of the list of pages. @param parent the page above them; all without */
export async function pageConnection(caller: StorefrontCaller, args: ListArgs, parent = ANY_PARENT) {
  const plan = planPage(args, orderOf(args))
  const rows = (await listLoad.find(caller, parent, args)) ?? []
  return keyedConnection(plan, rows, { keyOf: ({ sort_key }) => sort_key, nodeOf: (row) => typedPage(row) })
}

interface Crumb {
  id: number
  name: string
  url: string
}

/** The pages above a page and itself, the top first. */
const crumbLoad = new Load<StorefrontCaller, number, Crumb[]>(async (caller, ids) => {
  const { db } = caller.storefront
  const rows = await db.rows<Crumb & { leaf: number }>(
    prepared(sql`
    with recursive up as (
      select id as leaf, id, parent_id, name, url, 0 as level from pages where ${isOpenPage(caller)} and id = any(${ids})
      union all
      select up.leaf, pages.id, pages.parent_id, pages.name, pages.url, up.level + 1
      from up join pages on pages.id = up.parent_id and ${isOpenPage(caller)}
    )
    select leaf, id, name, url from up order by leaf, level desc`),
  )
  return Map.groupBy(rows, ({ leaf }) => leaf)
})

async function breadcrumbs(
  { id }: ShopPage,
  { depth, ...args }: PageArgs & { depth: number },
  caller: StorefrontCaller,
) {
  const crumbs = (await crumbLoad.find(caller, id, undefined)) ?? []
  const visibleCrumbs = crumbs.slice(Math.max(0, crumbs.length - Math.max(0, depth)))
  return connectionOf(
    visibleCrumbs.map(({ id, name, url }) => ({ entityId: id, name, path: url || null })),
    args,
  )
}

const bodyLoad = new Load<StorefrontCaller, number, string | null>(({ storefront: { db } }, ids) => bodiesOf(db, ids))

const bodyOf = async ({ id }: ShopPage, _: object, caller: StorefrontCaller) =>
  (await bodyLoad.find(caller, id, undefined)) ?? ''

const summaryOf = async (
  page: ShopPage,
  { characterLimit }: { characterLimit: number | null },
  caller: StorefrontCaller,
) => plainText(await bodyOf(page, {}, caller), characterLimit ?? 0)

const seoOf = ({ name, meta_title, meta_keywords, meta_description }: ShopPage) => ({
  pageTitle: meta_title || name,
  metaKeywords: meta_keywords,
  metaDescription: meta_description,
})

const ofAll = {
  entityId: ({ id }: ShopPage) => id,
  parentEntityId: ({ parent_id }: ShopPage) => parent_id || null,
  breadcrumbs,
  isVisibleInNavigation: ({ is_visible }: ShopPage) => is_visible,
  seo: seoOf,
  children: ({ id }: ShopPage, args: ListArgs, caller: StorefrontCaller) => pageConnection(caller, args, id),
}
const identity = {
  locales: ({ url }: ShopPage, args: PageArgs, caller: StorefrontCaller) => localeAlternates(caller, url, args),
  id: (page: ShopPage) => globalId(TYPE_NAMES[page.type], page.id),
  path: ({ url }: ShopPage) => url,
}

/** Pages of all kinds. */
export const pageFields: Fields<'NormalPage' | 'RawHtmlPage' | 'ContactPage' | 'ExternalLinkPage' | 'BlogIndexPage'> = {
  NormalPage: {
    ...ofAll,
    ...identity,
    htmlBody: bodyOf,
    plainTextSummary: summaryOf,
    renderedRegions: ({ id }) => ({ file: 'pages/page', entity: String(id) }),
  },
  RawHtmlPage: { ...ofAll, ...identity, htmlBody: bodyOf, plainTextSummary: summaryOf },
  ContactPage: {
    ...ofAll,
    ...identity,
    htmlBody: bodyOf,
    plainTextSummary: summaryOf,
    contactFields: ({ contact_fields }) => contact_fields?.split(',') ?? [],
    renderedRegions: () => ({ file: 'pages/contact-us', entity: '' }),
  },
  ExternalLinkPage: { ...ofAll, locales: (_, args, caller) => localeAlternates(caller, undefined, args) },
  BlogIndexPage: { ...ofAll, ...identity, renderedRegions: () => ({ file: 'pages/blog', entity: '' }) },
}
