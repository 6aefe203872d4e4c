import { beforeEach, describe, expect, test } from 'vitest'
import { openShop, type Shop } from '../../test/fixtures/shop.ts'
import { rowsOf } from '../../test/fixtures/webhooks.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const get = async () => (await shop.call('GET', '/tax/settings')).body
const put = (body: unknown) => shop.call('PUT', '/tax/settings', body)

const defaults = {
  tax_entered_with_prices: false,
  price_display_settings: { control_panel_price_display_strategy: 'ZONE', invoice_price_display_strategy: 'ZONE' },
  fallback_strategy: 'FIXED',
  should_subtract_store_tax: true,
  should_use_geolocation_to_determine_guest_shopper_tax_zone: false,
  guest_shopper_tax_zone_id: 1,
  store_tax_zone_id: 1,
  document_submission_strategy: 'ON_PAYMENT_CAPTURE',
  rounding_strategy: 'RATE_ROUNDING',
}

describe('tax settings', () => {
  test('are the defaults in a new store, and are changed in part', async () => {
    expect(await get()).toEqual({ data: defaults, meta: {} })
    const changes = {
      fallback_strategy: 'DISABLE',
      should_subtract_store_tax: false,
      should_use_geolocation_to_determine_guest_shopper_tax_zone: true,
      document_submission_strategy: 'ON_ORDER_CREATION',
      rounding_strategy: 'NO_ROUNDING',
      price_display_settings: { invoice_price_display_strategy: 'INCLUSIVE' },
    }
    const after = {
      ...defaults,
      ...changes,
      price_display_settings: { ...defaults.price_display_settings, ...changes.price_display_settings },
    }
    expect((await put(changes)).body).toEqual({ data: after, meta: {} })
    expect((await put({})).body.data).toEqual(after)
    expect((await get()).data).toEqual(after)
  })

  test.each([
    [true, 'INCLUSIVE'],
    [false, 'EXCLUSIVE'],
  ])('read the older show_inclusive_in_control_panel %s as %s', async (show_inclusive_in_control_panel, strategy) => {
    const { body } = await put({ price_display_settings: { show_inclusive_in_control_panel } })
    const { price_display_settings } = body.data
    expect(price_display_settings).toEqual({
      control_panel_price_display_strategy: strategy,
      invoice_price_display_strategy: 'ZONE',
    })
  })

  test.each([
    [{ tax_entered_with_prices: null }, 'tax_entered_with_prices'],
    [{ tax_entered_with_prices: 1 }, 'tax_entered_with_prices'],
    [{ rounding_strategy: 'rate_rounding' }, 'rounding_strategy'],
    [{ fallback_strategy: 'NONE' }, 'fallback_strategy'],
    [{ store_tax_zone_id: 2 }, 'store_tax_zone_id'],
    [{ guest_shopper_tax_zone_id: 0 }, 'guest_shopper_tax_zone_id'],
    [{ price_display_settings: null }, 'price_display_settings'],
    [
      { price_display_settings: { invoice_price_display_strategy: 'BOTH' } },
      'price_display_settings.invoice_price_display_strategy',
    ],
  ])('refuse %j with 422', async (body, field) => {
    expect(await put(body)).toMatchObject({ status: 422, body: { errors: { [field]: expect.any(String) } } })
    expect((await get()).data).toEqual(defaults)
  })

  test('publish store/information/updated if prices contain tax from now on, and /v2/store follows', async () => {
    const information = () => shop.call('GET', '/store', undefined, { version: 'v2' })
    const scopes = async () => (await rowsOf(shop, 'events')).map(({ scope, data }) => [scope, data])
    expect((await information()).body.is_price_entered_with_tax).toBe(false)
    await put({ should_subtract_store_tax: false })
    await put({ tax_entered_with_prices: false })
    expect(await scopes()).toEqual([])
    await put({ tax_entered_with_prices: true })
    await put({ tax_entered_with_prices: true })
    expect(await scopes()).toEqual([['store/information/updated', '{"type":"store"}']])
    expect((await information()).body.is_price_entered_with_tax).toBe(true)
  })
})
