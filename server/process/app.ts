import multipart from '@fastify/multipart'
import type { FastifyBaseLogger, FastifyInstance, RouteOptions } from 'fastify'
import type { Registry } from 'prom-client'
import { blogRoutesV2 } from '../content/blog/posts.ts'
import { openBlogPage } from '../content/pages/blog-page.ts'
import { pageRoutes } from '../content/pages/pages.ts'
import { pageRoutesV2 } from '../content/pages/pages-v2.ts'
import { redirectImexRoutes } from '../content/redirects/imex/routes.ts'
import { JobStreams } from '../content/redirects/imex/streams.ts'
import { redirectRoutes } from '../content/redirects/redirects.ts'
import { redirectRoutesV2 } from '../content/redirects/redirects-v2.ts'
import { deleteRedirectsTo, deleteRedirectsWithoutSite } from '../content/redirects/rows.ts'
import { regionRoutes } from '../content/regions/regions.ts'
import { scriptRoutes } from '../content/scripts/scripts.ts'
import { deleteAssociationsOf, templateAssociationRoutes } from '../content/template-associations/associations.ts'
import { deleteWidgetsOfEntities } from '../content/widgets/deletion.ts'
import { widgetsRoutes } from '../content/widgets/routes.ts'
import { samples } from '../core/events/scopes.ts'
import type { Files } from '../core/files/files.ts'
import { pictureFiles } from '../core/files/serve.ts'
import { JobBacklog } from '../core/jobs/backlog.ts'
import type { JobWorker } from '../core/jobs/worker.ts'
import { mailTask } from '../core/mail/outbox.ts'
import { ImageFetcher } from '../core/net/fetch-image.ts'
import { ServiceCalls } from '../core/net/service-calls.ts'
import { ServiceClient } from '../core/net/service-client.ts'
import { VERSION } from '../core/package.ts'
import { type Api, type Grammar, speakContract } from '../core/rest/api.ts'
import type { BodyBounds } from '../core/rest/bodies/bodies.ts'
import type { ApiDocument } from '../core/rest/document/document.ts'
import { documentApi } from '../core/rest/document/openapi.ts'
import { Problem, problemBody } from '../core/rest/problem.ts'
import { headersV2, refusalV2 } from '../core/rest/v2.ts'
import { customerRoutes, customerRoutesV2 } from '../customers/routes.ts'
import { deleteCategoryAccess, deleteProductRules, type ListsOfGroups } from '../customers/row/groups.ts'
import { asksForConsent } from '../customers/settings.ts'
import { removePopularProducts, removeProductsFromWishlists } from '../customers/wishlists/wishlists.ts'
import { guardCompanion } from '../doors/b2b/access/gate.ts'
import { attachmentFiles } from '../doors/b2b/companies/attachments.ts'
import { refusalB2b } from '../doors/b2b/grammar/envelope.ts'
import { COMPANION, companionFamily, takeTwins } from '../doors/b2b/grammar/family.ts'
import { BUYERS, buyerGraphRoutes, guardBuyers, speakBuyerGraphql } from '../doors/b2b/graphql/door.ts'
import { exportRoutes } from '../doors/b2b/graphql/exports.ts'
import { buyerFormRoutes } from '../doors/b2b/graphql/side/forms.ts'
import { proxyRoutes } from '../doors/b2b/graphql/side/proxy.ts'
import { documentFiles } from '../doors/b2b/purchases/documents.ts'
import { companionRoutes } from '../doors/b2b/routes.ts'
import { BackendTokens } from '../doors/b2b/tokens/backend-tokens.ts'
import { ConsoleBuild } from '../doors/console/build.ts'
import { Figures } from '../doors/console/figures.ts'
import { consolePages } from '../doors/console/pages.ts'
import { serverRoutes } from '../doors/console/server-routes.ts'
import { consoleStoreRoutes } from '../doors/console/store-routes.ts'
import type { FindDemoStore } from '../doors/operator/demo-store.ts'
import { healthRoutes, type PowersInUse, watchersWith } from '../doors/operator/health.ts'
import { jobWarning, observeJobs } from '../doors/operator/jobs.ts'
import { observe, observeWebhooks } from '../doors/operator/observe.ts'
import { contentPages } from '../doors/operator/pages/content-pages.ts'
import { errorsPage } from '../doors/operator/pages/errors-page.ts'
import { mailPages } from '../doors/operator/pages/mail-pages.ts'
import { queryPage } from '../doors/operator/pages/queries/query-page.ts'
import { siteCheck, startPage } from '../doors/operator/pages/start-page.ts'
import { themePages } from '../doors/operator/pages/theme-pages.ts'
import { readExamples } from '../doors/operator/reference/examples.ts'
import { referenceRoutes } from '../doors/operator/reference/reference.ts'
import { observeServices } from '../doors/operator/services.ts'
import { freeBytes, observeSpace, spaceWarning } from '../doors/operator/space.ts'
import { Audit } from '../doors/people/audit.ts'
import { guardOperators } from '../doors/people/gate.ts'
import { People } from '../doors/people/people.ts'
import { peopleRoutes } from '../doors/people/routes.ts'
import { PersonSessions } from '../doors/people/sessions.ts'
import { logRequests, observeLog } from '../doors/powers/request-log.ts'
import { powerRoutes } from '../doors/powers/routes.ts'
import { guardStorefronts, speakGraphql, storefrontDoor } from '../doors/storefront/door.ts'
import { ShopGraph, StorefrontEngine } from '../doors/storefront/graphql/shop-graph.ts'
import { storefrontRoutes } from '../doors/storefront/routes.ts'
import { Storefronts } from '../doors/storefront/storefronts.ts'
import { Backlog } from '../doors/webhooks/queue/backlog.ts'
import { secretsOfHook } from '../doors/webhooks/queue/hook-secrets.ts'
import { webhookRoutes } from '../doors/webhooks/routes.ts'
import { type Policy, policyOf } from '../doors/webhooks/sending/destination.ts'
import type { Worker } from '../doors/webhooks/worker/worker.ts'
import type { DependentAreas } from '../goods/catalog/dependents.ts'
import { leaveLargeTaxClasses, leaveTaxClasses } from '../goods/catalog/product-row/tax-classes.ts'
import { catalogRoutes, catalogRoutesV2, listedProducts } from '../goods/catalog/routes.ts'
import { catalogFacets } from '../goods/catalog/summary/facets.ts'
import { inventoryRoutes } from '../goods/inventory/routes.ts'
import { deleteMethodsAt } from '../goods/pickup/methods.ts'
import { pickupRoutes } from '../goods/pickup/routes.ts'
import { cartPartsOf } from '../sales/carts/changes/parts.ts'
import { cartRoutes } from '../sales/carts/routes.ts'
import { countOpenOrders } from '../sales/orders/reading/open-at.ts'
import { countPaidOrders } from '../sales/orders/reading/paid-orders.ts'
import { orderFamilyV2, orderRoutes } from '../sales/orders/routes.ts'
import { callbackRoutes, speakCallbacks } from '../sales/orders/shopper-payments/callbacks.ts'
import { guardPayments, paymentRefusal, processPaymentRoutes } from '../sales/orders/shopper-payments/process.ts'
import { Gateways } from '../sales/payments/gateways.ts'
import { listsOfGroups, replaceListOfGroup } from '../sales/pricing/assignments/assignments.ts'
import { deleteListsOfGroup } from '../sales/pricing/deletion.ts'
import { deleteRecordsInCurrencies, deleteRecordsOfVariants } from '../sales/pricing/records/sets.ts'
import { pricingRoutes } from '../sales/pricing/routes.ts'
import { invalidatePromotionsOf } from '../sales/promotions/promotions/gifts.ts'
import { marketingRoutesV2, promotionFamily } from '../sales/promotions/routes.ts'
import { CarrierDesk } from '../sales/shipping/carriers/quotes.ts'
import { deleteCustoms } from '../sales/shipping/customs.ts'
import { shippingRoutes, shippingRoutesV2 } from '../sales/shipping/routes.ts'
import { lockTaxClassesShared } from '../sales/tax/classes/classes.ts'
import { Estimates } from '../sales/tax/estimates/estimates.ts'
import { deleteTaxPropertiesOfProducts } from '../sales/tax/properties/values.ts'
import { taxRoutes, taxRoutesV2 } from '../sales/tax/routes.ts'
import { entersPricesWithTax } from '../sales/tax/settings.ts'
import { removeGroupFromTaxZones } from '../sales/tax/zones/zones.ts'
import { Pictures } from '../shared/pictures/pictures.ts'
import { sizedPictureRoutes } from '../shared/pictures/sizes/routes.ts'
import { SizedFolder } from '../shared/pictures/sizes/sized-folder.ts'
import { SizedPictures } from '../shared/pictures/sizes/sized-pictures.ts'
import { currencyRoutesV2 } from '../shop/channels/currencies/currencies-v2.ts'
import { channelRoutes } from '../shop/channels/routes.ts'
import type { AddressRules } from '../shop/channels/sites/addresses.ts'
import { emailRoutes } from '../shop/emails/routes.ts'
import { countryRoutesV2 } from '../shop/settings/locale/countries-v2.ts'
import { settingsRoutes } from '../shop/settings/routes.ts'
import { storeRoutesV2 } from '../shop/settings/store-v2.ts'
import { Renderers } from '../shop/templates/renderers.ts'
import { themesRoutes } from '../shop/themes/routes.ts'
import { DownloadLinks, downloadFiles } from '../shop/themes/transfer/links.ts'
import { themeClientRoutes } from '../shop/themes/transfer/theme-client.ts'
import { Callers } from '../stores/accounts/callers.ts'
import { operationOf, storesWithFaults } from '../stores/faults/faults.ts'
import { StorePortFaults } from '../stores/faults/ports.ts'
import { type Gate, guard } from '../stores/gate/gate.ts'
import { unsupportedSentence } from '../stores/gate/unsupported-paths.ts'
import { FailedLogins } from '../stores/quotas/failed-logins.ts'
import { Quotas } from '../stores/quotas/quotas.ts'
import { SharedCounts } from '../stores/quotas/shared-counts.ts'
import type { LogLevel } from '../stores/requests/levels.ts'
import { RequestRecorder } from '../stores/requests/recorder.ts'
import { timeRoutesV2 } from '../stores/time-v2.ts'
import { addressRulesOf, type Config } from './config.ts'
import type { Connections } from './connections.ts'
import { aboveContent } from './content-dependents.ts'
import { type ApiFamily, mount } from './family.ts'
import { compressAnswers, createHttpServer } from './http-server.ts'
import type { Installation } from './installation.ts'

