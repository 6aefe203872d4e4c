/** The data of an event in its callback: an object, or a list of objects if the contract says so. */
export type EventData = object

const address = { type: 'customer', id: 0, address: { customer_id: 0 } }
const assignment = { price_list_id: 0, channel_id: 0, customer_group_id: 0 }
const lineItem = { type: 'cart_line_item', id: '', cartId: '' }
const metafield = { metafield_id: 0, resource_id: '0' }
const priceRecord = { price_list_id: 0, variant_id: 0, currency: 'USD', currency_code: 'USD' }
const productStock = { type: 'product', id: 0, inventory: { product_id: 0, method: 'absolute', value: 0 } }
const sku = { type: 'sku', id: 0, sku: { product_id: 0, variant_id: 0 } }
const skuStock = { type: 'sku', id: 0, inventory: { product_id: 0, method: 'absolute', value: 0, variant_id: 0 } }
const stockPlace = { variant_id: 0, product_id: 0, location_id: 0 }
const theme = { theme_id: '', variation_id: '', version_id: '', configuration_id: '' }
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

/**
 * Every scope of events, with a sample of its data: the ids are 0 (docs/contract/webhooks.md section 6). `{channel_id}` stands
 * for the number of a channel. The asterisk of the inventory scopes belongs to their name, since such an event fires once for all
 * channels.
 */
