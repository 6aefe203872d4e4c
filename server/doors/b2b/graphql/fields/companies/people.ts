import type { Db, Tx } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { GraphRefusal } from '../../../../../core/graphql/refusal.ts'
import { withoutUndefined } from '../../../../../core/objects.ts'
import { itemReader } from '../../../../../core/rest/input/validator.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import { findOne, lock } from '../../../../../core/rest/lists/verbs.ts'
import { invalid, notFound, unknownId } from '../../../../../core/rest/problem.ts'
import { companyRoles, grantsOf, type RoleRow, roleOfNumber } from '../../../../../sales/b2b/roles/roles.ts'
import type { Grant } from '../../../../../sales/b2b/shared/permissions.ts'
import {
  companyUsers,
  findUser,
  findUsers,
  NewCompanyUser,
  UserChanges,
  type UserRow,
} from '../../../../../sales/b2b/users/user.ts'
import { addUsers, roleIn } from '../../../users/new-user.ts'
import { changeUser, deleteUser, inBody } from '../../../users/user-changes.ts'
import { type BuyerCaller, buyerOf, type ShopperBuyer, signedIn } from '../../caller.ts'
import type { MutationFields } from '../../types.ts'
import { given, refuseCompany } from '../companies.ts'
import { usersToBuyers } from '../users.ts'

// Users that users manage (docs/contract/b2b-graphql.md section 8).

const readNew = itemReader(NewCompanyUser)
const readChanges = itemReader(UserChanges)
/** Changes of customers need the client that made them. */
const BUYER = { clientId: 'buyer' }
/** The id of the predefined role of admins. */
const ADMIN = roleOfNumber(0)

export const peopleMutations: MutationFields<'userCreate' | 'userUpdate' | 'userDelete'> = {
  async userCreate(_, { userData }, caller) {
    const buyer = buyerOf(caller)
    const { channel } = signedIn(caller)
    const { companyId, email } = userData
    refuseCompany(caller, 'create_user', companyId)
    if (userData.addChannel) return { user: await addChannel(caller, { companyId, email, channel }) }
    const body = readNew({
      companyId,
      email,
      firstName: userData.firstName,
      lastName: userData.lastName,
      phoneNumber: userData.phone ?? '',
      uuid: userData.uuid ?? '',
      channelIds: [channel],
      acceptWelcomeEmail: userData.acceptEmail ?? false,
      extraFields: (userData.extraFields ?? []).flatMap((field) => field ?? []),
      ...withoutUndefined({ role: userData.role ?? undefined, companyRoleId: userData.companyRoleId ?? undefined }),
    })
    await refuseHigherRole(buyer.db, buyer, roleIn(body))
    const [made] = await addUsers(buyer.db, [body], { at: inBody, caller: BUYER })
    if (!made) throw new Error('A user was not stored.')
    return { user: await answerOf(buyer.db, made.id) }
  },
  async userUpdate(_, { userData }, caller) {
    const buyer = buyerOf(caller)
    const { companyId, userId } = userData
    refuseCompany(caller, 'update_user', companyId)
    const body = readChanges(
      withoutUndefined({
        firstName: given(userData.firstName),
        lastName: given(userData.lastName),
        phoneNumber: userData.phone ?? undefined,
        uuid: userData.uuid ?? undefined,
        role: userData.role ?? undefined,
        companyRoleId: userData.companyRoleId ?? undefined,
        ...(userData.extraFields ? { extraFields: userData.extraFields.flatMap((field) => field ?? []) } : {}),
      }),
    )
    await buyer.db.transaction(async (tx) => {
      const user = await lockColleague(tx, userId, companyId)
      const role = roleIn(body)
      if (role !== undefined && role !== user.company_role_id) {
        if (user.id === buyer.userId) throw new GraphRefusal('Nobody changes the own role.', 403)
        await refuseHigherRole(tx, buyer, user.company_role_id)
        await refuseHigherRole(tx, buyer, role)
        await refuseLastAdmin(tx, user)
      }
      await changeUser(tx, userId, body, BUYER)
    })
    return { user: await answerOf(buyer.db, userId) }
  },
  async userDelete(_, { companyId, userId }, caller) {
    const buyer = buyerOf(caller)
    refuseCompany(caller, 'delete_user', companyId)
    await buyer.db.transaction(async (tx) => {
      const user = await colleague(tx, userId, companyId)
      if (user.id === buyer.userId) throw new GraphRefusal("You can't delete yourself.", 422)
      await refuseHigherRole(tx, buyer, user.company_role_id)
      await deleteUser(tx, userId, (locked) => refuseLastAdmin(locked, user))
    })
    return { message: 'Success' }
  },
}

async function answerOf(db: Db, id: number) {
  const [user] = await usersToBuyers(db, [await findUser(db, id)])
  if (!user) throw new Error('A user vanished while it was read.')
  return user
}

/** Lets a user of the company sign in at the channel of the caller too. @throws GraphRefusal 422 for all other addresses */
async function addChannel(
  caller: BuyerCaller,
  { companyId, email, channel }: { companyId: number; email: string; channel: number },
) {
  const { db } = buyerOf(caller)
  const [user] = await findUsers(db, sql`u.company_id = ${companyId} and p.email_key = ${fold(email)}`)
  if (!user) throw new GraphRefusal('The company has no user with this e-mail address.', 422)
  if (!user.channel_ids.includes(channel)) {
    await changeUser(db, user.id, { channelIds: [...user.channel_ids, channel] }, BUYER)
  }
  return answerOf(db, user.id)
}

/** @throws Problem 404 for a user of another company */
async function colleague(tx: Tx, id: number, companyId: number): Promise<UserRow> {
  const row = await findOne(tx, companyUsers, id)
  if (row.company_id !== companyId) throw notFound(companyUsers.noun, id)
  return row
}

/** @throws Problem 404 for a user of another company */
async function lockColleague(tx: Tx, id: number, companyId: number): Promise<UserRow> {
  const row = await lock(tx, companyUsers, id)
  if (row.company_id !== companyId) throw notFound(companyUsers.noun, id)
  return row
}

/**
 * Refuses a role with a code or a level that the caller lacks, so that nobody climbs by giving roles.
 * @throws GraphRefusal 403; Problem 422 for an unknown role
 */
async function refuseHigherRole(db: Db, buyer: ShopperBuyer, roleId: number | undefined) {
  if (roleId === undefined) return
  const [role] = await db.rows<Pick<RoleRow, 'name' | 'role_type' | 'permissions'>>(sql`
    select name, role_type, permissions from ${sql.id(companyRoles.table)}
    where store_id = ${db.store.id} and id = ${roleId}`)
  if (!role) throw invalid({ companyRoleId: unknownId(companyRoles.noun, roleId) })
  if (grantsOf(role).every((grant) => hasGrant(buyer.grants, grant))) return
  throw new GraphRefusal('The role permits more than your own.', 403)
}

const hasGrant = (grants: readonly Grant[], { code, permissionLevel }: Grant): boolean =>
  grants.some((own) => own.code === code && own.permissionLevel >= permissionLevel)

/** @throws GraphRefusal 403 for the only admin of its company */
async function refuseLastAdmin(tx: Tx, { id, company_id, company_role_id }: UserRow) {
  if (company_role_id !== ADMIN) return
  const others = await tx.rows(sql`
    select id from company_users
    where store_id = ${tx.store.id} and company_id = ${company_id} and company_role_id = ${ADMIN} and id <> ${id}
    order by id limit 1 for no key update`)
  if (others.length === 0) throw new GraphRefusal("The last admin of a company can't be changed or deleted.", 403)
}
