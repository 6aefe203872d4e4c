import t, { type TSchema } from 'typebox'
import { Answer } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id } from '../../../core/rest/input/fields.ts'
import { Problem } from '../../../core/rest/problem.ts'
import { companyIdOf, companyPath } from '../../../sales/b2b/companies/company.ts'
import { attachCompany, detachCompany, hierarchyOf, LAYERS_MAX } from '../../../sales/b2b/companies/hierarchy.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { callerOf } from '../grammar/caller.ts'
import {
  answering,
  companionListAnswer,
  HierarchyProblem,
  listing,
  windowOf,
  windowQuery,
} from '../grammar/envelope.ts'
import { refuseTooOften } from '../grammar/windows.ts'

const { write } = access('b2b')
const tag = 'Company hierarchy'

const summary = { companyId: Id, companyName: t.String(), companyStatus: t.Integer() }
/** As deep as trees can be, so that no schema refers to itself. */
const nodeOf = (layers: number): TSchema =>
  t.Object({
    ...summary,
    subsidiaries: layers > 1 ? t.Array(nodeOf(layers - 1)) : t.Array(t.Object({}), { maxItems: 0 }),
  })
/** Calls of the hierarchy of companies in a minute and store. */
const HIERARCHIES_MAX = 15

/** The refusals of these operations have two forms at once (docs/contract/companies.md section 2). */
async function inBothForms<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isOwn = error instanceof Problem && (error.status === 400 || error.status === 404)
    throw isOwn ? new HierarchyProblem(error.status, error.message) : error
  }
}

/** Parents and subsidiaries of companies (docs/contract/companies.md section 2). */
export function hierarchyRoutes(api: Api) {
  const one = '/v3/io/companies/:company_id'

  api.post(
    `${one}/parent`,
    {
      ...write,
      schema: {
        summary: 'Set the parent of a company',
        operationId: 'createCompanyParent',
        tag,
        params: companyPath,
        body: t.Object({ parentCompanyId: Id }, { title: 'NewCompanyParent', examples: [{ parentCompanyId: 2 }] }),
        response: { 201: answering(t.Array(t.Null(), { maxItems: 0 })).response[200] },
      },
    },
    async ({ db, params, body, salesRep }) => {
      const id = companyIdOf(params)
      const caller = await callerOf(db, salesRep)
      await inBothForms(() => attachCompany(db, caller, id, body.parentCompanyId))
      return new Answer({ code: 201, data: [], meta: { message: 'SUCCESS' } }, 201)
    },
  )

  api.get(
    `${one}/subsidiaries`,
    {
      ...write,
      schema: {
        summary: 'List the subsidiaries of a company',
        description: 'The direct ones are paged. Each has all of its own.',
        operationId: 'listCompanySubsidiaries',
        tag,
        params: companyPath,
        querystring: t.Object(windowQuery),
        ...listing(nodeOf(LAYERS_MAX - 1)),
      },
    },
    async ({ db, params, query, salesRep }) => {
      const id = companyIdOf(params)
      const caller = await callerOf(db, salesRep)
      const { subsidiaries } = await inBothForms(() => hierarchyOf(db, caller, id))
      const window = windowOf(query)
      const page = subsidiaries.slice(window.offset, window.offset + window.limit)
      return companionListAnswer(page, subsidiaries.length, window)
    },
  )

  api.delete(
    `${one}/subsidiaries/:child_company_id`,
    {
      ...write,
      schema: {
        summary: 'Detach a subsidiary',
        description: 'It becomes the top of a tree of its own, with its subsidiaries.',
        operationId: 'deleteCompanySubsidiary',
        tag,
        params: t.Object({ ...companyPath.properties, child_company_id: t.String() }),
        response: { 204: t.Null() },
      },
    },
    async ({ db, params, salesRep }) => {
      const id = companyIdOf(params)
      const childId = companyIdOf({ company_id: params.child_company_id })
      const caller = await callerOf(db, salesRep)
      await inBothForms(() => detachCompany(db, caller, id, childId))
      return new Answer(undefined, 204)
    },
  )

  api.get(
    `${one}/hierarchy`,
    {
      ...write,
      schema: {
        summary: 'Get the hierarchy below a company',
        description: 'A list with the company, which has its subsidiaries. At most 15 calls a minute and store.',
        operationId: 'getCompanyHierarchy',
        tag,
        params: companyPath,
        querystring: t.Object(windowQuery),
        ...listing(nodeOf(LAYERS_MAX)),
      },
    },
    async ({ db, params, query, salesRep }) => {
      const id = companyIdOf(params)
      const caller = await callerOf(db, salesRep)
      await refuseTooOften(db, 'hierarchy', HIERARCHIES_MAX)
      const top = await inBothForms(() => hierarchyOf(db, caller, id))
      const window = windowOf(query)
      return companionListAnswer(window.offset === 0 ? [top] : [], 1, window)
    },
  )
}
