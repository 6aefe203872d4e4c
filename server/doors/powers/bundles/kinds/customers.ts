import { isObject } from '../../../../core/objects.ts'
import type { Row } from '../bundle.ts'
import { type BundleKind, metafieldKind, without } from './kind.ts'

/** All sub-resources of a customer that its list can show. */
const PARTS = 'addresses,attributes,formfields,storecredit'

export const customerKinds: readonly BundleKind[] = [
  {
    name: 'form-fields',
    area: 'customers',
    list: '/v3/settings/form-fields',
    paging: 'object',
    isOptional: true,
    key: null,
    create: { method: 'PUT', path: '/v3/settings/form-fields' },
  },
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
    list: `/v3/customers?include=${PARTS}`,
    paging: 'pages',
    refs: {
      customer_group_id: 'customer-groups',
      origin_channel_id: 'channels',
      'channel_ids[]': 'channels',
      'attributes[].attribute_id': 'customer-attributes',
    },
    create: { path: '/v3/customers', batch: 10, second: withoutFormFields },
  },
  metafieldKind('customer', { area: 'customers', kind: 'customers', path: 'customers' }),
  {
    name: 'segments',
    area: 'customers',
    list: '/v3/segments',
    paging: 'pages',
    isOptional: true,
    create: { path: '/v3/segments', batch: 25 },
  },
  {
    name: 'shopper-profiles',
    area: 'customers',
    list: '/v3/shopper-profiles',
    paging: 'pages',
    isOptional: true,
    refs: { customer_id: 'customers' },
    neededRefs: ['customer_id'],
    create: { path: '/v3/shopper-profiles', batch: 25 },
  },
  {
    name: 'segment-members',
    area: 'customers',
    list: '/v3/segments/{under}/shopper-profiles',
    paging: 'pages',
    under: { kind: 'segments' },
    key: null,
    refs: { id: 'shopper-profiles' },
    neededRefs: ['id'],
    toBundle: ({ $under, id }) => ({ $under, id }),
    create: { path: '/v3/segments/{under}/shopper-profiles', batch: 50, body: ({ id }) => String(id) },
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

/** A value of a field that the store does not have, or of an option that the field has no more, would refuse its customer. */
function withoutFormFields(customer: Row): Row {
  const addresses = Array.isArray(customer.addresses) ? customer.addresses.filter(isObject) : []
  return {
    ...without(customer, 'form_fields'),
    addresses: addresses.map((address) => without(address, 'form_fields')),
  }
}
