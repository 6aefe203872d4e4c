import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isSubnet } from '../core/net/addresses.ts'

/** One setting: its name in the environment, what it means, and how its text is read. */
interface Setting<T> {
  name: string
  says: string
  fallback: string
  read(text: string): T
}

const text = (name: string, fallback: string, says: string): Setting<string> => ({
  name,
  says,
  fallback,
  read: (given) => given,
})

const optional = (name: string, says: string): Setting<string | undefined> => ({
  name,
  says,
  fallback: '',
  read: (given) => given || undefined,
})

const database = (name: string, says: string): Setting<string | undefined> => ({
  name,
  says,
  fallback: '',
  read(given) {
    if (given === '' || isDatabaseAddress(given)) return given || undefined
    // It may hold a password, and is not shown.
    throw new Error(`${name} must be like postgres://user:password@host:5432/name.`)
  },
})

export const isDatabaseAddress = (text: string) => /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '')

const headerName = (name: string, fallback: string, says: string): Setting<string> => ({
  ...text(name, fallback, says),
  read(given) {
    if (/^[A-Za-z][A-Za-z0-9-]*$/.test(given)) return given
    throw new Error(`${name} must be letters, digits and hyphens, not "${given}".`)
  },
})

const domainName = (name: string, says: string): Setting<string | undefined> => ({
  name,
  says,
  fallback: '',
  read(given) {
    if (given === '') return undefined
    const domain = given.toLowerCase()
    if (/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(domain)) return domain
    throw new Error(`${name} must be a domain such as shops.example.com, not "${given}".`)
  },
})

const bearerToken = (name: string, says: string): Setting<string | undefined> => ({
  name,
  says,
  fallback: '',
  read(given) {
    if (given === '' || /^[A-Za-z0-9._~+/=-]{32,}$/.test(given)) return given || undefined
    // It is a secret, and is not shown.
    throw new Error(`${name} must have at least 32 characters: letters, digits and any of . _ ~ + / = -`)
  },
})

