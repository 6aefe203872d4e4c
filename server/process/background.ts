import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { deletePagesOfChannel } from '../content/pages/deletion.ts'
import { redirectRunners } from '../content/redirects/imex/routes.ts'
import { deleteRedirectsWithoutSite } from '../content/redirects/rows.ts'
import { deleteScriptsOfChannel } from '../content/scripts/scripts.ts'
import { deleteAssociationsOfChannel } from '../content/template-associations/associations.ts'
import { deleteWidgetsOfChannel } from '../content/widgets/deletion.ts'
import type { Db } from '../core/db/database.ts'
import type { Files } from '../core/files/files.ts'
import { clearJobs, clearJobsOf } from '../core/jobs/upkeep.ts'
import { JobWorker } from '../core/jobs/worker.ts'
import { mailRunner, smtpTransport } from '../core/mail/outbox.ts'
import type { ServiceCalls } from '../core/net/service-calls.ts'
import { ServiceClient } from '../core/net/service-client.ts'
import { cleanupRunner } from '../customers/accounts/cleanup.ts'
import { removeChannelFromCustomers } from '../customers/accounts/membership.ts'
import { leaveCompanies } from '../doors/b2b/customers/deleted-customers.ts'
import { Audit } from '../doors/people/audit.ts'
import { resetRunner } from '../doors/storefront/sessions/password-resets.ts'
import { clearHooksOf, upkeep } from '../doors/webhooks/history/upkeep.ts'
import { policyOf } from '../doors/webhooks/sending/destination.ts'
import { Sender } from '../doors/webhooks/sending/sender.ts'
import { Worker } from '../doors/webhooks/worker/worker.ts'
import { storeProductNames } from '../goods/catalog/product-row/names.ts'
import { removeChannelFromCatalog } from '../goods/catalog/routes.ts'
import { countFacets, countFacetsOf } from '../goods/catalog/search/counts.ts'
import { refreshRunner } from '../goods/catalog/search/refresh.ts'
import { recountRunner } from '../goods/inventory/locations/stock-of-locations.ts'
import { backfillRunner } from '../sales/b2b/orders/backfill.ts'
import { moveOrdersRunner } from '../sales/b2b/orders/new-users.ts'
import { expireQuotes, expireQuotesOf } from '../sales/b2b/quotes/expiry.ts'
import { attendCartsOf, attendDueCarts, type DueCartParts } from '../sales/carts/time/due-carts.ts'
import { countPaidOrders } from '../sales/orders/reading/paid-orders.ts'
import { taxDocumentRunner } from '../sales/orders/refunds/tax-documents.ts'
import { orderRunners } from '../sales/orders/routes.ts'
import { detachOrders } from '../sales/orders/writing/deleted-customers.ts'
import { Gateways } from '../sales/payments/gateways.ts'
import { deleteListsOfChannel } from '../sales/pricing/deletion.ts'
import { deletionRunner } from '../sales/pricing/records/sets.ts'
import { removeChannelFromMethods } from '../sales/shipping/methods.ts'
import { type DeleteOfChannel, terminationRunner } from '../shop/channels/deletion.ts'
import { deleteRemindersOfChannel } from '../shop/emails/abandoned-cart-emails.ts'
import { emailRunner } from '../shop/emails/sending/send.ts'
import { deleteTemplatesOfChannel } from '../shop/emails/templates.ts'
import { deleteChannelSettings } from '../shop/settings/channel-deletion.ts'
import { deleteOldSystemLogs, deleteOldSystemLogsOf } from '../shop/settings/system-logs.ts'
import type { Renderers } from '../shop/templates/renderers.ts'
import { themeRunners } from '../shop/themes/routes.ts'
import { deleteEndedStores, finishDeletions } from '../stores/directory/deletion.ts'
import { clearStrayFiles } from '../stores/directory/files-of-stores.ts'
import { StorePortFaults } from '../stores/faults/ports.ts'
import { removeAbandonedCopies } from '../stores/forks/forks.ts'
import { ngramRunner } from '../stores/forks/ngrams.ts'
import { trimRequestLog } from '../stores/requests/search.ts'
import { addressRulesOf, type Config, publicUrlOf } from './config.ts'
import { aboveContent } from './dependents.ts'
import type { Installation } from './installation.ts'

