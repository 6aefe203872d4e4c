import t from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { STEP_ROWS } from '../../../core/db/steps.ts'
import { publish } from '../../../core/events/publish.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { done, type Runner, runner, task } from '../../../core/jobs/task.ts'
import { ID_MAX } from '../../../core/rest/input/fields.ts'

// The records of a list in one currency are a set. A list may have a million records, so a large set is deleted in two steps: it gets
// the next generation, which hides the records of the previous one from readers; later a job deletes their rows.

/** The key of a record. */
export interface RecordKey {
  price_list_id: number
  variant_id: number
  /** In lower case. */
  currency: string
}

/** The most records in one event. */
const EVENT_MAX = 1_000

/** Events of one resource keep their order. A batch may name many lists, so all records of a store are one resource. */
const RESOURCE = 'price records'

/** The data of a record in events. */
const dataOf = ({ price_list_id, variant_id, currency }: RecordKey) => ({
  price_list_id,
  variant_id,
  currency: currency.toUpperCase(),
  currency_code: currency.toUpperCase(),
})

type Change = 'created' | 'updated' | 'deleted'

/** Publishes the event of a request for one record (docs/contract/webhooks.md section 6). */
export function publishRecord(tx: Tx, change: Change, key: RecordKey) {
  publish(tx, `store/priceList/record/${change}`, RESOURCE, dataOf(key))
}

/** Publishes the events of a request for many records. */
export function publishRecords(tx: Tx, change: Change, keys: readonly RecordKey[]) {
  for (let start = 0; start < keys.length; start += EVENT_MAX) {
    publish(tx, `store/priceList/records/${change}`, RESOURCE, keys.slice(start, start + EVENT_MAX).map(dataOf))
  }
}

/** A join with the sets of a list: only records of the current generation stay. */
export const liveIn = ({ store }: Pick<Db, 'store'>, list: number): Sql => sql`
  join (
    select currency as set_currency, generation as set_generation from price_record_sets
    where store_id = ${store.id} and price_list_id = ${list}
  ) live on set_currency = currency and set_generation = generation`

/** The key of a set: its list and currency. */
export type SetKey = Pick<RecordKey, 'price_list_id' | 'currency'>

/** Locks the sets of records that are about to be written, and creates missing ones. @returns their generations */
export async function lockSets(tx: Tx, keys: readonly SetKey[]): Promise<(key: SetKey) => number> {
  const unique = [...new Map(keys.map((key) => [nameOf(key), key])).values()]
  // The update changes nothing: it locks a set that exists and returns it.
  const rows = await tx.rows<SetKey & { generation: number }>(
    prepared(sql`
    insert into price_record_sets as one (store_id, price_list_id, currency, generation, total)
    select ${tx.store.id}, price_list_id, currency, 1, 0
    from ${sql.table('wanted', unique, { price_list_id: 'int', currency: 'text' })}
    order by price_list_id, currency
    on conflict (store_id, price_list_id, currency) do update set total = one.total
    returning price_list_id, currency, generation`),
  )
  const generations = new Map(rows.map((row) => [nameOf(row), row.generation]))
  return (key) => generations.get(nameOf(key)) ?? 0
}
const nameOf = ({ price_list_id, currency }: SetKey) => `${price_list_id} ${currency}`

/** Adds records that were created to the totals of their sets, which are locked. */
export async function countCreated(tx: Tx, keys: readonly SetKey[]) {
  const counts = [...Map.groupBy(keys, nameOf).values()].map((same) => ({
    price_list_id: same[0]?.price_list_id ?? 0,
    currency: same[0]?.currency ?? '',
    count: same.length,
  }))
  if (counts.length === 0) return
  await tx.rows(sql`
    update price_record_sets one set total = one.total + created.count
    from ${sql.table('created', counts, { price_list_id: 'int', currency: 'text', count: 'int' })}
    where one.store_id = ${tx.store.id} and one.price_list_id = created.price_list_id and one.currency = created.currency`)
}

/** Locks the sets of a list in the order of writers, before its records are deleted. */
export const lockSetsOfList = (tx: Tx, list: number) =>
  tx.rows(sql`
    select from price_record_sets where store_id = ${tx.store.id} and price_list_id = ${list}
    order by currency for update`)

/** Deletes records and subtracts those of the current generation from the totals. @returns the keys of the latter */
export function deleteLiveRecords(tx: Tx, which: Sql): Promise<RecordKey[]> {
  return tx.rows<RecordKey>(sql`
    with gone as (
      delete from price_records where store_id = ${tx.store.id} and ${which}
      returning price_list_id, variant_id, currency, generation
    ), counted as (
      select price_list_id, currency, generation, count(*)::int as count from gone group by 1, 2, 3
    ), live as (
      update price_record_sets one set total = one.total - count
      from counted where one.store_id = ${tx.store.id} and one.price_list_id = counted.price_list_id
        and one.currency = counted.currency and one.generation = counted.generation
      returning one.price_list_id, one.currency, one.generation
    )
    select gone.price_list_id, gone.variant_id, gone.currency from gone join live
      on live.price_list_id = gone.price_list_id and live.currency = gone.currency and live.generation = gone.generation
    order by 1, 2, 3`)
}

