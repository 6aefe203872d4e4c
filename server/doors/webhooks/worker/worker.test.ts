import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { openStaffedShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, dispatchAll, noProblems, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { asAdministrator } from '../../../test/harness/administrator.ts'
import { upkeep } from '../history/upkeep.ts'
import { removeHooksOfAccount } from '../hooks/hooks-of-account.ts'
import { dueHooks, isAnyDue, wake } from '../queue/due-hooks.ts'
import type { OutgoingCallback, SendingOutcome } from '../sending/sender.ts'
import { Worker } from './worker.ts'

// docs/contract/webhooks.md sections 3, 4 and 8. The receiver stands at the wire: it records callbacks and decides the answers.

interface Received extends OutgoingCallback {
  at: number
  payload: { scope: string; data: { id: number }; hash: string }
}

/** The time that a busy machine may need between two moments of a test. */
const LATE_MS = 20_000
const ok: SendingOutcome = { ok: true, status: 204, excerpt: '' }
const failed: SendingOutcome = { ok: false, reason: 'refused', message: 'The receiver answered 500.', status: 500 }

let house: Awaited<ReturnType<typeof theHouse>>
beforeAll(async () => {
  house = await theHouse()
})

let shops = 0

/** A shop, a hook of its administrator, and the receiver at its destination. */
async function listen(scope = 'store/category/*', headers: Record<string, string> = {}) {
  const shop = await openStaffedShop()
  const destination = `https://receiver-${++shops}.example.com/hook`
  const created = await shop.call('POST', '/hooks', { scope, destination, headers })
  expect(created.status).toBe(200)
  const receiver = receiverAt(destination)
  return { shop, hookId: Number(created.body.data.id), destination, receiver, worker: workerFor(receiver) }
}

function receiverAt(destination: string) {
  const received: Received[] = []
  return {
    destination,
    received,
    answer: (_callback: Received): SendingOutcome | Promise<SendingOutcome> => ok,
    ids: () => received.map(({ payload }) => payload.data.id),
    scopes: () => received.map(({ payload }) => payload.scope),
  }
}

type Receiver = ReturnType<typeof receiverAt>

/** A worker with these receivers. Callbacks of other tests are answered with 204. */
const workerFor = (...receivers: Receiver[]) =>
  new Worker({
    ...house.installation,
    jitter: 0,
    log: noProblems,
    sender: {
      async send(callback) {
        const receiver = receivers.find(({ destination }) => callback.destination.startsWith(destination))
        if (!receiver) return ok
        const received = { ...callback, at: house.clock.now().getTime(), payload: JSON.parse(callback.body) }
        receiver.received.push(received)
        return receiver.answer(received)
      },
    },
  })

/** Events of categories with these ids. Each id is a resource of its own unless one is named. */
async function happen(shop: Shop, ids: number[], resource?: string) {
  const db = await dbOf(shop)
  for (const id of ids) {
    await db.transaction(async (tx) =>
      publish(tx, 'store/category/updated', resource ?? `category ${id}`, { type: 'category', id }),
    )
  }
}

/** Sends everything that is due, including the events that follow from it. */
async function settle(...workers: Worker[]) {
  for (let more = true; more; ) {
    await dispatchAll()
    const found = await Promise.all(workers.map((worker) => worker.sendDue()))
    await Promise.all(workers.map((worker) => worker.idle()))
    more = found.includes(true)
  }
}

const stateOf = async (shop: Shop, hookId: number) => (await rowsOf(shop, 'hooks')).find(({ id }) => id === hookId)

describe('a hook receives', () => {
  test('a change over HTTP with its form of the channel, signed and in the order of the contract', async () => {
    const { shop, receiver, worker } = await listen('store/category/*', { authorization: 'Bearer mine' })
    await shop.call('POST', '/hooks', { scope: 'store/channel/1/category/*', destination: receiver.destination })
    await shop.call('POST', '/catalog/categories', { parent_id: 0, name: 'Mugs' })
    await shop.call('PUT', '/catalog/categories/1', { name: 'Cups' })
    await shop.call('PUT', '/catalog/categories/1', { name: 'Cups' })
    await shop.call('POST', '/catalog/categories/1/metafields', {
      key: 'a',
      value: 'b',
      namespace: 'c',
      permission_set: 'read',
    })
    await shop.call('DELETE', '/catalog/categories/1')
    await settle(worker)
    const direct = receiver.received.filter(({ headers }) => headers['x-svc-hook-id'] === '1')
    const events = direct.map(({ payload }) => [payload.scope, payload.data])
    expect(events.filter(([scope]) => scope !== 'store/category/metafield/created')).toEqual([
      ['store/category/created', { type: 'category', id: 1 }],
      ['store/category/updated', { type: 'category', id: 1 }],
      ['store/category/deleted', { type: 'category', id: 1 }],
    ])
    expect(events).toContainEqual(['store/category/metafield/created', { metafield_id: 1, resource_id: '1' }])
    const channel = receiver.received.filter(({ headers }) => headers['x-svc-hook-id'] === '2')
    expect(channel.map(({ payload }) => [payload.scope, payload.data])).toEqual([
      ['store/channel/1/category/created', { category_id: 1, tree_id: 1 }],
      ['store/channel/1/category/updated', { category_id: 1, tree_id: 1 }],
      ['store/channel/1/category/deleted', { category_id: 1, tree_id: 1 }],
    ])
    expect(direct[0]?.headers).toMatchObject({
      authorization: 'Bearer mine',
      'x-svc-attempt': '1',
      'webhook-id': expect.stringMatching(/^evt_/),
      'webhook-signature': expect.stringMatching(/^v1,/),
      'user-agent': expect.stringMatching(/^storeward-webhooks\//),
    })
    expect(direct[0]?.body).toMatch(
      new RegExp(
        `^\\{"producer":"stores/${shop.store.hash}","hash":"[0-9a-f]{40}","created_at":\\d+,"store_id":"${shop.store.id}","scope":`,
      ),
    )
  })

  test('a brand metafield under its own scope and the scope of all metafields', async () => {
    const { shop, receiver, worker } = await listen('store/metafield/*')
    await shop.call('POST', '/hooks', { scope: 'store/brand/metafield/*', destination: receiver.destination })
    await shop.call('POST', '/catalog/brands', { name: 'Ferm' })
    await shop.call('POST', '/catalog/brands/metafields', [
      { key: 'a', value: 'b', namespace: 'c', permission_set: 'read', resource_id: 1 },
      { key: 'a', value: 'b', namespace: 'c', permission_set: 'read', resource_id: 1 },
    ])
    await settle(worker)
    expect(receiver.scopes().toSorted()).toEqual(['store/brand/metafield/created', 'store/metafield/created'])
    expect(receiver.received.find(({ payload }) => payload.scope === 'store/metafield/created')?.payload.data).toEqual({
      metafield_id: 1,
      resource_id: '1',
      resource_type: 'brand',
    })
  })

  test('no event of a change that was rolled back (C-026)', async () => {
    const { shop, receiver, worker } = await listen()
    const db = await dbOf(shop)
    await expect(
      db.transaction(async (tx) => {
        publish(tx, 'store/category/created', 'category 1', { type: 'category', id: 1 })
        throw new Error('taken back')
      }),
    ).rejects.toThrow('taken back')
    expect((await shop.call('POST', '/catalog/categories', { parent_id: 9, name: 'Nowhere' })).status).toBe(422)
    await settle(worker)
    expect(receiver.received).toEqual([])
  })

  test('one event for a change under an asterisk, once for each hook (C-043)', async () => {
    const { shop, receiver, worker } = await listen('store/channel/*/inventory/product/stock_changed')
    const db = await dbOf(shop)
    await db.transaction(async (tx) =>
      publish(tx, 'store/channel/*/inventory/product/stock_changed', 'variant 1 location 1', {
        variant_id: 1,
        product_id: 1,
        location_id: 1,
      }),
    )
    await settle(worker)
    expect(receiver.scopes()).toEqual(['store/channel/*/inventory/product/stock_changed'])
  })

  test('a unique hash, which stays the same at each attempt (C-042)', async () => {
    const { shop, receiver, worker } = await listen()
    receiver.answer = () => (receiver.received.length === 1 ? failed : ok)
    await happen(shop, [1, 2])
    await settle(worker)
    house.clock.move(61_000)
    await settle(worker)
    const hashes = receiver.received.map(({ payload }) => [payload.data.id, payload.hash] as const)
    expect(receiver.received).toHaveLength(3)
    expect(new Set(hashes.map(([id, hash]) => `${id} ${hash}`)).size).toBe(2)
    expect(new Set(hashes.map(([, hash]) => hash)).size).toBe(2)
  })
})

describe('a failing receiver', () => {
  test('is tried twelve times over 48 hours; then the hook is deactivated and reported, and its events are kept (W4, C-033)', async () => {
    const { shop, hookId, receiver } = await listen()
    const telling = receiverAt(`https://telling-${shops}.example.com/hook`)
    await shop.call('POST', '/hooks', { scope: 'store/hook/deliveryException', destination: telling.destination })
    await shop.call('PUT', '/hooks/admin', { emails: ['ops@example.com'] })
    const both = workerFor(receiver, telling)
    receiver.answer = () => failed
    await happen(shop, [1])
    await settle(both)
    for (const seconds of [60, 180, 300, 600, 900, 1800, 3600, 7200, 21600, 50400, 86400]) {
      const before = receiver.received.length
      house.clock.move(seconds * 1_000 - LATE_MS)
      await settle(both)
      expect(receiver.received).toHaveLength(before)
      house.clock.move(LATE_MS)
      await settle(both)
      expect(receiver.received).toHaveLength(before + 1)
    }
    expect(receiver.received.map(({ headers }) => headers['x-svc-attempt'])).toEqual(
      Array.from({ length: 12 }, (_, i) => String(i + 1)),
    )
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(12)
    expect(await stateOf(shop, hookId)).toMatchObject({ is_active: false, status: 'deactivated' })
    const exceptions = telling.received.map(({ payload }) => payload.data)
    expect(exceptions.at(-1)).toMatchObject({ type: 'webhook', id: hookId, error_code: 90002 })
    expect(exceptions.slice(0, -1).every((data) => 'error_code' in data && data.error_code === 90001)).toBe(true)
    expect(await rowsOf(shop, 'mails')).toMatchObject([{ recipient: 'ops@example.com' }])
    expect(await rowsOf(shop, 'parked_deliveries')).toHaveLength(1)

    receiver.answer = () => ok
    await shop.call('PUT', `/hooks/${hookId}`, { is_active: true })
    await settle(both)
    expect(receiver.received).toHaveLength(12)
    const since = Math.floor(house.clock.now().getTime() / 1_000) - 3 * 86_400
    expect((await shop.call('POST', `/hooks/${hookId}/recover`, { since })).status).toBe(202)
    await settle(both)
    expect(receiver.received).toHaveLength(13)
    expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id'])
  })

  test('gets the same bytes again, and the next event of the resource right behind (W5, C-028)', async () => {
    const { shop, receiver, worker } = await listen()
    receiver.answer = () => (receiver.received.length <= 2 ? failed : ok)
    await happen(shop, [1], 'category 1')
    await settle(worker)
    await happen(shop, [2], 'category 1')
    await settle(worker)
    expect(receiver.ids()).toEqual([1])
    house.clock.move(60_000)
    await settle(worker)
    house.clock.move(180_000)
    await settle(worker)
    expect(receiver.ids()).toEqual([1, 1, 1, 2])
    expect(new Set(receiver.received.slice(0, 3).map(({ body }) => body)).size).toBe(1)
    expect(receiver.received[3]?.headers['x-svc-attempt']).toBe('1')
  })

  test('delays one resource, not the others (C-038)', async () => {
    const { shop, receiver, worker } = await listen()
    receiver.answer = ({ payload }) => (payload.data.id < 10 ? failed : ok)
    await happen(shop, [1, 2, 3], 'category 1')
    await happen(shop, [10, 11])
    await settle(worker)
    expect(receiver.ids().toSorted((a, b) => a - b)).toEqual([1, 10, 11])
  })

  test('deactivates the hook at once with a 410 (C-032)', async () => {
    const { shop, hookId, receiver, worker } = await listen()
    receiver.answer = () => ({
      ok: false,
      reason: 'refused',
      message: 'The receiver answered 410.',
      status: 410,
      isGone: true,
    })
    await happen(shop, [1])
    await settle(worker)
    expect(receiver.received).toHaveLength(1)
    expect(await stateOf(shop, hookId)).toMatchObject({
      is_active: false,
      status: 'deactivated',
      reason: expect.stringContaining('410'),
    })
  })

  test('may ask for more time, up to twice the interval', async () => {
    const { shop, receiver, worker } = await listen()
    receiver.answer = () => ({ ok: false, reason: 'refused', message: 'Busy.', status: 503, retryAfterMs: 90_000 })
    await happen(shop, [1])
    await settle(worker)
    house.clock.move(90_000 - LATE_MS)
    await settle(worker)
    expect(receiver.received).toHaveLength(1)
    house.clock.move(LATE_MS)
    await settle(worker)
    expect(receiver.received).toHaveLength(2)
  })

  test('gets nothing after its destination was changed: waiting deliveries go to the new one only (C-036)', async () => {
    const { shop, hookId, receiver } = await listen()
    const moved = receiverAt(`https://moved-${shops}.example.com/hook`)
    const worker = workerFor(receiver, moved)
    receiver.answer = () => failed
    await happen(shop, [1])
    await settle(worker)
    await shop.call('PUT', `/hooks/${hookId}`, { destination: moved.destination })
    house.clock.move(60_000)
    await settle(worker)
    expect(receiver.ids()).toEqual([1])
    expect(moved.ids()).toEqual([1])
  })
})

describe('a host with too low a success ratio', () => {
  test('is blocked for 180 s, reported, listed, and then served again; a block counts no attempt (W7, W16)', async () => {
    const { shop, receiver } = await listen()
    const telling = receiverAt(`https://telling-${shops}.example.com/hook`)
    await shop.call('POST', '/hooks', { scope: 'store/hook/deliveryException', destination: telling.destination })
    const worker = workerFor(receiver, telling)
    receiver.answer = ({ payload }) => (payload.data.id % 4 === 0 ? failed : ok)
    await happen(
      shop,
      Array.from({ length: 110 }, (_, i) => i + 1),
    )
    await settle(worker)
    const blocked = await shop.call('GET', '/hooks/admin')
    expect(blocked.body.data.blocked_domains).toHaveLength(1)
    expect(blocked.body.data.blocked_domains[0].time_left).toBeGreaterThan(0)
    expect(blocked.body.data.blocked_domains[0].time_left).toBeLessThanOrEqual(180)
    expect(telling.received.map(({ payload }) => payload.data)).toContainEqual(
      expect.objectContaining({ error_code: 90003 }),
    )

    const before = receiver.received.length
    await happen(shop, [1001])
    await settle(worker)
    expect(receiver.received).toHaveLength(before)
    receiver.answer = () => ok
    house.clock.move(181_000)
    await settle(worker)
    expect(receiver.ids()).toContain(1001)
    expect(receiver.received.find(({ payload }) => payload.data.id === 1001)?.headers['x-svc-attempt']).toBe('1')
    expect((await shop.call('GET', '/hooks/admin')).body.data.blocked_domains).toEqual([])
  })
})

describe('a hanging host', () => {
  test('is skipped while it is full, even with many waiting hooks: other stores have their turn', async () => {
    const { shop, hookId, receiver } = await listen()
    const quick = await listen()
    const hung = Promise.withResolvers<SendingOutcome>()
    const { host } = new URL(receiver.destination)
    const db = await dbOf(shop)
    await db.transaction(async (tx) => {
      for (let id = 1_001; id <= 1_250; id++) {
        await tx.rows(sql`
          insert into hooks (store_id, id, client_id, scope, scope_key, destination, destination_key, headers, is_active,
            events_history_enabled, created_at, updated_at, status, host)
          select store_id, ${id}, client_id, scope, scope_key, destination || ${`/${id}`}, destination_key, headers, is_active,
            events_history_enabled, created_at, updated_at, status, ${host}
          from hooks where store_id = ${shop.store.id} and id = ${hookId} returning id`)
      }
    })
    receiver.answer = () => hung.promise
    const worker = workerFor(receiver, quick.receiver)
    await happen(shop, [1])
    await dispatchAll()
    house.clock.move(1_000)
    await happen(quick.shop, [1])
    await dispatchAll()
    for (let i = 0; i < 3; i++) await worker.sendDue()
    while (quick.receiver.received.length < 1) await sleep(5)
    expect(quick.receiver.ids()).toEqual([1])
    // Unsent deliveries were not claimed either.
    const attempts = await rowsOf(shop, 'attempts')
    expect(attempts.length).toBeLessThanOrEqual(10)
    hung.resolve(failed)
    await worker.idle()
    await db.transaction((tx) => tx.rows(sql`delete from hooks where store_id = ${shop.store.id} and id > 1000`))
    await settle(worker)
  })
})

test('the search for due hooks reads the same few pages, independent of the number of scheduled retries', async () => {
  const { shop } = await listen()
  const { system } = house.installation.directory.cellOf(shop.store)
  await (await dbOf(shop)).transaction((tx) =>
    tx.rows(sql`
      insert into due_hooks (store_id, hook_id, host, due_at)
      select ${shop.store.id}::int, nr, 'waiting.example.com', ${new Date(house.clock.now().getTime() + 3_600_000)}::timestamptz
      from generate_series(1001, 6000) nr returning hook_id`),
  )
  await asAdministrator(shop.store, (client) => client.query('vacuum analyze due_hooks'))
  for (const look of [sql`select ${isAnyDue(system.present, { full: [] })}`, dueHooks(system.present, { full: [] })]) {
    const [plan] = await system.system<{ 'QUERY PLAN': string }>(sql`explain (analyze, buffers, format json) ${look}`)
    const [{ Plan: root }] = JSON.parse(JSON.stringify(plan?.['QUERY PLAN']))
    expect(root['Shared Hit Blocks'] + root['Shared Read Blocks']).toBeLessThan(20)
  }
  await (await dbOf(shop)).transaction((tx) => tx.rows(sql`delete from due_hooks where store_id = ${shop.store.id}`))
})

describe('workers whose clocks differ by an hour', () => {
  beforeEach(() => {
    // As in production, each machine has its own clock.
    house.clock.isShared = false
  })
  afterEach(() => {
    house.clock.isShared = true
  })

  const secondsUntilDue = async (shop: Shop): Promise<number> => {
    const [lane] = await (await dbOf(shop)).rows<{ seconds: number }>(sql`
      select extract(epoch from due_at - now())::int as seconds from lanes where store_id = ${shop.store.id}`)
    return Number(lane?.seconds)
  }

  test.each([3_600_000, -3_600_000])('respect the retries of each other: %d ms', async (apart) => {
    const { shop, receiver, worker } = await listen()
    receiver.answer = () => failed
    house.clock.move(apart)
    await happen(shop, [1])
    await settle(worker)
    expect(receiver.received).toHaveLength(1)
    expect(await secondsUntilDue(shop)).toBeGreaterThan(45)
    expect(await secondsUntilDue(shop)).toBeLessThanOrEqual(60)
    house.clock.move(-apart)
    await settle(workerFor(receiver))
    expect(receiver.received).toHaveLength(1)
  })

  test.each([3_600_000, -3_600_000])('respect the leases of each other: %d ms', async (apart) => {
    const { shop, receiver, worker } = await listen()
    const hung = Promise.withResolvers<SendingOutcome>()
    receiver.answer = () => hung.promise
    house.clock.move(apart)
    await happen(shop, [1])
    await dispatchAll()
    await worker.sendDue()
    expect(await secondsUntilDue(shop)).toBeGreaterThan(5)
    expect(await secondsUntilDue(shop)).toBeLessThanOrEqual(20)
    house.clock.move(-apart)
    await workerFor(receiver).sendDue()
    expect(receiver.received).toHaveLength(1)
    hung.resolve(ok)
    await settle(worker)
  })
})

describe('order and leases', () => {
  test('two workers deliver many events of one resource in the order of their commits, each once (C-037)', async () => {
    const { shop, receiver } = await listen()
    const workers = [workerFor(receiver), workerFor(receiver)]
    const db = await dbOf(shop)
    for (let i = 0; i < 10; i++) {
      await db.transaction(async (tx) => {
        for (let n = 0; n < 50; n++)
          publish(tx, 'store/category/updated', 'category 1', { type: 'category', id: i * 50 + n })
      })
    }
    await settle(...workers)
    expect(receiver.ids()).toEqual(Array.from({ length: 500 }, (_, i) => i))
  })

  test('concurrent changes reach the hook in the order of their numbers', async () => {
    const { shop, receiver, worker } = await listen()
    const db = await dbOf(shop)
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        db.transaction(async (tx) => publish(tx, 'store/category/updated', 'category 1', { type: 'category', id: i })),
      ),
    )
    await settle(worker)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(40)
    expect(ids).toEqual(ids.toSorted())
  })

  test('another worker follows a dead one when its lease ends, without a loss or a change (W10, W11)', async () => {
    const { shop, receiver } = await listen()
    const hung = Promise.withResolvers<SendingOutcome>()
    receiver.answer = () => hung.promise
    const dying = workerFor(receiver)
    await happen(shop, [1, 2], 'category 1')
    await dispatchAll()
    await dying.sendDue()
    const next = workerFor(receiver)
    await settle(next)
    expect(receiver.ids()).toEqual([1])
    receiver.answer = () => ok
    house.clock.move(21_000)
    await settle(next)
    expect(receiver.ids()).toEqual([1, 1, 2])
    expect(receiver.received[1]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id'])
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body)

    // The first worker returns with a failure under its old fence. It is void.
    hung.resolve(failed)
    await dying.idle()
    expect(await rowsOf(shop, 'lanes')).toEqual([])
    house.clock.move(120_000)
    await settle(next)
    expect(receiver.ids()).toEqual([1, 1, 2])
  })

  test('a hanging receiver delays no other (C-030)', async () => {
    const { shop, receiver } = await listen()
    const quick = await listen()
    const hung = Promise.withResolvers<SendingOutcome>()
    receiver.answer = () => hung.promise
    const worker = workerFor(receiver, quick.receiver)
    await happen(
      shop,
      Array.from({ length: 60 }, (_, i) => i),
    )
    await happen(quick.shop, [1, 2, 3])
    await dispatchAll()
    await worker.sendDue()
    while (quick.receiver.received.length < 3) await sleep(5)
    expect(receiver.received).toHaveLength(5)
    hung.resolve(ok)
    await worker.idle()
    await settle(worker)
    expect(receiver.received).toHaveLength(60)
  })
})

