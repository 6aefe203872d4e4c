import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sized } from '../../test/document/sized.ts'
import { type Answered, openShop, type Shop } from '../../test/fixtures/shop.ts'

// Random requests of both families about redirects beside a model that is written from docs/contract/redirects.md alone.

const FIRST_SITE = 1_000
const UNKNOWN_SITE = 999
/** Some name one path in several spellings, and one is reserved. */
const PATHS = [
  '/old',
  '/OLD/',
  'old',
  '/old#top',
  '/a%20b',
  '/A b/',
  '/caf%C3%A9',
  '/CAFÉ',
  '/x?b=1',
  '/X/?B=1',
  '/api/x',
]
const URLS = ['/new', '/old', 'https://other.example/', '//other.example/', 'javascript:alert(1)']
/** Pages that the test creates after the blog, the first page of a store, and an unknown page. */
const TARGETS = [2, 3, 99]

type Target = { type: 'url'; url: string } | { type: 'page'; entity_id: number }
interface Item {
  site: number
  from_path: string
  to: Target | undefined
}
type Command =
  | { do: 'put'; items: Item[] }
  | { do: 'create'; from_path: string; to: Target }
  | { do: 'replace'; id: number; from_path: string; to: Target }
  | { do: 'delete'; ids: number[] }
  | { do: 'delete of site'; site: number }
  | { do: 'delete one'; id: number }
  | { do: 'delete target'; page: number }

const path = fc.constantFrom(...PATHS)
const site = fc.integer({ min: 0, max: 9 }).map((n) => (n === 0 ? 2 : n % 2))
const id = fc.integer({ min: 1, max: 9 })
const target: fc.Arbitrary<Target> = fc.oneof(
  fc.constantFrom(...URLS).map((url) => ({ type: 'url' as const, url })),
  fc.constantFrom(...TARGETS).map((entity_id) => ({ type: 'page' as const, entity_id })),
)
const item = fc.record({ site, from_path: path, to: fc.option(target, { nil: undefined, freq: 4 }) })
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('put' as const), items: fc.array(item, { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), from_path: path, to: target }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('replace' as const), id, from_path: path, to: target }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      ids: fc.uniqueArray(id, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete of site' as const), site }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete one' as const), id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete target' as const), page: fc.constantFrom(...TARGETS) }) },
)

interface Redirect {
  id: number
  site_id: number
  from_path: string
  to: { type: string; entity_id: number; url: string }
}

const storedPath = (text: string) => {
  const [bare = ''] = text.split('#')
  return bare.startsWith('/') ? bare : `/${bare}`
}
const keyOf = (site_id: number, text: string) => {
  const [bare = '', ...query] = text.split('?')
  const words = [bare, ...query].map((part) => decodeURIComponent(part).normalize('NFC').toLowerCase())
  return `${site_id} ${[words[0]?.replace(/\/$/, ''), ...words.slice(1)].join('?')}`
}
const isReserved = (text: string) => storedPath(text).startsWith('/api/')
const isAllowed = (url: string) => /^(\/(?!\/)|https?:\/\/)/.test(url)

/** The redirects of a store as the contract describes them. */
class Model {
  redirects: Redirect[] = []
  readonly pages = new Set(TARGETS.slice(0, 2))
  readonly #sites: readonly number[]
  #last = 0

  constructor(sites: readonly number[]) {
    this.#sites = sites
  }

  siteOf = (position: number) => this.#sites[position] ?? UNKNOWN_SITE
  find = (site_id: number, from_path: string) =>
    this.redirects.find((one) => keyOf(one.site_id, one.from_path) === keyOf(site_id, storedPath(from_path)))

