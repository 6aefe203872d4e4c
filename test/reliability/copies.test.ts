import { readdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { form } from '../../server/test/fixtures/shop.ts'
import {
  asAdministrator,
  ask,
  besideServers,
  clientOf,
  figure,
  type Reply,
  type Shop,
  sized,
  startTogether,
  until,
} from './rig.ts'

// Forks, snapshots, restored and deleted stores, while servers are killed (docs/decisions/121-copies-of-stores.md).

const KILLS = sized(50, 2)
const CLIENTS = 3
const PRODUCTS = sized(500, 40)
const FORKS = sized(1_000, 20)

type Operate = (server: { url: string }, method: string, path: string, body?: object) => Promise<Reply>

/** Two servers, an operator, and a test store with products and a picture. */
async function openSource() {
  const together = await startTogether(undefined, [{ TEST_STORES: 'true' }, { TEST_STORES: 'true' }])
  const { key } = await besideServers(together, ({ operatorKeys }) => operatorKeys.create('copies'))
  const operate: Operate = ({ url }, method, path, body) =>
    ask(url, method, `/operator/v1/stores${path}`, { headers: { authorization: `Bearer ${key}` }, body })
  const source = await newTestStore(together.at(0), operate)
  const call = clientOf(together.at(0), source)
  for (let n = 0; n < PRODUCTS; n += 10) {
    const products = Array.from({ length: 10 }, (_, i) => ({
      name: `P${n + i}`,
      type: 'physical',
      weight: 1,
      price: n,
    }))
    expect((await call('POST', '/catalog/products', products)).status).toBe(200)
  }
  return { together, operate, source }
}

async function newTestStore(server: { url: string }, operate: Operate): Promise<Shop> {
  const { status, body } = await operate(server, 'POST', '', { name: 'Source' })
  expect(status).toBe(201)
  const { hash, account } = body.data
  return { hash, token: account.access_token, secret: account.client_secret, clientId: account.client_id }
}

/** The rows of stores that the directory does not have, in all tables. */
const rowsOfNobody = (folder: string) =>
  asAdministrator(folder, async (client) => {
    const { rows: tables } = await client.query(
      `select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
       where relkind = 'r' and nspname = 'public'
         and exists (select from pg_attribute where attrelid = c.oid and attname = 'store_id')`,
    )
    const found: Record<string, number> = {}
    for (const { name } of tables) {
      const { rows } = await client.query(
        `select count(*)::int as count from ${name} where store_id not in (select id from directory.stores)`,
      )
      if (rows[0].count > 0) found[name] = rows[0].count
    }
    return found
  })

/** Copies that are under way, and stores whose deletion has not ended. */
const unfinished = (folder: string) =>
  asAdministrator(folder, async (client) => {
    const { rows } = await client.query(
      `select (select count(*) from directory.forks)::int
         + (select count(*) from directory.deleted_stores where finished_at is null)::int as count`,
    )
    return Number(rows[0].count)
  })

/** Lets servers remove the copies of a killed one at once. */
const endLeases = (folder: string) =>
  asAdministrator(folder, (client) =>
    client.query(`update directory.forks set lease_until = now() - interval '1 hour'`),
  )

const hashesOf = async (operate: Operate, server: { url: string }): Promise<string[]> =>
  (await operate(server, 'GET', '')).body.data.map(({ hash }: { hash: string }) => hash)

/** The folders with files of stores, by their hashes. */
const filesOf = (folder: string) => readdirSync(join(folder, 'files')).filter((name) => /^[a-z][a-z0-9]+$/.test(name))

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('C-007: after kill -9 during forks, restores and deletions each copy is whole or absent', {
  timeout: 300_000 + 60_000 * KILLS,
}, async () => {
  const { together, operate, source } = await openSource()
  const neighbour = await newTestStore(together.at(0), operate)
  await clientOf(together.at(0), neighbour)('POST', '/catalog/brands', { name: 'Neighbour' })
  const dumpOf = () =>
    asAdministrator(together.folder, async (client) => {
      const { rows } = await client.query(
        `select md5(string_agg(b::text, '' order by b.id)) as digest from brands b join directory.stores s on s.id = store_id
         where s.hash = ${pg.escapeLiteral(neighbour.hash)}`,
      )
      return String(rows[0].digest)
    })
  const before = await dumpOf()
  const kept = new Set([source.hash, neighbour.hash, ...(await hashesOf(operate, together.at(0)))])
  const counts = { forks: 0, restored: 0, deleted: 0 }
  let isOver = false
  // The server was killed before it has answered.
  const lost = (): undefined => undefined

  const client = async (n: number) => {
    for (let turn = 0; !isOver; turn++) {
      const server = together.at(n + turn)
      const fork = await operate(server, 'POST', `/${source.hash}/forks`, {}).catch(lost)
      if (fork?.status !== 201) {
        await sleep(20)
        continue
      }
      counts.forks++
      const { hash } = fork.body.data
      const taken = await operate(server, 'POST', `/${hash}/snapshots`, { name: 'one' }).catch(lost)
      if (taken?.status === 201) {
        const restored = await operate(server, 'POST', `/${hash}/snapshots/one/restore`).catch(lost)
        if (restored?.status === 204) counts.restored++
      }
      const removed = await operate(server, 'DELETE', `/${hash}`).catch(lost)
      if (removed?.status === 204) counts.deleted++
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, n) => client(n))
  for (let kill = 0; kill < KILLS; kill++) {
    const forks = counts.forks
    await until('a fork is made', () => counts.forks > forks)
    await sleep(Math.random() * 500)
    const victim = together.at(kill)
    process.kill(victim.pid, 'SIGKILL')
    await victim.ended
    await endLeases(together.folder)
    await together.restart(kill)
  }
  isOver = true
  await Promise.all(clients)

  await endLeases(together.folder)
  // The servers look for remains once a minute and at their start.
  for (const n of [0, 1]) {
    const { pid, ended } = together.at(n)
    process.kill(pid, 'SIGKILL')
    await ended
    await together.restart(n)
  }
  await until('no copy is half made', async () => (await unfinished(together.folder)) === 0, 200_000)
  const left = (await hashesOf(operate, together.at(0))).filter((hash) => !kept.has(hash))
  for (const hash of left) {
    const rows = await asAdministrator(together.folder, (admin) =>
      admin.query(
        `select count(*)::int as count from products join directory.stores s on s.id = store_id where s.hash = $1`,
        [hash],
      ),
    )
    expect(rows.rows[0].count).toBe(PRODUCTS)
    expect((await operate(together.at(0), 'DELETE', `/${hash}`)).status).toBe(204)
  }
  expect(await rowsOfNobody(together.folder)).toEqual({})
  expect(await dumpOf()).toBe(before)
  figure(
    'C-007',
    `${KILLS} kills: ${counts.forks} forks, ${counts.restored} restored, ${counts.deleted} deleted, ${left.length} whole ones left, no remains (load ${loadavg()[0]?.toFixed(0)})`,
  )
})

test('many forks and deletions leave no row and no file', { timeout: 120_000 + 10_000 * FORKS }, async () => {
  const { together, operate, source } = await openSource()
  const server = together.at(0)
  const { headers, payload } = form('image_file', 'a.png', png)
  const brand = await clientOf(server, source)('POST', '/catalog/brands', { name: 'Umbra' })
  const uploaded = await fetch(`${server.url}/stores/${source.hash}/v3/catalog/brands/${brand.body.data.id}/image`, {
    method: 'POST',
    headers: { ...headers, 'x-auth-token': source.token },
    body: new Uint8Array(payload),
  })
  expect(uploaded.status).toBe(200)
  expect(filesOf(together.folder)).toContain(source.hash)
  const before = await hashesOf(operate, server)
  const began = performance.now()
  for (let n = 0; n < FORKS; n += 2) {
    await Promise.all(
      [0, 1].map(async () => {
        const fork = await operate(server, 'POST', `/${source.hash}/forks`, {})
        expect(fork.status).toBe(201)
        const { hash } = fork.body.data
        expect(filesOf(together.folder)).toContain(hash)
        expect([202, 204]).toContain((await operate(server, 'DELETE', `/${hash}`)).status)
      }),
    )
  }
  await until('all deletions have ended', async () => (await unfinished(together.folder)) === 0, 200_000)
  expect(await hashesOf(operate, server)).toEqual(before)
  expect(await rowsOfNobody(together.folder)).toEqual({})
  expect(filesOf(together.folder).filter((name) => !before.includes(name))).toEqual([])
  const seconds = Math.round((performance.now() - began) / 1_000)
  figure(
    'forks',
    `${FORKS} forks of ${PRODUCTS} products made and deleted in ${seconds} s (load ${loadavg()[0]?.toFixed(0)})`,
  )
})
