import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sized } from '../../test/document/sized.ts'
import { type Answered, openShop, type Shop } from '../../test/fixtures/shop.ts'

// Random requests of both families about pages, posts and brands, whose addresses exclude each other, beside a model that is written
// from docs/contract/pages.md, blog.md and catalog.md alone.

const NAMES = ['About', 'about', 'About 1', 'News', 'Über uns']
const WISHES = ['/about', '/News/', '/blog/news/', '/a b/', 'about']
/** The second one is created by the test, and the third one is unknown. */
const CHANNELS = [1, 2, 3]

type Type = 'page' | 'link' | 'contact_form'
type Version = 'v2' | 'v3'
interface PageFields {
  name?: string | undefined
  url?: string | undefined
  type?: Type | undefined
  parent_id?: number | undefined
  is_homepage?: boolean | undefined
}
interface PostFields {
  title?: string | undefined
  url?: string | undefined
  tags?: string[] | undefined
  is_published?: boolean | undefined
}
type Command =
  | { do: 'create page'; version: Version; channel: number; fields: PageFields & { name: string; type: Type } }
  | { do: 'change page'; version: Version; id: number; fields: PageFields }
  | { do: 'delete page'; version: Version; id: number }
  | { do: 'delete pages'; ids: number[]; withChildren: boolean }
  | { do: 'create post'; fields: PostFields & { title: string } }
  | { do: 'change post'; id: number; fields: PostFields }
  | { do: 'delete post'; id: number }
  | { do: 'create brand'; name: string }

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const name = fc.constantFrom(...NAMES)
const url = optional(fc.constantFrom(...WISHES))
const type = fc.constantFrom<Type>('page', 'page', 'link', 'contact_form')
const version = fc.constantFrom<Version>('v2', 'v3')
const id = fc.integer({ min: 1, max: 9 })
const parent_id = fc.constantFrom(undefined, undefined, undefined, 0, 2, 3, 4, 5)
const pageFields = { url, parent_id, is_homepage: optional(fc.boolean()) }
const tags = optional(fc.array(fc.constantFrom('Tea', 'tea ', 'Cups'), { maxLength: 3 }))
const postFields = { url, tags, is_published: optional(fc.boolean()) }
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('create page' as const),
      version,
      channel: fc.constantFrom(...CHANNELS.slice(0, 2), ...CHANNELS),
      fields: fc.record({ ...pageFields, name, type }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('change page' as const),
      version,
      id,
      fields: fc.record({ ...pageFields, name: optional(name), type: optional(type) }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete page' as const), version, id }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('delete pages' as const),
      ids: fc.uniqueArray(id, { minLength: 1, maxLength: 3 }),
      withChildren: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('create post' as const),
      fields: fc.record({ ...postFields, title: name }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change post' as const),
      id,
      fields: fc.record({ ...postFields, title: optional(name) }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete post' as const), id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('create brand' as const), name }) },
)

interface Page {
  id: number
  channel: number
  name: string
  type: Type | 'blog'
  parent: number
  isHome: boolean
  isVisible: boolean
  url: string
}
interface Post {
  id: number
  title: string
  url: string
  tags: string[]
  isPublished: boolean
}

const slugOf = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
const isMalformed = (address: string) => !/^\/[a-z0-9/-]+$/i.test(address)

/** A refusal, with the status in each family. */
const REFUSED = { v2: 400, v3: 422 } as const
const TAKEN = { v2: 409, v3: 422 } as const
const LINK = 'https://elsewhere.example/'

/** A store as the contract describes it. */
class Model {
  pages: Page[]
  posts: Post[] = []
  readonly brands: { name: string; url: string }[] = []
  #lastPage = 0
  #lastPost = 0
  /** The id of the second channel. */
  readonly second: number

  constructor(second: number) {
    this.second = second
    const blog = { name: 'Blog', type: 'blog' as const, parent: 0, isHome: false, isVisible: true, url: '/blog/' }
    this.pages = [1, second].map((channel) => ({ ...blog, id: ++this.#lastPage, channel }))
  }

  channelOf = (position: number) => [1, this.second, this.second + 1][position - 1] ?? 0

  /** Whether an address is free: pages exclude those of their channel, everything else excludes all. */
  #isFree(url: string, except: object, channel?: number) {
    const others = [
      ...this.posts,
      ...this.brands,
      ...this.pages.filter((page) => channel === undefined || page.channel === channel),
    ]
    return !others.some((one) => one !== except && one.url.toLowerCase() === url.toLowerCase())
  }

  /** The address of an owner that asks for one, and whether it got that one. */
  #address(stem: string, { wish, former, except, channel }: AddressWish): { url: string; isRefused: boolean } {
    const asked = wish && (wish.endsWith('/') ? wish : `${wish}/`)
    if (asked && !isMalformed(asked) && this.#isFree(asked, except, channel)) {
      // Its own address in another case stays as it is asked for.
      return { url: asked, isRefused: false }
    }
    if (former !== '') return { url: former, isRefused: asked !== undefined }
    for (let n = 0; ; n++) {
      const url = n === 0 ? `${stem}/` : `${stem}-${n}/`
      if (this.#isFree(url, except, channel)) return { url, isRefused: asked !== undefined }
    }
  }

  #isParent = (id: number, page: Page) => {
    for (let at = id; at !== 0; at = this.pages.find((one) => one.id === at)?.parent ?? 0) {
      const found = this.pages.find((one) => one.id === at)
      if (!found || found.id === page.id || found.channel !== page.channel) return false
    }
    return true
  }

  #isNameTaken = (page: Page) =>
    this.pages.some(
      (one) => one.id !== page.id && one.channel === page.channel && one.name.toLowerCase() === page.name.toLowerCase(),
    )

  /** Stores a page with its fields. @returns the status */
  #storePage(before: Page, fields: PageFields, version: Version, created: number): number {
    const page = {
      ...before,
      name: fields.name ?? before.name,
      type: fields.type ?? before.type,
      parent: fields.parent_id ?? before.parent,
      isHome: fields.is_homepage ?? before.isHome,
    }
    const isNew = !this.pages.includes(before)
    if (page.parent !== (isNew ? 0 : before.parent) && !this.#isParent(page.parent, page)) return REFUSED[version]
    if (this.#isNameTaken(page)) return TAKEN[version]
    const { channel, type, name } = page
    const wish = { wish: fields.url, former: before.url, except: before, channel }
    const { url, isRefused } = type === 'link' ? { url: '', isRefused: false } : this.#address(`/${slugOf(name)}`, wish)
    if (isNew) this.#lastPage = page.id
    this.pages = [
      ...this.pages
        .filter((one) => one !== before)
        .map((one) => (page.isHome && one.channel === channel ? { ...one, isHome: false } : one)),
      { ...page, url },
    ].sort((a, b) => a.id - b.id)
    return isRefused ? 207 : created
  }

  #deletePages(ids: readonly number[], withChildren: boolean) {
    const gone = new Set(ids)
    for (const _ of withChildren ? this.pages : []) {
      for (const { id, parent } of this.pages) if (gone.has(parent)) gone.add(id)
    }
    this.pages = this.pages
      .filter(({ id }) => !gone.has(id))
      .map((page) => (gone.has(page.parent) ? { ...page, parent: 0, isVisible: false } : page))
  }

  #storePost(before: Post, { title, url: wish, tags, is_published = false }: PostFields): number {
    const isNew = !this.posts.includes(before)
    const words = (tags ?? before.tags).map((tag) => tag.trim())
    const isFirst = (word: string, i: number) =>
      words.findIndex((other) => other.toLowerCase() === word.toLowerCase()) === i
    const post = {
      ...before,
      title: title ?? before.title,
      isPublished: is_published,
      tags: words.filter(isFirst),
    }
    const stem = `/blog/${slugOf(before.title || post.title)}`
    const { url, isRefused } = this.#address(stem, { wish, former: before.url, except: before })
    if (isNew) this.#lastPost = post.id
    this.posts = [...this.posts.filter((one) => one !== before), { ...post, url }].sort((a, b) => a.id - b.id)
    return isRefused ? 207 : 200
  }

  /** Applies a command. @returns the status */
  apply(asked: Command): number {
    switch (asked.do) {
      case 'create page': {
        const { version, fields } = asked
        const channel = this.channelOf(asked.channel)
        if (channel === this.second + 1) return REFUSED[version]
        const blank = { parent: 0, isHome: false, isVisible: true, url: '' }
        const page = { ...blank, id: this.#lastPage + 1, channel, name: fields.name, type: fields.type }
        return this.#storePage(page, fields, version, version === 'v2' ? 200 : 201)
      }
      case 'change page': {
        const page = this.pages.find((one) => one.id === asked.id)
        if (!page || (asked.version === 'v2' && page.type === 'blog')) return 404
        return this.#storePage(page, asked.fields, asked.version, 200)
      }
      case 'delete page': {
        const page = this.pages.find((one) => one.id === asked.id)
        if (!page || (asked.version === 'v2' && page.type === 'blog')) return 404
        this.#deletePages([page.id], false)
        return 204
      }
      case 'delete pages': {
        const isWhole = asked.ids.every((id) => this.pages.some((page) => page.id === id))
        const ids = asked.ids.filter((id) => this.pages.some((page) => page.id === id))
        this.#deletePages(ids, asked.withChildren)
        return isWhole ? 204 : 404
      }
      case 'create post':
        return this.#storePost(
          { id: this.#lastPost + 1, title: '', url: '', tags: [], isPublished: false },
          asked.fields,
        )
      case 'change post': {
        const post = this.posts.find((one) => one.id === asked.id)
        return post ? this.#storePost(post, asked.fields) : 404
      }
      case 'delete post': {
        const count = this.posts.length
        this.posts = this.posts.filter((one) => one.id !== asked.id)
        return this.posts.length < count ? 204 : 404
      }
      case 'create brand': {
        if (this.brands.some((brand) => brand.name.toLowerCase() === asked.name.toLowerCase())) return 409
        const brand = { name: asked.name, url: '' }
        brand.url = this.#address(`/${slugOf(asked.name)}`, { wish: undefined, former: '', except: brand }).url
        this.brands.push(brand)
        return 200
      }
    }
  }
}

interface AddressWish {
  wish: string | undefined
  former: string
  /** The owner, which does not exclude itself. */
  except: object
  /** Undefined for everything but pages. */
  channel?: number
}

/** Sends a command. */
function send(shop: Shop, model: Model, asked: Command): Promise<Answered> {
  const pages = (version: Version) => (version === 'v2' ? '/pages' : '/content/pages')
  const blog = (method: string, below: string, body?: unknown) =>
    shop.call(method, `/blog/posts${below}`, body, { version: 'v2' })
  switch (asked.do) {
    case 'create page': {
      const page = { ...asked.fields, channel_id: model.channelOf(asked.channel), link: LINK }
      return shop.call('POST', pages(asked.version), page, { version: asked.version })
    }
    case 'change page': {
      const body = { ...asked.fields, ...(asked.fields.type === 'link' ? { link: LINK } : {}) }
      return shop.call('PUT', `${pages(asked.version)}/${asked.id}`, body, { version: asked.version })
    }
    case 'delete page':
      return shop.call('DELETE', `${pages(asked.version)}/${asked.id}`, undefined, { version: asked.version })
    case 'delete pages':
      return shop.call('DELETE', `/content/pages?id:in=${asked.ids}&delete_children=${asked.withChildren}`)
    case 'create post':
      return blog('POST', '', { ...asked.fields, body: 'Text' })
    case 'change post':
      return blog('PUT', `/${asked.id}`, asked.fields)
    case 'delete post':
      return blog('DELETE', `/${asked.id}`)
    case 'create brand':
      return shop.call('POST', '/catalog/brands', { name: asked.name })
  }
}

const pageToAnswer = ({ id, channel, name, type, parent, isHome, isVisible, url }: Page) => ({
  id,
  channel_id: channel,
  name,
  type,
  parent_id: parent,
  is_homepage: isHome,
  is_visible: isVisible,
  ...(type === 'link' ? { link: LINK } : { url }),
})

async function expectSame(shop: Shop, model: Model) {
  const { body } = await shop.call('GET', '/content/pages')
  expect(body.data).toMatchObject(model.pages.map(pageToAnswer))
  const second = await shop.call('GET', `/content/pages?channel_id=${model.second}&limit=250`)
  const ofSecond = model.pages.filter(({ channel }) => channel === model.second)
  expect(second.body.data).toMatchObject(ofSecond.map(pageToAnswer))
  const older = await shop.call('GET', '/pages', undefined, { version: 'v2' })
  expect(older.body ?? []).toMatchObject(model.pages.filter(({ type }) => type !== 'blog').map(pageToAnswer))
  const posts = await shop.call('GET', '/blog/posts', undefined, { version: 'v2' })
  const byId = (posts.body ?? []).toSorted((a: Post, b: Post) => a.id - b.id)
  expect(byId).toMatchObject(
    model.posts.map(({ id, title, url, tags, isPublished }) => ({ id, title, url, tags, is_published: isPublished })),
  )
  expect(byId).toHaveLength(model.posts.length)
  const brands = (await shop.call('GET', '/catalog/brands')).body.data
  expect(brands.map(({ custom_url }: { custom_url: { url: string } }) => custom_url.url)).toEqual(
    model.brands.map(({ url }) => url),
  )
}

test(
  'C-122, C-121: random requests about pages, posts and brands have the answers of a model',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
        const shop = await openShop()
        const channel = await shop.call('POST', '/channels', { name: 'Two', type: 'storefront', platform: 'custom' })
        const model = new Model(channel.body.data.id)
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
