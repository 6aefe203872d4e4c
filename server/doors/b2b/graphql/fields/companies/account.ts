import t from 'typebox'
import type { Db, Tx } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { GraphRefusal } from '../../../../../core/graphql/refusal.ts'
import { withoutUndefined } from '../../../../../core/objects.ts'
import { itemReader } from '../../../../../core/rest/input/validator.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import { findOne } from '../../../../../core/rest/lists/verbs.ts'
import { invalid, Problem } from '../../../../../core/rest/problem.ts'
import { changeCustomers } from '../../../../../customers/accounts/change.ts'
import { FormFieldValues, formFieldsV2 } from '../../../../../customers/form-fields/values.ts'
import { isPasswordOf } from '../../../../../customers/logins/credentials.ts'
import { hashPassword, passwordMistake } from '../../../../../customers/logins/passwords.ts'
import { Customer, customers } from '../../../../../customers/row/shape.ts'
import { companies } from '../../../../../sales/b2b/companies/company.ts'
import { creditOf } from '../../../../../sales/b2b/credit/credit.ts'
import { termsOf } from '../../../../../sales/b2b/credit/payment-terms.ts'
import { extraFieldsIn } from '../../../../../sales/b2b/extra-fields/definitions.ts'
import { extraValuesToAnswer } from '../../../../../sales/b2b/extra-fields/values.ts'
import { roleNumber } from '../../../../../sales/b2b/roles/roles.ts'
import { findUser, UserChanges } from '../../../../../sales/b2b/users/user.ts'
import { currencyPair } from '../../../../../shop/channels/currencies/shape.ts'
import { guesserAt } from '../../../tokens/sign-in.ts'
import { contextOf } from '../../../users/buyers.ts'
import { changeUser, inBody } from '../../../users/user-changes.ts'
import { type BuyerCaller, buyerOf, type SignedInShopper, signedIn } from '../../caller.ts'
import type { SchemaInputs } from '../../schema-types.ts'
import type { MutationFields, QueryFields } from '../../types.ts'
import { given, refuseActing } from '../companies.ts'

// The account of the signed-in person, and the credit of its company (docs/contract/b2b-graphql.md section 8).

const readChanges = itemReader(UserChanges)
const { email, first_name: firstName, last_name: lastName, phone, company } = Customer.properties
const readAccount = itemReader(t.Partial(t.Object({ firstName, lastName, email, phone, company })))
const readFormFields = itemReader(t.Object({ form_fields: FormFieldValues }))

export const accountQueries: QueryFields<
  'accountSettings' | 'customerAccountSettings' | 'companyCreditConfig' | 'companyPaymentTerms'
> = {
  accountSettings: (_, { companyId }, caller) => accountOf(caller, companyId),
  customerAccountSettings: (_, _args, caller) => customerAccountOf(signedIn(caller)),
  async companyCreditConfig(_, _args, caller) {
    const { db, acting } = buyerOf(caller)
    const credit = await creditIfUsed(db, acting)
    const { wanted, standard } = await currencyPair(db, credit.creditCurrency || undefined)
    return { ...credit, creditCurrency: credit.creditCurrency || standard.currency_code, currency: wanted ?? standard }
  },
  async companyPaymentTerms(_, { companyId }, caller) {
    const { db } = buyerOf(caller)
    refuseActing(caller, companyId)
    return termsOf(db, companyId)
  },
}

export const accountMutations: MutationFields<'updateAccountSettings' | 'updateCustomerAccountSettings'> = {
  async updateAccountSettings(_, { updateData }, caller) {
    const { user } = signedIn(caller)
    await accountOf(caller, updateData.companyId)
    const body = readChanges(
      withoutUndefined({
        firstName: given(updateData.firstName),
        lastName: given(updateData.lastName),
        email: given(updateData.email),
        ...(user ? { phoneNumber: updateData.phoneNumber ?? undefined } : {}),
        ...(user && updateData.extraFields ? { extraFields: updateData.extraFields.flatMap((one) => one ?? []) } : {}),
      }),
    )
    await changeAccount(caller, updateData, async (tx, account) => {
      if (user) await changeUser(tx, user.id, body, BUYER)
      const { firstName: first_name, lastName: last_name, email } = body
      await account(user ? {} : { first_name, last_name, email })
    })
    return { result: await accountOf(caller, updateData.companyId) }
  },
  async updateCustomerAccountSettings(_, { updateData }, caller) {
    if (!updateData) throw new GraphRefusal('updateData is needed.', 422)
    const {
      firstName: first_name,
      lastName: last_name,
      ...others
    } = readAccount(
      withoutUndefined({
        firstName: given(updateData.firstName),
        lastName: given(updateData.lastName),
        email: given(updateData.email),
        phone: updateData.phoneNumber ?? undefined,
        company: updateData.company ?? undefined,
      }),
    )
    await changeAccount(caller, updateData, (_tx, account) => account({ first_name, last_name, ...others }))
    return { result: await customerAccountOf(signedIn(caller)) }
  },
}

