import { GraphRefusal } from '../../../../../core/graphql/refusal.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { StorefrontCustomer } from '../../../sessions/logins.ts'
import type { Fields } from '../../types.ts'
import type { CartView } from '../purchases/carts/cart.ts'
import { cartAfterLogin, unassignCart } from '../purchases/carts/sessions.ts'

interface StartedSession {
  customer: StorefrontCustomer
  /** The cart of the customer, with the lines that it had as a guest. */
  cart: CartView | null
  /** Undefined in a browser, which has the cookie. */
  token: { value: string; expiresAt: string } | undefined
}

declare module '../../types.ts' {
  interface Parents {
    LoginResult: StartedSession
    LoginWithCustomerLoginJwtResult: StartedSession & { redirectTo: string }
  }
}

type SessionMutations = Pick<Fields<'Mutation'>['Mutation'], 'login' | 'loginWithCustomerLoginJwt' | 'logout'>

/** Logins and logouts (docs/contract/storefront-tokens.md sections 6 and 8). */
export const sessionMutations: SessionMutations = {
  async login(_, { email, password, guestCartEntityId }, caller) {
    const { logins, storefront, guesser } = caller
    const customer = await logins.byPassword(storefront, { email, password, guesser })
    return startSession(caller, customer, guestCartEntityId)
  },
  async loginWithCustomerLoginJwt(_, { jwt, guestCartEntityId }, caller) {
    const { logins, storefront, address } = caller
    const { customer, redirectTo } = await logins.byJwt(storefront, jwt, address)
    return { redirectTo, ...(await startSession(caller, customer, guestCartEntityId)) }
  },
  async logout(_, { cartEntityId }, caller) {
    const { customer, isBrowser, logins, storefront } = caller
    if (!customer && !isBrowser) {
      throw new GraphRefusal('The request has no customer who is logged in.', 'MISSING_CUSTOMER_ACCESS_TOKEN')
    }
    // The cart first: without the session it is the customer's alone.
    const cartUnassignResult = await unassignCart(caller, cartEntityId)
    if (customer) await logins.end(storefront, customer)
    caller.setCookie(undefined)
    // The fields below the result are read for a guest.
    caller.customer = undefined
    return { result: 'success', cartUnassignResult }
  },
}

/** Results of logins. */
export const sessionFields: Fields<'LoginResult' | 'LoginWithCustomerLoginJwtResult'> = {
  LoginResult: { result: () => 'success', customerAccessToken: tokenOf },
  LoginWithCustomerLoginJwtResult: { customerAccessToken: tokenOf },
}

/** Starts the session of a customer: a cookie that scripts can't read in a browser, a token for a server. */
async function startSession(
  caller: StorefrontCaller,
  customer: StorefrontCustomer,
  guestCart: string | null | undefined,
): Promise<StartedSession> {
  const { isBrowser, logins, storefront } = caller
  const { value, expiresAt } = await logins.open(storefront, customer, isBrowser ? 'cookie' : 'token')
  if (isBrowser) caller.setCookie(value)
  caller.customer = customer
  const cart = await cartAfterLogin(caller, guestCart)
  return { customer, cart, token: isBrowser ? undefined : { value, expiresAt: expiresAt.toISOString() } }
}

/** @throws GraphRefusal in a browser */
function tokenOf({ token }: StartedSession) {
  if (token) return token
  throw new GraphRefusal(
    'A customer access token is only returned to servers; a browser gets a cookie.',
    'BROWSER_REQUEST',
  )
}
