import { buildSchema, type DocumentNode, executeSync, getIntrospectionQuery, parse } from 'graphql'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { STOREFRONT_LIMITS } from '../../../doors/storefront/graphql/limits.ts'
import { openShop } from '../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../test/fixtures/storefront.ts'
import { Introspections } from '../introspection.ts'
import { countComparisons } from './comparisons.ts'
import { type Variables, weighOperation } from './cost.ts'
import { scaleOf } from './introspection-cost.ts'

const many = (count: number, text: (i: number) => string) => Array.from({ length: count }, (_, i) => text(i)).join(' ')
/** Fragments that spread each other, all spread in the operation. */
const spreads = (count: number) =>
  `{ ${many(count, (i) => `...F${i}`)} } ${many(count, (i) => `fragment F${i} on Query { __typename ${many(count - i - 1, (n) => `...F${i + n + 1}`)} }`)}`
/** Fragments with a few fields each, side by side. */
const fragments = (count: number) =>
  `{ ${many(count, (i) => `...F${i}`)} } ${many(count, (i) => `fragment F${i} on Query { site { settings { storeName storeHash status } } }`)}`
const pair = (i: number) => (i < 48 ? `...A${i + 1} ...B${i + 1}` : '')

/** Documents within all other limits whose validation took 20 to 80 ms. */
const COSTLY = {
  '40 fragments that spread each other': spreads(40),
  '98 fragments with a few fields': fragments(98),
  '98 fragments of one place': `{ site { settings { ${many(98, (i) => `...F${i}`)} } } } ${many(98, (i) => `fragment F${i} on Settings { storeName storeHash status }`)}`,
  'pairs of fragments that spread the next pair': `{ ...A0 ...B0 } ${many(49, (i) => `fragment A${i} on Query { site { settings { storeName } } ${pair(i)} } fragment B${i} on Query { site { settings { storeHash } } ${pair(i)} }`)}`,
  'inline fragments': `{ ${many(100, () => '... on Query { site { settings { storeName storeHash status url { vanityUrl } } } }')} }`,
  'many sets that spread many fragments': `{ ${many(18, (i) => `a${i}: site { ${many(98, (n) => `...F${n}`)} }`)} } ${many(98, (i) => `fragment F${i} on Site { settings { storeName } }`)}`,
  'fragments that spread themselves':
    '{ site { settings { ...H } } } fragment H on Settings { a { ...H } a { ...H } b { ...H } b { ...H } }',
}

describe('validation counts', () => {
  test.each([
    ['a comparison for each field', '{ a { b c } }', 1 + 2],
    ['one for each pair of one name', '{ a a a }', 3 + 3],
    ['those below fields of one name', '{ a { b } a { c } }', 2 + 1 + (2 + 1 * (1 + 2)) + 1 + 1],
    ['those of a fragment with the fields beside it', '{ a ...F } fragment F on T { b c }', 4 + 1 * (1 + 3) + 2],
    [
      'those of two fragments in one set',
      '{ ...F ...G } fragment F on T { a } fragment G on T { b }',
      4 + 2 * (2 + 2) + 2,
    ],
    ['those of a fragment once in each set', '{ a { ...F ...F } } fragment F on T { c }', 1 + 3 + 1 * (1 + 1) + 1],
    ['no more for inline fragments', '{ a ... on T { a } }', 3 + 1],
  ])('%s', (_, text, comparisons) => {
    expect(countComparisons(parse(text))).toBe(comparisons)
  })

  test('four times as many comparisons for twice as many fragments, and is refused past 10,000', () => {
    const [few, twice] = [countComparisons(parse(fragments(14))), countComparisons(parse(fragments(28)))]
    expect(twice / few).toBeGreaterThan(3.5)
    for (const [what, text] of Object.entries(COSTLY)) {
      expect(() => countComparisons(parse(text)), what).toThrow('more than 10000 comparisons')
    }
  })
})