/** Functions that delete rows of other areas with the products and categories that they belong to. */
const aboveCatalog: DependentAreas = {
  deleteManyRowsOfProducts: removePopularProducts,
  async deleteRowsOfProducts(tx, ids) {
    await deleteProductRules(tx, ids)
    await removeProductsFromWishlists(tx, ids)
    await deleteCustoms(tx, ids)
    await deleteTaxPropertiesOfProducts(tx, ids)
    await deleteAssociationsOf(tx, 'product', ids)
    await deleteRedirectsTo(tx, 'product', ids)
    await deleteWidgetsOfEntities(tx, 'product', ids)
    await invalidatePromotionsOf(tx, { products: ids })
  },
  async deleteRowsOfVariants(tx, ids) {
    await deleteRecordsOfVariants(tx, ids)
    await invalidatePromotionsOf(tx, { variants: ids })
  },
  async deleteRowsOfBrand(tx, id) {
    await deleteAssociationsOf(tx, 'brand', [id])
    await deleteRedirectsTo(tx, 'brand', [id])
    await deleteWidgetsOfEntities(tx, 'brand', [id])
  },
  async deleteRowsOfCategories(tx, ids) {
    await deleteCategoryAccess(tx, ids)
    await deleteAssociationsOf(tx, 'category', ids)
    await deleteRedirectsTo(tx, 'category', ids)
    await deleteWidgetsOfEntities(tx, 'category', ids)
  },
  lockTaxClassesShared,
}

