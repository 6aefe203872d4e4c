import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../core/db/steps.ts'
import { Answer, answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { lockIdsShared } from '../../core/rest/batch.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { Id, IdList, Moment, NeededLine } from '../../core/rest/input/fields.ts'
import { type Mistakes, refuse, repeated } from '../../core/rest/input/mistakes.ts'
import { collection, envelope, type ListQuery } from '../../core/rest/lists/collection.ts'
import { lockCounter } from '../../core/rest/lists/counters.ts'
import { findRows } from '../../core/rest/lists/pages.ts'
import { PageMeta, paging } from '../../core/rest/lists/paging.ts'
import { removeAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { Problem, unknownId } from '../../core/rest/problem.ts'
import { brands } from '../../goods/catalog/brands/brands.ts'
import { categories } from '../../goods/catalog/categories/shape.ts'
import { products } from '../../goods/catalog/product-row/shape.ts'
import { ChannelId } from '../../shop/channels/channels.ts'
import { isOfLiveChannel, lockLiveChannelsShared } from '../../shop/channels/live-channels.ts'
import { isCustomTemplate } from '../../shop/themes/theme-parts.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { pages } from '../pages/shape.ts'

const { read, write } = access('themes')

/** Most associations of a request. */
const BATCH_MAX = 100

/** The collections whose rows can have a template of their own. */
const ENTITIES = { product: products, category: categories, brand: brands, page: pages } as const
export type TemplateEntity = keyof typeof ENTITIES

const EntityType = t.Enum(['product', 'category', 'brand', 'page'])

/**
 * An association gives a product, category, brand or page a template of its own on one channel. The file is one of the custom templates
 * of the channel's theme. A file that the active theme does not have is kept: the association is invalid, and the default template is
 * used, until a theme with the file is active. An association is deleted with its entity and with its channel
 * (docs/contract/template-associations.md).
 */
const Association = t.Object({
  id: Id,
  channel_id: ChannelId,
  entity_type: EntityType,
  entity_id: Id,
  file_name: NeededLine,
  date_created: Moment,
  date_modified: Moment,
})
type Association = Static<typeof Association>

const associations = collection('custom_template_associations', Association, {
  noun: 'template association',
  filters: '',
})

const AnsweredAssociation = t.Object(
  {
    ...Association.properties,
    is_valid: t.Boolean({ description: 'Whether the active theme of the channel has the file' }),
  },
  { title: 'TemplateAssociation' },
)

const { id: _, date_created: __, date_modified: ___, ...writable } = Association.properties
const NewAssociations = t.Array(t.Object(writable, { title: 'NewTemplateAssociation' }), {
  minItems: 1,
  maxItems: BATCH_MAX,
  examples: [[{ channel_id: 1, entity_type: 'page', entity_id: 1, file_name: 'about.html' }]],
})
type NewAssociation = Static<typeof NewAssociations>[number]

const filters = {
  channel_id: t.Optional(ChannelId),
  type: t.Optional(EntityType),
  'entity_id:in': t.Optional(IdList),
}
const Listed = t.Unsafe<ListQuery & Filters & { is_valid?: boolean }>(
  t.Object(
    { ...filters, is_valid: t.Optional(t.Boolean()), ...paging },
    { additionalProperties: false, table: 'custom_template_associations' },
  ),
)
const Deleted = t.Object(
  { 'id:in': t.Optional(IdList), ...filters },
  { additionalProperties: false, examples: [{ 'id:in': '1' }] },
)

interface Filters {
  'id:in'?: number[]
  channel_id?: number
  type?: TemplateEntity
  'entity_id:in'?: number[]
}

/** Routes of custom template associations (docs/contract/template-associations.md). */
export function templateAssociationRoutes(api: Api) {
  const path = '/storefront/custom-template-associations'
  const tag = 'Template associations'

  api.get(
    path,
    {
      ...read,
      schema: {
        summary: 'List the template associations',
        operationId: 'listTemplateAssociations',
        tag,
        querystring: Listed,
        response: { 200: t.Object({ data: t.Array(AnsweredAssociation), meta: PageMeta }) },
      },
    },
    async ({ db, query }) => {
      if (query['entity_id:in'] && !query.type)
        throw new Problem(422, 'The query is not valid: entity_id:in needs type.')
      const isValid = await validity(db)
      const conditions = [...conditionsOf(query), isOfLiveChannel(db, 'custom_template_associations.channel_id')]
      if (query.is_valid !== undefined) conditions.push(query.is_valid ? isValid : sql`not ${isValid}`)
      // The query has names of its own for these filters.
      const { data, meta } = await findRows(db, associations, query, sql.and(conditions))
      return answer(await toAnswers(db, data.filter(isWhole), isValid), meta)
    },
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Create or change template associations',
        description:
          'Overwrites the file of associations of the same channel and entity. Either all are saved or none.',
        operationId: 'upsertTemplateAssociations',
        tag,
        body: NewAssociations,
        response: { 200: envelope(t.Array(AnsweredAssociation)) },
      },
    },
    async ({ db, body }) => {
      const stored = await db.transaction((tx) => storeAssociations(tx, body))
      return new Answer({ data: await toAnswers(db, stored, await validity(db)), meta: {} })
    },
  )

  api.delete(
    path,
    {
      ...write,
      schema: {
        summary: 'Delete template associations by a filter',
        description: 'Needs at least one filter. Associations that match all of them are deleted.',
        operationId: 'deleteTemplateAssociations',
        tag,
        querystring: Deleted,
      },
    },
    async ({ db, query }) => {
      const conditions = conditionsOf(query)
      if (conditions.length === 0) throw new Problem(422, 'The query is not valid: a filter is required.')
      await deleteAssociations(
        db,
        sql.and([...conditions, isOfLiveChannel(db, 'custom_template_associations.channel_id')]),
      )
      return noContent()
    },
  )
}

