import { isDeepStrictEqual } from 'node:util'
import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { type Mistakes, missing, refuse, repeated } from '../../../core/rest/input/mistakes.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { PageMeta, pagination, paging } from '../../../core/rest/lists/paging.ts'
import { unknownId } from '../../../core/rest/problem.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { ChannelId, knownChannels, unknownChannel } from '../../channels/channels.ts'
import { isOfLiveChannel } from '../../channels/live-channels.ts'
import { settingsSubject } from '../families/families.ts'
import { ALL_CHANNELS, lockSettings, storedSettingsOf, storeSettings } from '../families/family.ts'
import type { Facet, Facets } from './facets.ts'

const { read, write } = access('information')

const FILTERS_MAX = 100
const CONTEXTS_MAX = 50
const WHOLE_CHANNEL = 0

const TYPES = ['category', 'brand', 'rating', 'price', 'product', 'other'] as const
const SORTS = ['alpha', 'item_count', 'option_values'] as const

/** A filter as it is set and stored. The other fields depend on its type. */
const SearchFilter = t.Object(
  {
    id: t.String({ maxLength: 1_024 }),
    type: t.Enum([...TYPES]),
    display_name: t.Optional(t.String({ maxLength: 255 })),
    is_enabled: t.Optional(t.Boolean()),
    collapsed_by_default: t.Optional(t.Boolean()),
    display_product_count: t.Optional(t.Boolean()),
    items_to_show: t.Optional(t.Enum([5, 10, 15])),
    sort_by: t.Optional(t.Enum([...SORTS])),
    show_free_shipping_filter: t.Optional(t.Boolean()),
    show_in_stock_filter: t.Optional(t.Boolean()),
    show_is_featured_filter: t.Optional(t.Boolean()),
    show_product_count: t.Optional(t.Boolean()),
  },
  { title: 'SearchFilter' },
)
export type SearchFilter = Static<typeof SearchFilter>

const idOf = ({ type, key }: Pick<Facet, 'type' | 'key'>) => Buffer.from(`${type}:${key}`).toString('base64url')

const Filters = t.Array(SearchFilter, {
  maxItems: FILTERS_MAX,
  examples: [[{ id: idOf({ type: 'brand', key: '' }), type: 'brand', display_name: 'Maker', items_to_show: 5 }]],
})

const AvailableFilter = t.Object(
  {
    id: t.String(),
    name: t.String(),
    type: t.Enum([...TYPES]),
    product_count: t.Optional(t.Integer()),
    price_range_min: t.Optional(t.Number()),
    price_range_max: t.Optional(t.Number()),
  },
  { title: 'AvailableSearchFilter' },
)

const FilterContext = t.Object(
  {
    context: t.Object({ channel_id: ChannelId, category_id: t.Optional(Id) }, { title: 'SearchContext' }),
    data: t.Array(SearchFilter, { maxItems: FILTERS_MAX }),
  },
  { title: 'SearchFilterContext' },
)
type FilterContext = Static<typeof FilterContext>
const Contexts = t.Array(FilterContext, {
  minItems: 1,
  maxItems: CONTEXTS_MAX,
  examples: [[{ context: { channel_id: 1 }, data: [{ id: idOf({ type: 'price', key: '' }), type: 'price' }] }]],
})

const place = { channel_id: t.Optional(ChannelId), category_id: t.Optional(Id) }
const OfPlace = t.Object({ ...place, ...paging })
const ContextList = t.Object({ ...place, ...paging }, { additionalProperties: false })

