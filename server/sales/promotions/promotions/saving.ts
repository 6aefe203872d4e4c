import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { countryOf } from '../../../core/geography/countries.ts'
import { parseDate, toSeconds } from '../../../core/rest/input/dates.ts'
import { Line, NeededLine, nullable } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { change, findOne, insert, lock } from '../../../core/rest/lists/verbs.ts'
import { Problem, unknownId } from '../../../core/rest/problem.ts'
import { changeStamp } from '../../../core/stamps/stamps.ts'
import { lockGifts } from '../../../goods/catalog/product-row/gifts.ts'
import { ChannelId, knownChannels } from '../../../shop/channels/channels.ts'
import { currencyPair } from '../../../shop/channels/currencies/shape.ts'
import { type Promotion, type PromotionRule, WEEK_DAYS } from '../engine/promotion.ts'
import { promotionMistakes } from '../engine/refusals.ts'
import { repeatsWithoutEnd } from '../engine/repetition.ts'
import { Customers, Rules, readCustomers, readRules } from './rule-bodies.ts'
import { type PromotionRow, promotions } from './shape.ts'

// Creates and changes promotions. The promotions of a store change one after another: the first statement about them changes their stamp.

const ENABLED_MAX = 1_000

const DateText = t.String({ format: 'date-time' })
const TimeOfDay = t.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d$', description: '`HH:MM:SS`' })
const Countries = t.Array(t.Object({ iso2_country_code: t.String({ minLength: 2, maxLength: 2 }) }), {
  minItems: 1,
  maxItems: 300,
})
const NOTIFICATION_TYPES = ['PROMOTION', 'UPSELL', 'ELIGIBLE', 'APPLIED'] as const
const LOCATIONS = ['HOME_PAGE', 'PRODUCT_PAGE', 'CART_PAGE', 'CHECKOUT_PAGE'] as const

const Fields = {
  redemption_type: t.String({ description: '`AUTOMATIC` or `COUPON`' }),
  name: NeededLine,
  rules: Rules,
  display_name: t.Optional(Line),
  channels: t.Optional(
    t.Array(t.Object({ id: ChannelId }), { maxItems: 1_000, description: 'Empty for all channels' }),
  ),
  customer: t.Optional(Customers),
  max_uses: t.Optional(nullable(t.Integer({ minimum: 0, maximum: 2_147_483_647 }))),
  status: t.Optional(t.String({ description: '`ENABLED` or `DISABLED`' })),
  start_date: t.Optional(DateText),
  end_date: t.Optional(nullable(DateText)),
  stop: t.Optional(t.Boolean()),
  can_be_used_with_other_promotions: t.Optional(t.Boolean()),
  currency_code: t.Optional(t.String({ minLength: 1, maxLength: 3, description: '`*` for all currencies' })),
  notifications: t.Optional(
    t.Array(
      t.Object({
        content: t.String({ minLength: 1, maxLength: 65_535 }),
        type: t.String({ description: NOTIFICATION_TYPES.join(', ') }),
        locations: t.Array(t.String({ description: LOCATIONS.join(', ') }), { maxItems: 20 }),
      }),
      { maxItems: 50 },
    ),
  ),
  shipping_address: t.Optional(
    t.Union([
      t.Object({ countries: t.Optional(Countries), not: t.Optional(t.Object({ countries: Countries })) }),
      t.Null(),
    ]),
  ),
  schedule: t.Optional(
    t.Union([
      t.Object({
        week_frequency: t.Integer({ minimum: 1, maximum: 1_000 }),
        week_days: t.Array(t.Enum([...WEEK_DAYS]), { minItems: 1, maxItems: 7 }),
        daily_start_time: TimeOfDay,
        daily_end_time: TimeOfDay,
      }),
      t.Null(),
    ]),
  ),
  coupon_overrides_other_promotions: t.Optional(t.Boolean()),
  coupon_overrides_automatic_when_offering_higher_discounts: t.Optional(t.Boolean()),
  coupon_type: t.Optional(t.Enum(['SINGLE', 'BULK'])),
}

