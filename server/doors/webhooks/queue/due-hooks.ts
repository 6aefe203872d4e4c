import { EventEmitter } from 'node:events'
import { type NamedQuery, prepared, type StatementBatch, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import type { Doors } from '../sending/pacer.ts'

const CANDIDATES_MAX = 1_000
const HOOKS_AT_ONCE = 200

/** Tells the worker of this process that a hook is due. Only a hint: workers also look by themselves. */
export const dueNews = new EventEmitter<{ due: [] }>()

/** A hook with something to send. */
export interface DueHook {
  store_id: number
  hook_id: number
  /** Empty if the hook is gone: then what waits for it is to be removed. */
  host: string
}

/** Due, and at a host that more may be sent to now. */
const sendable = (present: Sql, { closed, onlyOpen }: Doors) => sql`
  due_at <= ${present} and host <> all(${closed}::text[])
  and ${onlyOpen ? sql`host = any(${['', ...onlyOpen]}::text[])` : sql.raw('true')}`

/** Whether there is a due hook: reads as many rows as are due at hosts that are full, and one. */
export const isAnyDue = (present: Sql, doors: Doors): Sql => sql`
  (select due_at from due_hooks where ${sendable(present, doors)} order by due_at limit 1) is not null`

/** Due hooks of all stores. Stores take turns: the first hook of each, then the second of each, those served longest ago first. */
export const dueHooks = (present: Sql, doors: Doors): Sql => sql`
  select store_id, hook_id, host from (
    select store_id, hook_id, host, due_at, row_number() over (partition by store_id order by due_at) as turn from (
      select store_id, hook_id, host, due_at from due_hooks
      where ${sendable(present, doors)} order by due_at limit ${CANDIDATES_MAX}
    ) candidate
  ) hook order by turn, due_at limit ${HOOKS_AT_ONCE}`

/**
 * Has hooks looked at now. Call it after their lanes were written: who holds a hook's row then sees these lanes, or waits for
 * this transaction.
 */
export async function wake(tx: Tx, hookIds: readonly number[]) {
  if (hookIds.length === 0) return
  tellWorker(tx)
  await tx.rows(waking(tx, hookIds, 0))
}

/** The same after some time, if they are not looked at before. */
export const waking = (tx: Tx, hookIds: readonly number[], afterMs: number): NamedQuery =>
  prepared(sql`
    insert into due_hooks as due (store_id, hook_id, host, due_at)
    select ${tx.store.id}::int, woken.hook_id, coalesce(hooks.host, ''), ${tx.present} + ${afterMs} * interval '1 millisecond'
    from unnest(${[...new Set(hookIds)]}::int[]) as woken (hook_id)
    left join hooks on hooks.store_id = ${tx.store.id} and hooks.id = woken.hook_id
    order by woken.hook_id
    on conflict (store_id, hook_id) do update set due_at = excluded.due_at where due.due_at > excluded.due_at`)

/**
 * Has hooks looked at when the first of their lanes is due, if not before. For who gives lanes back. A condition on due_at
 * would pass over a row that a worker holds, which may be about to put it off: this waits for that worker, and has the last word.
 */
export async function bringForward(tx: Tx, hookIds: readonly number[]) {
  tellWorker(tx)
  await tx.rows(
    prepared(sql`
      update due_hooks set due_at = least(due_at, (
        select due_at from lanes
        where lanes.store_id = ${tx.store.id} and lanes.hook_id = due_hooks.hook_id order by due_at limit 1
      )) where store_id = ${tx.store.id} and hook_id = any(${hookIds}::int[])`),
  )
}

function tellWorker(tx: Tx) {
  tx.afterCommit(async () => {
    dueNews.emit('due')
  })
}

/** Holds a hook for this transaction, and answers what time it is; undefined if another worker has it or nothing waits. */
export async function takeHook(tx: Tx, hookId: number): Promise<{ host: string; now: Date } | undefined> {
  const [row] = await tx.rows<{ host: string; now: string }>(
    prepared(sql`
      select host, ${tx.present} as now from due_hooks
      where store_id = ${tx.store.id} and hook_id = ${hookId} for update skip locked`),
  )
  return row && { host: row.host, now: new Date(row.now) }
}

/** Holds a hook for this transaction. Its next statement sees the lanes of whoever held it before. */
export async function holdHook(tx: Tx, hookId: number) {
  await tx.rows(sql`
    select hook_id from due_hooks where store_id = ${tx.store.id} and hook_id = ${hookId} for update`)
}

/** Of a hook that this transaction holds: says when its first lane is due, and forgets it if it has no lanes. */
export function rescheduling(tx: Tx, hookId: number, now: Date): StatementBatch {
  const it = sql`store_id = ${tx.store.id} and hook_id = ${hookId}`
  const firstDue = sql`(select due_at from lanes where ${it} order by due_at limit 1)`
  return [
    prepared(sql`delete from due_hooks where ${it} and ${firstDue} is null`),
    prepared(sql`update due_hooks set due_at = greatest(${firstDue}, ${now}::timestamptz) where ${it}`),
  ]
}

/** Says when to look at a hook next, whatever its lanes say. */
export async function postpone(tx: Tx, hookId: number, until: Date) {
  await tx.rows(sql`
    update due_hooks set due_at = ${until} where store_id = ${tx.store.id} and hook_id = ${hookId}`)
}

/** What waits for a hook now leaves for another host. */
export async function redirect(tx: Tx, hookId: number, host: string) {
  await tx.rows(sql`update due_hooks set host = ${host} where store_id = ${tx.store.id} and hook_id = ${hookId}`)
}
