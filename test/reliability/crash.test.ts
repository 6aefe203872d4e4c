import { isDeepStrictEqual } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { findEmbedded } from '../../server/core/db/setup/embedded.ts'
import { sendMail } from '../../server/core/mail/outbox.ts'
import { readConfig } from '../../server/process/config.ts'
import { openInstallation } from '../../server/process/installation.ts'
import { Postbox } from '../../server/test/servers/postbox.ts'
import {
  asAdministrator,
  type Brand,
  type Client,
  clientOf,
  damagedPages,
  everyBrand,
  figure,
  newFolder,
  newShop,
  postmasterOf,
  type Reply,
  type ServerProcess,
  sized,
  startServer,
  until,
  whenFileEnds,
} from './rig.ts'

/** A write and its outcome: `reply` is set if it was answered. */
interface Write {
  method: 'POST' | 'PUT' | 'DELETE'
  /** The brand before the write. */
  old?: Brand
  body?: object
  reply?: Reply
}

const ROUNDS = sized(10, 1)
const WRITES = sized(1_000, 200)
const BATCH = 100
const CHANGED = 10
const options = { timeout: 300_000 + 60_000 * ROUNDS }

// Each test begins with the server that the one before it has started again.
const atEnd = whenFileEnds()
const postbox = new Postbox(20)
let folder: string
let server: ServerProcess
let mailAddress: string
const start = async () => {
  server = await startServer(folder, { SMTP_URL: mailAddress }, atEnd)
}
beforeAll(async () => {
  mailAddress = await postbox.open()
  atEnd(() => postbox.close())
  folder = (await newFolder(atEnd)).folder
  await start()
})

const killServer = ({ pid }: ServerProcess) => process.kill(pid, 'SIGKILL')
const killBoth = ({ pid, folder }: ServerProcess) => {
  process.kill(postmasterOf(folder) ?? 0, 'SIGKILL')
  process.kill(pid, 'SIGKILL')
}

test.each([
  ['the server', killServer],
  ['the server and PostgreSQL', killBoth],
])(
  'C-001: after kill -9 of %s each answered write is there, and each other one wholly or not at all',
  options,
  async (name, kill) => {
    const shop = await newShop(folder)
    const fates = { kept: 0, absent: 0, lost: 0, torn: 0 }
    for (let round = 1; round <= ROUNDS; round++) {
      const old = await makeBrands(clientOf(server, shop), `old ${round}`, WRITES / 2)
      const writes = shuffled<Write>([
        ...old.map((brand): Write => ({ method: 'POST', body: brandNamed(`new ${brand.id}`) })),
        ...old.map((brand, i): Write => {
          if (i % 3 === 0) return { method: 'DELETE', old: brand }
          return { method: 'PUT', old: brand, body: brandNamed(`changed ${brand.id}`) }
        }),
      ])
      const call = clientOf(server, shop, WRITES)
      await breakOff(
        writes,
        ({ method, old, body }) => call(method, `/catalog/brands${old ? `/${old.id}` : ''}`, body),
        () => kill(server),
      )
      await server.ended
      await start()

      const stored = await everyBrand(clientOf(server, shop))
      for (const write of writes) fates[fateOf(write, stored)]++
      const { total } = await makeSureItWorks(clientOf(server, shop))
      expect(total).toBe(stored.length)
    }
    expect(fates).toMatchObject({ lost: 0, torn: 0 })
    expect(await damagedPages(folder)).toBe(0)
    figure('C-001', `${name}, ${ROUNDS} x ${WRITES} writes at once: ${JSON.stringify(fates)}, no damaged page`)
  },
)

test(
  'C-002: after kill -9 a batch is wholly there or wholly absent, and there if it was answered',
  options,
  async () => {
    const shop = await newShop(folder)
    const batches = WRITES / 20
    const fates = { kept: 0, absent: 0, lost: 0, torn: 0 }
    for (let round = 1; round <= ROUNDS; round++) {
      const old = await clientOf(server, shop)('POST', METHODS, methodsNamed(`old ${round}`, CHANGED))
      const ids: number[] = old.body.data.map(({ id }: { id: number }) => id)
      const names = Array.from({ length: batches }, (_, i) => `${round} ${i}`)
      const writes = shuffled<{ name?: string; change?: string; reply?: Reply }>([
        ...names.map((name) => ({ name })),
        ...names.slice(0, batches / 2).map((change) => ({ change: `changed ${change}` })),
      ])
      // They wait for one counter: more at once would be refused.
      const call = clientOf(server, shop, 24)
      await breakOff(
        writes,
        ({ name, change }) =>
          name === undefined
            ? call(
                'PUT',
                METHODS,
                ids.map((id) => ({ id, name: change })),
              )
            : call('POST', METHODS, methodsNamed(name, BATCH)),
        () => killServer(server),
      )
      await server.ended
      await start()

      const read = clientOf(server, shop)
      const stored = Map.groupBy(await clearMethods(read), ({ name }) => name)
      for (const { name, reply } of writes) {
        if (reply) expect(reply.status).toBe(200)
        if (name === undefined) continue
        const { length } = stored.get(name) ?? []
        if (length === BATCH) fates.kept++
        else if (length > 0) fates.torn++
        else if (reply) fates.lost++
        else fates.absent++
      }
      const changed = [...stored].filter(([, methods]) => methods.some(({ id }) => ids.includes(id)))
      expect(
        changed.map(([, { length }]) => length),
        'each change is made to all ten or to none',
      ).toEqual([CHANGED])
    }
    expect(fates).toMatchObject({ lost: 0, torn: 0 })
    figure('C-002', `${ROUNDS} x ${batches} batches of 100 at once: ${JSON.stringify(fates)}`)
  },
)

