import { Agent } from 'node:https'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { fetchTransport, Management } from '@aligent/bigcommerce-api'
import type { CreatedAccount } from '../server/stores/accounts/accounts.ts'
import type { Shop } from '../server/test/fixtures/shop.ts'
import type { Port } from './port.ts'

// Public clients, made as their users make them. Only the address differs.

type Retry = Parameters<typeof fetchTransport>[0]['retry']

/** A client with the types of the public documentation, which check its input and output too. */
export const typedClient = (port: Port, shop: Shop, account: CreatedAccount = shop.admin, retry: Retry = false) =>
  new Management.V3.Client(transport(port, shop, { account, version: 'v3', retry }))

/** The same for the older family. */
export const typedClientV2 = (port: Port, shop: Shop) =>
  new Management.V2.Client(transport(port, shop, { account: shop.admin, version: 'v2', retry: false }))

const transport = (
  { origin, agent }: Port,
  { store }: Shop,
  { account, version, retry }: { account: CreatedAccount; version: string; retry: Retry },
) =>
  fetchTransport({
    baseUrl: `${origin}/stores/${store.hash}/${version}`,
    headers: { 'X-Auth-Token': account.access_token },
    agent,
    retry,
  })

const require = createRequire(import.meta.url)
const { BigCommerceApiClient } = require('bigcommerce-api-client')
const BigCommerce = require('node-bigcommerce')

/**
 * A client with a method for each operation. It is used as from JavaScript, because its types contradict each other:
 * they forbid a name for a new product.
 */
export function plainClient({ origin, agent }: Port, { store, admin }: Shop) {
  const client = new BigCommerceApiClient({ storeHash: store.hash, accessToken: admin.access_token, maxRetries: 0 })
  const { defaults } = client.apiClient.axiosInstance
  defaults.baseURL = `${origin}/stores/${store.hash}`
  defaults.httpAgent = agent
  return client
}

/** Connects to the server of the tests without TLS, for any address. */
class AgentOfPort extends Agent {
  readonly #port: number

  constructor({ origin }: Port) {
    super()
    this.#port = Number(new URL(origin).port)
  }

  override createConnection() {
    return connect(this.#port, '127.0.0.1')
  }
}

/**
 * An old client with a method for each verb. It knows only the address of the hosted API, so its connections are led
 * here.
 */
export const oldClient = (port: Port, { store, admin }: Shop, apiVersion: 'v2' | 'v3') =>
  new BigCommerce({
    clientId: admin.client_id,
    accessToken: admin.access_token,
    storeHash: store.hash,
    apiVersion,
    agent: new AgentOfPort(port),
  })
