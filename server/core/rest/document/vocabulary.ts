/**
 * Sentences for names that mean the same in the whole API. A schema with a `description` of its own keeps that. Names whose
 * meaning depends on the resource, such as `type` or `status`, don't belong here.
 */
const FIELDS: Readonly<Record<string, string>> = {
  // Times and authors of changes
  date_created: 'The time of its creation, in UTC',
  date_modified: 'The time of its last change, in UTC',
  created_at: 'The time of its creation',
  updated_at: 'The time of its last change',

  // Pages of resources in storefronts
  page_title: 'The title of its page in browsers. If empty, storefronts use its name',
  meta_keywords: 'Keywords for search engines, in the head of its page',
  meta_description: 'A summary for search engines, in the head of its page',
  search_keywords: "Further words by which the storefront's search finds it, separated by commas",
  custom_url: 'The path of its page in storefronts',
  is_customized: 'Whether a client chose the path; if not, it follows the name',
  layout_file: 'The template of the theme that renders its page. If empty, the default of the theme',
  is_visible: 'Whether shoppers see it in storefronts',
  sort_order: 'Its position among others: lower numbers come first',
  image_url: 'The absolute address of its picture; empty without one',
  is_thumbnail: 'Whether this picture represents the product in lists. A product has one such picture',
  views: 'How often shoppers opened its page',

  // Products, variants and prices
  sku: 'The stock keeping unit: the number that the seller gave to the product or variant',
  upc: 'The Universal Product Code, as digits',
  gtin: 'The Global Trade Item Number: 8, 12, 13 or 14 digits',
  mpn: "The manufacturer's part number",
  weight: "The weight in the store's unit, which prices of carriers depend on",
  width: "The width in the store's unit of length",
  height: "The height in the store's unit of length",
  depth: "The depth in the store's unit of length",
  price: 'An amount in the currency of the resource. The tax settings of the store decide whether it includes tax',
  sale_price: 'The lower price that shoppers pay at the moment; 0 or null for none',
  retail_price: "The manufacturer's recommended price, shown for comparison",
  cost_price: 'The price that the seller paid; never shown to shoppers',
  map_price: 'The minimum advertised price',
  calculated_price: 'The price that shoppers pay: the sale price if there is one, else the price',
  fixed_cost_shipping_price: 'A shipping price of each unit that replaces the quote of the carrier',
  is_free_shipping: 'Whether it ships without a charge',
  inventory_level: 'How many units are in stock, over all locations',
  inventory_warning_level: 'Stock at or below this number counts as low',
  bin_picking_number: 'The place of the item in the warehouse',
  purchasing_disabled: "Whether shoppers see it but can't buy it",
  purchasing_disabled_message: "The sentence for shoppers who can't buy it",
  adjuster_value: 'The amount or the percentage of the adjuster; negative numbers lower the price or weight',
  tax_class_id: 'The tax class, which decides the rate in each zone; 0 for the default class',
  quantity: 'How many units',
  quantity_min: 'The price applies from this quantity on',
  quantity_max: 'The price applies up to this quantity; 0 or null for no end',

  // Modifiers and their settings
  default_value: 'The value before the shopper chooses one',
  checked_by_default: 'Whether the checkbox is ticked before the shopper changes it',
  checkbox_label: 'The text beside the checkbox',
  date_limited: 'Whether dates have bounds',
  date_earliest_value: 'The first date that the shopper can choose',
  date_latest_value: 'The last date that the shopper can choose',
  file_types_supported: 'Groups of types that the shopper may upload',
  file_types_other: 'Further extensions of files that the shopper may upload',
  file_max_size: 'The maximum size of an uploaded file in kilobytes',
  text_characters_limited: 'Whether the length of the text has bounds',
  text_min_length: 'The minimum number of characters',
  text_max_length: 'The maximum number of characters',
  text_lines_limited: 'Whether the number of lines has a bound',
  text_max_lines: 'The maximum number of lines',
  number_limited: 'Whether the number has bounds',
  number_lowest_value: 'The lowest number that the shopper can enter',
  number_highest_value: 'The highest number that the shopper can enter',
  number_integers_only: 'Whether numbers with a fraction are refused',
  product_list_adjusts_inventory: 'Whether a sale takes units of the chosen product from stock',
  product_list_adjusts_pricing: 'Whether the price of the chosen product is added',

  // People and addresses
  email: 'An e-mail address, compared without case',
  first_name: 'The given name',
  last_name: 'The family name',
  company: 'The company of the person, as a text',
  phone: 'A telephone number in any notation',
  street_1: 'Street and number',
  street_2: 'The second line of the street, such as a floor',
  address1: 'Street and number',
  address2: 'The second line of the street, such as a floor',
  city: 'The city or town',
  state: 'The state or province, by its name',
  state_or_province: 'The state or province, by its name',
  state_or_province_code: 'The state or province, by its abbreviation',
  zip: 'The postal code',
  zipCode: 'The postal code',
  postal_code: 'The postal code; optional in countries without postal codes',
  country: 'The country, by its English name',
  country_code: 'The country, as two letters of ISO 3166-1',
  country_iso2: 'The country, as two letters of ISO 3166-1',
  form_fields: "Values of the form fields that the store's settings define",
  tax_exempt_category: 'A code that exempts the customer from taxes at a tax provider; empty for none',
  firstName: 'The given name',
  lastName: 'The family name',
  phoneNumber: 'A telephone number in any notation',
  addressLine1: 'Street and number',
  addressLine2: 'The second line of the street, such as a floor',

  // Ids of other resources
  product_id: 'The product of the catalog',
  variant_id: 'The variant of the product, which has the stock and a price of its own',
  channel_id: 'The channel: a storefront or another place of sale. The first storefront is 1',
  channel_ids: 'The channels to which it applies',
  channelId: 'The channel: a storefront or another place of sale. The first storefront is 1',
  channelIds: 'The channels to which it applies',
  channelName: 'The name of the channel, as its settings have it',
  customer_id: 'The customer account of the store',
  customer_group_id: 'The customer group, which decides prices and visible categories; 0 for none',
  order_id: 'The order, by the number that shoppers see',
  price_list_id: 'The price list whose prices apply',
  category_id: 'The category, as the catalog has it',
  brand_id: 'The brand: the maker of a product. 0 for none',
  site_id: 'The site: the address of a storefront channel',
  location_id: 'The location: a place that has stock',
  option_id: 'The option or modifier that the value belongs to',
  order_product_id: 'The line of the order, not the product of the catalog',
  pickup_method_id: 'The pickup method: a location where shoppers collect orders',
  cart_id: 'The cart, by its uuid',
  checkout_id: 'The checkout, which has the uuid of its cart',
  company_id: 'The company: a business whose users buy together',
  companyId: 'The company: a business whose users buy together',
  companyName: 'The name of the company, as its account has it',
  external_id: 'An id of another system, stored as it came',
  externalId: 'An id of another system, stored as it came',
  extraFields: "Values of the extra fields that the store's settings define",
  metafield_id: 'The metafield, unique in the store',
  modifier_id: 'The modifier: an option that makes no variant',
  webhook_id: 'The hook, which belongs to the client that created it',
  customerId: 'The customer account of the store',
  currency: 'The code of the currency in ISO 4217',
  currency_code: 'The code of the currency in ISO 4217',

  // Settings
  is_default: 'Whether it applies if nothing else is chosen',
  enabled: 'Whether it is in use. Disabled ones remain stored',
  is_active: 'Whether it is in use. Inactive ones remain stored',
  decimal_places: 'How many decimals amounts have',
  decimal_token: 'The character before the decimals',
  thousands_token: 'The character between groups of three digits',
  max_uses: 'How often it can be used in all; 0 or null for no limit',
}

