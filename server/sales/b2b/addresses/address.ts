import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { withoutUndefined } from '../../../core/objects.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, Moment, NeededText } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { change, insertAll, lock, remove, removeAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { notFound, unknownId } from '../../../core/rest/problem.ts'
import { epochSeconds, TextOf } from '../companies/company.ts'
import { extraFieldsOf } from '../extra-fields/definitions.ts'
import type { ExtraField } from '../extra-fields/field.ts'
import { claimUniqueValues } from '../extra-fields/unique.ts'
import {
  changedExtraValues,
  ExtraValues,
  newExtraMistakes,
  newExtraValues,
  WrittenExtraFields,
  withValues,
} from '../extra-fields/values.ts'
import { type CompanyCaller, mayDo, reachableBy, refuseOutside, unreachable } from '../shared/caller.ts'
import { denied } from '../shared/refusals.ts'
import { completePlace, type Place } from './places.ts'

/**
 * An address of a company, for billing, for shipping or for both.
 *
 * Its country is one of the list of all countries; countries with a list of states need a state of it. A company has at most one
 * default address of each kind: a new default replaces the former one. An address stays with its company, and is deleted with it.
 * Quotes, orders and invoices have copies.
 */
const Row = t.Object({
  id: Id,
  company_id: Id,
  first_name: NeededText(255),
  last_name: NeededText(255),
  phone_number: TextOf(50),
  zip_code: TextOf(50),
  address_line1: NeededText(255),
  address_line2: TextOf(255),
  city: NeededText(100),
  state_name: TextOf(100),
  state_code: TextOf(50),
  country_name: TextOf(100),
  country_code: TextOf(3),
  is_billing: t.Boolean(),
  is_shipping: t.Boolean(),
  is_default_billing: t.Boolean(),
  is_default_shipping: t.Boolean(),
  label: TextOf(255),
  external_id: TextOf(255),
  extra_values: ExtraValues,
  created_at: Moment,
  updated_at: Moment,
})
export type CompanyAddressRow = Static<typeof Row>

export const companyAddresses = collection('company_addresses', Row, {
  noun: 'address',
  filters: '',
  twins: [
    'first_name',
    'last_name',
    'phone_number',
    'zip_code',
    'address_line1',
    'address_line2',
    'city',
    'state_name',
    'state_code',
    'country_name',
    'country_code',
  ],
})

const of = Row.properties
const changeable = {
  firstName: of.first_name,
  lastName: of.last_name,
  addressLine1: of.address_line1,
  city: of.city,
  phoneNumber: of.phone_number,
  phone: { ...of.phone_number, description: 'Another name of phoneNumber' },
  zipCode: of.zip_code,
  addressLine2: of.address_line2,
  countryName: of.country_name,
  country: { ...of.country_name, description: 'Another name of countryName' },
  countryCode: { ...of.country_code, description: 'Two letters, such as DK' },
  stateName: of.state_name,
  stateCode: of.state_code,
  isBilling: t.Boolean(),
  isShipping: t.Boolean(),
  isDefaultBilling: t.Boolean({ description: 'Replaces the former default of the company. Needs isBilling' }),
  isDefaultShipping: t.Boolean({ description: 'Replaces the former default of the company. Needs isShipping' }),
  label: of.label,
  externalId: of.external_id,
  extraFields: WrittenExtraFields,
}
export const CompanyAddressChanges = t.Object(t.Partial(t.Object(changeable)).properties, {
  title: 'CompanyAddressChanges',
  examples: [{ city: 'Perth' }],
})
type AddressBody = Static<typeof CompanyAddressChanges>

export const NEW_ADDRESS = {
  firstName: 'Ann',
  lastName: 'Lee',
  addressLine1: '12 Harbour Street',
  city: 'Sydney',
  countryCode: 'AU',
  stateCode: 'NSW',
  companyId: 1,
}
export const NewCompanyAddress = t.Object(
  {
    ...CompanyAddressChanges.properties,
    firstName: of.first_name,
    lastName: of.last_name,
    addressLine1: of.address_line1,
    city: of.city,
    companyId: Id,
  },
  { title: 'NewCompanyAddress', examples: [NEW_ADDRESS] },
)
type NewCompanyAddress = Static<typeof NewCompanyAddress>

const Seconds = t.Integer({ description: 'Unix seconds' })

/** An address in answers (docs/contract/b2b-addresses.md section 2). */
export const CompanyAddress = t.Object(
  {
    addressId: Id,
    firstName: t.String(),
    lastName: t.String(),
    phoneNumber: t.String(),
    zipCode: t.String(),
    addressLine1: t.String(),
    addressLine2: t.String(),
    city: t.String(),
    stateName: t.String(),
    countryName: t.String(),
    stateCode: t.String(),
    countryCode: t.String(),
    companyId: Id,
    isBilling: t.Boolean(),
    isShipping: t.Boolean(),
    isDefaultBilling: t.Boolean(),
    isDefaultShipping: t.Boolean(),
    label: t.String(),
    externalId: t.String(),
    extraFields: t.Array(
      t.Object(
        { fieldName: t.String(), fieldValue: t.String(), fieldType: t.Integer() },
        { title: 'AddressExtraField' },
      ),
    ),
    createdAt: Seconds,
    updatedAt: Seconds,
  },
  { title: 'CompanyAddress' },
)

