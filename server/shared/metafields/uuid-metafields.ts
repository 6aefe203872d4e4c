import t from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { Answer, answer, dated, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { eachAlone } from '../../core/rest/batch.ts'
import { Id, idSegment } from '../../core/rest/input/fields.ts'
import { CursorMeta, envelope, type ListQuery } from '../../core/rest/lists/collection.ts'
import { capitalized, withArticle } from '../../core/rest/lists/operation-names.ts'
import { findRows } from '../../core/rest/lists/pages.ts'
import { findOne, lock, pick } from '../../core/rest/lists/verbs.ts'
import { notFound } from '../../core/rest/problem.ts'
import type { access } from '../../stores/accounts/scopes.ts'
import {
  BATCH_DESCRIPTION,
  batchAnswer,
  changeMetafield,
  changeMetafields,
  createMetafield,
  deleteMetafield,
  deleteMetafields,
  IdOrText,
  METAFIELD_BATCH_MAX,
  Metafield,
  MetafieldChanges,
  type MetafieldKind,
  metafieldBatchAnswers,
  NewMetafield,
  ofKind,
  refuseHidden,
  uuidMetafields,
  visibleTo,
} from './metafields.ts'

/** A kind of resources with uuids and metafields. The area of these resources describes it and mounts its routes. */
export interface UuidMetafieldOwner extends MetafieldKind {
  /** The resources as sentences name them: `carts`. */
  plural: string
  /** A uuid for the examples of bodies. */
  example: string
  path: string
  access: ReturnType<typeof access>
  /** Returns which of the resources exist, in lower case. */
  find(db: Db, uuids: readonly string[]): Promise<ReadonlySet<string>>
  /** As `find`, and protects them from deletion until the transaction ends. It locks them in the order of their uuids. */
  lock(tx: Tx, uuids: readonly string[]): Promise<ReadonlySet<string>>
}

const UUID = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'

/** The path segment of a uuid. Any other segment is a 404. */
export const uuidSegment = (name: string) => `:${name}(^${UUID}$)`

const Uuid = t.String({ pattern: `^${UUID}$` })

const UuidMetafield = t.Object(
  { ...Metafield.properties, resource_id: t.String({ description: 'The uuid of the resource' }) },
  { title: 'UuidMetafield' },
)
const NewOne = t.Object({ ...NewMetafield.properties, resource_id: Uuid }, { title: 'NewUuidMetafield' })
const ChangedOnes = t.Array(
  t.Object({ ...MetafieldChanges.properties, id: IdOrText }, { title: 'UuidMetafieldChangesById' }),
  { minItems: 1, maxItems: METAFIELD_BATCH_MAX, examples: [[{ id: 1, value: '5' }]] },
)
const Ids = t.Array(IdOrText, { minItems: 1, maxItems: METAFIELD_BATCH_MAX, examples: [[1]] })

/**
 * Routes for the metafields of resources with uuids. Their metafields remain readable after the resource is gone, as long as they
 * exist (docs/contract/carts.md section 9).
 */
export function uuidMetafieldRoutes(app: Api, owner: UuidMetafieldOwner) {
  const { kind, plural, path, access, example } = owner
  const newOne = { key: 'shelf', value: 'A', namespace: 'warehouse', permission_set: 'read', resource_id: example }
  const NewOnes = t.Array(NewOne, { minItems: 1, maxItems: METAFIELD_BATCH_MAX, examples: [[newOne]] })
  const { read, write } = access
  const owner_id = `${kind}_id`
  const list = `${path}/${uuidSegment(owner_id)}/metafields`
  const one = `${list}/${idSegment('metafield_id')}`
  const underOwner = t.Unsafe<Record<string, string>>(t.Object({ [owner_id]: Uuid }))
  const underBoth = t.Unsafe<Record<string, string> & { metafield_id: number }>(
    t.Object({ [owner_id]: Uuid, metafield_id: Id }),
  )
  const ownerOf = (params: Record<string, string | number>) => String(params[owner_id]).toLowerCase()
  const answersList = { response: { 200: t.Object({ data: t.Array(UuidMetafield), meta: CursorMeta }) } }
  const answersOne = { response: { 200: envelope(UuidMetafield) } }
  const saves = metafieldBatchAnswers(UuidMetafield, 'UuidMetafieldBatch')

  app.get(
    list,
    {
      ...read,
      schema: {
        summary: `List the metafields of ${withArticle(kind)}`,
        params: underOwner,
        querystring: uuidMetafields.list.querystring,
        ...answersList,
      },
    },
    async ({ db, client, params, query }) => {
      const uuid = ownerOf(params)
      await refuseUnknown(db, owner, uuid)
      return page(db, query, sql`${ofKind(kind)} and resource_uuid = ${uuid} and ${visibleTo(client)}`)
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
        ...answersOne,
      },
    },
    async ({ db, client, params, body }) => {
      const uuid = ownerOf(params)
      return answer(
        await db.transaction(async (tx) => {
          if (!(await owner.lock(tx, [uuid])).has(uuid)) throw notFound(kind, uuid)
          return toAnswer(await createMetafield(tx, client, { owner, thing: { id: uuid } }, body))
        }),
      )
    },
  )

  app.get(
    one,
    {
      ...read,
      schema: {
        summary: `Get a metafield of ${withArticle(kind)}`,
        params: underBoth,
        querystring: uuidMetafields.one.querystring,
        response: { 200: envelope(UuidMetafield) },
      },
    },
    async ({ db, client, params, query }) => {
      const found = await findOne(db, uuidMetafields, params.metafield_id)
      const row = refuseHidden(found, client, kind, ownerOf(params))
      return dated(toAnswer(pick(uuidMetafields, row, withColumns(query))), row.date_modified)
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
        ...answersOne,
      },
    },
    async ({ db, client, params, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const found = await lock(tx, uuidMetafields, params.metafield_id)
          const row = refuseHidden(found, client, kind, ownerOf(params))
          return toAnswer(await changeMetafield(tx, client, { owner, row }, body))
        }),
      ),
  )

  app.delete(
    one,
    { ...write, schema: { summary: `Delete a metafield of ${withArticle(kind)}`, params: underBoth } },
    async ({ db, client, params }) => {
      await db.transaction(async (tx) => {
        const found = await lock(tx, uuidMetafields, params.metafield_id)
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
        querystring: uuidMetafields.list.querystring,
        ...answersList,
      },
    },
    ({ db, client, query }) => page(db, query, sql`${ofKind(kind)} and ${visibleTo(client)}`),
  )

  app.post(
    `${path}/metafields`,
    {
      ...write,
      schema: {
        summary: `Create metafields of several ${plural}`,
        description: BATCH_DESCRIPTION,
        body: NewOnes,
        ...saves,
      },
    },
    async ({ db, client, body }) =>
      db.transaction(async (tx) => {
        const there = await owner.lock(
          tx,
          body.map(({ resource_id }) => resource_id.toLowerCase()),
        )
        const outcome = await eachAlone(tx, body, async ({ resource_id, ...values }) => {
          const uuid = resource_id.toLowerCase()
          if (!there.has(uuid)) throw notFound(kind, uuid)
          return toAnswer(await createMetafield(tx, client, { owner, thing: { id: uuid } }, values))
        })
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
        body: ChangedOnes,
        ...saves,
      },
    },
    async ({ db, client, body }) =>
      db.transaction(async (tx) => {
        const items = body.map(({ id, ...changes }) => ({ ...changes, id: Number(id) }))
        const outcome = await changeMetafields(tx, owner, client, items)
        return batchAnswer(app, { ...outcome, saved: outcome.saved.map(toAnswer) })
      }),
  )

  app.delete(
    `${path}/metafields`,
    {
      ...write,
      schema: {
        summary: `Delete metafields of several ${plural}`,
        description: BATCH_DESCRIPTION,
        body: Ids,
        ...metafieldBatchAnswers(Id, 'MetafieldBatchDeletion'),
      },
    },
    async ({ db, client, body }) =>
      db.transaction(async (tx) => batchAnswer(app, await deleteMetafields(tx, owner, client, body.map(Number)))),
  )
}

