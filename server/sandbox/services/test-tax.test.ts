import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { FINE } from '../../core/money/fine.ts'
import { unitsOf } from '../../core/money/units.ts'
import { taxDocumentRunner } from '../../sales/orders/refunds/tax-documents.ts'
import { readAnswer } from '../../sales/tax/estimates/answer.ts'
import { documentOf } from '../../sales/tax/estimates/document.ts'
import { setTaxProvider } from '../../sales/tax/providers/registration.ts'
import { moneyRunners, payOrder } from '../../test/fixtures/orders.ts'
import { saleClasses, saleItem, saleOf } from '../../test/fixtures/sales.ts'
import { LOCAL_ORIGINS, localServices, openShop, type Shop, theHouse } from '../../test/fixtures/shop.ts'
import { dbOf, rowsOf } from '../../test/fixtures/webhooks.ts'
import { doJobs } from '../../test/harness/jobs.ts'
import { openTestTax } from '../demo/demo-services.ts'
import { startTestTax } from './test-tax.ts'

// Orders of a shop whose tax `testtax` calculates (docs/contract/tax.md section 12).

const tax = await startTestTax()
const services = localServices()
afterAll(async () => {
  await services.close()
  await tax.close()
})

let shop: Shop
beforeEach(async () => {
  shop = await openShop()
  await openTestTax(await dbOf(shop), tax.url, await parts())
})

const parts = async () => ({ secrets: (await theHouse()).installation.secrets, origins: LOCAL_ORIGINS })
const set = async (wish: object) => setTaxProvider(await dbOf(shop), { id: 'testtax', ...wish }, await parts())
const connect = (changes: object) => shop.call('PUT', '/tax/providers/testtax/connection', changes)
const connection = async () => (await shop.call('GET', '/tax/providers/testtax/connection')).body.data
const v2 = (method: string, path: string, body?: unknown) => shop.call(method, path, body, { version: 'v2' })
const createProduct = async (more: object = {}): Promise<number> => {
  const product = { name: `Lamp ${JSON.stringify(more)}`, type: 'physical', weight: 1, price: 40, ...more }
  return (await shop.call('POST', '/catalog/products', product)).body.data.id
}
const order = (product_id: number, country_iso2 = 'US', more: object = {}) =>
  v2('POST', '/orders', {
    billing_address: { first_name: 'Ida', zip: '1051', country_iso2 },
    products: [{ product_id, quantity: 2 }],
    ...more,
  })
const paths = () => tax.requests.map(({ path }) => path)
const logs = async (): Promise<{ summary: string }[]> =>
  (await shop.call('GET', '/store/systemlogs?type=tax')).body.data

