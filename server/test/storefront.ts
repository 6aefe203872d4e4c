import type { Shop } from './shop.ts'
import { theHouse } from './shop.ts'

/** What is asked of a storefront, and how. */
export interface Question {
  token?: string | undefined
  query?: string
  variables?: unknown
  operationName?: string
  headers?: Record<string, string>
  /** The host that is asked; the one that the server gives channel 1 if not said. */
  host?: string
  /** What stands before `/graphql`. */
  path?: string
  method?: string
  /** Sent as it is, in place of the operation. */
  payload?: string
}

export const SITE = '{ site { settings { storeName url { vanityUrl } status } } }'
export const CUSTOMER = '{ customer { entityId email firstName lastName } }'

/** Asks a storefront of a shop by GraphQL. */
export async function askStorefront(
  { store }: Shop,
  { token, query = SITE, variables, operationName, headers = {}, host, path = '', method = 'POST', payload }: Question,
) {
  const { server } = await theHouse()
  const answer = await server.inject({
    method: method as 'POST',
    url: `${path}/graphql`,
    headers: {
      host: host ?? `store-${store.hash}.shop.test`,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(method === 'POST' ? { payload: payload ?? JSON.stringify({ query, variables, operationName }) } : {}),
  })
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: isJson ? answer.json() : undefined,
    message: isJson ? answer.json().errors?.[0]?.message : undefined,
  }
}

const PATHS = {
  storefront: '/storefront/api-token',
  impersonation: '/storefront/api-token-customer-impersonation',
  private: '/storefront/api-token-private',
}

/** The origin that tokens of `makeToken` are for. */
export const ORIGIN = 'https://www.example.com'

/** Makes a token of a kind for channel 1 that never expires, or within an hour, or as the fields say. */
export async function makeToken(shop: Shop, kind: keyof typeof PATHS, fields: object = {}): Promise<string> {
  const { clock } = await theHouse()
  const channel = 'channel_ids' in fields ? {} : { channel_id: 1 }
  const answer = await shop.call('POST', PATHS[kind], {
    ...channel,
    expires_at: Math.floor(clock.now().getTime() / 1_000) + 3_600,
    ...(kind === 'storefront' ? { allowed_cors_origins: [ORIGIN] } : {}),
    ...(kind === 'private' ? { scopes: ['Unauthenticated', 'Customer'] } : {}),
    ...fields,
  })
  if (answer.status !== 200) throw new Error(`A token is refused: ${answer.text}`)
  return answer.body.token
}
