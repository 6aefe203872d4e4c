import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { settingsOf } from '../families/family.ts'
import { abandonedCartSettings, cartSettings } from './cart-settings.ts'

// docs/contract/cart-settings.md sections 1, 2 and 4.

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const get = async (path: string) => (await shop.call('GET', path)).body.data
const put = (path: string, body: unknown) => shop.call('PUT', path, body)
const publishedEvents = async () => (await rowsOf(shop, 'events')).map(({ scope }) => scope)

describe('cart settings', () => {
  const STORE = '/carts/settings'
  const CHANNEL = '/carts/settings/channels/1'

  test('a channel inherits the value of the store until it has its own', async () => {
    expect((await shop.call('GET', STORE)).body).toEqual({ data: { allow_purchasing: true }, meta: {} })
    expect(await get(CHANNEL)).toEqual({ allow_purchasing: null })
    expect((await put(STORE, { allow_purchasing: false })).body).toEqual({
      data: { allow_purchasing: false },
      meta: {},
    })
    expect(await get(CHANNEL)).toEqual({ allow_purchasing: null })
    expect(await settingsOf(await dbOf(shop), cartSettings, 1)).toEqual({ allow_purchasing: false })

    expect((await put(CHANNEL, { allow_purchasing: true })).body.data).toEqual({ allow_purchasing: true })
    expect((await put(CHANNEL, {})).body.data).toEqual({ allow_purchasing: true })
    expect(await settingsOf(await dbOf(shop), cartSettings, 1)).toEqual({ allow_purchasing: true })
    expect((await put(CHANNEL, { allow_purchasing: null })).body.data).toEqual({ allow_purchasing: null })
    expect(await settingsOf(await dbOf(shop), cartSettings, 1)).toEqual({ allow_purchasing: false })
    const rows = (await rowsOf(shop, 'settings')).filter(({ family }) => family === 'carts')
    expect(rows).toMatchObject([{ channel_id: 0 }])
  })

  test.each([
    [STORE, {}, 422],
    [STORE, { allow_purchasing: null }, 422],
    [STORE, { allow_purchasing: 'yes' }, 422],
    [CHANNEL, { allow_purchasing: 'yes' }, 422],
    ['/carts/settings/channels/99', { allow_purchasing: true }, 404],
  ])('PUT %s with %j is %i', async (path, body, status) => {
    const answered = await put(path, body)
    expect(answered.status).toBe(status)
    if (status === 422) expect(Object.keys(answered.body.errors)).toEqual(['allow_purchasing'])
    expect(await get(STORE)).toEqual({ allow_purchasing: true })
  })

  test('a body that is not JSON is 400, and an unknown channel has no settings', async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await shop.call('PUT', STORE, undefined, { payload: '{', headers })).status).toBe(400)
    expect((await shop.call('GET', '/carts/settings/channels/99')).status).toBe(404)
  })

  test('a change of a channel is published, that of the store or no change is not', async () => {
    await put(STORE, { allow_purchasing: false })
    await put(CHANNEL, { allow_purchasing: null })
    expect(await publishedEvents()).toEqual([])
    await put(CHANNEL, { allow_purchasing: false })
    await put(CHANNEL, { allow_purchasing: false })
    expect(await publishedEvents()).toEqual(['store/channel/1/settings/checkout/updated'])
  })
})

describe('abandoned cart settings', () => {
  const STORE = '/abandoned-carts/settings'
  const CHANNEL = '/abandoned-carts/settings/channels/1'
  const defaults = {
    enable_notification: false,
    email_customer_until_cart_is_recovered: true,
    marketing_emails_require_customer_consent: true,
    email_merchant_when_cart_is_converted: false,
    email_merchant_when_cart_is_abandoned: false,
    merchant_email_address: '',
    merchant_abandoned_cart_email_frequency_type: 'individual',
    merchant_abandoned_cart_digest_email_frequency: 10,
  }
  const { enable_notification: _, ...required } = defaults
  const inherited = Object.fromEntries(Object.keys(defaults).map((field) => [field, null]))

  test('the store has all values, a channel any of its own', async () => {
    expect((await shop.call('GET', STORE)).body).toEqual({ data: defaults, meta: {} })
    expect((await shop.call('GET', CHANNEL)).body).toEqual({ data: inherited, meta: {} })

    const values = { ...required, merchant_email_address: 'a@shop.test' }
    expect((await put(STORE, values)).body).toEqual({ data: { ...defaults, ...values }, meta: {} })
    expect((await put(STORE, { ...required, enable_notification: true })).body.data).toEqual({
      ...defaults,
      enable_notification: true,
    })
    expect((await put(STORE, required)).body.data.enable_notification).toBe(true)

    const own = {
      merchant_abandoned_cart_email_frequency_type: 'digest',
      email_customer_until_cart_is_recovered: false,
    }
    expect((await put(CHANNEL, own)).body.data).toEqual({ ...inherited, ...own })
    const cleared = { ...own, email_customer_until_cart_is_recovered: null }
    expect((await put(CHANNEL, cleared)).body.data).toEqual({ ...inherited, ...cleared })
    expect(await get(CHANNEL)).toEqual({ ...inherited, ...cleared })
    expect(await settingsOf(await dbOf(shop), abandonedCartSettings, 1)).toEqual({
      ...defaults,
      enable_notification: true,
      merchant_abandoned_cart_email_frequency_type: 'digest',
    })
  })

  test('a PUT of the store needs all fields but one', async () => {
    const { status, body } = await put(STORE, {})
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual(Object.keys(required).sort())
  })

  const longest = `${'a'.repeat(490)}@shop.test`
  test.each([
    ['merchant_abandoned_cart_digest_email_frequency', [2, 1_000], [1, 1_001, 2.5, '2']],
    ['merchant_abandoned_cart_email_frequency_type', ['digest', 'individual'], ['weekly', null]],
    ['merchant_email_address', ['', 'a@shop.test', longest], ['no address', `a${longest}`, null]],
    ['enable_notification', [true, false], ['true', 1, null]],
  ])('the bounds of %s', async (field, valid, invalid) => {
    for (const value of valid) expect((await put(STORE, { ...required, [field]: value })).body.data[field]).toBe(value)
    for (const value of invalid) {
      const { status, body } = await put(STORE, { ...required, [field]: value })
      expect([status, Object.keys(body.errors)], String(value)).toEqual([422, [field]])
      if (value !== null) expect((await put(CHANNEL, { [field]: value })).status).toBe(422)
    }
  })

  test('an unknown channel is 404', async () => {
    expect((await shop.call('GET', `${STORE}/channels/99`)).status).toBe(404)
    expect((await put(`${STORE}/channels/99`, {})).status).toBe(404)
  })

  test('a change of a channel is published, that of the store or no change is not', async () => {
    await put(STORE, { ...required, enable_notification: true })
    await put(CHANNEL, {})
    expect(await publishedEvents()).toEqual([])
    await put(CHANNEL, { enable_notification: true })
    await put(CHANNEL, { enable_notification: true })
    expect(await publishedEvents()).toEqual(['store/channel/1/notifications/abandonedCart/updated'])
  })
})
