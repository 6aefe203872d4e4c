import type { FastifyReply } from 'fastify'
import { html, type Markup, NO_ICON, pageHeadersFor, pageText } from '../../../core/markup.ts'
import { amountOf, type Units } from '../../../core/money/units.ts'
import type { Problem } from '../../../core/rest/problem.ts'
import type { CartWithResult } from '../../../sales/carts/changes/change.ts'
import type { ResultLine } from '../../../sales/carts/evaluation/result.ts'

// The plain page of a cart, for shops whose site has no page of its own for it. It shows lines and totals, and nothing about the person.

const style = `
  body { margin: 2rem auto; max-width: 44rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: #1b1f24; }
  h1 { font-size: 1.4rem; } table { width: 100%; border-collapse: collapse; }
  th { text-align: left; font-weight: normal; color: #59636e; } th, td { padding: .5rem .75rem .5rem 0; vertical-align: top; overflow-wrap: anywhere; }
  .amount { text-align: right; white-space: nowrap; } tbody tr, tfoot tr:first-child { border-top: 1px solid #d0d7de; }
  .total { font-weight: bold; } .quiet { color: #59636e; }
`
const headers = pageHeadersFor(style)

const send = (reply: FastifyReply, title: string, content: Markup) =>
  reply.headers(headers).send(pageText(title, style, html`<main><h1>${title}</h1>\n${content}</main>`, NO_ICON))

/** Answers with the reason why there is no page. */
export const refusalPage = (reply: FastifyReply, { status, message }: Problem) =>
  send(
    reply.status(status),
    status === 404 ? 'This page does not work any more' : 'Please try again',
    html`<p>${message}</p>`,
  )

/** Answers with the lines and totals of a cart. */
export function cartPage(reply: FastifyReply, { cart, result, siteUrl }: CartWithResult) {
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
  return send(
    reply,
    'Your cart',
    html`<table>
<thead><tr><th scope="col">Item</th><th scope="col" class="amount">Quantity</th><th scope="col" class="amount">Price</th><th scope="col" class="amount">Sum</th></tr></thead>
<tbody>${rows}</tbody>
<tfoot>${totals}<tr class="total"><td colspan="3">Total</td><td class="amount">${money(amountOf(result.grandTotal))}</td></tr></tfoot>
</table>
<p class="quiet"><a href="${siteUrl}">Back to the shop</a></p>`,
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
