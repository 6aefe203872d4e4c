import t from 'typebox'
import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Files } from '../../../core/files/files.ts'
import { OperationBudget } from '../../../core/graphql/cost/operation-budget.ts'
import { type Loading, LoadTurns } from '../../../core/graphql/loads.ts'
import { GraphRefusal } from '../../../core/graphql/refusal.ts'
import { rememberingReads } from '../../../core/graphql/remembered.ts'
import { APPROVED } from '../../../sales/b2b/companies/company.ts'
import { portalSettingsOf } from '../../../sales/b2b/portal/settings.ts'
import { grantsOf, type RoleRow } from '../../../sales/b2b/roles/roles.ts'
import type { CompanyCaller } from '../../../sales/b2b/shared/caller.ts'
import { type Grant, PREDEFINED } from '../../../sales/b2b/shared/permissions.ts'
import { FIRST_CHANNEL } from '../../../shop/channels/channels.ts'
import type { AddressRules } from '../../../shop/channels/sites/addresses.ts'
import { refuseClosed } from '../../../stores/gate/gate.ts'
import type { SellingParts } from '../../storefront/caller.ts'
import { readCompanionToken, type SignInParts } from '../tokens/sign-in.ts'
import { refuseDisabled } from '../tokens/store.ts'

/** The parts of the server that resolvers use. */
export interface BuyerParts extends SignInParts {
  sites: AddressRules
  files: Files
  /** The address of the server as clients see it. */
  publicUrl: string
  selling: SellingParts
}

/** The caller of a request with its rights. Resolvers receive it as their context. */
export interface BuyerCaller extends Loading {
  readonly parts: BuyerParts
  /** The address of the request. */
  readonly ip: string
  readonly shopper: SignedInShopper | undefined
  /** Whether the request carries a token that is not valid any more. */
  readonly isTokenEnded: boolean
}

/** The customer of a valid token. */
export interface SignedInShopper {
  readonly db: Db
  /** The id of its token. */
  readonly jti: string
  /** The channel of its token. */
  readonly channel: number
  readonly customer: ShopperCustomer
  /** Whether the customer is a user of a company or a super admin. */
  readonly isOfCompany: boolean
  /** The user of a company, also of one that is not approved. */
  readonly user: ShopperUser | undefined
  /** The id of a super admin. */
  readonly superAdmin: number | undefined
  /** The permissions of the role of a user in an approved company, whatever company it acts for. */
  readonly grants: readonly Grant[]
  /** The rights in an approved company. Users of other companies have those of plain customers. */
  readonly buyer: ShopperBuyer | undefined
}

interface ShopperUser {
  id: number
  companyId: number
  roleId: number
  roleName: string
  phoneNumber: string
}

interface ShopperCustomer {
  id: number
  email: string
  firstName: string
  lastName: string
  groupId: number
}

/** A user of a company, or a super admin who acts for one. Its grants are those that count for the acting company. */
export type ShopperBuyer = Extract<CompanyCaller, { kind: 'buyer' }> & {
  /** The company that the caller acts for: its own, a chosen subsidiary, or the one that a super admin has chosen. */
  acting: number
  /** A customer of the acting company, whose prices and products the caller sees. */
  pricedAs: number
}

const Claims = t.Object({
  bc_customer_id: t.Integer(),
  jti: t.String({ minLength: 1, maxLength: 64 }),
  bc_channel_id: t.Optional(t.Integer()),
})

interface TokenRow {
  customer_id: number
  email: string
  first_name: string
  last_name: string
  customer_group_id: number
  user_id: number | null
  phone_number: string | null
  company_id: number | null
  company_status: number | null
  role_id: number | null
  role: Pick<RoleRow, 'name' | 'role_type' | 'permissions'> | null
  super_admin: number | null
  /** The approved company of a masquerade, with one of its customers; for super admins only if it is assigned. */
  acting: { id: number; customer: number } | null
  /** The companies below that of the user. */
  subsidiaries: number[]
}

