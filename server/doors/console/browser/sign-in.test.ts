import { readdir, readFile } from 'node:fs/promises'
import { join as joinPath } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page, Response } from 'playwright-core'
import { expect } from 'vitest'
import { custom, goods, openWithGoods } from '../../../test/fixtures/goods.ts'
import { payOrder } from '../../../test/fixtures/orders.ts'
import { openShop, theHouse } from '../../../test/fixtures/shop.ts'
import {
  acceptInvitation,
  expectAccessible,
  expectMessage,
  invite,
  testConsole,
} from '../../../test/servers/console.ts'
import { join, PASSWORD } from '../../../test/servers/people.ts'
import { ConsoleBuild } from '../build.ts'

const STRANGER = { isSignedIn: false }

testConsole(
  'a person accepts an invitation, signs out and in, and hears of a wrong password',
  async ({ page, origin }) => {
    const { token, email } = await invite()
    await page.goto(`${origin}/console/invitation#${token}`)
    await page.getByLabel('Your name').waitFor()
    await expectAccessible(page)
    await acceptInvitation(page, origin, token)
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.locator('input[type=password]').fill('wrong 1234')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor()
    await expectAccessible(page)
    await page.locator('input[type=password]').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Stores' }).waitFor()
    await page.goto(`${origin}/console/invitation#${token}`)
    await page.getByRole('alert').getByRole('link', { name: 'Sign in' }).waitFor()
    await expectAccessible(page)
  },
  STRANGER,
)

const KEYS_MAX = 200

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: RegExp) {
  const heard: string[] = []
  for (let i = 0; i < KEYS_MAX; i++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate<string>(`(() => {
      const { activeElement: element } = document
      return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? ''
    })()`)
    if (name.test(focused.trim())) return
    heard.push(focused.slice(0, 30))
  }
  throw new Error(`${KEYS_MAX} times Tab did not reach ${name}, but ${heard.join(' | ')}`)
}

testConsole(
  'sign-in, a refund and a resend need no mouse',
  async ({ page, origin }) => {
    const { shop, v2 } = await openWithGoods()
    const { hash } = shop.store
    const { id } = (await v2('POST', '/orders', goods(custom(10, 12.5, 2)))).body
    await payOrder(shop, id)
    const hook = { scope: 'store/category/*', destination: 'https://example.com/hooks' }
    expect((await shop.call('POST', '/hooks', hook)).status).toBe(200)
    const { email } = await join('owner')
    await page.goto(`${origin}/console/`)
    await page.getByRole('heading', { name: 'storeward console' }).waitFor()
    await tabTo(page, /^E-mail address/)
    await page.keyboard.type(email)
    await tabTo(page, /^Password/)
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Stores' }).waitFor()

    // The stores come after the words.
    let send = () => {}
    const isTyped = new Promise<void>((resolve) => {
      send = resolve
    })
    await page.route('**/operator/v1/stores*', async (route) => {
      await isTyped
      await route.continue()
    })
    await page.goto(`${origin}/console/me`)
    await page.getByRole('button', { name: 'Search pages, stores and records' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('A page, a store, or a record').waitFor()
    await page.keyboard.type(hash)
    await page.getByText('Nothing is found.').waitFor()
    send()
    await page.getByText(`Store ${hash}`).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'The first call' }).waitFor()

    await page.goto(`${origin}/console/stores/${hash}/orders/${id}`)
    await page.getByRole('heading', { level: 1, name: `Order ${id}` }).waitFor()
    await tabTo(page, /^Refund$/)
    await page.keyboard.press('Enter')
    await page.getByLabel('Units of Engraving').waitFor()
    await tabTo(page, /^Units of Engraving/)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('1')
    await tabTo(page, /^Get a quote$/)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('12.50').waitFor()
    await tabTo(page, /^Refund /)
    await page.keyboard.press('Enter')
    await expectMessage(page, 'The refund is stored')
    const refunds = await shop.call('GET', `/orders/${id}/payment_actions/refunds`)
    expect(refunds.body.data).toEqual([expect.objectContaining({ total_amount: 12.5 })])

    await page.goto(`${origin}/console/stores/${hash}/webhooks`)
    await page.getByRole('button', { name: 'Deliveries' }).waitFor()
    await tabTo(page, /^Deliveries$/)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Resend failed events' }).waitFor()
    await tabTo(page, /^Resend failed events$/)
    await page.keyboard.press('Enter')
    await page.getByText('Events without a next attempt will be sent again: 0.').waitFor()
  },
  STRANGER,
)

