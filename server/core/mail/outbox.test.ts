import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { doJobs, workerOf } from '../../test/harness/jobs.ts'
import { Postbox, type Received } from '../../test/servers/postbox.ts'
import { sql } from '../db/sql.ts'
import { type Mail, mailRetryDelay, mailRunner, sendMail, smtpTransport, type Transport } from './outbox.ts'

const postbox = new Postbox()
const url = await postbox.open()
const silent = { info: () => {}, error: (_: unknown, __?: string) => {} }
afterAll(() => postbox.close())

const MINUTE_MS = 60_000
const smtp = smtpTransport(url, 'Shop <shop@example.com>', silent)
const mail: Mail = {
  to: 'anna@example.com',
  subject: 'A webhook was switched off',
  text: 'It failed.\n.\nTwelve times.',
}

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
  postbox.received.length = 0
})

const owe = async (owed: Mail) => (await dbOf(shop)).transaction((tx) => sendMail(tx, owed))
/** Sends all due mails. @returns how many mails were tried */
const deliver = async (transport: Transport | undefined = smtp, log = silent) => {
  if (!transport) throw new Error('There is no transport.')
  return doJobs([mailRunner(transport)], log)
}
const later = async (ms: number) => (await theHouse()).clock.move(ms)
const jobs = () => rowsOf(shop, 'jobs')
/** Other tests of this process may owe mails too. */
const got = (to = mail.to) => postbox.received.filter((one) => one.to.includes(`<${to}>`))
const headers = ({ head }: Received, name: string) =>
  head.split(/\r\n(?![ \t])/).filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))

