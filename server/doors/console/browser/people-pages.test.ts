import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { openShop, theHouse } from '../../../test/fixtures/shop.ts'
import { acceptInvitation, expectAccessible, expectMessage, testConsole } from '../../../test/servers/console.ts'
import { address, PASSWORD, people } from '../../../test/servers/people.ts'

testConsole(
  'people are invited for some stores, changed, signed out and deleted',
  async ({ browser, page, origin }) => {
    const shop = await openShop({ name: 'Lantern' })
    await openShop({ name: 'Elsewhere' })
    const email = address()
    await page.goto(`${origin}/console/people`)
    await page.getByRole('button', { name: 'Invite a person' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'admin', exact: true }).click()
    await page.getByRole('radio', { name: 'some', exact: true }).check()
    // Without a store there is nothing to save.
    expect(await page.getByRole('button', { name: 'Invite', exact: true }).isDisabled()).toBe(true)
    await page.getByRole('combobox', { name: 'Chosen stores' }).fill(shop.store.hash)
    await page.getByRole('option', { name: `Lantern (${shop.store.hash})` }).click()
    await page.keyboard.press('Tab')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const link = await page.getByRole('button', { name: /^Copy http/ }).getAttribute('aria-label')
    await page.keyboard.press('Escape')
    const row = page.getByRole('row').filter({ hasText: email })
    await row.getByText('invited').waitFor()

    // The other person sees one store, and no page about all of them.
    const context = await browser.newContext()
    const other = await context.newPage()
    await acceptInvitation(other, origin, link?.split('#').at(-1) ?? '')
    await other.getByText('1 store that you may open.').waitFor()
    expect(await other.getByRole('link', { name: 'Server' }).count()).toBe(0)
    expect(await other.getByRole('button', { name: 'Create a test store' }).count()).toBe(0)
    await other.goto(`${origin}/console/audit`)
    await other.getByText('The route is about all stores, and you have some.').first().waitFor()

    await page.reload()
    await row.getByText('active').waitFor()
    await row.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'viewer', exact: true }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await row.getByText('viewer').waitFor()
    await row.getByRole('button', { name: 'Sessions' }).click()
    await page.getByRole('dialog').getByRole('row').nth(1).waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
    await page.getByText('The person is not signed in.').waitFor()
    await other.goto(`${origin}/console/`)
    await other.getByRole('heading', { name: 'storeward console' }).waitFor()
    await page.keyboard.press('Escape')
    await row.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete the person' }).click()
    await expect.poll(async () => (await people.list()).some((one) => one.email === email)).toBe(false)
    await expectMessage(page, 'The person is deleted, and all sessions have ended.')
  },
)

testConsole('a person changes the password, which ends other sessions', async ({ page, origin }) => {
  await page.goto(`${origin}/console/me`)
  await page.getByLabel('Present password').fill('wrong 1234')
  await page.getByLabel('New password').fill('another horse 8')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByRole('alert').getByText('The password is wrong.').first().waitFor()
  expect(await page.getByLabel('New password').inputValue()).toBe('another horse 8')
  await page.getByLabel('Present password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Change the password' }).click()
  await expectMessage(page, 'The password is changed. All other sessions have ended.')
  await page.getByText('this session').waitFor()
  await expectAccessible(page)
})

testConsole('a test store is created and deleted, and the server is examined', async ({ page, origin }) => {
  const { installation } = await theHouse()
  // With a second store, stores are found by their words.
  await openShop()
  await page.goto(`${origin}/console/`)
  await page.getByRole('button', { name: 'Create a test store' }).click()
  await page.getByLabel('Name').fill('Workshop of a test')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByText('The token and the secret are shown only here, and only now.').waitFor()
  await expectAccessible(page)
  const find = async () => (await installation.directory.list()).find(({ name }) => name === 'Workshop of a test')
  const hash = (await find())?.hash ?? ''
  await page.getByRole('link', { name: 'Open the store' }).click()
  await page.getByRole('heading', { level: 1, name: 'Workshop of a test' }).waitFor()
  await page.goto(`${origin}/console/`)
  await page.getByLabel('Find a store').fill(hash)
  await page.getByRole('button', { name: `Delete ${hash}` }).click()
  const remove = page.getByRole('button', { name: 'Delete the store' })
  expect(await remove.isDisabled()).toBe(true)
  await page.getByLabel(/^Type the hash of the store/).fill(hash)
  await expectAccessible(page)
  await remove.click()
  await expectMessage(page, `The store ${hash} is deleted.`)
  expect(await find()).toBeUndefined()

  await page.goto(`${origin}/console/server`)
  await page.getByRole('img', { name: /^Callbacks and jobs that are due over time, last \d+$/ }).waitFor()
  await page.getByText('Last day').click()
  await page.getByRole('button', { name: 'Examine the server' }).click()
  await page.getByRole('cell', { name: /SMTP_URL is empty/ }).waitFor()
  await expectAccessible(page)
})

testConsole('stores show their load, and get limits, a plan and another state', async ({ page, origin }) => {
  const { installation } = await theHouse()
  const shop = await openShop({ name: 'Lantern', isTest: true })
  // With a second store, stores are found by their words.
  await openShop()
  const { hash } = shop.store

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
  await expectMessage(page, `The store ${hash} is changed.`)
  const found = async () => (await installation.directory.list()).find((one) => one.hash === hash)
  expect(await found()).toMatchObject({ plan: 'pro', limits: { brands: 7 }, state: 'active' })
  await page.getByRole('button', { name: `Change ${hash}` }).click()
  const brands = page.getByLabel('brands', { exact: true })
  await expect.poll(() => brands.inputValue()).toBe('7')
  await brands.fill('')
  await expect.poll(() => page.getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(true)
  page.once('dialog', (dialog) => dialog.dismiss())
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'suspended' }).click()
  // A change by somebody else meanwhile is shown, and not undone.
  await installation.directory.change(hash, { plan: 'plus' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Somebody else has changed the store meanwhile: its plan is plus.').first().waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await row.getByText('suspended').waitFor()
  expect(await found()).toMatchObject({ plan: 'plus', limits: {}, state: 'suspended' })
  await installation.directory.setState(hash, 'active')
})

testConsole(
  'accounts are created, explained and revoked, and the audit is saved as a file',
  async ({ page, origin }) => {
    const shop = await openShop({ isTest: true })
    const { hash } = shop.store
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
    await expectMessage(page, 'The account is revoked.')
    await expect.poll(status).toBe(401)

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
  },
)
