import { describe, expect, test } from 'vitest'
import { Problem } from '../../../core/rest/problem.ts'
import {
  type ChoiceConfig,
  type ChoiceType,
  type ChoiceValue,
  checkboxValues,
  mergeConfig,
  modifierTypes,
  optionTypes,
  putValue,
  replaceValues,
  type ValueInput,
} from './rules.ts'

// docs/contract/catalog.md section 2 and docs/contract/options.md, without the database.

/** A choice of product 1, in a store with the products 2 and 3. */
const choiceOf = (type: ChoiceType, hasAdjusters = false) => ({
  type,
  product_id: 1,
  products: new Set([1, 2, 3]),
  hasAdjusters,
})

type Path = '' | 'option_values'

/** The mistakes, or the values. */
function outcome(
  type: ChoiceType,
  given: readonly ValueInput[],
  { before = [], path = 'option_values' }: { before?: readonly ChoiceValue[]; path?: Path } = {},
  hasAdjusters = false,
) {
  try {
    if (path === 'option_values') return replaceValues(choiceOf(type, hasAdjusters), before, given)
    const [input = {}] = given
    return putValue(choiceOf(type, hasAdjusters), before, input)
  } catch (error) {
    if (error instanceof Problem && error.status === 422) return error.errors
    throw error
  }
}

const missing = 'error.path.missing'
const either = 'A value of a swatch needs either colors or an image_url.'
const count = 'colors must be a list of 1 to 3 colors.'
const color = 'A color is # and 3 or 6 hexadecimal digits.'
const address = 'image_url must be an address that begins with http:// or https://.'
const needsProduct = 'An item of a product list needs a product_id.'
const self = 'A product cannot be in its own list.'
const needsState = 'A value of a checkbox needs checked_value, true or false.'

const value = (id: number, label: string, more: Partial<ChoiceValue> = {}): ChoiceValue => ({
  id,
  label,
  sort_order: id,
  value_data: null,
  is_default: false,
  ...more,
})
const given = (label: string, more: ValueInput = {}): ValueInput => ({ label, sort_order: 0, ...more })

describe('value_data keeps', () => {
  test.each<[string, ChoiceType, object | null | undefined, object | null]>([
    ['two colors of a swatch', 'swatch', { colors: ['#1A2B3C', '#FFF'] }, { colors: ['#1A2B3C', '#FFF'] }],
    ['colors in capitals', 'swatch', { colors: ['#abc', '#aBcDeF', '#012'] }, { colors: ['#ABC', '#ABCDEF', '#012'] }],
    [
      'the picture of a swatch',
      'swatch',
      { image_url: 'https://a.example/x.png' },
      { image_url: 'https://a.example/x.png' },
    ],
    ['nothing that a swatch does not know', 'swatch', { colors: ['#000'], product_id: 9 }, { colors: ['#000'] }],
    ['the product of a list', 'product_list', { product_id: 2 }, { product_id: 2 }],
    ['the product of a list of pictures', 'product_list_with_images', { product_id: 3, x: 1 }, { product_id: 3 }],
    ['nothing, of radio buttons', 'radio_buttons', { colors: 5 }, null],
    ['nothing, of rectangles', 'rectangles', {}, null],
    ['nothing, of a dropdown', 'dropdown', null, null],
    ['nothing where nothing came', 'dropdown', undefined, null],
  ])('%s', (_, type, value_data, kept) => {
    expect(outcome(type, [given('A', { value_data })])).toEqual([
      { label: 'A', sort_order: 0, value_data: kept, is_default: false },
    ])
  })
})

