import t, { type Static, type TSchema } from 'typebox'
import type { Tx } from '../core/db/database.ts'
import { type Sql, sql } from '../core/db/sql.ts'
import { publish } from '../core/events/publish.ts'
import { Answer, answer, dated, noContent } from '../core/rest/answer.ts'
import type { Api, Client } from '../core/rest/api.ts'
import { type Collection, collection, type Identified } from '../core/rest/collection.ts'
import { toSeconds } from '../core/rest/dates.ts'
import { Id, idSegment, Moment } from '../core/rest/fields.ts'
import { capitalized, withArticle } from '../core/rest/operation-names.ts'
import { findPage } from '../core/rest/pages.ts'
import { notFound, Problem, ProblemBody, problemBody } from '../core/rest/problem.ts'
import {
  change,
  differences,
  findBelow,
  findOne,
  insert,
  lock,
  lockBelow,
  type Owner,
  pick,
  remove,
  removeAll,
} from '../core/rest/verbs.ts'
import { access, METAFIELD_WRITE_ALL } from '../stores/scopes.ts'

const METAFIELDS_MAX = 250
const BATCH_MAX = 10

const { read, write } = access('catalog')

const Metafield = t.Object({
  id: Id,
  key: t.String({ minLength: 1, maxLength: 64 }),
  value: t.String({ minLength: 1, maxLength: 65_535 }),
  namespace: t.String({ minLength: 1, maxLength: 64 }),
  permission_set: t.Enum(['app_only', 'read', 'write', 'read_and_sf_access', 'write_and_sf_access']),
  description: t.String({ maxLength: 255 }),
  resource_type: t.Enum(['brand', 'category', 'product', 'variant']),
  resource_id: Id,
  date_created: Moment,
  date_modified: Moment,
  owner_client_id: t.String(),
})
type Metafield = Static<typeof Metafield>

const { key, value, namespace, permission_set, description } = Metafield.properties
const Changes = t.Partial(t.Object({ key, value, namespace, permission_set, description }), {
  title: 'MetafieldChanges',
  examples: [{ value: '5' }],
})
const NewMetafield = t.Object(
  { key, value, namespace, permission_set, description: t.Optional(description) },
  { title: 'NewMetafield', examples: [{ key: 'bin', value: '4', namespace: 'warehouse', permission_set: 'write' }] },
)
const BatchNew = t.Array(
  t.Object({ ...NewMetafield.properties, resource_id: Id }, { title: 'NewMetafieldOfResource' }),
  {
    minItems: 1,
    maxItems: BATCH_MAX,
    examples: [[{ key: 'shelf', value: 'A', namespace: 'warehouse', permission_set: 'read', resource_id: 1 }]],
  },
)
const BatchChanges = t.Array(t.Object({ ...Changes.properties, id: Id }, { title: 'MetafieldChangesById' }), {
  minItems: 1,
  maxItems: BATCH_MAX,
  examples: [[{ id: 1, value: '5' }]],
})
const BatchIds = t.Array(Id, { minItems: 1, maxItems: BATCH_MAX, examples: [[1]] })

const conflicts = {
  metafields_unique: ['This client already has a metafield with this namespace and key here.'],
} as const
const everywhere =
  'resource_id:in key key:in namespace namespace:in date_created:min date_created:max date_modified:min date_modified:max'

/** The metafields of one resource. */
const metafields = collection('metafields', Metafield, {
  noun: 'metafield',
  filters: `id id:in id:not_in id:min id:max id:greater id:less ${everywhere}`,
  cursors: true,
  conflicts,
})

/** Those of all resources of a kind. */
const metafieldsOfAll = collection('metafields', Metafield, {
  noun: 'metafield',
  filters: everywhere,
  cursors: true,
  conflicts,
})

