import { type Database, type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { EVERY_PRODUCT, KIND_SIZE, literal, VALUES } from './values.ts'

// Counting takes as long as there are products, so the counts of whole channels and of categories are stored. A change of a product
// records which values were counted before it, and a worker adds the difference a few seconds later.

// A step writes most counts of a store, and its statements must end within 5 s.
const ROWS_AT_ONCE = 2_000
/** Pairs of a context and a value in a step. */
const PAIRS_AT_ONCE = 500_000
/** The values of a product that a statement takes as contexts: a product in 1,000 categories has a million pairs. */
const CONTEXTS_AT_ONCE = 50
const STORES_AT_ONCE = 500

interface Stores {
  readonly cells: readonly { readonly system: Pick<Database, 'system'> }[]
  dbById(id: number): Promise<Db | undefined>
}

/**
 * Counts the changed products of all stores. Stores take turns by pieces, each a transaction. Any process may do so at any time.
 * @throws AggregateError with the errors of single stores, after all other stores
 */
export async function countFacets(stores: Stores, signal?: AbortSignal) {
  const failures: unknown[] = []
  for (const { system } of stores.cells) {
    const found = await system.system<{ store_id: number }>(
      sql`select distinct store_id from uncounted_facets limit ${STORES_AT_ONCE}`,
    )
    let left = found.map(({ store_id }) => store_id)
    while (left.length > 0 && !signal?.aborted) {
      const unfinished: number[] = []
      for (const id of left) {
        try {
          const db = await stores.dbById(id)
          if (db && (await countSome(db))) unfinished.push(id)
        } catch (error) {
          // One store that is busy holds up no other.
          failures.push(error)
        }
      }
      left = unfinished
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Facets of some stores could not be counted.')
}

/** Counts the changed products of one store. */
export async function countFacetsOf(db: Db) {
  while (await countSome(db)) {}
}

/** A count, and the products that it lacks or has too many. */
interface Count {
  channel_id: number
  context: number
  value: number
  products: number
}

/** Counts some changed rows of a store. @returns whether there may be more */
const countSome = (db: Db): Promise<boolean> =>
  db.transaction(async (tx) => {
    // Locked before the products are read: a change that comes later waits, and records itself again.
    const rows = await tx.rows<ChangedRow>(
      prepared(sql`
      select product_id, channel_id, cardinality(facets) as values from uncounted_facets where store_id = ${tx.store.id}
      order by product_id, channel_id limit ${ROWS_AT_ONCE} for update`),
    )
    if (rows.length === 0) return false
    const taken = await withinPairs(tx, rows)
    for (let position = 0; position < taken.values; position += CONTEXTS_AT_ONCE) {
      await deleteEmpty(tx, await addDifferences(tx, taken, position))
    }
    await tx.rows(
      prepared(sql`
      delete from uncounted_facets old using unnest(${taken.products}::int[], ${taken.channels}::bigint[]) as taken (product_id, channel_id)
      where old.store_id = ${tx.store.id} and old.product_id = taken.product_id and old.channel_id = taken.channel_id`),
    )
    return taken.products.length < rows.length || rows.length === ROWS_AT_ONCE
  })

interface ChangedRow {
  product_id: number
  channel_id: number
  values: number
}

/** The first rows with few enough pairs of values, at least one row. */
async function withinPairs(tx: Tx, rows: readonly ChangedRow[]): Promise<Taken> {
  const now = await tx.rows<ChangedRow>(
    prepared(sql`
    select product_id, channel_id, cardinality(facets) as values from search_rows
    where store_id = ${tx.store.id} and product_id = any(${rows.map(({ product_id }) => product_id)})`),
  )
  const values = new Map(now.map((row) => [`${row.product_id} ${row.channel_id}`, row.values]))
  const sizes = rows.map(
    ({ product_id, channel_id, values: before }) => [before, values.get(`${product_id} ${channel_id}`) ?? 0] as const,
  )
  let pairs = 0
  const end = sizes.findIndex(([before, after], i) => {
    pairs += before ** 2 + after ** 2
    return i > 0 && pairs > PAIRS_AT_ONCE
  })
  const count = end === -1 ? rows.length : end
  const taken = rows.slice(0, count)
  return {
    products: taken.map(({ product_id }) => product_id),
    channels: taken.map(({ channel_id }) => channel_id),
    values: Math.max(...sizes.slice(0, count).flat()),
  }
}

interface Taken {
  products: readonly number[]
  channels: readonly number[]
  /** The most values that one of them had or has. */
  values: number
}

/**
 * Adds the differences between the products as they were counted and as they are, for contexts from a position of their values on. `offset 0` makes one look-up for each product, which only
 * the primary keys serve: in tables that statistics don't know yet, a join reads all products of the channel for each of them.
 * @returns the counts that are 0 now
 */
async function addDifferences(tx: Tx, { products, channels }: Taken, position: number): Promise<Count[]> {
  const { id: store } = tx.store
  const isContext = sql`(context = ${literal(EVERY_PRODUCT)} or context >= ${literal(VALUES.category)}
    and context < ${literal(VALUES.tree + KIND_SIZE)})`
  const changed = await tx.rows<Count>(
    prepared(sql`
    with taken as materialized (
      select * from unnest(${products}::int[], ${channels}::bigint[]) as taken (product_id, channel_id)
    ), state as (
      select old.*, -1 as sign from taken cross join lateral (
        select channel_id, facets, in_stock from uncounted_facets
        where store_id = ${store} and product_id = taken.product_id offset 0
      ) old where old.channel_id = taken.channel_id
      union all
      select now.*, 1 from taken cross join lateral (
        select channel_id, facets, in_stock from search_rows
        where store_id = ${store} and product_id = taken.product_id offset 0
      ) now where now.channel_id = taken.channel_id
    ), difference as (
      select channel_id, context, value, sum(sign)::int as products, sum(case when in_stock then sign else 0 end)::int as in_stock
      from state, unnest(facets[${position + 1}:${position + CONTEXTS_AT_ONCE}]) context, unnest(facets) value where ${isContext}
      group by channel_id, context, value
    )
    insert into facet_counts as counted (store_id, channel_id, context, value, products, in_stock)
    select ${store}::int, channel_id, context, value, products, in_stock from difference where products <> 0 or in_stock <> 0
    order by channel_id, context, value
    on conflict (store_id, channel_id, context, value)
    do update set products = counted.products + excluded.products, in_stock = counted.in_stock + excluded.in_stock
    returning channel_id, context, value, products`),
  )
  return changed.filter(({ products }) => products === 0)
}

async function deleteEmpty(tx: Tx, counts: readonly Count[]) {
  if (counts.length === 0) return
  await tx.rows(
    prepared(sql`
    delete from facet_counts old using unnest(
      ${counts.map(({ channel_id }) => channel_id)}::bigint[], ${counts.map(({ context }) => context)}::bigint[],
      ${counts.map(({ value }) => value)}::bigint[]
    ) as empty (channel_id, context, value)
    where old.store_id = ${tx.store.id} and old.channel_id = empty.channel_id and old.context = empty.context
      and old.value = empty.value`),
  )
}