/**
 * Turns the token of a request into its caller. It is read once in each request, so a changed role or status and an ended token count
 * from the next request on, in every process.
 * @param token undefined for a guest
 * @throws Problem 403 for a store without the companion API, 503 for a closed store
 */
export async function readCaller(parts: BuyerParts, token: string | undefined, ip: string): Promise<BuyerCaller> {
  const shopper = token === undefined ? undefined : await shopperOf(parts, token)
  const budget = new OperationBudget()
  const turns = new LoadTurns(budget, (begin) => (shopper ? shopper.db.together(begin) : Promise.all(begin())))
  return { parts, ip, shopper, isTokenEnded: token !== undefined && !shopper, budget, turns }
}

async function shopperOf(parts: SignInParts, token: string): Promise<SignedInShopper | undefined> {
  const read = await readCompanionToken(parts, token, Claims)
  const found = read && (await parts.directory.dbById(read.store.id))
  if (!read || !found) return undefined
  const db = rememberingReads(found)
  const refusal = refuseClosed(read.store.state) ?? (await refuseDisabled(db))
  if (refusal) throw refusal
  const { jti, bc_channel_id: channel = FIRST_CHANNEL } = read.claims
  const row = await rowOf(db, jti, db.now)
  if (row?.customer_id !== read.claims.bc_customer_id) return undefined
  const { user_id, company_id, role_id, super_admin, role } = row
  const isUser = user_id !== null && company_id !== null && role_id !== null
  const isApproved = isUser && row.company_status === APPROVED
  const grants = isApproved && role ? grantsOf(role) : []
  return {
    db,
    jti,
    channel,
    customer: {
      id: row.customer_id,
      email: row.email,
      firstName: row.first_name,
      lastName: row.last_name,
      groupId: row.customer_group_id,
    },
    isOfCompany: isUser || super_admin !== null,
    user: isUser
      ? {
          id: user_id,
          companyId: company_id,
          roleId: role_id,
          roleName: role?.name ?? '',
          phoneNumber: row.phone_number ?? '',
        }
      : undefined,
    superAdmin: super_admin ?? undefined,
    grants,
    buyer: isApproved ? await userRights(db, row, grants) : superAdminRights(row),
  }
}

/** The code with which a user may act for subsidiaries. */
const TREE = 'get_company_subsidiaries'

/** The rights of a user. While it acts for a subsidiary, only grants at level 3 count. */
async function userRights(db: Db, row: TokenRow, grants: readonly Grant[]): Promise<ShopperBuyer> {
  const { user_id: userId, company_id: companyId, acting, customer_id } = row
  const subsidiaries = new Set(row.subsidiaries)
  const own = { kind: 'buyer', userId: userId ?? 0, companyId: companyId ?? 0, subsidiaries } as const
  const mayAct =
    acting !== null &&
    subsidiaries.has(acting.id) &&
    grants.some(({ code, permissionLevel }) => code === TREE && permissionLevel === WITH_SUBSIDIARIES) &&
    (await portalSettingsOf(db, 0)).isOn('account_hierarchy')
  if (!mayAct) return { ...own, acting: own.companyId, pricedAs: customer_id, grants }
  const counting = grants.filter(({ permissionLevel }) => permissionLevel === WITH_SUBSIDIARIES)
  return { ...own, acting: acting.id, pricedAs: acting.customer, grants: counting }
}

const WITH_SUBSIDIARIES = 3

/** The rights of a super admin in the company that it acts for: those of an admin, without subsidiaries. */
const superAdminRights = ({ super_admin, acting }: TokenRow): ShopperBuyer | undefined =>
  super_admin === null || acting === null
    ? undefined
    : {
        kind: 'buyer',
        // No user has this id, so it owns nothing of the company.
        userId: 0,
        companyId: acting.id,
        subsidiaries: new Set(),
        grants: PREDEFINED.Admin,
        acting: acting.id,
        pricedAs: acting.customer,
      }

