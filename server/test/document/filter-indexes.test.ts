import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { theHouse, theRoutes } from '../fixtures/shop.ts'
import { connectAsAdministrator } from '../harness/administrator.ts'

// Every filter and every sort order of a list has an index that begins with the store, or stands below with a reason.

/** The tables of lists that aren't read by a collection, by the end of their paths. */
const TABLE_OF: Readonly<Record<string, string>> = {
  '/v3/channels/:channel_id/listings': 'listings',
  '/v3/sites': 'sites',
  '/v3/sites/certificates': 'sites',
  '/v3/catalog/products/category-assignments': 'product_categories',
  '/v3/catalog/products/channel-assignments': 'product_channels',
  '/v3/promotions/codes': 'coupons',
  '/v3/catalog/trees': 'trees',
  '/v3/catalog/trees/:tree_id/categories': 'categories',
  '/v3/inventory/locations': 'locations',
  '/v3/inventory/items': 'stock',
  '/v3/inventory/locations/:location_id/items': 'stock',
  '/v3/inventory/adjustments': 'stock_changes',
  '/v3/pickup/methods': 'pickup_methods',
  '/v3/customers/form-field-values': 'customer_form_field_values',
  '/v3/segments': 'segments',
  '/v3/wishlists': 'wishlists',
  '/v3/orders/pickups': 'order_pickups',
  '/v3/shipping/products/customs-information': 'customs_information',
  '/v3/orders/:order_id/payment_actions/refunds': 'order_refunds',
  '/v3/orders/payment_actions/refunds': 'order_refunds',
  '/v3/themes/:uuid/configurations': 'theme_configurations',
  '/v3/hooks/admin': 'hooks',
  '/v3/hooks/events': 'events',
  '/v2/customers': 'customers',
  '/v2/customers/count': 'customers',
  '/v2/customer_groups': 'customer_groups',
  '/v2/customer_groups/count': 'customer_groups',
  '/v2/orders': 'orders',
  '/v2/gift_certificates': 'gift_certificates',
  '/v2/banners': 'banners',
  '/v2/coupons': 'coupons',
  '/v2/orders/count': 'orders',
  '/v2/orders/:order_id/messages': 'order_messages',
  '/b2b/api/v3/io/companies': 'companies',
  '/b2b/api/v3/io/companies/permissions': 'company_roles',
  '/b2b/api/v3/io/companies/roles': 'company_roles',
  '/b2b/api/v3/io/users': 'company_users',
  '/b2b/api/v3/io/sales-staffs': 'b2b_staff',
  '/b2b/api/v3/io/companies/super-admins': 'b2b_super_admins',
  '/b2b/api/v3/io/companies/:company_id/super-admins': 'b2b_super_admins',
  '/b2b/api/v3/io/company-payment-methods': 'b2b_company_methods',
  '/b2b/api/v3/io/addresses': 'company_addresses',
  '/b2b/api/v3/io/rfq': 'b2b_quotes',
  '/b2b/api/v3/io/orders': 'b2b_orders',
  '/b2b/api/v3/io/shopping-list': 'b2b_shopping_lists',
  '/b2b/api/v3/io/ip/invoices': 'b2b_invoices',
  '/b2b/api/v3/io/ip/payments': 'b2b_payments',
  '/b2b/api/v3/io/ip/receipts': 'b2b_receipts',
  '/b2b/api/v3/io/ip/receipt-lines': 'b2b_receipt_lines',
  '/b2b/api/v3/io/ip/receipts/:receipt_id/lines': 'b2b_receipt_lines',
}

/** Query parameters that aren't filters: paging, field lists, and the parameters of a single resource. */
const NO_FILTER =
  /^(page|showExtra|limit|offset|before|after|include|include_fields|exclude_fields|isIncludeExtraFields|direction|orderBy|consignment_structure|keyword_context)$/

/** Queries that read one resource, or the rows of one channel or order, or a list in memory. They search no table. */
const ONE_THING =
  /\/(settings|marketing|payments)\/|\/auth\/|\/backend\/|\/io\/(countries|states)$|\/shopping-list\/:|\/v2\/orders\/:order_id$|\/orders\/:order_id\/taxes$|\/v2\/countries|\/content\/(page-widgets|regions|widget-templates\/:uuid)$/

