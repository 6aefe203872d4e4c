import { VERSION } from '../core/package.ts'
import { portalSettings } from '../doors/b2b/graphql/side/portal-page.ts'
import type { Chapter, Welcome } from '../doors/operator/demo-store.ts'
import { RESELLERS } from './demo/demo-prices.ts'
import type { SandboxRecord } from './demo/record.ts'
import type { DemoShop } from './https/demo-shop.ts'

/** The names in the printed commands, chosen so that the commands work at every start. */
export interface Examples {
  /** Names that are not taken. */
  brand: string
  category: string
  /** Whether there is a webhook to the inspector from an earlier start. */
  isHooked: boolean
  shop: DemoShop
}

/** The page of the inspector that the printed commands use. */
export const binOf = ({ base_url }: SandboxRecord) => `${base_url}/inspect/demo`

/** Where the built files of the portal may lie. */
const PORTAL_FILES = 'http://localhost:4000/portal/'

/**
 * The text for a new user, for the terminal and for the start page.
 * @param path of the file that contains the record
 */
export function welcomeOf(record: SandboxRecord, path: string, { brand, category, isHooked, shop }: Examples): Welcome {
  const { base_url, store_hash, tokens, storefront_url, storefront_token, b2b_url, b2b_user } = record
  const page = (name: string, path: string, says: string) => ({ name, url: base_url + path, says, isPage: true })
  const api = `${base_url}/stores/${store_hash}/v3`
  const header = `-H 'X-Auth-Token: ${tokens.admin}'`
  const json = `-H 'Content-Type: application/json'`
  const post = `${header} ${json}`
  const search = {
    search_area: { coordinates: { latitude: 55.68, longitude: 12.58 }, radius: { value: 50, unit: 'KM' } },
    items: [{ variant_id: 3, quantity: 1 }],
  }
  const paid = {
    billing_address: { zip: '1051' },
    products: [{ name: 'Print', quantity: 1, price_ex_tax: 20, price_inc_tax: 25 }],
    status_id: 11,
    payment_method: 'Test Payment Gateway',
    payment_status: 'captured',
  }
  const prices = (customer_group_id: number) => ({
    channel_id: 1,
    currency_code: 'USD',
    country_code: 'DE',
    customer_group_id,
    items: [{ product_id: 1 }],
  })
  const query = { query: '{ site { settings { storeName status url { vanityUrl } } } }' }
  const buyer = { storeHash: store_hash, email: b2b_user.email, password: b2b_user.password }
  const hook = { scope: 'store/category/*', destination: binOf(record) }
  return {
    headline: `storeward ${VERSION} is running, with a demo store to try things on. Stop it with Ctrl-C.`,
    addresses: [
      page('Start page', '/', 'shows this text in a browser'),
      { name: 'API', url: api, says: '', isPage: false },
      page('Reference', '/docs', ''),
      {
        name: 'Console',
        url: record.console_url,
        says: 'opens once, for the owner; after that, sign in at /console',
        isPage: true,
      },
      page('Inspector', '/inspect/demo', 'shows the webhooks that are sent there'),
      page('Mailbox', `/mailbox/${store_hash}`, 'shows the mails of the store in the console'),
      page('Content', `/content/${store_hash}`, 'shows pages, redirects, scripts and widgets of the store'),
    ],
    tokens: [
      { token: tokens.admin, says: 'admin: every scope' },
      { token: tokens.otherclient, says: 'otherclient: every scope, as another client' },
      { token: tokens.readonly, says: 'readonly: reads only' },
      { token: tokens.noscope, says: 'noscope: no scope' },
    ],
    record: path,
    chapters: [
      {
        about: 'store',
        says: `List products with their images and variants, list brands, create a brand, read the metafields of brands, find pickup points for the third
variant in and around Copenhagen, and create an order that is paid through the test gateway:`,
        commands: [
          `curl -s '${api}/catalog/products?name:like=lamp&limit=3&include=images,variants' ${header}`,
          `curl -s '${api}/catalog/brands?name:like=lamps&limit=3' ${header}`,
          `curl -s '${api}/catalog/brands' ${post} -d '${JSON.stringify({ name: brand })}'`,
          `curl -s '${api}/catalog/brands/metafields?namespace=reviews&limit=3' ${header}`,
          `curl -s '${api}/pickup/options' ${post} -d '${JSON.stringify(search)}'`,
          `curl -s '${base_url}/stores/${store_hash}/v2/orders' ${post} -d '${JSON.stringify(paid)}'`,
        ],
      },
      {
        about: 'store',
        says: 'Read the price of a product in Germany, for a guest and for the group of resellers, who have a price list with tiers:',
        commands: [0, RESELLERS].map(
          (group) => `curl -s '${api}/pricing/products' ${post} -d '${JSON.stringify(prices(group))}'`,
        ),
      },
      {
        about: 'storefront',
        says: `Send a GraphQL query, like a page of the storefront, with the storefront_token of sandbox.json. ${base_url}/graphql is a page for\nqueries:`,
        commands: [
          `curl -s '${storefront_url}/graphql' -H 'Authorization: Bearer ${storefront_token}' ${json} -d '${JSON.stringify(query)}'`,
        ],
      },
      ...shopChapters(shop),
      {
        about: 'companion',
        says: 'Sign in as the admin of a company, the b2b_user of sandbox.json, and list companies:',
        commands: [
          `curl -s '${b2b_url}/api/io/auth/customers' ${json} -d '${JSON.stringify(buyer)}'`,
          `curl -s '${b2b_url}/api/v3/io/companies?limit=2' ${header} -H 'X-Store-Hash: ${store_hash}'`,
        ],
      },
      {
        about: 'companion',
        says: `Build the public portal of buyers with these settings, copy its folder dist to the address of the last one, and write its page. The
b2b_users of sandbox.json sign in there:`,
        commands: [
          ...portalSettings({ b2bUrl: b2b_url, clientId: record.b2b_client_id, files: PORTAL_FILES }),
          `npm run -s storeward -- b2b portal-page ${store_hash} --files ${PORTAL_FILES} --built dist > portal.html`,
        ],
      },
      {
        about: 'webhooks',
        says: 'See a webhook arrive: open the inspector, then',
        commands: [
          ...(isHooked ? [] : [`curl -s '${api}/hooks' ${post} -d '${JSON.stringify(hook)}'`]),
          `curl -s '${api}/catalog/categories' ${post} -d '${JSON.stringify({ name: category, parent_id: 0 })}'`,
        ],
      },
    ],
  }
}