/**
 * Deletes all records of a list, or those in one currency. Many records are hidden at once and deleted by a job.
 * @param currency in lower case
 */
export async function emptyList(tx: Tx, price_list_id: number, currency: string | undefined) {
  const here = sql`price_list_id = ${price_list_id}
    ${currency === undefined ? sql.empty : sql`and currency = ${currency}`}`
  const sets = await tx.rows<{ total: number }>(sql`
    select total from price_record_sets where store_id = ${tx.store.id} and ${here} order by currency for update`)
  const total = sets.reduce((sum, one) => sum + one.total, 0)
  if (total === 0) return
  if (total <= STEP_ROWS) {
    publishRecords(tx, 'deleted', await deleteLiveRecords(tx, here))
    return
  }
  await hideSets(tx, here)
  await enqueueDeletion(tx, { first: price_list_id, last: price_list_id, publishes: true })
}

const hideSets = (tx: Tx, which: Sql) =>
  tx.rows(sql`
    update price_record_sets set generation = generation + 1, total = 0
    where store_id = ${tx.store.id} and ${which} and total > 0 returning price_list_id`)

/** Deletes the records of deleted lists without events. The lists are locked. */
export async function deleteRecordsOfLists(tx: Tx, ids: readonly number[]) {
  await tx.rows(sql`
    delete from price_record_sets where store_id = ${tx.store.id} and price_list_id = any(${ids}) returning currency`)
  const gone = await tx.rows(sql`
    delete from price_records record using (
      select price_list_id, variant_id, currency from price_records
      where store_id = ${tx.store.id} and price_list_id = any(${ids}) limit ${STEP_ROWS}
    ) few
    where record.store_id = ${tx.store.id} and record.price_list_id = few.price_list_id
      and record.variant_id = few.variant_id and record.currency = few.currency
    returning record.variant_id`)
  if (gone.length < STEP_ROWS) return
  await enqueueDeletion(tx, { first: Math.min(...ids), last: Math.max(...ids), publishes: false })
}

/** Deletes the records of deleted variants without events. */
export async function deleteRecordsOfVariants(tx: Tx, ids: readonly number[]) {
  if (ids.length > 0) await deleteLiveRecords(tx, sql`variant_id = any(${ids})`)
}

/** Deletes the records in deleted currencies without events. @param codes in capitals */
export async function deleteRecordsInCurrencies(tx: Tx, codes: readonly string[]) {
  if (codes.length === 0) return
  const hidden = await hideSets(tx, sql`currency = any(${codes.map((code) => code.toLowerCase())})`)
  if (hidden.length > 0) await enqueueDeletion(tx, { first: 1, last: ID_MAX, publishes: false })
}

const deletionTask = task(
  'delete_price_records',
  t.Object({ first: t.Integer(), last: t.Integer(), publishes: t.Boolean() }),
  // A run that reaches its time limit is repeated and finds fewer rows.
  { maxMs: 300_000, retryDelay: (failures) => (failures <= 100 ? 5_000 : undefined) },
)

const enqueueDeletion = (tx: Tx, payload: { first: number; last: number; publishes: boolean }) =>
  enqueue(tx, deletionTask, { key: 'price records', payload })

/** Rows that one step reads. */
const SCANNED = 10_000

interface Scan {
  last: RecordKey | null
  gone: RecordKey[] | null
}

/** Deletes the hidden rows of a range of lists. */
export const deletionRunner = (): Runner =>
  runner(deletionTask, async ({ db, payload, signal }) => {
    const { first, last, publishes } = payload
    let after: RecordKey = { price_list_id: first, variant_id: 0, currency: '' }
    for (;;) {
      signal.throwIfAborted()
      const step = await db.transaction(async (tx) => {
        const found = await deleteHidden(tx, after, last)
        if (publishes) publishRecords(tx, 'deleted', found.gone ?? [])
        return found
      })
      if (step.last === null) return done
      after = step.last
    }
  })

/** Reads the next rows after a key and deletes those that belong to no set. `last` is null at the end. */
function deleteHidden(tx: Tx, { price_list_id, variant_id, currency }: RecordKey, lastList: number): Promise<Scan> {
  const { id } = tx.store
  return tx.row<Scan>(sql`
    with scanned as materialized (
      select price_list_id, variant_id, currency, generation from price_records
      where store_id = ${id} and price_list_id <= ${lastList}
        and (price_list_id, variant_id, currency) > (${price_list_id}::int, ${variant_id}::int, ${currency}::text)
      order by price_list_id, variant_id, currency limit ${SCANNED}
    ), gone as (
      delete from price_records record using scanned
      where record.store_id = ${id} and record.price_list_id = scanned.price_list_id
        and record.variant_id = scanned.variant_id and record.currency = scanned.currency
        and record.generation = scanned.generation and not exists (
          select 1 from price_record_sets one where one.store_id = ${id} and one.price_list_id = record.price_list_id
            and one.currency = record.currency and one.generation = record.generation
        )
      returning record.price_list_id, record.variant_id, record.currency
    )
    select (
      select to_jsonb(last) from (
        select price_list_id, variant_id, currency from scanned
        order by price_list_id desc, variant_id desc, currency desc limit 1
      ) last
    ) as last, (select jsonb_agg(gone order by price_list_id, variant_id, currency) from gone) as gone`)
}