const table = {
  'store/order/created': { type: 'order', id: 0 },
  'store/order/updated': { type: 'order', id: 0 },
  'store/order/archived': { type: 'order', id: 0 },
  'store/order/statusUpdated': { type: 'order', id: 0, status: { previous_status_id: 0, new_status_id: 0 } },
  'store/order/message/created': { type: 'order', id: 0, message: { order_message_id: 0 } },
  'store/order/refund/created': { type: 'order', id: 0, refund: { refund_id: 0 } },
  'store/order/transaction/created': transaction,
  'store/order/transaction/updated': transaction,
  'store/order/metafield/created': metafield,
  'store/order/metafield/updated': metafield,
  'store/order/metafield/deleted': metafield,
  'store/shipment/created': { type: 'shipment', id: 0, orderId: 0 },
  'store/shipment/updated': { type: 'shipment', id: 0, orderId: 0 },
  'store/shipment/deleted': { type: 'shipment', id: 0, orderId: 0 },
  'store/cart/created': { type: 'cart', id: '' },
  'store/cart/updated': { type: 'cart', id: '' },
  'store/cart/deleted': { type: 'cart', id: '' },
  'store/cart/abandoned': { type: 'cart', id: '', token: '' },
  'store/cart/couponApplied': { type: 'cart', id: '', couponId: 0 },
  'store/cart/converted': { type: 'cart', id: '', orderId: 0 },
  'store/cart/lineItem/created': lineItem,
  'store/cart/lineItem/updated': lineItem,
  'store/cart/lineItem/deleted': lineItem,
  'store/cart/metafield/created': metafield,
  'store/cart/metafield/updated': metafield,
  'store/cart/metafield/deleted': metafield,
  'store/product/created': { type: 'product', id: 0 },
  'store/product/updated': { type: 'product', id: 0 },
  'store/product/deleted': { type: 'product', id: 0 },
  'store/product/inventory/updated': productStock,
  'store/product/inventory/order/updated': productStock,
  'store/product/metafield/created': { metafield_id: 0, resource_id: '0', resource_type: 'product' },
  'store/product/metafield/updated': { metafield_id: 0, resource_id: '0', resource_type: 'product' },
  'store/product/metafield/deleted': { metafield_id: 0, resource_id: '0', resource_type: 'product' },
  'store/product/variant/metafield/created': { metafield_id: 0, resource_id: '0', resource_type: 'variant' },
  'store/product/variant/metafield/updated': { metafield_id: 0, resource_id: '0', resource_type: 'variant' },
  'store/product/variant/metafield/deleted': { metafield_id: 0, resource_id: '0', resource_type: 'variant' },
  'store/sku/created': sku,
  'store/sku/updated': sku,
  'store/sku/deleted': sku,
  'store/sku/inventory/updated': skuStock,
  'store/sku/inventory/order/updated': skuStock,
  'store/option/updated': { type: 'local_option', id: 0, affected_product_ids: [], context: {} },
  'store/modifier/updated': { type: 'shared_modifier', id: 0, affected_product_ids: [], context: {} },
  'store/category/created': { type: 'category', id: 0 },
  'store/category/updated': { type: 'category', id: 0 },
  'store/category/deleted': { type: 'category', id: 0 },
  'store/category/metafield/created': metafield,
  'store/category/metafield/updated': metafield,
  'store/category/metafield/deleted': metafield,
  'store/brand/metafield/created': metafield,
  'store/brand/metafield/updated': metafield,
  'store/brand/metafield/deleted': metafield,
  'store/customer/created': { type: 'customer', id: 0 },
  'store/customer/updated': { type: 'customer', id: 0 },
  'store/customer/deleted': { type: 'customer', id: 0 },
  'store/customer/address/created': address,
  'store/customer/address/updated': address,
  'store/customer/address/deleted': address,
  'store/customer/payment/instrument/default/updated': { type: 'customer', id: 0 },
  'store/customer/channel/login/access/updated': { customer_id: 0, channel_ids: [] },
  'store/subscriber/created': { type: 'subscriber', id: 0 },
  'store/subscriber/updated': { type: 'subscriber', id: 0 },
  'store/subscriber/deleted': { type: 'subscriber', id: 0 },
  'store/priceList/created': { price_list_id: 0 },
  'store/priceList/updated': { price_list_id: 0 },
  'store/priceList/activated': { price_list_id: 0 },
  'store/priceList/deactivated': { price_list_id: 0 },
  'store/priceList/deleted': { price_list_id: 0 },
  'store/priceLists/deleted': { price_list_ids: [] },
  'store/priceList/record/created': priceRecord,
  'store/priceList/record/updated': priceRecord,
  'store/priceList/record/deleted': priceRecord,
  'store/priceList/records/created': [priceRecord],
  'store/priceList/records/updated': [priceRecord],
  'store/priceList/records/deleted': [priceRecord],
  'store/priceList/assignment/updated': assignment,
  'store/priceList/assignment/deleted': assignment,
  'store/metafield/created': { metafield_id: 0, resource_id: '0', resource_type: 'brand' },
  'store/metafield/updated': { metafield_id: 0, resource_id: '0', resource_type: 'brand' },
  'store/metafield/deleted': { metafield_id: 0, resource_id: '0', resource_type: 'brand' },
  'store/store/metafield/created': metafield,
  'store/store/metafield/updated': metafield,
  'store/store/metafield/deleted': metafield,
  'store/app/uninstalled': { type: 'app' },
  'store/information/updated': { type: 'store' },
  'store/redirects/updated': { id: 0, site_id: 0, from_path: '', to: { url: '', entity_id: 0, type: '' } },
  'store/hook/deliveryException': { type: 'webhook', id: 0, error_code: 90001, message: '' },
  'store/inventory/location/created': { location_id: 0 },
  'store/inventory/location/updated': { location_id: 0 },
  'store/inventory/location/metafield/created': metafield,
  'store/inventory/location/metafield/updated': metafield,
  'store/inventory/location/metafield/deleted': metafield,
  'store/channel/*/inventory/product/stock_changed': stockPlace,
  'store/channel/*/inventory/product/low_stock_reached': stockPlace,
  'store/channel/*/inventory/product/out_of_stock_reached': stockPlace,
  'store/channel/*/inventory/product/settings_changed': stockPlace,
  'store/channel/created': { type: 'channel', id: 0 },
  'store/channel/updated': { type: 'channel', id: 0 },
  'store/channel/metafield/created': metafield,
  'store/channel/metafield/updated': metafield,
  'store/channel/metafield/deleted': metafield,
  'store/channel/{channel_id}/order/created': { order_id: 0 },
  'store/channel/{channel_id}/order/updated': { order_id: 0 },
  'store/channel/{channel_id}/order/archived': { order_id: 0 },
  'store/channel/{channel_id}/order/statusUpdated': { order_id: 0 },
  'store/channel/{channel_id}/order/message/created': { order_id: 0 },
  'store/channel/{channel_id}/order/refund/created': { order_id: 0 },
  'store/channel/{channel_id}/cart/created': { cart_id: '' },
  'store/channel/{channel_id}/cart/updated': { cart_id: '' },
  'store/channel/{channel_id}/cart/deleted': { cart_id: '' },
  'store/channel/{channel_id}/cart/couponApplied': { cart_id: '' },
  'store/channel/{channel_id}/cart/abandoned': { cart_id: '' },
  'store/channel/{channel_id}/cart/converted': { cart_id: '' },
  'store/channel/{channel_id}/cart/lineItem/created': { cart_id: '', cart_item_id: '' },
  'store/channel/{channel_id}/cart/lineItem/updated': { cart_id: '', cart_item_id: '' },
  'store/channel/{channel_id}/cart/lineItem/deleted': { cart_id: '', cart_item_id: '' },
  'store/channel/{channel_id}/category/created': { category_id: 0, tree_id: 0 },
  'store/channel/{channel_id}/category/updated': { category_id: 0, tree_id: 0 },
  'store/channel/{channel_id}/category/deleted': { category_id: 0, tree_id: 0 },
  'store/channel/{channel_id}/categoryTree/updated': { tree_id: 0 },
  'store/channel/{channel_id}/product/assigned': { product_id: 0 },
  'store/channel/{channel_id}/product/unassigned': { product_id: 0 },
  'store/channel/{channel_id}/category/product/assigned': { product_id: 0, category_id: 0 },
  'store/channel/{channel_id}/category/product/unassigned': { product_id: 0, category_id: 0 },
  'store/channel/{channel_id}/page/created': { page_id: 0 },
  'store/channel/{channel_id}/page/updated': { page_id: 0 },
  'store/channel/{channel_id}/script/created': { uuid: '' },
  'store/channel/{channel_id}/script/updated': { uuid: '' },
  'store/channel/{channel_id}/email/templates/updated': { template_kind: '' },
  'store/channel/{channel_id}/email/templates/deleted': { template_kind: '' },
  'store/channel/{channel_id}/settings/emailStatus/updated': { template_kind: '' },
  'store/channel/{channel_id}/settings/emailStatus/deleted': { template_kind: '' },
  'store/channel/{channel_id}/settings/currency/updated': {},
  'store/channel/{channel_id}/settings/profile/updated': {},
  'store/channel/{channel_id}/settings/logo/updated': {},
  'store/channel/{channel_id}/settings/logo/image/updated': {},
  'store/channel/{channel_id}/settings/favicon/image/updated': {},
  'store/channel/{channel_id}/settings/checkout/updated': {},
  'store/channel/{channel_id}/settings/SEO/updated': {},
  'store/channel/{channel_id}/settings/robots/updated': {},
  'store/channel/{channel_id}/settings/category/updated': {},
  'store/channel/{channel_id}/settings/product/updated': {},
  'store/channel/{channel_id}/settings/catalog/updated': {},
  'store/channel/{channel_id}/settings/security/updated': {},
  'store/channel/{channel_id}/settings/defaultCustomerGroup/updated': {},
  'store/channel/{channel_id}/settings/customerPrivacy/updated': {},
  'store/channel/{channel_id}/settings/locale/added': {},
  'store/channel/{channel_id}/settings/locale/updated': {},
  'store/channel/{channel_id}/settings/locale/deleted': {},
  'store/channel/{channel_id}/settings/searchContextFilters/updated': { category_id: 0 },
  'store/channel/{channel_id}/settings/route/updated': { site_id: 0 },
  'store/channel/{channel_id}/settings/site/updated': { site_id: 0 },
  'store/channel/{channel_id}/settings/site/checkoutUrl/updated': { site_id: 0 },
  'store/channel/{channel_id}/settings/site/checkoutUrl/deleted': { site_id: 0 },
  'store/channel/{channel_id}/notifications/abandonedCart/updated': {},
  'store/channel/{channel_id}/notifications/inventory/updated': {},
  'store/channel/{channel_id}/socialMediaLinks/updated': {},
  'store/channel/{channel_id}/theme/configuration/created': theme,
  'store/channel/{channel_id}/theme/configuration/activated': theme,
  'store/company/created': { company_id: 0 },
  'store/company/updated': { company_id: 0 },
  'store/company/deleted': { company_id: 0 },
  'store/company/statusUpdated': { company_id: 0 },
  'store/company/superadmin/assignmentUpdated': { company_id: 0 },
  'store/company/user/created': { company_id: 0, user_id: 0 },
  'store/company/user/updated': { company_id: 0, user_id: 0 },
  'store/company/user/deleted': { company_id: 0, user_id: 0 },
  'store/company/address/created': { company_id: 0, address_id: 0 },
  'store/company/address/updated': { company_id: 0, address_id: 0 },
  'store/company/address/deleted': { company_id: 0, address_id: 0 },
  'store/superadmin/created': { user_id: 0 },
  'store/superadmin/updated': { user_id: 0 },
  'store/superadmin/deleted': { user_id: 0 },
  'store/superadmin/assignmentUpdated': { user_id: 0 },
  'store/quote/created': { quote_id: 0, quote_uuid: '' },
  'store/quote/updated': { quote_id: 0, quote_uuid: '' },
  'store/quote/statusUpdated': { quote_id: 0, quote_uuid: '' },
  'store/quote/deleted': { quote_id: 0, quote_uuid: '' },
} as const satisfies Record<string, EventData>

