import { isDeepStrictEqual } from 'node:util'
import t, { type Static } from 'typebox'
import type { Db, Tx } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { Answer, modifiedAt, noContent } from '../core/rest/answer.ts'
import type { Api } from '../core/rest/api.ts'
import { toSeconds } from '../core/rest/input/dates.ts'
import { Id, idSegment } from '../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../core/rest/input/mistakes.ts'
import type { ListQuery } from '../core/rest/lists/collection.ts'
import { filterSchema } from '../core/rest/lists/filters.ts'
import { findRows } from '../core/rest/lists/pages.ts'
import { paging } from '../core/rest/lists/paging.ts'
import { change, findOne, insert, lock, remove } from '../core/rest/lists/verbs.ts'
import { notFound } from '../core/rest/problem.ts'
import { dateV2 } from '../core/rest/v2.ts'
import { lockCategoriesShared } from '../goods/catalog/categories/shape.ts'
import { lockProductsShared } from '../goods/catalog/product-row/shape.ts'
import { access } from '../stores/accounts/scopes.ts'
import { sharedLimit } from '../stores/quotas/concurrency-limit.ts'
import { emptyGroup, emptyLargeGroup } from './accounts/membership.ts'
import {
  amountV2,
  CategoryAccess,
  faultyRules,
  Group,
  type GroupSubResources,
  groups,
  type ListsOfGroups,
  type MarkedGroups,
  markGroups,
  NewRule,
  RULES_MAX,
  Rule,
  subResourcesOfGroups,
} from './row/groups.ts'
import { removeGroupFromChannels, withChannelEvents } from './settings.ts'

const { read, write } = access('customers')

const { name, is_default, is_group_for_guests } = Group.properties
const GroupAnswer = t.Object(
  {
    id: Id,
    name,
    is_default,
    category_access: CategoryAccess,
    discount_rules: t.Array(Rule),
    date_created: t.String({ description: 'RFC 2822' }),
    date_modified: t.String({ description: 'RFC 2822' }),
    is_group_for_guests,
  },
  { title: 'CustomerGroupV2' },
)

const Changes = t.Partial(
  t.Object({
    name,
    is_default,
    category_access: CategoryAccess,
    discount_rules: t.Array(NewRule, { maxItems: RULES_MAX }),
    is_group_for_guests,
  }),
  { title: 'CustomerGroupChangesV2', examples: [{ is_default: true }] },
)
type Changes = Static<typeof Changes>
const NewGroup = t.Object(
  { ...Changes.properties, name },
  {
    title: 'NewCustomerGroupV2',
    examples: [
      {
        name: 'Trade',
        category_access: { type: 'all' },
        discount_rules: [
          { type: 'all', method: 'percent', amount: '5.0000' },
          { type: 'product', product_id: 1, method: 'price', amount: '2.5000' },
          { type: 'category', category_id: 1, method: 'fixed', amount: '9.0000' },
        ],
      },
    ],
  },
)

const filters = Object.fromEntries(groups.filterList.map((filter) => [filter.name, t.Optional(filterSchema(filter))]))
// Unknown parameters are ignored, as old clients expect.
const ListedGroups = t.Unsafe<ListQuery>(t.Object({ ...filters, ...paging }))
const CountedGroups = t.Unsafe<Record<string, unknown>>(t.Object(filters))

/** Routes of customer groups (docs/contract/customer-groups.md). */
export function groupRoutesV2(api: Api, lists: ListsOfGroups) {
  const all = '/customer_groups'
  const one = `${all}/${idSegment('customer_group_id')}`
  const params = t.Object({ customer_group_id: Id })
  const answersOne = { response: { 200: GroupAnswer } }
  const atOnce = sharedLimit('customer groups', 40)

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the customer groups',
        querystring: ListedGroups,
        response: { 200: t.Array(GroupAnswer), 204: t.Null() },
      },
    },
    ({ db, query }) =>
      atOnce.run(db.store, async () => {
        const { data } = await findRows(db, groups, query)
        // Without a selection of fields each row is whole.
        return data.length === 0 ? noContent() : new Answer(await wholeGroups(db, data as Group[], lists))
      }),
  )

  api.post(
    all,
    {
      ...write,
      schema: {
        summary: 'Create a customer group',
        description:
          'Either one rule names a price list, or the rules are discounts for all products, categories and products.',
        body: NewGroup,
        ...answersOne,
      },
    },
    ({ db, body }) =>
      atOnce.run(db.store, async () => new Answer(await db.transaction((tx) => createGroup(tx, body, lists)))),
  )

  api.get(
    `${all}/count`,
    {
      ...read,
      schema: {
        summary: 'Count the customer groups',
        querystring: CountedGroups,
        response: { 200: t.Object({ count: t.Integer() }, { title: 'CountV2' }) },
      },
    },
    ({ db, query }) =>
      atOnce.run(db.store, async () => {
        const { meta } = await findRows(db, groups, { ...query, page: 1, limit: 1 })
        return new Answer({ count: meta.pagination?.total ?? 0 })
      }),
  )

  api.get(one, { ...read, schema: { summary: 'Get a customer group', params, ...answersOne } }, ({ db, params }) =>
    atOnce.run(db.store, async () => {
      const group = await findOne(db, groups, params.customer_group_id)
      return new Answer(await wholeGroup(db, group, lists), 200, modifiedAt(group.date_modified))
    }),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a customer group',
        description: 'Fields that the body omits remain. discount_rules replaces all rules of the group.',
        params,
        body: Changes,
        ...answersOne,
      },
    },
    ({ db, params, body }) =>
      atOnce.run(
        db.store,
        async () => new Answer(await db.transaction((tx) => changeGroup(tx, params.customer_group_id, body, lists))),
      ),
  )

  api.delete(
    one,
    {
      ...write,
      schema: { summary: 'Delete a customer group', description: 'Its members remain, without a group.', params },
    },
    ({ db, params }) =>
      atOnce.run(db.store, async () => {
        await deleteGroup(db, params.customer_group_id, lists)
        return noContent()
      }),
  )
}

