import t, { type Static, type TSchema } from 'typebox'
import { Answer } from '../../../core/rest/answer.ts'
import { ID_MAX } from '../../../core/rest/input/fields.ts'
import { Problem, QueryProblem } from '../../../core/rest/problem.ts'
import type { Window } from '../../../sales/b2b/shared/pages.ts'
import { MessageProblem } from '../../../sales/b2b/shared/refusals.ts'

// The envelope of the companion API: `{code, data, meta}` (docs/contract/b2b.md section 2).

const SUCCESS = 'SUCCESS'
/** The message of users, addresses and super admins. Clients compare it exactly. */
export const SUCCESS_OF_USERS = 'Success'

/** @param message compared exactly by clients */
export const companionAnswer = (data: unknown, message = SUCCESS) => new Answer({ code: 200, data, meta: { message } })

export const companionListAnswer = (
  rows: readonly unknown[],
  total: number,
  { limit, offset }: Window,
  message = SUCCESS,
) => new Answer({ code: 200, data: rows, meta: { message, pagination: { totalCount: total, limit, offset } } })

const LIMIT_MAX = 250
const LIMIT_DEFAULT = 10

/** The paging of lists. A `limit` over the maximum is 413. */
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

/** The data in the answer to a deletion. */
export const Deleted = t.Object({})
/** The data in the answer to the deletion of a token. */
export const Nothing = t.Array(t.Null(), { maxItems: 0 })

/** The sentences about an item of a list, by field. */
const ItemMistakes = t.Record(t.String(), t.Array(t.String()))

/** The body of a refusal. */
export const CompanionRefusal = t.Object(
  {
    code: t.Integer(),
    data: t.Union([
      t.Object({
        errMsg: t.Union(
          [
            t.String(),
            t.Record(t.String(), t.Union([t.Array(t.String()), t.Record(t.String(), t.Array(t.String()))])),
            t.Array(ItemMistakes),
          ],
          { description: 'A sentence, or sentences by field; in a query those of a list by the position of its item' },
        ),
      }),
      t.Object({ errors: t.Array(t.Object({ id: t.String(), _detail: t.String() }, { title: 'RefusedItem' })) }),
      t.Array(ItemMistakes),
    ]),
    meta: t.Object({ message: t.String() }),
    detail: t.String({ description: 'All that is wrong, as one text' }),
    status: t.Optional(t.Integer({ description: 'As code; of parents and subsidiaries of companies' })),
    title: t.Optional(t.String({ description: 'Of parents and subsidiaries of companies' })),
    errors: t.Optional(
      t.Record(t.String(), t.String(), { description: 'By position; of parents and subsidiaries of companies' }),
    ),
  },
  { title: 'CompanionRefusal' },
)

/** A refusal of the operations on parents and subsidiaries, with the fields of the management API besides. */
export class HierarchyProblem extends Problem {}

/**
 * The form of a refused list (docs/contract/b2b.md section 2): `errMsg` with the fields of each item, the same as `data` itself, or
 * `errors` with a sentence for each item that is refused.
 */
type ListForm = 'errMsg' | 'data' | 'errors'

/** A refusal of a list in a body, with the mistakes of each item in their order. */
export class ListMistakes extends Problem {
  readonly items: readonly Readonly<Record<string, string>>[]
  readonly form: ListForm

  constructor(items: readonly Readonly<Record<string, string>>[], form: ListForm = 'errMsg', status = 422) {
    const named = items.flatMap((item, i) =>
      Object.entries(item).map(([field, sentence]) => [`${i}.${field}`, sentence]),
    )
    super(status, '', Object.fromEntries(named))
    this.items = items
    this.form = form
  }
}

/** `meta.message` by status. Other statuses use the sentence of the refusal. */
const MESSAGES: Readonly<Record<number, string>> = {
  400: 'API logic error',
  404: 'Not Found Error',
  409: 'Conflict',
  413: 'Request Entity Too Large',
  500: 'Server Error',
}

/** A refusal in the envelope (docs/contract/b2b.md section 2). */
export function refusalB2b(problem: Problem): { status: number; body: Static<typeof CompanionRefusal> } {
  const { status, message, detail: hint } = problem
  const errors = problem instanceof QueryProblem && status === 422 ? problem.parameters : problem.errors
  const fields = Object.entries(errors).map(([field, sentence]) => ({ field, sentence: inWords(field, sentence) }))
  const sentence = hint === undefined ? message : `${message} ${hint}`
  const detail = fields.length > 0 ? fields.map(sentenceOf).join(' ') : sentence
  return {
    status,
    body: {
      code: status,
      data:
        problem instanceof ListMistakes
          ? dataOfList(problem)
          : { errMsg: fields.length > 0 ? byField(fields, problem instanceof QueryProblem) : sentence },
      meta: { message: messageOf(problem, fields.length > 0) },
      detail,
      ...(problem instanceof HierarchyProblem ? { status, title: sentence, errors: { '1': sentence } } : {}),
    },
  }
}

function dataOfList({ items, form }: ListMistakes): Static<typeof CompanionRefusal>['data'] {
  if (form === 'errMsg') return { errMsg: items.map(inWordsByField) }
  if (form === 'data') return items.map(inWordsByField)
  const sentences = items.map((item) =>
    Object.entries(item).map(([field, sentence]) => sentenceOf({ field, sentence: inWords(field, sentence) })),
  )
  return {
    errors: sentences.flatMap((all, i) => (all.length > 0 ? [{ id: String(i), _detail: all.join(' ') }] : [])),
  }
}

/** The mistakes of one item of a list, by field. */
const inWordsByField = (item: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(item).map(([field, sentence]) => [field, [inWords(field, sentence)]]))

interface Fault {
  field: string
  sentence: string
}

/** Public clients read mistakes in the lists of a query by position: `{roles: {0: [...]}}`. */
function byField(faults: readonly Fault[], isOfQuery: boolean) {
  const sentence: Record<string, string[] | Record<string, string[]>> = {}
  for (const fault of faults) {
    const [, list, position] = (isOfQuery && /^(\w+)\.(\d+)$/.exec(fault.field)) || []
    if (list === undefined || position === undefined) sentence[fault.field] = [fault.sentence]
    else sentence[list] = { ...sentence[list], [position]: [fault.sentence] }
  }
  return sentence
}

const REQUIRED = 'This field is required'

/** The mistake of a field, as a sentence that names the field. */
const sentenceOf = ({ field, sentence }: Fault) => (sentence === REQUIRED ? `${field} is required.` : sentence)

function messageOf(problem: Problem, hasFields: boolean): string {
  if (problem instanceof MessageProblem) return problem.message
  if (problem.status === 422) return hasFields ? 'Parameter Error' : 'Logical Error'
  return MESSAGES[problem.status] ?? problem.message
}

/** Turns the codes of other families into sentences: clients of this API know no codes. */
function inWords(field: string, sentence: string): string {
  if (sentence === 'error.path.missing') return REQUIRED
  const type = /^error\.expected\.js(\w+)$/.exec(sentence)?.[1]
  if (type === undefined) return sentence
  return `${field || 'The body'} must be ${TYPES[type] ?? type}.`
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}
