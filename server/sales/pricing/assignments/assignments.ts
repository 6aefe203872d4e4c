import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../../core/db/steps.ts'
import { Answer, answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { ID_MAX, Id, idSegment } from '../../../core/rest/input/fields.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { refuse } from '../../../core/rest/input/mistakes.ts'
import { envelope } from '../../../core/rest/lists/collection.ts'
import { lockCounter } from '../../../core/rest/lists/counters.ts'
import { conditionsOf, filterOf, filterSchema } from '../../../core/rest/lists/filters.ts'
import { findPage } from '../../../core/rest/lists/pages.ts'
import { change, findWhere, insertAll, removeAll, takeIds } from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem, ProblemBody, problemBody, unknownId } from '../../../core/rest/problem.ts'
import { discountedGroups, lockGroupsShared } from '../../../customers/row/groups.ts'
import { ChannelId, knownChannels } from '../../../shop/channels/channels.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { sharedLimit } from '../../../stores/quotas/concurrency-limit.ts'
import { lockPriceListsShared, priceLists } from '../price-list.ts'
import { assignments, ListAssignment, publishAssigned, publishUnassigned } from './shape.ts'

const { read, write } = access('catalog')

const ITEMS_MAX = 25
const GroupId = t.Integer({ minimum: 1, maximum: ID_MAX })

const NewAssignment = t.Object(
  { price_list_id: Id, customer_group_id: t.Optional(GroupId), channel_id: t.Optional(ChannelId) },
  { title: 'NewPriceListAssignment' },
)
type NewAssignment = Static<typeof NewAssignment>
const NewAssignments = t.Array(NewAssignment, {
  minItems: 1,
  maxItems: ITEMS_MAX,
  examples: [[{ price_list_id: 1, channel_id: 1 }]],
})
const Pair = t.Object(
  { customer_group_id: GroupId, channel_id: ChannelId },
  { title: 'PriceListAssignmentPair', examples: [{ customer_group_id: 1, channel_id: 1 }] },
)

const narrowing = ['id', 'price_list_id', 'customer_group_id', 'channel_id', 'channel_id:in'].map((name) =>
  filterOf(ListAssignment.properties, name),
)
const Narrowed = t.Unsafe<Record<string, unknown>>(
  t.Object(Object.fromEntries(narrowing.map((filter) => [filter.name, t.Optional(filterSchema(filter))])), {
    additionalProperties: false,
    minProperties: 1,
    examples: [{ price_list_id: 1 }],
  }),
)

const Created = t.Object({ data: t.Object({}), meta: t.Object({}) }, { title: 'PriceListAssignmentBatch' })
const Failed = t.Object(
  { ...ProblemBody.properties, meta: t.Object({ saved_records: t.Integer() }) },
  { title: 'PriceListAssignmentBatchFailure' },
)

/** Who pays the prices of lists (docs/contract/price-lists.md section 4). */
export function listAssignmentRoutes(api: Api) {
  const all = '/pricelists/assignments'
  const changes = sharedLimit('price list assignments: change', 25)

  api.get(
    all,
    { ...read, schema: { summary: 'List the assignments of price lists', ...assignments.list } },
    ({ db, query }) => findPage(db, assignments, query),
  )

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Assign price lists',
        operationId: 'createPriceListAssignments',
        description: 'Valid items are saved, and 422 names the others by their index.',
        body: NewAssignments,
        response: { 200: Created, 422: t.Union([Failed, ProblemBody]) },
      },
    },
    async ({ db, body }) => {
      const { mistakes, saved } = await db.transaction((tx) => assignEach(tx, body))
      if (Object.keys(mistakes).length === 0) return new Answer({ data: {}, meta: {} })
      const problem = new Problem(422, 'Some assignments are not valid.', mistakes)
      return new Answer({ ...problemBody(problem, api.docsBase), meta: { saved_records: saved } }, 422)
    },
  )

  api.delete(
    all,
    {
      ...write,
      schema: {
        summary: 'Delete assignments of price lists',
        description: 'At least one filter is needed.',
        querystring: Narrowed,
      },
    },
    async ({ db, query }) => {
      await unassignMatching(db, query)
      return noContent()
    },
  )

  api.put(
    `/pricelists/${idSegment('price_list_id')}/assignments`,
    {
      ...write,
      schema: {
        summary: 'Assign a price list to a group in a channel',
        operationId: 'upsertPriceListAssignment',
        description: 'Replaces the list that the group had in the channel.',
        params: t.Object({ price_list_id: Id }),
        body: Pair,
        response: { 200: envelope(ListAssignment) },
      },
    },
    ({ db, params: { price_list_id }, body }) =>
      changes.run(db.store, async () =>
        answer(await db.transaction((tx) => assignPair(tx, { price_list_id, ...body }))),
      ),
  )
}

