import { GraphRefusal } from '../../../../core/graphql/refusal.ts'
import { mayDo } from '../../../../sales/b2b/shared/caller.ts'
import { type BuyerCaller, buyerOf } from '../caller.ts'

const NOT_YOURS = 'Your role does not permit this in the company.'

/** @throws GraphRefusal 403, the same for a company that does not exist */
export function refuseCompany(caller: BuyerCaller, code: string, companyId: number) {
  if (mayDo(buyerOf(caller), code, companyId)) return
  throw new GraphRefusal(NOT_YOURS, 403)
}

/** A filter that clients leave empty is not given. */
export const given = <Value>(value: Value | null | undefined): Value | undefined =>
  value === null || value === '' ? undefined : value

/** @throws GraphRefusal 403 for a company that the caller neither belongs to nor acts for */
export function refuseActing(caller: BuyerCaller, companyId: number) {
  const { companyId: own, acting } = buyerOf(caller)
  if (companyId !== own && companyId !== acting) throw new GraphRefusal(NOT_YOURS, 403)
}

/**
 * The companies of a list: the named ones, or the acting one.
 * @throws GraphRefusal 403 if any of them is not allowed
 */
export function companiesFor(
  caller: BuyerCaller,
  code: string,
  named: readonly (number | null)[] | null | undefined,
): number[] {
  const buyer = buyerOf(caller)
  const ids = (named ?? []).flatMap((id) => id ?? [])
  const wanted = ids.length > 0 ? [...new Set(ids)] : [buyer.acting]
  // At level 1 a user sees what it owns.
  if (wanted.every((id) => mayDo(buyer, code, id, buyer.userId))) return wanted
  throw new GraphRefusal(NOT_YOURS, 403)
}