/** Filters whose column or table has another name. `min_id` and the like are known. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  'product_categories.channel_id': 'product_channels.channel_id',
  'redirects.keyword': 'redirects.from_path_key',
  'widgets.site_id': 'widgets.channel_id',
  'widgets.widget_template_kind': 'widgets.widget_template_uuid',
  'widget_placements.site_id': 'widget_placements.channel_id',
  'widget_placements.widget_template_kind': 'widget_placements.widget_uuid',
  'widget_placements.widget_template_uuid': 'widget_placements.widget_uuid',
  'custom_template_associations.type': 'custom_template_associations.entity_type',
  'products.categories': 'product_categories.category_id',
  'products.channel_id': 'product_channels.channel_id',
  'products.keyword': 'product_names.ngrams:like',
  'products.name:like': 'product_names.ngrams:like',
  'categories.category_id': 'categories.id',
  'customers.name:in': 'customer_names.name_key',
  'customer_attribute_values.name': 'customer_attributes.name_key',
  'order_pickups.pickup_id': 'order_pickups.id',
  'customers.name:like': 'customer_names.ngrams:like',
  'order_refunds.transaction_id': 'order_refund_payments.transaction_id',
  'stock.location_code': 'locations.code_key',
  'stock.sku': 'skus.sku_key',
  'stock.variant_id': 'variants.id',
  'stock_changes.location_id': 'stock_changes.product_id',
  'price_records.product_id': 'variants.product_id',
  'price_records.sku': 'variants.sku_key',
  'stock_changes.sku': 'skus.sku_key',
  'stock_changes.variant_id': 'variants.id',
  'orders.total': 'orders.total_inc_tax',
  'companies.companyStatus': 'companies.company_status',
  'companies.customerId': 'company_users.customer_id',
  'companies.bcGroupId': 'companies.customer_group_id',
  'companies.bcOrderId': 'company_users.customer_id',
  'companies.orderId': 'company_users.customer_id',
  'companies.minModified': 'companies.updated_at',
  'companies.maxModified': 'companies.updated_at',
  'companies.sortBy:companyName': 'companies.company_name_key',
  'companies.sortBy:updatedAt': 'companies.updated_at',
  'company_users.companyId': 'company_users.company_id',
  'company_users.roles': 'company_users.company_role_id',
  'company_users.email': 'customers.email_key',
  'b2b_staff.companyId': 'b2b_assignments.company_id',
  'b2b_company_methods.companyId': 'b2b_company_methods.company_id',
  'company_addresses.companyId': 'company_addresses.company_id',
  'company_addresses.externalId': 'company_addresses.external_id',
  'company_addresses.minModified': 'company_addresses.updated_at',
  'company_addresses.maxModified': 'company_addresses.updated_at',
  'b2b_quotes.q': 'b2b_texts.ngrams:like',
  'b2b_quotes.quoteNumber': 'b2b_texts.ngrams:like',
  'b2b_quotes.company': 'b2b_texts.ngrams:like',
  'b2b_quotes.salesRep': 'b2b_texts.ngrams:like',
  'b2b_quotes.quoteTitle': 'b2b_texts.ngrams:like',
  'b2b_quotes.createdBy': 'b2b_texts.ngrams:like',
  'b2b_quotes.minCreated': 'b2b_quotes.created_at',
  'b2b_quotes.maxCreated': 'b2b_quotes.created_at',
  'b2b_quotes.minModified': 'b2b_quotes.updated_at',
  'b2b_quotes.maxModified': 'b2b_quotes.updated_at',
  'b2b_quotes.minExpired': 'b2b_quotes.expires_at',
  'b2b_quotes.maxExpired': 'b2b_quotes.expires_at',
  'b2b_quotes.channelIds': 'b2b_quotes.channel_id',
  'b2b_quotes.sortBy:company': 'b2b_quotes.company_name_key',
  'b2b_quotes.sortBy:status': 'b2b_quotes.status',
  'b2b_quotes.sortBy:salesRep': 'b2b_quotes.sales_rep_key',
  'b2b_quotes.sortBy:createdAt': 'b2b_quotes.created_at',
  'b2b_quotes.sortBy:expiredAt': 'b2b_quotes.expires_at',
  'b2b_quotes.sortBy:updatedAt': 'b2b_quotes.updated_at',
  'b2b_shopping_lists.userId': 'b2b_shopping_lists.customer_id',
  'b2b_shopping_lists.customerId': 'b2b_shopping_lists.customer_id',
  'b2b_shopping_lists.createdUserId': 'b2b_shopping_lists.customer_id',
  'b2b_shopping_lists.channelId': 'b2b_shopping_lists.channel_id',
  'b2b_orders.companyId': 'b2b_orders.company_id',
  'b2b_orders.bcOrderId': 'b2b_orders.order_id',
  'b2b_orders.channelIds': 'b2b_orders.channel_id',
  'b2b_orders.minCreated': 'b2b_orders.created_at',
  'b2b_orders.maxCreated': 'b2b_orders.created_at',
  'b2b_orders.minModified': 'b2b_orders.updated_at',
  'b2b_orders.maxModified': 'b2b_orders.updated_at',
  'b2b_orders.sortBy:createdAt': 'b2b_orders.created_at',
  'b2b_orders.sortBy:updatedAt': 'b2b_orders.updated_at',
  'b2b_invoices.q': 'b2b_texts.ngrams:like',
  'b2b_invoices.searchBy': 'b2b_texts.ngrams:like',
  'b2b_invoices.customerId': 'b2b_invoices.company_id',
  'b2b_invoices.externalId': 'b2b_invoices.external_id',
  'b2b_invoices.channelIds': 'b2b_invoices.channel_id',
  'b2b_invoices.beginDateAt': 'b2b_invoices.created_at',
  'b2b_invoices.endDateAt': 'b2b_invoices.created_at',
  'b2b_invoices.sortBy:id': 'b2b_invoices.id',
  'b2b_invoices.sortBy:invoiceNumber': 'b2b_invoices.invoice_number_key',
  'b2b_invoices.sortBy:createdAt': 'b2b_invoices.created_at',
  'b2b_invoices.sortBy:customerId': 'b2b_invoices.company_id',
  'b2b_invoices.sortBy:externalCustomerId': 'b2b_invoices.external_customer_id_key',
  'b2b_invoices.sortBy:dueDate': 'b2b_invoices.due_at',
  'b2b_invoices.sortBy:updatedAt': 'b2b_invoices.updated_at',
  'b2b_invoices.sortBy:isPendingPayment': 'b2b_invoices.pending_payments',
  'b2b_invoices.sortBy:openBalance': 'b2b_invoices.open_balance',
  'b2b_invoices.sortBy:originalBalance': 'b2b_invoices.original_balance',
  'b2b_invoices.sortBy:status': 'b2b_invoices.status',
  'b2b_payments.invoiceId': 'b2b_payment_lines.invoice_id',
  'b2b_payments.processingStatus': 'b2b_payments.processing_status',
  'b2b_payments.channelIds': 'b2b_payments.channel_id',
  'b2b_payments.sortBy:id': 'b2b_payments.id',
  'b2b_payments.sortBy:processingStatus': 'b2b_payments.processing_status',
  'b2b_payments.sortBy:createdAt': 'b2b_payments.created_at',
  'b2b_payments.sortBy:updatedAt': 'b2b_payments.updated_at',
  'b2b_payments.sortBy:customerId': 'b2b_payments.company_id',
  'b2b_payments.sortBy:externalCustomerId': 'b2b_payments.external_customer_id_key',
  'b2b_payments.sortBy:totalAmount': 'b2b_payments.total',
  'b2b_receipts.paymentStatus': 'b2b_receipts.payment_status',
  'b2b_receipts.sortBy:customerId': 'b2b_receipts.company_id',
  'b2b_receipts.sortBy:externalCustomerId': 'b2b_receipts.external_customer_id_key',
  'b2b_receipts.sortBy:paymentId': 'b2b_receipts.payment_id',
  'b2b_receipts.sortBy:total': 'b2b_receipts.total',
  'b2b_receipts.sortBy:transactionType': 'b2b_receipts.transaction_type',
  'b2b_receipts.sortBy:referenceNumber': 'b2b_receipts.reference_number_key',
  'b2b_receipts.sortBy:createdAt': 'b2b_receipts.created_at',
  'b2b_receipts.sortBy:updatedAt': 'b2b_receipts.updated_at',
  'b2b_receipt_lines.paymentStatus': 'b2b_receipts.payment_status',
  'b2b_receipt_lines.sortBy:customerId': 'b2b_receipts.company_id',
  'b2b_receipt_lines.sortBy:externalCustomerId': 'b2b_receipts.external_customer_id_key',
  'b2b_receipt_lines.sortBy:receiptId': 'b2b_receipt_lines.receipt_id',
  'b2b_receipt_lines.sortBy:invoiceId': 'b2b_receipt_lines.invoice_id',
  'b2b_receipt_lines.sortBy:amount': 'b2b_receipt_lines.amount',
  'b2b_receipt_lines.sortBy:createdAt': 'b2b_receipts.created_at',
  'b2b_receipt_lines.sortBy:updatedAt': 'b2b_receipts.updated_at',
}

/** Columns by which a list is always restricted before its filters. */
const LED_BY: Readonly<Record<string, readonly string[]>> = {
  metafields: ['resource_type'],
  orders: ['is_deleted'],
  hooks: ['client_id'],
}

