import { sql } from '../../../../../core/db/sql.ts'
import { GraphRefusal } from '../../../../../core/graphql/refusal.ts'
import { mayDo } from '../../../../../sales/b2b/shared/caller.ts'
import { findUsers } from '../../../../../sales/b2b/users/user.ts'
import { buyerOf, signedIn } from '../../caller.ts'
import type { QueryFields } from '../../types.ts'

// The people whom filters of orders, lists and quotes offer (docs/contract/b2b-graphql.md section 8).

/** The code of each module. */
const CODES = ['get_orders', 'get_shopping_lists', 'get_quotes'] as const
const QUOTES = 2
/** The users of one answer. */
const USERS_MAX = 1_000

export const creatorQueries: QueryFields<'createdByUser'> = {
  async createdByUser(_, { companyId, module }, caller) {
    const buyer = buyerOf(caller)
    const { db } = buyer
    const { customer } = signedIn(caller)
    const code = CODES[module]
    if (code === undefined) throw new GraphRefusal('module is 0, 1 or 2.', 422)
    const isAll = mayDo(buyer, code, companyId)
    if (!isAll && !mayDo(buyer, code, companyId, buyer.userId)) {
      throw new GraphRefusal('Your role does not permit this in the company.', 403)
    }
    const users = isAll
      ? await findUsers(db, sql`u.company_id = ${companyId}`, sql`order by u.id limit ${USERS_MAX}`)
      : [{ first_name: customer.firstName, last_name: customer.lastName, email: customer.email }]
    if (module !== QUOTES) {
      const people = users.map(({ first_name, last_name, email }) => ({
        firstName: first_name,
        lastName: last_name,
        email,
      }))
      return { results: people }
    }
    const reps = await db.rows<{ name: string; email: string }>(sql`
      select distinct sales_rep as name, sales_rep_email as email from b2b_quotes
      where store_id = ${db.store.id} and company_id = ${companyId} and sales_rep <> '' limit ${USERS_MAX}`)
    return {
      results: {
        createdBy: users.map(({ first_name, last_name, email }) => ({
          name: `${first_name} ${last_name}`.trim(),
          email,
        })),
        salesRep: reps.map(({ name, email }) => ({ salesRep: name, salesRepEmail: email })),
      },
    }
  },
}
