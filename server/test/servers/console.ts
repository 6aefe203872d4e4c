import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pino } from 'pino'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, expect } from 'vitest'
import { examine } from '../../commands/doctor/examine.ts'
import { ConsoleBuild } from '../../doors/console/build.ts'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { theHouse } from '../fixtures/shop.ts'
import { testInBrowser } from '../harness/browser.ts'
import { SECRET } from '../harness/postgres.ts'
import { address, join, PASSWORD, people } from './people.ts'

const PHONE = { width: 360, height: 740 }
const DESKTOP = { width: 1280, height: 900 }
/** A busy machine takes this long for a page. */
const PATIENCE_MS = 100_000
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Requests to other hosts that may have left the browser, and complaints of the browser, from now on. */
function overhear(context: BrowserContext, origin: string) {
  const foreign = new Set<Request>()
  const complaints: string[] = []
  context.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob|about):/.test(request.url())) foreign.add(request)
  })
  context.on('requestfailed', (request) => {
    // The policy of the console has blocked it.
    if (/csp/i.test(request.failure()?.errorText ?? '')) foreign.delete(request)
  })
  context.on('console', (message) => {
    // The browser reports refused requests, which the console shows to the person.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  context.on('weberror', (error) => complaints.push(error.error().message))
  return { foreign, complaints }
}

/** A page on a desktop in light colours and on a phone in dark ones: contrast does not depend on the width, nor the layout on colours. */
const LOOKS = [
  { colorScheme: 'light', size: DESKTOP },
  { colorScheme: 'dark', size: PHONE },
] as const

/** Expects that axe-core finds no fault of the page in light, in dark and on a phone, where it doesn't scroll sideways. */
export async function expectAccessible(page: Page) {
  for (const { colorScheme, size } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    // Plots follow the width of the window in the next frame.
    await expect
      .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: page.url() })
      .toBeLessThanOrEqual(size.width)
    // The policy of the console forbids a script in the page, but not this one of the debugger.
    await page.evaluate(`window.axe ?? (() => { ${axe} })()`)
    const faults = await page.evaluate<
      string[]
    >(`axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`)
    expect(faults, `${page.url()} in ${colorScheme}, ${size.width} px wide`).toEqual([])
  }
  await page.setViewportSize(DESKTOP)
}

/** Records the messages of a page, because each of them vanishes after some seconds. */
const RECORD_MESSAGES = `
  window.messages = []
  new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof Element)) continue
      const found = [node, ...node.querySelectorAll('*')].filter((one) => one.matches('.mantine-Notification-root'))
      messages.push(...found.map(({ textContent }) => textContent))
    }
  }).observe(document, { childList: true, subtree: true })`

/** Waits for a message of the console, also if it has vanished meanwhile. Earlier messages don't count afterwards. */
export async function expectMessage(page: Page, message: string) {
  const take = `(() => {
    const at = messages.findIndex((text) => text.includes(${JSON.stringify(message)}))
    return at >= 0 && messages.splice(0, at + 1).length > 0
  })()`
  await expect.poll(() => page.evaluate(take), { message }).toBe(true)
}

let opened: ReturnType<typeof openConsole> | undefined

/** The console of a server of its own, at a name that browsers accept cookies for. */
async function openConsole() {
  const { installation, files } = await theHouse()
  const build = new ConsoleBuild(true)
  await build.look()
  await build.wait()
  expect(await build.look(), build.failure).toBe('ready')
  const config = readConfig({ SECRET, TEST_STORES: 'true' })
  const parts = {
    ...installation,
    files,
    log: pino({ level: 'silent' }),
    examine: () => examine({ SECRET, PORT: '0' }),
  }
  const app = await createApp(parts, config, 'http://127.0.0.1')
  const address = await app.server.listen({ host: '127.0.0.1', port: 0 })
  return { origin: address.replace('127.0.0.1', 'localhost'), close: () => app.server.close() }
}

async function closeConsole() {
  const site = await opened
  opened = undefined
  await site?.close()
}

interface Visit {
  browser: Browser
  context: BrowserContext
  page: Page
  /** The address of the server. */
  origin: string
}

interface VisitOptions {
  /** Whether the browser has the session of an owner, whose e-mail address nobody knows. */
  isSignedIn?: boolean
  /** Complaints of the browser that the test expects. */
  complaint?: RegExp
}

/**
 * A test of the console in a browser. The tests of a file share the browser and the server. No test sends a request to another host, and
 * the browser complains about none.
 */
export function testConsole(
  name: string,
  work: (visit: Visit) => Promise<void>,
  { isSignedIn = true, complaint }: VisitOptions = {},
) {
  afterAll(closeConsole)
  testInBrowser(name, async (browser) => {
    opened ??= openConsole()
    const { origin } = await opened
    // On a busy machine dialogs would be looked at while they fade in, when their contrast is poor.
    const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce' })
    context.setDefaultTimeout(PATIENCE_MS)
    if (isSignedIn) {
      const [name = '', value = ''] = (await join('owner')).cookie.split('=')
      await context.addCookies([{ name, value, domain: 'localhost', path: '/operator', sameSite: 'Strict' }])
    }
    await context.addInitScript(RECORD_MESSAGES)
    const heard = overhear(context, origin)
    const page = await context.newPage()
    await work({ browser, context, page, origin }).catch(async (error: Error) => {
      const tree = await page.locator('body').ariaSnapshot().catch(String)
      error.message += `\nThe page at ${page.url()} showed:\n${tree}`
      throw error
    })
    expect(heard.complaints.filter((text) => !complaint?.test(text))).toEqual([])
    // The browser reports that it has blocked a request a moment after the request.
    await expect.poll(() => [...heard.foreign].map((request) => request.url())).toEqual([])
  })
}

/** Invites an owner. */
export const invite = () => people.invite({ email: address(), role: 'owner' })

/** Accepts an invitation in a browser. */
export async function acceptInvitation(page: Page, origin: string, token: string) {
  await page.goto(`${origin}/console/invitation#${token}`)
  await page.getByLabel('Your name').fill('Ada')
  await page.locator('input[type=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByRole('heading', { name: 'Stores' }).waitFor()
}
