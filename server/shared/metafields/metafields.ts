import t, { type Static, type TSchema } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { publish } from '../../core/events/publish.ts'
import type { FamilyOf } from '../../core/events/scopes.ts'
import { Answer, answer, dated, noContent } from '../../core/rest/answer.ts'
import type { Api, Client } from '../../core/rest/api.ts'
import { BatchMeta, type BatchOutcome, eachAlone, lockIds } from '../../core/rest/batch.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { Id, idSegment, Moment } from '../../core/rest/input/fields.ts'
import { type Collection, collection } from '../../core/rest/lists/collection.ts'
import { capitalized, withArticle } from '../../core/rest/lists/operation-names.ts'
import { findPage } from '../../core/rest/lists/pages.ts'
import {
  change,
  differences,
  findBelow,
  findOne,
  findWhere,
  insert,
  lock,
  lockBelow,
  type Owner,
  pick,
  remove,
  removeAll,
} from '../../core/rest/lists/verbs.ts'
import { notFound, Problem, ProblemBody, problemBody } from '../../core/rest/problem.ts'
import { type access, METAFIELD_WRITE_ALL } from '../../stores/accounts/scopes.ts'

export const METAFIELDS_MAX = 250
export const METAFIELD_BATCH_MAX = 10

/** Kinds of resources that can have metafields, with their names in the contract (docs/contract/catalog.md section 3). */
const kinds = [
  'brand',
  'category',
  'product',
  'variant',
  'order',
  'channel',
  'location',
  'cart',
  'customer',
  'store',
] as const

export const Metafield = t.Object({
  id: Id,
  key: t.String({ minLength: 1, maxLength: 64 }),
  value: t.String({ minLength: 1, maxLength: 65_535 }),
  namespace: t.String({ minLength: 1, maxLength: 64 }),
  permission_set: t.Enum(['app_only', 'read', 'write', 'read_and_sf_access', 'write_and_sf_access']),
  description: t.String({ maxLength: 255 }),
  resource_type: t.Enum([...kinds]),
  resource_id: Id,
  date_created: Moment,
  date_modified: Moment,
  owner_client_id: t.String(),
})

/** A metafield as it is stored: with the number of its resource, or with the uuid if the kind of resource has uuids. */
interface MetafieldRow extends Omit<Static<typeof Metafield>, 'resource_id'> {
  resource_id?: number
  resource_uuid?: string
}

const { key, value, namespace, permission_set, description } = Metafield.properties
export const MetafieldChanges = t.Partial(t.Object({ key, value, namespace, permission_set, description }), {
  title: 'MetafieldChanges',
  examples: [{ value: '5' }],
})
export const NewMetafield = t.Object(
  { key, value, namespace, permission_set, description: t.Optional(description) },
  { title: 'NewMetafield', examples: [{ key: 'bin', value: '4', namespace: 'warehouse', permission_set: 'write' }] },
)
const BatchNew = t.Array(
  t.Object({ ...NewMetafield.properties, resource_id: Id }, { title: 'NewMetafieldOfResource' }),
  {
    minItems: 1,
    maxItems: METAFIELD_BATCH_MAX,
    examples: [[{ key: 'shelf', value: 'A', namespace: 'warehouse', permission_set: 'read', resource_id: 1 }]],
  },
)
const BatchChanges = t.Array(t.Object({ ...MetafieldChanges.properties, id: Id }, { title: 'MetafieldChangesById' }), {
  minItems: 1,
  maxItems: METAFIELD_BATCH_MAX,
  examples: [[{ id: 1, value: '5' }]],
})
/** Public clients send ids as texts too. */
export const IdOrText = t.Union([Id, t.String({ pattern: '^[1-9]\\d{0,8}$' })])
const BatchIds = t.Array(Id, { minItems: 1, maxItems: METAFIELD_BATCH_MAX, examples: [[1]] })

export const metafieldConflicts = {
  metafields_unique: ['This client already has a metafield with this namespace and key here.'],
  metafields_uuid_unique: ['This client already has a metafield with this namespace and key here.'],
} as const
const everywhere =
  'resource_id:in key key:in namespace namespace:in date_created:min date_created:max date_modified:min date_modified:max'

const facts = { noun: 'metafield', cursors: 'every page', conflicts: metafieldConflicts } as const
const listOf = (filters: string) => collection('metafields', Metafield, { ...facts, filters })

