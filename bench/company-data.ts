import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import t, { type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../server/core/db/database.ts'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { Files } from '../server/core/files/files.ts'
import { Addresses } from '../server/core/net/addresses.ts'
import { isObject } from '../server/core/objects.ts'
import { setCompanion } from '../server/doors/b2b/tokens/store.ts'
import { createApp } from '../server/process/app.ts'
import { readConfig } from '../server/process/config.ts'
import { type Installation, openInstallation } from '../server/process/installation.ts'
import { storeTexts } from '../server/sales/b2b/shared/texts.ts'
import { cpuOf, cpuOfPostgres } from './cpu.ts'
import { type Subject, startServer } from './subjects.ts'

/** Quotes of each company, and its orders. */
export const EACH = 100
const BATCH = 2_000
/** Statuses of quotes. */
const STATUSES = 'array[0, 2, 3, 4, 5, 6]'

/** A server in this process, and one of its own, on one embedded database. */
export interface CompanyHouse {
  folder: string
  installation: Installation
  /** The server of this process. */
  app: FastifyInstance
  /** The server in a process of its own. */
  server: Subject
  /** A connection with all rights. */
  admin: pg.Client
  /** CPU of this process and of the database so far, in microseconds. */
  cpu: () => number
  cpuOfDatabase: () => number
}

/** Does work with both servers in a folder of its own, which is deleted afterwards. */
export async function withCompanyHouse(name: string, work: (house: CompanyHouse) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), `storeward-${name}-`))
  const server = await startServer(folder, [])
  const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
  try {
    const administrator = await findEmbedded(folder)
    if (!administrator) throw new Error('The database is not running.')
    const url = new URL(administrator)
    url.pathname = '/storeward'
    const admin = new pg.Client({ connectionString: url.href })
    admin.on('error', () => {})
    await admin.connect()
    const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
    const files = new Files(join(folder, 'files'), 'http://127.0.0.1', installation.ids)
    await files.open()
    const parts = { ...installation, files, policy: { addresses: new Addresses([]), origins: [] } }
    const log = pino({ level: 'silent' })
    const { server: app } = await createApp({ ...parts, log }, readConfig({}), 'http://127.0.0.1')
    const cpuOfDatabase = () => cpuOfPostgres(postmaster)
    const cpu = () => cpuOf(process.pid) + cpuOfDatabase()
    await work({ folder, installation, app, server, admin, cpu, cpuOfDatabase })
    await app.close()
    await admin.end()
  } finally {
    await installation.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A store with the companion API and without limits of its requests. */
export interface CompanyStore {
  id: number
  hash: string
  token: string
  db: Db
  /** Sends a request of the store's API, such as `/v3/catalog/products`. @throws for any status but 2xx */
  call(method: Method, path: string, body?: object): Promise<unknown>
  /** Sends a request of the companion API. @param path below `/b2b/api/v3/io` */
  companion(method: Method, path: string, body?: object, headers?: Record<string, string>): Promise<unknown>
}

/** Reads the data of an answer. @throws unless they have this shape */
export const dataOf = <Shape extends TSchema>(shape: Shape, answer: unknown): Static<Shape> =>
  Value.Parse(shape, isObject(answer) ? answer.data : undefined)

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export async function openCompanyStore({ installation, app }: CompanyHouse, name: string): Promise<CompanyStore> {
  const { directory, accounts } = installation
  const { id, hash } = await directory.create({ name, plan: 'unlimited' })
  const db = await directory.dbById(id)
  if (!db) throw new Error('The store has no database.')
  await setCompanion(db, true)
  const { access_token: token } = await accounts.create(hash, 'bench', ['all'])
  const send = async (
    method: Method,
    url: string,
    headers: Record<string, string>,
    body?: object,
  ): Promise<unknown> => {
    const answer = await app.inject({ method, url, headers, ...(body ? { payload: body } : {}) })
    if (answer.statusCode > 299) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body.slice(0, 500)}`)
    return answer.body === '' ? undefined : answer.json()
  }
  return {
    id,
    hash,
    token,
    db,
    call: (method, path, body) => send(method, `/stores/${hash}${path}`, { 'x-auth-token': token }, body),
    companion: (method, path, body, headers = { 'x-auth-token': token, 'x-store-hash': hash }) =>
      send(method, `/b2b/api/v3/io${path}`, headers, body),
  }
}

const Product = t.Object({ id: t.Integer(), base_variant_id: t.Integer() })
const Firm = t.Object({ companyId: t.Integer(), customerId: t.Integer() })

/** Creates products that every shopper sees. @returns their ids and those of their variants */
export async function makeProducts({ call }: CompanyStore, count: number) {
  const made: { productId: number; variantId: number }[] = []
  for (let n = 1; n <= count; n++) {
    const body = { name: `Mug ${n}`, sku: `MUG-${n}`, type: 'physical', weight: 1, price: 10, is_visible: true }
    const { id, base_variant_id } = dataOf(Product, await call('POST', '/v3/catalog/products', body))
    made.push({ productId: id, variantId: base_variant_id })
  }
  const assignments = made.map(({ productId }) => ({ product_id: productId, channel_id: 1 }))
  await call('PUT', '/v3/catalog/products/channel-assignments', assignments)
  return made
}

/** A company with its admin. @param password of the admin */
export async function makeFirm({ call, companion }: CompanyStore, name: string, password: string) {
  const host = `${name.toLowerCase()}.example.com`
  const email = `ann@${host}`
  const made = await companion('POST', '/companies', {
    companyName: name,
    companyEmail: `office@${host}`,
    companyPhone: '555 1234',
    country: 'Australia',
    adminFirstName: 'Ann',
    adminLastName: 'Lee',
    adminEmail: email,
  })
  const { companyId, customerId } = dataOf(Firm, made)
  await call('PUT', '/v3/customers', [{ id: customerId, authentication: { new_password: password } }])
  return { companyId, customerId, email }
}

/** The body of a quote of products that cost 10. */
export const quoteBody = (companyId: number, email: string, products: readonly { productId: number }[]) => ({
  companyId,
  quoteTitle: 'For the season',
  subtotal: 10 * products.length,
  discount: 0,
  grandTotal: 10 * products.length,
  expiredAt: '12/31/2099',
  contactInfo: { name: 'Ann Lee', email },
  productList: products.map(({ productId }, i) => ({
    productId,
    sku: `MUG-${i + 1}`,
    basePrice: 10,
    discount: 0,
    offeredPrice: 10,
    quantity: 1,
  })),
})

/** The name of a copied company. */
export const firmNamed = (id: number) => `Firm ${createHash('md5').update(String(id)).digest('hex').slice(0, 8)}`

/** Copies the first company, so that the store has as many. They have no users. */
export async function copyCompanies({ admin }: CompanyHouse, { id }: CompanyStore, count: number) {
  await admin.query(
    `insert into companies select made.* from companies kind, generate_series(2, $2::int) n,
       lateral jsonb_populate_record(kind, jsonb_build_object('id', n, 'company_name', 'Firm ' || left(md5(n::text), 8),
         'company_name_key', 'firm ' || left(md5(n::text), 8),
         'company_email', 'firm' || n || '@example.com', 'company_email_key', 'firm' || n || '@example.com')) made
     where kind.store_id = $1 and kind.id = 1`,
    [id, count],
  )
  await raise(admin, id, 'companies', count)
}

/**
 * Copies the first quote over a thousand days and over companies, in all statuses, with the texts by which searches find them. Each
 * company has 100.
 */
export async function copyQuotes({ admin }: CompanyHouse, { id, db }: CompanyStore, count: number) {
  const companies = count / EACH
  const pieces = Math.max(1, count / 100_000)
  for (let piece = 0; piece < pieces; piece++) {
    await admin.query(
      `insert into b2b_quotes select made.* from b2b_quotes kind, generate_series($2::int, $3::int) n,
         lateral (select (n - 1) % $4::int + 1 as company, timestamptz '2020-01-01Z' +
           ((n::bigint * 1000 * 86400 / $5::bigint) * interval '1 second') as at) of,
         lateral jsonb_populate_record(kind, jsonb_build_object('id', n, 'quote_uuid', md5(kind.store_id || ' ' || n),
           'quote_number', 'QN' || lpad(n::text, 7, '0'), 'quote_number_key', 'qn' || lpad(n::text, 7, '0'),
           'company_id', company, 'company_name', 'Firm ' || left(md5(company::text), 8),
           'company_name_key', 'firm ' || left(md5(company::text), 8),
           'status', (${STATUSES})[n / $4::int % 6 + 1], 'created_at', at, 'updated_at', at)) made
       where kind.store_id = $1 and kind.id = 1`,
      [id, 2 + (piece * count) / pieces, 1 + ((piece + 1) * count) / pieces, companies, count],
    )
  }
  await raise(admin, id, 'b2b_quotes', count + 1)
  await admin.query(
    `update companies company set quotes_total = (
       select count(*) from b2b_quotes where store_id = $1 and company_id = company.id
     ) where store_id = $1`,
    [id],
  )
  for (let first = 2; first <= count + 1; first += BATCH) {
    const owners = Array.from({ length: Math.min(BATCH, count + 2 - first) }, (_, i) => {
      const n = first + i
      return {
        id: n,
        texts: [`QN${String(n).padStart(7, '0')}`, 'For the season', firmNamed(((n - 1) % companies) + 1)],
      }
    })
    await db.transaction((tx) => storeTexts(tx, 'quote', owners))
  }
}

/** Sets the counter of a table to a number of rows whose ids begin with 1. */
const raise = (admin: pg.Client, store: number, resource: string, count: number) =>
  admin.query('update counters set last_id = $3, total = $3 where store_id = $1 and resource = $2', [
    store,
    resource,
    count,
  ])

/**
 * Copies the first order with its record over a thousand days and over companies. Each company has 100. Every third awaits its fulfillment.
 */
export async function copyCompanyOrders({ admin }: CompanyHouse, { id }: CompanyStore, count: number) {
  const at = `timestamptz '2020-01-01Z' + ((n::bigint * 1000 * 86400 / $4::bigint) * interval '1 second')`
  const pieces = Math.max(1, count / 100_000)
  for (let piece = 0; piece < pieces; piece++) {
    const span = [id, 2 + (piece * count) / pieces, 1 + ((piece + 1) * count) / pieces, count]
    await admin.query(
      `insert into orders select made.* from orders kind, generate_series($2::int, $3::int) n,
         lateral jsonb_populate_record(kind, jsonb_build_object('id', n,
           'status_id', case when n % 3 = 0 then 11 else 10 end, 'date_created', ${at}, 'date_modified', ${at})) made
       where kind.store_id = $1 and kind.id = 1`,
      span,
    )
    await admin.query(
      `insert into b2b_orders select made.* from b2b_orders kind, generate_series($2::int, $3::int) n,
         lateral jsonb_populate_record(kind, jsonb_build_object('id', n, 'order_id', n,
           'company_id', (n - 1) % ($4::int / ${EACH}) + 1, 'po_number', 'PO-' || n, 'created_at', ${at}, 'updated_at', ${at})) made
       where kind.store_id = $1 and kind.id = 1`,
      span,
    )
  }
  await raise(admin, id, 'orders', count + 1)
  await raise(admin, id, 'b2b_orders', count + 1)
}
