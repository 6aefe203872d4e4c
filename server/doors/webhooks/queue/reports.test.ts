import { expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { openShop, theHouse } from '../../../test/fixtures/shop.ts'
import { attempt, dbOf, delivered, happen, SCOPE } from '../../../test/fixtures/webhooks.ts'
import { claimHook } from './claims.ts'
import { writeReports } from './reports.ts'

// The plan is made when the queue is short. It once read the whole lane for each report.
test('writing an outcome does not read the deliveries behind it', async () => {
  const shop = await openShop()
  const { clock } = await theHouse()
  const db = await dbOf(shop)
  await shop.call('POST', '/hooks', { scope: SCOPE, destination: 'https://hooks.example.com/a' })
  // Makes PostgreSQL plan the statement.
  await happen(shop, 'category 2')
  await attempt(shop, 1, delivered)
  await happen(shop, 'category 1')
  const claimed = await db.transaction((tx) => claimHook(tx, 1, () => 1))
  const [lane] = claimed?.lanes ?? []
  const [delivery] = lane?.deliveries ?? []
  if (!claimed || !lane || !delivery) throw new Error('Nothing was claimed.')
  await db.transaction((tx) =>
    tx.rows(sql`
      insert into deliveries (store_id, hook_id, resource, seq, slot)
      select ${shop.store.id}::int, 1, 'category 1', nr, 1 from generate_series(1001, 6000) nr returning seq`),
  )
  const sent = { delivery, startedAt: clock.now(), durationMs: 1, outcome: delivered }
  const read = await db.transaction(async (tx) => {
    await writeReports(tx, [{ ...claimed, lane, attempts: [sent], isReportable: false, random: 0.5 }], 0)
    return tx.rows(sql`
      -- of a test
      select idx_tup_fetch < 100 as is_little from pg_stat_xact_user_tables where relname = 'deliveries'`)
  })
  expect(read).toEqual([{ is_little: true }])
})
