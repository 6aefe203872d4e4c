import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { withoutUndefined } from '../../../core/objects.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { NeededText } from '../../../core/rest/input/fields.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { insertAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { unknownId } from '../../../core/rest/problem.ts'
import { lockLogins } from '../../../customers/accounts/lookup.ts'
import { lockGroupsShared } from '../../../customers/row/groups.ts'
import { defaultGroupsOf } from '../../../customers/settings.ts'
import {
  APPROVED,
  assignCompanies,
  type CompanionCaller,
  CompanyEmail,
  companies,
  ExternalUuid,
  publishCompany,
  TextOf,
} from '../../../sales/b2b/companies/company.ts'
import { roleOfNumber } from '../../../sales/b2b/companies/roles.ts'
import { companyUsers } from '../../../sales/b2b/companies/user.ts'
import { extraFieldsOf } from '../../../sales/b2b/extra-fields/definitions.ts'
import { claimUniqueValues } from '../../../sales/b2b/extra-fields/unique.ts'
import { newExtraValues, WrittenExtraFields } from '../../../sales/b2b/extra-fields/values.ts'
import { ChannelId, FIRST_CHANNEL } from '../../../shop/channels/channels.ts'
import { channelsOfUser, createUser } from './new-user.ts'

/** The fields of a company in bodies. */
export const companyFields = {
  companyName: NeededText(200),
  companyEmail: CompanyEmail(200),
  companyPhone: TextOf(50),
  customerGroupId: t.Optional(t.Integer({ minimum: 0, description: 'The group of its users; 0 for none' })),
  addressLine1: t.Optional(TextOf(200)),
  addressLine2: t.Optional(TextOf(200)),
  city: t.Optional(TextOf(100)),
  state: t.Optional(TextOf(50)),
  country: NeededText(200),
  zipCode: t.Optional(TextOf(50)),
  uuid: t.Optional(ExternalUuid),
  extraFields: t.Optional(WrittenExtraFields),
}

export const NewCompany = t.Object(
  {
    ...companyFields,
    adminFirstName: NeededText(100),
    adminLastName: NeededText(100),
    adminEmail: CompanyEmail(100),
    adminPhoneNumber: t.Optional(TextOf(100)),
    originChannelId: t.Optional(ChannelId),
    channelIds: t.Optional(t.Array(ChannelId, { minItems: 1, maxItems: 50 })),
    acceptCreationEmail: t.Optional(t.Boolean({ description: 'Whether a new customer receives the welcome mail' })),
    userExtraFields: t.Optional(WrittenExtraFields),
  },
  {
    title: 'NewBuyingCompany',
    examples: [
      {
        companyName: 'Harbour Cafes',
        companyEmail: 'office@harbour.example.com',
        companyPhone: '+61 2 5550 1234',
        country: 'Australia',
        adminFirstName: 'Ann',
        adminLastName: 'Lee',
        adminEmail: 'ann.lee@harbour.example.com',
      },
    ],
  },
)
export type NewCompany = Static<typeof NewCompany>

/** The columns of a company from a body. Missing fields are undefined. */
export function columnsOf(body: Partial<Static<ReturnType<typeof t.Object<typeof companyFields>>>>) {
  return {
    company_name: body.companyName,
    company_email: body.companyEmail,
    company_phone: body.companyPhone,
    address_line1: body.addressLine1,
    address_line2: body.addressLine2,
    city: body.city,
    state: body.state,
    country: body.country,
    zip_code: body.zipCode,
    customer_group_id: body.customerGroupId,
    uuid: body.uuid,
  }
}

const ADMIN = 0
const adminFields = { email: 'adminEmail', first_name: 'adminFirstName', last_name: 'adminLastName' }

/**
 * Creates a company with its first user, the admin (docs/contract/companies.md section 2).
 * It is assigned to the sales representative that creates it.
 * @throws Problem 403, 409 for the name or the e-mail address of another company, 422
 */
export async function createCompany(db: Db, body: NewCompany, caller: CompanionCaller) {
  const fields = await extraFieldsOf(db, 'company')
  const userFields = await extraFieldsOf(db, 'user')
  const extra_values = newExtraValues(fields, body.extraFields)
  const userValues = newExtraValues(userFields, body.userExtraFields, 'userExtraFields')
  const { originChannel, channels } = await channelsOfUser(db, body, FIRST_CHANNEL)
  return db.transaction(async (tx) => {
    const ids = await takeIds(tx, [
      [companies, 1],
      [companyUsers, 1],
    ])
    await lockLogins(tx)
    const group = await groupFor(tx, body.customerGroupId, originChannel)
    const now = toSeconds(tx.now)
    const [company] = await insertAll(tx, companies, [
      {
        ...blank,
        ...withoutUndefined(columnsOf(body)),
        company_name: body.companyName,
        company_email: body.companyEmail,
        company_phone: body.companyPhone,
        country: body.country,
        id: ids.next(companies),
        company_status: APPROVED,
        customer_group_id: group,
        extra_values,
        created_at: now,
        updated_at: now,
      },
    ])
    if (!company) throw new Error('A company was not stored.')
    await claimUniqueValues(tx, companies.table, fields, [company])
    publishCompany(tx, 'created', company.id)
    if (caller.salesRep !== undefined) await assignCompanies(tx, caller.salesRep, [company.id])
    const admin = {
      email: body.adminEmail,
      firstName: body.adminFirstName,
      lastName: body.adminLastName,
      phoneNumber: body.adminPhoneNumber ?? '',
      roleId: roleOfNumber(ADMIN),
      uuid: '',
      originChannel,
      channels,
      isWelcomed: body.acceptCreationEmail ?? false,
      extra: { fields: userFields, values: userValues },
    }
    const user = await createUser(tx, ids, company, { user: admin, names: adminFields, caller })
    return { companyId: company.id, customerId: user.customer_id, customerGroupId: group }
  })
}

const blank = { address_line1: '', address_line2: '', city: '', state: '', zip_code: '', uuid: '', parent_id: 0 }

/** The group for users of a new company. @throws Problem 422 for an unknown group */
async function groupFor(tx: Tx, requested: number | undefined, channel: number): Promise<number> {
  if (requested === undefined) return (await defaultGroupsOf(tx, [channel])).get(channel) ?? 0
  await lockGroupShared(tx, requested)
  return requested
}

/** Locks a group against deletion; 0 is no group. @throws Problem 422 for an unknown group */
export async function lockGroupShared(tx: Tx, id: number) {
  if (id !== 0 && !(await lockGroupsShared(tx, [id])).has(id)) {
    refuse({ customerGroupId: unknownId('customer group', id) })
  }
}
