import { expect, test } from 'vitest'
import { openShop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'

// docs/contract/order-payments.md section 5.

const STORE = '/orders/settings'
const CHANNEL = '/orders/settings/channels/1'
const answered = (placed: string[] | null, invoice: string[] | null) => ({
  notifications: { order_placed: { email_addresses: placed }, forward_invoice: { email_addresses: invoice } },
  meta: {},
})
const body = (placed?: unknown, invoice?: unknown) => ({
  notifications: {
    ...(placed === undefined ? {} : { order_placed: { email_addresses: placed } }),
    ...(invoice === undefined ? {} : { forward_invoice: { email_addresses: invoice } }),
  },
})

test('a store has addresses for notifications, and a channel its own lists or those of the store', async () => {
  const shop = await openShop()
  const read = async (path: string) => (await shop.call('GET', path)).body
  const put = (path: string, sent: unknown) => shop.call('PUT', path, sent)
  expect(await read(STORE)).toEqual(answered([], []))
  expect(await read(CHANNEL)).toEqual(answered(null, null))

  expect((await put(STORE, body(['a@x.test', 'b@x.test']))).body).toEqual(answered(['a@x.test', 'b@x.test'], []))
  expect((await put(STORE, body(undefined, ['c@x.test']))).body).toEqual(
    answered(['a@x.test', 'b@x.test'], ['c@x.test']),
  )
  expect((await put(STORE, body([]))).body).toEqual(answered([], ['c@x.test']))
  expect((await put(STORE, {})).body).toEqual(answered([], ['c@x.test']))

  expect((await put(CHANNEL, body(['d@x.test']))).body.errors).toEqual({
    notifications: 'Either set both lists for the channel, or set both to null.',
  })
  expect((await put(CHANNEL, body(['d@x.test'], []))).body).toEqual(answered(['d@x.test'], []))
  expect((await put(CHANNEL, body(undefined, ['e@x.test']))).body).toEqual(answered(['d@x.test'], ['e@x.test']))
  expect((await put(CHANNEL, body(null))).status).toBe(422)
  expect(await read(CHANNEL)).toEqual(answered(['d@x.test'], ['e@x.test']))
  expect((await put(CHANNEL, body(null, null))).body).toEqual(answered(null, null))
  const rows = (await rowsOf(shop, 'settings')).filter(({ family }) => family === 'orders')
  expect(rows).toMatchObject([{ channel_id: 0 }])

  for (const [path, sent] of [
    [STORE, body(null)],
    [STORE, body(['no address'])],
    [STORE, body('a@x.test')],
    [CHANNEL, body(['no address'], [])],
    ['/orders/settings/channels/99', body([], [])],
  ] as const) {
    expect((await put(path, sent)).status, JSON.stringify(sent)).toBe(path.endsWith('99') ? 404 : 422)
  }
  const many = Array.from({ length: 11 }, (_, i) => `a${i}@x.test`)
  expect((await put(STORE, body(many))).status).toBe(422)
  expect((await shop.call('GET', '/orders/settings/channels/99')).status).toBe(404)
})
