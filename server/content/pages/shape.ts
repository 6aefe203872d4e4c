import t, { type Static, type TProperties } from 'typebox'
import { type Db, prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Id, NeededText, nullable, SortOrder, Text } from '../../core/rest/input/fields.ts'
import type { Mistakes } from '../../core/rest/input/mistakes.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import { findWhere } from '../../core/rest/lists/verbs.ts'
import { Problem } from '../../core/rest/problem.ts'
import { ChannelId, FIRST_CHANNEL } from '../../shop/channels/channels.ts'

/** Most bytes of a page's body, and of the bodies of one answer. */
const BODY_MAX = 1_048_576
const BODIES_MAX = 16 * BODY_MAX
/** Most pages of a store. */
const PAGES_MAX = 4_000

const CONTACT_FIELDS = ['fullname', 'phone', 'companyname', 'orderno', 'rma']

/**
 * A page is a document of one storefront besides its catalog: a text, a form to write to the shop, raw content, a link to elsewhere, or
 * the list of the blog posts. It never changes its channel. Its name is unique there, and so is its address, which no product, category,
 * brand or post has either. Links have no address. A page may be below another page of its channel, and one page of a channel may be
 * its home page. Each storefront has a blog page from its creation; clients can't create another one. A page is deleted with its
 * channel; its children move to the top and become invisible (docs/contract/pages.md).
 */
export const PageRow = t.Object({
  id: Id,
  channel_id: ChannelId,
  name: NeededText(100),
  is_visible: t.Boolean(),
  parent_id: t.Integer({ minimum: 0, maximum: 2_147_483_647, description: '0 at the top' }),
  sort_order: SortOrder,
  type: t.Enum(['page', 'raw', 'contact_form', 'link', 'blog']),
  is_homepage: t.Boolean(),
  is_customers_only: t.Boolean(),
  url: Text,
  meta_title: Text,
  meta_keywords: Text,
  meta_description: Text,
  search_keywords: Text,
  email: t.String({ maxLength: 255 }),
  contact_fields: nullable(t.String({ maxLength: 255 })),
  content_type: t.Enum(['text/html', 'text/javascript', 'application/json']),
  link: t.String({ maxLength: 2_048 }),
})
export type PageRow = Static<typeof PageRow>

/** Bodies are read apart from their rows, because they may be large. */
export const pages = collection('pages', PageRow, {
  noun: 'page',
  filters: 'channel_id id:in name',
  max: PAGES_MAX,
  hidden: ['body', 'body_key'],
  conflicts: { pages_name_unique: ['A page of this channel has this name already.', 'name'] },
})

const META = ['meta_title', 'meta_keywords', 'meta_description', 'search_keywords'] as const

/** The fields of each type, besides those of all types. */
const FIELDS = {
  page: ['url', ...META],
  contact_form: ['url', ...META, 'email', 'contact_fields'],
  raw: ['url', 'search_keywords', 'content_type'],
  link: ['link'],
  blog: ['url', ...META],
} as const satisfies Record<PageRow['type'], readonly (keyof PageRow)[]>

const TYPED = ['url', ...META, 'email', 'contact_fields', 'content_type', 'link'] as const

const { id: _id, ...ofAll } = t.Omit(PageRow, [...TYPED]).properties
const typed = t.Partial(t.Pick(PageRow, [...TYPED])).properties
const PageBody = nullable(t.String({ description: 'At most 1 MiB' }))

/** The fields of a page in answers of both families. */
export const answeredFields = { id: Id, ...ofAll, ...typed }
/** A page as version 3 answers it. */
export const Page = t.Object(
  {
    ...answeredFields,
    body: t.Optional(nullable(t.String({ description: 'With include=body' }))),
  },
  { title: 'Page', description: 'With the fields of its type' },
)

const text = nullable(Text)
const { channel_id, name, is_visible, parent_id, sort_order, is_homepage, is_customers_only, type } = ofAll
/** The fields that a body may have. A null text is an empty one. */
const writable = {
  channel_id,
  is_visible,
  parent_id,
  sort_order,
  is_homepage,
  is_customers_only,
  url: text,
  meta_title: text,
  meta_keywords: text,
  meta_description: text,
  search_keywords: text,
  email: nullable(PageRow.properties.email),
  contact_fields: PageRow.properties.contact_fields,
  content_type: PageRow.properties.content_type,
  link: nullable(PageRow.properties.link),
  body: PageBody,
} satisfies TProperties
export const Changes = t.Partial(t.Object({ ...writable, name, type }), {
  title: 'PageChanges',
  examples: [{ sort_order: 3 }],
})
export type PageChanges = Static<typeof Changes>