describe('introspection', () => {
  /** As many definitions as the complete schema of a storefront. */
  const large = buildSchema(
    many(750, (i) => {
      const name = i === 0 ? 'Query' : `T${i}`
      const other = (by: number) => `T${((i + by) % 749) + 1}`
      return `"${'What it is. '.repeat(5)}" type ${name} {
        a(first: Int = 1, after: String): [${other(0)}!]! b: String @deprecated(reason: "Use a.") c: ${other(7)} }`
    }),
  )
  const standard = getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true, specifiedByUrl: true })
  const open = () => {
    const parsed: string[] = []
    const read = (query: string) => {
      parsed.push(query)
      return { document: parse(query), comparisons: 0 }
    }
    const introspections = new Introspections(large, read, STOREFRONT_LIMITS)
    const ask = (query: string) => introspections.answer({ query, variables: {}, operationName: undefined })
    return { ask, parsed }
  }
  const weigh = (text: string, variables = {}) =>
    weighOperation(large, { document: parse(text), operationName: undefined, variables }, STOREFRONT_LIMITS)?.cost

  test('of 750 definitions answers the query of tools, and caches the answer', () => {
    const { ask, parsed } = open()
    const first = ask(standard)
    const whole = executeSync({ schema: large, document: parse(standard) })
    expect(first?.body).toBe(JSON.stringify(whole))
    const again = ask(standard)
    expect([again?.body, again?.cost]).toEqual([first?.body, first?.cost])
    expect(parsed).toEqual([standard])
    expect(again?.work).toBe(Math.ceil((first?.body.length ?? 0) / 1_000))
    expect(first?.work).toBe(standard.length + 4 * (first?.cost ?? 0))
  })

  test('costs one for each value of its answer, and for each 32 characters of a text', () => {
    expect(weigh('{ __schema { queryType { name } } }')).toBe(3)
    expect(weigh('{ __schema { types { name } } }')).toBe(2 + large.toConfig().types.length)
    expect(weigh('{ __type(name: "T1") { description fields { name } } }')).toBe(1 + 2 + 1 + 3)
    const named =
      'query A($n: String!) { __type(name: $n) { name ...F ... on __Type { kind } } } fragment F on __Type { a: kind }'
    expect(weigh(named, { n: 'T1' })).toBe(4)
    expect(weigh('{ __type(name: "Nothing") { name } }')).toBe(1)
    const [{ max }, cost] = [scaleOf(large), weigh(standard) ?? 0]
    expect(max / cost).toBeGreaterThan(1.2)
    expect(max / cost).toBeLessThan(1.8)
  })

  test('is refused far beyond the query of tools, and beside data past the limit of all operations', () => {
    const { ask } = open()
    const repeated = `{ ${many(30, (i) => `a${i}: __schema { types { name description fields { name type { name } } } }`)} }`
    expect(() => ask(repeated)).toThrow('The introspection has a complexity of more than')
    const beside = '{ __schema { types { name description fields { name type { name } args { name } } } } a { b } }'
    expect(() => ask(beside)).toThrow('At most 10000')
    expect(ask('{ __type(name: "T1") { name } __typename a { b } }')).toBeUndefined()
  })

  test('caches the most recent answers, up to 8 MiB', () => {
    const { ask, parsed } = open()
    const named = (i: number) => standard.replace('query IntrospectionQuery', `query Q${i}`)
    const size = ask(named(0))?.body.length ?? 0
    const kept = Math.floor((8 * 1024 * 1024) / size)
    for (let i = 1; i <= kept; i++) ask(named(i))
    parsed.length = 0
    for (let i = 1; i <= kept; i++) ask(named(i))
    expect(parsed).toEqual([])
    ask(named(0))
    expect(parsed).toEqual([named(0)])
  })
})

const costOf = (
  asked: Parameters<typeof weighOperation>[0],
  document: DocumentNode,
  operationName: string | undefined,
  variables: Variables,
) => weighOperation(asked, { document, operationName, variables }, STOREFRONT_LIMITS)?.cost

const schema = buildSchema(`
  type Query { shop: Shop things(first: Int, last: Int): ThingConnection any: Any }
  type Mutation { a: Shop b: Shop }
  union Any = Shop | Thing
  type Shop { name: String things(first: Int, last: Int): ThingConnection list(first: Int): [Thing] shop: Shop }
  type ThingConnection { edges: [Edge] pageInfo: Info }
  type Edge { node: Thing cursor: String }
  type Thing { name: String things(first: Int): ThingConnection shop: Shop }
  type Info { next: Boolean }`)

