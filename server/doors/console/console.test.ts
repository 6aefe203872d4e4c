import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openWithGoods, stockUp } from '../../test/fixtures/goods.ts'
import { openShop, theHouse } from '../../test/fixtures/shop.ts'
import { testInBrowser } from '../../test/harness/browser.ts'
import {
  acceptInvitation,
  DESKTOP,
  expectAccessible,
  invite,
  openConsole,
  openSignedIn,
  overhear,
  PATIENCE_MS,
} from '../../test/servers/console.ts'
import { PASSWORD } from '../../test/servers/people.ts'

const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=1</script>'

/** A store whose texts are markup, with a paid order. */
async function openBakery() {
  const shop = await openShop({ name: `Bakery ${MARKUP}`, isTest: true })
  await shop.call('POST', '/catalog/brands', { name: MARKUP })
  for (let i = 0; i < 3; i++) await shop.call('POST', '/catalog/brands', { name: `Brand ${i}` })
  await shop.call('POST', '/catalog/products', { name: MARKUP, type: 'physical', weight: 1, price: 2 })
  await shop.call('POST', '/customers', [{ email: 'ada@example.com', first_name: 'Ada', last_name: MARKUP }])
  const address = { first_name: 'Ada', last_name: MARKUP, country: 'Germany', email: 'ada@example.com', zip: '10115' }
  const order = await shop.call(
    'POST',
    '/orders',
    {
      billing_address: address,
      products: [{ name: 'Print', quantity: 2, price_ex_tax: 10, price_inc_tax: 12 }],
      status_id: 11,
      payment_method: 'Test Payment Gateway',
      payment_status: 'captured',
    },
    { version: 'v2' },
  )
  return { ...shop, order: Number(order.body.id) }
}

testInBrowser('the console signs a person in, shows lists and records, and refunds a line', async (browser) => {
  const { origin, close } = await openConsole()
  const shop = await openBakery()
  const { hash } = shop.store
  const { token, email } = await invite()
  const context = await browser.newContext({ viewport: DESKTOP })
  context.setDefaultTimeout(PATIENCE_MS)
  const { foreign, complaints } = overhear(context, origin)
  try {
    const page = await context.newPage()
    await acceptInvitation(page, origin, token)
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.locator('input[type=password]').fill('wrong 1234')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor()
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Stores' }).waitFor()

    await page.goto(`${origin}/console/stores/${hash}/lists/listBrands?name%3Alike=Brand&sort=name&direction=desc`)
    await page.getByRole('link', { name: '4', exact: true }).waitFor()
    expect(await page.getByRole('row').count()).toBe(4)
    await page.getByRole('link', { name: '3', exact: true }).click()
    await page.getByLabel('name', { exact: true }).fill('Renamed')
    await page.getByRole('button', { name: 'Review the changes' }).click()
    await page.getByText('These fields will change').waitFor()
    await page.getByRole('button', { name: 'Save these changes' }).click()
    await page.getByRole('heading', { name: 'Brands: Renamed' }).waitFor()
    expect((await shop.call('GET', '/catalog/brands/3')).body.data.name).toBe('Renamed')

    await page.goto(`${origin}/console/stores/${hash}/lists/listBrands`)
    for (const id of ['2', '4']) await page.getByLabel(`Select ${id}`, { exact: true }).check()
    await page.getByRole('button', { name: 'Set fields' }).click()
    await page.getByLabel('page_title', { exact: true }).fill('Sale')
    await page.getByRole('button', { name: 'Review the changes' }).click()
    await page.getByRole('button', { name: 'Save these changes' }).click()
    await page.getByText('2 entries are changed.').waitFor()
    const titles = (await shop.call('GET', '/catalog/brands')).body.data
    expect(titles.map(({ page_title }: { page_title: string }) => page_title)).toEqual(['', 'Sale', '', 'Sale'])

    await page.goto(`${origin}/console/stores/${hash}/orders/${shop.order}`)
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByLabel('Units of Print').fill('1')
    await page.getByRole('button', { name: 'Get a quote' }).click()
    await page.getByRole('status').getByText('12').waitFor()
    await page.getByRole('button', { name: /^Refund / }).click()
    await page.getByText('The refund is stored').waitFor()
    const refunds = await shop.call('GET', `/orders/${shop.order}/payment_actions/refunds`)
    expect(refunds.body.data).toEqual([expect.objectContaining({ total_amount: 12 })])

    expect(await page.title()).not.toBe('1')
    expect(complaints).toEqual([])
    expect(foreign).toEqual([])
  } finally {
    await close()
  }
})

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const KEYS_MAX = 200

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: RegExp) {
  const heard: string[] = []
  for (let i = 0; i < KEYS_MAX; i++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<string>(`(() => {
      const { activeElement: element } = document
      return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? ''
    })()`)
    if (name.test(focused.trim())) return
    heard.push(focused.slice(0, 30))
  }
  throw new Error(`${KEYS_MAX} times Tab did not reach ${name}, but ${heard.join(' | ')}`)
}

