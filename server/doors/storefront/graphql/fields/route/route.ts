import { addressesOfPosts } from '../../../../../content/blog/shape.ts'
import { addressesOfPages } from '../../../../../content/pages/shape.ts'
import { digestOfPath } from '../../../../../content/redirects/paths.ts'
import type { RedirectRow } from '../../../../../content/redirects/rows.ts'
import { prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import { withSlash } from '../../../../../goods/catalog/addresses/slug.ts'
import { addressesOf } from '../../../../../goods/catalog/addresses/urls.ts'
import { brands } from '../../../../../goods/catalog/brands/brands.ts'
import { categories } from '../../../../../goods/catalog/categories/shape.ts'
import { products } from '../../../../../goods/catalog/product-row/shape.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { findBrand } from '../catalog/brands.ts'
import { findCategory } from '../catalog/categories.ts'
import { findCard } from '../catalog/rows/product-row.ts'
import { findVariant } from '../catalog/rows/variant-row.ts'
import { productOf } from '../catalog/selection.ts'
import { findPost } from '../content/blog.ts'
import { findShopPage, typedPage } from '../content/pages.ts'
import { globalId, readGlobalId } from '../global-ids.ts'

interface RouteArgs {
  path: string
  redirectBehavior: 'FOLLOW' | 'IGNORE'
}

declare module '../../types.ts' {
  interface Parents {
    Route: RouteArgs
  }
}

/** An owner of an address. */
interface Owned {
  kind: string
  id: number
}

/** Paths longer than any address. */
const PATH_MAX = 4_096

/** The owner of the address that a path is, and the redirect of the path. */
interface Place {
  owner: Owned | undefined
  redirect: RedirectRow | undefined
}

interface PlaceRow {
  owners: (Owned & { url_key: string })[] | null
  redirects: (RedirectRow & { path_digest: string })[] | null
}

/** Places by path. Pages have addresses of their own on each channel, and sites have redirects. */
const placeLoad = new Load<StorefrontCaller, string, Place>(async ({ storefront: { db, channel } }, paths) => {
  const { id: store } = db.store
  const [keys, digests] = [paths.map((path) => fold(withSlash(path))), paths.map(digestOfPath)]
  const { owners, redirects } = await db.row<PlaceRow>(
    prepared(sql`select (
      select json_agg(found) from (
        select url_key, owner_kind as kind, owner_id as id from urls
        where store_id = ${store} and url_key = any(${keys}) and channel_id in (0, ${channel}) and owner_id > 0
      ) found
    ) as owners, (
      select json_agg(found) from (
        select redirects.id, site_id, from_path, type, entity_id, redirects.url, path_digest from redirects
        join sites on sites.store_id = ${store} and sites.id = redirects.site_id and sites.channel_id = ${channel}
        where redirects.store_id = ${store} and path_digest = any(${digests})
      ) found
    ) as redirects`),
  )
  return new Map(
    paths.map((path, i) => [
      path,
      {
        owner: owners?.find(({ url_key }) => url_key === keys[i]),
        redirect: redirects?.find(({ path_digest }) => path_digest === digests[i]),
      },
    ]),
  )
})

const withoutQuery = (path: string) => path.split(/[?#]/)[0] ?? ''

/** A redirect of the path as it is, else of the path without its query. */
async function findRedirect(caller: StorefrontCaller, path: string) {
  if (!isPath(path)) return undefined
  const [whole, bare] = await Promise.all([
    placeLoad.find(caller, path, undefined),
    placeLoad.find(caller, withoutQuery(path), undefined),
  ])
  return whole?.redirect ?? bare?.redirect
}

const isPath = (path: string) => path.startsWith('/') && path.length <= PATH_MAX && !/\p{Cc}|\p{Cs}/u.test(path)

/** The object of an owner, if the shopper may see it. The page of the blog is the blog. */
async function nodeOf(caller: StorefrontCaller, { kind, id }: Owned) {
  if (kind === 'product') {
    const card = await findCard(caller, id)
    return card ? { __typename: 'Product' as const, ...productOf(card) } : null
  }
  if (kind === 'category') {
    const category = await findCategory(caller, id)
    return category && { __typename: 'Category' as const, ...category }
  }
  if (kind === 'brand') {
    const brand = await findBrand(caller, id)
    return brand && { __typename: 'Brand' as const, ...brand }
  }
  if (kind === 'post') {
    const post = await findPost(caller, id)
    return post ? { __typename: 'BlogPost' as const, ...post } : null
  }
  return kind === 'page' ? nodeOfPage(caller, id) : null
}

async function nodeOfPage(caller: StorefrontCaller, id: number) {
  const page = await findShopPage(caller, id)
  if (page?.type === 'blog') return { __typename: 'Blog' as const, ...page }
  const answer = page && typedPage(page)
  // A link has no address, and so no identity.
  return answer && answer.__typename !== 'ExternalLinkPage' ? answer : null
}

/** The kinds of owners by the types of their global ids. */
const KINDS: Readonly<Record<string, string>> = {
  Product: 'product',
  Category: 'category',
  Brand: 'brand',
  BlogPost: 'post',
  Blog: 'page',
  NormalPage: 'page',
  RawHtmlPage: 'page',
  ContactPage: 'page',
}

/** An object by its global id; null for an unknown one, and for one that the shopper may not see. */
export async function nodeByGlobalId(caller: StorefrontCaller, id: string) {
  const named = readGlobalId(id)
  if (!named) return null
  if (named.type === 'BlogIndexPage') {
    const page = await findShopPage(caller, named.id)
    return page?.type === 'blog' ? { __typename: 'BlogIndexPage' as const, ...page } : null
  }
  if (named.type !== 'Variant') {
    const found = await nodeOf(caller, { kind: KINDS[named.type] ?? '', id: named.id })
    return found?.__typename === named.type ? found : null
  }
  const row = await findVariant(caller, named.id)
  const card = row && (await findCard(caller, row.product_id))
  return row && card ? { __typename: 'Variant' as const, row, card } : null
}

/** Paths of the storefront (docs/contract/storefront-graphql.md section 7). */
export const routeFields: Fields<'Route'> = {
  Route: {
    async node({ path, redirectBehavior }, _, caller) {
      if (!isPath(path)) return null
      const redirect = redirectBehavior === 'FOLLOW' ? await findRedirect(caller, path) : undefined
      if (redirect)
        return redirect.type === 'url' ? null : nodeOf(caller, { kind: redirect.type, id: redirect.entity_id })
      const place = await placeLoad.find(caller, withoutQuery(path), undefined)
      return place?.owner ? nodeOf(caller, place.owner) : null
    },
    async redirect({ path }, _, caller) {
      const found = await findRedirect(caller, path)
      return found ? redirectToAnswer(caller, found) : null
    },
  },
}

const TYPES = {
  product: 'ProductRedirect',
  brand: 'BrandRedirect',
  category: 'CategoryRedirect',
  page: 'PageRedirect',
  post: 'BlogPostRedirect',
} as const

async function redirectToAnswer(caller: StorefrontCaller, { id, from_path, type, entity_id, url }: RedirectRow) {
  const { db, url: site } = caller.storefront
  const redirect = { id: globalId('Redirect', id), fromPath: from_path }
  const absolute = (path: string) => (path.startsWith('/') ? `${site}${path}` : path)
  if (type === 'url') return { ...redirect, to: { __typename: 'ManualRedirect' as const, url }, toUrl: absolute(url) }
  const addresses = {
    product: () => addressesOf(db, products, [entity_id]),
    brand: () => addressesOf(db, brands, [entity_id]),
    category: () => addressesOf(db, categories, [entity_id]),
    page: () => addressesOfPages(db, [entity_id]),
    post: () => addressesOfPosts(db, [entity_id]),
  }
  const path = (await addresses[type]()).get(entity_id)
  // The redirect of a target that is deleted right now is deleted with it.
  if (path === undefined) return null
  const to = { __typename: TYPES[type], id: globalId(type, entity_id), entityId: entity_id, path }
  return { ...redirect, to, toUrl: absolute(path) }
}
