import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import { attributeKey, FLAGS, KIND_SIZE, VALUES } from '../../../../../goods/catalog/search/values.ts'
import { attributeOf, filtersInForce, type SearchFilter } from '../../../../../shop/settings/search/search-filters.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { type CountedValue, countValues, isStored } from './counts.ts'
import { attributeFacet, type ChosenValues, type ResolvedSearch, type Wanted } from './wanted.ts'

// Facets show how many products remain with each further choice. A facet is counted under all filters but its own, so that a shopper can
// choose a second brand; values without products are left out, unless they are chosen.

const filterLoad = new Load<StorefrontCaller, number, readonly SearchFilter[]>(
  async ({ storefront: { db, channel } }, categories) => {
    const found = await Promise.all(categories.map((category) => filtersInForce(db, channel, category)))
    return new Map(categories.map((category, i) => [category, found[i] ?? []]))
  },
)

/** A name of an option or custom field, as products have it. */
interface AttributeName {
  key: string
  attribute_key: string
  attribute: string
}

/** The names of the options and custom fields of filters, by `option:` or `field:` and the name. */
const nameLoad = new Load<StorefrontCaller, string, AttributeName>(async ({ storefront: { db } }, keys) => {
  const asked = keys.map((key) => ({ key, name: key.slice(key.indexOf(':') + 1) }))
  const rows = await db.rows<AttributeName>(sql`
    select asked.key, known.attribute_key, known.attribute from ${sql.table('asked', asked, { key: 'text', name: 'text' })}
    cross join lateral (
      select attribute_key, attribute from facet_values
      where store_id = ${db.store.id} and attribute_key = ${attributeKey(sql`asked.name`)} order by label_key limit 1
    ) known`)
  return new Map(rows.map((row) => [row.key, row]))
})

/** A filter of the settings, with the facet that it shows. */
interface VisibleFilter {
  filter: SearchFilter
  attribute: AttributeName | undefined
}

/** The facets of a search, in the order of the settings. */
export async function facetsOf(caller: StorefrontCaller, search: ResolvedSearch) {
  if (!search.showsFacets) return { items: [], total: undefined }
  const filters = await visibleFilters(caller, search)
  const answersOf = (one: VisibleFilter, counted: readonly CountedValue[]) => facetToAnswer(one, search, counted) ?? []
  if (search.isEmpty)
    return {
      items: filters.flatMap((one) => (one.filter.type === 'price' ? answersOf(one, []) : [])),
      total: undefined,
    }
  const counted = await countAll(caller, search.wanted, filters)
  return {
    items: filters.flatMap((one) => answersOf(one, counted)),
    /** The number of products, if they were counted with the facets. */
    total: counted.find(({ kind }) => kind === 'total')?.products,
  }
}

/** Enabled filters whose attribute products have. Each display name stands once: shops join answers by it. */
async function visibleFilters(
  caller: StorefrontCaller,
  { wanted, hidesPrices }: ResolvedSearch,
): Promise<VisibleFilter[]> {
  const category = wanted.context?.category ?? 0
  const filters = (await filterLoad.find(caller, category, undefined)) ?? []
  const enabled = filters.filter(({ type, is_enabled }) => is_enabled !== false && !(hidesPrices && type === 'price'))
  const all = await Promise.all(
    enabled.map(async (filter) => {
      const key = attributeOf(filter)
      return { filter, attribute: key === undefined ? undefined : await nameLoad.find(caller, key, undefined) }
    }),
  )
  const names = new Set<string>()
  const attributes = new Set<string>()
  return all.filter(({ filter: { type, display_name = '' }, attribute }) => {
    if (names.has(display_name)) return false
    if (type === 'product') {
      if (!attribute || attributes.has(attribute.attribute_key)) return false
      attributes.add(attribute.attribute_key)
    }
    names.add(display_name)
    return true
  })
}

