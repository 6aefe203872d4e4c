import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { openShop, theHouse } from '../../test/fixtures/shop.ts'
import { doThemeJobs, themeBundle } from '../../test/fixtures/themes.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { testInBrowser } from '../../test/harness/browser.ts'
import { expectAccessible, openConsole, openSignedIn } from '../../test/servers/console.ts'
import { openSession } from '../storefront/sessions/sessions.ts'

testInBrowser('e-mail templates are edited with line and column, previewed, tried, and saved', async (browser) => {
  const { origin, close } = await openConsole()
  const shop = await openShop()
  const path = '/marketing/email-templates/createaccount_email'
  try {
    const { page, heard } = await openSignedIn(browser, origin)
    await page.goto(`${origin}/console/stores/${shop.store.hash}/templates?type=createaccount_email`)
    await page.getByLabel('Subject').fill('Hello {{customer.first_name}}')
    await page.getByLabel('Body').fill("<p>\n  {{#if customer}}{{lang 'hello'}}\n</p>")
    await page
      .getByLabel('Phrases')
      .fill('[{"locale":"en","keys":{"hello":"Good day"}},{"locale":"de","keys":{"hello":"Guten Tag"}}]')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: /^Go to line 3, column \d+$/ }).click()
    expect(await page.evaluate('document.activeElement.selectionStart')).toBeGreaterThan(20)
    await expectAccessible(page)
    await page.getByLabel('Body').fill("<p>{{lang 'hello'}} {{customer.first_name}}</p>")
    await page.getByLabel('Language').fill('de')
    await page.getByRole('button', { name: 'Preview' }).click()
    const frame = page.frameLocator('iframe[title="Preview of the e-mail"]')
    await frame.getByText('Guten Tag Robin').waitFor()
    await page.getByText('Subject: Hello Robin').waitFor()
    const width = async () => Math.round((await page.locator('iframe').boundingBox())?.width ?? 0)
    expect(await width()).toBe(360)
    await page.getByText('Desktop', { exact: true }).click()
    await expect.poll(width, { timeout: 100_000 }).toBe(1_024)
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Send a test e-mail' }).click()
    await page.getByRole('textbox', { name: 'To', exact: true }).fill('me@example.com')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('A test e-mail to me@example.com will be sent.').waitFor()
    expect(await rowsOf(shop, 'mails')).toEqual([
      expect.objectContaining({ recipient: 'me@example.com', subject: 'Hello Robin' }),
    ])

    // Leaving asks first; somebody else's change is shown before it is replaced.
    page.once('dialog', (dialog) => dialog.dismiss())
    await page.getByRole('link', { name: 'Overview' }).click()
    await shop.call('PUT', path, { subject: 'Theirs', body: '<p>Their body</p>' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').getByText('<p>Their body</p>').waitFor()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The template is saved').waitFor()
    expect((await shop.call('GET', path)).body.data).toMatchObject({ subject: 'Hello {{customer.first_name}}' })

    // A channel with a template of its own, and with that of the store again.
    await page.getByRole('combobox', { name: 'Channel' }).click()
    await page.getByRole('option').nth(1).click()
    await page.getByLabel('Subject').fill('Of the channel')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Use the template of the store' }).click()
    await page.getByText('The channel has the template of the store again.').waitFor()
    expect((await shop.call('GET', `${path}?channel_id=1`)).body.data.subject).toBe('Hello {{customer.first_name}}')
    expect(heard).toEqual({ foreign: [], complaints: [] })
  } finally {
    await close()
  }
})

testInBrowser('themes are uploaded, read, configured, activated, downloaded and deleted', async (browser) => {
  const { origin, close } = await openConsole()
  const shop = await openShop()
  try {
    const { page, heard } = await openSignedIn(browser, origin)
    await page.goto(`${origin}/console/stores/${shop.store.hash}/themes`)
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'theme.zip', mimeType: 'application/zip', buffer: await themeBundle() })
    await page.getByText(/It is \d+ % done/).waitFor()
    await doThemeJobs()
    await page.getByText('It is done').waitFor()
    const own = page.getByRole('row').filter({ hasText: 'private' })
    await own.waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Open the theme' }).click()

    await page.getByLabel('Find a file').fill('config.json')
    await page.getByRole('button', { name: 'config.json', exact: true }).click()
    await page.getByRole('dialog').getByText('"variations"').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Settings of the configuration' }).waitFor()
    const flag = page.getByRole('region', { name: 'Settings of the configuration' }).getByRole('switch').first()
    const isOn = await flag.isChecked()
    await flag.press('Space')
    await page.getByRole('button', { name: 'Save as the next configuration' }).click()
    await page.getByText('The configuration is saved.').waitFor()
    await expect.poll(() => flag.isChecked(), { timeout: 100_000 }).toBe(!isOn)
    await expectAccessible(page)

    await page.getByRole('link', { name: 'All themes' }).click()
    await own.getByRole('button', { name: /^Activate / }).click()
    await page.getByRole('combobox', { name: 'Configuration' }).click()
    await page.getByRole('option', { name: 'saved last' }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Activate', exact: true }).click()
    await page.getByText('The channel shows the theme now.').waitFor()
    await own.getByText('active', { exact: true }).waitFor()
    await own.getByRole('button', { name: /^Delete / }).click()
    await page.getByRole('button', { name: 'Delete the theme' }).click()
    await page
      .getByRole('alert')
      .getByText('The channel 1 shows this theme. Activate another one there first.')
      .waitFor()
    await page.keyboard.press('Escape')
    await page
      .getByRole('row')
      .filter({ hasText: 'comes with the server' })
      .getByRole('button', { name: /^Activate / })
      .click()
    await page.getByRole('button', { name: 'Activate', exact: true }).click()
    await own.getByText('not shown').waitFor()

    await own.getByRole('button', { name: /^Download / }).click()
    await page.getByText(/It is \d+ % done/).waitFor()
    await doThemeJobs()
    const link = page.getByRole('link', { name: 'Save the archive' })
    await link.waitFor()
    const archive = await page.request.get(`${origin}${await link.getAttribute('href')}`)
    expect([archive.status(), (await archive.body()).subarray(0, 2).toString()]).toEqual([200, 'PK'])
    await own.getByRole('button', { name: /^Delete / }).click()
    await page.getByRole('button', { name: 'Delete the theme' }).click()
    await page.getByText('The theme is deleted.').waitFor()
    await expect.poll(() => own.count(), { timeout: 100_000 }).toBe(0)
    expect(heard).toEqual({ foreign: [], complaints: [] })
  } finally {
    await close()
  }
})

testInBrowser('the sessions of a customer are ended, and the data is exported and erased', async (browser) => {
  const { origin, close } = await openConsole()
  const { installation } = await theHouse()
  const shop = await openShop()
  await shop.call('POST', '/customers', [{ email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' }])
  const db = await dbOf(shop)
  await db.transaction((tx) => openSession(tx, installation.secrets, { customer: 1, channel: 1, kind: 'cookie' }))
  try {
    const { page, heard } = await openSignedIn(browser, origin)
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
    expect(heard).toEqual({ foreign: [], complaints: [] })
  } finally {
    await close()
  }
})
