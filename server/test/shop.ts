import { join } from 'node:path'
import type { FastifyInstance, RouteOptions } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { expect, inject } from 'vitest'
import { type App, createApp } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import { Files } from '../core/files/files.ts'
import { randomIds } from '../core/ids.ts'
import { Addresses } from '../core/net/addresses.ts'
import { Renderers } from '../emails/rendering/renderers.ts'
import { type Installation, openInstallation } from '../installation.ts'
import type { NewAccount } from '../stores/accounts.ts'
import type { NewStore, StoreRecord } from '../stores/directory.ts'
import { mismatch } from './document.ts'
import { makePayable } from './payable.ts'
import { SECRET } from './postgres.ts'
import { WATCH_TOKEN } from './watch.ts'

/** The server of a test worker: the real app on a database of its own. */
interface House extends App {
  installation: Installation
  files: Files
  renderers: Renderers
  /** The address of its database. */
  url: string
  /** The time that the server believes it is; move it as a test needs. */
  clock: { now(): Date; move(ms: number): void; isShared: boolean }
}

let house: Promise<House> | undefined

/** The worker's one server, made at the first call. */
export const theHouse = (): Promise<House> => {
  house ??= build()
  return house
}

async function build(): Promise<House> {
  const worker = `w${process.pid}`
  const databaseUrl = await clone(`${worker}_main`, hasCells ? 'template_cell' : 'template_all')
  const config: Config = {
    ...readConfig({ SECRET, FAILED_LOGINS_MAX: '0', PUBLIC_URL: 'http://shop.test', WATCH_TOKEN }),
    databaseUrl,
    ...(hasCells
      ? {
          directoryUrl: await clone(`${worker}_directory`, 'template_directory'),
          cells: `second=${await clone(`${worker}_second`, 'template_cell')}`,
        }
      : {}),
  }
  let ahead = 0
  const clock = {
    isShared: true,
    now: () => new Date(systemClock.now().getTime() + ahead),
    move(ms: number) {
      ahead += ms
    },
  }
  const installation = await openInstallation(config, { clock, prepares: true })
  const files = new Files(join(inject('folder'), `${worker}-files`), 'http://shop.test', randomIds)
  await files.open()
  const log = pino(
    { level: 'error' },
    {
      write(line) {
        lastError = line
      },
    },
  )
  const renderers = new Renderers()
  const policy = { addresses: new Addresses(config.outgoingSubnets, resolve), origins: config.webhookOrigins }
  const app = await createApp({ ...installation, files, renderers, policy, log }, config, 'http://shop.test')
  return { ...app, installation, files, renderers, url: databaseUrl, clock }
}

/** The last line that the server wrote to its log. */
let lastError = ''

/** Why a request failed, for whoever reads what a test says. */
function causeOf(line: string): string {
  const { err }: { err?: { message?: string; stack?: string } } = JSON.parse(line || '{}')
  return err?.stack ?? err?.message ?? line
}

/** Name servers of a world in which *.example.com is public and *.internal.test is not. */
async function resolve(host: string): Promise<string[]> {
  if (/(^|\.)example\.com$/.test(host)) return ['93.184.215.14']
  if (/\.internal\.test$/.test(host)) return ['10.0.0.1']
  throw new Error(`${host} is not known.`)
}

/** With TEST_CELLS=true the directory is in one database and the stores in two others: most rules of growth in one run. */
const hasCells = process.env.TEST_CELLS === 'true'

async function clone(name: string, template: string): Promise<string> {
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  await admin.query(`create database ${name} template ${template}`)
  await admin.end()
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return url.href
}

export interface Answered {
  status: number
  headers: Record<string, unknown>
  // Tests look into answers freely; what they hold is checked against the document.
  // biome-ignore lint/suspicious/noExplicitAny: a test compares values, it does not compute with them
  body: any
  text: string
}

export interface Call {
  /** Whose token: the store's administrator if not said. */
  as?: NewAccount | { access_token: string }
  headers?: Record<string, string>
  /** Sent as it is, in place of a JSON body. */
  payload?: string | Buffer
  /** The family; of the companion API the path says the version, and a header the store. */
  version?: 'v2' | 'v3' | 'b2b'
}

/** A fresh store with its administrator, and a client that speaks to it. */
export interface Shop {
  store: StoreRecord
  admin: NewAccount
  /** Sends a request below the store's path, and checks the answer against openapi.json. */
  call(method: string, path: string, body?: unknown, call?: Call): Promise<Answered>
}

