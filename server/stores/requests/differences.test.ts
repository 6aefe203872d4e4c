import { expect, test } from 'vitest'
import { answerDifferences } from './differences.ts'

test.each([
  ['equal values', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
  [
    'a changed value',
    { data: [{ name: 'A' }] },
    { data: [{ name: 'B' }] },
    [{ at: 'data[0].name', left: 'A', right: 'B' }],
  ],
  ['a value of another kind', { a: 1 }, { a: '1' }, [{ at: 'a', left: 1, right: '1' }]],
  ['a missing field', { a: 1 }, {}, [{ at: 'a', left: 1, right: undefined }]],
  ['a longer list', [1], [1, 2], [{ at: '[1]', left: undefined, right: 2 }]],
  ['a list and an object', [], {}, [{ at: '', left: [], right: {} }]],
  [
    'ids and times',
    { id: 1, brand_id: 2, date_created: 'a', updated_at: 'b' },
    { id: 3, brand_id: 4, date_created: 'c' },
    [],
  ],
  ['texts', 'a', 'b', [{ at: '', left: 'a', right: 'b' }]],
])('%s', (_, left, right, found) => {
  expect(answerDifferences(left, right)).toEqual(found)
})

test('finds 200 at most', () => {
  const many = (value: number) => Array.from({ length: 500 }, () => value)
  expect(answerDifferences(many(1), many(2))).toHaveLength(200)
})