const DISCOUNTED = 'The group has discount rules: delete them first.'
const pairOf = ({ customer_group_id, channel_id }: Omit<ListAssignment, 'id' | 'price_list_id'>) =>
  `${customer_group_id} ${channel_id}`

/** Stores the valid assignments of a request. @returns the mistakes of the others, and the number of valid ones */
async function assignEach(tx: Tx, body: readonly NewAssignment[]): Promise<{ mistakes: Mistakes; saved: number }> {
  const wished = body.map(({ price_list_id, customer_group_id = null, channel_id = null }) => ({
    price_list_id,
    customer_group_id,
    channel_id,
  }))
  const known = await knownOf(tx, wished)
  const held = new Map((await findPairs(tx, wished)).map((row) => [pairOf(row), row.price_list_id]))
  const mistakes: Mistakes = {}
  const fresh: Omit<ListAssignment, 'id'>[] = []
  let saved = 0
  for (const [i, item] of wished.entries()) {
    const faults = faultsOf(item, known)
    const holder = held.get(pairOf(item))
    if (Object.keys(faults).length === 0 && holder !== undefined && holder !== item.price_list_id) {
      faults.price_list_id = `This group and channel have the price list ${holder}: use PUT.`
    }
    for (const [field, sentence] of Object.entries(faults)) mistakes[`${i}.${field}`] = sentence
    if (Object.keys(faults).length > 0) continue
    saved++
    if (holder === undefined) fresh.push(item)
    held.set(pairOf(item), item.price_list_id)
  }
  await insertAssignments(tx, fresh)
  return { mistakes, saved }
}

async function insertAssignments(tx: Tx, fresh: readonly Omit<ListAssignment, 'id'>[]): Promise<ListAssignment[]> {
  const taken = await takeIds(tx, [[assignments, fresh.length]])
  const stored = await insertAll(
    tx,
    assignments,
    fresh.map((item) => ({ ...item, id: taken.next(assignments) })),
  )
  for (const item of stored) publishAssigned(tx, item)
  return stored
}

interface Known {
  lists: ReadonlySet<number>
  groups: ReadonlySet<number>
  discounted: ReadonlySet<number>
  channels: ReadonlySet<number>
}

/**
 * Finds the lists, groups and channels of assignments, and keeps lists and groups from being deleted. Assignments of a store are written one request after
 * another, behind the lock on their counter.
 */
async function knownOf(tx: Tx, wished: readonly Omit<ListAssignment, 'id'>[]): Promise<Known> {
  const groupIds = wished.flatMap(({ customer_group_id }) => customer_group_id ?? [])
  const { lists, groups, channels } = await tx.together(() => ({
    lists: lockPriceListsShared(
      tx,
      wished.map(({ price_list_id }) => price_list_id),
    ),
    groups: lockGroupsShared(tx, groupIds),
    channels: knownChannels(
      tx,
      wished.flatMap(({ channel_id }) => channel_id ?? []),
    ),
  }))
  // Behind lists and groups, as deletions lock them.
  await lockCounter(tx, assignments.table)
  return { lists, groups, channels, discounted: await discountedGroups(tx, groupIds) }
}

function faultsOf(
  { price_list_id, customer_group_id, channel_id }: Omit<ListAssignment, 'id'>,
  known: Known,
): Mistakes {
  const faults: Mistakes = {}
  if (!known.lists.has(price_list_id)) faults.price_list_id = unknownId(priceLists.noun, price_list_id)
  if (customer_group_id === null && channel_id === null) {
    faults.customer_group_id = 'An assignment names a customer group, a channel, or both.'
  }
  if (customer_group_id !== null && !known.groups.has(customer_group_id)) {
    faults.customer_group_id = unknownId('customer group', customer_group_id)
  } else if (customer_group_id !== null && known.discounted.has(customer_group_id)) {
    faults.customer_group_id = DISCOUNTED
  }
  if (channel_id !== null && !known.channels.has(channel_id)) faults.channel_id = unknownId('channel', channel_id)
  return faults
}

