import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../core/db/steps.ts'
import { Answer, answer, noContent } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { Id } from '../../core/rest/input/fields.ts'
import { missing, repeatedIds } from '../../core/rest/input/mistakes.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import type { Inclusion } from '../../core/rest/lists/pages/inclusions.ts'
import { findRows } from '../../core/rest/lists/pages.ts'
import { insertAll, removeAll, takeIds } from '../../core/rest/lists/verbs.ts'
import { unknownId } from '../../core/rest/problem.ts'
import { newUuid } from '../../core/secrets/row-ids.ts'
import { lockCustomers } from '../row/shape.ts'
import {
  byUuid,
  Conflict,
  conflictBody,
  DeleteQuery,
  emptySegments,
  type Profile,
  ProfileAnswer,
  pageResponse,
  profiles,
  read,
  refuseBad,
  refuseConflicts,
  SEGMENT_BATCH_MAX,
  SegmentAnswer,
  SegmentPageQuery,
  SegmentUuid,
  segmentIds,
  segmentPath,
  segments,
  toAnswerByUuid,
  withUuids,
  write,
} from './shape.ts'

const NewProfiles = t.Array(t.Object({ customer_id: Id }, { title: 'NewShopperProfile' }), {
  minItems: 1,
  maxItems: SEGMENT_BATCH_MAX,
  examples: [[{ customer_id: 1 }]],
})

/** Routes of shopper profiles (docs/contract/segments.md section 4). */
export function profileRoutes(api: Api) {
  const all = '/shopper-profiles'
  const params = t.Object({ shopper_profile_id: SegmentUuid })

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the shopper profiles',
        querystring: SegmentPageQuery,
        response: pageResponse(ProfileAnswer),
      },
    },
    async ({ db, query }) => {
      const { data, meta } = await findRows(db, profiles, query)
      return answer(data.map(toAnswerByUuid), meta)
    },
  )

  api.post(
    all,
    {
      config: { ...write.config, invalidBody: 400, errorBody: conflictBody },
      schema: {
        summary: 'Create shopper profiles',
        description: `At most ${SEGMENT_BATCH_MAX}, either all are saved or none. A customer has at most one.`,
        body: NewProfiles,
        response: { 201: envelope(t.Array(ProfileAnswer)), 409: Conflict },
      },
    },
    async ({ db, body }) => {
      const created = await db.transaction((tx) => createProfiles(tx, body))
      return new Answer({ data: created.map(toAnswerByUuid), meta: {} }, 201)
    },
  )

  api.delete(
    all,
    {
      ...write,
      schema: {
        summary: 'Delete shopper profiles',
        description: 'Without id:in, deletes every profile of the store. The customers remain.',
        querystring: DeleteQuery,
      },
    },
    async ({ db, query }) => {
      const named = query['id:in']
      if (named === undefined) await deleteAllProfiles(db)
      else {
        await db.transaction(async (tx) => {
          const found = await withUuids(tx, profiles, named, sql`for update`)
          await removeAll(tx, profiles, sql`id = any(${[...found.values()].map(({ id }) => id)})`)
        })
      }
      return noContent()
    },
  )

  api.get(
    `${all}/${segmentPath('shopper_profile_id')}/segments`,
    {
      ...read,
      schema: {
        summary: 'List the segments of a shopper profile',
        params,
        querystring: SegmentPageQuery,
        response: pageResponse(SegmentAnswer),
      },
    },
    async ({ db, params, query }) => {
      const { id } = await byUuid(db, profiles, params.shopper_profile_id)
      const isIn = sql`id = any(array(
        select segment_id from segment_members where store_id = ${db.store.id} and profile_id = ${id}))`
      const { data, meta } = await findRows(db, segments, query, isIn)
      return answer(data.map(toAnswerByUuid), meta)
    },
  )
}

const TAKEN = 'The customer has a shopper profile already.'

/** @throws Problem 400 for unknown customers, 409 by index for customers with a profile */
export async function createProfiles(tx: Tx, bodies: Static<typeof NewProfiles>): Promise<Profile[]> {
  const customerIds = bodies.map(({ customer_id }) => customer_id)
  const ids = await takeIds(tx, [[profiles, bodies.length]])
  const there = await lockCustomers(tx, customerIds)
  refuseBad(
    missing(
      customerIds,
      there,
      (i) => `${i}.customer_id`,
      (id) => unknownId('customer', id),
    ),
  )
  const rows = await tx.rows<{ customer_id: number }>(sql`
    select customer_id from shopper_profiles where store_id = ${tx.store.id} and customer_id = any(${customerIds})`)
  const taken = new Set(rows.map(({ customer_id }) => customer_id))
  refuseConflicts(TAKEN, {
    ...Object.fromEntries(customerIds.flatMap((id, i) => (taken.has(id) ? [[i, TAKEN]] : []))),
    ...repeatedIds(
      customerIds.map((id) => ({ id })),
      String,
    ),
  })
  const now = toSeconds(tx.now)
  return insertAll(
    tx,
    profiles,
    customerIds.map((customer_id) => ({
      id: ids.next(profiles),
      uuid: newUuid(),
      customer_id,
      created_at: now,
      updated_at: now,
    })),
  )
}

/** Deletes in steps: first the memberships of each segment, so that a step of profiles deletes few of them. */
async function deleteAllProfiles(db: Db) {
  await emptySegments(db, await segmentIds(db))
  await inSteps(db, async (tx) => {
    const gone = await removeAll(
      tx,
      profiles,
      sql`id = any(array(select id from shopper_profiles where store_id = ${tx.store.id} order by id limit ${STEP_ROWS}))`,
    )
    return gone.length === STEP_ROWS
  })
}

/** The UUID of the profile for `include=shopper_profile_id`; null without a profile. */
export const includedProfileIds: Inclusion = async (db, customerIds) => {
  const rows = await db.rows<{ customer_id: number; uuid: string }>(
    prepared(sql`
    select customer_id, uuid from shopper_profiles where store_id = ${db.store.id} and customer_id = any(${customerIds})`),
  )
  const uuids = new Map(rows.map(({ customer_id, uuid }) => [customer_id, uuid]))
  return new Map(customerIds.map((id) => [id, JSON.stringify(uuids.get(id) ?? null)]))
}

/** The UUIDs of the segments for `include=segment_ids`, in the order of their creation. */
export const includedSegmentIds: Inclusion = async (db, customerIds) => {
  const { id: store } = db.store
  const rows = await db.rows<{ customer_id: number; uuid: string }>(
    prepared(sql`
    select profile.customer_id, segment.uuid from shopper_profiles profile
    join segment_members member on member.store_id = ${store} and member.profile_id = profile.id
    join segments segment on segment.store_id = ${store} and segment.id = member.segment_id
    where profile.store_id = ${store} and profile.customer_id = any(${customerIds}) order by segment.id`),
  )
  const byCustomer = Map.groupBy(rows, ({ customer_id }) => customer_id)
  return new Map([...byCustomer].map(([id, found]) => [id, JSON.stringify(found.map(({ uuid }) => uuid))]))
}
