import { html, withCode } from '../../../core/markup.ts'
import { readClientMethods } from './facts/client-methods.ts'
import { type Guide, guideMarkup, orderedGuides } from './guides.ts'
import { areasOf, type Frame, framedPage, noteOfTag, slugOf } from './layout.ts'
import { describedOperations, methodMark, operationSection, partsOf } from './operations.ts'
import { nameShapes, shapeSections } from './shapes.ts'

export const guidePage = ({ title, text }: Guide, frame: Frame): string =>
  framedPage(title, frame, html`${guideMarkup(text)}`)

/** The guides for a newcomer in the order of reading, then all pages of resources. */
export function guidesPage(guides: readonly Guide[], frame: Frame): string {
  const { first, others } = orderedGuides(guides)
  const links = (some: readonly Guide[]) =>
    some.map(({ name, title }) => html`<li><a href="/docs/guides/${name}">${title}</a></li>`)
  return framedPage(
    'Guides',
    frame,
    html`<h2>To begin with</h2><ol>${links(first)}</ol><h2>Resource by resource</h2><ul>${links(others)}</ul>`,
  )
}

/** All groups by area, with the operations of each. */
export function indexPage(frame: Frame): string {
  const { document } = frame
  const operations = describedOperations(document)
  const { title, description, version } = document.info as { title: string; description: string; version: string }
  return framedPage(
    title,
    frame,
    html`<p class="quiet">Version ${version}. The document is <a href="/openapi.json">/openapi.json</a>; <a href="/docs/errors">/docs/errors</a> explains
refusals, and the <a href="/docs/guides">guides</a> explain everything else. Begin with the <a href="/docs/guides/first-steps">first steps</a>.</p>
${description.split('\n\n').map((paragraph) => html`<p>${withCode(paragraph)}</p>`)}
${areasOf(document).map(
  ({
    name,
    tags,
  }) => html`<details class="fold area" id="${slugOf(name)}"><summary><h2>${name}</h2></summary><div class="inner">
${tags.map(
  (tag) => html`<h3><a href="/docs/${slugOf(tag)}">${tag}</a></h3>
${noteOfTag(document, tag)}<ul class="plain">${operations
    .filter(({ operation }) => operation.tags.includes(tag))
    .map(
      ({ method, path, operation }) => html`<li>${methodMark(method)}
<a href="/docs/${slugOf(tag)}#${operation.operationId}">${operation.summary}</a> <span class="path">${path}</span></li>`,
    )}</ul>`,
)}</div></details>`,
)}`,
  )
}

/** The operations of a group, each with its form, and the shapes that they name. */
export function pageOfGroup(frame: Frame, tag: string): string {
  const parts = partsOf(frame.document, readClientMethods())
  const operations = describedOperations(frame.document).filter(({ operation }) => operation.tags.includes(tag))
  const named = new Set<string>()
  for (const { operation } of operations) {
    const contents = [operation.requestBody, ...Object.values(operation.responses)].map((part) => part?.content ?? {})
    for (const content of contents)
      for (const { schema } of Object.values(content)) nameShapes(schema, parts.schemas, named)
  }
  return framedPage(
    tag,
    frame,
    html`${noteOfTag(frame.document, tag)}${operations.map((one) => operationSection(one, parts))}
<details class="fold"><summary><h2>Shapes</h2></summary><div class="inner">${shapeSections(named, parts.schemas)}</div></details>`,
    tag,
  )
}