/** @param fields the extra fields to show; none in lists that omit them */
export const companyAddressToAnswer = (
  row: CompanyAddressRow,
  fields: readonly ExtraField[],
): Static<typeof CompanyAddress> => ({
  addressId: row.id,
  firstName: row.first_name,
  lastName: row.last_name,
  phoneNumber: row.phone_number,
  zipCode: row.zip_code,
  addressLine1: row.address_line1,
  addressLine2: row.address_line2,
  city: row.city,
  stateName: row.state_name,
  countryName: row.country_name,
  stateCode: row.state_code,
  countryCode: row.country_code,
  companyId: row.company_id,
  isBilling: row.is_billing,
  isShipping: row.is_shipping,
  isDefaultBilling: row.is_default_billing,
  isDefaultShipping: row.is_default_shipping,
  label: row.label,
  externalId: row.external_id,
  extraFields: withValues(fields, row.extra_values).map(({ field, value }) => ({
    fieldName: field.field_name,
    fieldValue: value,
    fieldType: field.field_type,
  })),
  createdAt: epochSeconds(row.created_at),
  updatedAt: epochSeconds(row.updated_at),
})

/** @param code the permission that a buyer needs @throws Problem 403, 404 */
export async function findCompanyAddress(db: Db, caller: CompanyCaller, id: number, code = 'get_address_detail') {
  const columns = sql.join(companyAddresses.columns.map(sql.id))
  const found = await db.maybeRow<CompanyAddressRow>(sql`
    select ${columns} from company_addresses
    where store_id = ${db.store.id} and id = ${id} and ${reachableBy(caller, code, sql`company_id`)}`)
  if (!found) throw unreachable(caller, notFound(companyAddresses.noun, id))
  return found
}

/** The columns of a body besides its country and state. */
const columnsOf = (body: AddressBody) => ({
  first_name: body.firstName,
  last_name: body.lastName,
  phone_number: body.phoneNumber ?? body.phone,
  zip_code: body.zipCode,
  address_line1: body.addressLine1,
  address_line2: body.addressLine2,
  city: body.city,
  is_billing: body.isBilling,
  is_shipping: body.isShipping,
  is_default_billing: body.isDefaultBilling,
  is_default_shipping: body.isDefaultShipping,
  label: body.label,
  external_id: body.externalId,
})

/** A default address has its kind in the same body. */
function defaultsIn({ isBilling, isShipping, isDefaultBilling, isDefaultShipping }: AddressBody): Mistakes {
  return {
    ...(isDefaultBilling && !isBilling ? { is_default_billing: 'A default billing address needs isBilling.' } : {}),
    ...(isDefaultShipping && !isShipping
      ? { is_default_shipping: 'A default shipping address needs isShipping.' }
      : {}),
  }
}

/** The mistakes of a new address that its schema can't find. @param fields the extra fields of addresses */
export const addressMistakes = (body: NewCompanyAddress, fields: readonly ExtraField[]): Mistakes => ({
  ...completePlace(placeIn(body)).mistakes,
  ...defaultsIn(body),
  ...newExtraMistakes(fields, body.extraFields),
})

const placeIn = ({ countryName, country, countryCode, stateName, stateCode }: AddressBody) => ({
  countryName: countryName ?? country,
  countryCode,
  stateName,
  stateCode,
})

/**
 * Creates addresses: all of them, or none. The bodies are checked by `addressMistakes`.
 * @param fields the extra fields of addresses
 * @throws Problem 403, 422 for an unknown company
 */
export async function createCompanyAddresses(
  db: Db,
  caller: CompanyCaller,
  bodies: readonly NewCompanyAddress[],
  fields: readonly ExtraField[],
) {
  for (const body of bodies) {
    refuseOutside(caller, body.companyId)
    if (!mayDo(caller, 'create_address', body.companyId)) throw denied()
  }
  const values = bodies.map(({ extraFields }) => newExtraValues(fields, extraFields))
  return db.transaction(async (tx) => {
    const ids = await takeIds(tx, [[companyAddresses, bodies.length]])
    await lockCompanies(tx, bodies)
    const now = toSeconds(tx.now)
    const rows = bodies.map((body, i) => {
      const { place } = completePlace(placeIn(body))
      return {
        ...blank,
        ...withoutUndefined(columnsOf(body)),
        ...place,
        first_name: body.firstName,
        last_name: body.lastName,
        address_line1: body.addressLine1,
        city: body.city,
        id: ids.next(companyAddresses),
        company_id: body.companyId,
        extra_values: values[i] ?? {},
        created_at: now,
        updated_at: now,
      }
    })
    const stored = await insertAll(tx, companyAddresses, withLastDefaults(rows))
    await claimUniqueValues(tx, companyAddresses.table, fields, stored)
    for (const row of stored) {
      await replaceDefaults(tx, row)
      publishAddress(tx, 'created', row)
    }
    return stored
  })
}

