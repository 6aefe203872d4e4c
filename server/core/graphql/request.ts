import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { Problem } from '../rest/problem.ts'

const QUERY_MAX = 64 * 1024

const Body = t.Object({
  query: t.String({ minLength: 1, maxLength: QUERY_MAX }),
  variables: t.Optional(t.Union([t.Null(), t.Record(t.String(), t.Unknown())])),
  operationName: t.Optional(t.Union([t.Null(), t.String({ pattern: '^([_A-Za-z][_0-9A-Za-z]{0,254})?$' })])),
})

/** One GraphQL operation as a client sends it. */
export interface GraphRequest {
  query: string
  variables: Record<string, unknown>
  operationName: string | undefined
}

/** Reads the body of a GraphQL request. @throws Problem 400, 413 */
export function readGraphRequest(body: unknown): GraphRequest {
  if (Array.isArray(body)) throw new Problem(400, 'A request carries one operation, not a list.')
  if (!Value.Check(Body, body)) {
    const query = typeof body === 'object' && body !== null && 'query' in body ? body.query : undefined
    if (typeof query === 'string' && query.length > QUERY_MAX)
      throw new Problem(413, `The query is longer than ${QUERY_MAX} characters.`)
    throw new Problem(400, 'The body must be JSON with a query, and may have variables and an operationName.')
  }
  const { query, variables, operationName }: Static<typeof Body> = body
  return { query, variables: variables ?? {}, operationName: operationName || undefined }
}
