import {
  defaultFieldResolver,
  GraphQLError,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isObjectType,
} from 'graphql'

// The complexity of a document assumes the lengths that it asks for. Lists without `first` have any length, so the objects of an answer
// are counted while it is made.

/** The objects of an answer, and the statements that an operation may load them with. */
const MOST = { objects: 25_000, loads: 64 } as const

/** Counts the objects and the loads of one operation. */
export class OperationBudget {
  #objects = 0
  #loads = 0
  /** The first excess. It replaces the answer, since a part of it would mislead. */
  excess: GraphQLError | undefined

  /** @throws GraphQLError */
  addObjects(count: number) {
    this.#objects += count
    if (this.#objects > MOST.objects) this.#refuse(`The answer has more than ${MOST.objects} objects.`)
  }

  /** @throws GraphQLError */
  addLoad() {
    this.#loads++
    if (this.#loads > MOST.loads) this.#refuse(`The operation needs more than ${MOST.loads} loads of data.`)
  }

  #refuse(sentence: string): never {
    this.excess ??= new GraphQLError(`${sentence} Ask for less at once.`)
    throw this.excess
  }
}

/** A context whose operation has a budget. */
export interface Budgeted {
  readonly budget: OperationBudget
}

/** Makes each field with objects count them. Call it after the resolvers were added. */
export function countObjects(schema: GraphQLSchema) {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) {
      if (!isCompositeType(getNamedType(field.type))) continue
      const { resolve = defaultFieldResolver } = field
      field.resolve = (parent, args, context: Budgeted, info) => {
        const value: unknown = resolve(parent, args, context, info)
        const count = (found: unknown) => {
          context.budget.addObjects(Array.isArray(found) ? found.length : 1)
          return found
        }
        return value instanceof Promise ? value.then(count) : count(value)
      }
    }
  }
}
