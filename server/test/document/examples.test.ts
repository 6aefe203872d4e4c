import { writeFileSync } from 'node:fs'

import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import type { Db } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { packagePath } from '../../core/package.ts'
import { type Example, readExamples, readPublishedEvents } from '../../doors/operator/reference/facts/examples.ts'
import { type Answered, openShop, type Shop } from '../fixtures/shop.ts'
import { dbOf } from '../fixtures/webhooks.ts'
import { document, mismatch, operationAt } from './document.ts'
import { Maker, type Operation, send, theOperations } from './operations.ts'

// The examples of answers in the API document: a line of JSON for each operation and for each refusal; and the events that were published in the
// transaction of each operation. `EXAMPLES=write` asks all operations of new stores and writes both files; `EXAMPLES=missing` asks those without an
// example and adds theirs. Without it, the committed files are checked.

const EXAMPLE_MAX = 3_072

/** Names of fields whose values give access to something. */
const SECRET = /token|password|secret|jwt|private_key|^hash$|download_url/i

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The answer with short lists and texts, and without secrets. */
function shortened(value: unknown, most: Bounds, name = ''): unknown {
  const within = { ...most, entries: most.inner }
  if (Array.isArray(value)) return value.slice(0, most.entries).map((item) => shortened(item, within, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortened(part, most, key)]))
  if (typeof value !== 'string') return value
  const isSecret = (SECRET.test(name) && value.length > 8) || /^eyJ[\w-]{20,}/.test(value)
  if (isSecret) return UUID.test(value) ? '00000000-0000-0000-0000-000000000000' : '...'
  if (/[?&](t|token|signature)=/.test(value)) return value.replace(/[?].*$/, '?...')
  return value.length > most.text ? `${value.slice(0, most.text)}...` : value
}

/** The entries of a list, those of a list inside of an entry, and the characters of a text. */
interface Bounds {
  entries: number
  inner: number
  text: number
}

/** From the fullest to the shortest form of an answer. */
const FORMS: readonly Bounds[] = [
  { entries: 3, inner: 3, text: 200 },
  { entries: 2, inner: 2, text: 200 },
  { entries: 1, inner: 1, text: 200 },
  { entries: 1, inner: 1, text: 60 },
  { entries: 1, inner: 0, text: 60 },
  { entries: 0, inner: 0, text: 60 },
]

/** @returns undefined if the answer is too large even with one entry in each list */
function exampleOf(shop: Shop, of: string, { status, body }: Answered): Example | undefined {
  const text = JSON.stringify(body)
    .replaceAll(shop.store.hash, 'abc123')
    .replaceAll(/https?:\/\/(127\.0\.0\.1|localhost|shop\.test)(:\d+)?/g, 'https://api.example.com')
  const answer: unknown = JSON.parse(text)
  return FORMS.map((most) => ({ of, status, answer: shortened(answer, most) })).find(
    (example) => JSON.stringify(example).length <= EXAMPLE_MAX,
  )
}

interface Recorded {
  shop: Shop
  /** The first successful answers of each operation. */
  answers: Map<string, Answered[]>
  /** The scopes of the events of each operation. */
  published: Map<string, Set<string>>
}

const ANSWERS_KEPT = 8

/** A store that records its requests, also those that other requests need. */
async function openRecordedShop(): Promise<Recorded> {
  const shop = await openShop()
  const answers = new Map<string, Answered[]>()
  const published = new Map<string, Set<string>>()
  const db = await dbOf(shop)
  const ask: Shop['call'] = async (method, path, body, options = {}) => {
    const before = await eventsOf(db)
    const answered = await shop.call(method, path, body, options)
    const { version = 'v3' } = options
    const url = version === 'b2b' ? `/b2b/api${path}` : `/stores/${shop.store.hash}/${version}${path}`
    const id = operationAt(method, url)?.operationId
    if (id === undefined || answered.status < 200 || answered.status >= 300) return answered
    const scopes = published.get(id) ?? new Set()
    published.set(id, scopes)
    for (const [key, scope] of await eventsOf(db)) if (!before.has(key)) scopes.add(generalScope(scope))
    const kept = answers.get(id) ?? []
    answers.set(id, kept)
    const isWhole = answered.body !== undefined && !/(in|ex)clude_fields=/.test(path)
    if (isWhole && kept.length < ANSWERS_KEPT) kept.push(answered)
    return answered
  }
  // One after another, so that each event belongs to its request.
  let last: Promise<unknown> = Promise.resolve()
  const call: Shop['call'] = (...request) => {
    const answered = last.then(() => ask(...request))
    last = answered.catch(() => {})
    return answered
  }
  return { shop: { ...shop, call }, answers, published }
}