/** Deletes an account without its hooks, as if the process died between both. */
const deleteAccountAlone = ({ store, admin }: Shop) =>
  asAdministrator(store, (client) =>
    client.query(
      `with account as (delete from api_accounts where store_id = $1 and client_id = $2 returning store_id)
       update counters set total = total - 1 from account
       where counters.store_id = account.store_id and resource = 'api_accounts'`,
      [store.id, admin.client_id],
    ),
  )

/** Queues this many deliveries for a hook, each in its own lane. */
async function fill(shop: Shop, hookId: number, count: number) {
  const db = await dbOf(shop)
  await db.transaction(async (tx) => {
    const each = sql`from generate_series(1, ${count}::int) nr`
    await tx.rows(sql`
      insert into deliveries (store_id, hook_id, resource, seq, slot)
      select ${shop.store.id}::int, ${hookId}::int, 'category ' || nr, nr, 0 ${each} returning seq`)
    await tx.rows(sql`
      insert into lanes (store_id, hook_id, resource, due_at, fence, failures)
      select ${shop.store.id}::int, ${hookId}::int, 'category ' || nr, ${tx.now}::timestamptz, 1, 2 ${each} returning fence`)
    await wake(tx, [hookId])
  })
}

const countOf = async (shop: Shop, table: string) => (await rowsOf(shop, table)).length

