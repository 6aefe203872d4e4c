import type { Fields } from '../../types.ts'
import { registerCustomer, updateCustomer } from './account-changes.ts'
import { addAddress, deleteAddress, updateAddress } from './address-changes.ts'
import { changePassword, requestResetPassword, resetByLink } from './passwords.ts'

declare module '../../types.ts' {
  interface Parents {
    CustomerMutations: object
  }
}

/** The changes of customers to their own accounts (docs/contract/storefront-graphql.md section 9). */
export const customerChangeFields: Fields<'CustomerMutations'> = {
  CustomerMutations: {
    registerCustomer: (_, { input }, caller) => registerCustomer(caller, input),
    updateCustomer: (_, { input }, caller) => updateCustomer(caller, input),
    changePassword: (_, { input }, caller) => changePassword(caller, input),
    requestResetPassword: (_, { input }, caller) => requestResetPassword(caller, input),
    resetPassword: (_, { input }, caller) => resetByLink(caller, input),
    addCustomerAddress: (_, { input }, caller) => addAddress(caller, input),
    updateCustomerAddress: (_, { input }, caller) => updateAddress(caller, input),
    deleteCustomerAddress: (_, { input }, caller) => deleteAddress(caller, input.addressEntityId),
  },
}
