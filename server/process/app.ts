import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
  type RouteOptions,
} from 'fastify'
import type { Files } from '../core/files/files.ts'
import { pictureFiles } from '../core/files/serve.ts'
import { JobBacklog } from '../core/jobs/backlog.ts'
import type { JobWorker } from '../core/jobs/worker.ts'
import { mailTask } from '../core/mail/outbox.ts'
import { ImageFetcher } from '../core/net/fetch-image.ts'
import { type Api, type Grammar, RouteList, speakContract } from '../core/rest/api.ts'
import type { BodyBounds } from '../core/rest/bodies/bodies.ts'
import { documentApi } from '../core/rest/document/openapi.ts'
import { Problem, problemBody, toProblem } from '../core/rest/problem.ts'
import { headersV2, refusalV2, withoutSuffix } from '../core/rest/v2.ts'
import { VERSION } from '../core/version.ts'
import { customerRoutes, customerRoutesV2 } from '../customers/routes.ts'
import { forgetGroupCategories, forgetProductRules } from '../customers/row/groups.ts'
import { asksForConsent } from '../customers/settings.ts'
import { forgetPopularProducts, forgetWishedProducts } from '../customers/wishlists/wishlists.ts'
import { guardCompanion } from '../doors/b2b/access/gate.ts'
import { refusalB2b } from '../doors/b2b/grammar/envelope.ts'
import { COMPANION, companionFamily, takeTwins, withoutVersion } from '../doors/b2b/grammar/family.ts'
import { companionRoutes } from '../doors/b2b/routes.ts'
import { BackendTokens } from '../doors/b2b/tokens/backend-tokens.ts'
import type { FindDemoStore } from '../doors/operator/demo-store.ts'
import { healthRoutes, watchersWith } from '../doors/operator/health.ts'
import { jobWarning, observeJobs } from '../doors/operator/jobs.ts'
import { observe, observeWebhooks } from '../doors/operator/observe.ts'
import { errorsPage } from '../doors/operator/pages/errors-page.ts'
import { mailPages } from '../doors/operator/pages/mail-pages.ts'
import { startPage } from '../doors/operator/pages/start-page.ts'
import { themePages } from '../doors/operator/pages/theme-pages.ts'
import { referenceRoutes } from '../doors/operator/reference/reference.ts'
import { freeBytes, observeSpace } from '../doors/operator/space.ts'
import { storefrontDoor } from '../doors/storefront/door.ts'
import { storefrontRoutes } from '../doors/storefront/routes.ts'
import { Backlog } from '../doors/webhooks/queue/backlog.ts'
import { secretsOfHook } from '../doors/webhooks/queue/hook-secrets.ts'
import { webhookRoutes } from '../doors/webhooks/routes.ts'
import { type Policy, policyOf } from '../doors/webhooks/sending/destination.ts'
import type { Worker } from '../doors/webhooks/worker.ts'
import type { AreasAbove } from '../goods/catalog/dependents.ts'
import { catalogFacets } from '../goods/catalog/facets.ts'
import { catalogRoutes, catalogRoutesV2, listedProducts } from '../goods/catalog/routes.ts'
import { inventoryRoutes } from '../goods/inventory/routes.ts'
import { forgetMethodsAt } from '../goods/pickup/methods.ts'
import { pickupRoutes } from '../goods/pickup/routes.ts'
import { callbackRoutes } from '../sales/orders/payments/callbacks.ts'
import { processPaymentRoutes } from '../sales/orders/payments/process.ts'
import { countOpenOrders } from '../sales/orders/reading/open-at.ts'
import { orderFamilyV2, orderRoutes } from '../sales/orders/routes.ts'
import { Gateways } from '../sales/payments/gateways.ts'
import { Pictures } from '../shared/pictures/pictures.ts'
import { currencyRoutesV2 } from '../shop/channels/currencies/currencies-v2.ts'
import { channelRoutes } from '../shop/channels/routes.ts'
import type { AddressRules } from '../shop/channels/sites/addresses.ts'
import { Renderers } from '../shop/emails/rendering/renderers.ts'
import { emailRoutes } from '../shop/emails/routes.ts'
import { settingsRoutes } from '../shop/settings/routes.ts'
import { storeRoutesV2 } from '../shop/settings/store-v2.ts'
import { themesRoutes } from '../shop/themes/routes.ts'
import { DownloadLinks, downloadFiles } from '../shop/themes/transfer/links.ts'
import { themeClientRoutes } from '../shop/themes/transfer/theme-client.ts'
import { Callers } from '../stores/accounts/callers.ts'
import { guard } from '../stores/gate/gate.ts'
import { leftOutSentence } from '../stores/gate/left-out-paths.ts'
import { FailedLogins } from '../stores/quotas/failed-logins.ts'
import { Quotas } from '../stores/quotas/quotas.ts'
import { SharedCounts } from '../stores/quotas/shared-counts.ts'
import { timeRoutesV2 } from '../stores/time-v2.ts'
import { addressRulesOf, type Config, type Proxies } from './config.ts'
import { boundConnections } from './connections.ts'
import { endWith, newRequestId, refuseAmbiguous, refuseUnreadable, withoutNul } from './edge.ts'
import type { Installation } from './installation.ts'

