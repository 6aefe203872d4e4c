import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { withoutUndefined } from '../../../core/objects.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { NeededText } from '../../../core/rest/input/fields.ts'
import { hasAny, type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { insertAll, type NewIds, takeIds } from '../../../core/rest/lists/verbs.ts'
import { notFound, Problem, unknownId } from '../../../core/rest/problem.ts'
import type { ItemPath } from '../../../customers/accounts/create.ts'
import { lockLogins } from '../../../customers/accounts/lookup.ts'
import { groups, insertGroups, lockGroupsShared } from '../../../customers/row/groups.ts'
import { defaultGroupsOf } from '../../../customers/settings.ts'
import { assignCatalogs, CatalogId } from '../../../sales/b2b/companies/catalog.ts'
import {
  APPROVED,
  assignCompanies,
  type CompanionCaller,
  CompanyEmail,
  type CompanyRow,
  companies,
  ExternalUuid,
  publishCompany,
  TextOf,
} from '../../../sales/b2b/companies/company.ts'
import { isDependent, refuseIndependent } from '../../../sales/b2b/companies/mode.ts'
import { extraFieldsOf } from '../../../sales/b2b/extra-fields/definitions.ts'
import type { ExtraField } from '../../../sales/b2b/extra-fields/field.ts'
import { claimUniqueValues } from '../../../sales/b2b/extra-fields/unique.ts'
import { newExtraMistakes, newExtraValues, WrittenExtraFields } from '../../../sales/b2b/extra-fields/values.ts'
import { roleOfNumber } from '../../../sales/b2b/roles/roles.ts'
import { companyUsers } from '../../../sales/b2b/users/user.ts'
import { ChannelId, FIRST_CHANNEL, storefronts } from '../../../shop/channels/channels.ts'
import { type BuyerRequest, channelsOfBuyers } from '../users/buyers.ts'
import { createUsers, type NewUser } from '../users/new-user.ts'

/** The fields of a company in bodies. */
export const companyFields = {
  companyName: NeededText(200),
  companyEmail: CompanyEmail(200),
  companyPhone: TextOf(50),
  customerGroupId: t.Optional(t.Integer({ minimum: 0, description: 'The group of its users; 0 for none' })),
  addressLine1: t.Optional(TextOf(200)),
  addressLine2: t.Optional(TextOf(200)),
  city: t.Optional(TextOf(100)),
  state: t.Optional(TextOf(50)),
  country: NeededText(200),
  zipCode: t.Optional(TextOf(50)),
  uuid: t.Optional(ExternalUuid),
  extraFields: t.Optional(WrittenExtraFields),
}

export const NEW_COMPANY = {
  companyName: 'Harbour Cafes',
  companyEmail: 'office@harbour.example.com',
  companyPhone: '+61 2 5550 1234',
  country: 'Australia',
  adminFirstName: 'Ann',
  adminLastName: 'Lee',
  adminEmail: 'ann.lee@harbour.example.com',
}

export const NewCompany = t.Object(
  {
    ...companyFields,
    adminFirstName: NeededText(100),
    adminLastName: NeededText(100),
    adminEmail: CompanyEmail(100),
    adminPhoneNumber: t.Optional(TextOf(100)),
    originChannelId: t.Optional(ChannelId),
    channelIds: t.Optional(t.Array(ChannelId, { minItems: 1, maxItems: 50 })),
    catalogId: t.Optional(CatalogId),
    acceptCreationEmail: t.Optional(t.Boolean({ description: 'Whether a new customer receives the welcome mail' })),
    acceptWelcomeEmail: t.Optional(t.Boolean({ description: 'As acceptCreationEmail' })),
    userExtraFields: t.Optional(WrittenExtraFields),
  },
  {
    title: 'NewBuyingCompany',
    examples: [NEW_COMPANY],
  },
)
export type NewCompany = Static<typeof NewCompany>

/** The columns of a company from a body. Missing fields are undefined. */
export function columnsOf(body: Partial<Static<ReturnType<typeof t.Object<typeof companyFields>>>>) {
  return {
    company_name: body.companyName,
    company_email: body.companyEmail,
    company_phone: body.companyPhone,
    address_line1: body.addressLine1,
    address_line2: body.addressLine2,
    city: body.city,
    state: body.state,
    country: body.country,
    zip_code: body.zipCode,
    customer_group_id: body.customerGroupId,
    uuid: body.uuid,
  }
}

const ADMIN = 0
/** The fields of the admin's customer by their names in bodies. */
const ADMIN_NAMES: Readonly<Record<string, string>> = {
  email: 'adminEmail',
  first_name: 'adminFirstName',
  last_name: 'adminLastName',
}
/** The paths of fields in a body that is no list. */
const inCompany: ItemPath = (_i, field) => ADMIN_NAMES[field] ?? field
/** The paths of fields in a list of companies. */
const inCompanies: ItemPath = (i, field) => `${i}.${inCompany(i, field)}`

/** The ids of a new company. */
export interface MadeCompany {
  companyId: number
  customerId: number
  customerGroupId: number
}

/**
 * Creates a company with its first user, the admin (docs/contract/companies.md section 2).
 * It is assigned to the sales representative that creates it.
 * @param status approved, unless a shopper registers the company and the store has to approve it
 * @throws Problem 403, 409 for the name or the e-mail address of another company, 422
 */
export async function createCompany(
  db: Db,
  body: NewCompany,
  caller: CompanionCaller,
  status: number = APPROVED,
): Promise<MadeCompany> {
  const [made] = await storeCompanies(db, [body], { at: inCompany, caller, isSilent: false, status })
  if (!made) throw new Error('A company was not stored.')
  return made
}

/**
 * Creates companies as `createCompany` does: all of them, or none. No events of companies and users are published.
 * @throws Problem 403, 409, 422; fields of the nth company begin with its index
 */
export const createCompanies = (db: Db, bodies: readonly NewCompany[], caller: CompanionCaller) =>
  storeCompanies(db, bodies, { at: inCompanies, caller, isSilent: true })

/**
 * Creates a company for a customer group of a store with dependent companies and one storefront.
 * @throws Problem 400 for the group of another company, 404, 405, 409, 422
 */
export async function createCompanyOfGroup(
  db: Db,
  group: number,
  body: NewCompany,
  caller: CompanionCaller,
): Promise<MadeCompany> {
  await refuseIndependent(db)
  if ((await storefronts(db)).length > 1) throw new Problem(405, 'The store has several storefronts.')
  const [made] = await storeCompanies(db, [body], { at: inCompany, caller, isSilent: false, group })
  if (!made) throw new Error('A company was not stored.')
  return made
}

/** Locks the group of a new company. @throws Problem 400 for the group of another company, 404 */
async function lockOwnGroup(tx: Tx, id: number) {
  if (!(await lockGroupsShared(tx, [id])).has(id)) throw notFound(groups.noun, id)
  const owners = await tx.rows(sql`
    select id from companies where store_id = ${tx.store.id} and customer_group_id = ${id} limit 1`)
  if (owners.length > 0) throw new Problem(400, 'The customer group belongs to another company.')
}

async function storeCompanies(
  db: Db,
  bodies: readonly NewCompany[],
  {
    at,
    caller,
    isSilent,
    group,
    status = APPROVED,
  }: BuyerRequest & { isSilent: boolean; group?: number; status?: number },
): Promise<MadeCompany[]> {
  const fields = await extraFieldsOf(db, 'company')
  const userFields = await extraFieldsOf(db, 'user')
  refuse(extraMistakes(bodies, { fields, userFields, at }))
  const channels = await channelsOfBuyers(db, bodies, at, FIRST_CHANNEL)
  return db.transaction(async (tx) => {
    const dependent = await isDependent(tx)
    const ids = await takeIds(tx, [
      [companies, bodies.length],
      [companyUsers, bodies.length],
      [groups, dependent && group === undefined ? bodies.length : 0],
    ])
    await lockLogins(tx)
    if (bodies.length > 1) await refuseTakenNames(tx, bodies, at)
    if (group !== undefined) await lockOwnGroup(tx, group)
    const ofCompanies =
      group === undefined ? await groupsFor(tx, ids, { bodies, channels, at, dependent }) : bodies.map(() => group)
    const now = toSeconds(tx.now)
    const stored = await insertAll(
      tx,
      companies,
      bodies.map((body, i) => ({
        ...blank,
        ...withoutUndefined(columnsOf(body)),
        company_name: body.companyName,
        company_email: body.companyEmail,
        company_phone: body.companyPhone,
        country: body.country,
        id: ids.next(companies),
        company_status: status,
        customer_group_id: ofCompanies[i] ?? 0,
        extra_values: newExtraValues(fields, body.extraFields),
        created_at: now,
        updated_at: now,
      })),
    )
    await claimUniqueValues(tx, companies.table, fields, stored)
    if (dependent) await assignCatalogs(tx, stored, bodies)
    const created = stored.map(({ id }) => id)
    if (!isSilent) for (const id of created) publishCompany(tx, 'created', id)
    if (caller.salesRep !== undefined) await assignCompanies(tx, caller.salesRep, created)
    const admins = stored.map((company, i) => adminOf(bodies[i], { company, ...channels[i] }, userFields))
    const users = await createUsers(tx, ids, admins, { at, caller, fields: userFields, isSilent })
    return stored.map(({ id, customer_group_id }, i) => ({
      companyId: id,
      customerId: users[i]?.customer_id ?? 0,
      customerGroupId: customer_group_id,
    }))
  })
}

const blank = {
  address_line1: '',
  address_line2: '',
  city: '',
  state: '',
  zip_code: '',
  uuid: '',
  parent_id: 0,
  price_lists: [],
}

function extraMistakes(
  bodies: readonly NewCompany[],
  { fields, userFields, at }: { fields: readonly ExtraField[]; userFields: readonly ExtraField[]; at: ItemPath },
): Mistakes {
  return Object.fromEntries(
    bodies.flatMap(({ extraFields, userExtraFields }, i) => {
      const found = {
        ...newExtraMistakes(fields, extraFields),
        ...newExtraMistakes(userFields, userExtraFields, 'userExtraFields'),
      }
      return Object.entries(found).map(([field, sentence]) => [at(i, field), sentence])
    }),
  )
}

/**
 * Refuses names and addresses of other companies, with the item of each. Creations follow one another, since they lock the counter. A
 * concurrent change of a company is refused by the unique rules.
 * @throws Problem 409
 */
async function refuseTakenNames(tx: Tx, bodies: readonly NewCompany[], at: ItemPath) {
  const names = bodies.map(({ companyName }) => fold(companyName))
  const emails = bodies.map(({ companyEmail }) => fold(companyEmail))
  const rows = await tx.rows<{ company_name_key: string; company_email_key: string }>(sql`
    select company_name_key, company_email_key from companies
    where store_id = ${tx.store.id} and (company_name_key = any(${names}) or company_email_key = any(${emails}))`)
  const taken = {
    companyName: new Set(rows.map(({ company_name_key }) => company_name_key)),
    companyEmail: new Set(rows.map(({ company_email_key }) => company_email_key)),
  }
  const sentences = {
    companyName: 'Another company has this name.',
    companyEmail: 'Another company has this e-mail address.',
  } as const
  const mistakes: Mistakes = {}
  for (const [i, body] of bodies.entries()) {
    for (const field of ['companyName', 'companyEmail'] as const) {
      const key = fold(body[field])
      if (taken[field].has(key)) mistakes[at(i, field)] = sentences[field]
      taken[field].add(key)
    }
  }
  if (hasAny(mistakes)) throw new Problem(409, '', mistakes)
}

/** The groups for users of new companies; dependent ones get new groups. @throws Problem 422 for unknown groups */
async function groupsFor(
  tx: Tx,
  ids: NewIds,
  {
    bodies,
    channels,
    at,
    dependent,
  }: {
    bodies: readonly NewCompany[]
    channels: readonly { originChannel: number }[]
    at: ItemPath
    dependent: boolean
  },
): Promise<number[]> {
  if (dependent) {
    const names = bodies.map(({ companyName }) => companyName)
    return insertGroups(tx, ids, names)
  }
  const requested = bodies.map(({ customerGroupId }) => customerGroupId ?? 0).filter((id) => id > 0)
  const there = requested.length > 0 ? await lockGroupsShared(tx, requested) : new Set()
  const missing = bodies.flatMap(({ customerGroupId = 0 }, i) =>
    customerGroupId === 0 || there.has(customerGroupId)
      ? []
      : [[at(i, 'customerGroupId'), unknownId('customer group', customerGroupId)]],
  )
  refuse(Object.fromEntries(missing))
  const origins = channels.map(({ originChannel }) => originChannel)
  const defaults = await defaultGroupsOf(tx, origins)
  return bodies.map(({ customerGroupId }, i) => customerGroupId ?? defaults.get(origins[i] ?? 0) ?? 0)
}

function adminOf(
  body: NewCompany | undefined,
  place: { company: CompanyRow; originChannel?: number; channels?: number[] },
  userFields: readonly ExtraField[],
): NewUser {
  const { company, originChannel, channels } = place
  if (!body || originChannel === undefined || !channels) throw new Error('A company has no admin.')
  return {
    company,
    originChannel,
    channels,
    email: body.adminEmail,
    firstName: body.adminFirstName,
    lastName: body.adminLastName,
    phoneNumber: body.adminPhoneNumber ?? '',
    roleId: roleOfNumber(ADMIN),
    uuid: '',
    isWelcomed: body.acceptCreationEmail ?? body.acceptWelcomeEmail ?? false,
    extraValues: newExtraValues(userFields, body.userExtraFields, 'userExtraFields'),
  }
}

/** Locks a group against deletion; 0 is no group. @throws Problem 422 for an unknown group */
export async function lockGroupShared(tx: Tx, id: number) {
  if (id !== 0 && !(await lockGroupsShared(tx, [id])).has(id)) {
    refuse({ customerGroupId: unknownId('customer group', id) })
  }
}