const isWhole = (row: Partial<Association>): row is Association => row.id !== undefined

const conditionsOf = ({ 'id:in': ids, channel_id, type, 'entity_id:in': entities }: Filters): Sql[] => [
  ...(ids ? [sql`id = any(${ids})`] : []),
  ...(channel_id === undefined ? [] : [sql`channel_id = ${channel_id}::bigint`]),
  ...(type ? [sql`entity_type = ${type}`] : []),
  ...(entities ? [sql`entity_id = any(${entities})`] : []),
]

/** The condition that the active theme of an association's channel has its file. */
const validity = (db: Db): Promise<Sql> =>
  isCustomTemplate(db, {
    channel: sql`custom_template_associations.channel_id`,
    kind: sql`custom_template_associations.entity_type`,
    file: sql`custom_template_associations.file_name`,
  })

async function toAnswers(
  db: Db,
  rows: readonly Association[],
  isValid: Sql,
): Promise<Static<typeof AnsweredAssociation>[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const found = await db.rows<{ id: number }>(sql`
    select id from custom_template_associations where store_id = ${db.store.id} and id = any(${ids}) and ${isValid}`)
  const valid = new Set(found.map(({ id }) => id))
  return rows.map((row) => ({ ...row, is_valid: valid.has(row.id) }))
}

const keyOf = ({ channel_id, entity_type, entity_id }: NewAssociation) => `${channel_id} ${entity_type} ${entity_id}`

/**
 * Stores associations, at most one request of a store at a time.
 * @returns the stored rows in the order of the inputs
 * @throws Problem 422 by item; then nothing is stored
 */
