import fc from 'fast-check'
import t from 'typebox'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { invalid, problem, wholeBrand } from '../../../test/document/expected.ts'
import { type Answered, openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { LINEAR_MS, processorMs } from '../../../test/servers/processor.ts'
import { bodyReader } from '../input/validator.ts'
import { parseJson, unstorableTexts } from './body.ts'
import { BODY_VALUES_MAX, KEYS_MAX } from './json-size.ts'

// docs/contract/conventions.md section 12: JSON and values.

const LIST = '/catalog/brands'
const json = { 'content-type': 'application/json' }
const syntax = (detail: string) => ({ ...problem(400, 'The body is not valid JSON.'), detail })
const UNSTORABLE = 'Text must not hold U+0000 or half of a surrogate pair.'

let call: Shop['call']
beforeAll(async () => {
  call = (await openShop()).call
})
const post = (payload: string | Buffer, path = LIST) => call('POST', path, undefined, { headers: json, payload })
const statusAndBody = ({ status, body }: Answered) => ({ status, body })

describe('bytes', () => {
  test.each([
    ['an object that breaks off', '{"name":', 'Syntax error at line 1, column 9'],
    ['an array that breaks off', '[1,', 'Syntax error at line 1, column 4'],
    ['a comma too many', '{"name":"a",}', 'Syntax error at line 1, column 13'],
    ['a comment', '{"name":"a"} // comment', 'Syntax error at line 1, column 14'],
    ['single quotes', "{'name':'a'}", 'Syntax error at line 1, column 2'],
    ['NaN', '{"sort_order":NaN}', 'Syntax error at line 1, column 15'],
    ['Infinity', '{"sort_order":-Infinity}', 'Syntax error at line 1, column 15'],
    ['a number in hexadecimal', '{"sort_order":0x10}', 'Syntax error at line 1, column 16'],
    ['a control character in a text', '{"name":"a\nb"}', 'Syntax error at line 1, column 9'],
    ['two values', '{"name":"a"}{"name":"b"}', 'Syntax error at line 1, column 13'],
    [
      'a colon that is missing in the third line',
      '{\n "name": "a",\n "sort_order" 2}',
      'Syntax error at line 3, column 15',
    ],
    ['a mistake in 100 KB, of which nobody looks for the place', `"${'x'.repeat(100_000)}`, 'Syntax error'],
    ['blanks only', '   ', 'Syntax error at line 1, column 4'],
    ['a byte order mark only', '\ufeff', 'Syntax error at line 1, column 1'],
    ['two byte order marks', '\ufeff\ufeff{"name":"a"}', 'Syntax error at line 1, column 1'],
    ['Latin 1', Buffer.from('{"name":"é"}', 'latin1'), 'The body is not valid UTF-8.'],
    ['UTF-16', Buffer.from('\ufeff{"name":"a"}', 'utf16le'), 'The body is not valid UTF-8.'],
    [
      'an overlong encoding',
      Buffer.from([...Buffer.from('{"name":"'), 0xc0, 0xaf, 0x22, 0x7d]),
      'The body is not valid UTF-8.',
    ],
    ['half a surrogate pair in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'The body is not valid UTF-8.'],
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`, 'The body is nested deeper than 64 levels.'],
    ['65 levels of objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 'The body is nested deeper than 64 levels.'],
    [
      '65 levels below a key that nobody knows',
      `{"x":${'['.repeat(64)}${']'.repeat(64)}}`,
      'The body is nested deeper than 64 levels.',
    ],
    ['a thousand levels', `${'['.repeat(1_000)}${']'.repeat(1_000)}`, 'The body is nested deeper than 64 levels.'],
  ])('that are %s are 400', async (_, payload, detail) => {
    expect(statusAndBody(await post(payload))).toEqual({ status: 400, body: syntax(detail) })
  })

  test('are 400 without any, if the route has a body', async () => {
    const missing = { ...syntax('This request needs a JSON body.'), title: 'The body is missing.' }
    for (const headers of [json, {}]) {
      for (const [method, path] of [
        ['POST', LIST],
        ['PUT', `${LIST}/1`],
        ['POST', `${LIST}/metafields`],
        ['PUT', `${LIST}/metafields`],
        ['DELETE', `${LIST}/metafields`],
      ] as const) {
        expect(statusAndBody(await call(method, path, undefined, { headers }))).toEqual({ status: 400, body: missing })
      }
    }
  })

  test('may begin with a byte order mark and hold 64 levels', async () => {
    expect((await post('\ufeff{"name":"marked"}')).body.data.name).toBe('marked')
    const deep = `{"name":"deep","x":${'['.repeat(63)}${']'.repeat(63)}}`
    expect((await post(deep)).body.data.name).toBe('deep')
  })
})

describe('the top level', () => {
  test.each([
    [LIST, 'null', 'error.expected.jsobject'],
    [LIST, '[]', 'error.expected.jsobject'],
    [LIST, '[{"name":"a"}]', 'error.expected.jsobject'],
    [LIST, '"a"', 'error.expected.jsobject'],
    [LIST, '5', 'error.expected.jsobject'],
    [LIST, 'false', 'error.expected.jsobject'],
    [`${LIST}/metafields`, '{}', 'error.expected.jsarray'],
    [`${LIST}/metafields`, 'null', 'error.expected.jsarray'],
    [`${LIST}/metafields`, '{"0":{}}', 'error.expected.jsarray'],
  ])('of %s must have its type: %s is 422 with the key ""', async (path, payload, reason) => {
    expect(statusAndBody(await post(payload, path))).toEqual({ status: 422, body: invalid({ '': reason }) })
  })
})

describe('text', () => {
  test.each([
    ['U+0000', 'a\\u0000b'],
    ['a high surrogate alone', '\\ud83d'],
    ['a low surrogate alone', 'a\\ude00'],
    ['a pair in the wrong order', '\\ude00\\ud83d'],
  ])('with %s is 422 in any place (C-080)', async (_, text) => {
    const body = `{"name":"${text}","meta_keywords":["a","${text}"],"custom_url":{"url":"/${text}/"}}`
    const errors = { name: UNSTORABLE, 'meta_keywords.1': UNSTORABLE, 'custom_url.url': UNSTORABLE }
    expect(statusAndBody(await post(body))).toEqual({ status: 422, body: invalid(errors) })
    const item = `{"key":"${text}","value":"v","namespace":"n","permission_set":"read","resource_id":1}`
    expect((await post(`[${item}]`, `${LIST}/metafields`)).body).toEqual(invalid({ '0.key': UNSTORABLE }))
  })

  test('that cannot be stored is reported together with all other mistakes', async () => {
    const { body } = await post('{"page_title":"\\u0000","meta_keywords":5,"custom_url":{"url":""}}')
    expect(body.errors).toEqual({
      name: 'error.path.missing',
      page_title: UNSTORABLE,
      meta_keywords: 'error.expected.jsarray',
      'custom_url.url': 'url must have at least 1 character.',
    })
  })

  test('that cannot be stored does no harm under an unknown key', async () => {
    expect((await post('{"name":"harmless","note":"\\u0000","\\ud800":["\\ud800"]}')).status).toBe(200)
  })

  test.each([
    ['emoji', '😀'],
    ['a pair of surrogates as escapes', '\\ud83d\\ude00'],
    ['right-to-left override', '\u202eabc'],
    ['blanks around', '  x  '],
    ['a line end and a tab', '\\n\\t'],
    ['quotes and backslashes', '\\"\\\\'],
    ['the last code point', '\u{10ffff}'],
    ['a character that is none', '\uffff'],
  ])('keeps %s', async (what, text) => {
    const sent = JSON.parse(`"${text}"`)
    const { body } = await post(`{"name":"${what}: ${text}","meta_description":"${text}"}`)
    expect(body.data).toMatchObject({ name: `${what}: ${sent}`, meta_description: sent })
    expect((await call('GET', `${LIST}/${body.data.id}`)).body.data).toMatchObject({ meta_description: sent })
  })

  test('is stored as NFC, and so are the keys', async () => {
    const { body } = await post(
      '{"name":"Cafe\\u0301","meta_keywords":["A\\u030a"],"page_\\u0074itle":"\\u1e9b\\u0323"}',
    )
    expect(body.data).toMatchObject({ name: 'Café', meta_keywords: ['Å'], page_title: 'ẛ̣'.normalize('NFC') })
    expect((await post('{"name":"Café"}')).status).toBe(409)
    expect(parseJson(Buffer.from('{"e\\u0301":1}'))).toEqual({ é: 1 })
    // The last of two spellings of one key counts, as of any repeated key.
    expect(parseJson(Buffer.from('{"é":1,"e\\u0301":2}'))).toEqual({ é: 2 })
  })

  test('is as long as its code points after composition', async () => {
    for (const letter of ['a', '😀', 'e\u0301', '\u1100\u1161\u11a8']) {
      expect((await call('POST', LIST, { name: letter.repeat(255) })).status, letter).toBe(200)
      const { body } = await call('POST', LIST, { name: letter.repeat(256) })
      expect(body).toEqual(invalid({ name: 'name must have at most 255 characters, not 256.' }))
    }
    // One thing to look at, and seven code points.
    const { body } = await call('POST', LIST, { name: '👨‍👩‍👧‍👦'.repeat(40) })
    expect(body).toEqual(invalid({ name: 'name must have at most 255 characters, not 280.' }))
  })

  test('has at most 30 combining marks in a row (section 16)', async () => {
    const marks = (count: number) => `x${'\u0300\u0323'.repeat(count).slice(0, count)}`
    expect((await call('POST', LIST, { name: 'marks', meta_description: marks(30) })).status).toBe(200)
    const { body } = await call('POST', LIST, { name: marks(31), meta_description: marks(31), [marks(31)]: 1 })
    const reason = 'Text must not hold more than 30 combining marks in a row.'
    expect(body).toEqual(invalid({ name: reason, meta_description: reason }))
  })

  test('has at most 30 combining marks in any place, of one unit or of two', () => {
    const marks = fc.array(fc.constantFrom('\u0300', '\u0323', '\u{1d165}', '\u{e0100}'), {
      minLength: 29,
      maxLength: 33,
    })
    const others = fc.array(fc.constantFrom('a', 'é', '\u0301b', '😀', 'x\u{1d165}'), { maxLength: 200 })
    fc.assert(
      fc.property(others, marks, others, (before, run, after) => {
        const text = `${before.join('')}|${run.join('')}|${after.join('')}`
        expect(unstorableTexts({ text }) === undefined).toBe(run.length <= 30)
      }),
      { numRuns: 1_000 },
    )
  })

  test('that is only blanks is a missing name', async () => {
    for (const name of [' ', '\t\n', '\u00a0', '\u3000']) {
      expect((await call('POST', LIST, { name })).body).toEqual(invalid({ name: 'name must not be blank.' }))
    }
  })
})

describe('numbers (C-081)', () => {
  let count = 0
  const category = (sort_order: string) =>
    post(`{"parent_id":0,"name":"number ${++count}","sort_order":${sort_order}}`, '/catalog/categories')

  test.each([
    ['5', 5],
    ['5.0', 5],
    ['5e0', 5],
    ['0.5e1', 5],
    ['-0', 0],
    ['-2147483648', -2_147_483_648],
    ['2147483647', 2_147_483_647],
  ])('%s is a whole number', async (text, value) => {
    expect((await category(text)).body.data.sort_order).toBe(value)
  })

  test.each([
    ['"5"', 'error.expected.jsnumber'],
    ['"NaN"', 'error.expected.jsnumber'],
    ['true', 'error.expected.jsnumber'],
    ['null', 'error.expected.jsnumber'],
    ['[5]', 'error.expected.jsnumber'],
    ['5.5', 'sort_order must be a whole number, not 5.5.'],
    ['1e-7', 'sort_order must be a whole number, not 1e-7.'],
    ['1e400', 'sort_order must be a whole number, not Infinity.'],
    ['-1e400', 'sort_order must be a whole number, not -Infinity.'],
    ['2147483648', 'sort_order must be at most 2147483647, not 2147483648.'],
    ['-2147483649', 'sort_order must be at least -2147483648, not -2147483649.'],
    ['99999999999999999999', 'sort_order must be at most 2147483647, not 100000000000000000000.'],
  ])('%s is invalid as a sort_order', async (text, reason) => {
    const { status, body } = await category(text)
    expect({ status, body }).toEqual({ status: 422, body: invalid({ sort_order: reason }) })
  })

  test('of ids end at 2147483647', async () => {
    for (const id of ['0', '-1', '2147483648', '1.5', '"1"', '1e400']) {
      const { status } = await call('DELETE', `${LIST}/metafields`, undefined, { headers: json, payload: `[${id}]` })
      expect(status).toBe(422)
    }
    expect((await call('DELETE', `${LIST}/metafields`, [2_147_483_647])).body.meta).toEqual({
      total: 1,
      success: 0,
      failed: 1,
    })
  })
})

describe('keys', () => {
  test('that are unknown or read-only are ignored and not stored', async () => {
    const { body } = await call('POST', LIST, {
      name: 'strict',
      id: 999,
      store_id: 1,
      name_key: 'x',
      colour: 'red',
      custom_url: { url: '/strict-one/', colour: 'red' },
    })
    expect(body.data).toEqual(
      wholeBrand({
        id: expect.any(Number),
        name: 'strict',
        custom_url: { url: '/strict-one/', is_customized: true },
      }),
    )
    expect(body.data.id).not.toBe(999)
    const again = await call('PUT', `${LIST}/${body.data.id}`, { id: 5, colour: 'red' })
    expect(again.body).toEqual(body)
  })

  test('that are repeated count once, with the last value (C-054)', async () => {
    const thousand = Array.from({ length: 1_000 }, (_, i) => `"name":"repeated ${i}"`).join()
    expect((await post(`{${thousand}}`)).body.data.name).toBe('repeated 999')
    expect((await post('{"name":5,"name":"fine"}')).status).toBe(200)
    expect((await post('{"name":"fine","name":5}')).status).toBe(422)
  })

  test('that are properties of every object are keys like any other (C-083)', async () => {
    const evil = '{"polluted":true,"constructor":{"prototype":{"polluted":true}}}'
    const { status, body } = await post(
      `{"name":"clean","__proto__":${evil},"constructor":${evil},"toString":"x","custom_url":{"url":"/clean/","__proto__":${evil}}}`,
    )
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ name: 'clean', custom_url: { url: '/clean/', is_customized: true } })
    expect(JSON.stringify(body)).not.toContain('polluted')
    expect({}).not.toHaveProperty('polluted')
    // A field that is missing stays so: the prototype does not stand in for it.
    expect((await post('{"__proto__":{"name":"inherited"}}')).body.errors).toEqual({ name: 'error.path.missing' })
    const items = '[{"__proto__":{"id":1},"value":"x"},{"id":1,"__proto__":[]}]'
    const batch = await call('PUT', `${LIST}/metafields`, undefined, { headers: json, payload: items })
    expect(batch.body.errors).toEqual({ '0.id': 'error.path.missing' })
  })
})

describe('null', () => {
  test('is 422 for a field that cannot be null, here for every field', async () => {
    const nulls = {
      name: null,
      page_title: null,
      meta_keywords: null,
      meta_description: null,
      search_keywords: null,
      image_url: null,
      custom_url: null,
    }
    const errors = {
      name: 'error.expected.jsstring',
      page_title: 'error.expected.jsstring',
      meta_keywords: 'error.expected.jsarray',
      meta_description: 'error.expected.jsstring',
      search_keywords: 'error.expected.jsstring',
      image_url: 'error.expected.jsstring',
      custom_url: 'error.expected.jsobject',
    }
    expect((await call('POST', LIST, nulls)).body).toEqual(invalid(errors))
    const { body } = await call('POST', LIST, { name: 'not null' })
    expect((await call('PUT', `${LIST}/${body.data.id}`, nulls)).body).toEqual(invalid(errors))
    const visible = await call('POST', '/catalog/categories', { parent_id: 0, name: 'x', is_visible: null })
    expect(visible.body).toEqual(invalid({ is_visible: 'error.expected.jsboolean' }))
  })
})

describe('PUT', () => {
  test('keeps the fields that the body omits', async () => {
    const whole = {
      name: 'partial',
      page_title: 'p',
      meta_keywords: ['k'],
      meta_description: 'd',
      search_keywords: 's',
    }
    const { data } = (await call('POST', LIST, whole)).body
    const { body } = await call('PUT', `${LIST}/${data.id}`, { page_title: 'q' })
    expect(body.data).toEqual({ ...data, page_title: 'q' })
    expect((await call('GET', `${LIST}/${data.id}`)).body.data).toEqual(body.data)
  })

  test('that changes no value is 200 and leaves the time of modification', async () => {
    const list = `${LIST}/1/metafields`
    const metafield = { key: 'k', value: 'v', namespace: 'n', permission_set: 'read', description: 'Caf\u00e9' }
    const { body } = await call('POST', list, metafield)
    for (const changes of [{}, metafield, { description: 'Cafe\u0301' }, body.data]) {
      expect(statusAndBody(await call('PUT', `${list}/${body.data.id}`, changes))).toEqual({ status: 200, body })
    }
  })
})

describe('a malicious body', () => {
  const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i.toString(36)}":0`)}}`
  const deep = (levels: number, open: string, close: string) => `${open.repeat(levels)}1${close.repeat(levels)}`

  test.each([
    ['100,000 levels (C-053)', deep(100_000, '[', ']'), 400],
    ['100,000 levels of objects', deep(100_000, '{"a":', '}'), 400],
    ['a million keys (C-054)', keys(1_000_000), 413],
    ['100,000 keys', keys(100_000), 413],
    ['10,000 mistakes', `{"name":"x","meta_keywords":[${'0,'.repeat(10_000)}0]}`, 422],
    ['50,000 texts that can not be stored', `{"name":"x","meta_keywords":[${'"\\u0000",'.repeat(50_000)}""]}`, 422],
    ['marks that take long to order', `{"name":"${'\u0300\u0323'.repeat(100_000)}"}`, 422],
    ['a long key above many mistakes', `{"${'k'.repeat(100_000)}":[${'"\\u0000",'.repeat(5_000)}1]}`, 422],
    ['a name of 3 MiB', `{"name":"${'x'.repeat(3 * 1024 * 1024)}"}`, 422],
  ])('is refused at once: %s', async (_, payload, status) => {
    const ms = await processorMs(async () => {
      const answer = await post(payload)
      expect(answer.status).toBe(status)
      expect(answer.text.length).toBeLessThan(200_000)
    })
    expect(ms).toBeLessThan(LINEAR_MS)
  })
})

describe('a body of very many values', () => {
  const PRODUCTS = '/catalog/products'
  const put = (payload: string) => call('PUT', PRODUCTS, undefined, { headers: json, payload })
  const list = (count: number, item: string) => `[${`${item},`.repeat(count - 1)}${item}]`
  const tooLarge = (title: string) => ({
    status: 413,
    body: { status: 413, title, type: 'http://shop.test/docs/errors#413', errors: {} },
  })
  const TOO_MANY_VALUES = 'The body has more than 300000 values.'

  test('is 413, and never parsed', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    try {
      for (const body of [list(2_000_000, '1'), list(1_000_000, '[]'), `{"a":${list(500_000, '{"b":1}')}}`]) {
        expect(statusAndBody(await put(body))).toEqual(tooLarge(TOO_MANY_VALUES))
      }
      expect(parse.mock.calls.filter(([text]) => text.length > 1_000_000)).toEqual([])
    } finally {
      parse.mockRestore()
    }
  })

  test.each([
    ['numbers', '1', 1],
    ['texts with commas in them', '"1,[2],{3"', 1],
    ['texts with quotes in them', '"\\"1,2\\\\"', 1],
    ['empty lists', '[]', 1],
    ['empty objects with blanks in them', '{ \n }', 1],
    ['lists of one', '[null]', 2],
    ['objects of one', '{"a":true}', 2],
  ])('has at most 300,000, the list of them counted: %s', (_, item, values) => {
    const most = Math.floor((BODY_VALUES_MAX - 1) / values)
    expect(parseJson(Buffer.from(list(most, item)))).toHaveLength(most)
    expect(() => parseJson(Buffer.from(list(most + 1, item)))).toThrow(TOO_MANY_VALUES)
  })

  test('has objects of at most 1,000 keys', async () => {
    const object = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":[${i},{}]`)}}`
    expect(statusAndBody(await put(`[{"id":1,"x":${object(KEYS_MAX)}}]`))).toMatchObject({ status: 422 })
    expect(statusAndBody(await put(`[{"id":1,"x":${object(KEYS_MAX + 1)}}]`))).toEqual(
      tooLarge('An object of the body has more than 1000 keys.'),
    )
    expect((await post(`{"name":"wide","x":[${object(900)},${object(900)}]}`)).status).toBe(200)
  })

  test('is checked for its length before its items, wrong ones too (step 15)', async () => {
    expect(statusAndBody(await put(list(11, '1')))).toEqual(tooLarge('At most 10 objects may be sent at once.'))
    expect(statusAndBody(await put(list(2_000, '{"id":"x","price":[]}')))).toEqual(
      tooLarge('At most 10 objects may be sent at once.'),
    )
    expect((await put(list(10, '1'))).status).toBe(422)
    expect(statusAndBody(await call('POST', PRODUCTS, undefined, { headers: json, payload: list(101, '1') }))).toEqual(
      tooLarge('At most 100 objects may be sent at once.'),
    )
    // Queries are checked before bodies, and malformed JSON before both.
    const asked = await call('PUT', `${PRODUCTS}?include=nothing`, undefined, { headers: json, payload: list(11, '1') })
    expect(asked.status).toBe(422)
    expect((await put(list(2_000, '1').slice(0, -1))).status).toBe(400)
  })

  test('is checked for its length without a look at its items', () => {
    const read = bodyReader(t.Array(t.Object({ id: t.Integer() }), { maxItems: 10 }))
    let looks = 0
    const items = new Proxy(Array.from({ length: 100_000 }), {
      get(target, name, receiver) {
        if (name !== 'length') looks++
        return Reflect.get(target, name, receiver)
      },
    })
    expect(() => read(items)).toThrow('At most 10 objects may be sent at once.')
    expect(looks).toBe(0)
  })

  test('is searched for mistakes up to the most that a refusal reports', () => {
    const read = bodyReader(t.Object({ items: t.Array(t.Object({ name: t.String() })) }))
    let looks = 0
    const item = () =>
      Object.defineProperty({}, 'name', {
        enumerable: true,
        get() {
          looks++
          return 5
        },
      })
    const items = Array.from({ length: 50_000 }, item)
    expect(() => read({ items })).toThrow('JSON data is missing or invalid')
    // Each once for texts that can't be stored, and a thousand for their mistakes.
    expect(looks).toBeLessThan(60_000)
  })
})

test('JSON is read as JSON.parse reads it, in NFC', () => {
  const nfc = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, item) => (typeof item === 'string' ? item.normalize('NFC') : item))
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8, stringUnit: 'grapheme' }), (value) => {
      const bytes = Buffer.from(JSON.stringify(value))
      expect(parseJson(bytes)).toEqual(JSON.parse(JSON.stringify(nfc(value)).normalize('NFC')))
      expect(unstorableTexts(value)).toEqual(JSON.stringify(value).includes('\\u0000') ? expect.any(Object) : undefined)
    }),
    { numRuns: 1_000 },
  )
})

test('any bytes are read or refused with 400, never with another status', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.string().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        try {
          parseJson(Buffer.from(bytes))
        } catch (error) {
          expect(error).toMatchObject({ status: 400 })
        }
      },
    ),
    { numRuns: 1_000 },
  )
})