/** What goes with products and categories that are deleted. */
const aboveCatalog: AreasAbove = {
  forgetPopularProducts,
  async forgetProducts(tx, ids) {
    await forgetProductRules(tx, ids)
    await forgetWishedProducts(tx, ids)
  },
  forgetCategories: forgetGroupCategories,
}

/** The headings of the reference page, by the first word of a path. */
export const AREAS = {
  catalog: 'Catalog',
  channels: 'Channels',
  sites: 'Sites',
  inventory: 'Inventory',
  pickup: 'Pickup',
  customers: 'Customers',
  orders: 'Orders',
  payments: 'Payments',
  segments: 'Customers',
  'shopper-profiles': 'Customers',
  wishlists: 'Customers',
  settings: 'Settings',
  store: 'Store',
  marketing: 'E-mails',
  themes: 'Themes',
  storefront: 'Storefronts',
  hooks: 'Webhooks',
  v2: 'Version 2',
  b2b: 'Business to business',
}

const HEADERS_MAX = 32 * 1024

export interface App {
  server: FastifyInstance
  /** Every route of the management API, for the isolation matrix. */
  routes: RouteOptions[]
  /** Every route that is mounted, those of all doors and pages included. */
  mounted: readonly RouteOptions[]
  /** From now on `/readyz` is 503, so that balancers send requests elsewhere. All requests are still answered. */
  drain(): void
}

interface Parts extends Installation {
  files: Files
  /** What mails are rendered by; the app's own if not given. */
  renderers?: Renderers
  /** Where webhooks may go; as the settings say if not given. */
  policy?: Policy
  /** Bounds of bodies on their way that differ from `BODY_BOUNDS`. */
  bodies?: Partial<BodyBounds>
  /** What sends webhooks in this process, for its metrics. */
  worker?: Worker | undefined
  /** What does jobs in this process, for its metrics. */
  jobs?: JobWorker | undefined
  /** Whether webhooks can be sent to the server itself, to look at them. */
  inspector?: boolean
  /** The demo store that start page and reference pages show; in a sandbox only. */
  findDemoStore?: FindDemoStore | undefined
  log: FastifyBaseLogger
}

/** The same, with nothing left open. */
interface WholeParts extends Parts {
  renderers: Renderers
  sites: AddressRules
  /** The address of this server, as clients see it. */
  publicUrl: string
  links: DownloadLinks
}

