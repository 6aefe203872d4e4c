import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { openShop } from '../../../test/fixtures/shop.ts'
import { expectAccessible, testConsole } from '../../../test/servers/console.ts'

const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=1</script>'

/** A store whose texts are markup, and the pages about it. */
async function openBakery() {
  const shop = await openShop({ name: `Bakery ${MARKUP}`, isTest: true })
  await shop.call('POST', '/catalog/brands', { name: MARKUP })
  await shop.call('POST', '/catalog/products', { name: MARKUP, type: 'physical', weight: 1, price: 2 })
  await shop.call('POST', '/customers', [{ email: 'ada@example.com', first_name: 'Ada', last_name: MARKUP }])
  const address = { first_name: 'Ada', last_name: MARKUP, country: 'Germany', email: 'ada@example.com', zip: '10115' }
  const products = [{ name: MARKUP, quantity: 2, price_ex_tax: 10, price_inc_tax: 12 }]
  const order = await shop.call('POST', '/orders', { billing_address: address, products }, { version: 'v2' })
  const [theme] = (await shop.call('GET', '/themes')).body.data
  return { hash: shop.store.hash, order: String(order.body.id), theme }
}

/** The routes of the pages inside the frame, as the console declares them. */
async function routesOfPages() {
  const source = await readFile(new URL('../../../../console/src/router.tsx', import.meta.url), 'utf8')
  const framed = [...source.matchAll(/getParentRoute: \(\) => frame,\s+path: '([^']+)'/g)].map(([, path = '']) => path)
  const ofStores = [...source.matchAll(/ storePage\(\s*'([^']+)'/g)].map(([, path = '']) => `/stores/$hash${path}`)
  return [...framed.filter((path) => path !== '/stores/$hash'), ...ofStores].toSorted()
}

testConsole('every page is accessible, and shows the texts of a store as text', async ({ page, origin }) => {
  const { hash, order, theme } = await openBakery()
  const store = `/stores/${hash}`
  /** The address and the heading of each page by its route. The last one is opened by a link. */
  const pages: Readonly<Record<string, readonly [path: string, heading: string]>> = {
    '/': ['/', 'Stores'],
    '/people': ['/people', 'People'],
    '/audit': ['/audit', 'Audit'],
    '/server': ['/server', 'Server'],
    '/me': ['/me', 'Password, passkeys and sessions'],
    '/stores/$hash/': [store, `Bakery ${MARKUP}`],
    '/stores/$hash/lists/$list': [`${store}/lists/listBrands`, 'Brands'],
    '/stores/$hash/lists/$list/$id': [`${store}/lists/listBrands/1`, `Brands: ${MARKUP}`],
    '/stores/$hash/orders/$id': [`${store}/orders/${order}`, `Order ${order}`],
    '/stores/$hash/products/$id': [`${store}/products/1`, MARKUP],
    '/stores/$hash/customers/$id': [`${store}/customers/1`, `Ada ${MARKUP}`],
    '/stores/$hash/inventory': [`${store}/inventory`, 'Stock'],
    '/stores/$hash/settings': [`${store}/settings`, 'Store settings'],
    '/stores/$hash/accounts': [`${store}/accounts`, 'API accounts'],
    '/stores/$hash/webhooks': [`${store}/webhooks`, 'Webhooks and events'],
    '/stores/$hash/jobs': [`${store}/jobs`, 'Jobs'],
    '/stores/$hash/mails': [`${store}/mails`, 'Mailbox'],
    '/stores/$hash/templates': [`${store}/templates`, 'E-mail templates'],
    '/stores/$hash/themes': [`${store}/themes`, 'Themes'],
    '/stores/$hash/themes/$id': [`${store}/themes/${theme.uuid}`, theme.name],
    '/stores/$hash/powers': [`${store}/powers`, 'Clock, faults and copies'],
    '/stores/$hash/requests': [`${store}/requests?changes=true`, 'Requests'],
    '/stores/$hash/requests/$id': ['', 'POST /v2/orders'],
  }
  expect(Object.keys(pages).toSorted()).toEqual(await routesOfPages())
  for (const [path, heading] of Object.values(pages)) {
    if (path === '') await page.getByRole('row').filter({ hasText: heading }).getByRole('link').click()
    else await page.goto(`${origin}/console${path}`)
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
    await expectAccessible(page)
  }
  expect(await page.title()).not.toBe('1')
})
