import type { Row } from '../../bundle.ts'
import { type BundleKind, objectIn, only, rowsIn, without } from '../kind.ts'
import { API, companion, withExtraFields } from './companion.ts'
import { invoiceKinds } from './invoices.ts'

/**
 * Companies, with their users, addresses, credit and invoices. They follow the orders: an order that was placed on credit took its amount
 * then, and would take it again if its customer had a company already. A job moves orders to the companies of their customers.
 */

const COMPANY = [
  'companyId',
  'companyName',
  'companyEmail',
  'companyPhone',
  'addressLine1',
  'addressLine2',
  'city',
  'state',
  'country',
  'zipCode',
  'companyStatus',
  'bcGroupId',
  'uuid',
  'extraFields',
] as const

const USER = [
  'id',
  'companyId',
  'customerId',
  'companyRoleId',
  'firstName',
  'lastName',
  'email',
  'phoneNumber',
  'uuid',
  'extraFields',
] as const

/** The type of the roles that come with the API, and are fixed. */
const PREDEFINED = 1

export const companyKinds: readonly BundleKind[] = [
  companion({
    name: 'company-permissions',
    list: `${API}/companies/permissions`,
    paging: 'whole',
    toBundle: (row) => (row.isCustom ? only(row, ['id', 'name', 'description', 'code', 'moduleName']) : undefined),
    create: { path: `${API}/companies/permissions` },
  }),
  companion({
    name: 'company-roles',
    list: `${API}/companies/roles`,
    paging: 'offsets',
    toBundle: (row) => only(row, ['id', 'name', 'roleType']),
    create: {
      path: `${API}/companies/roles`,
      match: { by: (row) => (isPredefined(row) ? String(row.name) : undefined), path: `${API}/companies/roles/{id}` },
      body: (row) => (isPredefined(row) ? { name: row.name } : { name: row.name, permissions: [] }),
    },
  }),
  companion({
    name: 'company-role-permissions',
    list: `${API}/companies/roles/{under}`,
    paging: 'object',
    under: { kind: 'company-roles', when: (row) => !isPredefined(row) },
    key: null,
    toBundle: ({ $under, name, permissions }) => ({
      $under,
      name,
      permissions: rowsIn(permissions).map((grant) => only(grant, ['code', 'permissionLevel'])),
    }),
    create: { method: 'PUT', path: `${API}/companies/roles/{under}` },
  }),
  companion({
    name: 'companies',
    list: `${API}/companies?isIncludeExtraFields=true&orderBy=ASC`,
    paging: 'offsets',
    key: 'companyId',
    refs: { bcGroupId: 'customer-groups', parentId: 'companies' },
    toBundle: (row) => withExtraFields({ ...only(row, COMPANY), parentId: parentOf(row) }),
    create: { path: `${API}/companies`, by: 'companies' },
  }),
  companion({
    name: 'company-users',
    list: `${API}/users?isIncludeExtraFields=true`,
    paging: 'newest first',
    refs: {
      companyId: 'companies',
      customerId: 'customers',
      companyRoleId: 'company-roles',
      'channelIds[]': 'channels',
    },
    neededRefs: ['companyId'],
    toBundle: (row) =>
      withExtraFields({ ...only(row, USER), channelIds: rowsIn(row.channelList).map(({ channelId }) => channelId) }),
    create: {
      path: `${API}/users`,
      idAt: 'userId',
      body: (row) => without(row, 'customerId', ...(isEmptyList(row.channelIds) ? ['channelIds'] : [])),
      second: withoutExtraFields,
    },
  }),
  companion({
    name: 'company-addresses',
    list: `${API}/addresses?isIncludeExtraFields=true`,
    paging: 'newest first',
    key: 'addressId',
    refs: { companyId: 'companies' },
    neededRefs: ['companyId'],
    toBundle: (row) => withExtraFields(without(row, 'createdAt', 'updatedAt')),
    create: { path: `${API}/addresses`, second: withoutExtraFields },
  }),
  companion({
    name: 'company-credit',
    list: `${API}/companies/{under}/credit`,
    paging: 'object',
    under: { kind: 'companies' },
    key: null,
    toBundle: (row) => (row.creditEnabled || row.creditHold ? row : undefined),
    // Orders may have made it negative.
    create: {
      method: 'PUT',
      path: `${API}/companies/{under}/credit`,
      body: (row) => ({ ...row, availableCredit: Math.max(0, Number(row.availableCredit)) }),
    },
  }),
  companion({
    name: 'company-payment-terms',
    list: `${API}/companies/{under}/payment-terms`,
    paging: 'object',
    under: { kind: 'companies' },
    key: null,
    toBundle: (row) => (row.isEnabled ? row : undefined),
    create: { method: 'PUT', path: `${API}/companies/{under}/payment-terms` },
  }),
  companion({
    name: 'company-payment-methods',
    list: `${API}/companies/{under}/payments`,
    paging: 'whole',
    under: { kind: 'companies' },
    key: null,
    toBundle: ({ $under, code, isEnabled }) => (isEnabled ? undefined : { $under, code, isEnabled }),
    create: {
      method: 'PUT',
      path: `${API}/companies/{under}/payments`,
      batch: 50,
      bodyOfAll: (payments) => ({ payments }),
    },
  }),
  ...invoiceKinds,
]

const isEmptyList = (value: unknown): boolean => !Array.isArray(value) || value.length === 0

const isPredefined = ({ roleType }: Row): boolean => roleType === PREDEFINED

const parentOf = ({ parentCompany }: Row): unknown => objectIn(parentCompany).id ?? 0

/** A store without a field refuses its values. */
function withoutExtraFields(body: Row): Row {
  return without(body, 'extraFields')
}