const groupLists: ListsOfGroups = {
  listsOfGroups,
  replaceListOfGroup,
  async deleteListsOfGroup(tx, group) {
    await deleteListsOfGroup(tx, group)
    await removeGroupFromTaxZones(tx, group)
  },
}

/** The headings of the reference page, by the first two words of a path or by the first one. */
export const AREAS = {
  catalog: 'Catalog',
  channels: 'Channels',
  sites: 'Sites',
  inventory: 'Inventory',
  pickup: 'Pickup',
  customers: 'Customers',
  pricelists: 'Pricing',
  pricing: 'Pricing',
  shipping: 'Shipping',
  promotions: 'Promotions',
  carts: 'Carts',
  'abandoned-carts': 'Carts',
  checkouts: 'Checkouts',
  orders: 'Orders',
  payments: 'Payments',
  segments: 'Customers',
  'shopper-profiles': 'Customers',
  wishlists: 'Customers',
  tax: 'Tax',
  settings: 'Settings',
  store: 'Store',
  marketing: 'E-mails',
  themes: 'Themes',
  content: 'Content',
  'storefront/redirects': 'Content',
  'storefront/custom-template-associations': 'Content',
  storefront: 'Storefronts',
  hooks: 'Webhooks',
  v2: 'Version 2',
  b2b: 'Business to business',
}

