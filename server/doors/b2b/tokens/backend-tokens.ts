import { randomUUID } from 'node:crypto'
import t, { type Static } from 'typebox'
import type { Clock } from '../../../core/clock.ts'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import type { Api } from '../../../core/rest/api.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { insert, remove, removeAll } from '../../../core/rest/lists/verbs.ts'
import { invalid, Problem, unknownId } from '../../../core/rest/problem.ts'
import { signJwt, unixSeconds } from '../../../core/secrets/jwt.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { countAttempt, uncountAttempt } from '../../../customers/logins/attempts.ts'
import { isPassword } from '../../../customers/logins/passwords.ts'
import { FIRST_CHANNEL, knownChannels } from '../../../shop/channels/channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import type { Directory, DoorState } from '../../../stores/directory/directory.ts'
import { planColumn } from '../../../stores/directory/profile.ts'
import {
  answering,
  companionAnswer,
  companionListAnswer,
  listing,
  Nothing,
  windowOf,
  windowQuery,
} from '../grammar/envelope.ts'
import { backendTokens } from '../staff/backend-token.ts'
import { findStaffByEmail, type StaffRow } from '../staff/staff.ts'
import {
  credentialFields,
  guesserAt,
  type Origin,
  openStore,
  readCompanionToken,
  type SignInParts,
  signInConfig,
  wrongCredentials,
} from './sign-in.ts'
import { refuseDisabled } from './store.ts'

/** The tokens of one member of staff. */
const TOKENS_MAX = 250

/** The claims of a token, which are checked first. The signature covers the times, so they are those of the row's creation. */
const Claims = t.Object({
  is_backend_user: t.Literal(true),
  jti: t.String(),
  nbf: t.Optional(t.Integer()),
  exp: t.Optional(t.Integer()),
})

/** The owner of a token with its store. */
interface Found {
  db: Db
  state: DoorState
  staff: Pick<StaffRow, 'id' | 'is_sales_rep'> & {
    /** The plan of the store. */
    plan: string
  }
}

interface Parts {
  directory: Directory
  secrets: Secrets
  clock: Clock
}

/**
 * Backend tokens are for servers and act for a member of staff (docs/contract/b2b.md section 4). A token is valid if the key of its
 * store has signed it, and only while its row exists: a deleted token fails at once in every process.
 */
