import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { blogRoutesV2 } from '../../content/blog/posts.ts'
import { openBlogPage } from '../../content/pages/blog-page.ts'
import { pageRoutes } from '../../content/pages/pages.ts'
import { pageRoutesV2 } from '../../content/pages/pages-v2.ts'
import { redirectImexRoutes } from '../../content/redirects/imex/routes.ts'
import { redirectRoutes } from '../../content/redirects/redirects.ts'
import { redirectRoutesV2 } from '../../content/redirects/redirects-v2.ts'
import { deleteRedirectsWithoutSite } from '../../content/redirects/rows.ts'
import { regionRoutes } from '../../content/regions/regions.ts'
import { scriptRoutes } from '../../content/scripts/scripts.ts'
import { templateAssociationRoutes } from '../../content/template-associations/associations.ts'
import { widgetsRoutes } from '../../content/widgets/routes.ts'
import type { Db } from '../../core/db/database.ts'
import { JobBacklog } from '../../core/jobs/backlog.ts'
import { ImageFetcher } from '../../core/net/fetch-image.ts'
import { type Api, type Grammar, speakContract } from '../../core/rest/api.ts'
import { headersV2, refusalV2 } from '../../core/rest/v2.ts'
import { customerRoutes, customerRoutesV2 } from '../../customers/routes.ts'
import { asksForConsent } from '../../customers/settings.ts'
import { type CompanionGate, guardCompanion } from '../../doors/b2b/access/gate.ts'
import { refusalB2b } from '../../doors/b2b/grammar/envelope.ts'
import { COMPANION, takeTwins } from '../../doors/b2b/grammar/family.ts'
import { BUYERS, buyerGraphRoutes, guardBuyers, speakBuyerGraphql } from '../../doors/b2b/graphql/door.ts'
import { exportRoutes } from '../../doors/b2b/graphql/exports.ts'
import { buyerFormRoutes } from '../../doors/b2b/graphql/side/forms.ts'
import { proxyRoutes } from '../../doors/b2b/graphql/side/proxy.ts'
import { companionRoutes } from '../../doors/b2b/routes.ts'
import { BackendTokens } from '../../doors/b2b/tokens/backend-tokens.ts'
import { clientMethodRoutes } from '../../doors/console/client-method-routes.ts'
import { serverRoutes } from '../../doors/console/server-routes.ts'
import { consoleStoreRoutes } from '../../doors/console/store/store-routes.ts'
import { jobWarning } from '../../doors/operator/jobs.ts'
import { freeBytes, spaceWarning } from '../../doors/operator/space.ts'
import { guardOperators } from '../../doors/people/gate.ts'
import { peopleRoutes } from '../../doors/people/routes.ts'
import { auditPeople } from '../../doors/people/store-changes.ts'
import { powerRoutes } from '../../doors/powers/routes.ts'
import { guardStorefronts, speakGraphql, storefrontDoor } from '../../doors/storefront/door.ts'
import { ShopGraph, StorefrontEngine } from '../../doors/storefront/graphql/shop-graph.ts'
import { storefrontRoutes } from '../../doors/storefront/routes.ts'
import { Storefronts } from '../../doors/storefront/storefronts.ts'
import { webhookRoutes } from '../../doors/webhooks/routes.ts'
import { leaveLargeTaxClasses, leaveTaxClasses } from '../../goods/catalog/product-row/tax-classes.ts'
import { catalogRoutes, catalogRoutesV2, listedProducts } from '../../goods/catalog/routes.ts'
import { catalogFacets } from '../../goods/catalog/summary/facets.ts'
import { inventoryRoutes } from '../../goods/inventory/routes.ts'
import { deleteMethodsAt } from '../../goods/pickup/methods.ts'
import { pickupRoutes } from '../../goods/pickup/routes.ts'
import { cartPartsOf } from '../../sales/carts/changes/parts.ts'
import { cartRoutes } from '../../sales/carts/routes.ts'
import { countOpenOrders } from '../../sales/orders/reading/open-at.ts'
import { countPaidOrders } from '../../sales/orders/reading/paid-orders.ts'
import { orderFamilyV2, orderRoutes } from '../../sales/orders/routes.ts'
import { callbackRoutes, speakCallbacks } from '../../sales/orders/shopper-payments/callbacks.ts'
import { guardPayments, paymentRefusal, processPaymentRoutes } from '../../sales/orders/shopper-payments/process.ts'
import { deleteRecordsInCurrencies } from '../../sales/pricing/records/sets.ts'
import { pricingRoutes } from '../../sales/pricing/routes.ts'
import { marketingRoutesV2, promotionFamily } from '../../sales/promotions/routes.ts'
import { shippingRoutes, shippingRoutesV2 } from '../../sales/shipping/routes.ts'
import { taxRoutes, taxRoutesV2 } from '../../sales/tax/routes.ts'
import { entersPricesWithTax } from '../../sales/tax/settings.ts'
import { Pictures } from '../../shared/pictures/pictures.ts'
import { currencyRoutesV2 } from '../../shop/channels/currencies/currencies-v2.ts'
import { channelRoutes } from '../../shop/channels/routes.ts'
import { emailRoutes } from '../../shop/emails/routes.ts'
import { countryRoutesV2 } from '../../shop/settings/locale/countries-v2.ts'
import { settingsRoutes } from '../../shop/settings/routes.ts'
import { storeRoutesV2 } from '../../shop/settings/store-v2.ts'
import { themesRoutes } from '../../shop/themes/routes.ts'
import { Callers } from '../../stores/accounts/callers.ts'
import { operationOf } from '../../stores/faults/faults.ts'
import { StorePortFaults } from '../../stores/faults/ports.ts'
import { type Gate, guard } from '../../stores/gate/gate.ts'
import { unsupportedSentence } from '../../stores/gate/unsupported-paths.ts'
import { FailedLogins } from '../../stores/quotas/failed-logins.ts'
import { Quotas } from '../../stores/quotas/quotas.ts'
import { SharedCounts } from '../../stores/quotas/shared-counts.ts'
import { timeRoutesV2 } from '../../stores/time-v2.ts'
import type { Config } from '../config.ts'
import { aboveCatalog, aboveContent, listsForGroups } from '../dependents.ts'
import type { ApiFamily } from './family.ts'
import type { WholeParts } from './parts.ts'