/** @throws Problem 404 if there is neither the resource nor a metafield of it */
async function refuseUnknown(db: Db, { kind, find }: UuidMetafieldOwner, uuid: string) {
  const { there, left } = await db.together(() => ({
    there: find(db, [uuid]),
    left: db.rows(sql`
      select 1 from metafields where store_id = ${db.store.id} and ${ofKind(kind)} and resource_uuid = ${uuid} limit 1`),
  }))
  if (!there.has(uuid) && left.length === 0) throw notFound(kind, uuid)
}

async function page(db: Db, query: ListQuery, where: Sql): Promise<Answer> {
  const found = await findRows(db, uuidMetafields, withColumns(query), where)
  return new Answer({ ...found, data: found.data.map(toAnswer) })
}

/** The query with the name of the column in place of `resource_id`. */
function withColumns<Q extends Pick<ListQuery, 'include_fields' | 'exclude_fields'>>(query: Q): Q {
  const column = (field: string) => (field === 'resource_id' ? 'resource_uuid' : field)
  const { include_fields, exclude_fields } = query
  return {
    ...query,
    ...(include_fields ? { include_fields: include_fields.map(column) } : {}),
    ...(exclude_fields ? { exclude_fields: exclude_fields.map(column) } : {}),
  }
}

/** Converts a metafield, or some fields of it, to its wire form. */
const toAnswer = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([field, value]) => [field === 'resource_uuid' ? 'resource_id' : field, value]),
  )
