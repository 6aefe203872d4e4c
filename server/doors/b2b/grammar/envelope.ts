import t, { type Static, type TSchema } from 'typebox'
import { Answer } from '../../../core/rest/answer.ts'
import { ID_MAX } from '../../../core/rest/input/fields.ts'
import { Problem, QueryProblem } from '../../../core/rest/problem.ts'

// How the companion API speaks: `{code, data, meta}` (docs/contract/b2b.md section 2).

const SUCCESS = 'SUCCESS'
/** What users, addresses and super admins say in its place: clients compare the text. */
export const SUCCESS_OF_USERS = 'Success'

/** @param message compared exactly by clients */
export const done = (data: unknown, message = SUCCESS) => new Answer({ code: 200, data, meta: { message } })

export interface Window {
  limit: number
  offset: number
}

export const doneList = (rows: readonly unknown[], total: number, { limit, offset }: Window, message = SUCCESS) =>
  new Answer({ code: 200, data: rows, meta: { message, pagination: { totalCount: total, limit, offset } } })

const LIMIT_MAX = 250
const LIMIT_DEFAULT = 10

/** The two names by which lists are paged. A `limit` over the maximum is 413. */
export const windowQuery = {
  limit: t.Optional(t.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT })),
  offset: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX, default: 0 })),
}

export const windowOf = ({ limit = LIMIT_DEFAULT, offset = 0 }: { limit?: number; offset?: number }): Window => ({
  limit,
  offset,
})

const Meta = t.Object({ message: t.String() }, { title: 'CompanionMeta' })
const ListMeta = t.Object(
  {
    message: t.String(),
    pagination: t.Object(
      { totalCount: t.Integer(), limit: t.Integer(), offset: t.Integer() },
      { title: 'CompanionPagination' },
    ),
  },
  { title: 'CompanionListMeta' },
)

/** Schema of an answer. */
export const answering = (data: TSchema) => ({ response: { 200: t.Object({ code: t.Integer(), data, meta: Meta }) } })

/** Schema of a list. */
export const listing = (row: TSchema) => ({
  response: { 200: t.Object({ code: t.Integer(), data: t.Array(row), meta: ListMeta }) },
})

/** What is answered where something is deleted. */
export const Deleted = t.Object({})
/** What is answered where a token is deleted. */
export const Nothing = t.Array(t.Null(), { maxItems: 0 })

/** The body of a refusal. */
export const CompanionRefusal = t.Object(
  {
    code: t.Integer(),
    data: t.Object({
      errMsg: t.Union(
        [t.String(), t.Record(t.String(), t.Union([t.Array(t.String()), t.Record(t.String(), t.Array(t.String()))]))],
        { description: 'A sentence, or sentences by field; in a query those of a list by the place of its item' },
      ),
    }),
    meta: t.Object({ message: t.String() }),
    detail: t.String({ description: 'All that is wrong, as one text' }),
  },
  { title: 'CompanionRefusal' },
)

/** A refusal whose `meta.message` is its own sentence; others have the words of their status. */
export class MessageProblem extends Problem {}

/** `meta.message` by status. What is not here says its own sentence. */
const MESSAGES: Readonly<Record<number, string>> = {
  400: 'API logic error',
  404: 'Not Found Error',
  409: 'Conflict',
  413: 'Request Entity Too Large',
  500: 'Server Error',
}

/** What the companion API says of a refusal (docs/contract/b2b.md section 2). */
export function refusalB2b(problem: Problem): { status: number; body: Static<typeof CompanionRefusal> } {
  const { status, message, detail: hint } = problem
  const errors = problem instanceof QueryProblem && status === 422 ? problem.parameters : problem.errors
  const fields = Object.entries(errors).map(([field, said]) => ({ field, said: inWords(field, said) }))
  const sentence = hint === undefined ? message : `${message} ${hint}`
  const detail = fields.length > 0 ? fields.map(sentenceOf).join(' ') : sentence
  return {
    status,
    body: {
      code: status,
      data: {
        errMsg: fields.length > 0 ? byField(fields, problem instanceof QueryProblem) : sentence,
      },
      meta: { message: messageOf(problem, fields.length > 0) },
      detail,
    },
  }
}

interface Fault {
  field: string
  said: string
}

/** Public clients read the items of a list in a query by their place: `{roles: {0: [...]}}`. */
function byField(faults: readonly Fault[], isOfQuery: boolean) {
  const said: Record<string, string[] | Record<string, string[]>> = {}
  for (const fault of faults) {
    const [, list, place] = (isOfQuery && /^(\w+)\.(\d+)$/.exec(fault.field)) || []
    if (list === undefined || place === undefined) said[fault.field] = [fault.said]
    else said[list] = { ...said[list], [place]: [fault.said] }
  }
  return said
}

const REQUIRED = 'This field is required'

/** What is said of a field, as a sentence that can stand without it. */
const sentenceOf = ({ field, said }: Fault) => (said === REQUIRED ? `${field} is required.` : said)

function messageOf(problem: Problem, hasFields: boolean): string {
  if (problem instanceof MessageProblem) return problem.message
  if (problem.status === 422) return hasFields ? 'Parameter Error' : 'Logical Error'
  return MESSAGES[problem.status] ?? problem.message
}

/** The codes of other families in words. Clients of this one know none. */
function inWords(field: string, said: string): string {
  if (said === 'error.path.missing') return REQUIRED
  const type = /^error\.expected\.js(\w+)$/.exec(said)?.[1]
  if (type === undefined) return said
  return `${field || 'The body'} must be ${TYPES[type] ?? type}.`
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}
