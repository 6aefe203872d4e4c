import { html, Markup, NO_ICON, pageHeadersFor, pageText, withCode } from '../../../core/markup.ts'
import type { ApiDocument } from '../../../core/rest/document/document.ts'
import { type Guide, guideMarkup } from './guides.ts'

/** A schema of the document, as far as the pages show it. */
interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  patternProperties?: Record<string, Schema>
  additionalProperties?: boolean | Schema
  required?: string[]
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  description?: string
  examples?: unknown[]
  readOnly?: boolean
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

type Content = Record<string, { schema: Schema }>

interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: []
  'x-scopes'?: string[]
  parameters: (Parameter | { $ref: string })[]
  requestBody?: { content: Content }
  responses: Record<string, { description?: string; content?: Content; $ref?: string }>
}

interface Described {
  method: string
  path: string
  operation: Operation
}

const style = `
  body { margin: 1.5rem auto; max-width: 62rem; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; color: #1b1f24; }
  .skip { position: absolute; left: -100rem; } .skip:focus { position: static; } #hits li { margin: .3rem 0; overflow-wrap: anywhere; }
  h1 { font-size: 1.5rem; } h2 { margin: 2.5rem 0 .5rem; font-size: 1.2rem; } h3 { margin: 1.2rem 0 .3rem; font-size: 1rem; }
  a { color: #0550ae; } code, pre, textarea, .path { font: 13px/1.45 ui-monospace, monospace; }
  .path { overflow-wrap: anywhere; color: #59636e; } .quiet { color: #59636e; }
  .method { display: inline-block; min-width: 3.6rem; font: bold 12px ui-monospace, monospace; }
  .get { color: #0550ae; } .post { color: #1a7f37; } .put { color: #9a6700; } .delete { color: #cf222e; }
  ul.operations { margin: 0; padding: 0; list-style: none; } ul.operations li { margin: .15rem 0; }
  ul.areas { columns: 13rem; padding: 0; list-style: none; }
  .caller { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; padding: .75rem 1rem; background: #f6f8fa; border-radius: 6px; }
  .caller label { flex: 1 1 14rem; } input, textarea { box-sizing: border-box; width: 100%; padding: .25rem .4rem; font: inherit; }
  textarea { min-height: 6rem; field-sizing: content; max-height: 30rem; font: 13px/1.45 ui-monospace, monospace; } input[type=search] { max-width: 30rem; }
  section.operation { border-top: 1px solid #d0d7de; }
  .table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
  th, td { padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; font-weight: normal; }
  th[scope=row] { width: 15rem; overflow-wrap: anywhere; } td { overflow-wrap: anywhere; } td.value { width: 14rem; }
  pre { margin: .5rem 0; padding: .6rem 1rem; background: #f6f8fa; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 32rem; overflow-y: auto; }
  button { padding: .35rem 1.2rem; font: inherit; } summary { cursor: pointer; margin: .5rem 0; }
  .shape:target h3, .operation:target h2 { background: #fff8c5; }
  @media (prefers-color-scheme: dark) {
    body { color: #d1d7e0; background: #0d1117; } a, .get { color: #6cb6ff; } .path, .quiet { color: #9da7b3; }
    .post { color: #57ab5a; } .put { color: #d4a72c; } .delete { color: #f47067; }
    .caller, pre { background: #161b22; } section.operation { border-color: #3d444d; }
    .shape:target h3, .operation:target h2 { background: #4d3d0b; }
  }
  @media (max-width: 40rem) { tr, th[scope=row], td, td.value { display: block; width: auto; padding-right: 0; } tr { margin-bottom: .6rem; } }
`

const ownHeaders = pageHeadersFor(style)

/** The pages run the script of this server, which asks this server; nothing else is loaded, run or asked. */
export const referenceHeaders = {
  ...ownHeaders,
  'content-security-policy': `${ownHeaders['content-security-policy']}; script-src 'self'; connect-src 'self'; img-src data:`,
  'cache-control': 'no-cache',
}

/** All operations of the document, in its order. */
const operationsOf = ({ paths }: ApiDocument): Described[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation: operation as Operation })),
  )

export const slugOf = (tag: string) =>
  tag
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** The groups of operations by the names of their pages: `brand-metafields`. */
export const slugsOf = (document: ApiDocument): Map<string, string> =>
  new Map(operationsOf(document).flatMap(({ operation }) => operation.tags.map((tag) => [slugOf(tag), tag] as const)))

/** A guide, and the list of all guides beside the links of every page. */
export const guidePage = ({ title, text }: Guide, isDemo: boolean): string =>
  page(
    title,
    isDemo,
    html`<p><a href="/docs">All operations</a> · <a href="/docs/guides">All guides</a></p>${guideMarkup(text)}`,
  )

