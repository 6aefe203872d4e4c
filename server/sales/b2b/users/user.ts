import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { Id, Moment, NeededText } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { customerNames } from '../../../customers/accounts/lookup.ts'
import { type Channel, ChannelId, channelNamesColumn } from '../../../shop/channels/channels.ts'
import { CompanyEmail, ExternalUuid, epochSeconds, TextOf } from '../companies/company.ts'
import type { ExtraField } from '../extra-fields/field.ts'
import { ExtraFieldValues, ExtraValues, extraValuesToAnswer, WrittenExtraFields } from '../extra-fields/values.ts'
import { roleNameColumn, roleNumber } from '../roles/roles.ts'

/**
 * A company user: a customer who buys for a company.
 *
 * A user is created with its company, or later by an account or a sales representative. It is linked to the customer with its e-mail
 * address, which is created if none exists. Name and e-mail address belong to the customer: changing them here changes the customer,
 * and the other way round. A customer is a user of at most one company. Each user has a role, which grants permissions, and the
 * channels at which it may sign in. A sales representative can link a customer, or change its e-mail address, only if it created
 * that customer: it could sign in as any shopper otherwise. Deleting a user ends its tokens and removes the customer from the group
 * of the company; the customer stays. The last user of a company can't be deleted alone.
 */
const Row = t.Object({
  id: Id,
  company_id: Id,
  customer_id: Id,
  company_role_id: Id,
  phone_number: TextOf(100),
  uuid: ExternalUuid,
  origin_channel_id: ChannelId,
  channel_ids: t.Array(ChannelId),
  extra_values: ExtraValues,
  created_at: Moment,
  updated_at: Moment,
})
export type UserRow = Static<typeof Row>

export const companyUsers = collection('company_users', Row, { noun: 'user', filters: '' })

/** The users of one company. */
export const USERS_MAX = 1_000

/** A user with the name and the address of its customer, and the names of its role and its channels. */
export interface NamedUser extends UserRow {
  email: string
  first_name: string
  last_name: string
  role_name: string | null
  channels: Pick<Channel, 'id' | 'name' | 'icon_url'>[] | null
}

export const RoleNumber = t.Integer({ minimum: 0, maximum: 2, description: '0 admin, 1 senior buyer, 2 junior buyer' })
const fields = {
  firstName: NeededText(100),
  lastName: NeededText(100),
  email: CompanyEmail(100),
  phoneNumber: t.Optional(TextOf(100)),
  role: t.Optional(RoleNumber),
  companyRoleId: t.Optional(Id),
  uuid: t.Optional(ExternalUuid),
  channelIds: t.Optional(t.Array(ChannelId, { minItems: 1, maxItems: 50 })),
  extraFields: t.Optional(WrittenExtraFields),
}
export const NEW_USER = {
  firstName: 'Bo',
  lastName: 'Ek',
  email: 'bo.ek@harbour.example.com',
  companyId: 1,
  role: 1,
  channelIds: [1],
}
export const NewCompanyUser = t.Object(
  {
    ...fields,
    companyId: Id,
    originChannelId: t.Optional(ChannelId),
    acceptWelcomeEmail: t.Optional(t.Boolean({ description: 'Whether a new customer receives the welcome mail' })),
  },
  {
    title: 'NewCompanyUser',
    examples: [NEW_USER],
  },
)
export type NewCompanyUser = Static<typeof NewCompanyUser>
export const UserChanges = t.Object(t.Partial(t.Object(fields)).properties, {
  title: 'CompanyUserChanges',
  examples: [{ lastName: 'Ek-Holm' }],
})
export type UserChanges = Static<typeof UserChanges>

const columns = sql.join(companyUsers.columns.map((column) => sql.raw(`u.${column}`)))
const namedColumns = (db: Db): Sql => sql`
  ${columns}, p.email, p.first_name, p.last_name, ${roleNameColumn(db, sql.raw('u.company_role_id'))} as role_name,
  ${channelNamesColumn(db, sql.raw('u.channel_ids'))} as channels`
