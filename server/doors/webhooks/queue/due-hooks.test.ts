import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openShop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, delivered, happen, rowsOf, SCOPE } from '../../../test/fixtures/webhooks.ts'
import { claimHook } from './claims.ts'
import { writeReports } from './reports.ts'

// It once stayed until the lease of the other lane ended, 20 s late.
test('a hook is due at once when one lane is released while a worker claims another', async () => {
  const shop = await openShop()
  const { clock } = await theHouse()
  const db = await dbOf(shop)
  await shop.call('POST', '/hooks', { scope: SCOPE, destination: 'https://hooks.example.com/a' })
  await happen(shop, 'category 1')
  const first = await db.transaction((tx) => claimHook(tx, 1, () => 1))
  const [lane] = first?.lanes ?? []
  const [delivery] = lane?.deliveries ?? []
  if (!first || !lane || !delivery) throw new Error('Nothing was claimed.')
  await happen(shop, 'category 1', 'category 2')

  // One transaction writes before the other, and commits behind it, unless it has to wait.
  const taken = Promise.withResolvers<void>()
  const given = Promise.withResolvers<void>()
  const taking = db.transaction(async (tx) => {
    const claimed = await claimHook(tx, 1, () => 1)
    taken.resolve()
    await Promise.race([given.promise, sleep(200)])
    return claimed
  })
  await taken.promise
  const attempt = { delivery, startedAt: clock.now(), durationMs: 1, outcome: delivered }
  await db.transaction(async (tx) => {
    await writeReports(tx, [{ ...first, lane, attempts: [attempt], isReportable: false, random: 0.5 }], 0)
    given.resolve()
    await taking
  })
  expect(await taking).toMatchObject({ lanes: [{ resource: 'category 2' }] })

  const [hook] = await rowsOf(shop, 'due_hooks')
  expect(new Date(String(hook?.due_at)).getTime()).toBeLessThanOrEqual(clock.now().getTime())
  expect(await db.transaction((tx) => claimHook(tx, 1, () => 1))).toMatchObject({ lanes: [{ resource: 'category 1' }] })
})
