import t, { type Static } from 'typebox'

/** The permissions of users in the spelling of the API, with their levels: 1 for their own things, 2 the company's, 3 with subsidiaries. */
const LEVELS: Readonly<Record<string, readonly number[]>> = {
  ...ofLevels(
    [2, 3],
    `get_addresses get_address_detail get_default_shipping get_default_billing create_address update_address delete_address
    get_invoices get_invoice_detail export_invoices get_invoice_pdf get_invoice_payments_history pay_invoice
    get_users get_user_detail create_user update_user delete_user get_roles purchase_enable approve_draft_shopping_list`,
  ),
  ...ofLevels(
    [1, 2, 3],
    `get_orders get_order_detail get_quotes get_quote_detail update_quote_message checkout_with_quote get_quote_pdf
    get_shopping_lists get_shopping_list_detail create_shopping_list deplicate_shopping_list update_shopping_list
    delete_shopping_list create_shopping_list_item update_shopping_list_item delete_shopping_list_item`,
  ),
  ...ofLevels([1, 3], 'create_quote submit_shopping_list_for_approval'),
  ...ofLevels([3], 'get_company_subsidiaries'),
}

function ofLevels(levels: readonly number[], codes: string): Record<string, readonly number[]> {
  return Object.fromEntries(codes.split(/\s+/).map((code) => [code, levels]))
}

export const PERMISSION_CODES = Object.keys(LEVELS)

/** The levels of a permission; none for an unknown code. */
export const levelsOf = (code: string): readonly number[] => LEVELS[code] ?? []

export const Grant = t.Object({ code: t.String(), permissionLevel: t.Integer() }, { title: 'PermissionGrant' })
export type Grant = Static<typeof Grant>

/** The permissions of each predefined role (docs/contract/companies.md section 3). */
export const PREDEFINED: Readonly<Record<'Admin' | 'Senior Buyer' | 'Junior Buyer', readonly Grant[]>> = {
  Admin: grantsAt(2).concat({ code: 'get_company_subsidiaries', permissionLevel: 3 }),
  'Senior Buyer': grantsAt(2),
  'Junior Buyer': grantsAt(1),
}

/** Every code at a level, or else at level 1. Codes with neither level are omitted. */
function grantsAt(level: number): Grant[] {
  return PERMISSION_CODES.flatMap((code) => {
    const [at] = [level, 1].filter((wanted) => levelsOf(code).includes(wanted))
    return at === undefined ? [] : [{ code, permissionLevel: at }]
  })
}

/** `Get address detail` for `get_address_detail`. */
export const nameOfPermission = (code: string): string =>
  code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ')
