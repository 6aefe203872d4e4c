import { GraphRefusal } from '../../../../core/graphql/refusal.ts'
import { mayDo } from '../../../../sales/b2b/shared/caller.ts'
import { type BuyerCaller, buyerOf } from '../caller.ts'

/** @throws GraphRefusal 403, the same for a company that does not exist */
export function refuseCompany(caller: BuyerCaller, code: string, companyId: number) {
  if (mayDo(buyerOf(caller), code, companyId)) return
  throw new GraphRefusal('Your role does not permit this in the company.', 403)
}

/** A filter that clients leave empty is not given. */
export const given = <Value>(value: Value | null | undefined): Value | undefined =>
  value === null || value === '' ? undefined : value
