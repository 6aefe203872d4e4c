import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
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
const overviewRoute = createRoute({
  getParentRoute: () => store,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/overview.tsx'), 'OverviewPage'),
})
const listRoute = createRoute({
  getParentRoute: () => store,
  path: '/lists/$list',
  validateSearch,
  component: lazyRouteComponent(() => import('./pages/list/list.tsx'), 'ListPage'),
})
const recordRoute = createRoute({
  getParentRoute: () => store,
  path: '/lists/$list/$id',
  validateSearch,
  component: lazyRouteComponent(() => import('./pages/record.tsx'), 'RecordPage'),
})
const orderRoute = createRoute({
  getParentRoute: () => store,
  path: '/orders/$id',
  component: lazyRouteComponent(() => import('./pages/order.tsx'), 'OrderPage'),
})
const productRoute = createRoute({
  getParentRoute: () => store,
  path: '/products/$id',
  component: lazyRouteComponent(() => import('./pages/product.tsx'), 'ProductPage'),
})
const customerRoute = createRoute({
  getParentRoute: () => store,
  path: '/customers/$id',
  component: lazyRouteComponent(() => import('./pages/customer.tsx'), 'CustomerPage'),
})
const inventoryRoute = createRoute({
  getParentRoute: () => store,
  path: '/inventory',
  validateSearch,
  component: lazyRouteComponent(() => import('./pages/inventory.tsx'), 'InventoryPage'),
})
const settingsRoute = createRoute({
  getParentRoute: () => store,
  path: '/settings',
  validateSearch,
  component: lazyRouteComponent(() => import('./pages/settings.tsx'), 'SettingsPage'),
})
const accountsRoute = createRoute({
  getParentRoute: () => store,
  path: '/accounts',
  component: lazyRouteComponent(() => import('./pages/accounts.tsx'), 'AccountsPage'),
})
const webhooksRoute = createRoute({
  getParentRoute: () => store,
  path: '/webhooks',
  validateSearch,
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks.tsx'), 'WebhooksPage'),
})
const requestsRoute = createRoute({
  getParentRoute: () => store,
  path: '/requests',
  validateSearch,
  component: lazyRouteComponent(() => import('./pages/requests.tsx'), 'RequestsPage'),
})
const requestRoute = createRoute({
  getParentRoute: () => store,
  path: '/requests/$id',
  component: lazyRouteComponent(() => import('./pages/requests.tsx'), 'RequestPage'),
})
const jobsRoute = createRoute({
  getParentRoute: () => store,
  path: '/jobs',
  validateSearch,
  component: lazyRouteComponent(() => import('./pages/jobs.tsx'), 'JobsPage'),
})
const templatesRoute = createRoute({
  getParentRoute: () => store,
  path: '/templates',
  validateSearch,
  component: lazyRouteComponent(() => import('./pages/templates.tsx'), 'TemplatesPage'),
})
const themesRoute = createRoute({
  getParentRoute: () => store,
  path: '/themes',
  component: lazyRouteComponent(() => import('./pages/themes.tsx'), 'ThemesPage'),
})
const themeRoute = createRoute({
  getParentRoute: () => store,
  path: '/themes/$id',
  validateSearch,
  component: lazyRouteComponent(() => import('./pages/themes.tsx'), 'ThemePage'),
})
const mailsRoute = createRoute({
  getParentRoute: () => store,
  path: '/mails',
  validateSearch,
  component: lazyRouteComponent(() => import('./pages/mails.tsx'), 'MailsPage'),
})

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