describe('the cost of an operation is', () => {
  test.each([
    ['1 for each field with a selection', '{ shop { name shop { name } } }', 2],
    ['the same by another name', 'query A { a: shop { b: name name } }', 1],
    ['ten times the fields below a connection without a length', '{ things { edges { cursor } } }', 1 + 10],
    ['multiplied by first', '{ things(first: 3) { edges { cursor } pageInfo { next } } }', 1 + 3 * 2],
    ['multiplied by last', '{ things(last: 4) { edges { cursor } } }', 1 + 4],
    ['multiplied by the larger of both', '{ things(last: 4, first: 5) { edges { cursor } } }', 1 + 5],
    ['multiplied by a variable', 'query A($n: Int) { things(first: $n) { edges { cursor } } }', 1 + 7],
    ['multiplied by at least 1', '{ things(first: -5) { edges { cursor } } }', 2],
    ['multiplied by at most 50', '{ things(first: 51) { edges { cursor } } }', 51],
    ['not multiplied for a list', '{ shop { list(first: 6) { name } } }', 2],
    [
      'multiplied by at most 5 in another connection',
      '{ things(first: 20) { edges { node { things(first: 10) { edges { cursor } } } } } }',
      1 + 20 * (2 + 1 + 5),
    ],
    [
      'multiplied by less than 5 in another connection if first is less',
      '{ things(first: 20) { edges { node { things(first: 2) { edges { cursor } } } } } }',
      1 + 20 * (2 + 1 + 2),
    ],
    [
      'counted at each place of a fragment',
      'fragment F on Thing { shop { name } } { things(first: 2) { edges { node { ...F ... on Thing { shop { name } } } } } }',
      1 + 2 * 4,
    ],
    [
      'that of a fragment by its place, inside or outside of connections',
      'fragment F on Shop { things(first: 9) { edges { cursor } } } { shop { ...F } things(first: 1) { edges { node { shop { ...F } } } } }',
      1 + 1 + 9 + (1 + 1 + 1 + 1 + 1 + 5),
    ],
    [
      'that of the most expensive type among fragments on several',
      '{ any { ... on Shop { shop { name } things(first: 2) { edges { cursor } } } ... on Thing { shop { name } } } }',
      1 + (1 + 1 + 2),
    ],
    ['100 for a mutation', 'mutation { a { name } }', 101],
    ['that of the requested operation only', 'query A { shop { name } } query B { things { edges { cursor } } }', 1],
  ])('%s', (_, text, cost) => {
    expect(costOf(schema, parse(text), text.includes('query A') ? 'A' : undefined, { n: 7 })).toBe(cost)
  })

  test('an unknown operation has no cost, and a cost past the limit is refused', () => {
    expect(costOf(schema, parse('query A { shop { name } }'), 'B', {})).toBeUndefined()
    // A page of 50 with five more pages of five below each other.
    const below = 'things(first: 5) { edges { node { '
    const nested = (shops: number) =>
      parse(
        `{ things(first: 50) { edges { node { ${below}${below}${many(shops, (i) => `s${i}: shop { name }`)} ${'} } } '.repeat(3)} }`,
      )
    const costFor = (shops: number) => 1 + 50 * (2 + 1 + 5 * (2 + 1 + 5 * (2 + shops)))
    expect([costFor(4), costFor(5)]).toEqual([8_401, 9_651])
    expect(costOf(schema, nested(5), undefined, {})).toBe(9_651)
    expect(() => costOf(schema, nested(6), undefined, {})).toThrow('a complexity of 10901. At most 10000')
    expect(() => costOf(schema, parse('mutation { a { name } b { name } }'), undefined, {})).toThrow(
      'at most one mutation',
    )
    const deep = (levels: number) => parse(`{ ${'shop { '.repeat(levels - 1)} name ${'}'.repeat(levels - 1)} }`)
    expect(costOf(schema, deep(16), undefined, {})).toBe(15)
    expect(() => costOf(schema, deep(17), undefined, {})).toThrow('a depth of 17. At most 16')
  })
})

