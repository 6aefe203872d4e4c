import type { Tx } from '../../core/db/database.ts'
import { invalid } from '../../core/rest/problem.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { changeCustomers } from '../../customers/accounts/change.ts'
import { findCustomersByEmail } from '../../customers/accounts/lookup.ts'
import { changeStatus } from '../../doors/b2b/companies/company-changes.ts'
import { createCompany } from '../../doors/b2b/companies/new-company.ts'
import { setCompanion } from '../../doors/b2b/tokens/store.ts'
import { addUsers } from '../../doors/b2b/users/new-user.ts'
import { inBody } from '../../doors/b2b/users/user-changes.ts'
import { FIRST_CHANNEL } from '../../shop/channels/channels.ts'

const PENDING = 0
const [ADMIN, SENIOR, JUNIOR] = [0, 1, 2]

/** Who the admin of the first company is: the one that a developer signs in as. */
const buyer = { email: 'ann.lee@harbour.example.com', company: 'Harbour Cafes' }

const companies = [
  {
    name: buyer.company,
    host: 'harbour',
    city: 'Sydney',
    country: 'Australia',
    people: [
      ['Ann', 'Lee', ADMIN],
      ['Bo', 'Ek', SENIOR],
      ['Cy', 'Dahl', JUNIOR],
    ],
  },
  {
    name: 'Fjord Hotels',
    host: 'fjord',
    city: 'Oslo',
    country: 'Norway',
    people: [
      ['Liv', 'Ask', ADMIN],
      ['Per', 'Lund', JUNIOR],
    ],
  },
  {
    name: 'Atelier North',
    host: 'atelier',
    city: 'Aarhus',
    country: 'Denmark',
    people: [['Ida', 'Toft', ADMIN]],
    status: PENDING,
  },
] as const

/**
 * The credentials for a developer's sign-in. The password is as secret as the installation, and the same at each start.
 */
export const demoBuyer = (secrets: Pick<Secrets, 'linkSignature'>) => ({
  ...buyer,
  password: `${secrets
    .linkSignature('password of the demo buyer')
    .replaceAll(/[^a-zA-Z0-9]/g, '')
    .slice(0, 24)}a1`,
})

/** Gives the demo store the companion API, and companies that buy. @param passwordHash of the demo's buyer */
export async function openCompanies(tx: Tx, passwordHash: string, clientId: string) {
  await setCompanion(tx, true)
  for (const { name, host, city, country, people, ...company } of companies) {
    const [[adminFirstName, adminLastName], ...others] = people
    const emailOf = (first: string, last: string) => `${first}.${last}@${host}.example.com`.toLowerCase()
    const { companyId } = await createCompany(
      tx,
      {
        companyName: name,
        companyEmail: `office@${host}.example.com`,
        companyPhone: '+45 5550 1234',
        city,
        country,
        adminFirstName,
        adminLastName,
        adminEmail: emailOf(adminFirstName, adminLastName),
        channelIds: [FIRST_CHANNEL],
      },
      { clientId },
    )
    for (const [firstName, lastName, role] of others) {
      const user = { firstName, lastName, email: emailOf(firstName, lastName), role, companyId }
      await addUsers(tx, [{ ...user, channelIds: [FIRST_CHANNEL] }], { at: inBody, caller: { clientId } })
    }
    if ('status' in company) await changeStatus(tx, companyId, company.status)
  }
  await setPassword(tx, passwordHash, clientId)
}

async function setPassword(tx: Tx, password_hash: string, clientId: string) {
  const [id] = await findCustomersByEmail(tx, [{ email: buyer.email, channel: FIRST_CHANNEL }])
  if (id === undefined) throw new Error('The buyer of the demo store was not made.')
  await changeCustomers(tx, [{ id, password_hash }], {
    at: (_i, field) => field,
    refuseTaken: (_mistakes, taken) => invalid(taken),
    clientId,
  })
}
