import { describe, expect, test } from 'vitest'
import { STOCK } from '../../../../shop/themes/stock.ts'
import { createCart, openWithShipping } from '../../../../test/carts/checkouts.ts'
import { visit } from '../../../../test/carts/plain-browser.ts'
import { accentIn } from './colours.ts'

// The face of a shop on its checkout page: docs/contract/checkout-page.md section 4.

describe('the accent of a theme', () => {
  test.each([
    [{}, '#0b57a4'],
    [{ 'color-accent': '#333' }, '#333333'],
    [{ 'color-primary': '#123456', 'color-accent': '#333333' }, '#123456'],
    [{ 'optimizedCheckout-buttonPrimary-backgroundColor': '#400', 'color-primary': '#123456' }, '#440000'],
    [{ 'color-primary': 'red;}', 'color-accent': 7 }, '#0b57a4'],
    // Too light for white texts: darkened.
    [{ 'color-accent': '#ffffff' }, '#717171'],
    [{ 'color-accent': '#6f7d4f' }, '#69764b'],
  ])('%j is %s', (settings, accent) => {
    expect(accentIn(settings)).toBe(accent)
  })
})

test('the page has the accent of the active theme, in a style that its policy allows', async () => {
  const shop = await openWithShipping()
  const { body } = await shop.call('POST', `/themes/${STOCK.uuid}/configurations`, {
    variation_id: STOCK.variations[0].uuid,
    settings: { 'color-accent': '#7a0019' },
    channel_id: 1,
  })
  const wish = { channel_id: 1, variation_id: STOCK.variations[0].uuid, which: 'last_created' }
  const activated = await shop.call('POST', '/themes/actions/activate', wish)
  expect([body.data.settings, activated.status]).toEqual([{ 'color-accent': '#7a0019' }, 204])
  const page = await visit(shop, await createCart(shop, { 1: 1 }))
  expect(page.body()).toContain('<style>:root{--accent:#7a0019}</style>')
  expect(page.headers()['content-security-policy']).toMatch(/style-src 'sha256-[^']+' 'sha256-[^']+';/)
})

test('guests find the way to the sign-in of the shop', async () => {
  const shop = await openWithShipping()
  const page = await visit(shop, await createCart(shop, { 1: 1 }))
  const host = `https://store-${shop.store.hash}.shop.test`
  expect(page.body()).toContain(`Do you have an account? <a href="${host}/login">Sign in</a>`)
  const site = (await shop.call('GET', '/channels/1/site')).body.data.id
  await shop.call('POST', `/sites/${site}/routes`, { type: 'login', matching: '*', route: '/my/entrance' })
  await page.open('/checkout')
  expect(page.body()).toContain(`<a href="${host}/my/entrance">Sign in</a>`)
})

test('a link that was used says so in the language of the shopper, with the way back', async () => {
  const shop = await openWithShipping()
  const page = await visit(shop, await createCart(shop, { 1: 1 }))
  page.clear()
  await page.open(page.link())
  expect([page.status(), page.title()]).toEqual([404, 'This checkout does not exist any more – A shop'])
  expect(page.body()).toContain(`<a href="https://store-${shop.store.hash}.shop.test">Back to the shop</a>`)
  await page.open('/cart.php?action=load&id=x&token=y')
  expect([page.status(), page.body().includes('Back to the shop')]).toEqual([404, true])
})
