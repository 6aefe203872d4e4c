import type { Api } from '../../core/rest/api.ts'
import { bannerRoutesV2 } from './banners.ts'
import { certificateRoutesV2 } from './certificates.ts'
import { couponRoutesV2 } from './coupons/coupons.ts'
import { codeRoutes } from './promotions/codes.ts'
import { promotionDeletionRoutes } from './promotions/deletion.ts'
import { promotionRoutes } from './promotions/promotions.ts'
import { promotionSettingsRoutes } from './promotions/settings.ts'

/** Gift certificates and banners (docs/contract/marketing.md). */
export function marketingRoutesV2(api: Api) {
  certificateRoutesV2(api)
  bannerRoutesV2(api)
  couponRoutesV2(api)
}

/** Promotions with their codes and settings (docs/contract/promotions.md). */
export function promotionFamily(api: Api) {
  promotionSettingsRoutes(api)
  promotionRoutes(api)
  promotionDeletionRoutes(api)
  codeRoutes(api)
}