const blank = {
  phone_number: '',
  zip_code: '',
  address_line2: '',
  is_billing: false,
  is_shipping: false,
  is_default_billing: false,
  is_default_shipping: false,
  label: '',
  external_id: '',
}

/** The last of several new defaults of one company counts. */
const withLastDefaults = <R extends CompanyAddressRow>(rows: readonly R[]): R[] =>
  rows.map((row, i) => {
    const later = rows.slice(i + 1).filter(({ company_id }) => company_id === row.company_id)
    return {
      ...row,
      is_default_billing: row.is_default_billing && !later.some((other) => other.is_default_billing),
      is_default_shipping: row.is_default_shipping && !later.some((other) => other.is_default_shipping),
    }
  })

/** Locks companies in the order of their ids, so that each has one default of a kind. @throws Problem 422 */
async function lockCompanies(tx: Tx, bodies: readonly NewCompanyAddress[]) {
  const wanted = [...new Set(bodies.map(({ companyId }) => companyId))]
  const rows = await tx.rows<{ id: number }>(sql`
    select id from companies where store_id = ${tx.store.id} and id = any(${wanted}) order by id for no key update`)
  const there = new Set(rows.map(({ id }) => id))
  const [missing] = wanted.filter((id) => !there.has(id))
  if (missing !== undefined) refuse({ company_id: unknownId('company', missing) })
}

/** Makes the former defaults of a company ordinary addresses. */
async function replaceDefaults(tx: Tx, row: CompanyAddressRow) {
  for (const kind of ['is_default_billing', 'is_default_shipping'] as const) {
    if (!row[kind]) continue
    await tx.rows(sql`
      update company_addresses set ${sql.set({ [kind]: false })}
      where store_id = ${tx.store.id} and company_id = ${row.company_id} and id <> ${row.id} and ${sql.id(kind)}
      returning id`)
  }
}

/**
 * Changes an address; other fields stay, as does its company.
 * @throws Problem 403, 404, 422 for a country without its code, or without a state if the country has a list of them
 */
export async function changeCompanyAddress(db: Db, caller: CompanyCaller, id: number, body: AddressBody) {
  const { company_id } = await findCompanyAddress(db, caller, id, 'update_address')
  const fields = body.extraFields ? await extraFieldsOf(db, 'address') : []
  await db.transaction(async (tx) => {
    await tx.rows(sql`
      select id from companies where store_id = ${tx.store.id} and id = ${company_id} for no key update`)
    const row = await lock(tx, companyAddresses, id)
    const { place, mistakes } = placeAfter(row, body)
    refuse({ ...mistakes, ...defaultsIn(body) })
    const extra_values = body.extraFields && changedExtraValues(fields, row.extra_values, body.extraFields)
    const changed = await change(tx, companyAddresses, row, { ...columnsOf(body), ...place, extra_values })
    if (changed === row) return
    await claimUniqueValues(tx, companyAddresses.table, fields, extra_values ? [changed] : [])
    await change(tx, companyAddresses, row, { updated_at: toSeconds(tx.now) })
    await replaceDefaults(tx, changed)
    publishAddress(tx, 'updated', row)
  })
}

/** The country and the state after a change; undefined if the body has neither. */
function placeAfter(row: CompanyAddressRow, body: AddressBody): { place?: Place; mistakes: Mistakes } {
  const { countryName, countryCode, stateName, stateCode } = placeIn(body)
  if (countryName !== undefined && countryCode === undefined) {
    return { mistakes: { country_name: 'A new country needs its code.' } }
  }
  if (countryCode !== undefined) return completePlace({ countryName, countryCode, stateName, stateCode })
  if (stateName === undefined && stateCode === undefined) return { mistakes: {} }
  return completePlace({ countryCode: row.country_code, stateName, stateCode })
}

/** @throws Problem 403, 404 */
export async function deleteCompanyAddress(db: Db, caller: CompanyCaller, id: number) {
  await findCompanyAddress(db, caller, id, 'delete_address')
  await db.transaction(async (tx) => {
    await lockCounters(tx, [companyAddresses.table])
    const row = await lock(tx, companyAddresses, id)
    await remove(tx, companyAddresses, id)
    publishAddress(tx, 'deleted', row)
  })
}

/** Deletes the addresses of a deleted company. The caller has locked the counter. */
export const deleteAddressesOf = (tx: Tx, companyId: number) =>
  removeAll(tx, companyAddresses, sql`company_id = ${companyId}`)

function publishAddress(tx: Tx, action: 'created' | 'updated' | 'deleted', { id, company_id }: CompanyAddressRow) {
  publish(tx, `store/company/address/${action}`, `company address ${id}`, { company_id, address_id: id })
}
