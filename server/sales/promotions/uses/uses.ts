import { type Db, type NamedQuery, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import type { CompiledPromotions } from '../engine/compile.ts'

// Uses of promotions and coupons by orders (docs/contract/promotions.md section 8).
//
// An order lists the promotions and coupons that it used when it was created. A payment reserves these uses before it is sent, so that
// shoppers who pay at once never exceed a maximum. When the order is placed, its uses are counted; a payment that fails releases them. A
// counted use stays counted: a cancelled or refunded order gives nothing back. Only uses with a maximum are reserved. A use that was not
// reserved, such as that of an order whose status a merchant sets, is counted beyond the maximum too.
//
// Transactions lock rows in this order: order, products, promotions, coupons, events.

/** The promotions and coupons that an order uses, and its customer. */
export interface NewUses {
  order_id: number
  customer: UsingCustomer
  promotions: readonly number[]
  coupons: readonly number[]
}

/** The customer whose uses of a coupon are counted. Guests (customer_id 0) are known by their e-mail address. */
export interface UsingCustomer {
  customer_id: number
  email: string
}

/** A use without an e-mail address belongs to nobody, so no maximum of a customer applies. */
const NOBODY = ''

const customerKey = ({ customer_id, email }: UsingCustomer): string => {
  if (customer_id > 0) return `customer ${customer_id}`
  return email === '' ? NOBODY : `guest ${fold(email)}`
}

/** Stores the uses of a new order. */
export async function listUses(tx: Tx, { order_id, customer, promotions, coupons }: NewUses) {
  const use = { store_id: tx.store.id, order_id, customer_key: customerKey(customer), state: 'listed' }
  const [first, ...others] = [
    ...[...new Set(promotions)].map((promotion_id) => ({ ...use, promotion_id, coupon_id: 0 })),
    ...[...new Set(coupons)].map((coupon_id) => ({ ...use, promotion_id: 0, coupon_id })),
  ]
  if (first) await tx.rows(sql`insert into promotion_uses ${sql.rows([first, ...others])}`)
}

/** A promotion or a coupon without a use left for an order. */
export interface UsedUp {
  kind: 'promotion' | 'coupon'
  /** The name of the promotion or the code of the coupon. */
  name: string
}

/**
 * Reserves the listed uses of an order that have a maximum. A second call reserves nothing more. Deleted promotions and coupons have no
 * maximum.
 * @param order_id of a locked order
 * @returns the promotions and coupons without a use left; then nothing is reserved
 */
export async function reserveUses(tx: Tx, order_id: number): Promise<UsedUp[]> {
  const listed = await usesIn(tx, order_id, ['listed'])
  if (listed.length === 0) return []
  const promotions = await lockLimited<LimitedPromotion>(
    tx,
    sql`select id, name, max_uses, current_uses + reserved_uses as used from promotions`,
    { ids: listed.map(({ promotion_id }) => promotion_id), limit: sql`max_uses > 0` },
  )
  const coupons = await lockLimited<LimitedCoupon>(
    tx,
    sql`select id, code as name, max_uses, max_uses_per_customer, current_uses + reserved_uses as used from coupons`,
    { ids: listed.map(({ coupon_id }) => coupon_id), limit: sql`(max_uses > 0 or max_uses_per_customer > 0)` },
  )
  const customer = listed[0]?.customer_key ?? NOBODY
  // Counted after the locks: payments of this customer that were faster have committed.
  const own = await usesOf(tx, customer, coupons)
  const usedUp: UsedUp[] = [
    ...promotions.filter(isUsedUp).map(({ name }) => ({ kind: 'promotion' as const, name })),
    ...coupons
      .filter((coupon) => isUsedUp(coupon) || isUsedUpBy(coupon, own))
      .map(({ name }) => ({ kind: 'coupon' as const, name })),
  ]
  if (usedUp.length > 0) return usedUp
  const statements = changing(tx, order_id, {
    uses: reservable(promotions, coupons),
    state: 'reserved',
    totals: sql`reserved_uses = total.reserved_uses + 1`,
  })
  await tx.together(() => statements.map((statement) => tx.rows(statement)))
  return []
}

interface LimitedPromotion {
  id: number
  name: string
  max_uses: number
  /** Counted and reserved. */
  used: number
}

interface LimitedCoupon extends LimitedPromotion {
  max_uses_per_customer: number
}

const isUsedUp = ({ max_uses, used }: Pick<LimitedPromotion, 'max_uses' | 'used'>) => max_uses > 0 && used >= max_uses

const isUsedUpBy = ({ id, max_uses_per_customer: max }: LimitedCoupon, own: ReadonlyMap<number, number>) =>
  max > 0 && (own.get(id) ?? 0) >= max

interface UseRow {
  promotion_id: number
  coupon_id: number
  customer_key: string
}

const usesIn = (tx: Tx, order_id: number, states: readonly ('listed' | 'reserved')[]): Promise<UseRow[]> =>
  tx.rows<UseRow>(
    prepared(sql`
    select promotion_id, coupon_id, customer_key from promotion_uses
    where store_id = ${tx.store.id} and order_id = ${order_id} and state = any(${states}::text[])`),
  )

/** Locks those of some promotions or coupons that have a maximum, in the order of their ids. */
async function lockLimited<Row>(
  tx: Tx,
  select: Sql,
  { ids, limit }: { ids: readonly number[]; limit: Sql },
): Promise<Row[]> {
  const wanted = ids.filter((id) => id > 0)
  if (wanted.length === 0) return []
  return tx.rows<Row>(
    prepared(sql`${select}
    where store_id = ${tx.store.id} and id = any(${wanted}::int[]) and ${limit} order by id for update`),
  )
}

/** The reserved and counted uses of coupons by a customer, by coupon. */
async function usesOf(
  db: Db,
  customer: string,
  coupons: readonly Pick<LimitedCoupon, 'id' | 'max_uses_per_customer'>[],
): Promise<ReadonlyMap<number, number>> {
  const ids = coupons.flatMap(({ id, max_uses_per_customer }) => (max_uses_per_customer > 0 ? [id] : []))
  if (ids.length === 0 || customer === NOBODY) return new Map()
  const rows = await db.rows<{ coupon_id: number; used: number }>(
    prepared(sql`
    select coupon_id, count(*)::int as used from promotion_uses
    where store_id = ${db.store.id} and coupon_id = any(${ids}::int[]) and coupon_id > 0 and customer_key = ${customer}
      and state <> 'listed'
    group by coupon_id`),
  )
  return new Map(rows.map(({ coupon_id, used }) => [coupon_id, used]))
}

const reservable = (promotions: readonly { id: number }[], coupons: readonly { id: number }[]): Sql => sql`
  state = 'listed' and (promotion_id = any(${promotions.map(({ id }) => id)}::int[])
    or coupon_id = any(${coupons.map(({ id }) => id)}::int[]))`

/** Releases the reserved uses of an order whose payment has failed. @param order_id of a locked order */
export async function releaseUses(tx: Tx, order_id: number) {
  if ((await usesIn(tx, order_id, ['reserved'])).length === 0) return
  const statements = changing(tx, order_id, {
    uses: sql`state = 'reserved'`,
    state: 'listed',
    totals: sql`reserved_uses = total.reserved_uses - 1`,
  })
  await tx.together(() => statements.map((statement) => tx.rows(statement)))
}

/**
 * Counts the uses of an order that is placed. A promotion whose maximum is reached becomes DISABLED. A second call counts nothing. The
 * statements leave right before the commit, because all orders of a promotion update the same row.
 * @param order_id of a locked order
 */
export async function countUses(tx: Tx, order_id: number) {
  if ((await usesIn(tx, order_id, ['listed', 'reserved'])).length === 0) return
  const statements = changing(tx, order_id, {
    uses: sql`state <> 'counted'`,
    state: 'counted',
    totals: sql`current_uses = total.current_uses + 1, reserved_uses = total.reserved_uses - (use.state = 'reserved')::int`,
    ofPromotions: sql`, status = case
      when total.status = 'ENABLED' and total.max_uses > 0 and total.current_uses + 1 >= total.max_uses then 'DISABLED'
      else total.status end`,
  })
  tx.beforeCommit(() => [statements], { comesFirst: true })
}

/** A change of uses from one state to another, with the totals of their promotions and coupons. */
interface UseChange {
  /** The uses that change. */
  uses: Sql
  state: string
  totals: Sql
  ofPromotions?: Sql
}

/** Statements to be sent together: they lock the promotions and coupons of uses, update their totals, and change the uses. */
function changing({ store }: Tx, order_id: number, { uses, state, totals, ofPromotions }: UseChange): NamedQuery[] {
  const here = sql`store_id = ${store.id} and order_id = ${order_id} and ${uses}`
  return [
    prepared(sql`
    select id from promotions where store_id = ${store.id}
      and id in (select promotion_id from promotion_uses where ${here}) order by id for update`),
    prepared(sql`
    select id from coupons where store_id = ${store.id}
      and id in (select coupon_id from promotion_uses where ${here}) order by id for update`),
    prepared(sql`
    update promotions total set ${totals} ${ofPromotions ?? sql``}
    from (select promotion_id, state from promotion_uses where ${here}) as use
    where total.store_id = ${store.id} and total.id = use.promotion_id returning total.id`),
    prepared(sql`
    update coupons total set ${totals} from (select coupon_id, state from promotion_uses where ${here}) as use
    where total.store_id = ${store.id} and total.id = use.coupon_id returning total.id`),
    prepared(sql`update promotion_uses set state = ${state} where ${here} returning order_id`),
  ]
}

/** Returns the promotions of a store whose uses are used up, with the payments under way. */
export async function usedUpPromotions(
  db: Db,
  { automatic, coupons: ofCodes }: Pick<CompiledPromotions, 'automatic' | 'coupons'>,
): Promise<ReadonlySet<number>> {
  const ids = [...automatic, ...ofCodes.values()].flatMap(({ promotion: { id, max_uses } }) => (max_uses ? [id] : []))
  if (ids.length === 0) return new Set()
  const rows = await db.rows<{ id: number }>(
    prepared(sql`
    select id from promotions where store_id = ${db.store.id} and id = any(${ids}::int[])
      and max_uses > 0 and current_uses + reserved_uses >= max_uses`),
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * The condition that the uses of a row of `coupons` are used up, for everybody or for a customer, with the payments under way.
 * @param customer of the cart; undefined if it is not known yet
 */
export function isCouponUsedUp({ store }: Db, customer: UsingCustomer | undefined): Sql {
  const key = customer ? customerKey(customer) : NOBODY
  return sql`(max_uses > 0 and current_uses + reserved_uses >= max_uses
    or max_uses_per_customer > 0 and ${key}::text <> '' and max_uses_per_customer <= (
      select count(*) from promotion_uses
      where store_id = ${store.id} and coupon_id = coupons.id and coupon_id > 0 and customer_key = ${key} and state <> 'listed'))`
}
