import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { DocumentLine, TaxDocument } from '../../sales/tax/estimates/document.ts'

/** How a tax provider answers its next requests. */
export type TaxServerMode = (response: ServerResponse, answer: unknown, request: IncomingMessage) => unknown

/** A call as the provider has received it. */
export interface ReceivedCall {
  call: string
  id: string | null
  document: TaxDocument
  headers: IncomingMessage['headers']
}

/** Another tax for a line than 8 %. */
export type TaxOfLine = (line: DocumentLine) => {
  amount_inclusive: number
  amount_exclusive: number
  total_tax: number
}

/** A tax provider outside of this server, for tests. It taxes every line by 8 %, unless a test says otherwise. */
export class TaxServer {
  readonly calls: ReceivedCall[] = []
  /** The live documents by the id of their answer: what the provider would report to the authorities. */
  readonly book = new Map<string, TaxDocument>()
  /** Undefined for an honest provider. */
  mode: TaxServerMode | undefined
  /** The tax of lines. */
  taxOfLine: TaxOfLine = eightPercent
  readonly #server = createServer((request, response) => void this.#receive(request, response))
  #url = ''

  get url(): string {
    return this.#url
  }

  async open(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    this.#url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
    return this
  }

  close() {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #receive(request: IncomingMessage, response: ServerResponse) {
    const parts = await request.setEncoding('utf8').toArray()
    const url = new URL(request.url ?? '', this.#url)
    const call = url.pathname.split('/').at(-1) ?? ''
    const id = url.searchParams.get('id')
    const text = parts.join('')
    const document: TaxDocument = text === '' ? undefined : JSON.parse(text)
    this.calls.push({ call, id, document, headers: request.headers })
    const answer = this.#enter(call, id, document)
    if (this.mode) this.mode(response, answer, request)
    else response.end(answer === undefined ? '' : JSON.stringify(answer))
  }

  /** Its book is written before it answers, whether or not the answer arrives. */
  #enter(call: string, id: string | null, document: TaxDocument) {
    if (call === 'void') {
      this.book.delete(id ?? '')
      return undefined
    }
    const key = call === 'commit' ? `tax-${document.id}` : (id ?? '')
    if (call !== 'estimate') this.book.set(key, document)
    return answerTo(document, call === 'estimate' ? document.id : key, this.taxOfLine)
  }
}

const cents = (amount: number) => Math.round(amount * 100) / 100

export const eightPercent: TaxOfLine = ({ price: { amount, tax_inclusive }, tax_exempt }) => {
  const percent = tax_exempt ? 0 : 8
  const total_tax = cents(tax_inclusive ? amount - amount / (1 + percent / 100) : (amount * percent) / 100)
  return {
    total_tax,
    amount_inclusive: cents(tax_inclusive ? amount : amount + total_tax),
    amount_exclusive: cents(tax_inclusive ? amount - total_tax : amount),
  }
}

/** The answer to a document. */
export function answerTo(document: TaxDocument, id = document.id, taxOfLine: TaxOfLine = eightPercent) {
  const lineOf = (line: DocumentLine) => {
    const tax = taxOfLine(line)
    const summary = tax.total_tax === 0 ? [] : [{ name: 'State', rate: 0.08, amount: tax.total_tax }]
    return { id: line.id, type: line.type, price: { ...tax, tax_rate: 0.08, sales_tax_summary: summary } }
  }
  return {
    id,
    documents: document.documents.map(({ id, items, shipping, handling }) => ({
      id,
      items: items.map((item) => ({ ...lineOf(item), wrapping: item.wrapping ? lineOf(item.wrapping) : null })),
      shipping: lineOf(shipping),
      handling: lineOf(handling),
    })),
  }
}
