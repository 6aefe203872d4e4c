import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openShop, theHouse } from '../../../../test/fixtures/shop.ts'
import { EXPLANATIONS } from './explanations.ts'

const page = async () => (await theHouse()).server.inject({ url: '/docs/errors' })

test('the type of a refusal leads to its explanation', async () => {
  const { call } = await openShop()
  const { status, body } = await call('GET', '/catalog/brands/999')
  const { pathname, hash } = new URL(body.type)
  expect([pathname, hash]).toEqual(['/docs/errors', `#${status}`])
  const { statusCode, headers, body: text } = await page()
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; /)
  expect(text).toContain(`<section id="${status}"><h2>404 Not Found</h2>`)
  expect(text).toContain('&#34;title&#34;: &#34;The brand 77 does not exist.&#34;')
})

test('each status that the server refuses with is explained', async () => {
  const root = new URL('../../../../', import.meta.url)
  const sources = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts', 'node_modules/**', 'test/**'] })
  const used = sources.flatMap((file) =>
    [...readFileSync(new URL(file, root), 'utf8').matchAll(/(?:Problem|endWith|refusalOf)\([^)]*?\b([45]\d\d)\b/g)].map(
      ([, status]) => status,
    ),
  )
  expect(used.length).toBeGreaterThan(100)
  expect([...new Set(used)].filter((status) => !(Number(status) in EXPLANATIONS))).toEqual([])
})