/** Tables that are read whole, with the bound of a store's rows (docs/contract/limits.md where it has the number). */
const SMALL: Readonly<Record<string, string>> = {
  b2b_staff: 'people who work for the store',
  b2b_super_admins: '1,000',
  blog_posts: '10,000',
  categories: '16,000; every list of them reads short columns',
  channels: '1,000',
  company_roles: '1,000 that clients make',
  customer_attributes: '50',
  customer_groups: 'people make them, one by one',
  hooks: '10 for each client and scope',
  locations: 'a list of at most 1,000 entries a page; 100 are active',
  order_messages: 'those of one order',
  pages: '4,000',
  pickup_methods: '10,000',
  price_lists: 'people make them, one by one',
  scripts: '50 of a channel',
  widget_templates: '5,000, without their texts',
  redirect_jobs: '1,000',
  promotions: '50,000; codes are found by their own index',
  site_routes: '200 of a site',
  sites: 'one for each channel',
  system_logs: '10,000',
  theme_configurations: 'those of one theme',
}

/** Other filters without an index of their own, each with the access path that serves it. */
const UNSERVED: Readonly<Record<string, readonly string[]>> = {
  'read off products_facts, an index with these columns beside the ids': [
    'products.availability',
    'products.condition',
    'products.is_featured',
    'products.is_free_shipping',
    'products.type',
  ],
  'read off products_inventory, which has levels and warning levels': [
    'products.inventory_low',
    'products.out_of_stock',
  ],
  'the list counts the listings of its channel anyway, by listings_channel': [
    'listings.date_created',
    'listings.date_created:max',
    'listings.date_created:min',
    'listings.date_modified',
    'listings.date_modified:max',
    'listings.date_modified:min',
  ],
  'follows from the active theme of each channel at the time of the request': ['custom_template_associations.is_valid'],
  'associations of entities are found by entity_type, which the query must have': [
    'custom_template_associations.entity_id:in',
  ],
  'the reviews of one product': ['reviews.status'],
  'leaves out one of six types: a walk over ids reads few rows in vain': ['coupons.exclude_type'],
  'only the partitions of the days that are kept are read': ['events.created_at:max', 'events.created_at:min'],
  'by the fields, 50 at most, that have the name or type, then by customer_form_field_values_field': [
    'customer_form_field_values.field_name',
    'customer_form_field_values.field_type',
  ],
  'the invoices of a store, or of the companies with this name, are read whole: 150 requests a minute may': [
    'b2b_invoices.customerName',
    'b2b_payments.customerName',
    'b2b_payments.q',
    'b2b_payments.searchBy',
    'b2b_payments.sortBy:appliedStatus',
    'b2b_payments.sortBy:fundingStatus',
    'b2b_payments.sortBy:moduleName',
    'b2b_receipt_lines.q',
    'b2b_receipt_lines.searchBy',
    'b2b_receipts.q',
    'b2b_receipts.searchBy',
  ],
  'the addresses of the companies of a store are read whole: 150 requests a minute may': [
    'company_addresses.address',
    'company_addresses.city',
    'company_addresses.country',
    'company_addresses.firstName',
    'company_addresses.isBilling',
    'company_addresses.isShipping',
    'company_addresses.lastName',
    'company_addresses.maxCreated',
    'company_addresses.minCreated',
    'company_addresses.phoneNumber',
    'company_addresses.state',
    'company_addresses.zipCode',
  ],
  'eight methods of each company are read whole: 150 requests a minute may': [
    'b2b_company_methods.q',
    'b2b_company_methods.sortBy:createdAt',
    'b2b_company_methods.sortBy:updatedAt',
  ],
  'the companies of a store are read whole: 150 requests a minute may': [
    'companies.extraFieldFilterType',
    'companies.extraFields',
    'companies.maxCreated',
    'companies.minCreated',
    'companies.q',
  ],
  'the rows of one list, or of one variant in it': [
    'price_records.calculated_price',
    'price_records.calculated_price:max',
    'price_records.calculated_price:min',
    'price_records.currency',
    'price_records.currency:in',
    'price_records.date_created',
    'price_records.date_created:max',
    'price_records.date_created:min',
    'price_records.date_modified',
    'price_records.date_modified:max',
    'price_records.date_modified:min',
    'price_records.map_price',
    'price_records.map_price:max',
    'price_records.map_price:min',
    'price_records.price',
    'price_records.price:max',
    'price_records.price:min',
    'price_records.retail_price',
    'price_records.retail_price:max',
    'price_records.retail_price:min',
    'price_records.sale_price',
    'price_records.sale_price:max',
    'price_records.sale_price:min',
  ],
  'the users of its companies are read whole: 150 requests a minute may': [
    'company_users.channelId',
    'company_users.maxCreated',
    'company_users.maxModified',
    'company_users.minCreated',
    'company_users.minModified',
    'company_users.q',
  ],
}

