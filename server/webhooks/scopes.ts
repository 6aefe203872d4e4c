/** The data of an event as a receiver sees it: an object, or a list of objects where the contract says so. */
export type EventData = object

type Samples = Record<string, EventData>

const CHANNEL = '{channel_id}'

const under = (family: string, suffixes: string, data: EventData): Samples =>
  Object.fromEntries(suffixes.split(' ').map((suffix) => [`${family}/${suffix}`, data]))

const changes = (family: string, data: EventData) => under(family, 'created updated deleted', data)

const metafields = (family: string, resource_type?: string) =>
  changes(`${family}/metafield`, { metafield_id: 0, resource_id: '0', ...(resource_type ? { resource_type } : {}) })

const inventory = { product_id: 0, method: 'absolute', value: 0 }
const record = { price_list_id: 0, variant_id: 0, currency: 'USD' }
const transaction = {
  type: 'transaction',
  order_id: '0',
  transaction_id: '0',
  transaction_status: 'ok',
  transaction_type: 'capture',
  result: { code: '', message: '', type: '' },
  platform_transaction_id: '0',
  provider_transaction_id: '0',
}
const theme = { theme_id: '', variation_id: '', version_id: '', configuration_id: '' }

/**
 * Every scope that an event can have, with its data and the ids 0 (docs/contract/webhooks.md section 6). `{channel_id}`
 * stands for the number of a channel; the asterisk of the inventory scopes belongs to their name, since such an event fires
 * once for all channels.
 */
const table: Samples = {
  ...under('store/order', 'created updated archived', { type: 'order', id: 0 }),
  'store/order/statusUpdated': { type: 'order', id: 0, status: { previous_status_id: 0, new_status_id: 0 } },
  'store/order/message/created': { type: 'order', id: 0, message: { order_message_id: 0 } },
  'store/order/refund/created': { type: 'order', id: 0, refund: { refund_id: 0 } },
  ...under('store/order/transaction', 'created updated', transaction),
  ...metafields('store/order'),
  ...changes('store/shipment', { type: 'shipment', id: 0, orderId: 0 }),
  ...changes('store/cart', { type: 'cart', id: '' }),
  'store/cart/abandoned': { type: 'cart', id: '', token: '' },
  'store/cart/couponApplied': { type: 'cart', id: '', couponId: 0 },
  'store/cart/converted': { type: 'cart', id: '', orderId: 0 },
  ...changes('store/cart/lineItem', { type: 'cart_line_item', id: '', cartId: '' }),
  ...metafields('store/cart'),
  ...changes('store/product', { type: 'product', id: 0 }),
  ...under('store/product/inventory', 'updated order/updated', { type: 'product', id: 0, inventory }),
  ...metafields('store/product', 'product'),
  ...metafields('store/product/variant', 'variant'),
  ...changes('store/sku', { type: 'sku', id: 0, sku: { product_id: 0, variant_id: 0 } }),
  ...under('store/sku/inventory', 'updated order/updated', {
    type: 'sku',
    id: 0,
    inventory: { ...inventory, variant_id: 0 },
  }),
  'store/option/updated': { type: 'local_option', id: 0, affected_product_ids: [], context: {} },
  'store/modifier/updated': { type: 'shared_modifier', id: 0, affected_product_ids: [], context: {} },
  ...changes('store/category', { type: 'category', id: 0 }),
  ...metafields('store/category'),
  ...metafields('store/brand'),
  ...changes('store/customer', { type: 'customer', id: 0 }),
  ...changes('store/customer/address', { type: 'customer', id: 0, address: { customer_id: 0 } }),
  'store/customer/payment/instrument/default/updated': { type: 'customer', id: 0 },
  'store/customer/channel/login/access/updated': { customer_id: 0, channel_ids: [] },
  ...changes('store/subscriber', { type: 'subscriber', id: 0 }),
  ...under('store/priceList', 'created updated activated deactivated deleted', { price_list_id: 0 }),
  'store/priceLists/deleted': { price_list_ids: [] },
  ...changes('store/priceList/record', record),
  ...changes('store/priceList/records', [record]),
  ...under('store/priceList/assignment', 'updated deleted', { price_list_id: 0, channel_id: 0, customer_group_id: 0 }),
  ...changes('store/metafield', { metafield_id: 0, resource_id: '0', resource_type: 'brand' }),
  ...metafields('store/store'),
  'store/app/uninstalled': { type: 'app' },
  'store/information/updated': { type: 'store' },
  'store/redirects/updated': { id: 0, site_id: 0, from_path: '', to: { url: '', entity_id: 0, type: '' } },
  'store/hook/deliveryException': { type: 'webhook', id: 0, error_code: 90001, message: '' },
  ...under('store/inventory/location', 'created updated', { location_id: 0 }),
  ...metafields('store/inventory/location'),
  ...under(
    'store/channel/*/inventory/product',
    'stock_changed low_stock_reached out_of_stock_reached settings_changed',
    { variant_id: 0, product_id: 0, location_id: 0 },
  ),
  ...under('store/channel', 'created updated', { type: 'channel', id: 0 }),
  ...metafields('store/channel'),
  ...under(`store/channel/${CHANNEL}/order`, 'created updated archived statusUpdated message/created refund/created', {
    order_id: 0,
  }),
  ...under(`store/channel/${CHANNEL}/cart`, 'created updated deleted couponApplied abandoned converted', {
    cart_id: '',
  }),
  ...changes(`store/channel/${CHANNEL}/cart/lineItem`, { cart_id: '', cart_item_id: '' }),
  ...changes(`store/channel/${CHANNEL}/category`, { category_id: 0, tree_id: 0 }),
  [`store/channel/${CHANNEL}/categoryTree/updated`]: { tree_id: 0 },
  ...under(`store/channel/${CHANNEL}/product`, 'assigned unassigned', { product_id: 0 }),
  ...under(`store/channel/${CHANNEL}/category/product`, 'assigned unassigned', { product_id: 0, category_id: 0 }),
  ...under(`store/channel/${CHANNEL}/page`, 'created updated', { page_id: 0 }),
  ...under(`store/channel/${CHANNEL}/script`, 'created updated', { uuid: '' }),
  ...under(`store/channel/${CHANNEL}/email/templates`, 'updated deleted', { template_kind: '' }),
  ...under(`store/channel/${CHANNEL}/settings/emailStatus`, 'updated deleted', { template_kind: '' }),
  ...under(
    `store/channel/${CHANNEL}/settings`,
    'currency/updated profile/updated logo/updated logo/image/updated favicon/image/updated checkout/updated SEO/updated ' +
      'robots/updated category/updated product/updated catalog/updated security/updated defaultCustomerGroup/updated ' +
      'customerPrivacy/updated locale/added locale/updated locale/deleted',
    {},
  ),
  [`store/channel/${CHANNEL}/settings/searchContextFilters/updated`]: { category_id: 0 },
  ...under(
    `store/channel/${CHANNEL}/settings`,
    'route/updated site/updated site/checkoutUrl/updated site/checkoutUrl/deleted',
    { site_id: 0 },
  ),
  ...under(
    `store/channel/${CHANNEL}`,
    'notifications/abandonedCart/updated notifications/inventory/updated socialMediaLinks/updated',
    {},
  ),
  ...under(`store/channel/${CHANNEL}/theme/configuration`, 'created activated', theme),
  ...under('store/company', 'created updated deleted statusUpdated superadmin/assignmentUpdated', { company_id: 0 }),
  ...changes('store/company/user', { company_id: 0, user_id: 0 }),
  ...changes('store/company/address', { company_id: 0, address_id: 0 }),
  ...under('store/superadmin', 'created updated deleted assignmentUpdated', { user_id: 0 }),
  ...under('store/quote', 'created updated statusUpdated deleted', { quote_id: 0, quote_uuid: '' }),
}

