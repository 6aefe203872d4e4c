import { expect, test } from 'vitest'
import { Holdings } from './holdings.ts'

/** Holdings whose cuts are recorded. */
function open(bytesMax: number, countMax?: number) {
  const cuts: string[] = []
  const holdings = new Holdings({
    bytesMax,
    ...(countMax === undefined ? {} : { countMax }),
    onCut: ({ holder, bytes, held }) => void cuts.push(`${holder}: ${bytes} of ${held}`),
  })
  return { holdings, cuts }
}

/** A holding that records under which name it was cut. */
function begin({ holdings, cuts }: ReturnType<typeof open>, holder: string, name: string, bytes: number) {
  const holding = holdings.begin(holder)
  holding.onCut = () => void cuts.push(name)
  holding.grow(bytes)
  return holding
}

test('past the bound the holder with the most bytes loses its largest holding', () => {
  const all = open(100)
  begin(all, 'a', 'a1', 30)
  begin(all, 'b', 'b1', 10)
  begin(all, 'b', 'b2', 40)
  expect(all.cuts).toEqual([])
  begin(all, 'c', 'c1', 25)
  expect(all.cuts).toEqual(['b: 40 of 105', 'b2'])
  expect(all.holdings.bytes).toBe(65)
})

test('of equal holdings the oldest is cut', () => {
  const all = open(100)
  for (const name of ['first', 'second', 'third']) begin(all, 'a', name, 30)
  begin(all, 'b', 'small', 11)
  expect(all.cuts).toEqual(['a: 30 of 101', 'first'])
})

test('a holder that sends more than all others together cuts its own', () => {
  const all = open(100)
  for (let i = 0; i < 9; i++) begin(all, `honest ${i}`, `honest ${i}`, 1)
  for (let i = 0; i < 50; i++) begin(all, 'attacker', 'attacker', 40)
  expect(new Set(all.cuts.filter((name) => !name.includes(':')))).toEqual(new Set(['attacker']))
  expect(all.holdings.bytes).toBe(89)
})

test('one holding that exceeds the bound alone is cut, and counts no more', () => {
  const all = open(100)
  const holding = begin(all, 'a', 'a1', 101)
  holding.grow(1_000)
  holding.end()
  expect(all.cuts).toEqual(['a: 101 of 101', 'a1'])
  expect(all.holdings.bytes).toBe(0)
})

test('a holder with too many holdings loses the oldest, even a small one', () => {
  const all = open(100, 2)
  const first = begin(all, 'a', 'a1', 1)
  begin(all, 'b', 'b1', 1)
  begin(all, 'a', 'a2', 50)
  begin(all, 'a', 'a3', 1)
  expect(all.cuts).toEqual(['a: 1 of 52', 'a1'])
  first.end()
  expect(all.holdings.bytes).toBe(52)
})

test('an ended holding no longer counts', () => {
  const all = open(100)
  for (let i = 0; i < 1_000; i++) begin(all, `holder ${i}`, 'x', 90).end()
  expect([all.holdings.bytes, all.cuts]).toEqual([0, []])
})
