import { html, type Markup, NO_ICON, pageHeadersFor, pageText } from '../../../core/markup.ts'
import type { ApiDocument } from '../../../core/rest/document/document.ts'

// The frame of the pages at /docs: the search, the store, and the list of groups beside the page.

const style = `
  *, ::before, ::after { box-sizing: border-box; }
  body { margin: 0 auto; max-width: 88rem; padding: 1rem; font: 15px/1.5 system-ui, sans-serif; color: #1b1f24; background: #fff; }
  .skip { position: absolute; left: -100rem; } .skip:focus { position: static; }
  h1 { margin: .5rem 0; font-size: 1.5rem; } h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; } h3 { margin: 1.2rem 0 .3rem; font-size: 1rem; }
  a { color: #0550ae; } code, pre, textarea, .path { font: 13px/1.45 ui-monospace, monospace; }
  .path { overflow-wrap: anywhere; color: #59636e; } .quiet { color: #59636e; }
  .method { display: inline-block; min-width: 3.6rem; font: bold 12px ui-monospace, monospace; }
  .get { color: #0550ae; } .post { color: #1a7f37; } .put { color: #7d4e00; } .delete { color: #b3121d; }
  ul.plain, nav ul { margin: 0 0 .5rem; padding: 0 0 0 .8rem; list-style: none; } ul.plain li { margin: .15rem 0; }
  .caller { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; padding: .75rem 1rem; background: #f6f8fa; border-radius: 6px; }
  .caller label { flex: 1 1 14rem; } input, textarea, select { width: 100%; padding: .25rem .4rem; font: inherit; color: inherit; background: Field; border: 1px solid #818b98; border-radius: 4px; }
  ::placeholder { color: #59636e; opacity: 1; } main, h1, #none { overflow-wrap: anywhere; } th[scope=col] { overflow-wrap: normal; }
  textarea { min-height: 4rem; field-sizing: content; max-height: 30rem; font: 13px/1.45 ui-monospace, monospace; } input[type=search] { max-width: 34rem; } select { width: auto; }
  #hits li { margin: .3rem 0; overflow-wrap: anywhere; }
  details.fold { border-top: 1px solid #d0d7de; } details.fold > summary { padding: .5rem 0; } details.fold > summary > h2, details.fold > summary > h3 { display: inline; font-size: 1rem; margin: 0; }
  details.fold > summary .path { display: block; margin-left: 4.6rem; } details .inner { margin: .2rem 0 .6rem 1rem; padding-left: .8rem; border-left: 2px solid #d0d7de; }
  .table { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
  th, td { padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; font-weight: normal; }
  th[scope=row] { width: 15rem; overflow-wrap: anywhere; } td { overflow-wrap: anywhere; } td.value { width: 14rem; }
  pre { margin: .5rem 0; padding: .6rem 1rem; background: #f6f8fa; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 32rem; overflow-y: auto; }
  button { padding: .35rem 1.2rem; font: inherit; } p.send { position: sticky; bottom: 0; margin: 0; padding: .5rem 0; background: #fff; } nav.line a { display: inline-block; min-width: 2.5rem; min-height: 24px; } summary { cursor: pointer; min-height: 24px; }
  nav.groups a, main li a { display: inline-block; min-width: 24px; min-height: 24px; } nav.groups a { text-decoration: none; } nav.groups [aria-current] { font-weight: bold; }
  :target > summary, h2:target, tr:target, section:target > h2 { background: #fff8c5; }
  @media (min-width: 64rem) {
    .frame { display: grid; grid-template-columns: 16rem minmax(0, 1fr); gap: 0 2.5rem; }
    nav.groups { grid-column: 1; grid-row: 1; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding-right: .5rem; font-size: 14px; }
    main { grid-column: 2; grid-row: 1; }
  }
  @media (prefers-color-scheme: dark) {
    body { color: #d1d7e0; background: #0d1117; } a, .get { color: #6cb6ff; } .path, .quiet, ::placeholder { color: #9da7b3; }
    .post { color: #57ab5a; } .put { color: #d4a72c; } .delete { color: #f47067; } input, textarea, select { border-color: #656c76; }
    p.send { background: #0d1117; } .caller, pre { background: #161b22; } details.fold, details .inner { border-color: #3d444d; }
    :target > summary, h2:target, tr:target, section:target > h2 { background: #4d3d0b; }
  }
  @media (max-width: 40rem) { tr, th[scope=row], td, td.value { display: block; width: auto; padding-right: 0; } tr { margin-bottom: .6rem; } details.fold > summary .path { margin-left: 0; } thead, #find-help { display: none; } }
`

