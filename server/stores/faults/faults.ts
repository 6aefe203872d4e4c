import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import t, { type Static } from 'typebox'
import { type Database, prepared } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { OUTCOMES, PORTS, type PortOutcome } from '../../core/net/ports.ts'
import type { Api } from '../../core/rest/api.ts'
import { Problem } from '../../core/rest/problem.ts'

const RULES_MAX = 100
const MINUTES_DEFAULT = 60

export const FaultRule = t.Object(
  {
    operation: t.Optional(t.String({ maxLength: 255 })),
    port: t.Optional(t.Enum([...PORTS])),
    client_id: t.Optional(t.String({ maxLength: 64 })),
    next: t.Optional(t.Integer({ minimum: 1, maximum: 1_000_000 })),
    every: t.Optional(t.Integer({ minimum: 1, maximum: 1_000_000 })),
    share: t.Optional(t.Number({ minimum: 0, maximum: 1 })),
    seed: t.Optional(t.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    status: t.Optional(t.Integer({ minimum: 400, maximum: 599 })),
    delay_ms: t.Optional(t.Integer({ minimum: 1, maximum: 30_000 })),
    outcome: t.Optional(t.Enum([...new Set(Object.values(OUTCOMES).flat())])),
    reset: t.Optional(t.Enum(['before_work', 'after_commit', 'half_body'])),
    minutes: t.Optional(t.Integer({ minimum: 1, maximum: 1_440 })),
  },
  { title: 'FaultRule' },
)
export type FaultRule = Static<typeof FaultRule>

/**
 * A fault makes requests to a test store fail as networks and servers do, so that a client can be tested with it. Its rule says which
 * requests match (operation, client), on which occasions the fault occurs (the next n, every nth, a share chosen by a seed, or
 * always), and its effect: a status with the contract's body, a delay, or a connection that is cut. Matching requests are counted in
 * the directory, so processes share the occasions, and the same seed and requests give the same faults. A rule ends after an hour
 * unless it says otherwise, and every process follows within a second.
 */
export interface ActiveFault {
  id: number
  rule: FaultRule
  seen: number
  ends_at: string
}

export type FaultDatabase = Pick<Database, 'system'>

/** A rule that no fault can have. */
export class FaultRefusal extends Error {}

/** @throws FaultRefusal with a sentence for the operator: a rule without an effect or with several occasions, or 100 rules already */
export async function addFault(database: FaultDatabase, store: number, rule: FaultRule): Promise<ActiveFault> {
  const { status, delay_ms, reset, next, every, share, minutes = MINUTES_DEFAULT } = rule
  refuseMixture(rule)
  if (rule.port === undefined && (status ?? delay_ms ?? reset) === undefined)
    throw new FaultRefusal('A fault needs a status, a delay_ms or a reset.')
  if (status !== undefined && reset !== undefined) throw new FaultRefusal('A fault has a status or a reset, not both.')
  const occasions = [next, every, share].filter((value) => value !== undefined)
  if (occasions.length > 1) throw new FaultRefusal('A fault has one of next, every and share.')
  const [added] = await database.system<ActiveFault>(sql`
    with expired as (delete from directory.faults where store_id = ${store} and ends_at <= now())
    insert into directory.faults (store_id, rule, ends_at)
    select ${store}, ${JSON.stringify(rule)}, now() + ${minutes} * interval '1 minute'
    where (select count(*) from directory.faults where store_id = ${store} and ends_at > now()) < ${RULES_MAX}
    returning id, rule, seen, ends_at`)
  if (!added) throw new FaultRefusal(`A store has at most ${RULES_MAX} faults.`)
  return added
}

/** A rule is about requests or about a port. */
function refuseMixture({ port, outcome, operation, client_id, status, reset, delay_ms }: FaultRule) {
  if (port === undefined) {
    if (outcome !== undefined) throw new FaultRefusal('An outcome needs the port that has it.')
    return
  }
  if ([operation, client_id, status, reset].some((part) => part !== undefined))
    throw new FaultRefusal(
      'A fault of a port has an outcome or a delay_ms, and no operation, client_id, status or reset.',
    )
  const outcomes: readonly PortOutcome[] = OUTCOMES[port]
  if (outcome === undefined && delay_ms === undefined)
    throw new FaultRefusal(
      `A fault of the port ${port} needs a delay_ms or one of the outcomes ${outcomes.join(', ')}.`,
    )
  if (outcome !== undefined && !outcomes.includes(outcome))
    throw new FaultRefusal(`The port ${port} has the outcomes ${outcomes.join(', ')}.`)
}

/** The faults of a store that have not ended, in the order in which they are tried. */
export const faultsOf = (database: FaultDatabase, store: number): Promise<ActiveFault[]> =>
  database.system(
    prepared(sql`
      select id, rule, seen, ends_at from directory.faults where store_id = ${store} and ends_at > now() order by id`),
  )

export async function clearFaults(database: FaultDatabase, store: number): Promise<number> {
  return (await database.system(sql`delete from directory.faults where store_id = ${store} returning id`)).length
}

/** The stores with faults. */
export async function storesWithFaults(database: FaultDatabase): Promise<string[]> {
  const stores = await database.system<{ hash: string }>(sql`
    select hash from directory.stores
    where id in (select store_id from directory.faults where ends_at > now()) order by hash`)
  return stores.map(({ hash }) => hash)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Cuts the connection when the answer is ready. */
    cut: 'after_commit' | 'half_body' | undefined
  }
}