const BatchMeta = t.Object({ total: t.Integer(), success: t.Integer(), failed: t.Integer() }, { title: 'BatchMeta' })
const batchAnswers = (data: TSchema, title: string) => {
  const Answered = t.Object({ data: t.Array(data), errors: t.Array(ProblemBody), meta: BatchMeta }, { title })
  return { response: { 200: Answered, 422: t.Union([Answered, ProblemBody]) } }
}
const batchSaves = batchAnswers(metafields.shape, 'MetafieldBatch')
const batchDeletes = batchAnswers(Id, 'MetafieldBatchDeletion')

export type MetafieldOwner = Metafield['resource_type']

/**
 * The metafields of one kind of resource: one by one, in batches, and of all resources of the store
 * (docs/contract/catalog.md section 3). The same code serves every kind.
 * @param path where all of the kind are, such as `/catalog/variants`
 * @param above the path of a resource's parent and the name of its id, where resources lie below one
 */
export function metafieldRoutes(
  app: Api,
  path: string,
  kind: MetafieldOwner,
  owners: Collection,
  above?: { path: string; parent_id: string },
) {
  const owner_id = `${kind}_id`
  const plural = owners.title
  const list = `${above?.path ?? path}/${idSegment(owner_id)}/metafields`
  const one = `${list}/${idSegment('metafield_id')}`
  const parents = above ? { [above.parent_id]: Id } : {}
  const underOwner = t.Unsafe<Record<string, number>>(t.Object({ ...parents, [owner_id]: Id }))
  const underBoth = t.Unsafe<Record<string, number> & { metafield_id: number }>(
    t.Object({ ...parents, [owner_id]: Id, metafield_id: Id }),
  )
  const ownerOf = (params: Record<string, number>) => Number(params[owner_id])
  const parentOf = (params: Record<string, number>): Owner =>
    above ? { [above.parent_id]: Number(params[above.parent_id]) } : {}

  app.get(
    list,
    {
      ...read,
      schema: { summary: `List the metafields of ${withArticle(kind)}`, params: underOwner, ...metafields.list },
    },
    async ({ db, client, params, query }) => {
      const { id } = await findBelow(db, owners, parentOf(params), ownerOf(params))
      return findPage(db, metafields, query, sql`${of(kind)} and resource_id = ${id} and ${visibleTo(client)}`)
    },
  )

  app.post(
    list,
    {
      ...write,
      schema: {
        summary: `Create a metafield of ${withArticle(kind)}`,
        params: underOwner,
        body: NewMetafield,
        ...metafields.answersOne,
      },
    },
    async ({ db, client, params, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const owner = await lockBelow(tx, owners, parentOf(params), ownerOf(params))
          return createMetafield(tx, kind, owner, client, body)
        }),
      ),
  )

  app.get(
    one,
    { ...read, schema: { summary: `Get a metafield of ${withArticle(kind)}`, params: underBoth, ...metafields.one } },
    async ({ db, client, params, query }) => {
      if (above) await findBelow(db, owners, parentOf(params), ownerOf(params))
      const found = await findOne(db, metafields, params.metafield_id)
      const row = mustSee(found, client, kind, ownerOf(params))
      return dated(pick(metafields, row, query), row.date_modified)
    },
  )

  app.put(
    one,
    {
      ...write,
      schema: {
        summary: `Change a metafield of ${withArticle(kind)}`,
        params: underBoth,
        body: Changes,
        ...metafields.answersOne,
      },
    },
    async ({ db, client, params, body }) =>
      answer(
        await db.transaction(async (tx) => {
          if (above) await findBelow(tx, owners, parentOf(params), ownerOf(params))
          const found = await lock(tx, metafields, params.metafield_id)
          return rewrite(tx, mustSee(found, client, kind, ownerOf(params)), client, body)
        }),
      ),
  )

  app.delete(
    one,
    { ...write, schema: { summary: `Delete a metafield of ${withArticle(kind)}`, params: underBoth } },
    async ({ db, client, params }) => {
      await db.transaction(async (tx) => {
        if (above) await findBelow(tx, owners, parentOf(params), ownerOf(params))
        const found = await lock(tx, metafields, params.metafield_id)
        await discard(tx, mustSee(found, client, kind, ownerOf(params)), client)
      })
      return noContent()
    },
  )

  app.get(
    `${path}/metafields`,
    {
      ...read,
      schema: {
        summary: `List the metafields of all ${plural}`,
        operationId: `listAll${capitalized(kind)}Metafields`,
        ...metafieldsOfAll.list,
      },
    },
    ({ db, client, query }) => findPage(db, metafieldsOfAll, query, sql`${of(kind)} and ${visibleTo(client)}`),
  )

  app.post(
    `${path}/metafields`,
    { ...write, schema: { summary: `Create metafields of several ${plural}`, body: BatchNew, ...batchSaves } },
    async ({ db, client, body }) =>
      db.transaction(async (tx) => {
        // In one order for all batches, so that two of them never wait for each other.
        await lockAll(
          tx,
          sql.id(owners.table),
          body.map(({ resource_id }) => resource_id),
        )
        return eachAlone(app, tx, body, async ({ resource_id, ...values }) =>
          createMetafield(tx, kind, await lock(tx, owners, resource_id), client, values),
        )
      }),
  )

  app.put(
    `${path}/metafields`,
    { ...write, schema: { summary: `Change metafields of several ${plural}`, body: BatchChanges, ...batchSaves } },
    async ({ db, client, body }) =>
      db.transaction(async (tx) => {
        await lockAll(
          tx,
          sql`metafields`,
          body.map(({ id }) => id),
        )
        return eachAlone(app, tx, body, async ({ id, ...changes }) =>
          rewrite(tx, mustSee(await lock(tx, metafields, id), client, kind), client, changes),
        )
      }),
  )

  app.delete(
    `${path}/metafields`,
    { ...write, schema: { summary: `Delete metafields of several ${plural}`, body: BatchIds, ...batchDeletes } },
    async ({ db, client, body }) =>
      db.transaction(async (tx) => {
        await lockAll(tx, sql`metafields`, body)
        return eachAlone(app, tx, body, async (id) => {
          await discard(tx, mustSee(await lock(tx, metafields, id), client, kind), client)
          return id
        })
      }),
  )
}

