import t, { type TSchema } from 'typebox'
import { Answer } from '../../../core/rest/answer.ts'
import type { Window } from '../../../sales/b2b/shared/pages.ts'
import { listing } from '../grammar/envelope.ts'

// Answers with their message twice: at the top and in `meta` (docs/contract/b2b-quotes.md section 1).

const message = 'SUCCESS'

export const messageAnswer = (data: unknown) => new Answer({ code: 200, data, message, meta: { message } })

export const messageListAnswer = (rows: readonly unknown[], total: number, { limit, offset }: Window) =>
  new Answer({ code: 200, data: rows, message, meta: { message, pagination: { totalCount: total, limit, offset } } })

const Meta = t.Object({ message: t.String() }, { title: 'CompanionMeta' })

/** Schema of an answer. */
export const messaging = (data: TSchema) => ({
  response: { 200: t.Object({ code: t.Integer(), data, message: t.String(), meta: Meta }) },
})

/** Schema of a list. */
export const messagingList = (row: TSchema) => {
  const { response } = listing(row)
  return { response: { 200: t.Object({ ...response[200].properties, message: t.String() }) } }
}