/** The scopes of the events of a store, by their keys. */
const eventsOf = async (db: Db): Promise<Map<string, string>> => {
  const rows = await db.rows<{ slot: number; seq: string; scope: string }>(
    sql`select slot, seq, scope from events where store_id = ${db.store.id}`,
  )
  return new Map(rows.map(({ slot, seq, scope }) => [`${slot} ${seq}`, scope]))
}

/** A scope as `/docs/events` has it. */
const generalScope = (scope: string) => scope.replace(/^store\/channel\/\d+\//, 'store/channel/{channel_id}/')

/** The id of an operation in the document; empty for one that is not there. */
function idOf({ method, version, template }: Operation): string {
  const path = template.replaceAll(/:\w+/g, '1')
  return operationAt(method, version === 'b2b' ? `/b2b/api${path}` : `/stores/abc/${version}${path}`)?.operationId ?? ''
}

/** Each area gets a store of its own, so that none finds resources as another has left them. */
const areaOf = ({ version, template }: Operation) =>
  `${version} ${template
    .split('/')
    .slice(0, version === 'b2b' ? 4 : 2)
    .join('/')}`

/** Operations that answer with a stream, which has no example and may not end. */
const STREAMS = /\/imex\/\w+\/:uuid\/events$/

/** Sends all operations their examples, deletions last, so that the others find their resources. */
async function askAll(shop: Shop, operations: readonly Operation[]) {
  const maker = new Maker(shop, await theOperations())
  const inOrder = operations.toSorted(
    (one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'),
  )
  for (const operation of inOrder.filter(({ example, template }) => example && !STREAMS.test(template))) {
    try {
      await send(shop, operation, await maker.prepare(operation), { body: await maker.bodyFor(operation) })
    } catch (error) {
      console.warn(operation.name, error instanceof Error ? error.message : error)
    }
  }
}

/** A request that is refused, by the name of the refusal in the document. */
const REFUSED: Readonly<Record<string, (shop: Shop) => Promise<Answered>>> = {
  BadRequest: ({ call }) => call('POST', '/catalog/brands', undefined, { payload: '{"name":' }),
  BadRequestV2: ({ call }) => call('POST', '/orders', { status_id: 'paid' }, { version: 'v2' }),
  BadRequestB2B: ({ call }) => call('GET', '/v3/io/companies/first', undefined, { version: 'b2b' }),
  Unauthorized: ({ call }) => call('GET', '/catalog/brands', undefined, { as: { access_token: 'nobody' } }),
  UnauthorizedV2: ({ call }) => call('GET', '/orders', undefined, { version: 'v2', as: { access_token: 'nobody' } }),
  UnauthorizedB2B: ({ call }) =>
    call('GET', '/v3/io/companies', undefined, { version: 'b2b', as: { access_token: 'nobody' } }),
  NotFound: ({ call }) => call('GET', '/catalog/brands/999999'),
  NotFoundV2: ({ call }) => call('GET', '/orders/999999', undefined, { version: 'v2' }),
  NotFoundB2B: ({ call }) => call('GET', '/v3/io/companies/999999', undefined, { version: 'b2b' }),
  NotAcceptable: ({ call }) => call('GET', '/catalog/brands', undefined, { headers: { accept: 'text/html' } }),
  Conflict: async ({ call }) => {
    await call('POST', '/catalog/brands', { name: 'Halden' })
    return call('POST', '/catalog/brands', { name: 'Halden' })
  },
  UnsupportedType: ({ call }) =>
    call('POST', '/catalog/brands', undefined, { payload: 'Halden', headers: { 'content-type': 'text/plain' } }),
  Invalid: ({ call }) => call('POST', '/catalog/brands', { name: '', page_title: 7 }),
  InvalidB2B: ({ call }) => call('POST', '/v3/io/companies', { companyName: '' }, { version: 'b2b' }),
}

const isOnlyMissing = process.env.EXAMPLES === 'missing'

test.runIf(process.env.EXAMPLES === 'write' || isOnlyMissing)(
  'the examples of all operations are written',
  async () => {
    const found = isOnlyMissing ? readExamples() : new Map<string, Example>()
    const stored = isOnlyMissing ? [...readPublishedEvents()] : []
    const events = new Map(stored.map(([id, scopes]) => [id, new Set(scopes)]))
    const recordAll = async (operations: readonly Operation[]) => {
      const { shop, answers, published } = await openRecordedShop()
      await askAll(shop, operations)
      for (const [id, some] of answers) {
        // The first answer that is small enough.
        const [example] = some.flatMap((answered) => exampleOf(shop, id, answered) ?? [])
        if (example && !found.has(id)) found.set(id, example)
      }
      for (const [id, scopes] of published) events.set(id, (events.get(id) ?? new Set()).union(scopes))
    }
    const all = await theOperations()
    const areas = isOnlyMissing ? [] : Object.values(Object.groupBy(all, areaOf))
    for (const operations of areas) await recordAll(operations ?? [])
    // Others have left these without their resources: each gets a store of its own.
    for (const operation of all.filter((one) => !found.has(idOf(one)))) await recordAll([operation])
    const lists = [...events]
      .filter(([, scopes]) => scopes.size > 0)
      .map(([id, scopes]) => [id, [...scopes].toSorted()])
    const rows = lists.map((list) => `  ${JSON.stringify(list).replace(/^\[("\w+"),(.*)\]$/, '$1: $2')}`)
    writeFileSync(packagePath('publishedEvents'), `{\n${rows.toSorted().join(',\n')}\n}\n`)
    const shop = await openShop()
    for (const [name, refused] of Object.entries(REFUSED)) {
      const example = exampleOf(shop, name, await refused(shop))
      if (example) found.set(name, example)
    }
    const lines = [...found.values()].map((example) => `${JSON.stringify(example)}\n`)
    writeFileSync(packagePath('examples'), lines.toSorted().join(''))
  },
  1_800_000,
)

test('each example is small, fits the document and has no secret', () => {
  const examples = [...readExamples().values()]
  const answered = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, responses }]) => ({
      operationId,
      method: method.toUpperCase(),
      url: path.replaceAll(/\{\w+\}/g, '1'),
      hasBody: Object.entries(responses).some(
        ([status, { content = {} }]) => status < '300' && 'application/json' in content,
      ),
    })),
  )
  const places = new Map(answered.map((place) => [place.operationId, place]))
  for (const example of examples) {
    const { of, status, answer } = example
    expect(JSON.stringify(example).length, of).toBeLessThanOrEqual(EXAMPLE_MAX)
    const text = JSON.stringify(answer)
    expect(text, of).not.toMatch(
      /eyJ[\w-]{20,}|"(?:\w*token|\w*password|\w*secret)":"(?!0{8}-)[^".]{9,}"|[?&]t(oken)?=/i,
    )
    if (of in REFUSED) continue
    const place = places.get(of)
    if (!place) throw new Error(`There is an example of ${of}, and no such operation.`)
    expect(mismatch(place.method, place.url, { status, body: answer }), of).toEqual([])
  }
  const named = new Set(examples.map(({ of }) => of))
  expect(Object.keys(REFUSED).filter((name) => !named.has(name))).toEqual([])
  const without = answered.filter(({ operationId, hasBody }) => hasBody && !named.has(operationId))
  expect(without.length, without.map(({ operationId }) => operationId).join(', ')).toBeLessThanOrEqual(WITHOUT)
})

test('the example of each refusal fits the document', () => {
  const bodies = Object.entries(document.components.responses).flatMap(([name, { content }]) =>
    Object.values(content).map((body) => ({ name, ...body })),
  )
  expect(bodies.length).toBeGreaterThan(50)
  for (const { name, schema, example } of bodies) expect(Compile(schema).Errors(example), name).toEqual([])
})

/**
 * Operations that answer JSON and have no example: seven whose answer is a token or needs one, and lists and deletions whose resource no single
 * request creates. The number may only fall.
 */
const WITHOUT = 15
