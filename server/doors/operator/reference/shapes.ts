import { html, type Markup, withCode } from '../../../core/markup.ts'

/** A schema of the document, as far as the pages show it. */
export interface ShownSchema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: ShownSchema[]
  items?: ShownSchema
  properties?: Record<string, ShownSchema>
  patternProperties?: Record<string, ShownSchema>
  additionalProperties?: boolean | ShownSchema
  required?: string[]
  format?: string
  contentMediaType?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  description?: string
  examples?: unknown[]
  readOnly?: boolean
  writeOnly?: boolean
}

export type Schemas = Readonly<Record<string, ShownSchema>>

const nameOf = (ref: string) => ref.split('/').at(-1) ?? ''

export const resolved = (schema: ShownSchema, schemas: Schemas): ShownSchema =>
  schema.$ref === undefined ? schema : resolved(schemas[nameOf(schema.$ref)] ?? {}, schemas)

/** Adds the names of all shapes that a schema leads to. */
export function nameShapes(schema: ShownSchema, schemas: Schemas, named: Set<string>) {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref)
    if (named.has(name)) return
    named.add(name)
    nameShapes(schemas[name] ?? {}, schemas, named)
  }
  for (const part of partsOf(schema)) nameShapes(part, schemas, named)
}

const partsOf = ({
  properties = {},
  patternProperties = {},
  anyOf = [],
  items,
  additionalProperties,
}: ShownSchema): ShownSchema[] => [
  ...Object.values(properties),
  ...Object.values(patternProperties),
  ...anyOf,
  ...(items ? [items] : []),
  ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
]

/** Every named shape, folded. The script shows a copy where a shape is used. */
export const shapeSections = (named: ReadonlySet<string>, schemas: Schemas): Markup[] =>
  [...named]
    .toSorted()
    .map(
      (name) =>
        html`<details class="fold shape" id="shape-${name}"><summary><h3>${name}</h3></summary>${shapeOf(schemas[name] ?? {})}</details>`,
    )

/** A table of the fields of an object, or the description of another value. */
export function shapeOf(schema: ShownSchema): Markup {
  const rows = rowsOf(schema, '')
  return rows.length > 0 ? html`<div class="table"><table>${rows}</table></div>` : html`<p>${typeOf(schema)}</p>`
}

export const REQUIRED = html` <span class="quiet">required</span>`

/** The fields of an object or of a list of objects; those of objects without a name follow, with the path to them. */
function rowsOf(schema: ShownSchema, place: string): Markup[] {
  const { properties = {}, required = [] } = schema.items?.properties ? schema.items : schema
  return Object.entries(properties).flatMap(([name, field]) => [
    html`<tr><th scope="row"><code>${place}${name}</code>${required.includes(name) ? REQUIRED : ''}</th>
<td>${typeOf(field)}${field.readOnly ? ', read-only' : ''}${field.writeOnly ? ', never answered' : ''} <span class="quiet">${withCode(field.description ?? '')}</span></td></tr>`,
    ...rowsOf(field, `${place}${name}${field.items?.properties ? '[]' : ''}.`),
  ])
}

/** The description of a value: `text, 1 to 255 characters`. */
export function typeOf(schema: ShownSchema): Markup {
  const { $ref, type, enum: words, const: only, anyOf, items, format, minItems, maxItems } = schema
  if ($ref !== undefined) return html`<a href="#shape-${nameOf($ref)}">${nameOf($ref)}</a>`
  if (words) return html`${words.map((word, i) => html`${i > 0 ? ', ' : ''}<code>${JSON.stringify(word)}</code>`)}`
  if (only !== undefined) return html`<code>${JSON.stringify(only)}</code>`
  if (anyOf) return html`${anyOf.map((one, i) => html`${i > 0 ? ' or ' : ''}${typeOf(one)}`)}`
  const types = [type ?? 'any value'].flat().map((one) => (one === 'string' ? 'text' : one))
  if (types[0] === 'array') return html`list of ${typeOf(items ?? {})}${rangeOf(minItems, maxItems, ' items')}`
  const shape = format === undefined ? '' : ` (${format})`
  return html`${types.join(' or ')}${shape}${rangeOf(schema.minLength, schema.maxLength, ' characters')}${rangeOf(schema.minimum, schema.maximum, '')}`
}

function rangeOf(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined && most === undefined) return ''
  const number = (value: number) => value.toLocaleString('en')
  if (least === undefined) return `, at most ${number(most ?? 0)}${unit}`
  if (most === undefined) return `, at least ${number(least)}${unit}`
  return `, ${number(least)} to ${number(most)}${unit}`
}
