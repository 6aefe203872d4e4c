import t, { type Static } from 'typebox'
import { DatabaseUnavailable, StatementTimeout } from '../db/database.ts'

/** Most failing fields that a refusal names: else it could be longer than the body that it refuses. */
export const REPORTED_MAX = 1_000

/**
 * A refusal that the caller can act on. Thrown anywhere, it becomes the one error shape in `toProblem`
 * (docs/contract/conventions.md section 7).
 */
export class Problem extends Error {
  readonly status: number
  /** Sentence or code by field path, such as `0.variants.0.state`. */
  readonly errors: Record<string, string>
  readonly headers: Readonly<Record<string, string>>
  readonly detail: string | undefined

  constructor(
    status: number,
    title: string,
    errors: Record<string, string> = {},
    { headers = {}, detail }: { headers?: Record<string, string>; detail?: string | undefined } = {},
  ) {
    const { stackTraceLimit } = Error
    // Nobody reads the stack of a refusal, and recording it is a third of its cost (docs/decisions/050-bodies-as-they-arrive.md).
    if (status < 500) Error.stackTraceLimit = 0
    super(title)
    Error.stackTraceLimit = stackTraceLimit
    this.status = status
    const all = Object.entries(errors)
    this.errors = all.length > REPORTED_MAX ? Object.fromEntries(all.slice(0, REPORTED_MAX)) : errors
    this.headers = headers
    this.detail = detail
  }
}

/** A disk or bucket without space: the operator has to know, while a plan limit concerns the store alone. */
export class OutOfSpace extends Problem {
  constructor(cause: Error) {
    super(507, 'The server has no space left for files.')
    this.cause = cause
  }
}

/** The refusal of a query: the title says all of it, and `parameters` each of its mistakes by the name that is wrong. */
export class QueryProblem extends Problem {
  readonly parameters: Readonly<Record<string, string>>
  /** Whether the query has names that the route does not know. */
  readonly hasUnknownNames: boolean

  constructor(
    status: number,
    title: string,
    parameters: Record<string, string>,
    { detail, hasUnknownNames = false }: { detail?: string | undefined; hasUnknownNames?: boolean } = {},
  ) {
    super(status, title, {}, { detail })
    this.parameters = parameters
    this.hasUnknownNames = hasUnknownNames
  }
}

/** 422 with a sentence or a code for each failing field. `detail` explains the codes. */
export const invalid = (errors: Record<string, string>) =>
  new Problem(422, 'JSON data is missing or invalid', errors, { detail: wordsOf(errors) })

/** The meaning of the contract's codes (docs/contract/conventions.md section 7). */
const CODES: Readonly<Record<string, string>> = {
  'error.path.missing': 'is missing',
  'error.expected.jsstring': 'must be a text',
  'error.expected.jsnumber': 'must be a number',
  'error.expected.jsboolean': 'must be true or false',
  'error.expected.jsarray': 'must be a list',
  'error.expected.jsobject': 'must be an object',
}

/** Most fields whose code is explained: after five, readers know the sixth. */
const WORDS_MAX = 5

function wordsOf(errors: Record<string, string>): string | undefined {
  const words = Object.entries(errors)
    .slice(0, REPORTED_MAX)
    .flatMap(([path, code]) => (code in CODES ? [`${path || 'The body'} ${CODES[code]}`] : []))
  if (words.length === 0) return undefined
  const more = words.length > WORDS_MAX ? [`and ${words.length - WORDS_MAX} more`] : []
  return `${[...words.slice(0, WORDS_MAX), ...more].join('; ')}.`
}

/** The sentence about an unknown id, for the title of a 404 or for a field. */
export const unknownId = (noun: string, id: number | string) => `The ${noun} ${id} does not exist.`

export const notFound = (noun: string, id: number | string) => new Problem(404, unknownId(noun, id))

/**
 * Does work on one of several things in a body. The work's refusal names a field of the thing; the path of the thing is added here.
 * @param at the path of a field of this thing
 */
export async function locating<T>(at: (field: string) => string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const errors = Object.entries(error.errors).map(([field, sentence]) => [at(field), sentence])
    throw new Problem(error.status, error.message, Object.fromEntries(errors))
  }
}

/** Errors of the framework that a client can cause, and our status and sentence for each. */
const frameworkProblems: Record<string, [status: number, title: string, detail?: string]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'The body is too large.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    415,
    'This Content-Type is not supported here.',
    'Bodies are application/json, uploads of files multipart/form-data.',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'The body is not as long as Content-Length says.'],
  FST_ERR_BAD_URL: [400, 'The path is not well formed.'],
}

/**
 * Turns every failure into status and sentence. An unexpected one is a 500 with a generic title; the log has its cause under the
 * request id that the caller sees in `X-Request-Id`.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof DatabaseUnavailable) {
    return new Problem(503, 'The service is not available at the moment.', {}, { headers: { 'retry-after': '1' } })
  }
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const known = frameworkProblems[error.code]
    if (known) return new Problem(known[0], known[1], {}, { detail: known[2] })
  }
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number') {
    if (error.statusCode >= 400 && error.statusCode < 500) return new Problem(error.statusCode, error.message)
  }
  return new Problem(500, 'Internal error')
}

/** The log line of a request that failed. A time-out has its own: it points at a slow statement, not at an outage. */
export const complaintOf = (error: unknown): string =>
  error instanceof StatementTimeout ? 'a statement of a request took too long' : 'request failed'

/** The body of an error, also as it stands among the `errors` of a 207 or of a batch. */
export const ProblemBody = t.Object(
  {
    status: t.Integer(),
    title: t.String(),
    type: t.String(),
    detail: t.Optional(t.String()),
    errors: t.Record(t.String(), t.String()),
  },
  { title: 'Problem' },
)
export type ProblemBody = Static<typeof ProblemBody>

/** The body of an error of a list, where the contract also lists each failing item by itself. */
export const ListProblemBody = t.Object(
  { ...ProblemBody.properties, batch_errors: t.Optional(t.Array(ProblemBody)) },
  { title: 'ListProblem', description: 'Something is wrong with the list, or with items of it' },
)

/** @param docsBase address of the documentation that `type` points into */
export function problemBody(problem: Problem, docsBase: string): ProblemBody {
  return {
    status: problem.status,
    title: problem.message,
    type: `${docsBase}/errors#${problem.status}`,
    ...(problem.detail === undefined ? {} : { detail: problem.detail }),
    errors: problem.errors,
  }
}

/**
 * Adds an error for each failing item, in their order (docs/contract/conventions.md section 7). An error that is not about items
 * stays as it is.
 */
export function withBatchErrors(body: ProblemBody): Static<typeof ListProblemBody> {
  const { whole: _, ...items } = Object.groupBy(
    Object.entries(body.errors),
    ([path]) => /^\d+(?=\.|$)/.exec(path)?.[0] ?? 'whole',
  )
  const { detail: _detail, ...each } = body
  const failing = Object.values(items).map((entries = []) => {
    const errors = Object.fromEntries(entries)
    const detail = wordsOf(errors)
    return { ...each, ...(detail === undefined ? {} : { detail }), errors }
  })
  return failing.length === 0 ? body : { ...body, batch_errors: failing }
}
