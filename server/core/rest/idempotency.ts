import { createHash } from 'node:crypto'
import type { Db, Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { sweep } from '../db/steps.ts'
import { isObject } from '../objects.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { Answer, bytesOf, JsonBytes } from './answer.ts'
import { Problem } from './problem.ts'

/** How long the answer to a key is kept (docs/contract/limits.md section 1). */
export const ANSWER_KEPT_MS = 24 * 3_600_000
const KEY = /^[\x20-\x7e]{1,255}$/

/** The fault of an `Idempotency-Key`, as a sentence for its client; undefined for a valid key. */
export const keyFault = (key: string): string | undefined =>
  KEY.test(key) ? undefined : 'Idempotency-Key must have 1 to 255 printable ASCII characters.'

/** A request with an Idempotency-Key. Two of them are the same if method, path, query and body are. */
export interface KeyedRequest {
  key: string
  clientId: string
  method: string
  url: string
  body: unknown
  now: Date
}

/**
 * Does the work once per `Idempotency-Key`, store and client in 24 hours. Later requests get the stored answer
 * (docs/contract/conventions.md sections 12 and 16). The answer is stored in the transaction of the effect, so neither is
 * ever there without the other. Work that throws is rolled back and leaves the key free.
 * @throws Problem 409 while the first one is still running, 422 for another request under the same key
 */
export async function once(
  db: Db,
  attempt: KeyedRequest,
  secrets: Pick<Secrets, 'tokenHash'>,
  work: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  const { key, clientId, now } = attempt
  refuseFaultyKey(attempt)
  const hashes = fingerprint(attempt, secrets)
  return db.transaction(async (tx) => {
    // A try-lock, not a wait: duplicates of a slow request must not hold the pool's connections.
    const { free } = await tx.row<{ free: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(${`${clientId} ${key}`}, ${tx.store.id})) as free`,
    )
    if (!free) {
      throw new Problem(
        409,
        'The first request with this Idempotency-Key is still running.',
        {},
        { headers: { 'retry-after': '1' } },
      )
    }
    const stored = await findStored(tx, attempt)
    if (stored) return replay(stored, hashes)
    const answer = await work(tx)
    if (savedNothing(answer)) return answer
    await sweep(tx, {
      table: 'idempotent_answers',
      key: ['client_id', 'key'],
      moment: 'created_at',
      until: new Date(now.getTime() - ANSWER_KEPT_MS),
    })
    await tx.rows(sql`
      insert into idempotent_answers ${sql.rows([
        {
          store_id: tx.store.id,
          client_id: clientId,
          key,
          request_hash: hashes.request,
          query_hash: hashes.query,
          status: answer.status,
          headers: JSON.stringify(answer.headers),
          body: bytesOf(answer.body)?.toString() ?? '',
          created_at: now,
        },
      ])}
      on conflict (store_id, client_id, key) do update set request_hash = excluded.request_hash,
        query_hash = excluded.query_hash, status = excluded.status, headers = excluded.headers, body = excluded.body, created_at = excluded.created_at`)
    return answer
  })
}

/**
 * The stored answer of an earlier request with the same key; undefined without one. For requests with work before the transaction
 * of `once` that a repeated request doesn't need.
 * @throws Problem 422 for another request under the same key
 */
export async function storedAnswer(
  db: Db,
  attempt: KeyedRequest,
  secrets: Pick<Secrets, 'tokenHash'>,
): Promise<Answer | undefined> {
  refuseFaultyKey(attempt)
  const stored = await findStored(db, attempt)
  return stored && replay(stored, fingerprint(attempt, secrets))
}

function refuseFaultyKey({ key }: KeyedRequest) {
  const fault = keyFault(key)
  if (fault !== undefined) throw new Problem(422, fault)
}

const findStored = (db: Db, { key, clientId, now }: KeyedRequest) =>
  db.maybeRow<StoredAnswer>(sql`
    select request_hash, query_hash, status, headers, body from idempotent_answers
    where store_id = ${db.store.id} and client_id = ${clientId} and key = ${key}
      and created_at > ${new Date(now.getTime() - ANSWER_KEPT_MS)}`)

/** Deletes the stored answers that contain a text: their keys may do their work once more. @returns how many */
export async function deleteAnswersWith(tx: Tx, text: string): Promise<number> {
  const piece = JSON.stringify(text).slice(1, -1).toLowerCase()
  const gone = await tx.rows(
    sql`delete from idempotent_answers where store_id = ${tx.store.id} and strpos(lower(body), ${piece}) > 0 returning key`,
  )
  return gone.length
}

interface StoredAnswer {
  request_hash: string
  /** Null if a version stored it that left the query out: then any query is the same. */
  query_hash: string | null
  status: number
  headers: Record<string, string>
  body: string
}

function replay(stored: StoredAnswer, { request, query }: Fingerprint): Answer {
  if (stored.request_hash !== request || (stored.query_hash ?? query) !== query) {
    throw new Problem(422, 'This Idempotency-Key was used for another request: use a new key.')
  }
  const body = stored.body === '' ? undefined : new JsonBytes(Buffer.from(stored.body))
  return new Answer(body, stored.status, { ...stored.headers, 'idempotent-replayed': 'true' })
}

/**
 * Whether this is a batch that saved no item: a refusal, whose key may be used again
 * (docs/contract/conventions.md section 16, entry 1).
 */
const savedNothing = ({ status, body }: Answer) =>
  status >= 400 && isObject(body) && Array.isArray(body.data) && body.data.length === 0

/** Keyed digests of a request. Plain ones would reveal a password in a body to anybody who can try them all. */
interface Fingerprint {
  /** A digest of method, path and body. */
  request: string
  /** Apart from the rest, so that processes of an older version find the answers that this one stores. */
  query: string
}

function fingerprint({ method, url, body }: KeyedRequest, { tokenHash }: Pick<Secrets, 'tokenHash'>): Fingerprint {
  const [path = '', ...query] = url.split('?')
  return {
    request: tokenHash(`${method} ${path}\n${JSON.stringify(withoutBytes(body)) ?? ''}`),
    query: tokenHash(`?${canonicalQuery(query.join('?'))}`),
  }
}

/** The parameters of a query, decoded and by name. Values of one name keep their order: of several the last may count. */
function canonicalQuery(query: string): string {
  const parameters = new URLSearchParams(query)
  parameters.sort()
  return parameters.toString()
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64url')

/** Replaces the bytes in a form by their digest: as JSON they would be many times as large. */
const withoutBytes = (body: unknown): unknown =>
  isObject(body)
    ? Object.fromEntries(
        Object.entries(body).map(([name, value]) => [name, value instanceof Uint8Array ? digest(value) : value]),
      )
    : body
