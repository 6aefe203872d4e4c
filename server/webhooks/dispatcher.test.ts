import { beforeAll, expect, test, vi } from 'vitest'
import { sql } from '../core/db/sql.ts'
import { publish } from '../core/events/publish.ts'
import { slotOf } from '../core/events/slots.ts'
import { openShop, theHouse } from '../test/shop.ts'
import { dbOf, noProblems, rowsOf, SCOPE } from '../test/webhooks.ts'
import { Dispatcher } from './dispatcher.ts'

// Other files leave events in this worker's database: their stores would take the turns that are counted here.
beforeAll(async () => {
  const dispatcher = new Dispatcher((await theHouse()).installation.directory, noProblems)
  while (await dispatcher.handOut()) {}
})

const shopWithHook = async () => {
  const shop = await openShop()
  await shop.call('POST', '/hooks', { scope: SCOPE, destination: 'https://hooks.example.com/a' })
  return shop
}

test('a hundred busy stores keep no other waiting for more than a turn', async () => {
  const { directory } = (await theHouse()).installation
  for (let i = 0; i < 100; i++) {
    const { id } = await directory.create({ name: 'Busy', plan: 'unlimited' })
    const db = await directory.dbById(id)
    // One more than is handed out in a turn.
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
  await dispatcher.handOut()
  await dispatcher.handOut()
  expect(await rowsOf(quiet, 'deliveries')).toHaveLength(1)
  while (await dispatcher.handOut()) {}
})

test('what fails in one store is logged, and the others go on', async () => {
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
  await new Dispatcher(directory, { error: (problem: unknown) => problems.push(problem) }).handOut()
  spy.mockRestore()
  expect(problems).toEqual([{ err: new Error('It times out.'), store: broken.store.id }])
  expect(await rowsOf(sound, 'deliveries')).toHaveLength(1)
})

test('a store whose events nobody handed out for 30 days is up to date when they are gone', async () => {
  const { directory } = (await theHouse()).installation
  const shop = await shopWithHook()
  const db = await dbOf(shop)
  await db.transaction(async (tx) => publish(tx, SCOPE, 'category 1', { type: 'category', id: 1 }))
  await db.transaction((tx) => tx.rows(sql`delete from events where store_id = ${shop.store.id}`))
  await new Dispatcher(directory, noProblems).handOut()
  expect(await rowsOf(shop, 'event_streams')).toMatchObject([{ last_seq: 1, dispatched_seq: 1 }])
})
