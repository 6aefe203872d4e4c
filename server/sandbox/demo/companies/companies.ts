import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { insert } from '../../../core/rest/lists/verbs.ts'
import { invalid } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { changeCustomers } from '../../../customers/accounts/change.ts'
import { findCustomersByEmail } from '../../../customers/accounts/lookup.ts'
import { changeStatus } from '../../../doors/b2b/companies/company-changes.ts'
import { createCompany } from '../../../doors/b2b/companies/new-company.ts'
import { createSuperAdmins } from '../../../doors/b2b/super-admins/changes.ts'
import { setCompanion } from '../../../doors/b2b/tokens/store.ts'
import { addUsers } from '../../../doors/b2b/users/new-user.ts'
import { inList } from '../../../doors/b2b/users/user-changes.ts'
import { createCompanyAddresses } from '../../../sales/b2b/addresses/address.ts'
import { APPROVED } from '../../../sales/b2b/companies/company.ts'
import { attachCompany } from '../../../sales/b2b/companies/hierarchy.ts'
import { companyRoles, roleOfNumber } from '../../../sales/b2b/roles/roles.ts'
import { SELLER } from '../../../sales/b2b/shared/caller.ts'
import { assignToSuperAdmin } from '../../../sales/b2b/super-admins/assignments.ts'
import { findUsers } from '../../../sales/b2b/users/user.ts'
import { FIRST_CHANNEL } from '../../../shop/channels/channels.ts'
import { writeInvoices } from './invoices.ts'
import { writeLists } from './lists.ts'
import { writeOrders } from './orders.ts'
import { productsToBuy, writeQuotes } from './quotes.ts'

const [PENDING, INACTIVE] = [0, 3]
/** Clients offer the payment of an invoice to people who may purchase. */
const BOOKKEEPER = [
  'get_invoices',
  'get_invoice_detail',
  'get_invoice_payments_history',
  'pay_invoice',
  'purchase_enable',
]
const ROLES = { admin: roleOfNumber(0), senior: roleOfNumber(1), junior: roleOfNumber(2) } as const

/** Who the admin of the first company is: the one that a developer signs in as. */
const buyer = { email: 'ann.lee@harbour.example.com', company: 'Harbour Cafes' }

/** The first user of a company is its admin. `below` is the position of the parent. */
const companies = [
  {
    name: buyer.company,
    host: 'harbour',
    place: ['Sydney', 'AU', 'NSW', 'Australia'],
    people: ['Ann Lee admin', 'Bo Ek senior', 'Cy Dahl junior', 'Dag Lund bookkeeper'],
  },
  {
    name: 'Harbour Cafes West',
    host: 'west.harbour',
    place: ['Perth', 'AU', 'WA', 'Australia'],
    people: ['Eli Ross admin', 'Fay Wood senior', 'Gus Hay junior'],
    below: 0,
  },
  {
    name: 'Harbour Cafes Fremantle',
    host: 'fremantle.harbour',
    place: ['Fremantle', 'AU', 'WA', 'Australia'],
    people: ['Hal Moss admin', 'Ivy Reed junior'],
    below: 1,
  },
  {
    name: 'Fjord Hotels',
    host: 'fjord',
    place: ['Oslo', 'NO', '', 'Norway'],
    people: ['Liv Ask admin', 'Per Lund junior', 'Una Vik bookkeeper'],
  },
  {
    name: 'Atelier North',
    host: 'atelier',
    place: ['Aarhus', 'DK', '', 'Denmark'],
    people: ['Ida Toft admin', 'Kit Bay senior', 'Jon Friis junior'],
    status: PENDING,
  },
  {
    name: 'Dune Markets',
    host: 'dune',
    place: ['Skagen', 'DK', '', 'Denmark'],
    people: ['Lea Juhl admin', 'Max Krog senior', 'Nia Holt junior'],
    status: INACTIVE,
  },
] as const

const superAdmins = [
  { firstName: 'Eva', lastName: 'Holm', email: 'eva.holm@agency.example.com', of: [1, 2] },
  { firstName: 'Ole', lastName: 'Dam', email: 'ole.dam@agency.example.com', of: [3, 4] },
] as const

/** Who else has a password: one person of each kind. */
const BUYERS = {
  admin: buyer,
  senior: { email: 'bo.ek@harbour.example.com', company: buyer.company },
  junior: { email: 'cy.dahl@harbour.example.com', company: buyer.company },
  custom: { email: 'dag.lund@harbour.example.com', company: buyer.company },
  super_admin: { email: superAdmins[0].email, company: '' },
  other_company: { email: 'liv.ask@fjord.example.com', company: 'Fjord Hotels' },
} as const

/** Credentials for a sign-in at the companion API. */
export interface DemoBuyer {
  email: string
  password: string
  /** Empty for a super admin. */
  company: string
}

/**
 * The credentials for a developer's sign-ins, by the role of the person. The password is as secret as the installation, and the same at
 * each start.
 */
