import type { StorefrontCustomer } from '../../sessions/logins.ts'
import type { Fields } from '../types.ts'

declare module '../types.ts' {
  interface Parents {
    Customer: StorefrontCustomer
  }
}

/** The customer of the request. */
export const customerFields: Fields<'Customer'> = {
  Customer: {
    entityId: ({ id }) => id,
    firstName: ({ first_name }) => first_name,
    lastName: ({ last_name }) => last_name,
    customerGroupId: ({ customer_group_id }) => customer_group_id,
  },
}