export const NewPromotion = t.Object(Fields, {
  title: 'NewPromotion',
  examples: [
    {
      redemption_type: 'COUPON',
      name: 'Ten percent',
      coupon_type: 'BULK',
      rules: [{ action: { cart_value: { discount: { percentage_amount: '10' } } } }],
    },
  ],
})
type NewPromotion = Static<typeof NewPromotion>
export const PromotionChanges = t.Partial(t.Object(Fields), {
  title: 'PromotionChanges',
  examples: [{ name: 'Ten percent off', stop: true }],
})
type Changes = Static<typeof PromotionChanges>

/** @throws Problem 403 at a maximum, 422 */
export async function createPromotion(tx: Tx, body: NewPromotion): Promise<PromotionRow> {
  const mistakes: Mistakes = {}
  const redemption_type = readEnum(body.redemption_type, ['AUTOMATIC', 'COUPON'], {
    field: 'redemption_type',
    mistakes,
  })
  const { standard } = await currencyPair(tx, undefined)
  const blank: Omit<PromotionRow, 'id'> = {
    redemption_type: redemption_type ?? 'AUTOMATIC',
    name: body.name,
    display_name: '',
    channels: [],
    customer: { group_ids: [], minimum_order_count: 0, excluded_group_ids: [], segments: null },
    rules: [],
    current_uses: 0,
    max_uses: null,
    status: 'ENABLED',
    start_date: toSeconds(tx.now),
    end_date: null,
    stop: false,
    can_be_used_with_other_promotions: true,
    currency_code: standard.currency_code,
    notifications: [],
    shipping_address: null,
    schedule: null,
    created_from: 'api',
    coupon_overrides_other_promotions: false,
    coupon_overrides_automatic_when_offering_higher_discounts: false,
    coupon_type: body.coupon_type ?? 'SINGLE',
    priority: null,
    gifts: { products: [], variants: [] },
    bytes: 0,
  }
  const row = await settled(tx, blank, body, mistakes)
  await changeStamp(tx, 'promotions')
  await refuseTooManyEnabled(tx, row)
  const priority = row.redemption_type === 'AUTOMATIC' ? await nextPriority(tx) : null
  return insert(tx, promotions, { ...row, priority })
}

/** @throws Problem 403 at a maximum, 404, 422 */
export async function changePromotion(tx: Tx, id: number, body: Changes): Promise<PromotionRow> {
  const mistakes: Mistakes = {}
  const { redemption_type, coupon_type, ...changes } = body
  const read = await findOne(tx, promotions, id)
  if (redemption_type !== undefined && redemption_type.toUpperCase() !== read.redemption_type) {
    mistakes.redemption_type = `The redemption_type of this promotion is ${read.redemption_type} and can't be changed.`
  }
  if (coupon_type !== undefined && coupon_type !== read.coupon_type) {
    mistakes.coupon_type = `The coupon_type of this promotion is ${read.coupon_type} and can't be changed.`
  }
  // Products and variants of gifts are locked before promotions, as their deletion does.
  await settled(tx, read, changes, mistakes)
  await changeStamp(tx, 'promotions')
  const before = await lock(tx, promotions, id)
  const row = await settled(tx, before, changes, {})
  await refuseTooManyEnabled(tx, row)
  return change(tx, promotions, before, row)
}

