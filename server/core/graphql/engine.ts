import { readFile } from 'node:fs/promises'
import fastify, { type FastifyInstance } from 'fastify'
import {
  defaultFieldResolver,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getDirectiveValues,
  isObjectType,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql'
import mercurius, { type IResolvers } from 'mercurius'
import { type AskedOperation, type Asker, GraphRefusal, refuseScope } from '../../doors/storefront/caller.ts'
import { resolvers } from '../../doors/storefront/graphql/resolvers.ts'
import { SCOPES, type Scope } from '../../doors/storefront/tokens/tokens.ts'
import { toProblem } from '../rest/problem.ts'
import { refuseExcess, weighOperation } from './cost.ts'
import { Introspections } from './introspection.ts'

// The engine of the storefront's GraphQL, which the door loads with its first request: it takes 35 MiB, and many servers have none.

const TOKENS_MAX = 5_000
/** Braces in braces. The parser calls itself for each, and could leave its stack. */
const NESTING_MAX = 64
/** Longer documents are parsed for each request: hundreds of them would not fit into memory. */
const REMEMBERED_LENGTH_MAX = 8 * 1024
const REMEMBERED_MAX = 250
/** How often a document is executed before it is compiled. */
const COMPILED_AFTER = 10
/** A document that is refused is charged this many times: honest clients send few of them. */
const REFUSED_TIMES = 5
/** Larger operations are never compiled: that takes 20 microseconds of each of their fields, with those of fragments at each place. */
const COMPILED_FIELDS_MAX = 400
const PARSING = { maxTokens: TOKENS_MAX }
/** How many faults of a document are told. Suggestions take a millisecond each, and would show names that nobody asked for. */
const VALIDATION = { maxErrors: 20, hideSuggestions: true }

/** What an operation came to, as it is answered. */
interface OperationOutcome {
  /** A text is JSON already. */
  body: { data?: unknown; errors?: object[] } | string
  /** What the operation costs; undefined where it is not valid. */
  cost: number | undefined
  /** Steps of work that it took, whatever came of it (budget.ts). */
  work: number
}

export interface Engine {
  /** @throws what a resolver has thrown, if it is a fault of the server */
  run(operation: AskedOperation, asker: Asker): Promise<OperationOutcome>
  close(): Promise<void>
}

/** The context of an execution. */
interface Context extends Record<string, unknown> {
  asker: Asker
  operationName: string | undefined
  cost?: number
  /** Comparisons that the validation of the document took; undefined for a document that was remembered. */
  comparisons?: number
}

declare module 'mercurius' {
  interface MercuriusContext extends Pick<Context, 'operationName' | 'cost' | 'comparisons'> {}
}

/** @param introspection whether clients may ask for the schema */
export async function openEngine({ introspection }: { introspection: boolean }): Promise<Engine> {
  const schema = await readFile(new URL('../../doors/storefront/graphql/schema.graphql', import.meta.url), 'utf8')
  const open = async (cache: number | false) => {
    const app = fastify()
    await app.register(mercurius, {
      schema,
      resolvers: resolvers as IResolvers,
      routes: false,
      cache,
      ...(cache === false ? {} : { jit: COMPILED_AFTER }),
      graphql: { parseOptions: PARSING, validateOptions: VALIDATION },
      validationRules: introspection ? [] : [NoSchemaIntrospectionCustomRule],
      errorFormatter: ({ data, errors }) => ({
        statusCode: 200,
        response: { data: data ?? null, errors: [...(errors ?? [])] },
      }),
    })
    await app.ready()
    guardFields(app.graphql.schema)
    app.graphql.addHook('preValidation', async (_schema, document, context) => {
      context.comparisons = refuseExcess(document)
    })
    app.graphql.addHook('preExecution', async (schema, document, context, variables = {}) => {
      const weight = weighOperation(schema, document, context.operationName, variables)
      if (weight !== undefined) context.cost = weight.cost
      // The library compiles nothing that a hook has given to it.
      return weight !== undefined && weight.fields > COMPILED_FIELDS_MAX ? { document } : undefined
    })
    return app
  }
  const [remembering, plain] = await Promise.all([open(REMEMBERED_MAX), open(false)])
  const introspections = new Introspections(remembering.graphql.schema, (query) => {
    if (nestingOf(query) > NESTING_MAX) return undefined
    const document = parse(query, PARSING)
    refuseExcess(document)
    const isValid = validate(remembering.graphql.schema, document, specifiedRules, VALIDATION).length === 0
    return isValid ? document : undefined
  })
  return {
    async run(operation, asker) {
      const { query, variables, operationName } = operation
      try {
        const introspected = introspection ? introspections.answer(operation) : undefined
        if (introspected) return introspected
      } catch (error) {
        if (!(error instanceof GraphQLError)) throw error
        return { body: { errors: [shown(error)] }, cost: undefined, work: REFUSED_TIMES * query.length }
      }
      const context: Context = { asker, operationName }
      const app = query.length <= REMEMBERED_LENGTH_MAX ? remembering : plain
      const { data, errors = [] } = await execute(app, query, context, variables, operationName)
      for (const error of errors) throwFault(error)
      return {
        work: workOf(query, context),
        body: {
          ...(data === undefined ? {} : { data }),
          ...(errors.length === 0 ? {} : { errors: errors.map(shown) }),
        },
        cost: context.cost,
      }
    },
    async close() {
      await Promise.all([remembering.close(), plain.close()])
    },
  }
}

/** The steps of work that an operation took. A remembered document is neither parsed nor validated. */
function workOf(query: string, { cost, comparisons }: Context): number {
  if (cost === undefined) return REFUSED_TIMES * query.length
  return cost + (comparisons === undefined ? 0 : query.length + comparisons)
}

async function execute(
  app: FastifyInstance,
  query: string,
  context: Context,
  variables: AskedOperation['variables'],
  operationName: string | undefined,
): Promise<Pick<ExecutionResult, 'data' | 'errors'>> {
  if (nestingOf(query) > NESTING_MAX) {
    return { errors: [new GraphQLError(`The document is nested more than ${NESTING_MAX} levels deep.`)] }
  }
  try {
    // The library remembers one compiled operation for a text: a comment behind it tells those of one document apart.
    const source = operationName === undefined ? query : `${query}\n#${operationName}`
    return await app.graphql(source, context, variables, operationName)
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error] }
    // What is wrong with a document, or with the variables, is in a list.
    if (error instanceof Error && 'errors' in error && Array.isArray(error.errors)) return { errors: error.errors }
    throw error
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

/** Lets private tokens have only the fields that their scopes cover: what `@accessScope` of the schema says. */
function guardFields(schema: GraphQLSchema) {
  const directive = schema.getDirective('accessScope')
  if (!directive) throw new Error('The schema does not have the directive accessScope.')
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const asked = field.astNode && getDirectiveValues(directive, field.astNode)?.scopes
      if (!Array.isArray(asked)) continue
      const scopes = asked.map(scopeNamed)
      const { resolve = defaultFieldResolver } = field
      field.resolve = (parent, args, context: Context, info) => {
        refuseScope(context.asker, scopes)
        return resolve(parent, args, context, info)
      }
    }
  }
}

