import t from 'typebox'
import { isObject } from '../../../core/objects.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { hasAny, type Mistakes } from '../../../core/rest/input/mistakes.ts'
import { itemByItem, itemReader } from '../../../core/rest/input/validator.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { refuseUnassigned } from '../../../sales/b2b/companies/company.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { answering, companionAnswer, ListMistakes } from '../grammar/envelope.ts'
import { BULK_MAX, byItem, inForm, readItems } from '../grammar/lists.ts'
import { CompanyReference } from './companies.ts'
import { CompanyChanges, changeCompany } from './company-changes.ts'
import { createCompanies, NEW_COMPANY, NewCompany } from './new-company.ts'

const { write } = access('b2b')
const tag = 'Companies'

const Item = t.Object({ ...CompanyChanges.properties, companyId: Id }, { title: 'CompanyOfList' })
const ONE_OF_MANY = {
  ...NEW_COMPANY,
  companyName: 'Canal Hotels',
  companyEmail: 'office@canal.example.com',
  adminEmail: 'kim.bay@canal.example.com',
}
const readNew = itemReader(NewCompany)
const readItem = itemReader(Item)

/** Lists of companies in one request (docs/contract/companies.md section 2). */
export function companyBulkRoutes(api: Api) {
  const place = '/v3/io/companies/bulk'

  api.post(
    place,
    {
      ...write,
      schema: {
        summary: 'Create up to 10 companies',
        description: 'All of them, or none. No events of companies and users are published.',
        operationId: 'createCompanies',
        tag,
        body: itemByItem(NewCompany, BULK_MAX, [[ONE_OF_MANY]]),
        ...answering(t.Array(CompanyReference)),
      },
    },
    async ({ db, body, client, salesRep }) => {
      const made = await inForm('errors', async () => {
        const bodies = readItems(body, readNew)
        return byItem(bodies.length, () => createCompanies(db, bodies, { clientId: client.id, salesRep }))
      })
      return companionAnswer(made.map(({ companyId }) => ({ companyId })))
    },
  )

  api.put(
    place,
    {
      ...write,
      schema: {
        summary: 'Change up to 10 companies',
        description: 'One by one: a refused item leaves the others changed, and the answer is 400.',
        operationId: 'updateCompanies',
        tag,
        body: itemByItem(Item, BULK_MAX, [[{ companyId: 1, companyPhone: '+61 2 5550 9876' }]]),
        ...answering(t.Array(CompanyReference)),
      },
    },
    async ({ db, body, salesRep }) => {
      await refuseUnassigned(db, salesRep, body.flatMap(companyIn))
      const changed: { companyId: number }[] = []
      const mistakes: Mistakes[] = []
      for (const item of body) {
        mistakes.push(
          await mistakesOf(async () => {
            const { companyId, ...changes } = readItem(item)
            await changeCompany(db, companyId, changes)
            changed.push({ companyId })
          }),
        )
      }
      if (mistakes.some(hasAny)) throw new ListMistakes(mistakes, 'errors', 400)
      return companionAnswer(changed)
    },
  )
}

/** The company of an item that is not checked yet. */
const companyIn = (item: unknown): number[] =>
  isObject(item) && typeof item.companyId === 'number' ? [item.companyId] : []

/** The mistakes for which work was refused; none if it succeeded. Any other error ends the request. */
async function mistakesOf(work: () => Promise<void>): Promise<Mistakes> {
  try {
    await work()
    return {}
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return hasAny(error.errors) ? error.errors : { companyId: error.message }
  }
}