export const guidesPage = (guides: readonly Guide[], isDemo: boolean): string =>
  page(
    'Guides',
    isDemo,
    html`<p><a href="/docs">All operations</a></p>
<ul>${guides.map(({ name, title }) => html`<li><a href="/docs/guides/${name}">${title}</a></li>`)}</ul>`,
  )

/** All groups by area, with the operations of each. */
export function indexPage(document: ApiDocument, isDemo: boolean): string {
  const operations = operationsOf(document)
  const areas = document['x-tagGroups'] as { name: string; tags: string[] }[]
  const { title, description, version } = document.info as { title: string; description: string; version: string }
  return page(
    title,
    isDemo,
    html`<p class="quiet">Version ${version}. The document is <a href="/openapi.json">/openapi.json</a>; <a href="/docs/errors">/docs/errors</a> explains
refusals, and the <a href="/docs/guides">guides</a> explain everything else.</p>
${description.split('\n\n').map((paragraph) => html`<p>${withCode(paragraph)}</p>`)}
<nav aria-label="Areas"><ul class="areas">${areas.map(({ name }) => html`<li><a href="#${slugOf(name)}">${name}</a></li>`)}</ul></nav>
${areas.map(
  ({ name, tags }) => html`<section class="area"><h2 id="${slugOf(name)}">${name}</h2>
${tags.map(
  (tag) => html`<section class="group"><h3><a href="/docs/${slugOf(tag)}">${tag}</a></h3>
<ul class="operations">${operations
    .filter(({ operation }) => operation.tags.includes(tag))
    .map(
      ({ method, path, operation }) => html`<li>${methodMark(method)}
<a href="/docs/${slugOf(tag)}#${operation.operationId}">${operation.summary}</a> <span class="path">${path}</span></li>`,
    )}</ul></section>`,
)}</section>`,
)}`,
  )
}

/** The operations of a group, each with its form, and the shapes that they name. */
export function pageOfGroup(document: ApiDocument, tag: string, isDemo: boolean): string {
  const operations = operationsOf(document).filter(({ operation }) => operation.tags.includes(tag))
  const { schemas } = document.components as { schemas: Record<string, Schema> }
  const named = new Set<string>()
  for (const { operation } of operations) {
    const contents = [operation.requestBody, ...Object.values(operation.responses)].map((part) => part?.content ?? {})
    for (const content of contents) for (const { schema } of Object.values(content)) nameShapes(schema, schemas, named)
  }
  return page(
    tag,
    isDemo,
    html`<p><a href="/docs">All operations</a> · <a href="/docs/errors">Meaning of refusals</a></p>
<ul class="operations">${operations.map(
      ({ method, operation }) =>
        html`<li>${methodMark(method)} <a href="#${operation.operationId}">${operation.summary}</a></li>`,
    )}</ul>
${operations.map((one) => operationSection(one, schemas))}
<h2>Shapes</h2>
${[...named]
  .toSorted()
  .map(
    (name) => html`<section class="shape" id="shape-${name}"><h3>${name}</h3>${shapeOf(schemas[name] ?? {})}</section>`,
  )}`,
  )
}

const page = (title: string, isDemo: boolean, content: Markup): string =>
  pageText(
    `${title} (storeward)`,
    style,
    html`<a class="skip" href="#content">Skip to the content</a>
<header><h1>${title}</h1>
<p><label>Search <input type="search" id="find" placeholder="refund part of an order" aria-describedby="find-help"></label> <span class="quiet" id="find-help">or press /</span></p>
<p id="none" role="status" hidden>Nothing contains these words.</p>
<ol id="hits" aria-label="Results" hidden></ol>
<form class="caller" id="caller" autocomplete="off">
<label>Store <input id="store" placeholder="store hash" spellcheck="false"></label>
<label>X-Auth-Token <input id="token" type="password" placeholder="token of an API account" spellcheck="false"></label>
</form></header>
<main id="content">${content}</main>`,
    html`${NO_ICON}<meta name="color-scheme" content="light dark"><script src="/docs/script.js" type="module" ${isDemo ? 'data-demo' : ''}></script>`,
  )

const methodMark = (method: string) => html`<span class="method ${method}">${method.toUpperCase()}</span>`

