import { type Sql, sql } from '../../../core/db/sql.ts'
import type { Problem } from '../../../core/rest/problem.ts'
import type { Grant } from './permissions.ts'
import { denied } from './refusals.ts'

/**
 * The caller of a function of this area. Every function with the data of a company takes it, so that each door has the same limits.
 *
 * - The seller is a server of the store, with the token of an account. It may do everything.
 * - Staff is a sales representative with a backend token. It acts for its assigned companies only, and never changes the rules that
 *   the seller sets for them.
 * - A buyer is a user of a company, or a super admin who acts for it. Its role grants permissions, each at a level.
 * - A customer without a company has quotes and lists of its own, and reaches nothing of a company.
 * - A guest reaches the one quote whose UUID it knows, unless the quote belongs to a company or a customer.
 *
 * Doors read a caller once in each request. So a changed assignment or role counts from the next request on, in every process.
 */
export type CompanyCaller = Seller | Staff | Buyer | PlainCustomer | Guest

/**
 * A caller of a list, whose rights are conditions on rows. A list does not need the set of companies of a representative: reading a
 * thousand ids takes longer than a page.
 */
export type CompanyReader = Exclude<CompanyCaller, Staff> | Omit<Staff, 'companies'>

interface Seller {
  kind: 'seller'
}

interface Staff {
  kind: 'staff'
  /** The assigned companies. */
  companies: ReadonlySet<number>
  /** The statement that reads them, for conditions on rows. A thousand ids take longer to send and to plan. */
  assigned: Sql
}

export interface Buyer {
  kind: 'buyer'
  userId: number
  companyId: number
  /** All companies below its own. */
  subsidiaries: ReadonlySet<number>
  grants: readonly Grant[]
}

export interface PlainCustomer {
  kind: 'customer'
  customerId: number
}

export interface Guest {
  kind: 'guest'
  /** The UUID of a quote; empty for a guest who knows none. */
  quote: string
}

export const SELLER: CompanyCaller = { kind: 'seller' }

/** Rules of companies that only the seller sets. No role grants them. */
const SELLER_DEEDS = [
  'manage_roles',
  'manage_credit',
  'manage_payment_terms',
  'manage_statuses',
  'manage_assignments',
] as const
const sellerDeeds: ReadonlySet<string> = new Set(SELLER_DEEDS)

const OWN = 1
const WITH_SUBSIDIARIES = 3

/**
 * Whether a caller may do something (docs/contract/companies.md section 3). Pure.
 * @param code a permission code, or one of `SELLER_DEEDS`
 * @param company the company of the resource
 * @param owner the user who owns the resource; undefined for a resource of the whole company
 */
export function mayDo(caller: CompanyCaller, code: string, company: number, owner?: number): boolean {
  if (caller.kind === 'seller') return true
  if (caller.kind === 'staff') return caller.companies.has(company) && !sellerDeeds.has(code)
  if (caller.kind !== 'buyer') return false
  const level = levelOf(caller, code)
  if (company !== caller.companyId) return level === WITH_SUBSIDIARIES && caller.subsidiaries.has(company)
  return level === OWN ? owner === caller.userId : level > OWN
}

/** The level at which a buyer has a permission; 0 without it. */
const levelOf = ({ grants }: Buyer, code: string): number =>
  grants.find((grant) => grant.code === code)?.permissionLevel ?? 0

/**
 * `mayDo` as a condition on rows.
 * @param company the column with the company of a row
 * @param owner the column with its user; undefined for resources of whole companies
 */
export function reachableBy(caller: CompanyReader, code: string, company: Sql, owner?: Sql): Sql {
  if (caller.kind === 'seller') return sql.raw('true')
  if (caller.kind === 'staff') {
    return sellerDeeds.has(code) ? sql.raw('false') : sql`${company} in (${caller.assigned})`
  }
  if (caller.kind !== 'buyer') return sql.raw('false')
  const level = levelOf(caller, code)
  const { userId, companyId, subsidiaries } = caller
  if (level === 0) return sql.raw('false')
  if (level === OWN) return owner ? sql`(${company} = ${companyId} and ${owner} = ${userId})` : sql.raw('false')
  return level === WITH_SUBSIDIARIES
    ? sql`${company} = any(${[companyId, ...subsidiaries]}::int[])`
    : sql`${company} = ${companyId}`
}

/** The conditions of `reachableBy` for a list; none for the seller. */
export const within = (caller: CompanyReader, code: string, company: Sql, owner?: Sql): Sql[] =>
  caller.kind === 'seller' ? [] : [reachableBy(caller, code, company, owner)]

/**
 * The refusal of a resource that is missing or belongs to a company outside the caller's reach: one refusal for both, so that it
 * doesn't show whether the resource exists.
 * @param problem the refusal of a missing resource
 */
export const unreachable = (caller: CompanyCaller, problem: Problem): Problem =>
  caller.kind === 'staff' ? denied() : problem

/** @throws MessageProblem 403 for a representative who is not assigned to a company, even if the company does not exist */
export function refuseOutside(caller: CompanyCaller, companyId: number) {
  if (caller.kind === 'staff' && !caller.companies.has(companyId)) throw denied()
}

/** Whether a caller acts for the seller. All others buy. */
export const isOfSeller = ({ kind }: CompanyReader): boolean => kind === 'seller' || kind === 'staff'

/** @throws MessageProblem 403 for a buyer whose role does not permit it */
export function refuseDeed(caller: CompanyCaller, code: string, company: number, owner?: number) {
  if (!mayDo(caller, code, company, owner)) throw denied()
}
