import t, { type Static } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { invalid, notFound, Problem, unknownId } from '../../../core/rest/problem.ts'
import { readJwt, unixSeconds } from '../../../core/secrets/jwt.ts'
import { findCustomerEmail } from '../../../customers/accounts/lookup.ts'
import { checkCredentials } from '../../../customers/logins/credentials.ts'
import { userOfCustomer } from '../../../sales/b2b/users/user.ts'
import { ChannelId, FIRST_CHANNEL, knownChannels } from '../../../shop/channels/channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { recordFailure, refuseClosed } from '../../../stores/gate/gate.ts'
import { readCurrentCustomer } from '../../storefront/graphql/current-customer.ts'
import { findSession } from '../../storefront/sessions/sessions.ts'
import { answering, companionAnswer, Nothing } from '../grammar/envelope.ts'
import {
  credentialFields,
  guesserAt,
  openStore,
  type SignInParts,
  signInConfig,
  wrongCredentials,
} from '../tokens/sign-in.ts'
import { refuseDisabled } from '../tokens/store.ts'
import { endToken, issueStorefrontToken, lastToken } from '../tokens/storefront-tokens.ts'
import { refuseUnassignedCustomer } from '../users/created-customers.ts'

/** The longest life that a request may choose for a token, in seconds. */
const CHOSEN_MAX_SECONDS = 30 * 86_400

/** A channel as clients send it: a number, or its digits. */
const SpelledChannel = t.Union([ChannelId, t.String({ pattern: '^[1-9]\\d{0,14}$' })])

const Token = t.Object({ token: t.String() }, { title: 'StorefrontAuthToken' })
const tag = 'Buyer tokens'
const open = { config: signInConfig }
const forBrowsers = { config: { ...signInConfig, isForBrowsers: true } }
const { write } = access('b2b')

const Credentials = t.Object(credentialFields, {
  title: 'ShopperCredentials',
  examples: [{ storeHash: 'abc123', email: 'ann.lee@harbour.example.com', password: 'password' }],
})
const SessionValue = t.Object(
  { value: t.String({ maxLength: 255 }), expiresAt: t.Optional(t.String()), expires_at: t.Optional(t.String()) },
  { title: 'CustomerAccessTokenValue' },
)
const OfCustomer = t.Object(
  { customerId: Id, channelId: t.Optional(SpelledChannel), customerAccessToken: t.Optional(SessionValue) },
  { title: 'NewStorefrontAuthToken', examples: [{ customerId: 1 }] },
)
const EndedToken = t.Object(
  { id: t.String(), name: t.Optional(t.String()), email: t.Optional(t.String()) },
  { title: 'StorefrontSignOut', examples: [{ id: 'token' }] },
)
const StorefrontLogin = t.Object(
  {
    bcToken: t.String({ minLength: 1 }),
    storeHash: t.Optional(t.String({ minLength: 1 })),
    channelId: t.Optional(ChannelId),
    customerId: t.Optional(Id),
  },
  { title: 'StorefrontLogin', examples: [{ bcToken: 'jwt' }] },
)

