import { existsSync } from 'node:fs'
import { access, constants, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { type DatabaseFacts, examineDatabase } from '../../core/db/setup/examine.ts'
import {
  type DatabasePart,
  hostOf,
  refuseOtherPasswords,
  refuseUnprepared,
  serverUrls,
} from '../../core/db/setup/prepare.ts'
import { tryMailServer } from '../../core/mail/outbox.ts'
import { type Secrets, secretsFrom } from '../../core/secrets/secrets.ts'
import { freeBytes, inGib, SPACE_MIN } from '../../doors/operator/space.ts'
import { type Config, misspeltSettings, readConfig } from '../../process/config.ts'
import { bucketOf } from '../../process/files.ts'
import { layoutOf, refusedLogin, runningEmbedded } from '../../process/installation.ts'
import { refusePowers } from '../../sandbox/powers.ts'
import { examinePayments } from './examine-payments.ts'
import { examineTaxProviders } from './examine-tax.ts'

/** One finding. `look`: nothing is broken, but the operator should know it. `mend`: something has to change. */
export interface Finding {
  state: 'ok' | 'look' | 'mend'
  of: string
  /** A sentence with the name of the setting, never with a secret. */
  says: string
}

type Environment = Readonly<Record<string, string | undefined>>

const CLOCK_MAX_MS = 5_000
const VERSION_MIN = 15
/** Connections besides `POOL_SIZE`: those for short reads, those of the system role, that of the request log, and short-lived ones. */
const OTHER_CONNECTIONS = 11
const PORT_WAIT_MS = 2_000

/** Examines everything that a server with these settings needs. It changes nothing, and starts no database. */
export async function examine(environment: Environment): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    // The other findings depend on the settings.
    return sentenceOf(error)
      .split('\n')
      .map((says) => mend('settings', says))
  }
  const findings = await Promise.all([
    examineSettings(config),
    misspeltSettings(environment).map((says) => look('settings', says)),
    examineDatabases(config),
    examineFolder(config),
    examineBucket(config),
    examineProxy(config),
    examinePort(config),
    examineMail(config),
  ])
  return findings.flat()
}

const ok = (of: string, says: string): Finding => ({ state: 'ok', of, says })
const look = (of: string, says: string): Finding => ({ state: 'look', of, says })
const mend = (of: string, says: string): Finding => ({ state: 'mend', of, says })

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function examineSettings(config: Config): Promise<Finding[]> {
  const [major] = process.versions.node.split('.')
  const node = ok('node', `Node ${major} runs this command.`)
  try {
    refusePowers(config)
    if (config.secret !== undefined) secretsFrom(config.secret)
  } catch (error) {
    return [
      node,
      ...sentenceOf(error)
        .split('\n')
        .map((says) => mend('settings', says)),
    ]
  }
  return [node, ok('settings', 'All settings can be read.')]
}

async function examineDatabases(config: Config): Promise<Finding[]> {
  const mainUrl = config.databaseUrl ?? (await runningEmbedded(config.dataFolder))
  if (mainUrl === undefined) {
    return [
      ok('database', 'DATABASE_URL is empty: "storeward serve" starts the embedded PostgreSQL of STOREWARD_DATA.'),
    ]
  }
  const secrets = await secretsOf(config)
  if (!secrets) return [mend('database', "It can't be examined without SECRET or the file STOREWARD_DATA/secret.")]
  try {
    const { databases } = layoutOf(config, mainUrl)
    const found = await Promise.all(databases.map(({ url, parts }) => examineOne(url, parts, config, secrets)))
    return found.flat()
  } catch (error) {
    return [mend('database', sentenceOf(error))]
  }
}

/** Undefined for an invalid secret, which is reported with the settings. */
async function secretsOf({ secret, dataFolder }: Config): Promise<Secrets | undefined> {
  try {
    return secretsFrom(secret ?? (await readFile(join(dataFolder, 'secret'), 'utf8')))
  } catch {
    return undefined
  }
}

async function examineOne(url: string, parts: DatabasePart[], config: Config, secrets: Secrets): Promise<Finding[]> {
  const of = `database ${hostOf(url)}${new URL(url).pathname}`
  let facts: DatabaseFacts
  try {
    facts = await examineDatabase(url, parts)
  } catch (error) {
    return [mend(of, sentenceOf(refusedLogin(error) ?? error))]
  }
  const tables = await examineTables(of, { url, parts, secrets }, facts)
  const areReady = tables.state === 'ok' && parts.includes('cell')
  const systemUrl = serverUrls(url, secrets.rolePassword).system
  const payments = areReady ? await examinePayments(systemUrl) : []
  const providers = areReady ? await examineTaxProviders(systemUrl) : []
  return [
    tables,
    ...payments.map((says) => look('payments', says)),
    ...providers.map((says) => look('tax', says)),
    ...examineServer(of, facts, config),
    ...examineCluster(of, facts),
    ...examineProcesses(facts, config),
    Math.abs(facts.ahead) > CLOCK_MAX_MS
      ? mend(
          of,
          `Its clock is ${Math.round(Math.abs(facts.ahead) / 1_000)} s ${facts.ahead > 0 ? 'ahead of' : 'behind'} ours. Set both by a time server.`,
        )
      : ok(of, 'Its clock agrees with ours.'),
  ]
}

