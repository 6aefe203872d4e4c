import { expect, test } from 'vitest'
import { openShop, theHouse } from '../../test/fixtures/shop.ts'
import { overhear } from '../../test/harness/overhear.ts'
import { sql } from '../db/sql.ts'
import { publish } from './publish.ts'

test('events leave with the commit, more than 50,000 in pieces, and keep their order', async () => {
  const { store } = await openShop()
  const db = (await theHouse()).installation.directory
    .cellOf(store)
    .api.of({ id: store.id, hash: store.hash, limits: {} })
  const heard = overhear()
  await db.transaction(async (tx) => {
    for (let n = 1; n <= 50_001; n++) publish(tx, 'store/order/created', `order ${n}`, { type: 'order', id: n })
  })
  heard.stop()
  const tables = heard.pieces.map((piece) => piece.map(({ text }) => / into (\w+)/.exec(text)?.[1] ?? text))
  // The background speaks with the database meanwhile.
  expect(tables.filter((piece) => piece.includes('events'))).toEqual([
    ['begin', expect.stringContaining('set_config'), 'event_streams', 'events'],
    ['event_streams', 'events', 'commit'],
  ])
  const stored = await db.row(sql`
    select count(*)::int as count, min(seq)::int as first, max(seq)::int as last,
      bool_and(resource = 'order ' || seq) as in_order
    from events where store_id = ${store.id}`)
  expect(stored).toEqual({ count: 50_001, first: 1, last: 50_001, in_order: true })
})
