import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { withoutUndefined } from '../../../core/objects.ts'
import { Id, Moment, NeededText } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { notFound } from '../../../core/rest/problem.ts'
import { customerNames } from '../../../customers/accounts/lookup.ts'
import { ChannelId, channelsById } from '../../../shop/channels/channels.ts'
import { CompanyEmail, ExternalUuid, epochSeconds, TextOf } from '../companies/company.ts'
import { extraFieldsIn } from '../extra-fields/definitions.ts'
import { ExtraFieldValues, ExtraValues, extraValuesToAnswer, WrittenExtraFields } from '../extra-fields/values.ts'
import type { Window } from '../shared/pages.ts'
import { UserChannel } from '../users/user.ts'

/**
 * A super admin: a customer who buys for each of its assigned companies.
 *
 * The seller creates super admins and assigns companies to them. Name and e-mail address belong to the customer, who is created if
 * none has the address. A customer is a user of one company, or a super admin, but not both. A super admin ends with its customer,
 * and an assignment also with its company. Super admins have the extra fields of users.
 */
const Row = t.Object({
  id: Id,
  customer_id: Id,
  phone: TextOf(100),
  uuid: ExternalUuid,
  origin_channel_id: ChannelId,
  channel_ids: t.Array(ChannelId),
  extra_values: ExtraValues,
  created_at: Moment,
  updated_at: Moment,
})
export type SuperAdminRow = Static<typeof Row>

export const superAdmins = collection('b2b_super_admins', Row, { noun: 'super admin', filters: '', max: 1_000 })

/** A super admin with the name and the address of its customer, and the number of its companies. */
interface NamedSuperAdmin extends SuperAdminRow {
  email: string
  first_name: string
  last_name: string
  company_count: number
}

const changeable = {
  firstName: NeededText(100),
  lastName: NeededText(100),
  phone: t.Optional(TextOf(100)),
  uuid: t.Optional(ExternalUuid),
  channelIds: t.Optional(t.Array(ChannelId, { minItems: 1, maxItems: 50 })),
  extraFields: t.Optional(WrittenExtraFields),
}
export const NEW_SUPER_ADMIN = { firstName: 'Eva', lastName: 'Holm', email: 'eva.holm@agency.example.com' }
export const NewSuperAdmin = t.Object(
  { ...changeable, email: CompanyEmail(100), originChannelId: t.Optional(ChannelId) },
  { title: 'NewSuperAdmin', examples: [NEW_SUPER_ADMIN] },
)
export type NewSuperAdmin = Static<typeof NewSuperAdmin>
export const SuperAdminChanges = t.Object(t.Partial(t.Object(changeable)).properties, {
  title: 'SuperAdminChanges',
  examples: [{ phone: '+45 5550 4321' }],
})
export type SuperAdminChanges = Static<typeof SuperAdminChanges>

const Seconds = t.Integer({ description: 'Unix seconds' })

/** A super admin in answers (docs/contract/b2b-super-admins.md section 2). */
export const SuperAdmin = t.Object(
  {
    id: Id,
    firstName: t.String(),
    lastName: t.String(),
    phone: t.String(),
    uuid: t.Optional(t.String({ description: 'Omitted if it is empty' })),
    email: t.String(),
    createdAt: Seconds,
    updatedAt: Seconds,
    channelList: t.Array(UserChannel),
    companyCount: t.Integer(),
    extraFields: ExtraFieldValues,
  },
  { title: 'SuperAdmin' },
)
export const SuperAdminInfo = t.Object({ ...SuperAdmin.properties, customerId: Id }, { title: 'SuperAdminInfo' })

const columns = sql.join(superAdmins.columns.map((column) => sql.raw(`s.${column}`)))
const joined = (db: Db, where: Sql) => sql`
  from b2b_super_admins s join ${customerNames(db)} p on p.id = s.customer_id where s.store_id = ${db.store.id} and ${where}`

/** Finds super admins with their customers. @param where a condition on super admins `s` and customers `p` */
const findSuperAdmins = (db: Db, where: Sql, rest: Sql): Promise<NamedSuperAdmin[]> =>
  db.rows<NamedSuperAdmin>(sql`
    select ${columns}, p.email, p.first_name, p.last_name, (
      select count(*)::int from b2b_super_admin_companies a where a.store_id = ${db.store.id} and a.super_admin_id = s.id
    ) as company_count ${joined(db, where)} ${rest}`)

/** A window of super admins, and the number of all that meet the condition. */
export async function listSuperAdmins(db: Db, where: Sql, order: Sql, { limit, offset }: Window) {
  const rows = await findSuperAdmins(db, where, sql`order by ${order} limit ${limit} offset ${offset}`)
  const { total } = await db.row<{ total: number }>(sql`select count(*)::int as total ${joined(db, where)}`)
  return { rows, total }
}

/** @throws Problem 404 */
export async function findSuperAdmin(db: Db, id: number): Promise<NamedSuperAdmin> {
  const [found] = await findSuperAdmins(db, sql`s.id = ${id}`, sql.raw(''))
  if (!found) throw notFound(superAdmins.noun, id)
  return found
}

/** Whether a customer is a super admin. */
export async function isSuperAdmin(db: Db, customerId: number): Promise<boolean> {
  const found = await db.rows(
    prepared(sql`select id from b2b_super_admins where store_id = ${db.store.id} and customer_id = ${customerId}`),
  )
  return found.length > 0
}

/** Publishes an event of a super admin (docs/contract/b2b-super-admins.md section 4). */
export function publishSuperAdmin(tx: Tx, change: 'created' | 'updated' | 'assignmentUpdated', user_id: number) {
  publish(tx, `store/superadmin/${change}`, `super admin ${user_id}`, { user_id })
}

/** Super admins in answers, in the same order. */
export async function superAdminsToAnswer(
  db: Db,
  rows: readonly NamedSuperAdmin[],
  { withExtraFields }: { withExtraFields: boolean },
): Promise<Static<typeof SuperAdmin>[]> {
  const fields = withExtraFields ? await extraFieldsIn(db, 'user', rows) : []
  const channels = await channelsById(
    db,
    rows.flatMap(({ channel_ids }) => channel_ids),
  )
  return rows.map((row) => ({
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    phone: row.phone,
    ...withoutUndefined({ uuid: row.uuid === '' ? undefined : row.uuid }),
    email: row.email,
    createdAt: epochSeconds(row.created_at),
    updatedAt: epochSeconds(row.updated_at),
    channelList: row.channel_ids.flatMap((id) => {
      const channel = channels.get(id)
      return channel ? [{ channelId: id, channelName: channel.name, iconUrl: channel.icon_url }] : []
    }),
    companyCount: row.company_count,
    extraFields: extraValuesToAnswer(fields, row.extra_values),
  }))
}
