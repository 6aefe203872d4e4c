import { expect } from 'vitest'
import { sendMail } from '../../../core/mail/outbox.ts'
import { custom, goods, openWithGoods } from '../../../test/fixtures/goods.ts'
import { doMoney, payOrder } from '../../../test/fixtures/orders.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'
import { expectAccessible, expectMessage, testConsole } from '../../../test/servers/console.ts'

testConsole('the order page captures, ships, and shows money, pickups, e-mails and notes', async ({ page, origin }) => {
  const { shop, v2 } = await openWithGoods()
  const order = { ...goods({ product_id: 1, quantity: 3 }, custom(10, 12.5)), discount_amount: 4 }
  const { id } = (await v2('POST', '/orders', order)).body
  await payOrder(shop, id, 'authorize')
  const [line] = (await v2('GET', `/orders/${id}/products`)).body
  await shop.call('POST', '/pickup/methods', [{ location_id: 1, display_name: 'Counter' }])
  const pickup = {
    order_id: id,
    pickup_method_id: 1,
    ready_at: '2026-05-04T09:00:00Z',
    pickup_items: [{ order_product_id: line.id, quantity: 1 }],
  }
  expect((await shop.call('POST', '/orders/pickups', [pickup])).status).toBe(200)
  const db = await dbOf(shop)
  for (const to of ['IDA@example.com', 'other@example.com']) {
    await db.transaction((tx) => sendMail(tx, { to, subject: `To ${to}`, text: 'Thank you', html: '<p>Thank you</p>' }))
  }

  await page.goto(`${origin}/console/stores/${shop.store.hash}/orders/${id}`)
  await page.getByRole('heading', { level: 1, name: `Order ${id}` }).waitFor()
  await page.getByText('authorization, ok').waitFor()
  await page.getByRole('row').filter({ hasText: 'Discounts and fees' }).getByText('-$').waitFor()

  await page.getByRole('button', { name: 'Capture' }).click()
  await page.getByText('The authorized amount is taken from the shopper').waitFor()
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Capture' }).click()
  await expectMessage(page, 'The capture is under way.')
  await doMoney(shop)
  await page.reload()
  await page.getByText('capture, ok').waitFor()
  // In the order in which the money moved.
  const moved = await page.locator('.mantine-Timeline-itemTitle').allTextContents()
  expect(moved).toEqual(['authorization, ok', 'capture, ok'])

  await page.getByRole('button', { name: 'Ship', exact: true }).click()
  await page.getByLabel('Mug').fill('1')
  await page.getByLabel('Engraving').fill('0')
  await page.getByLabel('Tracking number').fill('TRACK-7')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create the shipment' }).click()
  await expectMessage(page, 'The shipment is created.')
  const shipments = (await v2('GET', `/orders/${id}/shipments`)).body
  expect(shipments).toMatchObject([{ tracking_number: 'TRACK-7', items: [{ quantity: 1 }] }])

  await page.getByRole('tab', { name: 'Shipments' }).click()
  await page.getByRole('cell', { name: 'TRACK-7' }).waitFor()
  await page.getByRole('tab', { name: 'Addresses' }).click()
  await page.getByText('Nyhavn 12').first().waitFor()
  await page.getByRole('tab', { name: 'Pickups' }).click()
  await page.getByRole('cell', { name: 'Counter' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('tab', { name: 'E-mails' }).click()
  await page.getByRole('cell', { name: 'IDA@example.com', exact: true }).waitFor()
  expect(await page.getByRole('cell', { name: 'other@example.com' }).count()).toBe(0)
  await page.getByRole('button', { name: 'To IDA@example.com' }).click()
  await page.frameLocator('iframe').getByText('Thank you').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Notes' }).click()
  await page.getByLabel('Notes for the staff').fill('Rings twice')
  await page.getByRole('button', { name: 'Save the notes' }).click()
  await expectMessage(page, 'The notes are saved.')
  expect((await v2('GET', `/orders/${id}`)).body.staff_notes).toBe('Rings twice')
})

testConsole(
  'a refund pays back, and is given once although its answer is lost',
  async ({ page, origin }) => {
    const { shop, v2 } = await openWithGoods()
    const { id } = (await v2('POST', '/orders', goods(custom(10, 12.5, 2)))).body
    await payOrder(shop, id)
    const refunds = async () => (await shop.call('GET', `/orders/${id}/payment_actions/refunds`)).body.data
    const given = expect.objectContaining({
      total_amount: 12.5,
      reason: 'Misspelt',
      payments: [expect.objectContaining({ amount: 12.5, offline: false })],
    })
    await page.goto(`${origin}/console/stores/${shop.store.hash}/orders/${id}`)
    const choose = async () => {
      await page.getByRole('button', { name: 'Refund' }).click()
      await page.getByLabel('Units of Engraving').fill('1')
      await page.getByLabel('Reason').fill('Misspelt')
      await page.getByRole('button', { name: 'Get a quote' }).click()
      await page.getByRole('status').getByText('12.50').waitFor()
    }
    await choose()
    await page.getByRole('radio', { name: /testgateway, as it was paid$/, checked: true }).waitFor()
    await expectAccessible(page)
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
    await expectMessage(page, 'The refund is stored, and is paid back now.')
    expect([lost, await refunds()]).toEqual([1, [given]])

    // The next refund of the same units is another one.
    await choose()
    await page.getByRole('button', { name: /^Refund / }).click()
    await expect.poll(refunds).toEqual([given, given])
  },
  { complaint: /ERR_FAILED/ },
)
