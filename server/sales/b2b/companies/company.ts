import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { publish } from '../../../core/events/publish.ts'
import { MAIL_ADDRESS } from '../../../core/mail/outbox.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { ID_MAX, Id, Moment, NeededText } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { findWhere } from '../../../core/rest/lists/verbs.ts'
import { invalid, notFound } from '../../../core/rest/problem.ts'
import { ChannelId } from '../../../shop/channels/channels.ts'
import type { ExtraField } from '../extra-fields/field.ts'
import { ExtraValues, withValues } from '../extra-fields/values.ts'
import { denied, MessageProblem } from '../shared/refusals.ts'

/** Only an approved company may buy. */
export const APPROVED = 1
export const COMPANY_PENDING = 0
export const Status = t.Enum([0, 1, 2, 3], {
  description: '0 pending, 1 approved, 2 rejected, 3 inactive',
})

export const TextOf = (maxLength: number) => t.String({ maxLength })
export const CompanyEmail = (maxLength: number) => t.String({ minLength: 3, maxLength, pattern: MAIL_ADDRESS })
export const ExternalUuid = TextOf(100)

/** The price lists of a dependent company in channels. */
export const PriceLists = t.Array(
  t.Object({ channelId: ChannelId, priceListId: Id }, { title: 'PriceListOfCompany' }),
  { maxItems: 100 },
)

/**
 * A company: a business customer of a store, whose users buy for it.
 *
 * A company is created together with its first user, the admin: the customer with that e-mail address, or a new one. Its name and
 * its e-mail address are unique within the store. Its status is pending, approved, rejected or inactive; a new company is approved,
 * and only an approved one may buy. All its users belong to its customer group, so a change of the group moves their customers. A
 * sales representative sees and changes only assigned companies, and is assigned to those that it creates. A company has at least
 * one user and at most 1,000; only the deletion of a customer can leave it without users. When a company is deleted, its users
 * become plain customers without a group, and their tokens end. A company never owns customers: a customer record belongs to the
 * store.
 */
const Row = t.Object({
  id: Id,
  company_name: NeededText(200),
  company_email: CompanyEmail(200),
  company_phone: TextOf(50),
  address_line1: TextOf(200),
  address_line2: TextOf(200),
  city: TextOf(100),
  state: TextOf(50),
  country: NeededText(200),
  zip_code: TextOf(50),
  company_status: t.Integer(),
  customer_group_id: t.Integer({ minimum: 0, maximum: ID_MAX }),
  uuid: ExternalUuid,
  parent_id: t.Integer({ minimum: 0, maximum: ID_MAX }),
  extra_values: ExtraValues,
  price_lists: PriceLists,
  created_at: Moment,
  updated_at: Moment,
})
export type CompanyRow = Static<typeof Row>

export const companies = collection('companies', Row, {
  noun: 'company',
  filters: '',
  twins: ['company_name', 'company_email'],
  conflicts: {
    companies_name_unique: ['Another company has this name.', 'companyName'],
    companies_email_unique: ['Another company has this e-mail address.', 'companyEmail'],
  },
})

