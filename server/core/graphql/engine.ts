import {
  buildSchema,
  type DocumentNode,
  type ExecutionResult,
  execute,
  executeSync,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
} from 'graphql'
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit'
import { weighOperation } from './cost/cost.ts'
import type { GraphLimits } from './cost/limits.ts'
import { type Budgeted, countObjects } from './cost/operation-budget.ts'
import { DocumentCache, type DocumentReader, documentReader } from './documents.ts'
import { type ErrorGrammar, errorWriter, InvalidRequest, throwFault } from './errors.ts'
import { addResolvers, type FieldGuard, guardFields, type Resolvers } from './fields.ts'
import { Introspections } from './introspection.ts'
import type { GraphRequest } from './request.ts'
import { addScalars, type Scalars } from './scalars.ts'

// The engine of a GraphQL schema (docs/decisions/071-graphql-without-a-framework.md). Areas load it with the first GraphQL request,
// since it takes memory that many servers never need.

/** Executions of a cached document before it is compiled. */
const COMPILED_AFTER = 10
/** Larger operations are never compiled: compilation takes 20 microseconds for each field, counted at each place of a fragment. */
const COMPILED_FIELDS_MAX = 400
/** The factor for the work of a refused document. Honest clients send few of them. */
const REFUSED_TIMES = 5
const VARIABLE_ERRORS_MAX = 50

interface EngineParts<Context> {
  /** The schema in the schema definition language. */
  schema: string
  resolvers: Resolvers<Context>
  /** The scalars of the schema that check or convert their values. */
  scalars?: Scalars
  limits: GraphLimits
  errors: ErrorGrammar
  /** Gives other fields their resolvers. */
  complete?(schema: GraphQLSchema): void
  guard?: FieldGuard<Context>
  /** Whether clients may ask for the schema. */
  introspection: boolean
}

/** The result of a request. */
interface GraphResult {
  /** A string is JSON. */
  body: { data?: unknown; errors?: object[] } | string
  /** The cost of the operation; undefined if the request is invalid. */
  cost: number | undefined
  /** The steps of work to charge (budget.ts). */
  work: number
}

/** Executes requests. `Context` is the value that resolvers and guards receive. It is new for each request. */
export interface GraphEngine<Context> {
  /** @throws the error of a resolver if it is a fault of the server */
  run(request: GraphRequest, context: Context): Promise<GraphResult>
}

export function openEngine<Context extends Budgeted>(parts: EngineParts<Context>): GraphEngine<Context> {
  const schema = buildSchema(parts.schema)
  addScalars(schema, parts.scalars ?? {})
  addResolvers(schema, parts.resolvers)
  parts.complete?.(schema)
  if (parts.guard) guardFields(schema, parts.guard)
  countObjects(schema)
  const read = documentReader(schema, parts)
  const errorToAnswer = errorWriter(parts.errors)
  const operations = new Operations<Context>({ schema, read, limits: parts.limits, errorToAnswer })
  const introspections = parts.introspection ? new Introspections(schema, read, parts.limits) : undefined
  return {
    async run(request, context) {
      try {
        return introspections?.answer(request) ?? (await operations.run(request, context))
      } catch (error) {
        const errors =
          error instanceof InvalidRequest ? error.errors : error instanceof GraphQLError ? [error] : undefined
        if (errors === undefined) throw error
        const work = REFUSED_TIMES * request.query.length
        return { body: { errors: errors.map(errorToAnswer) }, cost: undefined, work }
      }
    },
  }
}

/** A document that was sent before. */
interface CachedDocument {
  readonly document: DocumentNode
  executions: number
  /** The compiled operation, or the errors of its compilation. */
  compiled?: CompiledQuery | ExecutionResult
}

interface OperationParts {
  schema: GraphQLSchema
  read: DocumentReader
  limits: GraphLimits
  errorToAnswer: ReturnType<typeof errorWriter>
}

/** Executes operations. Short documents are cached, and those that are sent often are compiled. */
class Operations<Context extends Budgeted> {
  readonly #parts: OperationParts
  readonly #schema: GraphQLSchema
  readonly #cache = new DocumentCache<CachedDocument>()

  constructor(parts: OperationParts) {
    this.#parts = parts
    this.#schema = parts.schema
  }

  /** @throws InvalidRequest, GraphQLError for a request that is refused before its execution */
  async run(request: GraphRequest, context: Context): Promise<GraphResult> {
    const { errorToAnswer } = this.#parts
    const { cached, work } = this.#find(request)
    const { cost, fields } = this.#weigh(cached.document, request)
    const isCompiled = ++cached.executions > COMPILED_AFTER && fields <= COMPILED_FIELDS_MAX
    const { data, errors } = await (isCompiled
      ? this.#runCompiled(cached, request, context)
      : this.#interpret(cached, request, context))
    for (const error of errors ?? []) throwFault(error)
    const { excess } = context.budget
    if (excess) return { body: { errors: [errorToAnswer(excess)] }, cost, work: work + cost }
    const body = errors ? { data: data ?? null, errors: errors.map(errorToAnswer) } : { data }
    return { body, cost, work: work + cost }
  }

  /** A cached document is neither parsed nor validated, so it causes no work. */
  #find(request: GraphRequest): { cached: CachedDocument; work: number } {
    const known = this.#cache.find(request)
    if (known) return { cached: known, work: 0 }
    const { document, comparisons } = this.#parts.read(request.query)
    const cached: CachedDocument = { document, executions: 0 }
    this.#cache.add(request, cached)
    return { cached, work: request.query.length + comparisons }
  }

  /** @throws InvalidRequest if the variables are invalid or the document lacks the operation */
  #weigh(document: DocumentNode, { operationName, variables }: GraphRequest) {
    const schema = this.#schema
    const operation = getOperationAST(document, operationName)
    const definitions = operation?.variableDefinitions ?? []
    const { errors } = getVariableValues(schema, definitions, variables, { maxErrors: VARIABLE_ERRORS_MAX })
    if (errors) throw new InvalidRequest(errors)
    const weight = operation
      ? weighOperation(schema, { document, operationName, variables }, this.#parts.limits)
      : undefined
    if (weight) return weight
    throw new InvalidRequest(executeSync({ schema, document, operationName }).errors ?? [])
  }

  #interpret({ document }: CachedDocument, { operationName, variables }: GraphRequest, contextValue: Context) {
    return execute({ schema: this.#schema, document, operationName, variableValues: variables, contextValue })
  }

  #runCompiled(cached: CachedDocument, request: GraphRequest, context: Context) {
    cached.compiled ??= compileQuery(this.#schema, cached.document, request.operationName)
    if (!isCompiledQuery(cached.compiled)) return this.#interpret(cached, request, context)
    return cached.compiled.query(undefined, context, request.variables)
  }
}
