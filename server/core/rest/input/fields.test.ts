import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { problem, wholeBrand } from '../../../test/document/expected.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

// docs/contract/conventions.md section 6.

const brandFields = Object.keys(wholeBrand())
const metafieldFields = [
  'id',
  'key',
  'value',
  'namespace',
  'permission_set',
  'description',
  'resource_type',
  'resource_id',
  'date_created',
  'date_modified',
  'owner_client_id',
]

let call: Shop['call']
beforeAll(async () => {
  call = (await openShop()).call
  for (const name of ['Zoë', 'adam', 'Émile', 'Bert', 'zoe', '_', 'ß', 'ﬁ', '😀']) {
    await call('POST', '/catalog/brands', { name })
  }
  for (const key of ['a', 'b']) {
    await call('POST', '/catalog/brands/1/metafields', { key, value: '1', namespace: 'n', permission_set: 'read' })
  }
  await call('POST', '/catalog/categories', { parent_id: 0, name: 'Mugs' })
})

/** The fields of each resource in the answer, which must be the same for all. */
async function shown(path: string): Promise<string[]> {
  const { status, body } = await call('GET', path)
  expect(status, JSON.stringify(body)).toBe(200)
  const all: object[] = Array.isArray(body.data) ? body.data : [body.data]
  const [first, ...others] = all.map((one) => Object.keys(one))
  for (const other of others) expect(other).toEqual(first)
  return first ?? []
}

describe.each([
  ['/catalog/brands', brandFields],
  ['/catalog/brands/1', brandFields],
  ['/catalog/brands/1/metafields', metafieldFields],
  ['/catalog/brands/1/metafields/1', metafieldFields],
  ['/catalog/brands/metafields', metafieldFields],
])('%s', (path, fields) => {
  const [, first = '', second = '', ...rest] = fields
  const last = rest.at(-1) ?? ''

  test.each([
    ['', fields],
    [`include_fields=${first},${last}`, ['id', first, last]],
    [`include_fields=%20${last}%20,%20${first},${last}`, ['id', first, last]],
    [`include_fields=${first}&include_fields=${last}`, ['id', first, last]],
    ['include_fields=id', ['id']],
    [`exclude_fields=${first},${second}`, ['id', ...rest]],
    ['exclude_fields=id', fields],
    [`exclude_fields=${fields}`, ['id']],
    [`include_fields=${first},${second}&exclude_fields=${second}`, ['id', first]],
    [`include_fields=${first}&exclude_fields=${first},id`, ['id']],
    ['include_fields=', fields],
    ['include_fields=%20,%20&exclude_fields=', fields],
    [`include_fields=colour,${first}`, ['id', first]],
    ['include_fields=colour', ['id']],
    ['exclude_fields=colour', fields],
    [`include_fields=${first.toUpperCase()}`, ['id']],
    // Private columns, paths into a field, and names that every object has (C-075).
    ['include_fields=store_id,name_key,key_key,tree_id,token_hash,*', ['id']],
    ['include_fields=custom_url.url,meta_keywords.0', ['id']],
    ['include_fields=__proto__,constructor,toString,hasOwnProperty', ['id']],
    ['exclude_fields=__proto__,constructor,custom_url.url', fields],
    ['include_fields=%00,;drop%20table%20brands', ['id']],
  ])('?%s', async (query, expected) => {
    expect(await shown(`${path}?${query}`)).toEqual(expected)
  })
})

test('any choice of fields shows the included ones without the excluded ones, and the id', async () => {
  const choice = fc.uniqueArray(fc.constantFrom(...brandFields, 'colour', '__proto__', 'custom_url.url'))
  await fc.assert(
    fc.asyncProperty(choice, choice, fc.constantFrom('', '/1'), async (include, exclude, one) => {
      const isShown = (field: string) =>
        field === 'id' || ((include.length === 0 || include.includes(field)) && !exclude.includes(field))
      const query = `include_fields=${include}&exclude_fields=${exclude}`
      expect(await shown(`/catalog/brands${one}?${query}`)).toEqual(brandFields.filter(isShown))
    }),
    { numRuns: 200 },
  )
})

test('a field that is left out can still filter and sort', async () => {
  const { body } = await call('GET', '/catalog/brands?include_fields=page_title&name:like=zo&sort=name')
  expect(body.data).toEqual([
    { id: 5, page_title: '' },
    { id: 1, page_title: '' },
  ])
})

test('writes answer with all fields, with any query', async () => {
  const { body } = await call('PUT', '/catalog/brands/1?include_fields=id', {})
  expect(Object.keys(body.data)).toEqual(brandFields)
})

test('no list offers anything to include', async () => {
  for (const path of ['/catalog/brands', '/catalog/brands/1/metafields', '/catalog/categories']) {
    expect((await call('GET', `${path}?include=metafields`)).status).toBe(422)
  }
})

describe('sort', () => {
  const order = async (query: string) => {
    const { status, body } = await call('GET', `/catalog/brands?${query}`)
    expect(status).toBe(200)
    return body.data.map(({ id }: { id: number }) => id)
  }

  test.each([
    ['', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['direction=desc', [9, 8, 7, 6, 5, 4, 3, 2, 1]],
    ['direction=asc', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    // By code point after folding: _ adam bert zoe zoë ß émile ﬁ 😀, the last of which is beyond the 16 bits of the one before.
    ['sort=name', [6, 2, 4, 5, 1, 7, 3, 8, 9]],
    ['sort=name&direction=asc', [6, 2, 4, 5, 1, 7, 3, 8, 9]],
    ['sort=name&direction=desc', [9, 8, 3, 7, 1, 5, 4, 2, 6]],
    ['sort=page_title&sort=name&direction=asc&direction=desc', [9, 8, 3, 7, 1, 5, 4, 2, 6]],
  ])('?%s', async (query, expected) => {
    expect(await order(query)).toEqual(expected)
  })

  test.each([
    ['sort=name;drop', 'sort must be one of name, not "name;drop"'],
    ['sort=__proto__', 'sort must be one of name, not "__proto__"'],
    ['sort=page_title', 'sort must be one of name, not "page_title"'],
    ['sort=id', 'sort must be one of name, not "id"'],
    ['sort=NAME', 'sort must be one of name, not "NAME"'],
    ['sort=name:desc', 'sort must be one of name, not "name:desc"'],
    ['sort=name,id', 'sort must be one of name, not "name,id"'],
    ['sort=', 'sort must be one of name, not ""'],
    ['sort[]=name', '"sort[]" is not a parameter here'],
    ['direction=DESC', 'direction must be one of asc, desc, not "DESC"'],
    ['direction=', 'direction must be one of asc, desc, not ""'],
    ['sort=name&direction=down', 'direction must be one of asc, desc, not "down"'],
  ])('?%s is 422 (C-077)', async (query, reason) => {
    const { status, body } = await call('GET', `/catalog/brands?${query}`)
    expect({ status, body }).toMatchObject({ status: 422, body: problem(422, `The query is not valid: ${reason}.`) })
  })

  test('is unknown to a list without sort', async () => {
    expect((await call('GET', '/catalog/brands/1/metafields?sort=id')).status).toBe(422)
    expect((await call('GET', '/catalog/brands/1/metafields?direction=desc')).body.data[0].id).toBe(2)
  })
})
