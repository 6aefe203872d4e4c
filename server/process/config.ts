import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { isSubnet } from '../core/net/addresses.ts'
import { LOG_LEVELS } from '../stores/requests/levels.ts'

/** A setting: its name in the environment, its meaning, its default, and how its text is read. */
interface Setting<T> {
  name: string
  description: string
  fallback: string
  read(text: string): T
}

const text = (name: string, fallback: string, description: string): Setting<string> => ({
  name,
  description,
  fallback,
  read: (value) => value,
})

const optional = (name: string, description: string): Setting<string | undefined> => ({
  name,
  description,
  fallback: '',
  read: (value) => value || undefined,
})

const hostName = (name: string, description: string): Setting<string | undefined> => ({
  name,
  description,
  fallback: '',
  read(value) {
    if (value === '' || /^[a-z0-9.-]+(:\d{1,5})?$/i.test(value)) return value.toLowerCase() || undefined
    throw new Error(`${name} must be a host such as cdn.example.com, not "${value}".`)
  },
})

const database = (name: string, description: string): Setting<string | undefined> => ({
  name,
  description,
  fallback: '',
  read(value) {
    if (value === '' || isDatabaseAddress(value)) return value || undefined
    // It may contain a password, so it stays out of the message.
    throw new Error(`${name} must be like postgres://user:password@host:5432/name.`)
  },
})

export const isDatabaseAddress = (text: string) => /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '')

const headerName = (name: string, fallback: string, description: string): Setting<string> => ({
  ...text(name, fallback, description),
  read(value) {
    if (/^[A-Za-z][A-Za-z0-9-]*$/.test(value)) return value
    throw new Error(`${name} must be letters, digits and hyphens, not "${value}".`)
  },
})

const domainName = (name: string, description: string): Setting<string | undefined> => ({
  name,
  description,
  fallback: '',
  read(value) {
    if (value === '') return undefined
    const domain = value.toLowerCase()
    if (/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(domain)) return domain
    throw new Error(`${name} must be a domain such as shops.example.com, not "${value}".`)
  },
})

const bearerToken = (name: string, description: string): Setting<string | undefined> => ({
  name,
  description,
  fallback: '',
  read(value) {
    if (value === '' || /^[A-Za-z0-9._~+/=-]{32,}$/.test(value)) return value || undefined
    // It is a secret and stays out of the message.
    throw new Error(`${name} must have at least 32 characters: letters, digits and any of . _ ~ + / = -`)
  },
})

