import t from 'typebox'
import { Problem } from '../../core/rest/problem.ts'

/** The id in a body below `/v2/shipping`, which clients of the public API may not send (docs/contract/shipping.md section 1). */
export const Unwritable = t.Optional(t.Unknown({ description: 'Refused' }))

/** @throws Problem 400 */
export function refuseWrittenId(body: { id?: unknown }) {
  if (body.id === undefined) return
  throw new Problem(400, "The field 'id' cannot be written to. Please remove it from your request before trying again.")
}
