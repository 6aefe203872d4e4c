import { readFile } from 'node:fs/promises'
import { packagePath } from '../../../../core/package.ts'

// Reads the definitions of a schema file for pages. The GraphQL engine would do that too, and take 35 MiB of memory for it.

export const GRAPHQL_SCHEMAS = {
  storefront: { title: 'GraphQL of storefronts', path: 'storefrontSchema', guide: 'storefront-graphql' },
  buyers: { title: 'GraphQL of buyers', path: 'buyersSchema', guide: 'b2b-graphql' },
} as const

export type SchemaName = keyof typeof GRAPHQL_SCHEMAS

export const isSchemaName = (name: string): name is SchemaName => Object.hasOwn(GRAPHQL_SCHEMAS, name)

export interface SdlField {
  name: string
  /** As the schema writes them, without parentheses; empty without arguments. */
  args: string
  /** Empty for a value of an enum. */
  type: string
  description: string
}

export interface SdlDefinition {
  kind: string
  name: string
  /** The text after the name: interfaces of a type, or members of a union. */
  head: string
  description: string
  fields: SdlField[]
}

export const readDefinitions = async (name: SchemaName): Promise<SdlDefinition[]> =>
  definitionsIn(await readFile(packagePath(GRAPHQL_SCHEMAS[name].path), 'utf8'))

const KINDS = /^(type|interface|input|enum|union|scalar) (\w+)(.*)$/

/** The definitions of a formatted schema, in its order. Directives are left out. */
function definitionsIn(text: string): SdlDefinition[] {
  const definitions: SdlDefinition[] = []
  let description = ''
  let last: SdlDefinition | undefined
  let field = ''
  let says = ''
  for (const line of text.split('\n')) {
    const [, kind = '', name = '', head = ''] = KINDS.exec(line) ?? []
    if (kind !== '') {
      last = { kind, name, head: head.replace(/\{\s*$/, '').trim(), description, fields: [] }
      definitions.push(last)
      description = ''
    } else if (/^"/.test(line)) description = line.replaceAll(/^"+|"+$/g, '')
    else if (/^(directive|schema)/.test(line)) last = undefined
    else if (!last || line.trim() === '' || /^\s*#/.test(line)) continue
    else if (last.kind === 'union') last.head = `${last.head} ${line.trim()}`.trim()
    else if (/^ {2}"/.test(line) && isWhole(field)) says = line.trim().replaceAll(/^"+|"+$/g, '')
    else if (/^ {2}\S/.test(line) && isWhole(field)) {
      if (/^ {2}[)@]/.test(line)) continue
      field = line.trim()
      if (isWhole(field)) last.fields.push(fieldOf(field, says))
      if (isWhole(field)) says = ''
    } else if (!isWhole(field)) {
      field = `${field} ${line.trim()}`
      if (isWhole(field)) last.fields.push(fieldOf(field, says))
      if (isWhole(field)) says = ''
    }
  }
  return definitions
}

/** Whether all parentheses of a field are closed. */
const isWhole = (field: string) => field.split('(').length === field.split(')').length

function fieldOf(text: string, description: string): SdlField {
  const [, name = text, args = '', type = ''] = /^(\w+)(?:\((.*?)\))?(?::\s*([^@]+))?/.exec(text) ?? []
  return { name, args: args.replace(/,?\s*$/, '').trim(), type: type.trim(), description }
}
