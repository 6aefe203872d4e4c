import type { Clock } from '../../core/clock.ts'
import type { Api } from '../../core/rest/api.ts'
import { bannerRoutesV2 } from './banners.ts'
import { certificateRoutesV2 } from './certificates.ts'

/** Gift certificates and banners (docs/contract/marketing.md). */
export function marketingRoutesV2(api: Api, parts: { clock: Clock }) {
  certificateRoutesV2(api, parts)
  bannerRoutesV2(api)
}