export class BackendTokens {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** @returns undefined for a token that is forged, of another kind, out of its times, deleted, or of a member who lost the role */
  async find(token: string): Promise<Found | undefined> {
    const { directory } = this.#parts
    const read = await readCompanionToken(this.#parts, token, Claims)
    if (!read) return undefined
    const { store, claims } = read
    const db = await directory.dbById(store.id)
    if (!db) return undefined
    const now = unixSeconds(db.now)
    if (now < (claims.nbf ?? 0) || now >= (claims.exp ?? Number.POSITIVE_INFINITY)) return undefined
    const [staff] = await db.rows<Found['staff']>(
      prepared(sql`
      select staff.id, staff.is_sales_rep, ${planColumn(db)} as plan from b2b_backend_tokens token
      join b2b_staff staff on staff.store_id = ${store.id} and staff.id = token.staff_id
      where token.store_id = ${store.id} and token.jti = ${claims.jti} and staff.role <> 'custom'`),
    )
    return staff && { db, state: store.state, staff }
  }
}

const NewToken = t.Object(credentialFields, {
  title: 'NewBackendToken',
  examples: [{ storeHash: 'abc123', email: 'owner@example.com', password: 'password' }],
})
const TokenReference = t.Object(
  { id: Id, email: t.Optional(t.String()), name: t.Optional(t.String()) },
  { title: 'BackendTokenReference', examples: [{ id: 1 }] },
)
const ListedToken = t.Object(
  {
    id: Id,
    name: t.String(),
    email: t.String(),
    storeHash: t.String(),
    token: t.String(),
    eventChannel: t.Enum(['app', 'admin', 'api']),
  },
  { title: 'BackendToken' },
)

const { write } = access('b2b')
const tag = 'Backend tokens'

/** Routes that create backend tokens by credentials of staff, list and delete them. */
export function backendTokenRoutes(api: Api, parts: SignInParts) {
  api.post(
    '/io/auth/backend',
    {
      config: signInConfig,
      schema: {
        summary: 'Create a backend token from credentials of staff',
        operationId: 'createBackendToken',
        description: 'Deprecated by the contract: use X-Auth-Token. Custom roles are not supported.',
        tag,
        body: NewToken,
        ...answering(t.Array(t.Object({ name: t.String(), token: t.String() }, { title: 'BackendTokenValue' }))),
      },
    },
    async ({ body, ip }) => {
      refuseTimes(body, parts.clock.now())
      const db = await openStore(parts, body.storeHash, { ip, password: body.password })
      const member = await authenticate(db, body, { ip })
      if (member.role === 'custom') throw new Problem(400, 'role forbidden')
      const disabled = await refuseDisabled(db)
      if (disabled) throw disabled
      const name = body.name || 'backend token'
      return companionAnswer([{ name, token: await create(db, parts, member, { ...body, name }) }])
    },
  )

  api.get(
    '/io/backend/tokens',
    {
      config: { ...write.config, givesTokens: true },
      schema: {
        summary: 'List the backend tokens',
        operationId: 'listBackendTokens',
        description: 'Each with its whole value. Expired tokens are omitted.',
        tag,
        querystring: t.Object(windowQuery),
        ...listing(ListedToken),
      },
    },
    async ({ db, query, salesRep }) => {
      const window = windowOf(query)
      const now = toSeconds(db.now)
      const of = sql`
        from b2b_backend_tokens token
        join b2b_staff staff on staff.store_id = ${db.store.id} and staff.id = token.staff_id
        where token.store_id = ${db.store.id} and (token.ends_at is null or token.ends_at > ${now}) and ${isOwn(salesRep)}`
      const rows = await db.rows<{ id: number; name: string; email: string; token: string }>(sql`
        select token.id, token.name, staff.email, token.token ${of}
        order by token.id limit ${window.limit} offset ${window.offset}`)
      const { total } = await db.row<{ total: number }>(sql`select count(*)::int as total ${of}`)
      const shown = rows.map(({ id, name, email, token }) => ({
        id,
        name,
        email,
        storeHash: db.store.hash,
        token: parts.secrets.unseal(token),
        eventChannel: 'api',
      }))
      return companionListAnswer(shown, total, window)
    },
  )

  api.delete(
    '/io/auth/backend',
    {
      config: { ...write.config, givesTokens: true },
      schema: {
        summary: 'Delete a backend token',
        operationId: 'deleteBackendToken',
        description: "The token fails at once. A token can delete itself; an X-Auth-Token can't be deleted.",
        tag,
        body: TokenReference,
        ...answering(Nothing),
      },
    },
    async ({ db, body, salesRep }) => {
      await db.transaction(async (tx) => {
        const token = await tx.maybeRow<{ name: string; email: string }>(sql`
          select token.name, staff.email from b2b_backend_tokens token
          join b2b_staff staff on staff.store_id = ${tx.store.id} and staff.id = token.staff_id
          where token.store_id = ${tx.store.id} and token.id = ${body.id} and ${isOwn(salesRep)}`)
        const { name = token?.name, email = token?.email } = body
        const isMeant = token?.name === name && token?.email === email
        if (!token || !isMeant || !(await remove(tx, backendTokens, body.id))) {
          throw new Problem(404, 'There is no matching token.')
        }
      })
      return companionAnswer([])
    },
  )
}

/** A sales representative handles only its own tokens, because tokens of others may see all companies. */
const isOwn = (salesRep: number | undefined) =>
  salesRep === undefined ? sql.raw('true') : sql`token.staff_id = ${salesRep}`

/** @throws Problem 422 */
function refuseTimes({ beginAt, endAt }: Static<typeof NewToken>, now: Date) {
  if (endAt === undefined) return
  if (endAt <= unixSeconds(now)) throw invalid({ endAt: 'endAt must be in the future.' })
  if (beginAt !== undefined && beginAt >= endAt) throw invalid({ beginAt: 'beginAt must be before endAt.' })
}

/**
 * Authenticates a member of staff. Each failure takes the same work and has the same answer.
 * @throws Problem 400, 429
 */
async function authenticate(db: Db, { email, password }: Static<typeof NewToken>, origin: Origin): Promise<StaffRow> {
  const guessed = `staff ${email}`
  await countAttempt(db, guessed, guesserAt(origin))
  const member = await findStaffByEmail(db, email)
  if (!(await isPassword(db.store, password, member?.password_hash)) || !member) throw wrongCredentials()
  await uncountAttempt(db, guessed)
  return member
}

async function create(
  db: Db,
  { secrets }: SignInParts,
  member: StaffRow,
  { name, channelId: channel_id = FIRST_CHANNEL, beginAt, endAt }: Static<typeof NewToken> & { name: string },
): Promise<string> {
  if (!(await knownChannels(db, [channel_id])).has(channel_id)) {
    throw invalid({ channelId: unknownId('channel', channel_id) })
  }
  const claims = {
    email: member.email,
    store_hash: db.store.hash,
    db: 'default',
    is_backend_user: true,
    name,
    ...(beginAt === undefined ? {} : { nbf: beginAt }),
    ...(endAt === undefined ? {} : { exp: endAt }),
    jti: randomUUID(),
  }
  const token = await signJwt(claims, secrets.companionKey(db.store.hash), { alg: 'HS256' })
  await db.transaction(async (tx) => {
    await removeAll(tx, backendTokens, sql`staff_id = ${member.id} and ends_at <= ${toSeconds(tx.now)}`)
    await insert(tx, backendTokens, {
      staff_id: member.id,
      jti: claims.jti,
      name,
      channel_id,
      token: secrets.seal(token),
      ends_at: endAt === undefined ? null : toSeconds(new Date(endAt * 1_000)),
      created_at: toSeconds(tx.now),
    })
    await refuseTooMany(tx, member.id)
  })
  return token
}

async function refuseTooMany(tx: Tx, staffId: number) {
  const { count } = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from b2b_backend_tokens where store_id = ${tx.store.id} and staff_id = ${staffId}`)
  if (count > TOKENS_MAX)
    throw new Problem(422, `A member of staff can have at most ${TOKENS_MAX} tokens. Delete some.`)
}
