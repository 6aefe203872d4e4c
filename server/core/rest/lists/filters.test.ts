import fc from 'fast-check'
import t from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { overhear } from '../../../test/harness/overhear.ts'
import type { Db } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { queryReader } from '../input/validator.ts'
import { condition, filterOf, filterSchema } from './filters.ts'
import { fold as foldOfServer } from './fold.ts'

// docs/contract/conventions.md section 5, and entry 4 of section 16.

const problem = (title: string, status = 422) => ({
  status,
  body: {
    status,
    title: `The query is not valid: ${title}.`,
    type: `http://shop.test/docs/errors#${status}`,
    errors: {},
  },
})
const ids = (data: { id: number }[]) => data.map(({ id }) => id)
const seq = (length: number, first = 1) => Array.from({ length }, (_, i) => i + first)

const names = [
  'Acme',
  'acme shop',
  '100% wool',
  '100 percent',
  'under_score',
  'underXscore',
  'back\\slash',
  'École',
  'Ecole',
  'naïve E\u0301clair',
  'Straße',
  'İstanbul',
  'ΣΊΣΥΦΟΣ',
  '😀 toys',
  '日本',
  "O'Brien",
  'a, b',
  '%',
  '_',
  '\\',
  "'; drop table brands; --",
  'x&y=z',
  'plus+plus',
  '$1',
  'new',
  'new 2',
  ' outer blanks ',
  'ﬁne',
]
const fold = (text: string) => text.normalize('NFC').trim().toLowerCase().normalize('NFC')

let shop: Shop
let call: Shop['call']
beforeAll(async () => {
  shop = await openShop()
  call = shop.call
  for (const [i, name] of names.entries()) {
    await call('POST', '/catalog/brands', { name, page_title: i % 3 === 0 ? 'Third' : name })
  }
})

