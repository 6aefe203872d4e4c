import { expect } from 'vitest'
import type { Shop } from '../fixtures/shop.ts'
import { askStorefront, makeToken } from '../fixtures/storefront.ts'

// A shopper who buys by the storefront's GraphQL.

export const annsAddress = {
  firstName: 'Ann',
  lastName: 'Lee',
  email: 'ann@example.com',
  address1: '1 Mill Road',
  city: 'Austin',
  stateOrProvinceCode: 'TX',
  countryCode: 'US',
  postalCode: '78701',
  shouldSaveAddress: false,
}

const TYPED_ERRORS = `errors { __typename ... on Error { message }
  ... on CartError { cart: code at: context { field value } } ... on CartLineItemError { line: code at: context { field value } }
  ... on CheckoutShippingConsignmentError { shipping: code at: context { field value } }
  ... on CheckoutCouponError { coupon: code at: context { field value } } }`

/** The operations of a shopper. @param customer the id of a customer; 0 for a guest */
export async function shopperOf(shop: Shop, customer = 0) {
  const token = await makeToken(shop, customer > 0 ? 'impersonation' : 'private')
  const headers: Record<string, string> = customer > 0 ? { 'x-svc-customer-id': String(customer) } : {}
  async function ask(query: string, variables: object = {}) {
    const { status, body } = await askStorefront(shop, { token, query, variables, headers })
    expect(status, query).toBe(200)
    return body
  }
  const mutate = (name: string, input: object, fields: string) => {
    const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`
    return ask(`mutation ($input: ${type}) { checkout { ${name}(input: $input) { ${fields} } } }`, { input })
  }
  return {
    ask,
    /** Runs an older mutation of checkouts. @returns the fields of the checkout */
    async step(id: string, name: string, more: object, fields = 'version') {
      const { data, errors } = await mutate(name, { checkoutEntityId: id, ...more }, `checkout { ${fields} }`)
      expect(errors, name).toBeUndefined()
      return data.checkout[name].checkout
    },
    /** The message of an older mutation that is refused. */
    async refusal(id: string, name: string, more: object): Promise<string> {
      const { errors } = await mutate(name, { checkoutEntityId: id, ...more }, 'checkout { version }')
      expect(errors, name).toHaveLength(1)
      return errors[0].message
    },
    read: async (id: string, fields: string) =>
      (await ask(`query ($id: String) { site { checkout(entityId: $id) { ${fields} } } }`, { id })).data.site.checkout,
    create: async (input: object, fields = 'entityId') =>
      (await mutate('createCheckout', input, `checkout { ${fields} } ${TYPED_ERRORS}`)).data.checkout.createCheckout,
    update: async (
      id: string,
      data: object,
      { fields = 'version', version }: { fields?: string; version?: number } = {},
    ) =>
      (
        await mutate(
          'updateCheckout',
          { checkoutEntityId: id, data, ...(version === undefined ? {} : { version }) },
          `checkout { ${fields} } ${TYPED_ERRORS.replace('... on CheckoutCouponError', '... on CheckoutBillingAddressError { billing: code at: context { field value } } ... on CheckoutCouponError')}`,
        )
      ).data.checkout.updateCheckout,
    complete: async (id: string) =>
      (
        await mutate(
          'completeCheckout',
          { checkoutEntityId: id },
          'orderEntityId paymentAccessToken errors { __typename ... on Error { message } }',
        )
      ).data.checkout.completeCheckout,
  }
}
