import { type Sql, sql } from '../../../../core/db/sql.ts'
import { ALL_COUNTRIES } from '../../../../core/geography/countries.ts'
import { statesOf } from '../../../../core/geography/states.ts'
import { withoutUndefined } from '../../../../core/objects.ts'
import { refuse } from '../../../../core/rest/input/mistakes.ts'
import { itemReader } from '../../../../core/rest/input/validator.ts'
import { fold } from '../../../../core/rest/lists/fold.ts'
import { findOne } from '../../../../core/rest/lists/verbs.ts'
import { notFound } from '../../../../core/rest/problem.ts'
import {
  addressMistakes,
  CompanyAddressChanges,
  type CompanyAddressRow,
  changeCompanyAddress,
  companyAddresses,
  createCompanyAddresses,
  deleteCompanyAddress,
  findCompanyAddress,
  NewCompanyAddress,
} from '../../../../sales/b2b/addresses/address.ts'
import { companies, epochSeconds } from '../../../../sales/b2b/companies/company.ts'
import { extraFieldsIn, extraFieldsOf } from '../../../../sales/b2b/extra-fields/definitions.ts'
import { extraValuesToAnswer } from '../../../../sales/b2b/extra-fields/values.ts'
import { findWindow, when } from '../../../../sales/b2b/shared/pages.ts'
import { type BuyerCaller, buyerOf } from '../caller.ts'
import type { SchemaInputs } from '../schema-types.ts'
import type { MutationFields, QueryFields } from '../types.ts'
import { given, refuseCompany } from './companies.ts'
import { buyerConnection, windowOfPage } from './connections.ts'
import { companyInfoToAnswer } from './users.ts'

const readNew = itemReader(NewCompanyAddress)
const readChanges = itemReader(CompanyAddressChanges)

/** Queries about the addresses of a company. */
export const addressQueries: QueryFields<
  'addresses' | 'address' | 'defaultShippingAddress' | 'defaultBillingAddress' | 'countries'
> = {
  async addresses(_, args, caller) {
    const { db } = buyerOf(caller)
    refuseCompany(caller, 'get_addresses', args.companyId)
    const window = windowOfPage(args)
    const { rows, total } = await findWindow<CompanyAddressRow>(
      db,
      {
        table: companyAddresses.table,
        columns,
        where: [
          sql`company_id = ${args.companyId}`,
          ...when(given(args.search), (text) => containing(SEARCHED, text)),
          ...when(given(args.firstName), (text) => containing(['first_name_key'], text)),
          ...when(given(args.lastName), (text) => containing(['last_name_key'], text)),
          ...when(given(args.address), (text) => containing(['address_line1_key', 'address_line2_key'], text)),
          ...when(given(args.country), (text) => containing(['country_name_key', 'country_code_key'], text)),
          ...when(given(args.state), (text) => containing(['state_name_key', 'state_code_key'], text)),
          ...when(given(args.city), (text) => containing(['city_key'], text)),
          ...when(given(args.label), (text) => sql`label = ${text}`),
          ...when(given(args.uuid), (text) => sql`external_id = ${text}`),
          ...when(given(args.isShipping), (flag) => sql`is_shipping = ${flag === 1}`),
          ...when(given(args.isBilling), (flag) => sql`is_billing = ${flag === 1}`),
        ],
        order: sql`id desc`,
      },
      window,
    )
    return buyerConnection(await addressesToAnswer(caller, rows), total, window)
  },
  async address(_, { companyId, addressId }, caller) {
    refuseCompany(caller, 'get_address_detail', companyId)
    return addressToAnswer(caller, await addressOf(caller, companyId, addressId, 'get_address_detail'))
  },
  async defaultShippingAddress(_, { companyId }, caller) {
    refuseCompany(caller, 'get_default_shipping', companyId)
    return defaultAddress(caller, companyId, sql`is_default_shipping`)
  },
  async defaultBillingAddress(_, { companyId }, caller) {
    refuseCompany(caller, 'get_default_billing', companyId)
    return defaultAddress(caller, companyId, sql`is_default_billing`)
  },
  countries: () =>
    ALL_COUNTRIES.map(({ id, name, iso2 }) => ({
      id: String(id),
      countryName: name,
      countryCode: iso2,
      states: (statesOf(iso2) ?? []).map((state) => ({ stateName: state.name, stateCode: state.code })),
      stateRequired: statesOf(iso2) !== undefined,
    })),
}

