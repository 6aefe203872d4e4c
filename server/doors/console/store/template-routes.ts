import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { MAIL_ADDRESS, sendMail } from '../../../core/mail/outbox.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { textMistakes } from '../../../shop/emails/contents/checks.ts'
import { EMAIL_TYPES, type EmailType } from '../../../shop/emails/contents/contexts.ts'
import { EmailTemplate } from '../../../shop/emails/contents/shape.ts'
import type { RenderedMail } from '../../../shop/emails/mail-rendering.ts'
import { type PreviewParts, previewOfTexts } from '../../../shop/emails/preview/preview.ts'
import { RenderersBusy } from '../../../shop/templates/renderers.ts'
import type { Directory } from '../../../stores/directory/directory.ts'
import { dbOf, entryOf, S } from './found-store.ts'

export interface TemplateDraftParts extends PreviewParts {
  directory: Directory
}

const { subject, body, translations } = EmailTemplate.properties
const Draft = t.Object({
  subject,
  body,
  translations,
  /** 0 for no channel in particular. */
  channel_id: t.Optional(t.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  locale: t.Optional(t.String({ pattern: '^[A-Za-z-]{2,20}$' })),
})
const TestMail = t.Object({ ...Draft.properties, to: t.String({ maxLength: 255, pattern: MAIL_ADDRESS }) })
const TemplatePath = t.Object({ store_hash: t.String(), type: t.Enum([...EMAIL_TYPES]) })

/** E-mail templates that are not stored yet: their preview, and a test e-mail. */
export function templateRoutesOfOperator(api: Api, parts: TemplateDraftParts) {
  const { directory } = parts
  const one = `${S}/email-templates/:type`

  api.post(
    `${one}/preview`,
    {
      config: { hasClosedBody: true },
      schema: { summary: 'Preview an e-mail template with sample data', params: TemplatePath, body: Draft },
    },
    async ({ params, body }) => {
      const db = await dbOf(directory, await entryOf(directory, params.store_hash))
      const { subject, html, text } = await rendered(db, params.type, body, parts)
      return new Answer({ data: { subject, html, text }, meta: {} })
    },
  )

  api.post(
    `${one}/test`,
    {
      config: { hasClosedBody: true },
      schema: { summary: 'Send a test e-mail of a template with sample data', params: TemplatePath, body: TestMail },
    },
    async ({ params, body: { to, ...draft } }) => {
      const db = await dbOf(directory, await entryOf(directory, params.store_hash))
      const { subject, html, text } = await rendered(db, params.type, draft, parts)
      await db.transaction((tx) => sendMail(tx, { to, subject, html, text }))
      return new Answer({ data: { to, subject }, meta: {} }, 202)
    },
  )
}

/** @throws Problem 422 with line and column of each mistake, 503 if all renderers are busy */
async function rendered(
  db: Db,
  type: EmailType,
  { channel_id = 0, locale = 'en', ...texts }: Static<typeof Draft>,
  parts: PreviewParts,
): Promise<RenderedMail> {
  const outcome = await previewOfTexts(db, { type_id: type, ...texts }, { channel: channel_id, locale }, parts).catch(
    (error) => {
      if (!(error instanceof RenderersBusy)) throw error
      throw new Problem(503, 'Templates cannot be rendered at the moment.', {}, { headers: { 'retry-after': '1' } })
    },
  )
  refuse(textMistakes(texts, outcome))
  if (!outcome.ok) throw new Error('A template failed without a mistake.')
  return outcome.mail
}
