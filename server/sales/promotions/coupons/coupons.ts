import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../../core/db/steps.ts'
import { textOf, unitsOf } from '../../../core/money/units.ts'
import { Answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, IdList, idSegment, NeededText } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import type { ListQuery } from '../../../core/rest/lists/collection.ts'
import { filterOf, NO_NUL } from '../../../core/rest/lists/filters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { change, findOne, insert, lock, removeAll } from '../../../core/rest/lists/verbs.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { dateV2, listV2, queryV2, rowsV2 } from '../../../core/rest/v2.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { CouponCode } from '../coupon-row.ts'
import { MarketingDate, readDate } from '../dates-v2.ts'
import { Coupon, coupons } from './row.ts'

/**
 * A coupon of the older family: a code that takes something off carts by itself. Five types say what. The list has the codes of
 * promotions too, as coupons of the type `promotion`; they can be deleted here but not changed.
 */

const { read, write } = access('marketing')

const TYPES = [
  'per_item_discount',
  'per_total_discount',
  'shipping_discount',
  'free_shipping',
  'percentage_discount',
] as const
const IDS_MAX = 10_000

const AppliesTo = t.Object({
  entity: t.Enum(['products', 'categories']),
  ids: t.Array(t.Integer({ minimum: 0, maximum: 2_147_483_647 }), { maxItems: IDS_MAX }),
})
const Uses = t.Integer({ minimum: 0, maximum: 2_147_483_647, description: '0 for no maximum' })

const Fields = t.Partial(
  t.Object({
    id: t.Unknown({ description: 'Refused' }),
    name: NeededText(100),
    code: CouponCode,
    type: t.Enum([...TYPES]),
    amount: Amount(),
    min_purchase: Amount(),
    expires: MarketingDate,
    enabled: t.Boolean(),
    applies_to: AppliesTo,
    max_uses: Uses,
    max_uses_per_customer: Uses,
    restricted_to: t.Object({ countries: t.Optional(t.String({ maxLength: 255 })) }),
    shipping_methods: t.Array(t.String({ maxLength: 255 }), { maxItems: 100 }),
  }),
)
const Changes = t.Object(Fields.properties, { title: 'CouponChanges', examples: [{ enabled: false }] })
type Changes = Static<typeof Changes>
const NewCoupon = t.Object(
  {
    ...Fields.properties,
    name: NeededText(100),
    code: CouponCode,
    type: t.Enum([...TYPES]),
    amount: Amount(),
    applies_to: AppliesTo,
  },
  {
    title: 'NewCoupon',
    examples: [
      {
        name: 'Five off',
        code: 'FIVE',
        type: 'per_total_discount',
        amount: '5.0000',
        applies_to: { entity: 'categories', ids: [0] },
      },
    ],
  },
)

const Money = t.String({ description: 'An amount with four decimals' })
const CouponAnswer = t.Object(
  {
    id: Id,
    date_created: t.String({ description: 'RFC 2822' }),
    num_uses: t.Integer(),
    name: t.String(),
    type: t.Enum([...TYPES, 'promotion']),
    amount: Money,
    min_purchase: Money,
    expires: t.String({ description: 'RFC 2822; empty for never' }),
    enabled: t.Boolean(),
    code: t.String(),
    applies_to: t.Object({ entity: t.Optional(t.String()), ids: t.Optional(t.Array(t.Integer())) }),
    max_uses: t.Integer(),
    max_uses_per_customer: t.Integer(),
    restricted_to: t.Object({ countries: t.Optional(t.String()) }),
    shipping_methods: t.Unsafe<string[] | null>({ type: ['array', 'null'] }),
  },
  { title: 'Coupon' },
)

const filters = [
  ...['id', 'code', 'type'].map((name) => filterOf(Coupon.properties, name)),
  ...['min', 'max'].map((end) => ({ ...filterOf(Coupon.properties, `id:${end}`), name: `${end}_id` })),
]
const more = {
  name: t.Optional(t.String({ pattern: NO_NUL })),
  exclude_type: t.Optional(t.String({ pattern: NO_NUL })),
}

/** The coupons of a store (docs/contract/marketing.md section 3). */
export function couponRoutesV2(api: Api) {
  const all = '/coupons'
  const one = `${all}/${idSegment('id')}`
  const params = t.Object({ id: Id })

  api.get(
    all,
    {
      ...read,
      schema: {
        summary: 'List the coupons',
        querystring: queryV2(filters, [], more),
        response: { 200: t.Array(CouponAnswer), 204: t.Null() },
      },
    },
    async ({ db, query }) => {
      const rows = await rowsV2(db, { collection: coupons, filters, query, where: conditionOf(db, query) })
      return listV2(await toAnswers(db, rows))
    },
  )

  api.post(
    all,
    { ...write, schema: { summary: 'Create a coupon', body: NewCoupon, response: { 201: CouponAnswer } } },
    async ({ db, body }) => new Answer(toAnswer(await db.transaction((tx) => createCoupon(tx, body)), ''), 201),
  )

  api.delete(
    all,
    {
      ...write,
      schema: {
        summary: 'Delete coupons',
        description: 'Without ids all coupons are deleted, and the codes of promotions with them.',
        querystring: t.Object({ 'id:in': t.Optional(IdList) }, { examples: [{ 'id:in': '1' }] }),
      },
    },
    async ({ db, query }) => {
      await deleteCoupons(db, query['id:in'])
      return noContent()
    },
  )

  api.get(
    `${all}/count`,
    {
      ...read,
      schema: {
        summary: 'Count the coupons',
        operationId: 'countCoupons',
        response: { 200: t.Object({ count: t.Integer() }, { title: 'CouponCount' }) },
      },
    },
    async ({ db }) => {
      const { count } = await db.row<{ count: number }>(
        prepared(sql`
        select coalesce((
          select total from counters where store_id = ${db.store.id} and resource = ${coupons.table}
        ), 0)::int as count`),
      )
      return new Answer({ count })
    },
  )

  api.get(
    one,
    { ...read, schema: { summary: 'Get a coupon', params, response: { 200: CouponAnswer } } },
    async ({ db, params }) => new Answer((await toAnswers(db, [await findOne(db, coupons, params.id)]))[0]),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a coupon',
        description:
          'Fields that the body leaves out keep their values, except for applies_to: without it the coupon matches nothing.',
        params,
        body: Changes,
        response: { 200: CouponAnswer },
      },
    },
    async ({ db, params, body }) =>
      new Answer(toAnswer(await db.transaction((tx) => changeCoupon(tx, params.id, body)), '')),
  )

  api.delete(one, { ...write, schema: { summary: 'Delete a coupon', params } }, async ({ db, params }) => {
    await db.transaction(async (tx) => {
      await lock(tx, coupons, params.id)
      await removeAll(tx, coupons, sql`id = ${params.id}`)
    })
    return noContent()
  })
}

