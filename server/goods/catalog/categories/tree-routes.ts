import t, { type Static, type TSchema } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { BatchMeta } from '../../../core/rest/batch.ts'
import { ID_MAX, Id, IdList, idSegment } from '../../../core/rest/input/fields.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { Meta } from '../../../core/rest/lists/collection.ts'
import { PageMeta, pagination, paging } from '../../../core/rest/lists/paging.ts'
import { insertAll, removeAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { ChannelId, ChannelIds, knownChannels } from '../../../shop/channels/channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { sharedLimit } from '../../../stores/quotas/concurrency-limit.ts'
import {
  type Category,
  type CategoryDependencies,
  DEPTH_MAX,
  deleteCategories,
  emptyBeforeDeletion,
  lockTrees,
} from './shape.ts'
import { everyTree, storeFirstTree, TREES_MAX, Tree, trees } from './tree-shape.ts'

const UPSERT_MAX = 50
/** The group of these routes in the reference page. */
const TAG = 'Category trees'

const { read, write } = access('catalog')

const TreeAnswer = t.Object(
  { id: Id, name: Tree.properties.name, channels: t.Array(ChannelId, { maxItems: 1 }) },
  { title: 'CategoryTree' },
)
const Upserts = t.Array(t.Partial(TreeAnswer, { title: 'CategoryTreeUpsert' }), {
  minItems: 1,
  maxItems: UPSERT_MAX,
  examples: [[{ id: 1, name: 'For the table', channels: [1] }]],
})

// The lists have no pages, but general clients ask for them everywhere (docs/contract/conventions.md section 3).
const ListQuery = t.Object(
  { 'id:in': t.Optional(IdList), 'channel_id:in': t.Optional(ChannelIds), ...paging },
  { additionalProperties: false },
)
const WholeTreeQuery = t.Object(
  { depth: t.Optional(t.Integer({ minimum: 1, maximum: ID_MAX })), ...paging },
  { additionalProperties: false },
)

/** A category in its tree, with its children. */
interface Node extends Pick<Category, 'id' | 'parent_id' | 'name' | 'is_visible'> {
  /** 0 at the top. */
  depth: number
  /** The ids from the top to the category. */
  path: number[]
  url: string
  children: Node[]
}
/** As deep as trees can be (docs/contract/limits.md section 2), so that no schema refers to itself. */
const nodeOf = (levels: number): TSchema =>
  t.Object({
    id: Id,
    parent_id: t.Integer(),
    depth: t.Integer(),
    path: t.Array(Id),
    name: t.String(),
    is_visible: t.Boolean(),
    url: t.String(),
    children: levels > 1 ? t.Array(nodeOf(levels - 1)) : t.Array(t.Object({}), { maxItems: 0 }),
  })

/** The category trees with their channels, and all categories of one (docs/contract/categories.md section 3). */
export function treeRoutes(app: Api, parts: CategoryDependencies) {
  app.get(
    '/catalog/trees',
    {
      ...read,
      schema: {
        summary: 'List the category trees',
        operationId: 'listCategoryTrees',
        tag: TAG,
        querystring: ListQuery,
        response: { 200: t.Object({ data: t.Array(TreeAnswer), meta: PageMeta }) },
      },
    },
    async ({ db, query }) => {
      const { 'id:in': ids, 'channel_id:in': channels } = query
      const found = await db.rows<Tree>(sql`
        select id, name, channel_id from ${everyTree(db)} tree
        where ${ids ? sql`id = any(${ids})` : sql`true`} and ${channels ? sql`channel_id = any(${channels})` : sql`true`}
        order by id`)
      // Clients that read page by page look here for another page.
      const onePage = pagination({ total: found.length, count: found.length, page: 1, limit: TREES_MAX }, query)
      return answer(found.map(toAnswer), { pagination: onePage })
    },
  )

  app.put(
    '/catalog/trees',
    {
      ...write,
      schema: {
        summary: 'Create and change category trees',
        operationId: 'upsertCategoryTrees',
        description: 'Items with an id are changed, items without one are created. All items are stored, or none.',
        tag: TAG,
        body: Upserts,
        response: { 200: t.Object({ data: t.Array(TreeAnswer), meta: BatchMeta }) },
      },
    },
    async ({ db, body }) => {
      const stored = await db.transaction((tx) => upsert(tx, body))
      return answer(stored.map(toAnswer), { total: stored.length, success: stored.length, failed: 0 })
    },
  )

  app.delete(
    '/catalog/trees',
    {
      ...write,
      schema: {
        summary: 'Delete category trees',
        operationId: 'deleteCategoryTrees',
        description: 'Deletes their categories too. Refused (409) if a product would have no category left.',
        tag: TAG,
        querystring: t.Object(
          { 'id:in': t.Optional(IdList) },
          { additionalProperties: false, examples: [{ 'id:in': '1' }] },
        ),
      },
    },
    async ({ db, query: { 'id:in': ids } }) => {
      if (!ids) throw new Problem(422, 'The deletion of category trees needs id:in in the query.')
      await emptyBeforeDeletion(db, parts.products, sql`tree_id = any(${ids})`)
      await db.transaction((tx) => deleteTrees(tx, parts, ids))
      return noContent()
    },
  )

  const wholeTrees = sharedLimit('whole category trees', 1)
  app.get(
    `/catalog/trees/${idSegment('tree_id')}/categories`,
    {
      ...read,
      schema: {
        summary: 'Get all categories of a tree, each below its parent',
        operationId: 'getCategoryTree',
        description: 'One request at a time for each store.',
        tag: TAG,
        params: t.Object({ tree_id: Id }),
        querystring: WholeTreeQuery,
        response: { 200: t.Object({ data: t.Array(nodeOf(DEPTH_MAX)), meta: Meta }) },
      },
    },
    ({ db, params: { tree_id }, query: { depth } }) =>
      wholeTrees.run(db.store, async () => {
        const found = await db.rows<Leaf | { id: null }>(sql`
          select category.id, parent_id, category.name, is_visible, custom_url ->> 'url' as url
          from ${everyTree(db)} tree left join categories category
            on category.store_id = ${db.store.id} and category.tree_id = tree.id
          where tree.id = ${tree_id} order by sort_order, category.id`)
        if (found.length === 0) throw notFound(trees.noun, tree_id)
        return answer(
          nest(
            found.filter((leaf) => leaf.id !== null),
            depth,
          ),
        )
      }),
  )
}

const toAnswer = ({ id, name, channel_id }: Tree): Static<typeof TreeAnswer> => ({
  id,
  name,
  channels: channel_id === null ? [] : [channel_id],
})

type Leaf = Omit<Node, 'depth' | 'path' | 'children'>

/**
 * Nests categories below their parents.
 * @param leaves in the order of siblings
 * @param levels the number of levels in the answer; all if missing
 */
function nest(leaves: readonly Leaf[], levels = Number.POSITIVE_INFINITY): Node[] {
  const below = Map.groupBy(leaves, ({ parent_id }) => parent_id)
  const nodesBelow = (parent: number, above: readonly number[]): Node[] =>
    above.length >= levels
      ? []
      : (below.get(parent) ?? []).map(({ id, parent_id, name, is_visible, url }) => {
          const path = [...above, id]
          return { id, parent_id, depth: above.length, path, name, is_visible, url, children: nodesBelow(id, path) }
        })
  return nodesBelow(0, [])
}

/**
 * Changes the trees with ids and creates the others, all or none.
 * @returns them in the order of the body
 * @throws Problem 422 with all mistakes, 409 if two trees would have the same channel
 */
async function upsert(tx: Tx, body: Static<typeof Upserts>): Promise<Tree[]> {
  await lockTrees(tx)
  await storeFirstTree(tx)
  const ids = await takeIds(tx, [[trees, body.filter(({ id }) => id === undefined).length]])
  const present = await tx.rows<Tree>(sql`select id, name, channel_id from ${everyTree(tx)} tree order by id`)
  const known = await knownChannels(
    tx,
    body.flatMap(({ channels = [] }) => channels),
  )
  const before = new Map(present.map((tree) => [tree.id, tree]))
  const after = new Map(before)
  const errors: Record<string, string> = {}
  const stored = body.map(({ id, name, channels }, i) => {
    const tree = id === undefined ? undefined : after.get(id)
    if (id !== undefined && !tree) errors[`${i}.id`] = `There is no category tree ${id}.`
    if (id === undefined && name === undefined) errors[`${i}.name`] = 'error.path.missing'
    const [channel] = channels ?? []
    // A client that sends back a tree as it was read may name a channel that was deleted meanwhile.
    if (channel !== undefined && channel !== tree?.channel_id && !known.has(channel)) {
      errors[`${i}.channels.0`] = `There is no channel ${channel}.`
    }
    const changed = {
      id: id ?? ids.next(trees),
      name: name ?? tree?.name ?? '',
      channel_id: channels === undefined ? (tree?.channel_id ?? null) : (channels[0] ?? null),
    }
    after.set(changed.id, changed)
    return changed.id
  })
  refuse(errors)
  refuseSharedChannels(body, stored, after)

  const written = [...after.values()].filter((tree) => isChanged(tree, before.get(tree.id)))
  const old = written.filter(({ id }) => before.has(id))
  // Removed first, so that two trees can exchange their channels.
  await tx.rows(sql`
    update trees set channel_id = null where store_id = ${tx.store.id} and id = any(${old.map(({ id }) => id)})`)
  await tx.rows(sql`
    update trees tree set name = changed.name, channel_id = changed.channel_id
    from ${sql.table('changed', old, { id: 'int', name: 'text', channel_id: 'bigint' })}
    where tree.store_id = ${tx.store.id} and tree.id = changed.id`)
  await insertAll(
    tx,
    trees,
    written.filter(({ id }) => !before.has(id)),
  )
  for (const tree of written) publishTree(tx, tree, before.get(tree.id))
  return stored.map((id) => after.get(id)).filter((tree) => tree !== undefined)
}

const isChanged = (tree: Tree, before?: Tree) => tree.name !== before?.name || tree.channel_id !== before.channel_id

/** @param stored the id of the tree of each item */
function refuseSharedChannels(
  body: Static<typeof Upserts>,
  stored: readonly number[],
  after: ReadonlyMap<number, Tree>,
) {
  const shared = Map.groupBy(after.values(), ({ channel_id }) => channel_id)
  const errors = body.flatMap(({ channels = [] }, i) => {
    const [channel] = channels
    const [first, other] = channel === undefined ? [] : (shared.get(channel) ?? [])
    if (first === undefined || other === undefined) return []
    const holder = first.id === stored[i] ? other : first
    return [[`${i}.channels`, `The channel ${channel} already shows the category tree ${holder.id}.`] as const]
  })
  const [first] = errors
  if (first) throw new Problem(409, first[1], Object.fromEntries(errors))
}

/** Deletes trees with their categories, for which no event is published. @throws Problem 409 */
async function deleteTrees(tx: Tx, parts: CategoryDependencies, ids: readonly number[]) {
  await lockTrees(tx)
  await storeFirstTree(tx)
  const found = await tx.rows<Tree>(sql`
    select id, name, channel_id from trees where store_id = ${tx.store.id} and id = any(${ids}) order by id`)
  await deleteCategories(tx, parts, sql`tree_id = any(${found.map(({ id }) => id)})`)
  await removeAll(tx, trees, sql`id = any(${found.map(({ id }) => id)})`)
  for (const tree of found) publishTree(tx, tree)
}

/** Publishes a tree in its current channel and in its former one (docs/contract/webhooks.md section 6). */
function publishTree(tx: Tx, { id, channel_id }: Tree, before?: Tree) {
  for (const channel of new Set([channel_id, before?.channel_id ?? null])) {
    if (channel === null) continue
    publish(tx, `store/channel/${channel}/categoryTree/updated`, `category tree ${id}`, { tree_id: id })
  }
}
