/**
 * Content, as ratios of one run: a batch of 1,000 redirects beside one insert of them; a list by keyword beside its floor; an import of a
 * file beside `copy` of the same rows, with its memory and the delay of another store; the statements of a page of 150 widgets; a
 * preview beside an e-mail; the processor time of 200 open streams.
 *
 * node bench/content.ts [--quick]
 *
 * Exits with 1 beyond a bar. Needs Linux.
 */
import { rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { redirectImportRunner } from '../server/content/redirects/imex/import.ts'
import { createRedirectJob, findRedirectJob, redirectJobOwner } from '../server/content/redirects/imex/jobs.ts'
import { JobStreams } from '../server/content/redirects/imex/streams.ts'
import { findRedirects } from '../server/content/redirects/redirects.ts'
import { storeRedirects } from '../server/content/redirects/rows.ts'
import { publishPageWidgets } from '../server/content/widgets/pages/page-widgets.ts'
import { TEXT_TEMPLATE } from '../server/content/widgets/templates/builtin.ts'
import { renderWidget } from '../server/content/widgets/templates/preview.ts'
import { createWidgetTemplate } from '../server/content/widgets/templates/templates.ts'
import type { Db, Tx } from '../server/core/db/database.ts'
import { sql } from '../server/core/db/sql.ts'
import { Files } from '../server/core/files/files.ts'
import { randomIds } from '../server/core/secrets/ids.ts'
import { renderMail } from '../server/shop/emails/mail-rendering.ts'
import { RENDERING } from '../server/shop/templates/bounds.ts'
import { Renderers } from '../server/shop/templates/renderers.ts'
import { cpuOfPostgres } from './cpu.ts'
import { type OwnServer, withOwnServer } from './own-server.ts'
import { figure } from './report.ts'

const BATCH = 1_000
const SITE = 1_000
const WIDGETS = 150
const [STREAM_STORES, STREAMS_OF_STORE] = [40, 5]
const BARS = {
  batch: 5,
  keyword: 1.6,
  import: 3,
  memoryMib: 300,
  neighbour: 1.3,
  statements: 6,
  preview: 1.3,
  streams: 0.01,
}

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [ROUNDS, REDIRECTS, ROWS, PREVIEWS, STREAM_SECONDS] = options.quick
  ? [3, 20_000, 5_000, 50, 5]
  : [7, 1_000_000, 100_000, 500, 30]

async function measureAll(server: OwnServer) {
  const open = async (name: string) => {
    const store = await server.directory.create({ name, plan: 'unlimited' })
    return server.cell.api.of({ ...store, limits: {} })
  }
  const rules = { domain: 'shops.example.com', publicUrl: server.url.origin, allowsPorts: true }
  const db = await open('Content')
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)
  await batches(server, db, rules)
  await keyword(server, db)
  await imports(server, await open('Import'), await open('Neighbour'), rules)
  await pages(db)
  await previews(db)
  await streams(server, open)
}

type Rules = Parameters<typeof storeRedirects>[2]['rules']

const inputs = (from: number, target: string) =>
  Array.from({ length: BATCH }, (_, i) => ({
    site_id: SITE,
    from_path: `/batch/${from + i}`,
    to: { type: 'url' as const, url: target },
  }))

async function batches({ postmaster }: OwnServer, db: Db, rules: Rules) {
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const own = await cpuOf(postmaster, () =>
      db.transaction((tx) =>
        storeRedirects(tx, inputs(round * BATCH, `/new-${round}`), { rules, nameOf: (i, field) => `${i}.${field}` }),
      ),
    )
    const rows = Array.from({ length: BATCH }, (_, i) => ({
      id: 10_000_000 + round * BATCH + i,
      path: `/floor/${round}/${i}`,
    }))
    const floor = await cpuOf(postmaster, () =>
      db.transaction((tx) =>
        tx.rows(sql`
          insert into redirects (store_id, id, site_id, from_path, from_path_key, path_digest, type, entity_id, url)
          select ${tx.store.id}, id, ${SITE}, path, path, path, 'url', 0, '/new'
          from ${sql.table('wanted', rows, { id: 'int', path: 'text' })}
          on conflict (store_id, id) do update set url = excluded.url`),
      ),
    )
    ratios.push(own / floor)
  }
  print('a batch of 1,000 redirects beside one insert', ratios, BARS.batch)
}

