import { type BundleKind, without } from './kind.ts'

export const storeKinds: readonly BundleKind[] = [
  {
    name: 'channels',
    area: 'store',
    list: '/v3/channels',
    paging: 'pages',
    create: {
      path: '/v3/channels',
      match: { by: ({ id }) => (id === 1 ? 'first' : undefined), path: '/v3/channels/{id}' },
      body: (row) => (row.id === 1 ? { name: row.name } : row),
    },
  },
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
]
