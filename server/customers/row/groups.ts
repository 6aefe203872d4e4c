import Big from 'big.js'
import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { lockIdsShared } from '../../core/rest/batch.ts'
import { Amount } from '../../core/rest/input/amounts.ts'
import { toSeconds } from '../../core/rest/input/dates.ts'
import { Id, Moment, NeededLine } from '../../core/rest/input/fields.ts'
import { type Mistakes, repeated } from '../../core/rest/input/mistakes.ts'
import { collection } from '../../core/rest/lists/collection.ts'
import { insertAll, type NewIds } from '../../core/rest/lists/verbs.ts'

// Customer groups. Their routes are in groups-v2.ts.
//
// A customer group gives its members discounts and decides which categories they see. A merchant creates it through the API. A customer is in
// one group at most, set with the customer; group 0 is none. A group has either one price list, or discount rules for all products, for
// categories and for products. One group of a store may be the default of new customers, and one may stand for guests; setting a mark takes it from
// the previous group, and each channel may name other groups in its settings. The name of a group is unique. Deleting a product or category
// deletes its rules. Deleting a group removes its members first and publishes no events about them. A group never changes prices of
// orders that exist.

/** Most rules and most categories of a group. More are refused: 400 (docs/contract/customer-groups.md section 4). */
export const RULES_MAX = 1_000
const CATEGORIES_MAX = 1_000

const AccessType = t.Enum(['all', 'specific', 'none'])

/** The row of a group. Categories and rules have tables of their own. */
export const Group = t.Object({
  id: Id,
  name: NeededLine,
  is_default: t.Boolean(),
  access_type: AccessType,
  date_created: Moment,
  date_modified: Moment,
  is_group_for_guests: t.Boolean(),
})
export type Group = Static<typeof Group>

export const groups = collection('customer_groups', Group, {
  noun: 'customer group',
  filters: `name name:like is_default is_group_for_guests
    date_created date_created:min date_created:max date_modified date_modified:min date_modified:max`,
  conflicts: { customer_groups_name_unique: ['A customer group with this name already exists.', 'name'] },
})

export const CategoryAccess = t.Object(
  { type: AccessType, categories: t.Optional(t.Array(Id, { maxItems: CATEGORIES_MAX })) },
  { title: 'CategoryAccess' },
)
export type CategoryAccess = Static<typeof CategoryAccess>

/** The type of a rule decides which other fields it needs (`faultyRules`). */
const RuleType = t.Enum(['price_list', 'all', 'category', 'product'])
const Method = t.Enum(['percent', 'price', 'fixed'])
export const NewRule = t.Object(
  {
    type: RuleType,
    method: t.Optional(Method),
    amount: t.Optional(Amount()),
    price_list_id: t.Optional(Id),
    category_id: t.Optional(Id),
    product_id: t.Optional(Id),
  },
  { title: 'NewDiscountRule' },
)
export type NewRule = Static<typeof NewRule>

export const Rule = t.Object(
  {
    ...NewRule.properties,
    amount: t.Optional(t.String({ description: 'With four decimals' })),
  },
  { title: 'DiscountRule' },
)

/** The fields that a rule of each type needs. It has no others. */
const NEEDED = {
  price_list: ['price_list_id'],
  all: ['method', 'amount'],
  category: ['category_id', 'method', 'amount'],
  product: ['product_id', 'method', 'amount'],
} as const satisfies Record<NewRule['type'], readonly (keyof NewRule)[]>

/** The mistakes of rules that can be found without the database (docs/contract/customer-groups.md section 3). */
export function faultyRules(rules: readonly NewRule[]): Mistakes {
  const mistakes: Mistakes = {}
  const place = (i: number, field: string) => `discount_rules.${i}.${field}`
  for (const [i, rule] of rules.entries()) {
    const needed: readonly string[] = NEEDED[rule.type]
    for (const field of needed) if (!(field in rule)) mistakes[place(i, field)] = 'error.path.missing'
    for (const field of Object.keys(rule)) {
      if (field === 'type' || needed.includes(field)) continue
      mistakes[place(i, field)] = `A rule of the type ${rule.type} has no ${field}.`
    }
    if (rule.method === 'percent' && (rule.amount ?? 0) > 100) {
      mistakes[place(i, 'amount')] = `amount must be at most 100 percent, not ${rule.amount}.`
    }
  }
  const hasList = rules.some(({ type }) => type === 'price_list')
  if (hasList && rules.length > 1) {
    mistakes.discount_rules = 'A price list stands alone: there are no further rules beside it.'
  }
  const targetOf = ({ type, category_id, product_id }: NewRule) =>
    type === 'price_list' ? undefined : `${type} ${category_id ?? product_id ?? ''}`
  const sentence = 'Another rule is for the same.'
  return { ...mistakes, ...repeated(rules, targetOf, (i) => place(i, 'type'), sentence) }
}

/** The sub-resources of a group. */
export interface GroupSubResources {
  /** Sorted; empty unless the access is specific. */
  categories: number[]
  rules: NewRule[]
}

/**
 * The price lists of groups. A group's price_list rule is an assignment of pricing, an area above: `app.ts` passes its functions.
 */
export interface ListsOfGroups {
  /** The lists of groups that have one, by the group. */
  listsOfGroups(db: Db, groups: readonly number[]): Promise<ReadonlyMap<number, number>>
  /**
   * Gives a locked group another list, or none.
   * @throws Problem 422 for an unknown list, 409 for discounts of a group that has lists in channels
   */
  replaceListOfGroup(
    tx: Tx,
    group: number,
    rules: { list: number | undefined; hasDiscounts: boolean },
  ): Promise<unknown>
  /** In the transaction that deletes a group. */
  deleteListsOfGroup(tx: Tx, group: number): Promise<void>
}

