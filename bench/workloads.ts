import { BRANDS, type OpenStore, PATTERNS } from './data.ts'
import { KEY_LENGTH } from './floor.ts'

/** Limits for a measured figure. */
export interface Bars {
  /** Server CPU per request, as a multiple of the other side's. */
  server?: number
  /** Database CPU per request, likewise. */
  database?: number
  /** Database CPU per request, in milliseconds. */
  databaseMs?: number
  /** Requests per second, as a multiple of the other side's: at least this. */
  rate?: number
}

export interface Workload {
  name: string
  title: string
  /** The path for a key, below that of the store's API; the body for a key, if it is a POST. */
  path(key: string): string
  body?(key: string): object
  keys: readonly string[]
  /** The stores of the requests: the one with 30,000 brands, or the others in turn. */
  stores: 'big' | 'others'
  /** The other side of the comparison: its floor, or another workload of the server. */
  beside: 'floor' | string
  connections?: number
  bars?: Bars
}

const NEW_KEY = '#'.repeat(KEY_LENGTH)

/** Ids all over the store, in an order without a pattern. */
const someIds = Array.from({ length: 500 }, (_, i) => String(((i * 7_919) % BRANDS) + 1))

export const workloads: readonly Workload[] = [
  {
    name: 'by-id',
    title: 'brand by id',
    path: (key) => `/catalog/brands/${key}`,
    keys: someIds,
    stores: 'big',
    beside: 'floor',
    bars: { server: 1.6 },
  },
  {
    name: 'page-1',
    title: 'page 1 of 50',
    path: () => '/catalog/brands?limit=50&page=1',
    keys: [''],
    stores: 'big',
    beside: 'floor',
  },
  {
    name: 'page-400',
    title: 'page 400 of 50, beside page 1',
    path: () => '/catalog/brands?limit=50&page=400',
    keys: [''],
    stores: 'big',
    beside: 'page-1',
    bars: { server: 2, database: 2 },
  },
  {
    name: 'walk',
    title: 'walk through all 600 pages of 50, beside page 1',
    path: (key) => `/catalog/brands?limit=50&page=${key}`,
    keys: Array.from({ length: BRANDS / 50 }, (_, i) => String(i + 1)),
    stores: 'big',
    beside: 'page-1',
    // A client that follows links requests a page when it has the one before.
    connections: 1,
  },
  {
    name: 'like',
    title: '50 brands by name:like of 30,000, with total',
    path: (key) => `/catalog/brands?name:like=${encodeURIComponent(key)}&limit=50`,
    keys: PATTERNS,
    stores: 'big',
    beside: 'floor',
    bars: { server: 1.4, databaseMs: 4 },
  },
  {
    name: 'assignments',
    title: 'currency assignments of 1,000 channels',
    path: () => '/channels/currency-assignments',
    keys: [''],
    stores: 'big',
    beside: 'floor',
    bars: { server: 1.6 },
  },
  {
    name: 'setting',
    title: 'a setting that a channel inherits',
    path: () => '/settings/storefront/seo?channel_id=1',
    keys: [''],
    stores: 'big',
    beside: 'floor',
    bars: { server: 1.6 },
  },
  {
    name: 'create',
    title: 'create brand',
    path: () => '/catalog/brands',
    body: (key) => ({
      name: `Brand ${key}`,
      page_title: 'All of it',
      meta_keywords: ['modern', 'clean'],
      meta_description: 'What it makes, in one place.',
      search_keywords: 'brand, new',
    }),
    keys: [NEW_KEY],
    stores: 'others',
    beside: 'floor',
    bars: { server: 1.6 },
  },
]

/** The requests of a workload as bytes, for the server or its floor. */
export function messages(workload: Workload, side: 'server' | 'floor', stores: readonly OpenStore[]): string[] {
  const [big, ...others] = stores
  const asked = workload.stores === 'big' && big ? [big] : others
  return asked.flatMap((store) =>
    workload.keys.map((key) => {
      const body = workload.body ? JSON.stringify(workload.body(key)) : ''
      const path =
        side === 'server'
          ? `/stores/${store.hash}/v3${workload.path(key)}`
          : `/${workload.name}/${store.id}${workload.body ? '' : `/${encodeURIComponent(key) || '-'}`}`
      const head = [
        `${workload.body ? 'POST' : 'GET'} ${path} HTTP/1.1`,
        'host: 127.0.0.1',
        'accept: application/json',
        'user-agent: storeward-bench',
        `x-auth-token: ${store.token}`,
        ...(body ? ['content-type: application/json', `content-length: ${body.length}`] : []),
      ]
      return `${head.join('\r\n')}\r\n\r\n${body}`
    }),
  )
}