/** Companies by their ids; unknown and deleted ones are missing. */
export async function companiesById(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, CompanyRow>> {
  const rows = await findWhere(db, companies, sql`id = any(${[...new Set(ids)]}::int[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

const Seconds = t.Integer({ description: 'Unix seconds' })

const CompanyExtraField = t.Object(
  {
    fieldName: t.String(),
    fieldValue: t.String(),
    labelName: t.String({ description: 'As fieldName' }),
    isRequired: t.Enum(['0', '1']),
    dataType: t.String({ description: 'As fieldType' }),
    fieldType: t.Integer(),
  },
  { title: 'CompanyExtraField' },
)

/** The fields of a company in answers (docs/contract/companies.md section 2). */
const companyFields = {
  companyId: Id,
  companyName: t.String(),
  companyEmail: t.String(),
  companyPhone: t.String(),
  addressLine1: t.String(),
  addressLine2: t.String(),
  city: t.String(),
  state: t.String(),
  country: t.String(),
  zipCode: t.String(),
  companyStatus: t.Enum(['0', '1', '2', '3']),
  bcGroupName: t.String(),
  catalogId: t.String({ description: 'The price list of a dependent company' }),
  catalogName: t.String(),
  priceListAssign: t.Array(
    t.Object(
      { channelId: ChannelId, priceListId: Id, priceListName: t.String(), channelName: t.String() },
      { title: 'PriceListAssign' },
    ),
  ),
  parentCompany: t.Union([t.Object({ id: Id, name: t.String() }, { title: 'ParentCompany' }), t.Null()]),
  extraFields: t.Array(CompanyExtraField),
  uuid: t.String(),
  createdAt: Seconds,
  updatedAt: Seconds,
}
export const ListedCompany = t.Object({ ...companyFields, bcGroupId: t.Integer() }, { title: 'ListedCompany' })
export const Company = t.Object({ ...companyFields, bcGroupId: t.String() }, { title: 'Company' })

export const epochSeconds = (moment: string): number => Date.parse(moment) / 1_000

/** The parts of the answer that are not in the row of a company. */
interface CompanyParts {
  /** The extra fields to show; none in lists that omit them. */
  fields: readonly ExtraField[]
  /** The price list of a dependent company; undefined without one. */
  catalog: number | undefined
  /** The names of price lists and channels. */
  priceLists: ReadonlyMap<number, string>
  channels: ReadonlyMap<number, string>
  /** The name of its customer group. */
  groupName: string
  /** The name of its parent; undefined without one that the caller may see. */
  parentName: string | undefined
}

export function companyToAnswer(
  row: CompanyRow,
  { fields, catalog, priceLists, channels, groupName, parentName }: CompanyParts,
): Omit<Static<typeof ListedCompany>, 'bcGroupId'> & { bcGroupId: number } {
  return {
    companyId: row.id,
    companyName: row.company_name,
    companyEmail: row.company_email,
    companyPhone: row.company_phone,
    addressLine1: row.address_line1,
    addressLine2: row.address_line2,
    city: row.city,
    state: row.state,
    country: row.country,
    zipCode: row.zip_code,
    companyStatus: `${row.company_status}` as '0' | '1' | '2' | '3',
    bcGroupId: row.customer_group_id,
    bcGroupName: groupName,
    catalogId: catalog === undefined ? '' : String(catalog),
    catalogName: priceLists.get(catalog ?? 0) ?? '',
    priceListAssign: row.price_lists.map(({ channelId, priceListId }) => ({
      channelId,
      priceListId,
      priceListName: priceLists.get(priceListId) ?? '',
      channelName: channels.get(channelId) ?? '',
    })),
    parentCompany: parentName === undefined ? null : { id: row.parent_id, name: parentName },
    extraFields: withValues(fields, row.extra_values).map(({ field, value }) => ({
      fieldName: field.field_name,
      fieldValue: value,
      labelName: field.field_name,
      isRequired: field.is_required ? '1' : '0',
      dataType: String(field.field_type),
      fieldType: field.field_type,
    })),
    uuid: row.uuid,
    createdAt: epochSeconds(row.created_at),
    updatedAt: epochSeconds(row.updated_at),
  }
}

/** Publishes an event of a company (docs/contract/companies.md section 7). */
export function publishCompany(
  tx: Tx,
  change: 'created' | 'updated' | 'statusUpdated' | 'deleted',
  company_id: number,
) {
  publish(tx, `store/company/${change}`, `company ${company_id}`, { company_id })
}

/** The id is a string here, because other text than a number has its own refusal. */
export const companyPath = t.Object({ company_id: t.String() })

/** @throws MessageProblem 400 for other text than a whole number, Problem 404 for an id out of range */
export function companyIdOf({ company_id: text }: Static<typeof companyPath>): number {
  if (!/^-?\d{1,300}$/.test(text)) throw new MessageProblem(400, 'Invalid companyId')
  const id = Number(text)
  if (id < 1 || id > ID_MAX) throw notFound(companies.noun, id)
  return id
}

/**
 * Refuses a company that is not assigned to the calling sales representative, even if it does not exist.
 * @param salesRep undefined for callers who see all companies
 * @throws MessageProblem 403
 */
export async function refuseUnassigned(db: Db, salesRep: number | undefined, companyIds: readonly number[]) {
  if (salesRep === undefined) return
  const wanted = [...new Set(companyIds)]
  const assigned = await db.rows(sql`
    select company_id from b2b_assignments
    where store_id = ${db.store.id} and staff_id = ${salesRep} and company_id = any(${wanted})`)
  if (assigned.length < wanted.length) throw denied()
}

/** The caller of a change. */
export interface CompanionCaller {
  clientId: string
  /** The staff id of a sales representative; undefined for other callers. */
  salesRep?: number | undefined
}

/** The companies of one sales representative. */
const ASSIGNED_MAX = 1_000

/** Assigns existing companies to a sales representative. @throws Problem 422 for too many */
export async function assignCompanies(tx: Tx, staffId: number, companyIds: readonly number[]) {
  const [first, ...others] = [...new Set(companyIds)].map((company_id) => ({
    store_id: tx.store.id,
    staff_id: staffId,
    company_id,
    assigned_at: toSeconds(tx.now),
  }))
  if (!first) return
  await tx.rows(sql`
    insert into b2b_assignments ${sql.rows([first, ...others])} on conflict do nothing returning company_id`)
  const { count } = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from b2b_assignments where store_id = ${tx.store.id} and staff_id = ${staffId}`)
  if (count > ASSIGNED_MAX) throw invalid({ companies: `At most ${ASSIGNED_MAX} companies can be assigned.` })
}

/** Matches the companies that the caller may see, by the column of their id. */
export const isAssignedTo = (db: Db, salesRep: number | undefined, companyId: string) =>
  salesRep === undefined
    ? sql.raw('true')
    : sql`${sql.id(companyId)} = any(array(
        select company_id from b2b_assignments where store_id = ${db.store.id} and staff_id = ${salesRep}
      ))`
