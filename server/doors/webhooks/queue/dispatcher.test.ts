import { beforeAll, describe, expect, test, vi } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { slotOf } from '../../../core/events/slots.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { attempt, dbOf, delivered, happen, noProblems, rowsOf, SCOPE } from '../../../test/fixtures/webhooks.ts'
import type { HookClaim } from './claims.ts'
import { Dispatcher } from './dispatcher.ts'
import { LEASE_MS } from './lanes.ts'

// Other files leave events in this worker's database. Their stores would take the turns that this file counts.
beforeAll(async () => {
  const dispatcher = new Dispatcher((await theHouse()).installation.directory, noProblems)
  while (await dispatcher.dispatchAll()) {}
})

const shopWithHook = async () => {
  const shop = await openShop()
  await shop.call('POST', '/hooks', { scope: SCOPE, destination: 'https://hooks.example.com/a' })
  return shop
}

test('a hundred busy stores delay no other by more than a turn', async () => {
  const { directory } = (await theHouse()).installation
  for (let i = 0; i < 100; i++) {
    const { id } = await directory.create({ name: 'Busy', plan: 'unlimited' })
    const db = await directory.dbById(id)
    // One more than a turn dispatches.
    await db?.transaction(async (tx) => {
      const event = sql`${slotOf(tx.now)}::int, nr, ${tx.now.getTime()}::bigint, 0, ${SCOPE}, 'category 1', '{}'`
      await tx.rows(sql`
        insert into events (store_id, slot, seq, ms, nonce, scope, resource, data)
        select ${id}::int, ${event} from generate_series(1, 501) nr returning seq`)
      await tx.rows(sql`
        insert into event_streams (store_id, last_seq, last_ms, dispatched_seq) values (${id}, 501, ${tx.now.getTime()}, 0)`)
    })
  }
  const quiet = await shopWithHook()
  await (await dbOf(quiet)).transaction(async (tx) => publish(tx, SCOPE, 'category 1', { type: 'category', id: 1 }))
  const dispatcher = new Dispatcher(directory, noProblems)
  await dispatcher.dispatchAll()
  await dispatcher.dispatchAll()
  expect(await rowsOf(quiet, 'deliveries')).toHaveLength(1)
  while (await dispatcher.dispatchAll()) {}
})

test('a failure in one store is logged, and the others continue', async () => {
  const { directory } = (await theHouse()).installation
  const [broken, sound] = [await shopWithHook(), await shopWithHook()]
  for (const shop of [broken, sound]) {
    await (await dbOf(shop)).transaction(async (tx) => publish(tx, SCOPE, 'category 1', { type: 'category', id: 1 }))
  }
  const find = directory.dbById.bind(directory)
  const spy = vi.spyOn(directory, 'dbById').mockImplementation((id) => {
    if (id === broken.store.id) throw new Error('It times out.')
    return find(id)
  })
  const problems: unknown[] = []
  const dispatcher = new Dispatcher(directory, { error: (problem: unknown) => problems.push(problem) })
  expect(await dispatcher.dispatchAll()).toBe(1)
  expect(problems).toEqual([{ err: new Error('It times out.'), store: broken.store.id }])
  expect(await rowsOf(sound, 'deliveries')).toHaveLength(1)
  // The next look finds only the broken store. Then the dispatcher rests until it is scheduled again.
  expect(await dispatcher.dispatchAll()).toBe(0)
  expect(dispatcher.hasWork).toBe(false)
  spy.mockRestore()
})

test('a store whose events were not dispatched for 30 days is up to date after their deletion', async () => {
  const { directory } = (await theHouse()).installation
  const shop = await shopWithHook()
  const db = await dbOf(shop)
  await db.transaction(async (tx) => publish(tx, SCOPE, 'category 1', { type: 'category', id: 1 }))
  await db.transaction((tx) => tx.rows(sql`delete from events where store_id = ${shop.store.id}`))
  await new Dispatcher(directory, noProblems).dispatchAll()
  expect(await rowsOf(shop, 'event_streams')).toMatchObject([{ last_seq: 1, dispatched_seq: 1 }])
})

