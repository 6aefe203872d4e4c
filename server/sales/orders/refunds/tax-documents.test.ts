import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { ServiceClient } from '../../../core/net/service-client.ts'
import { failEach, switchedDb } from '../../../test/fixtures/faults.ts'
import { moneyRunners, payOrder } from '../../../test/fixtures/orders.ts'
import { localServices, openShop, type Shop, theHouse } from '../../../test/fixtures/shop.ts'
import { connectTaxProvider } from '../../../test/fixtures/tax.ts'
import { dbOf, rowsOf } from '../../../test/fixtures/webhooks.ts'
import { doJobs } from '../../../test/harness/jobs.ts'
import { TaxServer, type TaxServerMode } from '../../../test/servers/tax-server.ts'
import { type DocumentNeed, nextCall, submissionRetryDelay } from '../../tax/submissions/next-call.ts'
import { documentNeed } from '../arithmetic/tax-document.ts'
import type { OrderRow } from '../row/rows.ts'
import { taxDocumentRunner } from './tax-documents.ts'

const server = await new TaxServer().open()
const services = localServices()
afterAll(async () => {
  server.close()
  await services.close()
})

let shop: Shop
beforeEach(async () => {
  server.mode = undefined
  server.book.clear()
  shop = await openShop()
  await connectTaxProvider(shop, server.url, { submitsOrders: true })
  server.calls.length = 0
})

/** Does all due jobs: those of money, and those of tax documents. @param client that calls the provider */
async function doDocuments(client: Pick<ServiceClient, 'post'> = services) {
  const { secrets } = (await theHouse()).installation
  await doJobs([...(await moneyRunners()), taxDocumentRunner({ services: client, secrets })])
}

const v2 = (method: string, path: string, body?: unknown) => shop.call(method, path, body, { version: 'v2' })
const address = { first_name: 'Ida', zip: '90210', state: 'California', country_iso2: 'US' }
const goods = (quantity: number) => ({ name: 'Lamp', sku: 'LAMP', quantity, price_ex_tax: 20, price_inc_tax: 21.6 })
const order = async (more: object = {}): Promise<number> => {
  const { body } = await v2('POST', '/orders', {
    status_id: 7,
    billing_address: address,
    products: [goods(4)],
    shipping_cost_ex_tax: 10,
    shipping_cost_inc_tax: 10.8,
    ...more,
  })
  return body.id
}
const refund = (id: number, items: object[], amount: number) =>
  shop.call('POST', `/orders/${id}/payment_actions/refunds`, {
    items,
    payments: [{ provider_id: 'custom', amount, offline: true }],
  })
const linesOf = async (id: number): Promise<number> => (await v2('GET', `/orders/${id}/products`)).body[0].id
/** The calls as `commit 7` or `adjust tax-7`. */
const calls = () => server.calls.map(({ call, id, document }) => `${call} ${id ?? document.id}`)
/** The sums in the provider's book. */
const sums = () =>
  [...server.book].map(([id, { documents }]) => [
    id,
    ...documents.map(({ items, shipping }) => [
      ...items.map(({ price, quantity }) => `${quantity}: ${price.amount}`),
      shipping.price.amount,
    ]),
  ])

const loseAnswer: TaxServerMode = (response) => response.destroy()

