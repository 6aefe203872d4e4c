import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../../../core/clock.ts'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, runner, task } from '../../../core/jobs/task.ts'
import { type Mail, mailRetryDelay, mustBeAddress, sendMail } from '../../../core/mail/outbox.ts'
import type { AddressRules } from '../../channels/sites/addresses.ts'
import { emailStatuses } from '../../settings/families/families.ts'
import { settingsOf } from '../../settings/families/family.ts'
import { type NewLog, writeSystemLog } from '../../settings/system-logs.ts'
import { RENDERING, RENDERING_BUILTIN } from '../../templates/bounds.ts'
import type { Context } from '../../templates/render.ts'
import type { Renderers } from '../../templates/renderers.ts'
import { builtinTemplate } from '../contents/builtin.ts'
import { type ContextOf, contexts, type EmailType, isEmailType } from '../contents/contexts.ts'
import type { EmailTemplate } from '../contents/shape.ts'
import { type MailOutcome, type RenderedMail, renderMail } from '../mail-rendering.ts'
import { countReminder, templateOfReminder } from '../reminders.ts'
import { templateFor } from '../templates.ts'
import { storeContextOf } from './store-context.ts'

export interface NewEmail<T extends EmailType> {
  to: string
  /** The channel that it comes from; 0 for none in particular. */
  channel: number
  /** Of the person it goes to, such as `de` or `fr-ca`. */
  locale: string
  context: ContextOf<T>
  /** The reminder of abandoned carts whose template it has; the template of the type if missing. */
  reminder?: number
}

const emailTask = task('send_email', t.Object({ email: t.String() }), { maxMs: 60_000, retryDelay: mailRetryDelay })

/**
 * Enqueues an e-mail of a type in the transaction of the change that it reports. It is rendered later with the template that is
 * effective then (docs/contract/email-templates.md section 6).
 */
export async function sendEmail<T extends EmailType>(tx: Tx, type: T, email: NewEmail<T>) {
  const { to, channel, locale, context, reminder } = email
  mustBeAddress(to)
  Value.Assert(contexts[type], context)
  const owed = {
    store_id: tx.store.id,
    id: randomUUID(),
    type_id: type,
    channel_id: channel,
    locale,
    recipient: to,
    context: JSON.stringify(context),
    created_at: tx.now,
    reminder_id: reminder ?? null,
  }
  await tx.rows(sql`insert into owed_emails ${sql.rows([owed])}`)
  await enqueue(tx, emailTask, { payload: { email: owed.id } })
}

/**
 * Deletes the pending e-mails to an address.
 * @returns their number
 */
export async function deleteEmailsTo(tx: Tx, address: string): Promise<number> {
  const gone = await tx.rows(
    sql`delete from owed_emails where store_id = ${tx.store.id} and lower(recipient) = ${address.toLowerCase()} returning id`,
  )
  return gone.length
}

interface Parts {
  renderers: Renderers
  clock: Clock
  /** The rules for addresses of sites, from the settings of the server. */
  sites: AddressRules
  log: Pick<FastifyBaseLogger, 'warn'>
}

/** The setting that enables each type. The e-mail for forgotten passwords is always sent. */
const statuses = {
  abandoned_cart_email: 'abandoned_cart_email',
  account_details_changed_email: 'account_details_changed_email',
  account_reset_password_email: undefined,
  combined_order_status_email: 'combined_order_status_email',
  createaccount_email: 'create_account_email',
  createguestaccount_email: 'create_guest_account_email',
  giftcertificate_email: 'gift_certificate_email',
  invoice_email: 'invoice_email',
  ordermessage_notification: 'order_message_notification_email',
  product_review_email: 'product_review_email',
  return_confirmation_email: 'return_confirmation_email',
  return_statuschange_email: 'return_statuschange_email',
} as const satisfies Record<EmailType, keyof Static<typeof emailStatuses.shape> | undefined>

