import { describe, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { type CompanyCaller, mayDo, SELLER } from './caller.ts'
import { levelsOf, PERMISSION_CODES, PREDEFINED } from './permissions.ts'

// docs/contract/companies.md section 3. The company of a buyer is 1 with the subsidiary 2; 3 belongs to others. Its user is 7.

const buyer = (grants: readonly { code: string; permissionLevel: number }[]): CompanyCaller => ({
  kind: 'buyer',
  userId: 7,
  companyId: 1,
  subsidiaries: new Set([2]),
  grants,
})
const callers = {
  admin: buyer(PREDEFINED.Admin),
  senior: buyer(PREDEFINED['Senior Buyer']),
  junior: buyer(PREDEFINED['Junior Buyer']),
  // A role with one permission, at the level with subsidiaries.
  custom: buyer([{ code: 'get_orders', permissionLevel: 3 }]),
  // A super admin acts with the permissions of a senior buyer.
  'super admin': buyer(PREDEFINED['Senior Buyer']),
  staff: { kind: 'staff', companies: new Set([1]), assigned: sql`select 1` } satisfies CompanyCaller,
  seller: SELLER,
} as const

/** Who may do it: to its own thing, to one of a colleague, of a subsidiary, and of another company. */
type Reach = readonly [own: boolean, company: boolean, subsidiary: boolean, foreign: boolean]
const everywhere: Reach = [true, true, true, true]
const nowhere: Reach = [false, false, false, false]
const own: Reach = [true, false, false, false]
const company: Reach = [true, true, false, false]
const withSubsidiaries: Reach = [true, true, true, false]

const reads = 'get_orders get_order_detail get_quotes get_quote_detail get_shopping_lists get_shopping_list_detail'
const ofCompany = `get_addresses create_address update_address delete_address get_users get_user_detail create_user update_user
  delete_user get_invoices get_invoice_detail pay_invoice`
const ofSeller = 'manage_roles manage_credit manage_payment_terms manage_statuses manage_assignments'
const cells: [codes: string, who: Record<Exclude<keyof typeof callers, 'seller' | 'custom'>, Reach>][] = [
  [reads, { admin: company, senior: company, junior: own, 'super admin': company, staff: company }],
  [
    'get_company_subsidiaries',
    { admin: withSubsidiaries, senior: nowhere, junior: nowhere, 'super admin': nowhere, staff: company },
  ],
  ['create_quote', { admin: own, senior: own, junior: own, 'super admin': own, staff: company }],
  [
    'update_quote_message checkout_with_quote',
    { admin: company, senior: company, junior: own, 'super admin': company, staff: company },
  ],
  ['submit_shopping_list_for_approval', { admin: own, senior: own, junior: own, 'super admin': own, staff: company }],
  [
    'approve_draft_shopping_list',
    { admin: company, senior: company, junior: nowhere, 'super admin': company, staff: company },
  ],
  [ofCompany, { admin: company, senior: company, junior: nowhere, 'super admin': company, staff: company }],
  [ofSeller, { admin: nowhere, senior: nowhere, junior: nowhere, 'super admin': nowhere, staff: nowhere }],
]

const reachOf = (caller: CompanyCaller, code: string): Reach => [
  mayDo(caller, code, 1, 7),
  mayDo(caller, code, 1, 8),
  mayDo(caller, code, 2, 7),
  mayDo(caller, code, 3, 7),
]

describe.each(cells.flatMap(([codes, who]) => codes.split(/\s+/).map((code) => [code, who] as const)))(
  '%s',
  (code, who) => {
    test.each(Object.entries({ ...who, seller: everywhere }))('by %s', (name, reach) => {
      expect(reachOf(callers[name as keyof typeof callers], code)).toEqual(reach)
    })
  },
)

test('a role of the store grants its codes only, each at its level', () => {
  expect(reachOf(callers.custom, 'get_orders')).toEqual(withSubsidiaries)
  for (const code of PERMISSION_CODES.filter((other) => other !== 'get_orders')) {
    expect(reachOf(callers.custom, code)).toEqual(nowhere)
    for (const level of levelsOf(code)) {
      const reach = [own, company, withSubsidiaries][level - 1]
      expect(reachOf(buyer([{ code, permissionLevel: level }]), code)).toEqual(reach)
    }
  }
})

test("a level for the user's own things reaches nothing without an owner", () => {
  expect(mayDo(callers.junior, 'get_orders', 1)).toBe(false)
  expect(mayDo(callers.senior, 'get_orders', 1)).toBe(true)
})
