import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { Database } from '../../core/db/database.ts'
import { DEFAULT_SCOPES, presets } from '../../stores/accounts/scopes.ts'
import { theHouse } from '../fixtures/shop.ts'
import { administratorOf } from '../harness/administrator.ts'
import { forgetful, neighbours } from './isolation.ts'
import { isBelow, send, theOperations } from './operations.ts'

const operations = await theOperations()

test('every route is in the isolation test of exactly one area', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const areas = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?!test\/|node_modules\/).*\bisolation\.test\.ts$/.test(file),
  )
  // Each calls `describeIsolation(await operationsOf('/hooks'))` once, with the beginnings of its paths.
  const places = areas.flatMap((file) => {
    const [, list = ''] =
      /^describeIsolation\(\s*await operationsOf\(([^)]+)\),?\s*\)$/m.exec(readFileSync(`${root}/${file}`, 'utf8')) ??
      []
    return [...list.matchAll(/'([^']+)'/g)].map(([, place = '']) => place)
  })
  const covered = operations.map(({ name, template }) => [
    name,
    places.filter((place) => isBelow(template, place)).length,
  ])
  expect(covered.filter(([, times]) => times !== 1)).toEqual([])
  expect(places.filter((place) => !operations.some(({ template }) => isBelow(template, place)))).toEqual([])
  expect(areas.length).toBeGreaterThan(1)
})

test('every route with a body has an example of it', () => {
  expect(operations.filter(({ example }) => example === undefined).map(({ name }) => name)).toEqual([])
  expect(operations.length).toBeGreaterThan(20)
})

test('every route requires a scope', () => {
  expect(operations.filter(({ scopes }) => scopes.length === 0).map(({ name }) => name)).toEqual([])
})

test('a read scope opens no write, except for searches that are sent as POST', () => {
  const readable = new Set<string>(presets.read_only.filter((scope) => !DEFAULT_SCOPES.some((name) => name === scope)))
  const writes = operations.filter(({ method }) => method === 'PUT' || method === 'DELETE')
  expect(writes.filter(({ scopes }) => scopes.some((scope) => readable.has(scope)))).toEqual([])
})

test('the policies keep the stores apart: as a role without them the forgetful server finds everything', async () => {
  const operation = operations.find(({ name }) => name === 'GET /catalog/brands/:brand_id')
  if (!operation) throw new Error('There is no route for one brand.')
  const { here, foreign } = await neighbours([operation])
  const { accounts, directory } = (await theHouse()).installation
  const cell = directory.cellOf(here.store)
  const powerful = new Database(administratorOf(here.store), { engine: cell.api.engine })
  vi.spyOn(cell.api, 'of').mockImplementation((store) => forgetful(powerful.of(store)))
  const ids = await foreign.idsFor(operation)
  // A new token: the server has cached the databases of the others.
  const as = await accounts.create(here.store.hash, 'new', ['all'])
  expect(await send(here, operation, ids, { as })).toMatchObject({ status: 200, body: { data: { id: ids.brand_id } } })
  vi.restoreAllMocks()
  await powerful.close()
})
