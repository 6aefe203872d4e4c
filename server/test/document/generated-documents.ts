import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'

// Documents as a generator writes them: each follows from the schema and a seed. Most are valid, some ask for too much, and some are
// broken in one place.

export interface GeneratedDocument {
  query: string
  variables: Record<string, unknown>
}

/** A whole number from 0 on, and below the given one. */
type Roll = (below: number) => number

/** Numbers as if by chance, the same for the same seed (Mulberry32). */
function dice(seed: number): Roll {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) % below
  }
}

const DEPTH_MAX = 14
const FIELDS_MAX = 70
const INPUT_DEPTH_MAX = 4

const NUMBERS = [0, 1, 2, 3, 5, 7, 10, 50, 51, -1, 1_000, 2_147_483_647, -2_147_483_648]
const TEXTS = [
  '',
  'a',
  'mug',
  'Mug',
  'M-1',
  '/mug/',
  '/',
  'USD',
  'n',
  '%_\\',
  "'; drop table products; --",
  '\u0000',
  '\ud800',
  'ภาษาไทย',
  '\u202egnp',
  'x'.repeat(300),
  '2026-01-01T00:00:00Z',
  '0c1d6a52-7d2e-4b1f-9a64-51f0c7a3e801',
  'YXJyYXljb25uZWN0aW9uOjE=',
  'WzEwLDFd',
  'UHJvZHVjdDox',
]
const FLOATS = [0, 0.5, 1, 9.99, -1, 1e9, 1e300]

/** Preferences of the generator. */
interface Leaning {
  /** How many of a hundred are mutations. */
  mutations?: number
  /** Values that fields and arguments of these names mostly have. */
  known?: Readonly<Record<string, readonly unknown[]>>
}

class Generator {
  readonly #schema: GraphQLSchema
  readonly #roll: Roll
  readonly #known: NonNullable<Leaning['known']>
  readonly variables: Record<string, unknown> = {}
  readonly definitions: string[] = []
  #fields = 0

  constructor(schema: GraphQLSchema, roll: Roll, known: NonNullable<Leaning['known']>) {
    this.#schema = schema
    this.#roll = roll
    this.#known = known
  }

  #pick<Item>(items: readonly Item[]): Item {
    const item = items[this.#roll(items.length)]
    if (item === undefined) throw new Error('Nothing to pick from.')
    return item
  }

