import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// Parameters and fields without a sentence in the API document. Their numbers may only fall. Lower them here when they do.
const PARAMETERS_WITHOUT = 80
const FIELDS_WITHOUT = 191

interface Parameter {
  name?: string
  description?: string
  schema?: { description?: string }
}
interface Document {
  paths: Record<string, Record<string, { parameters: Parameter[] }>>
  components: { schemas: Record<string, { description?: string }> }
}

const document: Document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))

test('nearly all parameters have a sentence', () => {
  const parameters = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => operation.parameters.filter(({ name }) => name !== undefined))
  const without = parameters.filter(({ description, schema }) => (description ?? schema?.description) === undefined)
  expect(without.length).toBeLessThanOrEqual(PARAMETERS_WITHOUT)
  expect(without.length / parameters.length).toBeLessThan(0.05)
})

test('the number of fields without a sentence only falls', () => {
  let count = 0
  let without = 0
  const walk = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    if ('properties' in value && typeof value.properties === 'object') {
      for (const field of Object.values(value.properties ?? {})) {
        count++
        if (!hasSentence(field)) without++
      }
    }
    for (const part of Object.values(value)) walk(part)
  }
  const hasSentence = (field: { description?: string; $ref?: string }) =>
    (field.description ?? document.components.schemas[field.$ref?.split('/').at(-1) ?? '']?.description) !== undefined
  walk(document.components.schemas)
  expect(count).toBeGreaterThan(5_000)
  expect(without).toBeLessThanOrEqual(FIELDS_WITHOUT)
  expect(without / count).toBeLessThan(0.2)
})
