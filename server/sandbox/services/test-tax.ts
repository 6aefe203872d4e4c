import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { misbehave, sendJson, startTestService, type TestRequest, type TestService } from './test-service.ts'

// `testtax`, a tax provider to try things on (docs/contract/tax.md section 12). The country of the destination and the class of a line
// give the percentage. It keeps no documents: the answer to a commit names the document after its order, so that a repeated commit has
// the same answer. The profile of a connection makes it slow or broken, and the user name `refused` is answered by 401.

const Line = t.Object({
  id: t.String(),
  type: t.String(),
  price: t.Object({ amount: t.Number(), tax_inclusive: t.Boolean() }),
  tax_class: t.Object({ class_id: t.String() }),
  tax_exempt: t.Boolean(),
})
type Line = Static<typeof Line>
const Document = t.Object({
  id: t.String(),
  customer: t.Object({ taxability_code: t.String() }),
  documents: t.Array(
    t.Object({
      id: t.String(),
      destination_address: t.Object({ country_code: t.String() }),
      items: t.Array(t.Object({ ...Line.properties, wrapping: t.Union([Line, t.Null()]) })),
      shipping: Line,
      handling: Line,
    }),
  ),
})
type Document = Static<typeof Document>

interface CountryTax {
  name: string
  percent: number
  /** Of the classes that a store has created itself. */
  reduced: number
}
const TAXES = new Map<string, CountryTax>([
  ['US', { name: 'Sales tax', percent: 8, reduced: 4 }],
  ['CA', { name: 'GST', percent: 5, reduced: 0 }],
  ['GB', { name: 'VAT', percent: 20, reduced: 5 }],
  ['DE', { name: 'VAT', percent: 19, reduced: 7 }],
  ['DK', { name: 'VAT', percent: 25, reduced: 25 }],
])
const ELSEWHERE: CountryTax = { name: 'Tax', percent: 15, reduced: 6 }
const DELAY = /^delay-(\d{1,5})$/
/** Faults of the first tax of an answer, as JSON. */
const FAULTS = new Map([
  ['sums', '99.99'],
  ['huge', '1e400'],
  ['nan', 'NaN'],
])

export const startTestTax = (): Promise<TestService> => startTestService(answerCall)

async function answerCall({ path, authorization, body }: TestRequest, response: ServerResponse) {
  const { pathname, searchParams } = new URL(path, 'http://testtax')
  const [, profile = '', call = ''] = pathname.split('/')
  const delay = DELAY.exec(profile)?.[1]
  if (delay !== undefined) await sleep(Number(delay), undefined, { ref: false })
  if (misbehave(profile, response)) return
  if (userOf(authorization) === 'refused' || profile === 'unauthorized') return response.writeHead(401).end('{}')
  const id = searchParams.get('id')
  if (call === 'void' && id !== null) return response.writeHead(200).end()
  if (!Value.Check(Document, body)) return response.writeHead(400).end('{}')
  if (call === 'estimate') return sendTaxes(response, profile, taxesFor(body, body.id))
  if (call === 'commit') return sendTaxes(response, profile, taxesFor(body, `testtax-${body.id}`))
  if (call === 'adjust' && id !== null) return sendTaxes(response, profile, taxesFor(body, id))
  response.writeHead(404).end('{}')
}

const userOf = (authorization = '') =>
  Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
    .toString()
    .split(':')[0]

function sendTaxes(response: ServerResponse, profile: string, answer: object) {
  const fault = FAULTS.get(profile)
  if (fault === undefined) return sendJson(response, answer)
  response.end(JSON.stringify(answer).replace(/"total_tax":-?[\d.]+/, `"total_tax":${fault}`))
}

function taxesFor({ customer, documents }: Document, id: string) {
  return {
    id,
    documents: documents.map(({ id, destination_address, items, shipping, handling }) => {
      const tax = TAXES.get(destination_address.country_code) ?? ELSEWHERE
      const answerOf = (line: Line) => taxedLine(line, tax, customer.taxability_code !== '')
      return {
        id,
        items: items.map((item) => ({ ...answerOf(item), wrapping: item.wrapping && answerOf(item.wrapping) })),
        shipping: answerOf(shipping),
        handling: answerOf(handling),
      }
    }),
  }
}

function taxedLine({ id, type, price, tax_class, tax_exempt }: Line, tax: CountryTax, isExempt: boolean) {
  const { amount, tax_inclusive } = price
  const percent = tax_exempt || isExempt ? 0 : percentOf(tax, tax_class.class_id)
  const total_tax = rounded(tax_inclusive ? amount - amount / (1 + percent / 100) : (amount * percent) / 100)
  return {
    id,
    type,
    price: {
      total_tax,
      amount_exclusive: tax_inclusive ? rounded(amount - total_tax) : amount,
      amount_inclusive: tax_inclusive ? amount : rounded(amount + total_tax),
      tax_rate: percent / 100,
      sales_tax_summary: total_tax === 0 ? [] : [{ name: tax.name, rate: percent / 100, amount: total_tax }],
    },
  }
}

/** The classes of a new store are 0 (default), 1 (not taxable), 2 (shipping) and 3 (gift wrapping). */
function percentOf({ percent, reduced }: CountryTax, classId: string): number {
  if (classId === '1') return 0
  return ['0', '2', '3'].includes(classId) ? percent : reduced
}

const rounded = (amount: number) => Math.round(amount * 100) / 100
