import type { FastifyRequest } from 'fastify'
import t, { type Static } from 'typebox'
import { type Db, prepared } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../core/db/steps.ts'
import { BatchMeta } from '../../core/rest/batch.ts'
import { Id, ListOf, Moment, NeededLine } from '../../core/rest/input/fields.ts'
import { hasAny, type Mistakes } from '../../core/rest/input/mistakes.ts'
import { type Collection, collection, type RowWithId } from '../../core/rest/lists/collection.ts'
import { PageMeta, paging } from '../../core/rest/lists/paging.ts'
import { Problem, ProblemBody } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'

// Segments, the profiles of shoppers that are in them, and what both share (docs/contract/segments.md). Clients know both by their
// uuid; the store counts them like all else, and they are kept in that order.

export const { read, write } = access('customers')

/** Segments or profiles in one request. */
export const SEGMENT_BATCH_MAX = 50
const SEGMENTS_MAX = 1_000

export const SegmentUuid = t.String({ format: 'uuid' })
/** Uuids in a query. */
export const Uuids = ListOf(SegmentUuid)
/** The path segment of a uuid. What does not look like one leads nowhere. */
export const segmentPath = (name: string) => `:${name}(^[0-9a-fA-F-]{36}$)`

const Segment = t.Object({
  id: Id,
  uuid: SegmentUuid,
  name: NeededLine,
  description: t.String({ maxLength: 1_000 }),
  created_at: Moment,
  updated_at: Moment,
})
export type Segment = Static<typeof Segment>

export const segments = collection('segments', Segment, {
  noun: 'segment',
  filters: '',
  twins: ['name'],
  max: SEGMENTS_MAX,
})

const Profile = t.Object({ id: Id, uuid: SegmentUuid, customer_id: Id, created_at: Moment, updated_at: Moment })
export type Profile = Static<typeof Profile>

export const profiles = collection('shopper_profiles', Profile, { noun: 'shopper profile', filters: '', counted: true })

export const SegmentAnswer = t.Object(
  { ...t.Omit(Segment, ['uuid']).properties, id: SegmentUuid },
  { title: 'Segment' },
)
export const ProfileAnswer = t.Object(
  { ...t.Omit(Profile, ['uuid']).properties, id: SegmentUuid },
  { title: 'ShopperProfile' },
)

/** As clients know it: by the uuid alone. */
export const toAnswerByUuid = <Row extends { id?: number; uuid?: string }>({ id: _, uuid, ...row }: Row) => ({
  ...row,
  id: uuid,
})

export const pageResponse = <S extends typeof SegmentAnswer | typeof ProfileAnswer>(one: S) => ({
  200: t.Object({ data: t.Array(one), meta: PageMeta }),
})
export const SegmentPageQuery = t.Unsafe<{ page: number; limit: number }>(
  t.Object(paging, { additionalProperties: false }),
)
/** Which of them a DELETE is for. */
export const DeleteQuery = t.Object(
  { 'id:in': t.Optional(Uuids) },
  { additionalProperties: false, examples: [{ 'id:in': '00000000-0000-4000-8000-000000000000' }] },
)

/** One that is there, by its uuid. @throws Problem 404 */
export async function byUuid<R extends RowWithId>(db: Db, collection: Collection<R>, uuid: string): Promise<R> {
  const [row] = [...(await withUuids(db, collection, [uuid])).values()]
  if (row === undefined) throw new Problem(404, `The ${collection.noun} ${uuid} does not exist.`)
  return row
}

/** Those of some uuids that are there, by their uuids in lower case. */
export async function withUuids<R extends RowWithId>(
  db: Db,
  { table, columns }: Collection<R>,
  uuids: readonly string[],
  locking: Sql = sql.empty,
): Promise<ReadonlyMap<string, R>> {
  const rows = await db.rows<R & { uuid: string }>(
    prepared(sql`
    select ${sql.join(columns.map(sql.id))} from ${sql.id(table)}
    where store_id = ${db.store.id} and uuid = any(${uuids.map((uuid) => uuid.toLowerCase())}) order by id ${locking}`),
  )
  return new Map(rows.map((row) => [row.uuid, row]))
}

/** The answer where something of a batch is there already: nothing is saved, and each such item is told by its index. */
export const Conflict = t.Object(
  { data: t.Array(t.Object({})), errors: t.Array(ProblemBody), meta: BatchMeta },
  { title: 'SegmentConflict', description: 'Nothing is saved' },
)

/** For a route's `errorBody`: a conflict is told as `Conflict`, all else as everywhere. */
export function conflictBody(refusal: ProblemBody, { body }: FastifyRequest) {
  if (refusal.status !== 409 || Object.keys(refusal.errors).length === 0) return refusal
  const total = Array.isArray(body) ? body.length : 0
  return { data: [], errors: [refusal], meta: { total, success: 0, failed: total } }
}

/** @throws Problem 409 with what is wrong by the index of the item */
export function refuseConflicts(title: string, conflicts: Mistakes) {
  if (hasAny(conflicts)) throw new Problem(409, title, conflicts)
}

/** @throws Problem 400, as the contract has it for these routes */
export function refuseBad(mistakes: Mistakes) {
  if (hasAny(mistakes)) throw new Problem(400, 'JSON data is missing or invalid', mistakes)
}

/** Takes profiles out of a segment, in steps: outside of a transaction each step is one. */
export const emptySegment = (db: Db, segment: number, where: Sql = sql`true`) =>
  inSteps(db, async (tx) => {
    const gone = await tx.rows(sql`
      delete from segment_members where store_id = ${tx.store.id} and segment_id = ${segment} and profile_id = any(array(
        select profile_id from segment_members where store_id = ${tx.store.id} and segment_id = ${segment} and ${where}
        order by profile_id limit ${STEP_ROWS}))
      returning profile_id`)
    return gone.length === STEP_ROWS
  })

/** Takes all profiles out of segments, in steps. */
export async function emptySegments(db: Db, ids: readonly number[]) {
  for (;;) {
    const next = await db.maybeRow<{ segment_id: number }>(sql`
      select segment_id from segment_members where store_id = ${db.store.id} and segment_id = any(${ids})
      order by segment_id limit 1`)
    if (next === undefined) return
    await emptySegment(db, next.segment_id)
  }
}

/** The ids of a store's segments, in the order in which they were made. */
export async function segmentIds(db: Db): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`select id from segments where store_id = ${db.store.id} order by id`)
  return rows.map(({ id }) => id)
}