describe('a hook with very many deliveries', () => {
  test('is deactivated at once: workers park the rest in pieces', async () => {
    const { shop, hookId, receiver, worker } = await listen()
    await fill(shop, hookId, 25_000)
    expect((await shop.call('PUT', `/hooks/${hookId}`, { is_active: false })).status).toBe(200)
    expect(await countOf(shop, 'parked_deliveries')).toBe(10_000)
    for (let i = 0; i < 4; i++) await worker.sendDue()
    expect(receiver.received).toEqual([])
    expect(await countOf(shop, 'deliveries')).toBe(0)
    expect(await countOf(shop, 'lanes')).toBe(0)
    const parked = await rowsOf(shop, 'parked_deliveries')
    expect(parked).toHaveLength(25_000)
    expect(parked.every(({ attempted }) => attempted === 2)).toBe(true)
    expect(await rowsOf(shop, 'due_hooks')).toEqual([])
  })

  test('recovers all its parked deliveries', async () => {
    const { shop, hookId, worker } = await listen()
    const db = await dbOf(shop)
    await db.transaction(async (tx) => {
      const each = sql`from generate_series(1, 25000) nr`
      await tx.rows(sql`
        insert into events (store_id, slot, seq, ms, nonce, scope, resource, data)
        select ${shop.store.id}::int, 0, nr, ${tx.now.getTime()}::bigint, 0, 'store/category/updated', 'category 1', '{}' ${each}
        returning seq`)
      await tx.rows(sql`
        insert into parked_deliveries (store_id, hook_id, seq, slot, resource, attempted, parked_at)
        select ${shop.store.id}::int, ${hookId}::int, nr, 0, 'category 1', 0, ${tx.now}::timestamptz ${each} returning seq`)
    })
    const recovery = await shop.call('POST', `/hooks/${hookId}/recover`, { since: 0 })
    expect(recovery.body.data).toEqual({ recovered: 25_000 })
    expect(await countOf(shop, 'deliveries')).toBe(25_000)
    await shop.call('DELETE', `/hooks/${hookId}`)
    for (let i = 0; i < 3; i++) await worker.sendDue()
  })

  test('is deleted at once: workers delete the rest in pieces', async () => {
    const { shop, hookId, receiver, worker } = await listen()
    await fill(shop, hookId, 25_000)
    expect((await shop.call('DELETE', `/hooks/${hookId}`)).status).toBe(200)
    expect(await countOf(shop, 'deliveries')).toBe(15_000)
    for (let i = 0; i < 4; i++) await worker.sendDue()
    expect(receiver.received).toEqual([])
    for (const table of ['deliveries', 'lanes', 'due_hooks']) expect(await countOf(shop, table)).toBe(0)
  })

  test('is deleted with its account; other accounts keep theirs', async () => {
    const { shop, hookId } = await listen()
    const as = { as: shop.otherclient }
    await shop.call('POST', '/hooks', { scope: 'store/sku/*', destination: 'https://other.example.com/' }, as)
    await fill(shop, hookId, 25_000)
    await fill(shop, 2, 10)
    await removeHooksOfAccount(await dbOf(shop), shop.admin.client_id)
    expect((await rowsOf(shop, 'hooks')).map(({ id }) => id)).toEqual([2])
    expect(await countOf(shop, 'deliveries')).toBe(10)
    expect(await countOf(shop, 'lanes')).toBe(10)
    await removeHooksOfAccount(await dbOf(shop), shop.otherclient.client_id)
    expect(await countOf(shop, 'due_hooks')).toBe(0)
  })

  test('in one lane keeps its order when only a piece of it was parked', async () => {
    const { shop, hookId, worker } = await listen()
    const db = await dbOf(shop)
    await db.transaction(async (tx) => {
      await tx.rows(sql`
        insert into deliveries (store_id, hook_id, resource, seq, slot)
        select ${shop.store.id}::int, ${hookId}::int, 'category 1', nr, 0 from generate_series(1, 10001) nr returning seq`)
      await tx.rows(sql`
        insert into lanes (store_id, hook_id, resource, due_at, fence, failures)
        values (${shop.store.id}, ${hookId}, 'category 1', ${tx.now}, 1, 2)`)
    })
    await shop.call('PUT', `/hooks/${hookId}`, { is_active: false })
    await worker.sendDue()
    const parked = await rowsOf(shop, 'parked_deliveries')
    expect(parked).toHaveLength(10_001)
    expect(parked.filter(({ attempted }) => attempted === 2).map(({ seq }) => seq)).toEqual([1])
    expect(await countOf(shop, 'lanes')).toBe(0)
  })
})

