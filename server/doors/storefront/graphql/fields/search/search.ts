import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { connectionOf } from '../connections.ts'
import { type CategoryItem, facetsOf, type SearchFacet, type SearchFacets } from './facets.ts'
import { type SearchSort, searchedProducts } from './pages.ts'
import { type ResolvedSearch, resolveSearch, type SearchFilters } from './wanted.ts'

type FacetOf<Name> = SearchFacet & { __typename: Name }

interface RunningSearch {
  /** Its fields wait for one reading of the filters. */
  search: Promise<ResolvedSearch>
  sort: SearchSort
  /** Undefined if the operation does not ask for them. */
  facets: Promise<SearchFacets> | undefined
}

declare module '../../types.ts' {
  interface Parents {
    SearchQueries: object
    SearchProducts: RunningSearch
    BrandSearchFilter: FacetOf<'BrandSearchFilter'>
    CategorySearchFilter: FacetOf<'CategorySearchFilter'>
    RatingSearchFilter: FacetOf<'RatingSearchFilter'>
    ProductAttributeSearchFilter: FacetOf<'ProductAttributeSearchFilter'>
    CategorySearchFilterItem: CategoryItem
    SubCategorySearchFilterItem: CategoryItem
  }
}

function searchProducts(
  caller: StorefrontCaller,
  filters: SearchFilters,
  sort: SearchSort | null | undefined,
): RunningSearch {
  const search = resolveSearch(caller, filters)
  // Each field that waits for it reports the error.
  search.catch(() => {})
  return { search, sort: sort ?? (filters.searchTerm ? 'RELEVANCE' : 'FEATURED'), facets: undefined }
}

/** Search with facets (docs/contract/storefront-search.md). */
export const searchFields: Fields<
  | 'SearchQueries'
  | 'SearchProducts'
  | 'BrandSearchFilter'
  | 'CategorySearchFilter'
  | 'RatingSearchFilter'
  | 'ProductAttributeSearchFilter'
  | 'CategorySearchFilterItem'
  | 'SubCategorySearchFilterItem'
> = {
  SearchQueries: {
    searchProducts: (_, { filters, sort }, caller) => searchProducts(caller, filters, sort),
  },
  SearchProducts: {
    async products(running, args, caller) {
      const { search, sort } = running
      const page = await searchedProducts(caller, await search, sort, args)
      // Facets and page are begun together, so the facets are known when the total is asked for.
      return { ...page, count: async () => (await running.facets)?.total ?? page.count() }
    },
    async filters(running, args, caller) {
      running.facets ??= running.search.then((search) => facetsOf(caller, search))
      return connectionOf((await running.facets).items, args)
    },
    async suggestions({ search }) {
      const { wanted } = await search
      const text = wanted.term?.corrected
      return text == null ? [] : [{ sourceField: 'searchTerm', results: [{ text }] }]
    },
  },
  BrandSearchFilter: { brands: ({ items }, args) => connectionOf(items, args) },
  CategorySearchFilter: { categories: ({ items }, args) => connectionOf(items, args) },
  RatingSearchFilter: { ratings: ({ items }, args) => connectionOf(items, args) },
  ProductAttributeSearchFilter: { attributes: ({ items }, args) => connectionOf(items, args) },
  CategorySearchFilterItem: { subCategories: ({ below }, args) => connectionOf(below, args) },
  SubCategorySearchFilterItem: { subCategories: ({ below }, args) => connectionOf(below, args) },
}