/** Prepares routes for faults that occur after their work. */
export function cutAnswers(app: Api) {
  app.decorateRequest('cut', undefined)
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.cut === undefined) return done(null, payload)
    const isHalved = request.cut === 'half_body' && (typeof payload === 'string' || Buffer.isBuffer(payload))
    reply.hijack()
    if (!isHalved) return void request.raw.socket.destroy()
    const body = Buffer.from(payload)
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value)
    }
    reply.raw.writeHead(reply.statusCode, { 'content-length': body.length })
    reply.raw.write(body.subarray(0, body.length >> 1), () => request.raw.socket.destroy())
  })
}

/**
 * Lets the first fault occur that matches a request and has its occasion.
 * @returns the refusal of a fault with a status; `cut` if the connection is cut
 */
export async function occurFault(
  request: FastifyRequest,
  reply: FastifyReply,
  { database, store, faults }: { database: FaultDatabase; store: number; faults: readonly ActiveFault[] },
): Promise<Problem | 'cut' | undefined> {
  const fault = await nextFault(request, { database, store, faults })
  if (!fault) return undefined
  const { status, delay_ms, reset } = fault.rule
  if (delay_ms !== undefined) await sleep(delay_ms, undefined, { ref: false })
  if (reset === 'before_work') {
    reply.hijack()
    request.raw.socket.destroy()
    return 'cut'
  }
  request.cut = reset
  if (status === undefined) return undefined
  if (status === 429) reply.header('x-rate-limit-requests-left', 0)
  return new Problem(status, `The fault ${fault.id} of this test store has occurred.`, {}, headersOf(status))
}

const headersOf = (status: number) => ({
  headers: {
    ...(status === 429 ? { 'x-retry-after': '1' } : {}),
    ...(status === 503 ? { 'retry-after': '1' } : {}),
  },
})

async function nextFault(
  request: FastifyRequest,
  { database, store, faults }: { database: FaultDatabase; store: number; faults: readonly ActiveFault[] },
): Promise<ActiveFault | undefined> {
  const operation = operationOf(request.method, String(request.routeOptions.url))
  const matching = faults.filter(
    ({ rule }) =>
      rule.port === undefined &&
      (rule.operation === undefined || rule.operation === operation) &&
      (rule.client_id === undefined || rule.client_id === request.client.id),
  )
  return nextOccasion(matching, { database, store })
}

/** Counts an occasion of matching faults, in their order, up to the first that occurs. */
export async function nextOccasion(
  matching: readonly ActiveFault[],
  { database, store }: { database: FaultDatabase; store: number },
): Promise<ActiveFault | undefined> {
  for (const fault of matching) {
    const { rule, id } = fault
    const [counted] = await database.system<{ seen: number }>(
      prepared(sql`
        update directory.faults set seen = seen + 1 where store_id = ${store} and id = ${id} and ends_at > now()
        returning seen`),
    )
    // Another process has cleared it.
    if (counted && hasOccasion(rule, counted.seen)) return fault
  }
  return undefined
}

/** The name of an operation in rules: `GET /v3/catalog/brands/{brand_id}`. */
export const operationOf = (method: string, url: string): string =>
  `${method} ${url.replace('/stores/:store_hash', '').replaceAll(/:(\w+)(\([^/]*\))?/g, '{$1}')}`

/** @param nr the number of the matching request, from 1 */
function hasOccasion({ next, every, share, seed = 0 }: FaultRule, nr: number): boolean {
  if (next !== undefined) return nr <= next
  if (every !== undefined) return nr % every === 0
  if (share === undefined) return true
  return createHash('sha256').update(`${seed} ${nr}`).digest().readUInt32BE() < share * 2 ** 32
}
