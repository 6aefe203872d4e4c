import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Files } from '../core/files/files.ts'
import { ServiceCalls } from '../core/net/service-calls.ts'
import type { Examine } from '../doors/console/server-routes.ts'
import type { FindDemoStore } from '../doors/operator/demo-store.ts'
import { openLog } from '../doors/operator/log.ts'
import { Outages } from '../doors/operator/outages.ts'
import { ListedProcess } from '../doors/operator/processes.ts'
import { Renderers } from '../shop/templates/renderers.ts'
import { storesWithFaults } from '../stores/faults/faults.ts'
import { type Config, publicUrlOf } from './config.ts'
import { filesOf } from './files.ts'
import { type Installation, openInstallation } from './installation.ts'

/** Connections that the system queues while this process is busy. The default of Node, 511, lasts half a second of an attack. */
const BACKLOG = 4_096

export interface RunningServer {
  /** The local address, for example http://127.0.0.1:8080. */
  address: string
  publicUrl: string
  installation: Installation
  files: Files
  log: Logger
  /** Serves a connection that another port has accepted. */
  connect(socket: Socket): void
  /** Answers `/readyz` with 503 and resolves after DRAIN_SECONDS, when balancers send requests elsewhere. */
  drain(): Promise<void>
  /** Stops listening, waits for running requests and the background work, and closes the databases. */
  stop(): Promise<void>
}

/** The options of the programs that start a server. */
interface StartOptions {
  /** Whether the server also receives webhooks and shows them. */
  inspector?: boolean
  /** Finds the demo store for the start page and the reference page. */
  findDemoStore?: FindDemoStore
  /** A factor of all times that the database may take. */
  patience?: number
  /** Examines everything that the server needs, as `doctor` does. */
  examine?: Examine
}

/**
 * Starts the server: databases, app, port, background work. It stops in the order port, background work, databases.
 * @throws Error with a sentence for the operator
 */
export async function start(
  config: Config,
  { inspector = false, findDemoStore, patience, examine }: StartOptions = {},
): Promise<RunningServer> {
  const outages = new Outages()
  const log = openLog(config.logLevel, outages)
  const { installation, createApp, Background, convertStoredAddresses } = await openBeside(config, log, patience)
  const { databases } = installation
  outages.watch(log, () => Promise.all(databases.map((database) => database.durabilityWarnings())))
  try {
    await watchPowers(installation, config, log)
    const port = config.port || (await freePort(config.host))
    const publicUrl = publicUrlOf(config, port)
    const files = await filesOf(config, publicUrl, installation)
    await files.open()
    const renderers = new Renderers()
    const shared = { ...installation, files, renderers, serviceCalls: new ServiceCalls() }
    const background = config.role === 'api' ? undefined : new Background({ ...shared, publicUrl }, config, log)
    const parts = {
      ...shared,
      log,
      inspector,
      findDemoStore,
      examine,
      worker: background?.worker,
      jobs: background?.jobs,
    }
    const { server, drain } = await createApp(parts, config, publicUrl)
    const address = await server.listen({ host: config.host, port, backlog: BACKLOG }).catch((error) => {
      throw refusal(error, config.host, port)
    })
    await warnOfDataLoss(installation, log)
    logAllowances(config, log)
    background?.start()
    const stopping = new AbortController()
    const listed = new ListedProcess({ database: installation.directory.database, role: config.role, publicUrl, log })
    const converting = convertStoredAddresses({ ...installation, files }, log, stopping.signal)
    return {
      address,
      publicUrl,
      installation,
      files,
      log,
      connect: (socket) => void server.server.emit('connection', socket),
      async drain() {
        drain()
        await sleep(config.drainSeconds * 1_000)
      },
      async stop() {
        const late = setTimeout(() => server.server.closeAllConnections(), config.stopSeconds * 1_000)
        await server.close()
        clearTimeout(late)
        stopping.abort()
        await background?.stop()
        renderers.close()
        await converting
        await listed.stop()
        await installation.close()
        log.flush()
      },
    }
  } catch (error) {
    await installation.close()
    throw error
  }
}

