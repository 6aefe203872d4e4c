import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import t, { type Static, type TProperties } from 'typebox'
import type { Db } from '../../../core/db/database.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { spellings } from '../../../core/rest/input/spellings.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { unixSeconds } from '../../../core/secrets/jwt.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { ChannelId, FIRST_CHANNEL, knownChannels } from '../../../shop/channels/channels.ts'
import { access, areas } from '../../../stores/accounts/scopes.ts'
import { revoke } from './revocation.ts'
import {
  CHANNELS_MAX,
  type Claims,
  readSigned,
  STOREFRONT_SCOPES,
  signToken,
  TIME_MAX,
  TOKEN_TYPES,
  type TokenType,
} from './tokens.ts'

const ORIGINS_MAX = 2
const IMPERSONATION_SECONDS = 24 * 3_600

const ofStorefronts = access('storefrontTokens')
const ofImpersonation = access('impersonationTokens')

const common = {
  channel_id: t.Optional(ChannelId),
  channel_ids: t.Optional(t.Array(ChannelId, { minItems: 1, maxItems: CHANNELS_MAX, uniqueItems: true })),
  expires_at: t.Integer({ minimum: 0, description: 'Unix seconds' }),
}
const NewToken = <Fields extends TProperties>(title: string, fields: Fields, example: object) =>
  t.Object({ ...common, ...fields }, { title, examples: [{ channel_id: 1, expires_at: 4_102_444_800, ...example }] })
type NewToken = Static<t.TObject<typeof common>>

const TokenOfStorefront = t.Object({ token: t.String() }, { title: 'StorefrontToken' })
const NewTokenAnswer = t.Object({ token: t.String(), ...envelope(TokenOfStorefront).properties })

/** Creates and revokes tokens of storefronts and their servers (docs/contract/storefront-tokens.md sections 2 and 4). */
export function tokenRoutes(api: Api, { secrets, headerPrefix }: { secrets: Secrets; headerPrefix: string }) {
  const customerHeaders = spellings(headerPrefix, 'customer-id')
  /** The times of requests that got a body by default: such a token lasts exactly a day. */
  const defaultedAt = new WeakMap<object, Date>()
  const create = async (
    { db, client }: Pick<FastifyRequest, 'db' | 'client'>,
    type: TokenType,
    body: NewToken,
    { now, ...claims }: { now: Date } & Partial<Claims>,
  ) => {
    const { expires_at } = body
    const cid = await channelsOf(db, body)
    const times = expires_at === 0 ? { eat: 0 } : { eat: expires_at, exp: expires_at }
    const token = await signToken(db, secrets, {
      iat: unixSeconds(now),
      ...times,
      cid,
      ...claims,
      sub: client.id,
      token_type: TOKEN_TYPES[type],
      jti: randomUUID(),
    })
    return new Answer({ token, data: { token }, meta: {} })
  }

  api.post(
    '/storefront/api-token',
    {
      ...ofStorefronts.write,
      schema: {
        summary: 'Create a storefront token',
        description: 'For pages of the allowed origins; it is not secret. With expires_at 0 the token never expires.',
        operationId: 'createStorefrontToken',
        tag: 'Storefront tokens',
        body: NewToken(
          'NewStorefrontToken',
          { allowed_cors_origins: t.Array(t.String(), { minItems: 1, description: `At most ${ORIGINS_MAX}` }) },
          { allowed_cors_origins: ['https://www.example.com'] },
        ),
        response: { 200: NewTokenAnswer },
      },
      preHandler: neverStored,
    },
    (request) => {
      const { body } = request
      const { allowed_cors_origins: cors } = body
      const now = request.db.now
      if (cors.length > ORIGINS_MAX) {
        const title = `The list of allowed_cors_origins must not exceed ${ORIGINS_MAX}.`
        throw new Problem(422, title, { allowed_cors_origins: title })
      }
      refuse({ ...checkTimes(body, now), ...checkOrigins(cors) })
      return create(request, 'storefront', body, { now, cors })
    },
  )

  api.post(
    '/storefront/api-token-private',
    {
      ...ofStorefronts.write,
      schema: {
        summary: 'Create a private token',
        description:
          'For servers. It reads and changes the fields of its scopes. With expires_at 0 the token never expires.',
        operationId: 'createPrivateToken',
        tag: 'Storefront tokens',
        body: NewToken(
          'NewPrivateToken',
          { scopes: t.Array(t.Enum([...STOREFRONT_SCOPES]), { minItems: 1, uniqueItems: true }) },
          { scopes: ['Unauthenticated'] },
        ),
        response: { 200: NewTokenAnswer },
      },
      preHandler: neverStored,
    },
    (request) => {
      const { body } = request
      const now = request.db.now
      refuse(checkTimes(body, now))
      return create(request, 'private', body, { now, scopes: body.scopes })
    },
  )

  api.post(
    '/storefront/api-token-customer-impersonation',
    {
      ...ofImpersonation.write,
      schema: {
        summary: 'Create a customer impersonation token',
        description: `For servers; it is secret. Each request names the customer that it acts for. A request without a body, but with the header ${headerPrefix}-Customer-Id, creates a token for channel 1 and a day.`,
        operationId: 'createImpersonationToken',
        tag: 'Storefront tokens',
        body: NewToken('NewImpersonationToken', {}, {}),
        response: { 200: NewTokenAnswer },
      },
      async preHandler(request) {
        await neverStored(request)
        if (request.body !== undefined || !customerHeaders.some((name) => name in request.headers)) return
        const now = request.db.now
        defaultedAt.set(request, now)
        const expires_at = unixSeconds(now) + IMPERSONATION_SECONDS
        request.body = { channel_id: FIRST_CHANNEL, expires_at } satisfies NewToken
      },
    },
    (request) => {
      const { body } = request
      const now = defaultedAt.get(request) ?? request.db.now
      const mistakes = checkTimes(body, now)
      if (body.expires_at === 0) mistakes.expires_at = 'A customer impersonation token must expire.'
      refuse(mistakes)
      return create(request, 'impersonation', body, { now })
    },
  )

  for (const path of ['/storefront/api-token', '/storefront/api-token-customer-impersonation']) {
    const isFirst = path === '/storefront/api-token'
    api.delete(
      path,
      {
        config: { scopes: [...areas.storefrontTokens.write, ...areas.impersonationTokens.write] },
        schema: {
          summary: isFirst ? 'Revoke a token' : 'Revoke a customer impersonation token',
          description:
            'Send the token, of any type, in the header Sf-Api-Token. It fails within a second. The client needs a scope that creates tokens of its type.',
          operationId: isFirst ? 'revokeStorefrontToken' : 'revokeImpersonationToken',
          tag: 'Storefront tokens',
          headers: t.Object({ 'Sf-Api-Token': t.String() }),
          response: { 200: envelope(t.Object({})) },
        },
      },
      async ({ db, client, headers }) => {
        await revoke(db, await tokenToRevoke(db, headers['sf-api-token'], client.scopes), db.now)
        return new Answer({ data: {}, meta: {} })
      },
    )
  }
}

