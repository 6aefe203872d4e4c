import { beforeEach, describe, expect, test } from 'vitest'
import { invalid } from '../test/document/expected.ts'
import { openShop, type Shop } from '../test/fixtures/shop.ts'
import { rowsOf } from '../test/fixtures/webhooks.ts'

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
})

const STORE = '/customers/settings'
const of = (channel: number) => `${STORE}/channels/${channel}`
const get = async (path: string) => (await shop.call('GET', path)).body.data
const put = (path: string, body: object) => shop.call('PUT', path, body)
const group = async (name: string, marks: object = {}): Promise<number> =>
  (await shop.call('POST', '/customer_groups', { name, ...marks }, { version: 'v2' })).body.id
const channel = async (name: string): Promise<number> =>
  (await shop.call('POST', '/channels', { name, type: 'storefront', platform: 'custom', status: 'active' })).body.data
    .id
const published = async (after = 0) =>
  (await rowsOf(shop, 'events'))
    .sort((one, other) => Number(one.seq) - Number(other.seq))
    .slice(after)
    .map(({ scope, data }) => [scope, data])
    .filter(([scope]) => String(scope).includes('/settings/'))
const scopeOf = (channel: number, name: string) => [`store/channel/${channel}/settings/${name}/updated`, '{}']

const privacy = {
  ask_shopper_for_tracking_consent: false,
  policy_url: '',
  ask_shopper_for_tracking_consent_on_checkout: false,
}
const fresh = {
  privacy_settings: privacy,
  customer_group_settings: { guest_customer_group_id: 0, default_customer_group_id: 0 },
}
const inherited = {
  privacy_settings: {
    ask_shopper_for_tracking_consent: null,
    policy_url: null,
    ask_shopper_for_tracking_consent_on_checkout: null,
  },
  customer_group_settings: { guest_customer_group_id: null, default_customer_group_id: null },
}

describe('the customer settings', () => {
  test('of a store are off at first, and change to the leaf', async () => {
    expect((await shop.call('GET', STORE)).body).toEqual({ data: fresh, meta: {} })
    const asks = { ask_shopper_for_tracking_consent: true, policy_url: 'https://x.test/privacy' }
    const changed = { ...fresh, privacy_settings: { ...privacy, ...asks } }
    const { status, body } = await put(STORE, { privacy_settings: asks })
    expect({ status, body }).toEqual({ status: 200, body: { data: changed, meta: {} } })
    const trade = await group('Trade')
    const marked = {
      ...changed,
      customer_group_settings: { guest_customer_group_id: trade, default_customer_group_id: 0 },
    }
    expect((await put(STORE, { customer_group_settings: { guest_customer_group_id: trade } })).body.data).toEqual(
      marked,
    )
    expect((await put(STORE, {})).body.data).toEqual(marked)
    expect(await get(STORE)).toEqual(marked)
    expect(await published()).toEqual([scopeOf(1, 'customerPrivacy'), scopeOf(1, 'defaultCustomerGroup')])
  })

  test('of a channel are those of the store where it has none; null takes its own away', async () => {
    const second = await channel('Outlet')
    expect(await get(of(1))).toEqual({ ...inherited, allow_global_logins: true })
    expect(await get(of(second))).toEqual({ ...inherited, allow_global_logins: false })
    const trade = await group('Trade')
    const own = {
      privacy_settings: { ...inherited.privacy_settings, policy_url: 'http://x.test' },
      customer_group_settings: { guest_customer_group_id: 0, default_customer_group_id: trade },
      allow_global_logins: true,
    }
    const { status, body } = await put(of(second), { ...own, channel_id: 1 })
    expect({ status, body }).toEqual({ status: 200, body: { data: own, meta: {} } })
    const cleared = { ...own, customer_group_settings: inherited.customer_group_settings }
    expect((await put(of(second), { customer_group_settings: inherited.customer_group_settings })).body.data).toEqual(
      cleared,
    )
    expect((await put(of(second), { allow_global_logins: false })).body.data).toEqual({
      ...cleared,
      allow_global_logins: false,
    })
    expect(await get(of(1))).toEqual({ ...inherited, allow_global_logins: true })
    expect(await get(STORE)).toEqual(fresh)
  })

  test('and the marks of the groups share one value each', async () => {
    const [first, second] = [
      await group('First', { is_default: true }),
      await group('Second', { is_group_for_guests: true }),
    ]
    expect((await get(STORE)).customer_group_settings).toEqual({
      guest_customer_group_id: second,
      default_customer_group_id: first,
    })
    await put(STORE, { customer_group_settings: { guest_customer_group_id: 0, default_customer_group_id: second } })
    const { body } = await shop.call('GET', '/customer_groups', undefined, { version: 'v2' })
    expect(body).toMatchObject([
      { id: first, is_default: false, is_group_for_guests: false },
      { id: second, is_default: true, is_group_for_guests: false },
    ])
  })

  test('are told for each channel in which something else is in force than before', async () => {
    const second = await channel('Outlet')
    await put(of(second), { privacy_settings: { policy_url: 'https://own.test' } })
    const trade = await group('Trade')
    let seen = (await rowsOf(shop, 'events')).length
    const since = async () => {
      const news = await published(seen)
      seen = (await rowsOf(shop, 'events')).length
      return news
    }
    await put(STORE, { privacy_settings: { policy_url: 'https://all.test' } })
    expect(await since()).toEqual([scopeOf(1, 'customerPrivacy')])
    // The value of the channel equals the effective one.
    await put(of(1), { privacy_settings: { policy_url: 'https://all.test' } })
    await put(STORE, { privacy_settings: { policy_url: 'https://all.test' } })
    await put(of(second), { allow_global_logins: true })
    expect(await since()).toEqual([])
    await shop.call('PUT', `/customer_groups/${trade}`, { is_default: true }, { version: 'v2' })
    expect(await since()).toEqual([scopeOf(1, 'defaultCustomerGroup'), scopeOf(second, 'defaultCustomerGroup')])
    await put(of(second), { customer_group_settings: { default_customer_group_id: trade } })
    await shop.call('PUT', `/customer_groups/${trade}`, { is_default: false }, { version: 'v2' })
    expect(await since()).toEqual([scopeOf(1, 'defaultCustomerGroup')])
    await put(of(second), inherited)
    expect(await since()).toEqual([scopeOf(second, 'customerPrivacy'), scopeOf(second, 'defaultCustomerGroup')])
  })

  test('give a new customer the group of his channel, else that of the store', async () => {
    const second = await channel('Outlet')
    const [one, other] = [await group('One', { is_default: true }), await group('Other')]
    await put(of(second), { customer_group_settings: { default_customer_group_id: other } })
    const customer = (email: string, fields: object = {}) => ({ email, first_name: 'Ann', last_name: 'Lee', ...fields })
    const { body } = await shop.call('POST', '/customers', [
      customer('a@x.test'),
      customer('b@x.test', { origin_channel_id: second }),
      customer('c@x.test', { customer_group_id: 0 }),
      customer('d@x.test', { origin_channel_id: second, customer_group_id: one }),
    ])
    expect(body.data.map((made: { customer_group_id: number }) => made.customer_group_id)).toEqual([one, other, 0, one])
  })

  test('let accounts without channels log in, and so decide who may share an address', async () => {
    const second = await channel('Outlet')
    const ann = (fields: object) => [{ email: 'ann@x.test', first_name: 'Ann', last_name: 'Lee', ...fields }]
    const made = await shop.call('POST', '/customers', ann({}))
    expect(made.body.data).toMatchObject([{ channel_ids: null }])
    await put(of(second), { allow_global_logins: true })
    expect((await shop.call('POST', '/customers', ann({ channel_ids: [second] }))).status).toBe(422)
    await put(of(second), { allow_global_logins: false })
    const local = await shop.call('POST', '/customers', ann({ origin_channel_id: second }))
    expect(local.body.data).toMatchObject([{ channel_ids: [second] }])
  })
})

