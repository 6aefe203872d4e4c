import { beforeAll, describe, expect, test } from 'vitest'
import { addExtraField, removeExtraField } from '../../../sales/b2b/extra-fields/definitions.ts'
import type { ExtraFieldKind } from '../../../sales/b2b/extra-fields/field.ts'
import { ask, enableCompanion, makeCompany, makeInvoice } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/b2b-extra-fields.md.

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
})

const plain = {
  type: 'text',
  isRequired: false,
  isUnique: false,
  isVisible: true,
  defaultValue: '',
  maximumLength: undefined,
  rows: undefined,
  maximumValue: undefined,
  values: [],
} as const
const define = async (
  kind: ExtraFieldKind,
  name: string,
  more: Partial<Parameters<typeof addExtraField>[1]> = {},
  of = shop,
) => addExtraField(await dbOf(of), { ...plain, kind, name, ...more })

const fields = (values: Record<string, string>) =>
  Object.entries(values).map(([fieldName, fieldValue]) => ({ fieldName, fieldValue }))

let made = 0
const companyBody = (more: object = {}) => {
  const name = `Firm${++made}`
  return {
    companyName: name,
    companyEmail: `office@${name}.example.com`,
    companyPhone: '1',
    country: 'Denmark',
    adminFirstName: 'Ann',
    adminLastName: 'Lee',
    adminEmail: `ann@${name}.example.com`,
    ...more,
  }
}
/** The mistake of a new company. */
const mistake = async (values: Record<string, string>) =>
  (await ask(shop, 'POST', '/v3/io/companies', companyBody({ extraFields: fields(values) }))).body.data.errMsg

/** Paths with the definitions of a kind, and the message of their answers. */
const LISTS = [
  ['company', '/v3/io/companies', 'SUCCESS'],
  ['user', '/v3/io/users', 'Success'],
  ['address', '/v3/io/addresses', 'Success'],
  ['invoice', '/v3/io/ip/invoices', 'SUCCESS'],
] as const

test.each(LISTS)('lists the fields of the kind %s', async (kind, path, message) => {
  const own = await openShop()
  await enableCompanion(own)
  await define(kind, 'Plain', {}, own)
  const { id, uuid } = await define(
    kind,
    'Size',
    {
      type: 'dropdown',
      values: ['small', 'large'],
      isRequired: true,
      isVisible: false,
      defaultValue: 'small',
      maximumLength: 9,
      rows: 3,
      maximumValue: 1.5,
    },
    own,
  )
  const { body } = await ask(own, 'GET', `${path}/extra-fields?offset=1&limit=5`)
  expect(body).toEqual({
    code: 200,
    data: [
      {
        id,
        uuid,
        fieldName: 'Size',
        fieldType: 3,
        isRequired: true,
        isUnique: false,
        visibleToEnduser: false,
        configType: 2,
        defaultValue: 'small',
        maximumLength: '9',
        numberOfRows: '3',
        maximumValue: '1.5',
        listOfValue: ['small', 'large'],
      },
    ],
    meta: { message, pagination: { totalCount: 2, limit: 5, offset: 1 } },
  })
  expect((await ask(own, 'GET', `${path}/extra-fields?limit=251`)).status).toBe(413)
})