/** A base address. The slash at its end is dropped. */
const address = (name: string, says: string): Setting<string | undefined> => ({
  name,
  says,
  fallback: '',
  read(given) {
    if (given === '') return undefined
    if (URL.canParse(given) && /^https?:\/\/[^?#]+$/.test(given)) return given.replace(/\/+$/, '')
    throw new Error(`${name} must be an http or https address, not "${given}".`)
  },
})

const choice = <const T extends string>(
  name: string,
  fallback: T,
  choices: readonly T[],
  says = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}.`,
): Setting<T> => ({
  name,
  says,
  fallback,
  read(given) {
    const chosen = choices.find((choice) => choice === given)
    if (chosen === undefined) throw new Error(`${name} must be one of ${choices.join(', ')}, not "${given}".`)
    return chosen
  },
})

const wholeNumber = (
  name: string,
  fallback: number,
  says: string,
  { min = 0, max = 999_999_999 }: { min?: number; max?: number } = {},
): Setting<number> => ({
  name,
  says,
  fallback: String(fallback),
  read(given) {
    if (!/^\d{1,9}$/.test(given)) throw new Error(`${name} must be a whole number, not "${given}".`)
    if (Number(given) < min) throw new Error(`${name} must be at least ${min}, not ${given}.`)
    if (Number(given) > max) throw new Error(`${name} must be at most ${max}, not ${given}.`)
    return Number(given)
  },
})

const yesNo = (name: string, fallback: boolean, says: string): Setting<boolean> => ({
  name,
  says,
  fallback: String(fallback),
  read(given) {
    if (given !== 'true' && given !== 'false') throw new Error(`${name} must be true or false, not "${given}".`)
    return given === 'true'
  },
})

const list = (
  name: string,
  says: string,
  isOne: (text: string) => boolean,
  example: string,
): Setting<readonly string[]> => ({
  name,
  says,
  fallback: '',
  read(given) {
    const texts = given.split(/\s+/).filter((text) => text !== '')
    const wrong = texts.find((text) => !isOne(text))
    if (wrong !== undefined) throw new Error(`${name}: "${wrong}" is not like ${example}.`)
    return texts
  },
})

/** The proxies in front of the server. Undefined: there is none. */
export type Proxies = number | readonly string[]

const PROXIES_MAX = 9

const proxies = (name: string, says: string): Setting<Proxies | undefined> => ({
  name,
  says,
  fallback: '',
  read(given) {
    if (given === '') return undefined
    if (given === 'true') {
      throw new Error(
        `${name}=true would believe whatever address a client claims. Set the number of proxies in front of the server, ` +
          'such as 1, or their subnets, such as 10.0.0.0/8.',
      )
    }
    if (/^\d$/.test(given) && given !== '0') return Number(given)
    const subnets = given.split(/\s+/).filter((text) => text !== '')
    // A prefix of 0 bits is every address.
    const wrong = subnets.find((text) => !isSubnet(text) || text.endsWith('/0'))
    if (wrong === undefined) return subnets
    throw new Error(
      `${name} must be 1 to ${PROXIES_MAX}, or subnets like 10.0.0.0/8 or ::1/128; "${wrong}" is neither.`,
    )
  },
})

/** Whether a text is an origin as browsers write it, or one with an asterisk for its port. */
function isOrigin(text: string): boolean {
  const bare = text.replace(/:\*$/, '')
  return /^https?:[^*]+$/.test(bare) && URL.parse(bare)?.origin === bare
}

/** The work of a process: answer requests, send webhooks and mails, or both. */
export const ROLES = ['api', 'worker', 'all'] as const

/** Every setting of the server. Nothing else reads the environment. */
const settings = {
  role: choice('ROLE', 'all', ROLES, 'api answers requests, worker sends webhooks and mails, all does both.'),
  host: text('HOST', '127.0.0.1', 'Address that the server listens on.'),
  port: wholeNumber('PORT', 8_080, 'Port that the server listens on; 0 takes a free one.', { max: 65_535 }),
  dataFolder: text(
    'STOREWARD_DATA',
    './data',
    'Folder of the embedded database, uploaded files and the generated secret.',
  ),
  publicUrl: address(
    'PUBLIC_URL',
    'Address of the server as clients see it, for links to files; http://localhost:PORT if empty.',
  ),
  docsBase: address('DOCS_BASE', 'Address that the type of an error points into; PUBLIC_URL/docs if empty.'),
  siteDomain: domainName(
    'SITE_DOMAIN',
    'Domain of the addresses that the server gives to sites, https://store-HASH.SITE_DOMAIN; the host of PUBLIC_URL if empty.',
  ),
  allowSitePorts: yesNo(
    'ALLOW_SITE_PORTS',
    false,
    'Sites may have other ports than 80 and 443, such as http://localhost:3000.',
  ),
  databaseUrl: database(
    'DATABASE_URL',
    "PostgreSQL 15 or newer; serve and migrate need an administrator's login. The embedded one if empty.",
  ),
  directoryUrl: database('DIRECTORY_URL', 'Database of the directory, if it is not that of DATABASE_URL.'),
  cells: optional(
    'CELLS',
    'Further databases that hold stores: name=url pairs, separated by blanks. DATABASE_URL is the cell main.',
  ),
  secret: optional(
    'SECRET',
    'At least 32 characters: tokens are hashed and secrets encrypted with it. DATABASE_URL needs it; without, one is made and kept in STOREWARD_DATA.',
  ),
  s3Bucket: optional(
    'S3_BUCKET',
    'Bucket of a store that speaks S3, for uploaded files; needs the package @aws-sdk/client-s3. A folder of STOREWARD_DATA if empty.',
  ),
  s3Endpoint: address('S3_ENDPOINT', 'Address of the store that speaks S3; that of Amazon if empty.'),
  s3Region: text('S3_REGION', 'us-east-1', 'Region of the bucket.'),
  s3Prefix: text('S3_PREFIX', '', 'What the names of all files in the bucket begin with, such as storeward/.'),
  s3AccessKey: optional('S3_ACCESS_KEY', "Key of the bucket; the AWS client's own ways to find one if empty."),
  s3SecretKey: optional('S3_SECRET_KEY', 'Secret of S3_ACCESS_KEY.'),
  logLevel: choice('LOG_LEVEL', 'info', ['trace', 'debug', 'info', 'warn', 'error', 'silent']),
  watchToken: bearerToken(
    'WATCH_TOKEN',
    'Bearer token, of at least 32 characters, that opens /metrics and the details of /readyz; if empty, nobody sees them.',
  ),
  headerPrefix: headerName('HEADER_PREFIX', 'X-Svc', "Prefix of the contract's own headers."),
  storefrontS2s: yesNo(
    'STOREFRONT_S2S',
    true,
    'Whether a storefront token may come from a server, which sends no Origin.',
  ),
  introspection: yesNo('INTROSPECTION', true, "Whether clients may ask for the storefront's GraphQL schema."),
  requireHttps: yesNo('REQUIRE_HTTPS', false, 'Answer plain http with a redirect to https.'),
  trustProxy: proxies(
    'TRUST_PROXY',
    'Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed: how many there are, or their subnets, separated by blanks.',
  ),
  failedLoginsMax: wholeNumber(
    'FAILED_LOGINS_MAX',
    100,
    'Failed authentications of one address in 60 s before it has to wait.',
  ),
  connectionsMax: wholeNumber('CONNECTIONS_MAX', 10_000, 'Open connections; more are refused.'),
  poolSize: wholeNumber('POOL_SIZE', 8, 'Database connections for lists and writes, for each database.', { min: 1 }),
  headersSeconds: wholeNumber(
    'HEADERS_SECONDS',
    10,
    'Time that a client has to send the head of a request, and without a management token its body.',
  ),
  requestSeconds: wholeNumber('REQUEST_SECONDS', 30, 'Time that a client has to send a whole request.'),
  idleSeconds: wholeNumber(
    'IDLE_SECONDS',
    60,
    'A connection on which nothing moves for this long is closed; in the middle of an answer after twice the time at most.',
  ),
  outgoingSubnets: list(
    'OUTGOING_SUBNETS',
    'Subnets, separated by blanks, that the server may connect to although they are not public.',
    isSubnet,
    '10.0.0.0/8 or ::1/128',
  ),
  fetchImages: yesNo(
    'FETCH_IMAGES',
    false,
    'Keep copies of pictures that are given by image_url; they are fetched from public addresses only.',
  ),
  webhookOrigins: list(
    'WEBHOOK_ORIGINS',
    'Origins, separated by blanks, whose webhooks need neither https nor port 443; * is any port.',
    isOrigin,
    'http://receiver.internal or http://localhost:*',
  ),
  webhookJitter: wholeNumber(
    'WEBHOOK_JITTER',
    10,
    'Percent of the delay between two attempts at a webhook by which it is longer or shorter, at random.',
    { max: 50 },
  ),
  stripeApi: address(
    'STRIPE_API',
    'Address of Stripe, for tests against something that speaks like it; its own if empty.',
  ),
  hookHistoryDays: wholeNumber('HOOK_HISTORY_DAYS', 7, 'Days that GET /hooks/events looks back; 30 are kept.'),
  smtpUrl: optional(
    'SMTP_URL',
    'Mail server, such as smtp://user:password@mail.example.com:587; mails stay in the database if empty.',
  ),
  mailFrom: text('MAIL_FROM', 'storeward@localhost', 'Sender of mails.'),
  emailTemplates: yesNo(
    'EMAIL_TEMPLATES',
    true,
    'Stores can edit their e-mail templates; if false, only those that `storeward emails opt-in` was run for.',
  ),
  drainSeconds: wholeNumber(
    'DRAIN_SECONDS',
    5,
    'Time between SIGTERM and the close of the port: /readyz is 503, and requests are still answered. 0 closes it at once.',
    { max: 3_600 },
  ),
  stopSeconds: wholeNumber(
    'STOP_SECONDS',
    20,
    'Time that requests in flight have to finish after the port is closed; webhooks then have 11 s more.',
  ),
} as const

type Settings = typeof settings
export type Config = { readonly [K in keyof Settings]: ReturnType<Settings[K]['read']> }

/** Reads the settings; an empty one counts as not given. @throws Error that names every setting which can't be read */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const mistakes: string[] = []
  const read = Object.entries(settings).map(([key, setting]) => {
    try {
      return [key, setting.read(environment[setting.name] || setting.fallback)]
    } catch (error) {
      mistakes.push(error instanceof Error ? error.message : String(error))
      return [key, undefined]
    }
  })
  if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
  const config: Config = Object.fromEntries(read)
  refuseForgottenSecret(config)
  return { ...config, dataFolder: resolve(config.dataFolder) }
}

// Two letters away from a short name are many that other programs use: HOME from HOST, NODE from ROLE.
const SHORT_NAME = 5

/** A sentence for each variable of the environment that looks like a misspelt setting. */
export function misspeltSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.values(settings).map(({ name }) => name)
  const isSetting: ReadonlySet<string> = new Set(names)
  return Object.keys(environment).flatMap((given) => {
    if (isSetting.has(given)) return []
    const meant = names.find((name) => editDistance(given, name) <= (name.length > SHORT_NAME ? 2 : 1))
    return meant === undefined ? [] : [`${given} is not a setting. Did you mean ${meant}?`]
  })
}

/** Letters to insert, delete, replace or exchange with their neighbour to turn one text into the other (Damerau and Levenshtein). */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  for (let i = 1; i <= a.length; i++) {
    const above = rows[i - 1] ?? []
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const at = (cells: number[], k: number) => cells[k] ?? Number.POSITIVE_INFINITY
      const isSame = a[i - 1] === b[j - 1]
      const isExchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          at(above, j) + 1,
          at(row, j - 1) + 1,
          at(above, j - 1) + (isSame ? 0 : 1),
          isExchanged ? at(rows[i - 2] ?? [], j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

/** A secret made for the data folder is right for the embedded database. Of another one it would lock all other processes out. */
function refuseForgottenSecret({ databaseUrl, directoryUrl, cells, secret }: Config) {
  if (secret !== undefined || (databaseUrl ?? directoryUrl ?? cells) === undefined) return
  throw new Error(
    'DATABASE_URL, DIRECTORY_URL and CELLS need SECRET: the one that the databases were prepared with, or a new one for new ' +
      'databases. One that an earlier version made is in the file STOREWARD_DATA/secret.',
  )
}

/** Address of the server as clients see it. @param port that it listens on */
export const publicUrlOf = ({ publicUrl }: Config, port: number) => publicUrl ?? `http://localhost:${port}`

/**
 * What the settings say of the addresses of sites.
 * @param publicUrl address of the server as clients see it
 */
export function addressRulesOf({ siteDomain, allowSitePorts }: Config, publicUrl: string) {
  const { hostname } = new URL(publicUrl)
  // Nothing can be below an IP address.
  const domain = siteDomain ?? (isIP(hostname.replace(/^\[|\]$/g, '')) > 0 ? 'localhost' : hostname)
  return { domain, publicUrl, allowsPorts: allowSitePorts }
}

/** The settings as `--help` shows them. */
export function describeSettings(): string {
  return Object.values(settings)
    .map(({ name, fallback, says }) => `  ${name.padEnd(20)}${says}${fallback ? ` [${fallback}]` : ''}`)
    .join('\n')
}
