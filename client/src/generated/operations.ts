// Generated from server/openapi.json by npm run generate. Do not edit.

/** The operations of each path, in the form that table.ts reads. */
export const OPERATIONS: string = `
v3/channels Glist:dqp Pcreate:db
v3/channels/{} Gget:dq Uupdate:db
v3/channels/{}/listings Glist:dqc PcreateMany:db UupdateMany:db
v3/channels/{}/listings/{} Gget:d
v3/channels/{}/channel-menus Gget:d Pcreate:db DdeleteMany:d
v3/channels/currency-assignments Glist:dqp PcreateMany:db UupdateMany:db
v3/channels/{}/currency-assignments Pcreate:db Uupdate:db Gget:d Ddelete:d
v3/sites Glist:dqp Pcreate:db
v3/sites/{} Gget:d Uupdate:db Ddelete:n
v3/channels/{}/site Gget:d Pcreate:db Uupdate:db Ddelete:n
v3/channels/{}/site/checkout-url Uupdate:db Ddelete:d
v3/sites/{}/routes Glist:dqp Pcreate:db UupsertMany:db
v3/sites/{}/routes/{} Gget:d Uupdate:db Ddelete:n
v3/sites/certificates Glist:dqp
v3/sites/{}/certificate Gget:d Uupdate:db
v3/channels/{}/active-theme Gget:d
v3/channels/{}/metafields Glist:dqc Pcreate:db
v3/channels/{}/metafields/{} Gget:dq Uupdate:db Ddelete:n
v3/channels/metafields GlistAll:dqc PcreateMany:db UupdateMany:db DdeleteMany:db
v3/catalog/brands Glist:dqk Pcreate:db DdeleteMany:nq
v3/catalog/brands/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/brands/{}/image Pcreate:dbf Ddelete:n
v3/catalog/brands/{}/metafields Glist:dqc Pcreate:db
v3/catalog/brands/{}/metafields/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/brands/metafields GlistAll:dqc PcreateMany:db UupdateMany:db DdeleteMany:db
v3/catalog/categories Glist:dqk Pcreate:db DdeleteMany:nq
v3/catalog/categories/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/categories/{}/image Pcreate:dbf Ddelete:n
v3/catalog/categories/{}/metafields Glist:dqc Pcreate:db
v3/catalog/categories/{}/metafields/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/categories/metafields GlistAll:dqc PcreateMany:db UupdateMany:db DdeleteMany:db
v3/catalog/categories/{}/products/sort-order Gget:dqp Uupdate:b
v3/catalog/products Glist:dqk Pcreate:db UupdateMany:db DdeleteMany:nq
v3/catalog/products/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/products/{}/metafields Glist:dqc Pcreate:db
v3/catalog/products/{}/metafields/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/products/metafields GlistAll:dqc PcreateMany:db UupdateMany:db DdeleteMany:db
v3/catalog/products/category-assignments Glist:dqp UupdateMany:nb DdeleteMany:nq
v3/catalog/products/channel-assignments Glist:dqp UupdateMany:nb DdeleteMany:nq
v3/catalog/summary Gget:d
v3/catalog/products/{}/variants Glist:dqp Pcreate:db
v3/catalog/products/{}/variants/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/products/{}/variants/{}/image Pcreate:db
v3/catalog/variants Glist:dqp UupdateMany:db
v3/catalog/products/{}/variants/{}/metafields Glist:dqc Pcreate:db
v3/catalog/products/{}/variants/{}/metafields/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/variants/metafields GlistAll:dqc PcreateMany:db UupdateMany:db DdeleteMany:db
v3/catalog/products/{}/images Glist:dqp Pcreate:db
v3/catalog/products/{}/images/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/products/{}/videos Glist:dqp Pcreate:db
v3/catalog/products/{}/videos/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/products/{}/custom-fields Glist:dqp Pcreate:db
v3/catalog/products/{}/custom-fields/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/products/{}/bulk-pricing-rules Glist:dqp Pcreate:db
v3/catalog/products/{}/bulk-pricing-rules/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/products/{}/complex-rules Glist:dqp Pcreate:db
v3/catalog/products/{}/complex-rules/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/products/{}/reviews Glist:dqp Pcreate:db
v3/catalog/products/{}/reviews/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/products/{}/options Glist:dqp Pcreate:db
v3/catalog/products/{}/options/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/products/{}/options/{}/values Glist:dqp Pcreate:db
v3/catalog/products/{}/options/{}/values/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/products/{}/modifiers Glist:dqp Pcreate:db
v3/catalog/products/{}/modifiers/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/products/{}/modifiers/{}/values Glist:dqp Pcreate:db
v3/catalog/products/{}/modifiers/{}/values/{} Gget:dq Uupdate:db Ddelete:n
v3/catalog/products/{}/modifiers/{}/values/{}/image Pcreate:dbf
v3/catalog/trees Glist:dqp UupsertMany:db DdeleteMany:nq
v3/catalog/trees/{}/categories Gget:dqp
v3/catalog/trees/categories Glist:dqp PcreateMany:db UupdateMany:b DdeleteMany:q
v3/inventory/locations Glist:dqp1000 PcreateMany:b UupdateMany:b DdeleteMany:q
v3/inventory/locations/{}/metafields Glist:dqc Pcreate:db
v3/inventory/locations/{}/metafields/{} Gget:dq Uupdate:db Ddelete:n
v3/inventory/locations/metafields GlistAll:dqc PcreateMany:db UupdateMany:db DdeleteMany:db
v3/inventory/items Glist:dqp1000
v3/inventory/locations/{}/items Glist:dqp1000 Uupdate:b
v3/inventory/adjustments/absolute =inventory.adjustments Uset:b
v3/inventory/adjustments/relative =inventory.adjustments Padjust:b
v3/inventory/adjustments Glist:dqp1000
v3/pickup/methods Glist:dqp PcreateMany:db UupdateMany:db DdeleteMany:nq
v3/pickup/options Pfind:db
v3/customers Glist:dqc PcreateMany:db UupdateMany:db DdeleteMany:nq
v3/customers/validate-credentials =customers PvalidateCredentials:b
v3/customers/addresses Glist:dqp PcreateMany:db UupdateMany:db DdeleteMany:nq
v3/customers/attributes Glist:dqp PcreateMany:db UupdateMany:db DdeleteMany:nq
v3/customers/attribute-values Glist:dqp UupdateMany:db DdeleteMany:nq
v3/settings/form-fields Gget:d Uupdate:db
v3/customers/form-field-values Glist:dqc UupdateMany:db
v3/customers/settings Gget:d Uupdate:db
v3/customers/settings/channels/{} Gget:d Uupdate:db
v3/customers/subscribers Glist:dqp Pcreate:db DdeleteMany:nq
v3/customers/subscribers/{} Gget:dq Uupdate:db Ddelete:n
v3/segments Glist:dqp PcreateMany:db UupdateMany:db DdeleteMany:nq
v3/segments/{}/shopper-profiles Glist:dqp PcreateMany:db DdeleteMany:nq
v3/shopper-profiles Glist:dqp PcreateMany:db DdeleteMany:nq
v3/shopper-profiles/{}/segments Glist:dqp
v3/wishlists Glist:dqp Pcreate:db
v3/wishlists/{} Gget:d Uupdate:db Ddelete:n
v3/wishlists/{}/items Pcreate:db
v3/wishlists/{}/items/{} Ddelete:d
v3/customers/{}/consent Gget Uupdate:b
v3/customers/{}/stored-instruments Glist:qp
v3/customers/{}/metafields Glist:dqc Pcreate:db
v3/customers/{}/metafields/{} Gget:dq Uupdate:db Ddelete:n
v3/customers/metafields GlistAll:dqc PcreateMany:db UupdateMany:db DdeleteMany:db
v3/tax/classes PcreateMany:db UupdateMany:db DdeleteMany:nq
v3/tax/zones Glist:dqp PcreateMany:db UupdateMany:db DdeleteMany:nq
v3/tax/rates Glist:dqp PcreateMany:db UupdateMany:db DdeleteMany:nq
v3/tax/zonecheck =tax.zones Pcheck:db
v3/tax/settings Gget:d Uupdate:db
v3/tax/providers/{}/connection Gget:d Uupdate:db Ddelete:d
v3/tax/properties Glist:dqp PcreateMany:db UupdateMany:db DdeleteMany:nq
v3/tax/customers Glist:dqp Uset:db DdeleteMany:nq
v3/tax/products/properties Glist:dqp Uset:db DdeleteMany:nq
v3/pricelists Glist:dqc Pcreate:db DdeleteMany:nq
v3/pricelists/{} Gget:dq Uupdate:db Ddelete:n
v3/pricelists/assignments Glist:dqc PcreateMany:db DdeleteMany:nq
v3/pricelists/{}/assignments Uupsert:db
v3/pricelists/records PcreateRecords:db UupdateRecords:db
v3/pricelists/{}/records PcreateMany:db UupdateMany:db Glist:dqc DdeleteMany:nq
v3/pricelists/{}/records/{} GlistOfVariant:dqc
v3/pricelists/{}/records/{}/{} Gget:dq Uupdate:db Ddelete:n
v3/pricing/products Pget:db
v3/shipping/products/customs-information Glist:dqp Uupdate:db Ddelete:nq
v3/shipping/settings Gget:d Uupdate:db
v3/shipping/settings/channels/{} Gget:d Uupdate:db
v3/promotions/settings Gget Uupdate:b
v3/promotions Glist:dqp Pcreate:db DdeleteMany:nq
v3/promotions/{} Gget:d Uupdate:db Ddelete:n
v3/promotions/codes Gfind:dq DdeleteByText:nq
v3/promotions/{}/codes Glist:dqc Pcreate:db DdeleteMany:nq
v3/promotions/{}/codes/{} Ddelete:n
v3/promotions/{}/codegen =promotions.codes Pgenerate:db
v3/carts Pcreate:db
v3/carts/{} Gget:dq Uupdate:db Ddelete:n
v3/carts/{}/redirect_urls Pcreate:db
v3/carts/{}/items Pcreate:db
v3/carts/{}/items/{} Uupdate:db Ddelete:db
v3/carts/{}/metafields Glist:dqc Pcreate:db
v3/carts/{}/metafields/{} Gget:dq Uupdate:db Ddelete:n
v3/carts/metafields GlistAll:dqc PcreateMany:db UupdateMany:db DdeleteMany:db
v3/checkouts/{} Gget:dq Uupdate:db
v3/checkouts/{}/billing-address Pcreate:db
v3/checkouts/{}/billing-address/{} Uupdate:db
v3/checkouts/{}/consignments PcreateMany:db
v3/checkouts/{}/consignments/{} Uupdate:db Ddelete:db
v3/checkouts/{}/coupons Pcreate:db
v3/checkouts/{}/coupons/{} Ddelete:db
v3/checkouts/{}/discounts Pcreate:db
v3/checkouts/{}/fees Pcreate:db Uupdate:db DdeleteMany:db
v3/abandoned-carts/{} Gget:d
v3/orders/{}/metafields Glist:dqc Pcreate:db
v3/orders/{}/metafields/{} Gget:dq Uupdate:db Ddelete:n
v3/orders/metafields GlistAll:dqc PcreateMany:db UupdateMany:db DdeleteMany:db
v3/orders/pickups Glist:dqp PcreateMany:db UupdateMany:db DdeleteMany:nq
v3/orders/{}/transactions Glist:dqp
v3/orders/{}/payment_actions/capture =orders Pcapture:d
v3/orders/{}/payment_actions/void =orders Pvoid:d
v3/payments/access_tokens Pcreate:db
v3/payments/methods Glist:dqp
v3/orders/{}/payment_actions/refund_quotes Pcreate:db
v3/orders/payment_actions/refund_quotes PcreateMany:db
v3/orders/{}/payment_actions/refunds Pcreate:db Glist:dqp1000
v3/orders/payment_actions/refunds GlistAll:dqp
v3/orders/payment_actions/refunds/{} Gget:d
v3/orders/settings Gget Uupdate:b
v3/orders/settings/channels/{} Gget Uupdate:b
v3/checkouts/{}/orders Pcreate:d
v3/checkouts/{}/token Pcreate:b
v3/content/pages Glist:dqp Pcreate:db UupdateMany:db DdeleteMany:nq
v3/content/pages/{} Gget:dq Uupdate:db Ddelete:n
v3/storefront/redirects Glist:dqk UupsertMany:db DdeleteMany:nq
v3/storefront/redirects/imex/jobs Glist:dqp
v3/storefront/redirects/imex/import =storefront.redirects Pimport:b
v3/storefront/redirects/imex/export =storefront.redirects Pexport:b
v3/storefront/redirects/imex/export/{}/download =storefront.redirects GdownloadExport:t
v3/storefront/redirects/imex/import/{}/events =storefront.redirects GwatchImport:e
v3/storefront/redirects/imex/export/{}/events =storefront.redirects GwatchExport:e
v3/content/scripts Glist:dqp Pcreate:db
v3/content/scripts/{} Gget:d Uupdate:db Ddelete:n
v3/storefront/custom-template-associations Glist:dqp UupsertMany:db DdeleteMany:nq
v3/content/regions Glist:dqp
v3/content/widget-templates Glist:dqp Pcreate:db
v3/content/widget-templates/{} Gget:dq Uupdate:db Ddelete:n
v3/content/widget-templates/{}/preview =content.widgetTemplates Ppreview:db
v3/content/widgets Glist:dqp Pcreate:db
v3/content/widgets/{} Gget:d Uupdate:db Ddelete:n
v3/content/placements Glist:dqp Pcreate:db
v3/content/placements/{} Gget:d Uupdate:db Ddelete:n
v3/content/page-widgets Gget:dq Preplace:nb
v3/settings/analytics Glist:dqp
v3/settings/analytics/{} Gget:q Uupdate:b
v3/settings/search/filters Glist:dqp UreplaceMany:db
v3/settings/search/filters/available Glist:dqp
v3/settings/search/filters/contexts Glist:dqp UupsertMany:db
v3/store/metafields Glist:dqc PcreateMany:db UupdateMany:db DdeleteMany:db
v3/store/metafields/{} Gget:dq Uupdate:db Ddelete:n
v3/store/systemlogs Glist:dqp
v3/settings/storefront/status Gget:dq Uupdate:db
v3/settings/store/locale Gget:d Uupdate:db
v3/settings/logo Gget:dq Uupdate:db
v3/settings/logo/image Pupload:nbf
v3/settings/favicon/image Pupload:nbf
v3/carts/settings Gget:d Uupdate:db
v3/carts/settings/channels/{} Gget:d Uupdate:db
v3/abandoned-carts/settings Gget:d Uupdate:db
v3/abandoned-carts/settings/channels/{} Gget:d Uupdate:db
v3/checkouts/settings Gget:d Uupdate:db
v3/checkouts/settings/channels/{} Gget:d Uupdate:db
v3/settings/catalog Gget:dq Uupdate:db
v3/settings/email-statuses Gget:dq Uupdate:db
v3/settings/inventory Gget:dq Uupdate:db
v3/settings/inventory/notifications Gget:dq Uupdate:db
v3/settings/pickups Gget:dq Uupdate:db
v3/settings/store/profile Gget:dq Uupdate:db
v3/settings/storefront/category Gget:dq Uupdate:db
v3/settings/storefront/product Gget:dq Uupdate:db
v3/settings/storefront/robotstxt Gget:dq Uupdate:db
v3/settings/storefront/search Gget:dq Uupdate:db
v3/settings/storefront/security Gget:dq Uupdate:db
v3/settings/store/units-of-measurement Gget:dq Uupdate:db
v3/settings/storefront/seo Gget:dq Uupdate:db
v3/marketing/email-templates Glist:dqp
v3/marketing/email-templates/{} Gget:dq Uupdate:db Ddelete:dq
v3/marketing/abandoned-cart-emails Glist:dqp Pcreate:db
v3/marketing/abandoned-cart-emails/default Gget
v3/marketing/abandoned-cart-emails/settings Gget:q Uupdate:b
v3/marketing/abandoned-cart-emails/{} Gget:d Uupdate:db Ddelete:n
v3/themes Glist:dqp Pupload:bf
v3/themes/{} Gget:d Ddelete:n
v3/themes/custom-templates/{} Gget:d
v3/themes/{}/actions/download =themes Pdownload:b
v3/themes/jobs/{} Gget:d
v3/themes/actions/activate =themes Pactivate:nb
v3/themes/{}/configurations Glist:dqp Pcreate:db
v3/themes/{}/configurations/validate =themes.configurations Pvalidate:db
v3/storefront/api-token Pcreate:db Drevoke:d
v3/storefront/api-token-private Pcreate:db
v3/storefront/api-token-customer-impersonation Pcreate:db Drevoke:d
v3/hooks Glist:dqp Pcreate:db
v3/hooks/admin Gget:dq Uupdate:nb
v3/hooks/{} Gget:dq Uupdate:db Ddelete:d
v3/hooks/{}/deliveries Glist:dqp
v3/hooks/{}/deliveries/{} Gget:d
v3/hooks/{}/deliveries/{}/resend =hooks.deliveries Presend:d
v3/hooks/{}/recover =hooks Precover:db
v3/hooks/{}/test =hooks Ptest:db
v3/hooks/events Glist:dqp
v2/brands Glist:qp Pcreate:b
v2/brands/{} Gget Uupdate:b Ddelete:n
v2/currencies Glist:qp Pcreate:b DdeleteMany:n
v2/currencies/{} Gget Uupdate:b Ddelete:n
v2/customers Glist:qm Pcreate:b DdeleteMany:nq
v2/customers/count =v2.customers Gcount:q
v2/customers/{} Gget Uupdate:b Ddelete:n
v2/customers/{}/validate =v2.customers Pvalidate:b
v2/customers/{}/addresses Glist:qp Pcreate:b DdeleteMany:nq
v2/customers/{}/addresses/count =v2.customers.addresses Gcount
v2/customers/{}/addresses/{} Gget Uupdate:b Ddelete:n
v2/customer_groups Glist:qp Pcreate:b
v2/customer_groups/count =v2.customerGroups Gcount:q
v2/customer_groups/{} Gget Uupdate:b Ddelete:n
v2/tax_classes Glist:qp
v2/tax_classes/{} Gget
v2/store Gget
v2/countries Glist:qp
v2/countries/count =v2.countries Gcount
v2/countries/states GlistAll:qp
v2/countries/states/count =v2.countries.states GcountAll
v2/countries/{} Gget
v2/countries/{}/states Glist:qp
v2/countries/{}/states/count =v2.countries.states Gcount
v2/countries/{}/states/{} Gget
v2/blog/posts Glist:qp Pcreate:b DdeleteMany:nq
v2/blog/posts/count =v2.blog.posts Gcount
v2/blog/posts/{} Gget Uupdate:b Ddelete:n
v2/blog/tags Glist
v2/pages Glist:qp Pcreate:b
v2/pages/count =v2.pages Gcount
v2/pages/{} Gget Uupdate:b Ddelete:n
v2/redirects Glist:qp Pcreate:b DdeleteMany:n
v2/redirects/count =v2.redirects Gcount
v2/redirects/{} Gget Uupdate:b Ddelete:n
v2/time Gget
v2/shipping/zones Glist:qp Pcreate:b
v2/shipping/zones/{} Gget Uupdate:b Ddelete:n
v2/shipping/methods GlistAll:qp
v2/shipping/zones/{}/methods Glist:qp Pcreate:b
v2/shipping/zones/{}/methods/{} Gget Uupdate:b Ddelete:n
v2/shipping/carrier/connection Pcreate:nb Uupdate:nb Ddelete:nb
v2/gift_certificates Glist:qm Pcreate:b DdeleteMany:n
v2/gift_certificates/{} Gget Uupdate:b Ddelete:n
v2/banners Glist:qm Pcreate:b DdeleteMany:n
v2/banners/count =v2.banners Gcount
v2/banners/{} Gget Uupdate:b Ddelete:n
v2/coupons Glist:qm Pcreate:b DdeleteMany:nq
v2/coupons/count =v2.coupons Gcount
v2/coupons/{} Gget Uupdate:b Ddelete:n
v2/orders Glist:qm Pcreate:b DdeleteMany:nq
v2/orders/count =v2.orders Gcount:q
v2/orders/{} Gget:q Uupdate:b Ddelete:n
v2/orders/{}/products Glist:qp
v2/orders/{}/products/{} Gget
v2/orders/{}/shipping_addresses Glist:qp
v2/orders/{}/shipping_addresses/{} Gget Uupdate:b
v2/orders/{}/taxes Glist:qp
v2/orders/{}/fees Glist:qp
v2/orders/{}/consignments Gget:q
v2/orders/{}/coupons Glist:qp
v2/orders/{}/messages Glist:qm
v2/orders/{}/shipments Glist:qp Pcreate:b DdeleteMany:n
v2/orders/{}/shipments/count =v2.orders.shipments Gcount
v2/orders/{}/shipments/{} Gget Uupdate:b Ddelete:n
v2/orders/{}/shipping_addresses/{}/shipping_quotes Gget
v2/orders/{}/consignments/shipping/{}/shipping_quotes Gget
v2/order_statuses Glist
v2/order_statuses/{} Gget
v2/payments/methods Glist:qp
b2b/io/auth/backend Pcreate:db Ddelete:db
b2b/io/backend/tokens Glist:dqo
b2b/io/auth/storefront Gget:dq
b2b/v2/login Pcreate:db
b2b/io/auth/customers Pcreate:db
b2b/io/auth/customers/storefront Pcreate:db Ddelete:db
b2b/v3/io/channels Glist:d
b2b/v3/io/channels/{} Gget:d
b2b/v3/io/companies/extra-fields Glist:dqo
b2b/v3/io/companies Glist:dqo Pcreate:db
b2b/v3/io/companies/{} Gget:d Uupdate:db Ddelete:d
b2b/v3/io/companies/{}/status Uupdate:db
b2b/v3/io/companies/{}/attachments Glist:d Pcreate:dbf
b2b/v3/io/companies/{}/attachments/{} Ddelete:d
b2b/v3/io/companies/bulk PcreateMany:db UupdateMany:db
b2b/v3/io/companies/{}/catalogs Uupdate:db
b2b/v3/io/customer-groups/{}/companies Pcreate:db
b2b/v3/io/super-admins Pcreate:db
b2b/v3/io/super-admins/bulk PcreateMany:db
b2b/v3/io/super-admins/info/{} Gget:d Uupdate:db
b2b/v3/io/companies/super-admins Glist:dqo
b2b/v3/io/super-admins/companies GlistAll:dqo
b2b/v3/io/super-admins/{} Uassign:db
b2b/v3/io/super-admins/{}/companies Glist:dqo
b2b/v3/io/companies/{}/super-admins GlistOfCompany:dqo Uassign:db
b2b/v3/io/companies/roles Glist:dqo Pcreate:db
b2b/v3/io/companies/roles/{} Gget:d Uupdate:db Ddelete:d
b2b/v3/io/users/extra-fields Glist:dqo
b2b/v3/io/users Glist:dqo Pcreate:db
b2b/v3/io/users/bulk PcreateMany:db
b2b/v3/io/users/{} Gget:d Uupdate:db Ddelete:d
b2b/v3/io/users/customer/{} Gget:d
b2b/v3/io/sales-staffs Glist:dqo
b2b/v3/io/sales-staffs/{} Gget:d Uassign:db
b2b/v3/io/companies/{}/parent Pcreate:db
b2b/v3/io/companies/{}/subsidiaries Glist:dqo
b2b/v3/io/companies/{}/subsidiaries/{} Ddelete:n
b2b/v3/io/companies/{}/hierarchy Gget:dqo
b2b/v3/io/companies/permissions Glist:dq Pcreate:db
b2b/v3/io/companies/permissions/{} Uupdate:db Ddelete:d
b2b/v3/io/addresses/extra-fields Glist:dqo
b2b/v3/io/addresses Glist:dqo Pcreate:db
b2b/v3/io/addresses/bulk PcreateMany:db
b2b/v3/io/addresses/{} Gget:d Uupdate:db Ddelete:d
b2b/v3/io/countries Gfind:dq
b2b/v3/io/states Gfind:dq
b2b/v3/io/companies/{}/credit Gget:d Uupdate:db
b2b/v3/io/companies/{}/payment-terms Gget:d Uupdate:db
b2b/v3/io/payments Glist:d
b2b/v3/io/companies/{}/payments Glist:d Uupdate:db
b2b/v3/io/company-payment-methods Glist:dqo
b2b/v3/io/rfq/extra-fields Glist:dqo
b2b/v3/io/rfq Glist:dqo Pcreate:db
b2b/v3/io/rfq/custom/shipping-methods Glist:d
b2b/v3/io/rfq/{} Gget:d Uupdate:db Ddelete:d
b2b/v3/io/rfq/{}/checkout =b2b.rfq Pcheckout:db
b2b/v3/io/rfq/{}/ordered =b2b.rfq PmarkAsOrdered:db
b2b/v3/io/rfq/{}/pdf-export =b2b.rfq PexportPdf:db
b2b/v3/io/rfq/{}/shipping-rates Glist:d
b2b/v3/io/rfq/{}/shipping-rate Uset:db Dremove:n
b2b/v3/io/rfq/emails =b2b.rfq Pemail:db
b2b/v3/io/shopping-list Glist:dqo Pcreate:db
b2b/v3/io/shopping-list/{} Gget:dq Uupdate:db Ddelete:dq
b2b/v3/io/shopping-list/{}/items/{} Ddelete:d
b2b/v3/io/orders/extra-fields Glist:dqo
b2b/v3/io/orders Glist:dqo Pcreate:db
b2b/v3/io/orders/{} Gget:d Uupdate:db
b2b/v3/io/orders/{}/products Glist:d
b2b/v3/io/customers/{}/orders/b2b =b2b.customers UmoveOrders:db
b2b/v3/io/customers/{}/orders/company =b2b.customers UmoveOrdersToGroup:db
b2b/v3/io/ip/invoices/extra-fields Glist:dqo
b2b/v3/io/ip/invoices Glist:dqo Pcreate:db
b2b/v3/io/ip/invoices/{} Gget:d Uupdate:db Ddelete:d
b2b/v3/io/ip/orders/{}/invoices Pcreate:db
b2b/v3/io/ip/invoices/{}/download-pdf Gget:d
b2b/v3/io/ip/payments GlistOfInvoices:dqo
b2b/v3/io/ip/payments/{} Gget:d Ddelete:d
b2b/v3/io/ip/payments/{}/operations Glist:d Poperate:db
b2b/v3/io/ip/payments/{}/processing-status Uupdate:db
b2b/v3/io/ip/payments/{}/transactions Glist:d
b2b/v3/io/ip/payments/offline Pcreate:db
b2b/v3/io/ip/payments/offline/{} Ureplace:db
b2b/v3/io/ip/receipts Glist:dqo
b2b/v3/io/ip/receipts/{} Gget:d Ddelete:d
b2b/v3/io/ip/receipt-lines GlistAll:dqo
b2b/v3/io/ip/receipts/{}/lines Glist:dqo
b2b/v3/io/ip/receipts/{}/lines/{} Gget:d Ddelete:d
`
