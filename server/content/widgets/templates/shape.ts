import t, { type Static } from 'typebox'
import { isObject } from '../../../core/objects.ts'
import { Id, Line, Moment, NeededLine } from '../../../core/rest/input/fields.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { collection } from '../../../core/rest/lists/collection.ts'

/** The kind of templates that clients create. */
export const CUSTOM = 'custom'

/** UTF-8 bytes of each text of a template. */
const TEXT_BYTES_MAX = 256 * 1024

/** A part of the form in which merchants configure a widget. Its nested parts are checked by `schemaMistakes`. */
const SchemaElement = t.Unsafe<{ type: 'tab' | 'array' | 'hidden' } & Readonly<Record<string, unknown>>>(
  t.Object({ type: t.Enum(['tab', 'array', 'hidden']) }, { additionalProperties: true, title: 'WidgetSchemaElement' }),
)

/**
 * A template makes the HTML of widgets from their configurations. Its schema describes the form for such a configuration. The texts of a
 * template are stored in versions, and every widget names a version: a new version leaves existing widgets as they are, while a change of
 * the current version changes all its widgets (docs/contract/widgets.md section 1).
 */
export const WidgetTemplate = t.Object(
  {
    uuid: t.String({ format: 'uuid' }),
    name: NeededLine,
    kind: t.String({ description: 'custom, or the kind of a built-in template' }),
    channel_id: t.Integer({ description: '0 for a built-in template' }),
    icon_name: t.String(),
    client_rerender: t.Boolean(),
    template_engine: t.String(),
    schema: t.Array(SchemaElement),
    schema_translations: t.String(),
    template: t.String({ description: 'Handlebars' }),
    storefront_api_query: t.String({ description: 'A GraphQL query, stored as sent' }),
    current_version_uuid: t.String({ format: 'uuid' }),
    date_created: Moment,
    date_modified: Moment,
  },
  { title: 'WidgetTemplate' },
)
export type WidgetTemplate = Static<typeof WidgetTemplate>

/** A template without its texts. */
const WidgetTemplateRow = t.Object({
  id: Id,
  uuid: Line,
  channel_id: t.Integer(),
  name: NeededLine,
  schema_translations: t.String(),
  current_version_uuid: Line,
  date_created: Moment,
  date_modified: Moment,
})
export type WidgetTemplateRow = Static<typeof WidgetTemplateRow>

export const widgetTemplates = collection('widget_templates', WidgetTemplateRow, {
  noun: 'widget template',
  filters: '',
  max: 5_000,
})

/** The texts of a version. */
export type TemplateTexts = Pick<WidgetTemplate, 'template' | 'schema' | 'storefront_api_query'>

const SETTING_TYPES = [
  'alignment',
  'boolean',
  'boxModel',
  'code',
  'color',
  'imageManager',
  'input',
  'number',
  'productId',
  'productImage',
  'range',
  'regexInput',
  'select',
  'text',
  'toggle',
]

/** The mistakes of the texts beyond their types: texts that are too long, and schemas of unknown types. */
export function templateMistakes(
  texts: Partial<TemplateTexts & Pick<WidgetTemplate, 'schema_translations'>>,
): Mistakes {
  const mistakes: Mistakes = {}
  for (const [field, value] of Object.entries(texts)) {
    if (bytesOfText(value) > TEXT_BYTES_MAX) mistakes[field] = `${field} must have at most ${TEXT_BYTES_MAX} bytes.`
  }
  return { ...mistakes, ...schemaMistakes(texts.schema ?? [], 'schema') }
}

const bytesOfText = (value: unknown) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))

export const bytesOfTexts = (texts: TemplateTexts): number =>
  bytesOfText(texts.template) + bytesOfText(texts.schema) + bytesOfText(texts.storefront_api_query)

/** The unknown types in a schema, by path. Only types are checked: other facts are for the forms of clients. */
function schemaMistakes(elements: readonly unknown[], path: string, isNested = false): Mistakes {
  const mistakes: Mistakes = {}
  for (const [i, element] of elements.entries()) {
    const at = `${path}.${i}`
    if (!isObject(element)) mistakes[at] = 'error.expected.jsobject'
    else if (element.type === 'tab') {
      for (const [j, section] of listIn(element, 'sections', at, mistakes).entries()) {
        if (isObject(section)) settingMistakes(section, `${at}.sections.${j}`, mistakes)
        else mistakes[`${at}.sections.${j}`] = 'error.expected.jsobject'
      }
    } else if (element.type === 'hidden') settingMistakes(element, at, mistakes)
    else if (element.type === 'array' && !isNested) {
      Object.assign(mistakes, schemaMistakes(listIn(element, 'schema', at, mistakes), `${at}.schema`, true))
    } else mistakes[`${at}.type`] = `type must be ${isNested ? 'tab or hidden' : 'tab, array or hidden'}.`
  }
  return mistakes
}

function settingMistakes(owner: Readonly<Record<string, unknown>>, path: string, mistakes: Mistakes) {
  for (const [i, setting] of listIn(owner, 'settings', path, mistakes).entries()) {
    const type = isObject(setting) ? setting.type : undefined
    if (!SETTING_TYPES.some((known) => known === type)) {
      mistakes[`${path}.settings.${i}.type`] = `type must be one of ${SETTING_TYPES.join(', ')}.`
    }
  }
}

/** A list in an object; a missing one is empty. */
function listIn(owner: Readonly<Record<string, unknown>>, name: string, path: string, mistakes: Mistakes): unknown[] {
  const list = owner[name] ?? []
  if (Array.isArray(list)) return list
  mistakes[`${path}.${name}`] = 'error.expected.jsarray'
  return []
}
