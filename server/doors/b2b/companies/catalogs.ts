import t from 'typebox'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment } from '../../../core/rest/input/fields.ts'
import { lock } from '../../../core/rest/lists/verbs.ts'
import { assignCatalogs, CatalogId } from '../../../sales/b2b/companies/catalog.ts'
import { companies, companyIdOf, companyPath, publishCompany } from '../../../sales/b2b/companies/company.ts'
import { refuseIndependent } from '../../../sales/b2b/companies/mode.ts'
import { denied } from '../../../sales/b2b/shared/refusals.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { answering, CompanionRefusal, companionAnswer } from '../grammar/envelope.ts'
import { CompanyReference } from './companies.ts'
import { createCompanyOfGroup, NEW_COMPANY, NewCompany } from './new-company.ts'

const { write } = access('b2b')
const tag = 'Companies'
const FOR_GROUP = {
  ...NEW_COMPANY,
  companyName: 'Quay Bakers',
  companyEmail: 'office@quay.example.com',
  adminEmail: 'lis.bro@quay.example.com',
}
const answeringDependent = { response: { ...answering(CompanyReference).response, 405: CompanionRefusal } }

/** Operations of stores with dependent companies (docs/contract/companies.md section 9). */
export function companyCatalogRoutes(api: Api) {
  api.put(
    '/v3/io/companies/:company_id/catalogs',
    {
      ...write,
      schema: {
        summary: 'Set the price list of a company',
        description: 'Only of stores with dependent companies; others answer 405.',
        operationId: 'updateCompanyCatalog',
        tag,
        params: companyPath,
        body: t.Object({ catalogId: CatalogId }, { title: 'CompanyCatalog', examples: [{ catalogId: '1' }] }),
        ...answeringDependent,
      },
    },
    async ({ db, params, body, salesRep }) => {
      const id = companyIdOf(params)
      if (salesRep !== undefined) throw denied() // Prices are the seller's.
      await refuseIndependent(db)
      await db.transaction(async (tx) => {
        await assignCatalogs(tx, [await lock(tx, companies, id)], [body])
        publishCompany(tx, 'updated', id)
      })
      return companionAnswer({ companyId: id })
    },
  )

  api.post(
    `/v3/io/customer-groups/${idSegment('customer_group_id')}/companies`,
    {
      ...write,
      schema: {
        summary: 'Create a company for a customer group',
        description: 'Only of stores with dependent companies and one storefront; others answer 405.',
        operationId: 'createCompanyOfCustomerGroup',
        tag,
        params: t.Object({ customer_group_id: Id }),
        body: t.Object(NewCompany.properties, { title: 'CompanyOfCustomerGroup', examples: [FOR_GROUP] }),
        ...answeringDependent,
      },
    },
    async ({ db, params, body, client, salesRep }) => {
      if (salesRep !== undefined) throw denied() // It would choose the group of customers.
      const { companyId } = await createCompanyOfGroup(db, params.customer_group_id, body, { clientId: client.id })
      return companionAnswer({ companyId })
    },
  )
}