/** The row of a token with its customer. A token that is tied to a session is valid while the session exists. */
const rowOf = (db: Db, jti: string, now: Date) =>
  db.byKey<TokenRow>(
    prepared(sql`
    select c.id as customer_id, c.email, c.first_name, c.last_name, c.customer_group_id, u.id as user_id, u.phone_number, u.company_id,
      company.company_status, role.id as role_id,
      case when role.id is not null then jsonb_build_object(
        'name', role.name, 'role_type', role.role_type, 'permissions', role.permissions) end as role,
      super_admin.id as super_admin, (
        select jsonb_build_object('id', a.id, 'customer', (
          select customer_id from company_users other
          where other.store_id = ${db.store.id} and other.company_id = a.id order by other.id limit 1
        )) from b2b_masquerades m
        join companies a on a.store_id = ${db.store.id} and a.id = m.company_id and a.company_status = ${APPROVED}
        where m.store_id = ${db.store.id} and m.customer_id = c.id and (super_admin.id is null or exists (
          select from b2b_super_admin_companies s
          where s.store_id = ${db.store.id} and s.super_admin_id = super_admin.id and s.company_id = a.id
        ))
      ) as acting,
      coalesce((
        with recursive below as (
          select id from companies where store_id = ${db.store.id} and parent_id = u.company_id and parent_id > 0
          union all
          select lower.id from companies lower join below on lower.parent_id = below.id
          where lower.store_id = ${db.store.id} and lower.parent_id > 0
        )
        select jsonb_agg(id) from below
      ), '[]'::jsonb) as subsidiaries
    from b2b_storefront_tokens token
    join customers c on c.store_id = ${db.store.id} and c.id = token.customer_id
    left join company_users u on u.store_id = ${db.store.id} and u.customer_id = c.id
    left join companies company on company.store_id = ${db.store.id} and company.id = u.company_id
    left join company_roles role on role.store_id = ${db.store.id} and role.id = u.company_role_id
    left join b2b_super_admins super_admin on super_admin.store_id = ${db.store.id} and super_admin.customer_id = c.id
    where token.store_id = ${db.store.id} and token.jti = ${jti} and token.begins_at <= ${now} and token.ends_at > ${now}
      and (token.session_hash is null or exists (
        select from customer_sessions session
        where session.store_id = ${db.store.id} and session.value_hash = token.session_hash
      ))`),
  )

/** The signed-in shopper. The guard of each field has refused guests. @throws GraphRefusal 401 */
export function signedIn({ shopper }: BuyerCaller): SignedInShopper {
  if (!shopper) throw new GraphRefusal('Sign in first.', 401)
  return shopper
}

/**
 * The store of a request: that of the token, or the one that a guest names.
 * @throws GraphRefusal 401 for another store than that of the token, and for a guest that names none; 404; Problem 403, 503
 */
export async function storeOf({ shopper, parts }: BuyerCaller, hash: string | null | undefined): Promise<Db> {
  if (shopper) {
    if (hash && hash !== shopper.db.store.hash) throw new GraphRefusal('The token is of another store.', 401)
    return shopper.db
  }
  if (!hash) throw new GraphRefusal('Sign in, or name the store.', 401)
  const store = await parts.directory.find(hash)
  const db = store && (await parts.directory.dbById(store.id))
  if (!db) throw new GraphRefusal('There is no such store.', 404)
  const refusal = refuseClosed(store.state) ?? (await refuseDisabled(db))
  if (refusal) throw refusal
  return db
}

/** The channel of a request: the named one, that of the token, or the first. */
export const channelHere = ({ shopper }: BuyerCaller, named: number | null | undefined): number =>
  named ?? shopper?.channel ?? FIRST_CHANNEL

/** The rights of the caller in its company. @throws GraphRefusal 403 for a caller without an approved company */
export function buyerOf({ shopper }: BuyerCaller): ShopperBuyer & { db: Db } {
  if (!shopper?.buyer) throw new GraphRefusal('Your role does not permit this.', 403)
  return { ...shopper.buyer, db: shopper.db }
}
