import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { inSteps, STEP_ROWS } from '../../../core/db/steps.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { lockCounters } from '../../../core/rest/lists/counters.ts'
import { change } from '../../../core/rest/lists/verbs.ts'
import { invalid, notFound, Problem } from '../../../core/rest/problem.ts'
import { findCustomerEmail } from '../../../customers/accounts/lookup.ts'
import { ordersAfter } from '../../orders/reading/after.ts'
import { TextOf } from '../companies/company.ts'
import { refuseIndependent } from '../companies/mode.ts'
import { extraFieldsOf } from '../extra-fields/definitions.ts'
import type { ExtraField } from '../extra-fields/field.ts'
import { claimUniqueValues } from '../extra-fields/unique.ts'
import { changedExtraValues, type ExtraValues, WrittenExtraFields } from '../extra-fields/values.ts'
import { type CompanyCaller, mayDo, refuseOutside } from '../shared/caller.ts'
import { denied } from '../shared/refusals.ts'
import { userOfCustomer } from '../users/user.ts'
import { type CompanyOrderRow, companyOrders, lockCompanyOrder, recordNewOrder } from './company-order.ts'

const fields = { poNumber: t.Optional(TextOf(255)), extraFields: t.Optional(WrittenExtraFields) }
export const NewCompanyOrder = t.Object(
  { ...fields, bcOrderId: Id, customerId: t.Optional(t.Integer({ minimum: 0 })) },
  { title: 'NewCompanyOrder', examples: [{ bcOrderId: 1, poNumber: 'PO-7' }] },
)
export const CompanyOrderChanges = t.Object(fields, {
  title: 'CompanyOrderChanges',
  examples: [{ poNumber: 'PO-8' }],
})

/**
 * Sets the purchase order number and the extra fields of an order. Other fields stay unchanged.
 * @throws Problem 403, 404, 422 also for a required extra field without a value
 */
export async function changeCompanyOrder(
  db: Db,
  caller: CompanyCaller,
  orderId: number,
  body: Static<typeof CompanyOrderChanges>,
): Promise<CompanyOrderRow> {
  const definitions = await extraFieldsOf(db, 'order')
  return db.transaction(async (tx) => {
    await recordMissing(tx, orderId)
    const row = await lockCompanyOrder(tx, caller, { orderId })
    const extra_values = changedExtraValues(definitions, row.extra_values, body.extraFields ?? [])
    refuseEmpty(definitions, extra_values)
    const changed = await change(tx, companyOrders, row, { po_number: body.poNumber, extra_values })
    await claimUniqueValues(tx, companyOrders.table, definitions, [changed])
    return changed
  })
}

/** Records an order from before the companion API that the job has not reached yet. */
async function recordMissing(tx: Tx, orderId: number) {
  await lockCounters(tx, [companyOrders.table])
  const known = await tx.rows(sql`
    select id from b2b_orders where store_id = ${tx.store.id} and order_id = ${orderId}`)
  if (known.length > 0) return
  const [order] = await ordersAfter(tx, orderId - 1, 1)
  if (order?.id === orderId) await recordNewOrder(tx, order)
}

/** As `changeCompanyOrder`, of an order that the body names. @throws Problem 400 for an unknown order, 403, 422 */
export async function setCompanyOrder(
  db: Db,
  caller: CompanyCaller,
  { bcOrderId, ...body }: Static<typeof NewCompanyOrder>,
): Promise<CompanyOrderRow> {
  try {
    return await changeCompanyOrder(db, caller, bcOrderId, body)
  } catch (error) {
    if (error instanceof Problem && error.status === 404) throw new Problem(400, error.message)
    throw error
  }
}

function refuseEmpty(fields: readonly ExtraField[], values: ExtraValues) {
  const empty = fields.filter(({ id, is_required }) => is_required && values[id] === undefined)
  if (empty.length === 0) return
  throw invalid({
    extraFields: empty.map(({ field_name }) => `The extra field "${field_name}" is required.`).join(' '),
  })
}

/**
 * Moves all orders of a customer to the company of its user, in steps.
 * @returns the number of moved orders
 * @throws Problem 403, 404 for a customer who is no user of a company
 */
export async function moveOrdersToCompany(db: Db, caller: CompanyCaller, customerId: number): Promise<number> {
  const user = await userOfCustomer(db, customerId)
  if (!user) {
    refuseOutside(caller, 0)
    throw notFound('company user of the customer', customerId)
  }
  refuseOutside(caller, user.company_id)
  return moveOrders(db, customerId, user.company_id)
}

/**
 * Moves all orders of a customer to the dependent company of a customer group, in steps. Only the seller may.
 * @returns the number of moved orders
 * @throws Problem 403, 404, 405 for a store with independent companies
 */
export async function moveOrdersToGroup(
  db: Db,
  caller: CompanyCaller,
  { customerId, groupId }: { customerId: number; groupId: number },
): Promise<number> {
  if (!mayDo(caller, 'manage_assignments', 0)) throw denied()
  await refuseIndependent(db)
  if (!(await findCustomerEmail(db, customerId))) throw notFound('customer', customerId)
  // Group 0 is that of customers without a group.
  const [company] = await db.rows<{ id: number }>(sql`
    select id from companies
    where store_id = ${db.store.id} and customer_group_id = ${groupId} and customer_group_id > 0 order by id limit 1`)
  if (!company) throw notFound('company with the customer group', groupId)
  return moveOrders(db, customerId, company.id)
}

/** @param from the orders that move; by default those of all other companies, and those without one */
export async function moveOrders(
  db: Db,
  customerId: number,
  companyId: number,
  from: Sql = sql`company_id <> ${companyId}`,
): Promise<number> {
  let moved = 0
  await inSteps(db, async (tx) => {
    const rows = await tx.rows(sql`
      update b2b_orders set company_id = ${companyId} where store_id = ${tx.store.id} and id = any(array(
        select id from b2b_orders
        where store_id = ${tx.store.id} and customer_id = ${customerId} and ${from}
        order by id limit ${STEP_ROWS} for update
      )) returning id`)
    moved += rows.length
    return rows.length === STEP_ROWS
  })
  return moved
}
