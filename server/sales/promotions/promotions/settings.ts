import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { changeStamp } from '../../../core/stamps/stamps.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { isPlan, plans } from '../../../stores/directory/plans.ts'
import { planOf } from '../../../stores/directory/profile.ts'

const { read, write } = access('marketing')

const PromotionSettings = t.Object(
  {
    promotions_apply_on_products_with_custom_product_price: t.Boolean(),
    promotions_triggered_by_products_with_zero_product_price: t.Boolean(),
    number_of_coupons_allowed_at_checkout: t.Integer({ minimum: 1, maximum: 5 }),
    promotions_applied_on_original_product_price: t.Boolean(),
  },
  {
    title: 'PromotionSettings',
    examples: [
      {
        promotions_apply_on_products_with_custom_product_price: false,
        promotions_triggered_by_products_with_zero_product_price: false,
        number_of_coupons_allowed_at_checkout: 2,
        promotions_applied_on_original_product_price: true,
      },
    ],
  },
)
export type StoredPromotionSettings = Static<typeof PromotionSettings>

const defaults: StoredPromotionSettings = {
  promotions_apply_on_products_with_custom_product_price: false,
  promotions_triggered_by_products_with_zero_product_price: false,
  number_of_coupons_allowed_at_checkout: 1,
  promotions_applied_on_original_product_price: true,
}

/** The settings that only some plans can change. */
const OF_PLAN = [
  'promotions_apply_on_products_with_custom_product_price',
  'promotions_triggered_by_products_with_zero_product_price',
  'number_of_coupons_allowed_at_checkout',
] as const

/** The settings of a store about promotions, a bare object (docs/contract/promotions.md section 7). */
export function promotionSettingsRoutes(api: Api) {
  const path = '/promotions/settings'
  const response = { 200: PromotionSettings }

  api.get(
    path,
    { ...read, schema: { summary: 'Get the promotion settings', response } },
    async ({ db }) => new Answer(await promotionSettingsOf(db)),
  )

  api.put(
    path,
    {
      ...write,
      schema: {
        summary: 'Change the promotion settings',
        description: 'All four are required. The first three can be changed with some plans only.',
        body: PromotionSettings,
        response,
      },
    },
    async ({ db, body }) => new Answer(await db.transaction((tx) => changeSettings(tx, body))),
  )
}

/** The settings in force. */
export async function promotionSettingsOf(db: Db): Promise<StoredPromotionSettings> {
  const [row] = await db.rows<{ value: Partial<StoredPromotionSettings> }>(
    prepared(sql`select value from promotion_settings where store_id = ${db.store.id}`),
  )
  return { ...defaults, ...row?.value }
}

/** @throws Problem 403 for a setting that the plan of the store doesn't include */
async function changeSettings(tx: Tx, after: StoredPromotionSettings): Promise<StoredPromotionSettings> {
  await changeStamp(tx, 'promotions')
  const before = await promotionSettingsOf(tx)
  const barred = OF_PLAN.find((field) => before[field] !== after[field])
  if (barred && !(await includesSettings(tx))) {
    throw new Problem(403, `The plan of this store does not include changes of ${barred}.`, {
      [barred]: 'The plan of this store does not include changes of this setting.',
    })
  }
  await tx.rows(sql`
    insert into promotion_settings ${sql.rows([{ store_id: tx.store.id, value: JSON.stringify(after) }])}
    on conflict (store_id) do update set value = excluded.value`)
  return after
}

async function includesSettings(tx: Tx): Promise<boolean> {
  const plan = await planOf(tx)
  return isPlan(plan) && plans[plan].hasPromotionSettings
}
