import type { Db } from '../../../core/db/database.ts'

/** A property that distinguishes products: the source of a search filter. */
export interface Facet {
  type: 'category' | 'brand' | 'rating' | 'price' | 'product' | 'other'
  /** Of several facets of one type, which one: of products the option or the custom field. */
  key: string
  name: string
  /** How many products have it. */
  product_count?: number
  price_range_min?: number
  price_range_max?: number
}

/** Where products are looked for: everywhere, in a channel, in a category. */
export interface FacetPlace {
  channel?: number | undefined
  category?: number | undefined
}

/** Functions of the catalog, which stands above settings: `app.ts` passes them. */
export interface Facets {
  /** The facets of the products of a place, in the order in which they are offered. */
  find(db: Db, place: FacetPlace): Promise<Facet[]>
  /** Of these keys of options and custom fields, those that any product has. */
  named(db: Db, keys: readonly string[]): Promise<Facet[]>
  /** The channels that show these categories; a category that no channel shows is left out. */
  channelsOf(db: Db, categories: readonly number[]): Promise<Map<number, number>>
}
