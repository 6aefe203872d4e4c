import type { FastifyRequest } from 'fastify'
import t, { type Static } from 'typebox'
import type { BatchOutcome } from '../../core/rest/batch.ts'
import { Problem, ProblemBody, problemBody, QueryProblem } from '../../core/rest/problem.ts'
import type { PageOutcome } from './writing.ts'

/** An error of the pages of version 3, whose `errors` are a list if they are the malformed values of a GET. */
export const PageProblem = t.Object(
  { ...ProblemBody.properties, errors: t.Union([t.Record(t.String(), t.String()), t.Array(t.String())]) },
  { title: 'PageProblem' },
)

/** The body of an error: `detail` always has the reason (docs/contract/pages.md section 4). */
export function pageProblem(
  refusal: ProblemBody,
  request: Pick<FastifyRequest, 'method' | 'query' | 'params'>,
  problem: Problem,
): Static<typeof PageProblem> {
  const body = withDetail(refusal)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead || !(problem instanceof QueryProblem) || problem.status !== 422) return body
  const given: Readonly<Record<string, unknown>> = { ...Object(request.params), ...Object(request.query) }
  const values = Object.keys(problem.parameters).map((name) => String([given[name.split('.')[0] ?? '']].flat().at(-1)))
  return values.length > 0 ? { ...body, errors: values } : body
}

function withDetail(refusal: ProblemBody): ProblemBody {
  const { status, title, type, detail, errors } = refusal
  const [reason = title] = Object.values(errors)
  return { status, title, type, detail: detail ?? reason, errors }
}

/** The body of a batch that saved only some of its items, or none. */
export function failedBatch({ failures, meta }: BatchOutcome<PageOutcome>, docsBase: string) {
  const errors = Object.fromEntries(failures.flatMap(({ index, problem }) => errorsAt(index, problem)))
  return { ...withDetail(problemBody(new Problem(422, SOME_FAILED, errors), docsBase)), meta }
}
const SOME_FAILED = 'Some pages are not valid.'

/** The errors of an item, by their paths in the list. */
export function errorsAt(index: number, { message, errors }: Problem): [path: string, sentence: string][] {
  const entries = Object.entries(errors)
  return entries.length === 0
    ? [[String(index), message]]
    : entries.map(([field, sentence]) => [`${index}.${field}`, sentence])
}

/** Does work whose conflicts are 422 in version 3. */
export async function refusingConflicts<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && error.status === 409) throw new Problem(422, error.message, error.errors)
    throw error
  }
}

/** The reasons for addresses that were not saved, by the path of the field; undefined if all were. */
export function addressErrors(outcomes: readonly PageOutcome[], pathOf: (i: number) => string, docsBase: string) {
  const errors = Object.fromEntries(
    outcomes.flatMap(({ failure }, i) => (failure === undefined ? [] : [[pathOf(i), failure]])),
  )
  if (Object.keys(errors).length === 0) return undefined
  return problemBody(new Problem(409, 'Everything was saved except the address.', errors), docsBase)
}
