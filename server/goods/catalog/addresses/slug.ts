// A segment may have 256 characters; the rest is left for the `-1`, `-2` ... of an address already taken.
const SLUG_MAX = 200
const URL_MAX = 1_024
const SEGMENTS = /^(?:\/[A-Za-z0-9._~%-]{1,256})+\/?$/

/**
 * Makes an address segment of a name (docs/contract/catalog.md section 1). Empty if the name has no Latin letter and no
 * digit; the caller then uses the id.
 */
export function slug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, SLUG_MAX)
    .replace(/-$/, '')
}

/**
 * Whether a `custom_url.url` is well formed (docs/contract/catalog.md section 1). Latin letters are A to Z: an address has
 * all others percent-encoded. `/` alone is the home page, not a brand.
 */
export function isUrlPath(url: string): boolean {
  return url.length <= URL_MAX && SEGMENTS.test(url)
}

/** The stored form of an address (docs/contract/catalog.md section 1). */
export function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`
}

/** Whether an address is well formed and decodes to text without control characters. */
export function isServedPath(url: string): boolean {
  if (!isUrlPath(url)) return false
  try {
    return !/\p{Cc}/u.test(decodeURIComponent(url))
  } catch {
    return false
  }
}
