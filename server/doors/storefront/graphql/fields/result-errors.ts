import { GraphRefusal } from '../../../../core/graphql/refusal.ts'
import { Problem } from '../../../../core/rest/problem.ts'
import { countCall } from '../../../../customers/logins/attempts.ts'
import type { StorefrontCaller } from '../../caller.ts'

// Errors of mutations. Newer mutations have them in their results, as objects with types; older ones fail as a whole
// (docs/contract/storefront-graphql.md section 9).

/** An error of one type, for the list `errors` of a result. */
export const errorOf = <Name extends string>(name: Name, message: string) => ({ __typename: name, message })

/** @param path the names of the field in the input */
export const validationError = (path: readonly string[], message: string) => ({
  ...errorOf('ValidationError', message),
  path: ['input', ...path],
})
export type ValidationError = ReturnType<typeof validationError>

export const NOT_LOGGED_IN = errorOf('CustomerNotLoggedInError', 'Please sign in.')

/** @throws any error that isn't a refusal that the shopper can act on. Too many requests are one for the whole request */
export async function attempt<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; problem?: undefined } | { problem: Problem }> {
  try {
    return { result: await work() }
  } catch (error) {
    if (error instanceof Problem && error.status < 500 && error.status !== 429) return { problem: error }
    throw error
  }
}

/**
 * The errors of the fields that a refusal names.
 * @param namesOf the names of the field in the input, by its path in the refusal
 */
export const validationErrors = (
  { errors }: Problem,
  namesOf: (path: string) => readonly string[] = inCamelCase,
): ValidationError[] => Object.entries(errors).map(([path, sentence]) => validationError(namesOf(path), sentence))

/** The names of a path, without positions: `0.address.country_code` is the field `countryCode` of `address`. */
export const inCamelCase = (path: string): string[] =>
  path
    .split('.')
    .filter((name) => !/^\d+$/.test(name))
    .map((name) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))

/** The sent values without nulls, which mean nothing. */
export const withoutNulls = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))

/** Does the work of a mutation without typed errors. @throws GraphRefusal with the sentence of the first field that is refused */
export async function refusingFields<Result>(work: () => Promise<Result>): Promise<Result> {
  const outcome = await attempt(work)
  if (!outcome.problem) return outcome.result
  const { message, errors } = outcome.problem
  throw new GraphRefusal(Object.values(errors)[0] ?? message, 'BAD_USER_INPUT')
}

/** Counts a costly call of the shopper. @throws Problem 429 */
export async function limitCalls({ storefront, guesser }: StorefrontCaller) {
  if (guesser !== undefined) await countCall(storefront.db, guesser)
}
