import { describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { publish, publishToClient } from '../../../core/events/publish.ts'
import { openStaffedShop, type StaffedShop, theHouse } from '../../../test/fixtures/shop.ts'
import { attempt, dbOf, delivered, failed, happen, noProblems, rowsOf, SCOPE } from '../../../test/fixtures/webhooks.ts'
import { claimHook } from '../queue/claims.ts'
import { deactivate } from '../queue/hook-state.ts'
import { eventId } from '../sending/event-id.ts'
import { upkeep } from './upkeep.ts'
import { why } from './why.ts'

const DAY_MS = 86_400_000
const moment = (at: string | Date) => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')

const now = async () => (await theHouse()).clock.now()
const later = async (ms: number) => (await theHouse()).clock.move(ms)

async function hookedShop(hook: object = {}): Promise<StaffedShop> {
  const shop = await openStaffedShop()
  await addHook(shop, hook)
  return shop
}

async function addHook(shop: StaffedShop, hook: object = {}, as = shop.admin) {
  const body = { scope: SCOPE, destination: 'https://hooks.example.com/a', ...hook }
  expect((await shop.call('POST', '/hooks', body, { as })).status).toBe(200)
}

/** The ids of a store's events, oldest first. */
async function idsOf(shop: StaffedShop): Promise<string[]> {
  const db = await dbOf(shop)
  const events = await db.rows<{ seq: number; ms: number; nonce: number }>(
    sql`select seq, ms, nonce from events where store_id = ${shop.store.id} order by seq`,
  )
  return events.map(eventId)
}

/** The outcome of an event at each hook; by default of the last event. */
async function outcomes(shop: StaffedShop, nr = -1): Promise<[verdict: string, sentence: string][]> {
  const id = (await idsOf(shop)).at(nr) ?? ''
  const explained = await why(await dbOf(shop), id, await now())
  return explained?.hooks.map(({ verdict, sentence }) => [verdict, sentence]) ?? []
}

/** Makes attempts, each at a time when it is surely due, until the hook gives up. */
async function exhaust(shop: StaffedShop) {
  for (let i = 0; i < 12; i++) {
    expect(await attempt(shop, 1, failed)).toHaveLength(1)
    await later(DAY_MS)
  }
}

test('an explanation has the event and its outcome at each hook', async () => {
  const shop = await hookedShop()
  await happen(shop, 'category 7')
  const [id = ''] = await idsOf(shop)
  expect(await why(await dbOf(shop), id, await now())).toEqual({
    event: {
      id,
      scope: SCOPE,
      resource: 'category 7',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      data: '{"type":"category","id":1}',
    },
    hooks: [
      {
        hook_id: 1,
        client_id: shop.admin.client_id,
        scope: SCOPE,
        destination: 'https://hooks.example.com/a',
        verdict: 'waiting',
        sentence: 'It is due, and is sent as soon as a worker has room for it.',
      },
    ],
  })
})

test('an id without an event in this store has no explanation', async () => {
  const shop = await hookedShop()
  await happen(shop, 'category 1')
  const [id = ''] = await idsOf(shop)
  const another = await dbOf(await hookedShop())
  const guessed = id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  const db = await dbOf(shop)
  for (const wrong of ['', 'evt_1', id.toLowerCase(), guessed])
    expect(await why(db, wrong, await now())).toBeUndefined()
  expect(await why(another, id, await now())).toBeUndefined()
  expect(await why(db, id, await now())).toBeDefined()
})

describe('an event in the queue', () => {
  test('is being sent, or its worker has died', async () => {
    const shop = await hookedShop()
    await happen(shop, 'category 1')
    const db = await dbOf(shop)
    await db.transaction((tx) => claimHook(tx, 1, () => 10))
    expect(await outcomes(shop)).toEqual([['sending', 'It is being sent at this moment.']])
    await later(20_000)
    expect(await outcomes(shop)).toEqual([['waiting', 'It is due, and is sent as soon as a worker has room for it.']])
  })

  test('waits for its next attempt', async () => {
    const shop = await hookedShop()
    await happen(shop, 'category 1')
    await attempt(shop, 1, failed)
    await later(60_000)
    await attempt(shop, 1, failed)
    const [lane] = await rowsOf(shop, 'lanes')
    const at = moment(String(lane?.due_at))
    expect(await outcomes(shop)).toEqual([
      ['retry', `It waits for attempt 3 at ${at}; the last one failed: The receiver answered 500.`],
    ])
  })

  test('waits behind another event of its resource; events of other resources do not wait', async () => {
    const shop = await hookedShop()
    await happen(shop, 'category 1', 'category 1', 'category 2')
    await attempt(shop, 1, failed)
    await happen(shop, 'category 3')
    const [first] = await idsOf(shop)
    const [lane] = (await rowsOf(shop, 'lanes')).filter(({ resource }) => resource === 'category 1')
    const at = moment(String(lane?.due_at))
    const sentence = `It waits behind ${first}, also of category 1, which waits for attempt 2 at ${at}.`
    expect(await outcomes(shop, 1)).toEqual([['behind', sentence]])
    expect(await outcomes(shop, 2)).toMatchObject([['retry', expect.anything()]])
    expect(await outcomes(shop, 3)).toMatchObject([['waiting', expect.anything()]])
  })

  test('waits while its host is blocked, for this client only', async () => {
    const shop = await hookedShop()
    await addHook(shop, {}, shop.otherclient)
    await happen(shop, 'category 1')
    const until = new Date((await now()).getTime() + 180_000)
    const block = {
      store_id: shop.store.id,
      client_id: shop.admin.client_id,
      host: 'hooks.example.com',
      blocked_until: until,
      reasons: '[]',
    }
    const db = await dbOf(shop)
    const [stored] = await db.transaction((tx) =>
      tx.rows<{ blocked_until: string }>(sql`insert into host_blocks ${sql.rows([block])} returning blocked_until`),
    )
    const at = moment(stored?.blocked_until ?? '')
    const sentence = `It waits until ${at}, since too many callbacks to hooks.example.com failed.`
    expect(await outcomes(shop)).toEqual([
      ['blocked', sentence],
      ['waiting', expect.anything()],
    ])
    await later(181_000)
    expect((await outcomes(shop)).map(([verdict]) => verdict)).toEqual(['waiting', 'waiting'])
  })
})

describe('an event that left the queue', () => {
  test('was delivered', async () => {
    const shop = await hookedShop()
    await happen(shop, 'category 1')
    await attempt(shop, 1, failed)
    await later(60_000)
    await attempt(shop, 1, delivered)
    const [, last] = await rowsOf(shop, 'attempts')
    const sentence = `It was delivered at ${moment(String(last?.started_at))} by attempt 2.`
    expect(await outcomes(shop)).toEqual([['delivered', sentence]])

    expect((await shop.call('POST', '/hooks/1/deliveries/1-2/resend')).status).toBe(202)
    const due = 'It is due, and is sent as soon as a worker has room for it.'
    expect(await outcomes(shop)).toEqual([['delivered', `${sentence} It is sent again: ${due}`]])
  })

  test('was given up, is kept for a week, and is shown as given up afterwards', async () => {
    const shop = await hookedShop()
    await happen(shop, 'category 1')
    await exhaust(shop)
    const attempts = await rowsOf(shop, 'attempts')
    const last = attempts.map(({ started_at }) => String(started_at)).sort()[11] ?? ''
    const [parked] = await rowsOf(shop, 'parked_deliveries')
    const until = moment(new Date(Date.parse(String(parked?.parked_at)) + 7 * DAY_MS))
    const sentence = `It was given up after 12 attempts, the last at ${moment(last)}: The receiver answered 500.`
    const recovery = `It is kept until ${until}: when the hook is active, POST /hooks/1/recover sends it.`
    expect(await outcomes(shop, 0)).toEqual([['given up', `${sentence} ${recovery}`]])

    await later(7 * DAY_MS)
    const { installation, clock } = await theHouse()
    await upkeep(installation.directory, clock, noProblems)
    expect(await outcomes(shop, 0)).toEqual([['given up', sentence]])
  })

  test('was parked when the hook was deactivated, for a week', async () => {
    const shop = await hookedShop({ events_history_enabled: true })
    await happen(shop, 'category 1')
    await attempt(shop, 1, failed)
    await shop.call('PUT', '/hooks/1', { is_active: false })
    await happen(shop, 'category 2')
    const aside = await rowsOf(shop, 'parked_deliveries')
    const moments = aside.map(({ parked_at }) => moment(String(parked_at))).sort()
    for (const [nr, at] of moments.entries()) {
      expect(await outcomes(shop, nr)).toEqual([
        ['parked', expect.stringContaining(`It was parked at ${at}, because the hook was inactive. It is kept until `)],
      ])
    }
    expect(moments).toHaveLength(2)
    await later(8 * DAY_MS)
    const { installation, clock } = await theHouse()
    await upkeep(installation.directory, clock, noProblems)
    expect(await outcomes(shop, 0)).toEqual([
      ['dropped', expect.stringMatching(/^Its last attempt was at \S+Z, and it is no longer kept\.$/)],
    ])
  })
})

describe('an event that was never queued', () => {
  const publishFor = async (shop: StaffedShop, clientId?: string) => {
    const db = await dbOf(shop)
    await db.transaction(async (tx) => {
      if (clientId === undefined) publish(tx, SCOPE, 'category 1', {})
      else publishToClient(tx, clientId, { scope: SCOPE, resource: 'category 1', data: {} })
    })
  }

  test('waits for a worker', async () => {
    const shop = await hookedShop()
    await publishFor(shop)
    expect(await outcomes(shop)).toEqual([
      ['not dispatched', 'The hook receives it as soon as a worker serves this store.'],
    ])
  })

  test('has another scope', async () => {
    const shop = await hookedShop({ scope: 'store/order/*' })
    await addHook(shop, { scope: 'store/category/*' })
    await happen(shop, 'category 1')
    expect(await outcomes(shop)).toEqual([
      ['other scope', 'The hook listens to store/order/* only.'],
      ['waiting', expect.anything()],
    ])
  })

  test('is for hooks of another client', async () => {
    const shop = await hookedShop()
    await addHook(shop, {}, shop.otherclient)
    await publishFor(shop, shop.otherclient.client_id)
    await happen(shop)
    expect(await outcomes(shop)).toEqual([
      ['other client', `It is for hooks of the client ${shop.otherclient.client_id}.`],
      ['waiting', expect.anything()],
    ])
  })

  test('is a test of another hook', async () => {
    const shop = await hookedShop()
    await addHook(shop, { destination: 'https://hooks.example.com/b' })
    expect((await shop.call('POST', '/hooks/2/test', {})).status).toBe(202)
    expect(await outcomes(shop)).toEqual([
      ['test of another', 'It is a test of another hook.'],
      ['waiting', expect.anything()],
    ])
  })

  test('is older than the hook or its last change', async () => {
    const shop = await hookedShop({ scope: 'store/order/*' })
    await happen(shop, 'category 1')
    await later(2_000)
    await addHook(shop, { destination: 'https://hooks.example.com/b' })
    await shop.call('PUT', '/hooks/1', { scope: SCOPE })
    const hooks = await rowsOf(shop, 'hooks')
    const at = moment(new Date(Number(hooks[1]?.created_at) * 1_000))
    expect(await outcomes(shop)).toEqual([
      [
        'changed later',
        expect.stringMatching(/^The hook was changed at \S+Z, after the event: before, it was inactive or /),
      ],
      ['created later', `The hook was created at ${at}, after the event.`],
    ])
  })

  test('found an inactive hook without a history', async () => {
    const shop = await hookedShop()
    await addHook(shop, { destination: 'https://hooks.example.com/b' })
    await shop.call('PUT', '/hooks/1', { is_active: false })
    const db = await dbOf(shop)
    await db.transaction((tx) => deactivate(tx, { id: 2, client_id: shop.admin.client_id }, 'It was idle.'))
    await happen(shop, 'category 1')
    const off = 'The hook is inactive, and nothing is kept for it:'
    expect(await outcomes(shop)).toEqual([
      ['inactive', `${off} its client deactivated it.`],
      ['inactive', `${off} the server deactivated it. It was idle.`],
    ])
  })

  test('has no known reason', async () => {
    const shop = await hookedShop()
    await happen(shop, 'category 1')
    await attempt(shop, 1, delivered)
    const db = await dbOf(shop)
    await db.transaction((tx) => tx.rows(sql`delete from attempts where store_id = ${shop.store.id}`))
    expect(await outcomes(shop)).toEqual([['unknown', 'The hook should have received it, but nothing is recorded.']])
  })
})