describe('the upkeep', () => {
  test('logs a failure in one store and continues with the others', async () => {
    const [broken, sound] = [await listen(), await listen()]
    const { directory } = house.installation
    for (const { shop, hookId } of [broken, sound]) {
      await happen(shop, [1])
      await dispatchAll()
      await shop.call('PUT', `/hooks/${hookId}`, { is_active: false })
    }
    house.clock.move(8 * 86_400_000)
    const find = directory.dbById.bind(directory)
    const spy = vi.spyOn(directory, 'dbById').mockImplementation((id) => {
      if (id === broken.shop.store.id) throw new Error('It times out.')
      return find(id)
    })
    const problems: unknown[] = []
    await upkeep(directory, house.clock, { error: (problem: unknown) => problems.push(problem) })
    spy.mockRestore()
    expect(problems).toEqual([{ err: new Error('It times out.'), store: broken.shop.store.id }])
    expect(await rowsOf(sound.shop, 'parked_deliveries')).toEqual([])
    expect(await rowsOf(broken.shop, 'parked_deliveries')).toHaveLength(1)
    await upkeep(directory, house.clock, noProblems)
    expect(await rowsOf(broken.shop, 'parked_deliveries')).toEqual([])
  })

  test('deletes hooks whose account is deleted, after an interrupted deletion', async () => {
    const { shop } = await listen()
    await happen(shop, [1])
    await dispatchAll()
    await deleteAccountAlone(shop)
    await upkeep(house.installation.directory, house.clock, noProblems)
    for (const table of ['hooks', 'deliveries', 'lanes', 'due_hooks']) expect(await rowsOf(shop, table)).toEqual([])
  })

  test('deactivates a hook on the 90th day without a match; a match on the 89th starts the days again (W14, C-035)', async () => {
    const { shop, hookId, worker } = await listen()
    const { directory } = house.installation
    house.clock.move(89 * 86_400_000)
    await upkeep(directory, house.clock, noProblems)
    expect(await stateOf(shop, hookId)).toMatchObject({ is_active: true })
    await happen(shop, [1])
    await settle(worker)
    house.clock.move(89 * 86_400_000)
    await upkeep(directory, house.clock, noProblems)
    expect(await stateOf(shop, hookId)).toMatchObject({ is_active: true })
    // The time of the match is kept to the second, rounded.
    house.clock.move(86_400_000 + 1_000)
    await upkeep(directory, house.clock, noProblems)
    expect(await stateOf(shop, hookId)).toMatchObject({ is_active: false, status: 'deactivated' })
  })

  test('deletes events and attempts after 30 days with their day, but no waiting deliveries (C-046)', async () => {
    const { shop, receiver, worker } = await listen()
    const { directory } = house.installation
    await happen(shop, [1])
    await settle(worker)
    for (let day = 1; day <= 30; day++) {
      house.clock.move(86_400_000)
      await upkeep(directory, house.clock, noProblems)
    }
    expect(await rowsOf(shop, 'events')).toHaveLength(1)
    expect(await rowsOf(shop, 'attempts')).toHaveLength(1)
    await happen(shop, [2])
    house.clock.move(86_400_000)
    await upkeep(directory, house.clock, noProblems)
    house.clock.move(86_400_000)
    await upkeep(directory, house.clock, noProblems)
    expect((await rowsOf(shop, 'events')).map(({ data }) => data)).toEqual(['{"type":"category","id":2}'])
    expect(await rowsOf(shop, 'attempts')).toEqual([])
    await settle(worker)
    expect(receiver.ids()).toEqual([1, 2])
  })
})

