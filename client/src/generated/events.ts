// Generated from server/openapi.json by npm run generate. Do not edit.

/** The data of each event by its scope. */
export interface EventData {
  'store/order/created': { type: 'order'; id: number }
  'store/order/updated': { type: 'order'; id: number }
  'store/order/archived': { type: 'order'; id: number }
  'store/order/statusUpdated': { type: 'order'; id: number; status: { previous_status_id: number; new_status_id: number } }
  'store/order/message/created': { type: 'order'; id: number; message: { order_message_id: number } }
  'store/order/refund/created': { type: 'order'; id: number; refund: { refund_id: number } }
  'store/order/transaction/created': { type: 'transaction'; order_id: string; transaction_id: string; transaction_status: string; transaction_type: string; result: { code: string; message: string; type: string }; platform_transaction_id: string; provider_transaction_id: string }
  'store/order/transaction/updated': { type: 'transaction'; order_id: string; transaction_id: string; transaction_status: string; transaction_type: string; result: { code: string; message: string; type: string }; platform_transaction_id: string; provider_transaction_id: string }
  'store/order/metafield/created': { metafield_id: number; resource_id: string }
  'store/order/metafield/updated': { metafield_id: number; resource_id: string }
  'store/order/metafield/deleted': { metafield_id: number; resource_id: string }
  'store/shipment/created': { type: 'shipment'; id: number; orderId: number }
  'store/shipment/updated': { type: 'shipment'; id: number; orderId: number }
  'store/shipment/deleted': { type: 'shipment'; id: number; orderId: number }
  'store/cart/created': { type: 'cart'; id: string }
  'store/cart/updated': { type: 'cart'; id: string }
  'store/cart/deleted': { type: 'cart'; id: string }
  'store/cart/abandoned': { type: 'cart'; id: string; token: string }
  'store/cart/couponApplied': { type: 'cart'; id: string; couponId: number }
  'store/cart/converted': { type: 'cart'; id: string; orderId: number }
  'store/cart/lineItem/created': { type: 'cart_line_item'; id: string; cartId: string }
  'store/cart/lineItem/updated': { type: 'cart_line_item'; id: string; cartId: string }
  'store/cart/lineItem/deleted': { type: 'cart_line_item'; id: string; cartId: string }
  'store/cart/metafield/created': { metafield_id: number; resource_id: string }
  'store/cart/metafield/updated': { metafield_id: number; resource_id: string }
  'store/cart/metafield/deleted': { metafield_id: number; resource_id: string }
  'store/product/created': { type: 'product'; id: number }
  'store/product/updated': { type: 'product'; id: number }
  'store/product/deleted': { type: 'product'; id: number }
  'store/product/inventory/updated': { type: 'product'; id: number; inventory: { product_id: number; method: string; value: number } }
  'store/product/inventory/order/updated': { type: 'product'; id: number; inventory: { product_id: number; method: string; value: number } }
  'store/product/metafield/created': { metafield_id: number; resource_id: string; resource_type: string }
  'store/product/metafield/updated': { metafield_id: number; resource_id: string; resource_type: string }
  'store/product/metafield/deleted': { metafield_id: number; resource_id: string; resource_type: string }
  'store/product/variant/metafield/created': { metafield_id: number; resource_id: string; resource_type: string }
  'store/product/variant/metafield/updated': { metafield_id: number; resource_id: string; resource_type: string }
  'store/product/variant/metafield/deleted': { metafield_id: number; resource_id: string; resource_type: string }
  'store/sku/created': { type: 'sku'; id: number; sku: { product_id: number; variant_id: number } }
  'store/sku/updated': { type: 'sku'; id: number; sku: { product_id: number; variant_id: number } }
  'store/sku/deleted': { type: 'sku'; id: number; sku: { product_id: number; variant_id: number } }
  'store/sku/inventory/updated': { type: 'sku'; id: number; inventory: { product_id: number; method: string; value: number; variant_id: number } }
  'store/sku/inventory/order/updated': { type: 'sku'; id: number; inventory: { product_id: number; method: string; value: number; variant_id: number } }
  'store/option/updated': { type: 'local_option'; id: number; affected_product_ids: number[]; context: Record<string, unknown> }
  'store/modifier/updated': { type: 'shared_modifier'; id: number; affected_product_ids: number[]; context: Record<string, unknown> }
  'store/category/created': { type: 'category'; id: number }
  'store/category/updated': { type: 'category'; id: number }
  'store/category/deleted': { type: 'category'; id: number }
  'store/category/metafield/created': { metafield_id: number; resource_id: string }
  'store/category/metafield/updated': { metafield_id: number; resource_id: string }
  'store/category/metafield/deleted': { metafield_id: number; resource_id: string }
  'store/brand/metafield/created': { metafield_id: number; resource_id: string }
  'store/brand/metafield/updated': { metafield_id: number; resource_id: string }
  'store/brand/metafield/deleted': { metafield_id: number; resource_id: string }
  'store/customer/created': { type: 'customer'; id: number }
  'store/customer/updated': { type: 'customer'; id: number }
  'store/customer/deleted': { type: 'customer'; id: number }
  'store/customer/address/created': { type: 'customer'; id: number; address: { customer_id: number } }
  'store/customer/address/updated': { type: 'customer'; id: number; address: { customer_id: number } }
  'store/customer/address/deleted': { type: 'customer'; id: number; address: { customer_id: number } }
  'store/customer/payment/instrument/default/updated': { type: 'customer'; id: number }
  'store/customer/channel/login/access/updated': { customer_id: number; channel_ids: number[] }
  'store/subscriber/created': { type: 'subscriber'; id: number }
  'store/subscriber/updated': { type: 'subscriber'; id: number }
  'store/subscriber/deleted': { type: 'subscriber'; id: number }
  'store/priceList/created': { price_list_id: number }
  'store/priceList/updated': { price_list_id: number }
  'store/priceList/activated': { price_list_id: number }
  'store/priceList/deactivated': { price_list_id: number }
  'store/priceList/deleted': { price_list_id: number }
  'store/priceLists/deleted': { price_list_ids: number[] }
  'store/priceList/record/created': { price_list_id: number; variant_id: number; currency: string; currency_code: string }
  'store/priceList/record/updated': { price_list_id: number; variant_id: number; currency: string; currency_code: string }
  'store/priceList/record/deleted': { price_list_id: number; variant_id: number; currency: string; currency_code: string }
  'store/priceList/records/created': { price_list_id: number; variant_id: number; currency: string; currency_code: string }[]
  'store/priceList/records/updated': { price_list_id: number; variant_id: number; currency: string; currency_code: string }[]
  'store/priceList/records/deleted': { price_list_id: number; variant_id: number; currency: string; currency_code: string }[]
  'store/priceList/assignment/updated': { price_list_id: number; channel_id: number; customer_group_id: number }
  'store/priceList/assignment/deleted': { price_list_id: number; channel_id: number; customer_group_id: number }
  'store/metafield/created': { metafield_id: number; resource_id: string; resource_type: string }
  'store/metafield/updated': { metafield_id: number; resource_id: string; resource_type: string }
  'store/metafield/deleted': { metafield_id: number; resource_id: string; resource_type: string }
  'store/store/metafield/created': { metafield_id: number; resource_id: string }
  'store/store/metafield/updated': { metafield_id: number; resource_id: string }
  'store/store/metafield/deleted': { metafield_id: number; resource_id: string }
  'store/app/uninstalled': { type: 'app' }
  'store/information/updated': { type: 'store' }
  'store/redirects/updated': { id: number; site_id: number; from_path: string; to: { url: string; entity_id: number; type: string } }
  'store/hook/deliveryException': { type: 'webhook'; id: number; error_code: number; message: string }
  'store/inventory/location/created': { location_id: number }
  'store/inventory/location/updated': { location_id: number }
  'store/inventory/location/metafield/created': { metafield_id: number; resource_id: string }
  'store/inventory/location/metafield/updated': { metafield_id: number; resource_id: string }
  'store/inventory/location/metafield/deleted': { metafield_id: number; resource_id: string }
  'store/channel/*/inventory/product/stock_changed': { variant_id: number; product_id: number; location_id: number }
  'store/channel/*/inventory/product/low_stock_reached': { variant_id: number; product_id: number; location_id: number }
  'store/channel/*/inventory/product/out_of_stock_reached': { variant_id: number; product_id: number; location_id: number }
  'store/channel/*/inventory/product/settings_changed': { variant_id: number; product_id: number; location_id: number }
  'store/channel/created': { type: 'channel'; id: number }
  'store/channel/updated': { type: 'channel'; id: number }
  'store/channel/metafield/created': { metafield_id: number; resource_id: string }
  'store/channel/metafield/updated': { metafield_id: number; resource_id: string }
  'store/channel/metafield/deleted': { metafield_id: number; resource_id: string }
  [scope: `store/channel/${number}/order/created`]: { order_id: number }
  [scope: `store/channel/${number}/order/updated`]: { order_id: number }
  [scope: `store/channel/${number}/order/archived`]: { order_id: number }
  [scope: `store/channel/${number}/order/statusUpdated`]: { order_id: number }
  [scope: `store/channel/${number}/order/message/created`]: { order_id: number }
  [scope: `store/channel/${number}/order/refund/created`]: { order_id: number }
  [scope: `store/channel/${number}/cart/created`]: { cart_id: string }
  [scope: `store/channel/${number}/cart/updated`]: { cart_id: string }
  [scope: `store/channel/${number}/cart/deleted`]: { cart_id: string }
  [scope: `store/channel/${number}/cart/couponApplied`]: { cart_id: string }
  [scope: `store/channel/${number}/cart/abandoned`]: { cart_id: string }
  [scope: `store/channel/${number}/cart/converted`]: { cart_id: string }
  [scope: `store/channel/${number}/cart/lineItem/created`]: { cart_id: string; cart_item_id: string }
  [scope: `store/channel/${number}/cart/lineItem/updated`]: { cart_id: string; cart_item_id: string }
  [scope: `store/channel/${number}/cart/lineItem/deleted`]: { cart_id: string; cart_item_id: string }
  [scope: `store/channel/${number}/category/created`]: { category_id: number; tree_id: number }
  [scope: `store/channel/${number}/category/updated`]: { category_id: number; tree_id: number }
  [scope: `store/channel/${number}/category/deleted`]: { category_id: number; tree_id: number }
  [scope: `store/channel/${number}/categoryTree/updated`]: { tree_id: number }
  [scope: `store/channel/${number}/product/assigned`]: { product_id: number }
  [scope: `store/channel/${number}/product/unassigned`]: { product_id: number }
  [scope: `store/channel/${number}/category/product/assigned`]: { product_id: number; category_id: number }
  [scope: `store/channel/${number}/category/product/unassigned`]: { product_id: number; category_id: number }
  [scope: `store/channel/${number}/page/created`]: { page_id: number }
  [scope: `store/channel/${number}/page/updated`]: { page_id: number }
  [scope: `store/channel/${number}/script/created`]: { uuid: string }
  [scope: `store/channel/${number}/script/updated`]: { uuid: string }
  [scope: `store/channel/${number}/email/templates/updated`]: { template_kind: string }
  [scope: `store/channel/${number}/email/templates/deleted`]: { template_kind: string }
  [scope: `store/channel/${number}/settings/emailStatus/updated`]: { template_kind: string }
  [scope: `store/channel/${number}/settings/emailStatus/deleted`]: { template_kind: string }
  [scope: `store/channel/${number}/settings/currency/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/profile/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/logo/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/logo/image/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/favicon/image/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/checkout/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/SEO/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/robots/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/category/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/product/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/catalog/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/security/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/defaultCustomerGroup/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/customerPrivacy/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/locale/added`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/locale/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/locale/deleted`]: Record<string, unknown>
  [scope: `store/channel/${number}/settings/searchContextFilters/updated`]: { category_id: number }
  [scope: `store/channel/${number}/settings/route/updated`]: { site_id: number }
  [scope: `store/channel/${number}/settings/site/updated`]: { site_id: number }
  [scope: `store/channel/${number}/settings/site/checkoutUrl/updated`]: { site_id: number }
  [scope: `store/channel/${number}/settings/site/checkoutUrl/deleted`]: { site_id: number }
  [scope: `store/channel/${number}/notifications/abandonedCart/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/notifications/inventory/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/socialMediaLinks/updated`]: Record<string, unknown>
  [scope: `store/channel/${number}/theme/configuration/created`]: { theme_id: string; variation_id: string; version_id: string; configuration_id: string }
  [scope: `store/channel/${number}/theme/configuration/activated`]: { theme_id: string; variation_id: string; version_id: string; configuration_id: string }
  'store/company/created': { company_id: number }
  'store/company/updated': { company_id: number }
  'store/company/deleted': { company_id: number }
  'store/company/statusUpdated': { company_id: number }
  'store/company/superadmin/assignmentUpdated': { company_id: number }
  'store/company/user/created': { company_id: number; user_id: number }
  'store/company/user/updated': { company_id: number; user_id: number }
  'store/company/user/deleted': { company_id: number; user_id: number }
  'store/company/address/created': { company_id: number; address_id: number }
  'store/company/address/updated': { company_id: number; address_id: number }
  'store/company/address/deleted': { company_id: number; address_id: number }
  'store/superadmin/created': { user_id: number }
  'store/superadmin/updated': { user_id: number }
  'store/superadmin/deleted': { user_id: number }
  'store/superadmin/assignmentUpdated': { user_id: number }
  'store/quote/created': { quote_id: number; quote_uuid: string }
  'store/quote/updated': { quote_id: number; quote_uuid: string }
  'store/quote/statusUpdated': { quote_id: number; quote_uuid: string }
  'store/quote/deleted': { quote_id: number; quote_uuid: string }
}
