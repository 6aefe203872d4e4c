import t, { type Static } from 'typebox'
import { prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { Id, idSegment, Moment } from '../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../core/rest/input/mistakes.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import { filterOf } from '../../core/rest/lists/filters.ts'
import { change, findOne, insert, lock, remove, removeAll } from '../../core/rest/lists/verbs.ts'
import { dateV2, listV2, queryV2, rowsV2 } from '../../core/rest/v2.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { MarketingDate, readDate, StoredDate, unixText } from './dates-v2.ts'

const { read, write } = access('marketing')

const Row = t.Object({
  id: Id,
  name: t.String({ minLength: 1, maxLength: 255, pattern: '\\S' }),
  content: t.String({ maxLength: 65_535 }),
  page: t.Enum(['home_page', 'category_page', 'brand_page', 'search_page']),
  location: t.Enum(['top', 'bottom']),
  date_type: t.Enum(['always', 'custom']),
  date_from: StoredDate,
  date_to: StoredDate,
  visible: t.Boolean(),
  item_id: t.Integer({ minimum: 0 }),
  date_created: Moment,
})
type Row = Static<typeof Row>

const banners = collection('banners', Row, { noun: 'banner', filters: '', max: 1_000 })

const UnixText = t.String({ description: 'Seconds since 1970; `0` for none' })
const Banner = t.Object(
  {
    ...Row.properties,
    date_from: UnixText,
    date_to: UnixText,
    visible: t.String({ description: '`1` or `0`' }),
    item_id: t.String(),
    date_created: t.String({ description: 'RFC 2822' }),
  },
  { title: 'Banner' },
)

const { name, content, page, location, date_type } = Row.properties
const Changes = t.Object(
  {
    ...t.Partial(t.Object({ name, content, page, location, date_type })).properties,
    date_from: t.Optional(MarketingDate),
    date_to: t.Optional(MarketingDate),
    visible: t.Optional(
      t.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], description: '1 or 0' }),
    ),
    item_id: t.Optional(t.Unsafe<string | number>({ type: ['string', 'number'] })),
  },
  { title: 'BannerChanges', examples: [{ name: 'Summer', visible: '0' }] },
)
type Changes = Static<typeof Changes>
const NewBanner = t.Object(
  { ...Changes.properties, name, content, page, location, date_type },
  {
    title: 'NewBanner',
    examples: [{ name: 'Summer', content: '<p>20 % off</p>', page: 'home_page', location: 'top', date_type: 'always' }],
  },
)

const filters = ['min', 'max'].map((end) => ({ ...filterOf(Row.properties, `id:${end}`), name: `${end}_id` }))

/** The banners of a store (docs/contract/marketing.md section 2): texts that storefronts show. This server does not render them. */
export function bannerRoutesV2(api: Api) {
  const one = `/banners/${idSegment('id')}`
  const params = t.Object({ id: Id })

  api.get(
    '/banners',
    {
      ...read,
      schema: {
        summary: 'List the banners',
        querystring: queryV2(filters),
        response: { 200: t.Array(Banner), 204: t.Null() },
      },
    },
    async ({ db, query }) => listV2((await rowsV2(db, { collection: banners, filters, query })).map(toAnswer)),
  )

  api.post(
    '/banners',
    { ...write, schema: { summary: 'Create a banner', body: NewBanner, response: { 200: Banner } } },
    async ({ db, body }) => new Answer(toAnswer(await db.transaction((tx) => createBanner(tx, body)))),
  )

  api.delete('/banners', { ...write, schema: { summary: 'Delete all banners' } }, async ({ db }) => {
    await db.transaction((tx) => removeAll(tx, banners, sql`true`))
    return noContent()
  })

  api.get(
    '/banners/count',
    {
      ...read,
      schema: {
        summary: 'Count the banners',
        operationId: 'countBanners',
        response: { 200: t.Object({ count: t.Integer() }, { title: 'BannerCount' }) },
      },
    },
    async ({ db }) =>
      new Answer(
        await db.row<{ count: number }>(
          prepared(sql`select count(*)::int as count from banners where store_id = ${db.store.id}`),
        ),
      ),
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get a banner', params, response: { 200: Banner } } },
    async ({ db, params }) => new Answer(toAnswer(await findOne(db, banners, params.id))),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a banner',
        description: 'Fields that the body leaves out keep their values.',
        params,
        body: Changes,
        response: { 200: Banner },
      },
    },
    async ({ db, params, body }) =>
      new Answer(toAnswer(await db.transaction((tx) => changeBanner(tx, params.id, body)))),
  )

  api.delete(one, { ...write, schema: { summary: 'Delete a banner', params } }, async ({ db, params }) => {
    await db.transaction(async (tx) => {
      await lock(tx, banners, params.id)
      await remove(tx, banners, params.id)
    })
    return noContent()
  })
}

const toAnswer = (banner: Row): Static<typeof Banner> => ({
  ...banner,
  date_from: unixText(banner.date_from),
  date_to: unixText(banner.date_to),
  visible: banner.visible ? '1' : '0',
  item_id: String(banner.item_id),
  date_created: dateV2(banner.date_created),
})

/** @throws Problem 400, 403 at the maximum */
export function createBanner(tx: Tx, body: Static<typeof NewBanner>): Promise<Row> {
  const { name, content, page, location, date_type } = body
  const blank = { name, content, page, location, date_type, date_from: null, date_to: null, visible: true, item_id: 0 }
  const banner = settled(blank, body)
  return insert(tx, banners, { ...banner, date_created: toSeconds(tx.now) })
}

/** @throws Problem 400, 404 */
async function changeBanner(tx: Tx, id: number, body: Changes): Promise<Row> {
  const before = await lock(tx, banners, id)
  return change(tx, banners, before, settled(before, body))
}

/** A banner with the changes of a body. @throws Problem 400 by field */
function settled<Banner extends Omit<Row, 'id' | 'date_created'>>(banner: Banner, body: Changes): Banner {
  const mistakes: Mistakes = {}
  const { date_from, date_to, visible, item_id, ...fields } = body
  const after = { ...banner, ...fields }
  if (date_from !== undefined) after.date_from = readDate(date_from, 'date_from', mistakes)
  if (date_to !== undefined) after.date_to = readDate(date_to, 'date_to', mistakes)
  if (visible !== undefined) after.visible = readSwitch(visible, mistakes)
  if (item_id !== undefined) after.item_id = readItem(item_id, mistakes)
  if (after.date_type === 'always') Object.assign(after, { date_from: null, date_to: null })
  else
    for (const field of ['date_from', 'date_to'] as const) {
      if (after[field] === null) mistakes[field] ??= `${field} is required for the date_type custom.`
    }
  if (after.date_from && after.date_to && after.date_from > after.date_to) {
    mistakes.date_to = 'date_to must not be before date_from.'
  }
  const hasItem = after.page === 'category_page' || after.page === 'brand_page'
  if (!hasItem) after.item_id = 0
  else if (after.item_id === 0) mistakes.item_id ??= `item_id is required for the page ${after.page}.`
  refuse(mistakes)
  return after
}

function readSwitch(given: string | number | boolean, mistakes: Mistakes): boolean {
  const text = String(given)
  if (!['1', '0', 'true', 'false'].includes(text)) mistakes.visible = 'visible must be 1 or 0.'
  return text === '1' || text === 'true'
}

function readItem(given: string | number, mistakes: Mistakes): number {
  const text = String(given)
  if (!/^\d{1,9}$/.test(text)) mistakes.item_id = 'item_id must be the id of a category or a brand.'
  return Number(text)
}