/** Whether e-mails of a type are sent for a channel at all (docs/contract/email-templates.md section 6). */
export async function isSwitchedOn(db: Db, channel: number, type: EmailType): Promise<boolean> {
  const status = statuses[type]
  return status === undefined || (await settingsOf(db, emailStatuses, channel))[status]
}

interface OwedEmail {
  type_id: string
  channel_id: number
  locale: string
  recipient: string
  context: Context
  reminder_id: number | null
}

/** Renders pending e-mails outside of any transaction, then stores the mail in the transaction that deletes the pending one. */
export const emailRunner = (parts: Parts) =>
  runner(emailTask, async ({ db, payload }) => {
    const here = sql`store_id = ${db.store.id} and id = ${payload.email}`
    const owed = await db.maybeRow<OwedEmail>(
      sql`select type_id, channel_id, locale, recipient, context, reminder_id from owed_emails where ${here}`,
    )
    if (!owed) return done
    const made = await makeMail(db, owed, parts)
    await db.transaction(async (tx) => {
      const gone = await tx.rows(sql`delete from owed_emails where ${here} returning id`)
      // The run that deletes the pending e-mail sends the mail. Of two runs only one does.
      if (gone.length === 0 || !made) return
      await sendMail(tx, { to: owed.recipient, ...made.mail })
      if (owed.reminder_id !== null) await countReminder(tx, owed.reminder_id)
      if (made.failure) await writeSystemLog(tx, made.failure)
    })
    return done
  })

interface MadeMail {
  mail: Omit<Mail, 'to'>
  /** The system log entry if the template of the store failed. */
  failure?: NewLog
}

/** @returns undefined for a disabled type, and for a reminder that was deleted or disabled */
async function makeMail(db: Db, owed: OwedEmail, { renderers, sites, log }: Parts): Promise<MadeMail | undefined> {
  const { type_id: type, channel_id: channel, locale } = owed
  if (!isEmailType(type) || !(await isSwitchedOn(db, channel, type))) return undefined
  const context = { ...(await storeContextOf(db, { channel, locale, sites, now: db.now })), ...owed.context }
  const template = await templateOf(db, owed, type)
  if (!template) return undefined
  const outcome = await renderTemplate(renderers, db, template, { locale, context })
  if (outcome.ok) return { mail: mailOf(outcome.mail) }
  // The log has the type and never the content, which belongs to the merchant and the customer.
  log.warn({ store: db.store.id, type }, 'a template could not be rendered: the built-in one took its place')
  const second = await renderTemplate(renderers, db, builtinTemplate(type), { locale, context })
  if (!second.ok) throw new Error(`The built-in template of ${type} cannot be rendered.`)
  return { mail: mailOf(second.mail), failure: failureOf(type, outcome.faults) }
}

const templateOf = (
  db: Db,
  { channel_id: channel, reminder_id }: OwedEmail,
  type: EmailType,
): Promise<EmailTemplate | undefined> =>
  reminder_id === null ? templateFor(db, channel, type) : templateOfReminder(db, reminder_id)

const mailOf = ({ subject, html, text }: RenderedMail) => ({ subject, html, text })

const failureOf = (type: EmailType, faults: Readonly<Record<string, string>>): NewLog => ({
  type: 'notification',
  module: 'email message',
  severity: 'warnings',
  summary: `The template ${type} could not be rendered`,
  message: `The built-in template took its place. ${Object.entries(faults)
    .map(([field, fault]) => `${field}: ${fault}`)
    .join('; ')}`,
})

/** @throws RenderersBusy */
export function renderTemplate(
  renderers: Renderers,
  db: Db,
  template: EmailTemplate,
  { locale, context }: { locale: string; context: Context },
): Promise<MailOutcome> {
  const { type_id, ...texts } = template
  const bounds = template === builtinTemplate(type_id) ? RENDERING_BUILTIN : RENDERING
  return renderMail(renderers, db.store.id, { ...texts, locale, context, bounds })
}
