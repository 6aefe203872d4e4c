import type { Api } from '../../../core/rest/api.ts'
import { findOne, lock } from '../../../core/rest/lists/verbs.ts'
import { companies, companyIdOf, companyPath, refuseUnassigned } from '../../../sales/b2b/companies/company.ts'
import { Credit, CreditChanges, changeCredit, creditOf } from '../../../sales/b2b/credit/credit.ts'
import { PaymentTerms, setTerms, termsOf } from '../../../sales/b2b/credit/payment-terms.ts'
import { denied } from '../../../sales/b2b/shared/refusals.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { answering, companionAnswer, SUCCESS_OF_USERS } from '../grammar/envelope.ts'

const { write } = access('b2b')
const tag = 'Company credit'

/** Credit and payment terms of companies (docs/contract/b2b-credit.md). Representatives read those of their companies. */
export function creditRoutes(api: Api) {
  const company = '/v3/io/companies/:company_id'

  api.get(
    `${company}/credit`,
    {
      ...write,
      schema: { summary: 'Get the credit of a company', tag, params: companyPath, ...answering(Credit) },
    },
    async ({ db, params, salesRep }) => {
      const id = companyIdOf(params)
      await refuseUnassigned(db, salesRep, [id])
      await findOne(db, companies, id)
      return companionAnswer(await creditOf(db, id), SUCCESS_OF_USERS)
    },
  )

  api.put(
    `${company}/credit`,
    {
      ...write,
      schema: {
        summary: 'Change the credit of a company',
        description: 'Other fields stay unchanged.',
        tag,
        params: companyPath,
        body: CreditChanges,
        ...answering(Credit),
      },
    },
    async ({ db, params, body, salesRep }) => {
      const id = companyIdOf(params)
      if (salesRep !== undefined) throw denied()
      const credit = await db.transaction(async (tx) => {
        await lock(tx, companies, id)
        return changeCredit(tx, id, body)
      })
      return companionAnswer(credit, SUCCESS_OF_USERS)
    },
  )

  api.get(
    `${company}/payment-terms`,
    {
      ...write,
      schema: {
        summary: 'Get the payment terms of a company',
        operationId: 'getCompanyPaymentTerms',
        tag,
        params: companyPath,
        ...answering(PaymentTerms),
      },
    },
    async ({ db, params, salesRep }) => {
      const id = companyIdOf(params)
      await refuseUnassigned(db, salesRep, [id])
      await findOne(db, companies, id)
      return companionAnswer(await termsOf(db, id), SUCCESS_OF_USERS)
    },
  )

  api.put(
    `${company}/payment-terms`,
    {
      ...write,
      schema: {
        summary: 'Set the payment terms of a company',
        operationId: 'updateCompanyPaymentTerms',
        tag,
        params: companyPath,
        body: PaymentTerms,
        ...answering(PaymentTerms),
      },
    },
    async ({ db, params, body, salesRep }) => {
      const id = companyIdOf(params)
      if (salesRep !== undefined) throw denied()
      const terms = await db.transaction(async (tx) => {
        await lock(tx, companies, id)
        return setTerms(tx, id, body)
      })
      return companionAnswer(terms, SUCCESS_OF_USERS)
    },
  )
}
