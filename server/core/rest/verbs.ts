import { brokenUnique, type Db, type Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import type { Collection, FieldsQuery, Identified } from './collection.ts'
import { keyOf } from './filters.ts'
import { fold } from './fold.ts'
import { notFound, Problem } from './problem.ts'

/** `include_fields` first, then `exclude_fields`; the id always stays, unknown names are ignored. */
export function fieldsOf({ columns }: Collection, { include_fields, exclude_fields }: FieldsQuery): readonly string[] {
  if (!include_fields && !exclude_fields) return columns
  return columns.filter(
    (column) =>
      column === 'id' || ((include_fields?.includes(column) ?? true) && !(exclude_fields?.includes(column) ?? false)),
  )
}

/** The fields of a row that a query asks for. */
export function pick(collection: Collection, row: object, query: FieldsQuery): object {
  if (!query.include_fields && !query.exclude_fields) return row
  const fields = fieldsOf(collection, query)
  return Object.fromEntries(Object.entries(row).filter(([field]) => fields.includes(field)))
}

/** @throws Problem 404 */
export async function findOne<R extends Identified>(db: Db, collection: Collection<R>, id: number): Promise<R> {
  const row = await db.byKey<R>({ ...collection.byId, values: [db.store.id, id] })
  if (!row) throw notFound(collection.noun, id)
  return row
}

/** The row, kept from changing until the transaction ends. @throws Problem 404 */
export async function lock<R extends Identified>(tx: Tx, collection: Collection<R>, id: number): Promise<R> {
  const row = await tx.byKey<R>({
    name: `${collection.table} lock`,
    text: `${collection.byId.text} for update`,
    values: [tx.store.id, id],
  })
  if (!row) throw notFound(collection.noun, id)
  return row
}

/** The text of an insert, made by `insertion`, and the name under which it is prepared. */
export interface Insertion {
  name: string
  text: string
}

/**
 * Stores a new row under the store's next id. One statement takes the id, checks the maximum and inserts, so no race gets
 * past the maximum.
 * @param statement where more is stored beside the row, from the values of `beside`
 * @throws Problem 409 for a broken unique rule, 403 at the platform's maximum, 507 at that of the store's plan
 */
export async function insert<R extends Identified>(
  tx: Tx,
  collection: Collection<R>,
  values: Omit<R, 'id'>,
  statement: Insertion = collection.insertion,
  beside: unknown[] = [],
): Promise<R> {
  const { plan, max } = maximumOf(tx, collection)
  const attempt = (below: number) =>
    refusingConflicts(collection, () =>
      tx.byKey<R>({ ...statement, values: insertedValues(tx, collection, values, below, beside) }),
    )
  const row = await attempt(max)
  if (!row) {
    // A conflict is told before a limit (docs/contract/conventions.md section 1). What this stores, the refusal undoes.
    await attempt(Number.MAX_SAFE_INTEGER)
    throw max === plan
      ? new Problem(507, `The plan of this store allows ${plan} ${collection.title}.`)
      : new Problem(403, `A store can hold at most ${max} ${collection.title}.`)
  }
  return row
}

/**
 * Stores a new row as `insert` does, in one round trip, if nothing is in its way. If something is, nothing is stored, and
 * `insert` finds out what. Does nothing within a transaction.
 */
export async function insertStraight<R extends Identified>(
  db: Db,
  collection: Collection<R>,
  values: Omit<R, 'id'>,
  statement: Insertion,
  beside: unknown[],
): Promise<R | undefined> {
  const { max } = maximumOf(db, collection)
  try {
    return await db.write?.<R>({ ...statement, values: insertedValues(db, collection, values, max, beside) })
  } catch (error) {
    if (brokenUnique(error) === undefined) throw error
    return undefined
  }
}

/** How many rows the store may hold: as its plan says, and as any store may. */
function maximumOf({ store }: Db, { table, max = Number.MAX_SAFE_INTEGER }: Collection) {
  const plan = store.limits[table] ?? Number.MAX_SAFE_INTEGER
  return { plan, max: Math.min(plan, max) }
}

function insertedValues({ store }: Db, collection: Collection, values: object, below: number, beside: unknown[]) {
  const stored = columnValues(collection, values)
  return [store.id, below, ...collection.inserted.map((column) => stored[column]), ...beside]
}

/**
 * Stores what differs from the row as it is; a change that changes nothing writes nothing.
 * @param row as `lock` gave it
 * @throws Problem 409 for a broken unique rule
 */
export async function change<R extends Identified>(
  tx: Tx,
  collection: Collection<R>,
  row: R,
  changes: object,
): Promise<R> {
  const stored = columnValues(collection, differences(row, changes))
  if (Object.keys(stored).length === 0) return row
  return refusingConflicts(collection, () =>
    tx.row<R>(sql`
      update ${sql.id(collection.table)} set ${sql.set(stored)} where store_id = ${tx.store.id} and id = ${row.id}
      returning ${sql.join(collection.columns.map(sql.id))}`),
  )
}

/** The fields of the changes that say something else than the row does. */
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

/** Wire values as they are stored: JSON as text, and beside each text that filters or sorts its folded twin. */
function columnValues(collection: Collection, values: object): Record<string, unknown> {
  const stored: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(values)) {
    if (value === undefined) continue
    stored[field] = collection.json.has(field) ? JSON.stringify(value) : value
    if (collection.folded.includes(field)) stored[keyOf(field)] = fold(String(value))
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
