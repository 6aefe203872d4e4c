import type { FastifyRequest } from 'fastify'
import t from 'typebox'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Problem } from '../../core/rest/problem.ts'
import { recordFailure } from '../../stores/gate/gate.ts'
import type { FailedLogins } from '../../stores/quotas/failed-logins.ts'
import { setSessionCookie, signedInOf } from './gate.ts'
import { type BrowserPlace, canHavePasskeys, PasskeyRefusal, type Passkeys } from './passkeys.ts'
import type { People } from './people.ts'
import type { PersonSessions } from './sessions.ts'

interface PasskeyRouteParts {
  people: People
  passkeys: Passkeys
  sessions: PersonSessions
  failedLogins: FailedLogins
}

const base64 = (maxLength: number) => t.String({ minLength: 1, maxLength, pattern: '^[\\w-]+$' })
const Credential = {
  id: base64(1_400),
  rawId: base64(1_400),
  type: t.Literal('public-key'),
  authenticatorAttachment: t.Optional(t.Union([t.Literal('platform'), t.Literal('cross-platform'), t.Null()])),
  clientExtensionResults: t.Record(t.String(), t.Unknown()),
}
/** The ways to a device that are stored. Browsers may name others. */
const TRANSPORTS = ['ble', 'hybrid', 'internal', 'nfc', 'usb'] as const
const Transports = t.Array(t.String({ maxLength: 30 }), { maxItems: 10 })

/** A passkey that a browser has created: `PublicKeyCredential.toJSON()`. */
const Created = t.Object({
  ...Credential,
  response: t.Object({
    clientDataJSON: base64(4_000),
    attestationObject: base64(12_000),
    authenticatorData: t.Optional(base64(4_000)),
    transports: t.Optional(Transports),
    publicKeyAlgorithm: t.Optional(t.Integer()),
    publicKey: t.Optional(base64(4_000)),
  }),
})

/** The signature of a challenge, from the same function. */
const Signed = t.Object({
  ...Credential,
  response: t.Object({
    clientDataJSON: base64(4_000),
    authenticatorData: base64(4_000),
    signature: base64(4_000),
    userHandle: t.Optional(t.Union([base64(200), t.Null()])),
  }),
})

const BODY_MAX = 32 * 1024
const PasskeyPath = t.Object({ passkey_id: t.Integer({ minimum: 1, maximum: 2_147_483_647 }) })

/** Sign-in and confirmation by a passkey, and the passkeys of a person, below `/operator/v1` (docs/console.md). */
export function passkeyRoutes(api: Api, { people, passkeys, sessions, failedLogins }: PasskeyRouteParts) {
  api.post(
    '/session/passkey-challenge',
    { config: { isForStrangers: true }, schema: { summary: 'Get a challenge for a passkey' } },
    async (request) => new Answer({ data: await passkeys.request(placeOf(request)), meta: {} }),
  )

  api.post(
    '/session/passkey',
    {
      config: { isForStrangers: true, hasClosedBody: true, hasSecretBody: true, bodyMax: BODY_MAX },
      schema: { summary: 'Sign in with a passkey', body: Signed },
    },
    async (request, reply) => {
      const email = await passkeys.personOf(withoutNull(request.body), placeOf(request))
      const found = email === undefined ? undefined : await people.withPassword(email)
      if (!found) throw refused(request)
      const { password_hash: _, ...person } = found
      const agent = request.headers['user-agent'] ?? ''
      setSessionCookie(request, reply, await sessions.begin(person.id, { address: request.ip, agent }))
      return new Answer({ data: { person }, meta: {} }, 201)
    },
  )

  api.post(
    '/session/passkey-confirmation',
    {
      config: { isForPeople: true, hasClosedBody: true, hasSecretBody: true, bodyMax: BODY_MAX },
      schema: { summary: 'Confirm the identity with a passkey', body: Signed },
    },
    async (request) => {
      const { person, sessionId } = signedInOf(request)
      const email = await passkeys.personOf(withoutNull(request.body), placeOf(request))
      if (email !== person.email) throw refused(request, 422)
      await sessions.confirm(sessionId)
      return new Answer(undefined, 204)
    },
  )

  api.get(
    '/passkeys',
    { config: { isForPeople: true }, schema: { summary: 'List the passkeys of the person' } },
    async (request) => {
      const { person } = signedInOf(request)
      return new Answer({
        data: await passkeys.list(person.id),
        meta: { is_possible: canHavePasskeys(hostOf(request)) },
      })
    },
  )

  api.post(
    '/passkeys/challenge',
    {
      config: { isForPeople: true, needsConfirmation: true },
      schema: { summary: 'Get a challenge for a new passkey' },
    },
    async (request) =>
      new Answer({ data: await passkeys.creation(signedInOf(request).person, placeOf(request)), meta: {} }),
  )

  api.post(
    '/passkeys',
    {
      config: {
        isForPeople: true,
        hasClosedBody: true,
        hasSecretBody: true,
        needsConfirmation: true,
        bodyMax: BODY_MAX,
      },
      schema: {
        summary: 'Add a passkey',
        body: t.Object({
          name: t.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000]*$' }),
          credential: Created,
        }),
      },
    },
    async (request) => {
      const { name, credential } = request.body
      const { authenticatorAttachment, response: created, ...rest } = credential
      const named = created.transports ?? []
      const response = {
        ...rest,
        ...(authenticatorAttachment ? { authenticatorAttachment } : {}),
        response: { ...created, transports: TRANSPORTS.filter((transport) => named.includes(transport)) },
      }
      const { person } = signedInOf(request)
      const added = await passkeys.add(person, placeOf(request), { name, response }).catch((error) => {
        throw error instanceof PasskeyRefusal ? new Problem(409, error.message) : error
      })
      if (!added) throw new Problem(422, 'The passkey is not valid, or its challenge has expired.')
      return new Answer({ data: added, meta: {} }, 201)
    },
  )

  api.delete(
    '/passkeys/:passkey_id',
    {
      config: { isForPeople: true, needsConfirmation: true },
      schema: { summary: 'Delete a passkey of the person', params: PasskeyPath },
    },
    async (request) => {
      const { person } = signedInOf(request)
      if (!(await passkeys.remove(person.id, request.params.passkey_id))) {
        throw new Problem(404, 'There is no such passkey.')
      }
      return new Answer(undefined, 204)
    },
  )

  /** The refusal of a passkey, which counts for the address like a wrong password. */
  const refused = ({ ip }: FastifyRequest, status: 401 | 422 = 401) =>
    recordFailure(ip, failedLogins) ?? new Problem(status, 'The passkey is unknown, or its challenge has expired.')
}

/** Browsers send null for values that an authenticator does not have. */
function withoutNull({
  authenticatorAttachment,
  response: { userHandle, ...response },
  ...rest
}: t.Static<typeof Signed>) {
  return {
    ...rest,
    ...(authenticatorAttachment ? { authenticatorAttachment } : {}),
    response: { ...response, ...(userHandle ? { userHandle } : {}) },
  }
}

const hostOf = ({ hostname }: FastifyRequest) => hostname.toLowerCase()

/** @throws Problem 409 at an IP address */
function placeOf(request: FastifyRequest): BrowserPlace {
  const host = hostOf(request)
  if (!canHavePasskeys(host)) throw new Problem(409, 'Browsers refuse passkeys at IP addresses. Use a host name.')
  return { host, origin: `${request.protocol}://${request.host}` }
}
