import { readFile } from 'node:fs/promises'
import { buildSchema } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { generatedDocument } from '../../../../test/document/generated-documents.ts'
import { seedsOf } from '../../../../test/document/sized.ts'
import { openShop, type Shop } from '../../../../test/fixtures/shop.ts'
import { askStorefront, makeToken } from '../../../../test/fixtures/storefront.ts'

const [FIRST_SEED, END] = seedsOf(200_000, 500)
const DOCUMENTS = END - FIRST_SEED
const CPU_MS_MAX = 2_000

let shop: Shop
let token: string
let customer: number

async function send(method: string, path: string, body: object) {
  const answer = await shop.call(method, path, body)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body.data
}

beforeAll(async () => {
  shop = await openShop({ name: 'Generated' })
  token = await makeToken(shop, 'impersonation')
  for (const [name, parent_id] of [
    ['Cups', 0],
    ['Mugs', 1],
    ['Small', 2],
  ] as const)
    await send('POST', '/catalog/categories', { name, parent_id })
  for (const name of ['Mug', 'Cup', 'Bowl', 'Jug', 'Plate', 'Vase', 'Pot']) {
    const { id } = await send('POST', '/catalog/products', {
      name,
      type: 'physical',
      sku: `${name}-1`,
      weight: 1,
      price: 10,
      sale_price: name === 'Mug' ? 8 : 0,
      brand_name: 'Ferm',
      categories: [1, 2, 3],
      is_featured: name < 'K',
      inventory_tracking: 'variant',
      custom_fields: [{ name: 'Glaze', value: 'Sand' }],
      images: [{ image_url: 'https://cdn.example.com/side.png', is_thumbnail: true }],
      bulk_pricing_rules: [{ quantity_min: 5, quantity_max: 0, type: 'percent', amount: 10 }],
      variants: ['S', 'L'].map((label) => ({
        sku: `${name}-${label}`,
        inventory_level: 9,
        option_values: [{ option_display_name: 'Size', label }],
      })),
    })
    await send('POST', `/catalog/products/${id}/modifiers`, { type: 'text', display_name: 'Text', required: false })
    await send('POST', `/catalog/products/${id}/reviews`, {
      title: 'Good',
      text: 'Good',
      name: 'Ann',
      rating: 4,
      status: 'approved',
      date_reviewed: '2026-01-01T00:00:00Z',
    })
  }
  await send('POST', '/content/pages', { name: 'About', type: 'page', body: '<p>About</p>' })
  const [{ id }] = await send('POST', '/customers', [{ email: 'a@example.com', first_name: 'Ann', last_name: 'Lee' }])
  customer = id
  await send('POST', '/customers/addresses', [
    {
      customer_id: id,
      first_name: 'A',
      last_name: 'L',
      address1: '1',
      city: 'B',
      state_or_province: 'Berlin',
      country_code: 'DE',
      postal_code: '1',
    },
  ])
  await send('POST', '/wishlists', { customer_id: id, name: 'W', is_public: true, items: [{ product_id: 1 }] })
})

/** The answer, and the milliseconds of CPU that it took. When a client has used up its budget of work, another one goes on. */
async function answerTo(question: { query: string; variables: object; headers: Record<string, string> }) {
  for (;;) {
    const begun = process.cpuUsage()
    const { status, body } = await askStorefront(shop, { token, ...question })
    const { user, system } = process.cpuUsage(begun)
    if (status !== 429) return { status, body, cpu: (user + system) / 1_000 }
    token = await makeToken(shop, 'impersonation')
  }
}

/** Sentences that no client must see: of the language, the database or the code. */
const UNPLANNED =
  /cannot read|is not a function|undefined|\bselect\b|syntax error at|relation "|\.ts\b|\bat \/|\bECONN/i

test('generated documents are answered or refused, never by a fault, and none takes long', {
  timeout: 3_600_000,
}, async () => {
  const schema = buildSchema(await readFile(new URL('../schema.graphql', import.meta.url), 'utf8'))
  const counts = { answered: 0, withErrors: 0, refused: 0 }
  let slowest = { cpu: 0, seed: -1 }
  for (let seed = FIRST_SEED; seed < END; seed++) {
    const { query, variables } = generatedDocument(schema, seed)
    const headers: Record<string, string> = seed % 3 === 0 ? { 'x-svc-customer-id': String(customer) } : {}
    const { status, body, cpu } = await answerTo({ query, variables, headers })
    if (cpu > slowest.cpu) slowest = { cpu, seed }
    const messages: string[] = (body?.errors ?? []).map(({ message }: { message: string }) => message)
    const isPlanned =
      [200, 400].includes(status) && !messages.some((message) => UNPLANNED.test(message.replaceAll(query, '')))
    if (!isPlanned)
      expect.fail(`seed ${seed}: ${status} ${messages.join(' | ')}\n${query}\n${JSON.stringify(variables)}`)
    if (body.data === undefined || body.data === null) counts.refused++
    else if (messages.length > 0) counts.withErrors++
    else counts.answered++
  }
  console.info(
    `${DOCUMENTS} documents from seed ${FIRST_SEED}:`,
    JSON.stringify(counts),
    `slowest: seed ${slowest.seed}`,
  )
  expect(slowest.cpu, `seed ${slowest.seed}`).toBeLessThan(CPU_MS_MAX)
  // Most documents reach the resolvers, so the test means something.
  expect(counts.answered + counts.withErrors).toBeGreaterThan(DOCUMENTS / 3)
  expect(counts.answered).toBeGreaterThan(DOCUMENTS / 10)
})
