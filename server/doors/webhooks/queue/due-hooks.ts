import { EventEmitter } from 'node:events'
import { type NamedQuery, prepared, type StatementBatch, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import type { HostFilter } from '../sending/pacer.ts'

const CANDIDATES_MAX = 1_000
const HOOKS_AT_ONCE = 200

/** Announces due hooks to the worker of this process. It is only a hint: workers also poll. */
export const dueNews = new EventEmitter<{ due: [] }>()

/** A hook with something to send. */
export interface DueHook {
  store_id: number
  hook_id: number
  /** Empty if the hook was deleted; a worker then deletes its queue. */
  host: string
}

/** Matches due hooks whose host has room. */
const sendable = (present: Sql, { full, onlyKnown }: HostFilter) => sql`
  due_at <= ${present} and host <> all(${full}::text[])
  and ${onlyKnown ? sql`host = any(${['', ...onlyKnown]}::text[])` : sql.raw('true')}`

/** Whether there is a due hook. It reads one row, and every due row of a full host. */
export const isAnyDue = (present: Sql, filter: HostFilter): Sql => sql`
  (select due_at from due_hooks where ${sendable(present, filter)} order by due_at limit 1) is not null`

/** Due hooks of all stores. Stores take turns: the first hook of each store, then the second of each, longest due first. */
export const dueHooks = (present: Sql, filter: HostFilter): Sql => sql`
  select store_id, hook_id, host from (
    select store_id, hook_id, host, due_at, row_number() over (partition by store_id order by due_at) as turn from (
      select store_id, hook_id, host, due_at from due_hooks
      where ${sendable(present, filter)} order by due_at limit ${CANDIDATES_MAX}
    ) candidate
  ) hook order by turn, due_at limit ${HOOKS_AT_ONCE}`

/**
 * Makes hooks due now. Call it after their lanes were written: a worker that locks the hook's row then sees these lanes, or
 * waits for this transaction.
 */
export async function wake(tx: Tx, hookIds: readonly number[]) {
  if (hookIds.length === 0) return
  notifyWorker(tx)
  await tx.rows(wakeLater(tx, hookIds, 0))
}

/** Makes hooks due after some time, unless they are due before. */
export const wakeLater = (tx: Tx, hookIds: readonly number[], afterMs: number): NamedQuery =>
  prepared(sql`
    insert into due_hooks as due (store_id, hook_id, host, due_at)
    select ${tx.store.id}::int, woken.hook_id, coalesce(hooks.host, ''), ${tx.present} + ${afterMs} * interval '1 millisecond'
    from unnest(${[...new Set(hookIds)]}::int[]) as woken (hook_id)
    left join hooks on hooks.store_id = ${tx.store.id} and hooks.id = woken.hook_id
    order by woken.hook_id
    on conflict (store_id, hook_id) do update set due_at = excluded.due_at where due.due_at > excluded.due_at`)

/**
 * Makes hooks due when the first of their lanes is due, unless they are due before. It follows each release of lanes. It has no
 * condition on due_at: that would skip a row that a worker has locked and is about to postpone. It waits for that worker instead.
 */
export async function bringForward(tx: Tx, hookIds: readonly number[]) {
  notifyWorker(tx)
  await tx.rows(
    prepared(sql`
      update due_hooks set due_at = least(due_at, (
        select due_at from lanes
        where lanes.store_id = ${tx.store.id} and lanes.hook_id = due_hooks.hook_id order by due_at limit 1
      )) where store_id = ${tx.store.id} and hook_id = any(${hookIds}::int[])`),
  )
}

function notifyWorker(tx: Tx) {
  tx.afterCommit(async () => {
    dueNews.emit('due')
  })
}

/** Locks a due hook, and reads the present time. @returns undefined if another worker has locked it, or it has no queue */
export async function lockFreeHook(tx: Tx, hookId: number): Promise<{ host: string; now: Date } | undefined> {
  const [row] = await tx.rows<{ host: string; now: string }>(
    prepared(sql`
      select host, ${tx.present} as now from due_hooks
      where store_id = ${tx.store.id} and hook_id = ${hookId} for update skip locked`),
  )
  return row && { host: row.host, now: new Date(row.now) }
}

/** Locks a hook, and waits for its worker. The next statement sees the lanes that this worker wrote. */
export async function lockHook(tx: Tx, hookId: number) {
  await tx.rows(sql`
    select hook_id from due_hooks where store_id = ${tx.store.id} and hook_id = ${hookId} for update`)
}

/** Sets when the first lane of a locked hook is due. Without lanes, the row is deleted. */
export function reschedule(tx: Tx, hookId: number, now: Date): StatementBatch {
  const it = sql`store_id = ${tx.store.id} and hook_id = ${hookId}`
  const firstDue = sql`(select due_at from lanes where ${it} order by due_at limit 1)`
  return [
    prepared(sql`delete from due_hooks where ${it} and ${firstDue} is null`),
    prepared(sql`update due_hooks set due_at = greatest(${firstDue}, ${now}::timestamptz) where ${it}`),
  ]
}

/** Makes a hook due at a time, independent of its lanes. */
export async function postpone(tx: Tx, hookId: number, until: Date) {
  await tx.rows(sql`
    update due_hooks set due_at = ${until} where store_id = ${tx.store.id} and hook_id = ${hookId}`)
}

/** Records the new host of a hook's queue. */
export async function redirect(tx: Tx, hookId: number, host: string) {
  await tx.rows(sql`update due_hooks set host = ${host} where store_id = ${tx.store.id} and hook_id = ${hookId}`)
}
