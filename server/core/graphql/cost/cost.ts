import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { countComparisons } from './comparisons.ts'
import { isIntrospectionField, scaleOf } from './introspection-cost.ts'
import type { GraphLimits } from './limits.ts'

// The limits of a GraphQL document (docs/contract/storefront-tokens.md section 5). They are checked before validation, in which the
// library compares every field with every other of its name: some documents of a few kilobytes would take seconds.

/** The maximum of each element in a document. */
const MOST = {
  operations: 10,
  fragments: 100,
  selections: 2_000,
  directives: 100,
  'repeated fields': 100,
} as const

const MUTATION_COST = 100

export type Variables = Readonly<Record<string, unknown>>
type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

/**
 * Refuses a document whose validation would take too long.
 * @returns how many comparisons its validation takes at most
 * @throws GraphQLError
 */
export function refuseExcess(document: DocumentNode, { aliases }: Pick<GraphLimits, 'aliases'>): number {
  const { definitions } = document
  const maxima = { ...MOST, aliases }
  const counts: Record<keyof typeof maxima, number> = {
    operations: definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION).length,
    fragments: definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).length,
    selections: 0,
    aliases: 0,
    directives: 0,
    'repeated fields': 0,
  }
  // Fields of inline fragments belong to the set around them.
  const count = ({ selections }: SelectionSetNode, names = new Set<string>()) => {
    for (const selection of selections) {
      counts.selections++
      counts.directives += selection.directives?.length ?? 0
      if (selection.kind === Kind.FIELD) {
        if (selection.alias) counts.aliases++
        const name = (selection.alias ?? selection.name).value
        if (names.has(name)) counts['repeated fields']++
        names.add(name)
      }
      if (selection.kind === Kind.FIELD && selection.selectionSet) count(selection.selectionSet)
      if (selection.kind === Kind.INLINE_FRAGMENT) count(selection.selectionSet, names)
    }
  }
  for (const definition of definitions) {
    if (!('selectionSet' in definition)) continue
    counts.directives += definition.directives?.length ?? 0
    count(definition.selectionSet)
  }
  for (const [element, max] of Object.entries(maxima)) {
    const found = counts[element as keyof typeof maxima]
    if (found > max) throw new GraphQLError(`The document has ${found} ${element}. At most ${max} are allowed.`)
  }
  return countComparisons(document)
}

/** The weight of an operation before it is executed. */
interface OperationWeight {
  /** The complexity that clients read in a header. */
  cost: number
  /** The number of fields. Fields of fragments count at each place. */
  fields: number
  /** Whether the operation asks only for the schema. */
  isIntrospection: boolean
}

/** An operation to weigh. */
interface WeighedOperation {
  /** Valid for the schema. */
  document: DocumentNode
  operationName: string | undefined
  variables: Variables
}

/**
 * Weighs an operation. A field with a selection costs 1, and one without nothing. Everything below a connection is multiplied by its length,
 * which is limited in another connection. A mutation costs 100 more. Introspection costs 1 for each value of its answer, and more for long
 * texts.
 * @returns undefined for an unknown operation
 * @throws GraphQLError if it costs too much, is too deep, or has too many fields at its root
 */
export function weighOperation(
  schema: GraphQLSchema,
  { document, operationName, variables }: WeighedOperation,
  limits: GraphLimits,
): OperationWeight | undefined {
  const fragments: Fragments = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  )
  const operation = document.definitions.find(
    (definition): definition is OperationDefinitionNode =>
      definition.kind === Kind.OPERATION_DEFINITION &&
      (operationName === undefined || definition.name?.value === operationName),
  )
  const root = operation && schema.getRootType(operation.operation)
  if (!operation || !root) return undefined
  let weighIntrospection: Scales['weighIntrospection'] = (field) => {
    weighIntrospection = scaleOf(schema).weigher(fragments, variables)
    return weighIntrospection(field)
  }
  const scales: Scales = {
    schema,
    fragments,
    known: new Map(),
    variables,
    length: limits.length,
    isNested: false,
    weighIntrospection: (field) => weighIntrospection(field),
  }
  const { cost, depth, top, fields, introspected } = weigh(operation.selectionSet, root, scales)
  const refuseAbove = (sentence: string): never => {
    throw new GraphQLError(sentence, { nodes: operation })
  }
  if (operation.operation === 'mutation' && top > limits.mutations) {
    refuseAbove(
      `A request carries at most ${limits.mutations === 1 ? 'one mutation' : `${limits.mutations} mutations`}.`,
    )
  }
  if (top > limits.rootFields) {
    refuseAbove(`The operation has ${top} fields at its root. At most ${limits.rootFields} are allowed.`)
  }
  if (depth > limits.depth) refuseAbove(`The operation has a depth of ${depth}. At most ${limits.depth} is allowed.`)
  const total = cost + (operation.operation === 'mutation' ? MUTATION_COST * top : 0)
  const isIntrospection = introspected > 0 && introspected === top
  if (!isIntrospection && total > limits.cost) {
    refuseAbove(`The operation has a complexity of ${total}. At most ${limits.cost} is allowed.`)
  }
  return { cost: total, fields, isIntrospection }
}