  #isWrong({ from_path, to }: { from_path: string; to: Target | undefined }) {
    if (isReserved(from_path)) return true
    if (to?.type === 'page') return !this.pages.has(to.entity_id)
    return to !== undefined && (!isAllowed(to.url) || to.url === storedPath(from_path))
  }

  #write(redirect: Omit<Redirect, 'id'>, id = this.find(redirect.site_id, redirect.from_path)?.id ?? ++this.#last) {
    this.redirects = [...this.redirects.filter((one) => one.id !== id), { id, ...redirect }].sort((a, b) => a.id - b.id)
  }

  /** Applies a command. @returns the status */
  apply(asked: Command): number {
    switch (asked.do) {
      case 'put': {
        const before = [this.redirects, this.#last] as const
        for (const { site, from_path, to } of asked.items) {
          const site_id = this.siteOf(site)
          const target = to ? targetOf(to) : this.find(site_id, from_path)?.to
          if (!target || site_id === UNKNOWN_SITE || this.#isWrong({ from_path, to })) {
            ;[this.redirects, this.#last] = before
            return 422
          }
          this.#write({ site_id, from_path: storedPath(from_path), to: target })
        }
        return 201
      }
      case 'create':
      case 'replace': {
        const id = asked.do === 'replace' ? asked.id : undefined
        if (id !== undefined && !this.#isOfFirstSite(id)) return 404
        if (this.#isWrong(asked)) return 400
        const found = this.find(FIRST_SITE, asked.from_path)
        if (found && found.id !== id) return 409
        this.#write({ site_id: FIRST_SITE, from_path: storedPath(asked.from_path), to: targetOf(asked.to) }, id)
        return 200
      }
      case 'delete':
        this.redirects = this.redirects.filter((one) => !asked.ids.includes(one.id))
        return 204
      case 'delete of site':
        this.redirects = this.redirects.filter(({ site_id }) => site_id !== this.siteOf(asked.site))
        return 204
      case 'delete one':
        if (!this.#isOfFirstSite(asked.id)) return 404
        this.redirects = this.redirects.filter((one) => one.id !== asked.id)
        return 204
      case 'delete target':
        this.redirects = this.redirects.filter(({ to }) => to.type !== 'page' || to.entity_id !== asked.page)
        return this.pages.delete(asked.page) ? 204 : 404
    }
  }

  #isOfFirstSite = (id: number) => this.redirects.some((one) => one.id === id && one.site_id === FIRST_SITE)
}

const targetOf = (to: Target) => ({ entity_id: 0, url: '', ...to })
const forwardOf = (to: Target) =>
  to.type === 'url' ? { type: 'manual', ref: to.url } : { type: to.type, ref: to.entity_id }

const PATH = '/storefront/redirects'

/** Sends a command. */
function send(shop: Shop, model: Model, asked: Command): Promise<Answered> {
  const v2 = (method: string, below: string, body?: unknown) =>
    shop.call(method, `/redirects${below}`, body, { version: 'v2' })
  switch (asked.do) {
    case 'put': {
      const items = asked.items.map(({ site, from_path, to }) => ({ site_id: model.siteOf(site), from_path, to }))
      return shop.call('PUT', PATH, items)
    }
    case 'create':
      return v2('POST', '', { path: asked.from_path, forward: forwardOf(asked.to) })
    case 'replace':
      return v2('PUT', `/${asked.id}`, { path: asked.from_path, forward: forwardOf(asked.to) })
    case 'delete':
      return shop.call('DELETE', `${PATH}?id:in=${asked.ids}`)
    case 'delete of site':
      return shop.call('DELETE', `${PATH}?site_id=${model.siteOf(asked.site)}`)
    case 'delete one':
      return v2('DELETE', `/${asked.id}`)
    case 'delete target':
      return shop.call('DELETE', `/content/pages/${asked.page}`)
  }
}

/** All pages of a list. */
async function listed(shop: Shop, query: string): Promise<Redirect[]> {
  const rows = []
  for (let page = 1; ; page++) {
    const { body } = await shop.call('GET', `${PATH}?limit=2&page=${page}${query}`)
    rows.push(...body.data)
    if (page < body.meta.pagination.total_pages) continue
    expect(body.meta.pagination.total).toBe(rows.length)
    return rows
  }
}

async function expectSame(shop: Shop, model: Model) {
  const { redirects } = model
  expect(await listed(shop, '')).toEqual(redirects)
  expect(await listed(shop, '&sort=from_path&direction=desc')).toHaveLength(redirects.length)
  for (const keyword of ['old', '/CAF', '/x?'])
    expect(await listed(shop, `&keyword=${encodeURIComponent(keyword)}`)).toEqual(
      redirects.filter(({ from_path }) =>
        from_path.toLowerCase().startsWith(`/${keyword.toLowerCase()}`.replace('//', '/')),
      ),
    )
  const first = redirects.filter(({ site_id }) => site_id === FIRST_SITE)
  expect(await listed(shop, `&site_id=${FIRST_SITE}`)).toEqual(first)
  const older = await shop.call('GET', '/redirects', undefined, { version: 'v2' })
  expect((older.body ?? []).map(({ url: _, ...one }: { url: string }) => one)).toEqual(
    first.map(({ id, from_path, to }) => ({ id, path: from_path, forward: forwardOf(targetIn(to)) })),
  )
  const { body } = await shop.call('GET', '/redirects/count', undefined, { version: 'v2' })
  expect(body).toEqual({ count: first.length })
}

const targetIn = ({ type, entity_id, url }: Redirect['to']): Target =>
  type === 'url' ? { type, url } : { type: 'page', entity_id }

/** A shop with two pages and two sites. */
async function openSites() {
  const shop = await openShop()
  for (const name of ['One', 'Two']) await shop.call('POST', '/content/pages', { type: 'page', name })
  const channel = await shop.call('POST', '/channels', { name: 'Second', type: 'storefront', platform: 'custom' })
  const url = `https://second-${shop.store.hash}.example.com`
  const site = await shop.call('POST', '/sites', { url, channel_id: channel.body.data.id })
  return { shop, model: new Model([FIRST_SITE, site.body.data.id]) }
}

test(
  'C-122, C-121: random requests about redirects have the answers of a model',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
        const { shop, model } = await openSites()
        for (const asked of commands) {
          const sent = await send(shop, model, asked)
          expect(sent.status, `${JSON.stringify(asked)}: ${sent.text}`).toBe(model.apply(asked))
        }
        await expectSame(shop, model)
      }),
      { numRuns: sized(1_000, 20), endOnFailure: true },
    )
  },
  sized(3_600_000, 120_000),
)