/**
 * Creates groups without rules, with access to all categories. The caller has taken their ids.
 * @throws Problem 409 for a name in use
 */
export async function insertGroups(tx: Tx, ids: NewIds, names: readonly string[]): Promise<number[]> {
  const now = toSeconds(tx.now)
  const stored = await insertAll(
    tx,
    groups,
    names.map((name) => ({
      id: ids.next(groups),
      name,
      is_default: false,
      access_type: 'all' as const,
      date_created: now,
      date_modified: now,
      is_group_for_guests: false,
    })),
  )
  return stored.map(({ id }) => id)
}

/** The groups among these that have discount rules. */
export async function discountedGroups(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db.rows<{ group_id: number }>(
    prepared(sql`
    select distinct group_id from customer_group_rules where store_id = ${db.store.id} and group_id = any(${ids})`),
  )
  return new Set(rows.map(({ group_id }) => group_id))
}

/** Reads categories and rules of groups, by group. */
export async function subResourcesOfGroups(
  db: Db,
  ids: readonly number[],
  { listsOfGroups }: Pick<ListsOfGroups, 'listsOfGroups'>,
): Promise<ReadonlyMap<number, GroupSubResources>> {
  const { rows, lists } = await db.together(() => ({
    rows: storedSubResources(db, ids),
    lists: listsOfGroups(db, ids),
  }))
  return new Map(
    rows.map(({ id, categories, rules }) => {
      const price_list_id = lists.get(id)
      return [id, { categories, rules: price_list_id === undefined ? rules : [{ type: 'price_list', price_list_id }] }]
    }),
  )
}

function storedSubResources(db: Db, ids: readonly number[]) {
  const { id: store } = db.store
  return db.rows<{ id: number } & GroupSubResources>(
    prepared(sql`
    select id,
      (select coalesce(jsonb_agg(category_id order by category_id), '[]') from customer_group_categories access
        where access.store_id = ${store} and access.group_id = customer_groups.id) as categories,
      (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('type', type, 'method', method, 'amount', amount,
          'category_id', category_id, 'product_id', product_id)) order by position), '[]')
        from customer_group_rules rule where rule.store_id = ${store} and rule.group_id = customer_groups.id) as rules
    from customer_groups where store_id = ${store} and id = any(${ids})`),
  )
}

/** An amount in the v2 API: `12.5000`. */
export const amountV2 = (amount: number): string => new Big(amount).toFixed(4)

/**
 * Locks groups against deletion until the transaction ends. Groups are locked before customers, as in the deletion of a group.
 * @returns the ids of the existing ones
 */
export const lockGroupsShared = (tx: Tx, ids: readonly number[]): Promise<Set<number>> => lockIdsShared(tx, groups, ids)

/** The names of groups, by id. */
export async function groupNames(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const wanted = [...new Set(ids)].filter((id) => id !== 0)
  if (wanted.length === 0) return new Map()
  const rows = await db.rows<Pick<Group, 'id' | 'name'>>(
    prepared(sql`select id, name from customer_groups where store_id = ${db.store.id} and id = any(${wanted})`),
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The name of a group, as a column of any statement; null for none. @param id a column */
export const groupNameColumn = ({ store }: Pick<Db, 'store'>, id: Sql): Sql =>
  sql`(select name from customer_groups where store_id = ${store.id} and id = ${id})`

/** The group of new customers and the group of guests. 0 for none. */
export interface MarkedGroups {
  default_customer_group_id: number
  guest_customer_group_id: number
}

export async function markedGroups(db: Db): Promise<MarkedGroups> {
  const rows = await db.rows<Pick<Group, 'id' | 'is_default' | 'is_group_for_guests'>>(
    prepared(sql`
    select id, is_default, is_group_for_guests from customer_groups
    where store_id = ${db.store.id} and (is_default or is_group_for_guests)`),
  )
  return {
    default_customer_group_id: rows.find(({ is_default }) => is_default)?.id ?? 0,
    guest_customer_group_id: rows.find(({ is_group_for_guests }) => is_group_for_guests)?.id ?? 0,
  }
}

const MARKS = { default_customer_group_id: 'is_default', guest_customer_group_id: 'is_group_for_guests' } as const

/**
 * Moves marks. The previous group loses a mark first, since only one group may have it.
 * @param marks the ids of existing groups; 0 for none
 */
export async function markGroups(tx: Tx, marks: Partial<MarkedGroups>) {
  for (const field of ['default_customer_group_id', 'guest_customer_group_id'] as const) {
    const id = marks[field]
    if (id === undefined) continue
    const [column, now] = [sql.id(MARKS[field]), toSeconds(tx.now)]
    await tx.rows(sql`
      update customer_groups set ${column} = false, date_modified = ${now}
      where store_id = ${tx.store.id} and ${column} and id <> ${id}`)
    await tx.rows(sql`
      update customer_groups set ${column} = true, date_modified = ${now}
      where store_id = ${tx.store.id} and id = ${id} and not ${column}`)
  }
}

/** Deletes the rules for deleted products. `app.ts` passes it to the catalog. */
export async function deleteProductRules(tx: Tx, productIds: readonly number[]) {
  await tx.rows(sql`
    delete from customer_group_rules where store_id = ${tx.store.id} and product_id = any(${productIds}) returning group_id`)
}

/** Deletes the rules for deleted categories, and the access of groups to them. */
export async function deleteCategoryAccess(tx: Tx, categoryIds: readonly number[]) {
  const here = sql`store_id = ${tx.store.id} and category_id = any(${categoryIds})`
  await tx.rows(sql`delete from customer_group_rules where ${here} returning group_id`)
  await tx.rows(sql`delete from customer_group_categories where ${here} returning group_id`)
}
