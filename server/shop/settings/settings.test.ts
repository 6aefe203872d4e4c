import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../core/db/sql.ts'
import { convertToPaths } from '../../shared/pictures/addresses.ts'
import { form, openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { deleteChannelSettings } from './channel-deletion.ts'
import { catalogSettings } from './families/families.ts'
import { settingsOf } from './families/family.ts'
import { settingsPictures } from './logo.ts'

// Rules of single families, besides those that families.test.ts tests for all.

let shop: Shop
beforeEach(async () => {
  shop = await openShop({ name: 'Lamps' })
})

const call = (method: string, path: string, body?: unknown) => shop.call(method, `/settings/${path}`, body)
const get = async (path: string) => (await call('GET', path)).body.data
const put = (path: string, body: unknown) => call('PUT', path, body)
const publishedEvents = async () => (await rowsOf(shop, 'events')).map(({ scope }) => scope)

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const upload = (
  kind: string,
  query = '',
  bytes: Uint8Array = pixel,
  part = kind === 'logo' ? 'LogoFile' : 'FaviconFile',
) => shop.call('POST', `/settings/${kind}/image${query}`, undefined, form(part, 'a.png', bytes))

describe('storefront status', () => {
  const path = 'storefront/status?channel_id=1'
  const own = { down_for_maintenance_message: 'Soon', prelaunch_message: 'In May' }

  test('a channel keeps its password while it has messages, and gets another one after', async () => {
    const first = (await put(path, own)).body.data.prelaunch_password
    expect((await put(path, { ...own, prelaunch_message: 'In June' })).body.data.prelaunch_password).toBe(first)
    await put(path, { down_for_maintenance_message: null, prelaunch_message: null, prelaunch_password: null })
    expect((await get(path)).prelaunch_password).toBeNull()
    expect((await put(path, own)).body.data.prelaunch_password).not.toBe(first)
  })

  test("a PUT cannot change the store's password, and two stores have different ones", async () => {
    const { prelaunch_password } = await get('storefront/status')
    await put('storefront/status', { ...own, prelaunch_password: 'mine' })
    expect(await get('storefront/status')).toEqual({ ...own, prelaunch_password })
    shop = await openShop()
    expect((await get('storefront/status')).prelaunch_password).not.toBe(prelaunch_password)
  })
})

describe('the store locale', () => {
  const fresh = {
    default_shopper_language: 'en',
    shopper_language_selection_method: 'default_shopper_language',
    store_country: 'United States',
  }

  test('needs its language on every PUT, keeps the rest, and publishes store/information/updated', async () => {
    expect((await call('GET', 'store/locale?channel_id=99')).body).toEqual({ data: fresh, meta: {} })
    const changed = { ...fresh, default_shopper_language: 'pt-BR', store_country: 'Brazil' }
    const { body } = await put('store/locale?channel_id=99', {
      default_shopper_language: 'pt-BR',
      store_country: 'Brazil',
    })
    expect(body).toEqual({ data: changed, meta: {} })
    expect((await put('store/locale', { default_shopper_language: 'pt-BR' })).body.data).toEqual(changed)
    expect(await publishedEvents()).toEqual(['store/information/updated'])
  })

  test.each([
    [{}, ['default_shopper_language']],
    [{ default_shopper_language: null, store_country: null }, ['default_shopper_language', 'store_country']],
    [{ default_shopper_language: 'english' }, ['default_shopper_language']],
    [{ default_shopper_language: 'en_US' }, ['default_shopper_language']],
    [{ default_shopper_language: `en${'-abcdefgh'.repeat(4)}` }, ['default_shopper_language']],
    [{ default_shopper_language: 'en', store_country: 'Atlantis' }, ['store_country']],
    [
      { default_shopper_language: 'en', shopper_language_selection_method: 'ip' },
      ['', 'shopper_language_selection_method'],
    ],
  ])('%j is refused', async (body, fields) => {
    const answer = await put('store/locale', body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual(fields)
    expect(await get('store/locale')).toEqual(fresh)
  })
})

describe('the logo', () => {
  const text = { type: 'text', logo_text: 'Lamps' }

  test('can be an image once there is one, of the store or of the channel', async () => {
    expect((await put('logo', { type: 'image' })).body.errors).toEqual({
      type: 'A logo of the type image needs an image first.',
    })
    expect((await put('logo?channel_id=1', { ...text, type: 'image' })).status).toBe(422)
    expect((await upload('logo')).status).toBe(204)
    const url = expect.stringMatching(new RegExp(`^http://shop.test/files/${shop.store.hash}/[0-9a-f]{32}.png$`))
    expect(await get('logo')).toEqual({ ...text, logo_image_url: url, favicon_url: '' })
    expect(await get('logo?channel_id=1')).toEqual({
      type: null,
      logo_text: null,
      logo_image_url: null,
      favicon_url: null,
    })
    const own = { ...text, type: 'image' }
    expect((await put('logo?channel_id=1', own)).body.data).toEqual({ ...own, logo_image_url: null, favicon_url: null })
    expect((await put('logo', { type: 'image' })).status).toBe(200)
  })

  test('and the favicon are replaced by an upload; a channel loses its own with its other values', async () => {
    await upload('logo')
    const [first] = await rowsOf(shop, 'files')
    await upload('logo')
    await upload('logo', '?channel_id=1')
    await upload('favicon', '?channel_id=1')
    const stored = await rowsOf(shop, 'files')
    expect(stored.map(({ owner_kind, owner_id }) => `${owner_kind} ${owner_id}`).toSorted()).toEqual([
      'favicon 1',
      'logo 0',
      'logo 1',
    ])
    expect(stored.map(({ name }) => name)).not.toContain(first?.name)
    const { logo_image_url, favicon_url, ...rest } = await get('logo?channel_id=1')
    expect(rest).toEqual({ type: null, logo_text: null })
    expect([logo_image_url, favicon_url]).toEqual([expect.stringContaining('.png'), expect.stringContaining('.png')])
    expect((await get('logo')).logo_image_url).not.toBe(logo_image_url)
    await put('logo?channel_id=1', { type: null, logo_text: null })
    expect(await get('logo?channel_id=1')).toEqual({
      type: null,
      logo_text: null,
      logo_image_url: null,
      favicon_url: null,
    })
    expect(await rowsOf(shop, 'files')).toMatchObject([{ owner_kind: 'logo', owner_id: 0 }])
    expect(await publishedEvents()).toEqual([
      'store/channel/1/settings/logo/image/updated',
      'store/channel/1/settings/logo/image/updated',
      'store/channel/1/settings/logo/image/updated',
      'store/channel/1/settings/favicon/image/updated',
      'store/channel/1/settings/logo/updated',
    ])
  })

  test.each([
    ['no picture', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 422],
    [
      'an icon',
      Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 32, 0, 8, 0, 0, 0, 22, 0, 0, 0]), pixel]),
      422,
    ],
    ['one byte too much', Buffer.alloc(10 * 1024 * 1024 + 1), 413],
  ])('is not %s', async (_, bytes, status) => {
    const answer = await upload('favicon', '', bytes)
    expect(answer.status).toBe(status)
    expect(Object.keys(answer.body.errors)).toEqual(status === 422 ? ['FaviconFile'] : [])
    expect(await rowsOf(shop, 'files')).toEqual([])
  })

  test('is refused under another name, and for a channel that is not there', async () => {
    expect((await upload('logo', '', pixel, 'FaviconFile')).body.errors).toHaveProperty('LogoFile')
    expect((await upload('logo', '?channel_id=2')).status).toBe(422)
    expect((await upload('logo', '?chanel_id=1')).status).toBe(422)
    expect(await rowsOf(shop, 'files')).toEqual([])
  })

  test('is stored as a path, without the address of the server', async () => {
    await upload('logo')
    await upload('favicon', '?channel_id=1')
    const before = [await get('logo'), await get('logo?channel_id=1')]
    expect(before[0].logo_image_url).toMatch(/^http:\/\/shop\.test\/files\//)
    const db = await dbOf(shop)
    expect(await convertToPaths(db, settingsPictures)).toBe(0)
    // As an earlier version kept them.
    await db.transaction((tx) =>
      tx.rows(sql`
        update settings set value = replace(value::text, '"/files/', '"http://old.test/files/')::jsonb
        where store_id = ${shop.store.id} and family = 'logo'`),
    )
    expect((await get('logo')).logo_image_url).toMatch(/^http:\/\/old\.test\/files\//)
    expect(await convertToPaths(db, settingsPictures)).toBe(2)
    expect([await get('logo'), await get('logo?channel_id=1')]).toEqual(before)
  })
})

