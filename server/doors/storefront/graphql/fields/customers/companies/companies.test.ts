import { beforeAll, describe, expect, test } from 'vitest'
import { addExtraField } from '../../../../../../sales/b2b/extra-fields/definitions.ts'
import {
  ask as askCompanion,
  enableCompanion,
  makeCompany,
  makeCompanyOrder,
} from '../../../../../../test/fixtures/companion.ts'
import { openShop, type Shop } from '../../../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../../../test/fixtures/storefront.ts'
import { dbOf } from '../../../../../../test/fixtures/webhooks.ts'

let shop: Shop
let token: string
let admin: number
let company: number

beforeAll(async () => {
  shop = await openShop()
  token = await makeToken(shop, 'impersonation')
  await enableCompanion(shop)
  const field = { isRequired: false, isUnique: false, defaultValue: '', rows: undefined, values: [] }
  const bounds = { maximumLength: undefined, maximumValue: undefined }
  const db = await dbOf(shop)
  await addExtraField(db, { ...field, ...bounds, kind: 'address', name: 'Floor', type: 'number', isVisible: true })
  await addExtraField(db, { ...field, ...bounds, kind: 'address', name: 'Secret', type: 'text', isVisible: false })
  const made = await makeCompany(shop, 'Acme')
  admin = made.customerId
  company = made.companyId
  for (const more of [
    { city: 'Sydney', isBilling: true, isDefaultBilling: true, label: 'Office', phone: '555', zipCode: '2000' },
    { city: 'Perth', isShipping: true, lastName: 'Ek' },
    { city: 'Hobart', isShipping: true, isDefaultShipping: true },
  ]) {
    const { status, text } = await askCompanion(shop, 'POST', '/v3/io/addresses', {
      firstName: 'Ann',
      lastName: 'Lee',
      addressLine1: '12 Harbour Street',
      countryCode: 'AU',
      stateCode: 'NSW',
      companyId: company,
      extraFields: [
        { fieldName: 'Floor', fieldValue: '3' },
        { fieldName: 'Secret', fieldValue: 'x' },
      ],
      ...more,
    })
    expect(status, text).toBe(200)
  }
})

async function ask(query: string, customer: number | undefined = admin) {
  const headers: Record<string, string> = customer === 0 ? {} : { 'x-svc-customer-id': String(customer) }
  const { body } = await askStorefront(shop, { token, query, headers })
  expect(body.errors, query).toBeUndefined()
  return body.data
}

const citiesOf = async (args: string, customer?: number) =>
  (await ask(`{ company { addresses${args} { edges { node { city } } } } }`, customer)).company.addresses.edges.map(
    ({ node }: { node: { city: string } }) => node.city,
  )

