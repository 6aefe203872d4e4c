/**
 * The public portal of buyers, built from its public source with nothing changed but its settings, in a real browser:
 *
 *   node test/buyer-portal/walk.ts --built <folder dist> --data <data of a running sandbox> [--port 4977] [--shots <folder>]
 *     [--who junior,admin] [--platform custom] [--steps invoice,new-quote]
 *
 * Each person of the sandbox signs in on both platforms, opens every page of its menu and some of its records, and fills forms.
 * Fails for each answer with an error, each error of the page and each request to a foreign host but those for fonts. The portal must be
 * built for the address of the sandbox, and for files at `http://localhost:<port>/portal/`. It is in no package registry, so it is not part
 * of `npm test`; without it this says so in one line. `BUYER_PORTAL` and `BUYER_PORTAL_DATA` stand for the two folders.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type FrameLocator, type Page } from 'playwright-core'
import { type Platform, servePortal } from './page-server.ts'

const CHROMIUM = '/usr/bin/chromium'
const SLOW_MS = 90_000
const IDLE_MS = 6_000
/** Hosts of fonts, example pictures and captchas. */
const FOREIGN = /(?:fonts\.(?:googleapis|gstatic)\.com|google\.com|gstatic\.com|bigcommerce\.com)$/

const { values: options } = parseArgs({
  options: {
    built: { type: 'string' },
    data: { type: 'string' },
    port: { type: 'string', default: '4977' },
    shots: { type: 'string', default: 'portal-shots' },
    who: { type: 'string' },
    platform: { type: 'string' },
    steps: { type: 'string' },
  },
})
const built = resolve(options.built ?? process.env.BUYER_PORTAL ?? 'portal')
const data = resolve(options.data ?? process.env.BUYER_PORTAL_DATA ?? 'data')
const missing = missingPart()
if (missing !== undefined) {
  console.error(missing)
  process.exit(1)
}

/** A sentence about the part that the walk lacks. */
function missingPart(): string | undefined {
  if (!existsSync(join(built, 'assets')))
    return `The public portal is not at hand: there is no built one in ${built}. Name its folder dist with --built.`
  if (!existsSync(join(data, 'sandbox.json'))) return `There is no sandbox in ${data}. Name its folder with --data.`
  return existsSync(CHROMIUM) ? undefined : `There is no browser at ${CHROMIUM}.`
}

interface Person {
  email: string
  password: string
}
const sandbox: { base_url: string; store_hash: string; b2b_users: Record<string, Person>; shop: { domain: string } } =
  JSON.parse(await readFile(join(data, 'sandbox.json'), 'utf8'))
const port = Number(options.port)
const failures: string[] = []

/** The pages that every person opens. Those that it may not see lead elsewhere. */
const PAGES = [
  'orders',
  'company-orders',
  'quotes',
  'shoppingLists',
  'purchased-products',
  'quoteDraft',
  'user-management',
  'addresses',
  'accountSettings',
  'company-hierarchy',
  'invoice',
]

