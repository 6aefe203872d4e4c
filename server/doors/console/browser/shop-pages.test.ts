import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { openWithGoods, stockUp } from '../../../test/fixtures/goods.ts'
import { openShop, theHouse } from '../../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { expectAccessible, expectMessage, testConsole } from '../../../test/servers/console.ts'
import { openSession } from '../../storefront/sessions/sessions.ts'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

testConsole('the product page changes many variants at once, and orders pictures by keys', async ({ page, origin }) => {
  const { shop } = await openWithGoods()
  const { hash } = shop.store
  await page.goto(`${origin}/console/stores/${hash}/lists/listProducts`)
  await page.getByRole('link', { name: '2', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Shirt', exact: true }).waitFor()
  await page.getByLabel('Value', { exact: true }).fill('31.5')
  await page.getByRole('button', { name: 'Fill in' }).click()
  await page.getByLabel('SKU of S', { exact: true }).fill('SHIRT-SMALL')
  // Enter goes to the row below.
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await page.keyboard.type('EDIUM')
  await page.getByLabel('Sale price of M', { exact: true }).fill('cheap')
  await page.getByText('This is not a number.').waitFor()
  expect(await page.getByRole('button', { name: 'Review the changes' }).isDisabled()).toBe(true)
  await page.getByLabel('Sale price of M', { exact: true }).fill('29')
  await page.getByLabel('Not for sale of S', { exact: true }).check()
  await page.getByRole('button', { name: 'Review the changes' }).click()
  await page.getByText('M: Price empty → 31.5, SKU SHIRT-M → SHIRT-MEDIUM, Sale price empty → 29').waitFor()
  await page.getByRole('button', { name: 'Save 2 variants' }).click()
  await expectMessage(page, 'The variants are saved.')
  const { body } = await shop.call('GET', '/catalog/products/2/variants')
  expect(body.data).toMatchObject([
    { sku: 'SHIRT-SMALL', price: 31.5, sale_price: null, purchasing_disabled: true },
    { sku: 'SHIRT-MEDIUM', price: 31.5, sale_price: 29, purchasing_disabled: false },
  ])

  await page.getByRole('tab', { name: 'Pictures' }).click()
  for (const name of ['front', 'back']) {
    await page.getByRole('button', { name: 'Add a picture' }).click()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: `${name}.png`, mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') })
    await page.getByLabel('Description').fill(name)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('listitem').getByText(name, { exact: true }).waitFor()
  }
  const descriptions = async () => {
    const { body } = await shop.call('GET', '/catalog/products/2/images')
    return body.data
      .toSorted((a: { sort_order: number }, b: { sort_order: number }) => a.sort_order - b.sort_order)
      .map(({ description }: { description: string }) => description)
  }
  await page.getByRole('button', { name: 'Move picture 2 up' }).press('Enter')
  await page.getByRole('button', { name: 'Save the order' }).press('Enter')
  await expectMessage(page, 'The order is saved.')
  expect(await descriptions()).toEqual(['back', 'front'])
})

testConsole('the customer page gives store credit, and changes the consent', async ({ page, origin }) => {
  const shop = await openShop()
  await shop.call('POST', '/customers', [
    { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', store_credit_amounts: [{ amount: 0.1 }] },
  ])
  await page.goto(`${origin}/console/stores/${shop.store.hash}/lists/listCustomers`)
  await page.getByRole('link', { name: '1', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Ada Lovelace', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Give store credit' }).click()
  await page.getByLabel('Amount').fill('-1')
  expect(await page.getByRole('button', { name: /^Change to / }).isDisabled()).toBe(true)
  await page.getByLabel('Amount').fill('0.2')
  await page.getByRole('button', { name: 'Change to 0.3' }).click()
  await page.getByText('store credit $0.30').waitFor()
  const { body } = await shop.call('GET', '/customers?include=storecredit')
  expect(body.data[0].store_credit_amounts).toEqual([{ amount: 0.3 }])

  await page.getByRole('tab', { name: 'Account' }).click()
  await page.getByLabel('last_name', { exact: true }).fill('Byron')
  await page.getByRole('button', { name: 'Review the changes' }).click()
  await page.getByRole('button', { name: 'Save these changes' }).click()
  await page.getByRole('heading', { level: 1, name: 'Ada Byron', exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Consent' }).click()
  await page.getByLabel('analytics', { exact: true }).click()
  await expectMessage(page, 'The consent is changed.')
  expect((await shop.call('GET', '/customers/1/consent')).body.allow).toContain('analytics')
  await page.getByRole('tab', { name: 'Addresses' }).click()
  await page.getByText('No entry matches.').waitFor()
})

testConsole('the sessions of a customer are ended, and the data is exported and erased', async ({ page, origin }) => {
  const { installation } = await theHouse()
  const shop = await openShop()
  await shop.call('POST', '/customers', [{ email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' }])
  const db = await dbOf(shop)
  await db.transaction((tx) => openSession(tx, installation.secrets, { customer: 1, channel: 1, kind: 'cookie' }))
  await page.goto(`${origin}/console/stores/${shop.store.hash}/customers/1`)
  await page.getByRole('tab', { name: 'Sessions' }).click()
  await page.getByRole('cell', { name: 'browser', exact: true }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'End all sessions' }).click()
  await page.getByText('The customer has no session.').waitFor()
  expect(await rowsOf(shop, 'customer_sessions')).toEqual([])

  await page.getByRole('tab', { name: 'Personal data' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export the data' }).click(),
  ])
  const exported = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(exported).toMatchObject({ customer: { id: 1, email: 'ann@example.com' }, orders: [] })
  await page.getByRole('button', { name: 'Erase the customer' }).click()
  await page.getByLabel(/^Type the e-mail address/).fill('ann@example.com')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Erase', exact: true }).click()
  await page.getByText('The customer is deleted').waitFor()
  await page.getByText(/^orders: the orders of the customer/).waitFor()
  expect((await shop.call('GET', '/customers')).body.data).toEqual([])
})

testConsole(
  'the inventory page takes stock of many items, and shows how an amount came about',
  async ({ page, origin }) => {
    const { shop } = await openWithGoods()
    await shop.call('PUT', '/catalog/products/2', { inventory_tracking: 'variant' })
    await stockUp(shop, { product_id: 1, quantity: 8 }, { variant_id: 2, quantity: 5 }, { variant_id: 3, quantity: 2 })
    const { hash } = shop.store
    const amounts = async () => {
      const { body } = await shop.call('GET', '/inventory/locations/1/items')
      return body.data.map((item: { total_inventory_onhand: number }) => item.total_inventory_onhand)
    }
    await page.goto(`${origin}/console/stores/${hash}/inventory`)
    const [, place] = /^Counted of MUG at (.*)$/.exec(
      (await page.getByLabel(/^Counted of MUG at /).getAttribute('aria-label')) ?? '',
    ) ?? ['', '']
    const cell = (column: string, sku: string) => page.getByLabel(`${column} of ${sku} at ${place}`, { exact: true })
    await cell('Counted', 'MUG').fill('1.5')
    await page.getByText('This is not a whole number.').waitFor()
    await cell('Counted', 'MUG').fill('6')
    // A number typed into the next row replaces its amount.
    await cell('Counted', 'SHIRT-S').press('Enter')
    await page.keyboard.type('0')
    await cell('Low from', 'SHIRT-S').fill('5')
    await page.getByLabel('Reason').fill('Stock take')
    await page.getByRole('button', { name: 'Review the changes' }).click()
    await page.getByText(`MUG at ${place}: counted 8 → 6`).waitFor()
    await page.getByRole('button', { name: 'Save 3 rows' }).click()
    await expectMessage(page, 'The stock is saved.')
    expect(await amounts()).toEqual([6, 5, 0])
    await page.getByRole('row').filter({ hasText: 'SHIRT-S' }).getByText('low', { exact: true }).waitFor()

    await page.getByRole('row').filter({ hasText: 'MUG' }).getByRole('button', { name: 'Adjust' }).click()
    await page.getByLabel('Difference').fill('-1')
    await page.getByLabel('Reason').fill('Broken')
    await page.getByRole('button', { name: 'Change to 5' }).click()
    await expectMessage(page, 'The stock is adjusted.')
    expect(await amounts()).toEqual([5, 5, 0])
    await page.getByRole('row').filter({ hasText: 'MUG' }).getByRole('button', { name: 'History' }).click()
    await page.getByRole('dialog').getByText('Stock take').waitFor()
    const rows = await page.getByRole('dialog').getByRole('row').allTextContents()
    expect(rows.map((text) => /(relative|absolute)(\d)(\d)(.*)console/.exec(text)?.slice(1, 5)).slice(1, 3)).toEqual([
      ['relative', '6', '5', 'Broken'],
      ['absolute', '8', '6', 'Stock take'],
    ])
  },
)

testConsole(
  'the settings page overrides a family for a channel, and lets it inherit again',
  async ({ page, origin }) => {
    const shop = await openShop()
    const path = '/settings/storefront/category'
    const read = async (query = '') => (await shop.call('GET', `${path}${query}`)).body.data
    await page.goto(`${origin}/console/stores/${shop.store.hash}/settings?family=storefront%2Fcategory`)
    await page.getByRole('button', { name: /^Override them for / }).click()
    await page.getByLabel('category_tree_depth', { exact: true }).fill('5')
    await page.getByRole('button', { name: 'Review the changes' }).click()
    await page.getByRole('button', { name: 'Save these changes' }).click()
    await expectMessage(page, 'The settings are saved.')
    const own = { ...(await read()), category_tree_depth: 5 }
    expect(await read('?channel_id=1')).toEqual(own)
    await page.getByRole('button', { name: "Change the store's values" }).click()
    await page.getByLabel('category_tree_depth', { exact: true }).fill('2')
    await page.getByRole('button', { name: 'Review the changes' }).click()
    await page.getByRole('button', { name: 'Save these changes' }).click()
    await page.getByRole('row', { name: 'category_tree_depth 2 5 5' }).waitFor()
    expect((await read()).category_tree_depth).toBe(2)
    await page.getByRole('button', { name: 'Inherit again' }).click()
    await page.getByRole('row', { name: 'category_tree_depth 2 inherits 2' }).waitFor()
    expect((await read('?channel_id=1')).category_tree_depth).toBeNull()
  },
)
