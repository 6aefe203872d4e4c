import t from 'typebox'
import { itemReader } from '../../../../../core/rest/input/validator.ts'
import { Problem } from '../../../../../core/rest/problem.ts'
import { changeCustomers } from '../../../../../customers/accounts/change.ts'
import { createCustomers, type RequestContext } from '../../../../../customers/accounts/create.ts'
import { hashPassword, passwordMistake } from '../../../../../customers/logins/passwords.ts'
import { Customer } from '../../../../../customers/row/shape.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { findCustomer } from '../../../sessions/logins.ts'
import {
  attempt,
  errorOf,
  limitCalls,
  NOT_LOGGED_IN,
  validationError,
  validationErrors,
  withoutNulls,
} from '../result-errors.ts'
import { readShopperAddress, type ShopperAddressInput } from './address-changes.ts'
import { type FormFieldsInput, readFormFields } from './form-field-input.ts'

const { email, first_name: firstName, last_name: lastName, phone, company } = Customer.properties
const Account = t.Object({
  firstName,
  lastName,
  email: t.String({ ...email, maxLength: 250 }),
  phone: t.Optional(phone),
  company: t.Optional(company),
})
const readNewAccount = itemReader(Account)
const readChanges = itemReader(t.Partial(Account))

/** The longest address that a customer's row has room for. */
const IP_ADDRESS_MAX = 30

const EMAIL_IN_USE = errorOf('EmailAlreadyInUseError', 'The email address is already in use.')

/** Clients send the paths of one customer, and of the addresses of a list the only one. */
export const accountContext = ({ claims }: StorefrontCaller): RequestContext => ({
  at: (_, field) => field.replace(/^addresses\.0\./, 'address.'),
  refuseTaken: () => new Problem(409, EMAIL_IN_USE.message),
  clientId: claims.sub,
})

export interface NewAccountInput {
  firstName: string
  lastName: string
  email: string
  password: string
  phone?: string | null
  company?: string | null
  address?: ShopperAddressInput | null
  formFields?: FormFieldsInput | null
}

/** Creates an account for a shopper, and nothing if there is a mistake. Nobody is logged in by it. */
export async function registerCustomer(caller: StorefrontCaller, input: NewAccountInput) {
  await limitCalls(caller)
  const { storefront, address: shopperAddress = '' } = caller
  const { password, address, formFields, ...given } = input
  const [account, fields, place] = [
    await attempt(async () => readNewAccount(withoutNulls(given))),
    await readFormFields(caller, formFields, { kind: 'customer', path: ['formFields'], isNew: true }),
    address ? await readShopperAddress(caller, address, ['address']) : undefined,
  ]
  const fault = passwordMistake(password)
  const errors = [
    ...(account.problem ? validationErrors(account.problem) : []),
    ...(fault === undefined ? [] : [validationError(['password'], fault)]),
    ...fields.errors,
    ...(place?.errors ?? []),
  ]
  if (errors.length > 0 || account.problem) return { customer: null, errors }
  const { firstName: first_name, lastName: last_name, ...rest } = account.result
  const password_hash = await hashPassword(storefront.db.store, password)
  const stored = await attempt(() =>
    storefront.db.transaction((tx) =>
      createCustomers(
        tx,
        [
          {
            ...rest,
            first_name,
            last_name,
            password_hash,
            origin_channel_id: storefront.channel,
            registration_ip_address: shopperAddress.length <= IP_ADDRESS_MAX ? shopperAddress : '',
            accepts_product_review_abandoned_cart_emails: fields.hasConsent ?? false,
            form_fields: fields.values,
            ...(place?.address ? { addresses: [place.address] } : {}),
            isWelcomed: true,
          },
        ],
        accountContext(caller),
      ),
    ),
  )
  if (stored.problem) return { customer: null, errors: errorsOf(stored.problem, 'CustomerRegistrationError') }
  const [{ id } = { id: 0 }] = stored.result
  return { customer: (await findCustomer(storefront.db, id)) ?? null, errors: [] }
}

interface AccountChangesInput {
  firstName?: string | null
  lastName?: string | null
  email?: string | null
  phone?: string | null
  company?: string | null
  formFields?: FormFieldsInput | null
}

/** Changes the account of the customer. Fields that are missing or null remain. */
export async function updateCustomer(caller: StorefrontCaller, { formFields, ...given }: AccountChangesInput) {
  const { customer, storefront } = caller
  if (!customer) return { customer: null, errors: [NOT_LOGGED_IN] }
  await limitCalls(caller)
  const [changes, fields] = [
    await attempt(async () => readChanges(withoutNulls(given))),
    await readFormFields(caller, formFields, { kind: 'customer', path: ['formFields'], isNew: false }),
  ]
  const errors = [...(changes.problem ? validationErrors(changes.problem) : []), ...fields.errors]
  if (errors.length > 0 || changes.problem) return { customer: null, errors }
  const { firstName: first_name, lastName: last_name, ...rest } = changes.result
  const account = {
    ...rest,
    id: customer.id,
    first_name,
    last_name,
    accepts_product_review_abandoned_cart_emails: fields.hasConsent,
    form_fields: fields.values,
  }
  const stored = await attempt(() =>
    storefront.db.transaction((tx) => changeCustomers(tx, [account], accountContext(caller))),
  )
  const found = await findCustomer(storefront.db, customer.id)
  if (!found) return { customer: null, errors: [errorOf('CustomerDoesNotExistError', 'The customer does not exist.')] }
  if (stored.problem) return { customer: null, errors: errorsOf(stored.problem, 'UnexpectedUpdateCustomerError') }
  return { customer: found, errors: [] }
}

/** The errors of a refusal. @param other the type of a refusal that names no field */
function errorsOf<Other extends string>(problem: Problem, other: Other) {
  if (problem.status === 409) return [EMAIL_IN_USE]
  const errors = validationErrors(problem)
  return errors.length > 0 ? errors : [errorOf(other, problem.message)]
}
