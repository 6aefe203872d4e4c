import t from 'typebox'
import type { Db } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { GraphRefusal } from '../../../../../core/graphql/refusal.ts'
import { withoutUndefined } from '../../../../../core/objects.ts'
import { toSeconds } from '../../../../../core/rest/input/dates.ts'
import { itemReader } from '../../../../../core/rest/input/validator.ts'
import { fold } from '../../../../../core/rest/lists/fold.ts'
import { findOne } from '../../../../../core/rest/lists/verbs.ts'
import { invalid } from '../../../../../core/rest/problem.ts'
import { createCustomers } from '../../../../../customers/accounts/create.ts'
import { NestedAddress } from '../../../../../customers/addresses/shape.ts'
import { FormFieldValues } from '../../../../../customers/form-fields/values.ts'
import { countCall, countLookUp } from '../../../../../customers/logins/attempts.ts'
import { findAccountAt } from '../../../../../customers/logins/credentials.ts'
import { hashPassword, passwordMistake } from '../../../../../customers/logins/passwords.ts'
import { Customer, customers } from '../../../../../customers/row/shape.ts'
import { SubscriberNames, subscribeToNewsletter } from '../../../../../customers/subscribers.ts'
import { attach } from '../../../../../sales/b2b/companies/attachment.ts'
import { APPROVED, COMPANY_PENDING, companies } from '../../../../../sales/b2b/companies/company.ts'
import { mailRegistration } from '../../../../../sales/b2b/emails/registration-mail.ts'
import { portalSettingsOf } from '../../../../../sales/b2b/portal/settings.ts'
import { takeUploads } from '../../../../../sales/b2b/portal/uploads.ts'
import { mayDo } from '../../../../../sales/b2b/shared/caller.ts'
import { FIRST_CHANNEL, knownChannels } from '../../../../../shop/channels/channels.ts'
import { createCompany, NewCompany } from '../../../companies/new-company.ts'
import { repOf } from '../../../staff/staff.ts'
import { guesserAt } from '../../../tokens/sign-in.ts'
import { contextOf } from '../../../users/buyers.ts'
import { inBody } from '../../../users/user-changes.ts'
import { type BuyerCaller, channelHere, storeOf } from '../../caller.ts'
import type { MutationFields, QueryFields } from '../../types.ts'
import { given } from '../companies.ts'
import { companyToBuyer } from '../users.ts'

// Registrations of companies and customers (docs/contract/b2b-graphql.md section 3).

/** `userType` of an e-mail address. */
const TYPES = {
  unknown: 1,
  customer: 2,
  severalCustomers: 3,
  otherCompany: 4,
  company: 5,
  superAdmin: 6,
  otherChannel: 7,
} as const

export const registrationQueries: QueryFields<
  'userEmailCheck' | 'customerEmailCheck' | 'userLoginState' | 'companyValidateEmail' | 'companyUserInfo'
> = {
  async userEmailCheck(_, { email, companyId, storeHash, channelId }, caller) {
    const { type, user } = await typeOf(caller, email, { storeHash, companyId, channelId })
    return {
      userType: type,
      userInfo: {
        id: user?.id ?? null,
        email,
        firstName: user?.first_name ?? null,
        lastName: user?.last_name ?? null,
        phoneNumber: user?.phone_number ?? null,
        role: null,
        // Names of other companies stay unknown.
        companyName: user?.company_name ?? null,
        originChannelId: user?.origin_channel_id ?? null,
        forcePasswordReset: false,
      },
    }
  },
  async customerEmailCheck(_, { email, storeHash, channelId }, caller) {
    const { type } = await typeOf(caller, email, { storeHash, channelId })
    return { userType: type === TYPES.unknown ? TYPES.unknown : TYPES.customer }
  },
  async userLoginState(_, { storeHash, email }, caller) {
    const db = await storeOf(caller, storeHash)
    await countLookUp(db, guesserAt(caller))
    const id = (await findAccountAt(db, email, channelHere(caller, undefined))) ?? 0
    const row = await db.maybeRow<{ forced: boolean }>(sql`
      select (authentication ->> 'force_password_reset')::boolean as forced from customers
      where store_id = ${db.store.id} and id = ${id}`)
    return { forcePasswordReset: row?.forced ?? false }
  },
  async companyValidateEmail(_, { storeHash, email, channelId }, caller) {
    const { type } = await typeOf(caller, email, { storeHash, channelId })
    return { isValid: type === TYPES.unknown || type === TYPES.customer, userInfo: null }
  },
  async companyUserInfo(_, { storeHash, email }, caller) {
    const { type } = await typeOf(caller, email, { storeHash })
    return { userType: type, userInfo: null }
  },
}

