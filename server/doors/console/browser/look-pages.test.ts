import { expect } from 'vitest'
import { openShop } from '../../../test/fixtures/shop.ts'
import { doThemeJobs, themeBundle } from '../../../test/fixtures/themes.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'
import { expectAccessible, expectMessage, testConsole } from '../../../test/servers/console.ts'

testConsole(
  'e-mail templates are edited with line and column, previewed, tried, and saved',
  async ({ page, origin }) => {
    const shop = await openShop()
    const path = '/marketing/email-templates/createaccount_email'
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
    await expect.poll(width).toBe(1_024)
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Send a test e-mail' }).click()
    await page.getByRole('textbox', { name: 'To', exact: true }).fill('me@example.com')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expectMessage(page, 'A test e-mail to me@example.com will be sent.')
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
    await expectMessage(page, 'The channel has the template of the store again.')
    expect((await shop.call('GET', `${path}?channel_id=1`)).body.data.subject).toBe('Hello {{customer.first_name}}')
  },
)

testConsole('themes are uploaded, read, configured, activated, downloaded and deleted', async ({ page, origin }) => {
  const shop = await openShop()
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
  await expectMessage(page, 'The configuration is saved.')
  await expect.poll(() => flag.isChecked()).toBe(!isOn)
  await expectAccessible(page)

  await page.getByRole('link', { name: 'All themes' }).click()
  await own.getByRole('button', { name: /^Activate / }).click()
  await page.getByRole('combobox', { name: 'Configuration' }).click()
  await page.getByRole('option', { name: 'saved last' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  await expectMessage(page, 'The channel shows the theme now.')
  await own.getByText('active', { exact: true }).waitFor()
  await own.getByRole('button', { name: /^Delete / }).click()
  await page.getByRole('button', { name: 'Delete the theme' }).click()
  await page
    .getByRole('alert')
    .getByText('The channel 1 shows this theme. Activate another one there first.')
    .first()
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
  await expectMessage(page, 'The theme is deleted.')
  await expect.poll(() => own.count()).toBe(0)
})