test('a paused hook keeps matching events only if it keeps a history', async () => {
  const { shop, hookId, receiver, worker } = await listen()
  await shop.call('PUT', `/hooks/${hookId}`, { is_active: false })
  await happen(shop, [1])
  await settle(worker)
  await shop.call('PUT', `/hooks/${hookId}`, { events_history_enabled: true })
  await happen(shop, [2])
  await settle(worker)
  await shop.call('PUT', `/hooks/${hookId}`, { is_active: true })
  await happen(shop, [3])
  await settle(worker)
  expect(receiver.ids()).toEqual([3])
  const since = Math.floor(house.clock.now().getTime() / 1_000) - 3_600
  expect((await shop.call('POST', `/hooks/${hookId}/recover`, { since })).body.data).toEqual({ recovered: 1 })
  await settle(worker)
  expect(receiver.ids()).toEqual([3, 2])
})

test('the log of an attempt shows its real times and outcome', async () => {
  const { shop, hookId, receiver, worker } = await listen()
  receiver.answer = () => (receiver.received.length === 1 ? failed : ok)
  await happen(shop, [1])
  await settle(worker)
  house.clock.move(60_000)
  await settle(worker)
  const { body } = await shop.call('GET', `/hooks/${hookId}/deliveries`)
  expect(body.data).toMatchObject([
    { attempt: 2, outcome: 'delivered', status_code: 204, error: null },
    { attempt: 1, outcome: 'refused', status_code: 500, error: 'The receiver answered 500.' },
  ])
})

