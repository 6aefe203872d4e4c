import { expect, test } from 'vitest'
import { openShop, type Shop } from '../../server/test/fixtures/shop.ts'

const NAMES = ['Acme', 'Brass & Oak', 'Çelik']

test('C-069: values that are unique in one store are free in another, and no conflict mentions another store', async () => {
  const [first, second] = [await openShop(), await openShop()]
  for (const name of NAMES) await makeBrand(first, name)
  for (const name of NAMES) {
    const mine = await makeBrand(second, name)
    const theirs = await first.call('GET', `/catalog/brands/${mine.id}`)
    // The same id, name and address, as if there were no other store.
    expect(mine).toEqual(theirs.body.data)
    const again = await second.call('POST', '/catalog/brands', { name })
    expect([again.status, again.body.title]).toEqual([409, 'A brand with this name already exists.'])
  }
  expect((await second.call('GET', '/catalog/brands/metafields')).body.data).toHaveLength(NAMES.length)
})

test("C-070: no answer to a store changes because of another store's changes", async () => {
  const [mine, other] = [await openShop(), await openShop()]
  for (const name of NAMES) {
    await makeBrand(mine, name)
    await makeBrand(other, name)
  }
  const before = await everythingOf(mine)

  for (let i = 0; i < 20; i++) await makeBrand(other, `Other ${i}`)
  await other.call('PUT', '/catalog/brands/2', { name: 'Aaa', custom_url: { url: '/first-of-all/' } })
  await other.call('DELETE', '/catalog/brands/1')
  await other.call('DELETE', '/catalog/brands?name=Other 7')
  await other.call('POST', '/channels', { name: 'Kiosk', type: 'pos', platform: 'square' })
  await other.call('PUT', '/channels/1', { name: 'Web', external_id: 'w-1' })
  await other.call('POST', '/channels/1/channel-menus', { bigcommerce_protected_app_sections: ['social'] })
  await other.call('PUT', '/settings/store/profile', { store_name: 'Other', store_email: 'other@example.com' })
  await other.call('PUT', '/settings/storefront/seo', { page_title: 'Other' })
  await other.call('PUT', '/settings/catalog?channel_id=1', {
    auto_approve_reviews: true,
    enable_product_comparisons: true,
  })
  expect(await everythingOf(mine)).toEqual(before)

  // Ids and addresses continue from this store's, not from the other's.
  const next = await makeBrand(mine, 'Other 3')
  expect(next).toMatchObject({ id: NAMES.length + 1, custom_url: { url: '/other-3/' } })
})

/** A brand with a metafield. */
async function makeBrand({ call }: Shop, name: string): Promise<{ id: number }> {
  const { status, body } = await call('POST', '/catalog/brands', { name })
  expect(status).toBe(200)
  const metafield = { key: 'place', namespace: 'warehouse', value: name, permission_set: 'read' }
  expect((await call('POST', `/catalog/brands/${body.data.id}/metafields`, metafield)).status).toBe(200)
  return body.data
}

/** Lists in several orders, totals, links, single resources, and refusals for resources of the other store. */
async function everythingOf({ call }: Shop): Promise<unknown[]> {
  const paths = [
    '/catalog/brands',
    '/catalog/brands?limit=2&page=2',
    '/catalog/brands?sort=name&direction=desc',
    '/catalog/brands?name:like=a',
    '/catalog/brands?id:min=1',
    '/catalog/brands/1',
    '/catalog/brands/10',
    '/catalog/brands/10/metafields',
    '/catalog/brands/1/metafields?limit=1',
    '/catalog/brands/1/metafields/10',
    '/catalog/brands/metafields?limit=2',
    '/channels?include=currencies',
    '/channels/1',
    '/channels/664159',
    '/channels/1/channel-menus',
    '/channels/664159/listings',
    '/settings/store/profile',
    '/settings/storefront/seo?channel_id=1',
    '/settings/catalog?channel_id=1',
    '/settings/catalog?channel_id=2',
    '/settings/storefront/status',
  ]
  const answers = []
  for (const path of paths) {
    const { status, headers, body } = await call('GET', path)
    // These headers differ between any two answers.
    const { date: _, 'x-request-id': __, 'x-rate-limit-time-reset-ms': ___, ...stable } = headers
    answers.push({ path, status, headers: stable, body })
  }
  return answers
}