/** Mutations of the addresses of a company. */
export const addressMutations: MutationFields<'addressCreate' | 'addressUpdate' | 'addressDelete'> = {
  async addressCreate(_, { addressData }, caller) {
    const buyer = buyerOf(caller)
    const { companyId } = addressData
    refuseCompany(caller, 'create_address', companyId)
    const body = readNew({ companyId, ...bodyOf(addressData) })
    const fields = await extraFieldsOf(buyer.db, 'address')
    refuse(addressMistakes(body, fields))
    const [row] = await createCompanyAddresses(buyer.db, buyer, [body], fields)
    if (!row) throw new Error('An address was not stored.')
    return { address: await addressToAnswer(caller, row) }
  },
  async addressUpdate(_, { addressData }, caller) {
    const buyer = buyerOf(caller)
    const { companyId, addressId } = addressData
    refuseCompany(caller, 'update_address', companyId)
    await addressOf(caller, companyId, addressId, 'update_address')
    await changeCompanyAddress(buyer.db, buyer, addressId, readChanges(bodyOf(addressData)))
    return { address: await addressToAnswer(caller, await findOne(buyer.db, companyAddresses, addressId)) }
  },
  async addressDelete(_, { companyId, addressId }, caller) {
    const buyer = buyerOf(caller)
    refuseCompany(caller, 'delete_address', companyId)
    await addressOf(caller, companyId, addressId, 'delete_address')
    await deleteCompanyAddress(buyer.db, buyer, addressId)
    return { message: 'Success' }
  },
}

const columns = sql.join(companyAddresses.columns.map(sql.id))
const SEARCHED = ['first_name_key', 'last_name_key', 'address_line1_key', 'city_key', 'zip_code_key']

const containing = (names: readonly string[], text: string): Sql =>
  sql`(${sql.join(
    names.map((name) => sql`strpos(${sql.id(name)}, ${fold(text)}) > 0`),
    ' or ',
  )})`

/** @throws Problem 404 for an address of another company */
async function addressOf(caller: BuyerCaller, companyId: number, id: number, code: string) {
  const buyer = buyerOf(caller)
  const row = await findCompanyAddress(buyer.db, buyer, id, code)
  if (row.company_id !== companyId) throw notFound(companyAddresses.noun, id)
  return row
}

async function defaultAddress(caller: BuyerCaller, companyId: number, isDefault: Sql) {
  const { db } = buyerOf(caller)
  const row = await db.maybeRow<CompanyAddressRow>(sql`
    select ${columns} from company_addresses
    where store_id = ${db.store.id} and company_id = ${companyId} and ${isDefault}`)
  return row ? addressToAnswer(caller, row) : null
}

/** An address as REST reads it. Blanks stand for fields left empty. */
const bodyOf = (data: SchemaInputs['AddressInputType']) =>
  withoutUndefined({
    firstName: data.firstName,
    lastName: data.lastName,
    addressLine1: data.addressLine1,
    addressLine2: data.addressLine2 ?? '',
    countryName: data.country,
    countryCode: data.countryCode,
    stateName: given(data.state),
    stateCode: given(data.stateCode),
    city: data.city,
    zipCode: data.zipCode,
    phoneNumber: data.phoneNumber ?? '',
    isShipping: data.isShipping === 1,
    isBilling: data.isBilling === 1,
    isDefaultShipping: data.isDefaultShipping === 1,
    isDefaultBilling: data.isDefaultBilling === 1,
    label: data.label ?? '',
    externalId: data.uuid ?? '',
    extraFields: (data.extraFields ?? []).flatMap((field) => field ?? []),
  })

async function addressToAnswer(caller: BuyerCaller, row: CompanyAddressRow) {
  const [address] = await addressesToAnswer(caller, [row])
  if (!address) throw new Error('An address has no answer.')
  return address
}

/** Addresses of one company, in the same order. */
async function addressesToAnswer(caller: BuyerCaller, rows: readonly CompanyAddressRow[]) {
  const [first] = rows
  if (!first) return []
  const { db } = buyerOf(caller)
  const fields = await extraFieldsIn(db, 'address', rows)
  const companyInfo = companyInfoToAnswer(await findOne(db, companies, first.company_id))
  return rows.map((row) => ({
    id: String(row.id),
    createdAt: epochSeconds(row.created_at),
    updatedAt: epochSeconds(row.updated_at),
    firstName: row.first_name,
    lastName: row.last_name,
    isShipping: Number(row.is_shipping),
    isBilling: Number(row.is_billing),
    addressLine1: row.address_line1,
    addressLine2: row.address_line2,
    address: row.address_line1,
    city: row.city,
    state: row.state_name,
    stateCode: row.state_code,
    country: row.country_name,
    countryCode: row.country_code,
    zipCode: row.zip_code,
    phoneNumber: row.phone_number,
    isActive: 1,
    label: row.label,
    company: companyInfo.companyName,
    uuid: row.external_id,
    extraFields: extraValuesToAnswer(fields, row.extra_values),
    isDefaultShipping: Number(row.is_default_shipping),
    isDefaultBilling: Number(row.is_default_billing),
    companyInfo,
  }))
}