export const registrationMutations: MutationFields<'companyCreate' | 'customerCreate' | 'customerSubscribersCreate'> = {
  async companyCreate(_, { companyData }, caller) {
    if (!companyData) throw invalid({ companyData: 'companyData is needed.' })
    const { storeHash, channelId, extraFields, userExtraFields, fileList } = companyData
    const db = await storeOf(caller, storeHash)
    await countCall(db, guesserAt(caller))
    const channel = channelHere(caller, channelId)
    const customer = await registeringCustomer(db, caller, companyData)
    const settings = await portalSettingsOf(db, channel)
    if (!settings.isOn('account_login_registration')) throw new GraphRefusal('Companies may not register.', 403)
    const body = readCompany({
      companyName: companyData.companyName,
      companyEmail: given(companyData.companyEmail) ?? customer.email,
      companyPhone: companyData.companyPhoneNumber ?? '',
      addressLine1: companyData.addressLine1,
      addressLine2: companyData.addressLine2 ?? '',
      city: companyData.city,
      state: companyData.state,
      country: companyData.country,
      zipCode: companyData.zipCode,
      adminFirstName: customer.first_name,
      adminLastName: customer.last_name,
      adminEmail: customer.email,
      adminPhoneNumber: customer.phone,
      originChannelId: channel,
      channelIds: [channel],
      extraFields: (extraFields ?? []).flatMap((field) => field ?? []),
      userExtraFields: (userExtraFields ?? []).flatMap((field) => field ?? []),
    })
    const status = settings.isOn('company_auto_approval') ? APPROVED : COMPANY_PENDING
    const ids = (fileList ?? []).flatMap((file) => (file ? [uploadIn(file.fileUrl)] : []))
    if (ids.length > FILES_MAX) throw invalid({ fileList: `A registration has at most ${FILES_MAX} files.` })
    const owner = await repOf(db, undefined)
    const made = await db.transaction(async (tx) => {
      const company = await createCompany(tx, body, BUYER, status)
      const taken = await takeUploads(tx, caller.parts.files, { ids, customer: caller.shopper?.customer.id ?? null })
      for (const upload of taken) {
        if (!upload) throw invalid({ fileList: 'A file of the list was not uploaded, or more than a day ago.' })
        await attach(tx, caller.parts.files, company.companyId, upload.content)
      }
      await mailRegistration(tx, {
        companyName: body.companyName,
        admin: { name: `${customer.first_name} ${customer.last_name}`.trim(), email: customer.email },
        seller: owner?.email,
        isApproved: status === APPROVED,
      })
      return company
    })
    return { company: await companyToBuyer(db, await findOne(db, companies, made.companyId)) }
  },
  async customerCreate(_, { customerData }, caller) {
    const db = await storeOf(caller, customerData.storeHash)
    await countCall(db, guesserAt(caller))
    const channel = channelHere(caller, customerData.originChannelId)
    if (!(await knownChannels(db, [channel])).has(channel)) {
      throw invalid({ originChannelId: 'The store has no such channel.' })
    }
    const [address] = (customerData.addresses ?? []).flatMap((one) => one ?? [])
    const account = readCustomer(
      withoutUndefined({
        firstName: customerData.firstName,
        lastName: customerData.lastName,
        email: customerData.email,
        phone: customerData.phone ?? undefined,
        company: customerData.company ?? undefined,
        form_fields: (customerData.formFields ?? []).flatMap((field) => (field && field.value !== '' ? [field] : [])),
        address: address && {
          first_name: address.firstName,
          last_name: address.lastName,
          company: address.company ?? '',
          address1: address.address1,
          address2: address.address2 ?? '',
          city: address.city,
          phone: address.phone ?? '',
          state_or_province: address.stateOrProvince ?? '',
          postal_code: address.postalCode,
          country_code: address.countryCode,
        },
      }),
    )
    const password = customerData.authentication?.newPassword ?? ''
    const fault = passwordMistake(password)
    if (fault !== undefined) throw invalid({ newPassword: fault })
    const password_hash = await hashPassword(db.store, password)
    const [made] = await db.transaction((tx) =>
      createCustomers(
        tx,
        [
          {
            email: account.email,
            first_name: account.firstName,
            last_name: account.lastName,
            ...withoutUndefined({ phone: account.phone, company: account.company }),
            password_hash,
            origin_channel_id: channel,
            channel_ids: [channel],
            form_fields: account.form_fields,
            accepts_product_review_abandoned_cart_emails: customerData.acceptsProductReviewAbandonedCartEmails ?? false,
            ...(account.address ? { addresses: [account.address] } : {}),
            isWelcomed: true,
          },
        ],
        contextOf(inBody, BUYER, []),
      ),
    )
    if (!made) throw new Error('A customer was not stored.')
    return {
      customer: {
        id: made.id,
        email: made.email,
        firstName: made.first_name,
        lastName: made.last_name,
        company: made.company,
        phone: made.phone,
        notes: '',
        taxExemptCategory: '',
        registrationIpAddress: '',
        customerGroupId: made.customer_group_id,
        dateModified: made.date_modified,
        dateCreated: made.date_created,
        addressCount: account.address ? 1 : 0,
        attributeCount: 0,
        authentication: { forcePasswordReset: false },
        addresses: [],
        attributes: [],
        formFields: [],
        storeCreditAmounts: [],
        acceptsProductReviewAbandonedCartEmails: made.accepts_product_review_abandoned_cart_emails,
        originChannelId: made.origin_channel_id,
        channelIds: [channel],
      },
    }
  },
  async customerSubscribersCreate(_, { subscribersData }, caller) {
    const db = await storeOf(caller, subscribersData.storeHash)
    await countCall(db, guesserAt(caller))
    const { email, first_name, last_name } = readSubscriber({
      email: subscribersData.email,
      first_name: subscribersData.firstName ?? '',
      last_name: subscribersData.lastName ?? '',
    })
    const channel_id = channelHere(caller, subscribersData.channelId)
    await db.transaction((tx) => subscribeToNewsletter(tx, { email, first_name, last_name, channel_id }))
    // The same answer for an address that was subscribed before.
    return {
      customerSubscribers: {
        email,
        firstName: first_name,
        lastName: last_name,
        source: 'storefront',
        orderId: null,
        channelId: channel_id,
        id: null,
        dateCreated: null,
        dateModified: null,
        consents: [],
      },
    }
  },
}