testInBrowser('sign-in, a refund and a resend need no mouse', async (browser) => {
  const { origin, close } = await openConsole()
  const shop = await openBakery()
  const { hash } = shop.store
  const hook = { scope: 'store/category/*', destination: 'https://example.com/hooks' }
  expect((await shop.call('POST', '/hooks', hook)).status).toBe(200)
  const { token, email } = await invite()
  const context = await browser.newContext({ viewport: DESKTOP })
  context.setDefaultTimeout(PATIENCE_MS)
  try {
    const page = await context.newPage()
    await acceptInvitation(page, origin, token)
    await context.clearCookies()
    await page.goto(`${origin}/console/`)
    await page.getByRole('heading', { name: 'storeward console' }).waitFor()
    await tabTo(page, /^E-mail address/)
    await page.keyboard.type(email)
    await tabTo(page, /^Password/)
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Stores' }).waitFor()

    // The stores come after the words.
    let send = () => {}
    const isTyped = new Promise<void>((resolve) => {
      send = resolve
    })
    await page.route('**/operator/v1/stores*', async (route) => {
      await isTyped
      await route.continue()
    })
    await page.goto(`${origin}/console/me`)
    await page.getByRole('button', { name: 'Search pages, stores and records' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('A page, a store, or a record').waitFor()
    await page.keyboard.type(hash)
    await page.getByText('Nothing is found.').waitFor()
    send()
    await page.getByText(`Store ${hash}`).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'The first call' }).waitFor()

    await page.goto(`${origin}/console/stores/${hash}/orders/${shop.order}`)
    await page.getByRole('heading', { level: 1, name: `Order ${shop.order}` }).waitFor()
    await tabTo(page, /^Refund$/)
    await page.keyboard.press('Enter')
    await page.getByLabel('Units of Print').waitFor()
    await tabTo(page, /^Units of Print/)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('1')
    await tabTo(page, /^Get a quote$/)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('12').waitFor()
    await tabTo(page, /^Refund /)
    await page.keyboard.press('Enter')
    await page.getByText('The refund is stored').waitFor()
    const refunds = await shop.call('GET', `/orders/${shop.order}/payment_actions/refunds`)
    expect(refunds.body.data).toEqual([expect.objectContaining({ total_amount: 12 })])

    await page.goto(`${origin}/console/stores/${hash}/webhooks`)
    await page.getByRole('button', { name: 'Deliveries' }).waitFor()
    await tabTo(page, /^Deliveries$/)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Resend failed events' }).waitFor()
    await tabTo(page, /^Resend failed events$/)
    await page.keyboard.press('Enter')
    await page.getByText('Failed events of this time will be sent again: 0.').waitFor()
  } finally {
    await close()
  }
})

testInBrowser(
  'a passkey signs a person in and confirms the identity, and each challenge works once',
  async (browser) => {
    const { origin, close } = await openConsole()
    const { token, email } = await invite()
    const context = await browser.newContext({ viewport: DESKTOP })
    context.setDefaultTimeout(PATIENCE_MS)
    try {
      const page = await context.newPage()
      const devices = await context.newCDPSession(page)
      await devices.send('WebAuthn.enable')
      await devices.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      })
      await acceptInvitation(page, origin, token)
      await page.goto(`${origin}/console/me`)
      await page.getByText('There is no passkey.').waitFor()
      await page.getByLabel('Name of the new passkey').fill('Laptop')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Account of Ada' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      const sent = page.waitForRequest(/session\/passkey$/)
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()

      const signed = (await sent).postData() ?? ''
      const send = async (path: string) => {
        const headers = { 'x-console': '1', 'content-type': 'application/json' }
        return (await context.request.post(`${origin}/operator/v1${path}`, { headers, data: signed })).status()
      }
      // The same signature is worth nothing a second time.
      expect([await send('/session/passkey'), await send('/session/passkey-confirmation')]).toEqual([401, 422])

      const { installation } = await theHouse()
      await installation.directory.database.system({
        name: '',
        text: `update directory.person_sessions set confirmed_at = now() - interval '1 hour' where person_id =
        (select id from directory.people where email = $1) returning id`,
        values: [email],
      })
      await page.getByRole('button', { name: 'Delete the passkey Laptop' }).click()
      await page.getByRole('button', { name: 'Confirm with a passkey' }).click()
      await page.getByText('The passkey is deleted.').waitFor()
      await page.getByText('There is no passkey.').waitFor()
      await page.getByRole('button', { name: 'Account of Ada' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.getByText('The passkey is unknown, or its challenge has expired.').waitFor()
    } finally {
      await close()
    }
  },
)

