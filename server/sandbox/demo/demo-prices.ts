import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { createGroup } from '../../customers/groups-v2.ts'
import { createPriceList } from '../../sales/pricing/lists.ts'
import { publishRecords } from '../../sales/pricing/records/sets.ts'
import type { Tier } from '../../sales/pricing/records/shape.ts'
import { storeRecords, type WishedRecord } from '../../sales/pricing/records/writing.ts'
import { createShippingMethod } from '../../sales/shipping/methods.ts'
import { createShippingZone } from '../../sales/shipping/zones.ts'
import { createTaxRates } from '../../sales/tax/zones/rates.ts'
import { createTaxZones } from '../../sales/tax/zones/zones.ts'
import { groupLists } from '../samples/people.ts'

/** The id of the group that has the price list. */
export const RESELLERS = 4
/** Products with prices of their own for resellers. */
const LISTED_PRODUCTS = 60
/** Prices of resellers, as parts of the catalog price in US dollars. */
const PRICE_PARTS = { usd: 0.8, eur: 0.76 } as const

const GOODS = 0
const SHIPPING = 2
const GIFT_WRAPPING = 3

interface Country {
  name: string
  place: { country_code: string; subdivision_codes?: string[] }
  rates: { name: string; percent: number; classes: number[] }[]
  shipping: { name: string; freeFrom: number; methods: Parameters<typeof createShippingMethod>[2][] }
}

/** The countries that the demo store delivers to, each with its taxes in percent, and its shipping. */
const countries: readonly Country[] = [
  {
    name: 'California',
    place: { country_code: 'US', subdivision_codes: ['CA'] },
    rates: [
      { name: 'State', percent: 6, classes: [GOODS] },
      { name: 'County', percent: 1.25, classes: [GOODS] },
    ],
    shipping: {
      name: 'United States',
      freeFrom: 150,
      methods: [
        { name: 'Ground', type: 'perorder', settings: { rate: 7.95 } },
        {
          name: 'By weight',
          type: 'weight',
          settings: {
            default_cost: 39,
            default_cost_type: 'fixed_amount',
            range: [
              { lower_limit: 0, upper_limit: 5, shipping_cost: 9 },
              { lower_limit: 5, upper_limit: 20, shipping_cost: 19 },
            ],
          },
        },
      ],
    },
  },
  {
    name: 'Germany',
    place: { country_code: 'DE' },
    rates: [{ name: 'MwSt', percent: 19, classes: [GOODS, SHIPPING, GIFT_WRAPPING] }],
    shipping: {
      name: 'Germany',
      freeFrom: 100,
      methods: [{ name: 'Parcel', type: 'peritem', settings: { rate: 4.9 } }],
    },
  },
  {
    name: 'Denmark',
    place: { country_code: 'DK' },
    rates: [{ name: 'Moms', percent: 25, classes: [GOODS, SHIPPING, GIFT_WRAPPING] }],
    shipping: {
      name: 'Denmark',
      freeFrom: 60,
      methods: [
        { name: 'To the door', type: 'perorder', settings: { rate: 6 } },
        { name: 'To a parcel shop', type: 'perorder', settings: { rate: 4 } },
      ],
    },
  },
]

/** Gives the demo store a price list for resellers, and taxes and shipping of three countries. */
export async function setDemoPrices(tx: Tx) {
  await listPrices(tx)
  const zones = await createTaxZones(
    tx,
    countries.map(({ name, place }) => ({ name, shopper_target_settings: { locations: [place] } })),
  )
  await createTaxRates(
    tx,
    countries.flatMap(({ rates }, i) =>
      rates.map(({ name, percent, classes }) => ({
        name,
        tax_zone_id: zones[i]?.id ?? 0,
        class_rates: classes.map((tax_class_id) => ({ rate: percent, tax_class_id })),
      })),
    ),
  )
  for (const { place, shipping } of countries) {
    const { name, freeFrom, methods } = shipping
    const zone = await createShippingZone(tx, {
      name,
      type: 'country',
      locations: [{ country_iso2: place.country_code }],
      free_shipping: { enabled: true, minimum_sub_total: freeFrom },
    })
    for (const method of methods) await createShippingMethod(tx, zone.id, method)
  }
}

/** A price list in two currencies with tiers, and the group that has it. */
async function listPrices(tx: Tx) {
  const list = await createPriceList(tx, { name: 'Resale' })
  const variants = await tx.rows<{ variant_id: number; product_id: number; price: number }>(sql`
    select id as variant_id, product_id, calculated_price as price
    from variants where store_id = ${tx.store.id} and product_id <= ${LISTED_PRODUCTS} order by id`)
  const records = variants.flatMap(({ price, ...variant }) =>
    (['usd', 'eur'] as const).map((currency): WishedRecord => {
      const key = { ...variant, price_list_id: list.id, currency }
      return { ...key, changes: { price: toCents(price * PRICE_PARTS[currency]), bulk_pricing_tiers: tiers } }
    }),
  )
  await storeRecords(tx, records)
  publishRecords(tx, 'created', records)
  const rule = { type: 'price_list' as const, price_list_id: list.id }
  await createGroup(tx, { name: 'Resellers', discount_rules: [rule] }, groupLists)
}

const tiers: Tier[] = [
  { quantity_min: 10, quantity_max: 49, type: 'percent', amount: 5 },
  { quantity_min: 50, quantity_max: null, type: 'percent', amount: 12 },
]

const toCents = (amount: number) => Math.round(amount * 100) / 100
