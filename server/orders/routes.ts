import type { Api } from '../core/rest/api.ts'
import { type OrderParts, orderRoutesV2 } from './orders-v2.ts'
import { partRoutesV2 } from './parts-v2.ts'
import { statusRoutesV2 } from './statuses-v2.ts'

/** Orders and what hangs on them, as the older family knows them. */
export function ordersRoutesV2(api: Api, parts: OrderParts) {
  orderRoutesV2(api, parts)
  partRoutesV2(api, parts)
  statusRoutesV2(api)
}