test('costly documents are refused before validation, and introspection is answered (C-106, C-109)', async () => {
  const shop = await openShop()
  // Each token has its own budget.
  const ask = async (query: string) => askStorefront(shop, { token: await makeToken(shop, 'storefront'), query })
  const refused: [string, RegExp][] = [
    [
      `{ ${many(101, (i) => `a${i}: site { settings { storeHash } }`)} }`,
      /^The document has 101 aliases. At most 100 are allowed.$/,
    ],
    [`{ ${many(1_500, (i) => `a${i}: __typename`)} }`, /1500 aliases/],
    [`{ ${many(102, () => '__typename')} }`, /101 repeated fields. At most 100/],
    [`{ ${many(102, () => '... on Query { site { settings { status } } }')} }`, /101 repeated fields/],
    [`${many(101, (i) => `fragment F${i} on Site { __typename }`)} { __typename }`, /101 fragments. At most 100/],
    [`${many(11, (i) => `query Q${i} { __typename }`)}`, /11 operations. At most 10/],
    [`{ __typename ${'@skip(if: false) '.repeat(101)} }`, /101 directives. At most 100/],
    [`{ ${many(41, (i) => `... on Query { ${many(50, (n) => `f${i}x${n}`)} }`)} }`, /selections. At most 2000/],
    [`{ ${'site { '.repeat(65)} ${'}'.repeat(65)} }`, /nested more than 64 levels deep/],
    [`{ ${'['.repeat(30_000)}`, /nested more than 64 levels deep/],
    [many(5_001, () => 'a'), /Syntax Error/],
    ...['7', 'null', '{"kind":"Document","definitions":[]}'].map((json): [string, RegExp] => [json, /^Syntax Error/]),
    [`{ ${many(5_001, () => 'a')} }`, /5000 tokens/],
    ...Object.values(COSTLY).map((text): [string, RegExp] => [text, /takes more than 10000 comparisons of fields/]),
    [
      `{ ${many(40, (i) => `a${i}: __schema { types { name fields { name type { name } args { name } } } }`)} }`,
      /^The introspection has a complexity of more than \d{5}./,
    ],
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
  for (let i = 0; i < 2; i++) {
    const { body, headers } = await ask(getIntrospectionQuery())
    expect(body.errors).toBeUndefined()
    expect(body.data.__schema.queryType.name).toBe('Query')
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(Number(headers['x-svc-graphql-complexity'])).toBeGreaterThan(500)
  }
  const mixed = await ask('{ __type(name: "Site") { name } site { settings { storeHash } } }')
  expect(mixed.body.data).toMatchObject({ __type: { name: 'Site' }, site: { settings: {} } })
})

describe('a client that sends costly documents', () => {
  // The clock stands still: no steps are restored while the test runs.
  let now = performance.now()
  beforeAll(() => {
    vi.spyOn(performance, 'now').mockImplementation(() => now)
  })
  afterAll(() => {
    vi.restoreAllMocks()
  })

  test('has to wait, and no other does; a repeated document costs no validation', async () => {
    const [shop, other] = [await openShop(), await openShop()]
    const [token, foreign] = [await makeToken(shop, 'storefront'), await makeToken(other, 'storefront')]
    const query = `{ site { settings { storeHash } } ${' '.repeat(7_000)} }`
    // Cached documents: 100 times 2 steps. New ones would take 700,000.
    for (let i = 0; i < 100; i++) expect((await askStorefront(shop, { token, query })).status).toBe(200)
    let answer = await askStorefront(shop, { token })
    for (let i = 0; i < 20 && answer.status === 200; i++) {
      answer = await askStorefront(shop, {
        token,
        query: `{ site { settings { storeHash } } } #${i}${' '.repeat(60_000)}`,
      })
    }
    expect(answer).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1', 'x-retry-after': '1' },
      body: {
        data: null,
        errors: [{ message: 'Too many costly GraphQL requests. Send fewer different documents, and smaller ones.' }],
      },
    })
    expect((await askStorefront(shop, { token })).status).toBe(429)
    expect((await askStorefront(other, { token: foreign })).status).toBe(200)
    expect((await askStorefront(shop, { token: await makeToken(shop, 'private') })).status).toBe(200)
    now += 1_000
    expect((await askStorefront(shop, { token })).status).toBe(200)
  })
})

test('a compiled document has the same answer', async () => {
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
