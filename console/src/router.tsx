import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router'
import { Frame } from './frame/frame.tsx'
import { Invitation } from './frame/invitation.tsx'

type Search = Record<string, string>

const root = createRootRoute({ component: Outlet, notFoundComponent: () => <p>This page does not exist.</p> })
const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame })
const invitation = createRoute({ getParentRoute: () => root, path: '/invitation', component: Invitation })

const validateSearch = (search: Record<string, unknown>): Search =>
  Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]))

const storesRoute = createRoute({
  getParentRoute: () => frame,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/stores.tsx'), 'StoresPage'),
})
const serverRoute = createRoute({
  getParentRoute: () => frame,
  path: '/server',
  component: lazyRouteComponent(() => import('./pages/server.tsx'), 'ServerPage'),
})
const peopleRoute = createRoute({
  getParentRoute: () => frame,
  path: '/people',
  component: lazyRouteComponent(() => import('./pages/people.tsx'), 'PeoplePage'),
})
const auditRoute = createRoute({
  getParentRoute: () => frame,
  path: '/audit',
  validateSearch,
  component: lazyRouteComponent(() => import('./pages/audit.tsx'), 'AuditPage'),
})
const meRoute = createRoute({
  getParentRoute: () => frame,
  path: '/me',
  component: lazyRouteComponent(() => import('./pages/me.tsx'), 'MePage'),
})
const store = createRoute({ getParentRoute: () => frame, path: '/stores/$hash', component: Outlet })
/** A page of a store. */
const storePage = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => store, path, validateSearch, component })
const overviewRoute = storePage(
  '/',
  lazyRouteComponent(() => import('./pages/overview.tsx'), 'OverviewPage'),
)
const listRoute = storePage(
  '/lists/$list',
  lazyRouteComponent(() => import('./pages/list/list.tsx'), 'ListPage'),
)
const recordRoute = storePage(
  '/lists/$list/$id',
  lazyRouteComponent(() => import('./pages/record.tsx'), 'RecordPage'),
)
const orderRoute = storePage(
  '/orders/$id',
  lazyRouteComponent(() => import('./pages/order/order.tsx'), 'OrderPage'),
)
const productRoute = storePage(
  '/products/$id',
  lazyRouteComponent(() => import('./pages/product.tsx'), 'ProductPage'),
)
const customerRoute = storePage(
  '/customers/$id',
  lazyRouteComponent(() => import('./pages/customer.tsx'), 'CustomerPage'),
)
const inventoryRoute = storePage(
  '/inventory',
  lazyRouteComponent(() => import('./pages/inventory.tsx'), 'InventoryPage'),
)
const settingsRoute = storePage(
  '/settings',
  lazyRouteComponent(() => import('./pages/settings.tsx'), 'SettingsPage'),
)
const accountsRoute = storePage(
  '/accounts',
  lazyRouteComponent(() => import('./pages/accounts.tsx'), 'AccountsPage'),
)
const webhooksRoute = storePage(
  '/webhooks',
  lazyRouteComponent(() => import('./pages/webhooks/webhooks.tsx'), 'WebhooksPage'),
)
const requestsRoute = storePage(
  '/requests',
  lazyRouteComponent(() => import('./pages/requests/requests.tsx'), 'RequestsPage'),
)
const requestRoute = storePage(
  '/requests/$id',
  lazyRouteComponent(() => import('./pages/requests/request.tsx'), 'RequestPage'),
)
const jobsRoute = storePage(
  '/jobs',
  lazyRouteComponent(() => import('./pages/jobs.tsx'), 'JobsPage'),
)
const templatesRoute = storePage(
  '/templates',
  lazyRouteComponent(() => import('./pages/templates.tsx'), 'TemplatesPage'),
)
const themesRoute = storePage(
  '/themes',
  lazyRouteComponent(() => import('./pages/themes.tsx'), 'ThemesPage'),
)
const themeRoute = storePage(
  '/themes/$id',
  lazyRouteComponent(() => import('./pages/themes.tsx'), 'ThemePage'),
)
const powersRoute = storePage(
  '/powers',
  lazyRouteComponent(() => import('./pages/powers/powers.tsx'), 'PowersPage'),
)
const mailsRoute = storePage(
  '/mails',
  lazyRouteComponent(() => import('./pages/mails.tsx'), 'MailsPage'),
)

export const router = createRouter({
  routeTree: root.addChildren([
    invitation,
    frame.addChildren([
      storesRoute,
      serverRoute,
      peopleRoute,
      auditRoute,
      meRoute,
      store.addChildren([
        overviewRoute,
        listRoute,
        recordRoute,
        orderRoute,
        productRoute,
        customerRoute,
        inventoryRoute,
        settingsRoute,
        accountsRoute,
        webhooksRoute,
        requestsRoute,
        requestRoute,
        jobsRoute,
        mailsRoute,
        templatesRoute,
        themesRoute,
        themeRoute,
        powersRoute,
      ]),
    ]),
  ]),
  basepath: '/console',
  // The address of a list is the query of the API, with texts as they are.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(search as Search).toString()
    return text === '' ? '' : `?${text}`
  },
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
