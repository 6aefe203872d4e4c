import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { MAIL_ADDRESS } from '../../../core/mail/outbox.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id, Moment } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { change, insert, lock, remove, removeAll } from '../../../core/rest/lists/verbs.ts'
import { invalid } from '../../../core/rest/problem.ts'
import type { Ids } from '../../../core/secrets/ids.ts'
import { hashPassword } from '../../../customers/logins/passwords.ts'
import { backendTokens } from './backend-token.ts'

// The staff of a store, who sign in at the companion API. Only the operator's command creates them.

const STAFF_ROLES = ['owner', 'administrator', 'custom'] as const
export type StaffRole = (typeof STAFF_ROLES)[number]

const Row = t.Object({
  id: Id,
  email: t.String({ pattern: MAIL_ADDRESS }),
  name: t.String(),
  role: t.Enum([...STAFF_ROLES]),
  is_sales_rep: t.Boolean(),
  created_at: Moment,
  updated_at: Moment,
})
export type StaffRow = Static<typeof Row>

export const staff = collection('b2b_staff', Row, {
  noun: 'sales staff',
  filters: '',
  twins: ['email'],
  hidden: ['password_hash'],
  conflicts: { b2b_staff_email_unique: ['Another member of staff has this e-mail address.', 'email'] },
})

const columns = sql.join(staff.columns.map(sql.id))

export interface NewStaff {
  email: string
  name: string
  role: StaffRole
  isSalesRep: boolean
}

/**
 * Creates a member of staff.
 * @returns the member with the password, which is shown once
 * @throws Error with a sentence for the operator
 */
export async function createStaff(db: Db, ids: Ids, { email, name, role, isSalesRep }: NewStaff) {
  if (!new RegExp(MAIL_ADDRESS, 'u').test(email)) throw new Error(`"${email}" is not an e-mail address.`)
  const password = ids.accessToken()
  const password_hash = await hashPassword(db.store, password)
  const made = await db.transaction((tx) => {
    const now = toSeconds(tx.now)
    const row = { email, name, role, is_sales_rep: isSalesRep, password_hash, created_at: now, updated_at: now }
    return insert(tx, staff, row)
  })
  return { ...made, password }
}

export const listStaff = (db: Db): Promise<StaffRow[]> =>
  db.rows<StaffRow>(sql`select ${columns} from b2b_staff where store_id = ${db.store.id} order by id`)

/** Finds a member of staff with the hash of the password. */
export const findStaffByEmail = (db: Db, email: string) =>
  db.maybeRow<StaffRow & { password_hash: string }>(sql`
    select ${columns}, password_hash from b2b_staff where store_id = ${db.store.id} and email_key = ${fold(email)}`)

/** Changes the role of a member. If the new role is neither owner nor administrator, the member's tokens fail at once. */
export async function changeStaff(db: Db, email: string, changes: { role?: StaffRole; is_sales_rep?: boolean }) {
  return db.transaction(async (tx) => {
    const row = await lock(tx, staff, await idOf(tx, email))
    return change(tx, staff, row, { ...changes, updated_at: toSeconds(tx.now) })
  })
}

/** Deletes a member of staff, whose tokens fail at once. */
export const deleteStaff = (db: Db, email: string) =>
  db.transaction(async (tx) => {
    await lockCounters(tx, [staff.table, backendTokens.table])
    const id = await idOf(tx, email)
    await removeAll(tx, backendTokens, sql`staff_id = ${id}`)
    await remove(tx, staff, id)
  })

/** @throws Error with a sentence for the operator */
async function idOf(tx: Tx, email: string): Promise<number> {
  const found = await findStaffByEmail(tx, email)
  if (!found) throw new Error(`No member of the staff has the e-mail address "${email}".`)
  return found.id
}

/**
 * The representative of a quote: a member of staff, by default the owner of the store.
 * @throws Problem 422 for an unknown address
 */
export async function repOf(db: Db, email: string | undefined): Promise<StaffRow | undefined> {
  if (email === undefined) return (await listStaff(db)).find(({ role }) => role === 'owner')
  const found = await findStaffByEmail(db, email)
  if (!found) throw invalid({ userEmail: 'No member of the staff has this e-mail address.' })
  return found
}

/** The representative of the quotes of a company: the first member of staff that it is assigned to, else the owner of the store. */
export async function repOfCompany(db: Db, companyId: number): Promise<StaffRow | undefined> {
  const [assigned] = await db.rows<StaffRow>(sql`
    select ${columns} from b2b_staff where store_id = ${db.store.id} and id = (
      select min(staff_id) from b2b_assignments where store_id = ${db.store.id} and company_id = ${companyId}
    )`)
  return assigned ?? repOf(db, undefined)
}
