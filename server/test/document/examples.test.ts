import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { packagePath } from '../../core/package.ts'
import { type Example, readExamples } from '../../doors/operator/reference/examples.ts'
import { type Answered, openShop, type Shop } from '../fixtures/shop.ts'
import { document, mismatch, operationAt } from './document.ts'
import { Maker, type Operation, send, theOperations } from './operations.ts'

// The examples of answers in the API document: a line of JSON for each operation and for each refusal. `EXAMPLES=write` asks all operations
// of a new store and writes the file. Without it, the committed file is checked.

const EXAMPLE_MAX = 3_072

/** Names of fields whose values give access to something. */
const SECRET = /token|password|secret|jwt|private_key|^hash$|download_url/i

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** The answer with short lists and texts, and without secrets. */
function shortened(value: unknown, entries: number, name = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, entries).map((item) => shortened(item, entries, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shortened(part, entries, key)]))
  if (typeof value !== 'string') return value
  const isSecret = (SECRET.test(name) && value.length > 8) || /^eyJ[\w-]{20,}/.test(value)
  if (isSecret) return UUID.test(value) ? '00000000-0000-0000-0000-000000000000' : '...'
  if (/[?&](t|token|signature)=/.test(value)) return value.replace(/[?].*$/, '?...')
  return value.length > 200 ? `${value.slice(0, 200)}...` : value
}

/** @returns undefined if the answer is too large even with one entry in each list */
function exampleOf(shop: Shop, of: string, { status, body }: Answered): Example | undefined {
  const text = JSON.stringify(body)
    .replaceAll(shop.store.hash, 'abc123')
    .replaceAll(/https?:\/\/(127\.0\.0\.1|localhost|shop\.test)(:\d+)?/g, 'https://api.example.com')
  const answer: unknown = JSON.parse(text)
  return [3, 2, 1]
    .map((entries) => ({ of, status, answer: shortened(answer, entries) }))
    .find((example) => JSON.stringify(example).length <= EXAMPLE_MAX)
}

/** A store that keeps the first successful answer of each operation, also of those that other requests need. */
async function openRecordedShop(): Promise<{ shop: Shop; answers: Map<string, Answered> }> {
  const shop = await openShop()
  const answers = new Map<string, Answered>()
  const call: Shop['call'] = async (method, path, body, options = {}) => {
    const answered = await shop.call(method, path, body, options)
    const { version = 'v3' } = options
    const url = version === 'b2b' ? `/b2b/api${path}` : `/stores/${shop.store.hash}/${version}${path}`
    const id = operationAt(method, url)?.operationId
    const isDone = answered.status >= 200 && answered.status < 300 && answered.body !== undefined
    if (id !== undefined && isDone && !/(in|ex)clude_fields=/.test(path)) answers.set(id, answers.get(id) ?? answered)
    return answered
  }
  return { shop: { ...shop, call }, answers }
}

/** Each area gets a store of its own, so that none finds resources as another has left them. */
const areaOf = ({ version, template }: Operation) =>
  `${version} ${template
    .split('/')
    .slice(0, version === 'b2b' ? 4 : 2)
    .join('/')}`

/** Sends all operations their examples, deletions last, so that the others find their resources. */
async function askAll(shop: Shop, operations: readonly Operation[]) {
  const maker = new Maker(shop, await theOperations())
  const inOrder = operations.toSorted(
    (one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'),
  )
  for (const operation of inOrder.filter(({ example }) => example)) {
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

test.runIf(process.env.EXAMPLES === 'write')(
  'the examples of all operations are written',
  async () => {
    const found: (Example | undefined)[] = []
    for (const operations of Object.values(Object.groupBy(await theOperations(), areaOf))) {
      const { shop, answers } = await openRecordedShop()
      await askAll(shop, operations ?? [])
      found.push(...[...answers].map(([id, answered]) => exampleOf(shop, id, answered)))
    }
    const shop = await openShop()
    for (const [name, refused] of Object.entries(REFUSED)) found.push(exampleOf(shop, name, await refused(shop)))
    const examples = new Map(found.flatMap((example) => (example ? [[example.of, example]] : [])))
    const lines = [...examples.values()].map((example) => `${JSON.stringify(example)}\n`)
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

/**
 * Operations that answer JSON and have no example: carts, checkouts and others are too large, and the bodies of others need more than their
 * example. The number may only fall.
 */
const WITHOUT = 91