async function walk(
  browser: Browser,
  { who, platform, email, password }: Person & { who: string; platform: Platform },
) {
  // The sandbox's own authority signs the address of its shop.
  const context = await browser.newContext({ viewport: { width: 1_300, height: 900 }, ignoreHTTPSErrors: true })
  const page = await context.newPage()
  page.setDefaultTimeout(SLOW_MS)
  let at = 'sign-in'
  const fail = (what: string) => {
    failures.push(`[${platform} ${who} ${at}] ${what}`)
    console.log(`FAILED ${failures.at(-1)}`)
  }
  watch(page, fail, () => at === 'subsidiary')
  const shots = join(options.shots, platform, who)
  await mkdir(shots, { recursive: true })
  let shot = 0
  const settle = async () => {
    // A page that asks again and again is never idle.
    await page.waitForLoadState('networkidle', { timeout: IDLE_MS }).catch(() => {})
    await page.waitForTimeout(1_000)
  }
  const frame = page.frameLocator('iframe').first()
  const wanted = options.steps?.split(',')
  const step = async (name: string, work: () => Promise<unknown>) => {
    if (wanted && name !== 'sign-in' && !wanted.includes(name)) return
    at = name
    await work().catch((error: unknown) => fail(`STEP ${String(error).slice(0, 600)}`))
    await settle()
    const loading = frame.getByText(/^loading/i).first()
    await loading.waitFor({ state: 'hidden' }).catch(() => fail('the page is still loading'))
    await page.screenshot({ path: join(shots, `${String(++shot).padStart(2, '0')}-${name}.png`), timeout: SLOW_MS })
  }
  await step('sign-in', async () => {
    await page.goto(`http://localhost:${port}/?platform=${platform}#/login`, { timeout: SLOW_MS })
    await frame.locator('input[name=emailAddress], input[name=email]').first().fill(email)
    await frame.locator('input[name=password]').first().fill(password)
    await frame
      .getByRole('button', { name: /sign in/i })
      .first()
      .click()
    await frame
      .getByText(/account settings/i)
      .first()
      .waitFor()
  })
  const open = async (path: string) => {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${path}`)}`)
    await settle()
    const text = async () => ((await frame.locator('body').textContent()) ?? '').replaceAll(/\s+/g, ' ')
    if (/loading\.\.\./i.test(await text())) await page.waitForTimeout(5_000)
    console.log(`${platform} ${who} ${path}: ${(await text()).slice(0, 300)}`)
  }
  const form = { page, frame, open, settle, fail }
  for (const [name, work] of Object.entries(BEGINNINGS[who] ?? {})) await step(name, () => work(form))
  for (const path of PAGES) await step(path, () => open(path))
  for (const [list, detail] of [
    ['orders', 'orderDetail'],
    ['quotes', 'quoteDetail'],
    ['shoppingLists', 'shoppingList'],
  ] as const) {
    await step(detail, async () => {
      await open(list)
      // A person without this list is led to another page.
      if (!page.url().includes(`#/${list}`)) return
      const first =
        list === 'shoppingLists'
          ? frame.getByRole('button', { name: /view/i }).first()
          : frame.locator('tbody tr').first()
      if ((await first.count()) === 0) return
      await first.click()
      await settle()
      if (!page.url().includes(detail)) fail(`no ${detail}, but ${page.url()}`)
    })
  }
  for (const [name, fill] of Object.entries(FORMS[who] ?? {})) {
    await step(name, () => fill(form))
  }
  await context.close()
}

/**
 * Refusals that the portal provokes: it asks for the addresses of the company for each user who drafts a quote, and the role of a junior has
 * no code for them; after a request for a quote it deletes the cart of which the quote came, also if there was none; and for an admin who
 * acts for a subsidiary it opens the orders, which the role grants in the own company only.
 */
const isProvoked = (asked: string, body: string, isActing: boolean) =>
  (isActing && body.includes('"code":403}')) ||
  (asked.includes('query Addresses') && body.includes('"path":["addresses"],"extensions":{"code":403}')) ||
  (asked.includes('mutation DeleteCart') && asked.includes('"cartEntityId":""'))

function watch(page: Page, fail: (what: string) => void, isActing: () => boolean) {
  page.on('pageerror', (error) => {
    if (!isActing() || !/does not permit/.test(error.message)) fail(`PAGE ${String(error).slice(0, 400)}`)
  })
  page.on('response', async (response) => {
    const url = new URL(response.url())
    const isOurs = /^(?:(?:.+\.)?localhost|127\.0\.0\.1)$/.test(url.hostname)
    if (!isOurs && !FOREIGN.test(url.hostname)) fail(`foreign host ${url.hostname}`)
    if (!isOurs) return
    const asked = `${response.request().method()} ${url.pathname}`
    // A guest has no token of a customer.
    const isOfGuest = asked === 'GET /customer/current.jwt' && response.status() === 404
    if (response.status() >= 400 && !isOfGuest) fail(`${response.status()} ${asked}`)
    if (!url.pathname.endsWith('graphql')) return
    const body = await response.text().catch(() => '')
    const sent = response.request().postData() ?? ''
    if (body.includes('"errors"') && !isProvoked(sent, body, isActing())) {
      fail(`${asked} ${body.slice(0, 400)} <= ${sent.slice(0, 400)}`)
    }
  })
}

