import { beforeEach, describe, expect, test } from 'vitest'
import { STEP_ROWS } from '../../core/db/steps.ts'
import { invalid, onlyPage } from '../../test/document/expected.ts'
import { copyCustomer } from '../../test/fixtures/many/customers.ts'
import { openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'

// docs/contract/form-fields.md

const FIELDS = '/settings/form-fields'
const VALUES = '/customers/form-field-values'
const blank = { required: false, options: [] }
const colours = ['Red', 'Green', 'Blue']

let shop: Shop
let call: Shop['call']
beforeEach(async () => {
  shop = await openShop()
  call = shop.call
})

describe('the form fields of a store', () => {
  const nick = { name: 'Nickname', label: 'Nickname', type: 'text', ...blank }
  const note = { name: 'Note', label: 'For the driver', type: 'multiline', required: true, options: [] }

  test('are none at first, and are replaced list by list, in their order', async () => {
    expect((await call('GET', FIELDS)).body).toEqual({ data: { customer: [], address: [] }, meta: {} })
    const colour = { name: 'Colour', label: 'Colour', type: 'picklist', required: false, options: colours }
    const both = {
      customer: [
        { name: 'Nickname', type: 'text' },
        { name: 'Colour', type: 'picklist', options: colours },
      ],
      address: [note],
    }
    expect((await call('PUT', FIELDS, both)).body).toEqual({
      data: { customer: [nick, colour], address: [note] },
      meta: {},
    })
    const fewer = { ...colour, options: ['Red'], label: 'Which?' }
    expect((await call('PUT', FIELDS, { customer: [fewer, nick] })).body.data).toEqual({
      customer: [fewer, nick],
      address: [note],
    })
    expect((await call('PUT', FIELDS, { address: [nick] })).body.data.address).toEqual([nick])
    expect((await call('PUT', FIELDS, {})).body).toEqual((await call('GET', FIELDS)).body)
    expect((await call('PUT', FIELDS, { customer: [], address: [] })).body.data).toEqual({ customer: [], address: [] })
  })

  test('have each type, and options where it needs them', async () => {
    const types = ['checkboxes', 'date', 'multiline', 'numbers', 'password', 'radiobuttons', 'text', 'picklist']
    const choices = ['checkboxes', 'radiobuttons', 'picklist']
    const customer = types.map((type) => ({ name: type, type, ...(choices.includes(type) ? { options: ['A'] } : {}) }))
    expect((await call('PUT', FIELDS, { customer })).status).toBe(200)
    const refused = async (field: object) => (await call('PUT', FIELDS, { address: [field] })).body.errors
    for (const type of types) {
      const errors = { 'address.0.options': expect.any(String) }
      const options = choices.includes(type) ? [] : ['A']
      expect(await refused({ name: type, type, options })).toEqual(errors)
    }
    const path = (part: string) => ({ [`address.0.${part}`]: expect.any(String) })
    expect(await refused({ name: 'N', type: 'file' })).toEqual(path('type'))
    expect(await refused({ type: 'text' })).toEqual(path('name'))
    for (const name of ['', ' ', 'x'.repeat(256)]) expect(await refused({ name, type: 'text' })).toEqual(path('name'))
    expect(await refused({ name: 'N', type: 'text', label: 'x'.repeat(256) })).toEqual(path('label'))
    expect(await refused({ name: 'N', type: 'text', required: 'yes' })).toEqual(path('required'))
    expect(await refused({ name: 'N', type: 'picklist', options: ['A', 'A'] })).toEqual(path('options.1'))
    const hundred = Array.from({ length: 100 }, (_, i) => `${i}`)
    expect(await refused({ name: 'N', type: 'picklist', options: [...hundred, 'x'] })).toEqual(path('options'))
    const field = { name: 'x'.repeat(255), type: 'picklist', options: hundred }
    expect((await call('PUT', FIELDS, { address: [field] })).status).toBe(200)
  })

  test('are at most 50 in a list, each with a name of its own and a type that stays', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `F${i}`, type: 'text' }))
    const errorsOf = async (body: object) => (await call('PUT', FIELDS, body)).body.errors
    expect(await errorsOf({ customer: many(51) })).toEqual({ customer: expect.any(String) })
    expect((await call('PUT', FIELDS, { customer: many(50), address: many(50) })).status).toBe(200)
    expect(await errorsOf({ customer: [...many(2), ...many(1)] })).toEqual({ 'customer.2.name': expect.any(String) })
    expect(await errorsOf({ customer: [{ name: 'F1', type: 'date' }] })).toEqual({
      'customer.0.type': 'The type of F1 stays text.',
    })
    // Names are matched exactly.
    expect((await call('PUT', FIELDS, { customer: [{ name: 'f1', type: 'date' }, ...many(2)] })).status).toBe(200)
    expect((await call('GET', FIELDS)).body.data.address).toHaveLength(50)
  })
})