function operationSection({ method, path, operation }: Described, schemas: Record<string, Schema>) {
  const {
    operationId,
    summary,
    description = '',
    requestBody,
    responses,
    security,
    'x-scopes': scopes = [],
  } = operation
  const asked = operation.parameters.filter((parameter) => 'name' in parameter)
  // The store is filled in at the top of the page.
  const shown = asked.filter(({ name }) => name !== 'store_hash' && name !== 'X-Store-Hash')
  const needsStore = asked.some(({ name }) => name === 'X-Store-Hash')
  const [[type, { schema: body }] = ['', { schema: undefined }]] = Object.entries(requestBody?.content ?? {})
  const [status, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? ['', undefined]
  const [answered] = Object.values(answer?.content ?? {})
  const refusals = Object.keys(responses).filter((one) => !one.startsWith('2'))
  return html`<section class="operation" id="${operationId}"><h2>${summary}</h2>
<p>${methodMark(method)} <span class="path">${path}</span></p>
${description === '' ? '' : html`<p>${withCode(description)}</p>`}
${scopes.length > 0 ? html`<p class="quiet">Needs the scope ${scopes.map((scope, i) => html`${i > 0 ? ' or ' : ''}<code>${scope}</code>`)}</p>` : ''}
<form data-method="${method.toUpperCase()}" data-path="${path}" data-type="${type}" ${security ? 'data-open' : ''} ${needsStore ? 'data-store-header' : ''}>
${shown.length > 0 ? html`<div class="table"><table>${shown.map((one) => parameterRow(one, method))}</table></div>` : ''}
${body ? html`<h3>Body</h3>${bodyInputs(body, type, schemas)}` : ''}
<p><button>Send</button></p>
<details><summary>As a command</summary><pre class="command"></pre></details>
<div role="status" class="answer"></div>
</form>
${answer ? html`<h3>Answer ${status}</h3>${answered ? shapeOf(answered.schema) : html`<p class="quiet">without a body</p>`}` : ''}
<p class="quiet">Refusals: ${refusals.flatMap((one) => [html`<a href="/docs/errors#${one}">${one}</a> `])}</p>
</section>
`
}

const REQUIRED = html` <span class="quiet">required</span>`

function parameterRow({ name, in: place, required = false, description, schema }: Parameter, method: string) {
  const isId = place === 'path' && schema.type === 'integer'
  // The page may send the first request. A person chooses requests that change or delete.
  const value = isId && method === 'get' ? 'value="1"' : ''
  const says = description ?? schema.description ?? ''
  return html`<tr><th scope="row"><code>${name}</code>${required ? REQUIRED : ''}</th>
<td class="value"><input name="${place}:${name}" aria-label="${name}" ${new Markup(value)} ${required ? 'required' : ''}></td>
<td>${typeOf(schema)} <span class="quiet">${says}</span></td></tr>`
}

function bodyInputs(schema: Schema, type: string, schemas: Record<string, Schema>): Markup {
  const body = resolved(schema, schemas)
  const { properties = {}, examples = [] } = body
  const fields = shapeOf(body)
  if (type.startsWith('multipart/')) {
    return html`${Object.keys(properties).map(
      (name) => html`<p><label><code>${name}</code> <input type="file" name="file:${name}"></label></p>`,
    )}${fields}`
  }
  return html`<textarea name="body" aria-label="Body" spellcheck="false">${JSON.stringify(examples[0] ?? {}, null, 2)}</textarea>
<details><summary>Fields</summary>${fields}</details>`
}

const nameOf = (ref: string) => ref.split('/').at(-1) ?? ''

const resolved = (schema: Schema, schemas: Record<string, Schema>): Schema =>
  schema.$ref === undefined ? schema : resolved(schemas[nameOf(schema.$ref)] ?? {}, schemas)

/** Adds the names of all shapes that a schema leads to. */
function nameShapes(schema: Schema, schemas: Record<string, Schema>, named: Set<string>) {
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
}: Schema): Schema[] => [
  ...Object.values(properties),
  ...Object.values(patternProperties),
  ...anyOf,
  ...(items ? [items] : []),
  ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
]

/** A table of the fields of an object, or the description of another value. */
function shapeOf(schema: Schema): Markup {
  const rows = rowsOf(schema, '')
  return rows.length > 0 ? html`<div class="table"><table>${rows}</table></div>` : html`<p>${typeOf(schema)}</p>`
}

/** The fields of an object or of a list of objects; those of objects without a name follow, with the path to them. */
function rowsOf(schema: Schema, place: string): Markup[] {
  const { properties = {}, required = [] } = schema.items?.properties ? schema.items : schema
  return Object.entries(properties).flatMap(([name, field]) => [
    html`<tr><th scope="row"><code>${place}${name}</code>${required.includes(name) ? REQUIRED : ''}</th>
<td>${typeOf(field)}${field.readOnly ? ', read-only' : ''} <span class="quiet">${field.description ?? ''}</span></td></tr>`,
    ...rowsOf(field, `${place}${name}${field.items?.properties ? '[]' : ''}.`),
  ])
}

/** The description of a value: `text, 1 to 255 characters`. */
function typeOf(schema: Schema): Markup {
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
