import { beforeAll, expect, test } from 'vitest'
import { invalid } from '../../test/expected.ts'
import { openShop, type Shop } from '../../test/shop.ts'

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
])('a client that asks for it hears of unknown fields: %s %s %j', async (method, path, body, errors) => {
  const answered = await call(method, path, body, { headers: STRICT })
  expect(answered).toMatchObject({ status: 422, body: invalid(errors) })
  expect(answered.headers['preference-applied']).toBe('handling=strict')
})

test('known fields are taken from a strict client, among other preferences too, and whatever may have any key', async () => {
  const headers = { prefer: 'respond-async, handling="strict"; note' }
  const brand = { name: 'Strict', custom_url: { url: '/strict/' } }
  expect((await call('POST', '/catalog/brands', brand, { headers })).status).toBe(200)
  const hook = { scope: 'store/cart/*', destination: 'https://hooks.example.com/a', headers: { 'x-any': 'thing' } }
  expect((await call('POST', '/hooks', hook, { headers })).status).toBe(200)
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
