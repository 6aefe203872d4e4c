import { notFound, Problem } from '../../../../../core/rest/problem.ts'

// Refusals of carts and checkouts in the older form: an error whose message public clients show to shoppers
// (docs/contract/storefront-purchases.md section 2).

/** The title of a body with several mistakes, whose sentences are in its `errors`. */
const GENERAL = 'JSON data is missing or invalid'

/**
 * Runs a change of a cart.
 * @param id the cart of the request: an unknown one is "Not Found", as is that of somebody else
 * @throws Problem with a sentence for shoppers
 */
export async function withSentences<T>(id: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Problem && error.status < 500 ? inSentences(error, id) : error
  }
}

function inSentences(problem: Problem, id: string | undefined): Problem {
  if (id !== undefined && problem.status === 404 && problem.message === notFound('cart', id).message)
    return unknownCart()
  const [first] = Object.entries(problem.errors)
  if (problem.message !== GENERAL || first === undefined) return problem
  return new Problem(problem.status, sentenceAbout(first), problem.errors)
}

/** The refusal of a cart that doesn't exist for the shopper. */
export const unknownCart = () => new Problem(404, 'Not Found')

const FAULTS: Readonly<Record<string, string>> = {
  'error.path.missing': 'is missing',
  'error.expected.jsstring': 'must be a text',
  'error.expected.jsnumber': 'must be a number',
  'error.expected.jsboolean': 'must be true or false',
}

function sentenceAbout([field, fault]: [string, string]): string {
  const words = FAULTS[fault]
  return words === undefined ? fault : `${field} ${words}.`
}
