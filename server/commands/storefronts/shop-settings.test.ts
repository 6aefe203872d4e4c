import { expect, test } from 'vitest'
import { command } from '../../test/harness/command.ts'
import { openCommandStores } from '../../test/harness/command-stores.ts'

const stores = await openCommandStores('shop_settings')
const settings = { ...stores.settings, PUBLIC_URL: 'https://api.example.com', SITE_DOMAIN: 'shops.example.com' }
const run = (...args: string[]) => command(['shop-settings', ...args], settings)

test('the settings of a shop, as lines and as JSON', async () => {
  const { code, out, err } = await run('--store', 'shop1')
  expect([code, err]).toEqual([0, ''])
  const lines = Object.fromEntries(
    out
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  )
  const whole = {
    BIGCOMMERCE_STORE_HASH: 'shop1',
    BIGCOMMERCE_CHANNEL_ID: '1',
    BIGCOMMERCE_STOREFRONT_TOKEN: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    BIGCOMMERCE_TRUSTED_PROXY_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/),
    BIGCOMMERCE_GRAPHQL_API_DOMAIN: 'shops.example.com',
    NEXT_PUBLIC_BIGCOMMERCE_CDN_HOSTNAME: 'api.example.com',
  }
  expect(lines).toEqual(whole)
  const again = JSON.parse((await run('--store', 'shop1', '--channel', '1', '--json')).out)
  expect(again).toEqual(whole)
  expect(again.BIGCOMMERCE_STOREFRONT_TOKEN).not.toBe(lines.BIGCOMMERCE_STOREFRONT_TOKEN)
  expect(again.BIGCOMMERCE_TRUSTED_PROXY_SECRET).toBe(lines.BIGCOMMERCE_TRUSTED_PROXY_SECRET)
  const [, payload = ''] = lines.BIGCOMMERCE_STOREFRONT_TOKEN.split('.')
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
    eat: 0,
    cid: [1],
    token_type: 3,
    scopes: ['Unauthenticated', 'Customer', 'B2B'],
  })
})

test('an unknown store or channel is refused', async () => {
  expect(await run('--store', 'nobody')).toEqual({ code: 1, out: '', err: 'There is no store "nobody".\n' })
  expect((await run('--store', 'shop1', '--channel', '77')).code).toBe(1)
  expect((await run()).err).toContain("required option '--store <hash>' not specified")
})
