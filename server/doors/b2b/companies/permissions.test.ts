import { beforeAll, expect, test } from 'vitest'
import { ask, enableCompanion, refused } from '../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'

// docs/contract/companies.md section 3: permissions that a store defines.

const PERMISSIONS = '/v3/io/companies/permissions'
const ROLES = '/v3/io/companies/roles'
let shop: Shop
beforeAll(async () => {
  shop = await openShop()
  await enableCompanion(shop)
})

const body = (code: string, more: object = {}) => ({ name: `May ${code}`, description: 'Text', code, ...more })
const create = (code: string, more: object = {}) => ask(shop, 'POST', PERMISSIONS, body(code, more))
const find = async (q: string) => (await ask(shop, 'GET', `${PERMISSIONS}?q=${q}`)).body.data

test('a store defines permissions, whose ids begin above the predefined ones', async () => {
  const permission = {
    id: 1_001,
    name: 'May count',
    description: 'Text',
    code: 'count',
    moduleName: 'stock',
    isCustom: true,
  }
  expect((await create('count', { moduleName: 'stock' })).body).toEqual({
    code: 200,
    data: permission,
    meta: { message: 'SUCCESS' },
  })
  expect(await find('MAY COUNT')).toEqual([permission])
  const changed = { ...permission, name: 'May count all', moduleName: '' }
  expect((await ask(shop, 'PUT', `${PERMISSIONS}/1001`, body('count', { name: 'May count all' }))).body.data).toEqual(
    changed,
  )
  expect((await ask(shop, 'DELETE', `${PERMISSIONS}/1001`)).body).toEqual({
    code: 200,
    data: {},
    meta: { message: 'SUCCESS' },
  })
  expect(await find('count')).toEqual([])
})

test('roles grant them; they lose a deleted one, and follow a new code', async () => {
  const { id } = (await create('weigh')).body.data
  const { id: other } = (await create('pack')).body.data
  const grants = [
    { code: 'weigh', permissionLevel: 3 },
    { code: 'pack', permissionLevel: 1 },
    { code: 'get_orders', permissionLevel: 2 },
  ]
  const { data: role } = (await ask(shop, 'POST', ROLES, { name: 'Store hands', permissions: grants })).body
  const granted = async () => (await ask(shop, 'GET', `${ROLES}/${role.id}`)).body.data.permissions
  expect(role.permissions).toMatchObject([{ id, ...grants[0] }, { id: other, ...grants[1] }, grants[2]])
  await ask(shop, 'PUT', `${PERMISSIONS}/${id}`, body('weigh_all'))
  expect(await granted()).toMatchObject([{ id, code: 'weigh_all', permissionLevel: 3 }, grants[1], grants[2]])
  await ask(shop, 'DELETE', `${PERMISSIONS}/${other}`)
  await ask(shop, 'DELETE', `${PERMISSIONS}/${id}`)
  expect(await granted()).toMatchObject([grants[2]])
  const unknown = await ask(shop, 'POST', ROLES, { name: 'Others', permissions: [grants[0]] })
  expect(unknown.body.data.errMsg).toEqual({ 'permissions.0.code': ['This permission code does not exist.'] })
  const { id: level } = (await create('lift')).body.data
  const wrong = await ask(shop, 'POST', ROLES, {
    name: 'Others',
    permissions: [{ code: 'lift', permissionLevel: 4 }],
  })
  expect(wrong.body.data.errMsg).toEqual({ 'permissions.0.permissionLevel': ['lift has the levels 1, 2, 3.'] })
  expect(level).toBeGreaterThan(1_000)
})

test('names and codes are unique, also against the predefined ones', async () => {
  await create('sort')
  const { id } = (await create('sift')).body.data
  const taken = (field: string) =>
    refused(422, 'Parameter Error', { [field]: [`Another permission has this ${field}.`] })
  expect((await create('SORT', { name: 'Else' })).body).toEqual(taken('code'))
  expect((await create('other', { name: 'may SORT' })).body).toEqual(taken('name'))
  expect((await create('GET_orders')).body).toEqual(taken('code'))
  expect((await create('others', { name: 'get orders' })).body).toEqual(taken('name'))
  expect((await ask(shop, 'PUT', `${PERMISSIONS}/${id}`, body('sort', { name: 'Else' }))).body).toEqual(taken('code'))
  expect((await ask(shop, 'PUT', `${PERMISSIONS}/${id}`, body('sift'))).status).toBe(200)
})

test('predefined and unknown ones are refused, as are missing or long fields', async () => {
  const fixed = refused(422, 'Logical Error', "A predefined permission can't be changed.")
  expect((await ask(shop, 'PUT', `${PERMISSIONS}/1`, body('mine'))).body).toEqual(fixed)
  expect((await ask(shop, 'DELETE', `${PERMISSIONS}/1`)).body).toEqual(fixed)
  for (const id of ['999', '999999', 'abc']) {
    expect((await ask(shop, 'PUT', `${PERMISSIONS}/${id}`, body('mine'))).status).toBe(404)
    expect((await ask(shop, 'DELETE', `${PERMISSIONS}/${id}`)).status).toBe(404)
  }
  expect((await ask(shop, 'POST', PERMISSIONS, {})).body.data.errMsg).toEqual({
    name: ['This field is required'],
    description: ['This field is required'],
    code: ['This field is required'],
  })
  for (const [field, value] of [
    ['name', 'x'.repeat(201)],
    ['description', 'x'.repeat(513)],
    ['code', 'x'.repeat(51)],
    ['code', 'with blank'],
    ['moduleName', 'x'.repeat(51)],
  ] as const) {
    expect(Object.keys((await create('bounds', { [field]: value })).body.data.errMsg)).toEqual([field])
  }
  const longest = { name: 'x'.repeat(200), description: 'x'.repeat(512), moduleName: 'x'.repeat(50) }
  expect((await create('x'.repeat(50), longest)).status).toBe(200)
})
