import { beforeEach, expect, test } from 'vitest'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'

// docs/contract/customer-addresses.md section 5

const all = '/customers/1/addresses'
const home = {
  first_name: 'Ann',
  last_name: 'Lee',
  street_1: '12 Harbour Street',
  city: 'Sydney',
  state: 'New South Wales',
  zip: '2000',
  country: 'Australia',
  phone: '555 0100',
}
const whole = {
  id: 1,
  customer_id: 1,
  ...home,
  company: '',
  street_2: '',
  country_iso2: 'AU',
  address_type: 'residential',
}

let shop: Shop
let call: Shop['call']
const v2 = (method: string, path: string, body?: unknown) => call(method, path, body, { version: 'v2' })

beforeEach(async () => {
  shop = await openShop()
  call = shop.call
  await call('POST', '/customers', [
    { email: 'a@x.test', first_name: 'A', last_name: 'B' },
    { email: 'b@x.test', first_name: 'A', last_name: 'B' },
  ])
})

test('an address is made, listed, counted, read, changed and deleted; both families speak of it', async () => {
  expect(await v2('GET', all)).toMatchObject({ status: 204, text: '' })
  expect((await v2('GET', `${all}/count`)).body).toEqual({ count: 0 })
  expect(await v2('POST', all, home)).toMatchObject({ status: 200, body: whole })
  expect((await v2('GET', all)).body).toEqual([whole])
  expect((await v2('GET', `${all}?limit=1&page=2&colour=red`)).status).toBe(204)
  expect((await v2('GET', `${all}/count`)).body).toEqual({ count: 1 })
  expect((await v2('GET', `${all}/1`)).body).toEqual(whole)
  expect((await call('GET', '/customers/addresses')).body.data).toMatchObject([
    { id: 1, address1: home.street_1, state_or_province: home.state, postal_code: '2000', country_code: 'AU' },
  ])
  const changes = {
    company: 'Lee & Co',
    street_1: '1 Pier',
    street_2: 'b',
    city: 'Central',
    state: ' ',
    zip: '',
    country: 'Hong Kong',
    address_type: 'commercial',
  }
  const changed = { ...whole, ...changes, state: '', country_iso2: 'HK' }
  expect((await v2('PUT', `${all}/1`, { ...changes, id: 9, customer_id: 2, country_iso2: 'DK' })).body).toEqual(changed)
  await call('PUT', '/customers/addresses', [{ id: 1, phone: '7' }])
  expect((await v2('GET', `${all}/1`)).body).toEqual({ ...changed, phone: '7' })
  expect((await v2('DELETE', `${all}/1`)).status).toBe(204)
  expect((await v2('GET', `${all}/1`)).status).toBe(404)
  const scopes = (await rowsOf(shop, 'events'))
    .map(({ scope }) => String(scope))
    .filter((scope) => scope.includes('address'))
  expect(scopes).toEqual(['created', 'updated', 'updated', 'deleted'].map((deed) => `store/customer/address/${deed}`))
})

test('an equal address is answered with the one that is there, and a change that would make one changes nothing', async () => {
  await v2('POST', all, home)
  expect((await v2('POST', all, { ...home, country: 'Australia', company: '' })).body).toEqual(whole)
  const other = (await v2('POST', all, { ...home, city: 'Perth' })).body
  expect((await v2('PUT', `${all}/2`, { city: 'Sydney' })).body).toEqual(other)
  expect((await v2('GET', `${all}/count`)).body).toEqual({ count: 2 })
})

test('all addresses of a customer are deleted at once, page and limit are ignored', async () => {
  for (const city of ['A', 'B', 'C']) await v2('POST', all, { ...home, city })
  await v2('POST', '/customers/2/addresses', home)
  expect((await v2('DELETE', `${all}?colour=red`)).status).toBe(400)
  expect((await v2('DELETE', `${all}?limit=1&page=2`)).status).toBe(204)
  expect((await v2('GET', all)).status).toBe(204)
  expect((await v2('GET', '/customers/2/addresses')).body).toHaveLength(1)
})

test('unknown customers and addresses, and those of another customer, are not found', async () => {
  await v2('POST', '/customers/2/addresses', home)
  for (const [method, path, body] of [
    ['GET', '/customers/9/addresses'],
    ['GET', '/customers/9/addresses/count'],
    ['POST', '/customers/9/addresses', home],
    ['DELETE', '/customers/9/addresses'],
    ['GET', `${all}/1`],
    ['PUT', `${all}/1`, { city: 'X' }],
    ['DELETE', `${all}/1`],
    ['GET', `${all}/9`],
    ['GET', '/customers/9/addresses/1'],
  ] as const) {
    const { status, body: answer } = await v2(method, path, body)
    expect([method, path, status, answer[0].status]).toEqual([method, path, 404, 404])
  }
  expect((await v2('GET', '/customers/2/addresses/1')).body.city).toBe('Sydney')
})

test('mistakes are 400, with the field names of v2', async () => {
  const refused = async (method: string, path: string, body: unknown) => {
    const { status, body: answer } = await v2(method, path, body)
    return [status, answer[0].details]
  }
  expect(await refused('POST', all, {})).toEqual([
    400,
    Object.fromEntries(Object.keys(home).map((field) => [field, 'error.path.missing'])),
  ])
  const said = expect.any(String)
  expect(await refused('POST', all, { ...home, country: 'australia' })).toEqual([400, { country: said }])
  expect(await refused('POST', all, { ...home, state: 'NSW', zip: '' })).toEqual([400, { state: said, zip: said }])
  expect(await refused('POST', all, { ...home, state: null })).toEqual([400, { state: 'error.expected.jsstring' }])
  expect(await refused('POST', all, { ...home, phone: 'x'.repeat(51) })).toEqual([400, { phone: said }])
  await v2('POST', all, home)
  expect(await refused('PUT', `${all}/1`, { country: 'Canada' })).toEqual([400, { state: said }])
  expect(await refused('PUT', `${all}/1`, { country: 'Nowhere' })).toEqual([400, { country: said }])
  expect(await refused('PUT', `${all}/1`, { street_1: '' })).toEqual([400, { street_1: said }])
  expect((await v2('GET', all)).body).toEqual([whole])
})