/** Issues authTokens to shoppers, and to servers for them (docs/contract/b2b.md section 5). */
export function storefrontSignInRoutes(api: Api, parts: SignInParts) {
  api.get(
    '/io/auth/storefront',
    {
      ...forBrowsers,
      schema: {
        summary: 'Get an authToken by a current-customer JWT',
        operationId: 'getStorefrontAuthToken',
        description: 'Returns the last token while it is valid for more than a minute, or else a new one.',
        tag,
        querystring: t.Object({ jwtToken: t.String({ minLength: 1 }), channelId: t.Optional(ChannelId) }),
        ...answering(Token),
      },
    },
    async ({ query: { jwtToken, channelId = FIRST_CHANNEL }, headers, ip }) => {
      const stores = headers['x-store-hash'] === undefined ? [] : [String(headers['x-store-hash'])]
      const { db, customer } = await verifyCurrentCustomer(parts, { jwt: jwtToken, stores, ip })
      return companionAnswer({ token: await tokenFor(db, parts, customer, channelId) })
    },
  )

  api.post(
    '/v2/login',
    {
      ...open,
      schema: {
        summary: 'Get an authToken by a current-customer JWT (older clients)',
        operationId: 'createStorefrontLogin',
        tag,
        body: StorefrontLogin,
        response: {
          200: t.Object({
            code: t.Integer(),
            data: Token,
            message: t.String(),
            meta: t.Object({ message: t.String() }),
          }),
        },
      },
    },
    async ({ body: { bcToken, storeHash = [], channelId = FIRST_CHANNEL, customerId }, ip }) => {
      const { db, customer } = await verifyCurrentCustomer(parts, { jwt: bcToken, stores: [storeHash].flat(), ip })
      if (customerId !== undefined && customerId !== customer.id) throw invalidJwt()
      const token = await tokenFor(db, parts, customer, channelId)
      return new Answer({ code: 200, data: { token }, message: 'SUCCESS', meta: { message: 'SUCCESS' } })
    },
  )

  api.post(
    '/io/auth/customers',
    {
      ...forBrowsers,
      schema: {
        summary: 'Create an authToken from credentials of a shopper',
        operationId: 'createStorefrontAuthTokenFromCredentials',
        tag,
        body: Credentials,
        ...answering(t.Object({ name: t.String(), token: t.String() }, { title: 'BackendTokenValue' })),
      },
    },
    ({ body, ip }) => signIn(parts, body, ip),
  )

  api.post(
    '/io/auth/customers/storefront',
    {
      config: { ...write.config, givesTokens: true },
      schema: {
        summary: 'Create an authToken for a customer',
        operationId: 'createStorefrontAuthToken',
        description: 'With a customer access token, it ends together with that token.',
        tag,
        body: OfCustomer,
        ...answering(t.Object({ token: t.Array(t.String()) }, { title: 'StorefrontAuthTokens' })),
      },
    },
    async ({ db, body, salesRep }) => companionAnswer({ token: [await tokenOfCustomer(db, parts, body, salesRep)] }),
  )

  api.delete(
    '/io/auth/customers/storefront',
    {
      ...open,
      schema: {
        summary: 'End an authToken of a shopper',
        operationId: 'deleteStorefrontAuthToken',
        description: 'Needs no credentials besides the token. An unknown token has the same answer.',
        tag,
        body: EndedToken,
        ...answering(Nothing),
      },
    },
    async ({ body }) => {
      await endToken(parts, body.id)
      return companionAnswer([])
    },
  )
}

const invalidJwt = () => new Problem(401, 'The credentials are missing or invalid: a current-customer JWT is needed.')

/**
 * Verifies a current-customer JWT. Its store is found by the hash in its claims, and the secret of the companion application must
 * have signed it.
 * @param stores the hashes in other parts of the request, which must be the same
 * @throws Problem 401, 403, 429, 503
 */
export async function verifyCurrentCustomer(
  parts: SignInParts,
  { jwt, stores, ip }: { jwt: string; stores: string[]; ip: string },
) {
  const { directory, secrets, clock, failedLogins } = parts
  const { clientId, clientSecret } = secrets.companionApplication
  const hash = String(readJwt(jwt)?.claims.store_hash ?? '')
  const store = stores.every((named) => named === hash) ? await directory.find(hash) : undefined
  const found = store && (await directory.dbById(store.id))
  const asked = { storeHash: hash, clientId, secrets: [clientSecret], now: found?.now ?? clock.now() }
  const named = store && (await readCurrentCustomer(jwt, asked))
  const db = named && found
  const customer = db && (await findCustomerEmail(db, named.id))
  if (!db || !customer) throw recordFailure(ip, failedLogins) ?? invalidJwt()
  const refusal = refuseClosed(store.state) ?? (await refuseDisabled(db))
  if (refusal) throw refusal
  return { db, customer }
}

