import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { settingLines } from '../doors/storefront/tokens/shop-settings.ts'
import { describeSettings } from '../process/config.ts'
import { demoCatalog } from './samples/catalog.ts'
import { SIZES } from './samples/sizes.ts'
import { printed, welcomeOf } from './welcome.ts'

const TRUSTED = '/home/you/storeward/data/https/authority.pem'

const page = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

test('the README shows the text of the sandbox', async () => {
  const readme = await page('README.md')
  const base_url = 'http://127.0.0.1:8080'
  const nobody = { client_id: '', client_secret: '' }
  const record = {
    base_url,
    storefront_url: `${base_url}/storefront/demostore`,
    b2b_url: `${base_url}/b2b`,
    console_url: 'http://localhost:8080/console/invitation#INVITATION',
    store_hash: 'demostore',
    tokens: {
      admin: 'ADMIN_TOKEN',
      readonly: 'READONLY_TOKEN',
      noscope: 'NOSCOPE_TOKEN',
      otherclient: 'OTHERCLIENT_TOKEN',
    },
    operator_key: 'OPERATOR_KEY',
    storefront_token: 'STOREFRONT_TOKEN',
    shop: { domain: 'localhost:8081', trusted_file: TRUSTED },
    b2b_user: { email: 'ann.lee@harbour.example.com', password: 'B2B_PASSWORD', company: 'Harbour Cafes' },
    b2b_users: {},
    b2b_client_id: 'B2B_CLIENT_ID',
    clients: { admin: nobody, readonly: nobody, noscope: nobody, otherclient: nobody },
  }
  const settings = settingLines({
    BIGCOMMERCE_STORE_HASH: 'demostore',
    BIGCOMMERCE_CHANNEL_ID: '1',
    BIGCOMMERCE_STOREFRONT_TOKEN: 'SHOP_TOKEN',
    BIGCOMMERCE_TRUSTED_PROXY_SECRET: 'PROXY_SECRET',
    BIGCOMMERCE_GRAPHQL_API_DOMAIN: 'localhost:8081',
    NEXT_PUBLIC_BIGCOMMERCE_CDN_HOSTNAME: 'localhost:8081',
    NODE_EXTRA_CA_CERTS: TRUSTED,
  })
  const shop = { settings, hostsLine: undefined }
  const examples = { brand: 'My brand 241', category: 'My category 64', isHooked: false, shop }
  expect(readme).toContain(printed(welcomeOf(record, '/home/you/storeward/data/sandbox.json', examples)).trim())
  const { brands, categories } = demoCatalog()
  expect(readme).toContain(`${SIZES.demo} products, ${brands.length} brands, ${categories.length} categories`)
})

test('operations.md shows the settings as --help prints them', async () => {
  expect(await page('docs/operations.md')).toContain(describeSettings())
})
