import t, { type Static } from 'typebox'
import { Amount, NullableAmount } from '../../../core/rest/input/amounts.ts'
import { ID_MAX, Id, Line, Moment, nullable } from '../../../core/rest/input/fields.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'

const TIERS_MAX = 50
const PERCENT_MAX = 100
const Quantity = t.Integer({ minimum: 1, maximum: ID_MAX })

/** A lower price from a quantity on. */
const Tier = t.Object(
  {
    quantity_min: Quantity,
    quantity_max: nullable(t.Integer({ minimum: 0, maximum: ID_MAX, description: 'null for no end' })),
    type: t.Enum(['price', 'percent', 'fixed']),
    amount: Amount(),
  },
  { title: 'PriceTier' },
)
export type Tier = Static<typeof Tier>

const NewTier = t.Object(
  { ...Tier.properties, quantity_max: t.Optional(Tier.properties.quantity_max) },
  { title: 'NewPriceTier' },
)

/** A record: the prices of a variant in a price list, in one currency. */
export const PriceRecord = t.Object({
  calculated_price: t.Number({ description: 'The sale price, else the price; without modifiers and tiers' }),
  date_created: Moment,
  date_modified: Moment,
  product_id: Id,
  price_list_id: Id,
  variant_id: Id,
  currency: t.String({ description: 'ISO 4217, in lower case' }),
  price: Amount(),
  sale_price: NullableAmount(),
  retail_price: NullableAmount(),
  map_price: NullableAmount(),
})
export type PriceRecord = Static<typeof PriceRecord>

/** A record as answers show it. */
export const AnsweredRecord = t.Object(
  {
    ...PriceRecord.properties,
    sku: t.Optional(t.String({ description: 'With include=sku' })),
    bulk_pricing_tiers: t.Optional(
      t.Array(Tier, { description: 'With include=bulk_pricing_tiers, and in answers to changes' }),
    ),
  },
  { title: 'PriceRecord' },
)

/** A record as it is stored. */
export interface RecordRow extends PriceRecord {
  generation: number
  bulk_pricing_tiers: Tier[]
}

const { price, sale_price, retail_price, map_price } = PriceRecord.properties
export const RecordChanges = t.Partial(
  t.Object({
    price,
    sale_price,
    retail_price,
    map_price,
    bulk_pricing_tiers: t.Array(NewTier, { maxItems: TIERS_MAX }),
  }),
  {
    title: 'PriceRecordChanges',
    examples: [{ price: 12.5, bulk_pricing_tiers: [{ quantity_min: 10, type: 'percent', amount: 10 }] }],
  },
)
export type RecordChanges = Static<typeof RecordChanges>

const named = {
  variant_id: t.Optional(Id),
  sku: t.Optional(Line),
  currency: t.String({ minLength: 3, maxLength: 3 }),
}
/** A record in a batch for one list. */
export const RecordItem = t.Object({ ...named, ...RecordChanges.properties }, { title: 'PriceRecordItem' })
/** The same in a batch for several lists. */
export const ListedRecordItem = t.Object(
  { price_list_id: Id, ...RecordItem.properties },
  { title: 'PriceRecordItemOfList' },
)

/** The mistakes of a list of tiers that its schema does not see. */
export function tierMistakes(tiers: readonly Static<typeof NewTier>[]): Mistakes {
  const mistakes: Mistakes = {}
  for (const [i, tier] of tiers.entries()) {
    const at = `bulk_pricing_tiers.${i}.`
    if (endOf(tier) < tier.quantity_min) {
      mistakes[`${at}quantity_max`] = `quantity_max must be null, or at least quantity_min, not ${tier.quantity_max}.`
    }
    if (tier.type === 'percent' && tier.amount > PERCENT_MAX) {
      mistakes[`${at}amount`] = `amount must be at most ${PERCENT_MAX} percent, not ${tier.amount}.`
    }
    const isTaken = tiers
      .slice(0, i)
      .some((other) => other.quantity_min <= endOf(tier) && tier.quantity_min <= endOf(other))
    if (isTaken) mistakes[`${at}quantity_min`] = 'The quantities overlap with those of another tier.'
  }
  return mistakes
}

const endOf = ({ quantity_max }: Static<typeof NewTier>) => quantity_max || Number.POSITIVE_INFINITY

/** Tiers as they are stored. */
export const toTiers = (tiers: readonly Static<typeof NewTier>[]): Tier[] =>
  tiers.map(({ quantity_min, quantity_max, type, amount }) => ({
    quantity_min,
    quantity_max: quantity_max || null,
    type,
    amount,
  }))