describe('the tax document of an order', () => {
  test('is committed once, when the payment is captured', async () => {
    const id = await order()
    await doDocuments()
    expect(calls()).toEqual([])
    await payOrder(shop, id)
    await doDocuments()
    expect(calls()).toEqual([`commit ${id}`])
    expect(sums()).toEqual([[`tax-${id}`, ['4: 80', 10]]])
    expect(server.calls[0]?.document).toMatchObject({
      id: String(id),
      currency_code: 'USD',
      customer: { customer_id: '0', customer_group_id: '0' },
      documents: [
        {
          destination_address: { region_code: 'CA', country_code: 'US', postal_code: '90210' },
          items: [{ item_reference: 'LAMP', price: { amount: 80, tax_inclusive: false }, tax_exempt: false }],
        },
      ],
    })
    await v2('PUT', `/orders/${id}`, { staff_notes: 'Nothing about tax' })
    await doDocuments()
    expect(calls()).toHaveLength(1)
  })

  test('is adjusted by edits and refunds in part, and voided with the whole refund', async () => {
    const id = await order({ fees: [{ display_name_customer: 'Rush', cost_ex_tax: 5, cost_inc_tax: 5 }] })
    await payOrder(shop, id)
    await doDocuments()
    const line = await linesOf(id)
    await v2('PUT', `/orders/${id}`, { products: [{ id: line, quantity: 3 }] })
    await doDocuments()
    expect(sums()).toEqual([[`tax-${id}`, ['3: 60', '1: 5', 10]]])
    await refund(id, [{ item_type: 'PRODUCT', item_id: line, quantity: 1 }], 21.6)
    await doDocuments()
    expect(sums()).toEqual([[`tax-${id}`, ['2: 40', '1: 5', 10]]])
    await refund(id, [{ item_type: 'ORDER', item_id: id, amount: 3 }], 3)
    await doDocuments()
    expect(sums()).toEqual([[`tax-${id}`, ['2: 40', '1: 5', '1: -3', 10]]])
    const { documents } = server.calls.at(-1)?.document ?? { documents: [] }
    expect(documents[0]?.items.map(({ type, tax_exempt }) => [type, tax_exempt])).toEqual([
      ['item', false],
      ['fee', false],
      ['refund', true],
    ])
    expect(server.calls.at(-1)?.document).toMatchObject({
      adjust_description: 'The order was changed or refunded in part.',
    })
    // The rest of the 102.20 that were captured.
    await refund(id, [{ item_type: 'ORDER', item_id: id, amount: 77.6 }], 77.6)
    await doDocuments()
    expect(sums()).toEqual([])
    expect(calls()).toEqual([
      `commit ${id}`,
      `adjust tax-${id}`,
      `adjust tax-${id}`,
      `adjust tax-${id}`,
      `void tax-${id}`,
    ])
  })

  test('is voided by a cancellation, and committed again when the order is paid after all', async () => {
    await shop.call('PUT', '/tax/settings', { document_submission_strategy: 'ON_ORDER_CREATION' })
    const id = await order({ status_id: 11 })
    await doDocuments()
    for (const status_id of [5, 11, 12, 1]) {
      await v2('PUT', `/orders/${id}`, { status_id })
      await doDocuments()
    }
    expect(calls()).toEqual([`commit ${id}`, `void tax-${id}`, `commit ${id}`, `void tax-${id}`])
    expect(sums()).toEqual([])
  })

  test('has a consignment of its own for digital goods', async () => {
    await shop.call('PUT', '/tax/settings', { document_submission_strategy: 'ON_ORDER_CREATION' })
    const { body: product } = await shop.call('POST', '/catalog/products', {
      name: 'Song',
      type: 'digital',
      weight: 0,
      price: 3,
    })
    const id = await order({
      status_id: 11,
      products: [goods(1), { product_id: product.data.id, quantity: 1, price_ex_tax: 3, price_inc_tax: 3 }],
    })
    await doDocuments()
    expect(
      server.calls[0]?.document.documents.map(({ id, items, shipping }) => [id, items.length, shipping.price.amount]),
    ).toEqual([
      ['1', 1, 10],
      [`DigitalDelivery_${id}`, 1, 0],
    ])
  })

  test('is not sent to a provider without documents, nor outside of its regions', async () => {
    await connectTaxProvider(shop, server.url, { submitsOrders: false })
    const id = await order()
    await payOrder(shop, id)
    await connectTaxProvider(shop, server.url, { submitsOrders: true, regions: ['US-NY', 'DE'] })
    server.calls.length = 0
    await payOrder(shop, await order())
    await doDocuments()
    expect(calls()).toEqual([])
  })
})

