import type { Db } from '../../../core/db/database.ts'
import { Renderers } from '../../templates/renderers.ts'
import { EMAIL_TYPES, isEmailType } from '../contents/contexts.ts'
import { type PreviewParts, previewOf } from './preview.ts'

/**
 * The preview for `storeward emails preview`.
 * @throws Error with a sentence for the operator
 */
export async function preview(
  db: Db,
  type: string,
  { channel, locale }: { channel: number; locale: string },
  parts: Omit<PreviewParts, 'renderers'>,
): Promise<{ subject: string; html: string; text: string }> {
  if (!isEmailType(type)) throw new Error(`There is no type "${type}" of e-mails. There are ${EMAIL_TYPES.join(', ')}.`)
  const renderers = new Renderers()
  try {
    const outcome = await previewOf(db, type, { channel, locale }, { ...parts, renderers })
    if (!outcome.ok)
      throw new Error(
        Object.entries(outcome.faults)
          .map(([field, fault]) => `${field}: ${fault}`)
          .join('\n'),
      )
    const { subject, html, text } = outcome.mail
    return { subject, html, text }
  } finally {
    renderers.close()
  }
}