const ofOne = `id id:in id:not_in id:min id:max id:greater id:less ${everywhere}`
/** The public API has these filters for some lists only. */
const equalDates = 'date_created date_modified'

/** The metafields of one resource. */
const metafields = listOf(ofOne)
const metafieldsByDate = listOf(`${ofOne} ${equalDates}`)

/** The metafields of all resources of a kind. */
const metafieldsOfAll = listOf(everywhere)
const metafieldsOfAllByDate = listOf(`${everywhere} ${equalDates}`)

/** Those of resources with uuids. */
const { resource_id: _, date_created, date_modified, owner_client_id, ...others } = Metafield.properties
export const uuidMetafields = collection(
  'metafields',
  t.Object(
    { ...others, resource_uuid: t.String(), date_created, date_modified, owner_client_id },
    { title: 'UuidMetafield' },
  ),
  { ...facts, filters: everywhere.replace('resource_id:in ', '') },
)

/** The kind of its owner says how a metafield names it. */
const collectionOf = ({ kind }: MetafieldKind): Collection<MetafieldRow> =>
  kind === 'cart' ? uuidMetafields : metafields

/** The condition that metafields belong to a resource. */
const ofOwner = (id: number | string): Sql =>
  typeof id === 'number' ? sql`resource_id = ${id}` : sql`resource_uuid = ${id}`

const ownerIdOf = ({ resource_id, resource_uuid }: MetafieldRow) => resource_uuid ?? resource_id

/** A resource whose metafields are written. */
interface MetafieldThing {
  id: number | string
}

export const metafieldBatchAnswers = (data: TSchema, title: string) => {
  const Answered = t.Object({ data: t.Array(data), errors: t.Array(ProblemBody), meta: BatchMeta }, { title })
  return { response: { 200: Answered, 422: t.Union([Answered, ProblemBody]) } }
}
const batchSaves = metafieldBatchAnswers(metafields.shape, 'MetafieldBatch')
const batchDeletes = metafieldBatchAnswers(Id, 'MetafieldBatchDeletion')
/** The description of the batch routes. */
export const BATCH_DESCRIPTION = `At most ${METAFIELD_BATCH_MAX} items, checked one by one: valid ones are saved, and 422 names the others by their index.`

/** A kind of resources, as far as writes need it. */
export type MetafieldKind = Pick<MetafieldOwner, 'kind' | 'scope'>

/** A kind of resources with metafields, such as brands. The area of these resources describes it and mounts its routes. */
export interface MetafieldOwner {
  kind: (typeof kinds)[number]
  resources: Collection
  /** The path of all resources of the kind, for example `/catalog/variants`. */
  path: string
  /** For resources below a parent, such as variants of a product: the path of the parent, and the name of its id there. */
  parent?: { path: string; id: string }
  /** The scopes for reads and writes. */
  access: ReturnType<typeof access>
  /** The lists with filters `date_created` and `date_modified` without an operator. */
  equalDates?: readonly ('of one' | 'of all')[]
  /** The scope of the kind's own events, if there are any (docs/contract/webhooks.md section 6). */
  scope?: FamilyOf<'metafield/created'>
}

/**
 * Routes for the metafields of one kind of resources: single ones, batches, and all in the store (docs/contract/catalog.md
 * section 3).
 */
