import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { describeSettings } from '../process/config.ts'
import { demoCatalog } from './samples/catalog.ts'
import { SIZES } from './samples/sizes.ts'
import { printed, welcomeOf } from './welcome.ts'

const page = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the README shows the text of the sandbox', async () => {
  const readme = await page('README.md')
  const base_url = 'http://127.0.0.1:8080'
  const nobody = { client_id: '', client_secret: '' }
  const record = {
    base_url,
    storefront_url: `${base_url}/storefront/demostore`,
    b2b_url: `${base_url}/b2b`,
    console_url: '',
    store_hash: 'demostore',
    tokens: {
      admin: 'ADMIN_TOKEN',
      readonly: 'READONLY_TOKEN',
      noscope: 'NOSCOPE_TOKEN',
      otherclient: 'OTHERCLIENT_TOKEN',
    },
    storefront_token: 'STOREFRONT_TOKEN',
    b2b_user: { email: 'ann.lee@harbour.example.com', password: 'B2B_PASSWORD', company: 'Harbour Cafes' },
    b2b_client_id: '',
    clients: { admin: nobody, readonly: nobody, noscope: nobody, otherclient: nobody },
  }
  const examples = { brand: 'My brand 241', category: 'My category 64', isHooked: false }
  expect(readme).toContain(printed(welcomeOf(record, '/home/you/storeward/data/sandbox.json', examples)).trim())
  const { brands, categories } = demoCatalog()
  expect(readme).toContain(`${SIZES.demo} products, ${brands.length} brands, ${categories.length} categories`)
})

test('operations.md shows the settings as --help prints them', async () => {
  expect(await page('docs/operations.md')).toContain(describeSettings())
})
