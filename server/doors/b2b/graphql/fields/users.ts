import type { Db } from '../../../../core/db/database.ts'
import { sql } from '../../../../core/db/sql.ts'
import { GraphRefusal } from '../../../../core/graphql/refusal.ts'
import { findOne } from '../../../../core/rest/lists/verbs.ts'
import { type CompanyRow, companies, companiesById, epochSeconds } from '../../../../sales/b2b/companies/company.ts'
import { extraFieldsIn } from '../../../../sales/b2b/extra-fields/definitions.ts'
import { extraValuesToAnswer } from '../../../../sales/b2b/extra-fields/values.ts'
import { allPermissions } from '../../../../sales/b2b/roles/permissions.ts'
import { roleNumber } from '../../../../sales/b2b/roles/roles.ts'
import { PREDEFINED } from '../../../../sales/b2b/shared/permissions.ts'
import { findUser, type NamedUser } from '../../../../sales/b2b/users/user.ts'
import { type SignedInShopper, signedIn } from '../caller.ts'
import type { QueryFields } from '../types.ts'

/** `userType` of plain customers, and of users of companies and super admins. */
const USER_TYPES = { customer: 2, company: 3 } as const
/** `role` of super admins and of plain customers. Company users have that of their role. */
const ROLES = { superAdmin: 3, customer: 99 } as const

/** Queries about the signed-in person. */
export const userQueries: QueryFields<'customerInfo' | 'currentUser' | 'userCompany' | 'companyPermissions'> = {
  customerInfo: (_, _args, caller) => infoOf(signedIn(caller)),
  async currentUser(_, _args, caller) {
    const { db, user } = signedIn(caller)
    const [own] = user ? await usersToBuyers(db, [await findUser(db, user.id)]) : []
    return own ?? null
  },
  async userCompany(_, { userId }, caller) {
    const { db, user } = signedIn(caller)
    if (!user || user.id !== userId) throw new GraphRefusal('Only your own company can be read.', 403)
    const company = await findOne(db, companies, user.companyId)
    return companyToBuyer(db, company)
  },
  async companyPermissions(_, _args, caller) {
    const permissions = await allPermissions(signedIn(caller).db)
    return permissions.map((permission) => ({ ...permission, id: String(permission.id) }))
  },
}

function infoOf({ customer, isOfCompany, user, superAdmin, grants }: SignedInShopper) {
  const role = user ? roleNumber(user.roleId) : isOfCompany ? ROLES.superAdmin : ROLES.customer
  return {
    userType: isOfCompany ? USER_TYPES.company : USER_TYPES.customer,
    // As at sign-in. What counts are the rights in the company that the super admin acts for.
    permissions: [...(superAdmin === undefined ? grants : PREDEFINED.Admin)],
    userInfo: {
      id: user?.id ?? superAdmin ?? customer.id,
      firstName: customer.firstName,
      lastName: customer.lastName,
      email: customer.email,
      phoneNumber: user?.phoneNumber ?? '',
      role,
      companyRoleId: user?.roleId ?? null,
      companyRoleName: user?.roleName ?? null,
      forcePasswordReset: false,
    },
  }
}

/** Users of one company, in the same order. */
export async function usersToBuyers(db: Db, users: readonly NamedUser[]) {
  const [first] = users
  if (!first) return []
  const fields = await extraFieldsIn(db, 'user', users)
  const company = await findOne(db, companies, first.company_id)
  return users.map((user) => ({
    id: String(user.id),
    createdAt: epochSeconds(user.created_at),
    updatedAt: epochSeconds(user.updated_at),
    firstName: user.first_name,
    lastName: user.last_name,
    email: user.email,
    phone: user.phone_number,
    bcId: user.customer_id,
    role: roleNumber(user.company_role_id),
    masqueradingCompanyId: null,
    uuid: user.uuid,
    extraFields: extraValuesToAnswer(fields, user.extra_values),
    companyRoleId: user.company_role_id,
    companyRoleName: user.role_name ?? '',
    companyInfo: companyInfoToAnswer(company),
  }))
}

export const companyInfoToAnswer = (company: CompanyRow) => ({
  companyId: String(company.id),
  companyName: company.company_name,
  companyAddress: company.address_line1,
  companyCountry: company.country,
  companyState: company.state,
  companyCity: company.city,
  companyZipCode: company.zip_code,
  phoneNumber: company.company_phone,
  bcId: String(company.customer_group_id),
})

export async function companyToBuyer(db: Db, row: CompanyRow) {
  const fields = await extraFieldsIn(db, 'company', [row])
  const [group] = await db.rows<{ name: string }>(sql`
    select name from customer_groups where store_id = ${db.store.id} and id = ${row.customer_group_id}`)
  return {
    id: String(row.id),
    companyName: row.company_name,
    bcGroupName: group?.name ?? '',
    description: '',
    catalogId: null,
    companyStatus: row.company_status,
    addressLine1: row.address_line1,
    addressLine2: row.address_line2,
    city: row.city,
    state: row.state,
    zipCode: row.zip_code,
    country: row.country,
    extraFields: extraValuesToAnswer(fields, row.extra_values),
    customerGroupId: row.customer_group_id,
  }
}

/** The companies of rows, as answers mention them. */
export async function companyInfoOf(db: Db, ids: readonly number[]) {
  const found = await companiesById(db, ids)
  return new Map([...found].map(([id, row]) => [id, companyInfoToAnswer(row)]))
}
