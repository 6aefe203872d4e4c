import { readFile } from 'node:fs/promises'
import { type GraphEngine, openEngine } from '../../../core/graphql/engine.ts'
import { packagePath } from '../../../core/package.ts'
import type { Problem } from '../../../core/rest/problem.ts'
import { refusalB2b } from '../grammar/envelope.ts'
import { guardRoots } from './access.ts'
import type { BuyerCaller } from './caller.ts'
import { addressMutations, addressQueries } from './fields/addresses.ts'
import { colleagueQueries } from './fields/colleagues.ts'
import { accountMutations, accountQueries } from './fields/companies/account.ts'
import { creatorQueries } from './fields/companies/creators.ts'
import { peopleMutations } from './fields/companies/people.ts'
import { registrationMutations, registrationQueries } from './fields/companies/registration.ts'
import { treeMutations, treeQueries } from './fields/companies/tree.ts'
import { customerAddressMutations, customerAddressQueries } from './fields/customers/addresses.ts'
import { invoiceMutations, invoiceQueries } from './fields/invoices/invoices.ts'
import { receiptFields, receiptQueries } from './fields/invoices/receipts.ts'
import { listFields } from './fields/lists/answers.ts'
import { listMutations, listQueries } from './fields/lists/lists.ts'
import { orderMutations, orderQueries } from './fields/orders/orders.ts'
import { productQueries } from './fields/products/products.ts'
import { uploadMutations } from './fields/products/uploads.ts'
import { quoteMutations, quoteQueries } from './fields/quotes/quotes.ts'
import { formQueries } from './fields/settings/forms.ts'
import { portalQueries } from './fields/settings/portal.ts'
import { signInMutations } from './fields/sign-in.ts'
import { userQueries } from './fields/users.ts'
import { refuseNotBuilt } from './not-built.ts'
import { scalars } from './scalars.ts'
import type { BuyerResolvers } from './types.ts'

const resolvers: BuyerResolvers = {
  ...receiptFields,
  ...listFields,
  Query: {
    ...userQueries,
    ...colleagueQueries,
    ...addressQueries,
    ...portalQueries,
    ...formQueries,
    ...treeQueries,
    ...accountQueries,
    ...registrationQueries,
    ...productQueries,
    ...orderQueries,
    ...invoiceQueries,
    ...receiptQueries,
    ...quoteQueries,
    ...listQueries,
    ...customerAddressQueries,
    ...creatorQueries,
  },
  Mutation: {
    ...signInMutations,
    ...addressMutations,
    ...treeMutations,
    ...accountMutations,
    ...peopleMutations,
    ...registrationMutations,
    ...uploadMutations,
    ...orderMutations,
    ...invoiceMutations,
    ...quoteMutations,
    ...listMutations,
    ...customerAddressMutations,
  },
}

/** A refusal for clients, which read a sentence and a number. */
const refusalToAnswer = (problem: Problem) => ({
  message: refusalB2b(problem).body.detail,
  extensions: { code: problem.status },
})

/** Opens the engine of the schema of buyers. @param introspection whether clients may ask for the schema */
export async function openBuyerEngine({
  introspection,
}: {
  introspection: boolean
}): Promise<GraphEngine<BuyerCaller>> {
  const schema = await readFile(packagePath('buyersSchema'), 'utf8')
  return openEngine<BuyerCaller>({
    schema,
    resolvers,
    scalars,
    introspection,
    // docs/contract/b2b-graphql.md section 1.
    limits: {
      cost: 4_500,
      depth: 12,
      aliases: 60,
      rootFields: 30,
      mutations: 30,
      length: { usual: 10, max: 250, nestedMax: 250 },
    },
    errors: { invalid: { code: 422 }, refusal: refusalToAnswer },
    complete(opened) {
      guardRoots(opened)
      refuseNotBuilt(opened)
    },
  })
}