/** A store with an account of each kind. */
export interface StaffedShop extends Shop {
  readonly: NewAccount
  noscope: NewAccount
  otherclient: NewAccount
}

/** Opens a store. Its ids start at 1. @param more whether it can be paid by the test gateway, as most tests need it */
export async function openShop(options: Partial<NewStore> = {}, more = { hasTestGateway: true }): Promise<Shop> {
  const { server, installation } = await theHouse()
  const store = await installation.directory.create({ name: 'A shop', plan: 'unlimited', ...options })
  if (more.hasTestGateway) await makePayable(installation, store)
  const admin = await installation.accounts.create(store.hash, 'admin', ['all'])
  return {
    store,
    admin,
    call: (method, path, body, call) => send(server, store.hash, admin, method, path, body, call),
  }
}

/** Opens a store for tests of who may do what: accounts take as long to make as the rest of a store. */
export async function openStaffedShop(options: Partial<NewStore> = {}): Promise<StaffedShop> {
  const shop = await openShop(options)
  const { accounts } = (await theHouse()).installation
  const account = (name: string, scopes: string) => accounts.create(shop.store.hash, name, [scopes])
  return {
    ...shop,
    readonly: await account('readonly', 'read_only'),
    noscope: await account('noscope', 'none'),
    otherclient: await account('otherclient', 'all'),
  }
}

async function send(
  server: FastifyInstance,
  hash: string,
  admin: NewAccount,
  method: string,
  path: string,
  body: unknown,
  { as = admin, headers = {}, payload, version = 'v3' }: Call = {},
): Promise<Answered> {
  const url = version === 'b2b' ? `/b2b/api${path}` : `/stores/${hash}/${version}${path}`
  const answer = await server.inject({
    // The framework's type knows only the methods it routes; a test sends others too.
    method: method as 'GET',
    url,
    headers: {
      'x-auth-token': as.access_token,
      ...(version === 'b2b' ? { 'x-store-hash': hash } : {}),
      ...(body === undefined && payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined ? { payload } : body !== undefined ? { payload: JSON.stringify(body) } : {}),
  })
  // Whatever is asked, the server knows what to say. The contract has the companion API say 500 to the hash of another store.
  if (answer.statusCode === 500 && version !== 'b2b')
    throw new Error(`${method} ${path} is answered with 500: ${causeOf(lastError)}`)
  const isJson = /^application\/(problem\+)?json/.test(String(answer.headers['content-type'])) && answer.body !== ''
  const answered = {
    status: answer.statusCode,
    headers: answer.headers,
    body: isJson ? answer.json() : undefined,
    text: answer.body,
  }
  expect(mismatch(method, url, answered), `${method} ${path} against openapi.json`).toEqual([])
  // Rows keep the paths of stored pictures, and answers have their addresses.
  expect(answered.text, `${method} ${path}`).not.toContain('"/files/')
  return answered
}

/** A form with one file, as a browser sends it. */
export function form(
  field: string,
  filename: string,
  bytes: Uint8Array,
): { payload: Buffer; headers: Record<string, string> } {
  const boundary = 'form-of-a-test'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${filename}"\r\ncontent-type: application/octet-stream\r\n\r\n`
  return {
    payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

/** The management routes of the server. */
export const theRoutes = async (): Promise<RouteOptions[]> => (await theHouse()).routes

/** Counters that do not tell what is there: resource by resource, as an administrator who sees every row. */
export async function wrongTotals(): Promise<unknown[]> {
  if (!house) return []
  const wrong: unknown[] = []
  for (const name of hasCells ? ['main', 'second'] : ['main']) {
    const url = new URL(inject('postgresUrl'))
    url.pathname = `/w${process.pid}_${name}`
    const admin = new pg.Client({ connectionString: url.href })
    await admin.connect()
    const { rows } = await admin.query<{ resource: string }>('select distinct resource from counters')
    for (const { resource } of rows) {
      const { rows: differing } = await admin.query(
        `select c.store_id, c.resource, c.total, n.count from counters c
         join lateral (select count(*) from ${pg.escapeIdentifier(resource)} r where r.store_id = c.store_id) n on true
         where c.resource = $1 and c.total <> n.count`,
        [resource],
      )
      wrong.push(...differing)
    }
    await admin.end()
  }
  return wrong
}
