import type { FastifyBaseLogger, FastifyInstance, RouteOptions } from 'fastify'
import type { JobStreams } from '../../content/redirects/imex/streams.ts'
import type { Files } from '../../core/files/files.ts'
import { JobBacklog } from '../../core/jobs/backlog.ts'
import type { JobWorker } from '../../core/jobs/worker.ts'
import type { ServiceCalls } from '../../core/net/service-calls.ts'
import { ServiceClient } from '../../core/net/service-client.ts'
import type { Grammar } from '../../core/rest/api.ts'
import type { BodyBounds } from '../../core/rest/bodies/bodies.ts'
import { Figures } from '../../doors/console/figures.ts'
import type { Examine } from '../../doors/console/server-routes.ts'
import type { FindDemoStore } from '../../doors/operator/demo-store.ts'
import { Audit } from '../../doors/people/audit.ts'
import { PasswordGuesses } from '../../doors/people/guesses.ts'
import { Passkeys } from '../../doors/people/passkeys.ts'
import { People } from '../../doors/people/people.ts'
import { PersonSessions } from '../../doors/people/sessions.ts'
import { Backlog } from '../../doors/webhooks/queue/backlog.ts'
import { type Policy, policyOf } from '../../doors/webhooks/sending/destination.ts'
import type { Worker } from '../../doors/webhooks/worker/worker.ts'
import { Gateways } from '../../sales/payments/gateways.ts'
import { CarrierDesk } from '../../sales/shipping/carriers/quotes.ts'
import { Estimates } from '../../sales/tax/estimates/estimates.ts'
import { SizedFolder } from '../../shared/pictures/sizes/sized-folder.ts'
import type { AddressRules } from '../../shop/channels/sites/addresses.ts'
import { Renderers } from '../../shop/templates/renderers.ts'
import { DownloadLinks } from '../../shop/themes/transfer/links.ts'
import { StorePortFaults } from '../../stores/faults/ports.ts'
import type { LogLevel } from '../../stores/requests/levels.ts'
import type { RequestRecorder } from '../../stores/requests/recorder.ts'
import { addressRulesOf, type Config } from '../config.ts'
import type { Installation } from '../installation.ts'

/** The parts of a server: its installation, its files, and the pieces that tests and processes replace. */
export interface AppParts extends Installation {
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
  /** Examines everything that the server needs, for the console. */
  examine?: Examine | undefined
  log: FastifyBaseLogger
}

export type CountedParts = AppParts & { serviceCalls: ServiceCalls }
export type RecordingParts = CountedParts & { recorder: RequestRecorder }

/** The parts, complete with their defaults. */
export interface WholeParts extends AppParts {
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
  guesses: PasswordGuesses
  passkeys: Passkeys
  sessions: PersonSessions
  audit: Audit
  /** Undefined without a console. */
  figures: Figures | undefined
  recorder: RequestRecorder
  /** The level of the request log of stores that have chosen none. */
  requestLog: LogLevel
  hasConsole: boolean
}

const MIB = 1024 * 1024

/** Completes the parts. Those that need an end end with the server. */
export function wholeParts(
  server: FastifyInstance,
  parts: RecordingParts,
  config: Config,
  { grammar, streams, mounted }: Pick<WholeParts, 'streams' | 'mounted'> & { grammar: Grammar },
): WholeParts {
  const { publicUrl, docsBase } = grammar
  const policy = parts.policy ?? policyOf(config)
  const services = parts.services ?? servicesOf(server, { ...policy, calls: parts.serviceCalls })
  return {
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
    figures: config.console ? figuresOf(server, parts) : undefined,
    hasConsole: config.console,
    requestLog: config.requestLog,
  }
}

/** The figures of the console, with the callbacks and jobs of all stores that are due. */
function figuresOf(server: FastifyInstance, { directory, databases, clock, log }: AppParts): Figures {
  const callbacks = new Backlog(directory, clock)
  const jobs = new JobBacklog(directory, clock)
  const countDue = async () => {
    const [{ events, lanes }, tasks] = await Promise.all([callbacks.look(), jobs.look()])
    return [...tasks.values()].reduce((sum, { due }) => sum + due, events + lanes)
  }
  return new Figures(server, { database: directory.database, databases, countDue, log })
}

/** The people of the console, their sessions and the record of their actions. */
function peopleOf({ directory: { database }, secrets, clock, ids }: AppParts) {
  const shared = { database, secrets, clock, ids }
  return {
    people: new People(shared),
    guesses: new PasswordGuesses(shared),
    passkeys: new Passkeys(shared),
    sessions: new PersonSessions(shared),
    audit: new Audit(shared),
  }
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
