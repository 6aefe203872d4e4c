import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Registry } from 'prom-client'
import { JobStreams } from '../content/redirects/imex/streams.ts'
import { samples } from '../core/events/scopes.ts'
import { pictureFiles } from '../core/files/serve.ts'
import { JobBacklog } from '../core/jobs/backlog.ts'
import { mailTask } from '../core/mail/outbox.ts'
import { ServiceCalls } from '../core/net/service-calls.ts'
import { VERSION } from '../core/package.ts'
import type { Grammar } from '../core/rest/api.ts'
import type { ApiDocument } from '../core/rest/document/document.ts'
import { documentApi } from '../core/rest/document/openapi.ts'
import { Problem, problemBody } from '../core/rest/problem.ts'
import { attachmentFiles } from '../doors/b2b/companies/attachments.ts'
import { companionFamily } from '../doors/b2b/grammar/family.ts'
import { documentFiles } from '../doors/b2b/purchases/documents.ts'
import { ConsoleBuild } from '../doors/console/build.ts'
import { mailboxLinks } from '../doors/console/mailbox-links.ts'
import { consolePages } from '../doors/console/pages.ts'
import { healthRoutes, type PowersInUse, watchersWith } from '../doors/operator/health.ts'
import { jobWarning, observeJobs } from '../doors/operator/jobs.ts'
import { observe, observeWebhooks } from '../doors/operator/observe.ts'
import { contentPages } from '../doors/operator/pages/content-pages.ts'
import { queryPage } from '../doors/operator/pages/queries/query-page.ts'
import { siteCheck, startPage } from '../doors/operator/pages/start-page.ts'
import { readExamples, readPublishedEvents } from '../doors/operator/reference/facts/examples.ts'
import { GROUP_NOTES } from '../doors/operator/reference/facts/group-notes.ts'
import { refusalExamples } from '../doors/operator/reference/facts/refusals.ts'
import { referenceRoutes } from '../doors/operator/reference/reference.ts'
import { observeServices } from '../doors/operator/services.ts'
import { freeBytes, observeSpace } from '../doors/operator/space.ts'
import { logRequests, observeLog } from '../doors/powers/request-log.ts'
import { Backlog } from '../doors/webhooks/queue/backlog.ts'
import { secretsOfHook } from '../doors/webhooks/queue/hook-secrets.ts'
import { sizedPictureRoutes } from '../shared/pictures/sizes/routes.ts'
import { SizedPictures } from '../shared/pictures/sizes/sized-pictures.ts'
import { downloadFiles } from '../shop/themes/transfer/links.ts'
import { themeClientRoutes } from '../shop/themes/transfer/theme-client.ts'
import type { Callers } from '../stores/accounts/callers.ts'
import { storesWithFaults } from '../stores/faults/faults.ts'
import { RequestRecorder } from '../stores/requests/recorder.ts'
import type { Config } from './config.ts'
import type { Connections } from './connections.ts'
import { familiesOf, gateOf } from './families/families.ts'
import { mount } from './families/family.ts'
import { type AppParts, type CountedParts, type RecordingParts, type WholeParts, wholeParts } from './families/parts.ts'
import { compressAnswers, createHttpServer } from './http-server.ts'

/** The headings of the reference page, by the first two words of a path or by the first one; both versions of a resource are below one. */
const AREAS = {
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
  brands: 'Catalog',
  customer_groups: 'Customers',
  order_statuses: 'Orders',
  tax_classes: 'Tax',
  gift_certificates: 'Promotions',
  coupons: 'Promotions',
  banners: 'Promotions',
  blog: 'Content',
  pages: 'Content',
  redirects: 'Content',
  currencies: 'Store',
  countries: 'Store',
  time: 'Store',
  b2b: 'Business to business',
}

/** The API document of these routes. */
export const describeApi = (routes: readonly RouteOptions[]): ApiDocument =>
  documentApi(routes, {
    version: VERSION,
    areas: AREAS,
    companion: companionFamily,
    notes: GROUP_NOTES,
    events: samples,
    examples: new Map([...refusalExamples('https://api.example.com/docs'), ...readExamples()]),
    publishes: readPublishedEvents(),
  })

export interface App {
  server: FastifyInstance
  /** Routes that the API document describes. */
  routes: RouteOptions[]
  /** All routes, pages included. */
  mounted: readonly RouteOptions[]
  /** Admits requests that this process sends to itself. Undefined for a worker, which has no routes of clients. */
  callers: Callers | undefined
  /** Makes `/readyz` answer 503 from now on, so that balancers send requests elsewhere. All requests are still answered. */
  drain(): void
}

/** Makes the whole server. It does not listen yet. */
export async function createApp(given: AppParts, config: Config, publicUrl: string): Promise<App> {
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
  const registry = observe(server, parts.databases, logRequests(server, recorder, parts.seeds))
  observeLog(registry, recorder)
  await compressAnswers(server)
  operatorRoutes(server, { ...parts, registry, connections, docsBase }, config)
  server.setNotFoundHandler((_request, reply) => {
    reply.status(404).send(problemBody(new Problem(404, 'There is nothing at this path.'), docsBase))
  })
  const whole = { ...parts, recorder }
  const { routes, callers } =
    config.role === 'worker'
      ? { routes: [], callers: undefined }
      : await clientRoutes(server, whole, config, { grammar, streams, mounted })
  await server.ready()
  return { server, routes, mounted, callers, drain }
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
async function powersInUse({ directory, clocks }: AppParts, { testStores }: Config): Promise<PowersInUse> {
  if (!testStores) return {}
  const faults = await storesWithFaults(directory.database)
  return {
    ...(clocks.differing.length > 0 ? { stores_with_moved_clocks: clocks.differing.length } : {}),
    ...(faults.length > 0 ? { stores_with_faults: faults.length } : {}),
  }
}

/** Registers the families and the pages. @returns the routes that the API document describes, and the callers of the gate */
async function clientRoutes(
  server: FastifyInstance,
  parts: RecordingParts,
  config: Config,
  { grammar, streams, mounted }: { grammar: Grammar; streams: JobStreams; mounted: readonly RouteOptions[] },
) {
  const whole = wholeParts(server, parts, config, { grammar, streams, mounted })
  const gate = gateOf(server, whole, config)
  const routes = await mount(server, familiesOf(whole, config, { grammar, gate }))
  await pages(server, whole, () => describeApi(routes))
  return { routes, callers: gate.callers }
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
  referenceRoutes(server, { ...parts, makeDocument })
  if (parts.findDemoStore) queryPage(server, { ...parts, findDemoStore: parts.findDemoStore })
  if (!parts.inspector) return
  const { inspectorRoutes } = await import('../doors/operator/pages/inspector/inspector.ts')
  inspectorRoutes(server, { clock: parts.clock, secretsOf: (hash, hookId) => secretsOfHook(parts, hash, hookId) })
  if (parts.hasConsole) mailboxLinks(server)
  contentPages(server, { ...parts, rules: parts.sites })
}
