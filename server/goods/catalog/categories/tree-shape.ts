import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { Id, NeededLine } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { startCounter } from '../../../core/rest/lists/counters.ts'

/** Of a store: the list of them has no pages. */
export const TREES_MAX = 250

/** A tree of categories as it is stored. The channel that shows it is its own: one tree for each channel. */
export const Tree = t.Object({
  id: Id,
  name: NeededLine,
  channel_id: t.Unsafe<number | null>({ type: ['integer', 'null'] }),
})
export type Tree = Static<typeof Tree>

export const trees = collection('trees', Tree, {
  noun: 'category tree',
  filters: 'id:in',
  max: TREES_MAX,
})

/** The tree that every store has from the start, that of channel 1. The old endpoints know no other. */
export const FIRST_TREE: Tree = { id: 1, name: 'Default catalog tree', channel_id: 1 }

/**
 * Every tree of a store, as a table: id, name, channel_id. The first tree needs no row until something about trees changes,
 * and from then on the counter tells that it has, or had, one.
 */
export const everyTree = ({ store }: Db): Sql => sql`(
  select id, name, channel_id from trees where store_id = ${store.id}
  union all
  select ${FIRST_TREE.id}::int, ${FIRST_TREE.name}::text, ${FIRST_TREE.channel_id}::bigint
  where not exists (select 1 from counters where store_id = ${store.id} and resource = 'trees'))`

/** Before anything about trees changes: the first tree becomes a row like the others. */
export async function storeFirstTree(tx: Tx) {
  if (!(await startCounter(tx, trees.table, { last_id: 1, total: 1 }))) return
  await tx.rows(sql`insert into trees ${sql.rows([{ store_id: tx.store.id, ...FIRST_TREE }])}`)
}

/** The channels that show these categories; a category whose tree has none is left out. */
export async function channelsOf(db: Db, categoryIds: readonly number[]): Promise<Map<number, number>> {
  const shown = await db.rows<{ id: number; channel_id: number }>(sql`
    select category.id, tree.channel_id from categories category join ${everyTree(db)} tree on tree.id = category.tree_id
    where category.store_id = ${db.store.id} and category.id = any(${[...new Set(categoryIds)]})
      and tree.channel_id is not null`)
  return new Map(shown.map(({ id, channel_id }) => [id, channel_id]))
}

/** The channel of each tree that has one. */
export async function channelsOfTrees(db: Db): Promise<Map<number, number>> {
  const shown = await db.rows<{ id: number; channel_id: number }>(
    prepared(sql`select id, channel_id from ${everyTree(db)} tree where channel_id is not null`),
  )
  return new Map(shown.map(({ id, channel_id }) => [id, channel_id]))
}

/** When a channel ends: the tree that it shows has none from then on. Nothing is told of that. */
export async function hideTree(db: Db, channel: number) {
  await db.transaction((tx) =>
    tx.rows(sql`
      update trees set channel_id = null where store_id = ${tx.store.id} and channel_id = ${channel} returning id`),
  )
}
