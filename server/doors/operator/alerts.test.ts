import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { ServiceCalls } from '../../core/net/service-calls.ts'
import { theHouse } from '../../test/fixtures/shop.ts'
import { watching } from '../../test/harness/watch.ts'
import { observeLog } from '../powers/request-log.ts'
import { observeJobs } from './jobs.ts'
import { observe, observeWebhooks } from './observe.ts'
import { observeServices } from './services.ts'
import { observeSpace } from './space.ts'

// docs/alerts.md, with the rules and the dashboard that belong to it.

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const page = read('docs/alerts.md')
const rules = read('deploy/alerts.yml')
const dashboard = read('deploy/dashboard.json')

/** The metrics that a process of any role prints. */
async function printed(): Promise<Set<string>> {
  const { installation } = await theHouse()
  const registry = observe(fastify(), installation.databases)
  const nothing = { attempts: new Map(), successRatios: () => new Map() }
  observeWebhooks(registry, { look: async () => ({ events: 0, lanes: 0, oldestSeconds: 0 }) }, nothing)
  observeJobs(registry, { look: async () => new Map() }, { running: () => new Map(), attempts: () => [] })
  observeSpace(registry, async () => 0)
  observeServices(registry, new ServiceCalls())
  observeLog(registry, { counts: { written: 0, dropped: 0 } })
  const metrics = await registry.getMetricsAsJSON()
  return new Set(
    metrics.flatMap(({ name, type }) =>
      String(type) === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
}

test.each([
  ['docs/alerts.md', page],
  ['deploy/alerts.yml', rules],
  ['deploy/dashboard.json', dashboard],
])('%s names metrics that there are', async (_, text) => {
  const named = new Set([...text.matchAll(/\b(?:storeward|nodejs|process)_[a-z0-9_]+\b/g)].map(([name]) => name))
  expect(named.size).toBeGreaterThan(10)
  expect([...named.difference(await printed())]).toEqual([])
})

test('the page describes each alert with the text of its rule', () => {
  const described = [...page.matchAll(/^\| (\w+) \| `(.+?)` \| (\w+) \| (\w+) \| (.+?) \|/gm)].map(
    ([, ...cells]) => cells,
  )
  const ruled = [
    ...rules.matchAll(
      /- alert: (\w+)\n +expr: (.+)\n +for: (\w+)\n +labels: \{ severity: (\w+) \}\n +annotations:\n +summary: "(.+)"\n/g,
    ),
  ].map(([, ...cells]) => cells)
  expect(ruled.length).toBeGreaterThan(10)
  expect(described).toEqual(ruled)
})

test('the dashboard is JSON with a place for each panel, and shows every metric with an alert', () => {
  const { panels }: { panels: { title: string; gridPos: { x: number; y: number }; targets: { expr: string }[] }[] } =
    JSON.parse(dashboard)
  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length)
  const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n')
  for (const [name] of rules.matchAll(/\bstoreward_[a-z_]+\b/g)) expect(shown).toContain(name)
})

test('a route in the labels has no pattern in it', async () => {
  const { server, routes } = await theHouse()
  expect(routes.some(({ url }) => url.includes('('))).toBe(true)
  await server.inject('/stores/abcde/v3/catalog/brands/1')
  const { body } = await server.inject({ url: '/metrics', headers: watching })
  expect(body).toMatch(/route="\/stores\/:store_hash\/v3\/catalog\/brands\/:\w+"/)
  expect(body.match(/route="[^"]*[(\\][^"]*"/g)).toBeNull()
})