async function keyword({ admin, postmaster }: OwnServer, db: Db) {
  await admin.query(
    `insert into redirects (store_id, id, site_id, from_path, from_path_key, path_digest, type, entity_id, url)
     select $1, n, $2, '/shelf/' || n, '/shelf/' || n, md5(n::text), 'url', 0, '/new' from generate_series(20000000, 20000000 + $3::int) n`,
    [db.store.id, SITE, REDIRECTS],
  )
  await admin.query('vacuum analyze redirects')
  const times = 50
  const ratios: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const key = (n: number) => `/shelf/2000${n % 10}`
    const own = await cpuOf(postmaster, async () => {
      for (let n = 0; n < times; n++) await findRedirects(db, { page: 1, limit: 50, keyword: key(n) })
    })
    const floor = await cpuOf(postmaster, async () => {
      for (let n = 0; n < times; n++) {
        const matches = sql`store_id = ${db.store.id} and from_path_key >= ${key(n)} and from_path_key < ${`${key(n)}\u{10ffff}`}`
        await db.rows(sql`
          select (select count(*) from redirects where ${matches}), id, site_id, from_path, type, entity_id, url
          from redirects where ${matches} order by id limit 50`)
      }
    })
    if (round > 0) ratios.push(own / floor)
  }
  print(`a list by keyword of ${REDIRECTS} redirects beside its floor`, ratios, BARS.keyword)
}

async function imports({ folder, admin }: OwnServer, db: Db, neighbour: Db, rules: Rules) {
  const files = new Files(join(folder, 'files'), 'http://127.0.0.1', randomIds)
  await files.open()
  const host = `store-${db.store.hash}.shops.example.com`
  const lines = Array.from({ length: ROWS }, (_, i) => `${host},/import/${i},/new/${i},,`)
  const text = Buffer.from(
    ['Domain,Old Path,Manual URL/Path,Dynamic Target Type,Dynamic Target ID', ...lines].join('\n'),
  )
  const quiet = await delays(neighbour, sleep(3_000))
  const draft = await files.draft(db.store, pieces(text), 'csv')
  await draft.keep()
  const job = await db.transaction(async (tx) => {
    const id = await createRedirectJob(tx, { kind: 'import', file: draft.name })
    await files.addOwner(tx, redirectJobOwner(id), draft.name)
    return id
  })
  let memory = 0
  const watch = setInterval(() => (memory = Math.max(memory, process.memoryUsage().rss)), 50)
  const begin = performance.now()
  const runner = redirectImportRunner(files, rules)
  const run = async () => {
    const signal = new AbortController().signal
    while ((await findRedirectJob(db, job, 'import')).status !== 'complete') {
      await runner.run({ id: '1', db, payload: { job }, attempt: 1, signal })
    }
  }
  const beside = await delays(neighbour, run())
  const took = performance.now() - begin
  clearInterval(watch)
  // The database may run as another user, who can't read our folder.
  const path = join(tmpdir(), `storeward-floor-${process.pid}.csv`)
  await writeFile(
    path,
    lines.map((_, i) => `${db.store.id},${i},${SITE},/import/${i},/import/${i},${i},url,0,/new/${i}`).join('\n'),
  )
  await admin.query('create table floor (like redirects including all)')
  const beginCopy = performance.now()
  await admin.query(
    `copy floor (store_id, id, site_id, from_path, from_path_key, path_digest, type, entity_id, url) from '${path}' with (format csv)`,
  )
  const copied = performance.now() - beginCopy
  await rm(path)
  print(`an import of ${ROWS} rows beside copy`, [took / copied], BARS.import)
  print('resident memory meanwhile, MiB', [memory / 2 ** 20], BARS.memoryMib)
  print('p99 of another store beside the import', [p99(beside) / p99(quiet)], BARS.neighbour)
}

async function* pieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

