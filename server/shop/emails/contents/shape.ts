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

/**
 * A template has the texts of one type of e-mail: subject, HTML body, and translated phrases. There are twelve types, and the set
 * never changes. Each type has a built-in template, which every store uses at first. A store can replace it for all its channels,
 * and each channel can have one that replaces that of the store. The effective template is that of the channel, else that of the
 * store, else the built-in one. A template of a channel is a complete copy: later changes of the store do not affect it. A new
 * template is rendered with sample data before it is stored, and refused if that fails. Clients can delete the template of a
 * channel, but not that of the store. A template is data and never runs code of its author: it has a fixed set of helpers and
 * limits on time and size. If it fails when an e-mail is sent, the built-in template replaces it
 * (docs/contract/email-templates.md).
 */
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
