import { beforeEach, expect, test } from 'vitest'
import { openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/cart-settings.md sections 3 and 4.

const STORE = '/checkouts/settings'
const CHANNEL = '/checkouts/settings/channels/1'

const ofScripts = {
  custom_checkout_script_url: '',
  order_confirmation_use_custom_checkout_script: false,
  custom_order_confirmation_script_url: '',
  custom_checkout_supports_uco_settings: false,
  custom_checkout_sri_hash: '',
  custom_order_confirmation_sri_hash: '',
}
const ofChannel = {
  checkout_type: '',
  guest_checkout_type: '',
  guest_checkout_for_existing_accounts: '',
  policy_consent: '',
  order_confirmation_contact_email: '',
  is_order_terms_and_conditions_enabled: false,
  order_terms_and_conditions_type: '',
  order_terms_and_conditions_link: '',
  order_terms_and_conditions_textarea: '',
  should_redirect_to_storefront_for_auth: false,
  ...ofScripts,
}

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const get = async (path: string) => (await shop.call('GET', path)).body.data
const put = (path: string, body: unknown) => shop.call('PUT', path, body)

test('a channel has its own values, else those of the store, else the defaults', async () => {
  expect((await shop.call('GET', STORE)).body).toEqual({ data: ofScripts, meta: {} })
  expect((await shop.call('GET', CHANNEL)).body).toEqual({ data: ofChannel, meta: {} })

  const ofStore = { custom_checkout_script_url: 'https://a.test/a.js', custom_checkout_supports_uco_settings: true }
  expect((await put(STORE, ofStore)).body).toEqual({ data: { ...ofScripts, ...ofStore }, meta: {} })
  expect((await put(STORE, {})).body.data).toEqual({ ...ofScripts, ...ofStore })
  expect(await get(CHANNEL)).toEqual({ ...ofChannel, ...ofStore })

  const own = { custom_checkout_script_url: 'https://b.test/b.js', checkout_type: 'any word' }
  expect((await put(CHANNEL, own)).body.data).toEqual({ ...ofChannel, ...ofStore, ...own })
  expect(await get(STORE)).toEqual({ ...ofScripts, ...ofStore })
  const cleared = { custom_checkout_script_url: null, checkout_type: null }
  expect((await put(CHANNEL, cleared)).body.data).toEqual({ ...ofChannel, ...ofStore })
  const rows = (await rowsOf(shop, 'settings')).filter(({ family }) => family === 'checkouts')
  expect(rows).toMatchObject([{ channel_id: 0 }])
})

test('the store has no fields of shoppers', async () => {
  expect((await put(STORE, { checkout_type: 'any word' })).body.data).toEqual(ofScripts)
  expect((await get(CHANNEL)).checkout_type).toBe('')
})

test('a confirmation by the script of the checkout has no script of its own', async () => {
  const url = 'https://a.test/thanks.js'
  await put(STORE, { custom_order_confirmation_script_url: url })
  const uses = { order_confirmation_use_custom_checkout_script: true }
  expect((await put(STORE, uses)).body.data).toEqual({ ...ofScripts, ...uses })
  const still = await put(STORE, { custom_order_confirmation_script_url: url })
  expect(still.body.data.custom_order_confirmation_script_url).toBe('')
  const off = { order_confirmation_use_custom_checkout_script: false, custom_order_confirmation_script_url: url }
  expect((await put(STORE, off)).body.data).toEqual({ ...ofScripts, ...off })
  expect((await put(CHANNEL, uses)).body.data.custom_order_confirmation_script_url).toBe('')
})

const sha256 = `sha256-${'A'.repeat(43)}=`
const sha384 = `sha384-${'a+/'.repeat(21)}0`
const sha512 = `sha512-${'Z'.repeat(86)}==`

test.each([
  [
    'custom_checkout_script_url',
    ['https://a.test/a.js', '', `https://a.test/${'a'.repeat(2_033)}`],
    ['http://a.test/a.js', '/a.js', 'a.js', `https://a.test/${'a'.repeat(2_034)}`],
  ],
  ['custom_order_confirmation_script_url', ['https://a.test/a.js', ''], ['javascript:alert(1)', 'https://']],
  [
    'custom_checkout_sri_hash',
    ['', sha256, sha384, sha512, Array.from({ length: 5 }, () => sha256).join(' ')],
    ['sha1-abc', sha256.slice(1), `${sha256}a`, Array.from({ length: 6 }, () => sha256).join(' ')],
  ],
  ['custom_order_confirmation_sri_hash', [`${sha256} ${sha384}`], ['sha256-']],
  ['custom_checkout_supports_uco_settings', [true], ['true']],
])('the bounds of %s', async (field, valid, invalid) => {
  for (const path of [STORE, CHANNEL]) {
    for (const value of valid) expect((await put(path, { [field]: value })).body.data[field]).toBe(value)
    for (const value of invalid) {
      const { status, body } = await put(path, { [field]: value })
      expect([status, Object.keys(body.errors)], String(value)).toEqual([422, [field]])
    }
    expect((await get(path))[field]).toBe(valid.at(-1))
  }
})

test.each([
  ['checkout_type', 'a'.repeat(255), 'a'.repeat(256)],
  ['order_terms_and_conditions_textarea', 'a'.repeat(65_535), 'a'.repeat(65_536)],
  ['is_order_terms_and_conditions_enabled', true, null],
  ['order_confirmation_use_custom_checkout_script', true, null],
])('the bounds of %s of a channel', async (field, valid, invalid) => {
  expect((await put(CHANNEL, { [field]: valid })).body.data[field]).toBe(valid)
  const { status, body } = await put(CHANNEL, { [field]: invalid })
  expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
})

test('a text of the store is not null, and an unknown channel is 422', async () => {
  expect((await put(STORE, { custom_checkout_script_url: null })).status).toBe(422)
  expect((await shop.call('GET', `${STORE}/channels/99`)).status).toBe(422)
  expect((await put(`${STORE}/channels/99`, {})).status).toBe(422)
  expect((await rowsOf(shop, 'settings')).filter(({ family }) => family === 'checkouts')).toEqual([])
})

test.each(['store_checkout_content', 'store_checkouts', 'store_checkout'])('%s opens them', async (scope) => {
  const { accounts } = (await theHouse()).installation
  const writer = await accounts.create(shop.store.hash, 'writer', [scope])
  const reader = await accounts.create(shop.store.hash, 'reader', [`${scope}_read_only`])
  expect((await shop.call('PUT', STORE, {}, { as: writer })).status).toBe(200)
  expect((await shop.call('GET', CHANNEL, undefined, { as: reader })).status).toBe(200)
  expect((await shop.call('PUT', STORE, {}, { as: reader })).status).toBe(403)
})

test('a change of a channel is published, that of the store or no change is not', async () => {
  const scopes = async () => (await rowsOf(shop, 'events')).map(({ scope }) => scope)
  await put(STORE, { custom_checkout_supports_uco_settings: true })
  await put(CHANNEL, {})
  expect(await scopes()).toEqual([])
  await put(CHANNEL, { policy_consent: 'asked' })
  await put(CHANNEL, { policy_consent: 'asked' })
  expect(await scopes()).toEqual(['store/channel/1/settings/checkout/updated'])
})
