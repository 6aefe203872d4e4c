import { type BundleKind, without } from './kind.ts'

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
      // A store has a page for its blog from the beginning.
      match: {
        by: ({ type, channel_id }) => (type === 'blog' && channel_id === 1 ? 'blog' : undefined),
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
]
