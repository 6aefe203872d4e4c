import { hash as digest } from 'node:crypto'
import { executeSync, type GraphQLSchema } from 'graphql'
import { weighOperation } from './cost/cost.ts'
import type { GraphLimits } from './cost/limits.ts'
import type { DocumentReader } from './documents.ts'
import type { GraphRequest } from './request.ts'

/** Characters of answers in the cache: enough for nine answers to the query of tools about a schema of 750 definitions. */
const CACHED_MAX = 8 * 1024 * 1024
/** Characters of a cached answer that can be sent in a step of work. */
const CHARACTERS_A_STEP = 1_000
/** The charge for each value of a new answer. It takes one step, but nobody needs two different answers in a second. */
const STEPS_A_VALUE = 4

interface CachedAnswer {
  text: string
  cost: number
}

/** An answer with the steps of work to charge. */
interface IntrospectionAnswer {
  body: string
  cost: number
  work: number
}

/** Answers operations that ask only for the schema. Such an answer never changes, so the most recent answers are cached. */
export class Introspections {
  readonly #schema: GraphQLSchema
  readonly #read: DocumentReader
  readonly #limits: GraphLimits
  readonly #cache = new Map<string, CachedAnswer>()
  #size = 0

  constructor(schema: GraphQLSchema, read: DocumentReader, limits: GraphLimits) {
    this.#schema = schema
    this.#read = read
    this.#limits = limits
  }

  /**
   * @returns undefined for an operation that also asks for data
   * @throws InvalidRequest, GraphQLError for an operation that is too large
   */
  answer(operation: GraphRequest): IntrospectionAnswer | undefined {
    if (!/__(schema|type)\b/.test(operation.query)) return undefined
    const { query, operationName, variables } = operation
    const key = digest('sha256', JSON.stringify([query, operationName, variables]), 'base64url')
    const cached = this.#cache.get(key)
    if (cached) {
      this.#cache.delete(key)
      this.#cache.set(key, cached)
      return { body: cached.text, cost: cached.cost, work: Math.ceil(cached.text.length / CHARACTERS_A_STEP) }
    }
    const created = this.#create(operation)
    if (!created) return undefined
    this.#add(key, created)
    return { body: created.text, cost: created.cost, work: query.length + STEPS_A_VALUE * created.cost }
  }

  #create({ query, operationName, variables }: GraphRequest): CachedAnswer | undefined {
    const { document } = this.#read(query)
    const weight = weighOperation(this.#schema, { document, operationName, variables }, this.#limits)
    if (!weight?.isIntrospection) return undefined
    const result = executeSync({ schema: this.#schema, document, operationName, variableValues: variables })
    return result.errors ? undefined : { text: JSON.stringify(result), cost: weight.cost }
  }

  #add(key: string, answer: CachedAnswer) {
    this.#cache.set(key, answer)
    this.#size += answer.text.length
    for (const [oldest, { text }] of this.#cache) {
      if (this.#size <= CACHED_MAX) break
      this.#cache.delete(oldest)
      this.#size -= text.length
    }
  }
}
