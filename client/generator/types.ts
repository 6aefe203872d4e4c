// TypeScript types of the schemas in openapi.json.

/** The parts of a JSON schema that have a type in TypeScript. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  format?: string
  description?: string
  readOnly?: boolean
}

/** Writes types, and remembers the components that they name. */
export class Types {
  /** The names of the components that a type has named. */
  readonly used = new Set<string>()

  /** @param prefix stands before the name of each component: `s.` */
  of(schema: Schema | undefined, prefix = '', indent = ''): string {
    if (schema === undefined) return 'unknown'
    if (schema.$ref !== undefined) {
      const name = nameOf(schema.$ref)
      this.used.add(name)
      return prefix + name
    }
    if ('const' in schema) return JSON.stringify(schema.const)
    if (schema.enum) return united(schema.enum.map((value) => JSON.stringify(value)))
    const choices = schema.anyOf ?? schema.oneOf
    // Choices that only require other properties have no type of their own.
    if (choices && schema.properties === undefined)
      return united(choices.map((choice) => this.of(choice, prefix, indent)))
    if (schema.allOf) return schema.allOf.map((part) => inParentheses(this.of(part, prefix, indent))).join(' & ')
    if (Array.isArray(schema.type)) {
      return united(schema.type.map((type) => this.of({ ...schema, type }, prefix, indent)))
    }
    switch (schema.type) {
      case 'array':
        return `${inParentheses(this.of(schema.items, prefix, indent))}[]`
      case 'object':
        return this.#object(schema, prefix, indent)
      case 'integer':
      case 'number':
        return 'number'
      case 'string':
        return schema.format === 'binary' ? 'Upload' : 'string'
      case 'boolean':
      case 'null':
        return schema.type
      default:
        return schema.properties ? this.#object(schema, prefix, indent) : 'unknown'
    }
  }

  /** The declaration of a component. */
  declare(name: string, schema: Schema): string {
    const isInterface = schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0
    const type = this.of(schema)
    const declared = isInterface ? `export interface ${name} ${type}` : `export type ${name} = ${type}`
    return `${comment(schema.description, '')}${declared}\n`
  }

  #object({ properties, required = [], additionalProperties }: Schema, prefix: string, indent: string): string {
    if (!properties) {
      return typeof additionalProperties === 'object'
        ? `Record<string, ${this.of(additionalProperties, prefix, indent)}>`
        : 'Record<string, unknown>'
    }
    const deeper = `${indent}  `
    const fields = Object.entries(properties).map(([name, schema]) => {
      const mark = required.includes(name) ? '' : '?'
      const readonly = schema.readOnly ? 'readonly ' : ''
      const type = this.of(schema, prefix, deeper)
      return `${comment(schema.description, deeper)}${deeper}${readonly}${key(name)}${mark}: ${type}\n`
    })
    return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}${indent}}`
  }
}

export const nameOf = (ref: string) => ref.split('/').at(-1) ?? ''

/** A name of a property as TypeScript writes it. */
export const key = (name: string) =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name).replaceAll('"', "'")

/** A sentence as a comment in a line of its own; nothing without one. */
export const comment = (text: string | undefined, indent: string) =>
  text === undefined || text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n`

const inParentheses = (type: string) => (/[|&]/.test(type.replaceAll(/\{[\s\S]*\}/g, '')) ? `(${type})` : type)

const united = (types: string[]) => [...new Set(types)].join(' | ')