test('of security settings the store changes parts, and a channel takes the objects whole', async () => {
  const before = await get('storefront/security')
  const { body } = await put('storefront/security', { hsts: { max_age: 'five_minutes' } })
  expect(body.data).toEqual({ ...before, hsts: { ...before.hsts, max_age: 'five_minutes' } })
  const path = 'storefront/security?channel_id=1'
  const { errors } = (await put(path, { ...before, hsts: { enabled: true }, csp_header: {} })).body
  expect(Object.keys(errors).toSorted()).toEqual([
    'csp_header.enabled',
    'csp_header.header_value',
    'hsts.include_preload',
    'hsts.include_subdomains',
    'hsts.max_age',
  ])
  const wrong = await put('storefront/security', { x_frame_options_header: { setting: 'allow_from_url' } })
  expect(Object.keys(wrong.body.errors)).toEqual(['x_frame_options_header.allowed_url'])
  const two = await put('storefront/security', {
    hsts: { max_age: 'forever' },
    x_frame_options_header: { setting: 'x' },
  })
  expect(two.body.errors).toEqual({
    '': `${two.body.errors['hsts.max_age']}; ${two.body.errors['x_frame_options_header.setting']}`,
    'hsts.max_age': 'max_age must be one of zero_seconds, five_minutes, one_year, not "forever".',
    'x_frame_options_header.setting': 'setting must be one of deny, same_origin, allow_from_url, not "x".',
  })
})

