import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Answer, answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { refuse, repeated } from '../../core/rest/input/mistakes.ts'
import { envelope, type ListQuery } from '../../core/rest/lists/collection.ts'
import { lockCounter } from '../../core/rest/lists/counters.ts'
import { fold } from '../../core/rest/lists/fold.ts'
import { findRows } from '../../core/rest/lists/pages.ts'
import { paging } from '../../core/rest/lists/paging.ts'
import { change, differences, insertAll, removeAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { unknownId } from '../../core/rest/problem.ts'
import { newUuid } from '../../core/secrets/row-ids.ts'
import { sharedLimit } from '../../stores/quotas/concurrency-limit.ts'
import {
  byUuid,
  Conflict,
  conflictBody,
  DeleteQuery,
  emptySegment,
  emptySegments,
  type Profile,
  ProfileAnswer,
  pageResponse,
  profiles,
  read,
  refuseBad,
  refuseConflicts,
  SEGMENT_BATCH_MAX,
  type Segment,
  SegmentAnswer,
  SegmentPageQuery,
  SegmentUuid,
  segmentIds,
  segmentPath,
  segments,
  toAnswerByUuid,
  Uuids,
  withUuids,
  write,
} from './shape.ts'

const { name, description } = SegmentAnswer.properties
const NewSegments = t.Array(t.Object({ name, description: t.Optional(description) }, { title: 'NewSegment' }), {
  minItems: 1,
  maxItems: SEGMENT_BATCH_MAX,
  examples: [[{ name: 'Regulars', description: 'Ten orders a year, or more' }]],
})
/** The UUID of a segment in examples. */
export const A_SEGMENT = '5e9b1c9e-0000-4000-8000-000000000001'
const ChangedSegments = t.Array(
  t.Object(
    { id: SegmentUuid, name: t.Optional(name), description: t.Optional(description) },
    { title: 'SegmentChanges' },
  ),
  {
    minItems: 1,
    maxItems: SEGMENT_BATCH_MAX,
    examples: [[{ id: A_SEGMENT, description: 'Five orders a year, or more' }]],
  },
)
/** The UUID of a profile in examples. */
export const A_PROFILE = '5e9b1c9e-0000-4000-8000-000000000002'
const Members = t.Array(SegmentUuid, { minItems: 1, maxItems: SEGMENT_BATCH_MAX, examples: [[A_PROFILE]] })

const Listed = t.Unsafe<ListQuery & { 'id:in'?: string[] }>(
  t.Object({ 'id:in': t.Optional(Uuids), ...paging }, { additionalProperties: false }),
)

/** Invalid bodies are answered with 400, and conflicts have a body of their own (docs/contract/segments.md section 1). */
const saving = { config: { ...write.config, invalidBody: 400, errorBody: conflictBody } } as const
const saved = { response: { 201: envelope(t.Array(SegmentAnswer)), 409: Conflict } }

/** Routes of segments and their members (docs/contract/segments.md sections 2 and 3). */
export function segmentRoutes(api: Api) {
  const all = '/segments'
  const members = `${all}/${segmentPath('segment_id')}/shopper-profiles`
  const params = t.Object({ segment_id: SegmentUuid })
  const [creates, changes, additions] = [
    sharedLimit('segments: create', 10),
    sharedLimit('segments: change', 10),
    sharedLimit('shopper profiles: add', 10),
  ]

  api.get(
    all,
    { ...read, schema: { summary: 'List the segments', querystring: Listed, response: pageResponse(SegmentAnswer) } },
    async ({ db, query }) => {
      const ids = query['id:in']?.map((id) => id.toLowerCase())
      const { data, meta } = await findRows(db, segments, query, ids && sql`uuid = any(${ids})`)
      return answer(data.map(toAnswerByUuid), meta)
    },
  )

  api.post(
    all,
    { ...saving, schema: { summary: 'Create segments', description: ALL, body: NewSegments, ...saved } },
    ({ db, body }) =>
      creates.run(db.store, async () => {
        const created = await db.transaction((tx) => createSegments(tx, body))
        return new Answer({ data: created.map(toAnswerByUuid), meta: {} }, 201)
      }),
  )

  api.put(
    all,
    { ...saving, schema: { summary: 'Change segments', description: ALL, body: ChangedSegments, ...saved } },
    ({ db, body }) =>
      changes.run(db.store, async () => {
        const changed = await db.transaction((tx) => changeSegments(tx, body))
        return new Answer({ data: changed.map(toAnswerByUuid), meta: {} }, 201)
      }),
  )

  api.delete(
    all,
    {
      ...write,
      schema: {
        summary: 'Delete segments',
        description: 'Without id:in, deletes every segment of the store. The profiles remain.',
        querystring: DeleteQuery,
      },
    },
    async ({ db, query }) => {
      const named = query['id:in'] && (await withUuids(db, segments, query['id:in']))
      await deleteSegments(db, named ? [...named.values()].map(({ id }) => id) : await segmentIds(db))
      return noContent()
    },
  )

  api.get(
    members,
    {
      ...write,
      schema: {
        summary: 'List the shopper profiles of a segment',
        description: 'Needs the scope to modify, as in the contract.',
        params,
        querystring: SegmentPageQuery,
        response: pageResponse(ProfileAnswer),
      },
    },
    async ({ db, params, query }) => {
      const { id } = await byUuid(db, segments, params.segment_id)
      const isMember = sql`id = any(array(
        select profile_id from segment_members where store_id = ${db.store.id} and segment_id = ${id}))`
      const { data, meta } = await findRows(db, profiles, query, isMember)
      return answer(data.map(toAnswerByUuid), meta)
    },
  )

  api.post(
    members,
    {
      config: { ...write.config, errorBody: conflictBody },
      schema: {
        summary: 'Add shopper profiles to a segment',
        description: ALL,
        params,
        body: Members,
        response: { 201: envelope(t.Array(ProfileAnswer)), 409: Conflict },
      },
    },
    ({ db, params, body }) =>
      additions.run(db.store, async () => {
        const added = await db.transaction((tx) => addMembers(tx, params.segment_id, body))
        return new Answer({ data: added.map(toAnswerByUuid), meta: {} }, 201)
      }),
  )

  api.delete(
    members,
    {
      ...write,
      schema: {
        summary: 'Remove shopper profiles from a segment',
        description: 'Without id:in, removes all of them. The profiles remain.',
        params,
        querystring: DeleteQuery,
      },
    },
    async ({ db, params, query }) => {
      const { id } = await byUuid(db, segments, params.segment_id)
      const named = query['id:in'] && (await withUuids(db, profiles, query['id:in']))
      const where = named && sql`profile_id = any(${[...named.values()].map((profile) => profile.id)})`
      await emptySegment(db, id, where)
      return noContent()
    },
  )
}

const ALL = `At most ${SEGMENT_BATCH_MAX} items. Either all are saved or none.`
const TAKEN = 'A segment with this name already exists.'

/** @throws Problem 409 by index for names that are taken, 403 past the maximum */
export async function createSegments(tx: Tx, bodies: Static<typeof NewSegments>): Promise<Segment[]> {
  // First, so that no other request can take a name between the check and the insert.
  const ids = await takeIds(tx, [[segments, bodies.length]])
  await refuseTaken(tx, bodies)
  const now = toSeconds(tx.now)
  return insertAll(
    tx,
    segments,
    bodies.map(({ name, description = '' }) => ({
      id: ids.next(segments),
      uuid: newUuid(),
      name,
      description,
      created_at: now,
      updated_at: now,
    })),
  )
}

/** @throws Problem 400 for unknown ids, 409 by index for names that are taken */
async function changeSegments(tx: Tx, bodies: Static<typeof ChangedSegments>): Promise<Segment[]> {
  await lockCounter(tx, segments.table)
  const uuids = bodies.map(({ id }) => id.toLowerCase())
  const before = await withUuids(tx, segments, uuids, sql`for update`)
  refuseBad({
    ...Object.fromEntries(
      uuids.flatMap((uuid, i) => (before.has(uuid) ? [] : [[`${i}.id`, unknownId('segment', uuid)]])),
    ),
    ...repeated(
      uuids,
      (uuid) => uuid,
      (i) => `${i}.id`,
      'Another item has this id.',
    ),
  })
  await refuseTaken(
    tx,
    bodies,
    [...before.values()].map(({ id }) => id),
  )
  const stored: Segment[] = []
  for (const [i, { id: _, ...body }] of bodies.entries()) {
    const segment = before.get(uuids[i] ?? '')
    if (segment) stored.push(await changeSegment(tx, segment, body))
  }
  return stored
}

async function changeSegment(tx: Tx, segment: Segment, body: object): Promise<Segment> {
  const changes = differences(segment, body)
  if (Object.keys(changes).length === 0) return segment
  return change(tx, segments, segment, { ...changes, updated_at: toSeconds(tx.now) })
}

/** @param changing the ids of segments that change: their current names don't conflict */
async function refuseTaken(tx: Tx, bodies: readonly { name?: string }[], changing: readonly number[] = []) {
  const keys = bodies.map(({ name }) => (name === undefined ? undefined : fold(name)))
  const rows = await tx.rows<{ name_key: string }>(sql`
    select name_key from segments
    where store_id = ${tx.store.id} and name_key = any(${keys.filter((key) => key !== undefined)}) and id <> all(${changing})`)
  const taken = new Set(rows.map(({ name_key }) => name_key))
  refuseConflicts(TAKEN, {
    ...Object.fromEntries(keys.flatMap((key, i) => (key !== undefined && taken.has(key) ? [[i, TAKEN]] : []))),
    ...repeated(keys, (key) => key, String, 'Another item has this name.'),
  })
}

/** Deletes segments. Their members are removed first, in steps, since they may be many. */
async function deleteSegments(db: Db, ids: readonly number[]) {
  await emptySegments(db, ids)
  await db.transaction(async (tx) => {
    await lockCounter(tx, segments.table)
    await removeAll(tx, segments, sql`id = any(${ids})`)
  })
}

/** @throws Problem 404 for the segment, 422 for unknown profiles, 409 by index for members */
export async function addMembers(tx: Tx, uuid: string, given: readonly string[]): Promise<Profile[]> {
  const { id } = await byUuid(tx, segments, uuid)
  await tx.rows(sql`select id from segments where store_id = ${tx.store.id} and id = ${id} for key share`)
  const uuids = given.map((profile) => profile.toLowerCase())
  const found = await withUuids(tx, profiles, uuids, sql`for update`)
  refuse(
    Object.fromEntries(
      uuids.flatMap((profile, i) => (found.has(profile) ? [] : [[i, unknownId('shopper profile', profile)]])),
    ),
  )
  const wanted = [...found.values()].map((profile) => profile.id)
  const members = await tx.rows<{ profile_id: number }>(sql`
    select profile_id from segment_members
    where store_id = ${tx.store.id} and segment_id = ${id} and profile_id = any(${wanted})`)
  const isMember = new Set(members.map(({ profile_id }) => profile_id))
  const IN = 'This shopper profile is in the segment already.'
  refuseConflicts(IN, {
    ...Object.fromEntries(uuids.flatMap((profile, i) => (isMember.has(found.get(profile)?.id ?? 0) ? [[i, IN]] : []))),
    ...repeated(uuids, (profile) => profile, String, IN),
  })
  await tx.rows(sql`
    insert into segment_members (store_id, segment_id, profile_id)
    select ${tx.store.id}, ${id}, profile_id from unnest(${wanted}::int[]) profile_id returning profile_id`)
  const now = toSeconds(tx.now)
  await tx.rows(sql`
    update shopper_profiles set updated_at = ${now} where store_id = ${tx.store.id} and id = any(${wanted})`)
  return uuids.flatMap((profile) => found.get(profile) ?? []).map((profile) => ({ ...profile, updated_at: now }))
}
