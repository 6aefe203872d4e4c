import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { sendMail } from '../core/mail/outbox.ts'
import { command } from '../test/harness/command.ts'
import { SECRET } from '../test/harness/postgres.ts'
import { WATCH_TOKEN, watching } from '../test/harness/watch.ts'
import { readConfig } from './config.ts'
import { openInstallation } from './installation.ts'

// Processes as an operator runs them: one answers requests, another sends webhooks, both on one database. Commands run in this
// process.

const program = fileURLToPath(new URL('../bin/storeward.js', import.meta.url))
const children = new Set<ChildProcess>()
let settings: Record<string, string>
let admin: pg.Client
let token: string

/** The requests that the receiver got. It answers at once unless a test holds the answer back. */
let arrived: IncomingMessage[] = []
let answer = (response: ServerResponse): unknown => response.writeHead(204).end()
const receiver = createServer((request, response) => {
  arrived.push(request)
  answer(response)
})
let destination: string
const mails: string[] = []
const mailServer = createTcpServer((socket) => {
  mails.push('a connection')
  socket.end('421 not now\r\n')
})

beforeAll(async () => {
  for (const server of [receiver, mailServer]) await once(server.listen(0, '127.0.0.1'), 'listening')
  destination = `http://127.0.0.1:${portOf(receiver.address())}/hook`

  const database = new URL(inject('postgresUrl'))
  database.pathname = `/roles_${process.pid}`
  await asAdministrator(inject('postgresUrl'), `create database roles_${process.pid}`)
  settings = {
    DATABASE_URL: database.href,
    SECRET,
    STOREWARD_DATA: await mkdtemp(join(tmpdir(), 'storeward-roles-')),
    PORT: '0',
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '0',
    WATCH_TOKEN,
    OUTGOING_SUBNETS: '127.0.0.0/8',
    WEBHOOK_ORIGINS: 'http://127.0.0.1:*',
    SMTP_URL: `smtp://127.0.0.1:${portOf(mailServer.address())}`,
  }
  const installation = await openInstallation(readConfig(settings), { prepares: true })
  await installation.directory.create({ name: 'A shop', hash: 'shop1' })
  token = (await installation.accounts.create('shop1', 'admin', ['all'])).access_token
  await installation.close()
  admin = new pg.Client({ connectionString: database.href })
  await admin.connect()
})
beforeEach(() => {
  arrived = []
  answer = (response) => response.writeHead(204).end()
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all([...children].map((child) => once(child, 'exit')))
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  mailServer.close()
  await admin.end()
  await rm(settings.STOREWARD_DATA ?? '', { recursive: true, force: true })
})

const portOf = (address: ReturnType<typeof receiver.address>) =>
  typeof address === 'object' && address ? address.port : 0

async function asAdministrator(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/**
 * Runs a command in this process.
 * @returns its exit code and its output
 */
async function call(args: string[], environment: Record<string, string> = {}) {
  const { code, out, err } = await command(args, { ...settings, ...environment })
  return { code, text: out + err }
}

/**
 * Runs the program.
 * @returns its output up to now, and a promise of its end
 */
function launch(args: string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (more) => (text += more))
  const ended = once(child, 'close').then(([code]): { code: number | null; text: string } => {
    children.delete(child)
    return { code, text }
  })
  return { child, ended, printed: () => text }
}

async function serve(...args: string[]) {
  const server = launch(['serve', ...args])
  const address = () => /listens at (http:\S+)/.exec(server.printed())?.[1]
  await until(() => address() !== undefined || server.child.exitCode !== null)
  const url = address()
  if (url === undefined) throw new Error(`The server did not start. It said: ${server.printed()}`)
  return { ...server, url }
}

async function until(holds: () => unknown) {
  while (!(await holds())) await sleep(10)
}

const status = async (url: string) => (await fetch(url, { headers: { 'x-auth-token': token, ...watching } })).status

