import { createRequire } from 'node:module'
import { fetchTransport, Management } from '@aligent/bigcommerce-api'
import type { NewAccount } from '../server/stores/accounts.ts'
import type { Shop } from '../server/test/shop.ts'
import type { Port } from './port.ts'

// The two clients that others keep, as their users make them: only the address is another one.

type Retry = Parameters<typeof fetchTransport>[0]['retry']

/** A client with the types of the public documentation: what it takes and gives is checked against that too. */
export const typedClient = (port: Port, shop: Shop, account: NewAccount = shop.admin, retry: Retry = false) =>
  new Management.V3.Client(transport(port, shop, account, 'v3', retry))

/** The same for the older family. */
export const typedClientV2 = (port: Port, shop: Shop) =>
  new Management.V2.Client(transport(port, shop, shop.admin, 'v2', false))

const transport = ({ origin, agent }: Port, { store }: Shop, account: NewAccount, version: string, retry: Retry) =>
  fetchTransport({
    baseUrl: `${origin}/stores/${store.hash}/${version}`,
    headers: { 'X-Auth-Token': account.access_token },
    agent,
    retry,
  })

const require = createRequire(import.meta.url)
const { BigCommerceApiClient } = require('bigcommerce-api-client')

/**
 * A client with a method for each operation. It is used as from JavaScript, for its types contradict each other: by them a new
 * product can't have a name.
 */
export function plainClient({ origin, agent }: Port, { store, admin }: Shop) {
  const client = new BigCommerceApiClient({ storeHash: store.hash, accessToken: admin.access_token, maxRetries: 0 })
  const { defaults } = client.apiClient.axiosInstance
  defaults.baseURL = `${origin}/stores/${store.hash}`
  defaults.httpAgent = agent
  return client
}
