import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { NeededText } from '../../../core/rest/input/fields.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { insertAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { lockLogins } from '../../../customers/accounts/lookup.ts'
import { lockGroupsShared } from '../../../customers/row/groups.ts'
import { defaultGroupsOf } from '../../../customers/settings.ts'
import { ChannelId, FIRST_CHANNEL } from '../../../shop/channels/channels.ts'
import {
  APPROVED,
  type Asker,
  assignCompanies,
  companies,
  Email,
  ExtraFields,
  refuseExtraFields,
  TextOf,
  tellOfCompany,
  Uuid,
} from '../row/company.ts'
import { roleOfNumber } from '../row/roles.ts'
import { companyUsers } from '../row/user.ts'
import { createUser, placesOf } from './new-user.ts'

/** What can be said of a company itself. */
export const companyFields = {
  companyName: NeededText(200),
  companyEmail: Email(200),
  companyPhone: TextOf(50),
  customerGroupId: t.Optional(t.Integer({ minimum: 0, description: 'Of its users; 0 for none' })),
  addressLine1: t.Optional(TextOf(200)),
  addressLine2: t.Optional(TextOf(200)),
  city: t.Optional(TextOf(100)),
  state: t.Optional(TextOf(50)),
  country: NeededText(200),
  zipCode: t.Optional(TextOf(50)),
  uuid: t.Optional(Uuid),
  extraFields: t.Optional(ExtraFields),
}

export const NewCompany = t.Object(
  {
    ...companyFields,
    adminFirstName: NeededText(100),
    adminLastName: NeededText(100),
    adminEmail: Email(100),
    adminPhoneNumber: t.Optional(TextOf(100)),
    originChannelId: t.Optional(ChannelId),
    channelIds: t.Optional(t.Array(ChannelId, { minItems: 1, maxItems: 50 })),
    acceptCreationEmail: t.Optional(t.Boolean({ description: 'Whether a new customer gets the welcome mail' })),
    userExtraFields: t.Optional(ExtraFields),
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

/** The columns of what a body says of a company. What it does not say is undefined. */
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
 * Makes a company with its first user, who is its admin (docs/contract/companies.md section 2).
 * It is assigned to the sales representative who makes it.
 * @throws Problem 403, 409 for a name or an e-mail address that another company has, 422
 */
export async function createCompany(db: Db, body: NewCompany, asker: Asker) {
  refuseExtraFields(body)
  const { originChannel, channels } = await placesOf(db, body, FIRST_CHANNEL)
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
        ...given(columnsOf(body)),
        company_name: body.companyName,
        company_email: body.companyEmail,
        company_phone: body.companyPhone,
        country: body.country,
        id: ids.next(companies),
        company_status: APPROVED,
        customer_group_id: group,
        created_at: now,
        updated_at: now,
      },
    ])
    if (!company) throw new Error('A company was not stored.')
    tellOfCompany(tx, 'created', company.id)
    if (asker.salesRep !== undefined) await assignCompanies(tx, asker.salesRep, [company.id])
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
    }
    const user = await createUser(tx, ids, company, { user: admin, names: adminFields, asker })
    ids.refuseTooMany()
    return { companyId: company.id, customerId: user.customer_id, customerGroupId: group }
  })
}

const blank = { address_line1: '', address_line2: '', city: '', state: '', zip_code: '', uuid: '' }

/** Without what is undefined. */
const given = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** The group that users of a new company get. @throws Problem 422 for one that is not there */
async function groupFor(tx: Tx, asked: number | undefined, channel: number): Promise<number> {
  if (asked === undefined) return (await defaultGroupsOf(tx, [channel])).get(channel) ?? 0
  await keepGroup(tx, asked)
  return asked
}

/** Keeps a group from being deleted; 0 is none. @throws Problem 422 for one that is not there */
export async function keepGroup(tx: Tx, id: number) {
  if (id !== 0 && !(await lockGroupsShared(tx, [id])).has(id)) {
    refuse({ customerGroupId: `The customer group ${id} does not exist.` })
  }
}
