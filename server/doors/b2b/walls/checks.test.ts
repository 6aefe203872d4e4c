import { describe, expect, test } from 'vitest'
import { ADMIN, dataOf, openBuyers, tokenAt } from '../../../test/buyers.ts'
import { openTable } from '../../../test/citus/cluster.ts'
import { sized } from '../../../test/document/sized.ts'
import { ask, enableCompanion, makeCompany, makeInvoice, makeMug } from '../../../test/fixtures/companion.ts'
import { type Answered, openShop, type Shop } from '../../../test/fixtures/shop.ts'
import { rowsOf } from '../../../test/fixtures/webhooks.ts'
import { asAdministrator } from '../../../test/harness/administrator.ts'
import { isFrame, isOfCompanionGate, isOfGate, overhear } from '../../../test/harness/overhear.ts'

// Checks of the reliability list that concern companies and their buyers.

async function openCompany() {
  const shop = await openShop()
  await enableCompanion(shop)
  return { shop, ...(await makeCompany(shop, 'Acme')) }
}

const paymentOf = (companyId: number, invoices: readonly number[], amount = '1') => ({
  lineItems: invoices.map((invoiceId) => ({ invoiceId, amount })),
  currency: 'USD',
  details: {},
  customerId: String(companyId),
})
const PAYMENTS = '/v3/io/ip/payments/offline'
const pay = ({ call }: Shop, body: object, key: string): Promise<Answered> =>
  call('POST', PAYMENTS, body, { version: 'b2b', headers: { 'idempotency-key': key } })
const openBalance = async (shop: Shop, id: number): Promise<string> =>
  (await ask(shop, 'GET', `/v3/io/ip/invoices/${id}`)).body.data.openBalance.value

describe('C-012: a company is deleted meanwhile', () => {
  test('its users, addresses, lists, credit and terms are not left over, and its invoices and quotes keep its name', async () => {
    const shop = await openShop()
    await enableCompanion(shop)
    const productId = await makeMug(shop)
    const rounds = sized(1_000, 15)
    for (let round = 0; round < rounds; round++) {
      const { companyId, customerId } = await makeCompany(shop, `Firm${round}`)
      const path = `/v3/io/companies/${companyId}`
      const user = { firstName: 'Jo', lastName: 'Ek', email: `jo${round}@example.com`, companyId, role: 1 }
      const address = { companyId, firstName: 'A', lastName: 'B', addressLine1: '1', city: 'Perth', countryCode: 'DK' }
      const balance = { code: 'USD', value: '1' }
      const answers = await Promise.all([
        ask(shop, 'DELETE', path),
        ask(shop, 'POST', '/v3/io/users', user),
        ask(shop, 'POST', '/v3/io/addresses', address),
        ask(shop, 'PUT', `${path}/credit`, { creditEnabled: true, creditCurrency: 'USD', availableCredit: 5 }),
        ask(shop, 'PUT', `${path}/payment-terms`, { isEnabled: true, paymentTerms: 15 }),
        ask(shop, 'POST', '/v3/io/shopping-list', { name: 'Weekly', customerId, items: [{ productId, quantity: 1 }] }),
        ask(shop, 'POST', '/v3/io/ip/invoices', {
          invoiceNumber: `INV ${round}`,
          customerId: String(companyId),
          originalBalance: balance,
          openBalance: balance,
        }),
      ])
      for (const { status, text } of answers) expect([200, 201, 204, 403, 404, 409, 422], text).toContain(status)
    }
    for (const table of ['companies', 'company_users', 'company_addresses', 'b2b_credits', 'b2b_payment_terms']) {
      expect([table, await rowsOf(shop, table)]).toEqual([table, []])
    }
    const lists = await rowsOf(shop, 'b2b_shopping_lists')
    expect(lists.filter(({ company_id, status }) => company_id !== 0 && status !== 20)).toEqual([])
    const former = new Set((await rowsOf(shop, 'former_companies')).map(({ id }) => id))
    for (const { company_id } of await rowsOf(shop, 'b2b_invoices')) expect(former).toContain(company_id)
  })
})

describe('an Idempotency-Key', () => {
  test('C-013: of many equal payments at once stands for one', async () => {
    const { shop, companyId } = await openCompany()
    const invoice = await makeInvoice(shop, companyId)
    const body = paymentOf(companyId, [invoice], '3')
    const answers = await Promise.all(Array.from({ length: sized(100, 20) }, () => pay(shop, body, 'one')))
    const done = answers.filter(({ status }) => status === 200)
    expect(done.length).toBeGreaterThan(0)
    expect(new Set(done.map(({ text }) => text)).size).toBe(1)
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(await openBalance(shop, invoice)).toBe('97.0000')
    expect((await pay(shop, body, 'one')).text).toBe(done[0]?.text)
    expect(await rowsOf(shop, 'b2b_payments')).toHaveLength(1)
  })

  test('C-014: with another body is refused', async () => {
    const { shop, companyId } = await openCompany()
    const invoice = await makeInvoice(shop, companyId)
    await pay(shop, paymentOf(companyId, [invoice], '3'), 'two')
    const other = await pay(shop, paymentOf(companyId, [invoice], '4'), 'two')
    expect([409, 422]).toContain(other.status)
    expect(await openBalance(shop, invoice)).toBe('97.0000')
  })

  test('C-015: of another store is another key', async () => {
    const [one, other] = [await openCompany(), await openCompany()]
    for (const { shop, companyId } of [one, other]) {
      const invoice = await makeInvoice(shop, companyId)
      expect((await pay(shop, paymentOf(companyId, [invoice], '3'), 'three')).status).toBe(200)
      expect(await openBalance(shop, invoice)).toBe('97.0000')
    }
  })

  test('C-016: stands for nothing after a refusal of the body, and for its answer after a success', async () => {
    const { shop, companyId } = await openCompany()
    const invoice = await makeInvoice(shop, companyId)
    expect((await pay(shop, paymentOf(companyId, [invoice], '101'), 'four')).status).toBe(422)
    const body = paymentOf(companyId, [invoice], '100')
    const done = await pay(shop, body, 'four')
    expect(done.status, done.text).toBe(200)
    const again = await pay(shop, body, 'four')
    expect([again.status, again.text]).toEqual([200, done.text])
    expect(await openBalance(shop, invoice)).toBe('0.0000')
  })
})