/** The values of all facets. A facet with a filter of its own is counted without that one. */
async function countAll(
  caller: StorefrontCaller,
  wanted: Wanted,
  filters: readonly VisibleFilter[],
): Promise<CountedValue[]> {
  const types = new Set(filters.map(({ filter }) => filter.type))
  const kinds = [
    ...(types.has('brand') ? ['brand' as const] : []),
    ...(types.has('category') ? ['category' as const] : []),
    ...(types.has('rating') ? ['rating' as const] : []),
    ...(types.has('other') ? ['flag' as const] : []),
  ]
  const attributes = filters.flatMap(({ attribute }) => attribute?.attribute_key ?? [])
  const own = new Set([...wanted.chosen.map(({ facet }) => facet), ...(wanted.rating ? ['rating'] : [])])
  const without = (facet: string): Wanted => ({
    ...wanted,
    chosen: wanted.chosen.filter((one) => one.facet !== facet),
    rating: facet === 'rating' ? null : wanted.rating,
  })
  const isOwn = ({ kind, id, attribute }: CountedValue) => own.has(facetOf(kind, id, attribute))
  const flagged = wanted.chosen.filter(({ facet }) => facet.startsWith('flag '))
  const [rest, ...others] = await Promise.all([
    countValues(caller, {
      wanted,
      kinds: kinds.filter((kind) => !own.has(kind)),
      attributes: attributes.filter((key) => !own.has(attributeFacet(key))),
      chosen: [],
      // Stored counts are a few seconds old.
      hasTotal: !isStored(wanted),
    }),
    ...kinds
      .filter((kind) => kind !== 'flag' && own.has(kind))
      .map((kind) =>
        countValues(caller, { wanted: without(kind), kinds: [kind], attributes: [], chosen: chosenIn(wanted, kind) }),
      ),
    ...attributes
      .filter((key) => own.has(attributeFacet(key)))
      .map((key) => {
        const facet = attributeFacet(key)
        return countValues(caller, {
          wanted: without(facet),
          kinds: [],
          attributes: [key],
          chosen: chosenIn(wanted, facet),
        })
      }),
    ...(kinds.includes('flag') ? flagged : []).map(async ({ facet, values }) => {
      const counted = await countValues(caller, {
        wanted: without(facet),
        kinds: ['flag'],
        attributes: [],
        chosen: values,
      })
      return counted.filter(({ id }) => values.includes(id))
    }),
  ])
  return [...rest.filter((value) => !isOwn(value)), ...others.flat()]
}

const facetOf = (kind: CountedValue['kind'], id: number, attribute: string) =>
  kind === 'attribute' ? attributeFacet(attribute) : kind === 'flag' ? `flag ${id}` : kind

/** The chosen values of a facet. Categories are counted with those below them, however they are searched. */
const chosenIn = ({ chosen }: Wanted, facet: string): number[] =>
  chosen
    .filter((one: ChosenValues) => one.facet === facet)
    .flatMap(({ values }) => values)
    .filter((value) => value > 0)
    .map((value) => (facet === 'category' && value < VALUES.tree ? value + KIND_SIZE : value))

