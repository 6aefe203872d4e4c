import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Database } from '../../core/db/database.ts'
import { isWrongPassword } from '../../core/db/setup/prepare.ts'
import { Problem, problemBody } from '../../core/rest/problem.ts'
import type { Backlog } from '../webhooks/queue/backlog.ts'
import { spaceWarning } from './space.ts'

/** A callback that is due for longer than this causes a warning. */
const WAITING_SECONDS_MAX = 60
/** Readiness waits this long for the count of webhooks and for a new connection: a busy server is ready. */
const PATIENCE_MS = 500
/** A new connection is opened this often at most; sooner again after one that failed. */
const CONNECT_MS = 10_000
const CONNECT_AGAIN_MS = 1_000

interface Parts {
  databases: readonly Pick<Database, 'durabilityWarnings'>[]
  /** Opens new connections to all databases: after a change of the password only new ones are refused. */
  connectAnew(): Promise<void>
  connections: { readonly isDraining: boolean }
  backlog: Pick<Backlog, 'look'>
  /** Returns a sentence if jobs need the operator. */
  jobWarning(): Promise<string | undefined>
  /** Bytes that are left for uploads. */
  freeBytes(): Promise<number>
  registry: Registry
  /** Whether a request sees metrics and details: they name hosts, tables and faults, which are the operator's. */
  isWatcher(request: FastifyRequest): boolean
  docsBase: string
  /** Permitted connections beyond public addresses over https. Only watchers see them. */
  outgoing: { outgoingSubnets: readonly string[]; webhookOrigins: readonly string[] }
  /** The powers that are on in test stores. Only watchers see them. */
  powers(): Promise<PowersInUse>
}

/** The number of test stores with a power. */
export interface PowersInUse {
  stores_with_moved_clocks?: number
  stores_with_faults?: number
}

/** Recognizes the bearer token of the operator. Without a token all details are hidden. */
export function watchersWith(token: string | undefined): Parts['isWatcher'] {
  if (token === undefined) return () => false
  const hash = (text: string) => createHash('sha256').update(text).digest()
  const expected = hash(`Bearer ${token}`)
  return ({ headers }) => timingSafeEqual(hash(headers.authorization ?? ''), expected)
}

/** Routes for monitoring: liveness, readiness and metrics. */
export function healthRoutes(app: FastifyInstance, parts: Parts) {
  const { databases, connections, backlog, registry, outgoing, isWatcher, docsBase } = parts
  const newConnections = new NewConnections(parts.connectAnew)
  app.get('/healthz', async () => ({ status: 'ok' }))

  const allowed = {
    ...(outgoing.outgoingSubnets.length > 0 ? { outgoing_subnets: outgoing.outgoingSubnets } : {}),
    ...(outgoing.webhookOrigins.length > 0 ? { webhook_origins: outgoing.webhookOrigins } : {}),
  }
  /** Everybody learns whether the server is ready, a watcher also the details. */
  const answer = (request: FastifyRequest, reply: FastifyReply, status: 200 | 503, details: { status: string }) =>
    reply.status(status).send(isWatcher(request) ? details : { status: status === 200 ? 'ok' : 'unavailable' })

  // A busy server is ready: one that is taken away from its clients only makes the others busier.
  app.get('/readyz', async (request, reply) => {
    const unavailable = (because: { server: string } | { database: string }) =>
      answer(request, reply, 503, { status: 'unavailable', ...because })
    if (connections.isDraining) return unavailable({ server: 'stopping' })
    const [answers, refusal, late, jobs, space, powers] = await Promise.all([
      Promise.allSettled(databases.map((database) => database.durabilityWarnings())),
      newConnections.refusal(),
      soon(lateness(backlog), 'Waiting webhooks could not be counted.'),
      soon(parts.jobWarning(), 'Waiting jobs could not be counted.'),
      soon(spaceWarning(parts.freeBytes), 'The free space for uploads could not be measured.'),
      Promise.race([parts.powers().catch(() => ({})), sleep(PATIENCE_MS, {}, { ref: false })]),
    ])
    if (answers.some(({ status }) => status === 'rejected')) {
      return unavailable({ database: 'not reachable' })
    }
    if (isWrongPassword(refusal)) return unavailable({ database: 'refuses the password that follows from SECRET' })
    const unsafe = new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])))
    const warnings = [
      ...(unsafe.size > 0 ? [`A crash may lose acknowledged writes: off are ${[...unsafe].join(', ')}.`] : []),
      ...(refusal === undefined ? [] : ['The database takes no new connections.']),
      ...(late === undefined ? [] : [late]),
      ...(jobs === undefined ? [] : [jobs]),
      ...(space === undefined ? [] : [space]),
    ]
    const state = warnings.length === 0 ? { status: 'ok' } : { status: 'degraded', warning: warnings.join(' ') }
    return answer(request, reply, 200, { ...state, ...allowed, ...powers })
  })

  app.get('/metrics', async (request, reply) => {
    if (isWatcher(request)) return reply.type(registry.contentType).send(await registry.metrics())
    const problem = new Problem(401, 'Send the WATCH_TOKEN of this server as a bearer token.')
    return reply.status(401).header('www-authenticate', 'Bearer').send(problemBody(problem, docsBase))
  })
}

/** Whether the databases take new connections. Readiness asks them, at most once in `CONNECT_MS`, or in `CONNECT_AGAIN_MS` after a failure. */
class NewConnections {
  readonly #connect: () => Promise<void>
  #last: Promise<unknown> = Promise.resolve(undefined)
  #nextAt = 0

  constructor(connect: () => Promise<void>) {
    this.#connect = connect
  }

  /** @returns why the last new connection was refused; undefined if it was not, or if it takes long */
  refusal(): Promise<unknown> {
    if (performance.now() >= this.#nextAt) this.#ask()
    return Promise.race([this.#last, sleep(PATIENCE_MS, undefined, { ref: false })])
  }

  #ask() {
    // Not again before this one has an outcome.
    this.#nextAt = Number.POSITIVE_INFINITY
    const askAfter = (ms: number) => {
      this.#nextAt = performance.now() + ms
    }
    this.#last = this.#connect().then(
      () => askAfter(CONNECT_MS),
      (error: unknown) => {
        askAfter(CONNECT_AGAIN_MS)
        return error
      },
    )
  }
}

/** Returns a sentence if webhooks wait too long. */
async function lateness(backlog: Pick<Backlog, 'look'>): Promise<string | undefined> {
  const { oldestSeconds } = await backlog.look()
  return oldestSeconds > WAITING_SECONDS_MAX
    ? `Webhooks have been waiting for ${Math.floor(oldestSeconds)} s: is a worker running?`
    : undefined
}

/** The sentence, or the other one if the first takes longer than `PATIENCE_MS` or fails. */
const soon = (sentence: Promise<string | undefined>, unknown: string) =>
  Promise.race([sentence.catch(() => unknown), sleep(PATIENCE_MS, unknown, { ref: false })])