async function storeAssociations(tx: Tx, inputs: readonly NewAssociation[]): Promise<Association[]> {
  await refuseUnknown(tx, inputs)
  await lockCounter(tx, associations.table)
  const before = await tx.rows<Association>(sql`
    select association.id, association.channel_id, association.entity_type, association.entity_id, file_name, date_created, date_modified
    from ${sql.table('wanted', inputs, { channel_id: 'bigint', entity_type: 'text', entity_id: 'int' })}
      join custom_template_associations association on association.store_id = ${tx.store.id}
        and association.channel_id = wanted.channel_id and association.entity_type = wanted.entity_type
        and association.entity_id = wanted.entity_id`)
  const found = new Map(before.map((row) => [keyOf(row), row]))
  const ids = await takeIds(tx, [[associations, inputs.filter((input) => !found.has(keyOf(input))).length]])
  const now = toSeconds(tx.now)
  const rows = inputs.map((input): Association => {
    const row = found.get(keyOf(input)) ?? {
      ...input,
      id: ids.next(associations),
      date_created: now,
      date_modified: now,
    }
    return row.file_name === input.file_name ? row : { ...row, file_name: input.file_name, date_modified: now }
  })
  await tx.rows(sql`
    insert into custom_template_associations (store_id, id, channel_id, entity_type, entity_id, file_name, date_created, date_modified)
    select ${tx.store.id}, id, channel_id, entity_type, entity_id, file_name, date_created, date_modified
    from ${sql.table('wanted', rows, {
      id: 'int',
      channel_id: 'bigint',
      entity_type: 'text',
      entity_id: 'int',
      file_name: 'text',
      date_created: 'timestamptz',
      date_modified: 'timestamptz',
    })}
    on conflict (store_id, id) do update set file_name = excluded.file_name, date_modified = excluded.date_modified`)
  return rows
}

/** Locks channels and entities against deletion. @throws Problem 422 for repeated items and unknown channels and entities */
async function refuseUnknown(tx: Tx, inputs: readonly NewAssociation[]) {
  const mistakes: Mistakes = repeated(inputs, keyOf, String, 'Another item has this channel and entity.')
  const channels = await lockLiveChannelsShared(
    tx,
    inputs.map(({ channel_id }) => channel_id),
  )
  for (const [i, { channel_id }] of inputs.entries()) {
    if (!channels.has(channel_id)) mistakes[`${i}.channel_id`] = unknownId('channel', channel_id)
  }
  for (const type of EntityType.enum) {
    const named = inputs.flatMap(({ entity_type, entity_id }, i) => (entity_type === type ? [{ i, entity_id }] : []))
    const there = await lockIdsShared(
      tx,
      ENTITIES[type],
      named.map(({ entity_id }) => entity_id),
    )
    for (const { i, entity_id } of named) {
      if (!there.has(entity_id)) mistakes[`${i}.entity_id`] = unknownId(type, entity_id)
    }
  }
  refuse(mistakes)
}

/** Deletes associations in steps. The counter is locked first, as by requests that store them. */
const deleteAssociations = (db: Db, where: Sql) =>
  inSteps(db, async (tx) => {
    await lockCounter(tx, associations.table)
    const gone = await removeAll(
      tx,
      associations,
      sql`id = any(array(
        select id from custom_template_associations where store_id = ${tx.store.id} and ${where} order by id limit ${STEP_ROWS}))`,
    )
    return gone.length === STEP_ROWS
  })

/** Deletes the associations of entities that are being deleted, in the transaction of their deletion and with the entities locked. */
export async function deleteAssociationsOf(tx: Tx, type: TemplateEntity, ids: readonly number[]) {
  const own = sql`entity_type = ${type} and entity_id = any(${ids})`
  const found = await tx.rows(
    sql`select id from custom_template_associations where store_id = ${tx.store.id} and ${own} limit 1`,
  )
  if (found.length === 0) return
  await lockCounter(tx, associations.table)
  await removeAll(tx, associations, own)
}

/** Deletes the associations of a terminated channel, in steps. */
export const deleteAssociationsOfChannel = (db: Db, channel: number) =>
  deleteAssociations(db, sql`channel_id = ${channel}::bigint`)