export interface App {
  server: FastifyInstance
  /** Routes that the API document describes. */
  routes: RouteOptions[]
  /** All routes, pages included. */
  mounted: readonly RouteOptions[]
  /** Makes `/readyz` answer 503 from now on, so that balancers send requests elsewhere. All requests are still answered. */
  drain(): void
}

interface Parts extends Installation {
  files: Files
  /** Renders e-mails. The default is a pool of the app's own. */
  renderers?: Renderers
  /** Addresses that webhooks may go to. The default follows the settings. */
  policy?: Policy
  /** Calls tax providers and carriers. The default may connect to the addresses of `policy`. */
  services?: ServiceClient
  /** Counts the calls to them in this process. The default counts those of `services`. */
  serviceCalls?: ServiceCalls
  /** Bounds of bodies that differ from `BODY_BOUNDS`. */
  bodies?: Partial<BodyBounds>
  /** Sends webhooks in this process. Its metrics are shown. */
  worker?: Worker | undefined
  /** Runs jobs in this process. Its metrics are shown. */
  jobs?: JobWorker | undefined
  /** Whether webhooks can be sent to the server itself, to look at them. */
  inspector?: boolean
  /** Finds the demo store for the start page and the reference page; in a sandbox only. */
  findDemoStore?: FindDemoStore | undefined
  log: FastifyBaseLogger
}

type CountedParts = Parts & { serviceCalls: ServiceCalls }
type RecordingParts = CountedParts & { recorder: RequestRecorder }

/** Makes the whole server. It does not listen yet. */
export async function createApp(given: Parts, config: Config, publicUrl: string): Promise<App> {
  const parts = { ...given, serviceCalls: given.serviceCalls ?? given.services?.calls ?? new ServiceCalls() }
  const { clock, secrets } = parts
  const grammar: Grammar = { clock, secrets, publicUrl, docsBase: config.docsBase ?? `${publicUrl}/docs` }
  const { docsBase } = grammar
  const { server, connections, mounted } = createHttpServer({ log: parts.log, bodies: parts.bodies, docsBase }, config)
  const streams = new JobStreams(parts)
  const drain = () => {
    streams.drain()
    connections.drain()
  }
  server.addHook('preClose', async () => streams.drain())
  const recorder = new RequestRecorder({ directory: parts.directory, level: config.requestLog, log: parts.log })
  server.addHook('onReady', async () => recorder.start())
  server.addHook('onClose', async () => recorder.stop())
  const registry = observe(server, parts.databases, logRequests(server, recorder))
  observeLog(registry, recorder)
  await compressAnswers(server)
  operatorRoutes(server, { ...parts, registry, connections, docsBase }, config)
  server.setNotFoundHandler((_request, reply) => {
    reply.status(404).send(problemBody(new Problem(404, 'There is nothing at this path.'), docsBase))
  })
  const whole = { ...parts, recorder }
  const routes =
    config.role === 'worker' ? [] : await clientRoutes(server, whole, config, { grammar, streams, mounted })
  await server.ready()
  return { server, routes, mounted, drain }
}