describe('value_data refuses', () => {
  test.each<[string, ChoiceType, object | null | undefined, object]>([
    ['a swatch of nothing', 'swatch', {}, { value_data: either }],
    ['a swatch of null', 'swatch', null, { value_data: either }],
    ['an absent one', 'swatch', undefined, { value_data: either }],
    ['both', 'swatch', { colors: ['#000'], image_url: 'https://a.example/' }, { value_data: either }],
    ['no color', 'swatch', { colors: [] }, { 'value_data.colors': count }],
    ['four colors', 'swatch', { colors: ['#000', '#111', '#222', '#333'] }, { 'value_data.colors': count }],
    ['a color that is no list', 'swatch', { colors: '#000' }, { 'value_data.colors': count }],
    [
      'what is no color, each',
      'swatch',
      { colors: ['red', '#FFF', '#FFFF'] },
      { 'value_data.colors.0': color, 'value_data.colors.2': color },
    ],
    ['a number', 'swatch', { colors: [0] }, { 'value_data.colors.0': color }],
    ['a color with something behind', 'swatch', { colors: ['#FFFFFF;'] }, { 'value_data.colors.0': color }],
    ['a relative address', 'swatch', { image_url: '/x.png' }, { 'value_data.image_url': address }],
    ['an address without its scheme', 'swatch', { image_url: 'a.example/x.png' }, { 'value_data.image_url': address }],
    [
      'an address of another scheme',
      'swatch',
      { image_url: 'javascript:alert(1)' },
      { 'value_data.image_url': address },
    ],
    [
      'an address of 2,049',
      'swatch',
      { image_url: `https://a.example/${'a'.repeat(2_031)}` },
      { 'value_data.image_url': address },
    ],
    ['a list of nothing', 'product_list', {}, { value_data: needsProduct }],
    ['the product itself', 'product_list', { product_id: 1 }, { 'value_data.product_id': self }],
    ['an unknown product', 'product_list', { product_id: 4 }, { 'value_data.product_id': 'There is no product 4.' }],
    [
      'a text',
      'product_list_with_images',
      { product_id: '2' },
      { 'value_data.product_id': 'There is no product "2".' },
    ],
    ['a checkbox of nothing', 'checkbox', {}, { value_data: needsState }],
    [
      'a state that is a text',
      'checkbox',
      { checked_value: 'true' },
      { 'value_data.checked_value': 'error.expected.jsboolean' },
    ],
  ])('%s', (_, type, value_data, errors) => {
    const before = type === 'checkbox' ? [value(7, 'Yes', { value_data: { checked_value: true } })] : []
    expect(outcome(type, [given('A', { value_data })], { before, path: '' })).toEqual(errors)
  })

  test('an address of more than 2,048 characters', () => {
    const value_data = { image_url: `https://a.example/${'a'.repeat(2_030)}` }
    expect(outcome('swatch', [given('A', { value_data })])).toMatchObject([{ value_data }])
  })
})

describe('a list of values', () => {
  const two = [value(1, 'Small', { is_default: true }), value(2, 'Large')]

  test.each<[string, ValueInput[], Path, object]>([
    ['gets a new one', [given('Huge')], '', [{ id: 1 }, { id: 2 }, { label: 'Huge' }]],
    [
      'keeps what a change does not name',
      [{ id: 2, label: 'Big' }],
      '',
      [{ id: 1 }, { id: 2, label: 'Big', sort_order: 2 }],
    ],
    ['is the whole list', [{ id: 2 }, given('Huge')], 'option_values', [{ id: 2, label: 'Large' }, { label: 'Huge' }]],
    [
      'may exchange labels',
      [
        { id: 1, label: 'Large' },
        { id: 2, label: 'Small' },
      ],
      'option_values',
      [{ label: 'Large' }, { label: 'Small' }],
    ],
    [
      'may take the label of one that goes',
      [{ id: 1 }, given('Large')],
      'option_values',
      [{ id: 1 }, { label: 'Large' }],
    ],
    [
      'has one default, the last that was made it',
      [{ id: 2, is_default: true }],
      '',
      [
        { id: 1, is_default: false },
        { id: 2, is_default: true },
      ],
    ],
    [
      'has a default among those that stay',
      [{ id: 1 }, { id: 2, is_default: true }],
      'option_values',
      [{ is_default: false }, { is_default: true }],
    ],
    [
      'may have no default',
      [{ id: 1, is_default: false }],
      '',
      [
        { id: 2, is_default: false },
        { id: 1, is_default: false },
      ],
    ],
  ])('%s', (_, changes, path, values) => {
    expect(outcome('dropdown', changes, { before: two, path })).toMatchObject(values)
  })

  const taken = 'Another value here has this label.'
  test.each<[string, ValueInput[], Path, object]>([
    ['a label that is taken, whatever its case', [given('sMALL ')], '', { label: taken }],
    ['a label that the list has twice', [given('A'), given('a')], 'option_values', { 'option_values.1.label': taken }],
    [
      'a label of one that stays behind it',
      [given('Large'), { id: 2 }],
      'option_values',
      { 'option_values.1.label': taken },
    ],
    [
      'a new value without anything',
      [{ id: 1 }, {}],
      'option_values',
      { 'option_values.1.label': missing, 'option_values.1.sort_order': missing },
    ],
    [
      'a value of another option',
      [{ id: 9 }],
      'option_values',
      {
        'option_values.0.id': 'There is no value 9 here.',
        'option_values.0.label': missing,
        'option_values.0.sort_order': missing,
      },
    ],
    [
      'a value that is named twice',
      [{ id: 1 }, { id: 1, label: 'B' }],
      'option_values',
      { 'option_values.1.id': 'The value 1 is repeated.' },
    ],
    [
      'two defaults',
      [
        { id: 1, is_default: true },
        { id: 2, is_default: true },
      ],
      'option_values',
      { 'option_values.1.is_default': 'Only one value can be the default.' },
    ],
  ])('refuses %s', (_, changes, path, errors) => {
    expect(outcome('dropdown', changes, { before: two, path })).toEqual(errors)
  })

  test('reports all mistakes of a request at once', () => {
    const list = [given('A', { value_data: { colors: ['no'] }, is_default: true }), given('A', { value_data: {} }), {}]
    expect(() => replaceValues(choiceOf('swatch'), [], list, { type: 'Never.' })).toThrow(
      expect.objectContaining({
        errors: {
          type: 'Never.',
          'option_values.0.value_data.colors.0': color,
          'option_values.0.is_default': 'A value of a swatch cannot be the default.',
          'option_values.1.value_data': either,
          'option_values.1.label': taken,
          'option_values.2.label': missing,
          'option_values.2.sort_order': missing,
          'option_values.2.value_data': either,
        },
      }),
    )
  })

  test('of a swatch may say that no value is the default', () => {
    const list = [given('A', { value_data: { colors: ['#000'] }, is_default: false })]
    expect(outcome('swatch', list)).toMatchObject([{ is_default: false }])
  })

  test('may be sent back as it was read, even if a product in it was deleted', () => {
    const before = [value(1, 'Box', { value_data: { product_id: 99 } })]
    expect(outcome('product_list', before, { before })).toEqual(before)
    expect(outcome('product_list', [{ id: 1, value_data: { product_id: 98 } }], { before })).toEqual({
      'option_values.0.value_data.product_id': 'There is no product 98.',
    })
  })

  test.each(modifierTypes.filter((type) => type !== 'checkbox' && !optionTypes.some((known) => known === type)))(
    'is refused for the type %s',
    (type) => {
      const sentence = `The type ${type} has no values.`
      expect(outcome(type, [given('A')])).toEqual({ option_values: sentence })
      expect(outcome(type, [given('A')], { path: '' })).toEqual({ '': sentence })
      expect(outcome(type, [])).toEqual([])
    },
  )
})