const ownHeaders = pageHeadersFor(style)

/** The pages run the script of this server, which asks this server; nothing else is loaded, run or asked. */
export const referenceHeaders = {
  ...ownHeaders,
  'content-security-policy': `${ownHeaders['content-security-policy']}; script-src 'self'; connect-src 'self'; img-src data:`,
  'cache-control': 'no-cache',
}

export const slugOf = (tag: string) =>
  tag
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** The facts that all pages show. */
export interface Frame {
  document: ApiDocument
  /** Whether store and token of a demo store are filled in. */
  isDemo: boolean
}

export const areasOf = (document: ApiDocument) => document['x-tagGroups'] as { name: string; tags: string[] }[]

/** The use of a group, with links to the groups that it names; nothing for a group without a note. */
export function noteOfTag({ tags = [] }: ApiDocument, tag: string): Markup | '' {
  const description = tags.find(({ name }) => name === tag)?.description
  if (description === undefined) return ''
  const pieces = description.split('`').map((piece, i) => {
    if (i % 2 === 0) return html`${piece}`
    return tags.some(({ name }) => name === piece)
      ? html`<a href="/docs/${slugOf(piece)}">${piece}</a>`
      : html`<code>${piece}</code>`
  })
  return html`<p class="quiet">${pieces}</p>
`
}

/** A page with the search, the store and the list of groups. @param current the group of the page */
export const framedPage = (title: string, { document, isDemo }: Frame, content: Markup, current?: string): string =>
  pageText(
    `${title} (storeward)`,
    style,
    html`<a class="skip" href="#content">Skip to the content</a> <a class="skip" href="#groups">Skip to the groups</a>
<header><p><label>Search <input type="search" id="find" placeholder="refund part of an order" aria-describedby="find-help"></label> <span class="quiet" id="find-help">or press /</span></p>
<p id="none" role="status" hidden>Nothing contains these words.</p>
<ol id="hits" aria-label="Results" hidden></ol>
<h1>${title}</h1>
<form class="caller" id="caller" autocomplete="off">
<label>Store <input id="store" placeholder="store hash" spellcheck="false"></label>
<label>X-Auth-Token <input id="token" type="password" placeholder="token of an API account" spellcheck="false"></label>
</form></header>
<div class="frame"><main id="content">${content}</main>
${groupList(document, current)}</div>`,
    html`${NO_ICON}<meta name="color-scheme" content="light dark"><script src="/docs/script.js" type="module" ${isDemo ? 'data-demo' : ''}></script>`,
  )

const groupList = (document: ApiDocument, current?: string) => html`<nav class="groups" id="groups" aria-label="Groups">
<ul><li><a href="/docs">All operations</a></li><li><a href="/docs/guides">Guides</a></li><li><a href="/docs/errors">Errors</a></li><li><a href="/docs/events">Events</a></li><li><a href="/docs/scopes">Scopes</a></li><li><a href="/docs/parity">Parity</a></li>
<li><a href="/docs/graphql/storefront">GraphQL of storefronts</a></li><li><a href="/docs/graphql/buyers">GraphQL of buyers</a></li></ul>
${areasOf(document).map(
  ({
    name,
    tags,
  }) => html`<details ${current !== undefined && tags.includes(current) ? 'open' : ''}><summary>${name}</summary>
<ul>${tags.map((tag) => html`<li><a href="/docs/${slugOf(tag)}" ${tag === current ? CURRENT : ''}>${tag}</a></li>`)}</ul></details>`,
)}</nav>`

const CURRENT = html`aria-current="page"`
