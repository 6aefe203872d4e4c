import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShop, type Shop } from '../server/test/fixtures/shop.ts'
import { plainClient, typedClient } from './clients.ts'
import { openPort, type Port } from './port.ts'

// The clients of public-client.test.ts and other-client-catalog.test.ts sell a store's products in another channel,
// with its listings, menus and metafields.

let port: Port
beforeAll(async () => {
  port = await openPort()
})
afterAll(() => port.close())

/** Products with a base variant each. */
async function stock({ call }: Shop, count: number) {
  for (let i = 1; i <= count; i++) {
    await call('POST', '/catalog/products', { name: `Mug ${i}`, type: 'physical', weight: 1, price: 10 })
  }
}

const ebay = { name: 'Nordic-on-eBay', type: 'marketplace', platform: 'ebay' } as const
const id = 664_159
const listing = (product_id: number) => ({
  product_id,
  state: 'active' as const,
  variants: [{ product_id, variant_id: product_id, state: 'active' as const, name: 'One size' }],
})
const menus = {
  bigcommerce_protected_app_sections: ['domains' as const],
  custom_app_sections: [{ title: 'Campaigns', query_path: 'campaigns' }],
}
const note = { namespace: 'operations', key: 'fee', value: '6.5', permission_set: 'read' as const }

test('a typed client opens a channel, lists products in it, and ends it', async () => {
  const shop = await openShop()
  await stock(shop, 2)
  const client = typedClient(port, shop)
  const path = { channel_id: id }
  const one = '/channels/{channel_id}'
  const channel = await client.post('/channels', { body: ebay })
  expect(channel).toMatchObject({ id, ...ebay, status: 'connected', is_enabled: true })
  expect(await client.get(one, { path })).toEqual(channel)
  expect(await client.put(one, { path, body: { name: 'Nordic', external_id: 'n-1' } })).toMatchObject({
    name: 'Nordic',
    external_id: 'n-1',
    platform: 'ebay',
  })
  const types = { 'type:in': ['marketplace' as const] }
  expect(await client.get('/channels', { query: types })).toMatchObject([{ id }])
  await client.put('/catalog/products/channel-assignments', { body: [{ product_id: 1, channel_id: id }] })

  const listings = '/channels/{channel_id}/listings'
  expect(await client.post(listings, { path, body: [listing(1), listing(2)] })).toMatchObject([
    { listing_id: 1, channel_id: id, product_id: 1, variants: [{ variant_id: 1, name: 'One size' }] },
    { listing_id: 2, product_id: 2 },
  ])
  const changed = { listing_id: 2, product_id: 2, state: 'disabled' as const, variants: [] }
  expect(await client.put(listings, { path, body: [changed] })).toMatchObject([{ listing_id: 2, state: 'disabled' }])
  expect(await client.get(listings, { path, query: { 'product_id:in': [2] } })).toMatchObject([{ listing_id: 2 }])
  expect(
    await client.get('/channels/{channel_id}/listings/{listing_id}', { path: { ...path, listing_id: 1 } }),
  ).toMatchObject({
    listing_id: 1,
    state: 'active',
  })

  const menusPath = '/channels/{channel_id}/channel-menus'
  expect(await client.post(menusPath, { path, body: menus })).toEqual(menus)
  expect(await client.get(menusPath, { path })).toEqual(menus)
  expect(await client.delete(menusPath, { path })).toBe(id)

  const metafields = '/channels/{channel_id}/metafields'
  expect(await client.post(metafields, { path, body: note })).toMatchObject({ id: 1, resource_id: id, ...note })
  const ofField = { ...path, metafield_id: '1' }
  const field = '/channels/{channel_id}/metafields/{metafield_id}'
  expect(await client.put(field, { path: ofField, body: { value: '7' } })).toMatchObject({ value: '7' })
  expect(await client.put('/channels/metafields', { body: [{ id: 1, value: '8' }] })).toMatchObject([{ value: '8' }])
  expect(await client.delete(field, { path: ofField })).toBeNull()

  expect(await client.get('/channels/{channel_id}/active-theme', { path })).toBeNull()
  expect(await client.put(one, { path, body: { status: 'deleted' } })).toMatchObject({ status: 'deleted' })
  expect(await client.get('/channels')).toMatchObject([{ id: 1 }])
  expect(await client.get(listings, { path })).toEqual([])
})

test('a client with a method for each operation does the same, and reads pages by their numbers', async () => {
  const shop = await openShop()
  await stock(shop, 12)
  const client = plainClient(port, shop)
  const { channels } = client

  expect((await channels.createChannel(ebay)).data).toMatchObject({ id, status: 'connected' })
  const found = await channels.getAllChannels({ 'platform:in': ['ebay', 'bigcommerce'], available: true })
  expect(found.data.map((channel: { id: number }) => channel.id)).toEqual([1, id])

  const { channelListings, channelMenus, channelMetafields } = channels
  // The client sends them in batches of ten.
  const sent = Array.from({ length: 12 }, (_, i) => listing(i + 1))
  expect((await channelListings.createChannelListings(id, sent)).data).toHaveLength(12)
  expect((await channelListings.getChannelListings(id, { 'product_id:in': [3, 4] })).data).toHaveLength(2)
  const second = await channelListings.getChannelListings(id, undefined, 2, 5)
  expect(second.data.map(({ listing_id }: { listing_id: number }) => listing_id)).toEqual([6, 7, 8, 9, 10])
  const changes = [{ listing_id: 6, state: 'error' }]
  expect((await channelListings.updateChannelListings(id, changes)).data).toMatchObject([{ state: 'error' }])
  expect((await channelListings.getChannelListing(id, 6)).data).toMatchObject({ product_id: 6, state: 'error' })

  expect((await channelMenus.createChannelMenus(id, menus)).data).toEqual(menus)
  expect((await channelMenus.getChannelMenus(id)).data).toEqual(menus)
  expect((await channelMenus.deleteChannelMenus(id)).data).toBe(id)

  const made = (await channelMetafields.createMetafield(id, note)).data
  expect(made).toMatchObject({ resource_type: 'channel', resource_id: id, ...note })
  expect((await channelMetafields.updateMetafield(id, made.id, { value: '7' })).data.value).toBe('7')
  expect((await channelMetafields.getAllMetafields(id)).data).toHaveLength(1)
  await channelMetafields.deleteMetafield(id, made.id)
  expect((await channelMetafields.getAllMetafields(id)).data).toEqual([])
})