export const samples: ReadonlyMap<string, EventData> = new Map(Object.entries(table))

/** What a hook may listen to: each scope, and each family of them with an asterisk at its end. */
const subscribable = new Set([...samples.keys()].flatMap((scope) => [scope, ...families(scope)]))

/** Whether a hook may have this scope. A channel is a number, or an asterisk for all of them. */
export const isScope = (scope: string): boolean =>
  !scope.includes(CHANNEL) && (subscribable.has(scope) || subscribable.has(withoutChannel(scope)))

const withoutChannel = (scope: string) =>
  scope.replace(/^store\/channel\/(\d{1,16}|\*)(?=\/)/, `store/channel/${CHANNEL}`)

/** The data of a sample event of a concrete scope, if there is such a scope. */
export const sampleOf = (scope: string): EventData | undefined =>
  samples.get(scope) ?? samples.get(withoutChannel(scope))

/**
 * The scopes of the hooks that hear of an event: its own, its families at every depth, and both once more with an asterisk in
 * place of the channel's number.
 */
export function listening(scope: string): string[] {
  const anyChannel = scope.replace(/^store\/channel\/\d+(?=\/)/, 'store/channel/*')
  return [...new Set([scope, anyChannel].flatMap((spelled) => [spelled, ...families(spelled)]))]
}

/** `store/order/*` for `store/order/refund/created`, and `store/order/refund/*`; `store/*` is no family. */
function families(scope: string): string[] {
  const parts = scope.split('/')
  return parts.slice(2).map((_, i) => `${parts.slice(0, i + 2).join('/')}/*`)
}