/** The filters that shoppers find beside products (docs/contract/settings.md section 8). */
export function searchFilterRoutes(api: Api, facets: Facets) {
  const all = '/settings/search/filters'

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the search filters',
        operationId: 'listSearchFilters',
        tag: 'Search filters',
        querystring: t.Object(paging),
        response: { 200: envelope(t.Array(SearchFilter)) },
      },
    },
    async ({ db }) => answer((await storedFilters(db)) ?? standardFilters),
  )

  api.put(
    all,
    {
      ...write,
      schema: {
        summary: 'Replace the search filters',
        description: 'Shoppers see them in the order of the list. Missing filters are deleted.',
        operationId: 'replaceSearchFilters',
        tag: 'Search filters',
        body: Filters,
        response: { 200: envelope(t.Array(SearchFilter)) },
      },
    },
    async ({ db, body }) => {
      const available = await availableTo(db, facets, body)
      refuse(mistakesOf(body, available, ''))
      const filters = body.map((filter) => whole(filter, available))
      await db.transaction(async (tx) => {
        const level = await lockSettings(tx, FAMILY, ALL_CHANNELS)
        await storeSettings(tx, FAMILY, { ...level, own: { filters } })
      })
      return answer(filters)
    },
  )

  api.get(
    `${all}/available`,
    {
      ...read,
      schema: {
        summary: 'List the available search filters',
        description: 'One for each kind of facet, and one for each option and custom field of the products.',
        operationId: 'listAvailableSearchFilters',
        tag: 'Search filters',
        querystring: OfPlace,
        response: { 200: envelope(t.Array(AvailableFilter)) },
      },
    },
    async ({ db, query: { channel_id, category_id } }) => {
      if (channel_id !== undefined && !(await knownChannels(db, [channel_id])).has(channel_id)) {
        throw unknownChannel(channel_id)
      }
      const found = await facets.find(db, { channel: channel_id, category: category_id })
      return answer(found.map(({ key, type, ...facet }) => ({ id: idOf({ type, key }), type, ...facet })))
    },
  )

  api.get(
    `${all}/contexts`,
    {
      ...read,
      schema: {
        summary: 'List the search filters of channels and categories',
        operationId: 'listSearchFilterContexts',
        tag: 'Search filters',
        querystring: ContextList,
        response: { 200: t.Object({ data: t.Array(FilterContext), meta: PageMeta }) },
      },
    },
    async ({ db, query }) => {
      const { channel_id, category_id, page = 1, limit = 50 } = query
      const where = sql.and([
        sql`store_id = ${db.store.id} and ${isOfLiveChannel(db, 'search_filter_contexts.channel_id')}`,
        ...(channel_id === undefined ? [] : [sql`channel_id = ${channel_id}`]),
        ...(category_id === undefined ? [] : [sql`category_id = ${category_id}`]),
      ])
      const found = await db.rows<ContextRow & { total: number }>(sql`
        select channel_id, category_id, filters, count(*) over ()::int as total from search_filter_contexts where ${where}
        order by channel_id, category_id limit ${limit} offset ${(page - 1) * limit}`)
      const total = found[0]?.total ?? (await countOf(db, where))
      return answer(found.map(asContext), {
        pagination: pagination({ total, count: found.length, page, limit }, query),
      })
    },
  )

  api.put(
    `${all}/contexts`,
    {
      ...write,
      schema: {
        summary: 'Change the search filters of channels and categories',
        description:
          "The filters of a category come before those of its channel, and these before the store's. An empty list deletes them.",
        operationId: 'upsertSearchFilterContexts',
        tag: 'Search filters',
        body: Contexts,
        response: { 200: envelope(t.Array(FilterContext)) },
      },
    },
    async ({ db, body }) => {
      const available = await availableTo(
        db,
        facets,
        body.flatMap(({ data }) => data),
      )
      refuse({
        ...(await misplaced(db, facets, body)),
        ...Object.assign({}, ...body.map(({ data }, i) => mistakesOf(data, available, `${i}.data.`))),
      })
      const contexts = body.map(({ context, data }) => ({ context, data: data.map((one) => whole(one, available)) }))
      await db.transaction(async (tx) => {
        for (const context of contexts.toSorted(byPlace)) await saveContext(tx, context)
      })
      return answer(contexts)
    },
  )
}

/** Its rows among the settings. */
const FAMILY = { path: 'search/filters' }

