import { prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { ALL_COUNTRIES } from '../../../../../core/geography/countries.ts'
import { stateByName } from '../../../../../core/geography/states.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import type { CustomerAddress } from '../../../../../customers/addresses/shape.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { Fields } from '../../types.ts'
import { keyedConnection, type Order, type PageArgs, planPage } from '../connections.ts'
import { formFieldValuesOf } from './form-field-values.ts'

declare module '../../types.ts' {
  interface Parents {
    CustomerAddress: CustomerAddress
    AddressConnection: Awaited<ReturnType<typeof addressConnection>>
  }
}

const BY_ID: Order = { columns: ['id'], isFalling: false }

/** One page of the addresses of each customer. */
const pageLoad = new Load<StorefrontCaller, number, CustomerAddress[], PageArgs>(
  async ({ storefront: { db } }, customers, args) => {
    const plan = planPage(args, BY_ID)
    const rows = await db.rows<CustomerAddress>(sql`
      select found.* from ${sql.each(customers)} wanted (customer) cross join lateral (
        select id, customer_id, first_name, last_name, company, address1, address2, city, state_or_province, postal_code,
          country_code, country, phone, address_type
        from customer_addresses
        where store_id = ${db.store.id} and customer_id = wanted.customer and ${plan.where} ${plan.tail}
      ) found`)
    return Map.groupBy(rows, ({ customer_id }) => customer_id)
  },
)

const totalLoad = new Load<StorefrontCaller, number, number>(async ({ storefront: { db } }, customers) => {
  const rows = await db.rows<{ customer_id: number; count: number }>(
    prepared(sql`
    select customer_id, count(*)::int as count from customer_addresses
    where store_id = ${db.store.id} and customer_id = ${sql.anyOf(customers)} group by customer_id`),
  )
  return new Map(rows.map(({ customer_id, count }) => [customer_id, count]))
})

/** One page of the addresses of a customer. */
export async function addressConnection(caller: StorefrontCaller, customer: number, args: PageArgs) {
  const plan = planPage(args, BY_ID)
  const rows = (await pageLoad.find(caller, customer, args)) ?? []
  const count = async () => (await totalLoad.find(caller, customer, undefined)) ?? 0
  return { ...keyedConnection(plan, rows, { keyOf: ({ id }) => [id], nodeOf: (row) => row }), count }
}

/** Addresses of the customer of the request. */
export const addressFields: Fields<'CustomerAddress' | 'AddressConnection'> = {
  AddressConnection: {
    collectionInfo: async ({ count }) => ({ totalItems: await count() }),
  },
  CustomerAddress: {
    entityId: ({ id }) => id,
    firstName: ({ first_name }) => first_name,
    lastName: ({ last_name }) => last_name,
    addressType: ({ address_type }) => (address_type === 'commercial' ? 'COMMERCIAL' : 'RESIDENTIAL'),
    countryCode: ({ country_code }) => country_code,
    countryId: ({ country_code }) => ALL_COUNTRIES.find(({ iso2 }) => iso2 === country_code)?.id ?? null,
    stateOrProvince: ({ state_or_province }) => state_or_province || null,
    stateId: ({ country_code, state_or_province }) => stateByName(country_code, state_or_province)?.id ?? null,
    postalCode: ({ postal_code }) => postal_code || null,
    formFields: ({ id, customer_id }, _, caller) => formFieldValuesOf(caller, customer_id, id),
  },
}