const METHODS = '/pickup/methods'

const brandNamed = (name: string) => ({
  name,
  page_title: `Title of ${name}`,
  meta_keywords: [name, 'kept'],
  meta_description: `${name} `.repeat(40),
})

test(
  'C-006: after kill -9 of a worker each job is done, those under way perhaps twice, and none stays under way',
  options,
  async () => {
    const shop = await newShop(folder)
    let owed = 0
    let inHand = 0
    for (let round = 1; round <= ROUNDS; round++) {
      await oweMails(folder, shop.hash, MAILS)
      await until('some of the mails are sent', () => postbox.received.length >= owed + MAILS / 4)
      owed += MAILS
      killServer(server)
      await server.ended
      await until('its database has ended, too', async () => (await findEmbedded(folder)) === undefined)
      // Only the database: a server would run the next jobs at once.
      const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
      try {
        await asAdministrator(folder, async (client) => {
          const { rows } = await client.query('select count(*)::int as count from job_lanes where due_at > now()')
          // Five under way, and those that were done but not yet written as done.
          expect(rows[0].count).toBeLessThan(MAILS / 2)
          inHand += rows[0].count
          // Simulates the end of their leases.
          await client.query('update job_lanes set due_at = now(), is_new = true where due_at > now()')
        })
      } finally {
        await installation.close()
      }
      await start()
      await asAdministrator(folder, async (client) => {
        await until('all jobs are done', async () => {
          const left = await client.query("select id from jobs where state <> 'done' or begun_at is not null limit 1")
          return left.rows.length === 0
        })
      })
      const subjects = new Set(postbox.received.map(({ head }) => /^Subject: (.*)$/m.exec(head)?.[1]))
      expect(subjects.size).toBe(owed)
      expect(postbox.received.length).toBeLessThanOrEqual(owed + inHand)
    }
    figure('C-006', `${ROUNDS} x ${MAILS} mails: none lost, ${postbox.received.length - owed} sent twice`)
  },
)

const MAILS = sized(200, 40)
let mails = 0

async function oweMails(folder: string, hash: string, count: number) {
  const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
  const store = await installation.directory.find(hash)
  const db = store && (await installation.directory.dbById(store.id))
  await db?.transaction(async (tx) => {
    for (let i = 0; i < count; i++)
      await sendMail(tx, { to: 'a@example.com', subject: `Mail ${++mails}`, text: 'Hello' })
  })
  await installation.close()
}

const methodsNamed = (name: string, count: number) =>
  Array.from({ length: count }, () => ({ location_id: 1, name, collection_instructions: 'Ring twice' }))

/** Deletes all pickup methods. @returns the deleted ones */
async function clearMethods(call: Client): Promise<{ id: number; name: string }[]> {
  const { body } = await call('GET', `${METHODS}?limit=250`)
  if (body.data.length === 0) return []
  await call('DELETE', `${METHODS}?id:in=${body.data.map(({ id }: { id: number }) => id)}`)
  return [...body.data, ...(await clearMethods(call))]
}

async function makeBrands(call: Client, name: string, count: number): Promise<Brand[]> {
  const made = Array.from({ length: count }, (_, i) => call('POST', '/catalog/brands', brandNamed(`${name} ${i}`)))
  return (await Promise.all(made)).map(({ body }) => body.data)
}

/** Sends all writes at once and kills when some have been answered and others have not. */
async function breakOff<W extends { reply?: Reply }>(
  writes: W[],
  send: (write: W) => Promise<Reply>,
  strike: () => unknown,
) {
  let answered = 0
  const sent = writes.map(async (write) => {
    const reply = await send(write)
    answered++
    // A 503 acknowledges nothing, for example when too many wait: such a write may be there or not.
    if (reply.status < 500) write.reply = reply
  })
  const enough = writes.length * (0.1 + Math.random() * 0.7)
  await until('enough writes have been answered', () => answered >= enough)
  strike()
  await Promise.allSettled(sent)
}

function fateOf({ old, body, reply }: Write, stored: Brand[]): 'kept' | 'absent' | 'lost' | 'torn' {
  const [name, id] = [body && 'name' in body ? body.name : undefined, old?.id]
  const now = stored.find((brand) => (id === undefined ? brand.name === name : brand.id === id))
  const isThere = body === undefined ? now === undefined : now !== undefined && holds(now, reply?.body.data ?? body)
  if (isThere) return 'kept'
  if (reply) return 'lost'
  return isDeepStrictEqual(now, old) ? 'absent' : 'torn'
}

const holds = (brand: object, values: object) => isDeepStrictEqual({ ...brand, ...values }, brand)

/** A write after the restart succeeds, and the total that the server keeps counts it. */
async function makeSureItWorks(call: Client): Promise<{ total: number }> {
  const { status, body } = await call('POST', '/catalog/brands', { name: 'After the crash' })
  expect(status).toBe(200)
  expect((await call('DELETE', `/catalog/brands/${body.data.id}`)).status).toBe(204)
  return (await call('GET', '/catalog/brands?limit=1')).body.meta.pagination
}

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
