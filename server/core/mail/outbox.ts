import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import nodemailer from 'nodemailer'
import type { Database, Db, Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'

export interface Mail {
  to: string
  subject: string
  text: string
}

/** A mail address as we take it: one @, and nothing that a mail header or an SMTP command would read otherwise. */
export const MAIL_ADDRESS =
  '^[^\\s@<>()\\[\\]\\\\,;:"\\u0000-\\u001f\\u007f]+@[^\\s@<>()\\[\\]\\\\,;:"\\u0000-\\u001f\\u007f]+$'

const KEPT_MS = 30 * 86_400_000
const FORGOTTEN_AT_ONCE = 10

/**
 * Owes somebody a mail, as part of the caller's transaction: rolled back, there is none; committed, it is not lost. It is
 * sent by `deliverMails`.
 */
export async function sendMail(tx: Tx, { to, subject, text }: Mail) {
  if (!new RegExp(MAIL_ADDRESS, 'u').test(to)) throw new Error('A mail needs an address to go to.')
  const mail = {
    store_id: tx.store.id,
    id: randomUUID(),
    recipient: to,
    // One line, whatever names went into it: a second would be a header of its own.
    subject: subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '),
    text,
    created_at: tx.now,
    failures: 0,
    due_at: tx.now,
  }
  await tx.rows(sql`insert into mails ${sql.rows([mail])}`)
  // Each new mail clears away a few old ones: the table stays bounded without a task that sweeps all stores.
  await tx.rows(sql`
    delete from mails where store_id = ${tx.store.id} and id in (
      select id from mails where store_id = ${tx.store.id} and created_at <= ${new Date(tx.now.getTime() - KEPT_MS)}
      order by created_at limit ${FORGOTTEN_AT_ONCE} for update skip locked)`)
}

/** The way out: throws when a mail could not be handed over. */
export interface Transport {
  send(mail: Mail & { id: string }): Promise<void>
}

/** The databases that mails lie in. */
interface Stores {
  readonly cells: readonly { readonly system: Database }[]
  dbById(id: number): Promise<Db | undefined>
}

const STORES_AT_ONCE = 100
const MAILS_AT_ONCE = 10
// Longer than the slowest exchange that the time-outs below let happen. A mail that is sent twice has one Message-ID.
const LEASE_MS = 600_000

/**
 * Sends the mails that are due. Any number of processes may do it: each takes some for itself.
 * @returns whether there may be more to do at once
 */
export async function deliverMails(
  stores: Stores,
  transport: Transport,
  log: Pick<FastifyBaseLogger, 'error'>,
): Promise<boolean> {
  let sent = 0
  for (const { system } of stores.cells) {
    const due = await system.system<{ store_id: number }>(
      sql`select distinct store_id from mails where due_at <= ${system.clock.now()} limit ${STORES_AT_ONCE}`,
    )
    for (const { store_id } of due) {
      const db = await stores.dbById(store_id)
      if (db) sent += await deliverMailsOf(db, transport, log)
    }
  }
  return sent > 0
}

interface DueMail {
  id: string
  recipient: string
  subject: string
  text: string
  failures: number
}

async function deliverMailsOf(db: Db, transport: Transport, log: Pick<FastifyBaseLogger, 'error'>): Promise<number> {
  const { until, mails } = await db.transaction(async (tx) => {
    const until = new Date(tx.now.getTime() + LEASE_MS)
    const mails = await tx.rows<DueMail>(sql`
      update mails set due_at = ${until} where store_id = ${tx.store.id} and id in (
        select id from mails where store_id = ${tx.store.id} and due_at <= ${tx.now}
        order by due_at limit ${MAILS_AT_ONCE} for update skip locked)
      returning id, recipient, subject, text, failures`)
    return { until, mails }
  })
  await Promise.all(
    mails.map(async ({ recipient, failures, ...mail }) => {
      const error = await transport.send({ ...mail, to: recipient }).then(
        () => undefined,
        (reason: unknown) => reason ?? new Error('The mail could not be sent.'),
      )
      const delay = error === undefined ? undefined : retryDelay(failures + 1)
      if (error !== undefined) {
        const fate = delay === undefined ? 'given up' : 'tried again'
        log.error({ err: error, mail: mail.id, store: db.store.id }, `a mail could not be sent and is ${fate}`)
      }
      await db.transaction((tx) =>
        tx.rows(sql`
          update mails set ${sql.set({
            due_at: delay === undefined ? null : new Date(tx.now.getTime() + delay),
            ...(error === undefined ? { sent_at: tx.now } : { failures: failures + 1 }),
          })}
          where store_id = ${tx.store.id} and id = ${mail.id} and due_at = ${until}`),
      )
    }),
  )
  return mails.length
}

/** Milliseconds until a mail is tried again, or undefined after about a day. @param failures so far, at least 1 */
export function retryDelay(failures: number): number | undefined {
  const minutes = [1, 5, 30, 120, 360, 360, 360, 360][failures - 1]
  return minutes === undefined ? undefined : minutes * 60_000
}

const SMTP_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, dnsTimeout: 10_000, socketTimeout: 30_000 }

/**
 * The server's way to the mail server of its operator, or none if there is no such: then mails stay where they are.
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
  const smtp = nodemailer.createTransport({ url, ...SMTP_TIMEOUTS, disableFileAccess: true, disableUrlAccess: true })
  return {
    async send({ id, to, subject, text }) {
      // As an object, an address is not parsed: it can't become two.
      await smtp.sendMail({ from, to: { name: '', address: to }, subject, text, messageId: `<${id}@storeward>` })
    },
  }
}
