import { describe, expect, test } from 'vitest'
import { invalid, onlyPage, problem } from '../../../test/document/expected.ts'
import { sized } from '../../../test/document/sized.ts'
import { type Answered, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/catalog.md section 2 and docs/contract/options.md: options, their values, and their effects on variants. The
// data of values is in rules.test.ts.

const text = (length: number) => 'a'.repeat(length)

const OPTIONS = '/catalog/products/1/options'
const VALUES = '/catalog/products/1/options/1/values'
const size = {
  display_name: 'Size',
  type: 'rectangles',
  option_values: [
    { label: 'Small', sort_order: 0 },
    { label: 'Large', sort_order: 1, is_default: true },
  ],
}
const colour = {
  display_name: 'Colour',
  type: 'swatch',
  option_values: [{ label: 'Red', sort_order: 0, value_data: { colors: ['#F00'] } }],
}

/** A shop with the product 1 and these options. */
async function shopWith(...options: object[]): Promise<Shop> {
  const shop = await openShop()
  await addProduct(shop, 'Mug')
  for (const option of options) {
    const { status, text } = await shop.call('POST', OPTIONS, option)
    expect(status, text).toBe(200)
  }
  return shop
}

async function addProduct({ call }: Shop, name: string, more: object = {}): Promise<number> {
  const { status, body, text } = await call('POST', '/catalog/products', {
    name,
    type: 'physical',
    weight: 1,
    price: 10,
    ...more,
  })
  expect(status, text).toBe(200)
  return body.data.id
}

const labels = ({ body }: Answered) => body.data.map(({ label }: { label: string }) => label)
const names = ({ body }: Answered) => body.data.map(({ display_name }: { display_name: string }) => display_name)

describe('a new option', () => {
  test('is answered as a whole, with its values and defaults', async () => {
    const { call } = await shopWith()
    const { clock } = await theHouse()
    const before = Math.floor(clock.now().getTime() / 1_000)
    const { status, body } = await call('POST', OPTIONS, { ...size, display_name: 'Size of it' })
    const [, seconds] = /^Size-of-it(\d+)-1$/.exec(body.data.name) ?? []
    expect(Number(seconds)).toBeGreaterThanOrEqual(before)
    expect(Number(seconds)).toBeLessThanOrEqual(clock.now().getTime() / 1_000)
    const data = {
      id: 1,
      product_id: 1,
      name: body.data.name,
      display_name: 'Size of it',
      type: 'rectangles',
      config: [],
      sort_order: 0,
      image_url: '',
      option_values: [
        { id: 1, label: 'Small', sort_order: 0, value_data: null, is_default: false },
        { id: 2, label: 'Large', sort_order: 1, value_data: null, is_default: true },
      ],
    }
    expect({ status, body }).toEqual({ status: 200, body: { data, meta: {} } })
    expect((await call('GET', `${OPTIONS}/1`)).body).toEqual({ data, meta: {} })
    expect((await call('GET', OPTIONS)).body).toEqual({
      data: [data],
      meta: { pagination: onlyPage(1) },
    })
  })

  test('keeps its fields as they were sent, and ignores read-only fields and those of another type', async () => {
    const { call } = await shopWith()
    const { body } = await call('POST', OPTIONS, {
      ...size,
      id: 77,
      product_id: 9,
      name: 'Mine',
      sort_order: -2_147_483_648,
      image_url: 'https://cdn.example.com/size.png',
      config: { product_list_adjusts_pricing: true, default_value: 'x', colour: 'red' },
      option_values: [
        { id: 9, label: 'S', sort_order: 2_147_483_647, value_data: { colors: ['#000'] }, is_default: false },
      ],
    })
    expect(body.data).toMatchObject({
      id: 1,
      product_id: 1,
      name: expect.stringMatching(/^Size\d+-1$/),
      sort_order: -2_147_483_648,
      image_url: 'https://cdn.example.com/size.png',
      config: [],
      option_values: [{ id: 1, label: 'S', sort_order: 2_147_483_647, value_data: null, is_default: false }],
    })
    expect((await call('GET', `${OPTIONS}/1`)).body.data).toEqual(body.data)
  })

  test('of the type product_list keeps its configuration and names products of the store', async () => {
    const shop = await shopWith()
    await addProduct(shop, 'Box')
    const config = {
      product_list_adjusts_inventory: true,
      product_list_adjusts_pricing: false,
      product_list_shipping_calc: 'weight',
    }
    const list = {
      display_name: 'Box',
      type: 'product_list_with_images',
      config,
      option_values: [{ label: 'Box', sort_order: 0, value_data: { product_id: 2 } }],
    }
    const { body } = await shop.call('POST', OPTIONS, list)
    expect(body.data).toMatchObject({ config, option_values: [{ value_data: { product_id: 2 } }] })
    const changed = { config: { product_list_adjusts_pricing: true } }
    expect((await shop.call('PUT', `${OPTIONS}/1`, changed)).body.data.config).toEqual({ ...config, ...changed.config })
  })

  test('has `[]` for an empty configuration, like the public samples', async () => {
    const { call } = await shopWith()
    for (const config of [[], {}, { default_value: 'of no other type' }]) {
      const { body } = await call('POST', OPTIONS, { ...size, display_name: JSON.stringify(config), config })
      expect(body.data.config).toEqual([])
      expect((await call('PUT', `${OPTIONS}/${body.data.id}`, { config })).body.data.config).toEqual([])
      expect((await call('GET', `${OPTIONS}/${body.data.id}`)).body.data.config).toEqual([])
    }
  })

  test.each(['radio_buttons', 'rectangles', 'dropdown'])('may have the type %s', async (type) => {
    const { call } = await shopWith()
    expect((await call('POST', OPTIONS, { ...size, type })).body.data).toMatchObject({ type })
  })

  test('comes after the others by default', async () => {
    const { call } = await shopWith({ ...size, sort_order: 4 }, { ...size, display_name: 'B' })
    await call('POST', OPTIONS, { ...size, display_name: 'C', sort_order: 4 })
    expect(names(await call('GET', OPTIONS))).toEqual(['Size', 'C', 'B'])
    expect((await call('GET', `${OPTIONS}/2`)).body.data.sort_order).toBe(5)
    await call('PUT', `${OPTIONS}/2`, { sort_order: 2_147_483_647 })
    expect((await call('POST', OPTIONS, { ...size, display_name: 'D' })).body.data.sort_order).toBe(2_147_483_647)
    const other = await shopWith({ ...size, sort_order: -5 })
    expect((await other.call('POST', OPTIONS, { ...size, display_name: 'B' })).body.data.sort_order).toBe(0)
  })

  test.each<[string, object, object]>([
    [
      'nothing',
      {},
      { display_name: 'error.path.missing', type: 'error.path.missing', option_values: 'error.path.missing' },
    ],
    ['an empty name', { ...size, display_name: '' }, { display_name: 'display_name must not be blank.' }],
    ['a name of blanks', { ...size, display_name: ' ' }, { display_name: 'display_name must not be blank.' }],
    [
      'a name of 256',
      { ...size, display_name: text(256) },
      { display_name: 'display_name must have at most 255 characters, not 256.' },
    ],
    [
      'a type of modifiers',
      { ...size, type: 'checkbox' },
      { type: expect.stringContaining('must be one of radio_buttons, ') },
    ],
    ['a date', { ...size, type: 'date' }, { type: expect.stringContaining('not "date"') }],
    ['no values', { ...size, option_values: [] }, { option_values: 'option_values must hold at least 1.' }],
    [
      'a value without its fields',
      { ...size, option_values: [{}] },
      { 'option_values.0.label': 'error.path.missing', 'option_values.0.sort_order': 'error.path.missing' },
    ],
    [
      'a label of 256',
      { ...size, option_values: [{ label: text(256), sort_order: 0 }] },
      { 'option_values.0.label': expect.stringContaining('at most 255') },
    ],
    [
      'a label twice',
      {
        ...size,
        option_values: [
          { label: 'A', sort_order: 0 },
          { label: ' a', sort_order: 1 },
        ],
      },
      { 'option_values.1.label': 'Another value here has this label.' },
    ],
    [
      'a place beyond 32 bits',
      { ...size, sort_order: 2_147_483_648 },
      { sort_order: expect.stringContaining('at most 2147483647') },
    ],
    ['a configuration that is a text', { ...size, config: 'x' }, { config: 'error.expected.jsobject' }],
    ['an address that is relative', { ...size, image_url: '/x.png' }, { image_url: expect.any(String) }],
    [
      'a swatch without data',
      { ...size, type: 'swatch' },
      {
        'option_values.0.value_data': 'A value of a swatch needs either colors or an image_url.',
        'option_values.1.value_data': 'A value of a swatch needs either colors or an image_url.',
        'option_values.1.is_default': 'A value of a swatch cannot be the default.',
      },
    ],
    [
      'data that is a text',
      { ...size, option_values: [{ label: 'A', sort_order: 0, value_data: 'x' }] },
      { 'option_values.0.value_data': 'error.expected.jsobject' },
    ],
  ])('with %s is refused', async (_, body, errors) => {
    const shop = await shopWith()
    expect(await shop.call('POST', OPTIONS, body)).toMatchObject({ status: 422, body: invalid(errors) })
    expect(await rowsOf(shop, 'options')).toEqual([])
    expect(await rowsOf(shop, 'option_values')).toEqual([])
  })

  test('may have a name and a label of 255 characters', async () => {
    const { call } = await shopWith()
    const option = { ...size, display_name: text(255), option_values: [{ label: text(255), sort_order: 0 }] }
    expect(await call('POST', OPTIONS, option)).toMatchObject({ status: 200 })
  })

  test('is one object: a list is refused', async () => {
    const { call } = await shopWith()
    expect(await call('POST', OPTIONS, [size])).toMatchObject({
      status: 422,
      body: { errors: { '': 'error.expected.jsobject' } },
    })
  })

  test('has a name that no other option of the product has', async () => {
    const shop = await shopWith(size)
    const sentence = 'This product already has an option with this display_name.'
    const conflict = { status: 409, body: problem(409, sentence, { display_name: sentence }) }
    expect(await shop.call('POST', OPTIONS, { ...size, display_name: ' sIZE' })).toMatchObject(conflict)
    await shop.call('POST', OPTIONS, colour)
    expect(await shop.call('PUT', `${OPTIONS}/2`, { display_name: 'SIZE' })).toMatchObject(conflict)
    expect(await shop.call('PUT', `${OPTIONS}/1`, { display_name: 'SIZE' })).toMatchObject({ status: 200 })
    await addProduct(shop, 'Cup')
    expect(await shop.call('POST', '/catalog/products/2/options', size)).toMatchObject({ status: 200 })
  })

  test('has at most 250 values; a taken name is refused first', async () => {
    const shop = await shopWith()
    const values = (count: number) => Array.from({ length: count }, (_, i) => ({ label: `V${i}`, sort_order: i }))
    const limit = problem(403, 'Each option can have at most 250 values.')
    expect(await shop.call('POST', OPTIONS, { ...size, option_values: values(251) })).toMatchObject({
      status: 403,
      body: limit,
    })
    expect(await rowsOf(shop, 'options')).toEqual([])
    expect(await shop.call('POST', OPTIONS, { ...size, option_values: values(250) })).toMatchObject({ status: 200 })
    expect((await shop.call('POST', OPTIONS, { ...size, option_values: values(251) })).status).toBe(409)
    expect(await shop.call('POST', VALUES, { label: 'V250', sort_order: 0 })).toMatchObject({
      status: 403,
      body: limit,
    })
    expect((await shop.call('POST', VALUES, { label: 'v249', sort_order: 0 })).status).toBe(422)
    const more = [...Array.from({ length: 250 }, (_, i) => ({ id: i + 1 })), { label: 'More', sort_order: 0 }]
    expect(await shop.call('PUT', `${OPTIONS}/1`, { option_values: more })).toMatchObject({ status: 403, body: limit })
    expect(await shop.call('PUT', `${OPTIONS}/1`, { option_values: more.slice(1) })).toMatchObject({ status: 200 })
    expect((await shop.call('GET', `${VALUES}?limit=1`)).body.meta.pagination.total).toBe(250)
  })
})

describe('a changed option', () => {
  test('keeps fields that the change leaves out, and its internal name when it is renamed', async () => {
    const { call } = await shopWith(size)
    const before = (await call('GET', `${OPTIONS}/1`)).body.data
    const { status, body } = await call('PUT', `${OPTIONS}/1`, { display_name: 'Format', type: 'rectangles' })
    expect({ status, body }).toEqual({ status: 200, body: { data: { ...before, display_name: 'Format' }, meta: {} } })
    expect((await call('PUT', `${OPTIONS}/1`, body.data)).body.data).toEqual(body.data)
  })

  test('has the values of its list: some changed, some new, the others deleted', async () => {
    const { call } = await shopWith(size)
    await call('POST', VALUES, { label: 'Huge', sort_order: 9 })
    const { body } = await call('PUT', `${OPTIONS}/1`, {
      option_values: [{ id: 3, label: 'Large' }, { label: 'Tiny', sort_order: -1, is_default: true }, { id: 1 }],
    })
    const values = [
      { id: 4, label: 'Tiny', sort_order: -1, value_data: null, is_default: true },
      { id: 1, label: 'Small', sort_order: 0, value_data: null, is_default: false },
      { id: 3, label: 'Large', sort_order: 9, value_data: null, is_default: false },
    ]
    expect(body.data.option_values).toEqual(values)
    expect((await call('GET', VALUES)).body.data).toEqual(values)
    expect((await call('GET', `${VALUES}/2`)).status).toBe(404)
  })

  test('keeps values that a list names by their labels only, with their variants', async () => {
    const { call } = await shopWith(size)
    await call('POST', '/catalog/products/1/variants', { sku: 'MUG-S', option_values: [{ option_id: 1, id: 1 }] })
    const before = (await call('GET', `${OPTIONS}/1`)).body.data
    const option_values = [{ label: 'small', sort_order: 3 }, { label: 'Large' }, { label: 'Huge', sort_order: 2 }]
    const { body } = await call('PUT', `${OPTIONS}/1`, { option_values })
    expect(body.data.option_values).toEqual([
      before.option_values[1],
      { id: 3, label: 'Huge', sort_order: 2, value_data: null, is_default: false },
      { ...before.option_values[0], label: 'small', sort_order: 3 },
    ])
    const { data } = (await call('GET', '/catalog/products/1/variants')).body
    expect(data).toMatchObject([{ sku: 'MUG-S', option_values: [{ id: 1, label: 'small' }] }])

    const same = body.data.option_values.map(({ id: _, ...value }: { id: number }) => value)
    expect((await call('PUT', `${OPTIONS}/1`, { option_values: same })).body.data).toEqual(body.data)
    const twice = await call('PUT', `${OPTIONS}/1`, { option_values: [{ label: 'Large' }, { label: 'large' }] })
    expect(twice.body.errors).toEqual({
      'option_values.1.label': 'Another value here has this label.',
      'option_values.1.sort_order': 'error.path.missing',
    })
    // An id decides; an equal label without it belongs to a new value.
    const renamed = [
      { id: 2, label: 'Medium' },
      { label: 'Large', sort_order: 9 },
    ]
    expect((await call('PUT', `${OPTIONS}/1`, { option_values: renamed })).body.data.option_values).toMatchObject([
      { id: 2, label: 'Medium' },
      { id: 4, label: 'Large' },
    ])
  })

  test('can exchange the labels of its values', async () => {
    const { call } = await shopWith(size)
    const option_values = [
      { id: 1, label: 'Large' },
      { id: 2, label: 'Small' },
    ]
    expect(await call('PUT', `${OPTIONS}/1`, { option_values })).toMatchObject({
      status: 200,
      body: { data: { option_values } },
    })
    expect(labels(await call('GET', VALUES))).toEqual(['Large', 'Small'])
  })

  test('is refused with all mistakes, and nothing is stored', async () => {
    const shop = await shopWith(size, colour)
    const before = await rowsOf(shop, 'option_values')
    const { status, body } = await shop.call('PUT', `${OPTIONS}/1`, {
      type: 'dropdown',
      display_name: 'Format',
      option_values: [{ id: 3, label: 'Red' }, { label: 'X' }, { id: 1, label: 'x' }],
    })
    expect({ status, body }).toEqual({
      status: 422,
      body: invalid({
        type: 'The type of this option is rectangles and cannot change.',
        'option_values.0.id': 'There is no value 3 here.',
        'option_values.0.sort_order': 'error.path.missing',
        'option_values.1.sort_order': 'error.path.missing',
        'option_values.2.label': 'Another value here has this label.',
      }),
    })
    expect(await rowsOf(shop, 'option_values')).toEqual(before)
    expect((await shop.call('PUT', `${OPTIONS}/1`, { option_values: [] })).body.errors).toEqual({
      option_values: 'option_values must hold at least 1.',
    })
    expect((await shop.call('PUT', `${OPTIONS}/1`, { display_name: null })).body.errors).toEqual({
      display_name: 'error.expected.jsstring',
    })
    expect(names(await shop.call('GET', OPTIONS))).toEqual(['Size', 'Colour'])
  })
})

describe('a value', () => {
  test('is answered as a whole', async () => {
    const { call } = await shopWith(colour)
    const { status, body } = await call('POST', VALUES, {
      id: 77,
      label: 'Dusk',
      sort_order: 3,
      value_data: { colors: ['#1a2B3c', '#FFF'] },
    })
    const data = { id: 2, label: 'Dusk', sort_order: 3, value_data: { colors: ['#1A2B3C', '#FFF'] }, is_default: false }
    expect({ status, body }).toEqual({ status: 200, body: { data, meta: {} } })
    expect((await call('GET', `${VALUES}/2`)).body).toEqual({ data, meta: {} })
    expect((await call('PUT', `${VALUES}/2`, { ...data, id: 1 })).body).toEqual({ data, meta: {} })
    expect((await call('PUT', `${VALUES}/2`, { id: 1, sort_order: -3 })).body.data).toEqual({ ...data, sort_order: -3 })
    expect(
      (await call('PUT', `${VALUES}/2`, { value_data: { image_url: 'https://a.example/x.png' } })).body.data.value_data,
    ).toEqual({ image_url: 'https://a.example/x.png' })
  })

  test('may leave out the data of other types: null is no value, and [] means {}', async () => {
    const { call } = await shopWith(colour, size)
    const value_data = { colors: ['#000'], image_url: null, product_id: null, checked_value: null }
    const black = await call('POST', VALUES, { label: 'Black', sort_order: 1, value_data })
    expect(black.body.data).toMatchObject({ value_data: { colors: ['#000'] } })
    const other = await call('PUT', `${VALUES}/1`, {
      value_data: { colors: null, image_url: 'https://a.example/x.png' },
    })
    expect(other.body.data).toMatchObject({ value_data: { image_url: 'https://a.example/x.png' } })

    const huge = await call('POST', `${OPTIONS}/2/values`, { label: 'Huge', sort_order: 2, value_data: [] })
    expect(huge.body.data).toMatchObject({ label: 'Huge', value_data: null })
    const none = 'A value of a swatch needs either colors or an image_url.'
    for (const value_data of [[], { colors: null, image_url: null }]) {
      const { status, body } = await call('POST', VALUES, { label: 'None', sort_order: 1, value_data })
      expect({ status, body }).toEqual({ status: 422, body: invalid({ value_data: none }) })
    }
  })

  // docs/contract/catalog.md section 7.
  test.each<[string, object, object]>([
    [
      'no data of a swatch',
      { label: 'Dawn', sort_order: 4, value_data: {} },
      { value_data: 'A value of a swatch needs either colors or an image_url.' },
    ],
    ['no place', { label: 'Noon' }, { sort_order: 'error.path.missing' }],
    [
      'a label that is taken',
      { label: 'RED', sort_order: 0, value_data: { colors: ['#000'] } },
      { label: 'Another value here has this label.' },
    ],
    [
      'a default of a swatch',
      { label: 'A', sort_order: 0, value_data: { colors: ['#000'] }, is_default: true },
      { is_default: 'A value of a swatch cannot be the default.' },
    ],
    ['a label of blanks', { label: ' ', sort_order: 0 }, { label: 'label must not be blank.' }],
    [
      'a place that is a fraction',
      { label: 'A', sort_order: 0.5 },
      { sort_order: expect.stringContaining('whole number') },
    ],
  ])('with %s is refused', async (_, value, errors) => {
    const { call } = await shopWith(colour)
    expect(await call('POST', VALUES, value)).toMatchObject({ status: 422, body: invalid(errors) })
    expect(labels(await call('GET', VALUES))).toEqual(['Red'])
  })

  test('of a product list names another product of this store', async () => {
    const shop = await shopWith()
    await addProduct(shop, 'Box')
    const other = await openShop()
    for (const name of ['A', 'B', 'C']) await addProduct(other, name)
    await shop.call('POST', OPTIONS, {
      display_name: 'Box',
      type: 'product_list',
      option_values: [{ label: 'Box', sort_order: 0, value_data: { product_id: 2 } }],
    })
    const named = (product_id: unknown) =>
      shop.call('POST', VALUES, { label: 'Other', sort_order: 0, value_data: { product_id } })
    for (const [id, sentence] of [
      [1, 'A product cannot be in its own list.'],
      [3, 'There is no product 3.'],
      ['2', 'There is no product "2".'],
      [4_294_967_298, 'There is no product 4294967298.'],
      [2.5, 'There is no product 2.5.'],
    ]) {
      expect((await named(id)).body.errors).toEqual({ 'value_data.product_id': sentence })
    }
    for (const id of [undefined, null]) {
      expect((await named(id)).body.errors).toEqual({ value_data: 'An item of a product list needs a product_id.' })
    }
    expect((await named(2)).status).toBe(200)
  })

  test('that becomes the default takes the flag from the others', async () => {
    const { call } = await shopWith(size)
    const defaults = async () =>
      (await call('GET', VALUES)).body.data.flatMap(({ id, is_default }: { id: number; is_default: boolean }) =>
        is_default ? [id] : [],
      )
    expect(await defaults()).toEqual([2])
    await call('POST', VALUES, { label: 'Huge', sort_order: 2, is_default: true })
    expect(await defaults()).toEqual([3])
    await call('PUT', `${VALUES}/1`, { is_default: true })
    expect(await defaults()).toEqual([1])
    await call('PUT', `${VALUES}/1`, { is_default: false })
    expect(await defaults()).toEqual([])
  })

  test('is listed by sort_order, then by id, with the requested fields', async () => {
    const { call } = await shopWith(size)
    await call('POST', VALUES, { label: 'Also small', sort_order: 0 })
    await call('POST', VALUES, { label: 'First', sort_order: -1 })
    expect(labels(await call('GET', VALUES))).toEqual(['First', 'Small', 'Also small', 'Large'])
    expect((await call('GET', `${VALUES}?limit=2&page=2&include_fields=label`)).body).toMatchObject({
      data: [
        { id: 3, label: 'Also small' },
        { id: 2, label: 'Large' },
      ],
      meta: { pagination: { total: 4, count: 2, total_pages: 2 } },
    })
    expect((await call('GET', `${VALUES}/1?exclude_fields=value_data,is_default,sort_order`)).body.data).toEqual({
      id: 1,
      label: 'Small',
    })
    expect((await call('GET', `${VALUES}?label=Small`)).status).toBe(422)
    expect((await call('GET', `${VALUES}?limit=251`)).status).toBe(413)
  })

  test('may be deleted while another one is left', async () => {
    const shop = await shopWith(size)
    expect(await shop.call('DELETE', `${VALUES}/1`)).toMatchObject({ status: 204, text: '' })
    expect((await shop.call('GET', `${VALUES}/1`)).status).toBe(404)
    expect((await shop.call('DELETE', `${VALUES}/1`)).status).toBe(404)
    expect((await shop.call('DELETE', `${VALUES}/2`)).body).toEqual(
      problem(409, 'The last value of an option cannot be deleted: delete the option.'),
    )
    expect((await shop.call('POST', VALUES, { label: 'Small', sort_order: 0 })).body.data.id).toBe(3)
  })
})

describe('a list of options', () => {
  test('shows the requested fields, including its values', async () => {
    const { call } = await shopWith(size, colour)
    const option_values = [expect.objectContaining({ id: 3, label: 'Red', value_data: { colors: ['#F00'] } })]
    expect((await call('GET', `${OPTIONS}?include_fields=type,option_values&page=2&limit=1`)).body.data).toEqual([
      { id: 2, type: 'swatch', option_values },
    ])
    expect((await call('GET', `${OPTIONS}?include_fields=type`)).body.data).toEqual([
      { id: 1, type: 'rectangles' },
      { id: 2, type: 'swatch' },
    ])
    expect((await call('GET', `${OPTIONS}/2?include_fields=option_values`)).body.data).toEqual({ id: 2, option_values })
    const { data } = (await call('GET', `${OPTIONS}/2?exclude_fields=option_values,config`)).body
    expect(Object.keys(data)).toEqual(['id', 'product_id', 'name', 'display_name', 'type', 'sort_order', 'image_url'])
    expect((await call('GET', `${OPTIONS}?type=swatch`)).status).toBe(422)
  })

  test('is included for each of several products', async () => {
    const shop = await shopWith({ ...size, sort_order: 2 }, colour, { ...size, display_name: '"\n\\', sort_order: 0 })
    await addProduct(shop, 'Plain')
    await addProduct(shop, 'Cup')
    await shop.call('POST', '/catalog/products/3/options', size)
    await shop.call('PUT', `${VALUES}/1`, { sort_order: 5 })
    const { body } = await shop.call('GET', '/catalog/products?include=options&include_fields=name')
    const of = async (id: number) => (await shop.call('GET', `/catalog/products/${id}/options`)).body.data
    expect(body.data).toEqual([
      { id: 1, name: 'Mug', options: await of(1) },
      { id: 2, name: 'Plain', options: [] },
      { id: 3, name: 'Cup', options: await of(3) },
    ])
    expect(names({ body: { data: body.data[0].options } } as Answered)).toEqual(['"\n\\', 'Size', 'Colour'])
    expect(labels({ body: { data: body.data[0].options[1].option_values } } as Answered)).toEqual(['Large', 'Small'])
  })
})

describe('an unknown path', () => {
  const paths: [method: string, path: string, body?: object][] = [
    ['GET', '/catalog/products/9/options'],
    ['POST', '/catalog/products/9/options', size],
    ['GET', '/catalog/products/2/options/1'],
    ['PUT', '/catalog/products/2/options/1', { sort_order: 1 }],
    ['DELETE', '/catalog/products/2/options/1'],
    ['GET', `${OPTIONS}/9`],
    ['GET', '/catalog/products/2/options/1/values'],
    ['POST', '/catalog/products/2/options/1/values', { label: 'A', sort_order: 0 }],
    ['GET', '/catalog/products/2/options/1/values/1'],
    ['PUT', '/catalog/products/2/options/1/values/1', { sort_order: 1 }],
    ['DELETE', '/catalog/products/2/options/1/values/1'],
    // The value 3 belongs to option 2.
    ['GET', `${VALUES}/3`],
    ['PUT', `${VALUES}/3`, { sort_order: 1 }],
    ['DELETE', `${VALUES}/3`],
    ['GET', `${VALUES}/0`],
    ['GET', `${OPTIONS}/2147483648`],
    // Mistakes in values are reported once the type of the option is known.
    ['POST', '/catalog/products/2/options/2/values', { label: 'A', sort_order: 0 }],
  ]
  test.each(paths)('%s %s is 404', async (method, path, body) => {
    const shop = await shopWith(size, colour)
    await addProduct(shop, 'Other')
    const before = await rowsOf(shop, 'option_values')
    expect((await shop.call(method, path, body)).status).toBe(404)
    expect(await rowsOf(shop, 'option_values')).toEqual(before)
  })

  test('is refused after a body of the wrong shape', async () => {
    const { call } = await shopWith()
    expect((await call('POST', '/catalog/products/9/options', {})).status).toBe(422)
    expect((await call('POST', `${OPTIONS}/9/values`, { label: 'A' })).status).toBe(422)
    expect((await call('PUT', `${OPTIONS}/9`, { sort_order: 'x' })).status).toBe(422)
  })
})

describe('the variants of a product', () => {
  const variant = (sku: string, ...values: [option: string, label: string][]) => ({
    sku,
    option_values: values.map(([option_display_name, label]) => ({ option_display_name, label })),
  })
  const mugs = {
    variants: [
      variant('S-R', ['Size', 'S'], ['Colour', 'Red']),
      variant('S-B', ['Size', 'S'], ['Colour', 'Blue']),
      variant('L-R', ['Size', 'L'], ['Colour', 'Red']),
    ],
  }
  const shopWithVariants = async (more: object = {}) => {
    const shop = await openShop()
    await addProduct(shop, 'Mug', { sku: 'MUG', ...mugs, ...more })
    return shop
  }
  const skus = async ({ call }: Shop) =>
    (await call('GET', '/catalog/products/1/variants')).body.data.map(({ sku }: { sku: string }) => sku)
  const chosen = async ({ call }: Shop, id: number) =>
    (await call('GET', `/catalog/products/1/variants/${id}`)).body.data.option_values.map(
      ({ option_display_name, label }: Record<string, string>) => `${option_display_name} ${label}`,
    )

  test('create its options, of the type rectangles', async () => {
    const shop = await shopWithVariants()
    expect((await shop.call('GET', OPTIONS)).body.data).toMatchObject([
      {
        id: 1,
        display_name: 'Size',
        type: 'rectangles',
        sort_order: 0,
        option_values: [{ label: 'S' }, { label: 'L' }],
      },
      { id: 2, display_name: 'Colour', name: expect.stringMatching(/^Colour\d+-1$/), sort_order: 1 },
    ])
  })

  test('are not created by a new option or value', async () => {
    const shop = await shopWith(size)
    expect(await skus(shop)).toEqual([''])
    await shop.call('POST', VALUES, { label: 'Huge', sort_order: 2 })
    expect(await skus(shop)).toEqual([''])
    expect((await shop.call('GET', '/catalog/products/1')).body.data.base_variant_id).toBe(1)
  })

  test('have the current names of their values and options', async () => {
    const shop = await shopWithVariants()
    await shop.call('PUT', `${VALUES}/1`, { label: 'Small' })
    expect(await chosen(shop, 1)).toEqual(['Size Small', 'Colour Red'])
    await shop.call('PUT', `${OPTIONS}/2`, {
      display_name: 'Glaze',
      option_values: [
        { id: 3, label: 'Blue' },
        { id: 4, label: 'Red' },
      ],
    })
    expect(await chosen(shop, 1)).toEqual(['Size Small', 'Glaze Blue'])
    expect(await chosen(shop, 2)).toEqual(['Size Small', 'Glaze Red'])
    expect(await chosen(shop, 3)).toEqual(['Size L', 'Glaze Blue'])
  })

  test('go with their value, and no longer count for the stock', async () => {
    const shop = await shopWithVariants({
      inventory_tracking: 'variant',
      variants: mugs.variants.map((one, i) => ({ ...one, inventory_level: 10 ** i })),
    })
    const stock = async () => (await shop.call('GET', '/catalog/products/1')).body.data.inventory_level
    expect(await stock()).toBe(111)
    expect((await shop.call('DELETE', '/catalog/products/1/options/2/values/4')).status).toBe(204)
    expect(await skus(shop)).toEqual(['S-R', 'L-R'])
    expect(await stock()).toBe(101)
    await shop.call('PUT', `${OPTIONS}/1`, { option_values: [{ id: 2 }, { label: 'XL', sort_order: 4 }] })
    expect(await skus(shop)).toEqual(['L-R'])
    expect(await stock()).toBe(100)
    await shop.call('PUT', `${OPTIONS}/1`, { option_values: [{ id: 5 }] })
    expect(await skus(shop)).toEqual([])
    expect((await shop.call('GET', '/catalog/products/1')).body.data.base_variant_id).toBeNull()
  })

  test('go with their option, and the product is sold as its base variant', async () => {
    const shop = await shopWithVariants({
      inventory_tracking: 'variant',
      variants: mugs.variants.map((one) => ({ ...one, inventory_level: 5 })),
    })
    expect((await shop.call('DELETE', `${OPTIONS}/1`)).status).toBe(204)
    expect((await shop.call('GET', '/catalog/products/1/variants')).body.data).toMatchObject([
      { id: 4, sku: 'MUG', option_values: [], inventory_level: 0 },
    ])
    expect((await shop.call('GET', '/catalog/products/1')).body.data).toMatchObject({
      base_variant_id: 4,
      inventory_level: 0,
    })
    expect((await shop.call('DELETE', `${OPTIONS}/2`)).status).toBe(204)
    expect(await skus(shop)).toEqual(['MUG'])
    expect(await rowsOf(shop, 'option_values')).toEqual([])
    // The SKUs of deleted variants are free again.
    expect((await shop.call('PUT', '/catalog/products/1', { sku: 'S-R' })).status).toBe(200)
  })
})

describe('hooks receive', () => {
  const heard = async (shop: Shop, work: () => Promise<unknown>) => {
    const before = (await rowsOf(shop, 'events')).length
    await work()
    return (await rowsOf(shop, 'events')).slice(before).map(({ scope, data }) => [scope, JSON.parse(String(data))])
  }
  const news = (id: number) => [
    ['store/option/updated', { type: 'local_option', id, affected_product_ids: [1], context: {} }],
    ['store/product/updated', { type: 'product', id: 1 }],
  ]

  test.each<[string, string, string, object | undefined]>([
    ['a new option', 'POST', OPTIONS, { ...size, display_name: 'B' }],
    ['a changed one', 'PUT', `${OPTIONS}/1`, { sort_order: 7 }],
    ['a changed list', 'PUT', `${OPTIONS}/1`, { option_values: [{ id: 1 }] }],
    ['a new value', 'POST', VALUES, { label: 'XL', sort_order: 3 }],
    ['a changed one', 'PUT', `${VALUES}/1`, { label: 'XS' }],
    ['one that goes', 'DELETE', `${VALUES}/1`, undefined],
    ['an option that goes', 'DELETE', `${OPTIONS}/1`, undefined],
  ])('%s (%s %s) once', async (_, method, path, body) => {
    const shop = await shopWith(size)
    const { clock } = await theHouse()
    clock.move(5_000)
    expect(await heard(shop, () => shop.call(method, path, body))).toEqual(
      news(method === 'POST' && path === OPTIONS ? 2 : 1),
    )
    const { date_created, date_modified } = (await shop.call('GET', '/catalog/products/1')).body.data
    expect(Date.parse(date_modified)).toBeGreaterThan(Date.parse(date_created))
  })

  test('nothing if nothing changes, and nothing of a refusal', async () => {
    const shop = await shopWith({ ...size, config: { x: 1 }, image_url: 'https://a.example/' }, colour)
    const whole = (await shop.call('GET', `${OPTIONS}/1`)).body.data
    const before = await rowsOf(shop, 'products')
    expect(
      await heard(shop, async () => {
        for (const body of [
          {},
          whole,
          { config: [] },
          { display_name: 'Size' },
          { option_values: [{ id: 1 }, { id: 2 }] },
        ]) {
          expect((await shop.call('PUT', `${OPTIONS}/1`, body)).body.data).toEqual(whole)
        }
        expect((await shop.call('PUT', `${VALUES}/2`, whole.option_values[1])).status).toBe(200)
        expect((await shop.call('PUT', `${VALUES}/2`, {})).status).toBe(200)
        expect((await shop.call('PUT', `${VALUES}/2`, { value_data: { colors: ['#000'] } })).status).toBe(200)
        expect((await shop.call('POST', OPTIONS, size)).status).toBe(409)
        expect((await shop.call('DELETE', '/catalog/products/1/options/2/values/3')).status).toBe(409)
      }),
    ).toEqual([])
    expect(await rowsOf(shop, 'products')).toEqual(before)
  })

  test('the product only when it is deleted with its options', async () => {
    const shop = await shopWith(size, colour)
    expect(await heard(shop, () => shop.call('DELETE', '/catalog/products/1'))).toEqual([
      ['store/product/deleted', { type: 'product', id: 1 }],
    ])
    expect(await rowsOf(shop, 'options')).toEqual([])
    expect(await rowsOf(shop, 'option_values')).toEqual([])
  })
})

describe('concurrent requests', () => {
  // C-019.
  test('create ten of the last ten values, with 50 requests', async () => {
    const option_values = Array.from({ length: 240 }, (_, i) => ({ label: `V${i}`, sort_order: i }))
    const shop = await shopWith({ ...size, option_values })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => shop.call('POST', VALUES, { label: `New ${i}`, sort_order: i })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.filter((status) => status === 403)).toHaveLength(40)
    expect(await rowsOf(shop, 'option_values')).toHaveLength(250)
  })

  test('create one of 20 equal values, and one of 20 equal options', async () => {
    const shop = await shopWith(size)
    const twenty = (path: string, body: object) =>
      Promise.all(Array.from({ length: 20 }, () => shop.call('POST', path, body)))
    const made = (await twenty(VALUES, { label: 'XL', sort_order: 3 })).map(({ status }) => status).sort()
    expect(made).toEqual([200, ...Array(19).fill(422)])
    const options = (await twenty(OPTIONS, colour)).map(({ status }) => status).sort()
    expect(options).toEqual([200, ...Array(19).fill(409)])
  })

  test('leave the default flag at one value', async () => {
    const shop = await shopWith(size)
    await Promise.all([1, 2, 1, 2, 1, 2].map((id) => shop.call('PUT', `${VALUES}/${id}`, { is_default: true })))
    const defaults = (await rowsOf(shop, 'option_values')).filter(({ is_default }) => is_default)
    expect(defaults).toHaveLength(1)
  })

  test.each([
    ['a product', '/catalog/products/1'],
    ['an option', `${OPTIONS}/1`],
  ])('leave no value behind when %s is deleted while values are created (C-012)', async (_, path) => {
    for (let round = 0; round < sized(1_000, 10); round++) {
      const shop = await shopWith(size)
      const sent = (i: number) =>
        i === 3
          ? shop.call('DELETE', path)
          : i % 2 === 0
            ? shop.call('POST', VALUES, { label: `New ${i}`, sort_order: i })
            : shop.call('POST', OPTIONS, { ...size, display_name: `Size ${i}` })
      const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => sent(i)))
      for (const { status } of answers) expect([200, 204, 404]).toContain(status)
      const options = new Set((await rowsOf(shop, 'options')).map(({ id }) => id))
      const products = new Set((await rowsOf(shop, 'products')).map(({ id }) => id))
      for (const { product_id } of await rowsOf(shop, 'options')) expect(products).toContain(product_id)
      for (const { option_id } of await rowsOf(shop, 'option_values')) expect(options).toContain(option_id)
    }
  })
})
