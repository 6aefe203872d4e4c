import type { FastifyRequest } from 'fastify'
import t, { type Static } from 'typebox'
import type { Db } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../core/db/steps.ts'
import { BatchMeta } from '../../core/rest/batch.ts'
import { Id, ListOf, Moment, NeededLine } from '../../core/rest/input/fields.ts'
import { hasAny, type Mistakes } from '../../core/rest/input/mistakes.ts'
import { type Collection, collection, type RowWithId } from '../../core/rest/lists/collection.ts'
import { PageMeta, paging } from '../../core/rest/lists/paging.ts'
import { findWhere } from '../../core/rest/lists/verbs.ts'
import { notFound, Problem, ProblemBody } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'

// Segments and shopper profiles (docs/contract/segments.md).
//
// A segment is a named set of shopper profiles, which a client keeps for marketing. A client creates it empty, with a name that is unique
// in the store, and adds and removes profiles. A profile stands for one customer and can be in many segments; it is created
// separately, and a customer has one at most. The server never adds members by itself: a segment has no rules. Clients identify both by UUID;
// rows have ids as well, and lists are in the order of these. Deleting a segment removes its members and keeps the profiles. Deleting a
// customer deletes the profile. Segments publish no events.

export const { read, write } = access('customers')

/** Most segments or profiles in a request. */
export const SEGMENT_BATCH_MAX = 50
const SEGMENTS_MAX = 1_000

export const SegmentUuid = t.String({ format: 'uuid' })
/** UUIDs in a query. */
export const Uuids = ListOf(SegmentUuid)
/** The path segment of a UUID. Any other text leads to 404. */
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

/** Replaces the id of a row by its UUID. */
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
/** The query of a DELETE. */
export const DeleteQuery = t.Object(
  { 'id:in': t.Optional(Uuids) },
  { additionalProperties: false, examples: [{ 'id:in': '00000000-0000-4000-8000-000000000000' }] },
)

/** Finds a row by its UUID. @throws Problem 404 */
export async function byUuid<R extends RowWithId & { uuid: string }>(
  db: Db,
  collection: Collection<R>,
  uuid: string,
): Promise<R> {
  const [row] = [...(await withUuids(db, collection, [uuid])).values()]
  if (row === undefined) throw notFound(collection.noun, uuid)
  return row
}

/** Finds rows by their UUIDs. @returns the existing ones, by UUID in lower case */
export async function withUuids<R extends RowWithId & { uuid: string }>(
  db: Db,
  collection: Collection<R>,
  uuids: readonly string[],
  locking: Sql = sql.empty,
): Promise<ReadonlyMap<string, R>> {
  const where = sql`uuid = any(${uuids.map((uuid) => uuid.toLowerCase())})`
  const rows = await findWhere(db, collection, where, sql`order by id ${locking}`)
  return new Map(rows.map((row) => [row.uuid, row]))
}

/** The answer to a batch with conflicts: nothing is saved, and the errors have the index of each conflict. */
export const Conflict = t.Object(
  { data: t.Array(t.Object({})), errors: t.Array(ProblemBody), meta: BatchMeta },
  { title: 'SegmentConflict', description: 'Nothing is saved' },
)

/** The `errorBody` of a route: a conflict is answered as `Conflict`, other refusals as usual. */
export function conflictBody(refusal: ProblemBody, { body }: FastifyRequest) {
  if (refusal.status !== 409 || Object.keys(refusal.errors).length === 0) return refusal
  const total = Array.isArray(body) ? body.length : 0
  return { data: [], errors: [refusal], meta: { total, success: 0, failed: total } }
}

/** @throws Problem 409 with the conflicts by the index of the item */
export function refuseConflicts(title: string, conflicts: Mistakes) {
  if (hasAny(conflicts)) throw new Problem(409, title, conflicts)
}

/** @throws Problem 400, which the contract has for these routes */
export function refuseBad(mistakes: Mistakes) {
  if (hasAny(mistakes)) throw new Problem(400, 'JSON data is missing or invalid', mistakes)
}

/** Removes profiles from a segment in steps. Outside of a transaction each step is one. */
export const emptySegment = (db: Db, segment: number, where: Sql = sql`true`) =>
  inSteps(db, async (tx) => {
    const gone = await tx.rows(sql`
      delete from segment_members where store_id = ${tx.store.id} and segment_id = ${segment} and profile_id = any(array(
        select profile_id from segment_members where store_id = ${tx.store.id} and segment_id = ${segment} and ${where}
        order by profile_id limit ${STEP_ROWS}))
      returning profile_id`)
    return gone.length === STEP_ROWS
  })

/** Removes all profiles from segments in steps. */
export async function emptySegments(db: Db, ids: readonly number[]) {
  for (;;) {
    const next = await db.maybeRow<{ segment_id: number }>(sql`
      select segment_id from segment_members where store_id = ${db.store.id} and segment_id = any(${ids})
      order by segment_id limit 1`)
    if (next === undefined) return
    await emptySegment(db, next.segment_id)
  }
}

/** The ids of the segments of a store, sorted. */
export async function segmentIds(db: Db): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(sql`select id from segments where store_id = ${db.store.id} order by id`)
  return rows.map(({ id }) => id)
}