/** A promotion with the changes of a body; its gifts are locked. @throws Problem 422 by field */
async function settled<Row extends Omit<PromotionRow, 'id'>>(
  tx: Tx,
  before: Row,
  body: Omit<Changes, 'redemption_type' | 'coupon_type'>,
  mistakes: Mistakes,
): Promise<Row> {
  const { rules, customer, status, start_date, end_date, currency_code, notifications, shipping_address, ...plain } =
    body
  const row = { ...before, ...plain }
  if (rules) row.rules = readRules(rules, mistakes)
  if (customer) row.customer = readCustomers(customer, mistakes)
  if (start_date !== undefined) row.start_date = momentOf(start_date)
  if (end_date !== undefined) row.end_date = end_date === null ? null : momentOf(end_date)
  if (notifications) row.notifications = readNotifications(notifications, mistakes)
  if (shipping_address !== undefined) row.shipping_address = readAddress(shipping_address, mistakes)
  if (row.end_date !== null && row.end_date < row.start_date) {
    mistakes[end_date === undefined ? 'start_date' : 'end_date'] = 'end_date must not be before start_date.'
  }
  if (currency_code !== undefined) row.currency_code = await readCurrency(tx, currency_code, mistakes)
  if (body.channels) await refuseUnknownChannels(tx, body.channels, mistakes)
  refuseCustomers(row.customer, mistakes)
  refuseOverrides(row, mistakes)
  if (Object.keys(mistakes).length === 0) Object.assign(mistakes, promotionMistakes(row))
  const { gifts, faults } = await giftsOf(tx, row.rules)
  row.gifts = gifts
  const isRevived = rules !== undefined || status !== undefined
  if (rules) Object.assign(mistakes, faults)
  const given = status === undefined ? undefined : readStatus(status, mistakes)
  refuse(mistakes)
  if (given) row.status = given
  else if (rules && row.status === 'INVALID') row.status = 'ENABLED'
  row.status = statusOf(row, isRevived && Object.keys(faults).length > 0)
  const parts = [row.rules, row.notifications, row.customer]
  row.bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(JSON.stringify(part)), 0)
  return row
}

/** The status that a promotion can have: INVALID and DISABLED are set by the server too. */
function statusOf({ status, rules, max_uses, current_uses }: Omit<PromotionRow, 'id'>, lacksGift: boolean) {
  if (lacksGift || rules.some(repeatsWithoutEnd)) return 'INVALID'
  const isUsedUp = max_uses !== null && max_uses > 0 && current_uses >= max_uses
  return status === 'ENABLED' && isUsedUp ? 'DISABLED' : status
}

/** A date that the schema has checked. */
function momentOf(text: string): string {
  const parsed = parseDate(text)
  if (!parsed) throw new Error(`The schema let an unreadable date through: ${text}`)
  return toSeconds(parsed.at)
}

/** @returns undefined for a text that is none of the values; it is recorded among the mistakes */
function readEnum<const Value extends string>(
  text: string,
  values: readonly Value[],
  { field, mistakes }: { field: string; mistakes: Mistakes },
): Value | undefined {
  const found = values.find((value) => value === text.toUpperCase())
  if (found === undefined) mistakes[field] = `${field} must be one of ${values.join(', ')}.`
  return found
}

const readStatus = (text: string, mistakes: Mistakes) =>
  readEnum(text, ['ENABLED', 'DISABLED'], { field: 'status', mistakes })

const readNotifications = (
  given: NonNullable<Changes['notifications']>,
  mistakes: Mistakes,
): Promotion['notifications'] =>
  given.map(({ content, type, locations }, i) => {
    const at = `notifications.${i}`
    return {
      content,
      type: readEnum(type, NOTIFICATION_TYPES, { field: `${at}.type`, mistakes }) ?? 'PROMOTION',
      locations: locations.flatMap(
        (location, j) => readEnum(location, LOCATIONS, { field: `${at}.locations.${j}`, mistakes }) ?? [],
      ),
    }
  })

function readAddress(given: Changes['shipping_address'], mistakes: Mistakes): Promotion['shipping_address'] {
  if (!given) return null
  const { countries, not } = given
  if ((countries === undefined) === (not === undefined)) {
    mistakes.shipping_address = 'Exactly one of countries and not is required.'
    return null
  }
  const read = (codes: Static<typeof Countries>, at: string) => ({
    countries: codes.map(({ iso2_country_code: code }, i) => {
      if (countryOf(code) === undefined) mistakes[`${at}.${i}.iso2_country_code`] = unknownId('country', code)
      return { iso2_country_code: code.toUpperCase() }
    }),
  })
  if (not) return { not: read(not.countries, 'shipping_address.not.countries') }
  return countries ? read(countries, 'shipping_address.countries') : null
}

