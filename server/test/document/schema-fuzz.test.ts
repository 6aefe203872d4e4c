import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { openShop, type Shop } from '../fixtures/shop.ts'
import { document } from './document.ts'
import { isBelow, Maker, type Operation, send, theOperations } from './operations.ts'
import { sized } from './sized.ts'

// Bodies that are made from openapi.json alone: those that it allows must be accepted or refused for a reason that a schema can't
// express, and those that it forbids must be refused. What was deleted is unknown.

/** Beginnings of the paths of content. */
const CONTENT = [
  '/content',
  '/pages',
  '/blog',
  '/redirects',
  '/storefront/redirects',
  '/storefront/custom-template-associations',
]

/** Statuses of answers to bodies that the document allows. A body may name what does not exist, and a limit may be reached. */
const ALLOWED = [200, 201, 204, 207, 400, 403, 404, 409, 413, 422, 429]
/** Statuses of answers to bodies that the document forbids. */
const REFUSALS = [400, 413, 422]

interface Facts {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Facts[]
  properties?: Record<string, Facts>
  required?: string[]
  items?: Facts
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  format?: string
}

const TEXTS = fc.constantFrom(
  'a',
  'About us',
  '/a',
  'https://a.example/',
  'ü😀',
  "' or 1=1 --",
  '{{name}}',
  '<b>',
  '  x  ',
)

/** Values of a schema of the document. Some break its patterns; the validator sorts them out. */
function valuesOf(schema: Facts): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf))
  const types = [schema.type ?? 'object'].flat()
  return fc.oneof(...types.map((type) => valuesOfType(type, schema)))
}

function valuesOfType(type: string, schema: Facts): fc.Arbitrary<unknown> {
  const { minimum = -1_000, maximum = 1_000, minLength = 0, maxLength = 1_000 } = schema
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.oneof(
        fc.integer({ min: Math.max(minimum, -5), max: Math.min(maximum, 5) }),
        fc.constantFrom(minimum, maximum),
      )
    case 'number':
      return fc.constantFrom(minimum, maximum, Math.max(minimum, 0.01))
    case 'string':
      if (schema.format === 'date-time') return fc.constant('2026-05-14T09:34:00Z')
      return fc.oneof(
        TEXTS,
        fc.constantFrom(minLength, Math.min(maxLength, 70_000)).map((length) => 'x'.repeat(length)),
      )
    case 'array': {
      const { items = {}, minItems = 0, maxItems = 3 } = schema
      return fc.array(valuesOf(items), { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 3)) })
    }
    default: {
      const required = schema.required ?? []
      const fields = Object.entries(schema.properties ?? {})
      return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valuesOf(field)])), {
        requiredKeys: required,
        noNullPrototype: true,
      })
    }
  }
}

/** Values of other types and beyond bounds, which replace one value of a body. */
const WRONG = fc.constantFrom<unknown>(null, true, -1, 1.5, 2 ** 31, 2 ** 53, '', 'x'.repeat(70_000), [], {}, [null], {
  a: 1,
})

/** The paths of all values in a body. */
function pathsIn(body: unknown, path: string[] = []): string[][] {
  if (typeof body !== 'object' || body === null) return [path]
  return [path, ...Object.entries(body).flatMap(([key, value]) => pathsIn(value, [...path, key]))]
}

function replaced(body: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(body)) return body.map((item, i) => (String(i) === key ? replaced(item, rest, value) : item))
  return { ...Object(body), [key]: replaced(Reflect.get(Object(body), key), rest, value) }
}

function bodySchemaOf({ method, version, template }: Operation): TSchema | undefined {
  const path = `/stores/{store_hash}/${version}${template.replaceAll(/:(\w+)/g, '{$1}')}`
  return document.paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json']?.schema
}

const operations = (await theOperations()).filter(({ template }) => CONTENT.some((place) => isBelow(template, place)))
const writes = operations.filter((operation) => operation.example?.body !== undefined && bodySchemaOf(operation))

/** A shop with the resources that an operation needs. */
async function prepare(operation: Operation) {
  const shop: Shop = await openShop()
  const all = (await theOperations()).filter(({ example }) => example !== undefined)
  const maker = new Maker(shop, all)
  const ids = await maker.prepare(operation)
  return { shop, ids, example: await maker.bodyFor(operation) }
}

/** The example of an operation with another value of one field. */
function changedExample(example: unknown, schema: Facts): fc.Arbitrary<unknown> {
  const item = schema.items ?? schema.anyOf?.[0] ?? schema
  const fields = Object.entries(item.properties ?? schema.properties ?? {})
  const place = Array.isArray(example) ? ['0'] : []
  if (fields.length === 0) return fc.constant(example)
  return fc.oneof(
    ...fields.map(([name, field]) => valuesOf(field).map((value) => replaced(example, [...place, name], value))),
  )
}

test.each(writes.map((operation) => [`${operation.version} ${operation.name}`, operation] as const))(
  'C-123, C-121: bodies made from the document are accepted or refused as it says by %s',
  async (_, operation) => {
    const schema = bodySchemaOf(operation)
    if (!schema) throw new Error(`${operation.name} has no body in the document.`)
    const validator = Compile(schema)
    const { shop, ids, example } = await prepare(operation)
    const body = fc.oneof(valuesOf(schema), changedExample(example, schema))
    const broken = fc.tuple(body, fc.nat(), WRONG).map(([whole, at, value]) => {
      const paths = pathsIn(whole)
      return replaced(whole, paths[at % paths.length] ?? [], value)
    })
    const counts = { allowed: 0, forbidden: 0 }
    await fc.assert(
      fc.asyncProperty(fc.oneof(body, broken), async (drawn) => {
        // As a client sends it: a key without a value is missing.
        const input: unknown = JSON.parse(JSON.stringify(drawn))
        const isAllowed = validator.Check(input)
        const { status } = await send(shop, operation, ids, { body: input })
        counts[isAllowed ? 'allowed' : 'forbidden']++
        expect(
          isAllowed ? ALLOWED : REFUSALS,
          isAllowed ? 'the document allows it' : 'the document forbids it',
        ).toContain(status)
      }),
      { numRuns: sized(1_000, 40), endOnFailure: true },
    )
    expect(Math.min(counts.allowed, counts.forbidden)).toBeGreaterThan(0)
  },
  sized(3_600_000, 120_000),
)

const deletions = operations.filter(({ method, template }) => method === 'DELETE' && /:\w+$/.test(template))

test.each(deletions.map((operation) => [`${operation.version} ${operation.name}`, operation] as const))(
  'C-123: after %s its path is 404 for reads, changes and another deletion',
  async (_, operation) => {
    const { shop, ids } = await prepare(operation)
    const ofPath = operations.filter(
      ({ template, version }) => template === operation.template && version === operation.version,
    )
    expect((await send(shop, operation, ids)).status).toBe(204)
    for (const later of ofPath) expect([later.name, (await send(shop, later, ids)).status]).toEqual([later.name, 404])
  },
)