const of = (kind: MetafieldOwner) => sql`resource_type = ${kind}`

const seesAll = ({ scopes }: Client) => scopes.has(METAFIELD_WRITE_ALL)

const visibleTo = (client: Client): Sql =>
  seesAll(client) ? sql`true` : sql`(permission_set <> 'app_only' or owner_client_id = ${client.id})`

const owns = (row: Metafield, { id }: Client) => row.owner_client_id === id

/** What a client may not see is not there for it, nor what hangs on another resource than the path says. */
function mustSee(row: Metafield, client: Client, kind: MetafieldOwner, owner?: number): Metafield {
  const isHere = row.resource_type === kind && (owner === undefined || row.resource_id === owner)
  const isVisible = row.permission_set !== 'app_only' || owns(row, client) || seesAll(client)
  if (!isHere || !isVisible) throw notFound(metafields.noun, row.id)
  return row
}

/** @param owner locked, so that the count stays true until the commit */
export async function createMetafield(
  tx: Tx,
  kind: MetafieldOwner,
  owner: Identified,
  client: Client,
  values: Static<typeof NewMetafield>,
): Promise<Metafield> {
  const now = toSeconds(tx.now)
  const row = await insert(tx, metafields, {
    description: '',
    ...values,
    resource_type: kind,
    resource_id: owner.id,
    date_created: now,
    date_modified: now,
    owner_client_id: client.id,
  })
  const { count } = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from metafields
    where store_id = ${tx.store.id} and ${of(kind)} and resource_id = ${owner.id} and owner_client_id = ${client.id}`)
  if (count > METAFIELDS_MAX) {
    throw new LimitReached(kind)
  }
  return tellOf(tx, 'created', row)
}

/** Sending a value that is there already is no change: clients send back what they have read. */
async function rewrite(tx: Tx, row: Metafield, client: Client, changes: Static<typeof Changes>): Promise<Metafield> {
  const changed = differences(row, changes)
  const changesIdentity = 'key' in changed || 'namespace' in changed || 'permission_set' in changed
  if (changesIdentity && !owns(row, client)) {
    throw new Problem(403, 'Only the client that created a metafield may change its namespace, key or permission_set.')
  }
  if (Object.keys(changed).length === 0) return row
  if (!owns(row, client) && !seesAll(client) && !row.permission_set.startsWith('write')) {
    throw new Problem(403, 'The permission_set of this metafield lets only the client that created it change it.')
  }
  return tellOf(tx, 'updated', await change(tx, metafields, row, { ...changed, date_modified: toSeconds(tx.now) }))
}

async function discard(tx: Tx, row: Metafield, client: Client) {
  if (!owns(row, client) && !seesAll(client)) {
    throw new Problem(403, 'Only the client that created a metafield may delete it.')
  }
  await remove(tx, metafields, row.id)
  tellOf(tx, 'deleted', row)
}

const scopeOf = {
  brand: 'store/brand',
  category: 'store/category',
  product: 'store/product',
  variant: 'store/product/variant',
} as const

/** The resource's own scope, then the one of all metafields (docs/contract/webhooks.md section 6). */
function tellOf(tx: Tx, deed: 'created' | 'updated' | 'deleted', row: Metafield): Metafield {
  const data = { metafield_id: row.id, resource_id: String(row.resource_id) }
  const subject = `metafield ${row.id}`
  publish(tx, `${scopeOf[row.resource_type]}/metafield/${deed}`, subject, data)
  publish(tx, `store/metafield/${deed}`, subject, { ...data, resource_type: row.resource_type })
  return row
}

/** Deletes the metafields of things that are about to go themselves, whoever owns them. Nothing is told of them. */
export async function deleteMetafieldsOf(tx: Tx, kind: MetafieldOwner, ids: readonly number[]) {
  await removeAll(tx, metafields, sql`${of(kind)} and resource_id = any(${ids})`)
}

async function lockAll(tx: Tx, table: Sql, ids: readonly number[]) {
  await tx.rows(sql`
    select id from ${table} where store_id = ${tx.store.id} and id = any(${ids}) order by id for update`)
}

/**
 * Does the work for each item behind a savepoint: the good ones are saved, the others are told by their index with the
 * reason (docs/contract/conventions.md section 7, metafield batch). 422 as soon as one failed.
 */
async function eachAlone<Item, Saved>(app: Api, tx: Tx, items: readonly Item[], work: (item: Item) => Promise<Saved>) {
  const data: Saved[] = []
  const errors: ProblemBody[] = []
  for (const [index, item] of items.entries()) {
    try {
      data.push(await tx.savepoint(() => work(item)))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      errors.push({ ...problemBody(error, app.docsBase), errors: { [index]: reasonOf(error) } })
    }
  }
  const meta = { total: items.length, success: data.length, failed: errors.length }
  return new Answer({ data, errors, meta }, errors.length > 0 ? 422 : 200)
}

class LimitReached extends Problem {
  constructor(kind: MetafieldOwner) {
    super(403, `A client can have at most ${METAFIELDS_MAX} metafields on one ${kind}.`)
  }
}

const reasons: Readonly<Record<number, string>> = {
  403: 'not authorized',
  404: 'does not exist',
  409: 'duplicate',
  507: 'limit',
}

/** The contract's word for why an item failed (docs/contract/brands.md section 8); the sentence is the title. */
const reasonOf = (problem: Problem) =>
  problem instanceof LimitReached ? 'limit' : (reasons[problem.status] ?? problem.message)