/** Finds or issues the token of a customer. @throws Problem 422 for an unknown channel */
export async function tokenFor(
  db: Db,
  { secrets }: SignInParts,
  customer: { id: number; email: string },
  channel: number,
): Promise<string> {
  await refuseUnknownChannel(db, channel)
  const last = await lastToken(db, secrets, { customer: customer.id, channel, now: db.now })
  return last ?? db.transaction((tx) => issueStorefrontToken(tx, secrets, { customer, channel }))
}

async function refuseUnknownChannel(db: Db, channel: number) {
  if ((await knownChannels(db, [channel])).has(channel)) return
  throw invalid({ channelId: unknownId('channel', channel) })
}

/** @throws Problem 400 for wrong credentials, and for a channel that the user may not use; 403, 422, 429, 503 */
async function signIn(parts: SignInParts, body: Static<typeof Credentials>, ip: string): Promise<Answer> {
  const { email, password, channelId: channel = FIRST_CHANNEL, name = '', beginAt, endAt } = body
  refuseTimes(body, parts.clock.now())
  const db = await openStore(parts, body.storeHash, { ip, password })
  const outcome = await checkCredentials(db, { email, password, channel_id: channel, guesser: guesserAt({ ip }) })
  const id = 'customer' in outcome ? outcome.customer : null
  const customer = id === null ? undefined : await findCustomerEmail(db, id)
  if (!customer) throw wrongCredentials()
  const disabled = await refuseDisabled(db)
  if (disabled) throw disabled
  const user = await userOfCustomer(db, customer.id)
  const channels = user?.channel_ids ?? [channel]
  if (!channels.includes(channel)) throw new Problem(400, `The user may not sign in at the channel ${channel}.`)
  const chosen = { name: name || 'storefront token', channels, beginAt, endAt }
  const token = await db.transaction((tx) => issueStorefrontToken(tx, parts.secrets, { customer, channel, chosen }))
  return companionAnswer({ name: chosen.name, token })
}

/** @throws Problem 422 */
function refuseTimes({ beginAt, endAt }: Static<typeof Credentials>, now: Date) {
  const present = unixSeconds(now)
  const end = endAt ?? present + 86_400
  if (end <= present) throw invalid({ endAt: 'endAt must be in the future.' })
  if (end > present + CHOSEN_MAX_SECONDS) throw invalid({ endAt: 'endAt must be within 30 days.' })
  if (beginAt !== undefined && beginAt >= end) throw invalid({ beginAt: 'beginAt must be before endAt.' })
}

/** @throws Problem 401 for the access token of another customer; 403, 404, 422 */
function tokenOfCustomer(
  db: Db,
  { secrets }: SignInParts,
  { customerId, channelId = FIRST_CHANNEL, customerAccessToken: accessToken }: Static<typeof OfCustomer>,
  salesRep: number | undefined,
): Promise<string> {
  const channel = Number(channelId)
  return db.transaction(async (tx) => {
    await refuseUnknownChannel(tx, channel)
    await refuseUnassignedCustomer(tx, salesRep, customerId)
    const customer = await findCustomerEmail(tx, customerId)
    if (!customer) throw notFound('customer', customerId)
    const session =
      accessToken && (await findSession(tx, secrets, { value: accessToken.value, kind: 'token', now: tx.now }))
    if (accessToken && session?.customer_id !== customerId) {
      throw new Problem(401, 'The customer access token is not valid for this customer.')
    }
    const linked = session &&
      accessToken && {
        session: { hash: secrets.tokenHash(accessToken.value), endsAt: Date.parse(session.expires_at) / 1_000 },
      }
    return issueStorefrontToken(tx, secrets, { customer, channel, ...linked })
  })
}
