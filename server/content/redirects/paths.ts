import { hash } from 'node:crypto'

// The paths of redirects: how they are read, and how they are compared (docs/contract/redirects.md section 2). Pure functions.

export const PATH_MAX = 2_048
/** Characters of a path that the order of lists and searches regard. An index can't hold whole paths. */
const KEY_LENGTH = 500

/** A path, or the sentence that says why it is refused. */
export type ReadPath = { path: string } | { mistake: string }

/** Paths that the server answers itself. */
const RESERVED = /^\/(?:$|graphql$|api\/|admin|manage|login\/token\/|customer\/current\.jwt$)/

/**
 * Reads the path that a redirect begins at. A missing slash is added, a fragment dropped, and an address of the site cut to its path.
 * @param isHostOfSite whether a host belongs to the redirect's site
 */
export function readPath(text: string, isHostOfSite: (host: string) => boolean): ReadPath {
  if (/[\p{Cc}\\]/u.test(text)) return { mistake: 'The path has a backslash or a control character.' }
  const [, host, behind = ''] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(text) ?? []
  if (host !== undefined && !isHostOfSite(host.toLowerCase())) {
    return { mistake: `The host ${host} does not belong to the site.` }
  }
  const [rest = ''] = (host === undefined ? text : behind).split('#')
  const path = rest.startsWith('/') ? rest : `/${rest}`
  const compared = comparedPath(path)
  if (path.startsWith('//')) return { mistake: 'The path begins with two slashes.' }
  if (/\p{Cc}/u.test(compared)) return { mistake: 'The path has an encoded control character.' }
  if (path.length > PATH_MAX) return { mistake: `The path has more than ${PATH_MAX} characters.` }
  const [bare = ''] = compared.split('?')
  if (RESERVED.test(bare === '' ? '/' : bare)) return { mistake: `The server answers ${path} itself.` }
  return { path }
}

/** Whether a redirect may lead to an address: a path of the site, or an absolute http or https address. */
export function isTarget(url: string): boolean {
  if (/[\p{Cc}\s\\]/u.test(url)) return false
  if (url.startsWith('/')) return !url.startsWith('//')
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

/** A path as it is compared: decoded, without regard to case and to one slash at its end. Its query, if any, belongs to it. */
export function comparedPath(path: string): string {
  const at = path.indexOf('?')
  const [bare, query] = at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at)]
  return `${inLowerCase(decoded(bare)).replace(/\/$/, '')}${inLowerCase(decoded(query))}`
}

/** The digest that is unique for a site: an index can't hold whole paths. */
export const digestOfPath = (path: string): string => hash('sha256', comparedPath(path))

/** The beginning of a path by which lists are sorted and searched. */
export const keyOfPath = (path: string): string => [...inLowerCase(path)].slice(0, KEY_LENGTH).join('')

const inLowerCase = (text: string) => text.normalize('NFC').toLowerCase()

/** A text that is not well encoded stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