/** Changes of customers need the client that made them. */
const BUYER = { clientId: 'buyer' }
/** The files of one registration. */
const FILES_MAX = 10
/** A guest registers a company for a customer that it has created right before. */
const NEW_CUSTOMER_MS = 30 * 60_000

const readCompany = itemReader(NewCompany)
const readSubscriber = itemReader(SubscriberNames)
const { email, first_name: firstName, last_name: lastName, phone, company } = Customer.properties
const readCustomer = itemReader(
  t.Object({
    firstName,
    lastName,
    email: t.String({ ...email, maxLength: 250 }),
    phone: t.Optional(phone),
    company: t.Optional(company),
    form_fields: FormFieldValues,
    address: t.Optional(NestedAddress),
  }),
)

/** The id of an upload, which is the end of its address. */
export const uploadIn = (fileUrl: string): string => fileUrl.slice(fileUrl.lastIndexOf('/') + 1).slice(0, 64)

/**
 * The customer who registers a company: the signed-in one, or one that was created in the last half hour and whose id and address
 * the guest knows. Otherwise anybody could make others users of a company.
 * @throws GraphRefusal 403
 */
async function registeringCustomer(
  db: Db,
  { shopper }: BuyerCaller,
  { customerId, customerEmail }: { customerId: string; customerEmail?: string | null },
) {
  if (shopper) return findOne(db, customers, shopper.customer.id)
  const id = /^[1-9]\d{0,9}$/.test(customerId) && Number(customerId) < 2 ** 31 ? Number(customerId) : 0
  const since = toSeconds(new Date(db.now.getTime() - NEW_CUSTOMER_MS))
  const [found] = await db.rows<{ id: number }>(sql`
    select id from customers
    where store_id = ${db.store.id} and id = ${id} and email_key = ${fold(customerEmail ?? '')}
      and date_created >= ${since}`)
  if (!found) throw new GraphRefusal('Sign in, or create an account first.', 403)
  return findOne(db, customers, found.id)
}

interface ForEmail {
  storeHash?: string | null | undefined
  companyId?: number | null | undefined
  channelId?: number | null | undefined
}

/** The type of an e-mail address. Its user is shown to callers who may create users of the company. @throws Problem 429 */
async function typeOf(caller: BuyerCaller, email: string, { storeHash, companyId, channelId }: ForEmail) {
  const db = await storeOf(caller, storeHash)
  await countLookUp(db, guesserAt(caller))
  const key = fold(email)
  const [user] = await db.rows<{
    id: number
    company_id: number
    channel_ids: number[]
    origin_channel_id: number
    first_name: string
    last_name: string
    phone_number: string
    company_name: string
  }>(sql`
    select u.id, u.company_id, u.channel_ids, u.origin_channel_id, u.phone_number, p.first_name, p.last_name, c.company_name
    from customers p join company_users u on u.store_id = ${db.store.id} and u.customer_id = p.id
    join companies c on c.store_id = ${db.store.id} and c.id = u.company_id
    where p.store_id = ${db.store.id} and p.email_key = ${key} limit 1`)
  const { accounts, super_admins } = await db.row<{ accounts: number; super_admins: number }>(sql`
    select count(*)::int as accounts, count(s.id)::int as super_admins from customers p
    left join b2b_super_admins s on s.store_id = ${db.store.id} and s.customer_id = p.id
    where p.store_id = ${db.store.id} and p.email_key = ${key}`)
  if (user) {
    const buyer = caller.shopper?.buyer
    const isOwn = buyer !== undefined && user.company_id === companyId && mayDo(buyer, 'create_user', user.company_id)
    if (!isOwn) return { type: TYPES.otherCompany, user: undefined }
    const channel = channelId ?? channelHere(caller, undefined) ?? FIRST_CHANNEL
    return { type: user.channel_ids.includes(channel) ? TYPES.company : TYPES.otherChannel, user }
  }
  if (super_admins > 0) return { type: TYPES.superAdmin, user: undefined }
  const type = accounts === 0 ? TYPES.unknown : accounts === 1 ? TYPES.customer : TYPES.severalCustomers
  return { type, user: undefined }
}
