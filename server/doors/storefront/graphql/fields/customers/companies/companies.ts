import { prepared } from '../../../../../../core/db/database.ts'
import { sql } from '../../../../../../core/db/sql.ts'
import { Load } from '../../../../../../core/graphql/loads.ts'
import { fold } from '../../../../../../core/rest/lists/fold.ts'
import { findWhere } from '../../../../../../core/rest/lists/verbs.ts'
import { type CompanyAddressRow, companyAddresses } from '../../../../../../sales/b2b/addresses/address.ts'
import { APPROVED } from '../../../../../../sales/b2b/companies/company.ts'
import { treeBelow } from '../../../../../../sales/b2b/companies/hierarchy.ts'
import { extraFieldsOf } from '../../../../../../sales/b2b/extra-fields/definitions.ts'
import { type ExtraField, type ExtraFieldKind, FIELD_TYPES } from '../../../../../../sales/b2b/extra-fields/field.ts'
import { type ExtraValues, withValues } from '../../../../../../sales/b2b/extra-fields/values.ts'
import { grantsOf, type RoleRow } from '../../../../../../sales/b2b/roles/roles.ts'
import { type Buyer, mayDo } from '../../../../../../sales/b2b/shared/caller.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { Fields } from '../../../types.ts'
import { keyedConnection, type Order, type PageArgs, planPage } from '../../connections.ts'
import { companyOrderConnection, orderingCustomers } from '../../purchases/orders/company-orders.ts'
import { formFieldValuesOf } from '../form-field-values.ts'

// The company that a customer buys for: its user there, and the addresses that its role may read. Customers of a store without the companion
// API and users of companies that are not approved have no company here [our choice].

interface CompanyMember {
  customer_id: number
  user_id: number
  company_id: number
  company_name: string
  phone_number: string
  extra_values: ExtraValues
  role: Pick<RoleRow, 'name' | 'role_type' | 'permissions'>
  first_name: string
  last_name: string
  email: string
}

declare module '../../../types.ts' {
  interface Parents {
    ActiveCompany: CompanyMember
    CompanyQueries: { member: CompanyMember | undefined }
    CompanyUser: CompanyMember
    CompanyAddress: CompanyAddressRow & { shownFields: readonly ExtraField[] }
  }
}

const memberLoad = new Load<StorefrontCaller, number, CompanyMember>(async ({ storefront: { db } }, customers) => {
  const rows = await db.rows<CompanyMember>(
    prepared(sql`
    select u.customer_id, u.id as user_id, u.company_id, company.company_name, u.phone_number, u.extra_values,
      jsonb_build_object('name', role.name, 'role_type', role.role_type, 'permissions', role.permissions) as role,
      customer.first_name, customer.last_name, customer.email
    from company_users u
    join b2b_settings settings on settings.store_id = ${db.store.id} and settings.is_enabled
    join companies company on company.store_id = ${db.store.id} and company.id = u.company_id
      and company.company_status = ${APPROVED}
    join company_roles role on role.store_id = ${db.store.id} and role.id = u.company_role_id
    join customers customer on customer.store_id = ${db.store.id} and customer.id = u.customer_id
    where u.store_id = ${db.store.id} and u.customer_id = ${sql.anyOf(customers)}`),
  )
  return new Map(rows.map((row) => [row.customer_id, row]))
})

/** The user of the customer of the request; undefined for guests and for customers without a company. */
export const memberOf = async (caller: StorefrontCaller): Promise<CompanyMember | undefined> =>
  caller.customer && memberLoad.find(caller, caller.customer.id, undefined)

const fieldLoad = new Load<StorefrontCaller, ExtraFieldKind, ExtraField[]>(async ({ storefront: { db } }, kinds) => {
  const found = await Promise.all(kinds.map((kind) => extraFieldsOf(db, kind)))
  return new Map(kinds.map((kind, i) => [kind, found[i] ?? []]))
})

/** The fields of a kind that shoppers may see. */
const shownFields = async (caller: StorefrontCaller, kind: ExtraFieldKind) =>
  ((await fieldLoad.find(caller, kind, undefined)) ?? []).filter(({ visible_to_enduser }) => visible_to_enduser)

function extraValuesToAnswer(fields: readonly ExtraField[], values: ExtraValues) {
  return withValues(fields, values).map(({ field: { id, field_name: name, field_type }, value }) => {
    const field = { name, fieldEntityId: id }
    switch (field_type) {
      case FIELD_TYPES.lines:
        return { __typename: 'MultilineTextExtraFieldValue' as const, ...field, multilineText: value }
      case FIELD_TYPES.number:
        return { __typename: 'NumberExtraFieldValue' as const, ...field, number: Number(value) }
      case FIELD_TYPES.dropdown:
        return { __typename: 'MultipleChoiceExtraFieldValue' as const, ...field, value }
      default:
        return { __typename: 'TextExtraFieldValue' as const, ...field, text: value }
    }
  })
}

interface AddressArgs extends PageArgs {
  filters?: {
    isDefaultShipping?: boolean | null
    isDefaultBilling?: boolean | null
    isShipping?: boolean | null
    isBilling?: boolean | null
    searchQuery?: string | null
  } | null
  sort?: readonly { direction: 'ASC' | 'DESC' }[] | null
  includesExtraFields: boolean | null
}