test('the names that public samples have for e-mail statuses are read, and not answered', async () => {
  const { body } = await put('email-statuses', {
    createaccount_email: false,
    giftcertificate_email: true,
    gift_certificate_email: false,
    ordermessage_notification: false,
    createguestaccount_email: false,
  })
  expect(body.data).toMatchObject({
    create_account_email: false,
    create_guest_account_email: false,
    gift_certificate_email: false,
    order_message_notification_email: false,
  })
  expect(Object.keys(body.data)).toHaveLength(11)
})

test('more than ten addresses for a notification are 413', async () => {
  const eleven = Array.from({ length: 11 }, (_, i) => `a${i}@example.com`)
  for (const query of ['', '?channel_id=1']) {
    expect((await put(`inventory/notifications${query}`, { low_stock_notification_address: eleven })).status).toBe(413)
  }
})

test('SEO settings take their channel from the body too; that of the query counts more', async () => {
  const own = { page_title: 'Light', meta_description: '', meta_keywords: '', www_redirect: 'none' }
  expect((await put('storefront/seo', { ...own, channel_id: 1 })).body.data).toEqual(own)
  expect((await get('storefront/seo')).page_title).toBe('Lamps')
  expect((await get('storefront/seo?channel_id=1')).page_title).toBe('Light')
  expect((await put('storefront/seo', { ...own, channel_id: 7 })).status).toBe(422)
  expect(
    (await put('storefront/seo?channel_id=1', { ...own, page_title: 'Oak', channel_id: 7 })).body.data.page_title,
  ).toBe('Oak')
})

