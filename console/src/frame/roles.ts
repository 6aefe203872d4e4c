import type { Person, Role } from '../api/operator.ts'

// The server decides about every request. The console hides the pages and actions that it would refuse.

export const OPERATORS: readonly Role[] = ['owner', 'admin']
export const DEVELOPERS: readonly Role[] = [...OPERATORS, 'developer']
export const SUPPORTERS: readonly Role[] = [...OPERATORS, 'support']

export const hasRole = (person: Person | null | undefined, roles: readonly Role[]): boolean =>
  roles.some((role) => role === person?.role)

interface PageEntry {
  label: string
  path: string
  /** The roles that open the page; undefined for all roles. */
  roles?: readonly Role[]
}

/** The pages about all stores. Those with roles are for people who have all stores. */
const PAGES: readonly PageEntry[] = [
  { label: 'Stores', path: '/' },
  { label: 'Server', path: '/server', roles: OPERATORS },
  { label: 'People', path: '/people', roles: ['owner'] },
  { label: 'Audit', path: '/audit', roles: OPERATORS },
]

/** The pages of a store. */
const STORE_PAGES: readonly PageEntry[] = [
  { label: 'Overview', path: '' },
  { label: 'API accounts', path: '/accounts', roles: DEVELOPERS },
  { label: 'Webhooks and events', path: '/webhooks', roles: DEVELOPERS },
  { label: 'Requests', path: '/requests' },
  { label: 'Jobs', path: '/jobs' },
  { label: 'Mailbox', path: '/mails', roles: SUPPORTERS },
  { label: 'E-mail templates', path: '/templates' },
  { label: 'Themes', path: '/themes' },
  { label: 'Stock', path: '/inventory' },
  { label: 'Store settings', path: '/settings' },
  { label: 'Clock, faults and copies', path: '/powers', roles: DEVELOPERS },
]

/** The pages about all stores that a person may open, in the order of the navigation. */
export const pagesOf = (person: Person): readonly PageEntry[] =>
  PAGES.filter(({ roles }) => roles === undefined || (person.stores === null && hasRole(person, roles)))

/** The pages of a store that a person may open, in the order of the navigation. */
export const storePagesOf = (hash: string, person: Person): readonly PageEntry[] =>
  STORE_PAGES.filter(({ roles }) => roles === undefined || hasRole(person, roles)).map((page) => ({
    ...page,
    path: `/stores/${hash}${page.path}`,
  }))