/** The name of a promotion is that of its codes too. */
function conditionOf(db: Db, { name, exclude_type }: ListQuery): Sql {
  const { id: store } = db.store
  const key = fold(String(name ?? ''))
  return sql.and([
    ...(name === undefined
      ? []
      : [
          sql`(name_key = ${key} or promotion_id = any(array(
          select id from promotions where store_id = ${store} and name_key = ${key}
        )))`,
        ]),
    ...(exclude_type === undefined ? [] : [sql`type <> ${String(exclude_type)}`]),
  ])
}

async function toAnswers(db: Db, rows: readonly Coupon[]): Promise<Static<typeof CouponAnswer>[]> {
  const promotions = rows.flatMap(({ promotion_id }) => promotion_id ?? [])
  const found =
    promotions.length === 0
      ? []
      : await db.rows<{ id: number; name: string }>(
          prepared(sql`
          select id, name from promotions where store_id = ${db.store.id} and id = any(${[...new Set(promotions)]})`),
        )
  const names = new Map(found.map(({ id, name }) => [id, name]))
  return rows.map((row) => toAnswer(row, names.get(row.promotion_id ?? 0) ?? ''))
}

/** @param promotion the name of the promotion of a code */
const toAnswer = (coupon: Coupon, promotion: string): Static<typeof CouponAnswer> => ({
  id: coupon.id,
  date_created: dateV2(coupon.created),
  num_uses: coupon.current_uses,
  name: coupon.name ?? promotion,
  type: coupon.type,
  amount: textOf(unitsOf(coupon.amount ?? 0)),
  min_purchase: textOf(unitsOf(coupon.min_purchase ?? 0)),
  expires: coupon.expires === null ? '' : dateV2(coupon.expires),
  enabled: coupon.enabled ?? true,
  code: coupon.code,
  applies_to: coupon.applies_to ?? {},
  max_uses: coupon.max_uses,
  max_uses_per_customer: coupon.max_uses_per_customer,
  restricted_to: coupon.restricted_to ?? {},
  shipping_methods: coupon.shipping_methods,
})

/** @throws Problem 400, 409 */
export function createCoupon(tx: Tx, body: Static<typeof NewCoupon>): Promise<Coupon> {
  const { name, code, type, amount, applies_to } = body
  const blank = {
    promotion_id: null,
    name,
    code,
    type,
    amount,
    applies_to,
    min_purchase: 0,
    expires: null,
    enabled: true,
    max_uses: 0,
    max_uses_per_customer: 0,
    current_uses: 0,
    restricted_to: {},
    shipping_methods: [],
  }
  const coupon = settled(blank, body)
  return insert(tx, coupons, { ...coupon, created: toSeconds(tx.now) })
}

/** @throws Problem 400, 404, 409 */
async function changeCoupon(tx: Tx, id: number, body: Changes): Promise<Coupon> {
  const before = await lock(tx, coupons, id)
  if (before.type === 'promotion') {
    throw new Problem(400, 'This is the code of a promotion: delete it and create another one at its promotion.')
  }
  return change(tx, coupons, before, settled({ ...before, applies_to: null }, body))
}

/** A coupon with the changes of a body. @throws Problem 400 by field */
function settled<Settled extends Omit<Coupon, 'id' | 'created'>>(coupon: Settled, body: Changes): Settled {
  const mistakes: Mistakes = {}
  const { id, expires, code, ...fields } = body
  if (id !== undefined) {
    const sentence = "The field 'id' cannot be written to. Please remove it from your request before trying again."
    throw new Problem(400, sentence, { id: sentence })
  }
  const after = { ...coupon, ...fields }
  if (code !== undefined) after.code = code.trim()
  if (after.code === '') mistakes.code = 'code must not be blank.'
  if (expires !== undefined) after.expires = readDate(expires, 'expires', mistakes)
  if (after.type === 'percentage_discount' && (after.amount ?? 0) > 100) {
    mistakes.amount = 'amount must be at most 100 for a percentage_discount.'
  }
  refuse(mistakes)
  return after
}

const deleteCoupons = (db: Db, ids: readonly number[] | undefined) =>
  inSteps(db, async (tx) => {
    const found = await tx.rows<{ id: number }>(sql`
      select id from coupons where store_id = ${tx.store.id} and ${ids ? sql`id = any(${ids})` : sql`true`}
      order by id limit ${STEP_ROWS} for update`)
    const deleted = found.map(({ id }) => id)
    await removeAll(tx, coupons, sql`id = any(${deleted})`)
    return deleted.length === STEP_ROWS
  })