/** Fields of metafields; elsewhere these names have other meanings. */
const METAFIELDS: Readonly<Record<string, string>> = {
  key: 'The name of the metafield, unique within its namespace for a resource and a client',
  namespace: 'A group of metafields, chosen by the client that writes them',
  permission_set: 'The access of other clients and of storefronts to the metafield',
  value: 'The text that the metafield stores; clients often put JSON into it',
  description: 'A note for people about the purpose of the metafield',
  resource_type: 'The kind of resource that the metafield belongs to',
  resource_id: 'The resource that the metafield belongs to',
  owner_client_id: 'The client that created the metafield. Others may change it only if `permission_set` allows it',
}

/** Parameters that mean the same in all operations. */
const PARAMETERS: Readonly<Record<string, string>> = {
  page: 'The number of the page, from 1',
  limit: 'The most entries of a page. A number above the maximum is 413',
  before: 'A cursor of an earlier answer: the page ends before its entry',
  after: 'A cursor of an earlier answer: the page begins after its entry',
  offset: 'How many entries are skipped before the page begins',
  direction: 'The order of `sort`: ascending if it is left out',
  sort: 'The field by which the list is sorted. Without it, the list is in the order of ids',
  sortBy: 'The field by which the list is sorted',
  include: 'Sub-resources that the answer contains besides, separated by commas',
  isIncludeExtraFields: 'Whether the answer contains the values of extra fields',
  uuid: 'The uuid of the resource; an unknown one is 404',
  id: 'The id of the resource',
  q: 'A word or a part of it that names contain',
  searchBy: 'The field in which `q` is searched',
  paymentStatus: 'Only payments with this state',
  widget_template_kind: 'Only templates of the store (`custom`) or built-in ones (`default`)',
  template_name: 'The kind of e-mail, which is the `type_id` of its template',
  consignment_structure: 'Changes nothing: consignments are one object',
  keyword: 'A word or a part of it that the names and texts of entries contain',
  minModified: 'Only entries whose last change was at this time or later, in Unix seconds',
  maxModified: 'Only entries whose last change was at this time or earlier, in Unix seconds',
  minCreated: 'Only entries that were created at this time or later, in Unix seconds',
  maxCreated: 'Only entries that were created at this time or earlier, in Unix seconds',
}

