import type { Api } from '../../core/rest/api.ts'
import type { Renderers } from '../../shop/templates/renderers.ts'
import { pageWidgetRoutes } from './pages/page-widgets.ts'
import { placementRoutes } from './placements/placements.ts'
import { widgetPreviewRoutes } from './templates/preview.ts'
import { widgetTemplateRoutes } from './templates/templates.ts'
import { widgetRoutes } from './widgets.ts'

/** Routes of widgets, with their templates and positions (docs/contract/widgets.md). */
export function widgetsRoutes(api: Api, parts: { renderers: Renderers }) {
  widgetTemplateRoutes(api)
  widgetPreviewRoutes(api, parts)
  widgetRoutes(api)
  placementRoutes(api)
  pageWidgetRoutes(api)
}
