import t from 'typebox'
import { describe, expect, test } from 'vitest'
import { Amount, amountReader, NullableAmount, toAmount } from './amounts.ts'

// docs/contract/conventions.md section 12 and docs/contract/products.md section 2 (C-081). Amounts that a store can't take are
// tested in server/goods/catalog/products.

describe('an amount is the nearest one of four places', () => {
  test.each<[given: unknown, read: number]>([
    [0, 0],
    [-0, 0],
    [7, 7],
    [0.1 + 0.2, 0.3],
    [1e-7, 0],
    [-1e-7, 0],
    [19.99, 19.99],
    [1.00005, 1.0001],
    // As a binary number it lies below the half; as it was written, it is one.
    [1.00015, 1.0002],
    [1.000049999, 1],
    [0.00005, 0.0001],
    [-0.00005, -0.0001],
    [-1.00005, -1.0001],
    [99_999_999_999, 99_999_999_999],
    [99_999_999_999.0001, 99_999_999_999.0001],
    ['0', 0],
    ['-0', 0],
    ['-0.00001', 0],
    ['10.00', 10],
    ['007.50', 7.5],
    ['1.23456789012345678901', 1.2346],
    ['0.00004999999999999999', 0],
    ['0.00005000000000000000', 0.0001],
    ['99999999999.00004', 99_999_999_999],
    ['0.30000000000000004', 0.3],
  ])('%s', (given, read) => {
    expect(toAmount(given)).toBe(read)
  })
})

describe('a value that is no amount stays, for the check to refuse', () => {
  test.each<[unknown]>([
    [Number.POSITIVE_INFINITY],
    [Number.NaN],
    ['NaN'],
    ['Infinity'],
    ['1e3'],
    ['1,5'],
    ['.5'],
    ['5.'],
    ['+5'],
    ['0x10'],
    [' 5'],
    [''],
    ['1'.repeat(31)],
    [`0.${'1'.repeat(31)}`],
    [true],
    [null],
    [undefined],
  ])('%s', (given) => {
    expect(toAmount(given)).toBe(given)
  })

  test('a list or an object is returned unchanged', () => {
    const list = ['5']
    expect(toAmount(list)).toBe(list)
    expect(list).toEqual(['5'])
  })
})

describe('a body', () => {
  const Line = t.Object({
    price: Amount(),
    weight: t.Optional(NullableAmount()),
    label: t.String(),
    count: t.Integer(),
  })
  const read = (schema: Parameters<typeof amountReader>[0], body: unknown) => {
    amountReader(schema)?.(body)
    return body
  }

  test('has its amounts read in place, at any depth, and nothing else', () => {
    const Body = t.Object({ ...Line.properties, lines: t.Array(t.Object({ inner: Line })) })
    const given = { price: '1.50', weight: null, label: '1.50', count: '5', unknown: '1.50' }
    expect(read(Body, { ...given, lines: [{ inner: given }, { inner: { ...given, weight: '2.00005' } }] })).toEqual({
      ...given,
      price: 1.5,
      lines: [{ inner: { ...given, price: 1.5 } }, { inner: { ...given, price: 1.5, weight: 2.0001 } }],
    })
  })

  test('may be a list', () => {
    expect(read(t.Array(Line), [{ price: '1' }, { price: 2 }])).toEqual([{ price: 1 }, { price: 2 }])
  })

  test('of another form is left as it is', () => {
    const Body = t.Object({ lines: t.Array(Line), one: Line })
    for (const body of [
      null,
      5,
      'text',
      [],
      { lines: null, one: 5 },
      { lines: { price: '1' } },
      { lines: [null, 5] },
    ]) {
      expect(read(Body, structuredClone(body))).toEqual(body)
    }
  })

  test('without amounts needs no reading', () => {
    expect(amountReader(t.Object({ name: t.String(), tags: t.Array(t.String()) }))).toBeUndefined()
  })
})
