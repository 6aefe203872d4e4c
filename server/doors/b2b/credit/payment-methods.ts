import t from 'typebox'
import { sql } from '../../../core/db/sql.ts'
import type { Api } from '../../../core/rest/api.ts'
import { ID_MAX, Id } from '../../../core/rest/input/fields.ts'
import { findOne, lock } from '../../../core/rest/lists/verbs.ts'
import { companies, companyIdOf, companyPath, refuseUnassigned } from '../../../sales/b2b/companies/company.ts'
import {
  changeMethods,
  companyMethods,
  EnabledMethod,
  listEnabledMethods,
  MethodChanges,
  MethodOfCompany,
  methodsOfCompany,
} from '../../../sales/b2b/credit/payment-methods.ts'
import { within } from '../../../sales/b2b/shared/caller.ts'
import { when } from '../../../sales/b2b/shared/pages.ts'
import { denied } from '../../../sales/b2b/shared/refusals.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { callerOf } from '../grammar/caller.ts'
import {
  answering,
  companionAnswer,
  companionListAnswer,
  listing,
  Nothing,
  SUCCESS_OF_USERS,
  windowOf,
  windowQuery,
} from '../grammar/envelope.ts'
import { OrderBy } from '../grammar/queries.ts'

const { write } = access('b2b')
const tag = 'Company payment methods'

const Method = t.Object(
  { id: Id, paymentCode: t.String(), paymentTitle: t.String() },
  { title: 'CompanionPaymentMethod' },
)
const Query = t.Object({
  ...windowQuery,
  orderBy: OrderBy,
  sortBy: t.Optional(t.Enum(['updatedAt', 'createdAt'])),
  companyId: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX })),
  q: t.Optional(t.String({ description: 'Part of the code or of the title' })),
})

/** Payment methods of companies (docs/contract/b2b-credit.md section 4). Representatives read those of their companies. */
export function companyMethodRoutes(api: Api) {
  const ofCompany = '/v3/io/companies/:company_id/payments'

  api.get(
    '/v3/io/payments',
    {
      ...write,
      schema: {
        summary: 'List the payment methods of the store',
        operationId: 'listCompanionPaymentMethods',
        tag,
        ...answering(t.Array(Method)),
      },
    },
    async ({ db }) => {
      const methods = await companyMethods(db)
      const answers = methods.map(({ id, code, title }) => ({ id, paymentCode: code, paymentTitle: title }))
      return companionAnswer(answers, SUCCESS_OF_USERS)
    },
  )

  api.get(
    ofCompany,
    {
      ...write,
      schema: {
        summary: 'List the payment methods of a company',
        operationId: 'listPaymentMethodsOfCompany',
        tag,
        params: companyPath,
        ...answering(t.Array(MethodOfCompany)),
      },
    },
    async ({ db, params, salesRep }) => {
      const id = companyIdOf(params)
      await refuseUnassigned(db, salesRep, [id])
      await findOne(db, companies, id)
      return companionAnswer(await methodsOfCompany(db, id), SUCCESS_OF_USERS)
    },
  )

  api.put(
    ofCompany,
    {
      ...write,
      schema: {
        summary: 'Enable or disable payment methods of a company',
        description: 'Changes only the listed methods: all of them, or none.',
        operationId: 'updatePaymentMethodsOfCompany',
        tag,
        params: companyPath,
        body: MethodChanges,
        ...answering(Nothing),
      },
    },
    async ({ db, params, body, salesRep }) => {
      const id = companyIdOf(params)
      if (salesRep !== undefined) throw denied()
      await db.transaction(async (tx) => {
        await lock(tx, companies, id)
        await changeMethods(tx, id, body)
      })
      return companionAnswer([], SUCCESS_OF_USERS)
    },
  )

  api.get(
    '/v3/io/company-payment-methods',
    {
      ...write,
      schema: {
        summary: 'List the enabled payment methods of companies',
        description: 'Last changed first.',
        operationId: 'listEnabledPaymentMethods',
        tag,
        querystring: Query,
        ...listing(EnabledMethod),
      },
    },
    async ({ db, query, salesRep }) => {
      const window = windowOf(query)
      const { q, sortBy, companyId, orderBy = 'DESC' } = query
      const where = [
        ...within(await callerOf(db, salesRep), 'get_company_payment_methods', sql`c.id`),
        ...when(companyId, (id) => sql`c.id = ${id}`),
      ]
      const direction = orderBy.toUpperCase() === 'ASC' ? 'asc' : 'desc'
      const { rows, total } = await listEnabledMethods(db, { where, q, sortBy, direction }, window)
      return companionListAnswer(rows, total, window, SUCCESS_OF_USERS)
    },
  )
}