async function post(url: string, path: string, body: object) {
  const answered = await fetch(`${url}/stores/shop1/v3${path}`, {
    method: 'POST',
    headers: { 'x-auth-token': token, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answered.status, await answered.text()).toBe(200)
}

/** @returns the sentence about the first webhook of the store */
async function why(eventId: string): Promise<string | undefined> {
  const { code, text } = await call(['hooks', 'why', 'shop1', eventId])
  expect(code, text).toBe(0)
  return text.split('\n')[2]?.trim()
}

async function trigger(...args: string[]): Promise<string> {
  const { code, text } = await call(['events', 'trigger', 'shop1', ...args])
  expect(code, text).toBe(0)
  return /evt_[0-9A-Z]{26}/.exec(text)?.[0] ?? ''
}

test('a process with the role api accepts requests, and a worker sends their webhooks', async () => {
  const api = await serve('--role', 'api')
  await post(api.url, '/hooks', { scope: 'store/order/*', destination })
  const eventId = await trigger('store/order/created')
  expect(await why(eventId)).toBe('The hook receives it as soon as a worker serves this store.')
  expect(await (await fetch(`${api.url}/metrics`, { headers: watching })).text()).toMatch(
    /^storeward_events_waiting 1$/m,
  )
  expect(arrived).toEqual([])

  const worker = await serve('--role', 'worker')
  await until(() => arrived.length > 0)
  expect(arrived[0]?.headers).toMatchObject({ 'webhook-id': eventId, 'x-svc-attempt': '1' })
  await until(async () => /^It was delivered at \S+Z by attempt 1\.$/.test((await why(eventId)) ?? ''))
  expect(await (await fetch(`${worker.url}/metrics`, { headers: watching })).text()).toMatch(
    /^storeward_webhook_attempts_total\{outcome="delivered"\} 1$/m,
  )
  const paths = ['/healthz', '/readyz', '/metrics', '/docs', '/openapi.json', '/stores/shop1/v3/hooks']
  const statuses = (url: string) => Promise.all(paths.map((path) => status(`${url}${path}`)))
  expect(await statuses(worker.url)).toEqual([200, 200, 200, 404, 404, 404])
  expect(await statuses(api.url)).toEqual([200, 200, 200, 200, 200, 200])
})

test('a stopping process waits for a running webhook and stores its outcome', async () => {
  const held = Promise.withResolvers<ServerResponse>()
  answer = held.resolve
  const worker = await serve()
  const eventId = await trigger('store/order/created')
  const response = await held.promise
  worker.child.kill('SIGTERM')
  await until(() =>
    fetch(`${worker.url}/healthz`).then(
      () => false,
      () => true,
    ),
  )
  response.writeHead(200).end('thanks')
  expect((await worker.ended).code).toBe(0)
  expect(await why(eventId)).toMatch(/^It was delivered at \S+Z by attempt 1\.$/)
  expect(arrived).toHaveLength(1)
})

test('a starting worker deletes expired rows, sends e-mails and logs allowed private addresses (C-090)', async () => {
  await admin.query(`update hooks set updated_at = 0, last_matched_at = 'epoch'`)
  const installation = await openInstallation(readConfig(settings))
  const db = await installation.directory.dbById(1)
  await db?.transaction((tx) => sendMail(tx, { to: 'ops@example.com', subject: 'A subject', text: 'A text' }))
  await installation.close()
  const worker = await serve('--role', 'worker')
  await until(async () => (await admin.query(`select from hooks where status = 'deactivated'`)).rowCount === 1)
  await until(() => mails.length > 0)
  expect(await (await fetch(`${worker.url}/readyz`, { headers: watching })).json()).toMatchObject({
    outgoing_subnets: ['127.0.0.0/8'],
    webhook_origins: ['http://127.0.0.1:*'],
  })
  worker.child.kill('SIGTERM')
  const { code, text } = await worker.ended
  expect(code).toBe(0)
  const line = text.split('\n').find((one) => one.includes('outgoing_subnets')) ?? '{}'
  expect(JSON.parse(line)).toMatchObject({
    level: 40,
    outgoing_subnets: ['127.0.0.0/8'],
    webhook_origins: ['http://127.0.0.1:*'],
    msg: 'the server may connect to addresses that are not public, or without https',
  })
})

test('a waiting e-mail is listed, and only jobs can be retried', async () => {
  const list = await call(['jobs', 'list', '--state', 'waiting', '--store', 'shop1', '--json'])
  expect(list.code, list.text).toBe(0)
  const [job] = JSON.parse(list.text)
  expect(job).toMatchObject({ store: 'shop1', task: 'send_mail', state: 'waiting', attempts: 1 })
  expect(job.sentence).toMatch(/^Attempt 1 failed: .*421.* It is due at \S+Z\.$/)
  const all = await call(['jobs', 'list', '--state', 'waiting'])
  expect(all.text).toBe(`shop1  ${job.id}  send_mail  ${job.key}\n  ${job.sentence}\n`)
  expect((await call(['jobs', 'list'])).text).toBe('There are none.\n')

  await admin.query(`update jobs set state = 'failed'; delete from job_lanes`)
  const retried = await call(['jobs', 'retry', 'shop1', job.id])
  expect(retried.text).toBe(`The job ${job.id} will be tried again.\n`)
  await admin.query(`update jobs set state = 'held'`)
  const skipped = await call(['jobs', 'skip', 'shop1', job.id])
  expect(skipped.text).toBe(`The jobs behind the job ${job.id} continue.\n`)
})

const refusals: [args: string[], environment: Record<string, string>, sentence: string][] = [
  [['serve', '--role', 'both'], {}, "argument 'both' is invalid. Allowed choices are api, worker, all."],
  [['serve'], { ROLE: 'both' }, 'ROLE must be one of api, worker, all, not "both".'],
  [
    ['events', 'trigger', 'shop1', 'store/order/*'],
    {},
    'No event has the scope "store/order/*". Scopes of this family:',
  ],
  [['events', 'trigger', 'nowhere', 'store/order/created'], {}, 'There is no store "nowhere".'],
  [['hooks', 'why', 'nowhere', 'evt_1'], {}, 'There is no store "nowhere".'],
  [
    ['hooks', 'why', 'shop1', 'evt_1'],
    {},
    'The store shop1 keeps no event "evt_1": it never existed, or is more than 30 days old.',
  ],
  [['jobs', 'list', '--store', 'nowhere'], {}, 'There is no store "nowhere".'],
  [['jobs', 'list', '--limit', '0'], {}, '--limit is a whole number from 1 to 1000.'],
  [['jobs', 'list', '--limit', '1001'], {}, '--limit is a whole number from 1 to 1000.'],
  [['jobs', 'retry', 'nowhere', 'x'], {}, 'There is no store "nowhere".'],
  [['jobs', 'retry', 'shop1', 'x'], {}, 'The store shop1 has no failed job "x".'],
  [['jobs', 'skip', 'shop1', 'x'], {}, 'The store shop1 has no job "x" that keeps others waiting.'],
  [['account', 'rotate-secret', 'shop1', 'nobody'], {}, 'The store shop1 has no account "nobody".'],
]

test('impossible commands are refused with a sentence', async () => {
  for (const [args, environment, sentence] of refusals) {
    expect(await call(args, environment)).toEqual({ code: 1, text: expect.stringContaining(sentence) })
  }
})

test('a secret is replaced, and the former one signs for a day', async () => {
  const installation = await openInstallation(readConfig(settings))
  const { directory, accounts } = installation
  const store = await directory.find('shop1')
  const [account] = await accounts.list('shop1')
  if (!store || !account) throw new Error('There is no account.')
  const [before] = await accounts.secretsOf(store, account.client_id)
  const { code, text } = await call(['account', 'rotate-secret', 'shop1', account.client_id, '--json'])
  expect(code, text).toBe(0)
  const { client_id, client_secret } = JSON.parse(text)
  expect(client_id).toBe(account.client_id)
  expect(client_secret).toMatch(/^[a-z0-9]{64}$/)
  expect(await accounts.secretsOf(store, account.client_id)).toEqual([client_secret, before])
  await installation.close()
})

test('a sample of a channel scope uses the named channel, and an explanation can be printed as JSON', async () => {
  const { code, text } = await call([
    ...['events', 'trigger', 'shop1', 'store/channel/{channel_id}/cart/created', '--channel', '4', '--json'],
  ])
  expect(code, text).toBe(0)
  const { id, scope } = JSON.parse(text)
  expect(scope).toBe('store/channel/4/cart/created')
  const explained = await call(['hooks', 'why', 'shop1', id, '--json'])
  expect(JSON.parse(explained.text)).toMatchObject({
    event: { id, scope },
    hooks: [{ hook_id: 1, verdict: 'other scope', sentence: 'The hook listens to store/order/* only.' }],
  })
})