test('a stopped worker finishes its callbacks, and a running one finds new events', async () => {
  const { shop, receiver, worker } = await listen()
  worker.start()
  await happen(shop, [1, 2, 3])
  while (receiver.received.length < 3) await sleep(5)
  await happen(shop, [4, 5])
  while (receiver.received.length < 5) await sleep(5)
  await worker.stop()
  await happen(shop, [6])
  expect(await (await dbOf(shop)).rows(sql`select 1 from lanes where store_id = ${shop.store.id}`)).toEqual([])
  expect(receiver.ids()).toEqual([1, 2, 3, 4, 5])
})

/** A worker with a receiver that answers 204, and its log. */
function loggingWorker(receiver: Receiver, send?: (payload: Received['payload']) => void) {
  const problems: object[] = []
  const worker = new Worker({
    ...house.installation,
    jitter: 0,
    log: { error: (problem: unknown) => problems.push(Object(problem)) },
    sender: {
      async send(callback) {
        if (callback.destination !== receiver.destination) return ok
        const received = { ...callback, at: 0, payload: JSON.parse(callback.body) }
        send?.(received.payload)
        receiver.received.push(received)
        return ok
      },
    },
  })
  return { worker, problems }
}

const logOf = async (shop: Shop, hookId: number) => (await shop.call('GET', `/hooks/${hookId}/deliveries`)).body.data

