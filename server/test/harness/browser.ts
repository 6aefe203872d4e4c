import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { test } from 'vitest'

const CHROMIUM = '/usr/bin/chromium'

/**
 * A test in a real browser. Nothing downloads one: on a machine without a browser the test is skipped, with a title
 * that says so in CI.
 */
export function testInBrowser(name: string, work: (browser: Browser) => Promise<void>) {
  const isThere = existsSync(CHROMIUM)
  if (!isThere && process.env.CI) console.warn(`NOT TESTED, for there is no ${CHROMIUM}: ${name}`)
  test.skipIf(!isThere)(`${name} (needs ${CHROMIUM})`, { timeout: 300_000 }, async () => {
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
    try {
      await work(browser)
    } finally {
      await browser.close()
    }
  })
}
