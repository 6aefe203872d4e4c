import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import type { Database } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'

/** Longer values are not stored. The digest of the body still is. */
const VALUE_MAX = 16 * 1024
const KEPT_MS = 400 * 24 * 3_600_000

/** An action to record. */
export interface AuditedAction {
  kind: 'person' | 'key' | 'command'
  /** The e-mail address of a person, the name of an operator key, or the user of the system. */
  actor: string
  /** Empty if the action concerns no single store. */
  store_hash: string
  /** Method and route, or the name of a command. */
  action: string
  /** The path, or the arguments of a command. */
  object: string
  body?: unknown
  request_id: string
  /** The object before the action; undefined if the action has no single object, or if there was none. */
  before?: unknown
}

/** A recorded action. */
export interface AuditRecord extends Omit<AuditedAction, 'body' | 'before'> {
  id: string
  at: string
  body_digest: string
  /** The object before the action and after it, without secrets; null if there was none. */
  before: unknown
  after: unknown
  /** Status of the answer, or exit code of a command; null if the process ended before the action did. */
  status: number | null
  finished_at: string | null
}

export interface AuditFilters {
  actor?: string | undefined
  store_hash?: string | undefined
  from?: string | undefined
  to?: string | undefined
  request_id?: string | undefined
  /** Words that the action or its object has. */
  words?: string | undefined
  /** Records before this id. */
  before?: string | undefined
}

/**
 * The record of actions of people, operator keys and commands. A row is stored before the action begins, and its outcome afterwards,
 * so an action that a crash interrupts has a row without an outcome. The database role of the server adds rows and can't change or
 * delete any; a function of the database deletes them after 400 days.
 */
export class Audit {
  readonly #database: Pick<Database, 'system'>
  readonly #clock: Clock

  constructor({ database, clock }: { database: Pick<Database, 'system'>; clock: Clock }) {
    this.#database = database
    this.#clock = clock
  }

  /** @returns the id for `finish` */
  async begin({ kind, actor, store_hash, action, object, body, request_id, before }: AuditedAction): Promise<string> {
    const digest = body === undefined ? '' : createHash('sha256').update(JSON.stringify(body)).digest('hex')
    const row = {
      at: this.#clock.now(),
      kind,
      actor,
      store_hash,
      action,
      object,
      body_digest: digest,
      request_id,
      value_before: jsonOf(before),
    }
    const [stored] = await this.#database.system<{ id: string }>(
      sql`insert into directory.audit ${sql.rows([row])} returning id::text`,
    )
    return stored?.id ?? ''
  }

  /** @param after the object after the action */
  async finish(id: string, status: number, after?: unknown) {
    await this.#database.system(sql`
      insert into directory.audit_outcomes (audit_id, status, at, value_after)
      values (${id}, ${status}, ${this.#clock.now()}, ${jsonOf(after)})
      on conflict do nothing returning audit_id`)
  }

  /** The newest records first. */
  list(
    { actor, store_hash, from, to, request_id, words = '', before }: AuditFilters,
    limit: number,
  ): Promise<AuditRecord[]> {
    const chosen: Sql[] = [
      ...(actor === undefined ? [] : [sql`actor = ${actor}`]),
      ...(store_hash === undefined ? [] : [sql`store_hash = ${store_hash}`]),
      ...(from === undefined ? [] : [sql`audit.at >= ${new Date(from)}`]),
      ...(to === undefined ? [] : [sql`audit.at < ${new Date(to)}`]),
      ...(request_id === undefined ? [] : [sql`request_id = ${request_id}`]),
      ...words
        .split(/\s+/)
        .filter((word) => word !== '')
        .map((word) => sql`strpos(lower(action || ' ' || object), ${word.toLowerCase()}) > 0`),
      ...(before === undefined ? [] : [sql`id < ${before}`]),
    ]
    return this.#database.system(sql`
      select id::text, audit.at, kind, actor, store_hash, action, object, body_digest, request_id, status,
        value_before as before, value_after as after, outcomes.at as finished_at
      from directory.audit left join directory.audit_outcomes outcomes on audit_id = id
      where ${sql.and(chosen)} order by audit.id desc limit ${limit}`)
  }

  /** Deletes records that are older than 400 days, at most 10,000. @returns their number */
  async deleteOld(): Promise<number> {
    const before = new Date(this.#clock.now().getTime() - KEPT_MS)
    const [result] = await this.#database.system<{ deleted: number }>(
      sql`select directory.delete_old_audit(${before}) as deleted`,
    )
    return result?.deleted ?? 0
  }
}

/** Whether a request changes something. */
export const isChange = ({ method, is404 }: Pick<FastifyRequest, 'method' | 'is404'>): boolean =>
  !is404 && method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'

function jsonOf(value: unknown): string | null {
  const text = value === undefined ? '' : JSON.stringify(value)
  return text === '' || text.length > VALUE_MAX ? null : text
}