describe("a callback that can't be sent", () => {
  test('by our mistake is logged and retried on schedule; the process and all others continue', async () => {
    const { shop, hookId, receiver } = await listen()
    let isMistaken = true
    const { worker, problems } = loggingWorker(receiver, ({ data }) => {
      if (isMistaken && data.id === 1) throw new TypeError('invalid header')
    })
    await happen(shop, [1, 2])
    await settle(worker)
    expect(problems).toEqual([{ err: new TypeError('invalid header'), store: shop.store.id, hook: hookId }])
    expect(receiver.ids()).toEqual([2])
    isMistaken = false
    house.clock.move(60_000)
    await settle(worker)
    expect(receiver.ids()).toEqual([2, 1])
  })

  test('because the secret of the account is unreadable is a failure of that hook; the others of the turn are sent', async () => {
    const broken = await listen()
    const { shop, receiver } = await listen()
    const { worker, problems } = loggingWorker(receiver)
    const { store, admin } = broken.shop
    await asAdministrator(store, (client) =>
      client.query("update api_accounts set client_secret = 'broken' where store_id = $1 and client_id = $2", [
        store.id,
        admin.client_id,
      ]),
    )
    await happen(broken.shop, [1, 2, 3])
    await happen(shop, [1, 2, 3])
    await settle(worker)
    expect(receiver.ids().toSorted()).toEqual([1, 2, 3])
    expect(problems).toHaveLength(3)
    expect(await logOf(broken.shop, broken.hookId)).toMatchObject(
      [1, 2, 3].map(() => ({
        attempt: 1,
        outcome: 'unsendable',
        error: "The secret that signs it can't be read.",
        next_attempt_at: expect.any(Number),
      })),
    )
    await broken.shop.call('DELETE', `/hooks/${broken.hookId}`)
  })

  test('because its headers are unreadable is a failure of that hook', async () => {
    const { shop, hookId, receiver } = await listen()
    const { worker } = loggingWorker(receiver)
    const db = await dbOf(shop)
    await db.transaction((tx) => tx.rows(sql`update hooks set headers = 'broken' where store_id = ${shop.store.id}`))
    await happen(shop, [1])
    await settle(worker)
    expect(await logOf(shop, hookId)).toMatchObject([
      { outcome: 'unsendable', error: "The headers of the webhook can't be read." },
    ])
    await db.transaction((tx) => tx.rows(sql`update hooks set is_active = false where store_id = ${shop.store.id}`))
  })

  test('because its event is no longer kept ends with that reason, and its lane continues', async () => {
    const { shop, hookId, receiver, worker } = await listen()
    await happen(shop, [1, 2, 3], 'category 1')
    await happen(shop, [4])
    await dispatchAll()
    const db = await dbOf(shop)
    await db.transaction((tx) =>
      tx.rows(sql`delete from events where store_id = ${shop.store.id} and (seq = 1 or seq = 2 or seq = 4)`),
    )
    await settle(worker)
    expect(receiver.ids()).toEqual([3])
    expect(await rowsOf(shop, 'deliveries')).toEqual([])
    expect(await rowsOf(shop, 'lanes')).toEqual([])
    expect(await logOf(shop, hookId)).toMatchObject(
      expect.arrayContaining(
        [1, 2, 4].map((seq) =>
          expect.objectContaining({ id: `${seq}-1`, outcome: 'expired', error: 'The event is no longer kept.' }),
        ),
      ),
    )
    expect(await stateOf(shop, hookId)).toMatchObject({ is_active: true, failing_since: null })
  })

  test('because its account is deleted is never sent without a signature', async () => {
    const { shop, receiver } = await listen()
    const { worker } = loggingWorker(receiver)
    await happen(shop, [1])
    await deleteAccountAlone(shop)
    await settle(worker)
    expect(receiver.received).toEqual([])
  })
})

