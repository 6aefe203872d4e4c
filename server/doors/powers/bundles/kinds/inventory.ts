import { isObject } from '../../../../core/objects.ts'
import type { Row } from '../bundle.ts'
import { type BundleKind, metafieldKind, rowsIn } from './kind.ts'

export const inventoryKinds: readonly BundleKind[] = [
  {
    name: 'locations',
    area: 'inventory',
    list: '/v3/inventory/locations',
    paging: 'pages',
    create: {
      path: '/v3/inventory/locations',
      batch: 1,
      // Every store has its first location.
      match: { by: ({ id }) => (id === 1 ? 'first' : undefined), path: '/v3/inventory/locations', isBatch: true },
      find: ({ code }) => `/v3/inventory/locations?location_code:in=${encodeURIComponent(String(code))}`,
    },
  },
  metafieldKind('location', { area: 'inventory', kind: 'locations', path: 'inventory/locations' }),
  {
    name: 'stock',
    area: 'inventory',
    list: '/v3/inventory/items',
    paging: 'pages',
    key: null,
    refs: {
      'identity.variant_id': 'variants',
      'identity.product_id': 'products',
      'locations[].location_id': 'locations',
    },
    create: {
      method: 'PUT',
      path: '/v3/inventory/adjustments/absolute',
      batch: 100,
      body: stockBody,
      bodyOfAll: (bodies) => ({
        reason: 'Import of a bundle',
        items: bodies.flatMap(({ items }) => rowsIn(items)),
      }),
    },
  },
  {
    name: 'pickup-methods',
    area: 'inventory',
    list: '/v3/pickup/methods',
    paging: 'pages',
    refs: { location_id: 'locations' },
    create: { path: '/v3/pickup/methods', batch: 1 },
  },
]

/** The quantities of an item at its locations. */
function stockBody({ identity, locations }: Row): object | undefined {
  if (!isObject(identity) || !Array.isArray(locations)) return undefined
  // A product whose stock is counted as a whole has no variant.
  const item = 'variant_id' in identity ? { variant_id: identity.variant_id } : { product_id: identity.product_id }
  const items = locations
    .filter(isObject)
    .map(({ location_id, total_inventory_onhand }) => ({ location_id, ...item, quantity: total_inventory_onhand }))
    .filter(({ quantity }) => typeof quantity === 'number')
  return items.length === 0 ? undefined : { items }
}
