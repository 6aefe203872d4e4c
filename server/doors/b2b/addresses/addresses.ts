import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import type { Api } from '../../../core/rest/api.ts'
import { ID_MAX, Id, idSegment } from '../../../core/rest/input/fields.ts'
import { itemByItem, itemReader } from '../../../core/rest/input/validator.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { Problem } from '../../../core/rest/problem.ts'
import {
  addressMistakes,
  CompanyAddress,
  CompanyAddressChanges,
  type CompanyAddressRow,
  changeCompanyAddress,
  companyAddresses,
  companyAddressToAnswer,
  createCompanyAddresses,
  deleteCompanyAddress,
  findCompanyAddress,
  NEW_ADDRESS,
  NewCompanyAddress,
} from '../../../sales/b2b/addresses/address.ts'
import { extraFieldsIn, extraFieldsOf } from '../../../sales/b2b/extra-fields/definitions.ts'
import { type CompanyCaller, type CompanyReader, within } from '../../../sales/b2b/shared/caller.ts'
import { findWindow, orderBy, when } from '../../../sales/b2b/shared/pages.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { extraFieldRoutes } from '../extra-fields/extra-fields.ts'
import { callerOf, companyReaderOf } from '../grammar/caller.ts'
import {
  answering,
  companionAnswer,
  companionListAnswer,
  ListMistakes,
  listing,
  SUCCESS_OF_USERS,
  windowOf,
  windowQuery,
} from '../grammar/envelope.ts'
import { BULK_MAX, readItems } from '../grammar/lists.ts'
import { times, timesIn } from '../grammar/queries.ts'

const { write } = access('b2b')
const tag = 'Company addresses'

const Query = t.Object({
  ...windowQuery,
  companyId: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX })),
  isBilling: t.Optional(t.Boolean()),
  isShipping: t.Optional(t.Boolean()),
  firstName: t.Optional(t.String()),
  lastName: t.Optional(t.String()),
  address: t.Optional(t.String({ description: 'Part of either line' })),
  city: t.Optional(t.String()),
  country: t.Optional(t.String({ description: 'Part of the name, or the code' })),
  state: t.Optional(t.String({ description: 'Part of the name, or the code' })),
  zipCode: t.Optional(t.String()),
  phoneNumber: t.Optional(t.String()),
  externalId: t.Optional(t.Array(t.String(), { maxItems: 100 })),
  isIncludeExtraFields: t.Optional(t.Boolean()),
  ...times,
})
const Reference = t.Object({ addressId: t.Integer() }, { title: 'CompanyAddressReference' })
const readItem = itemReader(NewCompanyAddress)

