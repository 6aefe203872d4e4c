import { GraphQLError } from 'graphql'
import { toProblem } from '../rest/problem.ts'
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

/** An error for the client. It never mentions internals of the server. */
export function errorToAnswer(error: GraphQLError): object {
  const { message, locations, path } = error
  const position = { ...(locations === undefined ? {} : { locations }), ...(path === undefined ? {} : { path }) }
  const cause = causeOf(error)
  if (cause === undefined) return { message, ...position }
  if (cause instanceof GraphRefusal) return { message, ...position, extensions: cause.extensions }
  return { message: toProblem(cause).message, ...position }
}

/** The error that a resolver threw; undefined for an error that the library reports about the request. */
function causeOf(error: GraphQLError): Error | undefined {
  const cause = error instanceof GraphQLError ? error.originalError : error
  // The library also wraps its own error about a value that a scalar refuses.
  return cause === null || cause instanceof GraphQLError ? undefined : cause
}