/** Registers health and metrics, which every process has. */
function operatorRoutes(
  server: FastifyInstance,
  parts: CountedParts & { registry: Registry; connections: Connections; docsBase: string },
  config: Config,
) {
  const { directory, clock, files, registry } = parts
  const backlog = new Backlog(directory, clock)
  observeWebhooks(registry, backlog, parts.worker)
  const jobs = new JobBacklog(directory, clock)
  observeJobs(registry, jobs, parts.jobs)
  // Without a mail server e-mails wait, which the log says at the start.
  const parked = config.smtpUrl === undefined ? [mailTask.name] : []
  const free = () => freeBytes(files.folder)
  observeSpace(registry, free)
  observeServices(registry, parts.serviceCalls)
  healthRoutes(server, {
    ...parts,
    backlog,
    jobWarning: () => jobWarning(jobs, parked),
    freeBytes: free,
    isWatcher: parts.inspector ? () => true : watchersWith(config.watchToken),
    outgoing: config,
    powers: () => powersInUse(parts, config),
  })
}

/** The powers that are on in test stores. */
async function powersInUse({ directory, clocks }: Parts, { testStores }: Config): Promise<PowersInUse> {
  if (!testStores) return {}
  const faults = await storesWithFaults(directory.database)
  return {
    ...(clocks.moved.length > 0 ? { stores_with_moved_clocks: clocks.moved.length } : {}),
    ...(faults.length > 0 ? { stores_with_faults: faults.length } : {}),
  }
}

/** Registers the families and the pages. @returns the routes that the API document describes */
async function clientRoutes(
  server: FastifyInstance,
  parts: RecordingParts,
  config: Config,
  { grammar, streams, mounted }: { grammar: Grammar; streams: JobStreams; mounted: readonly RouteOptions[] },
) {
  const { publicUrl, docsBase } = grammar
  const policy = parts.policy ?? policyOf(config)
  const services = parts.services ?? servicesOf(server, { ...policy, calls: parts.serviceCalls })
  const whole = {
    ...parts,
    publicUrl,
    docsBase,
    headerPrefix: config.headerPrefix,
    requireHttps: config.requireHttps,
    renderers: parts.renderers ?? renderersOf(server),
    policy,
    services,
    estimates: new Estimates({ ...parts, services }),
    desk: new CarrierDesk({ ...parts, services }),
    sites: addressRulesOf(config, publicUrl),
    links: new DownloadLinks({ ...parts, publicUrl }),
    streams,
    mounted,
    gateways: new Gateways({
      ...parts,
      stripeApi: config.stripeApi,
      faults: new StorePortFaults(parts.directory.database),
    }),
    sized: new SizedFolder(`${parts.files.folder}-sized`, config.sizedPicturesMib * MIB),
    ...peopleOf(parts),
    figures: new Figures(server),
    hasConsole: config.console,
    requestLog: config.requestLog,
  }
  const gate = gateOf(server, { ...parts, sessions: whole.sessions }, config)
  const routes = await mount(server, familiesOf(whole, config, { grammar, gate }))
  await pages(server, whole, () =>
    documentApi(routes, {
      version: VERSION,
      areas: AREAS,
      companion: companionFamily,
      events: samples,
      examples: readExamples(),
    }),
  )
  return routes
}

