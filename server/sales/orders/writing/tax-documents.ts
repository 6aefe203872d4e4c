import type { Tx } from '../../../core/db/database.ts'
import { submitTaxDocument } from '../../tax/submissions/submission.ts'
import { mayHaveDocument } from '../arithmetic/tax-document.ts'
import type { OrderRow } from '../row/rows.ts'

/** Enqueues the job that brings the tax document of a changed order up to date. Orders that were never paid have none. */
export async function submitTaxOfOrder(tx: Tx, before: OrderRow | undefined, after: OrderRow) {
  if (mayHaveDocument(after) || (before && mayHaveDocument(before))) await submitTaxDocument(tx, after.id)
}