test('a change for all channels is published for each, also for those with their own values', async () => {
  const own = { store_address: '', store_email: '', store_name: 'Lamps', store_phone: '' }
  await put('store/profile?channel_id=1', own)
  await put('store/profile', { store_address_type: 'Retail' })
  expect(await publishedEvents()).toEqual([
    'store/channel/1/settings/profile/updated',
    'store/information/updated',
    'store/channel/1/settings/profile/updated',
  ])
})

test('two PUTs of one family at once both count', async () => {
  await Promise.all([
    put('catalog', { auto_approve_reviews: true }),
    put('catalog', { enable_product_comparisons: false }),
    put('storefront/security', { hsts: { enabled: true } }),
    put('storefront/security', { hsts: { include_preload: true } }),
  ])
  expect(await get('catalog')).toEqual({ auto_approve_reviews: true, enable_product_comparisons: false })
  expect((await get('storefront/security')).hsts).toMatchObject({ enabled: true, include_preload: true })
})

describe('a channel that is deleted', () => {
  const own = { auto_approve_reviews: true, enable_product_comparisons: false }
  let id: number
  beforeEach(async () => {
    const body = { name: 'Second', type: 'storefront', platform: 'custom' }
    id = (await shop.call('POST', '/channels', body)).body.data.id
    await put(`catalog?channel_id=${id}`, own)
  })
  const live = (channel: string, scope: string) => `store/channel/${channel}/settings/${scope}`

  test('has no settings any more, and changes of the store publish no events for it', async () => {
    const db = await dbOf(shop)
    await put('catalog?channel_id=1', { ...own, auto_approve_reviews: false })
    await put('catalog', { auto_approve_reviews: true })
    await put('storefront/category', { category_tree_depth: 4 })
    await shop.call('PUT', `/channels/${id}`, { status: 'deleted' })
    await put('storefront/category', { category_tree_depth: 5 })
    expect((await publishedEvents()).filter((scope) => scope?.toString().includes('settings'))).toEqual([
      live(`${id}`, 'catalog/updated'),
      live('1', 'catalog/updated'),
      live('1', 'category/updated'),
      live(`${id}`, 'category/updated'),
      live('1', 'category/updated'),
    ])
    expect((await call('GET', `catalog?channel_id=${id}`)).status).toBe(422)
    expect((await put(`catalog?channel_id=${id}`, own)).status).toBe(422)
    expect(await settingsOf(db, catalogSettings, id)).toEqual({ ...own, enable_product_comparisons: true })
  })

  test('loses its settings and pictures permanently', async () => {
    await upload('logo', `?channel_id=${id}`)
    await upload('logo')
    const { files } = await theHouse()
    await deleteChannelSettings(files)(await dbOf(shop), id)
    expect(await get(`catalog?channel_id=${id}`)).toEqual({
      auto_approve_reviews: null,
      enable_product_comparisons: null,
    })
    expect(await rowsOf(shop, 'files')).toMatchObject([{ owner_kind: 'logo', owner_id: 0 }])
    expect((await rowsOf(shop, 'settings')).filter(({ channel_id }) => channel_id === id)).toEqual([])
  })
})

test('a store with a catalyst channel gets a list of deprecated fields, which are still validated (C-118)', async () => {
  const locale = { default_shopper_language: 'en', shopper_language_selection_method: 'browser' }
  expect((await put('store/locale', locale)).body.meta).toEqual({})
  await shop.call('POST', '/channels', { name: 'Second', type: 'storefront', platform: 'catalyst' })
  const meta = { deprecated_fields: expect.stringContaining('shopper_language_selection_method') }
  expect((await call('GET', 'store/locale')).body).toEqual({
    data: { ...locale, store_country: 'United States' },
    meta,
  })
  expect((await put('store/locale', { ...locale, default_shopper_language: 'fr' })).body.meta).toEqual(meta)
  expect((await put('store/locale', { ...locale, shopper_language_selection_method: 'ip' })).status).toBe(422)
})