/** Whether a field has times, by its name. */
const isTime = (field: string) => /date|time|_at$|created|modified|updated/i.test(field)

function atLeast(field: string): string {
  return `Only entries whose \`${field}\` is this ${isTime(field) ? 'time or later' : 'value or higher'}`
}

function atMost(field: string): string {
  return `Only entries whose \`${field}\` is this ${isTime(field) ? 'time or earlier' : 'value or lower'}`
}

const COMPARISONS: readonly (readonly [ending: RegExp, sentence: (field: string) => string])[] = [
  [/:not_in$/, (field) => `Leaves out entries whose \`${field}\` is one of these values, separated by commas`],
  [/:in$/, (field) => `Only entries whose \`${field}\` is one of these values, separated by commas`],
  [/:min$/, atLeast],
  [/:max$/, atMost],
  [/:greater$/, (field) => `Only entries whose \`${field}\` is higher than this value`],
  [/:less$/, (field) => `Only entries whose \`${field}\` is lower than this value`],
  [/:like$/, (field) => `Only entries whose \`${field}\` contains this text, compared without case and accents`],
]

/**
 * Describes a field without a sentence of its own; undefined if its name says too little. Choices describe themselves, and objects
 * have other meanings than plain values of the same name.
 * @param siblings all fields of the object
 */
export function describeField(name: string, schema: object, siblings: object): string | undefined {
  if ('description' in schema || '$ref' in schema) return undefined
  if ('namespace' in siblings && METAFIELDS[name] !== undefined) return METAFIELDS[name]
  const isObject = 'type' in schema && [schema.type].flat().includes('object')
  return isObject || 'enum' in schema ? undefined : FIELDS[name]
}

/** Describes a parameter without a sentence of its own; undefined if its name says too little. */
export function describeParameter(name: string, place: string): string | undefined {
  if (place === 'query') {
    for (const [ending, sentence] of COMPARISONS) if (ending.test(name)) return sentence(name.replace(ending, ''))
    const [, bound, field = ''] = /^(min|max)_(\w+)$/.exec(name) ?? []
    if (bound !== undefined) return bound === 'min' ? atLeast(field) : atMost(field)
  }
  if (PARAMETERS[name] !== undefined) return PARAMETERS[name]
  if (place !== 'path' || !name.endsWith('_id')) return FIELDS[name]
  return `The id of the ${name.slice(0, -3).replaceAll('_', ' ')}. An id that the store does not have is 404`
}
