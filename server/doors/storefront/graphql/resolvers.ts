import type { Channel } from '../../../shop/channels/channels.ts'
import { storeProfile } from '../../../shop/settings/families/families.ts'
import { settingsOf } from '../../../shop/settings/families/family.ts'
import { type Asker, GraphRefusal } from '../caller.ts'
import type { Customer } from '../sessions/logins.ts'

interface Context {
  asker: Asker
}

/** What the fields of schema.graphql are. A field that is not here has the value of its name. */
export const resolvers = {
  Query: {
    site: () => ({ settings: {} }),
    customer: (_: unknown, _args: unknown, { asker: { customer } }: Context) => customer && shown(customer),
  },

  Settings: {
    async storeName(_: unknown, _args: unknown, { asker: { storefront } }: Context) {
      return (await settingsOf(storefront.db, storeProfile, storefront.channel)).store_name
    },
    storeHash: (_: unknown, _args: unknown, { asker: { storefront } }: Context) => storefront.db.store.hash,
    status: (_: unknown, _args: unknown, { asker: { storefront } }: Context) => STATUS[storefront.status],
    url: (_: unknown, _args: unknown, { asker: { storefront } }: Context) => ({ vanityUrl: storefront.url }),
    channelId: (_: unknown, _args: unknown, { asker: { storefront } }: Context) => storefront.channel,
  },

  LoginResult: { customerAccessToken: tokenOf },
  LoginWithCustomerLoginJwtResult: { customerAccessToken: tokenOf },

  Mutation: {
    async login(_: unknown, { email, password }: { email: string; password: string }, { asker }: Context) {
      const { logins, storefront, guesser } = asker
      const customer = await logins.byPassword(storefront, { email, password, guesser })
      return { result: 'success', ...(await welcome(asker, customer)) }
    },
    async loginWithCustomerLoginJwt(_: unknown, { jwt }: { jwt: string }, { asker }: Context) {
      const { logins, storefront, address } = asker
      const { customer, redirectTo } = await logins.byJwt(storefront, jwt, address)
      return { redirectTo, ...(await welcome(asker, customer)) }
    },
    async logout(_: unknown, _args: unknown, { asker }: Context) {
      const { customer, isBrowser, logins, storefront } = asker
      if (!customer && !isBrowser) {
        throw new GraphRefusal('Nobody is logged in by this request.', 'MISSING_CUSTOMER_ACCESS_TOKEN')
      }
      if (customer) await logins.end(storefront, customer)
      asker.keep(undefined)
      return { result: 'success' }
    },
  },
}

/** Which word storefronts have for the status of their channel (docs/contract/storefront-tokens.md section 5). */
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

const shown = ({ id, email, first_name, last_name, customer_group_id }: Customer) => ({
  entityId: id,
  email,
  firstName: first_name,
  lastName: last_name,
  customerGroupId: customer_group_id,
})

/** Logs a customer in: a browser by a cookie that scripts can't read, a server by a token that it keeps. */
async function welcome(asker: Asker, customer: Customer) {
  const { isBrowser, logins, storefront } = asker
  const session = await logins.open(storefront, customer, isBrowser ? 'cookie' : 'token')
  if (!isBrowser) {
    const customerAccessToken = { value: session.value, expiresAt: session.expiresAt.toISOString() }
    return { customer: shown(customer), customerAccessToken }
  }
  asker.keep(session.value)
  return { customer: shown(customer) }
}

/** @throws GraphRefusal in a browser, which has the cookie */
function tokenOf({ customerAccessToken }: { customerAccessToken?: object }, _: unknown, { asker }: Context) {
  if (!asker.isBrowser) return customerAccessToken
  throw new GraphRefusal(
    'A customer access token is only returned to servers; a browser gets a cookie.',
    'BROWSER_REQUEST',
  )
}
