// Generated from server/openapi.json by npm run generate. Do not edit.

export interface ListChannelsQuery {
  /** Only entries whose `status` is one of these values, separated by commas */
  'status:in'?: string[]
  /** Only entries whose `type` is one of these values, separated by commas */
  'type:in'?: string[]
  /** Only entries whose `platform` is one of these values, separated by commas */
  'platform:in'?: string[]
  /** Only entries with this `date_created` */
  date_created?: string | Date
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries with this `date_modified` */
  date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** prelaunch, active, inactive or connected; or none of these */
  available?: boolean
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: "currencies"[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetChannelQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: "currencies"[]
}

export interface ListChannelListingsQuery {
  /** Only entries whose `product_id` is one of these values, separated by commas */
  'product_id:in'?: number[]
  /** Only entries with this `date_created` */
  date_created?: string | Date
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries with this `date_modified` */
  date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCurrencyAssignmentsQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListSitesQuery {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Only entries whose `channel_id` is one of these values, separated by commas */
  'channel_id:in'?: number[]
  /** Sites with an address of one of these types */
  'url_type:in'?: ("primary" | "canonical" | "checkout")[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListSiteRoutesQuery {
  /** Only entries with this `type` */
  type?: string
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListSiteCertificatesQuery {
  /** Only entries whose `urls` is one of these values, separated by commas */
  'urls:in'?: string[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListChannelMetafieldsQuery {
  /** Only entries with this `id` */
  id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Leaves out entries whose `id` is one of these values, separated by commas */
  'id:not_in'?: number[]
  /** Only entries whose `id` is this value or higher */
  'id:min'?: number
  /** Only entries whose `id` is this value or lower */
  'id:max'?: number
  /** Only entries whose `id` is higher than this value */
  'id:greater'?: number
  /** Only entries whose `id` is lower than this value */
  'id:less'?: number
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** Only entries with this `date_created` */
  date_created?: string | Date
  /** Only entries with this `date_modified` */
  date_modified?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetChannelMetafieldQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListAllChannelMetafieldsQuery {
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListBrandsQuery {
  /** Only entries with this `id` */
  id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Leaves out entries whose `id` is one of these values, separated by commas */
  'id:not_in'?: number[]
  /** Only entries whose `id` is this value or higher */
  'id:min'?: number
  /** Only entries whose `id` is this value or lower */
  'id:max'?: number
  /** Only entries whose `id` is higher than this value */
  'id:greater'?: number
  /** Only entries whose `id` is lower than this value */
  'id:less'?: number
  /** Only entries with this `name` */
  name?: string
  /** Only entries whose `name` contains this text, compared without case and accents */
  'name:like'?: string
  /** Only entries with this `page_title` */
  page_title?: string
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The field by which the list is sorted. Without it, the list is in the order of ids */
  sort?: "name"
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteBrandsQuery {
  name: string
  /** The title of its page in browsers. If empty, storefronts use its name */
  page_title?: string
}

export interface GetBrandQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListBrandMetafieldsQuery {
  /** Only entries with this `id` */
  id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Leaves out entries whose `id` is one of these values, separated by commas */
  'id:not_in'?: number[]
  /** Only entries whose `id` is this value or higher */
  'id:min'?: number
  /** Only entries whose `id` is this value or lower */
  'id:max'?: number
  /** Only entries whose `id` is higher than this value */
  'id:greater'?: number
  /** Only entries whose `id` is lower than this value */
  'id:less'?: number
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetBrandMetafieldQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListAllBrandMetafieldsQuery {
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCategoriesQuery {
  /** Only entries with this `id` */
  id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Leaves out entries whose `id` is one of these values, separated by commas */
  'id:not_in'?: number[]
  /** Only entries whose `id` is this value or higher */
  'id:min'?: number
  /** Only entries whose `id` is this value or lower */
  'id:max'?: number
  /** Only entries whose `id` is higher than this value */
  'id:greater'?: number
  /** Only entries whose `id` is lower than this value */
  'id:less'?: number
  /** Only entries with this `name` */
  name?: string
  /** Only entries whose `name` contains this text, compared without case and accents */
  'name:like'?: string
  /** Only entries with this `parent_id` */
  parent_id?: number
  /** Only entries whose `parent_id` is one of these values, separated by commas */
  'parent_id:in'?: number[]
  /** Only entries whose `parent_id` is this value or higher */
  'parent_id:min'?: number
  /** Only entries whose `parent_id` is this value or lower */
  'parent_id:max'?: number
  /** Only entries whose `parent_id` is higher than this value */
  'parent_id:greater'?: number
  /** Only entries whose `parent_id` is lower than this value */
  'parent_id:less'?: number
  /** Only entries with this `page_title` */
  page_title?: string
  /** Only entries whose `page_title` contains this text, compared without case and accents */
  'page_title:like'?: string
  /** Only entries with this `is_visible` */
  is_visible?: boolean
  /** A word or a part of it that the names and texts of entries contain */
  keyword?: string
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The field by which the list is sorted. Without it, the list is in the order of ids */
  sort?: "name" | "id" | "parent_id" | "sort_order"
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteCategoriesQuery {
  /** Only entries with this `id` */
  id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Leaves out entries whose `id` is one of these values, separated by commas */
  'id:not_in'?: number[]
  /** Only entries whose `id` is this value or higher */
  'id:min'?: number
  /** Only entries whose `id` is this value or lower */
  'id:max'?: number
  /** Only entries whose `id` is higher than this value */
  'id:greater'?: number
  /** Only entries whose `id` is lower than this value */
  'id:less'?: number
  /** Only entries with this `name` */
  name?: string
  /** Only entries whose `name` contains this text, compared without case and accents */
  'name:like'?: string
  /** Only entries with this `parent_id` */
  parent_id?: number
  /** Only entries whose `parent_id` is one of these values, separated by commas */
  'parent_id:in'?: number[]
  /** Only entries whose `parent_id` is this value or higher */
  'parent_id:min'?: number
  /** Only entries whose `parent_id` is this value or lower */
  'parent_id:max'?: number
  /** Only entries whose `parent_id` is higher than this value */
  'parent_id:greater'?: number
  /** Only entries whose `parent_id` is lower than this value */
  'parent_id:less'?: number
  /** Only entries with this `page_title` */
  page_title?: string
  /** Only entries whose `page_title` contains this text, compared without case and accents */
  'page_title:like'?: string
  /** Only entries with this `is_visible` */
  is_visible?: boolean
  /** A word or a part of it that the names and texts of entries contain */
  keyword?: string
}

export interface GetCategoryQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListCategoryMetafieldsQuery {
  /** Only entries with this `id` */
  id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Leaves out entries whose `id` is one of these values, separated by commas */
  'id:not_in'?: number[]
  /** Only entries whose `id` is this value or higher */
  'id:min'?: number
  /** Only entries whose `id` is this value or lower */
  'id:max'?: number
  /** Only entries whose `id` is higher than this value */
  'id:greater'?: number
  /** Only entries whose `id` is lower than this value */
  'id:less'?: number
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetCategoryMetafieldQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListAllCategoryMetafieldsQuery {
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetCategoryProductSortOrderQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListProductsQuery {
  /** Only entries with this `id` */
  id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Leaves out entries whose `id` is one of these values, separated by commas */
  'id:not_in'?: number[]
  /** Only entries whose `id` is this value or higher */
  'id:min'?: number
  /** Only entries whose `id` is this value or lower */
  'id:max'?: number
  /** Only entries whose `id` is higher than this value */
  'id:greater'?: number
  /** Only entries whose `id` is lower than this value */
  'id:less'?: number
  /** Only entries with this `name` */
  name?: string
  /** Only entries with this `mpn` */
  mpn?: string
  /** Only entries with this `upc` */
  upc?: string
  /** Only entries with this `price` */
  price?: number
  /** Only entries with this `weight` */
  weight?: number
  /** Only entries with this `brand_id` */
  brand_id?: number
  /** Only entries with this `date_modified` */
  date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries with this `date_last_imported` */
  date_last_imported?: string | Date
  /** Only entries whose `date_last_imported` is this time or earlier */
  'date_last_imported:max'?: string | Date
  /** Only entries whose `date_last_imported` is this time or later */
  'date_last_imported:min'?: string | Date
  /** Only entries with this `is_visible` */
  is_visible?: boolean
  /** Only entries with this `is_featured` */
  is_featured?: boolean
  /** Only entries with this `is_free_shipping` */
  is_free_shipping?: boolean
  /** Only entries with this `inventory_level` */
  inventory_level?: number
  /** Only entries whose `inventory_level` is one of these values, separated by commas */
  'inventory_level:in'?: number[]
  /** Leaves out entries whose `inventory_level` is one of these values, separated by commas */
  'inventory_level:not_in'?: number[]
  /** Only entries whose `inventory_level` is this value or higher */
  'inventory_level:min'?: number
  /** Only entries whose `inventory_level` is this value or lower */
  'inventory_level:max'?: number
  /** Only entries whose `inventory_level` is higher than this value */
  'inventory_level:greater'?: number
  /** Only entries whose `inventory_level` is lower than this value */
  'inventory_level:less'?: number
  /** Only entries with this `total_sold` */
  total_sold?: number
  /** Only entries with this `type` */
  type?: string
  /** Only entries with this `availability` */
  availability?: string
  /** Only entries with this `sku` */
  sku?: string
  /** Only entries whose `sku` is one of these values, separated by commas */
  'sku:in'?: string[]
  categories?: number
  /** Only entries whose `categories` is one of these values, separated by commas */
  'categories:in'?: number[]
  /** Only entries whose `channel_id` is one of these values, separated by commas */
  'channel_id:in'?: number[]
  condition?: string
  'date_last_imported:not'?: string | Date
  inventory_low?: boolean
  out_of_stock?: boolean
  /** Only entries whose `name` contains this text, compared without case and accents */
  'name:like'?: string
  /** A word or a part of it that the names and texts of entries contain */
  keyword?: string
  keyword_context?: "shopper" | "merchant"
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: ("bulk_pricing_rules" | "channels" | "custom_fields" | "images" | "modifiers" | "options" | "parent_relations" | "primary_image" | "reviews" | "variants" | "videos")[]
  /** The field by which the list is sorted. Without it, the list is in the order of ids */
  sort?: "id" | "name" | "sku" | "price" | "date_modified" | "date_last_imported" | "inventory_level" | "is_visible" | "total_sold" | "calculated_price"
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface CreateProductQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: ("bulk_pricing_rules" | "channels" | "custom_fields" | "images" | "modifiers" | "options" | "parent_relations" | "primary_image" | "reviews" | "variants" | "videos")[]
}

export interface UpdateProductsQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: ("bulk_pricing_rules" | "channels" | "custom_fields" | "images" | "modifiers" | "options" | "parent_relations" | "primary_image" | "reviews" | "variants" | "videos")[]
}

export interface DeleteProductsQuery {
  name?: string
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku?: string
  /** An amount in the currency of the resource. The tax settings of the store decide whether it includes tax */
  price?: number
  /** The weight in the store's unit, which prices of carriers depend on */
  weight?: number
  condition?: string
  /** The brand: the maker of a product. 0 for none */
  brand_id?: number
  /** The time of its last change, in UTC */
  date_modified?: string | Date
  date_last_imported?: string | Date
  /** Whether shoppers see it in storefronts */
  is_visible?: boolean
  is_featured?: boolean
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** How many units are in stock, over all locations */
  inventory_level?: number
  total_sold?: number
  type?: string
  categories?: number
  /** A word or a part of it that the names and texts of entries contain */
  keyword?: string
}

export interface GetProductQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: ("bulk_pricing_rules" | "channels" | "custom_fields" | "images" | "modifiers" | "options" | "parent_relations" | "primary_image" | "reviews" | "variants" | "videos")[]
}

export interface UpdateProductQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: ("bulk_pricing_rules" | "channels" | "custom_fields" | "images" | "modifiers" | "options" | "parent_relations" | "primary_image" | "reviews" | "variants" | "videos")[]
}

export interface ListProductMetafieldsQuery {
  /** Only entries with this `id` */
  id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Leaves out entries whose `id` is one of these values, separated by commas */
  'id:not_in'?: number[]
  /** Only entries whose `id` is this value or higher */
  'id:min'?: number
  /** Only entries whose `id` is this value or lower */
  'id:max'?: number
  /** Only entries whose `id` is higher than this value */
  'id:greater'?: number
  /** Only entries whose `id` is lower than this value */
  'id:less'?: number
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetProductMetafieldQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListAllProductMetafieldsQuery {
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListProductCategoryAssignmentsQuery {
  /** Only entries whose `product_id` is one of these values, separated by commas */
  'product_id:in'?: number[]
  /** Only entries whose `category_id` is one of these values, separated by commas */
  'category_id:in'?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteProductCategoryAssignmentsQuery {
  /** Only entries whose `product_id` is one of these values, separated by commas */
  'product_id:in'?: number[]
  /** Only entries whose `category_id` is one of these values, separated by commas */
  'category_id:in'?: number[]
}

export interface ListProductChannelAssignmentsQuery {
  /** Only entries whose `product_id` is one of these values, separated by commas */
  'product_id:in'?: number[]
  /** Only entries whose `channel_id` is one of these values, separated by commas */
  'channel_id:in'?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteProductChannelAssignmentsQuery {
  /** Only entries whose `product_id` is one of these values, separated by commas */
  'product_id:in'?: number[]
  /** Only entries whose `channel_id` is one of these values, separated by commas */
  'channel_id:in'?: number[]
}

export interface ListProductVariantsQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetProductVariantQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListVariantsQuery {
  /** Only entries with this `id` */
  id?: number
  /** Only entries with this `sku` */
  sku?: string
  /** Only entries with this `upc` */
  upc?: string
  /** Only entries whose `product_id` is one of these values, separated by commas */
  'product_id:in'?: number[]
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListProductVariantMetafieldsQuery {
  /** Only entries with this `id` */
  id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Leaves out entries whose `id` is one of these values, separated by commas */
  'id:not_in'?: number[]
  /** Only entries whose `id` is this value or higher */
  'id:min'?: number
  /** Only entries whose `id` is this value or lower */
  'id:max'?: number
  /** Only entries whose `id` is higher than this value */
  'id:greater'?: number
  /** Only entries whose `id` is lower than this value */
  'id:less'?: number
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetProductVariantMetafieldQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListAllVariantMetafieldsQuery {
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListProductImagesQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetProductImageQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListProductVideosQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetProductVideoQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListProductCustomFieldsQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetProductCustomFieldQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListProductBulkPricingRulesQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetProductBulkPricingRuleQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListProductComplexRulesQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetProductComplexRuleQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListProductReviewsQuery {
  status?: number
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetProductReviewQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListProductOptionsQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetProductOptionQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListProductOptionValuesQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetProductOptionValueQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListProductModifiersQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetProductModifierQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListProductModifierValuesQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetProductModifierValueQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListCategoryTreesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Only entries whose `channel_id` is one of these values, separated by commas */
  'channel_id:in'?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteCategoryTreesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
}

export interface GetCategoryTreeQuery {
  /** The depth in the store's unit of length */
  depth?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListTreeCategoriesQuery {
  /** Only entries with this `name` */
  name?: string
  /** Only entries whose `name` contains this text, compared without case and accents */
  'name:like'?: string
  /** Only entries with this `page_title` */
  page_title?: string
  /** Only entries whose `page_title` contains this text, compared without case and accents */
  'page_title:like'?: string
  /** Only entries with this `is_visible` */
  is_visible?: boolean
  /** Only entries whose `category_uuid` is one of these values, separated by commas */
  'category_uuid:in'?: string[]
  /** Only entries whose `category_id` is one of these values, separated by commas */
  'category_id:in'?: number[]
  /** Only entries whose `tree_id` is one of these values, separated by commas */
  'tree_id:in'?: number[]
  /** Only entries whose `parent_id` is one of these values, separated by commas */
  'parent_id:in'?: number[]
  /** Leaves out entries whose `category_uuid` is one of these values, separated by commas */
  'category_uuid:not_in'?: string[]
  /** Leaves out entries whose `category_id` is one of these values, separated by commas */
  'category_id:not_in'?: number[]
  /** Leaves out entries whose `tree_id` is one of these values, separated by commas */
  'tree_id:not_in'?: number[]
  /** Leaves out entries whose `parent_id` is one of these values, separated by commas */
  'parent_id:not_in'?: number[]
  /** A word or a part of it that the names and texts of entries contain */
  keyword?: string
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteTreeCategoriesQuery {
  /** Only entries whose `category_uuid` is one of these values, separated by commas */
  'category_uuid:in'?: string[]
  /** Only entries whose `category_id` is one of these values, separated by commas */
  'category_id:in'?: number[]
  /** Only entries whose `tree_id` is one of these values, separated by commas */
  'tree_id:in'?: number[]
  /** Only entries whose `parent_id` is one of these values, separated by commas */
  'parent_id:in'?: number[]
}

export interface ListInventoryLocationsQuery {
  /** Only entries whose `location_id` is one of these values, separated by commas */
  'location_id:in'?: number[]
  /** Only entries whose `location_code` is one of these values, separated by commas */
  'location_code:in'?: string[]
  /** Whether it applies if nothing else is chosen */
  is_default?: boolean
  /** Only entries whose `type_id` is one of these values, separated by commas */
  'type_id:in'?: ("PHYSICAL" | "VIRTUAL")[]
  managed_by_external_source?: boolean
  /** Whether it is in use. Inactive ones remain stored */
  is_active?: boolean
  storefront_visibility?: boolean
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteInventoryLocationsQuery {
  /** Only entries whose `location_id` is one of these values, separated by commas */
  'location_id:in': number[]
}

export interface ListInventoryLocationMetafieldsQuery {
  /** Only entries with this `id` */
  id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Leaves out entries whose `id` is one of these values, separated by commas */
  'id:not_in'?: number[]
  /** Only entries whose `id` is this value or higher */
  'id:min'?: number
  /** Only entries whose `id` is this value or lower */
  'id:max'?: number
  /** Only entries whose `id` is higher than this value */
  'id:greater'?: number
  /** Only entries whose `id` is lower than this value */
  'id:less'?: number
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetInventoryLocationMetafieldQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListAllLocationMetafieldsQuery {
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListInventoryItemsQuery {
  /** Only entries whose `sku` is one of these values, separated by commas */
  'sku:in'?: string[]
  /** Only entries whose `variant_id` is one of these values, separated by commas */
  'variant_id:in'?: number[]
  /** Only entries whose `product_id` is one of these values, separated by commas */
  'product_id:in'?: number[]
  /** Only entries whose `location_id` is one of these values, separated by commas */
  'location_id:in'?: number[]
  /** Only entries whose `location_code` is one of these values, separated by commas */
  'location_code:in'?: string[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListLocationItemsQuery {
  /** Only entries whose `sku` is one of these values, separated by commas */
  'sku:in'?: string[]
  /** Only entries whose `variant_id` is one of these values, separated by commas */
  'variant_id:in'?: number[]
  /** Only entries whose `product_id` is one of these values, separated by commas */
  'product_id:in'?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListStockChangesQuery {
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku?: string
  /** The variant of the product, which has the stock and a price of its own */
  variant_id?: number
  /** The product of the catalog */
  product_id?: number
  /** Only entries whose `location_id` is one of these values, separated by commas */
  'location_id:in'?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListPickupMethodsQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** The time of its creation, in UTC */
  date_created?: string | Date
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** The time of its last change, in UTC */
  date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The field by which the list is sorted. Without it, the list is in the order of ids */
  sort?: "date_modified:asc" | "date_modified:desc" | "name:asc" | "name:desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeletePickupMethodsQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in': number[]
}

export interface ListCustomersQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Only entries whose `company` is one of these values, separated by commas */
  'company:in'?: string[]
  /** Only entries whose `customer_group_id` is one of these values, separated by commas */
  'customer_group_id:in'?: number[]
  /** Only entries whose `email` is one of these values, separated by commas */
  'email:in'?: string[]
  /** Only entries whose `phone` is one of these values, separated by commas */
  'phone:in'?: string[]
  /** Only entries whose `registration_ip_address` is one of these values, separated by commas */
  'registration_ip_address:in'?: string[]
  /** Only entries with this `date_created` */
  date_created?: string | Date
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries with this `date_modified` */
  date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** Only entries whose `name` is one of these values, separated by commas */
  'name:in'?: string[]
  /** Only entries whose `name` contains this text, compared without case and accents */
  'name:like'?: string[]
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: ("addresses" | "attributes" | "formfields" | "storecredit" | "shopper_profile_id" | "segment_ids")[]
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The field by which the list is sorted. Without it, the list is in the order of ids */
  sort?: "date_created:asc" | "date_created:desc" | "last_name:asc" | "last_name:desc" | "date_modified:asc" | "date_modified:desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteCustomersQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
}

export interface ListCustomerAddressesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Only entries whose `company` is one of these values, separated by commas */
  'company:in'?: string[]
  /** Only entries whose `customer_id` is one of these values, separated by commas */
  'customer_id:in'?: number[]
  /** Only entries whose `name` is one of these values, separated by commas */
  'name:in'?: string[]
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: "formfields"[]
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteCustomerAddressesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
}

export interface ListCustomerAttributesQuery {
  /** Only entries with this `name` */
  name?: string
  /** Only entries whose `name` contains this text, compared without case and accents */
  'name:like'?: string
  /** Only entries with this `type` */
  type?: string
  /** Only entries with this `date_created` */
  date_created?: string | Date
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries with this `date_modified` */
  date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteCustomerAttributesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
}

export interface ListCustomerAttributeValuesQuery {
  /** Only entries whose `customer_id` is one of these values, separated by commas */
  'customer_id:in'?: number[]
  /** Only entries whose `attribute_id` is one of these values, separated by commas */
  'attribute_id:in'?: number[]
  /** Only entries with this `date_created` */
  date_created?: string | Date
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries with this `date_modified` */
  date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The name of the attribute */
  name?: string
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteCustomerAttributeValuesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
}

export interface ListCustomerFormFieldValuesQuery {
  /** The customer account of the store */
  customer_id?: number
  address_id?: number
  field_name?: string
  field_type?: "checkboxes" | "date" | "multiline" | "numbers" | "password" | "radiobuttons" | "text" | "picklist"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCustomerSubscribersQuery {
  /** Only entries with this `email` */
  email?: string
  /** Only entries with this `first_name` */
  first_name?: string
  /** Only entries with this `last_name` */
  last_name?: string
  /** Only entries with this `source` */
  source?: string
  /** Only entries with this `order_id` */
  order_id?: number
  /** Only entries with this `id` */
  id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Only entries with this `date_created` */
  date_created?: string | Date
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries with this `date_modified` */
  date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteCustomerSubscribersQuery {
  /** Only entries with this `email` */
  email?: string
  /** Only entries with this `first_name` */
  first_name?: string
  /** Only entries with this `last_name` */
  last_name?: string
  /** Only entries with this `source` */
  source?: string
  /** Only entries with this `order_id` */
  order_id?: number
  /** Only entries with this `date_created` */
  date_created?: string | Date
  /** Only entries with this `date_modified` */
  date_modified?: string | Date
}

export interface GetCustomerSubscriberQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListSegmentsQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: string[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteSegmentsQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: string[]
}

export interface ListSegmentShopperProfilesQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteSegmentShopperProfilesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: string[]
}

export interface ListShopperProfilesQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteShopperProfilesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: string[]
}

export interface ListShopperProfileSegmentsQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListWishlistsQuery {
  /** The customer account of the store */
  customer_id?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCustomerStoredInstrumentsQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCustomerMetafieldsQuery {
  /** Only entries with this `id` */
  id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Leaves out entries whose `id` is one of these values, separated by commas */
  'id:not_in'?: number[]
  /** Only entries whose `id` is this value or higher */
  'id:min'?: number
  /** Only entries whose `id` is this value or lower */
  'id:max'?: number
  /** Only entries whose `id` is higher than this value */
  'id:greater'?: number
  /** Only entries whose `id` is lower than this value */
  'id:less'?: number
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetCustomerMetafieldQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListAllCustomerMetafieldsQuery {
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteTaxClassesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
}

export interface ListTaxZonesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteTaxZonesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
}

export interface ListTaxRatesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Only entries whose `tax_zone_id` is one of these values, separated by commas */
  'tax_zone_id:in'?: number[]
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteTaxRatesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
}

export interface ListTaxPropertiesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Only entries whose `type` is one of these values, separated by commas */
  'type:in'?: string[]
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteTaxPropertiesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in': number[]
}

export interface ListCustomerTaxPropertiesQuery {
  /** Only entries whose `customer_id` is one of these values, separated by commas */
  'customer_id:in'?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteCustomerTaxPropertiesQuery {
  /** Only entries whose `customer_id` is one of these values, separated by commas */
  'customer_id:in': number[]
}

export interface ListProductTaxPropertiesQuery {
  /** Only entries whose `product_id` is one of these values, separated by commas */
  'product_id:in': number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteProductTaxPropertiesQuery {
  /** Only entries whose `product_id` is one of these values, separated by commas */
  'product_id:in': number[]
}

export interface ListPricelistsQuery {
  /** Only entries with this `name` */
  name?: string
  /** Only entries whose `name` contains this text, compared without case and accents */
  'name:like'?: string
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Only entries with this `date_created` */
  date_created?: string | Date
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries with this `date_modified` */
  date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeletePricelistsQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  name?: string
}

export interface GetPricelistQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListPricelistAssignmentsQuery {
  /** Only entries with this `id` */
  id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Only entries with this `price_list_id` */
  price_list_id?: number
  /** Only entries whose `price_list_id` is one of these values, separated by commas */
  'price_list_id:in'?: number[]
  /** Only entries with this `customer_group_id` */
  customer_group_id?: number
  /** Only entries whose `customer_group_id` is one of these values, separated by commas */
  'customer_group_id:in'?: number[]
  /** Only entries with this `channel_id` */
  channel_id?: number
  /** Only entries whose `channel_id` is one of these values, separated by commas */
  'channel_id:in'?: number[]
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeletePricelistAssignmentsQuery {
  /** Only entries with this `id` */
  id?: number
  /** Only entries with this `price_list_id` */
  price_list_id?: number
  /** Only entries with this `customer_group_id` */
  customer_group_id?: number
  /** Only entries with this `channel_id` */
  channel_id?: number
  /** Only entries whose `channel_id` is one of these values, separated by commas */
  'channel_id:in'?: number[]
}

export interface ListPricelistRecordsQuery {
  /** Only entries whose `variant_id` is one of these values, separated by commas */
  'variant_id:in'?: number[]
  /** Only entries with this `price` */
  price?: number
  /** Only entries whose `price` is this value or higher */
  'price:min'?: number
  /** Only entries whose `price` is this value or lower */
  'price:max'?: number
  /** Only entries with this `sale_price` */
  sale_price?: number
  /** Only entries whose `sale_price` is this value or higher */
  'sale_price:min'?: number
  /** Only entries whose `sale_price` is this value or lower */
  'sale_price:max'?: number
  /** Only entries with this `retail_price` */
  retail_price?: number
  /** Only entries whose `retail_price` is this value or higher */
  'retail_price:min'?: number
  /** Only entries whose `retail_price` is this value or lower */
  'retail_price:max'?: number
  /** Only entries with this `map_price` */
  map_price?: number
  /** Only entries whose `map_price` is this value or higher */
  'map_price:min'?: number
  /** Only entries whose `map_price` is this value or lower */
  'map_price:max'?: number
  /** Only entries with this `calculated_price` */
  calculated_price?: number
  /** Only entries whose `calculated_price` is this value or higher */
  'calculated_price:min'?: number
  /** Only entries whose `calculated_price` is this value or lower */
  'calculated_price:max'?: number
  /** Only entries with this `date_created` */
  date_created?: string | Date
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries with this `date_modified` */
  date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** Only entries whose `product_id` is one of these values, separated by commas */
  'product_id:in'?: number[]
  /** The stock keeping unit: the number that the seller gave to the product or variant */
  sku?: string
  /** Only entries whose `sku` is one of these values, separated by commas */
  'sku:in'?: string[]
  /** The code of the currency in ISO 4217 */
  currency?: string
  /** Only entries whose `currency` is one of these values, separated by commas */
  'currency:in'?: string[]
  /** bulk_pricing_tiers, sku */
  include?: string[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeletePricelistRecordsQuery {
  /** The code of the currency in ISO 4217 */
  currency?: string
  /** Only entries whose `variant_id` is one of these values, separated by commas */
  'variant_id:in'?: number[]
  /** Only entries whose `sku` is one of these values, separated by commas */
  'sku:in'?: string[]
}

export interface ListPricelistRecordsOfVariantQuery {
  /** bulk_pricing_tiers, sku */
  include?: string[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetPricelistRecordQuery {
  /** bulk_pricing_tiers, sku */
  include?: string[]
}

export interface ListCustomsInformationQuery {
  /** Only entries whose `product_id` is one of these values, separated by commas */
  'product_id:in'?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteCustomsInformationQuery {
  /** Only entries whose `product_id` is one of these values, separated by commas */
  'product_id:in': number[]
}

export interface ListPromotionsQuery {
  /** The id of the resource */
  id?: number
  name?: string
  /** A whole code */
  code?: string
  /** The code of the currency in ISO 4217 */
  currency_code?: string
  redemption_type?: "automatic" | "coupon"
  status?: "ENABLED" | "DISABLED" | "INVALID"
  channels?: number[]
  /** A part of the name or of a code */
  query?: string
  /** The field by which the list is sorted. Without it, the list is in the order of ids */
  sort?: "id" | "name" | "priority" | "start_date"
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeletePromotionsQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: string
}

export interface FindPromotionCodeQuery {
  code: string
}

export interface DeletePromotionCodeByTextQuery {
  code: string
}

export interface ListPromotionCodesQuery {
  code?: string
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeletePromotionCodesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: string
}

export interface CreateCartQuery {
  /** Parts of the cart that are left out otherwise */
  include?: ("redirect_urls" | "line_items.physical_items.options" | "line_items.digital_items.options" | "promotions.banners")[]
}

export interface GetCartQuery {
  /** Parts of the cart that are left out otherwise */
  include?: ("redirect_urls" | "line_items.physical_items.options" | "line_items.digital_items.options" | "promotions.banners")[]
}

export interface UpdateCartQuery {
  /** Parts of the cart that are left out otherwise */
  include?: ("redirect_urls" | "line_items.physical_items.options" | "line_items.digital_items.options" | "promotions.banners")[]
}

export interface CreateCartItemQuery {
  /** Parts of the cart that are left out otherwise */
  include?: ("redirect_urls" | "line_items.physical_items.options" | "line_items.digital_items.options" | "promotions.banners")[]
}

export interface UpdateCartItemQuery {
  /** Parts of the cart that are left out otherwise */
  include?: ("redirect_urls" | "line_items.physical_items.options" | "line_items.digital_items.options" | "promotions.banners")[]
}

export interface DeleteCartItemQuery {
  /** Parts of the cart that are left out otherwise */
  include?: ("redirect_urls" | "line_items.physical_items.options" | "line_items.digital_items.options" | "promotions.banners")[]
}

export interface ListCartMetafieldsQuery {
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetCartMetafieldQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListAllCartMetafieldsQuery {
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetCheckoutQuery {
  /** Further parts of the answer */
  include?: ("cart.line_items.physical_items.options" | "cart.line_items.digital_items.options" | "consignments.available_shipping_options" | "promotions.banners")[]
}

export interface UpdateCheckoutQuery {
  /** Further parts of the answer */
  include?: ("cart.line_items.physical_items.options" | "cart.line_items.digital_items.options" | "consignments.available_shipping_options" | "promotions.banners")[]
}

export interface CreateCheckoutBillingAddressQuery {
  /** Further parts of the answer */
  include?: ("cart.line_items.physical_items.options" | "cart.line_items.digital_items.options" | "consignments.available_shipping_options" | "promotions.banners")[]
}

export interface UpdateCheckoutBillingAddressQuery {
  /** Further parts of the answer */
  include?: ("cart.line_items.physical_items.options" | "cart.line_items.digital_items.options" | "consignments.available_shipping_options" | "promotions.banners")[]
}

export interface CreateCheckoutConsignmentsQuery {
  /** Further parts of the answer */
  include?: ("cart.line_items.physical_items.options" | "cart.line_items.digital_items.options" | "consignments.available_shipping_options" | "promotions.banners")[]
}

export interface UpdateCheckoutConsignmentQuery {
  /** Further parts of the answer */
  include?: ("cart.line_items.physical_items.options" | "cart.line_items.digital_items.options" | "consignments.available_shipping_options" | "promotions.banners")[]
}

export interface DeleteCheckoutConsignmentQuery {
  /** Further parts of the answer */
  include?: ("cart.line_items.physical_items.options" | "cart.line_items.digital_items.options" | "consignments.available_shipping_options" | "promotions.banners")[]
}

export interface CreateCheckoutCouponQuery {
  /** Further parts of the answer */
  include?: ("cart.line_items.physical_items.options" | "cart.line_items.digital_items.options" | "consignments.available_shipping_options" | "promotions.banners")[]
}

export interface DeleteCheckoutCouponQuery {
  /** Further parts of the answer */
  include?: ("cart.line_items.physical_items.options" | "cart.line_items.digital_items.options" | "consignments.available_shipping_options" | "promotions.banners")[]
}

export interface CreateCheckoutDiscountQuery {
  /** Further parts of the answer */
  include?: ("cart.line_items.physical_items.options" | "cart.line_items.digital_items.options" | "consignments.available_shipping_options" | "promotions.banners")[]
}

export interface CreateCheckoutFeesQuery {
  /** Further parts of the answer */
  include?: ("cart.line_items.physical_items.options" | "cart.line_items.digital_items.options" | "consignments.available_shipping_options" | "promotions.banners")[]
}

export interface UpdateCheckoutFeesQuery {
  /** Further parts of the answer */
  include?: ("cart.line_items.physical_items.options" | "cart.line_items.digital_items.options" | "consignments.available_shipping_options" | "promotions.banners")[]
}

export interface DeleteCheckoutFeesQuery {
  /** Further parts of the answer */
  include?: ("cart.line_items.physical_items.options" | "cart.line_items.digital_items.options" | "consignments.available_shipping_options" | "promotions.banners")[]
}

export interface ListOrderMetafieldsQuery {
  /** Only entries with this `id` */
  id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Leaves out entries whose `id` is one of these values, separated by commas */
  'id:not_in'?: number[]
  /** Only entries whose `id` is this value or higher */
  'id:min'?: number
  /** Only entries whose `id` is this value or lower */
  'id:max'?: number
  /** Only entries whose `id` is higher than this value */
  'id:greater'?: number
  /** Only entries whose `id` is lower than this value */
  'id:less'?: number
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** Only entries with this `date_created` */
  date_created?: string | Date
  /** Only entries with this `date_modified` */
  date_modified?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetOrderMetafieldQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListAllOrderMetafieldsQuery {
  /** Only entries whose `resource_id` is one of these values, separated by commas */
  'resource_id:in'?: number[]
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** Only entries with this `date_created` */
  date_created?: string | Date
  /** Only entries with this `date_modified` */
  date_modified?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListOrderPickupsQuery {
  /** Only entries whose `order_id` is one of these values, separated by commas */
  'order_id:in'?: number[]
  /** Only entries whose `pickup_id` is one of these values, separated by commas */
  'pickup_id:in'?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteOrderPickupsQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in': number[]
}

export interface ListOrderTransactionsQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListPaymentMethodsQuery {
  /** The order, by the number that shoppers see */
  order_id?: number
  /** The checkout, which has the uuid of its cart */
  checkout_id?: string
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListOrderRefundsQuery {
  /** The transaction of a payment of the refund */
  transaction_id?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListRefundsQuery {
  /** Only entries whose `order_id` is one of these values, separated by commas */
  'order_id:in'?: number[]
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Only entries whose `created` is this time or later */
  'created:min'?: string | Date
  /** Only entries whose `created` is this time or earlier */
  'created:max'?: string | Date
  /** The transaction of a payment of the refund */
  transaction_id?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListContentPagesQuery {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  name?: string
  /** A part of the name or of the body */
  'name:like'?: string
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: "body"[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface CreatePagesQuery {
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: "body"[]
}

export interface UpdatePagesQuery {
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: "body"[]
}

export interface DeletePagesQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in': number[]
  delete_children?: boolean
}

export interface GetContentPageQuery {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  name?: string
  /** A part of the name or of the body */
  'name:like'?: string
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: "body"[]
}

export interface UpdateContentPageQuery {
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: "body"[]
}

export interface ListRedirectsQuery {
  /** The site: the address of a storefront channel */
  site_id?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** Only entries whose `id` is this value or higher */
  'id:min'?: number
  /** Only entries whose `id` is this value or lower */
  'id:max'?: number
  /** The beginning of the path */
  keyword?: string
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: "to_url"[]
  /** The field by which the list is sorted. Without it, the list is in the order of ids */
  sort?: "from_path" | "type" | "site_id" | "id"
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteRedirectsQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** The site: the address of a storefront channel */
  site_id?: number
}

export interface ListRedirectJobsQuery {
  /** The id of the resource */
  id?: string
  type?: "import" | "export"
  status?: "new" | "working" | "complete" | "aborted" | "failed"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListContentScriptsQuery {
  /** Only entries whose `channel_id` is one of these values, separated by commas */
  'channel_id:in'?: number[]
  /** The field by which the list is sorted. Without it, the list is in the order of ids */
  sort?: "name" | "description" | "date_created" | "date_modified"
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListTemplateAssociationsQuery {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  type?: "product" | "category" | "brand" | "page"
  /** Only entries whose `entity_id` is one of these values, separated by commas */
  'entity_id:in'?: number[]
  is_valid?: boolean
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteTemplateAssociationsQuery {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  type?: "product" | "category" | "brand" | "page"
  /** Only entries whose `entity_id` is one of these values, separated by commas */
  'entity_id:in'?: number[]
}

export interface ListRegionsQuery {
  /** For example pages/home */
  template_file: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListContentWidgetTemplatesQuery {
  /** Only templates of the store (`custom`) or built-in ones (`default`) */
  widget_template_kind?: string
  /** Only entries whose `channel_id` is one of these values, separated by commas */
  'channel_id:in'?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetContentWidgetTemplateQuery {
  /** Texts of this version */
  version_uuid?: string
}

export interface ListContentWidgetsQuery {
  /** Only templates of the store (`custom`) or built-in ones (`default`) */
  widget_template_kind?: string
  widget_template_uuid?: string
  name?: string
  /** Only entries whose `name` is one of these values, separated by commas */
  'name:in'?: string[]
  /** Only entries whose `channel_id` is one of these values, separated by commas */
  'channel_id:in'?: number[]
  /** Only entries whose `site_id` is one of these values, separated by commas */
  'site_id:in'?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListContentPlacementsQuery {
  /** Only templates of the store (`custom`) or built-in ones (`default`) */
  widget_template_kind?: string
  template_file?: string
  widget_uuid?: string
  widget_template_uuid?: string
  /** Only entries whose `channel_id` is one of these values, separated by commas */
  'channel_id:in'?: number[]
  /** Only entries whose `site_id` is one of these values, separated by commas */
  'site_id:in'?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetPageWidgetsQuery {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  template_file?: string
  entity_id?: string
}

export interface ListAnalyticsProvidersQuery {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetAnalyticsProviderQuery {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
}

export interface UpdateAnalyticsProviderQuery {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
}

export interface ListSearchFiltersQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListAvailableSearchFiltersQuery {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** The category, as the catalog has it */
  category_id?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListSearchFilterContextsQuery {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** The category, as the catalog has it */
  category_id?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListStoreMetafieldsQuery {
  /** Only entries with this `key` */
  key?: string
  /** Only entries whose `key` is one of these values, separated by commas */
  'key:in'?: string[]
  /** Only entries with this `namespace` */
  namespace?: string
  /** Only entries whose `namespace` is one of these values, separated by commas */
  'namespace:in'?: string[]
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetStoreMetafieldQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListSystemLogsQuery {
  /** Only entries with this `type` */
  type?: string
  /** Only entries with this `severity` */
  severity?: number
  /** Only entries whose `severity` is this value or higher */
  'severity:min'?: number
  /** Only entries whose `severity` is this value or lower */
  'severity:max'?: number
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
  'type:not'?: string
  module?: string
  'module:not'?: string
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The field by which the list is sorted. Without it, the list is in the order of ids */
  sort?: "date_created" | "type"
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetStorefrontStatusSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UpdateStorefrontStatusSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface GetLogoSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UpdateLogoSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UploadLogoImageQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UploadFaviconImageQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface GetCatalogSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UpdateCatalogSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface GetEmailStatusesQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UpdateEmailStatusesQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface GetInventorySettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UpdateInventorySettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface GetInventoryNotificationSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UpdateInventoryNotificationSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface GetPickupSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UpdatePickupSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface GetStoreProfileQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UpdateStoreProfileQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface GetStorefrontCategorySettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UpdateStorefrontCategorySettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface GetStorefrontProductSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UpdateStorefrontProductSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface GetRobotsSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UpdateRobotsSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface GetStorefrontSearchSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UpdateStorefrontSearchSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface GetStorefrontSecuritySettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UpdateStorefrontSecuritySettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface GetUnitsOfMeasurementQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UpdateUnitsOfMeasurementQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface GetSearchEngineSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface UpdateSearchEngineSettingsQuery {
  /** The channel of the values; the values of the store if not given */
  channel_id?: number
}

export interface ListMarketingEmailTemplatesQuery {
  /** The channel; all channels if not given */
  channel_id?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetMarketingEmailTemplateQuery {
  /** The channel; all channels if not given */
  channel_id?: number
}

export interface UpdateMarketingEmailTemplateQuery {
  /** The channel; all channels if not given */
  channel_id?: number
}

export interface DeleteMarketingEmailTemplateQuery {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
}

export interface ListMarketingAbandonedCartEmailsQuery {
  /** The channel; all channels if not given */
  channel_id?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface CreateMarketingAbandonedCartEmailQuery {
  /** The channel; all channels if not given */
  channel_id?: number
}

export interface GetMarketingAbandonedCartEmailSettingsQuery {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
}

export interface UpdateMarketingAbandonedCartEmailSettingsQuery {
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id: number
}

export interface ListThemesQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ActivateThemeQuery {
  variation_id?: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** The site: the address of a storefront channel */
  site_id?: number
  configuration_id?: string
  which?: "original" | "last_activated" | "last_created"
}

export interface ListThemeConfigurationsQuery {
  /** Only entries whose `uuid` is one of these values, separated by commas */
  'uuid:in'?: string[]
  variation_uuid?: string
  /** Only entries whose `channel_id` is one of these values, separated by commas */
  'channel_id:in'?: number[]
  /** Has no effect */
  site_id?: string
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListWebhooksQuery {
  /** Only entries with this `is_active` */
  is_active?: boolean
  /** Only entries with this `scope` */
  scope?: string
  /** Only entries with this `destination` */
  destination?: string
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetWebhookAdminQuery {
  /** Whether it is in use. Inactive ones remain stored */
  is_active?: boolean
  /** The number of the page, from 1 */
  page?: number
  /** Entries of a page; more than the maximum is 413 */
  limit?: number
}

export interface GetWebhookQuery {
  /** The only fields to show; the id always is */
  include_fields?: string[]
  /** Fields not to show */
  exclude_fields?: string[]
}

export interface ListWebhookDeliveriesQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListWebhookEventsQuery {
  /** Unix seconds */
  'created_at:min'?: number
  /** Unix seconds */
  'created_at:max'?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListBrandsV2Query {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCurrenciesV2Query {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCustomersV2Query {
  /** Only entries with this `first_name` */
  first_name?: string
  /** Only entries with this `last_name` */
  last_name?: string
  /** Only entries with this `company` */
  company?: string
  /** Only entries with this `email` */
  email?: string
  /** Only entries with this `phone` */
  phone?: string
  /** Only entries with this `store_credit` */
  store_credit?: number
  /** Only entries with this `customer_group_id` */
  customer_group_id?: number
  /** Only entries with this `tax_exempt_category` */
  tax_exempt_category?: string
  /** Only entries whose `id` is this value or higher */
  min_id?: number
  /** Only entries whose `id` is this value or lower */
  max_id?: number
  /** Only entries whose `date_created` is this time or later */
  min_date_created?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  max_date_created?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  min_date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  max_date_modified?: string | Date
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteCustomersV2Query {
  /** Only entries with this `first_name` */
  first_name?: string
  /** Only entries with this `last_name` */
  last_name?: string
  /** Only entries with this `company` */
  company?: string
  /** Only entries with this `email` */
  email?: string
  /** Only entries with this `phone` */
  phone?: string
  /** Only entries with this `store_credit` */
  store_credit?: number
  /** Only entries with this `customer_group_id` */
  customer_group_id?: number
  /** Only entries with this `tax_exempt_category` */
  tax_exempt_category?: string
  /** Only entries whose `id` is this value or higher */
  min_id?: number
  /** Only entries whose `id` is this value or lower */
  max_id?: number
  /** Only entries whose `date_created` is this time or later */
  min_date_created?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  max_date_created?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  min_date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  max_date_modified?: string | Date
}

export interface CountCustomersV2Query {
  /** Only entries with this `first_name` */
  first_name?: string
  /** Only entries with this `last_name` */
  last_name?: string
  /** Only entries with this `company` */
  company?: string
  /** Only entries with this `email` */
  email?: string
  /** Only entries with this `phone` */
  phone?: string
  /** Only entries with this `store_credit` */
  store_credit?: number
  /** Only entries with this `customer_group_id` */
  customer_group_id?: number
  /** Only entries with this `tax_exempt_category` */
  tax_exempt_category?: string
  /** Only entries whose `id` is this value or higher */
  min_id?: number
  /** Only entries whose `id` is this value or lower */
  max_id?: number
  /** Only entries whose `date_created` is this time or later */
  min_date_created?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  max_date_created?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  min_date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  max_date_modified?: string | Date
}

export interface ListCustomerAddressesV2Query {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteCustomerAddressesV2Query {
  /** The number of the page, from 1 */
  page?: number
  /** Entries of a page; more than the maximum is 413 */
  limit?: number
}

export interface ListCustomerGroupsV2Query {
  /** Only entries with this `name` */
  name?: string
  /** Only entries whose `name` contains this text, compared without case and accents */
  'name:like'?: string
  /** Only entries with this `is_default` */
  is_default?: boolean
  /** Only entries with this `is_group_for_guests` */
  is_group_for_guests?: boolean
  /** Only entries with this `date_created` */
  date_created?: string | Date
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries with this `date_modified` */
  date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetCustomerGroupCountV2Query {
  /** Only entries with this `name` */
  name?: string
  /** Only entries whose `name` contains this text, compared without case and accents */
  'name:like'?: string
  /** Only entries with this `is_default` */
  is_default?: boolean
  /** Only entries with this `is_group_for_guests` */
  is_group_for_guests?: boolean
  /** Only entries with this `date_created` */
  date_created?: string | Date
  /** Only entries whose `date_created` is this time or later */
  'date_created:min'?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  'date_created:max'?: string | Date
  /** Only entries with this `date_modified` */
  date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  'date_modified:min'?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  'date_modified:max'?: string | Date
}

export interface ListTaxClassesV2Query {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCountriesV2Query {
  /** The country, by its English name */
  country?: string
  /** The country, as two letters of ISO 3166-1 */
  country_iso2?: string
  country_iso3?: string
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListAllStatesQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCountryStatesQuery {
  /** The state or province, by its name */
  state?: string
  state_abbreviation?: string
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListBlogPostsV2Query {
  is_published?: boolean
  url?: string
  tag?: string
  /** All posts of this day in UTC */
  published_date?: string | Date
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteBlogPostsV2Query {
  /** The number of the page, from 1 */
  page?: number
  /** Entries of a page; more than the maximum is 413 */
  limit?: number
}

export interface ListPagesV2Query {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListRedirectsV2Query {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListShippingZonesV2Query {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListAllShippingMethodsQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListShippingZoneMethodsV2Query {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListGiftCertificatesV2Query {
  /** Only entries with this `code` */
  code?: string
  /** Only entries with this `order_id` */
  order_id?: number
  /** Only entries with this `to_name` */
  to_name?: string
  /** Only entries with this `to_email` */
  to_email?: string
  /** Only entries with this `from_name` */
  from_name?: string
  /** Only entries with this `from_email` */
  from_email?: string
  /** Only entries whose `id` is this value or higher */
  min_id?: number
  /** Only entries whose `id` is this value or lower */
  max_id?: number
  /** The field by which the list is sorted. Without it, the list is in the order of ids */
  sort?: "id" | "id:asc" | "id:desc"
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListBannersV2Query {
  /** Only entries whose `id` is this value or higher */
  min_id?: number
  /** Only entries whose `id` is this value or lower */
  max_id?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCouponsV2Query {
  /** Only entries with this `id` */
  id?: number
  /** Only entries with this `code` */
  code?: string
  /** Only entries with this `type` */
  type?: string
  /** Only entries whose `id` is this value or higher */
  min_id?: number
  /** Only entries whose `id` is this value or lower */
  max_id?: number
  name?: string
  exclude_type?: string
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface DeleteCouponsV2Query {
  /** Only entries whose `id` is one of these values, separated by commas */
  'id:in'?: number[]
}

export interface ListOrdersV2Query {
  /** Only entries whose `id` is this value or higher */
  min_id?: number
  /** Only entries whose `id` is this value or lower */
  max_id?: number
  /** Only entries whose `total` is this value or higher */
  min_total?: number
  /** Only entries whose `total` is this value or lower */
  max_total?: number
  /** Only entries whose `date_created` is this time or later */
  min_date_created?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  max_date_created?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  min_date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  max_date_modified?: string | Date
  /** Only entries with this `customer_id` */
  customer_id?: number
  /** Only entries with this `email` */
  email?: string
  /** Only entries with this `status_id` */
  status_id?: number
  /** Only entries with this `cart_id` */
  cart_id?: string
  /** Only entries with this `payment_method` */
  payment_method?: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Only entries with this `external_order_id` */
  external_order_id?: string
  /** Only entries with this `is_deleted` */
  is_deleted?: boolean
  /** The field by which the list is sorted. Without it, the list is in the order of ids */
  sort?: "id" | "id:asc" | "id:desc" | "customer_id" | "customer_id:asc" | "customer_id:desc" | "date_created" | "date_created:asc" | "date_created:desc" | "date_modified" | "date_modified:asc" | "date_modified:desc" | "status_id" | "status_id:asc" | "status_id:desc" | "channel_id" | "channel_id:asc" | "channel_id:desc" | "external_id" | "external_id:asc" | "external_id:desc"
  /** The order of `sort`: ascending if it is left out */
  direction?: "asc" | "desc"
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: ("consignments" | "consignments.line_items" | "fees")[]
  /** Changes nothing: consignments are one object */
  consignment_structure?: "object"
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface CreateOrderV2Query {
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: ("consignments" | "consignments.line_items" | "fees")[]
  /** Changes nothing: consignments are one object */
  consignment_structure?: "object"
}

export interface DeleteOrdersV2Query {
  /** The most entries of a page. A number above the maximum is 413 */
  limit?: number
}

export interface GetOrderCountV2Query {
  /** Only entries whose `id` is this value or higher */
  min_id?: number
  /** Only entries whose `id` is this value or lower */
  max_id?: number
  /** Only entries whose `total` is this value or higher */
  min_total?: number
  /** Only entries whose `total` is this value or lower */
  max_total?: number
  /** Only entries whose `date_created` is this time or later */
  min_date_created?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  max_date_created?: string | Date
  /** Only entries whose `date_modified` is this time or later */
  min_date_modified?: string | Date
  /** Only entries whose `date_modified` is this time or earlier */
  max_date_modified?: string | Date
  /** Only entries with this `customer_id` */
  customer_id?: number
  /** Only entries with this `email` */
  email?: string
  /** Only entries with this `status_id` */
  status_id?: number
  /** Only entries with this `cart_id` */
  cart_id?: string
  /** Only entries with this `payment_method` */
  payment_method?: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channel_id?: number
  /** Only entries with this `external_order_id` */
  external_order_id?: string
  /** Only entries with this `is_deleted` */
  is_deleted?: boolean
  /** The number of the page, from 1 */
  page?: number
  /** Entries of a page; more than the maximum is 413 */
  limit?: number
}

export interface GetOrderV2Query {
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: ("consignments" | "consignments.line_items" | "fees")[]
  /** Changes nothing: consignments are one object */
  consignment_structure?: "object"
}

export interface ListOrderProductsV2Query {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListOrderShippingAddressesV2Query {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListOrderTaxesV2Query {
  /** Whether each tax names the item that it is charged on */
  details?: boolean
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListOrderFeesV2Query {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetOrderConsignmentsV2Query {
  /** Sub-resources that the answer contains besides, separated by commas */
  include?: "consignments.line_items"[]
}

export interface ListOrderCouponsV2Query {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListOrderMessagesV2Query {
  /** Only entries whose `id` is this value or higher */
  min_id?: number
  /** Only entries whose `id` is this value or lower */
  max_id?: number
  /** Only entries with this `customer_id` */
  customer_id?: number
  /** Only entries whose `date_created` is this time or later */
  min_date_created?: string | Date
  /** Only entries whose `date_created` is this time or earlier */
  max_date_created?: string | Date
  /** Only entries with this `is_flagged` */
  is_flagged?: boolean
  /** Only entries with this `status` */
  status?: string
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListOrderShipmentsV2Query {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListPaymentMethodsV2Query {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListBackendTokensQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetStorefrontAuthTokenQuery {
  jwtToken: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId?: number
}

export interface ListCompanyExtraFieldsQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCompaniesQuery {
  /** Part of the name */
  q?: string
  companyStatus?: number
  /** The customer account of the store */
  customerId?: number
  bcGroupId?: number
  /** An order of one of its users */
  bcOrderId?: number
  /** As bcOrderId */
  orderId?: number
  /** Values of the extra fields that the store's settings define */
  extraFields?: string[]
  /** Whether a part of the value is enough, which is the default */
  extraFieldFilterType?: "search" | "exact-match"
  /** Whether the answer contains the values of extra fields */
  isIncludeExtraFields?: boolean
  /** Only entries that were created at this time or later, in Unix seconds */
  minCreated?: number
  /** Only entries that were created at this time or earlier, in Unix seconds */
  maxCreated?: number
  /** Only entries whose last change was at this time or later, in Unix seconds */
  minModified?: number
  /** Only entries whose last change was at this time or earlier, in Unix seconds */
  maxModified?: number
  /** The field by which the list is sorted */
  sortBy?: "companyName" | "updatedAt"
  /** ASC or DESC */
  orderBy?: string
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListSuperAdminsQuery {
  /** ASC or DESC */
  orderBy?: string
  /** Part of a name or of the e-mail address */
  q?: string
  /** Whether the answer contains the values of extra fields */
  isIncludeExtraFields?: boolean
  /** Empty for all */
  uuid?: string
  /** Only entries that were created at this time or later, in Unix seconds */
  minCreated?: number
  /** Only entries that were created at this time or earlier, in Unix seconds */
  maxCreated?: number
  /** Only entries whose last change was at this time or later, in Unix seconds */
  minModified?: number
  /** Only entries whose last change was at this time or earlier, in Unix seconds */
  maxModified?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCompaniesWithSuperAdminsQuery {
  /** ASC or DESC */
  orderBy?: string
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCompaniesOfSuperAdminQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListSuperAdminsOfCompanyQuery {
  /** ASC or DESC */
  orderBy?: string
  /** Part of a name or of the e-mail address */
  q?: string
  /** Whether the answer contains the values of extra fields */
  isIncludeExtraFields?: boolean
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCompanyRolesQuery {
  /** A word or a part of it that names contain */
  q?: string
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCompanyUserExtraFieldsQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListUsersQuery {
  /** The company: a business whose users buy together */
  companyId?: number
  roles?: number[]
  /** An e-mail address, compared without case */
  email?: string
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId?: number
  /** Whether the answer contains the values of extra fields */
  isIncludeExtraFields?: boolean
  /** Part of a name, of the e-mail address or of the company */
  q?: string
  /** Only entries that were created at this time or later, in Unix seconds */
  minCreated?: number
  /** Only entries that were created at this time or earlier, in Unix seconds */
  maxCreated?: number
  /** Only entries whose last change was at this time or later, in Unix seconds */
  minModified?: number
  /** Only entries whose last change was at this time or earlier, in Unix seconds */
  maxModified?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListSalesStaffsQuery {
  /** The company: a business whose users buy together */
  companyId?: number
  /** Only entries whose last change was at this time or later, in Unix seconds */
  minModified?: number
  /** The field by which the list is sorted */
  sortBy?: "updated_at" | "email"
  /** ASC or DESC */
  orderBy?: string
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCompanySubsidiariesQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetCompanyHierarchyQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCompanyPermissionsQuery {
  /** A word or a part of it that names contain */
  q?: string
}

export interface ListCompanyAddressExtraFieldsQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCompanyAddressesQuery {
  /** The company: a business whose users buy together */
  companyId?: number
  isBilling?: boolean
  isShipping?: boolean
  /** The given name */
  firstName?: string
  /** The family name */
  lastName?: string
  /** Part of either line */
  address?: string
  /** The city or town */
  city?: string
  /** Part of the name, or the code */
  country?: string
  /** Part of the name, or the code */
  state?: string
  /** The postal code */
  zipCode?: string
  /** A telephone number in any notation */
  phoneNumber?: string
  /** An id of another system, stored as it came */
  externalId?: string[]
  /** Whether the answer contains the values of extra fields */
  isIncludeExtraFields?: boolean
  /** Only entries that were created at this time or later, in Unix seconds */
  minCreated?: number
  /** Only entries that were created at this time or earlier, in Unix seconds */
  maxCreated?: number
  /** Only entries whose last change was at this time or later, in Unix seconds */
  minModified?: number
  /** Only entries whose last change was at this time or earlier, in Unix seconds */
  maxModified?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface FindCompanyCountryQuery {
  /** 0 by name, 1 by code */
  searchType?: number
  /** A word or a part of it that names contain */
  q: string
}

export interface FindCompanyStateQuery {
  /** 0 by name, 1 by code */
  searchType?: number
  /** A word or a part of it that names contain */
  q: string
  /** A name or code; by default the United States */
  country?: string
}

export interface ListEnabledPaymentMethodsQuery {
  /** ASC or DESC */
  orderBy?: string
  /** The field by which the list is sorted */
  sortBy?: "updatedAt" | "createdAt"
  /** The company: a business whose users buy together */
  companyId?: number
  /** Part of the code or of the title */
  q?: string
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListQuoteExtraFieldsQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCompanyQuotesQuery {
  /** ASC or DESC */
  orderBy?: string
  /** The field by which the list is sorted */
  sortBy?: "company" | "status" | "salesRep" | "createdAt" | "expiredAt" | "updatedAt"
  /** Part of the number, title, company, representative or buyer */
  q?: string
  /** Part of the number */
  quoteNumber?: string
  /** Part of the name of the company */
  company?: string
  /** Part of the name of the representative */
  salesRep?: string
  /** Part of the title */
  quoteTitle?: string
  /** Part of the name of the creator */
  createdBy?: string
  status?: number
  /** Unix seconds */
  minCreated?: number
  /** Unix seconds */
  maxCreated?: number
  /** Unix seconds */
  minModified?: number
  /** Unix seconds */
  maxModified?: number
  /** Unix seconds */
  minExpired?: number
  /** Unix seconds */
  maxExpired?: number
  /** The channels to which it applies */
  channelIds?: string | string[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListShoppingListsQuery {
  userId?: number
  /** The customer account of the store */
  customerId?: number
  /** The channel: a storefront or another place of sale. The first storefront is 1 */
  channelId?: number
  createdUserId?: number
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface GetShoppingListQuery {
  /** The most entries of a page. A number above the maximum is 413 */
  limit?: number
  /** How many entries are skipped before the page begins */
  offset?: number
  userId?: number
  /** The customer account of the store */
  customerId?: number
  /** The field by which the list is sorted */
  sortBy?: "quantity" | "productName" | "productSku" | "sortOrder"
  /** ASC or DESC */
  orderBy?: string
}

export interface DeleteShoppingListQuery {
  userId?: number
}

export interface ListCompanyOrderExtraFieldsQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListCompanyOrdersQuery {
  /** ASC or DESC */
  orderBy?: string
  /** The field by which the list is sorted */
  sortBy?: "createdAt" | "updatedAt"
  /** The company: a business whose users buy together */
  companyId?: number
  bcOrderId?: number
  /** The channels to which it applies */
  channelIds?: number[]
  /** Unix seconds */
  minCreated?: number
  /** Unix seconds */
  maxCreated?: number
  /** Unix seconds */
  minModified?: number
  /** Unix seconds */
  maxModified?: number
  showExtra?: boolean
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListInvoiceExtraFieldsQuery {
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListIpInvoicesQuery {
  /** ASC or DESC */
  orderBy?: string
  /** The field by which the list is sorted */
  sortBy?: "id" | "invoiceNumber" | "createdAt" | "customerId" | "externalCustomerId" | "dueDate" | "updatedAt" | "isPendingPayment" | "openBalance" | "originalBalance" | "status"
  /** The field in which `q` is searched */
  searchBy?: "invoiceNumber" | "type" | "orderNumber" | "purchaseOrderNumber" | "customerId" | "externalCustomerId"
  /** Part of a text; of any searched field without searchBy */
  q?: string
  /** Part of the name of the company */
  customerName?: string
  /** The id of the company */
  customerId?: string
  status?: number
  /** A day, a date with time, or Unix seconds */
  beginDateAt?: string | Date
  /** A day, a date with time, or Unix seconds */
  endDateAt?: string | Date
  /** An id of another system, stored as it came */
  externalId?: string[]
  /** Whether the answer contains the values of extra fields */
  isIncludeExtraFields?: boolean
  /** The channels to which it applies */
  channelIds?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListInvoicePaymentsQuery {
  /** ASC or DESC */
  orderBy?: string
  /** The field by which the list is sorted */
  sortBy?: "id" | "moduleName" | "processingStatus" | "appliedStatus" | "createdAt" | "customerId" | "externalCustomerId" | "fundingStatus" | "updatedAt" | "totalAmount"
  /** The field in which `q` is searched */
  searchBy?: "id" | "customerId" | "externalId" | "externalCustomerId"
  /** Part of a text; of any searched field without searchBy */
  q?: string
  /** Part of the name of the company */
  customerName?: string
  invoiceId?: number
  processingStatus?: number
  /** The channels to which it applies */
  channelIds?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListIpReceiptsQuery {
  /** ASC or DESC */
  orderBy?: string
  /** The field by which the list is sorted */
  sortBy?: "customerId" | "externalCustomerId" | "paymentId" | "total" | "transactionType" | "referenceNumber" | "createdAt" | "updatedAt"
  /** The field in which `q` is searched */
  searchBy?: "payerName" | "referenceNumber" | "customerId" | "externalId" | "externalCustomerId"
  /** Part of a text; of any searched field without searchBy */
  q?: string
  /** Only payments with this state */
  paymentStatus?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListAllReceiptLinesQuery {
  /** ASC or DESC */
  orderBy?: string
  /** The field by which the list is sorted */
  sortBy?: "customerId" | "externalCustomerId" | "receiptId" | "invoiceId" | "amount" | "createdAt" | "updatedAt"
  /** The field in which `q` is searched */
  searchBy?: "customerId" | "externalId" | "externalCustomerId" | "payerName" | "payerCustomerId" | "referenceNumber" | "invoiceId"
  /** Part of a text; of any searched field without searchBy */
  q?: string
  /** Only payments with this state */
  paymentStatus?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}

export interface ListIpReceiptLinesQuery {
  /** ASC or DESC */
  orderBy?: string
  /** The field by which the list is sorted */
  sortBy?: "customerId" | "externalCustomerId" | "receiptId" | "invoiceId" | "amount" | "createdAt" | "updatedAt"
  /** The field in which `q` is searched */
  searchBy?: "customerId" | "externalId" | "externalCustomerId" | "payerName" | "payerCustomerId" | "referenceNumber" | "invoiceId"
  /** Part of a text; of any searched field without searchBy */
  q?: string
  /** Only payments with this state */
  paymentStatus?: number[]
  /** The rows of a page; the maximum, if it is left out. */
  limit?: number
}