/** The parts, complete with their defaults. */
interface WholeParts extends Parts {
  publicUrl: string
  docsBase: string
  headerPrefix: string
  requireHttps: boolean
  renderers: Renderers
  policy: Policy
  services: ServiceClient
  estimates: Estimates
  desk: CarrierDesk
  sites: AddressRules
  links: DownloadLinks
  /** Every route. */
  mounted: readonly RouteOptions[]
  streams: JobStreams
  gateways: Gateways
  /** The pictures in sizes. */
  sized: SizedFolder
  /** The people of the console. */
  people: People
  sessions: PersonSessions
  audit: Audit
  figures: Figures
  recorder: RequestRecorder
  /** The level of the request log of stores that have chosen none. */
  requestLog: LogLevel
  hasConsole: boolean
}

const MIB = 1024 * 1024

/** The address below which storefronts have their pictures. */
const picturesUrlOf = ({ cdnHost }: Config, publicUrl: string) =>
  cdnHost === undefined ? publicUrl : `https://${cdnHost}`

/** The address of the operator's API. */
const OPERATOR = '/operator/v1'

/** All APIs that the server has. */
function familiesOf(
  parts: WholeParts,
  config: Config,
  { grammar, gate }: { grammar: Grammar; gate: SharedGate },
): readonly ApiFamily[] {
  const pictures = new Pictures(
    parts.files,
    config.fetchImages ? new ImageFetcher(parts.policy.addresses) : undefined,
    new StorePortFaults(parts.directory.database),
  )
  const { failedLogins } = gate
  const selling = {
    carts: cartPartsOf({ ...parts, countOrders: countPaidOrders }),
    redirects: parts,
    tokens: parts,
    clock: parts.clock,
  }
  const engine = new StorefrontEngine(config.introspection)
  const storefronts = new Storefronts(parts.directory, parts.sites, picturesUrlOf(config, parts.publicUrl))
  const shop = new ShopGraph({ ...parts, engine, selling, storefronts })
  const buyers = { failedLogins, selling, introspection: config.introspection }
  const operations = () => new Set(parts.mounted.map(({ method, url }) => operationOf(String(method), url)))
  return [
    {
      prefix: '/stores/:store_hash/v3',
      isDocumented: true,
      gate: (api, routes) => guard(api, { ...gate, routes }),
      grammar: (api) => speakWithForms(api, grammar),
      areas: [
        (api) =>
          channelRoutes(api, {
            ...parts,
            products: listedProducts,
            openChannel: openBlogPage,
            rules: parts.sites,
            deleteRowsOfSites: deleteRedirectsWithoutSite,
          }),
        (api) => catalogRoutes(api, pictures, aboveCatalog),
        (api) => inventoryRoutes(api, { deleteMethodsAt: deleteMethodsAt, countOpenOrders }),
        (api) => pickupRoutes(api),
        (api) => customerRoutes(api),
        (api) => taxRoutes(api, { ...parts, products: { leaveLargeTaxClasses, leaveTaxClasses } }),
        (api) => pricingRoutes(api),
        (api) => shippingRoutes(api),
        (api) => promotionFamily(api),
        (api) => cartRoutes(api, { ...parts, countOrders: countPaidOrders }),
        (api) => orderRoutes(api, parts),
        (api) => pageRoutes(api, aboveContent),
        (api) => redirectRoutes(api, { rules: parts.sites }),
        (api) => redirectImexRoutes(api, parts),
        (api) => scriptRoutes(api),
        (api) => templateAssociationRoutes(api),
        (api) => regionRoutes(api),
        (api) => widgetsRoutes(api, parts),
        (api) => settingsRoutes(api, { ...parts, facets: catalogFacets }),
        (api) => emailRoutes(api, { ...parts, optsIn: config.emailTemplates }),
        (api) => themesRoutes(api, parts),
        (api) => storefrontRoutes(api, parts),
        (api) => webhookRoutes(api, { ...parts, historyDays: config.hookHistoryDays }),
      ],
    },
    {
      prefix: '/stores/:store_hash/v2',
      isDocumented: true,
      gate(api, routes) {
        headersV2(api, parts.headerPrefix)
        guard(api, { ...gate, routes, leftOut: unsupportedSentence })
      },
      grammar: (api) => speakWithForms(api, { ...grammar, refusal: refusalV2 }),
      areas: [
        (api) => catalogRoutesV2(api, pictures, aboveCatalog),
        (api) => currencyRoutesV2(api, deleteRecordsInCurrencies),
        (api) => customerRoutesV2(api, { ...parts, ...groupLists }),
        (api) => taxRoutesV2(api),
        (api) => storeRoutesV2(api, { ...parts, asksForConsent, entersPricesWithTax }),
        (api) => countryRoutesV2(api, parts),
        (api) => blogRoutesV2(api, aboveContent),
        (api) => pageRoutesV2(api, aboveContent),
        (api) => redirectRoutesV2(api, { rules: parts.sites }),
        (api) => timeRoutesV2(api),
        (api) => shippingRoutesV2(api, parts),
        marketingRoutesV2,
        (api) => orderFamilyV2(api, parts),
      ],
    },
    {
      prefix: '/stores/:store_hash/payments',
      isDocumented: false,
      gate: (api) => guardPayments(api, { ...parts, ...gate }),
      grammar: (api) => speakContract(api, { ...grammar, refusal: paymentRefusal(parts.docsBase) }),
      areas: [(api) => processPaymentRoutes(api, { ...parts, ...gate })],
    },
    {
      prefix: '/gateways',
      isDocumented: false,
      gate: () => {}, // A callback is believed for its signature, which covers its body.
      grammar: (api) => speakCallbacks(api, parts.docsBase),
      areas: [(api) => callbackRoutes(api, parts)],
    },
    {
      prefix: OPERATOR,
      isDocumented: false, // docs/powers.md has it: clients of a store don't use it.
      gate: (api, routes) => guardOperators(api, { ...parts, ...gate, routes }),
      grammar: (api) => speakContract(api, grammar),
      areas: [
        (api) => powerRoutes(api, { ...parts, operations, upkeep: () => upkeepOnce(parts, config) }),
        (api) => consoleStoreRoutes(api, parts),
        ...(config.console
          ? [
              (api: Api) => serverRoutes(api, { figures: parts.figures, warnings: () => warningsOf(parts) }),
              (api: Api) => peopleRoutes(api, { ...parts, failedLogins, consoleUrl: `${parts.publicUrl}/console` }),
            ]
          : []),
      ],
    },
    {
      prefix: COMPANION,
      isDocumented: true,
      gate(api, routes) {
        const failedSignIns = new FailedLogins(config.failedLoginsMax)
        guardCompanion(api, { ...gate, routes, backendTokens: new BackendTokens(parts), failedSignIns })
      },
      grammar(api) {
        const forms = speakWithForms(api, { ...grammar, refusal: refusalB2b })
        takeTwins(api)
        return forms
      },
      areas: [(api) => companionRoutes(api, { ...parts, failedLogins, countOrders: countPaidOrders })],
    },
    {
      prefix: BUYERS,
      isDocumented: false,
      gate: (api) => guardBuyers(api, parts),
      grammar(api) {
        speakBuyerGraphql(api)
        return api.register(multipart)
      },
      areas: [
        (api) => buyerGraphRoutes(api, { ...parts, ...buyers }),
        (api) => proxyRoutes(api, { ...parts, ...buyers, shop }),
        (api) => buyerFormRoutes(api, { ...parts, ...buyers, shop }),
        (api) => exportRoutes(api, { ...parts, ...buyers }),
      ],
    },
    {
      prefix: '', // Storefronts are at hosts of their own, and below /storefront.
      isDocumented: false,
      gate: (api) => guardStorefronts(api, { ...parts, picturesUrl: picturesUrlOf(config, parts.publicUrl) }),
      grammar: (api) => speakGraphql(api),
      areas: [
        (api) =>
          storefrontDoor(api, {
            ...parts,
            countOrders: countPaidOrders,
            tokensFromServers: config.storefrontS2s,
            engine,
            hasQueryPage: parts.findDemoStore !== undefined,
            selling,
          }),
      ],
    },
  ]
}

