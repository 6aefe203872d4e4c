import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { Id, NeededLine } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { startCounter } from '../../../core/rest/lists/counters.ts'

/** Trees of one store. Their list has no pages. */
export const TREES_MAX = 250

/** A category tree as it is stored. Each channel shows at most one tree, and each tree has at most one channel. */
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

/** The tree that every store has from its creation, shown in channel 1. The older endpoints have no other. */
export const FIRST_TREE: Tree = { id: 1, name: 'Default catalog tree', channel_id: 1 }

/**
 * All trees of a store as a table of id, name and channel_id. The first tree needs no row until a tree changes; then its
 * counter shows that it has, or had, a row.
 */
export const everyTree = ({ store }: Pick<Db, 'store'>): Sql => sql`(
  select id, name, channel_id from trees where store_id = ${store.id}
  union all
  select ${FIRST_TREE.id}::int, ${FIRST_TREE.name}::text, ${FIRST_TREE.channel_id}::bigint
  where not exists (select 1 from counters where store_id = ${store.id} and resource = 'trees'))`

/** Stores the row of the first tree, before the first change of any tree. */
export async function storeFirstTree(tx: Tx) {
  if (!(await startCounter(tx, trees.table, { last_id: 1, total: 1 }))) return
  await tx.rows(sql`insert into trees ${sql.rows([{ store_id: tx.store.id, ...FIRST_TREE }])}`)
}

/** The channels that show these categories, without the categories of trees without a channel. */
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

/** Removes a deleted channel from its tree. Publishes no event. */
export async function hideTree(db: Db, channel: number) {
  await db.transaction((tx) =>
    tx.rows(sql`
      update trees set channel_id = null where store_id = ${tx.store.id} and channel_id = ${channel} returning id`),
  )
}
