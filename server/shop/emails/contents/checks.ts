import type { Db } from '../../../core/db/database.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { RENDERING } from '../../templates/bounds.ts'
import { type Renderers, RenderersBusy } from '../../templates/renderers.ts'
import { type MailOutcome, renderMail } from '../mail-rendering.ts'
import type { EmailType } from './contexts.ts'
import { sampleContext } from './samples.ts'
import type { EmailTemplate } from './shape.ts'

const PHRASES_MAX = 500
const PHRASE_NAME = /^(?!__proto__$)[A-Za-z0-9_.-]{1,64}$/

/** The texts of an e-mail, without its type. */
type Texts = Pick<EmailTemplate, 'subject' | 'body'> & Partial<Pick<EmailTemplate, 'translations'>>

/**
 * Renders texts with the sample data of a type, as if they were sent. Rendering is slow and must not run in a transaction.
 * @throws Problem 503 if all renderers are busy
 */
export async function tryTexts(
  renderers: Renderers,
  db: Db,
  type: EmailType | undefined,
  { subject, body, translations = [] }: Texts,
): Promise<MailOutcome> {
  try {
    const context = type === undefined ? {} : sampleContext(type)
    return await renderMail(renderers, db.store.id, {
      subject,
      body,
      translations,
      locale: 'en',
      context,
      bounds: RENDERING,
    })
  } catch (error) {
    if (!(error instanceof RenderersBusy)) throw error
    throw new Problem(503, 'Templates cannot be validated at the moment.', {}, { headers: { 'retry-after': '1' } })
  }
}

/**
 * Mistakes of texts beyond their shape (docs/contract/email-templates.md section 4).
 * @param verdict of `tryTexts`
 */
export function textMistakes({ subject, translations = [] }: Texts, verdict: MailOutcome | undefined): Mistakes {
  const mistakes: Mistakes = {}
  const locales = new Set<string>()
  for (const [i, { locale, keys }] of translations.entries()) {
    if (locales.has(locale.toLowerCase())) mistakes[`translations.${i}.locale`] = `${locale} is there twice.`
    locales.add(locale.toLowerCase())
    const names = Object.keys(keys)
    if (names.length > PHRASES_MAX)
      mistakes[`translations.${i}.keys`] = `keys must hold at most ${PHRASES_MAX} phrases.`
    for (const name of names.filter((name) => !PHRASE_NAME.test(name))) {
      mistakes[`translations.${i}.keys.${name}`] =
        'The name of a phrase has 1 to 64 letters, digits, underscores, dots and hyphens.'
    }
  }
  if (verdict?.ok === false) Object.assign(mistakes, verdict.faults)
  if (/[\r\n\u0085\u2028\u2029\v\f]/.test(subject)) mistakes.subject = 'subject must be one line.'
  return mistakes
}
