import type { WidgetTemplate } from './shape.ts'

/**
 * Templates that every store has under the same uuids, on all channels. They are no rows and change with the server. A change of a
 * text needs a new version uuid only if existing widgets must keep the old text.
 */
const define = (template: Pick<WidgetTemplate, 'uuid' | 'kind' | 'name' | 'template' | 'schema'>): WidgetTemplate => ({
  channel_id: 0,
  icon_name: 'default',
  client_rerender: false,
  template_engine: 'handlebars_v3',
  schema_translations: '',
  storefront_api_query: '',
  current_version_uuid: template.uuid.replace(/^0/, '1'),
  date_created: '2026-11-01T00:00:00.000Z',
  date_modified: '2026-11-01T00:00:00.000Z',
  ...template,
})

const setting = (type: string, id: string, label: string) => ({ type, id, label, default: '' })

/** The template of the examples: it exists in every store. */
export const TEXT_TEMPLATE = '0c1d6a52-7d2e-4b1f-9a64-51f0c7a3e801'

export const BUILTIN_TEMPLATES: readonly WidgetTemplate[] = [
  define({
    uuid: TEXT_TEMPLATE,
    kind: 'text',
    name: 'Text',
    template: '{{#if heading}}<h2>{{heading}}</h2>{{/if}}<p>{{text}}</p>',
    schema: [
      {
        type: 'tab',
        label: 'Content',
        sections: [
          { label: 'Text', settings: [setting('input', 'heading', 'Heading'), setting('text', 'text', 'Text')] },
        ],
      },
    ],
  }),
  define({
    uuid: '0c1d6a52-7d2e-4b1f-9a64-51f0c7a3e802',
    kind: 'html',
    name: 'HTML',
    template: '{{{html}}}',
    schema: [
      { type: 'tab', label: 'Content', sections: [{ label: 'HTML', settings: [setting('code', 'html', 'HTML')] }] },
    ],
  }),
]

const byUuid = new Map(BUILTIN_TEMPLATES.map((template) => [template.uuid, template]))
const byVersion = new Map(BUILTIN_TEMPLATES.map((template) => [template.current_version_uuid, template]))

export const builtinWidgetTemplate = (uuid: string): WidgetTemplate | undefined => byUuid.get(uuid)

export const builtinOfVersion = (version: string): WidgetTemplate | undefined => byVersion.get(version)
