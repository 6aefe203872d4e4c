import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { Addresses } from '../../../core/net/addresses.ts'
import { ServiceClient } from '../../../core/net/service-client.ts'
import { openShop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { callTaxProvider } from './client.ts'
import { findTaxProvider } from './providers.ts'
import { setTaxProvider } from './registration.ts'

const seen: { url: string | undefined; headers: NodeJS.Dict<string | string[]> }[] = []
const server = createServer(({ url, headers }, response) => {
  seen.push({ url, headers })
  // The login of an estimate is good; a commit is never answered.
  if (!url?.includes('commit')) response.end('{"id":"7"}')
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
const origins = ['http://127.0.0.1:*']
const client = new ServiceClient({ addresses: new Addresses(['127.0.0.0/8']), origins })
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await client.close()
})

test('a tax provider is called with the login and the profile of the store', async () => {
  const shop = await openShop()
  const { secrets } = (await theHouse()).installation
  const db = await dbOf(shop)
  await setTaxProvider(db, { id: 'one', url: `${base}/{profile}/tax` }, { secrets, origins })
  await shop.call('PUT', '/tax/providers/one/connection', { username: 'sho', password: 'p:w', profile: 'a/b' })
  seen.length = 0
  const provider = await findTaxProvider(db, 'one')
  if (!provider) throw new Error('The provider is not registered.')
  const { hash } = shop.store
  const estimate = await callTaxProvider(client, provider, { call: 'estimate', store: hash, document: {} }, secrets)
  expect(estimate).toEqual({ ok: true, status: 200, body: { id: '7' } })
  const headers = { authorization: `Basic ${btoa('sho:p:w')}`, 'x-svc-store-hash': hash, 'x-bc-store-hash': hash }
  expect(seen).toMatchObject([{ url: '/a%2Fb/tax/estimate', headers }])

  await callTaxProvider(client, provider, { call: 'void', store: hash, document: undefined, id: '7&8' }, secrets)
  expect(seen[1]?.url).toBe('/a%2Fb/tax/void?id=7%268')

  const slow = { ...provider, estimate_ms: 50, urls: { ...provider.urls, estimate: provider.urls.commit } }
  const late = await callTaxProvider(client, slow, { call: 'estimate', store: hash, document: {} }, secrets)
  expect(late).toEqual({ ok: false, reason: 'timeout' })
})