/** Functions that delete the rows of a deleted channel, one for each area. */
export const channelDeletions = (files: Files): readonly DeleteOfChannel[] => [
  removeChannelFromCatalog,
  deleteChannelSettings(files),
  deleteTemplatesOfChannel,
  deleteRemindersOfChannel,
  removeChannelFromCustomers,
  removeChannelFromMethods,
  deleteListsOfChannel,
  deletePagesOfChannel(aboveContent),
  deleteScriptsOfChannel,
  deleteAssociationsOfChannel,
  deleteRedirectsWithoutSite,
  deleteWidgetsOfChannel,
]

const UPKEEP_MS = 3_600_000
const FILES_MS = 86_400_000
const CARTS_MS = 60_000
const COPIES_MS = 60_000
const FACETS_MS = 3_000
// A webhook takes at most 10 s. A job may take longer: another process repeats it when its lease ends.
const STOP_MS = 11_000

/** The parts of the upkeep of carts. */
const dueCartParts = (installation: Installation, config: Config, publicUrl: string): DueCartParts => ({
  stores: installation.directory,
  clock: installation.clock,
  secrets: installation.secrets,
  sites: addressRulesOf(config, publicUrl),
  countOrders: countPaidOrders,
})

/** Ends and deletes what has expired in a store, as the background work of servers does from time to time. */
export function upkeepOf(
  installation: Installation,
  config: Config,
  publicUrl = publicUrlOf(config, config.port),
): (db: Db) => Promise<void> {
  const carts = dueCartParts(installation, config, publicUrl)
  const rounds = [
    clearHooksOf,
    (db: Db) => attendCartsOf(db, carts),
    (db: Db) => expireQuotesOf(db),
    countFacetsOf,
    (db: Db) => deleteOldSystemLogsOf(db),
    (db: Db) => clearJobsOf(db, installation.clock),
  ]
  return async (db) => {
    // The clock has moved, whatever fails now. Servers meet a failure again in their own rounds, and log it.
    for (const round of rounds) await round(db).catch(() => {})
  }
}

type Parts = Installation & { files: Files; renderers: Renderers; publicUrl: string; serviceCalls: ServiceCalls }

/**
 * The background work of a server: it sends webhooks, runs jobs and deletes expired rows. Any number of processes may do so at
 * the same time.
 */
export class Background {
  readonly worker: Worker
  readonly jobs: JobWorker
  readonly #sender: Sender
  /** Calls tax providers and carriers. */
  readonly #services: ServiceClient
  readonly #carts: DueCartParts
  readonly #parts: Parts
  readonly #log: FastifyBaseLogger
  readonly #stopping = new AbortController()
  #rounds: Promise<void>[] = []

