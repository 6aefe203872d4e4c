import { brokenUnique, type Db, type NamedQuery, prepared, type Tx } from '../../db/database.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { notFound, Problem } from '../problem.ts'
import type { Collection, FieldsQuery, RowWithId } from './collection.ts'
import { names } from './columns.ts'
import { keyOf } from './filters.ts'
import { fold } from './fold.ts'

/** `include_fields` first, then `exclude_fields`; the id always stays, unknown names are ignored. */
export function fieldsOf({ columns }: Collection, query: FieldsQuery): readonly string[] {
  if (!query.include_fields && !query.exclude_fields) return columns
  return columns.filter((column) => column === 'id' || asksFor(query, column))
}

/** Whether a query asks for a field, which may be a sub-resource. */
export const asksFor = ({ include_fields, exclude_fields }: FieldsQuery, field: string): boolean =>
  (include_fields?.includes(field) ?? true) && !(exclude_fields?.includes(field) ?? false)

/** The fields of a row that a query asks for. */
export function pick(collection: Collection, row: object, query: FieldsQuery): object {
  if (!query.include_fields && !query.exclude_fields) return row
  const fields = fieldsOf(collection, query)
  return Object.fromEntries(Object.entries(row).filter(([field]) => fields.includes(field)))
}

/** @throws Problem 404 */
export async function findOne<R extends RowWithId>(db: Db, collection: Collection<R>, id: number): Promise<R> {
  const row = await db.byKey<R>({ ...collection.byId, values: [db.store.id, id] })
  if (!row) throw notFound(collection.noun, id)
  return row
}

/**
 * The rows of a collection for which a condition holds. Prepared: for conditions whose index is the right one in every store, such as
 * one on ids or on an owner (docs/decisions/008-lists-planned-once.md).
 * @param tail order and lock: `order by sort_order, id`, `order by id for update`
 */
export const findWhere = <R extends RowWithId>(
  db: Db,
  { table, columns }: Collection<R>,
  where: Sql,
  tail: Sql = sql`order by id`,
): Promise<R[]> =>
  db.rows<R>(
    prepared(sql`select ${names(columns)} from ${sql.id(table)} where store_id = ${db.store.id} and ${where} ${tail}`),
  )

/** Reads a row and locks it until the transaction ends. @throws Problem 404 */
export async function lock<R extends RowWithId>(tx: Tx, collection: Collection<R>, id: number): Promise<R> {
  const row = await tx.byKey<R>({
    name: `${collection.byId.name} lock`,
    text: `${collection.byId.text} for update`,
    values: [tx.store.id, id],
  })
  if (!row) throw notFound(collection.noun, id)
  return row
}

/** The columns of a row's owner, such as `{ product_id: 5 }`. */
export type Owner = Readonly<Record<string, number>>

/** A row that belongs to this owner. @throws Problem 404, also where it belongs to another */
export async function findBelow<R extends RowWithId>(
  db: Db,
  collection: Collection<R>,
  owner: Owner,
  id: number,
): Promise<R> {
  const row = await db.byKey<R>(below(db, collection, owner, id))
  if (!row) throw notFound(collection.noun, id)
  return row
}

/** As `findBelow`, and locks the row until the transaction ends. @throws Problem 404 */
export async function lockBelow<R extends RowWithId>(
  tx: Tx,
  collection: Collection<R>,
  owner: Owner,
  id: number,
): Promise<R> {
  const { name, text, values } = below(tx, collection, owner, id)
  const row = await tx.byKey<R>({ name: `${name} lock`, text: `${text} for update`, values })
  if (!row) throw notFound(collection.noun, id)
  return row
}

function below({ store }: Db, { byId }: Collection, owner: Owner, id: number) {
  const columns = Object.keys(owner)
  return {
    name: `${byId.name} below ${columns.join(' ')}`,
    text: `${byId.text} ${columns.map((column, i) => `and ${column} = $${i + 3}`).join(' ')}`,
    values: [store.id, id, ...Object.values(owner)],
  }
}

/** The fields of a new row, and beside them the hidden columns of its collection. */
export type NewRow<R> = Omit<R, 'id'> & Readonly<Record<string, unknown>>

/**
 * Stores a new row under the store's next id. One statement takes the id, checks the maximum and inserts, so no race gets
 * past the maximum.
 * @throws Problem 409 for a broken unique rule, 403 at the platform's maximum, 507 at that of the store's plan
 */
