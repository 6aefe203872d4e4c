import type { Storefront } from '../storefronts.ts'

/** The value of a cookie in the `Cookie` header of a request. */
export const cookieIn = (cookies: string | undefined, name: string): string | undefined =>
  new RegExp(`(?:^|;\\s*)${name}=([^;\\s]*)`).exec(cookies ?? '')?.[1]

/** The path below which the cookies of a storefront count. Stores below one host have separate cookies. */
export const cookiePath = ({ path, db }: Pick<Storefront, 'path' | 'db'>): string =>
  path === '' ? '/' : `/storefront/${db.store.hash}`
