import { operator, Refusal, type Reply, send } from './operator.ts'

interface Token {
  token: string
  expires_at: string
  scopes: string[]
}

/** Tokens are renewed this long before they end. */
const RENEWED_MS = 60_000

/** Tokens by store and client. They live in memory only, and end with the session. */
const tokens = new Map<string, Promise<Token>>()

export const evictTokens = () => tokens.clear()

async function tokenFor(hash: string, clientId: string): Promise<Token> {
  const key = `${hash} ${clientId}`
  const known = await tokens.get(key)?.catch(() => undefined)
  if (known && Date.parse(known.expires_at) - Date.now() > RENEWED_MS) return known
  const asked = operator<Token>('POST', `/stores/${hash}/token`, clientId === '' ? {} : { client_id: clientId })
  tokens.set(key, asked)
  asked.catch(() => tokens.delete(key))
  return asked
}

/** The API of a store, as the console or as one of its accounts. */
export interface StoreApi {
  hash: string
  /** Empty for the console itself. */
  clientId: string
  /** @param path below `/stores/{store_hash}`, such as `/v3/catalog/brands`. @throws Refusal */
  call<T>(method: string, path: string, options?: { query?: Query; body?: unknown }): Promise<Reply<T>>
  /** The data of an answer of the newer family. */
  data<T>(path: string, query?: Query): Promise<T>
}

export type Query = Readonly<Record<string, string | number | undefined>>

export const queryText = (query: Query = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** The typed filters of a search, without blanks around them and without the empty ones. */
export const filled = (form: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value = '']) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  )

/** The keys of requests without an answer, by address and body. */
const unanswered = new Map<string, string>()

/** A request that a person sends twice by a double click, or again after a lost answer, has its effect once. */
async function sendOnce<T>(url: string, headers: Record<string, string>, body: unknown): Promise<Reply<T>> {
  const name = body instanceof FormData ? crypto.randomUUID() : `${url} ${JSON.stringify(body)}`
  const key = unanswered.get(name) ?? crypto.randomUUID()
  unanswered.set(name, key)
  const isUnanswered = (error: unknown) => error instanceof Refusal && (error.status === 0 || error.status >= 500)
  try {
    const reply = await send<T>('POST', url, { headers: { ...headers, 'idempotency-key': key }, body })
    unanswered.delete(name)
    return reply
  } catch (error) {
    if (!isUnanswered(error)) unanswered.delete(name)
    throw error
  }
}

export function storeApi(hash: string, clientId: string): StoreApi {
  const call: StoreApi['call'] = async (method, path, { query, body } = {}) => {
    const { token } = await tokenFor(hash, clientId)
    const url = `/stores/${hash}${path}${queryText(query)}`
    const headers = { 'x-auth-token': token }
    return method === 'POST' ? sendOnce(url, headers, body) : send(method, url, { headers, body })
  }
  return {
    hash,
    clientId,
    call,
    async data<T>(path: string, query?: Query) {
      const { body } = await call<{ data: T }>('GET', path, { query: query ?? {} })
      if (body === undefined) throw new Refusal(204, 'The answer is empty.')
      return body.data
    },
  }
}

/** A request as a command, with a variable in place of the token. */
export const asCurl = (method: string, hash: string, path: string, body?: unknown) =>
  [
    `curl -s -X ${method} '${location.origin}/stores/${hash}${path}'`,
    `-H "X-Auth-Token: $TOKEN"`,
    ...(body === undefined ? [] : [`--json '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ].join(' ')

interface ClientMethod {
  /** Such as `products.images.list`. */
  name: string
  result: 'one' | 'rows'
}

/**
 * A list for the typed client.
 * @param ids of the parents, in the order of the path
 * @throws Refusal if the client has no method for the operation
 */
export async function asClient(operationId: string, ids: readonly string[], query: Query) {
  const { name, result } = await operator<ClientMethod>('GET', `/client-methods/${operationId}`)
  const plain = (text: string) => (/^\d{1,15}$/.test(text) ? text : JSON.stringify(text))
  const filters = Object.entries(query).map(([key, value]) => `${JSON.stringify(key)}: ${plain(String(value))}`)
  const inputs = [...ids.map(plain), ...(filters.length === 0 ? [] : [`{ ${filters.join(', ')} }`])].join(', ')
  return result === 'rows'
    ? `for await (const row of store.${name}(${inputs})) console.log(row)`
    : `console.log(await store.${name}(${inputs}))`
}

/** The same request for JavaScript. */
export const asFetch = (method: string, hash: string, path: string, body?: unknown) =>
  `await fetch(${JSON.stringify(`${location.origin}/stores/${hash}${path}`)}, {
  method: '${method}',
  headers: { 'X-Auth-Token': token${body === undefined ? '' : ", 'Content-Type': 'application/json'"} },${
    body === undefined ? '' : `\n  body: JSON.stringify(${JSON.stringify(body, null, 2)}),`
  }
})`