testInBrowser('the product page changes many variants at once, and orders pictures by keys', async (browser) => {
  const { origin, close } = await openConsole()
  const { shop } = await openWithGoods()
  const { hash } = shop.store
  try {
    const { page, heard } = await openSignedIn(browser, origin)
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
    await page.getByText('The variants are saved.').waitFor()
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
    await page.getByText('The order is saved.').waitFor()
    expect(await descriptions()).toEqual(['back', 'front'])
    expect(heard).toEqual({ foreign: [], complaints: [] })
  } finally {
    await close()
  }
})

testInBrowser('the customer page gives store credit, and changes the consent', async (browser) => {
  const { origin, close } = await openConsole()
  const shop = await openShop()
  await shop.call('POST', '/customers', [
    { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', store_credit_amounts: [{ amount: 0.1 }] },
  ])
  try {
    const { page, heard } = await openSignedIn(browser, origin)
    await page.goto(`${origin}/console/stores/${shop.store.hash}/lists/listCustomers`)
    await page.getByRole('link', { name: '1', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Give store credit' }).click()
    await page.getByLabel('Amount').fill('-1')
    expect(await page.getByRole('button', { name: /^Change to / }).isDisabled()).toBe(true)
    await page.getByLabel('Amount').fill('0.2')
    await page.getByRole('button', { name: 'Change to 0.3' }).click()
    await page.getByText('store credit 0.3').waitFor()
    const { body } = await shop.call('GET', '/customers?include=storecredit')
    expect(body.data[0].store_credit_amounts).toEqual([{ amount: 0.3 }])

    await page.getByRole('tab', { name: 'Account' }).click()
    await page.getByLabel('last_name', { exact: true }).fill('Byron')
    await page.getByRole('button', { name: 'Review the changes' }).click()
    await page.getByRole('button', { name: 'Save these changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ada Byron', exact: true }).waitFor()
    await page.getByRole('tab', { name: 'Consent' }).click()
    await page.getByLabel('analytics', { exact: true }).click()
    await page.getByText('The consent is changed.').waitFor()
    expect((await shop.call('GET', '/customers/1/consent')).body.allow).toContain('analytics')
    await page.getByRole('tab', { name: 'Addresses' }).click()
    await page.getByText('No entry matches.').waitFor()
    expect(heard).toEqual({ foreign: [], complaints: [] })
  } finally {
    await close()
  }
})

testInBrowser('the inventory page takes stock of many items, and shows how an amount came about', async (browser) => {
  const { origin, close } = await openConsole()
  const { shop } = await openWithGoods()
  await shop.call('PUT', '/catalog/products/2', { inventory_tracking: 'variant' })
  await stockUp(shop, { product_id: 1, quantity: 8 }, { variant_id: 2, quantity: 5 }, { variant_id: 3, quantity: 2 })
  const { hash } = shop.store
  const amounts = async () => {
    const { body } = await shop.call('GET', '/inventory/locations/1/items')
    return body.data.map((item: { total_inventory_onhand: number }) => item.total_inventory_onhand)
  }
  try {
    const { page, heard } = await openSignedIn(browser, origin)
    await page.goto(`${origin}/console/stores/${hash}/inventory`)
    const [, place] = /^Counted of MUG at (.*)$/.exec(
      (await page.getByLabel(/^Counted of MUG at /).getAttribute('aria-label')) ?? '',
    ) ?? ['', '']
    const cell = (column: string, sku: string) => page.getByLabel(`${column} of ${sku} at ${place}`, { exact: true })
    await cell('Counted', 'MUG').fill('1.5')
    await page.getByText('This is not a whole number.').waitFor()
    await cell('Counted', 'MUG').fill('6')
    await cell('Counted', 'SHIRT-M').fill('0')
    await cell('Low from', 'SHIRT-S').fill('5')
    await page.getByLabel('Reason').fill('Stock take')
    await page.getByRole('button', { name: 'Review the changes' }).click()
    await page.getByText(`MUG at ${place}: counted 8 → 6`).waitFor()
    await page.getByRole('button', { name: 'Save 3 rows' }).click()
    await page.getByText('The stock is saved.').waitFor()
    expect(await amounts()).toEqual([6, 5, 0])
    await page.getByRole('row').filter({ hasText: 'SHIRT-S' }).getByText('low', { exact: true }).waitFor()

    await page.getByRole('row').filter({ hasText: 'MUG' }).getByRole('button', { name: 'Adjust' }).click()
    await page.getByLabel('Difference').fill('-1')
    await page.getByLabel('Reason').fill('Broken')
    await page.getByRole('button', { name: 'Change to 5' }).click()
    await page.getByText('The stock is adjusted.').waitFor()
    expect(await amounts()).toEqual([5, 5, 0])
    await page.getByRole('row').filter({ hasText: 'MUG' }).getByRole('button', { name: 'History' }).click()
    await page.getByRole('dialog').getByText('Stock take').waitFor()
    const rows = await page.getByRole('dialog').getByRole('row').allTextContents()
    expect(rows.map((text) => /(relative|absolute)(\d)(\d)(.*)console/.exec(text)?.slice(1, 5)).slice(1, 3)).toEqual([
      ['relative', '6', '5', 'Broken'],
      ['absolute', '8', '6', 'Stock take'],
    ])
    expect(heard).toEqual({ foreign: [], complaints: [] })
  } finally {
    await close()
  }
})

testInBrowser('the settings page overrides a family for a channel, and lets it inherit again', async (browser) => {
  const { origin, close } = await openConsole()
  const shop = await openShop()
  const path = '/settings/storefront/category'
  const read = async (query = '') => (await shop.call('GET', `${path}${query}`)).body.data
  try {
    const { page, heard } = await openSignedIn(browser, origin)
    await page.goto(`${origin}/console/stores/${shop.store.hash}/settings?family=storefront%2Fcategory`)
    await page.getByRole('button', { name: /^Override them for / }).click()
    await page.getByLabel('category_tree_depth', { exact: true }).fill('5')
    await page.getByRole('button', { name: 'Review the changes' }).click()
    await page.getByRole('button', { name: 'Save these changes' }).click()
    await page.getByText('The settings are saved.').first().waitFor()
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
    expect(heard).toEqual({ foreign: [], complaints: [] })
  } finally {
    await close()
  }
})

testInBrowser('the pages of the console are accessible, and show the texts of a store as text', async (browser) => {
  const { origin, close } = await openConsole()
  const { store, order } = await openBakery()
  const { hash } = store
  const context = await browser.newContext({ viewport: DESKTOP })
  context.setDefaultTimeout(PATIENCE_MS)
  const { foreign, complaints } = overhear(context, origin)
  try {
    const page = await context.newPage()
    await acceptInvitation(page, origin, (await invite()).token)
    for (const [path, heading] of [
      ['', 'Stores'],
      ['/people', 'People'],
      ['/audit', 'Audit'],
      ['/server', 'Server'],
      ['/me', 'Password, passkeys and sessions'],
      [`/stores/${hash}`, `Bakery ${MARKUP}`],
      [`/stores/${hash}/accounts`, 'API accounts'],
      [`/stores/${hash}/webhooks`, 'Webhooks and events'],
      [`/stores/${hash}/jobs`, 'Jobs'],
      [`/stores/${hash}/mails`, 'E-mails'],
      [`/stores/${hash}/lists/listBrands`, 'Brands'],
      [`/stores/${hash}/lists/listBrands/1`, `Brands: ${MARKUP}`],
      [`/stores/${hash}/orders/${order}`, `Order ${order}`],
      [`/stores/${hash}/products/1`, MARKUP],
      [`/stores/${hash}/customers/1`, `Ada ${MARKUP}`],
      [`/stores/${hash}/inventory`, 'Inventory'],
      [`/stores/${hash}/settings`, 'Settings'],
      [`/stores/${hash}/requests`, 'Requests'],
    ] as const) {
      await page.goto(`${origin}/console${path}`)
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
      await expectAccessible(page)
    }
    await page
      .getByRole('link', { name: /^Request / })
      .first()
      .click()
    await page.getByRole('heading', { level: 2, name: 'Body of the answer' }).waitFor()
    await expectAccessible(page)
    expect(await page.title()).not.toBe('1')
    expect(complaints).toEqual([])
    expect(foreign).toEqual([])
  } finally {
    await close()
  }
})