function findPairs(tx: Tx, wished: readonly Omit<ListAssignment, 'id'>[]) {
  const pairs = wished.map(({ customer_group_id, channel_id }) => ({
    wanted_group: customer_group_id,
    wanted_channel: channel_id,
  }))
  return findWhere(
    tx,
    assignments,
    sql`exists (
      select 1 from ${sql.table('wanted', pairs, { wanted_group: 'int', wanted_channel: 'bigint' })}
      where wanted_group is not distinct from customer_group_id and wanted_channel is not distinct from channel_id
    )`,
  )
}

/** @throws Problem 404 for list, group and channel, 422 for a group with discount rules */
async function assignPair(
  tx: Tx,
  wished: Omit<ListAssignment, 'id'> & { customer_group_id: number; channel_id: number },
): Promise<ListAssignment> {
  const { price_list_id, customer_group_id, channel_id } = wished
  const known = await knownOf(tx, [wished])
  if (!known.lists.has(price_list_id)) throw notFound(priceLists.noun, price_list_id)
  if (!known.groups.has(customer_group_id)) throw notFound('customer group', customer_group_id)
  if (!known.channels.has(channel_id)) throw notFound('channel', channel_id)
  refuse(faultsOf(wished, known))
  return storePair(tx, wished)
}

/** Gives a pair of group and channel its list. List and group are kept, and other assignments are locked out. */
async function storePair(tx: Tx, wished: Omit<ListAssignment, 'id'>): Promise<ListAssignment> {
  const [held] = await findPairs(tx, [wished])
  if (held?.price_list_id === wished.price_list_id) return held
  if (held) {
    const changed = await change(tx, assignments, held, { price_list_id: wished.price_list_id })
    publishAssigned(tx, changed)
    return changed
  }
  const [stored] = await insertAssignments(tx, [wished])
  if (!stored) throw new Error('No assignment was stored.')
  return stored
}

/** Deletes assignments in steps. */
const unassignMatching = (db: Db, query: Readonly<Record<string, unknown>>) =>
  inSteps(db, async (tx) => {
    await lockCounter(tx, assignments.table)
    const found = await findWhere(
      tx,
      assignments,
      sql.and(conditionsOf(narrowing, query)),
      sql`order by id limit ${STEP_ROWS} for update`,
    )
    await unassign(tx, found)
    return found.length === STEP_ROWS
  })

async function unassign(tx: Tx, found: readonly ListAssignment[]) {
  if (found.length === 0) return
  await removeAll(tx, assignments, sql`id = any(${found.map(({ id }) => id)})`)
  for (const assignment of found) publishUnassigned(tx, assignment)
}

/** The lists of groups in the older family, by the group: their assignments without a channel. */
export async function listsOfGroups(db: Db, groups: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await findWhere(db, assignments, sql`customer_group_id = any(${groups}) and channel_id is null`)
  return new Map(rows.map(({ customer_group_id, price_list_id }) => [customer_group_id ?? 0, price_list_id]))
}

/**
 * Replaces the list of a group in the older family; without a list, removes it. `hasDiscounts` is whether the group also has discount
 * rules. The group is locked.
 * @throws Problem 422 for an unknown list, 409 for discount rules of a group that has lists in channels
 */
export async function replaceListOfGroup(
  tx: Tx,
  group: number,
  { list, hasDiscounts }: { list: number | undefined; hasDiscounts: boolean },
) {
  await lockCounter(tx, assignments.table)
  const all = await findWhere(tx, assignments, sql`customer_group_id = ${group}`)
  if (hasDiscounts && all.some(({ channel_id }) => channel_id !== null)) {
    const sentence = 'The group has price lists in channels: delete their assignments first.'
    throw new Problem(409, sentence, { discount_rules: sentence })
  }
  if (list === undefined) {
    await unassign(
      tx,
      all.filter(({ channel_id }) => channel_id === null),
    )
    return
  }
  if (!(await lockPriceListsShared(tx, [list])).has(list)) {
    refuse({ 'discount_rules.0.price_list_id': unknownId(priceLists.noun, list) })
  }
  await storePair(tx, { price_list_id: list, customer_group_id: group, channel_id: null })
}
