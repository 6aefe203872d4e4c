import { html, type Markup, withCode } from '../../../core/markup.ts'
import type { ApiDocument } from '../../../core/rest/document/document.ts'
import { EXPLANATIONS } from './errors/explanations.ts'
import { slugOf } from './layout.ts'
import { REQUIRED, resolved, type Schemas, type ShownSchema, shapeOf, typeOf } from './shapes.ts'

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: ShownSchema
}

type Content = Record<string, { schema: ShownSchema; example?: unknown }>

interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: []
  'x-scopes'?: string[]
  'x-pages'?: string[]
  'x-publishes'?: string[]
  parameters: (Parameter | { $ref: string })[]
  requestBody?: { content: Content }
  responses: Record<string, { description?: string; content?: Content; $ref?: string }>
}

/** A method of the typed client: `orders.refunds.create`, and whether it resolves to a value or is read row by row. */
interface ClientMethod {
  name: string
  result: 'one' | 'rows'
}

export type ClientMethods = Readonly<Record<string, ClientMethod>>

export interface Described {
  method: string
  path: string
  operation: Operation
}

/** The parts of the document that the section of an operation needs. */
export interface Parts {
  schemas: Schemas
  parameters: Readonly<Record<string, Parameter>>
  responses: Readonly<Record<string, { description: string }>>
  /** Whether a list can be read at the path. */
  isList: (path: string) => boolean
  /** Methods of the typed client, by operation id. */
  clientMethods: ClientMethods
}

export function partsOf({ paths, components }: ApiDocument, clientMethods: ClientMethods): Parts {
  return {
    // The document is generated, and a test validates it: these are the types of its parts as this page reads them.
    schemas: components.schemas as Schemas,
    parameters: components.parameters as Parts['parameters'],
    responses: components.responses as Parts['responses'],
    isList: (path) => paths[path]?.get !== undefined,
    clientMethods,
  }
}

/** All operations of the document, in its order. */
export const describedOperations = ({ paths }: ApiDocument): Described[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation: operation as Operation })),
  )

/** The groups of operations by the names of their pages: `brand-metafields`. */
export const slugsOf = (document: ApiDocument): Map<string, string> =>
  new Map(
    describedOperations(document).flatMap(({ operation }) => operation.tags.map((tag) => [slugOf(tag), tag] as const)),
  )

export const methodMark = (method: string) => html`<span class="method ${method}">${method.toUpperCase()}</span>`

