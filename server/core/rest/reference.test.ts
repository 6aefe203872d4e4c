import { describe, expect, test } from 'vitest'
import { theHouse } from '../../test/shop.ts'

async function get(url: string) {
  const { server } = await theHouse()
  const answer = await server.inject({ url })
  return { status: answer.statusCode, headers: answer.headers, body: answer.body }
}

describe('the reference page', () => {
  test('is made from the document of this server, and everything else that it loads is on this server too', async () => {
    const { headers } = await get('/docs')
    const page = await get(String(headers.location ?? '/docs/'))
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
      expect(script.body.length).toBeGreaterThan(1_000_000)
    }
  })

  test('has a request id like every answer, and what is not there is 404', async () => {
    const { status, headers } = await get('/docs/nothing')
    expect(status).toBe(404)
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{32}$/)
  })
})
