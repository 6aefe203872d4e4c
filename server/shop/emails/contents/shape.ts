import t, { type Static } from 'typebox'
import { EMAIL_TYPES } from './contexts.ts'

const LOCALES_MAX = 100

const Translation = t.Object(
  {
    locale: t.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$' }),
    keys: t.Record(t.String(), t.String({ maxLength: 2_000 }), { description: 'Phrases by their names' }),
  },
  { title: 'EmailTranslation' },
)

/** The texts of one type of mail (docs/contract/email-templates.md section 4). */
export const EmailTemplate = t.Object(
  {
    type_id: t.Enum(EMAIL_TYPES),
    body: t.String({ minLength: 1, maxLength: 65_536, description: 'HTML in Handlebars' }),
    subject: t.String({ minLength: 1, maxLength: 255, description: 'One line of text in Handlebars' }),
    translations: t.Array(Translation, { maxItems: LOCALES_MAX }),
  },
  { title: 'EmailTemplate' },
)
export type EmailTemplate = Static<typeof EmailTemplate>
