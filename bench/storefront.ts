/**
 * The cost of a storefront request beside a floor that verifies the same signature and sends the same statements, in
 * turns. Once with one token, as the pages of a shop send it and as the server caches it for a second, and once with
 * 6,000 tokens, none of which is cached. Also a document that is compiled beside one that is not, and the memory of the server before and
 * after its first GraphQL request, and after up to 102,000 different documents (C-107).
 *
 * node bench/storefront.ts [--quick]
 *
 * Exits with 1 if a request takes more than 1.6 times the CPU of the floor, server and database together. Needs Linux.
 */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { findEmbedded } from '../server/core/db/setup/embedded.ts'
import { Connection } from '../server/core/db/wire/connection.ts'
import type { Statement } from '../server/core/db/wire/exchange.ts'
import { Files } from '../server/core/files/files.ts'
import { signingKey } from '../server/doors/storefront/tokens/keys.ts'
import { signToken } from '../server/doors/storefront/tokens/tokens.ts'
import { createApp } from '../server/process/app.ts'
import { readConfig } from '../server/process/config.ts'
import { type Installation, openInstallation } from '../server/process/installation.ts'
import { cpuOf, cpuOfPostgres, memoryOf } from './cpu.ts'
import { figure } from './report.ts'
import { ask, type Generator, type Subject, startLoad, startServer, stop } from './subjects.ts'

const BAR = 1.6
const TOKENS = 6_000
const DOCUMENTS = 6_000
const MEMORY_ROUNDS = 17
const CONNECTIONS = 16
/** Documents of a round that compares compiled ones with others, and how often each is sent. The server compiles a document when it comes for the eleventh time. */
const [COMPARED, TIMES] = [100, 8]
const QUERY = '{ site { settings { storeName url { vanityUrl } status } } }'
/** The settings and the menu that a shop requests with each page. */
const PAGE = `{ site { settings { storeName storeHash status url { vanityUrl cdnUrl checkoutUrl } logoV2 { __typename } contact { address country email phone }
  locales { code isDefault } display { shortDateFormat extendedDateFormat } tax { pdp plp } inventory { defaultOutOfStockMessage showOutOfStockMessage }
  socialMediaLinks { name url } search { productFilteringEnabled } } categoryTree { entityId name path children { entityId name path } }
  currencies(first: 10) { edges { node { entityId code name isTransactional display { symbol symbolPlacement decimalToken decimalPlaces thousandsToken } } } } } }`

const { values: options } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const [ROUNDS, REQUESTS] = options.quick ? [3, 6_000] : [7, 12_000]

/** A statement of the server, and the position of the token's jti among its values. */
export interface FloorStatement extends Pick<Statement, 'name' | 'text' | 'values'> {
  jtiAt: number
}

const folder = await mkdtemp(join(tmpdir(), 'storeward-storefront-'))
const running: { stop(): Promise<void> }[] = []
try {
  await compare()
} finally {
  for (const subject of running.toReversed()) await subject.stop()
  await rm(folder, { recursive: true, force: true })
}

async function compare() {
  const server = started(await startServer(folder, []))
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
  const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
  const administrator = await findEmbedded(folder)
  const store = await installation.directory.create({ name: 'Bench', plan: 'unlimited' })
  const db = await installation.directory.dbById(store.id)
  if (!db || !administrator) throw new Error('The database is not running.')
  const tokens: string[] = []
  for (let i = 0; i < TOKENS; i++) {
    const iat = Math.floor(Date.now() / 1_000)
    const claims = { iat, eat: 0, cid: [1], cors: [], sub: 'bench', token_type: 1 as const, jti: randomUUID() }
    tokens.push(await signToken(db, installation.secrets, claims))
  }
  // A token for servers: a shopper may send fewer different documents in a second.
  const ofServer = await signToken(db, installation.secrets, {
    iat: Math.floor(Date.now() / 1_000),
    eat: 0,
    cid: [1],
    sub: 'bench',
    token_type: 2,
    jti: randomUUID(),
  })
  const { d: _, ...key } = (await signingKey(db, installation.secrets)).key
  const [first = ''] = tokens
  const statements = await record(installation, store.hash, tokens)
  await installation.close()

  const url = new URL(administrator)
  url.pathname = '/storeward'
  const child = fork(new URL('./storefront-floor.ts', import.meta.url))
  const { port } = await ask<{ port: number }>(child, { url: url.href, key, statements })
  const floor = started({ pid: child.pid ?? 0, port, stop: () => stop(child) })
  const generator = started(startLoad())

  const path = `/storefront/${store.hash}/graphql`
  console.log(
    `load ${loadavg()[0]?.toFixed(1)}; CPU of server and database in microseconds a request, median (lowest to highest)`,
  )
  const idle = memoryOf(server.pid)
  const began = performance.now()
  await generator.run({
    port: server.port,
    connections: 1,
    seconds: 5,
    requests: 1,
    messages: [message(path, first)],
    first: 0,
  })
  console.log(
    `the first request takes ${(performance.now() - began).toFixed(0)} ms; memory ${idle.toFixed(0)} MiB before it, ${memoryOf(server.pid).toFixed(0)} MiB behind it`,
  )
  for (const [name, used] of Object.entries({ remembered: [first], new: tokens })) {
    const messages = {
      server: used.map((token) => message(path, token)),
      floor: used.map((token) => message(`/${name}/graphql`, token)),
    }
    const ratio = await measure(name, { server, floor, generator, postmaster }, messages)
    if (ratio > BAR) process.exitCode = 1
  }
  await measureCompilation({ server, generator }, (name) => message(path, ofServer, `query ${name} ${PAGE}`))
  // V8 collects the garbage of documents only after the heap has grown for some rounds; then its size is level.
  for (let round = 1; round <= MEMORY_ROUNDS; round++) {
    const messages = Array.from({ length: DOCUMENTS }, (_, i) =>
      message(path, ofServer, `query Q${round}_${i} ${QUERY}`),
    )
    await generator.run({
      port: server.port,
      connections: CONNECTIONS,
      seconds: 120,
      requests: DOCUMENTS,
      messages,
      first: 0,
    })
    console.log(`memory after ${round * DOCUMENTS} different documents: ${memoryOf(server.pid).toFixed(0)} MiB`)
  }
}