/** The address of the operator's API. */
const OPERATOR = '/operator/v1'

/** The address below which storefronts have their pictures. */
const picturesUrlOf = ({ cdnHost }: Config, publicUrl: string) =>
  cdnHost === undefined ? publicUrl : `https://${cdnHost}`

/** All APIs that the server has. */
export function familiesOf(
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
      gate(api, routes) {
        guard(api, { ...gate, routes })
        auditPeople(api, parts.audit)
      },
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
        auditPeople(api, parts.audit)
      },
      grammar: (api) => speakWithForms(api, { ...grammar, refusal: refusalV2 }),
      areas: [
        (api) => catalogRoutesV2(api, pictures, aboveCatalog),
        (api) => currencyRoutesV2(api, deleteRecordsInCurrencies),
        (api) => customerRoutesV2(api, { ...parts, ...listsForGroups }),
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
        (api) =>
          powerRoutes(api, {
            ...parts,
            callers: gate.callers,
            operations,
            upkeep: (db) => upkeepOnce(db, parts, config),
          }),
        (api) => consoleStoreRoutes(api, parts),
        ...consoleAreas(parts, failedLogins),
      ],
    },
    {
      prefix: COMPANION,
      isDocumented: true,
      gate(api, routes) {
        guardCompanion(api, { ...gate, routes, backendTokens: new BackendTokens(parts) })
        auditPeople(api, parts.audit)
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

/** The areas that only the console needs; none without a console. */
function consoleAreas(parts: WholeParts, failedLogins: FailedLogins): ((api: Api) => void)[] {
  const { figures, examine } = parts
  if (!figures) return []
  const { database } = parts.directory
  return [
    clientMethodRoutes,
    (api) => serverRoutes(api, { figures, database, examine, warnings: () => warningsOf(parts) }),
    (api) => peopleRoutes(api, { ...parts, failedLogins, consoleUrl: `${parts.publicUrl}/console` }),
  ]
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

/** The upkeep of a store. Its modules are loaded when a clock is moved: a server without background work has no other use for them. */
async function upkeepOnce(db: Db, parts: WholeParts, config: Config) {
  const { upkeepOf } = await import('../background.ts')
  await upkeepOf(parts, config, parts.publicUrl)(db)
}

/** The parts of the gate that all families share. */
export type SharedGate = Omit<Gate, 'routes' | 'leftOut'> & Pick<CompanionGate, 'failedSignIns'>

/** Makes the parts of the gate that all families share. Their counts are shared with other processes while the server runs. */
export function gateOf(server: FastifyInstance, parts: WholeParts, config: Config): SharedGate {
  const quotas = new Quotas()
  const failedLogins = new FailedLogins(config.failedLoginsMax)
  const failedSignIns = new FailedLogins(config.failedLoginsMax)
  const logins = { '': failedLogins, 'sign-in ': failedSignIns }
  const counts = new SharedCounts({ database: parts.directory.database, quotas, logins, log: parts.log })
  server.addHook('onReady', async () => void counts.start())
  server.addHook('onClose', async () => counts.stop())
  return {
    callers: new Callers(parts.directory, parts.secrets, parts.sessions),
    directory: parts.directory,
    quotas,
    counts,
    failedLogins,
    failedSignIns,
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