testConsole(
  'a passkey signs a person in and confirms the identity, and each challenge works once',
  async ({ context, page, origin }) => {
    const { token, email } = await invite()
    const devices = await context.newCDPSession(page)
    await devices.send('WebAuthn.enable')
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await acceptInvitation(page, origin, token)
    await page.goto(`${origin}/console/me`)
    await page.getByText('There is no passkey.').waitFor()
    await page.getByLabel('Name of the new passkey').fill('Laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    const sent = page.waitForRequest(/session\/passkey$/)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()

    const signed = (await sent).postData() ?? ''
    const send = async (path: string) => {
      const headers = { 'x-console': '1', 'content-type': 'application/json' }
      return (await context.request.post(`${origin}/operator/v1${path}`, { headers, data: signed })).status()
    }
    // The same signature is worth nothing a second time.
    expect([await send('/session/passkey'), await send('/session/passkey-confirmation')]).toEqual([401, 422])

    const { installation } = await theHouse()
    await installation.directory.database.system({
      name: '',
      text: `update directory.person_sessions set confirmed_at = now() - interval '1 hour' where person_id =
      (select id from directory.people where email = $1) returning id`,
      values: [email],
    })
    await page.getByRole('button', { name: 'Delete the passkey Laptop' }).click()
    await page.getByRole('button', { name: 'Confirm with a passkey' }).click()
    await expectMessage(page, 'The passkey is deleted.')
    await page.getByText('There is no passkey.').waitFor()
    await page.getByRole('button', { name: 'Account of Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('The passkey is unknown, or its challenge has expired.').waitFor()
  },
  STRANGER,
)

testConsole(
  'a question mark lists the keys, and the palette finds pages, records and commands',
  async ({ page, origin }) => {
    const shop = await openShop()
    const { hash } = shop.store
    await shop.call('POST', '/catalog/products', { name: 'Storm lantern', type: 'physical', weight: 1, price: 2 })
    await shop.call('POST', '/customers', [{ email: 'ada@example.com', first_name: 'Ada', last_name: 'Storm' }])
    await page.goto(`${origin}/console/stores/${hash}`)
    await page.getByRole('heading', { name: 'The first call' }).waitFor()
    await page.keyboard.press('Shift+?')
    await page.getByText('Show these keys').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')

    const search = page.getByPlaceholder('A page, a store, or a record')
    const find = async (words: string) => {
      await page.keyboard.press('Control+k')
      await search.fill(words)
    }
    // Nothing else has this word, so the list is empty until the server has answered.
    await find('storm')
    await page.getByText('Product 1').waitFor()
    await page.getByText('Customer 1, ada@example.com').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Storm lantern' }).waitFor()
    await find('storm')
    await page.getByText('Customer 1, ada@example.com').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Ada Storm' }).waitFor()
    await find('products 1')
    await page.getByText('Products: the record 1').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Storm lantern' }).waitFor()
    // Also from a field.
    await page.getByRole('combobox', { name: 'Store' }).click()
    await find('stock')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Stock' }).waitFor()
    // The groups of lists are opened by keys.
    await page.getByRole('button', { name: 'Catalog', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Brands', exact: true }).waitFor()
    await find('dark colours')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark')
    await find('sign out')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'storeward console' }).waitFor()
  },
)

testConsole(
  'the first page takes at most 300 KB from an empty cache, and all pages 600 KB',
  async ({ page, origin }) => {
    const answered: Response[] = []
    page.on('response', (response) => answered.push(response))
    await page.goto(`${origin}/console/`)
    await page.getByRole('heading', { name: 'storeward console' }).waitFor()
    const sizes = await Promise.all(answered.map((response) => response.request().sizes()))
    expect(sizes.length).toBeGreaterThan(2)
    const first = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
    expect(first).toBeLessThanOrEqual(300_000)
    const folder = joinPath(new ConsoleBuild(false).folder, 'assets')
    const files = await readdir(folder)
    const compressed = await Promise.all(
      files.map(async (name) => gzipSync(await readFile(joinPath(folder, name))).length),
    )
    const all = compressed.reduce((sum, size) => sum + size, 0)
    expect(all).toBeGreaterThan(first / 2)
    expect(all).toBeLessThanOrEqual(600_000)
  },
  STRANGER,
)
