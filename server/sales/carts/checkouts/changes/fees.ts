import { type Mistakes, repeated } from '../../../../core/rest/input/mistakes.ts'
import { newUuid } from '../../../../core/secrets/row-ids.ts'
import { refuseField, refuseWithTitle } from '../../changes/refusal.ts'
import type { CartDocument } from '../../row/document.ts'

// Changes of fees (docs/contract/checkouts.md section 8).

const FEES_MAX = 5

/** A fee in a request. */
export interface CheckoutFeeInput {
  name: string
  display_name: string
  source: string
  cost: number
  tax_class_id?: number | null
}

/** The tax classes of the store by id. */
type Classes = ReadonlyMap<number, unknown>

/** @throws Problem 422 for too many fees and for unknown tax classes */
export function addFees(document: CartDocument, inputs: readonly CheckoutFeeInput[], classes: Classes): CartDocument {
  refuseWithTitle(unknownClasses(inputs, classes))
  const fees = [...document.fees, ...inputs.map((input) => ({ id: newUuid(), ...fieldsOf(input) }))]
  if (fees.length > FEES_MAX) refuseField('fees', `A checkout can have at most ${FEES_MAX} fees.`)
  return { ...document, fees }
}

/** Replaces the named fees; the others remain. @throws Problem 422 for unknown fees and tax classes */
export function replaceFees(
  document: CartDocument,
  inputs: readonly (CheckoutFeeInput & { id: string })[],
  classes: Classes,
): CartDocument {
  const mistakes = {
    ...unknownClasses(inputs, classes),
    ...unknownFees(
      document,
      inputs.map(({ id }) => id),
      (i) => `fees.${i}.id`,
    ),
  }
  refuseWithTitle(mistakes)
  const byId = new Map(inputs.map((input) => [input.id, input]))
  return {
    ...document,
    fees: document.fees.map((fee) => {
      const input = byId.get(fee.id)
      return input ? { id: fee.id, ...fieldsOf(input) } : fee
    }),
  }
}

/** @throws Problem 422 for unknown fees; then none is removed */
export function removeFees(document: CartDocument, ids: readonly string[]): CartDocument {
  refuseWithTitle(unknownFees(document, ids, (i) => `ids.${i}`))
  return { ...document, fees: document.fees.filter(({ id }) => !ids.includes(id)) }
}

const fieldsOf = ({ name, display_name, source, cost, tax_class_id = null }: CheckoutFeeInput) => ({
  name,
  display_name,
  source,
  cost,
  tax_class_id,
})

function unknownClasses(inputs: readonly CheckoutFeeInput[], classes: Classes): Mistakes {
  const mistakes: Mistakes = {}
  for (const [i, { tax_class_id = null }] of inputs.entries()) {
    if (tax_class_id !== null && !classes.has(tax_class_id)) {
      mistakes[`fees.${i}.tax_class_id`] = `There is no tax class ${tax_class_id}.`
    }
  }
  return mistakes
}

function unknownFees({ fees }: CartDocument, ids: readonly string[], at: (i: number) => string): Mistakes {
  const mistakes = repeated(ids, (id) => id, at, 'Another item has this id.')
  for (const [i, id] of ids.entries()) {
    if (!fees.some((fee) => fee.id === id)) mistakes[at(i)] = `This checkout has no fee ${id}.`
  }
  return mistakes
}
