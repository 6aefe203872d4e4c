import t from 'typebox'
import { sql } from '../../core/db/sql.ts'
import { Answer, answer, dated, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { eachAlone } from '../../core/rest/batch.ts'
import { Id, idSegment } from '../../core/rest/input/fields.ts'
import { CursorMeta, collection, envelope } from '../../core/rest/lists/collection.ts'
import { findRows } from '../../core/rest/lists/pages.ts'
import { findOne, lock, pick } from '../../core/rest/lists/verbs.ts'
import { access } from '../../stores/accounts/scopes.ts'
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
  metafieldBatchAnswers,
  metafieldConflicts,
  NewMetafield,
  ofKind,
  refuseHidden,
  visibleTo,
} from './metafields.ts'

const { read, write } = access('information')

const store = { kind: 'store', scope: 'store/store' } as const

const storeMetafields = collection('metafields', Metafield, {
  noun: 'metafield',
  filters: 'key key:in namespace namespace:in date_created:min date_created:max date_modified:min date_modified:max',
  cursors: 'every page',
  conflicts: metafieldConflicts,
})

/** Metafields of a store have ids as texts (docs/contract/store.md section 3). */
const StoreMetafield = t.Object(
  { ...Metafield.properties, id: t.String(), resource_id: t.String() },
  { title: 'StoreMetafield' },
)

const NewOnes = t.Array(NewMetafield, {
  minItems: 1,
  maxItems: METAFIELD_BATCH_MAX,
  examples: [[{ key: 'opening', value: '9 to 5', namespace: 'shop', permission_set: 'read' }]],
})
const ChangedOnes = t.Array(
  t.Object({ ...MetafieldChanges.properties, id: IdOrText }, { title: 'StoreMetafieldChangesById' }),
  { minItems: 1, maxItems: METAFIELD_BATCH_MAX, examples: [[{ id: 1, value: '5' }]] },
)
const Ids = t.Array(IdOrText, { minItems: 1, maxItems: METAFIELD_BATCH_MAX, examples: [[1]] })

/** Routes for the metafields of the store itself (docs/contract/store.md section 3). */
export function storeMetafieldRoutes(app: Api) {
  const all = '/store/metafields'
  const one = `${all}/${idSegment('metafield_id')}`
  const params = t.Object({ metafield_id: Id })
  const answersOne = { response: { 200: envelope(StoreMetafield) } }
  const saves = metafieldBatchAnswers(StoreMetafield, 'StoreMetafieldBatch')

  app.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the metafields of the store',
        querystring: storeMetafields.list.querystring,
        response: { 200: t.Object({ data: t.Array(StoreMetafield), meta: CursorMeta }) },
      },
    },
    async ({ db, client, query }) => {
      const found = await findRows(
        db,
        storeMetafields,
        corrected(query),
        sql`${ofKind('store')} and ${visibleTo(client)}`,
      )
      return new Answer({ ...found, data: found.data.map(toAnswer) })
    },
  )

  app.post(
    all,
    {
      ...write,
      schema: { summary: 'Create metafields of the store', description: BATCH_DESCRIPTION, body: NewOnes, ...saves },
    },
    async ({ db, client, body }) =>
      db.transaction(async (tx) => {
        const outcome = await eachAlone(tx, body, async (values) =>
          toAnswer(await createMetafield(tx, client, { owner: store, thing: tx.store }, values)),
        )
        return batchAnswer(app, outcome)
      }),
  )

  app.put(
    all,
    {
      ...write,
      schema: {
        summary: 'Change metafields of the store',
        description: BATCH_DESCRIPTION,
        body: ChangedOnes,
        ...saves,
      },
    },
    async ({ db, client, body }) =>
      db.transaction(async (tx) => {
        const outcome = await changeMetafields(tx, store, client, body.map(numbered))
        return batchAnswer(app, { ...outcome, saved: outcome.saved.map(toAnswer) })
      }),
  )

  app.delete(
    all,
    {
      ...write,
      schema: {
        summary: 'Delete metafields of the store',
        description: BATCH_DESCRIPTION,
        body: Ids,
        ...metafieldBatchAnswers(Id, 'MetafieldBatchDeletion'),
      },
    },
    async ({ db, client, body }) =>
      db.transaction(async (tx) => batchAnswer(app, await deleteMetafields(tx, store, client, body.map(Number)))),
  )

  app.get(
    one,
    {
      ...read,
      schema: {
        summary: 'Get a metafield of the store',
        params,
        querystring: storeMetafields.one.querystring,
        response: { 200: envelope(StoreMetafield) },
      },
    },
    async ({ db, client, params, query }) => {
      const row = refuseHidden(await findOne(db, storeMetafields, params.metafield_id), client, 'store')
      return dated(toAnswer(pick(storeMetafields, row, corrected(query))), row.date_modified)
    },
  )

  app.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a metafield of the store',
        description: 'Only the client that created it may change key, namespace and permission_set.',
        params,
        body: MetafieldChanges,
        ...answersOne,
      },
    },
    async ({ db, client, params, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const row = refuseHidden(await lock(tx, storeMetafields, params.metafield_id), client, 'store')
          return toAnswer(await changeMetafield(tx, client, { owner: store, row }, body))
        }),
      ),
  )

  app.delete(
    one,
    { ...write, schema: { summary: 'Delete a metafield of the store', params } },
    async ({ db, client, params }) => {
      await db.transaction(async (tx) => {
        const row = refuseHidden(await lock(tx, storeMetafields, params.metafield_id), client, 'store')
        await deleteMetafield(tx, client, { owner: store, row })
      })
      return noContent()
    },
  )
}

const numbered = <Item extends { id: number | string }>(item: Item) => ({ ...item, id: Number(item.id) })

/** Converts a metafield, or some fields of it, to its wire form with ids as texts. */
const toAnswer = (row: object) =>
  Object.fromEntries(Object.entries(row).map(([field, value]) => [field, isId(field) ? String(value) : value]))

const isId = (field: string) => field === 'id' || field === 'resource_id'

/** Accepts `date modified`, a misprint of the public documentation. */
function corrected<Q extends { include_fields?: string[] }>(query: Q): Q {
  if (!query.include_fields) return query
  const include_fields = query.include_fields.map((field) => (field === 'date modified' ? 'date_modified' : field))
  return { ...query, include_fields }
}
