import { html, type Markup } from '../../../core/markup.ts'
import { sumOf, type Units } from '../../../core/money/units.ts'
import type { ResultLine, Taxed } from '../../../sales/carts/evaluation/result.ts'
import { cartOptionsOf, couponNameOf } from '../../../sales/carts/views/line-items.ts'
import { moneyToAnswer } from '../graphql/fields/money/money.ts'
import type { CheckoutState } from './state.ts'

/** Writes an amount as the display settings of the currency say. */
export const moneyIn =
  ({ currency }: Pick<CheckoutState, 'currency'>) =>
  (amount: Units): string =>
    moneyToAnswer(currency, amount).formatted

/** The lines and the sums of a cart: they add up to the total. */
export function orderSummary(state: CheckoutState): Markup {
  const { found, face } = state
  const { result, cart, facts } = found
  const { texts } = face.language
  const money = moneyIn(state)
  const displayAmount = ({ ex, inc }: Taxed) => (result.isInclusive ? inc : ex)
  const certificates = cart.document.certificates.map(
    ({ name, amount }) =>
      html`<li><span class="what">${texts.quantity}: 1<br>${name}</span><span>${moneyToAnswer(state.currency, amount).formatted}</span></li>`,
  )
  const promotions = namesOfPromotions(state)
  const rows: [label: string, amount: Units][] = [
    [texts.subtotal, displayAmount(result.subtotal)],
    ...result.promotions.order.map(({ promotion_id, amount }): [string, Units] => [
      promotions.get(promotion_id) ?? texts.discount,
      -amount,
    ]),
    [texts.discount, -result.manualDiscount],
    ...result.codes.map((code): [string, Units] => [
      `${texts.coupon} ${couponNameOf(code, facts.promotions.coupons)}`,
      -code.amount,
    ]),
    [texts.shippingCost, sumOf(result.consignments.map(({ shipping }) => displayAmount(shipping)))],
    [texts.handling, displayAmount(result.handling)],
    [texts.wrapping, displayAmount(result.wrapping)],
    ...result.fees.map((fee): [string, Units] => [fee.input.display_name, displayAmount(fee)]),
    ...result.taxes.map(({ name, amount }): [string, Units] => [
      result.isInclusive ? `${texts.taxIncluded} ${name}` : name,
      amount,
    ]),
  ]
  const { certificates: redeemed, credit, rest } = state.balances
  const byBalances: [label: string, amount: Units][] = [
    ...redeemed.map(({ certificate, used }): [string, Units] => [`${texts.certificate} ${certificate.code}`, -used]),
    [texts.storeCredit, -credit],
  ]
  const used = byBalances.filter(([, amount]) => amount !== 0n)
  const paid = [...used, ...(used.length > 0 ? [[texts.toPay, rest] as const] : [])].map(
    ([label, amount]) => html`<dt>${label}</dt><dd>${money(amount)}</dd>`,
  )
  const isChosen = cart.document.consignments.some(({ option }) => option !== null)
  const listed = rows.filter(([label, amount]) => amount !== 0n || (label === texts.shippingCost && isChosen))
  return html`<ul>${result.lines.map((line) => lineOf(line, state))}${certificates}</ul>
<dl>${listed.map(([label, amount]) => html`<dt>${label}</dt><dd>${money(amount)}</dd>`)}<dt class="total">${texts.total}</dt><dd class="total">${money(result.grandTotal)}</dd>${paid}</dl>`
}

const namesOfPromotions = ({ found: { facts } }: CheckoutState): ReadonlyMap<number, string> =>
  new Map([...facts.promotions.automatic].map(({ promotion }) => [promotion.id, promotion.name]))

function lineOf(line: ResultLine, state: CheckoutState): Markup {
  const { texts } = state.face.language
  const { name, quantity, sale, item } = line
  const picture = item?.image_url.startsWith('/files/')
    ? html`<img src="${item.image_url}" alt="" width="56" height="56">`
    : ''
  const choices = cartOptionsOf(line).map((option) => html`<small>${option.name}: ${option.value}</small>`)
  const names = namesOfPromotions(state)
  const discounts = [
    ...line.promotions.map(({ promotion_id, amount }) => [names.get(promotion_id) ?? texts.discount, amount] as const),
    [texts.discount, line.manual] as const,
  ]
    .filter(([, amount]) => amount !== 0n)
    .map(([label, amount]) => html`<small>${label}: ${moneyIn(state)(-amount)}</small>`)
  return html`<li>${picture}<span class="what">${name}<small>${texts.quantity}: ${quantity}</small>${choices}${discounts}</span><span>${moneyIn(state)(sale)}</span></li>`
}