/** @throws Problem 400 in the form of v2, 409 for the name */
export async function createGroup(
  tx: Tx,
  body: Static<typeof NewGroup>,
  lists: ListsOfGroups,
): Promise<Static<typeof GroupAnswer>> {
  const { category_access = { type: 'all' }, discount_rules = [] } = body
  await refuseFaulty(tx, { category_access, discount_rules })
  return withMarkEvents(tx, body, async () => {
    const now = toSeconds(tx.now)
    const group = await insert(tx, groups, {
      name: body.name,
      is_default: false,
      access_type: category_access.type,
      date_created: now,
      date_modified: now,
      is_group_for_guests: false,
    })
    await storeParts(tx, group.id, { categories: category_access.categories ?? [], rules: discount_rules })
    await storeListRule(tx, group.id, discount_rules, lists)
    await markGroups(tx, marksOf(group.id, body))
    return wholeGroup(tx, await findOne(tx, groups, group.id), lists)
  })
}

/** @throws Problem 404, 400, 409 for the name */
async function changeGroup(
  tx: Tx,
  id: number,
  body: Changes,
  lists: ListsOfGroups,
): Promise<Static<typeof GroupAnswer>> {
  await refuseFaulty(tx, body)
  return withMarkEvents(tx, body, async () => {
    const group = await lock(tx, groups, id)
    const before = (await subResourcesOfGroups(tx, [id], lists)).get(id) ?? { categories: [], rules: [] }
    const { name = group.name, category_access, discount_rules } = body
    const access_type = category_access?.type ?? group.access_type
    const parts: GroupSubResources = {
      categories: category_access ? inOrder(category_access.categories) : before.categories,
      rules: discount_rules ?? before.rules,
    }
    const isSame = isDeepStrictEqual([name, access_type, parts], [group.name, group.access_type, before])
    if (!isSame) {
      await change(tx, groups, group, { name, access_type, date_modified: toSeconds(tx.now) })
      await removeParts(tx, id)
      await storeParts(tx, id, parts)
      if (discount_rules) await storeListRule(tx, id, discount_rules, lists)
    }
    await markGroups(tx, marksOf(id, body, group))
    return wholeGroup(tx, await findOne(tx, groups, id), lists)
  })
}

/** Deletes a group. It first removes the members, in steps if they are many. @throws Problem 404 */
async function deleteGroup(db: Db, id: number, lists: ListsOfGroups) {
  await findOne(db, groups, id)
  await emptyLargeGroup(db, id)
  await db.transaction((tx) => removeGroup(tx, id, lists))
}

/** Deletes a group. Its members, who must not be many, remain without a group. @throws Problem 404 */
export const removeGroup = (tx: Tx, id: number, lists: Pick<ListsOfGroups, 'deleteListsOfGroup'>) =>
  withChannelEvents(tx, async () => {
    await lock(tx, groups, id)
    // Members that have joined meanwhile. With the group locked, nobody can join.
    await emptyGroup(tx, id)
    await removeGroupFromChannels(tx, id)
    await removeParts(tx, id)
    await lists.deleteListsOfGroup(tx, id)
    await remove(tx, groups, id)
  })

/** Runs work that may move marks. Most changes don't, and then need no lock on the settings of channels. */
const withMarkEvents = <T>(tx: Tx, body: Changes, work: () => Promise<T>): Promise<T> =>
  body.is_default === undefined && body.is_group_for_guests === undefined ? work() : withChannelEvents(tx, work)

