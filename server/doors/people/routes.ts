import type { FastifyReply, FastifyRequest } from 'fastify'
import t from 'typebox'
import { Answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { Problem } from '../../core/rest/problem.ts'
import { hashPassword, isPassword, passwordMistake } from '../../customers/logins/passwords.ts'
import { HASH_PATTERN } from '../../stores/directory/directory.ts'
import { recordFailure } from '../../stores/gate/gate.ts'
import type { FailedLogins } from '../../stores/quotas/failed-logins.ts'
import { isOfThisMachine } from '../operator/demo-store.ts'
import type { Audit } from './audit.ts'
import { clearSessionCookie, pathValue, setSessionCookie, signedInOf } from './gate.ts'
import type { PasswordGuesses } from './guesses.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import type { Passkeys } from './passkeys.ts'
import { type People, type Person, PersonRefusal } from './people.ts'
import { PERSON_ROLES } from './roles.ts'
import type { PersonSessions, SignedIn } from './sessions.ts'

interface PeopleParts {
  people: People
  guesses: PasswordGuesses
  passkeys: Passkeys
  sessions: PersonSessions
  audit: Audit
  failedLogins: FailedLogins
  /** The address of the console, which the links of invitations begin with. */
  consoleUrl: string
}

/** Hashes of people's passwords take turns like those of a store. No store has this number. */
const INSTALLATION = { id: 0 }
const LISTED_MAX = 250

const text = (maxLength: number, minLength = 0) => t.String({ minLength, maxLength, pattern: '^[^\\u0000]*$' })
const Email = t.String({ minLength: 3, maxLength: 254, pattern: '^[^@\\s\\u0000]+@[^@\\s\\u0000]+$' })
const Password = text(255, 1)
const Stores = t.Union([t.Null(), t.Array(t.String({ pattern: HASH_PATTERN }), { maxItems: 1_000 })])
const PersonPath = t.Object({ person_id: t.Integer({ minimum: 1, maximum: 2_147_483_647 }) })
const SessionPath = t.Object({ session_id: t.Integer({ minimum: 1, maximum: 2_147_483_647 }) })

/** Sign-in, people, sessions and the audit, below `/operator/v1` (docs/console.md). */
export function peopleRoutes(api: Api, parts: PeopleParts) {
  sessionRoutes(api, parts)
  invitationRoutes(api, parts)
  personRoutes(api, parts)
  auditRoutes(api, parts)
  passkeyRoutes(api, parts)
}

function sessionRoutes(api: Api, { people, guesses, sessions, failedLogins }: PeopleParts) {
  api.post(
    '/session',
    {
      config: { isForStrangers: true, hasClosedBody: true, hasSecretBody: true, bodyMax: 16 * 1024 },
      schema: { summary: 'Sign in', body: t.Object({ email: text(254, 1), password: Password }) },
    },
    async (request, reply) => {
      const { email, password } = request.body
      const found = await personBy(email, password)
      if (!found) {
        throw (
          recordFailure(request.ip, failedLogins) ?? new Problem(401, 'The e-mail address or the password is wrong.')
        )
      }
      const { password_hash: _, ...person } = found
      await begin(request, reply, person, sessions)
      return new Answer({ data: { person }, meta: {} }, 201)
    },
  )

  api.get(
    '/session',
    { config: { isForPeople: true }, schema: { summary: 'Get the person of the session' } },
    async (request) => {
      const { person, isConfirmed } = signedInOf(request)
      return new Answer({ data: { person, is_confirmed: isConfirmed }, meta: {} })
    },
  )

  api.delete('/session', { config: { isForPeople: true }, schema: { summary: 'Sign out' } }, async (request, reply) => {
    const { person, sessionId } = signedInOf(request)
    await sessions.end(person.id, sessionId)
    clearSessionCookie(request, reply)
    return new Answer(undefined, 204)
  })

  api.post(
    '/session/confirmation',
    {
      config: { isForPeople: true, hasClosedBody: true, hasSecretBody: true },
      schema: { summary: 'Confirm the identity with the password', body: t.Object({ password: Password }) },
    },
    async (request) => {
      const { sessionId } = await confirmedBy(request, request.body.password)
      await sessions.confirm(sessionId)
      return new Answer(undefined, 204)
    },
  )

  api.put(
    '/password',
    {
      config: { isForPeople: true, hasClosedBody: true, hasSecretBody: true },
      schema: { summary: 'Change the password', body: t.Object({ password: Password, new_password: Password }) },
    },
    async (request) => {
      const { password, new_password } = request.body
      refusePassword(new_password, 'new_password')
      const { person, sessionId } = await confirmedBy(request, password)
      await people.setPassword(person.id, await hashPassword(INSTALLATION, new_password), sessionId)
      return new Answer(undefined, 204)
    },
  )

  api.get(
    '/sessions',
    { config: { isForPeople: true }, schema: { summary: 'List the sessions of the person' } },
    async (request) => {
      const { person, sessionId } = signedInOf(request)
      const list = await sessions.list(person.id)
      return new Answer({
        data: list.map((session) => ({ ...session, is_current: session.id === sessionId })),
        meta: {},
      })
    },
  )

  api.delete(
    '/sessions/:session_id',
    { config: { isForPeople: true }, schema: { summary: 'End a session of the person', params: SessionPath } },
    async (request) => {
      const { person } = signedInOf(request)
      if (!(await sessions.end(person.id, request.params.session_id)))
        throw new Problem(404, 'There is no such session.')
      return new Answer(undefined, 204)
    },
  )

  /**
   * The person with this password. An unknown address takes as long as a wrong password, and counts like one.
   * @throws Problem 429 after ten wrong passwords for the address in 15 minutes
   */
  async function personBy(email: string, password: string) {
    const waits = await guesses.count(email)
    if (waits > 0) {
      const headers = { 'retry-after': String(waits) }
      throw new Problem(429, 'Too many wrong passwords for this e-mail address. Try again later.', {}, { headers })
    }
    const found = await people.withPassword(email)
    if (!(await isPassword(INSTALLATION, password, found?.password_hash))) return undefined
    await guesses.uncount(email)
    return found
  }

  /** @throws Problem 422 for a wrong password, which counts for the address */
  async function confirmedBy(request: FastifyRequest, password: string): Promise<SignedIn> {
    const signedIn = signedInOf(request)
    if (await personBy(signedIn.person.email, password)) return signedIn
    throw (
      recordFailure(request.ip, failedLogins) ??
      new Problem(422, 'The password is wrong.', { password: 'The password is wrong.' })
    )
  }
}

function invitationRoutes(api: Api, { people, sessions, failedLogins }: PeopleParts) {
  const config = { isForStrangers: true, hasClosedBody: true, hasSecretBody: true, bodyMax: 16 * 1024 }

  api.post(
    '/invitation',
    { config, schema: { summary: 'Get the person of an invitation', body: t.Object({ token: text(100, 1) }) } },
    async (request) => {
      const person = await people.invited(request.body.token, isOfThisMachine(request))
      if (!person) throw unusable(request)
      return new Answer({ data: { email: person.email, name: person.name, role: person.role }, meta: {} })
    },
  )

  api.put(
    '/invitation',
    {
      config,
      schema: {
        summary: 'Accept an invitation',
        body: t.Object({ token: text(100, 1), name: text(100, 1), password: Password }),
      },
    },
    async (request, reply) => {
      const { token, name, password } = request.body
      const isLocal = isOfThisMachine(request)
      refusePassword(password, 'password')
      // A link that doesn't work costs no hash.
      if (!(await people.invited(token, isLocal))) throw unusable(request)
      const passwordHash = await hashPassword(INSTALLATION, password)
      const person = await people.accept(token, { name, passwordHash, isLocal })
      if (!person) throw unusable(request)
      await begin(request, reply, person, sessions)
      return new Answer({ data: { person }, meta: {} }, 201)
    },
  )

  const unusable = ({ ip }: FastifyRequest) =>
    recordFailure(ip, failedLogins) ??
    new Problem(404, 'The invitation was used, has expired, or is for another machine.')
}

function personRoutes(api: Api, { people, sessions, consoleUrl }: PeopleParts) {
  const link = (token: string) => `${consoleUrl}/invitation#${token}`
  const readObject = async (request: FastifyRequest) =>
    (await people.list()).find(({ id }) => String(id) === pathValue(request, 'person_id'))

  api.get(
    '/people',
    { config: { isForPeople: true }, schema: { summary: 'List the people' } },
    async () => new Answer({ data: await people.list(), meta: {} }),
  )

  api.post(
    '/people',
    {
      config: { isForPeople: true, hasClosedBody: true, needsConfirmation: true },
      schema: {
        summary: 'Invite a person',
        body: t.Object({ email: Email, role: t.Enum([...PERSON_ROLES]), stores: t.Optional(Stores) }),
      },
    },
    async ({ body: { email, role, stores } }) => {
      const list = await people.list()
      if (list.some((person) => person.email === email.toLowerCase())) {
        throw new Problem(409, 'There is a person with this e-mail address.')
      }
      const { token, ...person } = await people.invite({ email, role, stores }).catch(refusal)
      return new Answer({ data: { ...person, link: link(token) }, meta: {} }, 201)
    },
  )

  api.put(
    '/people/:person_id',
    {
      config: { isForPeople: true, hasClosedBody: true, needsConfirmation: true, readObject },
      schema: {
        summary: 'Change the role and the stores of a person',
        params: PersonPath,
        body: t.Object({ role: t.Optional(t.Enum([...PERSON_ROLES])), stores: t.Optional(Stores) }),
      },
    },
    async ({ params, body }) => {
      const person = await people.change(params.person_id, body).catch(refusal)
      return new Answer({ data: mustExist(person), meta: {} })
    },
  )

  api.post(
    '/people/:person_id/invitation',
    {
      config: { isForPeople: true, needsConfirmation: true, readObject },
      schema: { summary: 'Invite a person again', params: PersonPath },
    },
    async ({ params }) => {
      const { token, ...person } = mustExist(await people.inviteAgain(params.person_id))
      return new Answer({ data: { ...person, link: link(token) }, meta: {} }, 201)
    },
  )

  api.get(
    '/people/:person_id/sessions',
    { config: { isForPeople: true }, schema: { summary: 'List the sessions of a person', params: PersonPath } },
    async ({ params }) => {
      mustExist((await people.list()).find(({ id }) => id === params.person_id))
      return new Answer({ data: await sessions.list(params.person_id), meta: {} })
    },
  )

  api.delete(
    '/people/:person_id/sessions/:session_id',
    {
      config: { isForPeople: true, needsConfirmation: true },
      schema: {
        summary: 'End a session of another person',
        params: t.Object({ ...PersonPath.properties, ...SessionPath.properties }),
      },
    },
    async ({ params }) => {
      if (!(await sessions.end(params.person_id, params.session_id)))
        throw new Problem(404, 'There is no such session.')
      return new Answer(undefined, 204)
    },
  )

  api.delete(
    '/people/:person_id',
    {
      config: { isForPeople: true, needsConfirmation: true, readObject },
      schema: { summary: 'Delete a person', params: PersonPath },
    },
    async ({ params }) => {
      mustExist(await people.remove(params.person_id).catch(refusal))
      return new Answer(undefined, 204)
    },
  )
}

const AuditQuery = t.Object({
  actor: t.Optional(text(254)),
  store_hash: t.Optional(t.String({ pattern: HASH_PATTERN })),
  from: t.Optional(t.String({ format: 'date-time' })),
  to: t.Optional(t.String({ format: 'date-time' })),
  request_id: t.Optional(text(100)),
  words: t.Optional(text(200)),
  before: t.Optional(t.String({ pattern: '^[1-9]\\d{0,17}$' })),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: LISTED_MAX })),
})

function auditRoutes(api: Api, { audit }: PeopleParts) {
  api.get(
    '/audit',
    { schema: { summary: 'List recorded actions, the newest first', querystring: AuditQuery } },
    async ({ query: { limit = 50, ...filters } }) => new Answer({ data: await audit.list(filters, limit), meta: {} }),
  )
}

async function begin(request: FastifyRequest, reply: FastifyReply, { id }: Person, sessions: PersonSessions) {
  const secret = await sessions.begin(id, { address: request.ip, agent: request.headers['user-agent'] ?? '' })
  setSessionCookie(request, reply, secret)
}

/** @throws Problem 422 */
function refusePassword(password: string, field: string) {
  const mistake = passwordMistake(password)
  if (mistake !== undefined) throw new Problem(422, mistake, { [field]: mistake })
}

const refusal = (error: unknown): never => {
  throw error instanceof PersonRefusal ? new Problem(409, error.message) : error
}

/** @throws Problem 404 */
function mustExist<T>(person: T | undefined): T {
  if (person === undefined) throw new Problem(404, 'There is no such person.')
  return person
}
