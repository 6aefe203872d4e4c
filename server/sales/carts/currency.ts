import type { Db, Tx } from '../../core/db/database.ts'
import { Problem, unknownId } from '../../core/rest/problem.ts'
import { FIRST_CHANNEL } from '../../shop/channels/channels.ts'
import { assignmentsInForce } from '../../shop/channels/currencies/assignments.ts'
import { currencyPair } from '../../shop/channels/currencies/shape.ts'
import { type CartParts, type CartTarget, type CartWithResult, changeCart, remaining } from './changes/change.ts'
import { refuseField } from './changes/refusal.ts'
import { withoutBalances } from './checkouts/changes/redemptions.ts'
import { CUSTOM_SHIPPING } from './costs/shipping.ts'
import { lockCart } from './row/cart.ts'
import type { CartDocument } from './row/document.ts'

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

/**
 * Changes the currency of a cart. Prices of the catalog, promotions and shipping follow; amounts that somebody has set have no equal in
 * another currency.
 * @throws Problem 404, 400 as `currencyOfCart`, 422 for a cart with such amounts
 */
export async function changeCurrency(
  tx: Tx,
  parts: CartParts,
  target: CartTarget,
  named: string,
): Promise<CartWithResult> {
  const currency_code = await currencyOfCart(tx, FIRST_CHANNEL, named)
  const { cart } = await lockCart(tx, target.id, target.version, target.viewer)
  if (cart.currency_code !== currency_code && hasFixedAmounts(cart.document)) {
    refuseField('currency_code', 'A cart with gift certificates, or with prices of the store, keeps its currency.')
  }
  const request = { ...target, currency_code, isUpdated: true }
  const isOther = cart.currency_code !== currency_code
  return remaining(
    await changeCart(tx, parts, request, ({ document }) => ({
      document: isOther ? withoutBalances(document) : document,
    })),
  )
}

const hasFixedAmounts = ({ lines, custom, certificates, consignments, fees, manual }: CartDocument): boolean =>
  lines.some(({ list_price }) => list_price !== null) ||
  consignments.some(({ option }) => option?.type === CUSTOM_SHIPPING) ||
  custom.length + certificates.length + fees.length > 0 ||
  manual !== null
