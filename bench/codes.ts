/**
 * The cost of coupon codes in a store with 1,000,000 of them, in database CPU: generating 250 codes beside one insert of 250 rows; looking
 * up a code as a cart does, beside a read of its row by key; the list of promotions by a part of a code, beside the list by a name (docs/decisions/078-codes-by-one-statement.md).
 *
 *   node bench/codes.ts [--quick]
 *
 * Exits with 1 if a ratio is above its bar. `--quick` measures fewer rounds, with 100,000 codes. Needs Linux: CPU time is read from /proc.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { prepared } from '../server/core/db/database.ts'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { sql } from '../server/core/db/sql.ts'
import { findOne, findWhere, takeIds } from '../server/core/rest/lists/verbs.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { promotionCodes } from '../server/sales/promotions/coupon-row.ts'
import { coupons } from '../server/sales/promotions/coupons/row.ts'
import { findCodes } from '../server/sales/promotions/evaluation/cart-codes.ts'
import { generateCodes } from '../server/sales/promotions/promotions/code-generation.ts'
import { createPromotion } from '../server/sales/promotions/promotions/saving.ts'
import { promotions } from '../server/sales/promotions/promotions/shape.ts'
import { cpuOfPostgres } from './cpu.ts'
import { compareWorks } from './ratio.ts'
import { startServer } from './subjects.ts'

const BATCH = 250
/** Codes that are stored at once. */
const STEP = 10_000

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [CODES, ROUNDS, TIMES] = options.quick ? [100_000, 5, 20] : [1_000_000, 11, 100]

const folder = await mkdtemp(join(tmpdir(), 'storeward-codes-'))
const server = await startServer(folder, [])
const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
try {
  await compare(await openStore())
} finally {
  await installation.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}

async function compare({ db, get }: Awaited<ReturnType<typeof openStore>>) {
  console.log(`load ${loadavg()[0]?.toFixed(1)}; ${CODES} codes; CPU in milliseconds, median of ${ROUNDS} rounds`)
  const some = () => 1 + Math.floor(Math.random() * CODES)
  const cpu = () => cpuOfPostgres(postmaster)
  await compareWorks({
    name: 'look-up of a code, beside its row by key',
    bar: 1.3,
    cpu,
    rounds: ROUNDS,
    times: TIMES * 10,
    own: () => findCodes(db, [codeOf(some())], 'USD'),
    beside: () => findWhere(db, coupons, sql`id = ${some()}`),
  })
  await compareWorks({
    name: 'promotions by a part of a code, beside those by name',
    cpu,
    rounds: ROUNDS,
    times: TIMES,
    own: () => get(`/promotions?query=${codeOf(some()).slice(3, 13)}`),
    beside: () => get('/promotions?name=Bulk'),
  })
  const promotion = await findOne(db, promotions, 1)
  let last = CODES * 100
  const insert = () => {
    const first = last + 1
    last += BATCH
    return db.transaction((tx) => tx.rows(insertion(tx.store.id, [first, last])))
  }
  await compareWorks({
    name: `${BATCH} generated codes, beside one insert of them`,
    bar: 4,
    cpu,
    rounds: ROUNDS,
    times: TIMES,
    own: () => db.transaction((tx) => generateCodes(tx, promotion, { batch_size: BATCH })),
    beside: insert,
  })
}

/** The code of a row: as random as generated ones. */
function codeOf(id: number): string {
  return createHash('md5').update(String(id)).digest('hex').slice(0, 16).toUpperCase()
}

/** Inserts the codes of some ids with one statement. */
function insertion(store: number, [first, last]: readonly [number, number]) {
  return prepared(sql`
    insert into coupons (store_id, id, promotion_id, code, code_key, max_uses, max_uses_per_customer, current_uses, created)
    select ${store}::int, id, 1, upper(left(md5(id::text), 16)), left(md5(id::text), 16), 1, 1, 0, now()
    from generate_series(${first}::int, ${last}::int) id returning id`)
}

/** A store with a bulk promotion that has all the codes. */
async function openStore() {
  const store = { ...(await installation.directory.create({ name: 'Codes', plan: 'unlimited' })), limits: {} }
  const { access_token } = await installation.accounts.create(store.hash, 'admin', ['all'])
  const [cell] = installation.directory.cells
  if (!cell) throw new Error('The database is not running.')
  const db = cell.api.of(store)
  const rules = [{ action: { cart_value: { discount: { fixed_amount: '1' } } } }]
  await db.transaction(async (tx) => {
    await createPromotion(tx, { redemption_type: 'COUPON', coupon_type: 'BULK', name: 'Bulk', rules })
  })
  for (let first = 1; first <= CODES; first += STEP) {
    await db.transaction(async (tx) => {
      await takeIds(tx, [[promotionCodes, STEP]])
      await tx.rows(insertion(tx.store.id, [first, first + STEP - 1]))
    })
  }
  const administrator = new URL((await findEmbedded(folder)) ?? '')
  administrator.pathname = '/storeward'
  const client = new pg.Client({ connectionString: administrator.href })
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
  const get = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/stores/${store.hash}/v3${path}`, {
      headers: { 'x-auth-token': access_token },
    })
    const { data } = Object(await answer.json())
    if (!Array.isArray(data) || data.length !== 1) throw new Error(`${path} is answered with ${answer.status}`)
  }
  return { db, get }
}