test('a store is served when its events are scheduled, without a look at all stores', async () => {
  const { directory } = (await theHouse()).installation
  const shop = await shopWithHook()
  const dispatcher = new Dispatcher(directory, noProblems)
  while (await dispatcher.dispatchAll()) {}
  expect(dispatcher.hasWork).toBe(false)
  await (await dbOf(shop)).transaction(async (tx) => publish(tx, SCOPE, 'category 1', { type: 'category', id: 1 }))
  expect(await dispatcher.dispatchAll()).toBe(0)
  dispatcher.schedule(shop.store.id)
  expect(await dispatcher.dispatchAll()).toBe(1)
})

describe('lanes that this process can send at once', () => {
  /** Dispatches events of these resources to a sender with this room. @returns its lanes */
  async function handOver(shop: Shop, resources: string[], room: number): Promise<HookClaim[]> {
    const claims: HookClaim[] = []
    const send = async (_: unknown, claim: HookClaim) => {
      claims.push(claim)
    }
    await (await dbOf(shop)).transaction(async (tx) => {
      for (const resource of resources) publish(tx, SCOPE, resource, { type: 'category', id: 1 })
    })
    const dispatcher = new Dispatcher((await theHouse()).installation.directory, noProblems, { free: () => room, send })
    while (await dispatcher.dispatchAll()) {}
    return claims
  }

  const LATER = 'when the lease ends'

  /** The due time of each lane. */
  async function lanesOf(shop: Shop) {
    const now = (await theHouse()).clock.now()
    const lanes = await rowsOf(shop, 'lanes')
    return lanes.map(({ resource, due_at }) => [resource, new Date(String(due_at)) > now ? LATER : 'now'])
  }

  test('belong to it until the lease ends; other lanes are due', async () => {
    const shop = await shopWithHook()
    await happen(shop, 'category 1')
    const resources = ['category 1', ...Array.from({ length: 12 }, () => 'category 2'), 'category 3']
    const claims = await handOver(shop, resources, 2)
    expect(claims.map(({ hook, lanes }) => [hook.id, lanes.map(({ resource }) => resource)])).toEqual([
      [1, ['category 2']],
    ])
    const [lane] = claims[0]?.lanes ?? []
    expect(lane?.deliveries.map(({ seq, attempt, failures }) => [seq, attempt, failures])).toEqual(
      Array.from({ length: 10 }, (_, i) => [i + 3, 1, 0]),
    )
    expect(lane?.deliveries[0]?.event).toMatchObject({ scope: SCOPE, data: '{"type":"category","id":1}' })
    expect(await rowsOf(shop, 'attempts')).toHaveLength(10)
    expect(await lanesOf(shop)).toEqual([
      ['category 1', 'now'],
      ['category 2', LATER],
      ['category 3', 'now'],
    ])
  })

  test('are sent by others when the lease has ended', async () => {
    const shop = await shopWithHook()
    expect(await handOver(shop, ['category 1'], 1)).toHaveLength(1)
    expect(await lanesOf(shop)).toEqual([['category 1', LATER]])
    const [lane] = await rowsOf(shop, 'lanes')
    expect(await rowsOf(shop, 'due_hooks')).toMatchObject([{ due_at: lane?.due_at }])
    expect(await attempt(shop, 1, delivered)).toEqual([])
    const { clock } = await theHouse()
    clock.move(LEASE_MS)
    expect(await attempt(shop, 1, delivered)).toMatchObject([{ deliveries: [{ seq: 1, attempt: 1 }] }])
    expect(await rowsOf(shop, 'deliveries')).toEqual([])
  })

  test('exclude those of a blocked host', async () => {
    const shop = await shopWithHook()
    const db = await dbOf(shop)
    await db.transaction((tx) =>
      tx.rows(sql`
        insert into host_blocks (store_id, client_id, host, blocked_until, reasons)
        values (${shop.store.id}, ${shop.admin.client_id}, 'hooks.example.com', ${new Date(tx.now.getTime() + 60_000)}, '[]')`),
    )
    expect(await handOver(shop, ['category 1'], 5)).toEqual([])
    expect(await lanesOf(shop)).toEqual([['category 1', 'now']])
  })
})