/** Checks that the tables belong to this program and this secret, or can be prepared. */
async function examineTables(
  of: string,
  { url, parts, secrets }: { url: string; parts: DatabasePart[]; secrets: Secrets },
  { mayPrepare, hasRoles, unknownMigrations }: DatabaseFacts,
): Promise<Finding> {
  if (!mayPrepare) {
    return mend(
      of,
      'The login must be a superuser, or have createrole and own the database: serve and migrate prepare it.',
    )
  }
  if (!hasRoles) return look(of, 'It is not prepared yet: "storeward serve" or "storeward migrate" prepares it.')
  const [newer] = unknownMigrations
  if (newer !== undefined) {
    return mend(
      of,
      `A newer version of storeward has created the tables (${newer}). Run that version, or restore a backup.`,
    )
  }
  try {
    await refuseOtherPasswords(url, secrets.rolePassword)
    await refuseUnprepared(serverUrls(url, secrets.rolePassword).system, parts, secrets.verifier)
    return ok(of, 'Its tables are up to date, and SECRET matches.')
  } catch (error) {
    return mend(of, sentenceOf(error))
  }
}

/** All processes must create the same addresses of pictures, downloads and links in e-mails. */
function examineProcesses({ processes }: DatabaseFacts, { publicUrl }: Config): Finding[] {
  if (processes.length === 0) return []
  const of = 'processes'
  const named = processes.map((it) => `process ${it.pid} of ${it.host} (${it.role}) has ${it.publicUrl}`)
  const wanted = new Set([...processes.map((it) => it.publicUrl), ...(publicUrl === undefined ? [] : [publicUrl])])
  if (wanted.size === 1) return [ok(of, `All running processes have the same PUBLIC_URL: ${[...wanted].join()}.`)]
  const ours = publicUrl === undefined ? [] : [`these settings have ${publicUrl}`]
  return [mend(of, `They disagree about PUBLIC_URL: ${[...named, ...ours].join('; ')}. Set the same one for all.`)]
}

function examineServer(
  of: string,
  { version, hasRoles, hasSearch, connectionsMax, off }: DatabaseFacts,
  config: Config,
) {
  const needed = config.poolSize + OTHER_CONNECTIONS
  return [
    version < VERSION_MIN
      ? mend(of, `It is PostgreSQL ${version}. storeward needs ${VERSION_MIN} or newer.`)
      : ok(of, `It is PostgreSQL ${version}.`),
    connectionsMax < needed
      ? mend(
          of,
          `It takes ${connectionsMax} connections, and POOL_SIZE=${config.poolSize} needs ${needed} for each process.`,
        )
      : ok(of, `It takes ${connectionsMax} connections; each process needs ${needed}.`),
    ...(off.length > 0 ? [look(of, `${off.join(', ')} is off: a crash may lose acknowledged writes.`)] : []),
    ...(hasRoles && !hasSearch
      ? [
          look(
            of,
            'Searches have no index, and read all names of a store: docs/operations.md section 2 says what a superuser runs.',
          ),
        ]
      : []),
  ]
}

/** Checks the nodes of a database that has several. */
function examineCluster(of: string, { cluster, hasRoles }: DatabaseFacts): Finding[] {
  if (!cluster) return []
  const { version, nodes, undistributed, largest } = cluster
  const away = nodes.filter(({ isThere }) => !isThere)
  const sizes = nodes.map(
    ({ name, shards, bytes }) => `${name} with ${shards} shards, ${Math.round(bytes / 2 ** 20)} MiB`,
  )
  const stores = largest.map(({ store, rows }) => `number ${store} with ${rows} rows`)
  return [
    ok(of, `It is Citus ${version}. Its nodes: ${sizes.join('; ')}.`),
    ...(largest.length > 0 ? [ok(of, `Its largest stores: ${stores.join('; ')}.`)] : []),
    ...away.map(({ name }) => mend(of, `The node ${name} is away: stores on it are not answered.`)),
    ...(hasRoles && undistributed.length > 0
      ? [
          mend(
            of,
            `Tables that are not distributed: ${undistributed.join(', ')}. "storeward migrate" distributes them.`,
          ),
        ]
      : []),
  ]
}