/**
 * Opens the databases, and meanwhile loads the modules of all areas. At its first start an embedded database takes a second until it
 * runs, in processes of its own, and the modules take as long.
 */
async function openBeside(config: Config, log: Logger, patience: number | undefined) {
  const [installation, { createApp }, { Background }, { convertStoredAddresses }] = await Promise.all([
    openInstallation(config, { alone: true, prepares: true, patience, log }),
    import('./app.ts'),
    import('./background.ts'),
    import('./stored-addresses.ts'),
  ])
  return { installation, createApp, Background, convertStoredAddresses }
}

/** A free port for PORT=0. It is needed before the server listens, because links to files and errors contain it. */
export async function freePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host)
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error(`There is no free port on ${host}.`)
  return address.port
}

const refusals = new Map<unknown, (host: string, port: number) => string>([
  ['EADDRINUSE', (host, port) => `Port ${port} of ${host} is taken. Set PORT to another one, or to 0.`],
  ['EACCES', (host, port) => `This user may not listen at port ${port} of ${host}. Set PORT to another one.`],
  ['EADDRNOTAVAIL', (host) => `This machine does not have the address ${host}. Set HOST to one that it has.`],
])

/** Returns a sentence for the operator for a known reason why the server cannot listen, else the error itself. */
function refusal(error: unknown, host: string, port: number): unknown {
  const describe = error instanceof Error && 'code' in error ? refusals.get(error.code) : undefined
  return describe ? new Error(describe(host, port)) : error
}

/** Stops the server at SIGTERM or SIGINT and exits with code 0. A second signal ends the process at once. */
export function stopOnSignal(running: RunningServer) {
  const stop = async (signal: NodeJS.Signals) => {
    process.off('SIGTERM', stop).off('SIGINT', stop)
    // Ctrl-C does not drain, because a person is waiting at the terminal.
    if (signal === 'SIGTERM') await running.drain()
    await running.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop).on('SIGINT', stop)
}

/**
 * Logs the test stores with faults or moved clocks.
 * @throws Error that names them, if this server doesn't open test stores
 */
async function watchPowers({ directory, clocks }: Installation, { testStores }: Config, log: Logger) {
  const failing = await storesWithFaults(directory.database)
  const moved = (await directory.list()).filter(({ id }) => clocks.find(id)).map(({ hash }) => hash)
  if (testStores) {
    if (failing.length > 0) log.warn({ stores: failing }, 'requests to these test stores are made to fail')
    if (moved.length > 0) log.warn({ stores: moved }, 'the clocks of these test stores are ahead, or stand')
    return
  }
  if (failing.length > 0) {
    throw new Error(
      `Requests to these test stores are made to fail: ${failing.join(', ')}. Set TEST_STORES=true, or run ` +
        `"storeward faults clear <store>" for each.`,
    )
  }
  if (moved.length > 0) {
    throw new Error(
      `The clocks of these test stores are ahead or stand: ${moved.join(', ')}. Set TEST_STORES=true, or run ` +
        `"storeward clock clear <store>" for each.`,
    )
  }
}

/** Logs the addresses beyond public ones that the settings allow the server to connect to. `/readyz` shows them too. */
function logAllowances({ outgoingSubnets, webhookOrigins }: Config, log: Logger) {
  if (outgoingSubnets.length + webhookOrigins.length === 0) return
  log.warn(
    { outgoing_subnets: outgoingSubnets, webhook_origins: webhookOrigins },
    'the server may connect to addresses that are not public, or without https',
  )
}

async function warnOfDataLoss({ databases }: Installation, log: Logger) {
  const warnings = await Promise.all(databases.map((database) => database.durabilityWarnings()))
  const off = [...new Set(warnings.flat())]
  if (off.length > 0) log.warn({ off }, 'a crash of the database may lose acknowledged writes')
}