const people = (db: Db): Sql => sql`company_users u join ${customerNames(db)} p on p.id = u.customer_id`
const joined = (db: Db, where: Sql) => sql`
  from ${people(db)} join companies c on c.store_id = ${db.store.id} and c.id = u.company_id
  where u.store_id = ${db.store.id} and ${where}`

/**
 * Finds users with their customers. A user of a deleted customer is omitted, although its row may exist for a moment.
 * @param where a condition on users `u`, customers `p` and companies `c`
 */
export const findUsers = (db: Db, where: Sql, rest: Sql = sql`order by u.id`): Promise<NamedUser[]> =>
  db.rows<NamedUser>(sql`select ${namedColumns(db)} ${joined(db, where)} ${rest}`)

/** Finds one user. @param where a condition on a unique key of users `u` */
export const findUserBy = (db: Db, where: Sql): Promise<NamedUser | undefined> =>
  db.byKey(prepared(sql`select ${namedColumns(db)} from ${people(db)} where u.store_id = ${db.store.id} and ${where}`))

export const countUsers = async (db: Db, where: Sql): Promise<number> =>
  (await db.row<{ total: number }>(sql`select count(*)::int as total ${joined(db, where)}`)).total

/** @throws Problem 404 */
export async function findUser(db: Db, id: number): Promise<NamedUser> {
  const person = await findUserBy(db, sql`u.id = ${id}`)
  if (!person) throw notFound(companyUsers.noun, id)
  return person
}

/** The user of a customer; undefined for a customer without a company. */
export async function userOfCustomer(db: Db, customerId: number) {
  const [found] = await db.rows<Pick<UserRow, 'id' | 'company_id' | 'company_role_id' | 'channel_ids'>>(
    prepared(sql`
    select id, company_id, company_role_id, channel_ids from company_users
    where store_id = ${db.store.id} and customer_id = ${customerId}`),
  )
  return found
}

/** Publishes an event of a user (docs/contract/companies.md section 7). */
export function publishUser(
  tx: Tx,
  change: 'created' | 'updated' | 'deleted',
  { id: user_id, company_id }: Pick<UserRow, 'id' | 'company_id'>,
) {
  publish(tx, `store/company/user/${change}`, `company user ${user_id}`, { company_id, user_id })
}

export const UserChannel = t.Object(
  { channelId: ChannelId, channelName: t.String(), iconUrl: t.String() },
  { title: 'UserChannel' },
)

/** A user in answers (docs/contract/companies.md section 4). */
export const CompanyUser = t.Object(
  {
    id: Id,
    firstName: t.String(),
    lastName: t.String(),
    email: t.String(),
    phoneNumber: t.String(),
    role: t.Integer({ description: '0 admin, 1 senior buyer, 2 junior buyer or a custom role' }),
    companyRoleId: Id,
    companyRoleName: t.String(),
    uuid: t.String(),
    extraFields: ExtraFieldValues,
    companyId: Id,
    customerId: Id,
    channelList: t.Array(UserChannel),
    createdAt: t.Integer({ description: 'Unix seconds' }),
    updatedAt: t.Integer({ description: 'Unix seconds' }),
  },
  { title: 'CompanyUser' },
)

/**
 * A user in answers.
 * @param fields the extra fields to show; none in lists that omit them
 */
export const userToAnswer = (user: NamedUser, fields: readonly ExtraField[]): Static<typeof CompanyUser> => ({
  id: user.id,
  firstName: user.first_name,
  lastName: user.last_name,
  email: user.email,
  phoneNumber: user.phone_number,
  role: roleNumber(user.company_role_id),
  companyRoleId: user.company_role_id,
  companyRoleName: user.role_name ?? '',
  uuid: user.uuid,
  extraFields: extraValuesToAnswer(fields, user.extra_values),
  companyId: user.company_id,
  customerId: user.customer_id,
  channelList: user.channel_ids.flatMap((id) => {
    const channel = user.channels?.find((named) => named.id === id)
    return channel ? [{ channelId: id, channelName: channel.name, iconUrl: channel.icon_url }] : []
  }),
  createdAt: epochSeconds(user.created_at),
  updatedAt: epochSeconds(user.updated_at),
})
