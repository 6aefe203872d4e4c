import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'typebox'
import { Value } from 'typebox/value'
import { packagePath } from '../../../core/package.ts'
import type { EmailType } from './contexts.ts'
import type { EmailTemplate } from './shape.ts'

// The templates that every store begins with: builtin/<type>.html is put into builtin/frame.html, and builtin/<type>.json has
// the subject and the phrases in English. They are read when the first of them is needed.

const Words = t.Object({ subject: t.String(), phrases: t.Record(t.String(), t.String()) })

const read = (name: string) => readFileSync(join(packagePath('emailTemplates'), name), 'utf8')

const loaded = new Map<EmailType, EmailTemplate>()

/** The template of a type that stands where a store has none of its own. */
export function builtinTemplate(type: EmailType): EmailTemplate {
  const found = loaded.get(type) ?? load(type)
  loaded.set(type, found)
  return found
}

function load(type: EmailType): EmailTemplate {
  const { subject, phrases } = Value.Parse(Words, JSON.parse(read(`${type}.json`)))
  const body = read('frame.html').replace('<!-- content -->', () => read(`${type}.html`).trimEnd())
  return { type_id: type, body, subject, translations: [{ locale: 'en', keys: phrases }] }
}
