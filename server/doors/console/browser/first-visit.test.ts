import fastify from 'fastify'
import { expect, onTestFinished } from 'vitest'
import { testInBrowser } from '../../../test/harness/browser.ts'
import { type BuildState, ConsoleBuild } from '../build.ts'
import { consolePages } from '../pages.ts'

testInBrowser('the page of a build reloads by itself, also at the link of an invitation', async (browser) => {
  const { folder } = new ConsoleBuild(false)
  const states: BuildState[] = ['building', 'building']
  const server = fastify()
  consolePages(server, {
    build: { folder, failure: '', look: async () => states.shift() ?? 'missing' },
    isAtSite: async () => false,
  })
  onTestFinished(() => server.close())
  const origin = await server.listen({ host: '127.0.0.1', port: 0 })
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(`${origin}/console/invitation#secret`)
  await page.getByText('The console is being built.').waitFor()
  // The last state, which a build that has failed leaves.
  await page.getByText('The console is not built.').waitFor({ timeout: 100_000 })
  expect(page.url()).toBe(`${origin}/console/invitation#secret`)
  expect(complaints.filter((text) => !/status of 503/.test(text))).toEqual([])
})
