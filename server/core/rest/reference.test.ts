import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { openPort } from '../../../test/port.ts'
import { theHouse } from '../../test/shop.ts'

const CHROMIUM = '/usr/bin/chromium'

async function get(url: string, headers: Record<string, string> = {}) {
  const { server } = await theHouse()
  const answer = await server.inject({ url, headers })
  return { status: answer.statusCode, headers: answer.headers, body: answer.body, bytes: answer.rawPayload }
}

describe('the reference page', () => {
  test('is made from the document of this server, and everything else that it loads is on this server too', async () => {
    const { headers, status } = await get('/docs')
    expect([status, headers.location]).toEqual([301, '/docs/'])
    const page = await get('/docs/')
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toMatch(/^text\/html/)
    expect(page.body).toContain('/openapi.json')
    const scripts = [...page.body.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, src = '']) => src)
    expect(scripts.length).toBeGreaterThan(0)
    for (const src of scripts) {
      const script = await get(new URL(src, 'http://shop.test/docs/').pathname)
      expect(new URL(src, 'http://shop.test/docs/').host).toBe('shop.test')
      expect(script.status).toBe(200)
      expect(script.headers['content-type']).toMatch(/javascript/)
      expect(script.bytes.length).toBeGreaterThan(1_000_000)
    }
  })

  test('may load from this server only, and be shown in no other page', async () => {
    const { headers } = await get('/docs/')
    const rules = String(headers['content-security-policy']).split('; ')
    expect(rules).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "connect-src 'self'",
        "font-src 'self' data:",
        "frame-ancestors 'none'",
      ]),
    )
    expect(rules.join()).not.toMatch(/https?:|\*/)
  })

  test('has nothing of what its maker sells', async () => {
    const { body } = await get('/docs/')
    for (const off of [/"telemetry": false/, /"agent": \{\s*"disabled": true/, /"mcp": \{\s*"disabled": true/]) {
      expect(body).toMatch(off)
    }
    expect(body).toContain('"hideClientButton": true')
    expect(body).toContain('"withDefaultFonts": false')
  })

  test('is compressed once, and not sent again to who has it', async () => {
    const { headers, bytes } = await get('/docs/js/scalar.js', { 'accept-encoding': 'gzip' })
    expect(headers['content-encoding']).toBe('gzip')
    expect(bytes.length).toBeLessThan(1_500_000)
    const again = await get('/docs/js/scalar.js', { 'if-none-match': String(headers.etag) })
    expect([again.status, again.body]).toEqual([304, ''])
  })

  test('has a request id like every answer, and what is not there is 404', async () => {
    const { status, headers } = await get('/docs/nothing')
    expect(status).toBe(404)
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
  })

  // Nothing downloads a browser for this: where there is none, the tests above have to do.
  test.skipIf(!existsSync(CHROMIUM))(
    `in a browser shows operations by their sentences, and asks nobody else (needs ${CHROMIUM})`,
    { timeout: 120_000 },
    async () => {
      const port = await openPort()
      const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
      try {
        const page = await browser.newPage()
        const requests: string[] = []
        const complaints: string[] = []
        page.on('request', (request) => requests.push(request.url()))
        page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
        await page.goto(`${port.origin}/docs`, { waitUntil: 'commit' })
        await page.click('button:has-text("Brands")', { timeout: 60_000 })
        await page.click('text=Create a brand')
        await page.waitForSelector('h3:has-text("Create a brand")')
        for (const vendor of ['Ask AI', 'Generate MCP', 'Deploy', 'Share', 'Powered by', 'Open API Client']) {
          expect(await page.getByText(vendor).filter({ visible: true }).count(), vendor).toBe(0)
        }
        const paths = requests.filter((url) => !url.startsWith('data:')).map((url) => url.replace(port.origin, ''))
        expect(paths.toSorted()).toEqual(['/docs', '/docs/', '/docs/js/scalar.js', '/openapi.json'])
        expect(complaints).toEqual([])
      } finally {
        await browser.close()
        port.close()
      }
    },
  )
})
