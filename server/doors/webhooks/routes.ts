import type { Api } from '../../core/rest/api.ts'
import { deliveryRoutes } from './history/deliveries.ts'
import { historyRoutes } from './history/history.ts'
import { type HookParts, hookRoutes } from './hooks/hooks.ts'

/** Hooks, what became of their events, and the days that are kept (docs/contract/webhooks.md). */
export function webhookRoutes(api: Api, parts: HookParts & { historyDays: number }) {
  hookRoutes(api, parts)
  deliveryRoutes(api)
  historyRoutes(api, parts.historyDays)
}