describe('values of companies', () => {
  let path: string
  beforeAll(async () => {
    await define('company', 'Tier', { type: 'dropdown', values: ['gold', 'silver'] })
    await define('company', 'Motto', { maximumLength: 5 })
    await define('company', 'Staff', { type: 'number', maximumValue: 500 })
    await define('company', 'Region', { defaultValue: 'north' })
    const { companyId } = await makeCompany(shop, 'Acme', { extraFields: fields({ tier: 'gold', Staff: '12.5' }) })
    path = `/v3/io/companies/${companyId}`
  })

  test('are stored by their field, beside the defaults, and merged by changes', async () => {
    const read = async () => (await ask(shop, 'GET', path)).body.data.extraFields
    expect(await read()).toEqual([
      { fieldName: 'Tier', fieldValue: 'gold', labelName: 'Tier', isRequired: '0', dataType: '3', fieldType: 3 },
      { fieldName: 'Staff', fieldValue: '12.5', labelName: 'Staff', isRequired: '0', dataType: '2', fieldType: 2 },
      { fieldName: 'Region', fieldValue: 'north', labelName: 'Region', isRequired: '0', dataType: '0', fieldType: 0 },
    ])
    expect((await ask(shop, 'PUT', path, { extraFields: fields({ Motto: 'Hello', Staff: '' }) })).status).toBe(200)
    expect(await read()).toMatchObject(fields({ Tier: 'gold', Motto: 'Hello', Region: 'north' }))
  })

  test('are in lists only if a query includes them', async () => {
    const list = async (query: string) => (await ask(shop, 'GET', `/v3/io/companies?q=acme${query}`)).body.data[0]
    expect((await list('')).extraFields).toEqual([])
    expect((await list('&isIncludeExtraFields=0')).extraFields).toEqual([])
    expect((await list('&isIncludeExtraFields=1')).extraFields[0]).toMatchObject({ fieldName: 'Tier' })
  })

  test.each([
    ['extraFields=tier:GOL', 1],
    ['extraFields=tier:gold&extraFieldFilterType=exact-match', 1],
    ['extraFields=tier:gol&extraFieldFilterType=exact-match', 0],
    ['extraFields=tier:gold&extraFields=region:nor', 1],
    ['extraFields=tier:gold&extraFields=region:south', 0],
    ['extraFields=unknown:gold', 0],
    ['extraFields=gold', 0],
  ])('are found by %s', async (query, count) => {
    expect((await ask(shop, 'GET', `/v3/io/companies?q=acme&${query}`)).body.meta.pagination.totalCount).toBe(count)
  })

  test.each([
    [{ Tier: 'bronze' }, 'The extra field "Tier" is one of: gold, silver.'],
    [{ Motto: '123456' }, 'The extra field "Motto" has at most 5 characters.'],
    [{ Staff: '1e2' }, 'The extra field "Staff" is a plain decimal number.'],
    [{ Staff: '500.1' }, 'The extra field "Staff" is at most 500.'],
    [{ Colour: 'red' }, 'The extra field "Colour" does not exist.'],
  ])('are refused if they are invalid: %s', async (values, sentence) => {
    expect(await mistake(values as Record<string, string>)).toEqual({ extraFields: [sentence] })
    expect((await ask(shop, 'PUT', path, { extraFields: fields(values as Record<string, string>) })).body).toEqual({
      code: 422,
      data: { errMsg: { extraFields: [sentence] } },
      meta: { message: 'Parameter Error' },
      detail: sentence,
    })
  })

  test('at their bounds are stored', async () => {
    expect((await ask(shop, 'PUT', path, { extraFields: fields({ Motto: '12345', Staff: '500' }) })).status).toBe(200)
  })

  test('of a removed field disappear, also for a later field of its name', async () => {
    const { companyId } = await makeCompany(shop, 'Leaver', { extraFields: fields({ Motto: 'Bye' }) })
    await removeExtraField(await dbOf(shop), 'company', 'motto')
    await define('company', 'Motto')
    expect((await ask(shop, 'GET', `/v3/io/companies/${companyId}`)).body.data.extraFields).toMatchObject(
      fields({ Region: 'north' }),
    )
    await expect(removeExtraField(await dbOf(shop), 'company', 'nothing')).rejects.toThrow('no extra field "nothing"')
  })
})

describe('unique values', () => {
  beforeAll(() => define('company', 'Code', { isUnique: true }))
  const taken = { extraFields: ['Another resource has this value of the extra field "Code".'] }
  const make = (code: string) =>
    ask(shop, 'POST', '/v3/io/companies', companyBody({ extraFields: fields({ Code: code }) }))

  test('are refused for a second resource, in any case, until the first one has lost them', async () => {
    const { companyId } = (await make('A-1')).body.data
    expect((await make('a-1')).body.data.errMsg).toEqual(taken)
    const other = (await make('A-2')).body.data.companyId
    const put = (id: number, code: string) =>
      ask(shop, 'PUT', `/v3/io/companies/${id}`, { extraFields: fields({ Code: code }) })
    expect((await put(other, 'A-1')).body.data.errMsg).toEqual(taken)
    expect((await put(companyId, 'A-1')).status).toBe(200)
    expect((await put(companyId, 'A-3')).status).toBe(200)
    expect((await put(other, 'A-1')).status).toBe(200)
    expect((await put(companyId, 'A-1')).body.data.errMsg).toEqual(taken)
    await ask(shop, 'DELETE', `/v3/io/companies/${other}`)
    expect((await put(companyId, 'A-1')).status).toBe(200)
  })

  test('are stored for one of two concurrent requests', async () => {
    const both = await Promise.all([make('B-1'), make('B-1')])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  })
})

