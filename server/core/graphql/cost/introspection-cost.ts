import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getIntrospectionQuery,
  introspectionFromSchema,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql'

// Introspection is weighed by its answer, because a document of 2 KB can ask for each type of the schema a hundred times. The weight is
// counted in the schema before the execution.

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/** Every part of an introspection. */
const EVERYTHING = {
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
} as const
/** The maximum cost of an operation. */
const COST_MAX = 10_000
/** An answer may be this many times the answer to the query that tools send. */
const TIMES_MAX = 1.5
/** Characters of a text that weigh as much as a value without a text. */
const CHARACTERS = 32

/** Whether a name is that of a field that answers with the schema. */
export const isIntrospectionField = (name: string) => name === '__schema' || name === '__type'

/** Weighs the introspection of a schema. */
class Scale {
  readonly #schema: object
  readonly #types: ReadonlyMap<string, object>
  /** The maximum weight of the introspection in an operation. */
  readonly max: number

  constructor(schema: GraphQLSchema) {
    const { __schema } = introspectionFromSchema(schema, EVERYTHING)
    this.#schema = __schema
    this.#types = new Map(__schema.types.map((type) => [type.name, type]))
    const document = parse(getIntrospectionQuery(EVERYTHING))
    this.max = Number.POSITIVE_INFINITY
    this.max = Math.max(COST_MAX, Math.ceil(TIMES_MAX * this.#weightOfAll(document)))
  }

  #weightOfAll({ definitions }: DocumentNode): number {
    const fragments: Fragments = new Map(
      definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
      ),
    )
    const weigher = this.weigher(fragments, {})
    return definitions
      .flatMap((definition) =>
        definition.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [],
      )
      .reduce((sum, selection) => sum + (selection.kind === Kind.FIELD ? weigher(selection) : 0), 0)
  }

  /** @returns a function that weighs a field `__schema` or `__type` of a document @throws GraphQLError past the limit */
  weigher(fragments: Fragments, variables: Readonly<Record<string, unknown>>): (field: FieldNode) => number {
    const known = new Map<SelectionSetNode, Map<object, number>>()
    let [visits, total] = [0, 0]
    const weigh = (set: SelectionSetNode, value: unknown): number => {
      if (Array.isArray(value)) return value.reduce((sum: number, item: unknown) => sum + weigh(set, item), 0)
      if (typeof value !== 'object' || value === null) return 0
      const thing = this.#whole(value)
      const weights = known.get(set) ?? new Map<object, number>()
      known.set(set, weights)
      const weighed = weights.get(thing)
      if (weighed !== undefined) return weighed
      // Each visit stands for at least one value of the answer.
      if (++visits > this.max) throw tooMuch(this.max)
      const weight = set.selections.reduce((sum, selection) => {
        if (selection.kind === Kind.INLINE_FRAGMENT) return sum + weigh(selection.selectionSet, thing)
        if (selection.kind === Kind.FRAGMENT_SPREAD) {
          const fragment = fragments.get(selection.name.value)
          return fragment ? sum + weigh(fragment.selectionSet, thing) : sum
        }
        const inner: unknown = Reflect.get(thing, selection.name.value)
        return sum + 1 + (selection.selectionSet ? weigh(selection.selectionSet, inner) : weightOfLeaf(inner))
      }, 0)
      weights.set(thing, weight)
      return weight
    }
    return ({ name, selectionSet, arguments: given = [] }) => {
      if (!selectionSet) return 1
      const argument = given.find((one) => one.name.value === 'name')?.value
      const typeName =
        argument?.kind === Kind.VARIABLE
          ? variables[argument.name.value]
          : argument?.kind === Kind.STRING && argument.value
      const start = name.value === '__schema' ? this.#schema : this.#types.get(String(typeName))
      const weight = 1 + weigh(selectionSet, start)
      total += weight
      if (total > this.max) throw tooMuch(this.max)
      return weight
    }
  }

  /** A reference to a named type as the type itself. */
  #whole(value: object): object {
    const name: unknown = 'kind' in value && 'name' in value ? value.name : undefined
    return (typeof name === 'string' ? this.#types.get(name) : undefined) ?? value
  }
}

function weightOfLeaf(value: unknown): number {
  if (Array.isArray(value)) return value.length
  return typeof value === 'string' ? Math.floor(value.length / CHARACTERS) : 0
}

const tooMuch = (max: number) =>
  new GraphQLError(`The introspection has a complexity of more than ${max}. Ask for fewer fields of the schema.`)

const scales = new WeakMap<GraphQLSchema, Scale>()

/** The scale of a schema, created with the first introspection. */
export function scaleOf(schema: GraphQLSchema): Scale {
  const scale = scales.get(schema) ?? new Scale(schema)
  scales.set(schema, scale)
  return scale
}
