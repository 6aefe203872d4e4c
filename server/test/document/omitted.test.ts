import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ApiDocument } from '../../core/rest/document/document.ts'
import { OMITTED_KEPT } from '../../core/rest/document/omitted.ts'
import { openShop } from '../fixtures/shop.ts'
import { Maker, type Operation, send, theOperations } from './operations.ts'

// The document says of a PUT whether fields that its body omits stay. A resource gets all fields of the example, and then a body with one of them:
// nothing changes.

const { paths }: ApiDocument = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))

/** Operations of which the document promises it, as `PUT /v3/catalog/brands/1`. */
const promised = new Set(
  Object.entries(paths).flatMap(([path, { put }]) =>
    put?.description?.includes(OMITTED_KEPT) ? [path.replace(/^\/stores\/\{store_hash\}|^\/b2b\/api/, '')] : [],
  ),
)

const pathOf = ({ version, template }: Operation) =>
  `${version === 'b2b' ? '' : `/${version}`}${template.replaceAll(/:(\w+)/g, '{$1}')}`

const all = await theOperations()
const readerOf = ({ version, template }: Operation) =>
  all.find((one) => one.method === 'GET' && one.version === version && one.template === template)

const changes = all.filter((one) => one.method === 'PUT' && one.example && promised.has(pathOf(one)))

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The ids of a body and the first field that is none. */
function partOf(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(partOf)
  if (!isObject(body)) return body
  const entries = Object.entries(body)
  const ids = entries.filter(([name]) => isId(name))
  return Object.fromEntries([...ids, ...entries.filter(([name]) => !isId(name)).slice(0, 1)])
}

const isId = (name: string) => name === 'id' || name.endsWith('_id')

/** An answer without the time and the number of its change. */
const withoutVersion = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value) => (/modified|updated|^version$/i.test(name) ? undefined : value))

describe('fields that a body omits stay', () => {
  test.each(changes.map((operation) => ({ operation, name: `${operation.version} ${operation.name}` })))(
    '$name',
    async ({ operation }) => {
      const reader = readerOf(operation)
      if (!reader) return
      const shop = await openShop()
      const maker = new Maker(shop, all)
      const ids = await maker.prepare(operation)
      const body = await maker.bodyFor(operation)
      const whole = await send(shop, operation, ids, { body })
      expect(whole.status, whole.text).toBeLessThan(300)
      const before = await send(shop, reader, ids)
      const part = await send(shop, operation, ids, { body: partOf(body) })
      expect(part.status, part.text).toBeLessThan(300)
      expect(withoutVersion((await send(shop, reader, ids)).body)).toEqual(withoutVersion(before.body))
    },
  )

  test('a read shows it of all operations but one', () => {
    expect(changes.length).toBe(promised.size)
    expect(changes.filter((one) => !readerOf(one)).map(({ name }) => name)).toEqual([
      'PUT /carts/:cart_id/items/:item_id',
    ])
  })
})