async function readCurrency(tx: Tx, given: string, mistakes: Mistakes): Promise<string> {
  if (given === '*') return given
  const { wanted } = await currencyPair(tx, given)
  if (!wanted) mistakes.currency_code = unknownId('currency', given)
  else if (!wanted.is_transactional) mistakes.currency_code = `Nobody pays in ${given}: it is for display only.`
  return given.toUpperCase()
}

async function refuseUnknownChannels(tx: Tx, channels: readonly { id: number }[], mistakes: Mistakes) {
  const known = await knownChannels(
    tx,
    channels.map(({ id }) => id),
  )
  for (const [i, { id }] of channels.entries()) {
    if (!known.has(id)) mistakes[`channels.${i}.id`] = unknownId('channel', id)
  }
}

function refuseCustomers({ group_ids, excluded_group_ids }: Promotion['customer'], mistakes: Mistakes) {
  if (group_ids.length === 0 || excluded_group_ids.length === 0) return
  mistakes['customer.excluded_group_ids'] = 'Only one of group_ids and excluded_group_ids may name groups.'
}

const OVERRIDES = [
  'coupon_overrides_other_promotions',
  'coupon_overrides_automatic_when_offering_higher_discounts',
] as const

function refuseOverrides(row: Omit<PromotionRow, 'id'>, mistakes: Mistakes) {
  for (const field of OVERRIDES) {
    if (!row[field]) continue
    if (row.redemption_type === 'AUTOMATIC') mistakes[field] = `Only coupon promotions can have ${field}.`
    else if (row.can_be_used_with_other_promotions) {
      mistakes[field] = `${field} requires can_be_used_with_other_promotions to be false.`
    }
  }
}

/** Locks the gifts of rules. @returns their ids, and a sentence for each that can't be given away, by path */
async function giftsOf(
  tx: Tx,
  rules: readonly PromotionRule[],
): Promise<{ gifts: PromotionRow['gifts']; faults: Mistakes }> {
  const named = rules.flatMap(({ action: { gift_item } }, i) =>
    gift_item ? [{ ...gift_item, at: `rules.${i}.action.gift_item` }] : [],
  )
  const gifts = {
    products: named.flatMap(({ product_id }) => product_id ?? []),
    variants: named.flatMap(({ variant_id }) => variant_id ?? []),
  }
  const faults: Mistakes = {}
  if (named.length === 0) return { gifts, faults }
  const { products, variants } = await lockGifts(tx, gifts)
  for (const { at, product_id, variant_id } of named) {
    if (product_id !== undefined) {
      const product = products.get(product_id)
      if (!product) faults[`${at}.product_id`] = unknownId('product', product_id)
      else if (product.needsChoice) {
        faults[`${at}.product_id`] = 'The product has options or required modifiers: use variant_id.'
      }
    }
    if (variant_id !== undefined && !variants.has(variant_id)) {
      faults[`${at}.variant_id`] = unknownId('variant', variant_id)
    }
  }
  return { gifts, faults }
}

/** The position behind all automatic promotions. The stamp is changed already, so nobody else takes it. */
async function nextPriority(tx: Tx): Promise<number> {
  const { next } = await tx.row<{ next: number }>(sql`
    select coalesce(max(priority), 0) + 1 as next from promotions where store_id = ${tx.store.id}`)
  return next
}

/** @throws Problem 403 if this promotion would be one too many */
async function refuseTooManyEnabled(tx: Tx, row: Omit<PromotionRow, 'id'> & { id?: number }) {
  const now = toSeconds(tx.now)
  if (row.status !== 'ENABLED' || (row.end_date !== null && row.end_date < now)) return
  const { count } = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from promotions where store_id = ${tx.store.id} and status = 'ENABLED'
      and (end_date is null or end_date >= ${now}) and id <> ${row.id ?? 0}`)
  if (count >= ENABLED_MAX) throw new Problem(403, `A store can have at most ${ENABLED_MAX} enabled promotions.`)
}