test('a worker counts its attempts, and the success ratios of the last two minutes', async () => {
  const { shop, receiver, worker, destination } = await listen()
  const { host } = new URL(destination)
  receiver.answer = ({ payload }) => (payload.data.id === 1 ? failed : ok)
  await settle(workerFor())
  await happen(shop, [1, 2, 3, 4])
  await settle(worker)
  expect([...worker.attempts].toSorted()).toEqual([
    ['delivered', 3],
    ['refused', 1],
  ])
  expect(worker.successRatios().get(host)).toBe(0.75)
  house.clock.move(120_000)
  expect(worker.successRatios().has(host)).toBe(false)
})

test('a stopped worker starts nothing more, not even claimed deliveries', async () => {
  const { shop, receiver, worker } = await listen()
  const hung = Promise.withResolvers<SendingOutcome>()
  receiver.answer = () => hung.promise
  await happen(shop, [1, 2], 'category 1')
  await dispatchAll()
  await worker.sendDue()
  while (receiver.received.length < 1) await sleep(5)
  const stopped = worker.stop()
  hung.resolve(ok)
  await stopped
  expect(receiver.ids()).toEqual([1])
  expect(await rowsOf(shop, 'attempts')).toMatchObject([{ outcome: 'delivered' }])
  await settle(workerFor(receiver))
  expect(receiver.ids()).toEqual([1, 2])
})
