import type { Db } from '../../core/db/database.ts'
import { Problem, unknownId } from '../../core/rest/problem.ts'
import { assignmentsInForce } from '../../shop/channels/currencies/assignments.ts'
import { currencyPair } from '../../shop/channels/currencies/shape.ts'
import { refuseField } from './changes/refusal.ts'

/**
 * The currency of a new cart: the named one, else the default of the channel.
 * @throws Problem 422 for an unknown channel, 400 for a currency that the store doesn't have, that is disabled, or that nobody pays in
 */
export async function currencyOfCart(db: Db, channel_id: number, named: string | undefined): Promise<string> {
  const { assignments, pair } = await db.together(() => ({
    assignments: named === undefined ? assignmentsInForce(db, [channel_id]) : [],
    pair: named === undefined ? undefined : currencyPair(db, named),
  }))
  if (named === undefined && assignments.length === 0) refuseField('channel_id', unknownId('channel', channel_id))
  const code = named?.toUpperCase() ?? assignments[0]?.default_currency
  const currency = named === undefined && code !== undefined ? (await currencyPair(db, code)).wanted : pair?.wanted
  if (currency?.enabled && currency.is_transactional) return currency.currency_code
  const sentence = `Shoppers can't pay in the currency ${code ?? ''} in this store.`
  throw new Problem(400, sentence, { 'currency.code': sentence })
}
