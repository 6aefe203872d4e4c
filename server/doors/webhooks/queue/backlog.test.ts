import { beforeEach, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { attempt, dbOf, dispatchAll, failed, happen, SCOPE } from '../../../test/fixtures/webhooks.ts'
import { Backlog } from './backlog.ts'
import { claimHook } from './claims.ts'

let backlog: Backlog
let move: (ms: number) => void
let beganAt: number

// Events of other tests count too.
beforeEach(async () => {
  const { installation, clock } = await theHouse()
  await dispatchAll()
  for (const { system } of installation.directory.cells) {
    await system.system(sql`delete from lanes`)
    await system.system(sql`delete from deliveries`)
  }
  backlog = new Backlog(installation.directory, clock)
  move = clock.move
  beganAt = performance.now()
})

/** Looks, and expects the oldest work to be as old as the clock was moved, besides the time that the test itself took. */
async function lookAfter(movedSeconds: number) {
  const { oldestSeconds, ...counts } = await backlog.look()
  expect(oldestSeconds).toBeGreaterThan(movedSeconds - 0.1)
  expect(oldestSeconds).toBeLessThan(movedSeconds + (performance.now() - beganAt) / 1_000 + 0.1)
  return counts
}

async function hookedShop(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/hooks', { scope: SCOPE, destination: 'https://hooks.example.com/a' })
  return shop
}

test('an empty queue has no backlog', async () => {
  expect(await backlog.look()).toEqual({ events: 0, lanes: 0, oldestSeconds: 0 })
})

test('undispatched events of every store count', async () => {
  for (const shop of [await hookedShop(), await openShop()]) {
    const db = await dbOf(shop)
    await db.transaction(async (tx) => {
      for (const id of [1, 2, 3]) publish(tx, SCOPE, `category ${id}`, { id })
    })
    move(30_000)
  }
  expect(await lookAfter(60)).toEqual({ events: 6, lanes: 0 })
})

test('lanes count when they are due, not while they are sent or wait for a retry', async () => {
  const shops = [await hookedShop(), await hookedShop()]
  for (const shop of shops) await happen(shop, 'category 1', 'category 1', 'category 2')
  move(61_000)
  expect(await lookAfter(61)).toEqual({ events: 0, lanes: 4 })

  const [first, second] = shops
  if (!first || !second) throw new Error('There are two shops.')
  await attempt(first, 1, failed)
  const db = await dbOf(second)
  await db.transaction((tx) => claimHook(tx, 1, () => 1))
  move(6_000)
  expect(await lookAfter(67)).toMatchObject({ lanes: 1 })
  move(20_000)
  // The lease of the claimed lane has ended, and the retries are not due yet.
  expect(await backlog.look()).toMatchObject({ lanes: 2 })
  move(60_000)
  expect(await backlog.look()).toMatchObject({ lanes: 4 })
})

test('the counts are cached, and counted again after a failure', async () => {
  const shop = await hookedShop()
  expect(await backlog.look()).toMatchObject({ lanes: 0 })
  await happen(shop, 'category 1')
  expect(await backlog.look()).toMatchObject({ lanes: 0 })
  move(5_000)
  expect(await backlog.look()).toMatchObject({ lanes: 1 })

  const { installation, clock } = await theHouse()
  const { directory } = installation
  let isBroken = true
  const breaking = new Backlog(
    {
      get cells() {
        if (isBroken) throw new Error('broken')
        return directory.cells
      },
      dbById: (id) => directory.dbById(id),
    },
    clock,
  )
  await expect(breaking.look()).rejects.toThrow('broken')
  isBroken = false
  expect(await breaking.look()).toMatchObject({ lanes: 1 })
})
