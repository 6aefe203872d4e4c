import { isObject } from '../../../../core/objects.ts'
import type { Row } from '../bundle.ts'
import { type BundleKind, only, type Refs, without } from './kind.ts'

/** The kinds of rows that pages of a storefront are about. */
const ENTITIES: Readonly<Record<string, string>> = {
  product: 'products',
  category: 'categories',
  brand: 'brands',
  page: 'pages',
  post: 'posts',
}

/** A reference to a row of the kind that a field names: `product`, `brand`. */
const entityRef = (path: string, type: unknown): Refs => {
  const kind = ENTITIES[String(type)]
  return kind === undefined ? {} : { [path]: kind }
}

/** `pages/product` and `pages/custom/product/tall` are about products. */
const entityOfFile = (file: unknown) => /^pages\/(?:custom\/)?(\w+)/.exec(String(file))?.[1]

/** Only templates of the store have ids of their own: those of the server are the same in all stores. */
const widgetRefs = ({ widget_template_kind }: Row): Refs => ({
  channel_id: 'channels',
  ...(widget_template_kind === 'custom' ? { widget_template_uuid: 'widget-templates' } : {}),
})

function widgetToBundle({ widget_template, widget_configuration, ...row }: Row): Row {
  const template = isObject(widget_template) ? widget_template : {}
  return {
    ...only(row, ['uuid', 'name', 'description', 'channel_id']),
    widget_template_uuid: template.uuid,
    widget_template_kind: template.kind,
    widget_configuration: isObject(widget_configuration) ? without(widget_configuration, '_') : {},
  }
}

export const contentKinds: readonly BundleKind[] = [
  {
    name: 'pages',
    area: 'content',
    list: '/v3/content/pages?include=body',
    paging: 'pages',
    parent: 'parent_id',
    refs: { channel_id: 'channels', parent_id: 'pages' },
    create: {
      path: '/v3/content/pages',
      // A storefront has a page for its blog from the beginning.
      match: {
        by: ({ type, channel_id }) => (type === 'blog' ? `blog ${channel_id}` : undefined),
        path: '/v3/content/pages/{id}',
      },
    },
  },
  {
    name: 'posts',
    area: 'content',
    list: '/v2/blog/posts',
    paging: 'v2',
    create: {
      path: '/v2/blog/posts',
      body: ({ published_date_iso8601, ...row }) => ({
        ...without(row, 'published_date', 'thumbnail_path', 'preview_url', 'summary'),
        published_date: published_date_iso8601,
      }),
    },
  },
  {
    name: 'scripts',
    area: 'content',
    list: '/v3/content/scripts',
    paging: 'pages',
    key: 'uuid',
    refs: { channel_id: 'channels' },
    create: { path: '/v3/content/scripts', body: (row) => without(row, row.src === '' ? 'src' : 'html') },
  },
  {
    name: 'widget-templates',
    area: 'content',
    list: '/v3/content/widget-templates?widget_template_kind=custom',
    paging: 'pages',
    key: 'uuid',
    refs: { channel_id: 'channels' },
    create: { path: '/v3/content/widget-templates' },
  },
  {
    name: 'widgets',
    area: 'content',
    list: '/v3/content/widgets',
    paging: 'pages',
    key: 'uuid',
    refs: widgetRefs,
    toBundle: widgetToBundle,
    create: { path: '/v3/content/widgets', body: (row) => without(row, 'widget_template_kind') },
  },
  {
    name: 'placements',
    area: 'content',
    list: '/v3/content/placements',
    paging: 'pages',
    key: 'uuid',
    refs: ({ template_file }) => ({
      channel_id: 'channels',
      widget_uuid: 'widgets',
      ...entityRef('entity_id', entityOfFile(template_file)),
    }),
    // Without its row a placement would be on all pages of the file.
    neededRefs: ['entity_id', 'widget_uuid', 'channel_id'],
    toBundle: ({ widget, ...row }) => ({
      ...without(row, 'date_created', 'date_modified'),
      widget_uuid: isObject(widget) ? widget.uuid : undefined,
    }),
    create: { path: '/v3/content/placements' },
  },
  {
    name: 'template-associations',
    area: 'content',
    list: '/v3/storefront/custom-template-associations',
    paging: 'pages',
    isOptional: true,
    refs: ({ entity_type }) => ({ channel_id: 'channels', ...entityRef('entity_id', entity_type) }),
    neededRefs: ['entity_id', 'channel_id'],
    // It becomes valid with a theme that has the file.
    toBundle: (row) => without(row, 'is_valid'),
    create: { method: 'PUT', path: '/v3/storefront/custom-template-associations', batch: 25 },
  },
  {
    name: 'redirects',
    area: 'content',
    list: '/v3/storefront/redirects',
    paging: 'pages',
    refs: ({ to }) => ({ site_id: 'sites', ...entityRef('to.entity_id', isObject(to) ? to.type : undefined) }),
    neededRefs: ['site_id', 'to.entity_id'],
    create: { method: 'PUT', path: '/v3/storefront/redirects', batch: 100 },
  },
  {
    name: 'site-routes',
    area: 'content',
    list: '/v3/sites/{under}/routes',
    paging: 'pages',
    under: { kind: 'sites' },
    refs: ({ type }) => entityRef('matching', type),
    neededRefs: ['matching'],
    create: { path: '/v3/sites/{under}/routes' },
  },
]
