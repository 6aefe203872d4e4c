import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { notFound, Problem } from '../../../core/rest/problem.ts'
import { configuredGateways } from '../../payments/providers.ts'
import { epochSeconds } from '../companies/company.ts'
import type { Window } from '../shared/pages.ts'

/**
 * A payment method of companies: a gateway that the operator has configured, or a method that the shop settles with its customers.
 *
 * Every company may use every method of its store until the seller disables one for it. Only changed methods have rows.
 */
export interface CompanyMethod {
  /** The position in `METHODS`, from 1. */
  id: number
  code: string
  title: string
}

/** All methods with their titles. An id is a position, so new ones come last. */
const METHODS: readonly (readonly [code: string, title: string])[] = [
  ['testgateway', 'Test payment gateway'],
  ['stripe', 'Stripe'],
  ['purchaseorder', 'Purchase order'],
  ['cheque', 'Check'],
  ['bankdeposit', 'Bank deposit'],
  ['moneyorder', 'Money order'],
  ['cod', 'Cash on delivery'],
  ['instore', 'Pay in store'],
]
/** Methods that the operator must configure. */
const GATEWAYS: ReadonlySet<string> = new Set(['testgateway', 'stripe'])

/** The payment methods of a store. */
export async function companyMethods(db: Db): Promise<CompanyMethod[]> {
  const configured = new Set((await configuredGateways(db)).map(({ gateway }) => gateway))
  return METHODS.map(([code, title], i) => ({ id: i + 1, code, title })).filter(
    ({ code }) => !GATEWAYS.has(code) || configured.has(code),
  )
}

export const MethodOfCompany = t.Object(
  {
    paymentId: Id,
    code: t.String(),
    paymentTitle: t.String(),
    isEnabled: t.Boolean({ description: 'True until the seller disables it' }),
  },
  { title: 'CompanyPaymentMethod' },
)

/** The payment methods of an existing company. */
export async function methodsOfCompany(db: Db, companyId: number): Promise<Static<typeof MethodOfCompany>[]> {
  const methods = await companyMethods(db)
  const rows = await db.rows<{ code: string }>(sql`
    select code from b2b_company_methods where store_id = ${db.store.id} and company_id = ${companyId} and not is_enabled`)
  const disabled = new Set(rows.map(({ code }) => code))
  return methods.map(({ id, code, title }) => ({
    paymentId: id,
    code,
    paymentTitle: title,
    isEnabled: !disabled.has(code),
  }))
}

export const MethodChanges = t.Object(
  {
    payments: t.Array(
      t.Object({ code: t.Optional(t.String()), isEnabled: t.Boolean() }, { title: 'PaymentMethodChange' }),
      { maxItems: 100 },
    ),
  },
  { title: 'CompanyPaymentMethodChanges', examples: [{ payments: [{ code: 'cheque', isEnabled: false }] }] },
)

/**
 * Enables or disables the listed methods for a company whose row is locked. The last entry for a method counts.
 * @throws Problem 400 for an entry without a code, 404 for an unknown one
 */
export async function changeMethods(tx: Tx, companyId: number, { payments }: Static<typeof MethodChanges>) {
  const codes = new Set((await companyMethods(tx)).map(({ code }) => code))
  const wishes = new Map<string, boolean>()
  for (const { code, isEnabled } of payments) {
    if (code === undefined || code === '') throw new Problem(400, 'Each payment method needs a code.')
    if (!codes.has(code)) throw notFound('payment method', code)
    wishes.set(code, isEnabled)
  }
  const now = toSeconds(tx.now)
  const wanted = [...wishes].map(([code, is_enabled]) => ({ code, is_enabled }))
  await tx.rows(sql`
    insert into b2b_company_methods as method (store_id, company_id, code, is_enabled, created_at, updated_at)
    select ${tx.store.id}, ${companyId}, code, is_enabled, ${now}, ${now}
    from ${sql.table('wanted', wanted, { code: 'text', is_enabled: 'boolean' })} order by code
    on conflict (store_id, company_id, code) do update set
      is_enabled = excluded.is_enabled, updated_at = excluded.updated_at
      where method.is_enabled <> excluded.is_enabled
    returning code`)
}

export const EnabledMethod = t.Object(
  {
    companyId: Id,
    paymentId: Id,
    createdAt: t.Integer({ description: 'Unix seconds' }),
    updatedAt: t.Integer({ description: 'Unix seconds' }),
    paymentMethodCode: t.String(),
    paymentMethodTitle: t.String(),
  },
  { title: 'EnabledPaymentMethod' },
)

/** The parts of a list of enabled methods. */
export interface MethodList {
  /** Conditions on the companies `c`. */
  where: readonly Sql[]
  /** A part of code or title. */
  q?: string | undefined
  sortBy?: 'updatedAt' | 'createdAt' | undefined
  direction: 'asc' | 'desc'
}

/** The enabled methods of companies. A method that was never changed has the time of its company. */
export async function listEnabledMethods(db: Db, { where, q = '', sortBy, direction }: MethodList, window: Window) {
  const methods = (await companyMethods(db)).filter(({ code, title }) => fold(`${code} ${title}`).includes(fold(q)))
  const from = sql`
    from companies c cross join ${sql.table('method', methods, { id: 'int', code: 'text' })}
    left join b2b_company_methods m on m.store_id = ${db.store.id} and m.company_id = c.id and m.code = method.code
    where ${sql.and([sql`c.store_id = ${db.store.id}`, sql`coalesce(m.is_enabled, true)`, ...where])}`
  const order = sql.raw(
    `${sortBy === 'createdAt' ? 'created' : 'updated'}_at ${direction}, c.id ${direction}, method.id`,
  )
  const rows = await db.rows<{ company_id: number; id: number; created_at: string; updated_at: string }>(sql`
    select c.id as company_id, method.id, coalesce(m.created_at, c.created_at) as created_at,
      coalesce(m.updated_at, c.created_at) as updated_at
    ${from} order by ${order} limit ${window.limit} offset ${window.offset}`)
  const { total } = await db.row<{ total: number }>(sql`select count(*)::int as total ${from}`)
  const byId = new Map(methods.map((method) => [method.id, method]))
  const answers = rows.map(({ company_id, id, created_at, updated_at }) => ({
    companyId: company_id,
    paymentId: id,
    createdAt: epochSeconds(created_at),
    updatedAt: epochSeconds(updated_at),
    paymentMethodCode: byId.get(id)?.code ?? '',
    paymentMethodTitle: byId.get(id)?.title ?? '',
  }))
  return { rows: answers, total }
}