/** A base address. A slash at its end is removed. */
const address = (name: string, description: string): Setting<string | undefined> => ({
  name,
  description,
  fallback: '',
  read(value) {
    if (value === '') return undefined
    if (URL.canParse(value) && /^https?:\/\/[^?#]+$/.test(value)) return value.replace(/\/+$/, '')
    throw new Error(`${name} must be an http or https address, not "${value}".`)
  },
})

const choice = <const T extends string>(
  name: string,
  fallback: T,
  choices: readonly T[],
  description = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}.`,
): Setting<T> => ({
  name,
  description,
  fallback,
  read(value) {
    const chosen = choices.find((choice) => choice === value)
    if (chosen === undefined) throw new Error(`${name} must be one of ${choices.join(', ')}, not "${value}".`)
    return chosen
  },
})

const wholeNumber = (
  name: string,
  fallback: number,
  description: string,
  { min = 0, max = 999_999_999 }: { min?: number; max?: number } = {},
): Setting<number> => ({
  name,
  description,
  fallback: String(fallback),
  read(value) {
    if (!/^\d{1,9}$/.test(value)) throw new Error(`${name} must be a whole number, not "${value}".`)
    if (Number(value) < min) throw new Error(`${name} must be at least ${min}, not ${value}.`)
    if (Number(value) > max) throw new Error(`${name} must be at most ${max}, not ${value}.`)
    return Number(value)
  },
})

const optionalPort = (name: string, description: string): Setting<number | undefined> => ({
  name,
  description,
  fallback: '',
  read: (value) => (value === '' ? undefined : wholeNumber(name, 0, description, { max: 65_535 }).read(value)),
})

const yesNo = (name: string, fallback: boolean, description: string): Setting<boolean> => ({
  name,
  description,
  fallback: String(fallback),
  read(value) {
    if (value !== 'true' && value !== 'false') throw new Error(`${name} must be true or false, not "${value}".`)
    return value === 'true'
  },
})

const list = (
  name: string,
  description: string,
  isOne: (text: string) => boolean,
  example: string,
): Setting<readonly string[]> => ({
  name,
  description,
  fallback: '',
  read(value) {
    const texts = value.split(/\s+/).filter((text) => text !== '')
    const wrong = texts.find((text) => !isOne(text))
    if (wrong !== undefined) throw new Error(`${name}: "${wrong}" is not like ${example}.`)
    return texts
  },
})

/** The proxies in front of the server: their number or their subnets. Undefined means that there are none. */
export type Proxies = number | readonly string[]

const PROXIES_MAX = 9

const proxies = (name: string, description: string): Setting<Proxies | undefined> => ({
  name,
  description,
  fallback: '',
  read(value) {
    if (value === '') return undefined
    if (value === 'true') {
      throw new Error(
        `${name}=true would believe any address that a client sends. Set the number of proxies in front of the server, ` +
          'such as 1, or their subnets, such as 10.0.0.0/8.',
      )
    }
    if (/^\d$/.test(value) && value !== '0') return Number(value)
    const subnets = value.split(/\s+/).filter((text) => text !== '')
    // A prefix of 0 bits covers all addresses.
    const wrong = subnets.find((text) => !isSubnet(text) || text.endsWith('/0'))
    if (wrong === undefined) return subnets
    throw new Error(
      `${name} must be 1 to ${PROXIES_MAX}, or subnets like 10.0.0.0/8 or ::1/128; "${wrong}" is neither.`,
    )
  },
})

/** Whether a text is an origin in the form of browsers, or one with an asterisk as its port. */
function isOrigin(text: string): boolean {
  const bare = text.replace(/:\*$/, '')
  return /^https?:[^*]+$/.test(bare) && URL.parse(bare)?.origin === bare
}

/** The roles of a process: answer requests, send webhooks and e-mails, or both. */
export const ROLES = ['api', 'worker', 'all'] as const

/** Every setting of the server. Nothing else reads the environment. */
const settings = {
  role: choice('ROLE', 'all', ROLES, 'api answers requests, worker sends webhooks and e-mails, all does both.'),
  host: text('HOST', '127.0.0.1', 'Address that the server listens on.'),
  port: wholeNumber('PORT', 8_080, 'Port that the server listens on; 0 chooses a free one.', { max: 65_535 }),
  httpsPort: optionalPort(
    'HTTPS_PORT',
    'Port of https in the default addresses of sites, if it is not 443. The sandbox listens there: by default at PORT + 1, with 0 at a free one.',
  ),
  dataFolder: text(
    'STOREWARD_DATA',
    './data',
    'Folder of the embedded database, uploaded files and the generated secret.',
  ),
  publicUrl: address('PUBLIC_URL', 'Public address of the server, for links to files; http://localhost:PORT if empty.'),
  docsBase: address(
    'DOCS_BASE',
    'Base address of error documentation, in the type of an error; PUBLIC_URL/docs if empty.',
  ),
  siteDomain: domainName(
    'SITE_DOMAIN',
    'Domain of the default addresses of sites, https://store-HASH.SITE_DOMAIN; the host of PUBLIC_URL if empty.',
  ),
  allowSitePorts: yesNo(
    'ALLOW_SITE_PORTS',
    false,
    'Allow ports other than 80 and 443 for sites, for example http://localhost:3000.',
  ),
  databaseUrl: database(
    'DATABASE_URL',
    'PostgreSQL 15 or newer; serve and migrate need the login of an administrator. The embedded database if empty.',
  ),
  directoryUrl: database('DIRECTORY_URL', 'Database of the directory; DATABASE_URL if empty.'),
  cells: optional(
    'CELLS',
    'More databases for stores: name=url pairs, separated by spaces. DATABASE_URL is the cell main.',
  ),
  secret: optional(
    'SECRET',
    'Key that hashes tokens and encrypts secrets, at least 32 characters. Required with DATABASE_URL; otherwise generated and stored in STOREWARD_DATA.',
  ),
  sizedPicturesMib: wholeNumber(
    'SIZED_PICTURES_MIB',
    2_048,
    'Most space for pictures in sizes, in the folder files-sized of STOREWARD_DATA. The least recently used ones are deleted.',
    { min: 1 },
  ),
  cdnHost: hostName(
    'CDN_HOST',
    'Host, with a port if needed, at which https clients find the pictures of storefronts, such as that of a content network; the host of PUBLIC_URL if empty.',
  ),
  s3Bucket: optional(
    'S3_BUCKET',
    'Bucket of an S3-compatible service for uploaded files; needs the package @aws-sdk/client-s3. A folder of STOREWARD_DATA if empty.',
  ),
  s3Endpoint: address('S3_ENDPOINT', 'Address of the S3-compatible service; Amazon S3 if empty.'),
  s3Region: text('S3_REGION', 'us-east-1', 'Region of the bucket.'),
  s3Prefix: text('S3_PREFIX', '', 'Prefix of the names of all files in the bucket, for example storeward/.'),
  s3AccessKey: optional(
    'S3_ACCESS_KEY',
    'Access key of the bucket; the default credentials of the AWS client if empty.',
  ),
  s3SecretKey: optional('S3_SECRET_KEY', 'Secret key of S3_ACCESS_KEY.'),
  logLevel: choice('LOG_LEVEL', 'info', ['trace', 'debug', 'info', 'warn', 'error', 'silent']),
  watchToken: bearerToken(
    'WATCH_TOKEN',
    'Bearer token, at least 32 characters, for /metrics and the details of /readyz. If empty, nobody sees them.',
  ),
  headerPrefix: headerName('HEADER_PREFIX', 'X-Svc', "Prefix of the API's own headers."),
  storefrontS2s: yesNo('STOREFRONT_S2S', true, 'Accept storefront tokens from servers, which send no Origin header.'),
  introspection: yesNo('INTROSPECTION', true, 'Allow introspection of the GraphQL schema of storefronts.'),
  requireHttps: yesNo('REQUIRE_HTTPS', false, 'Redirect http requests to https.'),
  trustProxy: proxies(
    'TRUST_PROXY',
    'Proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted: their number, or their subnets, separated by spaces.',
  ),
  console: yesNo('CONSOLE', true, "Serve the operator's console at /console, and let people sign in."),
  requestLog: choice(
    'REQUEST_LOG',
    'lines',
    LOG_LEVELS,
    'What is stored of requests: off, lines, or bodies (lines with the first 8 KiB of both bodies). Stores can differ.',
  ),
  testStores: yesNo('TEST_STORES', false, 'Answer requests to test stores, the stores of `store create --test`.'),
  failedLoginsMax: wholeNumber(
    'FAILED_LOGINS_MAX',
    100,
    'Failed authentications of one address in 60 s before it is barred.',
  ),
  connectionsMax: wholeNumber('CONNECTIONS_MAX', 10_000, 'Open connections. Further ones are refused.'),
  poolSize: wholeNumber('POOL_SIZE', 8, 'Connections to each database for lists and writes.', { min: 1 }),
  headersSeconds: wholeNumber(
    'HEADERS_SECONDS',
    10,
    'Time for a client to send the headers of a request, and without a management token its body.',
  ),
  requestSeconds: wholeNumber('REQUEST_SECONDS', 30, 'Time for a client to send a whole request.'),
  idleSeconds: wholeNumber(
    'IDLE_SECONDS',
    60,
    'Time after which an idle connection is closed; in the middle of an answer at most twice as long.',
  ),
  outgoingSubnets: list(
    'OUTGOING_SUBNETS',
    'Private subnets that the server may connect to, separated by spaces.',
    isSubnet,
    '10.0.0.0/8 or ::1/128',
  ),
  fetchImages: yesNo(
    'FETCH_IMAGES',
    false,
    'Fetch and store copies of pictures sent as image_url. Only public addresses are fetched.',
  ),
  webhookOrigins: list(
    'WEBHOOK_ORIGINS',
    'Origins that may receive webhooks without https or on other ports than 443, separated by spaces; * is any port.',
    isOrigin,
    'http://receiver.internal or http://localhost:*',
  ),
  webhookJitter: wholeNumber(
    'WEBHOOK_JITTER',
    10,
    'Random variation of the delay between two attempts to deliver a webhook, in percent.',
    { max: 50 },
  ),
  stripeApi: address(
    'STRIPE_API',
    'Address of the Stripe API, for tests against a substitute; Stripe itself if empty.',
  ),
  hookHistoryDays: wholeNumber(
    'HOOK_HISTORY_DAYS',
    7,
    'Days that GET /hooks/events goes back. Events are stored for 30 days.',
  ),
  smtpUrl: optional(
    'SMTP_URL',
    'Mail server, for example smtp://user:password@mail.example.com:587; e-mails stay in the database if empty.',
  ),
  mailFrom: text('MAIL_FROM', 'storeward@localhost', 'Sender of e-mails.'),
  emailTemplates: yesNo(
    'EMAIL_TEMPLATES',
    true,
    'Let stores edit their e-mail templates. If false, only stores enabled by `storeward emails opt-in` can.',
  ),
  drainSeconds: wholeNumber(
    'DRAIN_SECONDS',
    5,
    'Time between SIGTERM and closing the port. Meanwhile /readyz is 503, and requests are still answered.',
    { max: 3_600 },
  ),
  stopSeconds: wholeNumber(
    'STOP_SECONDS',
    20,
    'Time for running requests to finish after the port is closed. Webhooks have 11 s more.',
  ),
} as const

type Settings = typeof settings
export type Config = { readonly [K in keyof Settings]: ReturnType<Settings[K]['read']> }

/**
 * Reads the settings. An empty one counts as missing.
 * @throws Error with a sentence for each invalid setting
 */
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
  refuseMissingSecret(config)
  return { ...config, dataFolder: resolve(config.dataFolder) }
}

// A short name differs by two letters from many variables of other programs: HOME from HOST, NODE from ROLE.
const SHORT_NAME = 5

/** A sentence for each variable of the environment that looks like a misspelt setting. */
export function misspeltSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  const names = Object.values(settings).map(({ name }) => name)
  const isSetting: ReadonlySet<string> = new Set(names)
  return Object.keys(environment).flatMap((value) => {
    if (isSetting.has(value)) return []
    const meant = names.find((name) => editDistance(value, name) <= (name.length > SHORT_NAME ? 2 : 1))
    return meant === undefined ? [] : [`${value} is not a setting. Did you mean ${meant}?`]
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

/**
 * Refuses a configured database without SECRET. The generated secret of the data folder fits the embedded database only: with
 * another database it would lock out all other processes.
 */
function refuseMissingSecret({ databaseUrl, directoryUrl, cells, secret }: Config) {
  if (secret !== undefined || (databaseUrl ?? directoryUrl ?? cells) === undefined) return
  throw new Error(
    'DATABASE_URL, DIRECTORY_URL and CELLS need SECRET: the secret that prepared the databases, or a new one for new ' +
      'databases. The file STOREWARD_DATA/secret has the secret that an earlier version generated.',
  )
}

/**
 * The public address of the server.
 * @param port the port that it listens on
 */
export const publicUrlOf = ({ publicUrl }: Config, port: number) => publicUrl ?? `http://localhost:${port}`

/**
 * The rules for addresses of sites, from the settings.
 * @param publicUrl the public address of the server
 */
export function addressRulesOf({ siteDomain, allowSitePorts, httpsPort }: Config, publicUrl: string) {
  const { hostname } = new URL(publicUrl)
  // An IP address has no subdomains.
  const domain = siteDomain ?? (isIP(hostname.replace(/^\[|\]$/g, '')) > 0 ? 'localhost' : hostname)
  return { domain, publicUrl, allowsPorts: allowSitePorts, httpsPort }
}

/** The settings as `--help` shows them. */
export function describeSettings(): string {
  return Object.values(settings)
    .map(({ name, fallback, description }) => `  ${name.padEnd(20)}${description}${fallback ? ` [${fallback}]` : ''}`)
    .join('\n')
}