/** Ids count up, so their order is that of creation. */
const orderOf = ({ sort }: AddressArgs): Order => ({ columns: ['id'], isFalling: sort?.[0]?.direction === 'DESC' })

/** One page of the addresses of a company; empty for a user whose role may not read them. */
async function addressPage(caller: StorefrontCaller, member: CompanyMember | undefined, args: AddressArgs) {
  const plan = planPage(args, orderOf(args))
  const rows = member && isReader(member) ? await addressesOf(caller, member, args) : []
  const fields = args.includesExtraFields ? await shownFields(caller, 'address') : []
  return keyedConnection(plan, rows, {
    keyOf: ({ id }) => [id],
    nodeOf: (row) => ({ ...row, shownFields: fields }),
  })
}

const isReader = (member: CompanyMember) => mayDo(buyerOf(member), 'get_addresses', member.company_id)

/** @param subsidiaries the companies below, which addresses don't need */
const buyerOf = (
  { user_id: userId, company_id: companyId, role }: CompanyMember,
  subsidiaries: readonly number[] = [],
): Buyer => ({ kind: 'buyer', userId, companyId, subsidiaries: new Set(subsidiaries), grants: grantsOf(role) })

/** The user with the companies below its own. */
async function buyerOfTree({ storefront: { db } }: StorefrontCaller, member: CompanyMember): Promise<Buyer> {
  const below = await treeBelow(db, member.company_id)
  return buyerOf(
    member,
    below.map(({ id }) => id),
  )
}

function addressesOf({ storefront: { db } }: StorefrontCaller, { company_id }: CompanyMember, args: AddressArgs) {
  const { isDefaultShipping, isDefaultBilling, isShipping, isBilling, searchQuery } = args.filters ?? {}
  const plan = planPage(args, orderOf(args))
  const conditions = [sql`company_id = ${company_id}`, plan.where]
  const flags = {
    is_default_shipping: isDefaultShipping,
    is_default_billing: isDefaultBilling,
    is_shipping: isShipping,
    is_billing: isBilling,
  }
  for (const [column, flag] of Object.entries(flags))
    if (flag != null) conditions.push(sql`${sql.id(column)} = ${flag}`)
  if (searchQuery) {
    const piece = fold(searchQuery.replaceAll('\0', ''))
    conditions.push(
      sql`(${sql.join(
        SEARCHED.map((column) => sql`strpos(${sql.id(column)}, ${piece}) > 0`),
        ' or ',
      )})`,
    )
  }
  return findWhere(db, companyAddresses, sql.and(conditions), plan.tail)
}

const SEARCHED = ['first_name_key', 'last_name_key', 'address_line1_key', 'city_key', 'zip_code_key'] as const

/** Companies of customers. */
export const companyGraphFields: Fields<'ActiveCompany' | 'CompanyQueries' | 'CompanyUser' | 'CompanyAddress'> = {
  ActiveCompany: {
    addresses: (member, args, caller) => addressPage(caller, member, args),
    companyUser: (member) => member,
    orders: async (member, args, caller) => companyOrderConnection(caller, await buyerOfTree(caller, member), args),
    customersWithOrders: async (member, args, caller) =>
      orderingCustomers(caller, await buyerOfTree(caller, member), args),
  },
  CompanyQueries: {
    addresses: ({ member }, args, caller) => addressPage(caller, member, args),
    companyUser: ({ member }) => member ?? null,
  },
  CompanyUser: {
    firstName: ({ first_name }) => first_name,
    lastName: ({ last_name }) => last_name,
    company: ({ company_name }) => company_name,
    phoneNumber: ({ phone_number }) => phone_number,
    formFields: ({ customer_id }, _, caller) => formFieldValuesOf(caller, customer_id, 0),
    extraFields: async ({ extra_values }, _, caller) =>
      extraValuesToAnswer(await shownFields(caller, 'user'), extra_values),
    companyRoleName: ({ role }) => role.name,
  },
  CompanyAddress: {
    entityId: ({ id }) => id,
    firstName: ({ first_name }) => first_name,
    lastName: ({ last_name }) => last_name,
    address1: ({ address_line1 }) => address_line1,
    address2: ({ address_line2 }) => address_line2 || null,
    country: ({ country_name }) => country_name,
    countryCode: ({ country_code }) => country_code,
    stateOrProvince: ({ state_name }) => state_name || null,
    stateOrProvinceCode: ({ state_code }) => state_code || null,
    phone: ({ phone_number }) => phone_number || null,
    postalCode: ({ zip_code }) => zip_code || null,
    label: ({ label }) => label || null,
    isDefaultShipping: ({ is_default_shipping }) => is_default_shipping,
    isDefaultBilling: ({ is_default_billing }) => is_default_billing,
    isBilling: ({ is_billing }) => is_billing,
    isShipping: ({ is_shipping }) => is_shipping,
    extraFields: ({ shownFields, extra_values }) => extraValuesToAnswer(shownFields, extra_values),
  },
}
