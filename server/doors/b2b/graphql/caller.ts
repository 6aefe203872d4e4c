import t from 'typebox'
import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { OperationBudget } from '../../../core/graphql/cost/operation-budget.ts'
import { type Loading, LoadTurns } from '../../../core/graphql/loads.ts'
import { GraphRefusal } from '../../../core/graphql/refusal.ts'
import { APPROVED } from '../../../sales/b2b/companies/company.ts'
import { grantsOf, type RoleRow } from '../../../sales/b2b/roles/roles.ts'
import type { CompanyCaller } from '../../../sales/b2b/shared/caller.ts'
import { refuseClosed } from '../../../stores/gate/gate.ts'
import { readCompanionToken, type SignInParts } from '../tokens/sign-in.ts'
import { refuseDisabled } from '../tokens/store.ts'

/** The caller of a request with its rights. Resolvers receive it as their context. */
export interface BuyerCaller extends Loading {
  readonly parts: SignInParts
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
  readonly customer: { id: number; email: string; firstName: string; lastName: string }
  /** Whether the customer is a user of a company or a super admin. */
  readonly isOfCompany: boolean
  /** The user of a company, also of one that is not approved. */
  readonly user: { id: number; companyId: number } | undefined
  /** The rights in an approved company. Users of other companies have those of plain customers. */
  readonly buyer: ShopperBuyer | undefined
}

type ShopperBuyer = Extract<CompanyCaller, { kind: 'buyer' }>

const Claims = t.Object({ bc_customer_id: t.Integer(), jti: t.String({ minLength: 1, maxLength: 64 }) })

interface TokenRow {
  customer_id: number
  email: string
  first_name: string
  last_name: string
  user_id: number | null
  company_id: number | null
  company_status: number | null
  role: Pick<RoleRow, 'name' | 'role_type' | 'permissions'> | null
  is_super_admin: boolean
  /** The companies below that of the user. */
  subsidiaries: number[]
}

/**
 * Turns the token of a request into its caller. It is read once in each request, so a changed role or status and an ended token count
 * from the next request on, in every process.
 * @param token undefined for a guest
 * @throws Problem 403 for a store without the companion API, 503 for a closed store
 */
export async function readCaller(parts: SignInParts, token: string | undefined, ip: string): Promise<BuyerCaller> {
  const shopper = token === undefined ? undefined : await shopperOf(parts, token)
  const budget = new OperationBudget()
  const turns = new LoadTurns(budget, (begin) => (shopper ? shopper.db.together(begin) : Promise.all(begin())))
  return { parts, ip, shopper, isTokenEnded: token !== undefined && !shopper, budget, turns }
}

async function shopperOf(parts: SignInParts, token: string): Promise<SignedInShopper | undefined> {
  const read = await readCompanionToken(parts, token, Claims)
  const db = read && (await parts.directory.dbById(read.store.id))
  if (!read || !db) return undefined
  const refusal = refuseClosed(read.store.state) ?? (await refuseDisabled(db))
  if (refusal) throw refusal
  const { jti } = read.claims
  const row = await rowOf(db, jti, parts.clock.now())
  if (row?.customer_id !== read.claims.bc_customer_id) return undefined
  const { customer_id: id, email, first_name: firstName, last_name: lastName, user_id, company_id, role } = row
  const user = user_id === null || company_id === null ? undefined : { id: user_id, companyId: company_id }
  return {
    db,
    jti,
    customer: { id, email, firstName, lastName },
    isOfCompany: user !== undefined || row.is_super_admin,
    user,
    buyer:
      user && row.company_status === APPROVED
        ? {
            kind: 'buyer',
            userId: user.id,
            companyId: user.companyId,
            subsidiaries: new Set(row.subsidiaries),
            grants: role ? grantsOf(role) : [],
          }
        : undefined,
  }
}

/** The row of a token with its customer. A token that is tied to a session is valid while the session exists. */
const rowOf = (db: Db, jti: string, now: Date) =>
  db.byKey<TokenRow>(
    prepared(sql`
    select c.id as customer_id, c.email, c.first_name, c.last_name, u.id as user_id, u.company_id, company.company_status,
      case when role.id is not null then jsonb_build_object(
        'name', role.name, 'role_type', role.role_type, 'permissions', role.permissions) end as role,
      exists (
        select from b2b_super_admins s where s.store_id = ${db.store.id} and s.customer_id = c.id
      ) as is_super_admin,
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
    where token.store_id = ${db.store.id} and token.jti = ${jti} and token.begins_at <= ${now} and token.ends_at > ${now}
      and (token.session_hash is null or exists (
        select from customer_sessions session
        where session.store_id = ${db.store.id} and session.value_hash = token.session_hash
      ))`),
  )

/** The rights of the caller in its company. @throws GraphRefusal 403 for a caller without an approved company */
export function buyerOf({ shopper }: BuyerCaller): ShopperBuyer & { db: Db } {
  if (!shopper?.buyer) throw new GraphRefusal('Your role does not permit this.', 403)
  return { ...shopper.buyer, db: shopper.db }
}