/** Addresses of companies (docs/contract/b2b-addresses.md). */
export function companyAddressRoutes(api: Api) {
  const place = '/v3/io/addresses'
  const one = `${place}/${idSegment('address_id')}`
  const params = t.Object({ address_id: Id })
  extraFieldRoutes(api, { kind: 'address', path: place, name: 'CompanyAddress', message: SUCCESS_OF_USERS })

  const refer = (addressId: number) => companionAnswer({ addressId }, SUCCESS_OF_USERS)

  api.get(
    place,
    {
      ...write,
      schema: {
        summary: 'List the addresses of companies',
        operationId: 'listCompanyAddresses',
        tag,
        querystring: Query,
        ...listing(CompanyAddress),
      },
    },
    async ({ db, query, salesRep }) => {
      const window = windowOf(query)
      const { rows, total } = await findWindow<CompanyAddressRow>(
        db,
        {
          table: companyAddresses.table,
          columns: sql.join(companyAddresses.columns.map(sql.id)),
          where: conditionsOf(query, companyReaderOf(db, salesRep)),
          order: orderBy({}, undefined),
        },
        window,
      )
      const fields = query.isIncludeExtraFields ? await extraFieldsIn(db, 'address', rows) : []
      const addresses = rows.map((row) => companyAddressToAnswer(row, fields))
      return companionListAnswer(addresses, total, window, SUCCESS_OF_USERS)
    },
  )

  api.post(
    place,
    {
      ...write,
      schema: {
        summary: 'Create an address of a company',
        operationId: 'createCompanyAddress',
        tag,
        body: NewCompanyAddress,
        ...answering(Reference),
      },
    },
    async ({ db, body, salesRep }) => {
      const [row] = await create(db, await callerOf(db, salesRep), [body], false)
      return refer(row?.id ?? 0)
    },
  )

  api.post(
    `${place}/bulk`,
    {
      ...write,
      schema: {
        summary: 'Create up to 10 addresses of companies',
        description: 'All of them, or none.',
        operationId: 'createCompanyAddresses',
        tag,
        body: itemByItem(NewCompanyAddress, BULK_MAX, [[NEW_ADDRESS]]),
        ...answering(t.Array(CompanyAddress)),
      },
    },
    async ({ db, body, salesRep }) => {
      const rows = await create(db, await callerOf(db, salesRep), body, true)
      const fields = await extraFieldsIn(db, 'address', rows)
      return companionAnswer(
        rows.map((row) => companyAddressToAnswer(row, fields)),
        SUCCESS_OF_USERS,
      )
    },
  )

  api.get(
    one,
    {
      ...write,
      schema: {
        summary: 'Get an address of a company',
        operationId: 'getCompanyAddress',
        tag,
        params,
        ...answering(CompanyAddress),
      },
    },
    async ({ db, params, salesRep }) => {
      const row = await findCompanyAddress(db, await callerOf(db, salesRep), params.address_id)
      const fields = await extraFieldsIn(db, 'address', [row])
      return companionAnswer(companyAddressToAnswer(row, fields), SUCCESS_OF_USERS)
    },
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change an address of a company',
        description: 'Other fields stay unchanged, and so does the company.',
        operationId: 'updateCompanyAddress',
        tag,
        params,
        body: CompanyAddressChanges,
        ...answering(Reference),
      },
    },
    async ({ db, params, body, salesRep }) => {
      await changeCompanyAddress(db, await callerOf(db, salesRep), params.address_id, body)
      return refer(params.address_id)
    },
  )

  api.delete(
    one,
    {
      ...write,
      schema: {
        summary: 'Delete an address of a company',
        operationId: 'deleteCompanyAddress',
        tag,
        params,
        ...answering(Reference),
      },
    },
    async ({ db, params, salesRep }) => {
      await deleteCompanyAddress(db, await callerOf(db, salesRep), params.address_id)
      return refer(params.address_id)
    },
  )
}

/** Checks all bodies before it creates any. @param isList whether a refusal has the mistakes of each body */
async function create(db: Db, caller: CompanyCaller, bodies: readonly unknown[], isList: boolean) {
  const fields = await extraFieldsOf(db, 'address')
  try {
    const addresses = readItems(bodies, readItem, (address) => addressMistakes(address, fields))
    return await createCompanyAddresses(db, caller, addresses, fields)
  } catch (error) {
    throw error instanceof ListMistakes && !isList ? new Problem(422, '', { ...error.items[0] }) : error
  }
}

function conditionsOf(query: Static<typeof Query>, caller: CompanyReader): Sql[] {
  const part = (column: string) => (text: string) => sql`strpos(${sql.id(column)}, ${fold(text)}) > 0`
  return [
    ...within(caller, 'get_addresses', sql`company_id`),
    ...when(query.companyId, (id) => sql`company_id = ${id}`),
    ...when(query.isBilling, (is) => sql`is_billing = ${is}`),
    ...when(query.isShipping, (is) => sql`is_shipping = ${is}`),
    ...when(query.firstName, part('first_name_key')),
    ...when(query.lastName, part('last_name_key')),
    ...when(query.address, (text) => sql`(${part('address_line1_key')(text)} or ${part('address_line2_key')(text)})`),
    ...when(query.city, part('city_key')),
    ...when(query.country, (text) => sql`(${part('country_name_key')(text)} or country_code_key = ${fold(text)})`),
    ...when(query.state, (text) => sql`(${part('state_name_key')(text)} or state_code_key = ${fold(text)})`),
    ...when(query.zipCode, part('zip_code_key')),
    ...when(query.phoneNumber, part('phone_number_key')),
    ...when(query.externalId, (ids) => sql`external_id = any(${ids}) and external_id <> ''`),
    ...timesIn(query),
  ]
}