/** @param name as the schema has it, such as TOKEN_SCOPE_CUSTOMER */
function scopeNamed(name: unknown): Scope {
  const scope = SCOPES.find((scope) => `TOKEN_SCOPE_${scope.toUpperCase()}` === name)
  if (!scope) throw new Error(`The schema has an unknown scope: ${name}.`)
  return scope
}

/** Throws the cause of an error that is a fault of the server: a cache could keep an answer with the status 200. */
function throwFault(error: GraphQLError) {
  const cause = causeOf(error)
  if (cause === undefined || cause instanceof GraphRefusal) return
  if (toProblem(cause).status >= 500) throw cause
}

/** The error of a resolver; undefined for an error that the library has found in the document or its variables. */
function causeOf(error: GraphQLError): Error | undefined {
  const cause = error instanceof GraphQLError ? error.originalError : error
  // A value that a scalar refuses is told by the library too.
  return cause === null || cause instanceof GraphQLError ? undefined : cause
}

/** An error as it is answered: nothing of the server's inside, and no names of fields that nobody asked for. */
function shown(error: GraphQLError): object {
  const { message, locations, path } = error
  const place = { ...(locations === undefined ? {} : { locations }), ...(path === undefined ? {} : { path }) }
  const cause = causeOf(error)
  if (cause === undefined) return { message, ...place }
  if (cause instanceof GraphRefusal) return { message, ...place, extensions: cause.extensions }
  return { message: toProblem(cause).message, ...place }
}
