import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, test } from 'vitest'

const CHROMIUM = '/usr/bin/chromium'

let launched: Promise<Browser> | undefined

/**
 * A test in a real browser. The tests of a file share one; each begins without pages and cookies. Nothing downloads one: on a machine without
 * a browser the test is skipped, with a title that says so in CI.
 */
export function testInBrowser(name: string, work: (browser: Browser) => Promise<void>) {
  const isThere = existsSync(CHROMIUM)
  if (!isThere && process.env.CI) console.warn(`NOT TESTED, for there is no ${CHROMIUM}: ${name}`)
  afterAll(closeBrowser)
  test.skipIf(!isThere)(`${name} (needs ${CHROMIUM})`, { timeout: 300_000 }, async () => {
    const browser = await openBrowser()
    try {
      await work(browser)
    } finally {
      await Promise.all(browser.contexts().map((context) => context.close()))
    }
  })
}

async function openBrowser(): Promise<Browser> {
  const open = await launched
  if (open?.isConnected()) return open
  launched = chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  return launched
}

async function closeBrowser() {
  const open = await launched
  launched = undefined
  await open?.close()
}