describe('a lost answer', () => {
  test('to a commit is asked for by the same commit, and the change after it is an adjustment', async () => {
    const id = await order()
    await payOrder(shop, id)
    server.mode = loseAnswer
    await doDocuments()
    await v2('PUT', `/orders/${id}`, { products: [{ id: await linesOf(id), quantity: 1 }] })
    server.mode = undefined
    const { clock } = await theHouse()
    clock.move(60_000)
    await doDocuments()
    expect(calls()).toEqual([`commit ${id}`, `commit ${id}`, `adjust tax-${id}`])
    expect(server.calls[1]?.document).toEqual(server.calls[0]?.document)
    expect(sums()).toEqual([[`tax-${id}`, ['1: 20', 10]]])
  })

  test('to a void is no failure if the document is gone', async () => {
    const id = await order()
    await payOrder(shop, id)
    await doDocuments()
    await v2('PUT', `/orders/${id}`, { status_id: 5 })
    server.mode = loseAnswer
    await doDocuments()
    server.mode = (response) => response.writeHead(404).end()
    const { clock } = await theHouse()
    clock.move(60_000)
    await doDocuments()
    expect(calls()).toEqual([`commit ${id}`, `void tax-${id}`, `void tax-${id}`])
    expect(await rowsOf(shop, 'tax_documents')).toMatchObject([{ document_id: '', call: null, body: null }])
  })

  test('of a commit delays the void until the document is confirmed', async () => {
    const id = await order()
    await payOrder(shop, id)
    server.mode = loseAnswer
    await doDocuments()
    await v2('PUT', `/orders/${id}`, { status_id: 5 })
    server.mode = undefined
    ;(await theHouse()).clock.move(60_000)
    await doDocuments()
    expect(calls()).toEqual([`commit ${id}`, `commit ${id}`, `void tax-${id}`])
    expect(sums()).toEqual([])
  })
})

test('after six attempts a document fails, the system log says so, and the next change begins again', async () => {
  const id = await order()
  await payOrder(shop, id)
  server.mode = (response) => response.writeHead(500).end()
  const { clock } = await theHouse()
  const minutes: number[] = []
  for (const delay of [0, 1, 5, 30, 120, 360, 1_000]) {
    clock.move(delay * 60_000)
    await doDocuments()
    minutes.push(server.calls.length)
  }
  expect(minutes).toEqual([1, 2, 3, 4, 5, 6, 6])
  const { data } = (await shop.call('GET', '/store/systemlogs?type=tax')).body
  expect(data.at(-1)).toMatchObject({
    severity: 'errors',
    summary: `The tax document of order ${id} could not be submitted.`,
    message: 'commit: The tax provider answered 500.',
  })
  // The capture did not wait for it.
  expect((await v2('GET', `/orders/${id}`)).body).toMatchObject({ status_id: 11, payment_status: 'captured' })
  server.mode = undefined
  await v2('PUT', `/orders/${id}`, { staff_notes: 'Again' })
  await doDocuments()
  expect(sums()).toEqual([[`tax-${id}`, ['4: 80', 10]]])
})

test('each paid order has one live document of its final sums, with lost answers and killed processes', async () => {
  const ORDERS = 12
  const ids = []
  for (let i = 0; i < ORDERS; i++) ids.push(await order())
  let count = 0
  // Every third answer is lost, and every fourth time the process dies after it has sent a call.
  server.mode = (response, answer) =>
    count % 3 === 0 ? response.destroy() : response.end(answer === undefined ? '' : JSON.stringify(answer))
  const dying = {
    async post(request: Parameters<ServiceClient['post']>[0]) {
      const outcome = await services.post(request)
      if (++count % 4 === 0) throw new Error('killed')
      return outcome
    },
  }
  const { clock } = await theHouse()
  const settle = async () => {
    await doDocuments(dying)
    clock.move(60_000)
  }
  for (const id of ids) await payOrder(shop, id)
  await settle()
  for (const [i, id] of ids.entries()) {
    if (i % 3 === 1) await v2('PUT', `/orders/${id}`, { products: [{ id: await linesOf(id), quantity: 2 + (i % 2) }] })
    if (i % 3 === 2) await v2('PUT', `/orders/${id}`, { status_id: 5 })
  }
  await settle()
  server.mode = undefined
  for (const minutes of [5, 30, 120]) {
    await doDocuments()
    clock.move(minutes * 60_000)
  }
  await doDocuments()
  const expected = ids.flatMap((id, i) =>
    i % 3 === 2 ? [] : [[`tax-${id}`, [i % 3 === 1 ? `${2 + (i % 2)}: ${(2 + (i % 2)) * 20}` : '4: 80', 10]]],
  )
  const inOrder = (list: unknown[][]) => list.toSorted((one, other) => String(one[0]).localeCompare(String(other[0])))
  expect(inOrder(sums())).toEqual(inOrder(expected))
  // Nothing was voided before it was committed.
  for (const id of ids) {
    const ofOrder = server.calls.filter((call) => (call.id ?? `tax-${call.document.id}`) === `tax-${id}`)
    expect(ofOrder[0]?.call).toBe('commit')
  }
})

