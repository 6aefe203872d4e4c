import { randomUUID } from 'node:crypto'
import type { Db } from '../../../../core/db/database.ts'
import { sql } from '../../../../core/db/sql.ts'
import { GraphRefusal } from '../../../../core/graphql/refusal.ts'
import { invalid, Problem } from '../../../../core/rest/problem.ts'
import { signJwt, unixSeconds } from '../../../../core/secrets/jwt.ts'
import { findCustomerEmail } from '../../../../customers/accounts/lookup.ts'
import { countCall } from '../../../../customers/logins/attempts.ts'
import { checkCredentials } from '../../../../customers/logins/credentials.ts'
import { APPROVED } from '../../../../sales/b2b/companies/company.ts'
import { portalSettingsOf } from '../../../../sales/b2b/portal/settings.ts'
import { grantsOf, type RoleRow } from '../../../../sales/b2b/roles/roles.ts'
import { type Grant, PREDEFINED } from '../../../../sales/b2b/shared/permissions.ts'
import { isSuperAdmin } from '../../../../sales/b2b/super-admins/super-admin.ts'
import { findUser, userOfCustomer } from '../../../../sales/b2b/users/user.ts'
import { lockCart } from '../../../../sales/carts/row/cart.ts'
import { issueRedirectUrls } from '../../../../sales/carts/views/redirect-urls.ts'
import { channelsById, FIRST_CHANNEL, knownChannels } from '../../../../shop/channels/channels.ts'
import { refuseClosed } from '../../../../stores/gate/gate.ts'
import { isPathHere } from '../../../storefront/sessions/logins.ts'
import { isOrigin } from '../../../storefront/tokens/creation.ts'
import { signToken, TOKEN_TYPES } from '../../../storefront/tokens/tokens.ts'
import { tokenFor, verifyCurrentCustomer } from '../../access/storefront-sign-in.ts'
import { guesserAt, openStore, type SignInParts } from '../../tokens/sign-in.ts'
import { refuseDisabled } from '../../tokens/store.ts'
import { issueStorefrontToken } from '../../tokens/storefront-tokens.ts'
import { signedIn } from '../caller.ts'
import type { MutationFields } from '../types.ts'
import { usersToBuyers } from './users.ts'

/** Clients compare these sentences exactly (docs/contract/b2b-graphql.md section 3). */
const PENDING_SENTENCE = 'Your business account is pending approval.'
const REFUSALS = {
  prices: `${PENDING_SENTENCE} You will gain access to business account features, products, and pricing after account approval.`,
  orders: `${PENDING_SENTENCE} Products, pricing, and ordering will be enabled after account approval.`,
  features: `${PENDING_SENTENCE} You will gain access to business account features after account approval.`,
  inactive: 'This business account is inactive. Reach out to our support team to reactivate your account.',
  channel: 'Operation cannot be performed as the storefront channel is not live',
} as const
/** The statuses of companies whose users can't sign in. */
const [PENDING, INACTIVE] = [0, 3]
/** A channel with shoppers. */
const LIVE_STATUSES = new Set(['active', 'connected', 'prelaunch'])
/** A login that is neither the first one nor waits for an approval. */
const NORMAL_LOGIN = 2

/** Mutations that sign shoppers in. */
export const signInMutations: MutationFields<'login' | 'authorization' | 'checkoutLogin' | 'storeFrontToken'> = {
  async login(_, { loginData }, { parts, ip }) {
    const { storeHash, email, password, channelId, redirectUrl } = loginData
    const channel = channelId ?? FIRST_CHANNEL
    const db = await asLogin(() => openStore(parts, storeHash, { ip, password }))
    const disabled = await refuseDisabled(db)
    if (disabled) throw disabled
    const outcome = await checkCredentials(db, { email, password, channel_id: channel, guesser: guesserAt({ ip }) })
    const id = 'customer' in outcome ? outcome.customer : null
    const customer = id === null ? undefined : await findCustomerEmail(db, id)
    if (!customer) throw wrongLogin()
    const user = await userOfCustomer(db, customer.id)
    if (user && !user.channel_ids.includes(channel)) throw wrongLogin()
    const { permissions } = await accountOf(db, customer.id, channel)
    const token = await db.transaction((tx) => issueStorefrontToken(tx, parts.secrets, { customer, channel }))
    return { result: await resultOf(db, parts, { customer, channel, token, permissions, redirectUrl }) }
  },
  async authorization(_, { authData: { bcToken, channelId } }, { parts, ip }) {
    const channel = channelId ?? FIRST_CHANNEL
    const { db, customer } = await verifyCurrentCustomer(parts, { jwt: bcToken, stores: [], ip })
    const { permissions } = await accountOf(db, customer.id, channel)
    const token = await tokenFor(db, parts, customer, channel)
    return { result: await resultOf(db, parts, { customer, channel, token, permissions, redirectUrl: undefined }) }
  },
  async checkoutLogin(_, { cartData: { cartId } }, caller) {
    const { db, customer, channel } = signedIn(caller)
    const { selling } = caller.parts
    const viewer = { channel_id: channel, customer_id: customer.id }
    const redirectUrl = await db.transaction(async (tx) => {
      const { cart } = await lockCart(tx, cartId.toLowerCase(), undefined, viewer)
      return (await issueRedirectUrls(tx, cart, selling.redirects, { customer_id: customer.id })).checkout_url
    })
    return { result: { redirectUrl } }
  },
  async storeFrontToken(_, { storeFrontTokenData }, { parts, ip }) {
    const { storeHash, channelId, expiresAt, allowedCorsOrigins } = storeFrontTokenData
    const store = await parts.directory.find(storeHash)
    const db = store && (await parts.directory.dbById(store.id))
    if (!db) throw new GraphRefusal('There is no such store.', 404)
    const refusal = refuseClosed(store.state) ?? (await refuseDisabled(db))
    if (refusal) throw refusal
    await countCall(db, guesserAt({ ip }))
    const now = unixSeconds(db.now)
    const origins = allowedCorsOrigins.flatMap((origin) => origin ?? [])
    if (!(await knownChannels(db, [channelId])).has(channelId))
      throw invalid({ channelId: 'There is no such channel.' })
    if (expiresAt <= now || expiresAt > now + SHOP_TOKEN_SECONDS) {
      throw invalid({ expiresAt: 'expiresAt must be within eight days.' })
    }
    if (origins.length === 0 || origins.length > 2 || !origins.every(isOrigin)) {
      throw invalid({ allowedCorsOrigins: 'One or two origins of the form https://www.example.com are needed.' })
    }
    const token = await signToken(db, parts.secrets, {
      iat: now,
      eat: expiresAt,
      exp: expiresAt,
      cid: [channelId],
      cors: origins,
      sub: 'buyers',
      token_type: TOKEN_TYPES.storefront,
      jti: randomUUID(),
    })
    return { token }
  },
}