describe('users, addresses and invoices', () => {
  let companyId: number
  beforeAll(async () => {
    await define('user', 'Desk', { isRequired: true })
    await define('address', 'Gate', { isUnique: true })
    await define('invoice', 'Cost centre')
    const { body } = await ask(
      shop,
      'POST',
      '/v3/io/companies',
      companyBody({ userExtraFields: fields({ Desk: '1' }) }),
    )
    companyId = body.data.companyId
  })

  test('a new user needs the required field; a change needs it only if it names it', async () => {
    const required = 'The extra field "Desk" is required.'
    const refused = await ask(shop, 'POST', '/v3/io/companies', companyBody())
    expect(refused.body.data.errMsg).toEqual({ userExtraFields: [required] })
    const user = { firstName: 'Bo', lastName: 'Ek', email: 'bo@desk.example.com', companyId, role: 2, channelIds: [1] }
    expect((await ask(shop, 'POST', '/v3/io/users', user)).body.data.errMsg).toEqual({ extraFields: [required] })
    const extraFields = fields({ Desk: '7' })
    const { userId } = (await ask(shop, 'POST', '/v3/io/users', { ...user, extraFields })).body.data
    const path = `/v3/io/users/${userId}`
    expect((await ask(shop, 'PUT', path, { phoneNumber: '5' })).body.data.extraFields).toEqual(extraFields)
    const empty = await ask(shop, 'PUT', path, { extraFields: fields({ Desk: '' }) })
    expect(empty.body.data.errMsg).toEqual({ extraFields: [required] })
    const list = async (query: string) => (await ask(shop, 'GET', `/v3/io/users?q=ek${query}`)).body.data[0].extraFields
    expect(await list('')).toEqual([])
    expect(await list('&isIncludeExtraFields=1')).toEqual(extraFields)
  })

  test('addresses store values, and a list of them is refused by item', async () => {
    const address = (gate: string) => ({
      firstName: 'Ann',
      lastName: 'Lee',
      addressLine1: '1 Pier',
      city: 'Aarhus',
      countryCode: 'DK',
      companyId,
      extraFields: fields({ Gate: gate }),
    })
    const { addressId } = (await ask(shop, 'POST', '/v3/io/addresses', address('A'))).body.data
    const path = `/v3/io/addresses/${addressId}`
    const fieldsWith = (gate: string) => [{ fieldName: 'Gate', fieldValue: gate, fieldType: 0 }]
    expect((await ask(shop, 'GET', path)).body.data.extraFields).toEqual(fieldsWith('A'))
    expect((await ask(shop, 'PUT', path, { extraFields: fields({ Gate: 'B' }) })).status).toBe(200)
    const bulk = (items: object[]) => ask(shop, 'POST', '/v3/io/addresses/bulk', items)
    const unknown = { ...address('C'), extraFields: fields({ Door: '1' }) }
    expect((await bulk([address('C'), unknown])).body.data.errMsg).toEqual([
      {},
      { extraFields: ['The extra field "Door" does not exist.'] },
    ])
    expect((await bulk([address('C'), address('C')])).status).toBe(422)
    expect(
      (await bulk([address('C'), address('A')])).body.data.map(
        ({ extraFields }: { extraFields: unknown }) => extraFields,
      ),
    ).toEqual([fieldsWith('C'), fieldsWith('A')])
    const list = async (query: string) => (await ask(shop, 'GET', `/v3/io/addresses${query}`)).body.data.at(-1)
    expect((await list('')).extraFields).toEqual([])
    expect((await list('?isIncludeExtraFields=1')).extraFields).toEqual(fieldsWith('B'))
  })

  test('invoices store values, which changes merge', async () => {
    const id = await makeInvoice(shop, companyId, '10', { extraFields: fields({ 'Cost centre': '77' }) })
    const path = `/v3/io/ip/invoices/${id}`
    expect((await ask(shop, 'GET', path)).body.data.extraFields).toEqual(fields({ 'Cost centre': '77' }))
    await ask(shop, 'PUT', path, { extraFields: fields({ 'cost centre': '78' }) })
    const list = (await ask(shop, 'GET', '/v3/io/ip/invoices?isIncludeExtraFields=1')).body.data[0]
    expect(list.extraFields).toEqual(fields({ 'Cost centre': '78' }))
  })
})

describe('a definition is refused', () => {
  test.each([
    ['without a name', ' ', {}, 'needs a name'],
    ['with a colon in its name', 'a:b', {}, 'without a colon'],
    ['with a name of 201 characters', 'x'.repeat(201), {}, 'at most 200 characters'],
    ['as a dropdown without values', 'Empty', { type: 'dropdown' }, 'needs values'],
    ['as a text with values', 'Text', { values: ['a'] }, 'needs values'],
    ['as unique with a default', 'One', { isUnique: true, defaultValue: 'a' }, "can't have a default"],
    ['with a default that is no value', 'Age', { type: 'number', defaultValue: 'old' }, 'plain decimal number'],
    ['twice, in any case', 'TIER', {}, 'Another extra field has this name.'],
  ] as const)('%s', async (_, name, more, sentence) => {
    await expect(define('company', name, more)).rejects.toThrow(sentence)
  })

  test('after 50 of its kind', async () => {
    const own = await openShop()
    await enableCompanion(own)
    for (let i = 0; i < 50; i++) await define('quote', `Field ${i}`, {}, own)
    await expect(define('quote', 'One more', {}, own)).rejects.toThrow('At most 50 fields')
    expect((await define('order', 'Another kind', {}, own)).field_name).toBe('Another kind')
  })
})
