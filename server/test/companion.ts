import { expect } from 'vitest'
import { createStaff, type StaffRole } from '../b2b/staff.ts'
import { setCompanion } from '../b2b/store.ts'
import { randomIds } from '../core/ids.ts'
import { type Answered, type Call, type Shop, theHouse } from './shop.ts'
import { dbOf } from './webhooks.ts'

// What tests of the companion API begin with.

const enabled = new WeakSet<Shop>()

/** Gives a shop the companion API, once. */
export async function enableCompanion(shop: Shop) {
  if (enabled.has(shop)) return
  enabled.add(shop)
  await setCompanion(await dbOf(shop), true)
}

/** Asks the companion API of a shop. @param path below `/b2b/api` */
export const ask = (shop: Shop, method: string, path: string, body?: unknown, call: Call = {}): Promise<Answered> =>
  shop.call(method, path, body, { ...call, version: 'b2b' })

/** Asks without the token of an account; with the headers that are given, and no others. */
export async function askBare(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const { server } = await theHouse()
  const answer = await server.inject({
    method: method as 'GET',
    url: `/b2b/api${path}`,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: isJson ? answer.json() : undefined,
    text: answer.body,
  }
}

/** The body of a refusal. @param said a sentence, or sentences by field */
export const refused = (code: number, message: unknown, said: unknown) => ({
  code,
  data: { errMsg: said },
  meta: { message },
  detail: expect.any(String),
})

let staffed = 0

/** Somebody of the staff, with the password. */
export async function makeStaff(shop: Shop, role: StaffRole = 'owner', isSalesRep = false) {
  await enableCompanion(shop)
  const email = `staff${++staffed}@example.com`
  return createStaff(await dbOf(shop), randomIds, { email, name: 'Staff', role, isSalesRep })
}

export const makeRep = async (shop: Shop): Promise<number> => (await makeStaff(shop, 'owner', true)).id

/** A backend token of a new member of staff. */
export async function backendToken(shop: Shop, isSalesRep = false, more: object = {}): Promise<string> {
  const { email, password } = await makeStaff(shop, 'owner', isSalesRep)
  const body = { storeHash: shop.store.hash, email, password, ...more }
  const { body: made } = await askBare('POST', '/io/auth/backend', body)
  return made.data[0].token
}

/** @returns its id */
export async function makeBackendToken(shop: Shop): Promise<number> {
  await backendToken(shop)
  const { body } = await ask(shop, 'GET', '/io/backend/tokens')
  return body.data.at(-1).id
}

/** A company with its admin. @param name of the company and, in lower case, the host of its addresses */
export async function makeCompany(shop: Shop, name: string, more: object = {}) {
  const host = `${name.toLowerCase()}.example.com`
  const { body } = await ask(shop, 'POST', '/v3/io/companies', {
    companyName: name,
    companyEmail: `office@${host}`,
    companyPhone: '555 1234',
    country: 'Australia',
    adminFirstName: 'Ann',
    adminLastName: 'Lee',
    adminEmail: `ann@${host}`,
    ...more,
  })
  return body.data as { companyId: number; customerId: number; customerGroupId: number }
}

/** @returns the customer id of a buyer */
export const makeBuyer = async (shop: Shop): Promise<number> => (await makeCompany(shop, 'Buyers')).customerId
