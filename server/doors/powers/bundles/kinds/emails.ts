import { isObject } from '../../../../core/objects.ts'
import { type BundleKind, without } from './kind.ts'

const TEMPLATES = '/v3/marketing/email-templates'

export const emailKinds: readonly BundleKind[] = [
  {
    name: 'templates',
    area: 'emails',
    list: TEMPLATES,
    paging: 'whole',
    isOptional: true,
    key: 'type_id',
    create: {
      path: TEMPLATES,
      // Every store has all templates. One that is right already is not written: it follows the server.
      match: { by: ({ type_id }) => String(type_id), path: `${TEMPLATES}/{id}` },
    },
  },
  {
    name: 'templates-of-channels',
    area: 'emails',
    list: `${TEMPLATES}?channel_id={under}`,
    paging: 'whole',
    under: { kind: 'channels' },
    key: null,
    rowsIn: ({ data, meta }) => {
      const overridden: readonly unknown[] = isObject(meta) && Array.isArray(meta.overridden) ? meta.overridden : []
      return Array.isArray(data) ? data.filter((row) => isObject(row) && overridden.includes(row.type_id)) : []
    },
    create: { method: 'PUT', path: `${TEMPLATES}/{type_id}?channel_id={under}` },
  },
  {
    name: 'abandoned-cart-emails',
    area: 'emails',
    list: '/v3/marketing/abandoned-cart-emails',
    paging: 'whole',
    isOptional: true,
    toBundle: (row) => without(row, 'sent_num'),
    create: { path: '/v3/marketing/abandoned-cart-emails' },
  },
]