/** Compares the CPU of the server for a document between its second and its tenth request with that behind its eleventh, in turns. */
async function measureCompilation(
  { server, generator }: Pick<Sides, 'server' | 'generator'>,
  messageOf: (name: string) => string,
) {
  const ratios: number[] = []
  const costs: { plain: number[]; compiled: number[] } = { plain: [], compiled: [] }
  for (let round = -1; round < ROUNDS; round++) {
    const messages = Array.from({ length: COMPARED }, (_, i) => messageOf(`C${round + 1}_${i}`))
    const send = async (times: number) => {
      const before = cpuOf(server.pid)
      const requests = times * COMPARED
      // One connection: no document is sent again before all others were.
      await generator.run({ port: server.port, connections: 1, seconds: 120, requests, messages, first: 0 })
      return (cpuOf(server.pid) - before) / requests
    }
    await send(1)
    const plain = await send(TIMES)
    await send(3)
    const compiled = await send(TIMES)
    if (round < 0) continue
    ratios.push(plain / compiled)
    costs.plain.push(plain)
    costs.compiled.push(compiled)
  }
  const { median, lowest, highest } = figure(ratios)
  const [plain, compiled] = [figure(costs.plain).median, figure(costs.compiled).median]
  console.log(
    `a document that is not compiled ${plain.toFixed(0)} us of the server, compiled ${compiled.toFixed(0)}, ratio ${median.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)})`,
  )
}

/**
 * The statements of the server for cached and for new tokens, recorded between a server in this process and its driver.
 */
async function record(installation: Installation, hash: string, tokens: readonly string[]) {
  const files = new Files(join(folder, 'files'), 'http://127.0.0.1', installation.ids)
  const { server } = await createApp(
    { ...installation, files, log: pino({ level: 'silent' }) },
    readConfig({}),
    'http://127.0.0.1',
  )
  const overheard: Statement[] = []
  const { send } = Connection.prototype
  Connection.prototype.send = function (statements, onAnswer) {
    overheard.push(...statements.filter(({ dropsRows }) => !dropsRows))
    return send.call(this, statements, onAnswer)
  }
  const asked = async (token = ''): Promise<FloorStatement[]> => {
    overheard.length = 0
    const { statusCode, body } = await server.inject({
      method: 'POST',
      url: `/storefront/${hash}/graphql`,
      headers: { authorization: `Bearer ${token}` },
      payload: { query: QUERY },
    })
    if (statusCode !== 200) throw new Error(`The server answers with ${statusCode}: ${body}`)
    const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return overheard.map(({ name, text, values }) => ({
      ...(name ? { name } : {}),
      text,
      values: [...values],
      jtiAt: values.indexOf(jti),
    }))
  }
  try {
    // The first request also finds the storefront; those of the next second don't.
    await asked(tokens[0])
    return { remembered: await asked(tokens[0]), new: await asked(tokens[1]) }
  } finally {
    Connection.prototype.send = send
    await server.close()
  }
}

interface Sides {
  server: Subject
  floor: Subject
  generator: Generator
  postmaster: number
}

/** @returns the CPU of a request as a multiple of the floor's */
async function measure(
  name: string,
  { server, floor, generator, postmaster }: Sides,
  messages: Record<'server' | 'floor', string[]>,
) {
  const round = async ({ pid, port }: Subject, sent: string[]) => {
    const before = cpuOf(pid) + cpuOfPostgres(postmaster)
    const { requests } = await generator.run({
      port,
      connections: CONNECTIONS,
      seconds: 60,
      requests: REQUESTS,
      messages: sent,
      first: 0,
    })
    return (cpuOf(pid) + cpuOfPostgres(postmaster) - before) / requests
  }
  const [own, beside]: [number[], number[]] = [[], []]
  for (let i = -1; i < ROUNDS; i++) {
    const costs = [await round(server, messages.server), await round(floor, messages.floor)] as const
    // The first round is the warm-up.
    if (i < 0) continue
    own.push(costs[0])
    beside.push(costs[1])
  }
  const ratio = figure(own.map((cost, i) => cost / (beside[i] ?? 1)))
  const shown = [figure(own), figure(beside)].map(
    ({ median, lowest, highest }) => `${median.toFixed(0)} (${lowest.toFixed(0)} to ${highest.toFixed(0)})`,
  )
  console.log(
    `a ${name} token: server ${shown[0]}, floor ${shown[1]}, ratio ${ratio.median.toFixed(2)} (${ratio.lowest.toFixed(2)} to ${ratio.highest.toFixed(2)})`,
  )
  return ratio.median
}

function message(path: string, token: string, query = QUERY) {
  const body = JSON.stringify({ query })
  return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

function started<S extends { stop(): Promise<void> }>(subject: S): S {
  running.push(subject)
  return subject
}