describe('a checkbox', () => {
  const state = (checked_value: boolean) => ({ value_data: { checked_value } })
  const two = [value(1, 'Yes', state(true)), value(2, 'No', state(false))]
  const one = 'A checkbox needs exactly one checked value.'

  test.each<[string, ValueInput[], Path, object]>([
    [
      'with two checked ones',
      [given('A', state(true)), given('B', state(true))],
      'option_values',
      { 'option_values.1.value_data.checked_value': one },
    ],
    [
      'with none',
      [given('A', state(false)), given('B', state(false))],
      'option_values',
      { 'option_values.1.value_data.checked_value': one },
    ],
    ['without values', [], 'option_values', { option_values: one }],
    ['that gets a second one', [given('A', state(true))], '', { 'value_data.checked_value': one }],
    ['that loses its checked one', [{ id: 1, ...state(false) }], '', { 'value_data.checked_value': one }],
  ])('with %s is refused', (_, changes, path, errors) => {
    expect(outcome('checkbox', changes, { before: two, path })).toEqual(errors)
  })

  test('may exchange its states and rename them', () => {
    const changes = [
      { id: 1, label: 'Off', ...state(false) },
      { id: 2, label: 'On', ...state(true) },
    ]
    expect(outcome('checkbox', changes, { before: two })).toMatchObject(changes)
  })

  test.each([
    [{}, false, true],
    [{ checked_by_default: false }, false, true],
    [{ checked_by_default: true }, true, false],
  ])('with %j alone has the values Yes and No', (config, yes, no) => {
    expect(outcome('checkbox', checkboxValues(config))).toEqual([
      { label: 'Yes', sort_order: 0, value_data: { checked_value: true }, is_default: yes },
      { label: 'No', sort_order: 1, value_data: { checked_value: false }, is_default: no },
    ])
  })
})

