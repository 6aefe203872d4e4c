import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import t from 'typebox'
import type { Db, Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { sweep } from '../db/steps.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { done, runner, task, tryAgain } from '../jobs/task.ts'
import { noPortFaults, type PortFaults } from '../net/ports.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  /** The same with markup, for programs that show it. */
  html?: string
  /** A file, which is at most some hundred kilobytes: it is stored with the mail. */
  attachment?: MailAttachment
}

interface MailAttachment {
  name: string
  content: Buffer
}

/** A mail address as we take it: one @, and nothing that a mail header or an SMTP command would read otherwise. */
export const MAIL_ADDRESS =
  '^[^\\s@<>()\\[\\]\\\\,;:"\\u0000-\\u001f\\u007f]+@[^\\s@<>()\\[\\]\\\\,;:"\\u0000-\\u001f\\u007f]+$'

export function mustBeAddress(to: string) {
  if (!new RegExp(MAIL_ADDRESS, 'u').test(to)) throw new Error('A mail needs an address to go to.')
}

const KEPT_MS = 30 * 86_400_000

/** The slowest exchange that the time-outs below let happen takes less. */
const SEND_MS = 120_000

export const mailTask = task('send_mail', t.Object({ mail: t.String() }), {
  maxMs: SEND_MS,
  retryDelay: mailRetryDelay,
})

/**
 * Owes a mail, in the caller's transaction: if it is rolled back, there is none; if it commits, the mail is not lost. Its text
 * stays readable for 30 days, sent or not.
 */
export async function sendMail(tx: Tx, { to, subject, text, html, attachment }: Mail) {
  mustBeAddress(to)
  const mail = {
    store_id: tx.store.id,
    id: randomUUID(),
    recipient: to,
    // One line: a line break in a name would begin another header.
    subject: subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
    text,
    html: html ?? null,
    attachment_name: attachment?.name ?? null,
    attachment: attachment?.content.toString('base64') ?? null,
    created_at: tx.now,
  }
  await tx.rows(sql`insert into mails ${sql.rows([mail])}`)
  await enqueue(tx, mailTask, { payload: { mail: mail.id } })
  await sweep(tx, { table: 'mails', key: ['id'], moment: 'created_at', until: new Date(tx.now.getTime() - KEPT_MS) })
}

const sentTo = ({ store }: Db, address: string) =>
  sql`store_id = ${store.id} and lower(recipient) = ${address.toLowerCase()}`

/** The mails to an address that are kept, sent or not, the oldest first. */
export const mailsTo = (db: Db, address: string): Promise<object[]> =>
  db.rows(
    sql`select subject, text, created_at, sent_at from mails where ${sentTo(db, address)} order by created_at, id`,
  )

/** Deletes the mails to an address; those that wait are never sent. @returns how many */
export async function deleteMailsTo(tx: Tx, address: string): Promise<number> {
  return (await tx.rows(sql`delete from mails where ${sentTo(tx, address)} returning id`)).length
}

/** The way out: throws when a mail could not be handed over. */
export interface Transport {
  send(mail: Mail & { id: string }): Promise<void>
}

/**
 * Sends mails through the mail server. If that server took a mail and the database could not record it, it gets the mail once
 * more, under the same Message-ID. Mails of a test store are only stored: its customers may be real people.
 */
export const mailRunner = (transport: Transport, faults: PortFaults = noPortFaults) =>
  runner(mailTask, async ({ db, payload }) => {
    const fault = await faults.occur(db.store, 'mail')
    if (fault !== undefined)
      return tryAgain(
        `A fault of this test store: the mail server ${fault === 'fails' ? 'has refused the mail' : 'did not answer'}.`,
      )
    if (db.store.isTest) return done
    const here = sql`store_id = ${db.store.id} and id = ${payload.mail} and sent_at is null`
    const mail = await db.maybeRow<{
      id: string
      recipient: string
      subject: string
      text: string
      html: string | null
      attachment_name: string | null
      attachment: string | null
    }>(sql`select id, recipient, subject, text, html, attachment_name, attachment from mails where ${here}`)
    // Sent before, or deleted after 30 days.
    if (!mail) return done
    const { recipient, html, attachment_name: name, attachment: content, ...rest } = mail
    await transport.send({
      ...rest,
      to: recipient,
      ...(html === null ? {} : { html }),
      ...(name === null || content === null ? {} : { attachment: { name, content: Buffer.from(content, 'base64') } }),
    })
    await db.transaction((tx) => tx.rows(sql`update mails set sent_at = ${tx.now} where ${here}`))
    return done
  })

/** Milliseconds until a mail is tried again, or undefined after about a day. @param failures so far, at least 1 */
export function mailRetryDelay(failures: number): number | undefined {
  const minutes = [1, 5, 30, 120, 360, 360, 360, 360][failures - 1]
  return minutes === undefined ? undefined : minutes * 60_000
}

const SMTP_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, dnsTimeout: 10_000, socketTimeout: 30_000 }

/** Loads the library with the first mail: a server that starts has other work. */
async function clientOf(url: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({ url, ...SMTP_TIMEOUTS, disableFileAccess: true, disableUrlAccess: true })
}

/** Logs in at a mail server, and sends nothing. @throws its refusal */
export async function tryMailServer(url: string) {
  const client = await clientOf(url)
  await client.verify()
}

/**
 * The transport to the operator's mail server; undefined without one, so that mails stay in the outbox.
 * @param url such as smtp://user:password@mail.example.com:587
 * @param from the sender of all mails
 */
export function smtpTransport(
  url: string | undefined,
  from: string,
  log: Pick<FastifyBaseLogger, 'info'>,
): Transport | undefined {
  if (url === undefined) {
    log.info('SMTP_URL is not set: mails stay in the database')
    return undefined
  }
  let smtp: ReturnType<typeof clientOf> | undefined
  return {
    async send({ id, to, attachment, ...content }) {
      // As an object, an address is not parsed: it can't become two.
      smtp ??= clientOf(url)
      const client = await smtp
      const attachments = attachment ? [{ filename: attachment.name, content: attachment.content }] : []
      await client.sendMail({
        from,
        to: { name: '', address: to },
        ...content,
        attachments,
        messageId: `<${id}@storeward>`,
      })
    },
  }
}