interface Form {
  page: Page
  frame: FrameLocator
  open(path: string): Promise<void>
  settle(): Promise<void>
  fail(what: string): void
}
const stamp = Date.now() % 1_000_000

async function says(frame: FrameLocator, text: RegExp) {
  await frame.getByText(text).first().waitFor()
}
const press = (frame: FrameLocator, name: RegExp) => frame.getByRole('button', { name }).last().click()

async function writeList({ frame, open, settle }: Form) {
  await open('shoppingLists')
  await frame
    .getByRole('button', { name: /create new/i })
    .first()
    .click()
  await frame.locator('[role=dialog] input[name=name]').fill(`Walk ${stamp}`)
  await frame.locator('[role=dialog] textarea').first().fill('From a walk')
  await press(frame, /^save$/i)
  await says(frame, /successfully added/i)
  await settle()
  await frame.getByText(`Walk ${stamp}`).first().waitFor()
}

/** A product of the demo store, by its SKU in the form for quick additions. */
async function addQuickly({ frame, settle }: Form, button: RegExp) {
  await frame.locator('input[name^=sku]').first().fill('PEN-000003')
  await frame.locator('input[name^=qty]').first().fill('2')
  await press(frame, button)
  await settle()
  await frame.getByText('PEN-000003').first().waitFor()
}

async function addToList(form: Form) {
  const { frame, open, settle } = form
  await open('shoppingLists')
  await frame.getByText(`Walk ${stamp}`).first().waitFor()
  await frame.getByRole('button', { name: /view/i }).first().click()
  await settle()
  await addQuickly(form, /add product to list/i)
}

/** Adds a product to the quote, and asks for it. */
async function askForQuote(form: Form) {
  const { frame, open, settle, fail, page } = form
  await open('quoteDraft')
  if ((await frame.locator('input[name^=sku]').count()) === 0) {
    await frame.getByText('Add to quote', { exact: true }).first().click()
    await settle()
  }
  await addQuickly(form, /add products to quote/i)
  await frame
    .getByRole('button', { name: /^submit$/i })
    .first()
    .click()
  await frame
    .getByText(/quote submitted/i)
    .first()
    .waitFor()
  await press(frame, /^ok$/i)
  await settle()
  await open('quotes')
  await frame.locator('tbody tr').first().click()
  await settle()
  if (!/quoteDetail/.test(page.url())) fail(`no quote was asked for: ${page.url()}`)
}

async function writeMessage({ frame, open, settle }: Form) {
  await open('quotes')
  await frame
    .locator('tbody tr', { hasText: /New|Open/ })
    .first()
    .click()
  await settle()
  const message = frame.getByLabel(/type a message/i).first()
  if (!(await message.isVisible())) await frame.getByText('Message', { exact: true }).first().click()
  await message.fill('Can we have it by Friday?')
  await message.press('Enter')
  await settle()
  await says(frame, /by Friday/)
}

async function addAddress({ frame, open, settle }: Form) {
  await open('addresses')
  await press(frame, /add new address/i)
  const fields = {
    label: `Walk ${stamp}`,
    firstName: 'Ann',
    lastName: 'Lee',
    addressLine1: '2 Pier',
    city: 'Aarhus',
    zipCode: '8000',
    phoneNumber: '+45 5550 1111',
  }
  const dialog = frame.locator('[role=dialog]')
  for (const [name, value] of Object.entries(fields)) await dialog.locator(`input[name=${name}]`).fill(value)
  await dialog.locator('[role=combobox], .MuiSelect-select').first().click()
  await frame.getByRole('option', { name: 'Denmark' }).click()
  await settle()
  await dialog
    .getByText(/^shipping$/i)
    .first()
    .click()
  await press(frame, /save address/i)
  await says(frame, /new address is added/i)
}

async function addUser({ frame, open }: Form) {
  await open('user-management')
  await press(frame, /add new user/i)
  const dialog = frame.locator('[role=dialog]')
  await dialog.getByLabel(/user role/i).click()
  await frame.getByRole('option', { name: /junior/i }).click()
  const fields = { Email: `walk${Date.now()}@harbour.example.com`, 'First name': 'Walt', 'Last name': 'Kerr' }
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value)
  await press(frame, /save user/i)
  await says(frame, /successfully|user added/i)
}