const found = async (query: string, path = '/catalog/brands') => {
  const { status, body } = await call('GET', `${path}?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return ids(body.data)
}
const foundNames = async (query: string) => (await found(query)).map((id) => names[id - 1])

describe('a filter on a number', () => {
  test.each([
    ['id=3', [3]],
    ['id%3Ain=3,1', [1, 3]],
    ['id:in=3,1', [1, 3]],
    ['id:in=%203%20,%201', [1, 3]],
    ['id:in=1,1,2,01,1', [1, 2]],
    ['id:in=1&id:in=2,3', [1, 2, 3]],
    ['id:in=999', []],
    [`id:not_in=${seq(names.length - 2, 3)}`, [1, 2]],
    ['id:min=3&id:max=5', [3, 4, 5]],
    ['id:greater=3&id:less=5', [4]],
    ['id:min=5&id:max=3', []],
    ['id:min=-2147483648&id:less=2', [1]],
    ['id=2&name=nothing', []],
    ['id=1&id=2', [2]],
    ['id=x&id=2', [2]],
    ['id=-0', []],
  ])('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  test.each([
    ['id=abc', 'id must be an integer, not "abc"'],
    ['id=1e3', 'id must be an integer, not "1e3"'],
    ['id=0x10', 'id must be an integer, not "0x10"'],
    ['id=%2B1', 'id must be an integer, not "+1"'],
    ['id=+1', 'id must be an integer, not " 1"'],
    ['id=1.0', 'id must be an integer, not "1.0"'],
    ['id=', 'id must be an integer, not ""'],
    ['id=1,2', 'id must be an integer, not "1,2"'],
    ['id=١', 'id must be an integer, not "١"'],
    ['id=2147483648', 'id must be at most 2147483647, not 2147483648'],
    ['id:min=-2147483649', 'id:min must be at least -2147483648, not -2147483649'],
    ['id=2&id=x', 'id must be an integer, not "x"'],
    ['id:in=', 'id:in must hold at least 1'],
    ['id:in=%20,%20', 'id:in must hold at least 1'],
    ['id:not_in=', 'id:not_in must hold at least 1'],
    ['id:in=1,,2', 'id:in must be an integer, not ""'],
    ['id:in=1,%2B2', 'id:in must be an integer, not "+2"'],
    ['id:in=1e3', 'id:in must be an integer, not "1e3"'],
  ])('%s is 422', async (query, reason) => {
    const { status, body } = await call('GET', `/catalog/brands?${query}`)
    expect({ status, body }).toEqual(problem(reason))
  })

  test('takes 250 items of a list, repeats not counted; one more is 413 (C-079)', async () => {
    for (const name of ['id:in', 'id:not_in']) {
      const { status } = await call('GET', `/catalog/brands?${name}=${[...seq(250), ...seq(250)]}`)
      expect(status).toBe(200)
      const answer = await call('GET', `/catalog/brands?${name}=${seq(251)}`)
      expect({ status: answer.status, body: answer.body }).toEqual(problem(`${name} must hold at most 250`, 413))
      expect((await call('GET', `/catalog/brands?${name}=${seq(251)}&id=x`)).status).toBe(422)
    }
  })
})

describe('a filter on a text', () => {
  test.each([
    ['name=acme', ['Acme']],
    ['name=%20ACME%20', ['Acme']],
    ['name=', []],
    ['name=ecole', ['Ecole']],
    ['name=%C3%89COLE', ['École']],
    [`name=${encodeURIComponent('E\u0301COLE')}`, ['École']],
    [`name:like=${encodeURIComponent('ÉCL')}`, ['naïve E\u0301clair']],
    ['name:like=ACME', ['Acme', 'acme shop']],
    ['name:like=me+sh', ['acme shop']],
    ['name:like=%25', ['100% wool', '%']],
    ['name:like=100%25', ['100% wool']],
    ['name:like=_', ['under_score', '_']],
    ['name:like=r_s', ['under_score']],
    ['name:like=%5C', ['back\\slash', '\\']],
    ['name:like=%5C%5C', []],
    ["name:like='", ["O'Brien", "'; drop table brands; --"]],
    ['name:like=%2B', ['plus+plus']],
    ['name:like=a%2C%20b', ['a, b']],
    ['name:like=ssssss&name:like=toys', ['😀 toys']],
    ['name=outer%20blanks', [' outer blanks ']],
    ['page_title=third&name:like=w', ['new']],
    ['page_title=', []],
  ])('%s', async (query, expected) => {
    expect(await foundNames(query)).toEqual(expected)
  })

  test('that is empty equals the empty text, and is part of every text for like', async () => {
    await call('POST', '/catalog/categories', { parent_id: 0, name: 'untitled' })
    expect(await found('page_title=', '/catalog/categories')).toEqual([1])
    expect(await found('name:like=')).toHaveLength(names.length)
  })

  test('with U+0000 is 422: no stored text has it', async () => {
    for (const name of ['name', 'name:like', 'page_title']) {
      expect((await call('GET', `/catalog/brands?${name}=a%00b`)).status).toBe(422)
    }
    expect((await call('DELETE', '/catalog/brands?name=a%00b')).status).toBe(422)
  })

  test('of thousands of wildcards is one like any other (C-078)', async () => {
    for (const pattern of ['%25', '_', '%5C', '%25_', 'a%25']) {
      expect(await found(`name:like=${pattern.repeat(5_000 / pattern.length)}`)).toEqual([])
    }
  })

  test('in a list finds each of them, folded', async () => {
    const lists = '/catalog/brands/1/metafields'
    for (const key of ['Bin', 'shelf', 'a b']) {
      await call('POST', lists, { key, value: '1', namespace: 'wh', permission_set: 'read' })
    }
    expect(await found('key:in=bin,%20SHELF,bin', lists)).toEqual([1, 2])
    expect(await found('key:in=A%20B,none&namespace=WH', lists)).toEqual([3])
    expect((await call('GET', `${lists}?key:in=`)).status).toBe(422)
    expect((await call('GET', `${lists}?key:in=a,%00`)).status).toBe(422)
    expect((await call('GET', `${lists}?key:in=${seq(251)}`)).status).toBe(413)
  })
})

test('a filter on a boolean takes six words', async () => {
  for (const [i, is_visible] of [true, false, true].entries()) {
    await call('POST', '/catalog/categories', { parent_id: 0, name: `c${i}`, page_title: 'truth', is_visible })
  }
  const list = '/catalog/categories'
  const [first = 0] = await found('name=c0', list)
  const expected = { true: [first, first + 2], false: [first + 1] }
  for (const word of ['true', 'True', '1'])
    expect(await found(`is_visible=${word}&page_title=truth`, list)).toEqual(expected.true)
  for (const word of ['false', 'False', '0']) {
    expect(await found(`is_visible=${word}&page_title=truth`, list)).toEqual(expected.false)
  }
  for (const word of ['TRUE', 'yes', '', '2', 'null']) {
    const { status, body } = await call('GET', `${list}?is_visible=${word}`)
    expect({ status, body }).toEqual(problem(`is_visible must be a boolean, not "${word}"`))
  }
})

describe('a filter on a date', () => {
  const list = '/catalog/brands/2/metafields'
  let created: Date
  beforeAll(async () => {
    const { body } = await call('POST', list, { key: 'k', value: 'v', namespace: 'n', permission_set: 'read' })
    created = new Date(body.data.date_created)
  })
  const iso = (date: Date) => date.toISOString().slice(0, 19)
  const later = (date: Date, seconds: number) => new Date(date.getTime() + seconds * 1_000)

  test.each<[string, (date: Date) => string]>([
    ['in UTC', (date) => `${iso(date)}Z`],
    ['without an offset, which is UTC', (date) => iso(date)],
    ['with an offset', (date) => `${iso(later(date, 7_200))}%2B02:00`],
    ['with an offset whose plus became a blank', (date) => `${iso(later(date, 7_200))}+0200`],
    ['with an offset west', (date) => `${iso(later(date, -19_800))}-05:30`],
    ['with a fraction, which is cut', (date) => `${iso(date)}.999Z`],
    ['as e-mail writes it', (date) => date.toUTCString().replaceAll(' ', '%20')],
    ['as e-mail writes it, with an offset', (date) => date.toUTCString().replace('GMT', '%2B0000')],
  ])('is written %s; both ends are included', async (_, spell) => {
    for (const field of ['date_created', 'date_modified']) {
      expect(await found(`${field}:min=${spell(created)}`, list)).toHaveLength(1)
      expect(await found(`${field}:max=${spell(created)}`, list)).toHaveLength(1)
      expect(await found(`${field}:min=${spell(later(created, 1))}`, list)).toEqual([])
      expect(await found(`${field}:max=${spell(later(created, -1))}`, list)).toEqual([])
    }
  })

  test('is midnight if it is only a day', async () => {
    const day = (date: Date) => iso(date).slice(0, 10)
    expect(await found(`date_created:min=${day(created)}`, list)).toHaveLength(1)
    expect(await found(`date_created:min=${day(later(created, 86_400))}`, list)).toEqual([])
    const midnight = later(new Date(day(created)), 0).getTime() === created.getTime()
    expect(await found(`date_created:max=${day(created)}`, list)).toHaveLength(midnight ? 1 : 0)
    expect(await found(`date_created:max=${day(later(created, 86_400))}`, list)).toHaveLength(1)
  })

  test('with its ends crossed finds nothing', async () => {
    const crossed = `date_created:min=${iso(later(created, 5))}&date_created:max=${iso(later(created, -5))}`
    expect(await found(crossed, list)).toEqual([])
  })

  test.each([
    'yesterday',
    '',
    '1715679240',
    '2024-02-30',
    '2024-05-14T24:00:00Z',
    '2016-12-31T23:59:60Z',
    '0000-01-01',
  ])('%s is 422', async (text) => {
    const { status, body } = await call('GET', `${list}?date_created:min=${text}`)
    expect({ status, body }).toEqual(problem(`date_created:min must be a date-time, not "${text}"`))
  })
})

describe('every operator, on every kind of column', () => {
  const Shape = t.Object({
    whole: t.Integer(),
    amount: t.Number(),
    truth: t.Boolean(),
    moment: t.String({ format: 'date-time' }),
    choice: t.Enum(['red', 'Blue']),
    words: t.String(),
  })
  let db: Db
  beforeAll(async () => {
    const { directory } = (await theHouse()).installation
    db = directory.cellOf(shop.store).api.of(shop.store)
  })

  const matching = async (name: string, text: string) => {
    const filter = filterOf(Shape.properties, name)
    const read = queryReader(t.Object({ [name]: filterSchema(filter) }))
    const rows = await db.rows<{ n: number }>(sql`
      -- of a test
      select n from (values
        (1, 1, 0.5, true, timestamptz '2024-05-13T23:59:59Z', 'red', 'one'),
        (2, 2, 1.5, false, '2024-05-14T00:00:00Z', 'Blue', 'two'),
        (3, 3, 2.5, true, '2024-05-14T23:59:59Z', 'red', 'three'),
        (4, 4, 3.5, false, '2024-05-15T00:00:00Z', 'Blue', 'four')
      ) rows (n, whole, amount, truth, moment, choice, words_key)
      where ${condition(filter, read({ [name]: text })[name])} order by n`)
    return rows.map(({ n }) => n)
  }

  test.each([
    ['whole', '2', [2]],
    ['whole:min', '2', [2, 3, 4]],
    ['whole:max', '2', [1, 2]],
    ['whole:greater', '2', [3, 4]],
    ['whole:less', '2', [1]],
    ['whole:in', '4,2', [2, 4]],
    ['whole:not_in', '4,2', [1, 3]],
    ['amount', '1.50', [2]],
    ['amount:min', '1.5', [2, 3, 4]],
    ['amount:max', '1.5', [1, 2]],
    ['amount:greater', '1.5', [3, 4]],
    ['amount:less', '1.5', [1]],
    ['amount:in', '0.5,3.5', [1, 4]],
    ['truth', 'true', [1, 3]],
    ['truth', '0', [2, 4]],
    ['moment', '2024-05-14', [2, 3]],
    ['moment', '2024-05-14T00:00:00', [2]],
    ['moment', '2024-05-14T02:00:00+02:00', [2]],
    ['moment', '2024-05-14T00:00:00 0000', [2]],
    ['moment:min', '2024-05-14', [2, 3, 4]],
    ['moment:max', '2024-05-14', [1, 2]],
    ['moment:greater', '2024-05-14', [3, 4]],
    ['moment:less', '2024-05-14', [1]],
    ['moment:in', '2024-05-14T00:00:00Z,2024-05-15', [2, 4]],
    ['choice', 'red', [1, 3]],
    ['choice', 'Red', []],
    ['choice:in', 'Blue,green', [2, 4]],
    ['choice:not_in', 'Blue', [1, 3]],
    ['words', ' TWO', [2]],
    ['words:like', 'O', [1, 2, 4]],
    ['words:in', 'One,THREE', [1, 3]],
    ['words:not_in', 'One,THREE', [2, 4]],
  ])('%s=%s', async (name, text, expected) => {
    expect(await matching(name, text)).toEqual(expected)
  })

  test.each([
    ['amount', '1e400'],
    ['amount', 'NaN'],
    ['amount', 'Infinity'],
    ['amount', '1,5'],
    ['amount', '.5'],
    ['amount:min', ''],
  ])('%s=%s is 422', async (name, text) => {
    await expect(matching(name, text)).rejects.toMatchObject({ status: 422 })
  })

  test('for an unknown operator or an unknown field is an error of the developer', () => {
    expect(() => filterOf(Shape.properties, 'whole:near')).toThrow('There is no filter "whole:near".')
    expect(() => filterOf(Shape.properties, 'size')).toThrow('There is no filter "size".')
  })
})

describe('a name that is no filter', () => {
  const lists = ['/catalog/brands', '/catalog/brands/1/metafields', '/catalog/brands/metafields', '/catalog/categories']

  test.each([...lists, '/catalog/categories/metafields'])('is 422 on the list %s, and named', async (path) => {
    const { status, body } = await call('GET', `${path}?colour=red`)
    expect({ status, body }).toEqual(problem('"colour" is not a parameter here'))
    for (const name of [
      'id:like',
      'ID',
      'id%20',
      'include',
      'sort[]',
      'limit%00',
      '__proto__',
      'constructor',
      'toString',
    ]) {
      expect((await call('GET', `${path}?${name}=1`)).status, name).toBe(422)
    }
  })

  test('is reported together with all other mistakes', async () => {
    const { status, body } = await call('GET', '/catalog/brands?colour=red&size=1&__proto__=2&id=x&limit=0')
    expect(status).toBe(422)
    expect(body.title).toContain('"colour", "size", "__proto__" are not parameters here')
    expect(body.title).toContain('id must be an integer, not "x"')
    expect(body.title).toContain('limit must be at least 1, not 0')
  })

  test.each([
    '/catalog/brands?name=nobody&colour=red',
    '/catalog/brands/1?colour=red',
    '/catalog/brands/1/image?colour=red',
    '/catalog/brands/1/metafields/1?colour=red',
    '/catalog/categories/1?colour=red',
    '/catalog/categories/1/metafields/1?colour=red',
  ])('is 422 on DELETE %s, and nothing is deleted', async (path) => {
    const { status, body } = await call('DELETE', path)
    expect({ status, body }).toEqual(problem('"colour" is not a parameter here'))
    expect(await found('id=1')).toEqual([1])
  })

  test('is 422 on the DELETE of a batch', async () => {
    const { status, body } = await call('DELETE', '/catalog/brands/metafields?id=1', [1])
    expect({ status, body }).toEqual(problem('"id" is not a parameter here'))
  })

  test('is ignored by reads of one resource and by writes', async () => {
    const one = '/catalog/brands/1/metafields/1'
    const query = '?colour=red&limit=abc&__proto__=1&id:in='
    expect((await call('GET', `/catalog/brands/1${query}`)).status).toBe(200)
    expect((await call('GET', `${one}${query}`)).status).toBe(200)
    expect((await call('PUT', `/catalog/brands/1${query}`, {})).status).toBe(200)
    expect((await call('PUT', `${one}${query}`, {})).status).toBe(200)
    expect((await call('POST', `/catalog/brands/1/metafields${query}`, {})).body.errors).toHaveProperty('key')
  })
})

describe('a DELETE', () => {
  test('of a collection needs its filter', async () => {
    for (const path of ['/catalog/brands', '/catalog/brands?page_title=Third']) {
      const { status, body } = await call('DELETE', path)
      expect({ status, body }).toEqual(problem('name is missing'))
    }
    expect(await found('id=1')).toEqual([1])
  })

  test('that matches nothing is 204', async () => {
    expect((await call('DELETE', '/catalog/brands?name=nobody')).status).toBe(204)
    expect((await call('DELETE', '/catalog/brands?name=')).status).toBe(204)
  })
})

describe('a text like SQL (C-076)', () => {
  const nasty = [
    "zqx' or '1'='1",
    'zqx"; drop table brands; --',
    'zqx) or true --',
    'zqx/**/union select',
    '$1 zqx',
    'zqx\\',
    "E'zqx'",
    'zqx%',
  ]
  const heard = overhear()
  afterAll(() => heard.stop())

  test('is a value in any place, and never part of a statement', async () => {
    const own = await openShop()
    for (const name of nasty) await own.call('POST', '/catalog/brands', { name, page_title: name })
    for (const [i, text] of nasty.entries()) {
      const value = encodeURIComponent(text)
      for (const filter of ['name', 'name:like', 'page_title']) {
        const { body } = await own.call('GET', `/catalog/brands?${filter}=${value}`)
        expect(ids(body.data), `${filter}=${text}`).toContain(i + 1)
      }
      const query = `include_fields=${value}&exclude_fields=${value}`
      expect((await own.call('GET', `/catalog/brands?${query}`)).body.data).toEqual(
        seq(nasty.length).map((id) => ({ id })),
      )
      for (const name of ['sort', 'direction', 'id', 'id:in', 'page', 'limit', text]) {
        expect((await own.call('GET', `/catalog/brands?${encodeURIComponent(name)}=${value}`)).status).toBe(422)
      }
      for (const header of ['accept-language', 'x-correlation-id', 'user-agent', 'if-modified-since']) {
        expect((await own.call('GET', '/catalog/brands/1', undefined, { headers: { [header]: text } })).status).toBe(
          200,
        )
      }
      const metafield = { key: text, value: text, namespace: text, permission_set: 'read', description: text }
      const headers = { 'idempotency-key': text }
      const stored = await own.call('POST', '/catalog/brands/1/metafields', metafield, { headers })
      expect(stored.body.data).toMatchObject(metafield)
      const listed = await own.call('GET', `/catalog/brands/1/metafields?key:in=${value}&namespace=${value}`)
      expect(ids(listed.body.data)).toEqual([i + 1])
    }
    const statements = JSON.stringify(heard.statements.map(({ text }) => text))
    expect(statements).toContain('brands')
    expect(statements).not.toContain('zqx')
  })
})

test('filters find the rows that a model of them finds, alone and together', async () => {
  const brands = names.map((name, i) => ({ id: i + 1, name, page_title: i % 3 === 0 ? 'Third' : name }))
  type Brand = (typeof brands)[number]
  const id = fc.integer({ min: -1, max: names.length + 2 })
  const list = fc.array(id, { minLength: 1, maxLength: 6 })
  const piece = fc
    .tuple(fc.constantFrom(...names), fc.nat(12), fc.nat(5), fc.constantFrom('lower', 'upper', 'as is'))
    .map(([name, from, length, letters]) => {
      const part = [...name].slice(from % name.length, (from % name.length) + length + 1).join('')
      return letters === 'lower' ? part.toLowerCase() : letters === 'upper' ? part.toUpperCase() : part
    })
  const text = fc.oneof(
    piece,
    fc.constantFrom(...names, 'Third', 'third '),
    fc.string({ maxLength: 3, unit: 'grapheme' }),
  )
  const asText = (value: number | number[] | string) => String(value)
  const filters = fc.oneof(
    id.map((n) => ['id', asText(n), (brand: Brand) => brand.id === n] as const),
    id.map((n) => ['id:min', asText(n), (brand: Brand) => brand.id >= n] as const),
    id.map((n) => ['id:max', asText(n), (brand: Brand) => brand.id <= n] as const),
    id.map((n) => ['id:greater', asText(n), (brand: Brand) => brand.id > n] as const),
    id.map((n) => ['id:less', asText(n), (brand: Brand) => brand.id < n] as const),
    list.map((all) => ['id:in', asText(all), (brand: Brand) => all.includes(brand.id)] as const),
    list.map((all) => ['id:not_in', asText(all), (brand: Brand) => !all.includes(brand.id)] as const),
    text.map((word) => ['name', word, (brand: Brand) => fold(brand.name) === fold(word)] as const),
    text.map((word) => ['name:like', word, (brand: Brand) => fold(brand.name).includes(fold(word))] as const),
    text.map((word) => ['page_title', word, (brand: Brand) => fold(brand.page_title) === fold(word)] as const),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(filters, { minLength: 1, maxLength: 3, selector: ([name]) => name }),
      async (all) => {
        fc.pre(all.every(([, word]) => !word.includes('\0')))
        const query = all.map(([name, word]) => `${encodeURIComponent(name)}=${encodeURIComponent(word)}`).join('&')
        const expected = brands.filter((brand) => all.every(([, , matches]) => matches(brand)))
        expect(await found(`limit=250&${query}`)).toEqual(ids(expected))
      },
    ),
    { numRuns: 400 },
  )
})

test('folding is idempotent: a folded text stays, and spellings of one text become one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const folded = foldOfServer(text)
      expect(foldOfServer(folded)).toBe(folded)
      expect(foldOfServer(` ${text.normalize('NFD')}\t`)).toBe(folded)
      expect(folded.normalize('NFC')).toBe(folded)
    }),
    { numRuns: 1_000 },
  )
})