describe('the company of a customer', () => {
  test('shows its user with the role, and whole addresses with the fields that shoppers may see', async () => {
    const data = await ask(`{ customer { activeCompany {
      companyUser { firstName lastName company phoneNumber email companyRoleName extraFields { name } formFields { name } }
      addresses(first: 1, includesExtraFields: true) { pageInfo { hasNextPage } edges { node {
        firstName lastName address1 address2 city country countryCode stateOrProvince stateOrProvinceCode phone postalCode label
        isDefaultShipping isDefaultBilling isBilling isShipping
        extraFields { __typename name ... on NumberExtraFieldValue { number } } } } } } } }`)
    expect(data.customer.activeCompany).toEqual({
      companyUser: {
        firstName: 'Ann',
        lastName: 'Lee',
        company: 'Acme',
        phoneNumber: '',
        email: 'ann@acme.example.com',
        companyRoleName: 'Admin',
        extraFields: [],
        formFields: [],
      },
      addresses: {
        pageInfo: { hasNextPage: true },
        edges: [
          {
            node: {
              firstName: 'Ann',
              lastName: 'Lee',
              address1: '12 Harbour Street',
              address2: null,
              city: 'Sydney',
              country: 'Australia',
              countryCode: 'AU',
              stateOrProvince: 'New South Wales',
              stateOrProvinceCode: 'NSW',
              phone: '555',
              postalCode: '2000',
              label: 'Office',
              isDefaultShipping: false,
              isDefaultBilling: true,
              isBilling: true,
              isShipping: false,
              extraFields: [{ __typename: 'NumberExtraFieldValue', name: 'Floor', number: 3 }],
            },
          },
        ],
      },
    })
  })

  test.each([
    ['', ['Sydney', 'Perth', 'Hobart']],
    ['(sort: [{ field: CREATED_AT, direction: DESC }])', ['Hobart', 'Perth', 'Sydney']],
    ['(filters: { isShipping: true })', ['Perth', 'Hobart']],
    ['(filters: { isBilling: true, isDefaultBilling: true })', ['Sydney']],
    ['(filters: { isDefaultShipping: false })', ['Sydney', 'Perth']],
    ['(filters: { searchQuery: "EK" })', ['Perth']],
    ['(filters: { searchQuery: "%" })', []],
  ])('lists addresses by %s', async (args, cities) => {
    expect(await citiesOf(args)).toEqual(cities)
  })

  test('shows the orders of the company, by their filters and in each order', async () => {
    const [first, second] = [await makeCompanyOrder(shop, admin), await makeCompanyOrder(shop, admin)]
    const foreign = await makeCompanyOrder(shop, 0)
    const changed = await shop.call('PUT', `/orders/${second}`, { status_id: 2 }, { version: 'v2' })
    expect(changed.status, changed.text).toBe(200)
    const record = await askCompanion(shop, 'PUT', `/v3/io/orders/${second}`, { poNumber: 'PO-7' })
    expect(record.status, record.text).toBe(200)
    const whole = await ask(`{ customer { activeCompany {
      orders(first: 1) { pageInfo { hasNextPage } edges { node {
        entityId reference poNumber company { entityId name } placedBy { entityId firstName lastName email } status { value } } } }
      customersWithOrders(first: 5) { edges { node { entityId firstName lastName email } } } } } }`)
    const ann = { entityId: admin, firstName: 'Ann', lastName: 'Lee', email: 'ann@acme.example.com' }
    expect(whole.customer.activeCompany).toEqual({
      orders: {
        pageInfo: { hasNextPage: true },
        edges: [
          {
            node: {
              entityId: second,
              reference: 'PO-7',
              poNumber: 'PO-7',
              company: { entityId: company, name: 'Acme' },
              placedBy: ann,
              status: { value: 'SHIPPED' },
            },
          },
        ],
      },
      customersWithOrders: { edges: [{ node: ann }] },
    })
    const idsBy = async (args: string): Promise<number[]> => {
      const { customer } = await ask(`{ customer { activeCompany { orders${args} { edges { node { entityId } } } } } }`)
      return customer.activeCompany.orders.edges.map(({ node }: { node: { entityId: number } }) => node.entityId)
    }
    const [both, one, other] = [[first, second], [first], [second]]
    for (const [filters, ids] of [
      ['{ search: "po-7" }', other],
      [`{ search: "${first}" }`, one],
      ['{ search: "none" }', []],
      ['{ status: ["SHIPPED"] }', other],
      ['{ status: ["Shipped", "x"] }', other],
      ['{ status: ["x"] }', []],
      [`{ customerId: [${admin}] }`, both],
      [`{ customerId: [${admin + 1}] }`, []],
      [`{ companyIds: ["${company}", "x"] }`, both],
      [`{ companyIds: ["${company + 1}"] }`, []],
      ['{ dateRange: { from: "2020-01-01T00:00:00Z" } }', both],
      ['{ dateRange: { from: "2019-01-01T00:00:00Z", to: "2020-01-01T00:00:00Z" } }', []],
    ] as const) {
      expect(await idsBy(`(sortBy: ID_A_TO_Z, filters: ${filters})`), filters).toEqual(ids)
    }
    const falling = [second, first]
    for (const [sort, ids] of Object.entries({
      CREATED_AT_NEWEST: falling,
      CREATED_AT_OLDEST: both,
      HIGHEST_TOTAL_INC_TAX: falling,
      LOWEST_TOTAL_INC_TAX: both,
      ID_A_TO_Z: both,
      ID_Z_TO_A: falling,
      PLACED_BY_A_TO_Z: both,
      PLACED_BY_Z_TO_A: falling,
      REFERENCE_A_TO_Z: both,
      REFERENCE_Z_TO_A: falling,
      STATUS_A_TO_Z: both,
      STATUS_Z_TO_A: falling,
    })) {
      expect(await idsBy(`(sortBy: ${sort})`), sort).toEqual(ids)
      const page = await ask(
        `{ customer { activeCompany { orders(first: 1, sortBy: ${sort}) { edges { cursor } } } } }`,
      )
      const { cursor } = page.customer.activeCompany.orders.edges[0]
      expect(await idsBy(`(sortBy: ${sort}, after: "${cursor}")`), sort).toEqual(ids.slice(1))
    }
    const guest = await ask(`{ site { order(filter: { entityId: ${foreign} }) { entityId } } }`)
    expect(guest.site.order).toBeNull()
  })

  test('is null for guests, for other customers and while the company waits for approval', async () => {
    const nobody = { company: { companyUser: null, addresses: { edges: [] } } }
    const query = '{ company { companyUser { email } addresses { edges { cursor } } } }'
    expect(await ask(query, 0)).toEqual(nobody)
    const other = await shop.call('POST', '/customers', [{ email: 'o@example.com', first_name: 'O', last_name: 'P' }])
    expect(await ask(query, other.body.data[0].id)).toEqual(nobody)
    expect(await ask('{ customer { activeCompany { companyUser { email } } } }', other.body.data[0].id)).toEqual({
      customer: { activeCompany: null },
    })
    const closed = await askCompanion(shop, 'PUT', `/v3/io/companies/${company}/status`, { companyStatus: 0 })
    expect(closed.status, closed.text).toBe(200)
    expect(await ask(query)).toEqual(nobody)
  })
})
