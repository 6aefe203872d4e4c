import type { Static } from 'typebox'
import { prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import { GraphRefusal } from '../../../../../core/graphql/refusal.ts'
import { attributeKey, FLAGS, literal, VALUES } from '../../../../../goods/catalog/search/values.ts'
import { categorySettings, productSettings, searchSettings } from '../../../../../shop/settings/families/families.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { findCategory } from '../catalog/categories.ts'
import { isId } from '../catalog/rows/product-row.ts'
import { type Visibility, visibilityFor } from '../catalog/rows/visibility.ts'
import { settingsFor } from '../shop.ts'
import { type FoundTerm, findTerm } from './terms.ts'

// The question of a search: what its filters mean in this store and for this shopper. It is plain data, from which statements are made,
// so that two equal questions are known as equal.

const VALUES_MAX = 250
const ATTRIBUTES_MAX = 20

type Numbers = readonly number[] | null | undefined
interface Range {
  min: number | null
  max: number | null
}

/** The filters of `searchProducts`. */
export interface SearchFilters {
  searchTerm?: string | null
  price?: { minPrice?: number | null; maxPrice?: number | null } | null
  rating?: { minRating?: number | null; maxRating?: number | null } | null
  categoryEntityId?: number | null
  categoryEntityIds?: Numbers
  searchSubCategories?: boolean | null
  brandEntityIds?: Numbers
  productAttributes?: readonly { attribute: string; values: readonly string[] }[] | null
  isFreeShipping?: boolean | null
  isFeatured?: boolean | null
  hideOutOfStock?: boolean | null
  topLevelOnly?: boolean | null
  categoryIdsFilter?: { entityIds: readonly number[]; matchBehavior: 'AND' | 'OR' } | null
}

/** A filter that shoppers choose from a facet: products have one of the values. */
export interface ChosenValues {
  /** The facet: `brand`, `category`, `attribute` with the key of its name, or a flag. */
  facet: string
  values: readonly number[]
}

/** A question with all ids and names looked up. */
export interface Wanted {
  visibility: Visibility
  /** The category of the page with its value; null for a search. */
  context: { category: number; value: number } | null
  term: FoundTerm | null
  /** In units of 1/10,000. */
  price: Range | null
  /** In hundredths of a star. */
  rating: Range | null
  chosen: readonly ChosenValues[]
}

/** A question with the facts that its answers show. */
export interface ResolvedSearch {
  wanted: Wanted
  /** Whether nothing can be found, for example in an unknown category. */
  isEmpty: boolean
  filters: SearchFilters
  showsFacets: boolean
  hidesPrices: boolean
}

/** The facet of a value of an option or custom field. */
export const attributeFacet = (key: string) => `attribute ${key}`

interface AttributeRow {
  attribute_key: string
  values: number[]
}

/** The values of options and custom fields by their names and labels, and the keys of their names. */
const attributeLoad = new Load<StorefrontCaller, string, AttributeRow>(async ({ storefront: { db } }, keys) => {
  const wanted = keys.map((key): { attribute: string; values: string[] } => JSON.parse(key))
  const asked = wanted.flatMap(({ attribute, values }, i) => values.map((label) => ({ nr: i, attribute, label })))
  const rows = await db.rows<AttributeRow & { nr: number }>(
    prepared(sql`
    select asked.nr, ${attributeKey(sql`asked.attribute`)} as attribute_key,
      coalesce(json_agg(distinct known.value) filter (where known.value is not null), '[]') as values
    from ${sql.table('asked', asked, { nr: 'int', attribute: 'text', label: 'text' })}
    left join facet_values known on known.store_id = ${db.store.id}
      and known.attribute_key = ${attributeKey(sql`asked.attribute`)} and known.label_key = ${attributeKey(sql`asked.label`)}
    group by asked.nr, 2`),
  )
  return new Map(rows.map(({ nr, attribute_key, values }) => [keys[nr] ?? '', { attribute_key, values }]))
})

/** Whether a category has products of its own. */
const ownProductsLoad = new Load<StorefrontCaller, number, true>(async ({ storefront: { db, channel } }, ids) => {
  const rows = await db.rows<{ id: number }>(
    prepared(sql`
    select id from ${sql.each(ids)} category (id) where exists (
      select from product_facets place join search_rows hit on hit.store_id = ${db.store.id}
        and hit.product_id = place.product_id and hit.channel_id = ${channel}
      where place.store_id = ${db.store.id} and place.value = ${literal(VALUES.category)} + category.id)`),
  )
  return new Map(rows.map(({ id }) => [id, true]))
})

/** @throws GraphRefusal that names an argument */
export async function resolveSearch(caller: StorefrontCaller, filters: SearchFilters): Promise<ResolvedSearch> {
  refuseLong(filters)
  const [visibility, settings] = await Promise.all([visibilityFor(caller), settingsFor(caller)])
  const { show_product_price, hide_price_from_guests } = settings.of(productSettings)
  const hidesPrices = !show_product_price || (hide_price_from_guests && !caller.customer)
  const { product_filtering_enabled: showsFacets, search_suggest } = settings.of(searchSettings)
  const { listing_mode } = settings.of(categorySettings)
  const [categories, attributes, term] = await Promise.all([
    chosenCategories(caller, filters, listing_mode),
    showsFacets ? chosenAttributes(caller, filters) : [],
    findTerm(caller, filters.searchTerm ?? '', { corrects: search_suggest }),
  ])
  const { price, rating, brandEntityIds } = filters
  const flags = [
    filters.isFeatured ? FLAGS.featured : 0,
    filters.isFreeShipping ? FLAGS.freeShipping : 0,
    showsFacets && filters.hideOutOfStock ? FLAGS.inStock : 0,
  ].filter((flag) => flag > 0)
  const brands = brandEntityIds?.length
    ? [{ facet: 'brand', values: [...new Set(brandEntityIds.filter(isId))].map((id) => VALUES.brand + id) }]
    : []
  return {
    wanted: {
      visibility,
      context: categories.context,
      term: term ?? null,
      price: hidesPrices ? null : rangeOf(price?.minPrice, price?.maxPrice, 10_000),
      rating: showsFacets ? rangeOf(rating?.minRating, rating?.maxRating, 100) : null,
      chosen: [
        ...categories.chosen,
        ...brands,
        ...attributes,
        ...flags.map((flag) => ({ facet: `flag ${flag}`, values: [flag] })),
      ],
    },
    isEmpty: categories.isUnknown || visibility.access.access_type === 'none',
    filters,
    showsFacets,
    hidesPrices,
  }
}

function refuseLong({ categoryEntityIds, brandEntityIds, categoryIdsFilter, productAttributes }: SearchFilters) {
  const refuse = (name: string, most: number) => {
    throw new GraphRefusal(`${name} has more than ${most} values.`, 'BAD_USER_INPUT')
  }
  if ((categoryEntityIds?.length ?? 0) > VALUES_MAX) refuse('categoryEntityIds', VALUES_MAX)
  if ((brandEntityIds?.length ?? 0) > VALUES_MAX) refuse('brandEntityIds', VALUES_MAX)
  if ((categoryIdsFilter?.entityIds.length ?? 0) > VALUES_MAX) refuse('categoryIdsFilter', VALUES_MAX)
  if ((productAttributes?.length ?? 0) > ATTRIBUTES_MAX) refuse('productAttributes', ATTRIBUTES_MAX)
  if (productAttributes?.some(({ values }) => values.length > VALUES_MAX)) refuse('productAttributes', VALUES_MAX)
}

/** @returns null without bounds */
function rangeOf(min: number | null | undefined, max: number | null | undefined, unit: number): Range | null {
  if (min == null && max == null) return null
  const inUnits = (bound: number, round: (value: number) => number) =>
    Math.max(
      -Number.MAX_SAFE_INTEGER,
      Math.min(Number.MAX_SAFE_INTEGER, round(Math.round(bound * unit * 1_000) / 1_000)),
    )
  return {
    min: min == null ? null : inUnits(min, Math.ceil),
    max: max == null ? null : inUnits(max, Math.floor),
  }
}

type ListingMode = Static<(typeof categorySettings)['shape']>['listing_mode']

/** The category of the page and the chosen categories, without those that the shopper may not open. */
async function chosenCategories(caller: StorefrontCaller, filters: SearchFilters, mode: ListingMode) {
  const { categoryEntityId: page, categoryEntityIds, categoryIdsFilter, searchSubCategories } = filters
  const lists = [
    { ids: categoryEntityIds ?? [], matchesAll: false },
    { ids: categoryIdsFilter?.entityIds ?? [], matchesAll: categoryIdsFilter?.matchBehavior === 'AND' },
  ].filter(({ ids }) => ids.length > 0)
  const named = [...new Set([...(page == null ? [] : [page]), ...lists.flatMap(({ ids }) => ids)])]
  const found = await Promise.all(named.map((id) => findCategory(caller, id)))
  const visible = new Set(found.flatMap((category) => category?.id ?? []))
  const isEmptyPage = async () => page != null && !(await ownProductsLoad.find(caller, page, undefined))
  const below =
    searchSubCategories ??
    (mode === 'child_categories' || (mode === 'child_categories_if_category_empty' && (await isEmptyPage())))
  const valueFor = (id: number) => (below ? VALUES.tree : VALUES.category) + id
  const chosen = lists.flatMap(({ ids, matchesAll }): ChosenValues[] => {
    const values = [...new Set(ids)].map((id) => (visible.has(id) ? valueFor(id) : -1))
    return matchesAll
      ? values.map((value) => ({ facet: 'category', values: [value] }))
      : [{ facet: 'category', values: values.filter((value) => value > 0) }]
  })
  return {
    context: page == null ? null : { category: page, value: valueFor(page) },
    chosen,
    isUnknown: page != null && !visible.has(page),
  }
}

async function chosenAttributes(
  caller: StorefrontCaller,
  { productAttributes }: SearchFilters,
): Promise<ChosenValues[]> {
  const clean = (text: string) => text.replaceAll('\0', '')
  const asked = (productAttributes ?? []).filter(({ values }) => values.length > 0)
  const found = await Promise.all(
    asked.map(({ attribute, values }) =>
      attributeLoad.find(caller, JSON.stringify({ attribute: clean(attribute), values: values.map(clean) }), undefined),
    ),
  )
  return found.flatMap((row) => (row ? { facet: attributeFacet(row.attribute_key), values: row.values } : []))
}