/**
 * A preHandler that ignores the Idempotency-Key. Answers with a key are stored for a day, and a token must not be stored. Creating
 * a token twice changes nothing.
 */
async function neverStored({ headers }: { headers: Record<string, unknown> }) {
  delete headers['idempotency-key']
}

/** Checks the expiry and the fields for channels. */
function checkTimes({ channel_id, channel_ids, expires_at }: NewToken, now: Date): Mistakes {
  const mistakes: Mistakes = {}
  if (channel_id === undefined && channel_ids === undefined) mistakes.channel_id = 'error.path.missing'
  if (channel_id !== undefined && channel_ids !== undefined) {
    mistakes.channel_ids = 'Send either channel_id or channel_ids, not both.'
  }
  if (expires_at > TIME_MAX) mistakes.expires_at = 'expires_at must be in seconds, not in milliseconds.'
  else if (expires_at !== 0 && expires_at <= unixSeconds(now)) mistakes.expires_at = 'expires_at must be in the future.'
  return mistakes
}

function checkOrigins(origins: readonly string[]): Mistakes {
  const sentence =
    'An origin must have the form scheme://host[:port], with http or https, in lower case and without wildcards.'
  return Object.fromEntries(
    origins.flatMap((origin, i) => (isOrigin(origin) ? [] : [[`allowed_cors_origins.${i}`, sentence]])),
  )
}

/** Whether a text is an origin in the form that browsers send. */
export function isOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && URL.parse(text)?.origin === text
}

/** The channels of a new token. @throws Problem 422 that lists unknown channels */
async function channelsOf(db: Db, { channel_id, channel_ids }: NewToken): Promise<number[]> {
  const named = channel_ids ?? (channel_id === undefined ? [] : [channel_id])
  const known = await knownChannels(db, named)
  const unknown = named.filter((id) => !known.has(id))
  if (unknown.length > 0) {
    const sentence = `This store has no ${unknown.length === 1 ? 'channel' : 'channels'} ${unknown.join(', ')}.`
    refuse({ [channel_ids === undefined ? 'channel_id' : 'channel_ids']: sentence })
  }
  return named
}

/**
 * Reads the token to revoke, which may be expired.
 * @throws Problem 422 for a token that is not of this store, 403 if the client can't create tokens of its type
 */
async function tokenToRevoke(db: Db, text: unknown, scopes: ReadonlySet<string>): Promise<Claims> {
  if (typeof text !== 'string' || text === '') {
    throw new Problem(422, 'The header Sf-Api-Token is missing.', { 'Sf-Api-Token': 'error.path.missing' })
  }
  const { claims } = await readSigned(db, text).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.status !== 401) throw error
    throw new Problem(422, error.message, { 'Sf-Api-Token': error.message })
  })
  const area = claims.token_type === TOKEN_TYPES.impersonation ? 'impersonationTokens' : 'storefrontTokens'
  if (!areas[area].write.some((scope) => scopes.has(scope))) {
    throw new Problem(403, "You don't have a required scope to access the endpoint")
  }
  return claims
}
