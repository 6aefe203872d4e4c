import { type BundleKind, only, rowsIn } from './kind.ts'

/**
 * Themes that were uploaded, with their archives and configurations, and the ones that channels show. The theme that comes with the server is
 * in a bundle without its archive, since channels may show it and it may have configurations.
 */
export const themeKinds: readonly BundleKind[] = [
  {
    name: 'themes',
    area: 'themes',
    list: '/v3/themes',
    paging: 'whole',
    isOptional: true,
    key: 'uuid',
    archive: { at: 'archive', of: ({ is_private, uuid }) => (is_private ? String(uuid) : undefined) },
    toBundle: (row) => ({
      ...only(row, ['uuid', 'name', 'is_private']),
      variations: rowsIn(row.variations).map((variation) => only(variation, ['uuid', 'external_id'])),
    }),
    create: { path: '/v3/themes', by: 'themes' },
  },
  {
    name: 'theme-configurations',
    area: 'themes',
    list: '/v3/themes/{under}',
    paging: 'pages',
    // A list of configurations needs their variation.
    under: {
      kind: 'themes',
      paths: ({ uuid, variations }) =>
        rowsIn(variations).map((variation) => `${uuid}/configurations?variation_uuid=${variation.uuid}`),
    },
    key: 'uuid',
    refs: { theme_uuid: 'themes', variation_uuid: 'theme-variations' },
    toBundle: (row) => only(row, ['uuid', 'theme_uuid', 'variation_uuid', 'settings']),
    create: { path: '/v3/themes', by: 'theme configurations' },
  },
  {
    name: 'active-themes',
    area: 'themes',
    list: '/v3/channels/{under}/active-theme',
    paging: 'object',
    under: { kind: 'channels' },
    key: null,
    refs: {
      active_theme_uuid: 'themes',
      active_theme_configuration_uuid: 'theme-configurations',
    },
    toBundle: (row) => only(row, ['$under', 'active_theme_uuid', 'active_theme_configuration_uuid']),
    create: { path: '/v3/themes/actions/activate', by: 'active themes' },
  },
]
