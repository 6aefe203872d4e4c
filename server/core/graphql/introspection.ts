import { hash as digest } from 'node:crypto'
import { type DocumentNode, executeSync, type GraphQLSchema } from 'graphql'
import type { AskedOperation } from '../../doors/storefront/caller.ts'
import { weighOperation } from './cost.ts'

/** Characters of answers that are kept: nine answers to the query of tools, for a schema of 750 definitions. */
const KEPT_MAX = 8 * 1024 * 1024
/** Sending a kept answer takes a step of work for so many characters. */
const CHARACTERS_A_STEP = 1_000
/** An answer that is not kept takes a step for each value; it is charged more, as nobody needs two different ones in a second. */
const STEPS_A_VALUE = 4

interface KeptAnswer {
  text: string
  cost: number
}

/** An answer with the steps of work that it took. */
interface IntrospectionAnswer {
  body: string
  cost: number
  work: number
}

/** Answers operations that ask for nothing but the schema. Their answers never change, so those that were asked for last are kept. */
export class Introspections {
  readonly #schema: GraphQLSchema
  readonly #read: (query: string) => DocumentNode | undefined
  readonly #kept = new Map<string, KeptAnswer>()
  #size = 0

  /** @param read parses and validates a document; it returns undefined for a document that is not valid */
  constructor(schema: GraphQLSchema, read: (query: string) => DocumentNode | undefined) {
    this.#schema = schema
    this.#read = read
  }

  /**
   * @returns undefined for an operation that asks for something else, too, or that is not valid
   * @throws GraphQLError for an operation that is too large
   */
  answer(operation: AskedOperation): IntrospectionAnswer | undefined {
    if (!/__(schema|type)\b/.test(operation.query)) return undefined
    const { query, operationName, variables } = operation
    const key = digest('sha256', JSON.stringify([query, operationName, variables]), 'base64url')
    const kept = this.#kept.get(key)
    if (kept) {
      this.#kept.delete(key)
      this.#kept.set(key, kept)
      return { body: kept.text, cost: kept.cost, work: Math.ceil(kept.text.length / CHARACTERS_A_STEP) }
    }
    const made = this.#make(operation)
    if (!made) return undefined
    this.#keep(key, made)
    return { body: made.text, cost: made.cost, work: query.length + STEPS_A_VALUE * made.cost }
  }

  #make({ query, operationName, variables }: AskedOperation): KeptAnswer | undefined {
    const document = this.#read(query)
    const weight = document && weighOperation(this.#schema, document, operationName, variables)
    if (!document || !weight?.isIntrospection) return undefined
    const result = executeSync({ schema: this.#schema, document, operationName, variableValues: variables })
    return result.errors ? undefined : { text: JSON.stringify(result), cost: weight.cost }
  }

  #keep(key: string, answer: KeptAnswer) {
    this.#kept.set(key, answer)
    this.#size += answer.text.length
    for (const [oldest, { text }] of this.#kept) {
      if (this.#size <= KEPT_MAX) break
      this.#kept.delete(oldest)
      this.#size -= text.length
    }
  }
}
