import t from 'typebox'
import { itemReader } from '../../../../../core/rest/input/validator.ts'
import { changeCustomers } from '../../../../../customers/accounts/change.ts'
import { isPasswordOf } from '../../../../../customers/logins/credentials.ts'
import { hashPassword, passwordMistake } from '../../../../../customers/logins/passwords.ts'
import { Customer } from '../../../../../customers/row/shape.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { isPathHere } from '../../../sessions/logins.ts'
import { attempt, errorOf, limitCalls, NOT_LOGGED_IN, validationError, validationErrors } from '../result-errors.ts'
import { localesFor, resolveLocale } from '../settings/locales.ts'
import { accountContext } from './account-changes.ts'

/** The page of shops that don't name one. */
const RESET_PAGE = '/login.php?action=change_password'

const readEmail = itemReader(t.Object({ email: Customer.properties.email }))

/** Changes the password of the customer, who knows the current one. All sessions of the customer end. */
export async function changePassword(
  caller: StorefrontCaller,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
) {
  const { customer, storefront, guesser } = caller
  if (!customer) return { errors: [NOT_LOGGED_IN] }
  const fault = passwordMistake(newPassword)
  if (fault !== undefined) return { errors: [validationError(['newPassword'], fault)] }
  const checked = await attempt(() => isPasswordOf(storefront.db, customer.id, currentPassword, guesser))
  if (checked.problem) return { errors: [DELETED] }
  if (!checked.result) return { errors: [errorOf('CustomerPasswordError', 'The current password is wrong.')] }
  const password_hash = await hashPassword(storefront.db.store, newPassword)
  const stored = await attempt(() =>
    storefront.db.transaction((tx) =>
      changeCustomers(tx, [{ id: customer.id, password_hash }], accountContext(caller)),
    ),
  )
  return { errors: stored.problem ? [DELETED] : [] }
}

const DELETED = errorOf('CustomerDoesNotExistError', 'The customer does not exist.')

/** Sends a link for a new password if there is an account. The answer is the same without one. */
export async function requestResetPassword(
  caller: StorefrontCaller,
  { email, path }: { email: string; path?: string | null },
) {
  await limitCalls(caller)
  const read = await attempt(async () => readEmail({ email }))
  const errors = [
    ...(read.problem ? validationErrors(read.problem) : []),
    ...(path == null || (isPathHere(path) && !path.includes('#'))
      ? []
      : [validationError(['path'], 'path must be a path of the shop.')]),
  ]
  if (errors.length > 0) return { errors }
  const { logins, storefront } = caller
  const locale = resolveLocale(await localesFor(caller), caller.acceptLanguage) ?? ''
  await logins.requestReset(storefront, { email, locale, page: `${storefront.url}${path ?? RESET_PAGE}` })
  return { errors: [] }
}

/** Sets a new password by the token of such a link. */
export async function resetByLink(
  caller: StorefrontCaller,
  input: { customerEntityId: number; token: string; newPassword: string },
) {
  await limitCalls(caller)
  const { customerEntityId: customer, token, newPassword: password } = input
  const fault = passwordMistake(password)
  if (fault !== undefined) return { errors: [validationError(['newPassword'], fault)] }
  const { logins, storefront, claims } = caller
  const done = await attempt(() =>
    logins.resetPassword(storefront, { customer, token, password, clientId: claims.sub }),
  )
  return { errors: done.problem ? [errorOf('CustomerPasswordError', done.problem.message)] : [] }
}