/** The whole server, area by area. It does not listen yet. */
export async function createApp(parts: Parts, config: Config, publicUrl: string): Promise<App> {
  const server = fastify({
    loggerInstance: parts.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: newRequestId,
    trustProxy: trustOf(config.trustProxy),
    requestTimeout: config.requestSeconds * 1_000,
    connectionTimeout: config.idleSeconds * 1_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false, // ours has the contract's shape
    // The patterns of the routes judge what a segment may be, so that one that is too long leads nowhere like any other.
    rewriteUrl: ({ url = '/' }) => withoutVersion(withoutSuffix(withoutNul(url))),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: HEADERS_MAX },
    // The grammar brings its own. The framework's would be loaded for nothing, and used for what speaks another grammar.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    http: {
      headersTimeout: config.headersSeconds * 1_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: HEADERS_MAX,
    },
    frameworkErrors(error, request, reply: FastifyReply) {
      const problem = toProblem(error)
      reply.status(problem.status).header('x-request-id', request.id).send(problemBody(problem, grammar.docsBase))
    },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, grammar.docsBase),
  })
  const mounted: RouteOptions[] = []
  server.addHook('onRoute', (route) => void mounted.push(route))
  const { clock, secrets } = parts
  const grammar: Grammar = { clock, secrets, publicUrl, docsBase: config.docsBase ?? `${publicUrl}/docs` }
  const connections = boundConnections(server, {
    connectionsMax: config.connectionsMax,
    bodies: { othersMs: config.headersSeconds * 1_000, ...parts.bodies },
  })
  // Each part of the server has parsers of its own. The framework's would wait for the body of a request that leads nowhere.
  server.removeAllContentTypeParsers()
  server.server.on('connect', (_request: IncomingMessage, socket: Socket) => endWith(socket, 501, grammar.docsBase))
  refuseAmbiguous(server.server, grammar.docsBase)

  const registry = observe(server, parts.databases)
  await server.register(compress, {
    encodings: ['gzip'],
    threshold: 1_024,
    globalDecompression: false,
    // A page of 250 products takes a sixth of the time of the usual level 6, and 7 % more bytes.
    zlibOptions: { level: 3 },
  })
  const backlog = new Backlog(parts.directory, parts.clock)
  observeWebhooks(registry, backlog, parts.worker)
  const jobs = new JobBacklog(parts.directory, parts.clock)
  observeJobs(registry, jobs, parts.jobs)
  // Without a mail server mails stay where they are, as the log says at the start.
  const parked = config.smtpUrl === undefined ? [mailTask.name] : []
  const free = () => freeBytes(parts.files.folder)
  observeSpace(registry, free)
  healthRoutes(server, {
    ...parts,
    connections,
    backlog,
    jobWarning: () => jobWarning(jobs, parked),
    freeBytes: free,
    registry,
    isWatcher: parts.inspector ? () => true : watchersWith(config.watchToken),
    docsBase: grammar.docsBase,
    outgoing: config,
  })
  server.setNotFoundHandler((_request, reply) => {
    reply.status(404).send(problemBody(new Problem(404, 'There is nothing at this path.'), grammar.docsBase))
  })
  const renderers = parts.renderers ?? renderersOf(server)
  const routes =
    config.role === 'worker'
      ? []
      : await clientRoutes(
          server,
          {
            ...parts,
            renderers,
            publicUrl,
            sites: addressRulesOf(config, publicUrl),
            links: new DownloadLinks({ ...parts, publicUrl }),
          },
          config,
          grammar,
        )
  await server.ready()
  return { server, routes, mounted, drain: connections.drain }
}

/** Everything that clients ask for. */
async function clientRoutes(server: FastifyInstance, parts: WholeParts, config: Config, grammar: Grammar) {
  pictureFiles(server, parts.files, grammar.docsBase)
  if (parts.inspector) {
    const { inspectorRoutes } = await import('../doors/operator/pages/inspector.ts')
    const secretsOf = (hash: string, hookId: number) => secretsOfHook(parts, hash, hookId)
    inspectorRoutes(server, { clock: parts.clock, secretsOf })
    mailPages(server, parts)
    themePages(server, parts)
  }
  themeClientRoutes(server, { ...parts, docsBase: grammar.docsBase })
  downloadFiles(server, { ...parts, docsBase: grammar.docsBase })
  const routes = await management(server, parts, config, grammar)
  await server.register(async (door) => {
    storefrontDoor(door, {
      ...parts,
      headerPrefix: config.headerPrefix,
      requireHttps: config.requireHttps,
      tokensFromServers: config.storefrontS2s,
      introspection: config.introspection,
    })
  })
  startPage(server, { ...parts, docsBase: grammar.docsBase })
  errorsPage(server, grammar.docsBase)
  referenceRoutes(server, () => documentApi(routes, VERSION, AREAS, companionFamily), parts.findDemoStore)
  return routes
}