test('C-024: payments of the same invoices in opposite order are all made', async () => {
  const { shop, companyId } = await openCompany()
  const invoices: number[] = []
  for (let i = 0; i < 5; i++) invoices.push(await makeInvoice(shop, companyId, '10000'))
  const rounds = sized(100, 5)
  for (let round = 0; round < rounds; round++) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        ask(shop, 'POST', PAYMENTS, paymentOf(companyId, i % 2 === 0 ? invoices : invoices.toReversed())),
      ),
    )
    for (const { status, text } of answers) expect(status, text).toBe(200)
    const ids = answers.map(({ body }) => body.data.paymentId as number)
    const changes = await Promise.all(
      ids.map((id, i) =>
        i % 2 === 0
          ? ask(shop, 'DELETE', `/v3/io/ip/payments/${id}`)
          : ask(shop, 'PUT', `/v3/io/ip/payments/${id}/processing-status`, { processingStatus: 2 }),
      ),
    )
    for (const { status, text } of changes) expect(status, text).toBe(200)
  }
  for (const id of invoices) expect(await openBalance(shop, id)).toBe('10000.0000')
})

/** Refuses every fifth commit that stores an invoice of a shop, with a serialization failure. @returns a function that ends that */
async function failCommits({ store }: Shop) {
  const schema = `faults_${store.id}`
  const table = await asAdministrator(store, async (client) => {
    const name = await openTable(client, store.id, 'b2b_invoices')
    await client.query(`
      create schema ${schema};
      create sequence ${schema}.commits;
      create function ${schema}.refuse_fifth() returns trigger language plpgsql security definer as $$
        begin
          if nextval('${schema}.commits') % 5 = 0 then
            raise exception 'Injected.' using errcode = 'serialization_failure';
          end if;
          return null;
        end $$;
      grant usage on schema ${schema} to public;
      create constraint trigger refuse_fifth after update on ${name} deferrable initially deferred
        for each row when (new.store_id = ${store.id}) execute function ${schema}.refuse_fifth();`)
    return name
  })
  return () =>
    asAdministrator(store, async (client) => {
      await openTable(client, store.id, 'b2b_invoices')
      await client.query(`drop trigger refuse_fifth on ${table}; drop schema ${schema} cascade`)
    })
}

test('C-025: every fifth commit fails, and each payment has one effect and one receipt', async () => {
  const { shop, companyId } = await openCompany()
  const invoice = await makeInvoice(shop, companyId, '10000')
  const end = await failCommits(shop)
  const count = sized(1_000, 25)
  for (let i = 0; i < count; i++) {
    const made = await ask(shop, 'POST', PAYMENTS, paymentOf(companyId, [invoice]))
    expect(made.status, made.text).toBe(200)
  }
  await end()
  expect(await openBalance(shop, invoice)).toBe(`${10_000 - count}.0000`)
  expect(await rowsOf(shop, 'b2b_payments')).toHaveLength(count)
  expect(await rowsOf(shop, 'b2b_receipts')).toHaveLength(count)
})

test('C-108: a page of lists with items sends as many statements for one list as for ten', async () => {
  const { shop } = await openBuyers()
  const token = await tokenAt(shop, ADMIN)
  const { data } = (
    await shop.call('POST', '/catalog/products', {
      name: 'Mug',
      type: 'physical',
      weight: 1,
      price: 4,
      is_visible: true,
    })
  ).body
  for (let i = 0; i < 10; i++) {
    const made = await dataOf(
      `mutation { shoppingListsCreate(shoppingListData: {name: "L${i}", description: "", status: 0}) { shoppingList { id } } }`,
      { token },
    )
    const { id } = made.shoppingListsCreate.shoppingList
    const item = `{productId: ${data.id}, variantId: ${data.base_variant_id}, quantity: 1}`
    await dataOf(
      `mutation { shoppingListsItemsCreate(shoppingListId: ${id}, items: [${item}]) { shoppingListsItems { id } } }`,
      { token },
    )
  }
  const counted = async (first: number) => {
    const query = `{ shoppingLists(first: ${first}) { edges { node { name customerInfo { email } companyInfo { companyName }
      products(first: 5) { edges { node { productId quantity } } } } } } }`
    await dataOf(query, { token })
    const heard = overhear()
    const { shoppingLists } = await dataOf(query, { token })
    heard.stop()
    expect(shoppingLists.edges).toHaveLength(first)
    return heard.statements.filter((one) => !isOfGate(one) && !isOfCompanionGate(one) && !isFrame(one)).length
  }
  expect(await counted(10)).toBe(await counted(1))
})
