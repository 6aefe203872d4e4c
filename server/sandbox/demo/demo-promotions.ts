import type { Tx } from '../../core/db/database.ts'
import { createBanner } from '../../sales/promotions/banners.ts'
import { changeCertificate, createCertificate } from '../../sales/promotions/certificates.ts'
import { createCoupon } from '../../sales/promotions/coupons/coupons.ts'
import { generateCodes } from '../../sales/promotions/promotions/code-generation.ts'
import { createCode } from '../../sales/promotions/promotions/codes.ts'
import { createPromotion } from '../../sales/promotions/promotions/saving.ts'
import { RESELLERS } from './demo-prices.ts'

type NewPromotion = Parameters<typeof createPromotion>[1]

/** Categories of the demo catalog. */
const TOWELS = 22
const TABLE_LAMPS = 26
/** Codes of the mailing, and how many of them one batch makes. */
const MAILED_CODES = 500
const BATCH = 250

const percentOff = (percentage_amount: string) => ({ discount: { percentage_amount } })
const amountOff = (fixed_amount: string) => ({ discount: { fixed_amount } })
const spend = (minimum_spend: string) => ({ cart: { minimum_spend } })

const automatic: readonly Omit<NewPromotion, 'redemption_type'>[] = [
  {
    name: 'Ten percent from 150',
    rules: [{ action: { cart_value: percentOff('10') }, condition: spend('150') }],
    notifications: [
      { content: 'Spend 150 and save ten percent', type: 'ELIGIBLE', locations: ['HOME_PAGE', 'CART_PAGE'] },
    ],
  },
  {
    name: 'Buy two table lamps, get the third free',
    rules: [
      {
        action: {
          cart_items: {
            ...percentOff('100'),
            quantity: 1,
            items: { categories: [TABLE_LAMPS] },
            strategy: 'LEAST_EXPENSIVE',
          },
        },
        condition: { cart: { items: { categories: [TABLE_LAMPS] }, minimum_quantity: 2 } },
        apply_once: false,
      },
    ],
  },
  {
    name: 'A gift from 80',
    rules: [{ action: { gift_item: { product_id: 1, quantity: 1 } }, condition: spend('80') }],
  },
  {
    name: 'Three towels for 40',
    rules: [
      {
        action: { fixed_price_set: { quantity: 3, fixed_price: '40', items: { categories: [TOWELS] } } },
        apply_once: false,
      },
    ],
  },
  {
    name: 'Free shipping in Germany from 60',
    rules: [{ action: { shipping: { free_shipping: true, zone_ids: [2] } }, condition: spend('60') }],
    shipping_address: { countries: [{ iso2_country_code: 'DE' }] },
  },
  {
    name: 'Early birds',
    rules: [{ action: { cart_items: { ...amountOff('2'), exclude_items_on_sale: true } } }],
    schedule: {
      week_frequency: 1,
      week_days: ['Monday', 'Tuesday'],
      daily_start_time: '06:00:00',
      daily_end_time: '09:00:00',
    },
  },
  {
    name: 'Step by step: 45 off from 400, 30 from 300, 15 from 200',
    rules: [['400', '45'] as const, ['300', '30'] as const, ['200', '15'] as const].map(([from, off]) => ({
      action: { cart_value: amountOff(off) },
      condition: spend(from),
      stop: true,
    })),
    customer: { excluded_group_ids: [RESELLERS] },
  },
]

/** Promotions for shoppers who type a code: one with two codes, and one for a mailing with a code for each customer. */
const withCodes: readonly (Omit<NewPromotion, 'redemption_type'> & { codes?: readonly string[] })[] = [
  {
    name: 'Welcome',
    rules: [{ action: { cart_value: percentOff('15') } }],
    codes: ['WELCOME15', 'HELLO15'],
  },
  {
    name: 'Friends and family',
    rules: [{ action: { cart_items: { ...percentOff('30'), maximum_allowed_discount_amount: '90' } } }],
    can_be_used_with_other_promotions: false,
    coupon_overrides_other_promotions: true,
    codes: ['FAMILY30'],
  },
  {
    name: 'Autumn mailing',
    rules: [{ action: { cart_value: amountOff('8') }, condition: spend('40') }],
    coupon_type: 'BULK',
  },
]

const everything = { entity: 'categories' as const, ids: [0] }
const coupons: readonly Parameters<typeof createCoupon>[1][] = [
  {
    name: 'Five off from 30',
    code: 'FIVE',
    type: 'per_total_discount',
    amount: 5,
    min_purchase: 30,
    applies_to: everything,
  },
  {
    name: 'A tenth off table lamps',
    code: 'LAMPS10',
    type: 'percentage_discount',
    amount: 10,
    applies_to: { entity: 'categories', ids: [TABLE_LAMPS] },
  },
  {
    name: 'Free shipping',
    code: 'SHIPFREE',
    type: 'free_shipping',
    amount: 0,
    max_uses: 100,
    applies_to: everything,
  },
]

const banners: readonly Parameters<typeof createBanner>[1][] = [
  {
    name: 'Free shipping',
    content: '<p>Free shipping in Germany from 60.</p>',
    page: 'home_page',
    location: 'top',
    date_type: 'always',
  },
  {
    name: 'Table lamps',
    content: '<p>Buy two table lamps and get the third free.</p>',
    page: 'category_page',
    item_id: TABLE_LAMPS,
    location: 'top',
    date_type: 'always',
  },
  {
    name: 'Winter sale',
    content: '<p>Up to 40 % off.</p>',
    page: 'search_page',
    location: 'bottom',
    date_type: 'custom',
    date_from: 'Fri, 01 Jan 2027 00:00:00 +0000',
    date_to: 'Sun, 31 Jan 2027 23:59:59 +0000',
    visible: '0',
  },
]

const certificates: readonly Parameters<typeof createCertificate>[1][] = [
  ['Mia Lindqvist', 50, 'Birthday'] as const,
  ['Jonas Weber', 100, 'Christmas'] as const,
  ['Sara Ekdahl', 25, 'General'] as const,
].map(([to_name, amount, template], i) => ({
  to_name,
  to_email: `${to_name.split(' ')[0]?.toLowerCase()}@example.com`,
  from_name: 'Fern & Field',
  from_email: 'hello@example.com',
  amount,
  template,
  code: `GIFT-00${i + 1}`,
}))

/** Gives the demo store promotions of all kinds with their codes, coupons, banners, and gift certificates. */
export async function promoteDemo(tx: Tx) {
  for (const promotion of automatic) await createPromotion(tx, { redemption_type: 'AUTOMATIC', ...promotion })
  for (const { codes = [], ...promotion } of withCodes) {
    const row = await createPromotion(tx, { redemption_type: 'COUPON', ...promotion })
    for (const code of codes) await createCode(tx, row.id, { code })
    if (row.coupon_type !== 'BULK') continue
    for (let made = 0; made < MAILED_CODES; made += BATCH) {
      await generateCodes(tx, row, { batch_size: BATCH, prefix: 'AUTUMN', delimiter: '-', code_length: 8 })
    }
  }
  for (const coupon of coupons) await createCoupon(tx, coupon)
  for (const banner of banners) await createBanner(tx, banner)
  for (const certificate of certificates) {
    const { id, balance } = await createCertificate(tx, certificate)
    // The merchant added to the first one by hand.
    if (id === 1) await changeCertificate(tx, id, { balance: balance + 10 })
  }
}