export function metafieldRoutes(app: Api, owner: MetafieldOwner) {
  const { kind, resources, path, parent, equalDates = [] } = owner
  const listed = equalDates.includes('of one') ? metafieldsByDate : metafields
  const listedOfAll = equalDates.includes('of all') ? metafieldsOfAllByDate : metafieldsOfAll
  const { read, write } = owner.access
  const owner_id = `${kind}_id`
  const plural = resources.title
  const list = `${parent?.path ?? path}/${idSegment(owner_id)}/metafields`
  const one = `${list}/${idSegment('metafield_id')}`
  const parents = parent ? { [parent.id]: Id } : {}
  const underOwner = t.Unsafe<Record<string, number>>(t.Object({ ...parents, [owner_id]: Id }))
  const underBoth = t.Unsafe<Record<string, number> & { metafield_id: number }>(
    t.Object({ ...parents, [owner_id]: Id, metafield_id: Id }),
  )
  const ownerOf = (params: Record<string, number>) => Number(params[owner_id])
  const parentOf = (params: Record<string, number>): Owner => (parent ? { [parent.id]: Number(params[parent.id]) } : {})

  app.get(
    list,
    {
      ...read,
      schema: { summary: `List the metafields of ${withArticle(kind)}`, params: underOwner, ...listed.list },
    },
    async ({ db, client, params, query }) => {
      const { id } = await findBelow(db, resources, parentOf(params), ownerOf(params))
      return findPage(db, listed, query, {
        where: sql`${ofKind(kind)} and resource_id = ${id} and ${visibleTo(client)}`,
      })
    },
  )

  app.post(
    list,
    {
      ...write,
      schema: {
        summary: `Create a metafield of ${withArticle(kind)}`,
        description: `One client has at most ${METAFIELDS_MAX} on one ${kind}.`,
        params: underOwner,
        body: NewMetafield,
        ...metafields.answersOne,
      },
    },
    async ({ db, client, params, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const thing = await lockBelow(tx, resources, parentOf(params), ownerOf(params))
          return createMetafield(tx, client, { owner, thing }, body)
        }),
      ),
  )

  app.get(
    one,
    { ...read, schema: { summary: `Get a metafield of ${withArticle(kind)}`, params: underBoth, ...metafields.one } },
    async ({ db, client, params, query }) => {
      if (parent) await findBelow(db, resources, parentOf(params), ownerOf(params))
      const found = await findOne(db, metafields, params.metafield_id)
      const row = refuseHidden(found, client, kind, ownerOf(params))
      return dated(pick(metafields, row, query), row.date_modified)
    },
  )

  app.put(
    one,
    {
      ...write,
      schema: {
        summary: `Change a metafield of ${withArticle(kind)}`,
        description: 'Only the client that created it may change key, namespace and permission_set.',
        params: underBoth,
        body: MetafieldChanges,
        ...metafields.answersOne,
      },
    },
    async ({ db, client, params, body }) =>
      answer(
        await db.transaction(async (tx) => {
          if (parent) await findBelow(tx, resources, parentOf(params), ownerOf(params))
          const found = await lock(tx, metafields, params.metafield_id)
          const row = refuseHidden(found, client, kind, ownerOf(params))
          return changeMetafield(tx, client, { owner, row }, body)
        }),
      ),
  )

  app.delete(
    one,
    { ...write, schema: { summary: `Delete a metafield of ${withArticle(kind)}`, params: underBoth } },
    async ({ db, client, params }) => {
      await db.transaction(async (tx) => {
        if (parent) await findBelow(tx, resources, parentOf(params), ownerOf(params))
        const found = await lock(tx, metafields, params.metafield_id)
        await deleteMetafield(tx, client, { owner, row: refuseHidden(found, client, kind, ownerOf(params)) })
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
        ...listedOfAll.list,
      },
    },
    ({ db, client, query }) =>
      findPage(db, listedOfAll, query, { where: sql`${ofKind(kind)} and ${visibleTo(client)}` }),
  )

  app.post(
    `${path}/metafields`,
    {
      ...write,
      schema: {
        summary: `Create metafields of several ${plural}`,
        description: BATCH_DESCRIPTION,
        body: BatchNew,
        ...batchSaves,
      },
    },
    async ({ db, client, body }) =>
      db.transaction(async (tx) => {
        await lockIds(
          tx,
          resources,
          body.map(({ resource_id }) => resource_id),
        )
        const outcome = await eachAlone(tx, body, async ({ resource_id, ...values }) =>
          createMetafield(tx, client, { owner, thing: await lock(tx, resources, resource_id) }, values),
        )
        return batchAnswer(app, outcome)
      }),
  )

  app.put(
    `${path}/metafields`,
    {
      ...write,
      schema: {
        summary: `Change metafields of several ${plural}`,
        description: BATCH_DESCRIPTION,
        body: BatchChanges,
        ...batchSaves,
      },
    },
    async ({ db, client, body }) =>
      db.transaction(async (tx) => batchAnswer(app, await changeMetafields(tx, owner, client, body))),
  )

  app.delete(
    `${path}/metafields`,
    {
      ...write,
      schema: {
        summary: `Delete metafields of several ${plural}`,
        description: BATCH_DESCRIPTION,
        body: BatchIds,
        ...batchDeletes,
      },
    },
    async ({ db, client, body }) =>
      db.transaction(async (tx) => batchAnswer(app, await deleteMetafields(tx, owner, client, body))),
  )
}

