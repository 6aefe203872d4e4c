import type { ApiDocument, Components, JsonSchema } from './document.ts'
import { groupSentence } from './sentences/sentences.ts'
import { describeField } from './vocabulary.ts'

/**
 * Gives each field its sentence. The one of its schema counts most, then one for its component (`sentences/`), then one for its name in the
 * whole API (`vocabulary.ts`).
 */
export function describeFields({ paths, components }: { paths: ApiDocument['paths']; components: Components }) {
  for (const [name, schema] of Object.entries(components.schemas)) describeIn(schema, name, name)
  describeIn(paths, '', '')
}

/**
 * Describes the properties of a schema and of all schemas in it.
 * @param parent the field that the schema belongs to, or the component
 */
function describeIn(schema: unknown, component: string, parent: string) {
  if (typeof schema !== 'object' || schema === null) return
  for (const [word, part] of Object.entries(schema)) {
    if (word === 'properties' && isSchema(part)) {
      for (const [name, field] of Object.entries(part)) {
        if (!isSchema(field)) continue
        describeIn(field, component, name)
        if (field.description !== undefined) continue
        const own = component === '' ? undefined : groupSentence(component, parent, name)
        const description = own ?? describeField(name, field, part)
        if (description !== undefined) part[name] = { ...field, description }
      }
    } else describeIn(part, component, parent)
  }
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