/** Changes of customers need the client that made them. */
const BUYER = { clientId: 'buyer' }

type Written = Pick<
  SchemaInputs['InputAccountType'],
  'email' | 'currentPassword' | 'newPassword' | 'confirmPassword' | 'formFields'
>
interface AccountFields {
  first_name?: string | undefined
  last_name?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  company?: string | undefined
}

/**
 * Changes an account. A new password and another e-mail address need the present password: the portal asks for it then, and sends an empty
 * one otherwise. A new password ends the other tokens and all sessions.
 * @throws GraphRefusal 422 for a wrong password; Problem 422, 429
 */
async function changeAccount(
  caller: BuyerCaller,
  { email, currentPassword, newPassword, confirmPassword, formFields }: Written,
  work: (tx: Tx, account: (fields: AccountFields) => Promise<void>) => Promise<void>,
) {
  const { db, customer, jti } = signedIn(caller)
  const password = given(newPassword)
  if (password !== undefined) {
    const fault = passwordMistake(password)
    if (fault !== undefined) throw invalid({ newPassword: fault })
    if (given(confirmPassword) !== undefined && confirmPassword !== password) {
      throw invalid({ confirmPassword: 'The passwords differ.' })
    }
  }
  const needsPassword = password !== undefined || fold(given(email) ?? customer.email) !== fold(customer.email)
  const isChecked = needsPassword || given(currentPassword) !== undefined
  if (isChecked && !(await isPasswordOf(db, customer.id, currentPassword, guesserAt({ ip: caller.ip })))) {
    throw new GraphRefusal('The current password is not correct.', 422)
  }
  const password_hash = password === undefined ? undefined : await hashPassword(db.store, password)
  const values = (formFields ?? []).flatMap((field) => field ?? [])
  await db.transaction((tx) =>
    work(tx, async (fields) => {
      const account = { id: customer.id, ...fields, password_hash, ...readFormFields({ form_fields: values }) }
      await changeCustomers(tx, [account], contextOf(inBody, BUYER, []))
      if (password === undefined) return
      await tx.rows(sql`
        delete from b2b_storefront_tokens
        where store_id = ${tx.store.id} and customer_id = ${customer.id} and jti <> ${jti} returning jti`)
    }),
  )
}

/** The caller with its values after a change. */
async function refreshed({ db, customer }: SignedInShopper) {
  return findOne(db, customers, customer.id)
}

/** The account of a user or a super admin. @throws GraphRefusal 403 for a company that is not the acting or the own one */
async function accountOf(caller: BuyerCaller, companyId: number) {
  const shopper = signedIn(caller)
  const { db, user, superAdmin, buyer } = shopper
  if (!user && superAdmin === undefined) throw new GraphRefusal('Only users of companies have these settings.', 403)
  if (user && companyId !== user.companyId && companyId !== buyer?.acting) {
    throw new GraphRefusal('Only your own account can be read.', 403)
  }
  const customer = await refreshed(shopper)
  const forms = await formFieldsV2(db, [customer.id])
  const found = user && (await findUser(db, user.id))
  const company = found && (await findOne(db, companies, found.company_id))
  return {
    firstName: customer.first_name,
    lastName: customer.last_name,
    company: company?.company_name ?? '',
    phoneNumber: found?.phone_number ?? customer.phone,
    email: customer.email,
    formFields: forms.get(customer.id) ?? [],
    role: found ? roleNumber(found.company_role_id) : SUPER_ADMIN,
    extraFields: found ? extraValuesToAnswer(await extraFieldsIn(db, 'user', [found]), found.extra_values) : [],
    companyRoleId: found?.company_role_id ?? null,
    companyRoleName: found ? (found.role_name ?? '') : 'Super Admin',
  }
}

const SUPER_ADMIN = 3

async function customerAccountOf(shopper: SignedInShopper) {
  const customer = await refreshed(shopper)
  const forms = await formFieldsV2(shopper.db, [customer.id])
  return {
    firstName: customer.first_name,
    lastName: customer.last_name,
    company: customer.company,
    phoneNumber: customer.phone,
    email: customer.email,
    formFields: forms.get(customer.id) ?? [],
  }
}

/** The credit of a company; none in a store without the feature. */
async function creditIfUsed(db: Db, companyId: number) {
  try {
    return await creditOf(db, companyId)
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error
    return { creditEnabled: false, creditCurrency: '', availableCredit: 0, limitPurchases: false, creditHold: false }
  }
}