describe('adjusters', () => {
  const none = { price: null, weight: null, image_url: '', purchasing_disabled: { status: false, message: '' } }
  const relative = { adjuster: 'relative', adjuster_value: 5 } as const
  const some = { ...none, price: relative, purchasing_disabled: { status: true, message: 'Sold out' } }

  test.each<[string, ValueInput['adjusters'], object]>([
    ['none if nothing was said', undefined, none],
    ['none of nothing', {}, none],
    ['no price where it is null', { price: null }, none],
    ['no price where its kind is null', { price: { adjuster: null, adjuster_value: null } }, none],
    ['no price of nothing', { price: {} }, none],
    ['a price', { price: relative }, { ...none, price: relative }],
    [
      'a weight',
      { weight: { adjuster: 'percentage', adjuster_value: -2.5 } },
      { ...none, weight: { adjuster: 'percentage', adjuster_value: -2.5 } },
    ],
    [
      'a message alone',
      { purchasing_disabled: { message: 'Soon' } },
      { ...none, purchasing_disabled: { status: false, message: 'Soon' } },
    ],
  ])('are %s', (_, adjusters, kept) => {
    expect(outcome('dropdown', [given('A', { adjusters })], {}, true)).toMatchObject([{ adjusters: kept }])
  })

  test.each<[string, ValueInput['adjusters'], object]>([
    ['stay as they are', {}, some],
    [
      'get another value of the same kind',
      { price: { adjuster_value: 7 } },
      { ...some, price: { adjuster: 'relative', adjuster_value: 7 } },
    ],
    [
      'get another kind of the same value',
      { price: { adjuster: 'percentage' } },
      { ...some, price: { adjuster: 'percentage', adjuster_value: 5 } },
    ],
    ['are taken away one by one', { price: null }, { ...some, price: null }],
    [
      'keep the message',
      { purchasing_disabled: { status: false } },
      { ...some, purchasing_disabled: { status: false, message: 'Sold out' } },
    ],
  ])('%s in a change', (_, adjusters, kept) => {
    const before = [value(1, 'A', { adjusters: some })]
    expect(outcome('dropdown', [{ id: 1, adjusters }], { before }, true)).toMatchObject([{ adjusters: kept }])
  })

  test('need a kind and a value, both for price and weight', () => {
    const adjusters = { price: { adjuster_value: 5 }, weight: { adjuster: 'relative' } } as const
    expect(outcome('dropdown', [given('A', { adjusters })], { path: '' }, true)).toEqual({
      'adjusters.price.adjuster': missing,
      'adjusters.weight.adjuster_value': missing,
    })
  })

  test('do not exist for values of an option', () => {
    const [merged] = putValue(choiceOf('dropdown'), [], given('A', { adjusters: { price: relative } }))
    expect(merged).not.toHaveProperty('adjusters')
  })
})

describe('the configuration', () => {
  const everything: ChoiceConfig = {
    default_value: 'x',
    checked_by_default: true,
    checkbox_label: 'x',
    date_limited: true,
    date_limit_mode: 'range',
    date_earliest_value: '2018-08-31T07:00:00+02:00',
    date_latest_value: '2018-09-30',
    file_types_mode: 'specific',
    file_types_supported: ['images'],
    file_types_other: ['pdf'],
    file_max_size: 5,
    text_characters_limited: true,
    text_min_length: 1,
    text_max_length: 2,
    text_lines_limited: true,
    text_max_lines: 3,
    number_limited: true,
    number_limit_mode: 'range',
    number_lowest_value: -1.5,
    number_highest_value: 9,
    number_integers_only: true,
    product_list_adjusts_inventory: true,
    product_list_adjusts_pricing: false,
    product_list_shipping_calc: 'package',
  }

  test.each<[ChoiceType, RegExp]>([
    ['date', /^(default_value|date_)/],
    ['checkbox', /^check/],
    ['file', /^file_/],
    ['text', /^(default_value$|text_(characters|min|max_length))/],
    ['multi_line_text', /^(default_value$|text_)/],
    ['numbers_only_text', /^(default_value$|number_)/],
    ['product_list', /^product_list_/],
    ['product_list_with_images', /^product_list_/],
    ['radio_buttons', /^$/],
    ['rectangles', /^$/],
    ['dropdown', /^$/],
    ['swatch', /^$/],
  ])('of %s has the fields of that type', (type, known) => {
    const keys = Object.keys(everything).filter((key) => known.test(key))
    expect(Object.keys(mergeConfig(type, {}, everything))).toEqual(keys)
  })

  test('shows dates in the form of the contract', () => {
    expect(mergeConfig('date', {}, everything)).toEqual({
      default_value: 'x',
      date_limited: true,
      date_limit_mode: 'range',
      date_earliest_value: '2018-08-31T05:00:00Z',
      date_latest_value: '2018-09-30T00:00:00Z',
    })
  })

  test('keeps fields that a change leaves out', () => {
    const before = { text_min_length: 1, default_value: 'Ada' }
    expect(mergeConfig('text', before, { text_max_length: 9 })).toEqual({ ...before, text_max_length: 9 })
    expect(mergeConfig('text', before)).toEqual(before)
    expect(mergeConfig('text', before, [])).toEqual(before)
  })
})