describe('a mail', () => {
  test('is handed over once, when the transaction that owes it is committed', async () => {
    await owe(mail)
    expect(await deliver()).toBeGreaterThan(0)
    expect(got()).toHaveLength(1)
    const [received] = got()
    if (!received) throw new Error('There is no mail.')
    expect(received).toMatchObject({ from: '<shop@example.com>', to: ['<anna@example.com>'] })
    expect(headers(received, 'Subject')).toEqual(['Subject: A webhook was switched off'])
    expect(headers(received, 'From')).toEqual(['From: Shop <shop@example.com>'])
    expect(headers(received, 'To')).toEqual(['To: anna@example.com'])
    // Dots that stand alone are doubled on the way.
    expect(received.body).toContain('It failed.\r\n..\r\nTwelve times.')
    expect(await rowsOf(shop, 'mails')).toEqual([
      {
        store_id: shop.store.id,
        id: expect.any(String),
        recipient: 'anna@example.com',
        subject: 'A webhook was switched off',
        text: 'It failed.\n.\nTwelve times.',
        html: null,
        attachment_name: null,
        attachment: null,
        created_at: expect.any(String),
        sent_at: expect.any(String),
      },
    ])
    expect(await jobs()).toMatchObject([{ state: 'done', attempts: 1 }])
    await deliver()
    expect(got()).toHaveLength(1)
  })

  test('with an HTML part has both parts, the text first', async () => {
    await owe({ ...mail, html: '<p>It failed.</p>' })
    await deliver()
    const [received] = got()
    if (!received) throw new Error('There is no mail.')
    expect(headers(received, 'Content-Type')).toEqual([expect.stringContaining('multipart/alternative')])
    expect(received.body).toMatch(/text\/plain[\s\S]*It failed\.[\s\S]*text\/html[\s\S]*<p>It failed\.<\/p>/)
  })

  test('is not there after a rollback', async () => {
    const db = await dbOf(shop)
    const broken = db.transaction(async (tx) => {
      await sendMail(tx, mail)
      throw new Error('no')
    })
    await expect(broken).rejects.toThrow('no')
    await deliver()
    expect(got()).toEqual([])
  })

  test('has one subject and one recipient, with any names in them (C-096)', async () => {
    await owe({ ...mail, subject: 'Hook\r\nBcc: eve@example.com\r\n\r\nboo\u0000\u2028x \u00e4' })
    await deliver()
    const [received] = got()
    if (!received) throw new Error('There is no mail.')
    expect(headers(received, 'Bcc')).toEqual([])
    expect(headers(received, 'Subject')).toHaveLength(1)
    expect(received.to).toEqual(['<anna@example.com>'])
    const [stored] = await rowsOf(shop, 'mails')
    expect(stored?.subject).toBe('Hook Bcc: eve@example.com boo x \u00e4')
  })

  test.each([
    ['a@example.com\r\nRCPT TO:<eve@example.com>'],
    ['a@example.com, eve@example.com'],
    ['a <eve@example.com>'],
    ['a@example.com>'],
    ['example.com'],
    [''],
  ])('is not owed to %j', async (to) => {
    await expect(owe({ ...mail, to })).rejects.toThrow('A mail needs an address to go to.')
    expect(await rowsOf(shop, 'mails')).toEqual([])
  })

  test('that is refused is tried again for about a day, then given up, and others are not held up', async () => {
    await owe({ ...mail, to: 'nobody@example.com' })
    await owe(mail)
    const errors: string[] = []
    const log = { ...silent, error: (_: unknown, sentence?: string) => void errors.push(String(sentence)) }
    await deliver(smtp, log)
    expect(got()).toHaveLength(1)
    const refused = async () => (await jobs()).find(({ state }) => state !== 'done')
    expect(await refused()).toMatchObject({ attempts: 1, state: 'waiting' })
    await later(MINUTE_MS / 2)
    await deliver(smtp, log)
    expect(await refused()).toMatchObject({ attempts: 1 })
    for (let attempts = 2; attempts <= 9; attempts++) {
      await later(6 * 60 * MINUTE_MS)
      await deliver(smtp, log)
      expect(await refused()).toMatchObject({ attempts })
    }
    expect(await refused()).toMatchObject({ state: 'failed', reason: expect.stringContaining('no such person') })
    expect(await rowsOf(shop, 'mails')).toContainEqual(
      expect.objectContaining({ recipient: 'nobody@example.com', sent_at: null, text: mail.text }),
    )
    expect(errors).toEqual([...Array(8).fill('a job failed and is tried again'), 'a job failed permanently'])
  })

  test('waits for a mail server that does not answer', async () => {
    await owe(mail)
    const gone = smtpTransport('smtp://127.0.0.1:1', 'shop@example.com', silent)
    await deliver(gone)
    expect(await rowsOf(shop, 'mails')).toMatchObject([{ sent_at: null }])
    expect(await jobs()).toMatchObject([{ attempts: 1, state: 'waiting' }])
    await later(MINUTE_MS)
    await deliver()
    expect(got()).toHaveLength(1)
  })

  test('is sent by one of two that look for it at once', async () => {
    for (let i = 0; i < 25; i++) await owe({ ...mail, to: `p${i}@example.com` })
    await Promise.all([deliver(), deliver()])
    const sent = postbox.received.flatMap(({ to }) => to).filter((to) => /^<p\d+@/.test(to))
    expect(sent).toHaveLength(25)
    expect(new Set(sent).size).toBe(25)
  })

  test('whose sender died is sent by another, under the same id', async () => {
    await owe(mail)
    const ids: string[] = []
    const hanging = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const dying = await workerOf([
      mailRunner({
        send: async ({ id, to }) => {
          if (to !== mail.to) return
          ids.push(id)
          begun.resolve()
          await hanging.promise
        },
      }),
    ])
    await dying.beginDue()
    await begun.promise
    await deliver()
    expect(got()).toEqual([])
    await later(10 * MINUTE_MS)
    await deliver()
    expect(got().map((one) => headers(one, 'Message-ID'))).toEqual([[`Message-ID: <${ids[0]}@storeward>`]])
    const before = [await rowsOf(shop, 'mails'), await jobs()]
    // A revived worker, with a failure under an old fence.
    hanging.reject(new Error('too late'))
    await dying.idle()
    expect([await rowsOf(shop, 'mails'), await jobs()]).toEqual(before)
  })

  test('is handed over once, although its job runs twice', async () => {
    await owe(mail)
    await deliver()
    const db = await dbOf(shop)
    await db.transaction(async (tx) => {
      const here = sql`store_id = ${tx.store.id}`
      await tx.rows(sql`update jobs set state = 'waiting', ended_at = null, kept_until = null where ${here}`)
      await tx.rows(sql`
        insert into job_lanes (store_id, key, head, task, due_at, last_seq, is_new)
        select store_id, key, id, task, due_at, seq, true from jobs where ${here} returning key`)
    })
    await deliver()
    expect(await jobs()).toMatchObject([{ state: 'done', attempts: 2 }])
    expect(got()).toHaveLength(1)
  })

  test('is deleted after 30 days', async () => {
    await owe(mail)
    await deliver()
    await later(31 * 24 * 60 * MINUTE_MS)
    await owe({ ...mail, to: 'bert@example.com' })
    expect(await rowsOf(shop, 'mails')).toMatchObject([{ recipient: 'bert@example.com' }])
  })
})

test('a mail of a test store is stored and never sent', async () => {
  shop = await openShop({ isTest: true })
  await owe(mail)
  await deliver()
  await later(10 * MINUTE_MS)
  await deliver()
  expect(got()).toEqual([])
  expect(await rowsOf(shop, 'mails')).toMatchObject([{ recipient: 'anna@example.com', sent_at: null }])
  expect(await jobs()).toMatchObject([{ state: 'done', attempts: 1 }])
})

test('without a mail server mails stay where they are, and the log says so', async () => {
  const said: string[] = []
  expect(
    smtpTransport(undefined, 'shop@example.com', { info: (sentence: unknown) => said.push(String(sentence)) }),
  ).toBe(undefined)
  expect(said).toEqual(['SMTP_URL is not set: mails stay in the database'])
})

test('the waits between attempts add up to about a day', () => {
  const delays = Array.from({ length: 9 }, (_, i) => mailRetryDelay(i + 1))
  expect(delays.at(0)).toBe(MINUTE_MS)
  expect(delays.at(-1)).toBeUndefined()
  const total = delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0)
  expect(total / (60 * MINUTE_MS)).toBeCloseTo(26.6, 0)
})

test('mails of a store are invisible to another', async () => {
  await owe(mail)
  const other = await openShop()
  expect(
    await (await dbOf(other)).rows(sql`-- of a test
    select id from mails`),
  ).toEqual([])
})