/** Registers files and pages, which no gate protects. */
async function pages(server: FastifyInstance, parts: WholeParts, makeDocument: () => ApiDocument) {
  pictureFiles(server, parts.files, parts.docsBase)
  sizedPictureRoutes(server, new SizedPictures(parts.files, parts.sized, parts.directory), parts.docsBase)
  themeClientRoutes(server, parts)
  downloadFiles(server, parts)
  attachmentFiles(server, parts)
  documentFiles(server, parts)
  startPage(server, parts)
  if (parts.hasConsole) {
    consolePages(server, { build: new ConsoleBuild(parts.inspector === true), isAtSite: siteCheck(parts) })
  }
  errorsPage(server, parts.docsBase)
  referenceRoutes(server, makeDocument, parts.findDemoStore)
  if (parts.findDemoStore) queryPage(server, { ...parts, findDemoStore: parts.findDemoStore })
  if (!parts.inspector) return
  const { inspectorRoutes } = await import('../doors/operator/pages/inspector/inspector.ts')
  inspectorRoutes(server, { clock: parts.clock, secretsOf: (hash, hookId) => secretsOfHook(parts, hash, hookId) })
  mailPages(server, parts)
  themePages(server, parts)
  contentPages(server, { ...parts, rules: parts.sites })
}