async function examineFolder({ dataFolder }: Config): Promise<Finding[]> {
  const of = 'folder'
  let existing = dataFolder
  while (!existsSync(existing)) existing = dirname(existing)
  try {
    if (!(await stat(existing)).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
    await access(existing, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : sentenceOf(error)
    return [
      mend(of, `STOREWARD_DATA: ${existing} can't be used (${code}). This user must be able to read and write it.`),
    ]
  }
  const free = await freeBytes(existing)
  return [
    free < SPACE_MIN
      ? mend(
          of,
          `STOREWARD_DATA: ${existing} has ${inGib(free)} left. Uploads are refused when there is none: make room.`,
        )
      : ok(of, `${dataFolder} can be written and has ${inGib(free)} left.`),
    ...(await examineSecretFile(join(dataFolder, 'secret'))),
  ]
}

async function examineSecretFile(path: string): Promise<Finding[]> {
  const facts = await stat(path).catch(() => undefined)
  if (!facts || (facts.mode & 0o077) === 0) return []
  return [mend('folder', `Others can read ${path}: chmod 600 it.`)]
}

async function examineBucket(config: Config): Promise<Finding[]> {
  try {
    const bucket = await bucketOf(config, join(config.dataFolder, 'files'))
    await bucket?.open()
    return bucket ? [ok('bucket', 'The bucket of S3_BUCKET can be reached.')] : []
  } catch (error) {
    return [mend('bucket', sentenceOf(error))]
  }
}

const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** The proxy in front of the server is not visible from here. These findings only compare settings. */
function examineProxy({ publicUrl, trustProxy, requireHttps, host }: Config): Finding[] {
  const of = 'proxy'
  const isHttps = publicUrl?.startsWith('https:') ?? false
  const faults: Finding[] = []
  if (requireHttps && !isHttps)
    faults.push(mend(of, 'REQUIRE_HTTPS=true sends clients to PUBLIC_URL, which must begin with https://.'))
  if (isHttps && trustProxy === undefined) {
    faults.push(
      mend(
        of,
        'PUBLIC_URL is https, which a proxy ends, and TRUST_PROXY is empty: all clients have its address, and the failed logins of ' +
          'one bar them all. Set TRUST_PROXY to the number of proxies or to their subnets.',
      ),
    )
  }
  if (publicUrl === undefined && trustProxy !== undefined)
    faults.push(
      mend(of, "TRUST_PROXY is set and PUBLIC_URL is not: links name http://localhost, which clients can't open."),
    )
  if (faults.length > 0) return faults
  if (publicUrl === undefined)
    return [
      look(of, 'PUBLIC_URL and TRUST_PROXY are empty: right for this machine alone. Links name http://localhost.'),
    ]
  if (!isHttps && !LOCAL.test(new URL(publicUrl).hostname))
    return [
      look(
        of,
        'PUBLIC_URL is plain http: tokens can be read on their way. Put a proxy with https in front (section 5).',
      ),
    ]
  if (typeof trustProxy === 'number' && !LOCAL.test(host))
    return [
      look(
        of,
        `TRUST_PROXY=${trustProxy} with HOST=${host}: nobody must reach the server but through the proxies, or addresses can be forged. Subnets are safer.`,
      ),
    ]
  if (!isHttps) return [ok(of, 'PUBLIC_URL is an address of this machine.')]
  return [
    ok(
      of,
      `Settings fit. To see that the proxy does: curl -si ${publicUrl}/stores/none/v3/store shows Strict-Transport-Security.`,
    ),
  ]
}

function examinePort({ host, port }: Config): Promise<Finding[]> {
  const of = 'port'
  if (port === 0) return Promise.resolve([ok(of, 'PORT=0 takes any free port.')])
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', async (error) => {
      const code = 'code' in error ? error.code : error.message
      const isOurs = code === 'EADDRINUSE' && (await isStoreward(host, port))
      if (isOurs) return resolve([ok(of, `A storeward answers at port ${port} of ${host}.`)])
      const says: Record<string, string> = {
        EADDRINUSE: `Port ${port} of ${host} is taken by another program. Set PORT to another one.`,
        EACCES: `This user may not listen at port ${port} of ${host}. Set PORT to another one.`,
        EADDRNOTAVAIL: `This machine does not have the address ${host}. Set HOST to one that it has.`,
      }
      resolve([mend(of, says[String(code)] ?? `HOST=${host} and PORT=${port} can't be listened at (${code}).`)])
    })
    probe.listen(port, host, () => probe.close(() => resolve([ok(of, `Port ${port} of ${host} is free.`)])))
  })
}

async function isStoreward(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host
  const signal = AbortSignal.timeout(PORT_WAIT_MS)
  const answer = await fetch(`http://${name}:${port}/healthz`, { signal }).catch(() => undefined)
  return (await answer?.text().catch(() => '')) === '{"status":"ok"}'
}

async function examineMail({ smtpUrl, mailFrom }: Config): Promise<Finding[]> {
  const of = 'mail'
  if (smtpUrl === undefined) return [look(of, 'SMTP_URL is empty: mails stay in the database, and go after 30 days.')]
  try {
    await tryMailServer(smtpUrl)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unreadable'
    return [mend(of, `The mail server of SMTP_URL can't be used (${code}): look at its host, port, user and password.`)]
  }
  return mailFrom.endsWith('@localhost')
    ? [mend(of, `MAIL_FROM is ${mailFrom}, which other mail servers refuse. Set it to an address of yours.`)]
    : [ok(of, 'The mail server of SMTP_URL takes our login.')]
}
