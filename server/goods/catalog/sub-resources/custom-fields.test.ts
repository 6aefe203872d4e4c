import { beforeAll, describe, expect, test } from 'vitest'
import { invalid, problem } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

// docs/contract/product-parts.md section 2. The rules of all sub-resources are in sub-resources.test.ts.

const text = (length: number) => 'a'.repeat(length)

const PRODUCT = '/catalog/products/1'
const FIELDS = `${PRODUCT}/custom-fields`
const TAKEN = 'This product already has a custom field with this name and value.'
const taken = { status: 409, body: problem(409, TAKEN, { value: TAKEN }) }

async function openProduct(): Promise<Shop> {
  const shop = await openShop()
  await shop.call('POST', '/catalog/products', { name: 'Mug', type: 'physical', weight: 0.4, price: 18.5 })
  return shop
}

const answered = async ({ call }: Shop, method: string, path: string, body?: unknown) => {
  const { status, body: found } = await call(method, path, body)
  return { status, body: found }
}

test('a custom field has its name and its value in every answer', async () => {
  const shop = await openProduct()
  const data = { id: 1, name: 'Material', value: 'Ash' }
  const whole = { status: 200, body: { data, meta: {} } }
  expect(await answered(shop, 'POST', FIELDS, { name: 'Material', value: 'Ash', id: 7, unknown: true })).toEqual(whole)
  expect(await answered(shop, 'GET', `${FIELDS}/1`)).toEqual(whole)
  expect((await shop.call('GET', FIELDS)).body.data).toEqual([data])
  const changed = { status: 200, body: { data: { ...data, value: 'Oak' }, meta: {} } }
  expect(await answered(shop, 'PUT', `${FIELDS}/1`, { value: 'Oak' })).toEqual(changed)
  expect(await answered(shop, 'GET', `${FIELDS}/1`)).toEqual(changed)
  expect(await answered(shop, 'DELETE', `${FIELDS}/1`)).toEqual({ status: 204, body: undefined })
  expect((await shop.call('GET', `${FIELDS}/1`)).status).toBe(404)
})

describe('the bounds of a custom field', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openProduct()
    await shop.call('POST', FIELDS, { name: 'Here', value: 'before' })
  })

  test.each(['name', 'value'])('allow a %s of 1 to 250 characters', async (field) => {
    for (const length of [1, 250]) {
      const body = { name: 'a', value: 'b', [field]: '😀'.repeat(length) }
      const { status, body: made } = await shop.call('POST', FIELDS, body)
      expect({ status, data: made.data }).toMatchObject({ status: 200, data: body })
      await shop.call('DELETE', `${FIELDS}/${made.data.id}`)
    }
  })

  test.each([
    ['name', '', 'name must not be blank.'],
    ['name', ' ', 'name must not be blank.'],
    ['name', text(251), 'name must have at most 250 characters, not 251.'],
    ['name', 5, 'error.expected.jsstring'],
    ['name', null, 'error.expected.jsstring'],
    ['value', '', 'value must have at least 1 character.'],
    ['value', text(251), 'value must have at most 250 characters, not 251.'],
    ['value', ['a'], 'error.expected.jsstring'],
    ['value', 'a\0', expect.any(String)],
  ])('do not allow %s to be %j', async (field, value, sentence) => {
    for (const [method, path] of [
      ['POST', FIELDS],
      ['PUT', `${FIELDS}/1`],
    ] as const) {
      expect(await answered(shop, method, path, { name: 'a', value: 'b', [field]: value }), method).toEqual({
        status: 422,
        body: invalid({ [field]: sentence }),
      })
    }
    expect((await shop.call('GET', FIELDS)).body.data).toEqual([{ id: 1, name: 'Here', value: 'before' }])
  })

  test('require both fields of a new one, and report all missing ones', async () => {
    expect(await answered(shop, 'POST', FIELDS, {})).toEqual({
      status: 422,
      body: invalid({ name: 'error.path.missing', value: 'error.path.missing' }),
    })
  })
})

