import t from 'typebox'
import { expect, test } from 'vitest'
import { Id } from '../input/fields.ts'
import { collection } from './collection.ts'

// Both families of customers read one table, each its own columns. Under one name a connection would answer both with the columns
// of the one that came first.
test('collections of one table that read different columns prepare statements of different names', () => {
  const facts = { noun: 'brand', filters: '' }
  const name = t.String()
  const few = collection('brands', t.Object({ id: Id, name }), facts)
  const more = collection('brands', t.Object({ id: Id, name, page_title: name }), facts)
  expect(few.byId.name).not.toBe(more.byId.name)
  expect(few.insertion.name).not.toBe(more.insertion.name)
  expect(collection('brands', t.Object({ id: Id, name }), facts).byId).toEqual(few.byId)
})