/** The marks in a body. false removes a mark only from the group that has it. */
function marksOf(id: number, body: Changes, before?: Group): Partial<MarkedGroups> {
  const markOf = (wished: boolean | undefined, has = false) => (wished ? id : wished === false && has ? 0 : undefined)
  const marks = {
    default_customer_group_id: markOf(body.is_default, before?.is_default),
    guest_customer_group_id: markOf(body.is_group_for_guests, before?.is_group_for_guests),
  }
  return Object.fromEntries(Object.entries(marks).filter(([, mark]) => mark !== undefined))
}

/** Sorts ids and drops duplicates. */
const inOrder = (ids: readonly number[] = []) => [...new Set(ids)].sort((one, other) => one - other)

/** @throws Problem 422, which v2 answers as 400 */
async function refuseFaulty(tx: Tx, { category_access, discount_rules = [] }: Changes) {
  const { type, categories = [] } = category_access ?? { type: 'all' }
  refuse({
    ...(type !== 'specific' && category_access?.categories !== undefined
      ? { 'category_access.categories': 'Categories are given with the type specific only.' }
      : {}),
    ...(type === 'specific' && category_access?.categories === undefined
      ? { 'category_access.categories': 'error.path.missing' }
      : {}),
    ...faultyRules(discount_rules),
  })
  const named = (field: 'category_id' | 'product_id') => discount_rules.flatMap((rule) => rule[field] ?? [])
  // Categories are locked before products everywhere.
  const known = {
    category_id: await lockCategoriesShared(tx, [...categories, ...named('category_id')]),
    product_id: await lockProductsShared(tx, named('product_id')),
  }
  const mistakes: Mistakes = {}
  for (const [i, id] of categories.entries()) {
    if (!known.category_id.has(id)) mistakes[`category_access.categories.${i}`] = `There is no category ${id}.`
  }
  for (const [i, rule] of discount_rules.entries()) {
    for (const [field, noun] of [
      ['category_id', 'category'],
      ['product_id', 'product'],
    ] as const) {
      const id = rule[field]
      if (id !== undefined && !known[field].has(id))
        mistakes[`discount_rules.${i}.${field}`] = `There is no ${noun} ${id}.`
    }
  }
  refuse(mistakes)
}

async function storeParts(tx: Tx, group_id: number, { categories, rules }: GroupSubResources) {
  const [category, ...others] = inOrder(categories).map((category_id) => ({
    store_id: tx.store.id,
    group_id,
    category_id,
  }))
  if (category) await tx.rows(sql`insert into customer_group_categories ${sql.rows([category, ...others])}`)
  // A price_list rule stands alone.
  const discounts = rules.filter(({ type }) => type !== 'price_list')
  if (discounts.length === 0) return
  const rows = discounts.map((rule, position) => ({ ...rule, position }))
  await tx.rows(sql`
    insert into customer_group_rules (store_id, group_id, position, type, method, amount, category_id, product_id)
    select ${tx.store.id}, ${group_id}, position, type, method, amount, category_id, product_id
    from json_populate_recordset(null::customer_group_rules, ${JSON.stringify(rows)}::json)
    returning position`)
}

/** Stores the price list of a group, which is locked. @throws Problem 422 for an unknown list, 409 beside lists of channels */
const storeListRule = (tx: Tx, group: number, rules: readonly NewRule[], lists: ListsOfGroups) =>
  lists.replaceListOfGroup(tx, group, {
    list: rules.find(({ type }) => type === 'price_list')?.price_list_id,
    hasDiscounts: rules.some(({ type }) => type !== 'price_list'),
  })

async function removeParts(tx: Tx, id: number) {
  const here = sql`store_id = ${tx.store.id} and group_id = ${id}`
  await tx.rows(sql`delete from customer_group_categories where ${here}`)
  await tx.rows(sql`delete from customer_group_rules where ${here}`)
}

async function wholeGroup(db: Db, group: Group, lists: ListsOfGroups): Promise<Static<typeof GroupAnswer>> {
  const [whole] = await wholeGroups(db, [group], lists)
  if (!whole) throw notFound('customer group', group.id)
  return whole
}

async function wholeGroups(
  db: Db,
  rows: readonly Group[],
  lists: ListsOfGroups,
): Promise<Static<typeof GroupAnswer>[]> {
  const parts = await subResourcesOfGroups(
    db,
    rows.map(({ id }) => id),
    lists,
  )
  return rows.map(({ access_type: type, ...group }) => {
    const { categories, rules } = parts.get(group.id) ?? { categories: [], rules: [] }
    return {
      ...group,
      category_access: type === 'specific' ? { type, categories } : { type },
      discount_rules: rules.map(({ amount, ...rule }) => ({
        ...rule,
        ...(amount === undefined ? {} : { amount: amountV2(amount) }),
      })),
      date_created: dateV2(group.date_created),
      date_modified: dateV2(group.date_modified),
    }
  })
}
