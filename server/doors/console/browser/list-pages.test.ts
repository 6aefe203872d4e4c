import { expect } from 'vitest'
import { openShop } from '../../../test/fixtures/shop.ts'
import { expectAccessible, testConsole } from '../../../test/servers/console.ts'

testConsole('nothing typed is lost, and a refusal opens its line of the log', async ({ page, origin }) => {
  const shop = await openShop({ isTest: true })
  const { hash } = shop.store
  for (const name of ['Mine', 'Taken']) await shop.call('POST', '/catalog/brands', { name, page_title: 'Old' })
  await page.goto(`${origin}/console/stores/${hash}/lists/listBrands/1`)
  await page.getByLabel('name', { exact: true }).fill('Taken')
  // Leaving asks first.
  const asked: string[] = []
  page.once('dialog', (dialog) => {
    asked.push(dialog.message())
    return dialog.dismiss()
  })
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect.poll(() => asked).toEqual(['Leave the page? The changes are not saved.'])
  // A refusal keeps the form, and names its request.
  await page.getByRole('button', { name: 'Review the changes' }).click()
  await page.getByRole('button', { name: 'Save these changes' }).click()
  await page.getByRole('alert').getByText('A brand with this name already exists.').first().waitFor()
  expect(await page.getByLabel('name', { exact: true }).inputValue()).toBe('Taken')
  // Somebody else changes the entry meanwhile.
  await page.getByLabel('name', { exact: true }).fill('Ours')
  await shop.call('PUT', '/catalog/brands/1', { name: 'Theirs', page_title: 'New' })
  await page.getByRole('button', { name: 'Review the changes' }).click()
  await page.getByText('name was "Mine", is now "Theirs", and you typed Ours').waitFor()
  await page.getByText('page_title was "Old", is now "New"').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save these changes' }).click()
  await page.getByRole('heading', { name: 'Brands: Ours' }).waitFor()
  expect((await shop.call('GET', '/catalog/brands/1')).body.data).toMatchObject({ name: 'Ours', page_title: 'New' })

  // The events and requests of a record.
  await page.getByRole('tab', { name: 'Events' }).click()
  await page.getByText('No event of the last 30 days matches.').waitFor()
  await page.getByRole('tab', { name: 'Requests' }).click()
  await page.getByText('/v3/catalog/brands/1').first().waitFor()
  await expectAccessible(page)
  await shop.call('POST', '/catalog/categories', { name: 'Lamps', parent_id: 0 })
  await page.goto(`${origin}/console/stores/${hash}/lists/listCategories/1`)
  await page.getByRole('tab', { name: 'Events' }).click()
  await page.getByRole('cell', { name: 'category 1', exact: true }).first().waitFor()
  await page.goto(`${origin}/console/stores/${hash}/lists/listBrands/1`)

  await page.getByRole('tab', { name: 'Fields', exact: true }).click()
  await page.getByLabel('name', { exact: true }).fill('Taken')
  await page.getByRole('button', { name: 'Review the changes' }).click()
  await page.getByRole('button', { name: 'Save these changes' }).click()
  await page.getByRole('alert').getByText('A brand with this name already exists.').first().waitFor()
  page.once('dialog', (dialog) => dialog.accept())
  await page.getByRole('alert').getByRole('link').click()
  await page.getByRole('heading', { level: 2, name: 'Body of the answer' }).waitFor()
  await page.getByRole('cell', { name: '409' }).waitFor()
})
