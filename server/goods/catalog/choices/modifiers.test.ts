import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { invalid, problem } from '../../../test/document/expected.ts'
import { form, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/options.md section 4: modifiers, their values, adjusters and pictures. Modifiers and options share the code
// of values, their order, their limit and their races, which options.test.ts tests.

const MODIFIERS = '/catalog/products/1/modifiers'
const VALUES = `${MODIFIERS}/1/values`

const none = { price: null, weight: null, image_url: '', purchasing_disabled: { status: false, message: '' } }
const engraving = {
  display_name: 'Engraving',
  type: 'dropdown',
  required: false,
  option_values: [
    { label: 'None', sort_order: 0, is_default: true },
    { label: 'Gold', sort_order: 1, adjusters: { price: { adjuster: 'relative', adjuster_value: 5 } } },
  ],
}
const name = { display_name: 'Your name', type: 'text', required: true }
const donation = { display_name: 'Add a $5 Donation', type: 'checkbox', required: false }

async function addProduct({ call }: Shop, title: string): Promise<number> {
  const { status, body, text } = await call('POST', '/catalog/products', {
    name: title,
    type: 'physical',
    weight: 1,
    price: 10,
  })
  expect(status, text).toBe(200)
  return body.data.id
}

/** A shop with the product 1 and these modifiers. */
async function shopWith(...modifiers: object[]): Promise<Shop> {
  const shop = await openShop()
  await addProduct(shop, 'Mug')
  for (const modifier of modifiers) {
    const { status, text } = await shop.call('POST', MODIFIERS, modifier)
    expect(status, text).toBe(200)
  }
  return shop
}

describe('a new modifier', () => {
  test('is answered as a whole, if the body is one modifier and no list', async () => {
    const { call } = await shopWith()
    const { status, body } = await call('POST', MODIFIERS, engraving)
    const data = {
      id: 1,
      product_id: 1,
      name: body.data.name,
      display_name: 'Engraving',
      type: 'dropdown',
      required: false,
      sort_order: 0,
      config: [],
      option_values: [
        { id: 1, option_id: 1, label: 'None', sort_order: 0, value_data: null, is_default: true, adjusters: none },
        {
          id: 2,
          option_id: 1,
          label: 'Gold',
          sort_order: 1,
          value_data: null,
          is_default: false,
          adjusters: { ...none, price: { adjuster: 'relative', adjuster_value: 5 } },
        },
      ],
    }
    expect({ status, body }).toEqual({ status: 200, body: { data, meta: {} } })
    expect(data.name).toMatch(/^Engraving\d{10}-1$/)
    expect((await call('GET', `${MODIFIERS}/1`)).body).toEqual({ data, meta: {} })
    expect((await call('GET', MODIFIERS)).body).toMatchObject({ data: [data], meta: { pagination: { total: 1 } } })
    expect((await call('PUT', `${MODIFIERS}/1`, data)).body).toEqual({ data, meta: {} })
  })

  test.each<[string, object, object]>([
    [
      'date',
      {
        default_value: 'x',
        date_limited: true,
        date_limit_mode: 'range',
        date_earliest_value: '2018-08-31T07:00:00+02:00',
        date_latest_value: '2018-09-30',
      },
      {
        default_value: 'x',
        date_limited: true,
        date_limit_mode: 'range',
        date_earliest_value: '2018-08-31T05:00:00Z',
        date_latest_value: '2018-09-30T00:00:00Z',
      },
    ],
    [
      'file',
      { file_types_mode: 'specific', file_types_supported: ['images'], file_types_other: ['pdf'], file_max_size: 5 },
      { file_types_mode: 'specific', file_types_supported: ['images'], file_types_other: ['pdf'], file_max_size: 5 },
    ],
    [
      'text',
      {
        default_value: 'Ada',
        text_characters_limited: true,
        text_min_length: 1,
        text_max_length: 9,
        text_max_lines: 3,
      },
      { default_value: 'Ada', text_characters_limited: true, text_min_length: 1, text_max_length: 9 },
    ],
    [
      'multi_line_text',
      { text_lines_limited: true, text_max_lines: 3 },
      { text_lines_limited: true, text_max_lines: 3 },
    ],
    [
      'numbers_only_text',
      { number_limited: true, number_limit_mode: 'lowest', number_lowest_value: -1.25, number_integers_only: false },
      { number_limited: true, number_limit_mode: 'lowest', number_lowest_value: -1.25, number_integers_only: false },
    ],
  ])('of the type %s has a configuration and no values', async (type, config, kept) => {
    const { call } = await shopWith({ ...name, type, config })
    expect((await call('GET', `${MODIFIERS}/1`)).body.data).toMatchObject({ type, config: kept, option_values: [] })
    const sentence = `The type ${type} has no values.`
    expect((await call('POST', VALUES, { label: 'A', sort_order: 0 })).body).toEqual(invalid({ '': sentence }))
    const list = { option_values: [{ label: 'A', sort_order: 0 }] }
    expect((await call('PUT', `${MODIFIERS}/1`, list)).body).toEqual(invalid({ option_values: sentence }))
    expect((await call('POST', MODIFIERS, { ...name, ...list, display_name: 'B', type })).body).toEqual(
      invalid({ option_values: sentence }),
    )
    expect(await call('PUT', `${MODIFIERS}/1`, { option_values: [] })).toMatchObject({ status: 200 })
  })

  test('of the type checkbox has the values Yes and No by default', async () => {
    const { call } = await shopWith({ ...donation, config: { checked_by_default: true, checkbox_label: 'Give' } })
    const value = (id: number, label: string, checked_value: boolean) => ({
      id,
      option_id: 1,
      label,
      sort_order: id - 1,
      value_data: { checked_value },
      is_default: checked_value,
      adjusters: none,
    })
    expect((await call('GET', `${MODIFIERS}/1`)).body.data).toMatchObject({
      name: expect.stringMatching(/^Add-a-\$5-Donation\d{10}-1$/),
      config: { checked_by_default: true, checkbox_label: 'Give' },
      option_values: [value(1, 'Yes', true), value(2, 'No', false)],
    })
  })

  test('may have no values yet', async () => {
    const { call } = await shopWith({ ...engraving, option_values: undefined })
    expect((await call('GET', `${MODIFIERS}/1`)).body.data.option_values).toEqual([])
    expect((await call('POST', VALUES, { label: 'A', sort_order: 0 })).status).toBe(200)
    expect((await call('DELETE', `${VALUES}/1`)).status).toBe(204)
    expect((await call('PUT', `${MODIFIERS}/1`, { option_values: [{ label: 'B', sort_order: 0 }] })).status).toBe(200)
    expect((await call('PUT', `${MODIFIERS}/1`, { option_values: [] })).body.data.option_values).toEqual([])
  })

  test('has the values of its list in the order of the list, if they have no sort_order', async () => {
    const [none, gold] = [{ label: 'None' }, { label: 'Gold', is_default: true }]
    const { call } = await shopWith({ ...engraving, option_values: [none, gold] })
    const placed = [
      { id: 1, ...none, sort_order: 0 },
      { id: 2, ...gold, sort_order: 1 },
    ]
    expect((await call('GET', VALUES)).body.data).toMatchObject(placed)
    const option_values = [{ label: 'Silver' }, gold, { label: 'Bronze' }, none]
    expect((await call('PUT', `${MODIFIERS}/1`, { option_values })).body.data.option_values).toMatchObject([
      { id: 1, sort_order: 0 },
      { id: 3, label: 'Silver', sort_order: 0 },
      { id: 2, sort_order: 1 },
      { id: 4, label: 'Bronze', sort_order: 2 },
    ])
    expect((await call('POST', VALUES, { label: 'A' })).body).toEqual(invalid({ sort_order: 'error.path.missing' }))
    expect((await call('POST', MODIFIERS, { ...engraving, display_name: 'B', option_values: [{}] })).body).toEqual(
      invalid({ 'option_values.0.label': 'error.path.missing' }),
    )
  })

  test('may have the name of an option, but not of another modifier', async () => {
    const { call } = await shopWith(engraving)
    const option = { display_name: 'Engraving', type: 'dropdown', option_values: [{ label: 'A', sort_order: 0 }] }
    expect((await call('POST', '/catalog/products/1/options', option)).status).toBe(200)
    const sentence = 'This product already has a modifier with this display_name.'
    expect(await call('POST', MODIFIERS, { ...name, display_name: 'ENGRAVING' })).toMatchObject({
      status: 409,
      body: problem(409, sentence, { display_name: sentence }),
    })
  })

  test.each<[string, object, object]>([
    ['nothing', {}, { display_name: 'error.path.missing', type: 'error.path.missing', required: 'error.path.missing' }],
    ['an unknown type', { ...name, type: 'colour' }, { type: expect.stringContaining('one of date, checkbox') }],
    ['a text for required', { ...name, required: 'yes' }, { required: 'error.expected.jsboolean' }],
    [
      'wrong kinds in its configuration',
      { ...name, config: { text_min_length: '1', date_limit_mode: 'never', date_latest_value: 'soon' } },
      {
        'config.text_min_length': 'error.expected.jsnumber',
        'config.date_limit_mode': expect.stringContaining('one of earliest, range, latest'),
        'config.date_latest_value': expect.stringContaining('date-time'),
      },
    ],
    [
      'a checkbox that is never checked',
      { ...donation, option_values: [{ label: 'No', sort_order: 0, value_data: { checked_value: false } }] },
      {
        'option_values.0.value_data.checked_value': 'A checkbox needs exactly one checked value.',
      },
    ],
  ])('with %s is refused', async (_, body, errors) => {
    const shop = await shopWith()
    expect(await shop.call('POST', MODIFIERS, body)).toMatchObject({ status: 422, body: invalid(errors) })
    expect(await rowsOf(shop, 'modifiers')).toEqual([])
  })
})

describe('a changed modifier', () => {
  test('keeps its type, and fields that the change leaves out', async () => {
    const { call } = await shopWith({ ...name, config: { text_min_length: 1, default_value: 'Ada' } })
    const before = (await call('GET', `${MODIFIERS}/1`)).body.data
    const { body } = await call('PUT', `${MODIFIERS}/1`, { required: false, config: { text_min_length: 2 } })
    expect(body.data).toEqual({ ...before, required: false, config: { text_min_length: 2, default_value: 'Ada' } })
    const configOf = async (config: object) => (await call('PUT', `${MODIFIERS}/1`, { config })).body.data.config
    expect(await configOf({ text_min_length: null })).toEqual({ default_value: 'Ada' })
    expect(await configOf({ default_value: null, text_max_length: null })).toEqual([])
    expect((await call('GET', MODIFIERS)).body.data).toMatchObject([{ config: [] }])
    expect((await call('PUT', `${MODIFIERS}/1`, { type: 'multi_line_text' })).body).toEqual(
      invalid({ type: 'The type of this modifier is text and cannot change.' }),
    )
  })

  test('of the type checkbox keeps exactly one checked value', async () => {
    const { call } = await shopWith(donation)
    const exactly = 'A checkbox needs exactly one checked value.'
    const checked = (checked_value: unknown) => ({ value_data: { checked_value } })
    expect((await call('POST', VALUES, { label: 'A', sort_order: 2, ...checked(true) })).body.errors).toEqual({
      'value_data.checked_value': exactly,
    })
    expect((await call('PUT', `${VALUES}/1`, checked(false))).body.errors).toEqual({
      'value_data.checked_value': exactly,
    })
    expect((await call('PUT', `${VALUES}/1`, checked('yes'))).body.errors).toEqual({
      'value_data.checked_value': 'error.expected.jsboolean',
    })
    expect((await call('PUT', `${MODIFIERS}/1`, { option_values: [] })).body.errors).toEqual({ option_values: exactly })
    expect((await call('DELETE', `${VALUES}/1`)).body).toEqual(
      problem(409, 'The checked value of a checkbox cannot be deleted.'),
    )
    const list = [
      { id: 1, label: 'No', ...checked(false) },
      { id: 2, label: 'Yes', ...checked(true) },
    ]
    expect((await call('PUT', `${MODIFIERS}/1`, { option_values: list })).body.data.option_values).toMatchObject(list)
    expect((await call('DELETE', `${VALUES}/1`)).status).toBe(204)
  })
})

describe('a value of a modifier', () => {
  test('is answered as a whole, with amounts of four decimal places', async () => {
    const { call } = await shopWith(engraving)
    const { status, body } = await call('POST', VALUES, {
      id: 77,
      option_id: 9,
      label: 'Silver',
      sort_order: 2,
      adjusters: {
        price: { adjuster: 'percentage', adjuster_value: '-2.50005' },
        weight: { adjuster: null, adjuster_value: null },
        purchasing_disabled: { status: true, message: 'Sold out' },
        image_url: 'https://cdn.example.com/silver.png',
        colour: 'grey',
      },
    })
    const data = {
      id: 3,
      option_id: 1,
      label: 'Silver',
      sort_order: 2,
      value_data: null,
      is_default: false,
      adjusters: {
        price: { adjuster: 'percentage', adjuster_value: -2.5001 },
        weight: null,
        image_url: 'https://cdn.example.com/silver.png',
        purchasing_disabled: { status: true, message: 'Sold out' },
      },
    }
    expect({ status, body }).toEqual({ status: 200, body: { data, meta: {} } })
    expect((await call('GET', `${VALUES}/3`)).body).toEqual({ data, meta: {} })
    expect((await call('PUT', `${VALUES}/3`, data)).body).toEqual({ data, meta: {} })
    expect((await call('GET', `${VALUES}?include_fields=adjusters&limit=1&page=3`)).body.data).toEqual([
      { id: 3, adjusters: data.adjusters },
    ])
    const changed = { ...data.adjusters, price: null, weight: { adjuster: 'relative', adjuster_value: 0.5 } }
    const changes = { adjusters: { price: null, weight: { adjuster: 'relative', adjuster_value: 0.5 } } }
    expect((await call('PUT', `${VALUES}/3`, changes)).body.data).toEqual({ ...data, adjusters: changed })
  })

  test.each<[string, object, object]>([
    [
      'an unknown kind',
      { price: { adjuster: 'double', adjuster_value: 1 } },
      { 'adjusters.price.adjuster': expect.stringContaining('one of relative, percentage') },
    ],
    ['no kind', { price: { adjuster_value: 1 } }, { 'adjusters.price.adjuster': 'error.path.missing' }],
    ['no value', { weight: { adjuster: 'relative' } }, { 'adjusters.weight.adjuster_value': 'error.path.missing' }],
    [
      'a text for a value',
      { weight: { adjuster: 'relative', adjuster_value: 'much' } },
      { 'adjusters.weight.adjuster_value': 'error.expected.jsnumber' },
    ],
    [
      'too large a value',
      { price: { adjuster: 'relative', adjuster_value: 100_000_000_000 } },
      { 'adjusters.price.adjuster_value': expect.stringContaining('at most 99999999999') },
    ],
    ['an address that is relative', { image_url: 'x.png' }, { 'adjusters.image_url': expect.any(String) }],
    [
      'a text for a status',
      { purchasing_disabled: { status: 'no' } },
      { 'adjusters.purchasing_disabled.status': 'error.expected.jsboolean' },
    ],
  ])('with %s is refused', async (_, adjusters, errors) => {
    const { call } = await shopWith(engraving)
    const sent = [
      await call('POST', VALUES, { label: 'A', sort_order: 0, adjusters }),
      await call('PUT', `${VALUES}/1`, { adjusters }),
    ]
    for (const { status, body } of sent) expect({ status, body }).toEqual({ status: 422, body: invalid(errors) })
  })

  test('is one of at most 250', async () => {
    const option_values = Array.from({ length: 250 }, (_, i) => ({ label: `V${i}`, sort_order: i }))
    const { call } = await shopWith({ ...engraving, option_values })
    expect(await call('POST', VALUES, { label: 'More', sort_order: 0 })).toMatchObject({
      status: 403,
      body: problem(403, 'Each modifier can have at most 250 values.'),
    })
  })
})

describe('an unknown path', () => {
  test.each<[method: string, path: string, body?: object]>([
    ['GET', '/catalog/products/9/modifiers'],
    ['POST', '/catalog/products/9/modifiers', name],
    ['GET', '/catalog/products/2/modifiers/1'],
    ['PUT', '/catalog/products/2/modifiers/1', { required: true }],
    ['DELETE', '/catalog/products/2/modifiers/1'],
    ['GET', '/catalog/products/2/modifiers/1/values'],
    ['POST', '/catalog/products/2/modifiers/1/values', { label: 'A', sort_order: 0 }],
    ['GET', '/catalog/products/2/modifiers/1/values/1'],
    ['GET', `${MODIFIERS}/2/values/1`],
    ['PUT', `${MODIFIERS}/2/values/1`, { sort_order: 1 }],
    ['DELETE', `${MODIFIERS}/2/values/1`],
    ['GET', '/catalog/products/1/options/1'],
  ])('%s %s is 404', async (method, path, body) => {
    const shop = await shopWith(engraving, { ...engraving, display_name: 'B' })
    await addProduct(shop, 'Other')
    expect((await shop.call(method, path, body)).status).toBe(404)
    expect(await rowsOf(shop, 'modifier_values')).toHaveLength(4)
  })
})

describe('the picture of a value', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const upload = ({ call }: Shop, path = `${VALUES}/2/image`, bytes: Buffer = PNG) =>
    call('POST', path, undefined, form('image_file', 'a.png', bytes))
  const stored = async ({ store }: Shop) => {
    const { files } = await theHouse()
    return readdir(join(files.folder, store.hash)).catch(() => [])
  }

  test('is stored, shown with its adjusters and served', async () => {
    const shop = await shopWith(engraving)
    const { status, body } = await upload(shop)
    const { image_url } = body.data
    expect({ status, body }).toEqual({ status: 200, body: { data: { image_url }, meta: {} } })
    expect(image_url).toMatch(new RegExp(`^http://shop.test/files/${shop.store.hash}/[\\w-]+\\.png$`))
    expect((await shop.call('GET', `${VALUES}/2`)).body.data.adjusters).toEqual({
      ...none,
      price: { adjuster: 'relative', adjuster_value: 5 },
      image_url,
    })
    const { server } = await theHouse()
    expect((await server.inject({ url: new URL(image_url).pathname })).rawPayload).toEqual(PNG)
  })

  test('replaces the former one, and goes with its value or for another address', async () => {
    const shop = await shopWith(engraving, { ...engraving, display_name: 'B' })
    await upload(shop)
    await upload(shop)
    expect(await stored(shop)).toHaveLength(1)
    await shop.call('PUT', `${VALUES}/2`, { label: 'Silver', adjusters: { price: null } })
    expect(await stored(shop)).toHaveLength(1)
    await shop.call('PUT', `${VALUES}/2`, { adjusters: { image_url: 'https://cdn.example.com/x.png' } })
    expect(await stored(shop)).toEqual([])

    await upload(shop)
    await shop.call('PUT', `${MODIFIERS}/1`, { option_values: [{ id: 2, adjusters: { image_url: '' } }] })
    expect(await stored(shop)).toEqual([])
    await upload(shop)
    await shop.call('DELETE', `${VALUES}/2`)
    expect(await stored(shop)).toEqual([])

    await upload(shop, `${MODIFIERS}/2/values/3/image`)
    await upload(shop, `${MODIFIERS}/2/values/4/image`)
    await shop.call('PUT', `${MODIFIERS}/2`, { option_values: [{ id: 3 }] })
    expect(await stored(shop)).toHaveLength(1)
    await shop.call('DELETE', `${MODIFIERS}/2`)
    expect(await stored(shop)).toEqual([])
  })

  test('goes with the product', async () => {
    const shop = await shopWith(engraving)
    await upload(shop)
    await shop.call('DELETE', '/catalog/products/1')
    expect(await stored(shop)).toEqual([])
    expect(await rowsOf(shop, 'files')).toEqual([])
    expect(await rowsOf(shop, 'modifiers')).toEqual([])
    expect(await rowsOf(shop, 'modifier_values')).toEqual([])
  })

  test('is refused for an unknown value, and for a file that is no picture', async () => {
    const shop = await shopWith(engraving, { ...engraving, display_name: 'B' })
    await addProduct(shop, 'Other')
    for (const path of [
      `${VALUES}/9/image`,
      `${MODIFIERS}/2/values/1/image`,
      '/catalog/products/2/modifiers/1/values/1/image',
    ]) {
      expect((await upload(shop, path)).status).toBe(404)
    }
    expect((await upload(shop, undefined, Buffer.from('<svg/>'))).body.errors).toEqual({
      image_file: 'The file must be a JPEG, PNG, GIF or ICO picture.',
    })
    const large = Buffer.concat([PNG, Buffer.alloc(8 * 1024 * 1024)])
    expect((await upload(shop, undefined, large)).status).toBe(413)
    expect((await shop.call('POST', `${VALUES}/2/image`, { image_file: 'x' })).status).toBe(415)
    expect(await stored(shop)).toEqual([])
  })
})

