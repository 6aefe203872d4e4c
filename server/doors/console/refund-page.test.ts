import { expect } from 'vitest'
import { custom, goods, openWithGoods } from '../../test/fixtures/goods.ts'
import { payOrder } from '../../test/fixtures/orders.ts'
import { testInBrowser } from '../../test/harness/browser.ts'
import { openConsole, openSignedIn } from '../../test/servers/console.ts'

testInBrowser('a refund pays back, and is given once although its answer is lost', async (browser) => {
  const { shop, v2 } = await openWithGoods()
  const { id } = (await v2('POST', '/orders', goods(custom(10, 12.5, 2)))).body
  await payOrder(shop, id)
  const refunds = async () => (await shop.call('GET', `/orders/${id}/payment_actions/refunds`)).body.data
  const given = expect.objectContaining({
    total_amount: 12.5,
    reason: 'Misspelt',
    payments: [expect.objectContaining({ amount: 12.5, offline: false })],
  })
  const { origin, close } = await openConsole()
  try {
    const { page } = await openSignedIn(browser, origin)
    await page.goto(`${origin}/console/stores/${shop.store.hash}/orders/${id}`)
    const choose = async () => {
      await page.getByRole('button', { name: 'Refund' }).click()
      await page.getByLabel('Units of Engraving').fill('1')
      await page.getByLabel('Reason').fill('Misspelt')
      await page.getByRole('button', { name: 'Get a quote' }).click()
      await page.getByRole('status').getByText('12.50').waitFor()
    }
    await choose()
    let lost = 0
    await page.route('**/payment_actions/refunds', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue()
      lost++
      await route.fetch()
      return route.abort()
    })
    await page.getByRole('button', { name: /^Refund / }).click()
    await page.getByText('The server does not answer.').first().waitFor()
    expect(await refunds()).toEqual([given])
    await page.getByRole('button', { name: /^Refund / }).click()
    await page.getByText('The refund is stored, and is paid back now.').waitFor()
    expect([lost, await refunds()]).toEqual([1, [given]])

    // The next refund of the same units is another one.
    await choose()
    await page.getByRole('button', { name: /^Refund / }).click()
    await expect.poll(refunds).toEqual([given, given])
  } finally {
    await close()
  }
})
