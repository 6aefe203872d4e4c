import { isObject } from '../../../../core/objects.ts'
import type { Row } from '../bundle.ts'
import { type BundleKind, metafieldKind, without } from './kind.ts'

/** A site without the addresses that its server gives it. */
function siteToBundle({ id, channel_id, url, urls }: Row): Row {
  const given = Array.isArray(urls) ? urls.filter(isObject).filter(({ type }) => type === 'canonical') : []
  return { id, channel_id, url: given.some((address) => address.url === url) ? '' : url }
}

export const storeKinds: readonly BundleKind[] = [
  {
    name: 'channels',
    area: 'store',
    list: '/v3/channels',
    paging: 'pages',
    create: {
      path: '/v3/channels',
      match: { by: ({ id }) => (id === 1 ? 'first' : undefined), path: '/v3/channels/{id}' },
      body: (row, { id }) => (id === 1 ? { name: row.name } : row),
    },
  },
  {
    name: 'sites',
    area: 'store',
    list: '/v3/sites',
    paging: 'pages',
    refs: { channel_id: 'channels' },
    toBundle: siteToBundle,
    create: { path: '/v3/sites', by: 'sites' },
  },
  {
    name: 'channel-menus',
    area: 'store',
    list: '/v3/channels/{under}/channel-menus',
    paging: 'object',
    under: { kind: 'channels' },
    key: null,
    create: {
      path: '/v3/channels/{under}/channel-menus',
      body: (row) => (Object.values(row).every((list) => Array.isArray(list) && list.length === 0) ? undefined : row),
    },
  },
  metafieldKind('channel', { area: 'store', kind: 'channels', path: 'channels' }),
  {
    name: 'currencies',
    area: 'store',
    list: '/v2/currencies',
    paging: 'v2',
    create: {
      path: '/v2/currencies',
      match: { by: ({ currency_code }) => String(currency_code), path: '/v2/currencies/{id}' },
      body: (row) => (row.is_default ? row : without(row, 'is_default')),
    },
  },
  {
    name: 'currency-assignments',
    area: 'store',
    list: '/v3/channels/currency-assignments',
    paging: 'pages',
    key: null,
    refs: { channel_id: 'channels' },
    neededRefs: ['channel_id'],
    create: { method: 'PUT', path: '/v3/channels/currency-assignments', batch: 25 },
  },
]