describe('C-126: each commit and each call fails once, before it or after it, and the next attempt ends', () => {
  test.each(['commit', 'adjust', 'void'] as const)('a %s', async (last) => {
    const { secrets } = (await theHouse()).installation
    const points = await failEach(async (fails, name) => {
      const id = await order()
      await payOrder(shop, id)
      if (last !== 'commit') {
        await doDocuments()
        const change = last === 'void' ? { status_id: 5 } : { products: [{ id: await linesOf(id), quantity: 3 }] }
        await v2('PUT', `/orders/${id}`, change)
      }
      server.calls.length = 0
      const client = { post: (call: Parameters<ServiceClient['post']>[0]) => fails(() => services.post(call)) }
      const db = await dbOf(shop)
      const run = (isFaulty: boolean, attempt: number) =>
        taxDocumentRunner({ services: isFaulty ? client : services, secrets }).run({
          id: '1',
          db: isFaulty ? switchedDb(db, fails) : db,
          payload: { order_id: id },
          attempt,
          signal: AbortSignal.abort(),
        })
      await run(true, 1).catch(() => undefined)
      const ends: string[] = []
      for (let attempt = 2; ends.at(-1) !== 'done' && attempt < 6; attempt++)
        ends.push((await run(false, attempt)).kind)
      expect(ends.at(-1), name).toBe('done')
      const expected = { commit: ['4: 80', 10], adjust: ['3: 60', 10], void: undefined }[last]
      const found = sums().find(([document]) => document === `tax-${id}`)
      expect(found?.[1], name).toEqual(expected)
      // A call whose answer was lost is sent again as it was, and a document that is gone stays so.
      const sent = server.calls.map(({ call }) => call)
      expect([...new Set(sent)], name).toEqual([last])
      expect(sent.length, name).toBeLessThanOrEqual(2)
      const [kept] = (await rowsOf(shop, 'tax_documents')).filter(({ order_id }) => order_id === id)
      expect(kept, name).toMatchObject({ call: null, body: null, document_id: last === 'void' ? '' : `tax-${id}` })
    })
    // The call that is stored, the call, and its outcome.
    expect(points).toBe(6)
  })
})

describe('the need of a document', () => {
  type State = Pick<OrderRow, 'status_id' | 'payment_status'>
  const state = (status_id: number, payment_status: OrderRow['payment_status'] = ''): State => ({
    status_id,
    payment_status,
  })

  test.each<[string, State, DocumentNeed, DocumentNeed]>([
    ['unpaid', state(7), 'not needed', 'not needed'],
    ['paid by its status', state(11), 'needed', 'not needed'],
    ['authorized', state(7, 'authorized'), 'not needed', 'not needed'],
    ['captured', state(11, 'captured'), 'needed', 'needed'],
    ['captured and on hold', state(12, 'captured'), 'as before', 'needed'],
    ['disputed', state(13, 'captured'), 'as before', 'needed'],
    ['refunded in part', state(14, 'partially refunded'), 'as before', 'needed'],
    ['refunded', state(4, 'refunded'), 'not needed', 'not needed'],
    ['cancelled', state(5, 'captured'), 'not needed', 'not needed'],
    ['declined', state(6, 'captured'), 'not needed', 'not needed'],
    ['shipped', state(2, 'paid'), 'needed', 'needed'],
  ])('of an order that is %s', (_, order, onCreation, onCapture) => {
    expect(documentNeed(order, 'ON_ORDER_CREATION')).toBe(onCreation)
    expect(documentNeed(order, 'ON_PAYMENT_CAPTURE')).toBe(onCapture)
  })

  test('leads to the call that is missing', () => {
    const live = { digest: 'a' }
    expect(nextCall(undefined, 'needed', 'a')).toBe('commit')
    expect(nextCall(undefined, 'as before', 'a')).toBeUndefined()
    expect(nextCall(undefined, 'not needed', 'a')).toBeUndefined()
    expect(nextCall(live, 'needed', 'a')).toBeUndefined()
    expect(nextCall(live, 'needed', 'b')).toBe('adjust')
    expect(nextCall(live, 'as before', 'b')).toBe('adjust')
    expect(nextCall(live, 'not needed', 'a')).toBe('void')
  })

  test('is tried again after 1 min, 5 min, 30 min, 2 h and 6 h', () => {
    expect([1, 2, 3, 4, 5, 6].map(submissionRetryDelay)).toEqual([
      60_000,
      300_000,
      1_800_000,
      7_200_000,
      21_600_000,
      undefined,
    ])
  })
})
