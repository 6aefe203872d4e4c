import { beforeEach, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { attempt, dbOf, failed, handOut, happen, SCOPE } from '../../../test/fixtures/webhooks.ts'
import { Backlog } from './backlog.ts'
import { claim } from './claims.ts'

let backlog: Backlog
let move: (ms: number) => void

// What other tests have left behind waits too.
beforeEach(async () => {
  const { installation, clock } = await theHouse()
  await handOut()
  for (const { system } of installation.directory.cells) {
    await system.system(sql`delete from lanes`)
    await system.system(sql`delete from deliveries`)
  }
  backlog = new Backlog(installation.directory, clock)
  move = clock.move
})

async function hookedShop(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/hooks', { scope: SCOPE, destination: 'https://hooks.example.com/a' })
  return shop
}

test('nothing waits', async () => {
  expect(await backlog.look()).toEqual({ events: 0, lanes: 0, oldestSeconds: 0 })
})

test('events wait until they are handed out, of every store', async () => {
  for (const shop of [await hookedShop(), await openShop()]) {
    const db = await dbOf(shop)
    await db.transaction(async (tx) => {
      for (const id of [1, 2, 3]) publish(tx, SCOPE, `category ${id}`, { id })
    })
    move(30_000)
  }
  expect(await backlog.look()).toEqual({ events: 6, lanes: 0, oldestSeconds: expect.closeTo(60, -1) })
})

test('lanes wait when they are due: not while they are sent, nor for their retry', async () => {
  const shops = [await hookedShop(), await hookedShop()]
  for (const shop of shops) await happen(shop, 'category 1', 'category 1', 'category 2')
  move(61_000)
  expect(await backlog.look()).toEqual({ events: 0, lanes: 4, oldestSeconds: expect.closeTo(61, -1) })

  const [first, second] = shops
  if (!first || !second) throw new Error('There are two shops.')
  await attempt(first, 1, failed)
  const db = await dbOf(second)
  await db.transaction((tx) => claim(tx, 1, () => 1))
  move(6_000)
  expect(await backlog.look()).toMatchObject({ lanes: 1, oldestSeconds: expect.closeTo(67, -1) })
  move(20_000)
  // The lease of the claimed one is over, the retries are not due yet.
  expect(await backlog.look()).toMatchObject({ lanes: 2 })
  move(60_000)
  expect(await backlog.look()).toMatchObject({ lanes: 4 })
})

test('whoever asks again at once gets the same answer, and after a failure a new one', async () => {
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