/** The settings of a shop, which `storeward shop-settings` prints, too. */
const shopChapters = ({ settings, hostsLine }: DemoShop): Chapter[] => [
  ...(settings === undefined
    ? []
    : [
        {
          about: 'storefront' as const,
          says: 'Run a public shop at http://localhost:3000 on the demo store, with these settings:',
          commands: [settings],
        },
      ]),
  ...(hostsLine === undefined
    ? []
    : [
        {
          about: 'storefront' as const,
          says: 'This machine does not know the host of the shop. Add this line to its hosts file, such as /etc/hosts:',
          commands: [hostsLine],
        },
      ]),
]

/** The text as the terminal shows it. */
export function printed({ headline, addresses, tokens, record, chapters }: Welcome): string {
  const line = (name: string, value: string, says = '') =>
    `  ${name.padEnd(14)}${value}${says === '' ? '' : `  ${says}`}`
  const lines = [
    ...addresses.map(({ name, url, says }) => line(name, url, says)),
    ...tokens.map(({ token, says }, i) => line(i === 0 ? 'Tokens' : '', token, says)),
    line('All of this', record),
  ]
  const examples = chapters.map(({ says, commands }) => `${says}\n\n${commands.join('\n')}\n`)
  return `\n${headline}\n\n${lines.join('\n')}\n\n${examples.join('\n')}`
}