const NewType = t.Enum(['page', 'raw', 'contact_form', 'link'])
/** The fields of a new page in both families. */
export const newFields = { ...t.Partial(t.Object(writable)).properties, name, type: NewType }
export const NewPage = t.Object(newFields, { title: 'NewPage' })
export type NewPage = Static<typeof NewPage>

/** The values of a row besides its id. */
export type PageValues = Omit<PageRow, 'id'>

/** The default values (docs/contract/pages.md section 1). */
export const blank: Omit<PageValues, 'name' | 'type'> = {
  channel_id: FIRST_CHANNEL,
  is_visible: true,
  parent_id: 0,
  sort_order: 0,
  is_homepage: false,
  is_customers_only: false,
  url: '',
  meta_title: '',
  meta_keywords: '',
  meta_description: '',
  search_keywords: '',
  email: '',
  contact_fields: null,
  content_type: 'text/html',
  link: '',
}

/**
 * The values of a page with the fields of a body, without those of other types. Adds a mistake for each field that the page can't have.
 * The address is not set here.
 * @throws Problem 413 for a body over its maximum
 */
export function withFields(before: PageValues, input: PageChanges, mistakes: Mistakes): PageValues {
  const { body, url: _, contact_fields, ...fields } = input
  if (body && Buffer.byteLength(body) > BODY_MAX) throw new Problem(413, 'The body of a page can have at most 1 MiB.')
  const given = Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [[field, value ?? '']])),
  )
  const names = contactFieldsOf(contact_fields, mistakes)
  const values = { ...before, ...given, ...(names === undefined ? {} : { contact_fields: names }) }
  const kept: readonly string[] = FIELDS[values.type]
  const emptied = TYPED.filter((field) => !kept.includes(field)).map((field) => [field, blank[field]])
  if (values.type === 'link' && !isWebAddress(values.link)) {
    mistakes.link = values.link === '' ? 'error.path.missing' : 'link must be an absolute http or https address.'
  }
  return { ...values, ...Object.fromEntries(emptied) }
}

/** @returns null for no fields, undefined if the body doesn't name them */
function contactFieldsOf(given: string | null | undefined, mistakes: Mistakes): string | null | undefined {
  if (given === undefined) return undefined
  const names = (given ?? '').split(',').map((field) => field.trim())
  const chosen = [...new Set(names.filter((field) => field !== ''))]
  const unknown = chosen.filter((field) => !CONTACT_FIELDS.includes(field))
  if (unknown.length > 0) {
    mistakes.contact_fields = `contact_fields is a comma list of ${CONTACT_FIELDS.join(', ')}, not ${unknown.join(', ')}.`
  }
  return chosen.length === 0 ? null : chosen.join(',')
}

const isWebAddress = (link: string) => /^https?:\/\/[^\s\\]+$/i.test(link) && URL.canParse(link)

/** A page with the fields of its type. @param body undefined if the request doesn't ask for it */
export function pageToAnswer(row: PageRow, body?: string | null): Static<typeof Page> {
  const all: Readonly<Record<string, unknown>> = row
  const ofType: readonly string[] = FIELDS[row.type]
  const own = Object.fromEntries(TYPED.filter((field) => ofType.includes(field)).map((field) => [field, all[field]]))
  const { id, channel_id, name, is_visible, parent_id, sort_order, type, is_homepage, is_customers_only } = row
  return {
    id,
    channel_id,
    name,
    is_visible,
    parent_id,
    sort_order,
    type,
    is_homepage,
    is_customers_only,
    ...own,
    ...(body === undefined ? {} : { body }),
  }
}

/** The bodies of pages, by id. @throws Problem 413 if they are too large for one answer */
export async function bodiesOf(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
  if (ids.length === 0) return new Map()
  const found = await db.rows<{ id: number; body: string | null; is_too_much: boolean }>(
    prepared(sql`
    with size as materialized (
      select coalesce(sum(octet_length(body)), 0) > ${BODIES_MAX} as is_too_much from pages
      where store_id = ${db.store.id} and id = any(${ids})
    )
    select id, case when not is_too_much then body end as body, is_too_much from pages cross join size
    where store_id = ${db.store.id} and id = any(${ids})`),
  )
  if (found.some(({ is_too_much }) => is_too_much)) {
    throw new Problem(413, 'The bodies of these pages have more than 16 MiB. Ask for fewer of them with a lower limit.')
  }
  return new Map(found.map(({ id, body }) => [id, body]))
}

/** The present addresses of pages, by id: for links the address that they lead to. Unknown pages are left out. */
export async function addressesOfPages(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const found = await findWhere(db, pages, sql`id = any(${[...new Set(ids)]})`)
  return new Map(found.map(({ id, url, link }) => [id, url || link]))
}
