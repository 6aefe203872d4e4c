import { beforeAll, expect, test } from 'vitest'
import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { openShop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { havingText, storeTexts } from './texts.ts'

// More texts than are compared at once begin in the same way.
const COUNT = 620
let db: Db
beforeAll(async () => {
  db = await dbOf(await openShop())
  const numbers = Array.from({ length: COUNT }, (_, i) => i + 1)
  await db.transaction(async (tx) => {
    await storeTexts(
      tx,
      'quote',
      numbers.map((id) => ({ id, texts: [`QN${String(id).padStart(7, '0')}`, 'Cups for Harbour Cafes'] })),
    )
    await storeTexts(tx, 'invoice', [{ id: 1, texts: ['QN0000001 for Harbour Cafes'] }])
  })
})

const found = async (piece: string) =>
  (
    await db.rows<{ id: number }>(sql`
      select id from b2b_texts where store_id = ${db.store.id} and kind = 'quote' and ${havingText(db, 'quote', piece)} order by id`)
  ).map(({ id }) => id)

test.each([
  ['QN0000042', [42]],
  ['qn000004', [40, 41, 42, 43, 44, 45, 46, 47, 48, 49]],
  ['0000620', [620]],
  ['QN0000621', []],
  ['QN0000042 for', []],
  ['nobody here 4711', []],
])('the piece "%s" is found', async (piece, expected) => {
  expect(await found(piece)).toEqual(expected)
})

test.each(['QN0000', 'qn', 'harbour', 'Cups for Harbour Cafes', 'for'])(
  'the piece "%s" of all texts finds each once',
  async (piece) => {
    expect(await found(piece)).toEqual(Array.from({ length: COUNT }, (_, i) => i + 1))
  },
)
