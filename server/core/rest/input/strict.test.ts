import t from 'typebox'
import { beforeAll, expect, test } from 'vitest'
import { invalid } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { REPORTED_MAX } from '../problem.ts'
import { bodyReader } from './validator.ts'

// docs/contract/conventions.md section 12: fields that no schema names.

let call: Shop['call']
beforeAll(async () => {
  call = (await openShop()).call
})

const STRICT = { prefer: 'handling=strict' }
const NONE = 'There is no such field.'
const mug = { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 }

test.each<[method: string, path: string, body: unknown, errors: Record<string, string>]>([
  ['POST', '/catalog/brands', { name: 'A', colour: 'red' }, { colour: NONE }],
  ['POST', '/catalog/brands', { naem: 'A' }, { naem: 'There is no such field; did you mean name?' }],
  ['POST', '/catalog/brands', { name: 'A', custom_url: { url: '/a/', path: 1 } }, { 'custom_url.path': NONE }],
  [
    'POST',
    '/catalog/products',
    {
      ...mug,
      variants: [
        { sku: 'a', option_values: [] },
        { sku: 'b', option_values: [], hue: 1 },
      ],
      x: {},
    },
    { 'variants.1.hue': NONE, x: NONE },
  ],
  [
    'PUT',
    '/catalog/products',
    [{ id: 1 }, { id: 2, weigth: 1 }],
    { '1.weigth': 'There is no such field; did you mean weight?' },
  ],
  ['PUT', '/settings/store/locale', { default_shopper_language: 'en', shopper: 1 }, { shopper: NONE }],
  ['PUT', '/settings/catalog', { alow: true }, { alow: NONE }],
  [
    'POST',
    '/catalog/brands',
    { sort_order: 1.5, colour: 'red' },
    { name: 'error.path.missing', sort_order: expect.anything(), colour: NONE },
  ],
])('a strict client gets errors for unknown fields: %s %s %j', async (method, path, body, errors) => {
  const answered = await call(method, path, body, { headers: STRICT })
  expect(answered).toMatchObject({ status: 422, body: invalid(errors) })
  expect(answered.headers['preference-applied']).toBe('handling=strict')
})

test.for<[version: 'v2' | 'v3', method: string, path: string, status: number, sentence: string]>([
  ['v2', 'GET', '/orders?min_date_modifed=2024-01-01', 400, '"min_date_modifed" is not a parameter here'],
  ['v2', 'GET', '/orders/count?status=1', 400, '"status" is not a parameter here'],
  ['v2', 'GET', '/time?zone=utc', 400, '"zone" is not a parameter here'],
  ['v3', 'GET', '/catalog/brands/1?fields=name', 422, '"fields" is not a parameter here'],
  ['v3', 'GET', '/catalog/summary?page=2', 422, '"page" is not a parameter here'],
  ['v3', 'GET', '/catalog/brands?naem=a', 422, '"naem" is not a parameter here'],
])(
  'a strict client gets errors for unknown parameters: %s %s %s',
  async ([version, method, path, status, sentence]) => {
    const answered = await call(method, path, undefined, { version, headers: STRICT })
    const problem = version === 'v2' ? answered.body[0].message : answered.body.title
    expect([answered.status, problem]).toEqual([status, `The query is not valid: ${sentence}.`])
    expect(answered.headers['preference-applied']).toBe('handling=strict')
  },
)

test('a strict client may send each parameter that a list has, and any other client others too', async () => {
  const known = '/orders?min_date_modified=2024-01-01&page=1&limit=5&sort=id:asc'
  expect((await call('GET', known, undefined, { version: 'v2', headers: STRICT })).status).toBe(204)
  expect((await call('GET', '/orders?min_date_modifed=2024-01-01', undefined, { version: 'v2' })).status).toBe(204)
  expect((await call('GET', '/time', undefined, { version: 'v2', headers: STRICT })).status).toBe(200)
})

test('a strict client may send all known fields, with other preferences too, and any keys where a schema allows them', async () => {
  const headers = { prefer: 'respond-async, handling="strict"; note' }
  const brand = { name: 'Strict', custom_url: { url: '/strict/' } }
  expect((await call('POST', '/catalog/brands', brand, { headers })).status).toBe(200)
  const hook = { scope: 'store/cart/*', destination: 'https://hooks.example.com/a', headers: { 'x-any': 'thing' } }
  expect((await call('POST', '/hooks', hook, { headers })).status).toBe(200)
  const statuses = { createaccount_email: false }
  expect((await call('PUT', '/settings/email-statuses', statuses, { headers })).status).toBe(200)
})

test('of many unknown fields as many are reported as a refusal holds, the first with its likely name', () => {
  const read = bodyReader(t.Object({ items: t.Array(t.Object({ name: t.String() })) }))
  const items = Array.from({ length: 200_000 }, () => ({ name: 'A', nam: 1 }))
  const sentences = Array.from({ length: REPORTED_MAX }, (_, i) => [
    `items.${i}.nam`,
    i < 5 ? 'There is no such field; did you mean name?' : NONE,
  ])
  expect(() => read({ items }, true)).toThrow(expect.objectContaining({ errors: Object.fromEntries(sentences) }))
})

test('a field of an object that may be null is unknown too', () => {
  const read = bodyReader(t.Object({ url: t.Union([t.Object({ path: t.String() }), t.Null()]) }))
  expect(read({ url: null }, true)).toEqual({ url: null })
  expect(() => read({ url: { path: '/', paht: '/' } }, true)).toThrow(
    expect.objectContaining({ errors: { 'url.paht': 'There is no such field; did you mean path?' } }),
  )
})

test.each([undefined, 'handling=lenient', 'strict', 'handling=strictly'])(
  'with Prefer: %s they are dropped',
  async (prefer) => {
    const answered = await call(
      'POST',
      '/catalog/brands',
      { name: `Of ${prefer}`, colour: 'red' },
      {
        headers: prefer === undefined ? {} : { prefer },
      },
    )
    expect(answered.status).toBe(200)
    expect(answered.headers).not.toHaveProperty('preference-applied')
  },
)