/** The times of reads of another store until work has ended, in milliseconds. */
async function delays(db: Db, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    const begin = performance.now()
    await db.rows(sql`select id from channels where store_id = ${db.store.id} and id = 1`)
    times.push(performance.now() - begin)
    await sleep(2)
  }
  await done
  return times
}

const p99 = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0

async function pages(db: Db) {
  const { uuid } = await db.transaction((tx) => createWidgetTemplate(tx, { name: 'Text', template: '<p>{{text}}</p>' }))
  const widget = { widget_template_uuid: uuid, configuration: { text: 'x' } }
  const regions = [{ name: 'top', children: Array.from({ length: WIDGETS }, () => widget) }]
  const key = { channel_id: 1, template_file: 'pages/home', entity_id: '' }
  const publish = () => db.transaction((tx) => publishPageWidgets(counting(tx), key, regions))
  await publish()
  statements = 0
  await publish()
  print('statements of a page of 150 widgets', [statements], BARS.statements)
}

let statements = 0
const COUNTED = new Set(['rows', 'row', 'maybeRow', 'byKey', 'jsonRows', 'jsonByKey'])
/** The same transaction, with its statements counted. */
const counting = (tx: Tx): Tx =>
  new Proxy(tx, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (COUNTED.has(String(name))) statements++
        return Reflect.apply(value, target, args)
      }
    },
  })

async function previews(db: Db) {
  const renderers = new Renderers()
  const body = '{{#if heading}}<h2>{{heading}}</h2>{{/if}}<p>{{text}}</p>'
  const context = { heading: 'Good morning', text: 'x'.repeat(500) }
  const mail = () =>
    renderMail(renderers, db.store.id, {
      subject: '{{heading}}',
      body,
      translations: [],
      locale: 'en',
      context,
      bounds: RENDERING,
    })
  const preview = () => renderWidget(renderers, db, TEXT_TEMPLATE, context)
  const timed = async (work: () => Promise<unknown>) => {
    const begin = performance.now()
    for (let n = 0; n < PREVIEWS; n++) await work()
    return performance.now() - begin
  }
  await timed(mail)
  await timed(preview)
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) ratios.push((await timed(preview)) / (await timed(mail)))
  renderers.close()
  print('a preview beside an e-mail', ratios, BARS.preview)
}

async function streams({ directory, admin, postmaster }: OwnServer, open: (name: string) => Promise<Db>) {
  const all = new JobStreams({ directory, log: { warn: console.warn } })
  for (let n = 0; n < STREAM_STORES; n++) {
    const db = await open(`Stream ${n}`)
    await admin.query(
      `insert into api_accounts (store_id, id, client_id, name, token_hash, client_secret, scopes, created_at)
       values ($1, 1, 'watcher', 'watcher', $2, '', '[]', now())`,
      [db.store.id, `watcher ${n}`],
    )
    const id = await db.transaction((tx) => createRedirectJob(tx, { kind: 'export', total_items: 1 }))
    const job = await findRedirectJob(db, id, 'export')
    for (let i = 0; i < STREAMS_OF_STORE; i++) (await all.open(db, 'watcher', job)).resume()
  }
  const before = process.cpuUsage()
  const database = cpuOfPostgres(postmaster)
  await sleep(STREAM_SECONDS * 1_000)
  const { user, system } = process.cpuUsage(before)
  const used = user + system + (cpuOfPostgres(postmaster) - database)
  print(`${all.size} open streams, as a share of a core`, [used / (STREAM_SECONDS * 1_000_000)], BARS.streams)
  all.drain()
}

/** Processor time of the database for work, in microseconds. */
async function cpuOf(postmaster: number, work: () => Promise<unknown>): Promise<number> {
  const before = cpuOfPostgres(postmaster)
  await work()
  return Math.max(1, cpuOfPostgres(postmaster) - before)
}

function print(what: string, measured: number[], bar: number) {
  const { median, lowest, highest } = figure(measured)
  const isMet = median <= bar
  console.log(
    `${what.padEnd(62)} ${median.toFixed(3)} (${lowest.toFixed(3)} to ${highest.toFixed(3)}), at most ${bar}${isMet ? '' : ': MISSED'}`,
  )
  if (!isMet) process.exitCode = 1
}

await withOwnServer('content', measureAll)