describe('values of form fields', () => {
  const of = (customer_id: number, name: string, value: unknown) => ({ name, value, customer_id })
  const at = (address_id: number, name: string, value: unknown) => ({ name, value, address_id })
  const list = async (query = '') => (await call('GET', `${VALUES}${query}`)).body
  const events = async () =>
    (await rowsOf(shop, 'events')).map(({ scope, data }) => [scope, JSON.parse(String(data)).id])

  beforeEach(async () => {
    await call('PUT', FIELDS, {
      customer: [
        { name: 'Hobbies', type: 'checkboxes', options: ['Chess', 'Rowing'] },
        { name: 'Born', type: 'date' },
        { name: 'Story', type: 'multiline', required: true },
        { name: 'Age', type: 'numbers' },
        { name: 'Secret', type: 'password' },
        { name: 'Mood', type: 'radiobuttons', options: ['Good', 'Bad'] },
        { name: 'Nickname', type: 'text' },
        { name: 'Colour', type: 'picklist', options: colours },
      ],
      address: [
        { name: 'Note', type: 'text' },
        { name: 'Nickname', type: 'text' },
      ],
    })
    await call('POST', '/customers', [
      { email: 'a@x.test', first_name: 'A', last_name: 'B' },
      { email: 'b@x.test', first_name: 'A', last_name: 'B' },
    ])
    const address = { first_name: 'A', last_name: 'B', address1: 'C', city: 'D', country_code: 'DK' }
    await call('POST', '/customers/addresses', [
      { ...address, customer_id: 1, state_or_province: '', postal_code: '1' },
      { ...address, customer_id: 2, state_or_province: '', postal_code: '1' },
    ])
  })

  test('are set, listed, set again, and told of as changes of their owners', async () => {
    const before = (await events()).length
    const sent = [
      of(1, 'Hobbies', ['Rowing', 'Chess']),
      at(1, 'Note', 'Ring'),
      of(2, 'Age', 41.5),
      of(1, 'Secret', 's3cret'),
    ]
    const stored = [...sent.slice(0, 3), of(1, 'Secret', '')]
    expect((await call('PUT', VALUES, sent)).body).toEqual({ data: stored, meta: {} })
    const { data, meta } = await list()
    expect(data).toEqual(stored)
    expect(meta.pagination).toEqual(onlyPage(4))
    expect(meta.cursor_pagination).toMatchObject({ count: 4, per_page: 50 })
    const published = [
      ['store/customer/updated', 1],
      ['store/customer/updated', 2],
      ['store/customer/address/updated', 1],
    ]
    expect((await events()).slice(before)).toEqual(published)
    // The last of two counts; what stays the same is not told.
    const again = [of(1, 'Hobbies', []), of(2, 'Age', 41.5), of(1, 'Hobbies', ['Chess'])]
    expect((await call('PUT', VALUES, again)).body.data).toEqual([again[1], again[2]])
    expect((await events()).slice(before + 3)).toEqual([['store/customer/updated', 1]])
    expect((await list('?customer_id=1')).data).toEqual([of(1, 'Hobbies', ['Chess']), of(1, 'Secret', '')])
    expect(JSON.stringify(await rowsOf(shop, 'customer_form_field_values'))).not.toContain('s3cret')
  })

  test('move the date of their customer only when they change', async () => {
    const dateOf = async () => (await call('GET', '/customers?id:in=1')).body.data[0].date_modified
    const { clock } = await theHouse()
    const first = await dateOf()
    clock.move(2_000)
    await call('PUT', VALUES, [of(1, 'Age', 1)])
    const second = await dateOf()
    clock.move(2_000)
    await call('PUT', VALUES, [of(1, 'Age', 1), at(1, 'Note', 'x')])
    expect(await dateOf()).toBe(second)
    expect(second > first).toBe(true)
  })

  test('are found by every filter, and by cursors', async () => {
    const all = [
      of(1, 'Hobbies', ['Chess']),
      of(1, 'Nickname', 'a'),
      at(1, 'Nickname', 'b'),
      at(2, 'Note', 'c'),
      of(2, 'Mood', 'Bad'),
    ]
    await call('PUT', VALUES, all)
    const [hobbies, nick, home, note, mood] = all
    for (const [query, found] of [
      ['?customer_id=1', [hobbies, nick]],
      ['?address_id=1', [home]],
      ['?customer_id=9', []],
      ['?field_name=Nickname', [nick, home]],
      ['?field_name=nickname&customer_id=1', [nick]],
      ['?field_name=none', []],
      ['?field_type=text', [nick, home, note]],
      ['?field_type=text&address_id=2', [note]],
      ['?field_type=radiobuttons', [mood]],
      ['?limit=2&page=2', [home, note]],
    ] as const) {
      expect([query, (await list(query)).data]).toEqual([query, found])
    }
    const { meta } = await list('?limit=2')
    expect((await list('?limit=2&page=2')).meta).toEqual({ pagination: expect.anything() })
    const next = await list(`?limit=2&after=${meta.cursor_pagination.end_cursor}&page=9`)
    expect(next.data).toEqual([home, note])
    expect(next.meta).toEqual({ cursor_pagination: expect.objectContaining({ count: 2 }) })
    const back = await list(`?limit=2&before=${next.meta.cursor_pagination.start_cursor}`)
    expect(back.data).toEqual([hobbies, nick])
    for (const query of ['customer_id=1&address_id=1', 'customer_id:in=1', 'field_type=file', 'after=x', 'name=x']) {
      expect([query, (await call('GET', `${VALUES}?${query}`)).status]).toEqual([query, 422])
    }
    const { start_cursor } = meta.cursor_pagination
    expect((await call('GET', `${VALUES}?after=${start_cursor}&before=${start_cursor}`)).status).toBe(422)
  })

  const TEXT = 'error.expected.jsstring'
  test.each([
    ['Hobbies', [[], ['Chess'], ['Rowing', 'Chess']], [['Golf'], ['Chess', 'Chess'], 'Chess', 5, [5]]],
    ['Born', ['', '2026-05-14', '2026-05-14T09:00:00Z'], ['soon', '14.5.2026', 20260514, ['2026-05-14']]],
    ['Story', ['', 'x'.repeat(65_535)], ['x'.repeat(65_536), 5, []]],
    ['Age', [0, -1.5, 1e20], ['5', [], true, null]],
    ['Mood', ['', 'Good'], ['good', 5, ['Good']]],
    ['Nickname', ['', 'Ann'], [5, ['Ann'], null, {}]],
    ['Colour', ['', 'Blue'], ['Pink', 3]],
  ])('%s are judged by their type', async (name, good, bad) => {
    for (const value of good) {
      expect((await call('PUT', VALUES, [of(1, name, value)])).body.data).toEqual([of(1, name, value)])
      expect((await list()).data).toEqual([of(1, name, value)])
    }
    for (const value of bad) {
      const { body } = await call('PUT', VALUES, [of(1, name, value)])
      expect([value, Object.keys(body.errors)]).toEqual([value, [expect.stringMatching(/^0\.value/)]])
    }
    if (name === 'Nickname') {
      expect((await call('PUT', VALUES, [of(1, name, 5)])).body).toEqual(invalid({ '0.value': TEXT }))
    }
  })

  test('are refused with nothing saved', async () => {
    const errorsOf = async (...items: unknown[]) => (await call('PUT', VALUES, items)).body.errors
    const good = of(1, 'Nickname', 'a')
    expect(await errorsOf(good, of(9, 'Nickname', 'a'), at(9, 'Note', 'a'))).toEqual({
      '1.customer_id': 'The customer 9 does not exist.',
      '2.address_id': 'The address 9 does not exist.',
    })
    expect(await errorsOf(good, { name: 'Nickname', value: 'a' })).toEqual({ '1.customer_id': 'error.path.missing' })
    expect(await errorsOf(good, { ...good, address_id: 1 })).toEqual({ '1.address_id': expect.any(String) })
    expect(await errorsOf(good, of(1, 'Note', 'a'), at(1, 'Age', 1), of(1, 'nickname', 'a'))).toEqual({
      '1.name': 'There is no form field "Note" here.',
      '2.name': 'There is no form field "Age" here.',
      '3.name': 'There is no form field "nickname" here.',
    })
    expect(await errorsOf({ customer_id: 1 })).toEqual({
      '0.name': 'error.path.missing',
      '0.value': 'error.path.missing',
    })
    expect((await call('PUT', VALUES, [])).body.errors).toEqual({ '': expect.any(String) })
    expect(
      (
        await call(
          'PUT',
          VALUES,
          Array.from({ length: 51 }, () => good),
        )
      ).status,
    ).toBe(413)
    expect((await list()).data).toEqual([])
    expect(
      (
        await call(
          'PUT',
          VALUES,
          Array.from({ length: 50 }, () => good),
        )
      ).body.data,
    ).toEqual([good])
  })

  test('stay when options go, and go with their field, their address and their customer', async () => {
    const kept = [of(1, 'Mood', 'Bad'), at(2, 'Note', 'n')]
    await call('PUT', VALUES, [...kept, of(1, 'Age', 5), of(2, 'Mood', 'Good'), at(1, 'Note', 'n')])
    const { customer } = (await call('GET', FIELDS)).body.data
    const fields = customer
      .filter(({ name }: { name: string }) => name !== 'Age')
      .map((field: { name: string }) => (field.name === 'Mood' ? { ...field, options: ['So so'] } : field))
    await call('PUT', FIELDS, { customer: fields })
    expect((await list()).data).toEqual([...kept, of(2, 'Mood', 'Good'), at(1, 'Note', 'n')])
    await call('DELETE', '/customers/addresses?id:in=1')
    expect((await list()).data).toEqual([...kept, of(2, 'Mood', 'Good')])
    await call('DELETE', '/customers?id:in=2')
    expect((await list()).data).toEqual([of(1, 'Mood', 'Bad')])
    expect((await list()).meta.pagination.total).toBe(1)
    // A field that comes again has no values.
    await call('PUT', FIELDS, { customer: [] })
    await call('PUT', FIELDS, { customer })
    expect((await list()).data).toEqual([])
  })

  test('that are very many go with their field in steps', async () => {
    await call('PUT', VALUES, [of(1, 'Age', 5), of(1, 'Nickname', 'a')])
    await copyCustomer(shop, STEP_ROWS + 5, { table: 'customer_form_field_values' })
    const { customer } = (await call('GET', FIELDS)).body.data
    const gone = customer.filter(({ name }: { name: string }) => name !== 'Age')
    // A body with a mistake takes nothing away.
    expect((await call('PUT', FIELDS, { customer: [{ name: 'Born', type: 'text' }] })).status).toBe(422)
    expect((await list()).meta.pagination.total).toBe(STEP_ROWS + 7)
    expect((await call('PUT', FIELDS, { customer: gone })).status).toBe(200)
    expect((await list()).data).toEqual([of(1, 'Nickname', 'a')])
  })

  test('set twice at once are one', async () => {
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((text) => call('PUT', VALUES, [of(1, 'Nickname', text)])),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await list()).data).toHaveLength(1)
  })
})
