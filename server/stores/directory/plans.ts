/** Requests that a plan allows: `window` in 30 seconds, `hour` in a rolling hour (docs/contract/auth.md section 7). */
export interface Plan {
  readonly window: number
  readonly hour: number
  /** Whether the clients of a store share the window's quota or each has all of it. */
  readonly shared: boolean
  /** Whether the store can change all settings of promotions (docs/contract/promotions.md section 7). */
  readonly hasPromotionSettings: boolean
}

/** The number that stands for "no limit". Clients parse it as an integer. */
export const UNLIMITED = 2_147_483_647

/** Whether the requests of a store with this plan are counted for its limits. */
export const isLimited = ({ window, hour }: Pick<Plan, 'window' | 'hour'>): boolean =>
  window !== UNLIMITED || hour !== UNLIMITED

export const plans = {
  standard: { window: 150, hour: 20_000, shared: true, hasPromotionSettings: false },
  plus: { window: 150, hour: 20_000, shared: true, hasPromotionSettings: false },
  pro: { window: 450, hour: 60_000, shared: true, hasPromotionSettings: false },
  enterprise: { window: UNLIMITED, hour: UNLIMITED, shared: false, hasPromotionSettings: true },
  unlimited: { window: UNLIMITED, hour: UNLIMITED, shared: false, hasPromotionSettings: true },
  sandbox: { window: 1_500, hour: UNLIMITED, shared: false, hasPromotionSettings: true },
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof plans

export const isPlan = (name: string): name is PlanName => Object.hasOwn(plans, name)

/** The resources that a plan can limit by number. Each name is a table, except for `storefronts`, the live channels of that type. */
export const LIMITABLE = [
  'storefronts',
  'brands',
  'categories',
  'trees',
  'products',
  'variants',
  'product_images',
  'product_videos',
  'options',
  'modifiers',
  'reviews',
  'metafields',
] as const
