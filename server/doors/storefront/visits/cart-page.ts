import type { FastifyReply } from 'fastify'
import { html, type Markup } from '../../../core/markup.ts'
import { amountOf, type Units } from '../../../core/money/units.ts'
import type { CartWithResult } from '../../../sales/carts/changes/change.ts'
import type { ResultLine } from '../../../sales/carts/evaluation/result.ts'
import { sendPage } from './pages.ts'

// The plain page of a cart, for shops whose site has no page of its own for it. It shows lines and totals, and nothing about the person.

/** Answers with the lines and totals of a cart, and the way to its checkout. */
export function cartPage(reply: FastifyReply, { cart, result, siteUrl }: CartWithResult, checkoutUrl: string) {
  const money = moneyIn(cart.currency_code, result.decimals)
  const rows = [
    ...result.lines.map((line) => lineRow(line, money)),
    ...result.certificates.map(
      ({ name, amount }) =>
        html`<tr><td>${name}</td><td class="amount">1</td><td class="amount">${money(amount)}</td><td class="amount">${money(amount)}</td></tr>`,
    ),
  ]
  const totals = totalRows(result).map(
    ({ label, amount }) =>
      html`<tr><td colspan="3">${label}</td><td class="amount">${money(amountOf(amount))}</td></tr>`,
  )
  return sendPage(
    reply,
    'Your cart',
    html`<table>
<thead><tr><th scope="col">Item</th><th scope="col" class="amount">Quantity</th><th scope="col" class="amount">Price</th><th scope="col" class="amount">Sum</th></tr></thead>
<tbody>${rows}</tbody>
<tfoot>${totals}<tr class="total"><td colspan="3">Total</td><td class="amount">${money(amountOf(result.grandTotal))}</td></tr></tfoot>
</table>
<p><a href="${checkoutUrl}">Checkout</a></p>
<p><a href="${siteUrl}">Back to the shop</a></p>`,
  )
}

type Format = (amount: number) => string

function lineRow(line: ResultLine, money: Format): Markup {
  const { name, quantity, price, sale } = line
  return html`<tr><td>${name}</td><td class="amount">${quantity}</td><td class="amount">${money(amountOf(price))}</td><td class="amount">${money(amountOf(sale))}</td></tr>`
}

/** The amounts between the lines and the total, as prices are entered. */
function totalRows(result: CartWithResult['result']): { label: string; amount: Units }[] {
  const side = result.isInclusive ? 'inc' : 'ex'
  const coupons = result.codes.reduce((sum, { amount }) => sum + amount, 0n)
  const others = [
    { label: 'Discount', amount: -result.orderDiscount },
    { label: 'Coupons', amount: -coupons },
    { label: 'Shipping', amount: result.shipping[side] },
    { label: 'Handling', amount: result.handling[side] },
    { label: 'Gift wrapping', amount: result.wrapping[side] },
    ...result.fees.map((fee) => ({ label: fee.input.display_name, amount: fee[side] })),
    { label: result.isInclusive ? 'Tax, included' : 'Tax', amount: result.taxTotal },
  ]
  return [{ label: 'Subtotal', amount: result.subtotal[side] }, ...others.filter(({ amount }) => amount !== 0n)]
}

function moneyIn(currency: string, decimals: number): Format {
  const options = {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  } as const
  const format = new Intl.NumberFormat('en', options)
  return (amount) => format.format(amount)
}
