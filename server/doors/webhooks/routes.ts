import type { Api } from '../../core/rest/api.ts'
import { deliveryRoutes } from './history/deliveries.ts'
import { historyRoutes } from './history/history.ts'
import { type HookParts, hookRoutes } from './hooks/hooks.ts'

/** The routes of webhooks. @param parts with the days of history (docs/contract/webhooks.md) */
export function webhookRoutes(api: Api, parts: HookParts & { historyDays: number }) {
  hookRoutes(api, parts)
  deliveryRoutes(api)
  historyRoutes(api, parts.historyDays)
}
