import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { openShop } from '../../../test/fixtures/shop.ts'
import { expectAccessible, expectMessage, testConsole } from '../../../test/servers/console.ts'

testConsole(
  'a list is filtered, sorted, copied and saved, and its entries are created and deleted',
  async ({ page, origin }) => {
    const shop = await openShop()
    const list = `${origin}/console/stores/${shop.store.hash}/lists/listBrands`
    const names = async () =>
      (await shop.call('GET', '/catalog/brands')).body.data.map(({ name }: { name: string }) => name)
    await page.goto(list)
    await page.getByText('There is no entry. Create the first one with the button above.').waitFor()
    for (const name of ['Alder', 'Birch', 'Cedar']) {
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('dialog').getByRole('textbox', { name: 'name', exact: true }).fill(name)
      await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('cell', { name, exact: true }).waitFor()
    }
    expect(await names()).toEqual(['Alder', 'Birch', 'Cedar'])
    // A refusal stands beside its field, and what was typed stays.
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'name', exact: true }).fill('Alder')
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('dialog').getByRole('alert').first().waitFor()
    expect(await page.getByRole('dialog').getByRole('textbox', { name: 'name', exact: true }).inputValue()).toBe(
      'Alder',
    )
    await expectAccessible(page)
    page.once('dialog', (dialog) => dialog.accept())
    await page.goto(list)

    // Columns, the order and filters. The address is the query of the API.
    await page.getByRole('button', { name: 'Sort by name, lowest first' }).click()
    await page.getByRole('button', { name: 'Sort by name, highest first' }).click()
    const first = () => page.getByRole('row').nth(1).getByRole('link').textContent()
    await expect.poll(first).toBe('3')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'meta_description' }).check()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'meta_description' }).waitFor()
    await page.getByRole('combobox', { name: 'Filter of Brands' }).fill('name:like')
    await page.getByRole('option', { name: 'name:like' }).click()
    await page.getByLabel('Value').fill('r')
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByText('name:like = r', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('name:like')).toBe('r')
    await page.reload()
    await page.getByRole('columnheader', { name: 'meta_description' }).waitFor()
    await page.getByText('3 entries.').waitFor()
    await page.getByRole('button', { name: 'Remove the filter name:like' }).waitFor()

    // As code, as JSON, and as a file.
    for (const [kind, code] of [
      ['curl', `curl -s -X GET '${origin}/stores/${shop.store.hash}/v3/catalog/brands?limit=50&`],
      ['fetch', `await fetch("${origin}/stores/${shop.store.hash}/v3/catalog/brands?limit=50&`],
      [
        '@storeward/client',
        'for await (const row of store.brands.list({ "sort": "name", "direction": "desc", "name:like": "r" }))',
      ],
    ] as const) {
      await page.getByRole('button', { name: 'Copy as' }).click()
      await page.getByRole('menuitem', { name: kind, exact: true }).click()
      await page.getByRole('dialog').getByText(code).first().waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
    }
    await page.getByRole('button', { name: 'Copy as' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Save the page as a file' }).click(),
    ])
    const saved = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(saved.map(({ name }: { name: string }) => name)).toEqual(['Cedar', 'Birch', 'Alder'])
    await page.getByRole('switch', { name: 'JSON' }).click()
    await page.getByText('"name": "Cedar"').waitFor()
    await expectAccessible(page)
    await page.getByRole('switch', { name: 'JSON' }).click()

    // Several entries at once, and one by its page.
    for (const id of ['1', '2']) await page.getByLabel(`Select ${id}`, { exact: true }).check()
    await page.getByRole('button', { name: 'Set fields' }).click()
    await page.getByLabel('page_title', { exact: true }).fill('Sale')
    await page.getByRole('button', { name: 'Review the changes' }).click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save these changes' }).click()
    await expectMessage(page, '2 entries are changed.')
    const titles = (await shop.call('GET', '/catalog/brands')).body.data
    expect(titles.map(({ page_title }: { page_title: string }) => page_title)).toEqual(['Sale', 'Sale', ''])
    for (const id of ['1', '2']) await page.getByLabel(`Select ${id}`, { exact: true }).check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 entries' }).click()
    await expectMessage(page, '2 entries are deleted.')
    expect(await names()).toEqual(['Cedar'])
    await page.getByRole('link', { name: '3', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Brands: Cedar' }).waitFor()
    await page.getByRole('tab', { name: 'metafields' }).click()
    await page.getByText('There is no entry. Create the first one with the button above.').waitFor()
    await page.getByRole('tab', { name: 'JSON' }).click()
    await page.getByText('"name": "Cedar"').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('There is no entry.').waitFor()
    expect(await names()).toEqual([])
  },
)

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
