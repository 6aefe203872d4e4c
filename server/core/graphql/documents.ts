import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import { refuseExcess } from './cost/cost.ts'
import type { GraphLimits } from './cost/limits.ts'
import { InvalidRequest } from './errors.ts'
import type { GraphRequest } from './request.ts'

const PARSING = { maxTokens: 5_000 }
/** The parser calls itself for each nested brace and could overflow its stack. */
const NESTING_MAX = 64
/** Limits the errors reported for a document. A suggestion takes a millisecond and reveals names that the client did not send. */
const VALIDATION = { maxErrors: 20, hideSuggestions: true }
const CACHED_MAX = 250
/** Hundreds of longer documents would not fit into memory, so they are parsed for each request. */
const CACHED_LENGTH_MAX = 8 * 1024

/** A valid document. */
interface ReadDocument {
  readonly document: DocumentNode
  /** Comparisons that its validation took at most. */
  readonly comparisons: number
}

/** @throws InvalidRequest */
export type DocumentReader = (query: string) => ReadDocument

/** Makes the function that parses and validates documents for a schema. */
export function documentReader(
  schema: GraphQLSchema,
  { introspection, limits }: { introspection: boolean; limits: GraphLimits },
): DocumentReader {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule]
  return (query) => {
    const document = parseDocument(query)
    const comparisons = refuseExcess(document, limits)
    const errors = validate(schema, document, rules, VALIDATION)
    if (errors.length > 0) throw new InvalidRequest(errors)
    return { document, comparisons }
  }
}

function parseDocument(query: string): DocumentNode {
  if (nestingOf(query) > NESTING_MAX) {
    throw new InvalidRequest([new GraphQLError(`The document is nested more than ${NESTING_MAX} levels deep.`)])
  }
  try {
    return parse(query, PARSING)
  } catch (error) {
    throw error instanceof GraphQLError ? new InvalidRequest([error]) : error
  }
}

/** How deep the brackets of a text are nested. */
function nestingOf(text: string): number {
  let [depth, deepest] = [0, 0]
  for (const bracket of text.match(/[{}[\]]/g) ?? []) {
    depth += bracket === '{' || bracket === '[' ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

/** Caches a value for each of the last 250 short documents and operation names. */
export class DocumentCache<Value> {
  readonly #values = new Map<string, Value>()

  find(request: GraphRequest): Value | undefined {
    const key = keyOf(request)
    const value = this.#values.get(key)
    if (value !== undefined) {
      this.#values.delete(key)
      this.#values.set(key, value)
    }
    return value
  }

  add(request: GraphRequest, value: Value) {
    if (request.query.length > CACHED_LENGTH_MAX) return
    this.#values.set(keyOf(request), value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > CACHED_MAX && oldest !== undefined) this.#values.delete(oldest)
  }
}

/** A compiled operation serves one name. Names contain no line break, so the key is unambiguous. */
const keyOf = ({ query, operationName = '' }: GraphRequest) => `${operationName}\n${query}`