  #happens(percent: number): boolean {
    return this.#roll(100) < percent
  }

  selection(type: GraphQLNamedType, depth: number): string {
    const parts = ['__typename']
    if (isObjectType(type)) parts.push(...this.#fieldsOf(type, depth))
    if (isAbstractType(type)) {
      for (const each of this.#schema.getPossibleTypes(type)) {
        if (this.#happens(60)) parts.push(`... on ${each.name} { ${this.selection(each, depth)} }`)
      }
    }
    return parts.join(' ')
  }

  #fieldsOf(type: GraphQLObjectType, depth: number): string[] {
    const fields = Object.values(type.getFields())
    const count = 1 + this.#roll(Math.min(fields.length, depth < 3 ? 4 : 6))
    return Array.from({ length: count }, () => {
      const field = this.#pick(fields)
      const below = getNamedType(field.type)
      if (isCompositeType(below) && (depth >= DEPTH_MAX || this.#fields >= FIELDS_MAX)) return ''
      // Each alias stands once: fields of different types may not share one, not even in fragments on different types.
      const alias = `f${depth}x${this.#fields++}`
      const selection = isCompositeType(below) ? ` { ${this.selection(below, depth + 1)} }` : ''
      return `${alias}: ${field.name}${this.#argumentsOf(field.args)}${this.#directive()}${selection}`
    })
  }

  #directive(): string {
    return this.#happens(3) ? ` @${this.#pick(['include', 'skip'])}(if: ${this.#happens(50)})` : ''
  }

  #argumentsOf(args: readonly GraphQLArgument[]): string {
    const given = args.filter((arg) => (isNonNullType(arg.type) && arg.defaultValue === undefined) || this.#happens(30))
    if (given.length === 0) return ''
    return `(${given.map((arg) => `${arg.name}: ${this.#argument(arg)}`).join(', ')})`
  }

  #argument({ name: argument, type }: GraphQLArgument): string {
    const value = this.#knownOr(argument, type, 0)
    if (!this.#happens(30)) return literal(value, type)
    const name = `v${this.definitions.length}`
    this.definitions.push(`$${name}: ${type}`)
    this.variables[name] = value
    return `$${name}`
  }

  /** The value of an argument or a field of an input. */
  #knownOr(name: string, type: GraphQLInputType, depth: number): unknown {
    const known = this.#known[name]
    return known && this.#happens(90) ? this.#pick(known) : this.#value(type, depth)
  }

  #value(type: GraphQLInputType, depth: number): unknown {
    if (isNonNullType(type)) return this.#value(type.ofType, depth)
    if (isListType(type)) {
      const item: GraphQLInputType = type.ofType
      return Array.from({ length: this.#roll(4) }, () => this.#value(item, depth))
    }
    if (isEnumType(type)) return this.#pick(type.getValues()).name
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields())
      const needed = (field: GraphQLInputField) => isNonNullType(field.type) && field.defaultValue === undefined
      const given = fields.filter((field) => needed(field) || (depth < INPUT_DEPTH_MAX && this.#happens(30)))
      return Object.fromEntries(given.map((field) => [field.name, this.#knownOr(field.name, field.type, depth + 1)]))
    }
    switch (type.name) {
      case 'Int':
      case 'Long':
      case 'ProductQuantity':
        return this.#pick(NUMBERS)
      case 'Float':
      case 'BigDecimal':
        return this.#pick(FLOATS)
      case 'Boolean':
        return this.#happens(50)
      default:
        return this.#happens(70) ? this.#pick(TEXTS) : String(this.#pick(NUMBERS))
    }
  }
}

/** A value as a document has it. */
function literal(value: unknown, type: GraphQLInputType): string {
  if (isNonNullType(type)) return literal(value, type.ofType)
  if (isListType(type)) {
    const item: GraphQLInputType = type.ofType
    return Array.isArray(value) ? `[${value.map((one) => literal(one, item)).join(', ')}]` : literal(value, item)
  }
  if (isEnumType(type)) return String(value)
  if (isInputObjectType(type)) {
    const fields = type.getFields()
    const parts = Object.entries(Object(value)).map(([name, one]) => {
      const field = fields[name]
      return field ? `${name}: ${literal(one, field.type)}` : ''
    })
    return `{ ${parts.join(', ')} }`
  }
  return JSON.stringify(value)
}

/** Breaks a document in one place. */
function broken(query: string, roll: Roll): string {
  const at = roll(query.length)
  switch (roll(4)) {
    case 0:
      return query.slice(0, at)
    case 1:
      return query.slice(0, at) + query.slice(at + 1)
    case 2:
      return `${query.slice(0, at)}${['{', '}', '(', '"', '$', '...', '@', '\u0000'][roll(8)]}${query.slice(at)}`
    default:
      return query.replace(/f\d+x\d+: \w+/, 'nonsense')
  }
}

/** One of as many documents as one likes, the same at each call. */
export function generatedDocument(
  schema: GraphQLSchema,
  seed: number,
  { mutations = 12, known = {} }: Leaning = {},
): GeneratedDocument {
  const roll = dice(seed)
  const isMutation = roll(100) < mutations
  const root = isMutation ? schema.getMutationType() : schema.getQueryType()
  if (!root) throw new Error('The schema lacks an operation.')
  const generator = new Generator(schema, roll, known)
  const selection = generator.selection(root, 0)
  const { variables, definitions } = generator
  const head = definitions.length > 0 ? ` Generated(${definitions.join(', ')})` : ''
  const query = `${isMutation ? 'mutation' : 'query'}${head} { ${selection} }`
  return { query: roll(100) < 5 ? broken(query, roll) : query, variables }
}