describe('refused is', () => {
  const some = expect.any(String)
  test('invalid values of the store or of a channel are refused', async () => {
    const cases: [string, object, object][] = [
      [STORE, { privacy_settings: { policy_url: 'privacy.html' } }, { 'privacy_settings.policy_url': some }],
      [STORE, { privacy_settings: { policy_url: 'ftp://x.test' } }, { 'privacy_settings.policy_url': some }],
      [
        STORE,
        { privacy_settings: { policy_url: `https://x.test/${'a'.repeat(2_034)}` } },
        { 'privacy_settings.policy_url': some },
      ],
      [
        STORE,
        {
          privacy_settings: { ask_shopper_for_tracking_consent: null },
          customer_group_settings: { guest_customer_group_id: -1 },
        },
        {
          'privacy_settings.ask_shopper_for_tracking_consent': 'error.expected.jsboolean',
          'customer_group_settings.guest_customer_group_id': some,
        },
      ],
      [
        STORE,
        { customer_group_settings: { guest_customer_group_id: 8, default_customer_group_id: 9 } },
        {
          'customer_group_settings.guest_customer_group_id': 'The customer group 8 does not exist.',
          'customer_group_settings.default_customer_group_id': 'The customer group 9 does not exist.',
        },
      ],
      [of(1), { allow_global_logins: null }, { allow_global_logins: 'error.expected.jsboolean' }],
      [of(1), { privacy_settings: { policy_url: '/x' } }, { 'privacy_settings.policy_url': some }],
      [
        of(1),
        { customer_group_settings: { default_customer_group_id: 9 } },
        { 'customer_group_settings.default_customer_group_id': 'The customer group 9 does not exist.' },
      ],
    ]
    for (const [path, body, errors] of cases) {
      expect(await put(path, body), JSON.stringify(body)).toMatchObject({ status: 422, body: invalid(errors) })
    }
    const url = `https://x.test/${'a'.repeat(2_033)}`
    expect((await put(STORE, { privacy_settings: { policy_url: url } })).body.data.privacy_settings.policy_url).toBe(
      url,
    )
    await put(STORE, { privacy_settings: { policy_url: '' } })
    expect(await get(STORE)).toEqual(fresh)
  })

  test('a channel that is not there, or not any more: 404', async () => {
    const gone = await channel('Gone')
    await put(`/channels/${gone}`, { status: 'deleted' })
    for (const path of [of(99), of(gone)]) {
      expect((await shop.call('GET', path)).status).toBe(404)
      expect((await put(path, { allow_global_logins: true })).status).toBe(404)
    }
  })
})