  constructor(parts: Parts, config: Config, log: FastifyBaseLogger) {
    const policy = policyOf(config)
    this.#sender = new Sender(policy)
    this.#services = new ServiceClient({ ...policy, calls: parts.serviceCalls })
    this.worker = new Worker({ ...parts, sender: this.#sender, log, jitter: config.webhookJitter / 100 })
    const faults = new StorePortFaults(parts.directory.database)
    const transport = smtpTransport(config.smtpUrl, config.mailFrom, log)
    this.jobs = new JobWorker({
      stores: parts.directory,
      // The runners of all jobs, area by area.
      runners: [
        emailRunner({ ...parts, sites: addressRulesOf(config, parts.publicUrl), log }),
        resetRunner(parts),
        recountRunner(),
        refreshRunner(storeProductNames),
        ngramRunner(),
        ...(transport ? [mailRunner(transport, faults)] : []),
        terminationRunner(channelDeletions(parts.files)),
        cleanupRunner([detachOrders, leaveCompanies]),
        parts.files.clearRunner(),
        deletionRunner(),
        backfillRunner(),
        moveOrdersRunner(),
        ...themeRunners(parts.files),
        ...redirectRunners(parts.files, addressRulesOf(config, parts.publicUrl)),
        taxDocumentRunner({ services: this.#services, secrets: parts.secrets }),
        ...orderRunners({ gateways: new Gateways({ ...parts, stripeApi: config.stripeApi, faults }) }),
      ],
      log,
    })
    this.#carts = dueCartParts(parts, config, parts.publicUrl)
    this.#parts = parts
    this.#log = log
  }

  start() {
    const { directory, clock } = this.#parts
    this.worker.start()
    this.jobs.start()
    this.#rounds.push(
      this.#every(UPKEEP_MS, () => upkeep(directory, clock, this.#log), 'webhooks could not be cleared up'),
    )
    const clearEnded = () => clearJobs(directory, clock, this.#stopping.signal)
    this.#rounds.push(this.#every(UPKEEP_MS, clearEnded, 'jobs could not be cleared up'))
    const audit = new Audit({ database: directory.database, clock })
    const clearAudit = async () => void (await audit.deleteOld())
    this.#rounds.push(this.#every(UPKEEP_MS, clearAudit, 'old audit records could not be deleted'))
    const clearLogs = () => deleteOldSystemLogs(directory, clock, this.#stopping.signal)
    this.#rounds.push(this.#every(UPKEEP_MS, clearLogs, 'system logs could not be cleared up'))
    const attend = () => attendDueCarts(this.#carts, this.#stopping.signal)
    this.#rounds.push(this.#every(CARTS_MS, attend, 'idle and expired carts could not be attended'))
    const count = () => countFacets(directory, this.#stopping.signal)
    this.#rounds.push(this.#every(FACETS_MS, count, 'facets could not be counted'))
    const expire = () => expireQuotes(directory, clock, this.#stopping.signal)
    this.#rounds.push(this.#every(CARTS_MS, expire, 'quotes could not be ended'))
    const finish = () => finishDeletions(this.#parts, this.#stopping.signal)
    this.#rounds.push(this.#every(UPKEEP_MS, finish, 'deleted stores could not be cleared away'))
    const trim = () => trimRequestLog(directory, clock.now())
    this.#rounds.push(this.#every(COPIES_MS, trim, 'the request log could not be trimmed'))
    const removeCopies = () => removeAbandonedCopies(this.#parts)
    this.#rounds.push(this.#every(COPIES_MS, removeCopies, 'incomplete copies of stores could not be removed'))
    const removeEnded = () => deleteEndedStores(this.#parts, this.#stopping.signal)
    this.#rounds.push(this.#every(COPIES_MS, removeEnded, 'test stores could not be deleted at their end'))
    const clear = async () => {
      await this.#parts.files.clearUnfinished(clock.now())
      const cleared = await clearStrayFiles(this.#parts, clock.now(), this.#stopping.signal)
      if (cleared > 0) this.#log.info({ cleared }, 'files that nothing names were removed')
    }
    this.#rounds.push(this.#every(FILES_MS, clear, 'files could not be cleared up'))
  }

  /** Starts nothing new and waits for running work within bounds. Work without an outcome by then is repeated later. */
  async stop() {
    this.#stopping.abort()
    const ended = Promise.all([this.worker.stop(), this.jobs.stop(), ...this.#rounds])
    await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })])
    await Promise.all([this.#sender.close(), this.#services.close()])
  }

  /** Runs work now, and again each time this long after its end. */
  async #every(ms: number, work: () => Promise<void>, complaint: string) {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await work().catch((error) => this.#log.error({ err: error }, complaint))
      await sleep(ms, undefined, { signal }).catch(() => {})
    }
  }
}