/** The section of an operation, folded until it is opened. */
export function operationSection({ method, path, operation }: Described, parts: Parts): Markup {
  const { operationId, summary, description = '', requestBody, responses, security } = operation
  const { 'x-scopes': scopes = [], 'x-pages': pages = [], 'x-publishes': publishes = [] } = operation
  const asked = operation.parameters.flatMap((one) =>
    'name' in one ? [one] : [parts.parameters[one.$ref.split('/').at(-1) ?? ''] ?? []].flat(),
  )
  // The store is filled in at the top of the page.
  const inputs = asked.filter(({ name }) => name !== 'store_hash' && name !== 'X-Store-Hash')
  const needsStore = asked.some(({ name }) => name === 'X-Store-Hash')
  // A form with a file works without a network; an address of a picture must be fetched.
  const bodies = Object.entries(requestBody?.content ?? {}).toSorted(
    ([one], [other]) => Number(other.startsWith('multipart/')) - Number(one.startsWith('multipart/')),
  )
  const [status, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? ['', undefined]
  const [answered] = Object.values(answer?.content ?? {})
  const refusals = Object.entries(responses).filter(([one]) => !one.startsWith('2'))
  return html`<details class="fold operation" id="${operationId}"><summary>${methodMark(method)} <h2>${summary}</h2> <span class="path">${path}</span></summary>
<div class="inner">
${description === '' ? '' : html`<p>${withCode(description)}</p>`}
${scopes.length > 0 ? html`<p class="quiet">Needs the scope ${scopes.map((scope, i) => html`${i > 0 ? ' or ' : ''}<a href="/docs/scopes#${scope}"><code>${scope}</code></a>`)}</p>` : ''}
${pages.length > 0 ? html`<p class="quiet">The list has pages: ${pages.map((way) => PAGES[way] ?? way).join(', or ')}. <a href="/docs/guides/conventions">Paging and filters</a></p>` : ''}
${publishes.length > 0 ? html`<p class="quiet">Publishes ${publishes.map((scope, i) => html`${i > 0 ? ', ' : ''}<a href="/docs/events#${scope}">${scope}</a>`)}</p>` : ''}
<p class="quiet">Limits: ${limitsOf(asked, bodies, parts.schemas).map((limit) => html`${limit}; `)}<a href="/docs/guides/limits">requests in a time, sizes</a></p>
<form data-operation="${operationId}" data-method="${method.toUpperCase()}" data-path="${path}" data-type="${bodies[0]?.[0] ?? ''}" ${clientAttributes(parts.clientMethods[operationId])} ${security ? 'data-open' : ''} ${needsStore ? 'data-store-header' : ''}>
${parameterTables(inputs, path, parts)}
${bodies.length > 0 ? html`<h3>Body</h3>${bodies.length > 1 ? html`<p><label>Send it as <select name="type" aria-label="Type of the body">${bodies.map(([type]) => html`<option>${type}</option>`)}</select></label></p>` : ''}` : ''}
${bodies.map(([type, { schema }], i) => html`<div data-body="${type}" ${i > 0 ? 'hidden' : ''}>${bodyInputs(schema, type, parts.schemas)}</div>`)}
<p class="send"><button>Send</button> <span class="wait quiet" role="status"></span></p>
<div role="status" class="answer"></div>
<details class="call"><summary>The call as code</summary><p><label>Language <select class="language"><option value="curl">curl</option><option value="fetch">fetch</option><option value="python">Python</option>${parts.clientMethods[operationId] ? html`<option value="client">@storeward/client</option>` : ''}</select></label></p><pre class="command" tabindex="0"></pre></details>
</form>
${answer ? html`<h3>Answer ${status}</h3>${answered ? shapeOf(answered.schema) : html`<p class="quiet">without a body</p>`}${answered?.example === undefined ? '' : html`<details><summary>Example</summary><pre tabindex="0">${JSON.stringify(answered.example, null, 2)}</pre></details>`}` : ''}
<details><summary>Refusals: ${refusals.map(([one]) => one).join(', ')}</summary><ul>${refusals.map(
    ([one, { $ref, description: says }]) =>
      html`<li><a href="/docs/errors#${one}">${one}</a> ${says ?? parts.responses[$ref?.split('/').at(-1) ?? '']?.description ?? ''}. <span class="quiet">${withCode(EXPLANATIONS[Number(one)]?.todo ?? '')}</span></li>`,
  )}</ul></details>
</div></details>
`
}

/** The method of the typed client, and how its result is read. */
const clientAttributes = (method: ClientMethod | undefined) =>
  method ? html`data-client="${method.name}" data-result="${method.result}"` : ''

/** The bounds that an operation has of its own. */
function limitsOf(asked: readonly Parameter[], bodies: readonly [string, { schema: ShownSchema }][], schemas: Schemas) {
  const page = asked.find(({ name }) => name === 'limit')?.schema.maximum
  const lists = bodies.flatMap(([, { schema }]) => listsIn(resolved(schema, schemas)))
  const items = lists.find(({ maxItems }) => maxItems !== undefined)?.maxItems
  return [
    ...(page === undefined ? [] : [`${page} entries a page`]),
    ...(items === undefined ? [] : [`${items} items in a request`]),
  ]
}

/** The schemas of a body that are lists: the body itself, or a choice that it has. */
const listsIn = (schema: ShownSchema): ShownSchema[] =>
  [schema, ...(schema.anyOf ?? [])].filter(({ type }) => type === 'array')

const PAGES: Readonly<Record<string, string>> = {
  page: 'page and limit',
  cursor: 'before and after',
  offset: 'offset and limit',
}

/** More optional parameters than these are folded, so that the button is in sight. */
const OPTIONS_SHOWN = 6

function parameterTables(inputs: readonly Parameter[], path: string, parts: Parts): Markup[] {
  const tableOf = (some: readonly Parameter[]) =>
    some.length > 0
      ? [html`<div class="table"><table>${some.map((one) => parameterRow(one, path, parts))}</table></div>`]
      : []
  const needed = inputs.filter(({ required }) => required)
  const options = inputs.filter(({ required }) => !required)
  if (options.length <= OPTIONS_SHOWN) return tableOf(inputs)
  return [
    ...tableOf(needed),
    html`<details class="options"><summary>Filters and options: ${options.length}</summary>${tableOf(options)}</details>`,
  ]
}

/** A row with the input of a parameter. An id in the path has the path of the list that names it, so that the script can find one. */
function parameterRow(
  { name, in: place, required = false, description, schema }: Parameter,
  path: string,
  parts: Parts,
) {
  const list = place === 'path' ? path.slice(0, path.indexOf(`/{${name}}`)) : ''
  const says = description ?? schema.description ?? ''
  return html`<tr><th scope="row"><code>${name}</code>${required ? REQUIRED : ''}</th>
<td class="value">${inputOf(`${place}:${name}`, name, schema, { isRequired: required, sample: sampleOf(name, schema) })}${list !== '' && parts.isList(list) ? html`<span hidden data-list="${list}"></span>` : ''}</td>
<td>${typeOf(schema)} <span class="quiet">${withCode(says)}</span></td></tr>`
}

/** Words in an empty input that show the form of its value. */
function sampleOf(name: string, { format }: ShownSchema): string {
  if (format === 'date-time') return '2026-01-31T09:00:00Z'
  if (format === 'date') return '2026-01-31'
  return name === 'Idempotency-Key' ? 'any text, once' : ''
}

function inputOf(
  name: string,
  label: string,
  { enum: words }: ShownSchema,
  { isRequired, sample }: { isRequired: boolean; sample: string },
): Markup {
  const needed = isRequired ? 'required' : ''
  if (!words) return html`<input name="${name}" aria-label="${label}" placeholder="${sample}" ${needed}>`
  return html`<select name="${name}" aria-label="${label}" ${needed}><option></option>${words.map((word) => html`<option>${String(word)}</option>`)}</select>`
}

function bodyInputs(schema: ShownSchema, type: string, schemas: Schemas): Markup {
  const body = resolved(schema, schemas)
  const { properties = {}, examples = [], required = [] } = body
  if (type.startsWith('multipart/')) {
    return html`<div class="table"><table>${Object.entries(properties).map(
      ([name, field]) => html`<tr><th scope="row"><code>${name}</code>${required.includes(name) ? REQUIRED : ''}</th>
<td class="value">${field.format === 'binary' ? html`<input type="file" name="file:${name}" aria-label="${name}" accept="${field.contentMediaType ?? ''}">` : inputOf(`part:${name}`, name, field, { isRequired: false, sample: sampleOf(name, field) })}</td>
<td>${field.format === 'binary' ? 'file' : typeOf(field)} <span class="quiet">${withCode(field.description ?? '')}</span></td></tr>`,
    )}</table></div>`
  }
  return html`<textarea name="body" aria-label="Body" spellcheck="false">${JSON.stringify(examples[0] ?? {}, null, 2)}</textarea>
<details><summary>Fields</summary>${shapeOf(body)}</details>`
}