describe('hooks receive', () => {
  const heard = async (shop: Shop, work: () => Promise<unknown>) => {
    const before = (await rowsOf(shop, 'events')).length
    await work()
    return (await rowsOf(shop, 'events')).slice(before).map(({ scope, data }) => [scope, JSON.parse(String(data))])
  }
  const news = [
    ['store/modifier/updated', { type: 'shared_modifier', id: 1, affected_product_ids: [1], context: {} }],
    ['store/product/updated', { type: 'product', id: 1 }],
  ]

  test.each<[string, string, object | undefined]>([
    ['PUT', `${MODIFIERS}/1`, { required: true }],
    ['POST', VALUES, { label: 'XL', sort_order: 3 }],
    ['PUT', `${VALUES}/1`, { adjusters: { weight: { adjuster: 'relative', adjuster_value: 1 } } }],
    ['DELETE', `${VALUES}/1`, undefined],
    ['DELETE', `${MODIFIERS}/1`, undefined],
  ])('%s %s once', async (method, path, body) => {
    const shop = await shopWith(engraving)
    expect(await heard(shop, () => shop.call(method, path, body))).toEqual(news)
  })

  test('a new modifier, also one without values', async () => {
    const shop = await shopWith()
    expect(await heard(shop, () => shop.call('POST', MODIFIERS, name))).toEqual(news)
  })

  test('a picture', async () => {
    const shop = await shopWith(engraving)
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    expect(
      await heard(shop, () => shop.call('POST', `${VALUES}/1/image`, undefined, form('image_file', 'a.png', png))),
    ).toEqual(news)
  })

  test('nothing if nothing changes', async () => {
    const config = { text_min_length: 1, text_max_length: 5, default_value: 'x', text_characters_limited: true }
    const shop = await shopWith(engraving, { ...name, config })
    expect(
      await heard(shop, async () => {
        for (const id of [1, 2]) {
          const whole = (await shop.call('GET', `${MODIFIERS}/${id}`)).body.data
          expect((await shop.call('PUT', `${MODIFIERS}/${id}`, whole)).body.data).toEqual(whole)
        }
        const value = (await shop.call('GET', `${VALUES}/2`)).body.data
        expect((await shop.call('PUT', `${VALUES}/2`, value)).body.data).toEqual(value)
        expect((await shop.call('PUT', `${MODIFIERS}/2`, { config })).body.data.config).toEqual(config)
      }),
    ).toEqual([])
  })
})