interface Weight {
  cost: number
  depth: number
  /** The number of fields at the top, and how many of them are introspection. */
  top: number
  introspected: number
  /** The number of fields at all levels. */
  fields: number
}

interface Scales {
  schema: GraphQLSchema
  fragments: Fragments
  /** The weights of fragments by name and place. */
  known: Map<string, Weight>
  variables: Variables
  length: GraphLimits['length']
  /** Whether a connection is around the place. */
  isNested: boolean
  weighIntrospection(field: FieldNode): number
}

const NOTHING: Weight = { cost: 0, depth: 0, top: 0, introspected: 0, fields: 0 }

/** Weighs a selection. An object has one type, so of the fragments on several object types only the most expensive counts. */
function weigh({ selections }: SelectionSetNode, parent: GraphQLNamedType, scales: Scales): Weight {
  const sum = { ...NOTHING }
  const costs = new Map<string, number>()
  for (const selection of selections) {
    const { type, weight } = weightOf(selection, parent, scales)
    if (type !== parent && isObjectType(type)) costs.set(type.name, (costs.get(type.name) ?? 0) + weight.cost)
    else sum.cost += weight.cost
    sum.depth = Math.max(sum.depth, weight.depth)
    sum.top += weight.top
    sum.introspected += weight.introspected
    sum.fields += weight.fields
  }
  sum.cost += Math.max(0, ...costs.values())
  return sum
}

/** The weight of a selection, and the type of the objects that have it. */
function weightOf(
  selection: SelectionSetNode['selections'][number],
  parent: GraphQLNamedType,
  scales: Scales,
): { type: GraphQLNamedType; weight: Weight } {
  const { schema, fragments, known } = scales
  if (selection.kind === Kind.FRAGMENT_SPREAD) {
    const fragment = fragments.get(selection.name.value)
    const type = (fragment && schema.getType(fragment.typeCondition.name.value)) ?? parent
    const key = `${scales.isNested} ${selection.name.value}`
    const weight = known.get(key) ?? (fragment ? weigh(fragment.selectionSet, type, scales) : NOTHING)
    known.set(key, weight)
    return { type, weight }
  }
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    const type = (selection.typeCondition && schema.getType(selection.typeCondition.name.value)) ?? parent
    return { type, weight: weigh(selection.selectionSet, type, scales) }
  }
  return { type: parent, weight: weightOfField(selection, parent, scales) }
}

function weightOfField(field: FieldNode, parent: GraphQLNamedType, scales: Scales): Weight {
  const { name, selectionSet } = field
  if (!selectionSet) return { cost: 0, depth: 1, top: 1, introspected: 0, fields: 1 }
  const type = typeOf(field, parent)
  const isConnection = type?.name.endsWith('Connection') === true
  const below = weigh(selectionSet, type ?? parent, { ...scales, isNested: scales.isNested || isConnection })
  const isIntrospection = isIntrospectionField(name.value)
  return {
    cost: isIntrospection
      ? scales.weighIntrospection(field)
      : 1 + below.cost * (isConnection ? lengthOf(field, scales) : 1),
    depth: 1 + below.depth,
    top: 1,
    introspected: isIntrospection ? 1 : 0,
    fields: 1 + below.fields,
  }
}

function typeOf({ name }: FieldNode, parent: GraphQLNamedType): GraphQLNamedType | undefined {
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name.value] : undefined
  return field && getNamedType(field.type)
}

/** The number of objects that a connection is assumed to have. */
function lengthOf(
  { arguments: given = [] }: FieldNode,
  { variables, length: { usual, max, nestedMax }, isNested }: Scales,
): number {
  const lengths = given.flatMap(({ name, value }) => {
    if (name.value !== 'first' && name.value !== 'last') return []
    if (value.kind === Kind.INT) return [Number(value.value)]
    const length = value.kind === Kind.VARIABLE ? variables[value.name.value] : undefined
    return typeof length === 'number' ? [length] : []
  })
  const length = lengths.length > 0 ? Math.max(1, ...lengths) : usual
  return Math.min(length, isNested ? nestedMax : max)
}
