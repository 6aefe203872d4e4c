import type { Clock } from '../../../core/clock.ts'
import type { Db } from '../../../core/db/database.ts'
import type { AddressRules } from '../../channels/sites/addresses.ts'
import type { Renderers } from '../../templates/renderers.ts'
import type { EmailType } from '../contents/contexts.ts'
import { sampleData } from '../contents/samples.ts'
import type { EmailTemplate } from '../contents/shape.ts'
import type { MailOutcome } from '../mail-rendering.ts'
import { renderTemplate } from '../sending/send.ts'
import { storeContextOf } from '../sending/store-context.ts'
import { templateFor } from '../templates.ts'

export interface PreviewParts {
  renderers: Renderers
  clock: Clock
  /** The rules for addresses of sites, from the settings of the server. */
  sites: AddressRules
}

/**
 * Renders an e-mail of a type for this store, with sample data unless the caller has others.
 * @param channel 0 for none in particular
 * @throws RenderersBusy
 */
export async function previewOf(
  db: Db,
  type: EmailType,
  { channel, locale, context = sampleData(type) }: { channel: number; locale: string; context?: object },
  { renderers, sites }: PreviewParts,
): Promise<MailOutcome> {
  const store = await storeContextOf(db, { channel, locale, sites, now: db.now })
  const template = await templateFor(db, channel, type)
  return renderTemplate(renderers, db, template, { locale, context: { ...store, ...context } })
}

/**
 * Renders texts that are not stored as an e-mail of a type for this store, with sample data.
 * @param channel 0 for none in particular
 * @throws RenderersBusy
 */
export async function previewOfTexts(
  db: Db,
  template: EmailTemplate,
  { channel, locale }: { channel: number; locale: string },
  { renderers, sites }: PreviewParts,
): Promise<MailOutcome> {
  const store = await storeContextOf(db, { channel, locale, sites, now: db.now })
  return renderTemplate(renderers, db, template, { locale, context: { ...store, ...sampleData(template.type_id) } })
}
