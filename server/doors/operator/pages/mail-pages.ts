import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findMail, listMails } from '../../../core/mail/kept.ts'
import { html, Markup, pageHeadersFor } from '../../../core/markup.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { EMAIL_TYPES, type EmailType, isEmailType } from '../../../shop/emails/contents/contexts.ts'
import { type PreviewParts, previewOf } from '../../../shop/emails/preview/preview.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import { pagesIn, storePages } from './store-pages.ts'

const style = `
  body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; color: #1b1f24; }
  h1 { font-size: 1.4rem; overflow-wrap: anywhere; } h2 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
  table { width: 100%; border-collapse: collapse; } td, th { padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; }
  td { overflow-wrap: anywhere; unicode-bidi: isolate; } th { font-weight: normal; color: #59636e; white-space: nowrap; }
  tbody tr { border-top: 1px solid #d0d7de; } .quiet { color: #59636e; }
  iframe { display: block; width: 100%; height: 46rem; border: 1px solid #d0d7de; border-radius: 6px; background: #fff; }
  pre { margin: 0; padding: .75rem 1rem; border: 1px solid #d0d7de; border-radius: 6px; font: 13px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
`

const headers = pageHeadersFor(style, { frames: true })
const show = pagesIn(style, headers)

/**
 * A mail as its reader's program would show it: its own styles and the pictures of this server, and nothing else. It runs nothing,
 * sends nothing, leads nowhere, and belongs to no origin (C-086).
 */
const mailHeaders = {
  ...headers,
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'self'",
}

interface Parts extends PreviewParts {
  directory: Directory
}

type OfStore = FastifyRequest<{ Params: { store: string } }>
type OfMail = FastifyRequest<{ Params: { store: string; mail: string } }>
type OfType = FastifyRequest<{ Params: { store: string; type: string } }>

/**
 * Pages on which people read the mails of a store, sent or not, and see its e-mail templates with sample data. In the sandbox only:
 * they ask nobody who he is.
 */
export function mailPages(server: FastifyInstance, parts: Parts) {
  const { directory } = parts
  storePages(server, directory, show, (app, dbOf) => {
    for (const [path, title] of [
      ['/mailbox', 'Mails'],
      ['/emails', 'E-mail templates'],
    ] as const) {
      app.get(path, async (_request, reply) => {
        const stores = await directory.list()
        const row = ({ hash, name }: (typeof stores)[number]) =>
          html`<tr><td><a href="${path}/${hash}">${hash}</a></td><td>${name}</td></tr>`
        return show(reply, title, html`<p>Choose a store.</p><table>${stores.map(row)}</table>`)
      })
    }

    app.get('/mailbox/:store', async ({ params }: OfStore, reply) => {
      const mails = await listMails(await dbOf(params.store))
      const row = ({ id, recipient, subject, created_at, sent_at }: (typeof mails)[number]) => html`<tr>
<td>${created_at}</td><td>${recipient}</td>
<td><a href="/mailbox/${params.store}/${id}">${subject === '' ? '(no subject)' : subject}</a></td>
<td class="quiet">${sent_at ? 'sent' : 'kept'}</td></tr>`
      const list = html`<table><thead><tr><th>At</th><th>To</th><th>Subject</th><th></th></tr></thead><tbody>${mails.map(row)}</tbody></table>`
      const none = html`<p>There are no mails yet.</p>`
      const about = html`<p class="quiet">The last ${mails.length}. <a href="/emails/${params.store}">Templates</a></p>`
      return show(reply, `Mails of ${params.store}`, html`${about}${mails.length > 0 ? list : none}`)
    })

    const mailOf = async ({ params }: OfMail) => {
      const mail = await findMail(await dbOf(params.store), params.mail)
      if (!mail) throw new Problem(404, 'There is no such mail.')
      return mail
    }

    app.get('/mailbox/:store/:mail', async (request: OfMail, reply) => {
      const { id, recipient, subject, text, html: body, created_at, sent_at } = await mailOf(request)
      const facts = [
        ['To', recipient],
        ['Subject', subject],
        ['Message-ID', `<${id}@storeward>`],
        ['Written', created_at],
        ['Sent', sent_at ?? 'not yet, or kept because there is no mail server'],
      ] as const
      const { store } = request.params
      const content = html`<p><a href="/mailbox/${store}">All mails</a></p>
<table>${facts.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</table>
${body === null ? new Markup('') : frame(`/mailbox/${store}/${id}/html`)}
<h2>As text</h2><pre>${text}</pre>`
      return show(reply, subject, content)
    })

    app.get('/mailbox/:store/:mail/html', async (request: OfMail, reply) =>
      reply.headers(mailHeaders).send((await mailOf(request)).html ?? ''),
    )

    app.get('/emails/:store', async ({ params, url }: OfStore, reply) => {
      await dbOf(params.store)
      const row = (type: EmailType) =>
        html`<tr><td><a href="/emails/${params.store}/${type}${queryOf(url)}">${type}</a></td></tr>`
      const about = html`<p class="quiet">Templates of a channel: <a href="?channel_id=1">?channel_id=1</a>; in another language:
<a href="?locale=de">?locale=de</a>. <a href="/mailbox/${params.store}">Mails</a></p>`
      return show(reply, `E-mail templates of ${params.store}`, html`${about}<table>${EMAIL_TYPES.map(row)}</table>`)
    })

    const previewed = async ({ params, query }: OfType) => {
      if (!isEmailType(params.type)) throw new Problem(404, 'There is no such type of e-mail.')
      const wanted = { channel: 0, locale: 'en', ...wish(query) }
      return previewOf(await dbOf(params.store), params.type, wanted, parts)
    }

    app.get('/emails/:store/:type', async (request: OfType, reply) => {
      const { store, type } = request.params
      const outcome = await previewed(request)
      const query = queryOf(request.url)
      if (!outcome.ok) {
        const faults = Object.entries(outcome.faults).map(([field, sentence]) => html`<p>${field}: ${sentence}</p>`)
        return show(reply, type, html`<p>The template can't be rendered.</p>${faults}`)
      }
      const content = html`<p><a href="/emails/${store}${query}">All types</a></p>
<table><tr><th scope="row">Subject</th><td>${outcome.mail.subject}</td></tr></table>
${frame(`/emails/${store}/${type}/html${query}`)}
<h2>As text</h2><pre>${outcome.mail.text}</pre>`
      return show(reply, type, content)
    })

    app.get('/emails/:store/:type/html', async (request: OfType, reply) => {
      const outcome = await previewed(request)
      return reply.headers(mailHeaders).send(outcome.ok ? outcome.mail.html : '')
    })
  })
}

const frame = (src: string) => html`<h2>As HTML</h2><iframe sandbox="" title="The mail" src="${src}"></iframe>`

const queryOf = (url: string) => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

/** The requested channel and locale of a preview. Malformed ones are ignored. */
function wish(query: unknown): { channel?: number; locale?: string } {
  const text = (name: string) => {
    const given: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, name) : undefined
    return typeof given === 'string' ? given : ''
  }
  return {
    ...(/^\d{1,15}$/.test(text('channel_id')) ? { channel: Number(text('channel_id')) } : {}),
    ...(/^[A-Za-z-]{2,20}$/.test(text('locale')) ? { locale: text('locale') } : {}),
  }
}
