import { STATUS_CODES } from 'node:http'
import { html, withCode } from '../../../../core/markup.ts'
import { problemBody } from '../../../../core/rest/problem.ts'
import { type Frame, framedPage } from '../layout.ts'
import { CODES, EXPLANATIONS, type StatusMeaning } from './explanations.ts'

/** The page behind the type of every error: its meaning and its remedy. */
export const errorsPage = (frame: Frame, docsBase: string): string =>
  framedPage(
    'Errors',
    frame,
    html`<p>Every refusal has this form. <code>title</code> is for people, <code>errors</code> describes the mistake in each field, and
<code>type</code> leads to this page. The header <code>X-Request-Id</code> is the id of the request in the server's log. Below <code>/v2</code> the body is a
list of <code>{"status", "message"}</code>. Unknown fields are ignored; with the header
<code>Prefer: handling=strict</code> they are refused.</p>
<nav class="line" aria-label="Statuses">${Object.keys(EXPLANATIONS).map((status) => html`<a href="#${status}">${status}</a> `)}<a href="#codes">Codes</a></nav>
${Object.entries(EXPLANATIONS).map(([status, explanation]) => sectionOf(status, explanation, docsBase))}
<section id="codes"><h2>Codes in <code>errors</code></h2>
<div class="table"><table>${CODES.map(([code, means]) => html`<tr><th scope="row"><code>${code}</code></th><td>${means}</td></tr>`)}</table></div></section>`,
  )

const sectionOf = (status: string, { means, todo, example }: StatusMeaning, docsBase: string) =>
  html`<section id="${status}"><h2>${status} ${STATUS_CODES[status] ?? ''}</h2>
<p>${withCode(means)}</p>
<p>${withCode(todo)}</p>
<details><summary>Example</summary><pre tabindex="0">${JSON.stringify(problemBody(example, docsBase), null, 2)}</pre></details></section>
`