type Concrete<Scope extends string> = Scope extends `${infer Before}{channel_id}${infer After}`
  ? `${Before}${number}${After}`
  : Scope

/** The scope of an event, such as `store/order/created` or `store/channel/5/order/created`. */
export type EventScope = Concrete<keyof typeof table>

type Before<Suffix extends string, Scope> = Scope extends `${infer Family}/${Suffix}` ? Family : never

/** The part before a suffix: `FamilyOf<'metafield/created'>` is 'store/brand', 'store/category' and so on. */
export type FamilyOf<Suffix extends string> = Before<Suffix, EventScope>

/** The samples by scope, where `{channel_id}` stands for a channel. */
export const samples: ReadonlyMap<string, EventData> = new Map(Object.entries(table))

/** The data of a sample event; undefined for an unknown scope. @param scope with the number of a channel in place of `{channel_id}` */
export const sampleEventData = (scope: string): EventData | undefined =>
  scope.includes('{') ? undefined : (samples.get(scope) ?? samples.get(withoutChannel(scope)))

/** Whether a scope exists. */
export const isEventScope = (scope: string): scope is EventScope => sampleEventData(scope) !== undefined

const withoutChannel = (scope: string) => scope.replace(/^store\/channel\/\d{1,16}(?=\/)/, 'store/channel/{channel_id}')
