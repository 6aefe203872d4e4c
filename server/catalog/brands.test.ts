import { expect, test } from 'vitest'
import { openShop } from '../test/shop.ts'

test('a new brand is answered whole, with an address made from its name', async () => {
  const { call } = await openShop()
  expect(await call('POST', '/catalog/brands', { name: 'Ferm' })).toMatchObject({
    status: 200,
    body: {
      data: {
        id: 1,
        name: 'Ferm',
        page_title: '',
        meta_keywords: [],
        meta_description: '',
        search_keywords: '',
        image_url: '',
        custom_url: { url: '/ferm/', is_customized: false },
      },
      meta: {},
    },
  })
  expect((await call('POST', '/catalog/brands', { name: 'ferm ' })).status).toBe(409)
  expect((await call('POST', '/catalog/brands', { name: 'Other', custom_url: { url: '/ferm' } })).body).toMatchObject({
    data: { id: 2, custom_url: { url: '/other/' } },
    errors: { status: 409 },
  })
  expect(
    (
      await call('POST', '/catalog/brands/1/metafields', {
        key: 'a',
        value: 'b',
        namespace: 'c',
        permission_set: 'read',
      })
    ).body,
  ).toMatchObject({ data: { id: 1 } })
  expect(
    await call('POST', '/catalog/brands/metafields', [
      { key: 'a', value: 'b', namespace: 'c', permission_set: 'read', resource_id: 1 },
      { key: 'x', value: 'b', namespace: 'c', permission_set: 'read', resource_id: 1 },
    ]),
  ).toMatchObject({ status: 422, body: { meta: { total: 2, success: 1, failed: 1 } } })
  expect((await call('DELETE', '/catalog/brands/1')).status).toBe(204)
})