/** Sentences about everything that needs the operator, as `/readyz` has them. */
async function warningsOf({ databases, directory, clock, files }: WholeParts): Promise<string[]> {
  const off = (await Promise.all(databases.map((database) => database.durabilityWarnings()))).flat()
  const others = await Promise.all([
    jobWarning(new JobBacklog(directory, clock), []),
    spaceWarning(() => freeBytes(files.folder)),
  ])
  return [
    ...(off.length > 0 ? [`A crash may lose acknowledged writes: off are ${[...new Set(off)].join(', ')}.`] : []),
    ...others.filter((warning) => warning !== undefined),
  ]
}

/** The people of the console, their sessions and the record of their actions. */
function peopleOf({ directory: { database }, secrets, clock, ids }: Parts) {
  const shared = { database, secrets, clock, ids }
  return { people: new People(shared), sessions: new PersonSessions(shared), audit: new Audit(shared) }
}

/** The upkeep of all stores. Its modules are loaded when a clock is moved: a server without background work has no other use for them. */
async function upkeepOnce(parts: WholeParts, config: Config) {
  const { upkeepOf } = await import('./background.ts')
  await upkeepOf(parts, config, parts.publicUrl)()
}

type SharedGate = Omit<Gate, 'routes' | 'leftOut'>

/** Makes the parts of the gate that all families share. Their counts are shared with other processes while the server runs. */
function gateOf(server: FastifyInstance, parts: Parts & { sessions: PersonSessions }, config: Config): SharedGate {
  const [quotas, failedLogins] = [new Quotas(), new FailedLogins(config.failedLoginsMax)]
  const counts = new SharedCounts({ database: parts.directory.database, quotas, failedLogins, log: parts.log })
  server.addHook('onReady', async () => void counts.start())
  server.addHook('onClose', async () => counts.stop())
  return {
    callers: new Callers(parts.directory, parts.secrets, parts.sessions),
    directory: parts.directory,
    quotas,
    failedLogins,
    requireHttps: config.requireHttps,
    httpsBase: config.publicUrl?.startsWith('https:') ? config.publicUrl : undefined,
    headerPrefix: config.headerPrefix,
    clocks: parts.clocks,
  }
}

/** Gives routes the contract's grammar, in which some of them take forms with files. */
function speakWithForms(api: FastifyInstance, grammar: Grammar) {
  speakContract(api, grammar)
  return api.register(multipart)
}

function renderersOf(server: FastifyInstance): Renderers {
  const renderers = new Renderers()
  server.addHook('onClose', async () => renderers.close())
  return renderers
}

/** Tax providers and carriers may have the addresses that webhooks may go to. */
function servicesOf(server: FastifyInstance, policy: Policy & { calls: ServiceCalls }): ServiceClient {
  const services = new ServiceClient(policy)
  server.addHook('onClose', async () => services.close())
  return services
}
