import { prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import { GraphRefusal } from '../../../../../core/graphql/refusal.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { StorefrontCustomer } from '../../../sessions/logins.ts'
import type { Fields } from '../../types.ts'
import { metafieldConnection } from '../metafields.ts'
import { moneyToAnswer } from '../money/money.ts'
import { orderConnection } from '../purchases/orders/orders.ts'
import { currenciesFor } from '../shop.ts'
import { addressConnection } from './addresses.ts'
import { memberOf } from './companies/companies.ts'
import { formFieldValuesOf } from './form-field-values.ts'
import { wishlistConnection } from './wishlists/wishlists.ts'

declare module '../../types.ts' {
  interface Parents {
    Customer: StorefrontCustomer
    CustomerAttributes: { customer: number }
  }
}

interface Account {
  company: string
  phone: string
  notes: string
  tax_exempt_category: string
  address_count: number
  attribute_count: number
  store_credit: number
  group_name: string | null
  is_subscriber: boolean
}

/** The account of the customer of the request, without the columns that the door has read. */
const accountLoad = new Load<StorefrontCaller, number, Account>(async ({ storefront: { db } }, ids) => {
  const rows = await db.rows<Account & { id: number }>(
    prepared(sql`
    select id, company, phone, notes, tax_exempt_category, address_count, attribute_count, store_credit, (
      select name from customer_groups one where one.store_id = ${db.store.id} and one.id = customer_group_id
    ) as group_name, exists (
      select 1 from subscribers one where one.store_id = ${db.store.id} and one.email_key = customers.email_key
        and one.consents @> '["marketing_newsletter"]'
    ) as is_subscriber
    from customers where store_id = ${db.store.id} and id = ${sql.anyOf(ids)}`),
  )
  return new Map(rows.map((row) => [row.id, row]))
})

/** @throws GraphRefusal for a customer that was deleted since the request began */
async function accountOf(caller: StorefrontCaller, { id }: StorefrontCustomer): Promise<Account> {
  const account = await accountLoad.find(caller, id, undefined)
  if (!account) throw new GraphRefusal('The customer does not exist any more.', 'INVALID_CUSTOMER_ACCESS_TOKEN')
  return account
}

interface AttributeRow {
  id: number
  name: string
  value: string | null
}

/** The attributes of the store with the values of one customer. A store has at most 50. */
const attributeLoad = new Load<StorefrontCaller, number, AttributeRow[]>(async ({ storefront: { db } }, ids) => {
  const rows = await db.rows<AttributeRow & { customer: number }>(
    prepared(sql`
    select wanted.id as customer, attribute.id, attribute.name, own.attribute_value as value
    from ${sql.each(ids)} wanted (id) join customer_attributes attribute on attribute.store_id = ${db.store.id}
    left join customer_attribute_values own on own.store_id = ${db.store.id} and own.customer_id = wanted.id
      and own.attribute_id = attribute.id
    order by attribute.id`),
  )
  return Map.groupBy(rows, ({ customer }) => customer)
})

/** The customer of the request (docs/contract/storefront-graphql.md section 8). */
export const customerFields: Fields<'Customer' | 'CustomerAttributes'> = {
  Customer: {
    entityId: ({ id }) => id,
    firstName: ({ first_name }) => first_name,
    lastName: ({ last_name }) => last_name,
    customerGroupId: ({ customer_group_id }) => customer_group_id,
    customerGroupName: async (customer, _, caller) => (await accountOf(caller, customer)).group_name,
    company: async (customer, _, caller) => (await accountOf(caller, customer)).company,
    phone: async (customer, _, caller) => (await accountOf(caller, customer)).phone,
    // Notes are for the staff of the store.
    notes: () => '',
    taxExemptCategory: async (customer, _, caller) => (await accountOf(caller, customer)).tax_exempt_category,
    addressCount: async (customer, _, caller) => (await accountOf(caller, customer)).address_count,
    attributeCount: async (customer, _, caller) => (await accountOf(caller, customer)).attribute_count,
    async storeCredit(customer, _, caller) {
      const [{ store_credit }, { all }] = await Promise.all([accountOf(caller, customer), currenciesFor(caller)])
      const ofStore = all.find(({ is_default }) => is_default)
      return ofStore ? [moneyToAnswer(ofStore, store_credit)] : []
    },
    attributes: ({ id }) => ({ customer: id }),
    isSubscribedToNewsletter: async (customer, _, caller) => (await accountOf(caller, customer)).is_subscriber,
    notificationPreferences: () => [],
    addresses: ({ id }, args, caller) => addressConnection(caller, id, args),
    formFields: ({ id }, _, caller) => formFieldValuesOf(caller, id, 0),
    orders: ({ id }, args, caller) => orderConnection(caller, id, args),
    wishlists: ({ id }, args, caller) => wishlistConnection(caller, id, args),
    activeCompany: async (_, _args, caller) => (await memberOf(caller)) ?? null,
    metafields: ({ id }, args, caller) => metafieldConnection(caller, { kind: 'customer', id }, args),
  },
  CustomerAttributes: {
    async attribute({ customer }, { entityId }, caller) {
      const rows = (await attributeLoad.find(caller, customer, undefined)) ?? []
      const found = rows.find(({ id }) => id === entityId)
      return { entityId, name: found?.name ?? '', value: found?.value ?? null }
    },
  },
}