async function changeAccount({ frame, open, settle }: Form) {
  await open('accountSettings')
  await frame.getByLabel('Phone number').fill('+45 5550 2222')
  await press(frame, /save updates/i)
  await settle()
}

async function actForSubsidiary({ frame, open, settle }: Form) {
  await open('company-hierarchy')
  const row = frame.getByText('Harbour Cafes West').first()
  await row.hover()
  await frame.locator('[data-testid=MoreHorizIcon]').nth(1).click()
  await frame
    .getByText(/switch company/i)
    .first()
    .click()
  await press(frame, /continue/i)
  await settle()
  await says(frame, /Harbour Cafes West/)
}

/** A super admin chooses a company, and sees its pages from then on. */
async function actForCompany({ frame, open, settle }: Form) {
  await open('dashboard')
  await frame
    .locator('tbody tr', { hasText: 'Harbour Cafes' })
    .first()
    .getByRole('button', { name: /^masquerade$/i })
    .click()
  await settle()
  await says(frame, /end masquerade/i)
  // The pages of the company are in the menu then.
  await says(frame, /company orders/i)
}

async function actForNobody({ frame, open, settle }: Form) {
  await open('dashboard')
  await frame
    .locator('tbody')
    .getByRole('button', { name: /end masquerade/i })
    .first()
    .click()
  await settle()
  await frame
    .getByRole('button', { name: /^masquerade$/i })
    .first()
    .waitFor()
}

/** The payment leads to the checkout of the shop, and the walk comes back. */
async function payInvoice({ page, frame, open, settle, fail }: Form) {
  await open('invoice')
  // The newest invoice of the demo store has a payment under way.
  await frame.locator('tbody tr', { hasText: 'Open' }).nth(1).locator('input[type=checkbox]').click()
  await settle()
  await press(frame, /pay invoices/i)
  await page.waitForURL(/checkout/).catch(() => fail(`no checkout, but ${page.url()}`))
  await settle()
  await page.goBack()
  await settle()
}

type Steps = Readonly<Record<string, Readonly<Record<string, (form: Form) => Promise<void>>>>>

/** The steps of a person before the pages. */
const BEGINNINGS: Steps = {
  super_admin: { dashboard: ({ open }) => open('dashboard'), act: actForCompany },
}

/** The forms of each person, in their order. */
const FORMS: Steps = {
  junior: { 'new-list': writeList, 'list-item': addToList, 'new-quote': askForQuote, message: writeMessage },
  senior: { 'new-list': writeList, 'new-quote': askForQuote },
  custom: { payment: payInvoice },
  other_company: { 'new-list': writeList, 'new-quote': askForQuote, message: writeMessage },
  super_admin: { 'new-list': writeList, 'new-quote': askForQuote, 'end-acting': actForNobody },
  admin: {
    'new-list': writeList,
    'new-quote': askForQuote,
    message: writeMessage,
    'new-address': addAddress,
    'new-user': addUser,
    account: changeAccount,
    payment: payInvoice,
    subsidiary: actForSubsidiary,
  },
}

const pageServer = await servePortal({
  port,
  built,
  api: sandbox.base_url,
  shopHost: `store-${sandbox.store_hash}.${sandbox.shop.domain}`,
  store: sandbox.store_hash,
})
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
try {
  const people = options.who?.split(',') ?? Object.keys(sandbox.b2b_users)
  const platforms = (options.platform?.split(',') ?? ['bigcommerce', 'custom']) as Platform[]
  for (const platform of platforms) {
    for (const who of people) {
      const person = sandbox.b2b_users[who]
      if (!person) throw new Error(`The sandbox has no ${who}.`)
      await walk(browser, { who, platform, ...person })
    }
  }
} finally {
  await browser.close()
  pageServer.close()
}
for (const failure of failures) console.log(failure)
console.log(failures.length === 0 ? 'No request of the portal has failed.' : `${failures.length} failures.`)
if (failures.length > 0) process.exitCode = 1