describe('a name with a value', () => {
  test('is used once in a product, by its exact text', async () => {
    const shop = await openProduct()
    await shop.call('POST', '/catalog/products', { name: 'Bowl', type: 'physical', weight: 1, price: 2 })
    const ash = { name: 'Material', value: 'Ash' }
    for (const body of [ash, { ...ash, value: 'ash' }, { ...ash, value: ' Ash' }, { ...ash, name: 'Wood' }]) {
      expect((await shop.call('POST', FIELDS, body)).status).toBe(200)
    }
    expect(await answered(shop, 'POST', FIELDS, ash)).toEqual(taken)
    expect(await answered(shop, 'PUT', `${FIELDS}/2`, { value: 'Ash' })).toEqual(taken)
    expect((await shop.call('POST', '/catalog/products/2/custom-fields', ash)).status).toBe(200)
    expect((await shop.call('PUT', `${FIELDS}/1`, ash)).status).toBe(200)
    await shop.call('DELETE', `${FIELDS}/1`)
    expect((await shop.call('POST', FIELDS, ash)).body.data.id).toBe(6)
  })

  test('goes to one of several concurrent requests', async () => {
    const shop = await openProduct()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => shop.call('POST', FIELDS, { name: 'Material', value: 'Ash' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  })
})

describe('a product has at most 200 custom fields', () => {
  const TOO_MANY = 'A product can have at most 200 custom fields.'

  test('one by one, also after concurrent requests (403), and a conflict is refused first', async () => {
    const shop = await openProduct()
    const list = Array.from({ length: 195 }, (_, i) => ({ name: 'Number', value: String(i) }))
    expect((await shop.call('PUT', PRODUCT, { custom_fields: list })).status).toBe(200)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => shop.call('POST', FIELDS, { name: 'Late', value: String(i) })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body }) => ({ status, body }))).toEqual(
      Array(7).fill({ status: 403, body: problem(403, TOO_MANY) }),
    )
    expect((await shop.call('GET', FIELDS)).body.meta.pagination.total).toBe(200)
    expect(await answered(shop, 'POST', FIELDS, { name: 'Number', value: '1' })).toEqual(taken)
    await shop.call('DELETE', `${FIELDS}/1`)
    expect((await shop.call('POST', FIELDS, { name: 'Late', value: 'again' })).status).toBe(200)
  })

  test('in the body of a product (422)', async () => {
    const shop = await openProduct()
    const list = (length: number) => Array.from({ length }, (_, i) => ({ name: 'Number', value: String(i) }))
    expect(await answered(shop, 'PUT', PRODUCT, { custom_fields: list(201) })).toEqual({
      status: 422,
      body: invalid({ custom_fields: 'custom_fields must hold at most 200.' }),
    })
    expect((await shop.call('PUT', PRODUCT, { custom_fields: list(200) })).status).toBe(200)
  })
})

describe('a list in the body of a product', () => {
  const put = (shop: Shop, custom_fields: unknown) => answered(shop, 'PUT', PRODUCT, { custom_fields })
  const fields = async ({ call }: Shop) => (await call('GET', FIELDS)).body.data

  test('replaces all custom fields: items with an id are changed, the others are created, and the rest is deleted', async () => {
    const shop = await openProduct()
    await put(shop, [
      { name: 'One', value: 'a' },
      { name: 'Two', value: 'b' },
      { name: 'Three', value: 'c' },
    ])
    expect(await fields(shop)).toEqual([
      { id: 1, name: 'One', value: 'a' },
      { id: 2, name: 'Two', value: 'b' },
      { id: 3, name: 'Three', value: 'c' },
    ])
    await put(shop, [
      { name: 'Four', value: 'd' },
      { id: 3, name: 'Three', value: 'x' },
      { id: 1, name: 'One', value: 'a' },
    ])
    expect(await fields(shop)).toEqual([
      { id: 1, name: 'One', value: 'a' },
      { id: 3, name: 'Three', value: 'x' },
      { id: 4, name: 'Four', value: 'd' },
    ])
    await put(shop, [])
    expect(await fields(shop)).toEqual([])
  })

  test('lets two exchange their values, and one take the values of a deleted one', async () => {
    const shop = await openProduct()
    await put(shop, [
      { name: 'A', value: '1' },
      { name: 'B', value: '2' },
      { name: 'C', value: '3' },
    ])
    const { status } = await put(shop, [
      { id: 1, name: 'B', value: '2' },
      { id: 2, name: 'A', value: '1' },
      { name: 'C', value: '3' },
    ])
    expect(status).toBe(200)
    expect(await fields(shop)).toEqual([
      { id: 1, name: 'B', value: '2' },
      { id: 2, name: 'A', value: '1' },
      { id: 4, name: 'C', value: '3' },
    ])
  })

  test('is refused with all mistakes at their paths, and nothing is stored', async () => {
    const shop = await openProduct()
    await put(shop, [{ name: 'A', value: '1' }])
    expect(await put(shop, [{ name: '', value: '1' }, { value: text(251) }])).toEqual({
      status: 422,
      body: invalid({
        'custom_fields.0.name': 'name must not be blank.',
        'custom_fields.1.name': 'error.path.missing',
        'custom_fields.1.value': 'value must have at most 250 characters, not 251.',
      }),
    })
    const again = 'This list already has a custom field with this name and value.'
    expect(
      await put(shop, [
        { name: 'A', value: '1' },
        { name: 'B', value: '1' },
        { id: 1, name: 'A', value: '1' },
      ]),
    ).toEqual({ status: 422, body: invalid({ 'custom_fields.2.value': again }) })
    expect(
      await put(shop, [
        { id: 1, name: 'A', value: '1' },
        { id: 2, name: 'B', value: '1' },
        { id: 1, name: 'C', value: '1' },
      ]),
    ).toEqual({
      status: 422,
      body: invalid({
        'custom_fields.1.id': 'This product has none with the id 2.',
        'custom_fields.2.id': 'The id 1 is repeated.',
      }),
    })
    expect(await fields(shop)).toEqual([{ id: 1, name: 'A', value: '1' }])
  })

  test('is refused with ids of another product', async () => {
    const shop = await openProduct()
    await shop.call('POST', '/catalog/products', { name: 'Bowl', type: 'physical', weight: 1, price: 2 })
    await shop.call('POST', '/catalog/products/2/custom-fields', { name: 'A', value: '1' })
    expect((await put(shop, [{ id: 1, name: 'B', value: '1' }])).status).toBe(422)
    expect((await shop.call('GET', '/catalog/products/2/custom-fields')).body.data).toMatchObject([{ name: 'A' }])
  })
})
