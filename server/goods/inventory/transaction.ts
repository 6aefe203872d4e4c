import t from 'typebox'
import { Answer } from '../../core/rest/answer.ts'
import { newUuid } from '../../core/secrets/row-ids.ts'

/** The answer to writes of locations and stock, without an envelope (docs/contract/locations.md section 1). */
export const transactionAnswers = {
  response: { 200: t.Object({ transaction_id: t.String({ format: 'uuid' }) }, { title: 'Transaction' }) },
}

export const newTransactionId = (): string => newUuid()

export const answerTransaction = (transaction_id: string) => new Answer({ transaction_id })
