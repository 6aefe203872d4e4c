import { addressOf } from './addresses.ts'
import type { Answer, Call, EventStream, Options } from './calls.ts'
import { GraphqlError, StorewardError } from './errors.ts'
import { eventsOf } from './events.ts'
import type { Operations } from './generated/methods.ts'
import { List } from './pages.ts'
import { type Row, TABLE } from './table.ts'
import { type Hooks, type Settings, Transport } from './transport.ts'

/** The address of the store, and its caller. */
export interface ClientOptions {
  /** The address of the server: `https://shop.example.com`. The hosted service has another one for its API. */
  url: string
  storeHash: string
  /** The access token of an API account. It gives its bearer the store, so browsers must not have it. */
  token?: string
  /** A token for the storefront's GraphQL, which browsers may have. */
  storefrontToken?: string
  /** The address of the companion API, if it isn't `/b2b` of the server. */
  companionUrl?: string
  /** The address of the storefront's GraphQL, if it isn't that of the server. */
  graphqlUrl?: string
  /** `hosted` for the hosted service: no header is sent that it doesn't know, and writes are not repeated after a lost answer. */
  service?: 'storeward' | 'hosted'
  /** Whether the server refuses misspelt fields and parameters instead of ignoring them. */
  strict?: boolean
  /** The time of each attempt in milliseconds (30,000). */
  timeoutMs?: number
  /** How often a request is sent again, at most 5 times (5). */
  retries?: number
  /** Functions that see each request, for logs. */
  hooks?: Hooks
  /** Headers of each request. */
  headers?: Record<string, string>
  /** The function that sends requests, instead of the global one. */
  fetch?: typeof fetch
}

/** A client of a store: its methods by group, and the storefront's GraphQL. */
export interface Store extends Operations {
  /** Sends a query to the storefront's GraphQL. @throws GraphqlError if the answer has errors */
  graphql<T = unknown>(query: string, variables?: Record<string, unknown>, options?: Options): Promise<T>
}

/** Makes a client of a store. @throws StorewardError for a wrong option, and for a `token` in a browser */
export function storeward(options: ClientOptions): Store {
  const settings = settingsOf(options)
  const transport = new Transport(settings)
  const store = Object.create(null)
  for (const row of TABLE) {
    const names = row.name.split('.')
    const method = names.pop() ?? ''
    let group = store
    for (const name of names) group = group[name] ??= Object.create(null)
    group[method] = (...args: unknown[]) => call(transport, row, args)
  }
  // Browsers send no other headers there than the server allows.
  const storefront = new Transport({ ...settings, headers: graphqlHeaders(options), isHosted: true, isStrict: false })
  const graphqlUrl = options.graphqlUrl ?? `${settings.url}/storefront/${settings.storeHash}/graphql`
  store.graphql = (query: string, variables: Record<string, unknown> = {}, own: Options = {}) =>
    askGraphql(storefront, graphqlUrl, { query, variables }, own)
  return store
}

function settingsOf(options: ClientOptions): Settings {
  const { url, storeHash, token, retries = 5, timeoutMs = 30_000, service = 'storeward' } = options
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new StorewardError(
      `\`url\` must be the address of the server, such as https://shop.example.com, and is ${JSON.stringify(url)}.`,
    )
  }
  if (!/^[\w-]+$/.test(storeHash)) {
    throw new StorewardError(`\`storeHash\` must be the hash of a store, and is ${JSON.stringify(storeHash)}.`)
  }
  if (token !== undefined && isBrowser()) {
    throw new StorewardError(
      'A browser must not have the `token` of an API account: every visitor could read it. Use `storefrontToken`, or call the API from a server.',
    )
  }
  if (!Number.isInteger(retries) || retries < 0 || retries > 5) throw new StorewardError('`retries` must be 0 to 5.')
  const base = url.replace(/\/+$/, '')
  return {
    url: base,
    companionUrl: (options.companionUrl ?? `${base}/b2b`).replace(/\/+$/, ''),
    storeHash,
    headers: { ...(token === undefined ? {} : { 'X-Auth-Token': token }), ...options.headers },
    isStrict: options.strict === true && service === 'storeward',
    isHosted: service === 'hosted',
    timeoutMs,
    retries,
    hooks: options.hooks ?? {},
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
  }
}

/** Whether this is a page or a worker of a browser. Node, Deno and Bun have versions, also where tests give them a document. */
function isBrowser(): boolean {
  const { document, DedicatedWorkerGlobalScope: worker, process, Deno } = Object(globalThis)
  return (document !== undefined || worker !== undefined) && process?.versions?.node === undefined && Deno === undefined
}

const graphqlHeaders = ({ storefrontToken, headers }: ClientOptions): Record<string, string> => ({
  ...(storefrontToken === undefined ? {} : { Authorization: `Bearer ${storefrontToken}` }),
  ...headers,
})

/** Calls a method: ids of the path, then the body or the query, then the options. */
function call(transport: Transport, row: Row, args: readonly unknown[]): Call<unknown> | List | EventStream {
  const ids = args.slice(0, row.params)
  const [body, query, given] = row.hasBody
    ? [args[row.params], undefined, args[row.params + 1]]
    : row.hasQuery
      ? [undefined, args[row.params], args[row.params + 1]]
      : [undefined, undefined, args[row.params]]
  const options: Options & { query?: unknown } = Object(given)
  const headers = row.path.startsWith('b2b/')
    ? { 'X-Store-Hash': transport.settings.storeHash, ...options.headers }
    : options.headers
  const own = headers === undefined ? options : { ...options, headers }
  const request = (asked: unknown) => ({
    row,
    url: addressOf(transport.settings, row, ids, asked),
    ...(body === undefined ? {} : { body }),
    isForm: row.isForm,
    options: own,
  })
  if (row.pages !== undefined) {
    return new List(row, Object(query), own, async (asked) => {
      const { data, meta } = await transport.send(request(asked))
      // The older family answers a page without rows with 204.
      return { data: Array.isArray(data) ? data : [], meta }
    })
  }
  if (row.media === 'events') return eventsOf(() => transport.open(request(query)))
  return promised(async () => transport.send(request(row.hasBody ? options.query : query)))
}

/** A promise of the data, with the whole answer behind it. */
function promised(send: () => Promise<Answer<unknown>>): Call<unknown> {
  const answer = send()
  const data = answer.then((one) => one.data)
  return Object.assign(data, {
    whole() {
      // The caller handles a failure at the answer.
      data.catch(() => {})
      return answer
    },
  })
}

async function askGraphql<T>(
  transport: Transport,
  url: string,
  body: { query: string; variables: unknown },
  options: Options,
): Promise<T> {
  const row = { name: 'graphql', verb: 'POST', media: 'json', isEmpty: false, isWrapped: false } as const
  const isRead = !/\bmutation\b/.test(body.query)
  const { data: answer } = await transport.send({ row, url, body, options, isRead })
  const { data, errors } = { data: undefined, errors: undefined, ...Object(answer) }
  if (Array.isArray(errors) && errors.length > 0) throw new GraphqlError(errors, data)
  return data
}
