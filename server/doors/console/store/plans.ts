import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { isPlan, LIMITABLE, type PlanName, plans, UNLIMITED } from '../../../stores/directory/plans.ts'

/** The plans that a store can have, and the resources whose number a store can limit. */
export function planRoutes(api: Api) {
  const all = Object.keys(plans)
    .filter(isPlan)
    .map((name) => ({ name, ...quotaOf(name) }))
  api.get(
    '/plans',
    { schema: { summary: 'Get the plans of stores' } },
    async () => new Answer({ data: { plans: all, limitable: [...LIMITABLE] }, meta: {} }),
  )
}

/** The requests that a plan allows. A number is null without a limit. */
export function quotaOf(plan: PlanName) {
  const { window, hour, shared } = plans[plan]
  const limited = (most: number) => (most === UNLIMITED ? null : most)
  return { in_30_seconds: limited(window), in_an_hour: limited(hour), is_shared: shared }
}
