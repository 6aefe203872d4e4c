import { GraphRefusal } from '../../../../../core/graphql/refusal.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import type { StorefrontCustomer } from '../../../sessions/logins.ts'
import type { Fields } from '../../types.ts'

interface StartedSession {
  customer: StorefrontCustomer
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
  async login(_, { email, password }, caller) {
    const { logins, storefront, guesser } = caller
    return startSession(caller, await logins.byPassword(storefront, { email, password, guesser }))
  },
  async loginWithCustomerLoginJwt(_, { jwt }, caller) {
    const { logins, storefront, address } = caller
    const { customer, redirectTo } = await logins.byJwt(storefront, jwt, address)
    return { redirectTo, ...(await startSession(caller, customer)) }
  },
  async logout(_, _args, caller) {
    const { customer, isBrowser, logins, storefront } = caller
    if (!customer && !isBrowser) {
      throw new GraphRefusal('The request has no customer who is logged in.', 'MISSING_CUSTOMER_ACCESS_TOKEN')
    }
    if (customer) await logins.end(storefront, customer)
    caller.setCookie(undefined)
    return { result: 'success' }
  },
}

/** Results of logins. */
export const sessionFields: Fields<'LoginResult' | 'LoginWithCustomerLoginJwtResult'> = {
  LoginResult: { result: () => 'success', customerAccessToken: tokenOf },
  LoginWithCustomerLoginJwtResult: { customerAccessToken: tokenOf },
}

/** Starts the session of a customer: a cookie that scripts can't read in a browser, a token for a server. */
async function startSession(caller: StorefrontCaller, customer: StorefrontCustomer): Promise<StartedSession> {
  const { isBrowser, logins, storefront } = caller
  const { value, expiresAt } = await logins.open(storefront, customer, isBrowser ? 'cookie' : 'token')
  if (isBrowser) caller.setCookie(value)
  return { customer, token: isBrowser ? undefined : { value, expiresAt: expiresAt.toISOString() } }
}

/** @throws GraphRefusal in a browser */
function tokenOf({ token }: StartedSession) {
  if (token) return token
  throw new GraphRefusal(
    'A customer access token is only returned to servers; a browser gets a cookie.',
    'BROWSER_REQUEST',
  )
}