export const ofKind = (kind: MetafieldOwner['kind']) => sql`resource_type = ${kind}`

const seesAll = ({ scopes }: Client) => scopes.has(METAFIELD_WRITE_ALL)

/** Only its creator sees an `app_only` metafield (docs/contract/catalog.md section 3). */
export const visibleTo = (client: Client): Sql =>
  seesAll(client) ? sql`true` : sql`(permission_set <> 'app_only' or owner_client_id = ${client.id})`

const owns = (row: MetafieldRow, { id }: Client) => row.owner_client_id === id

/** @throws Problem 404 if the client may not see the metafield, or if it belongs to another resource than the path names */
export function refuseHidden<R extends MetafieldRow>(
  row: R,
  client: Client,
  kind: MetafieldOwner['kind'],
  thing?: number | string,
): R {
  const isHere = row.resource_type === kind && (thing === undefined || ownerIdOf(row) === thing)
  const isVisible = row.permission_set !== 'app_only' || owns(row, client) || seesAll(client)
  if (!isHere || !isVisible) throw notFound(metafields.noun, row.id)
  return row
}

/**
 * Stores a metafield. `insert` serializes the inserts of a store, so the count includes all of them.
 * @param thing locked if it can be deleted
 */
export async function createMetafield(
  tx: Tx,
  client: Client,
  { owner, thing }: { owner: MetafieldKind; thing: MetafieldThing },
  values: Static<typeof NewMetafield>,
): Promise<MetafieldRow> {
  const now = toSeconds(tx.now)
  const row = await insert(tx, collectionOf(owner), {
    description: '',
    ...values,
    resource_type: owner.kind,
    [typeof thing.id === 'number' ? 'resource_id' : 'resource_uuid']: thing.id,
    date_created: now,
    date_modified: now,
    owner_client_id: client.id,
  })
  const { count } = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from metafields
    where store_id = ${tx.store.id} and ${ofKind(owner.kind)} and ${ofOwner(thing.id)} and owner_client_id = ${client.id}`)
  if (count > METAFIELDS_MAX) throw new LimitReached(owner.kind)
  return publishChange(tx, owner, 'created', row)
}

/** A metafield with the kind of its owner. */
interface MetafieldOf {
  owner: MetafieldKind
  row: MetafieldRow
}

/**
 * Stores the fields that differ. A value equal to the stored one is not a change, because clients send back the values that they
 * read.
 */
export async function changeMetafield(
  tx: Tx,
  client: Client,
  { owner, row }: MetafieldOf,
  changes: Static<typeof MetafieldChanges>,
): Promise<MetafieldRow> {
  const changed = differences(row, changes)
  const changesIdentity = 'key' in changed || 'namespace' in changed || 'permission_set' in changed
  if (changesIdentity && !owns(row, client)) {
    throw new Problem(403, 'Only the client that created a metafield may change its namespace, key or permission_set.')
  }
  if (Object.keys(changed).length === 0) return row
  if (!owns(row, client) && !seesAll(client) && !row.permission_set.startsWith('write')) {
    throw new Problem(403, 'The permission_set of this metafield lets only the client that created it change it.')
  }
  const now = await change(tx, collectionOf(owner), row, { ...changed, date_modified: toSeconds(tx.now) })
  return publishChange(tx, owner, 'updated', now)
}

export async function deleteMetafield(tx: Tx, client: Client, { owner, row }: MetafieldOf) {
  if (!owns(row, client) && !seesAll(client)) {
    throw new Problem(403, 'Only the client that created a metafield may delete it.')
  }
  await remove(tx, metafields, row.id)
  publishChange(tx, owner, 'deleted', row)
}

/** Changes the metafields that the client may change. */
export async function changeMetafields(
  tx: Tx,
  owner: MetafieldKind,
  client: Client,
  items: readonly ({ id: number } & Static<typeof MetafieldChanges>)[],
): Promise<BatchOutcome<MetafieldRow>> {
  const ids = items.map(({ id }) => id)
  await lockIds(tx, metafields, ids)
  return eachAlone(tx, items, async ({ id, ...changes }) => {
    const row = refuseHidden(await lock(tx, collectionOf(owner), id), client, owner.kind)
    return changeMetafield(tx, client, { owner, row }, changes)
  })
}

/**
 * Deletes the metafields that the client may delete.
 * @returns their ids
 */
export async function deleteMetafields(
  tx: Tx,
  owner: MetafieldKind,
  client: Client,
  ids: readonly number[],
): Promise<BatchOutcome<number>> {
  await lockIds(tx, metafields, ids)
  return eachAlone(tx, ids, async (id) => {
    await deleteMetafield(tx, client, {
      owner,
      row: refuseHidden(await lock(tx, collectionOf(owner), id), client, owner.kind),
    })
    return id
  })
}

/** Publishes the event of the kind if there is one, then the event of all metafields (docs/contract/webhooks.md section 6). */
function publishChange(
  tx: Tx,
  { scope }: MetafieldKind,
  action: 'created' | 'updated' | 'deleted',
  row: MetafieldRow,
): MetafieldRow {
  const data = { metafield_id: row.id, resource_id: String(ownerIdOf(row)) }
  const subject = `metafield ${row.id}`
  if (scope) publish(tx, `${scope}/metafield/${action}`, subject, data)
  publish(tx, `store/metafield/${action}`, subject, { ...data, resource_type: row.resource_type })
  return row
}

/** All metafields of a resource, also those of other clients. */
export const metafieldsOf = (db: Db, owner: MetafieldKind, id: number | string): Promise<MetafieldRow[]> =>
  findWhere(db, collectionOf(owner), sql`${ofKind(owner.kind)} and ${ofOwner(id)}`)

/** How many metafields third parties get at most with one request. */
const VISIBLE_MAX = 2_000

/** The metafields of resources in some namespaces, without those that only the application of their creator may see. */
export const visibleMetafields = (
  db: Db,
  namespaces: readonly string[],
  { product, variant }: Readonly<Record<'product' | 'variant', readonly number[]>>,
) =>
  db.rows<
    Pick<Static<typeof Metafield>, 'key' | 'value' | 'namespace' | 'resource_id'> & {
      resource_type: 'product' | 'variant'
    }
  >(
    prepared(sql`
    select key, value, namespace, resource_type, resource_id from metafields
    where store_id = ${db.store.id} and namespace = any(${namespaces}) and permission_set <> 'app_only'
      and ((resource_type = 'product' and resource_id = any(${product}))
        or (resource_type = 'variant' and resource_id = any(${variant})))
    order by id limit ${VISIBLE_MAX}`),
  )

/** Deletes the metafields of deleted resources, also those of other clients. Publishes no events. */
export async function deleteMetafieldsOf(tx: Tx, { kind }: MetafieldKind, ids: readonly number[]) {
  await removeAll(tx, metafields, sql`${ofKind(kind)} and resource_id = any(${ids})`)
}

/** As `deleteMetafieldsOf`, for resources with uuids. */
export async function deleteMetafieldsOfUuids(tx: Tx, { kind }: MetafieldKind, uuids: readonly string[]) {
  await removeAll(tx, uuidMetafields, sql`${ofKind(kind)} and resource_uuid = any(${uuids})`)
}

/** 200 if all items were saved, else 422 with the reason of each failure (docs/contract/conventions.md section 7). */
export function batchAnswer(app: Api, { saved, failures, meta }: BatchOutcome<unknown>): Answer {
  const errors = failures.map(({ index, problem }) => ({
    ...problemBody(problem, app.docsBase),
    errors: { [index]: reasonOf(problem) },
  }))
  return new Answer({ data: saved, errors, meta }, failures.length > 0 ? 422 : 200)
}

class LimitReached extends Problem {
  constructor(kind: MetafieldOwner['kind']) {
    super(403, `A client can have at most ${METAFIELDS_MAX} metafields on one ${kind}.`)
  }
}

const reasons: Readonly<Record<number, string>> = {
  403: 'not authorized',
  404: 'does not exist',
  409: 'duplicate',
  507: 'limit',
}

/** The contract's word for the failure of an item (docs/contract/brands.md section 8). The sentence is the title. */
const reasonOf = (problem: Problem) =>
  problem instanceof LimitReached ? 'limit' : (reasons[problem.status] ?? problem.message)