export function demoBuyers(secrets: Pick<Secrets, 'linkSignature'>): Record<keyof typeof BUYERS, DemoBuyer> {
  const signature = secrets.linkSignature('password of the demo buyer').replaceAll(/[^a-zA-Z0-9]/g, '')
  const credentials = ({ email, company }: { email: string; company: string }) => ({
    email,
    password: `${signature.slice(0, 24)}a1`,
    company,
  })
  const { admin, senior, junior, custom, super_admin, other_company } = BUYERS
  return {
    admin: credentials(admin),
    senior: credentials(senior),
    junior: credentials(junior),
    custom: credentials(custom),
    super_admin: credentials(super_admin),
    other_company: credentials(other_company),
  }
}

/**
 * Gives the demo store the companion API, and companies that buy: a tree of three layers among them, users of all roles, super admins,
 * orders, and invoices, quotes and shopping lists in every state.
 * @param passwordHash of the people in `demoBuyers`
 */
export async function openCompanies(tx: Tx, passwordHash: string, clientId: string) {
  await setCompanion(tx, true)
  const caller = { clientId }
  const bookkeeper = await insert(tx, companyRoles, {
    name: 'Bookkeeper',
    role_type: 2,
    permissions: BOOKKEEPER.map((code) => ({ code, permissionLevel: 2 })),
  })
  const ids: number[] = []
  for (const company of companies) {
    const [admin, ...others] = company.people.map((person) => personOf(person, company.host))
    if (!admin) throw new Error('A company of the demo store has no admin.')
    const { companyId } = await createCompany(
      tx,
      {
        companyName: company.name,
        companyEmail: `office@${company.host}.example.com`,
        companyPhone: '+45 5550 1234',
        city: company.place[0],
        country: company.place[3],
        adminFirstName: admin.firstName,
        adminLastName: admin.lastName,
        adminEmail: admin.email,
        channelIds: [FIRST_CHANNEL],
      },
      caller,
    )
    ids.push(companyId)
    const users = others.map(({ role, ...person }) => ({
      ...person,
      companyId,
      companyRoleId: role in ROLES ? ROLES[role as keyof typeof ROLES] : bookkeeper.id,
      channelIds: [FIRST_CHANNEL],
    }))
    await addUsers(tx, users, { at: inList, caller })
    if ('below' in company) await attachCompany(tx, SELLER, companyId, ids[company.below] ?? 0)
    if ('status' in company) await changeStatus(tx, companyId, company.status)
  }
  await createCompanyAddresses(tx, SELLER, addressesOf(ids), [])
  await appointSuperAdmins(tx, ids, caller)
  await writeInvoices(tx, ids)
  await writePurchases(tx)
  await setPasswords(tx, passwordHash, clientId)
}

/** Orders, quotes and lists; none in a store without products. */
async function writePurchases(tx: Tx) {
  const products = await productsToBuy(tx)
  if (products.length === 0) return
  const buying = await findUsers(tx, sql`c.company_status = ${APPROVED}`)
  const orders = await writeOrders(tx, { users: buying, products })
  await writeQuotes(tx, { users: buying, products, orders })
  await writeLists(tx, await findUsers(tx, sql.raw('true')), products)
}

function personOf(text: string, host: string) {
  const [firstName = '', lastName = '', role = ''] = text.split(' ')
  return { firstName, lastName, role, email: `${firstName}.${lastName}@${host}.example.com`.toLowerCase() }
}

const addressesOf = (ids: readonly number[]) =>
  companies.map(({ people, place: [city, countryCode, stateCode] }, i) => {
    const [firstName = '', lastName = ''] = people[0].split(' ')
    return {
      firstName,
      lastName,
      addressLine1: `${i + 1} Market Square`,
      city,
      countryCode,
      ...(stateCode === '' ? {} : { stateCode }),
      companyId: ids[i] ?? 0,
      isBilling: true,
      isShipping: true,
      isDefaultBilling: true,
      isDefaultShipping: true,
    }
  })

async function appointSuperAdmins(tx: Tx, ids: readonly number[], caller: { clientId: string }) {
  const bodies = superAdmins.map(({ of: _, ...person }) => ({ ...person, channelIds: [FIRST_CHANNEL] }))
  const stored = await createSuperAdmins(tx, bodies, { at: inList, caller, refuseTaken: invalid })
  for (const [i, { of }] of superAdmins.entries()) {
    const assigned = of.map((position) => ({ companyId: ids[position] ?? 0, isAssigned: true }))
    await assignToSuperAdmin(tx, stored[i]?.id ?? 0, { companies: assigned })
  }
}

async function setPasswords(tx: Tx, password_hash: string, clientId: string) {
  const people = Object.values(BUYERS).map(({ email }) => ({ email, channel: FIRST_CHANNEL }))
  const ids = (await findCustomersByEmail(tx, people)).flatMap((id) => id ?? [])
  if (ids.length < people.length) throw new Error('A buyer of the demo store was not made.')
  const changes = ids.map((id) => ({ id, password_hash }))
  await changeCustomers(tx, changes, {
    at: (_i, field) => field,
    refuseTaken: (_mistakes, taken) => invalid(taken),
    clientId,
  })
}
