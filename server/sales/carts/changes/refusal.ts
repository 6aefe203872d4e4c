import { hasAny, type Mistakes } from '../../../core/rest/input/mistakes.ts'
import { Problem } from '../../../core/rest/problem.ts'

// Clients show the title of a refusal to shoppers, so it is a sentence about the mistake itself (docs/contract/carts.md section 1).

/** @throws Problem 422 whose title is the first mistake, if there are any */
export function refuseWithTitle(mistakes: Mistakes) {
  const [first] = Object.values(mistakes)
  if (first !== undefined && hasAny(mistakes)) throw new Problem(422, first, mistakes)
}

/** @throws Problem 422 about one field */
export function refuseField(field: string, sentence: string): never {
  throw new Problem(422, sentence, { [field]: sentence })
}
