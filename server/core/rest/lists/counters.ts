import { type Db, prepared, type Tx } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Collection, RowWithId } from './collection.ts'

// A store counts each resource in one row: the last id that was given, and how many there are. Transactions that change several
// counters lock them in the order of their names, before anything else: so no two wait for each other.

/** The values of a counter. */
export interface Counter {
  last_id: number
  total: number
}

/** The counters of a store, by resource. A resource without any row so far has none. */
export async function readCounters(db: Db): Promise<ReadonlyMap<string, Counter>> {
  const rows = await db.rows<Counter & { resource: string }>(
    sql`select resource, last_id, total from counters where store_id = ${db.store.id}`,
  )
  return new Map(rows.map(({ resource, last_id, total }) => [resource, { last_id, total }]))
}

/** Locks counters, before a deletion of rows of several resources. @returns the existing ones */
export async function lockCounters(tx: Tx, resources: readonly string[]): Promise<string[]> {
  const rows = await tx.rows<{ resource: string }>(
    prepared(sql`
    select resource from counters where store_id = ${tx.store.id} and resource = any(${resources})
    order by resource for update`),
  )
  return rows.map(({ resource }) => resource)
}

/**
 * Locks a counter, and creates a missing one first: so the first changes of a resource come one after another too.
 * @returns whether it existed, so that the first statement has locked it
 */
export async function lockCounter(tx: Tx, resource: string): Promise<boolean> {
  if ((await lockCounters(tx, [resource])).length > 0) return true
  await startCounter(tx, resource, { last_id: 0, total: 0 })
  await lockCounters(tx, [resource])
  return false
}

/**
 * Creates a missing counter, with the highest id and the number of the rows that exist.
 * @returns whether it was created
 */
export async function startCounter(tx: Tx, resource: string, { last_id, total }: Counter): Promise<boolean> {
  const made = await tx.rows(sql`
    insert into counters (store_id, resource, last_id, total, version)
    values (${tx.store.id}, ${resource}, ${last_id}, ${total}, ${total}) on conflict do nothing returning resource`)
  return made.length > 0
}

/**
 * Deletes rows of several tables by one statement, and subtracts them from the totals.
 * @param collections lock their counters first (`lockCounters`) if there are several
 * @param where holds for rows of each table
 * @returns the ids of the deleted rows, by table
 */
export async function removeTogether(
  tx: Tx,
  collections: readonly Pick<Collection, 'table'>[],
  where: Sql,
): Promise<ReadonlyMap<string, number[]>> {
  const tables = collections.map(({ table }) => table)
  const gone = (table: string) => sql.id(`gone_${table}`)
  const removed = await tx.rows<RowWithId & { resource: string }>(sql`
    with ${sql.join(
      tables.map(
        (table) => sql`
      ${gone(table)} as (delete from ${sql.id(table)} where store_id = ${tx.store.id} and ${where} returning id)`,
      ),
    )}, gone as (
      ${sql.join(
        tables.map((table) => sql`select ${table}::text as resource, id from ${gone(table)}`),
        ' union all ',
      )}
    ), subtracted as (
      update counters counter set total = total - counted.count, version = version + 1
      from (select resource, count(*) as count from gone group by resource) counted
      where counter.store_id = ${tx.store.id} and counter.resource = counted.resource
    )
    select resource, id from gone`)
  return new Map(
    [...Map.groupBy(removed, ({ resource }) => resource)].map(([table, rows]) => [table, rows.map(({ id }) => id)]),
  )
}
