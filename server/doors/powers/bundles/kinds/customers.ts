import { isObject } from '../../../../core/objects.ts'
import type { Row } from '../bundle.ts'
import { type BundleKind, without } from './kind.ts'

const FORM_FIELDS = ['addresses', 'attributes', 'formfields', 'storecredit'].join(',')

export const customerKinds: readonly BundleKind[] = [
  {
    name: 'customer-groups',
    area: 'customers',
    list: '/v2/customer_groups',
    paging: 'v2',
    refs: {
      'category_access.categories[]': 'categories',
      'discount_rules[].category_id': 'categories',
      'discount_rules[].product_id': 'products',
      'discount_rules[].price_list_id': 'price-lists',
    },
    create: { path: '/v2/customer_groups' },
  },
  {
    name: 'customer-attributes',
    area: 'customers',
    list: '/v3/customers/attributes',
    paging: 'pages',
    create: { path: '/v3/customers/attributes', batch: 10 },
  },
  {
    name: 'customers',
    area: 'customers',
    list: `/v3/customers?include=${FORM_FIELDS}`,
    paging: 'pages',
    refs: {
      customer_group_id: 'customer-groups',
      origin_channel_id: 'channels',
      'channel_ids[]': 'channels',
      'attributes[].attribute_id': 'customer-attributes',
    },
    create: { path: '/v3/customers', batch: 10, body: withoutFormFields },
  },
  {
    name: 'subscribers',
    area: 'customers',
    list: '/v3/customers/subscribers',
    paging: 'pages',
    refs: { channel_id: 'channels' },
    create: { path: '/v3/customers/subscribers', body: (row) => without(row, 'order_id') },
  },
  {
    name: 'wishlists',
    area: 'customers',
    list: '/v3/wishlists',
    paging: 'pages',
    refs: { customer_id: 'customers', 'items[].product_id': 'products', 'items[].variant_id': 'variants' },
    create: { path: '/v3/wishlists' },
  },
]

/** A bundle has no form fields, and a value of a field that the store does not have would refuse its customer. */
function withoutFormFields(customer: Row): Row {
  const addresses = Array.isArray(customer.addresses) ? customer.addresses.filter(isObject) : []
  return {
    ...without(customer, 'form_fields'),
    addresses: addresses.map((address) => without(address, 'form_fields')),
  }
}
