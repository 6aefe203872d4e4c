import type { Renderers } from '../templates/renderers.ts'
import type { InlineHelper } from '../templates/tree.ts'
import type { Work } from '../templates/work.ts'

/** The helpers of e-mails (docs/contract/email-templates.md section 4). */
const MAIL_HELPERS: readonly InlineHelper[] = ['lang', 'eq', 'ne', 'gt', 'lt', 'and', 'or', 'not']

/** The texts of an e-mail and its data. */
export type MailWork = Pick<Work, 'translations' | 'locale' | 'context' | 'bounds'> & { subject: string; body: string }

export interface RenderedMail {
  /** One line of text. */
  subject: string
  html: string
  text: string
  /** The phrases that the templates name by a text of their own. */
  phrases: readonly string[]
}

/** A rendered e-mail, or the mistakes in its `subject` and `body`. */
export type MailOutcome = { ok: true; mail: RenderedMail } | { ok: false; faults: Readonly<Record<string, string>> }

/**
 * Renders an e-mail in another process. Subject and body share the data, the phrases and the bounds. Templates can also name phrases by
 * locale: `translations.en.title`.
 * @throws RenderersBusy
 */
export async function renderMail(renderers: Renderers, storeId: number, mail: MailWork): Promise<MailOutcome> {
  const { subject, body, translations, context } = mail
  const byLocale = Object.fromEntries(translations.map(({ locale, keys }) => [locale, keys]))
  const outcome = await renderers.render(storeId, {
    templates: { subject: { text: subject, prints: 'text' }, body: { text: body, prints: 'html' } },
    helpers: MAIL_HELPERS,
    translations,
    locale: mail.locale,
    context: { ...context, translations: byLocale },
    bounds: mail.bounds,
    plainTextOf: 'body',
  })
  if (!outcome.ok) return outcome
  const { outputs, plainText, phrases } = outcome.rendered
  return {
    ok: true,
    mail: { subject: inOneLine(outputs.subject ?? ''), html: outputs.body ?? '', text: plainText, phrases },
  }
}

/** A mail header is one line and has no entities. */
const inOneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
