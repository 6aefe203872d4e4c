import { html, type Markup } from '../../../../core/markup.ts'
import { type Frame, framedPage } from '../layout.ts'
import { GRAPHQL_SCHEMAS, type SchemaName, type SdlDefinition, type SdlField } from './sdl.ts'

/** The schema at a glance: its root fields, and all types by kind. @param tryAt a page for queries, if this server has one */
export function schemaPage(
  name: SchemaName,
  definitions: readonly SdlDefinition[],
  frame: Frame,
  tryAt?: string,
): string {
  const { title, guide } = GRAPHQL_SCHEMAS[name]
  const roots = definitions.filter((one) => isRoot(one))
  const kinds = [...new Set(definitions.map(({ kind }) => kind))]
  const types = typesOf(name, definitions)
  return framedPage(
    title,
    frame,
    html`<p>The guide <a href="/docs/guides/${guide}">${guide}</a> has addresses, tokens and limits.
${tryAt === undefined ? '' : html`<a href="${tryAt}">Try queries on the demo store</a>.`}</p>
${roots.map((root, i) => html`<details class="fold" id="${root.name}" ${i === 0 ? 'open' : ''}><summary><h2>${root.name}</h2></summary><div class="inner">${fieldTable(root.fields, types, `${root.name}.`)}</div></details>`)}
${kinds.map((kind) => {
  const some = definitions.filter((one) => one.kind === kind && !isRoot(one))
  return html`<details class="fold" id="kind-${kind}"><summary><h2>${kind}: ${some.length}</h2></summary><ul class="plain">${some.map(
    (one) => html`<li>${types.link(one.name)} <span class="quiet">${one.description}</span></li>`,
  )}</ul></details>`
})}`,
  )
}

/** The page of a type, with the types that lead to it. */
export function typePage(
  name: SchemaName,
  definitions: readonly SdlDefinition[],
  { kind, name: type, head, description, fields }: SdlDefinition,
  frame: Frame,
): string {
  const types = typesOf(name, definitions)
  const users = definitions.filter(
    (one) =>
      one.name !== type &&
      (mentions(one.head, type) || one.fields.some((field) => mentions(`${field.args} ${field.type}`, type))),
  )
  return framedPage(
    type,
    frame,
    html`<p><a href="/docs/graphql/${name}">${GRAPHQL_SCHEMAS[name].title}</a></p>
<p><b>${kind}</b> ${head === '' ? '' : types.links(head)}</p>
${description === '' ? '' : html`<p>${description}</p>`}
${fields.length > 0 ? fieldTable(fields, types) : ''}
${users.length > 0 ? html`<h2>Used by</h2><ul class="plain">${users.map((one) => html`<li>${types.link(one.name)}</li>`)}</ul>` : ''}`,
  )
}

export const isRoot = ({ name }: SdlDefinition) => name === 'Query' || name === 'Mutation'

const mentions = (text: string, type: string) => new RegExp(`\\b${type}\\b`).test(text)

interface Types {
  link: (name: string) => Markup
  /** A text of the schema in which the names of types are links. */
  links: (text: string) => Markup[]
}

function typesOf(schema: SchemaName, definitions: readonly SdlDefinition[]): Types {
  const known = new Set(definitions.map(({ name }) => name))
  const link = (name: string) => html`<a href="/docs/graphql/${schema}/${name}">${name}</a>`
  return {
    link,
    links: (text) => text.split(/(\w+)/).map((word) => (known.has(word) ? link(word) : html`${word}`)),
  }
}

/** @param place before the name of a field in the id of its row */
const fieldTable = (fields: readonly SdlField[], { links }: Types, place = '') =>
  html`<div class="table"><table>${fields.map(
    ({ name, args, type, description }) => html`<tr id="${place}${name}"><th scope="row"><code>${name}</code></th>
<td><code>${links(type)}</code> <span class="quiet">${description}</span>${args === '' ? '' : html`<br><span class="quiet">arguments</span> <code>${links(args)}</code>`}</td></tr>`,
  )}</table></div>`
