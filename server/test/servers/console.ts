import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pino } from 'pino'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { ConsoleBuild } from '../../doors/console/build.ts'
import { createApp } from '../../process/app.ts'
import { readConfig } from '../../process/config.ts'
import { theHouse } from '../fixtures/shop.ts'
import { SECRET } from '../harness/postgres.ts'
import { address, PASSWORD, people } from './people.ts'

const PHONE = { width: 360, height: 740 }
export const DESKTOP = { width: 1280, height: 900 }
/** A busy machine takes this long for a page. */
export const PATIENCE_MS = 100_000
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Requests to other hosts and complaints of the browser, from now on. */
export function overhear(context: BrowserContext, origin: string) {
  const heard = { foreign: [] as string[], complaints: [] as string[] }
  context.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob|about):/.test(request.url()))
      heard.foreign.push(request.url())
  })
  context.on('console', (message) => {
    // The browser reports refused requests, which the console shows to the person.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) heard.complaints.push(message.text())
  })
  context.on('weberror', (error) => heard.complaints.push(error.error().message))
  return heard
}

/** Expects that the page has no fault that axe-core finds, in light and dark, and doesn't scroll sideways on a phone. */
export async function expectAccessible(page: Page) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // The policy of the console forbids a script in the page, but not this one of the debugger.
    await page.evaluate(axe)
    const faults = await page.evaluate<
      string[]
    >(`axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] })
      .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`)
    expect(faults, `${page.url()} in ${colorScheme}`).toEqual([])
  }
  await page.setViewportSize(PHONE)
  // Plots follow the width of the window in the next frame.
  await expect
    .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: page.url() })
    .toBeLessThanOrEqual(PHONE.width)
  await page.setViewportSize(DESKTOP)
}

/** The console of a server of its own, at a name that browsers accept cookies for. */
export async function openConsole() {
  const { installation, files } = await theHouse()
  const build = new ConsoleBuild(true)
  await build.look()
  await build.wait()
  expect(await build.look(), build.failure).toBe('ready')
  const config = readConfig({ SECRET, TEST_STORES: 'true' })
  const app = await createApp({ ...installation, files, log: pino({ level: 'silent' }) }, config, 'http://127.0.0.1')
  const address = await app.server.listen({ host: '127.0.0.1', port: 0 })
  return { origin: address.replace('127.0.0.1', 'localhost'), close: () => app.server.close() }
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

/** A browser whose person has accepted an invitation as owner. */
export async function openSignedIn(browser: Browser, origin: string) {
  const context = await browser.newContext({ viewport: DESKTOP })
  context.setDefaultTimeout(PATIENCE_MS)
  const heard = overhear(context, origin)
  const page = await context.newPage()
  await acceptInvitation(page, origin, (await invite()).token)
  return { page, heard }
}
