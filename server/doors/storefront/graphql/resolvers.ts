import type { Resolvers } from '../../../core/graphql/fields.ts'
import { GraphRefusal } from '../../../core/graphql/refusal.ts'
import type { Channel } from '../../../shop/channels/channels.ts'
import { storeProfile } from '../../../shop/settings/families/families.ts'
import { settingsOf } from '../../../shop/settings/families/family.ts'
import type { StorefrontCaller } from '../caller.ts'
import type { StorefrontCustomer } from '../sessions/logins.ts'

/** The resolvers of schema.graphql. */
export const resolvers: Resolvers<StorefrontCaller> = {
  Query: {
    site: () => ({ settings: {} }),
    customer: (_: unknown, _args: unknown, { customer }: StorefrontCaller) => customer && customerToAnswer(customer),
  },

  Settings: {
    async storeName(_: unknown, _args: unknown, { storefront }: StorefrontCaller) {
      return (await settingsOf(storefront.db, storeProfile, storefront.channel)).store_name
    },
    storeHash: (_: unknown, _args: unknown, { storefront }: StorefrontCaller) => storefront.db.store.hash,
    status: (_: unknown, _args: unknown, { storefront }: StorefrontCaller) => STATUS[storefront.status],
    url: (_: unknown, _args: unknown, { storefront }: StorefrontCaller) => ({ vanityUrl: storefront.url }),
    channelId: (_: unknown, _args: unknown, { storefront }: StorefrontCaller) => storefront.channel,
  },

  LoginResult: { customerAccessToken: tokenOf },
  LoginWithCustomerLoginJwtResult: { customerAccessToken: tokenOf },

  Mutation: {
    async login(_: unknown, { email, password }: { email: string; password: string }, caller: StorefrontCaller) {
      const { logins, storefront, guesser } = caller
      const customer = await logins.byPassword(storefront, { email, password, guesser })
      return { result: 'success', ...(await startSession(caller, customer)) }
    },
    async loginWithCustomerLoginJwt(_: unknown, { jwt }: { jwt: string }, caller: StorefrontCaller) {
      const { logins, storefront, address } = caller
      const { customer, redirectTo } = await logins.byJwt(storefront, jwt, address)
      return { redirectTo, ...(await startSession(caller, customer)) }
    },
    async logout(_: unknown, _args: unknown, caller: StorefrontCaller) {
      const { customer, isBrowser, logins, storefront } = caller
      if (!customer && !isBrowser) {
        throw new GraphRefusal('The request has no customer who is logged in.', 'MISSING_CUSTOMER_ACCESS_TOKEN')
      }
      if (customer) await logins.end(storefront, customer)
      caller.setCookie(undefined)
      return { result: 'success' }
    },
  },
}

/** The storefront's word for each status of a channel (docs/contract/storefront-tokens.md section 5). */
const STATUS: Readonly<Record<Channel['status'], string>> = {
  active: 'LAUNCHED',
  connected: 'LAUNCHED',
  prelaunch: 'PRE_LAUNCH',
  inactive: 'MAINTENANCE',
  disconnected: 'MAINTENANCE',
  archived: 'HIBERNATION',
  deleted: 'HIBERNATION',
  terminated: 'HIBERNATION',
}

const customerToAnswer = ({ id, email, first_name, last_name, customer_group_id }: StorefrontCustomer) => ({
  entityId: id,
  email,
  firstName: first_name,
  lastName: last_name,
  customerGroupId: customer_group_id,
})

/** Starts the session of a customer: a cookie that scripts can't read in a browser, a token for a server. */
async function startSession(caller: StorefrontCaller, customer: StorefrontCustomer) {
  const { isBrowser, logins, storefront } = caller
  const session = await logins.open(storefront, customer, isBrowser ? 'cookie' : 'token')
  if (!isBrowser) {
    const customerAccessToken = { value: session.value, expiresAt: session.expiresAt.toISOString() }
    return { customer: customerToAnswer(customer), customerAccessToken }
  }
  caller.setCookie(session.value)
  return { customer: customerToAnswer(customer) }
}

/** @throws GraphRefusal in a browser, which has the cookie */
function tokenOf({ customerAccessToken }: { customerAccessToken?: object }, _: unknown, caller: StorefrontCaller) {
  if (!caller.isBrowser) return customerAccessToken
  throw new GraphRefusal(
    'A customer access token is only returned to servers; a browser gets a cookie.',
    'BROWSER_REQUEST',
  )
}