interface Index {
  table: string
  isInverted: boolean
  columns: string[]
}

let admin: pg.Client
let indexes: Index[]
let columnsOf: Map<string, Set<string>>
beforeAll(async () => {
  await theHouse()
  admin = await connectAsAdministrator({ cell: 'main' })
  indexes = (
    await admin.query<Index>(`
      select t.relname as table, amname in ('gin', 'gist') as "isInverted", array(
        select attname::text from unnest(i.indkey::int2[]) with ordinality key (num, place)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = key.num order by place) as columns
      from pg_index i join pg_class t on t.oid = i.indrelid
      join pg_class x on x.oid = i.indexrelid join pg_am on pg_am.oid = x.relam`)
  ).rows
  const { rows } = await admin.query<{ table: string; columns: string[] }>(`
    select relname as table, array_agg(attname::text) as columns from pg_class
    join pg_attribute on attrelid = pg_class.oid and attnum > 0
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') group by relname`)
  columnsOf = new Map(rows.map(({ table, columns }) => [table, new Set(columns)]))
})
afterAll(() => admin.end())

/**
 * Whether an index has the store, then the leading columns of the list, then the column. A search for pieces needs an
 * inverted index.
 */
function isServed(table: string, column: string, isSearch: boolean): boolean {
  const led = ['store_id', ...(LED_BY[table] ?? [])]
  return indexes.some(({ columns, isInverted, ...index }) => {
    if (index.table !== table) return false
    if (isSearch) return isInverted && columns.includes(column)
    return [
      ['store_id', column],
      [...led, column],
    ].some((keys) => keys.every((key, i) => columns[i] === key))
  })
}