describe('the modifiers of several products', () => {
  test('are included', async () => {
    const shop = await shopWith({ ...engraving, sort_order: 3 }, name)
    await addProduct(shop, 'Plain')
    await addProduct(shop, 'Cup')
    await shop.call('POST', '/catalog/products/3/modifiers', donation)
    const { body } = await shop.call('GET', '/catalog/products?include=modifiers&include_fields=id')
    const of = async (id: number) => (await shop.call('GET', `/catalog/products/${id}/modifiers`)).body.data
    expect(body.data).toEqual([
      { id: 1, modifiers: await of(1) },
      { id: 2, modifiers: [] },
      { id: 3, modifiers: await of(3) },
    ])
    expect(body.data[0].modifiers.map(({ id }: { id: number }) => id)).toEqual([1, 2])
  })
})

describe('a complex rule', () => {
  const rule = (modifier_id: number, modifier_value_id: number) => ({
    price_adjuster: { adjuster: 'relative', adjuster_value: 1 },
    conditions: [{ modifier_id, modifier_value_id }],
  })

  test('goes with the modifier or value of its condition', async () => {
    const { call } = await shopWith(engraving, { ...engraving, display_name: 'B' })
    for (const [modifier, value] of [
      [1, 1],
      [1, 2],
      [2, 3],
    ] as const) {
      const { status, text } = await call('POST', '/catalog/products/1/complex-rules', rule(modifier, value))
      expect(status, text).toBe(200)
    }
    const left = async () =>
      (await call('GET', '/catalog/products/1/complex-rules')).body.data.map(({ id }: { id: number }) => id)
    await call('DELETE', `${VALUES}/2`)
    expect(await left()).toEqual([1, 3])
    await call('DELETE', `${MODIFIERS}/2`)
    expect(await left()).toEqual([1])
  })
})