export async function insert<R extends RowWithId>(tx: Tx, collection: Collection<R>, values: NewRow<R>): Promise<R> {
  const row = await insertWithin(tx, collection, values)
  if (!row) {
    // A conflict is refused before a limit (docs/contract/conventions.md section 1). If this stores a row, the refusal rolls it back.
    await insertWithin(tx, collection, values, Number.MAX_SAFE_INTEGER)
    throw tooMany(tx, collection)
  }
  return row
}

/**
 * Stores a new row as `insert` does, with one statement.
 * @returns undefined if the store holds the maximum already; then nothing is stored
 * @throws Problem 409 for a broken unique rule
 */
export function insertWithin<R extends RowWithId>(
  tx: Tx,
  collection: Collection<R>,
  values: NewRow<R>,
  max = maximumOf(tx, collection).max,
): Promise<R | undefined> {
  return refusingConflicts(collection, () =>
    tx.byKey<R>({ ...collection.insertion, values: insertedValues(tx, collection, values, max) }),
  )
}

function tooMany(db: Db, collection: Collection): Problem {
  const { plan, max } = maximumOf(db, collection)
  return max === plan
    ? new Problem(507, `The plan of this store allows ${plan} ${collection.title}.`)
    : new Problem(403, `A store can hold at most ${max} ${collection.title}.`)
}

/** How many rows the store may hold: as its plan says, and as any store may. */
function maximumOf({ store }: Db, { table, max = Number.MAX_SAFE_INTEGER }: Collection) {
  const plan = store.limits[table] ?? Number.MAX_SAFE_INTEGER
  return { plan, max: Math.min(plan, max) }
}

function insertedValues({ store }: Db, collection: Collection, values: object, below: number) {
  const stored = columnValues(collection, values)
  return [store.id, below, ...collection.inserted.map((column) => stored[column])]
}

/** Ids that were taken for new rows. */
export interface NewIds {
  /** Hands out the next id, or the first of `count` ids that follow each other. */
  next(collection: Collection, count?: number): number
}

/**
 * Takes ids from several counters in one statement and raises their totals. A transaction that creates rows of several resources
 * takes all of them here and first: counters are locked in one order, so that no two transactions wait for each other.
 * Past a maximum the transaction is refused at its end: 403 at the platform's maximum, 507 at that of the store's plan. A conflict is
 * refused before (docs/contract/conventions.md section 1).
 * @param wanted how many ids of which collection; 0 takes none
 */
export async function takeIds(tx: Tx, wanted: readonly (readonly [Collection, number])[]): Promise<NewIds> {
  const some = wanted.filter(([, count]) => count > 0)
  // Most changes create no rows; then no statement is sent.
  const taken = some.length > 0 ? await raiseCounters(tx, some) : []
  const of = new Map(taken.map(({ resource, last_id, total }) => [resource, { last_id, total }]))
  const nexts = new Map(some.map(([{ table }, count]) => [table, (of.get(table)?.last_id ?? 0) - count + 1]))
  const full = some.find(([collection]) => (of.get(collection.table)?.total ?? 0) > maximumOf(tx, collection).max)
  if (full) tx.refuseAtEnd(tooMany(tx, full[0]))
  return {
    next({ table }, count = 1) {
      const id = nexts.get(table) ?? 0
      nexts.set(table, id + count)
      return id
    },
  }
}

function raiseCounters(tx: Tx, some: readonly (readonly [Collection, number])[]) {
  const wanted = some.map(([{ table }, count]) => ({ resource: table, count }))
  return tx.rows<{ resource: string; last_id: number; total: number }>(
    prepared(sql`
    insert into counters as counter (store_id, resource, last_id, total, version)
    select ${tx.store.id}, resource, count, count, 1
    from ${sql.table('wanted', wanted, { resource: 'text', count: 'bigint' })}
    order by resource
    on conflict (store_id, resource) do update set
      last_id = counter.last_id + excluded.last_id, total = counter.total + excluded.total, version = counter.version + 1
    returning resource, last_id, total`),
  )
}

/**
 * Stores rows whose ids were taken, all by one statement.
 * @returns them as they are stored, in the order of their ids
 * @throws Problem 409 for a broken unique rule
 */
export async function insertAll<R extends RowWithId>(
  tx: Tx,
  collection: Collection<R>,
  rows: readonly (NewRow<R> & RowWithId)[],
): Promise<R[]> {
  if (rows.length === 0) return []
  const [only, other] = rows
  if (only && !other) return [await insertOne(tx, collection, only)]
  const stored = await refusingConflicts(collection, () => tx.rows<R>(insertionOfAll(tx, collection, rows)))
  return stored.sort((one, other) => one.id - other.id)
}

