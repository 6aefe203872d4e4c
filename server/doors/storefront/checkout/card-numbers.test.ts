import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, inject, test } from 'vitest'
import { createApp } from '../../../process/app.ts'
import { readConfig } from '../../../process/config.ts'
import { createCart, openWithShipping } from '../../../test/carts/checkouts.ts'
import { visit } from '../../../test/carts/plain-browser.ts'
import { theHouse } from '../../../test/fixtures/shop.ts'
import { BAD_CARD, GOOD_CARD } from '../../../test/fixtures/shopper.ts'
import { dumpOf, spellings } from '../../../test/harness/administrator.ts'
import { SECRET } from '../../../test/harness/postgres.ts'

/** Not a number of any card. */
const MISTYPED = '4111111111111112'
const SHORT = '41111111'

test('C-097: no card number that was typed on the page is in the database, the logs, the files or a later page', async () => {
  const shop = await openWithShipping()
  const { installation, files } = await theHouse()
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
  const config = readConfig({ SECRET, FAILED_LOGINS_MAX: '0', PUBLIC_URL: 'http://shop.test' })
  const { server } = await createApp({ ...installation, files, log }, config, 'http://shop.test')
  const page = await visit(shop, await createCart(shop, { 3: 1 }), server)
  await page.submit({ email: 'ann@example.com' })
  await page.submit({
    firstName: 'Ann',
    lastName: 'Lee',
    addressLine1: '1 Mill Road',
    city: 'Austin',
    countryCode: 'US',
    provinceCode: 'TX',
    postCode: '78701',
  })
  expect(page.openStep()).toBe('payment')
  const card = { ccExpiry: '12/99', ccName: 'Ann Lee', ccCvv: '123' }
  const pages: string[] = []
  for (const ccNumber of [SHORT, MISTYPED, BAD_CARD, GOOD_CARD.replace(/(.{4})(?=.)/g, '$1 ')]) {
    // A number in a wrong field is refused there.
    await page.submit({ ...card, ccNumber, ccExpiry: ccNumber })
    pages.push(page.body())
    await page.submit({ ...card, ccNumber })
    pages.push(page.body())
  }
  expect(page.path()).toBe('/checkout/order-confirmation')
  await server.close()
  const database = await dumpOf(shop.store.id, installation.directory.cells)
  const stored = await readFiles(inject('folder'))
  // The searches find texts.
  expect(database).toContain('ann@example.com')
  expect(lines.length).toBeGreaterThan(10)
  const places = { database, logs: lines.join(''), pages: pages.join(''), files: stored }
  for (const number of [SHORT, MISTYPED, BAD_CARD, GOOD_CARD]) {
    const spaced = number.replace(/(.{4})(?=.)/g, '$1 ')
    for (const [place, text] of Object.entries(places)) {
      expect(
        [...spellings(number), spaced].filter((spelling) => text.includes(spelling)),
        place,
      ).toEqual([])
    }
  }
})

/** The uploaded files of all test workers. */
async function readFiles(folder: string): Promise<string> {
  const folders = (await readdir(folder)).filter((name) => name.endsWith('-files'))
  const texts = folders.map(async (name) => {
    const entries = await readdir(join(folder, name), { recursive: true, withFileTypes: true })
    const contents = entries
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1'))
    return (await Promise.all(contents)).join('')
  })
  return (await Promise.all(texts)).join('')
}
