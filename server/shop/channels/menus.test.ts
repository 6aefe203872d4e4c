import { beforeAll, expect, test } from 'vitest'
import { invalid, problem } from '../../test/document/expected.ts'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { STOCK } from '../themes/stock.ts'

// docs/contract/channels.md sections 5 and 6.

const MENUS = '/channels/1/channel-menus'
const empty = { bigcommerce_protected_app_sections: [], custom_app_sections: [] }
const whole = {
  bigcommerce_protected_app_sections: ['social', 'domains', 'data_solutions'],
  custom_app_sections: [
    { title: 'Campaigns', query_path: 'campaigns' },
    { title: 'Übersicht', query_path: 'overview?tab=1' },
  ],
}

let shop: Shop
let call: Shop['call']
beforeAll(async () => {
  shop = await openShop()
  call = shop.call
})

const get = async () => (await call('GET', MENUS)).body
const post = async (body: unknown, path = MENUS) => {
  const { status, body: answer } = await call('POST', path, body)
  return { status, body: answer }
}

test('menus are empty, are replaced together, and are empty again', async () => {
  expect(await get()).toEqual({ data: empty, meta: {} })
  expect(await post(whole)).toEqual({ status: 200, body: { data: whole, meta: {} } })
  expect(await get()).toEqual({ data: whole, meta: {} })
  const { custom_app_sections } = whole
  expect((await post({ custom_app_sections })).body.data).toEqual({ ...empty, custom_app_sections })
  expect(await get()).toEqual({ data: { ...empty, custom_app_sections }, meta: {} })
  for (const _ of [1, 2]) expect((await call('DELETE', MENUS)).body).toEqual({ data: 1, meta: {} })
  expect(await get()).toEqual({ data: empty, meta: {} })
})

test('menus hold known sections, and items with a title and a path', async () => {
  expect(await post({ custom_app_sections: [{ title: 'a' }, { query_path: 'b' }] })).toEqual({
    status: 422,
    body: invalid({
      'custom_app_sections.0.query_path': 'error.path.missing',
      'custom_app_sections.1.title': 'error.path.missing',
    }),
  })
  const wrong = {
    bigcommerce_protected_app_sections: ['social', 'secrets'],
    custom_app_sections: [
      { title: ' ', query_path: '' },
      { title: 'x'.repeat(256), query_path: 5 },
    ],
  }
  expect(Object.keys((await post(wrong)).body.errors).sort()).toEqual([
    'bigcommerce_protected_app_sections.1',
    'custom_app_sections.0.query_path',
    'custom_app_sections.0.title',
    'custom_app_sections.1.query_path',
    'custom_app_sections.1.title',
  ])
})

test('a menu has at most 50 items (413)', async () => {
  const items = (length: number) => ({
    custom_app_sections: Array.from({ length }, (_, i) => ({ title: `${i}`, query_path: 'x' })),
  })
  expect((await post(items(50))).status).toBe(200)
  expect(await post(items(51))).toEqual({ status: 413, body: problem(413, 'Each menu can have at most 50 items.') })
})

test('a channel that is not there has no menus', async () => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    const { status, body } = await call(method, '/channels/5/channel-menus', method === 'POST' ? whole : undefined)
    expect({ status, body }, method).toEqual({ status: 404, body: problem(404, 'The channel 5 does not exist.') })
  }
})

test('the first channel shows the theme of every store; another has no active theme until one is activated', async () => {
  expect((await call('GET', '/channels/1/active-theme')).body).toEqual({ data: shown(STOCK.variations[0]), meta: {} })
  const storefront = { name: 'Second', type: 'storefront', platform: 'custom' }
  const { id } = (await call('POST', '/channels', storefront)).body.data
  const path = `/channels/${id}/active-theme`
  const { status, body } = await call('GET', path)
  expect({ status, body }).toEqual({ status: 404, body: problem(404, `The channel ${id} has no active theme.`) })
  const wish = { variation_id: STOCK.variations[1].uuid, channel_id: id }
  expect((await call('POST', '/themes/actions/activate', wish)).status).toBe(204)
  expect((await call('GET', path)).body).toEqual({ data: shown(STOCK.variations[1]), meta: {} })
})

const shown = ({ configuration }: { configuration: string }) => ({
  active_theme_uuid: STOCK.uuid,
  active_theme_configuration_uuid: configuration,
  active_theme_version_uuid: STOCK.version_uuid,
  saved_theme_configuration_uuid: configuration,
})
