import { randomUUID } from 'node:crypto'
import type { Db } from '../../../../core/db/database.ts'
import { sql } from '../../../../core/db/sql.ts'
import { GraphRefusal } from '../../../../core/graphql/refusal.ts'
import { Problem } from '../../../../core/rest/problem.ts'
import { signJwt, unixSeconds } from '../../../../core/secrets/jwt.ts'
import { findCustomerEmail } from '../../../../customers/accounts/lookup.ts'
import { checkCredentials } from '../../../../customers/logins/credentials.ts'
import { APPROVED } from '../../../../sales/b2b/companies/company.ts'
import { grantsOf, type RoleRow } from '../../../../sales/b2b/roles/roles.ts'
import { findUser, userOfCustomer } from '../../../../sales/b2b/users/user.ts'
import { FIRST_CHANNEL } from '../../../../shop/channels/channels.ts'
import { isPathHere } from '../../../storefront/sessions/logins.ts'
import { tokenFor, verifyCurrentCustomer } from '../../access/storefront-sign-in.ts'
import { guesserAt, openStore, type SignInParts } from '../../tokens/sign-in.ts'
import { refuseDisabled } from '../../tokens/store.ts'
import { issueStorefrontToken } from '../../tokens/storefront-tokens.ts'
import type { MutationFields } from '../types.ts'
import { usersToBuyers } from './users.ts'

/** Clients compare these sentences exactly (docs/contract/b2b-graphql.md section 3). */
const REFUSED_COMPANIES: Readonly<Record<number, string>> = {
  0: 'Your business account is pending approval. Products, pricing, and ordering will be enabled after account approval.',
  3: 'This business account is inactive. Reach out to our support team to reactivate your account.',
}
/** A login that is neither the first one nor waits for an approval. */
const NORMAL_LOGIN = 2

/** Mutations that sign shoppers in. */
export const signInMutations: MutationFields<'login' | 'authorization'> = {
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
    const { permissions } = await accountOf(db, customer.id)
    const token = await db.transaction((tx) => issueStorefrontToken(tx, parts.secrets, { customer, channel }))
    return { result: await resultOf(db, parts, { customer, channel, token, permissions, redirectUrl }) }
  },
  async authorization(_, { authData: { bcToken, channelId } }, { parts, ip }) {
    const channel = channelId ?? FIRST_CHANNEL
    const { db, customer } = await verifyCurrentCustomer(parts, { jwt: bcToken, stores: [], ip })
    const { permissions } = await accountOf(db, customer.id)
    const token = await tokenFor(db, parts, customer, channel)
    return { result: await resultOf(db, parts, { customer, channel, token, permissions, redirectUrl: undefined }) }
  },
}

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
 * The permissions of a customer, none without an approved company.
 * @throws GraphRefusal 403 for a user of a pending or inactive company
 */
async function accountOf(db: Db, customerId: number) {
  const [row] = await db.rows<Pick<RoleRow, 'name' | 'role_type' | 'permissions'> & { company_status: number }>(sql`
    select company.company_status, role.name, role.role_type, role.permissions from company_users u
    join companies company on company.store_id = ${db.store.id} and company.id = u.company_id
    join company_roles role on role.store_id = ${db.store.id} and role.id = u.company_role_id
    where u.store_id = ${db.store.id} and u.customer_id = ${customerId}`)
  const sentence = row && REFUSED_COMPANIES[row.company_status]
  if (sentence !== undefined) throw new GraphRefusal(sentence, 403)
  return { permissions: row?.company_status === APPROVED ? grantsOf(row) : [] }
}

interface SignedIn {
  customer: { id: number; email: string }
  channel: number
  token: string
  permissions: ReturnType<typeof grantsOf>
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
    iat: unixSeconds(parts.clock.now()),
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