describe('testtax', () => {
  test('is connected but not active, so that the rates of the store apply', async () => {
    expect(await connection()).toMatchObject({ username: 'demo', profile: 'normal', configured: true })
    await shop.call('POST', '/tax/rates', [
      { name: 'Own', tax_zone_id: 1, class_rates: [{ rate: 5, tax_class_id: 0 }] },
    ])
    const { body } = await order(await createProduct())
    expect([body.total_tax, body.tax_provider_id]).toEqual(['4.0000', ''])
  })

  test('keeps its settings and its login at the next start', async () => {
    await set({ isActive: true, submitsOrders: false, estimateMs: 1_000 })
    await connect({ profile: 'error' })
    await openTestTax(await dbOf(shop), 'http://127.0.0.1:1', await parts())
    expect(await set({})).toMatchObject({
      urls: { estimate: 'http://127.0.0.1:1/{profile}/estimate' },
      is_active: true,
      submits_orders: false,
      estimate_ms: 1_000,
    })
    expect(await connection()).toMatchObject({ profile: 'error' })
  })

  test.each([
    ['US', '6.4000', 'Sales tax', '8.0000'],
    ['CA', '4.0000', 'GST', '5.0000'],
    ['GB', '16.0000', 'VAT', '20.0000'],
    ['DE', '15.2000', 'VAT', '19.0000'],
    ['DK', '20.0000', 'VAT', '25.0000'],
    ['FR', '12.0000', 'Tax', '15.0000'],
  ])('taxes 80.00 to %s by %s', async (country, total, name, rate) => {
    await set({ isActive: true })
    const { body } = await order(await createProduct(), country)
    expect([body.total_tax, body.tax_provider_id]).toEqual([total, 'testtax'])
    expect((await v2('GET', `/orders/${body.id}/taxes?details=true`)).body).toMatchObject([{ name, rate }])
  })

  test('has no tax for class 1, and a reduced one for classes of the store', async () => {
    await set({ isActive: true })
    await shop.call('POST', '/tax/classes', [{ name: 'Books' }])
    const [free, book] = [await createProduct({ tax_class_id: 1 }), await createProduct({ tax_class_id: 4 })]
    const taxOf = async (product: number) => (await order(product, 'DE')).body.total_tax
    expect(await taxOf(free)).toBe('0.0000')
    expect(await taxOf(book)).toBe('5.6000')
  })

  test('taxes shipping and wrapping as products, and exempt lines not', async () => {
    const wrapping = { id: '2', name: 'Paper', amount: unitsOf(5) }
    const exempt = saleItem({ id: '3', type: 'refund', amount: unitsOf(-20), classId: undefined })
    const document = documentOf(saleOf({}, [saleItem({ wrapping }), exempt]), saleClasses)
    const url = `${tax.url}/normal/estimate`
    const outcome = await services.post({ kind: 'tax_estimate', url, headers: {}, body: document, totalMs: 10_000 })
    const answer = outcome.ok ? readAnswer(document, outcome.body) : undefined
    expect(answer?.lines.map(({ tax }) => tax)).toEqual([6.4, 0.4, 0, 0.8, 0].map((one) => unitsOf(one) * FINE))
  })

  test('takes the tax out of prices that contain it, and exempts customers with a category', async () => {
    await set({ isActive: true })
    await shop.call('PUT', '/tax/settings', { tax_entered_with_prices: true })
    const product = await createProduct()
    expect((await order(product, 'DK')).body).toMatchObject({ total_ex_tax: '64.0000', total_tax: '16.0000' })
    const customer = { email: 'ida@example.com', first_name: 'Ida', last_name: 'B', tax_exempt_category: 'G' }
    const { body } = await shop.call('POST', '/customers', [customer])
    const exempt = await order(product, 'DK', { customer_id: body.data[0].id })
    expect(exempt.body).toMatchObject({ total_ex_tax: '80.0000', total_tax: '0.0000', tax_provider_id: 'testtax' })
  })

  test('answers commits, adjustments and voids of paid orders', async () => {
    await set({ isActive: true })
    const { secrets } = (await theHouse()).installation
    const doDocuments = async () => doJobs([...(await moneyRunners()), taxDocumentRunner({ services, secrets })])
    const { id } = (await order(await createProduct(), 'US', { status_id: 7 })).body
    await payOrder(shop, id)
    await doDocuments()
    const [{ id: line }] = (await v2('GET', `/orders/${id}/products`)).body
    await v2('PUT', `/orders/${id}`, { products: [{ id: line, quantity: 1 }] })
    await doDocuments()
    expect(await rowsOf(shop, 'tax_documents')).toMatchObject([{ document_id: `testtax-${id}`, call: null }])
    await v2('PUT', `/orders/${id}`, { status_id: 5 })
    await doDocuments()
    expect(paths().filter((path) => !path.endsWith('/estimate'))).toEqual([
      '/normal/commit',
      `/normal/adjust?id=testtax-${id}`,
      `/normal/void?id=testtax-${id}`,
    ])
    expect(await rowsOf(shop, 'tax_documents')).toMatchObject([{ document_id: '', call: null }])
  })
})

describe('a profile', () => {
  test.each<[string, string, number?]>([
    ['hang', 'timeout', 200],
    ['delay-4500', 'timeout', 200],
    ['reset', 'unreachable'],
    ['error', 'refused'],
    ['redirect', 'refused'],
    ['unauthorized', 'unauthorized'],
    ['text', 'unreadable'],
    ['long', 'unreadable'],
    ['nan', 'unreadable'],
    ['huge', 'inconsistent'],
    ['sums', 'inconsistent'],
  ])('%s fails: %s, and the fall-back applies', async (profile, reason, estimateMs = 4_000) => {
    await set({ isActive: true, estimateMs })
    await connect({ profile })
    expect((await logs()).at(-1)?.summary).toContain(`did not pass its connection test: ${reason}.`)
    // FIXED: 10 %.
    const { body } = await order(await createProduct())
    expect([body.total_tax, body.tax_provider_id]).toEqual(['8.0000', ''])
  })

  test('of a short delay is no failure, and normal ends a broken one', async () => {
    await set({ isActive: true })
    await connect({ profile: 'error' })
    const product = await createProduct()
    expect((await order(product)).body.total_tax).toBe('8.0000')
    await connect({ profile: 'normal' })
    expect((await order(product)).body.total_tax).toBe('6.4000')
    await connect({ profile: 'delay-20' })
    expect((await order(product, 'DK')).body.total_tax).toBe('20.0000')
  })

  test('that fails applies BASIC and DISABLE as the store has chosen; the user name refused is a 401', async () => {
    await set({ isActive: true })
    await shop.call('POST', '/tax/rates', [
      { name: 'Own', tax_zone_id: 1, class_rates: [{ rate: 5, tax_class_id: 0 }] },
    ])
    const product = await createProduct()
    await connect({ username: 'refused' })
    await shop.call('PUT', '/tax/settings', { fallback_strategy: 'BASIC' })
    expect((await order(product)).body.total_tax).toBe('4.0000')
    expect((await logs()).map(({ summary }) => summary)).toContain(
      'The tax provider testtax refused the user name or the password.',
    )
    await shop.call('PUT', '/tax/settings', { fallback_strategy: 'DISABLE' })
    expect((await order(product)).status).toBe(503)
  })
})
