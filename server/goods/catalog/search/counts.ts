import { type Database, type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { EVERY_PRODUCT, KIND_SIZE, literal, VALUES } from './values.ts'

// Counting takes as long as there are products, so the counts of whole channels and of categories are stored. A change of a product
// records which values were counted before it, and a worker adds the difference a few seconds later.

const ROWS_AT_ONCE = 5_000
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
          if (db && (await countSome(db)) === ROWS_AT_ONCE) unfinished.push(id)
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

/** A count, and the products that it lacks or has too many. */
interface Count {
  channel_id: number
  context: number
  value: number
  products: number
}

/** @returns the number of counted rows */
const countSome = (db: Db): Promise<number> =>
  db.transaction(async (tx) => {
    // Locked before the products are read: a change that comes later waits, and records itself again.
    const rows = await tx.rows<{ product_id: number; channel_id: number }>(
      prepared(sql`
      select product_id, channel_id from uncounted_facets where store_id = ${tx.store.id}
      order by product_id, channel_id limit ${ROWS_AT_ONCE} for update`),
    )
    if (rows.length === 0) return 0
    const taken = {
      products: rows.map(({ product_id }) => product_id),
      channels: rows.map(({ channel_id }) => channel_id),
    }
    await deleteEmpty(tx, await addDifferences(tx, taken))
    await tx.rows(
      prepared(sql`
      delete from uncounted_facets old using unnest(${taken.products}::int[], ${taken.channels}::bigint[]) as taken (product_id, channel_id)
      where old.store_id = ${tx.store.id} and old.product_id = taken.product_id and old.channel_id = taken.channel_id`),
    )
    return rows.length
  })

interface Taken {
  products: readonly number[]
  channels: readonly number[]
}

/** @returns the counts that are 0 now */
async function addDifferences(tx: Tx, { products, channels }: Taken): Promise<Count[]> {
  const { id: store } = tx.store
  const isContext = sql`(context = ${literal(EVERY_PRODUCT)} or context >= ${literal(VALUES.category)}
    and context < ${literal(VALUES.tree + KIND_SIZE)})`
  const changed = await tx.rows<Count>(
    prepared(sql`
    with taken as materialized (
      select * from unnest(${products}::int[], ${channels}::bigint[]) as taken (product_id, channel_id)
    ), state as (
      select channel_id, facets, in_stock, -1 as sign from taken
      join uncounted_facets old using (product_id, channel_id) where old.store_id = ${store}
      union all
      select channel_id, facets, in_stock, 1 from taken
      join search_rows now using (product_id, channel_id) where now.store_id = ${store}
    ), difference as (
      select channel_id, context, value, sum(sign)::int as products, sum(case when in_stock then sign else 0 end)::int as in_stock
      from state, unnest(facets) context, unnest(facets) value where ${isContext}
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