async function storedFilters(db: Db): Promise<SearchFilter[] | undefined> {
  const { own } = await storedSettingsOf(db, FAMILY, ALL_CHANNELS)
  // Stored filters have passed the schema.
  return own.filters as SearchFilter[] | undefined
}

/**
 * The filters beside the products of a category, of a channel's searches, or of the store: the first of these that has any.
 * @param category 0 for a search
 */
export async function filtersInForce(db: Db, channel: number, category: number): Promise<readonly SearchFilter[]> {
  const found = await db.rows<{ filters: SearchFilter[] | null }>(
    prepared(sql`
    select filters from (
      select category_id, filters from search_filter_contexts
      where store_id = ${db.store.id} and channel_id = ${channel} and category_id = any(${[category, WHOLE_CHANNEL]}::int[])
      union all
      select -1, value -> 'filters' from settings
      where store_id = ${db.store.id} and family = ${FAMILY.path} and channel_id = ${ALL_CHANNELS}
    ) level order by category_id desc limit 1`),
  )
  return found[0]?.filters ?? standardFilters
}

/** The key of the option or custom field of a filter: `option:` with the folded name, or `field:` with the name. */
export const attributeOf = ({ id }: SearchFilter): string | undefined => keyOf(id)

/** The facets that every store has. */
const standard: readonly Facet[] = [
  { type: 'category', key: '', name: 'Category' },
  { type: 'brand', key: '', name: 'Brand' },
  { type: 'rating', key: '', name: 'Rating' },
  { type: 'price', key: '', name: 'Price' },
  { type: 'other', key: '', name: 'Other' },
]

/** The facets that filters of a body can be of, by their ids: those that every store has, and of the catalog's those it names. */
async function availableTo(db: Db, facets: Facets, filters: readonly SearchFilter[]) {
  const keys = filters.flatMap(({ id }) => keyOf(id) ?? [])
  const named = keys.length === 0 ? [] : await facets.named(db, [...new Set(keys)])
  return new Map([...standard, ...named].map((facet) => [idOf(facet), facet]))
}

/** The key of a product's facet; undefined for any other. */
const keyOf = (id: string): string | undefined =>
  /^product:(.+)$/s.exec(Buffer.from(id, 'base64url').toString())?.[1]?.replaceAll('\0', '')

function mistakesOf(filters: readonly SearchFilter[], available: ReadonlyMap<string, Facet>, at: string): Mistakes {
  const mistakes = repeated(
    filters,
    ({ id }) => id,
    (i) => `${at}${i}.id`,
    'Another filter has this id.',
  )
  for (const [i, { id, type, sort_by }] of filters.entries()) {
    const facet = available.get(id)
    if (!facet) mistakes[`${at}${i}.id`] = unknownId('filter', JSON.stringify(id))
    else if (facet.type !== type) mistakes[`${at}${i}.type`] = `This filter is of the type ${facet.type}, not ${type}.`
    if (sort_by === 'option_values' && type !== 'product') {
      mistakes[`${at}${i}.sort_by`] = 'Only filters of the type product can be sorted by option_values.'
    }
  }
  return mistakes
}

/** The fields of each type of filter, besides name and id. */
const facts: Readonly<Record<Facet['type'], Partial<SearchFilter>>> = {
  category: { display_product_count: true, items_to_show: 10 },
  brand: { display_product_count: true, items_to_show: 10, sort_by: 'alpha' },
  rating: {},
  price: {},
  product: { display_product_count: true, items_to_show: 10, sort_by: 'alpha' },
  other: {
    display_product_count: true,
    show_free_shipping_filter: true,
    show_in_stock_filter: true,
    show_is_featured_filter: true,
    show_product_count: true,
  },
}

/** A filter with all that its type has, and no more. */
function whole(filter: SearchFilter, available: ReadonlyMap<string, Facet>): SearchFilter {
  const { id, type } = filter
  const all = {
    display_name: available.get(id)?.name ?? '',
    is_enabled: true,
    collapsed_by_default: false,
    ...facts[type],
  }
  const given = Object.entries(filter).filter(([field]) => field in all)
  return { id, type, ...all, ...Object.fromEntries(given) }
}