/** The store administration API: all of it below `/stores/{store_hash}/v3`, and what old clients need below `/v2`. */
async function management(server: FastifyInstance, parts: WholeParts, config: Config, grammar: Grammar) {
  const policy = parts.policy ?? policyOf(config)
  const pictures = new Pictures(parts.files, config.fetchImages ? new ImageFetcher(policy.addresses) : undefined)
  const gateways = new Gateways({ ...parts, stripeApi: config.stripeApi })
  const [quotas, failedLogins] = [new Quotas(), new FailedLogins(config.failedLoginsMax)]
  const counts = new SharedCounts({ database: parts.directory.database, quotas, failedLogins, log: parts.log })
  server.addHook('onReady', async () => void counts.start())
  server.addHook('onClose', async () => counts.stop())
  const gate = {
    callers: new Callers(parts.directory, parts.secrets),
    quotas,
    failedLogins,
    requireHttps: config.requireHttps,
    httpsBase: config.publicUrl?.startsWith('https:') ? config.publicUrl : undefined,
    headerPrefix: config.headerPrefix,
  }
  const routes: RouteOptions[][] = []
  /** A family of routes below `/stores/{store_hash}/v3`, or another version of it. */
  const family = (version: string, spoken: Grammar, areas: (api: Api) => void) =>
    server.register(
      async (api: Api) => {
        const list = RouteList.of(api)
        routes.push(list.routes)
        if (version === 'v2') headersV2(api, config.headerPrefix)
        guard(api, { ...gate, routes: list, ...(version === 'v2' ? { leftOut: leftOutSentence } : {}) })
        speakContract(api, spoken)
        await api.register(multipart)
        areas(api)
      },
      { prefix: `/stores/:store_hash/${version}` },
    )

  await family('v3', grammar, (api) => {
    channelRoutes(api, { ...parts, products: listedProducts, rules: parts.sites })
    catalogRoutes(api, pictures, aboveCatalog)
    inventoryRoutes(api, { forgetMethodsAt, countOpenOrders })
    pickupRoutes(api)
    customerRoutes(api)
    orderRoutes(api, { ...parts, gateways })
    settingsRoutes(api, { ...parts, facets: catalogFacets })
    emailRoutes(api, { ...parts, optsIn: config.emailTemplates })
    themesRoutes(api, parts)
    storefrontRoutes(api, { ...parts, headerPrefix: config.headerPrefix })
    webhookRoutes(api, { ...parts, policy, historyDays: config.hookHistoryDays })
  })
  await family('v2', { ...grammar, refusal: refusalV2 }, (api) => {
    catalogRoutesV2(api, pictures)
    currencyRoutesV2(api)
    customerRoutesV2(api, parts)
    storeRoutesV2(api, { ...parts, asksForConsent })
    timeRoutesV2(api)
    orderFamilyV2(api, { ...parts, gateways })
  })
  processPaymentRoutes(server, { ...parts, ...gate, gateways }, grammar)
  callbackRoutes(server, { ...parts, gateways, docsBase: grammar.docsBase })
  await server.register(
    async (api: Api) => {
      const list = RouteList.of(api)
      routes.push(list.routes)
      guardCompanion(api, {
        ...gate,
        routes: list,
        backendTokens: new BackendTokens(parts),
        failedSignIns: new FailedLogins(config.failedLoginsMax),
      })
      speakContract(api, { ...grammar, refusal: refusalB2b })
      takeTwins(api)
      companionRoutes(api, { ...parts, failedLogins })
    },
    { prefix: COMPANION },
  )
  return routes.flat()
}

/**
 * Which addresses are proxies of ours, for the framework. It walks from the connection's other end through X-Forwarded-For, last
 * entry first: the first address that is none of them is the client's.
 */
function trustOf(proxies: Proxies | undefined) {
  if (proxies === undefined) return false
  // The framework trusts nobody if it is given a number: it can't know that clients have to pass the proxies.
  return typeof proxies === 'number' ? (_address: string, hop: number) => hop < proxies : [...proxies]
}

function renderersOf(server: FastifyInstance): Renderers {
  const renderers = new Renderers()
  server.addHook('onClose', async () => renderers.close())
  return renderers
}

function refuseSchemas(): never {
  throw new Error('A route with a schema has to speak the contract (speakContract).')
}
