import { GraphQLError } from 'graphql'
import { type Problem, toProblem } from '../rest/problem.ts'
import { GraphRefusal } from './refusal.ts'

/** The errors that parsing, validation or limits found in a document, or in the variables of a request. */
export class InvalidRequest extends Error {
  readonly errors: readonly GraphQLError[]

  constructor(errors: readonly GraphQLError[]) {
    super('The GraphQL request is invalid.')
    this.errors = errors
  }
}

/** Throws the cause of an error if it is a fault of the server. As an answer with status 200 a cache could keep it. */
export function throwFault(error: GraphQLError) {
  const cause = causeOf(error)
  if (cause === undefined || cause instanceof GraphRefusal) return
  if (toProblem(cause).status >= 500) throw cause
}

/** The sentence and the extensions of an error, as the clients of a schema read them. */
export interface ErrorGrammar {
  /** The extensions of an error that the library found in a request; undefined for none. */
  invalid?: Readonly<Record<string, unknown>>
  /** A refusal of a resolver. */
  refusal(problem: Problem): { message: string; extensions?: Readonly<Record<string, unknown>> }
}

/** Makes the function that writes an error for the client. It never mentions internals of the server. */
export const errorWriter =
  ({ invalid, refusal }: ErrorGrammar) =>
  (error: GraphQLError): object => {
    const { message, locations, path } = error
    const position = { ...(locations === undefined ? {} : { locations }), ...(path === undefined ? {} : { path }) }
    const cause = causeOf(error)
    if (cause === undefined) return { message, ...position, ...(invalid ? { extensions: invalid } : {}) }
    if (cause instanceof GraphRefusal) return { message, ...position, extensions: cause.extensions }
    const { message: sentence, extensions } = refusal(toProblem(cause))
    return { message: sentence, ...position, ...(extensions ? { extensions } : {}) }
  }

/** The error that a resolver threw; undefined for an error that the library reports about the request. */
function causeOf(error: GraphQLError): Error | undefined {
  const cause = error instanceof GraphQLError ? error.originalError : error
  // The library also wraps its own error about a value that a scalar refuses.
  return cause === null || cause instanceof GraphQLError ? undefined : cause
}