/** The longest life of a token that anybody may have. The portal asks for seven days. */
const SHOP_TOKEN_SECONDS = 8 * 86_400

/** One sentence for an unknown store or address and for a wrong password. */
const wrongLogin = () => new GraphRefusal('The e-mail address or the password is not correct.', 401)

/** Answers the refusal of credentials as this API does. */
async function asLogin<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Problem && error.status === 400 ? wrongLogin() : error
  }
}

/**
 * The permissions of a customer: those of its role in an approved company, and of a super admin those of an admin. Clients read them once, and
 * decide by them which pages a super admin has in the companies that it acts for.
 * @throws GraphRefusal 403 for a user of a pending or inactive company
 */
async function accountOf(db: Db, customerId: number, channel: number) {
  await refuseHiddenChannel(db, channel)
  const [row] = await db.rows<Pick<RoleRow, 'name' | 'role_type' | 'permissions'> & { company_status: number }>(sql`
    select company.company_status, role.name, role.role_type, role.permissions from company_users u
    join companies company on company.store_id = ${db.store.id} and company.id = u.company_id
    join company_roles role on role.store_id = ${db.store.id} and role.id = u.company_role_id
    where u.store_id = ${db.store.id} and u.customer_id = ${customerId}`)
  if (!row) return { permissions: (await isSuperAdmin(db, customerId)) ? PREDEFINED.Admin : [] }
  const sentence = await sentenceFor(db, row.company_status, channel)
  if (sentence !== undefined) throw new GraphRefusal(sentence, 403)
  return { permissions: row.company_status === APPROVED ? grantsOf(row) : [] }
}

/** The refusal of users of a company with a status. */
async function sentenceFor(db: Db, status: number, channel: number): Promise<string | undefined> {
  if (status === INACTIVE) return REFUSALS.inactive
  if (status !== PENDING) return undefined
  const settings = await portalSettingsOf(db, channel)
  if (settings.isOn('block_pending_account_seeing_products_pricing')) return REFUSALS.prices
  return settings.isOn('block_pending_account_order_creation') ? REFUSALS.orders : REFUSALS.features
}

/** @throws GraphRefusal 403 for a storefront that is not live */
async function refuseHiddenChannel(db: Db, channel: number) {
  const found = (await channelsById(db, [channel])).get(channel)
  if (found && !LIVE_STATUSES.has(found.status)) throw new GraphRefusal(REFUSALS.channel, 403)
}

interface SignedIn {
  customer: { id: number; email: string }
  channel: number
  token: string
  permissions: readonly Grant[]
  /** The page of the storefront to open after the login. */
  redirectUrl: string | null | undefined
}

async function resultOf(db: Db, parts: SignInParts, { customer, channel, token, permissions, redirectUrl }: SignedIn) {
  const user = await userOfCustomer(db, customer.id)
  const [own] = user ? await usersToBuyers(db, [await findUser(db, user.id)]) : []
  const { clientId, clientSecret } = parts.secrets.companionApplication
  const path = `/${(redirectUrl ?? '').replace(/^\/+/, '')}`
  const claims = {
    iss: clientId,
    iat: unixSeconds(db.now),
    jti: randomUUID(),
    operation: 'customer_login',
    store_hash: db.store.hash,
    customer_id: customer.id,
    channel_id: channel,
    redirect_to: isPathHere(path) ? path : '/',
  }
  return {
    token,
    user: own ?? null,
    loginType: NORMAL_LOGIN,
    storefrontLoginToken: await signJwt(claims, clientSecret, { alg: 'HS256' }),
    permissions: [...permissions],
  }
}
