import { buildSchema, parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { openShop } from '../test/shop.ts'
import { askStorefront, makeToken } from '../test/storefront.ts'
import { costOf } from './weight.ts'

const schema = buildSchema(`
  type Query { shop: Shop things(first: Int, last: Int): ThingConnection }
  type Mutation { a: Shop b: Shop }
  type Shop { name: String things(first: Int, last: Int): ThingConnection list(first: Int): [Thing] shop: Shop }
  type ThingConnection { edges: [Edge] pageInfo: Info }
  type Edge { node: Thing cursor: String }
  type Thing { name: String things(first: Int): ThingConnection }
  type Info { next: Boolean }`)

describe('an operation costs', () => {
  test.each([
    ['1 for each field', '{ shop { name } }', 2],
    ['the same by another name', 'query A { a: shop { b: name name } }', 3],
    ['ten times what is below a connection that says nothing', '{ things { edges { cursor } } }', 21],
    ['as often as first says', '{ things(first: 3) { edges { cursor } pageInfo { next } } }', 1 + 3 * 4],
    ['or last', '{ things(last: 4) { edges { cursor } } }', 1 + 4 * 2],
    ['or the larger of both', '{ things(last: 4, first: 5) { edges { cursor } } }', 1 + 5 * 2],
    ['or a variable', 'query A($n: Int) { things(first: $n) { edges { cursor } } }', 1 + 7 * 2],
    ['at least once', '{ things(first: -5) { edges { cursor } } }', 3],
    ['as often for a list with first', '{ shop { list(first: 6) { name } } }', 1 + 1 + 6],
    [
      'all levels multiplied',
      '{ things(first: 20) { edges { node { things(first: 10) { edges { cursor } } } } } }',
      1 + 20 * (2 + 1 + 10 * 2),
    ],
    [
      'fragments where they stand',
      'fragment F on Thing { name } { things(first: 2) { edges { node { ...F ... on Thing { name } } } } }',
      1 + 2 * 4,
    ],
    ['100 for a mutation', 'mutation { a { name } }', 102],
    ['what is asked for alone', 'query A { shop { name } } query B { things { edges { cursor } } }', 2],
  ])('%s', (_, text, cost) => {
    expect(costOf(schema, parse(text), text.includes('query A') ? 'A' : undefined, { n: 7 })).toBe(cost)
  })

  test('nothing where it is not there, and too much is refused', () => {
    expect(costOf(schema, parse('query A { shop { name } }'), 'B', {})).toBeUndefined()
    const nested = (first: number) =>
      parse(`{ things(first: ${first}) { edges { node { things(first: 49) { edges { cursor } } } } } }`)
    expect(costOf(schema, nested(99), undefined, {})).toBe(1 + 99 * (2 + 1 + 98))
    expect(() => costOf(schema, nested(100), undefined, {})).toThrow('a complexity of 10101. At most 10000')
    expect(() =>
      costOf(schema, parse('query A($n: Int) { things(first: $n) { edges { cursor } } }'), 'A', { n: 1e308 }),
    ).toThrow('complexity')
    expect(() => costOf(schema, parse('mutation { a { name } b { name } }'), undefined, {})).toThrow(
      'at most one mutation',
    )
    const deep = (levels: number) => parse(`{ ${'shop { '.repeat(levels - 1)} name ${'}'.repeat(levels - 1)} }`)
    expect(costOf(schema, deep(16), undefined, {})).toBe(16)
    expect(() => costOf(schema, deep(17), undefined, {})).toThrow('a depth of 17. At most 16')
  })
})

const many = (count: number, text: (i: number) => string) => Array.from({ length: count }, (_, i) => text(i)).join(' ')

test('what would take long is refused before it is validated, and the schema can be asked for (C-106, C-109)', async () => {
  const shop = await openShop()
  const token = await makeToken(shop, 'storefront')
  const ask = (query: string) => askStorefront(shop, { token, query })
  const refused: [string, RegExp][] = [
    [
      `{ ${many(101, (i) => `a${i}: site { settings { storeHash } }`)} }`,
      /^The document has 101 aliases. At most 100 are allowed.$/,
    ],
    [`{ ${many(2_000, (i) => `a${i}: __typename`)} }`, /2000 aliases/],
    [`{ ${many(102, () => '__typename')} }`, /101 repeated fields. At most 100/],
    [`{ ${many(102, () => '... on Query { site { settings { status } } }')} }`, /101 repeated fields/],
    [`${many(101, (i) => `fragment F${i} on Site { __typename }`)} { __typename }`, /101 fragments. At most 100/],
    [`${many(11, (i) => `query Q${i} { __typename }`)}`, /11 operations. At most 10/],
    [`{ __typename ${'@skip(if: false) '.repeat(101)} }`, /101 directives. At most 100/],
    [`{ ${many(41, (i) => `... on Query { ${many(50, (n) => `f${i}x${n}`)} }`)} }`, /selections. At most 2000/],
    [`{ ${'site { '.repeat(65)} ${'}'.repeat(65)} }`, /nested more than 64 levels deep/],
    [`{ ${'['.repeat(30_000)}`, /nested more than 64 levels deep/],
    [many(10_001, () => '{'.replace('{', 'a')), /Syntax Error|more that 10000 tokens/],
    [`{ ${many(10_001, () => 'a')} }`, /10000 tokens/],
    [
      '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
      /Cannot spread fragment "A" within itself via "B"/,
    ],
    ['{ sit { settings } }', /^Cannot query field "sit" on type "Query".$/],
    ['{ __type(name: "Site") { nam } }', /^Cannot query field "nam" on type "__Type".$/],
    ['mutation { a: logout { result } b: logout { result } }', /at most one mutation/],
    ['subscription { a }', /subscription/],
  ]
  for (const [query, message] of refused) {
    const answer = await ask(query)
    expect(answer, query.slice(0, 80)).toMatchObject({ status: 200, message: expect.stringMatching(message) })
    expect(answer.body.data ?? null).toBeNull()
    expect(answer.headers['x-svc-graphql-complexity']).toBeUndefined()
    expect(JSON.stringify(answer.body)).not.toMatch(/Did you mean|node_modules|stack/)
    expect(answer.body.errors.length).toBeLessThanOrEqual(21)
  }
  expect((await ask(`{ ${many(100, (i) => `a${i}: __typename`)} }`)).status).toBe(200)
  const { getIntrospectionQuery } = await import('graphql')
  const { body } = await ask(getIntrospectionQuery())
  expect(body.errors).toBeUndefined()
  expect(body.data.__schema.queryType.name).toBe('Query')
})

test('a document that is compiled answers as before', async () => {
  const shop = await openShop()
  const token = await makeToken(shop, 'storefront')
  const query =
    'query A($no: Boolean!) { site { settings { storeHash status channelId @skip(if: $no) } } customer { email } is: __typename }'
  const answers = []
  for (let i = 0; i < 15; i++) answers.push((await askStorefront(shop, { token, query, variables: { no: true } })).body)
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  const settings = { storeHash: shop.store.hash, status: 'LAUNCHED' }
  expect(answers[0]).toEqual({ data: { site: { settings }, customer: null, is: 'Query' } })
})