const standardFilters = standard.map((facet) =>
  whole({ id: idOf(facet), type: facet.type }, new Map([[idOf(facet), facet]])),
)

interface ContextRow {
  channel_id: number
  category_id: number
  filters: SearchFilter[]
}

const asContext = ({ channel_id, category_id, filters }: ContextRow): FilterContext => ({
  context: category_id === WHOLE_CHANNEL ? { channel_id } : { channel_id, category_id },
  data: filters,
})

const categoryOf = ({ context }: FilterContext) => context.category_id ?? WHOLE_CHANNEL

/** All requests lock contexts in one order. */
const byPlace = (one: FilterContext, other: FilterContext) =>
  one.context.channel_id - other.context.channel_id || categoryOf(one) - categoryOf(other)

async function countOf(db: Db, where: ReturnType<typeof sql.and>): Promise<number> {
  const { count } = await db.row<{ count: number }>(
    sql`select count(*)::int as count from search_filter_contexts where ${where}`,
  )
  return count
}

/** Mistakes: unknown channels, categories outside of the tree of their channel, and duplicates. */
async function misplaced(db: Db, facets: Facets, contexts: readonly FilterContext[]): Promise<Mistakes> {
  const channels = contexts.map(({ context }) => context.channel_id)
  const shown = await facets.channelsOf(
    db,
    contexts.flatMap(({ context }) => context.category_id ?? []),
  )
  const mistakes: Mistakes = {
    ...repeated(
      contexts,
      (one) => `${one.context.channel_id} ${categoryOf(one)}`,
      (i) => `${i}.context`,
      'Another one is of the same channel and category.',
    ),
    ...missing(
      channels,
      await knownChannels(db, channels),
      (i) => `${i}.context.channel_id`,
      (id) => unknownId('channel', id),
    ),
  }
  for (const [i, { context }] of contexts.entries()) {
    const { channel_id, category_id } = context
    if (category_id === undefined || shown.get(category_id) === channel_id) continue
    mistakes[`${i}.context.category_id`] = `The channel ${channel_id} shows no category ${category_id}.`
  }
  return mistakes
}

async function saveContext(tx: Tx, context: FilterContext) {
  const { channel_id } = context.context
  const category_id = categoryOf(context)
  const here = sql`store_id = ${tx.store.id} and channel_id = ${channel_id} and category_id = ${category_id}`
  const before = await tx.maybeRow<ContextRow>(
    sql`select channel_id, category_id, filters from search_filter_contexts where ${here} for update`,
  )
  if (isDeepStrictEqual(before?.filters ?? [], context.data)) return
  const filters = JSON.stringify(context.data)
  if (context.data.length === 0) await tx.rows(sql`delete from search_filter_contexts where ${here}`)
  else {
    await tx.rows(sql`
      insert into search_filter_contexts ${sql.rows([{ store_id: tx.store.id, channel_id, category_id, filters }])}
      on conflict (store_id, channel_id, category_id) do update set filters = excluded.filters`)
  }
  const scope = `store/channel/${channel_id}/settings/searchContextFilters/updated` as const
  publish(tx, scope, settingsSubject(channel_id), { category_id })
}

/** Deletes the filters of a channel and of its categories. No event is published. */
export async function deleteContextsOf(tx: Tx, channel: number) {
  await tx.rows(sql`
    delete from search_filter_contexts where store_id = ${tx.store.id} and channel_id = ${channel} returning category_id`)
}

/** As `deleteContextsOf`, of categories that are deleted. */
export async function deleteContextsOfCategories(tx: Tx, categories: readonly number[]) {
  await tx.rows(sql`
    delete from search_filter_contexts where store_id = ${tx.store.id} and category_id = any(${categories}::int[])
    returning category_id`)
}