/** One facet; undefined if it has nothing to choose from. */
function facetToAnswer({ filter, attribute }: VisibleFilter, search: ResolvedSearch, counted: readonly CountedValue[]) {
  const { wanted, filters } = search
  const displayName = filter.display_name ?? ''
  const common = { name: displayName, displayName, isCollapsedByDefault: filter.collapsed_by_default ?? false }
  const listed = {
    displayProductCount: filter.display_product_count ?? true,
    displayItemsCount: filter.items_to_show ?? 10,
  }
  const of = (kind: CountedValue['kind']) => counted.filter((value) => value.kind === kind)
  const isChosen = (facet: string, value: number) => chosenIn(wanted, facet).includes(value)
  switch (filter.type) {
    case 'brand': {
      const items = sorted(of('brand'), filter.sort_by).map(({ id, name, products }) => ({
        entityId: id,
        name,
        isSelected: isChosen('brand', VALUES.brand + id),
        productCount: products,
      }))
      return items.length === 0 ? undefined : { __typename: 'BrandSearchFilter' as const, ...common, ...listed, items }
    }
    case 'category': {
      const items = categoryItems(of('category'), search, (id) => isChosen('category', VALUES.tree + id))
      return items.length === 0
        ? undefined
        : { __typename: 'CategorySearchFilter' as const, ...common, ...listed, items }
    }
    case 'rating': {
      const items = ratingItems(of('rating'), filters)
      return items.length === 0 ? undefined : { __typename: 'RatingSearchFilter' as const, ...common, items }
    }
    case 'price': {
      const { minPrice = null, maxPrice = null } = filters.price ?? {}
      const selected = wanted.price ? { minPrice, maxPrice } : null
      return { __typename: 'PriceSearchFilter' as const, ...common, selected }
    }
    case 'product': {
      if (!attribute) return undefined
      const values = of('attribute').filter((value) => value.attribute === attribute.attribute_key)
      const facet = attributeFacet(attribute.attribute_key)
      const items = sorted(values, filter.sort_by).map(({ id, name, products }) => ({
        value: name,
        isSelected: isChosen(facet, id),
        productCount: products,
      }))
      const named = { filterName: attribute.attribute, filterKey: attribute.attribute }
      return items.length === 0
        ? undefined
        : { __typename: 'ProductAttributeSearchFilter' as const, ...common, ...listed, ...named, items }
    }
    case 'other': {
      const item = (isShown: boolean | undefined, flag: number, label: string) => {
        const found = of('flag').find(({ id }) => id === flag)
        if (isShown === false || !found) return null
        return { displayName: label, isSelected: isChosen(`flag ${flag}`, flag), productCount: found.products }
      }
      const items = {
        freeShipping: item(filter.show_free_shipping_filter, FLAGS.freeShipping, 'Free shipping'),
        isFeatured: item(filter.show_is_featured_filter, FLAGS.featured, 'Featured'),
        isInStock: item(filter.show_in_stock_filter, FLAGS.inStock, 'In stock'),
      }
      const isEmpty = Object.values(items).every((one) => one === null)
      const displayProductCount = filter.show_product_count ?? true
      return isEmpty
        ? undefined
        : { __typename: 'OtherSearchFilter' as const, ...common, displayProductCount, ...items }
    }
  }
}

const collator = new Intl.Collator('en', { numeric: true })
const byName = (one: CountedValue, other: CountedValue) => collator.compare(one.name, other.name) || one.id - other.id

/** Values in the order that the settings ask for. */
function sorted(values: readonly CountedValue[], order: SearchFilter['sort_by']): CountedValue[] {
  if (order === 'item_count') return values.toSorted((a, b) => b.products - a.products || byName(a, b))
  if (order === 'option_values') return values.toSorted((a, b) => a.position - b.position || byName(a, b))
  return values.toSorted(byName)
}

/** A category with the categories below it that have products. */
export interface CategoryItem {
  entityId: number
  name: string
  isSelected: boolean
  productCount: number
  below: CategoryItem[]
}

/** The categories below that of the page, or from the top of the tree. */
function categoryItems(
  values: readonly CountedValue[],
  { wanted, filters }: ResolvedSearch,
  isSelected: (id: number) => boolean,
) {
  const top = wanted.context?.category ?? 0
  const inOrder = values.toSorted((a, b) => a.position - b.position || a.id - b.id)
  const items = new Map(
    inOrder.map(({ id, name, products }): [number, CategoryItem] => [
      id,
      { entityId: id, name, isSelected: isSelected(id), productCount: products, below: [] },
    ]),
  )
  const roots: CategoryItem[] = []
  for (const { id, parent_id } of inOrder) {
    const item = items.get(id)
    if (!item) continue
    if (parent_id === top) roots.push(item)
    else if (!filters.topLevelOnly) items.get(parent_id)?.below.push(item)
  }
  return roots
}

/** A choice of stars finds products with this average and better ones. */
function ratingItems(values: readonly CountedValue[], { rating }: ResolvedSearch['filters']) {
  return [5, 4, 3, 2, 1].flatMap((stars) => {
    const products = values.filter(({ id }) => id >= stars).reduce((sum, one) => sum + one.products, 0)
    const isSelected = rating?.minRating != null && Math.ceil(rating.minRating) === stars
    return products === 0 && !isSelected ? [] : [{ value: String(stars), isSelected, productCount: products }]
  })
}

export type SearchFacets = Awaited<ReturnType<typeof facetsOf>>
export type SearchFacet = SearchFacets['items'][number]