/** Stores one row whose id was taken. @throws Problem 409 for a broken unique rule */
export const insertOne = <R extends RowWithId>(
  tx: Tx,
  collection: Collection<R>,
  row: NewRow<R> & RowWithId,
): Promise<R> => refusingConflicts(collection, () => tx.row<R>(insertionOfOne(tx, collection, row)))

/** To read a product as JSON takes PostgreSQL 0.3 ms (docs/decisions/016): one row leaves column by column. */
function insertionOfOne({ store }: Db, collection: Collection, row: RowWithId): NamedQuery {
  const stored = columnValues(collection, withTwins(collection, { ...row }))
  return {
    ...collection.insertionOfOne,
    values: [store.id, row.id, ...collection.inserted.map((column) => stored[column])],
  }
}

function insertionOfAll({ store }: Db, collection: Collection, rows: readonly RowWithId[]): NamedQuery {
  const { shared, own } = apart(rows.map((row) => withTwins(collection, { ...row })))
  return { ...collection.insertionOfAll, values: [store.id, JSON.stringify(shared), JSON.stringify(own)] }
}

/** Splits rows into the values that all share and those that each has of its own. Shared values are sent and read once. */
function apart(rows: readonly Readonly<Record<string, unknown>>[]) {
  const [first = {}] = rows
  const shared = Object.entries(first).filter(([column, value]) => rows.every((row) => row[column] === value))
  const isShared = new Set(shared.map(([column]) => column))
  const own = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !isShared.has(column))))
  return { shared: Object.fromEntries(shared), own }
}

/**
 * Stores the differences from a row. Without differences nothing is written.
 * @param row as `lock` returned it
 * @throws Problem 409 for a broken unique rule
 */
export async function change<R extends RowWithId>(
  tx: Tx,
  collection: Collection<R>,
  row: R,
  changes: object,
): Promise<R> {
  const stored = columnValues(collection, differences(row, changes))
  if (Object.keys(stored).length === 0) return row
  return refusingConflicts(collection, () =>
    tx.row<R>(
      prepared(sql`
        update ${sql.id(collection.table)} set ${sql.set(stored)} where store_id = ${tx.store.id} and id = ${row.id}
        returning ${names(collection.columns)}`),
    ),
  )
}

/** The fields of the changes whose values differ from those of the row. */
export function differences(row: object, changes: object): Record<string, unknown> {
  const before = new Map(Object.entries(row).map(([field, value]) => [field, JSON.stringify(value)]))
  return Object.fromEntries(
    Object.entries(changes).filter(
      ([field, value]) => value !== undefined && before.get(field) !== JSON.stringify(value),
    ),
  )
}

/** Deletes one row and subtracts it from the total. @returns whether it was there */
export async function remove(tx: Tx, collection: Collection, id: number): Promise<boolean> {
  const gone = await tx.byKey({
    name: `${collection.table} remove`,
    text: `with gone as (delete from ${collection.table} where store_id = $1 and id = $2 returning id)
      update counters set total = total - 1, version = version + 1
      where store_id = $1 and resource = '${collection.table}' and exists (select from gone) returning total`,
    values: [tx.store.id, id],
  })
  return gone !== undefined
}

/** Deletes the rows for which a condition holds, and subtracts them from the total. @returns their ids */
export async function removeAll(tx: Tx, collection: Collection, where: Sql): Promise<number[]> {
  const gone = await tx.rows<RowWithId>(sql`
    with gone as (
      delete from ${sql.id(collection.table)} where store_id = ${tx.store.id} and ${where} returning id
    ), counted as (
      update counters set total = total - (select count(*) from gone), version = version + 1
      where store_id = ${tx.store.id} and resource = ${collection.table} and exists (select from gone)
    )
    select id from gone`)
  return gone.map(({ id }) => id)
}

/** A row with the folded twins of its texts. Its JSON is not yet text. */
function withTwins({ folded }: Collection, row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...row, ...Object.fromEntries(folded.map((field) => [keyOf(field), fold(String(row[field] ?? ''))])) }
}

/** Wire values as they are stored: JSON as text, and beside each text that filters or sorts its folded twin. */
function columnValues(collection: Collection, values: object): Record<string, unknown> {
  const stored: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(values)) {
    if (value === undefined) continue
    // Null is null of the database, and not that of JSON.
    stored[field] = collection.json.has(field) && value !== null ? JSON.stringify(value) : value
    if (collection.folded.includes(field)) stored[keyOf(field)] = fold(String(value ?? ''))
  }
  return stored
}

async function refusingConflicts<T>(collection: Collection, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const conflict = collection.conflicts?.[brokenUnique(error) ?? '']
    if (!conflict) throw error
    const [sentence, field] = conflict
    throw new Problem(409, sentence, field ? { [field]: sentence } : {})
  }
}
