import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { openShop, theHouse } from '../../test/fixtures/shop.ts'
import { testInBrowser } from '../../test/harness/browser.ts'
import { expectAccessible, openConsole, openSignedIn } from '../../test/servers/console.ts'

testInBrowser('stores show their load, and get limits, a plan and another state', async (browser) => {
  const { origin, close } = await openConsole()
  const { installation } = await theHouse()
  const shop = await openShop({ name: 'Lantern', isTest: true })
  // With a second store, stores are found by their words.
  await openShop()
  const { hash } = shop.store
  try {
    const { page, heard } = await openSignedIn(browser, origin)

    // The load of stores, limits, plan and state.
    await shop.call('GET', '/catalog/brands/99')
    await page.goto(`${origin}/console/`)
    await page.getByLabel('Find a store').fill(hash)
    const row = page.getByRole('row').filter({ hasText: hash })
    await expect
      .poll(
        async () => {
          await page.reload()
          await page.getByLabel('Find a store').fill(hash)
          await row.getByText('0 jobs, 0 callbacks').waitFor()
          return row.getByRole('cell').allTextContents()
        },
        { timeout: 100_000 },
      )
      .toEqual(expect.arrayContaining(['unlimited', shop.store.cell, '1', '1', '0 jobs, 0 callbacks']))
    await expectAccessible(page)
    await page.getByRole('button', { name: `Change ${hash}` }).click()
    await page.getByRole('combobox', { name: 'Plan' }).click()
    await page.getByRole('option', { name: 'pro', exact: true }).click()
    await page.getByText('450 requests in 30 seconds and 60,000 an hour').waitFor()
    await page.getByLabel('brands', { exact: true }).fill('7')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(`The store ${hash} is changed.`).waitFor()
    const found = async () => (await installation.directory.list()).find((one) => one.hash === hash)
    expect(await found()).toMatchObject({ plan: 'pro', limits: { brands: 7 }, state: 'active' })
    await page.getByRole('button', { name: `Change ${hash}` }).click()
    await page.getByLabel('brands', { exact: true }).fill('')
    page.once('dialog', (dialog) => dialog.dismiss())
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'State' }).click()
    await page.getByRole('option', { name: 'suspended' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await row.getByText('suspended').waitFor()
    expect(await found()).toMatchObject({ limits: {}, state: 'suspended' })
    await installation.directory.setState(hash, 'active')

    expect(heard).toEqual({ foreign: [], complaints: [] })
  } finally {
    await close()
  }
})

testInBrowser('accounts are created, explained and revoked, and the audit is saved as a file', async (browser) => {
  const { origin, close } = await openConsole()
  const shop = await openShop({ isTest: true })
  const { hash } = shop.store
  try {
    const { page, heard } = await openSignedIn(browser, origin)
    // An account, its secrets, and the requests that it may send.
    await page.goto(`${origin}/console/stores/${hash}/accounts`)
    await page.getByText('The plan of the store does not limit requests.').waitFor()
    await page.getByRole('button', { name: 'Create an account' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Feed')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: /^Copy access token / }).waitFor()
    const copied = await page.getByRole('button', { name: /^Copy access token / }).getAttribute('aria-label')
    const token = copied?.split(' ').at(-1) ?? ''
    await page.locator('button').filter({ hasText: 'Close' }).click()
    const status = async () =>
      (await shop.call('GET', '/catalog/brands', undefined, { as: { access_token: token } })).status
    expect(await status()).toBe(200)
    const feed = page.getByRole('row').filter({ hasText: 'Feed' })
    await feed.getByRole('button', { name: 'New secret' }).click()
    await page.getByText('It is shown only here, and only now.').waitFor()
    await page.keyboard.press('Escape')
    await feed.getByRole('button', { name: 'Scopes' }).click()
    await page.getByRole('combobox', { name: 'Requests that a scope opens' }).fill('store_v2_products_read_only')
    await page.getByRole('option', { name: 'store_v2_products_read_only', exact: true }).click()
    await page
      .getByRole('region', { name: 'Opened by store_v2_products_read_only' })
      .getByText('GET /v3/catalog/brands', { exact: true })
      .waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Which accounts may send a request?' }).fill('DELETE /v3/catalog/brands')
    await page.getByRole('option', { name: 'DELETE /v3/catalog/brands', exact: true }).click()
    await page.getByText('admin may send it.').waitFor()
    await feed.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke the account' }).click()
    await page.getByText('The account is revoked.').waitFor()
    await expect.poll(status, { timeout: 100_000 }).toBe(401)

    // The audit as a file.
    await page.goto(`${origin}/console/audit`)
    await page.getByRole('textbox', { name: 'Store', exact: true }).fill(hash)
    await page.getByLabel('Words of action or object').fill('accounts')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect.poll(() => page.url()).toContain('words=accounts')
    await page.getByRole('cell', { name: 'POST /operator/v1/stores/:store_hash/accounts', exact: true }).waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as a file' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).action.split('/').slice(4).join('/'))).toEqual([
      ':store_hash/accounts/:client_id',
      ':store_hash/accounts/:client_id/secret',
      ':store_hash/accounts',
    ])
    await page.getByRole('status').getByText('3 actions are in the file').waitFor()
    await expectAccessible(page)

    expect(heard).toEqual({ foreign: [], complaints: [] })
  } finally {
    await close()
  }
})