function isFilterServed(table: string, name: string): boolean {
  const [field = '', operator] = name.split(':')
  const meant = STANDS_FOR[`${table}.${name}`] ?? STANDS_FOR[`${table}.${field.replace(/^(min|max)_/, '')}`]
  if (meant !== undefined) {
    const [there = '', column = ''] = meant.split(/[.:]/)
    return isServed(there, column, meant.endsWith(':like'))
  }
  const own = columnsOf.get(table) ?? new Set()
  const column = [`${field}_key`, field, field.replace(/^(min|max)_/, '')].find((one) => own.has(one))
  return column !== undefined && isServed(table, column, operator === 'like')
}

interface Query {
  table?: string
  properties?: Record<string, { enum?: string[] }>
}

test('every filter and every sort order of a list has an index or a reason', async () => {
  const lacking = new Set<string>()
  const unknown: string[] = []
  for (const { method, url, schema } of await theRoutes()) {
    if (method !== 'GET' || ONE_THING.test(url.replaceAll(/\([^)]*\)/g, ''))) continue
    const path = url.replaceAll(/\([^)]*\)/g, '').replace('/stores/:store_hash', '')
    const query: Query = schema?.querystring ?? {}
    const { properties = {} } = query
    const names = Object.entries(properties).flatMap(([name, { enum: words = [] }]) => {
      if (NO_FILTER.test(name)) return []
      if (name === 'sort') return words.map((word) => word.split(':')[0] ?? '')
      return name === 'sortBy' ? words.map((word) => `${name}:${word}`) : [name]
    })
    if (names.length === 0) continue
    const table = query.table ?? TABLE_OF[path]
    if (table === undefined) unknown.push(path)
    else for (const name of names) if (!isFilterServed(table, name)) lacking.add(`${table}.${name}`)
  }
  expect(unknown).toEqual([])
  const reasons = new Set(Object.values(UNSERVED).flat())
  const isSmall = (filter: string) => SMALL[filter.split('.')[0] ?? ''] !== undefined
  expect([...lacking].filter((filter) => !isSmall(filter) && !reasons.has(filter)).toSorted()).toEqual([])
  // A reason without a filter must be deleted.
  expect([...reasons].filter((filter) => !lacking.has(filter))).toEqual([])
  expect(Object.keys(SMALL).filter((table) => ![...lacking].some((one) => one.startsWith(`${table}.`)))).toEqual([])
})
