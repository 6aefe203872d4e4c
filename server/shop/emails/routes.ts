import type { Api } from '../../core/rest/api.ts'
import { abandonedCartEmailRoutes } from './abandoned-cart-emails.ts'
import { type TemplateParts, templateRoutes } from './templates.ts'

/** E-mail templates, and reminders of carts. */
export function emailRoutes(api: Api, parts: TemplateParts) {
  templateRoutes(api, parts)
  abandonedCartEmailRoutes(api, parts)
}
