import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { buildSchema } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { sql } from '../../../core/db/sql.ts'
import { ADMIN, askGraph, makeUser, openBuyers, tokenAt } from '../../../test/buyers.ts'
import { generatedDocument } from '../../../test/document/generated-documents.ts'
import { sized } from '../../../test/document/sized.ts'
import { ask, makeCompanyOrder, makeInvoice, makeQuote } from '../../../test/fixtures/companion.ts'
import type { Shop } from '../../../test/fixtures/shop.ts'
import { dbOf } from '../../../test/fixtures/webhooks.ts'

// Documents that follow from the schema, as an admin, a junior and a guest send them.

const DOCUMENTS = sized(10_000, 250)
const FIRST_SEED = Number(process.env.GENERATED_FROM ?? 0)
/** Sentences that no client must see: of the language, the database or the code. */
const UNPLANNED = /cannot read|is not a function|\bselect\b|syntax error at|relation "|\.ts\b|\bat \/|\bECONN/i

let shop: Shop
let companyId: number
let people: (string | undefined)[]
let tokens: (string | undefined)[]
beforeAll(async () => {
  let customerId: number
  ;({ shop, companyId, customerId } = await openBuyers())
  await makeQuote(shop, { companyId, contactInfo: { name: 'Ann Lee', email: ADMIN } })
  await makeInvoice(shop, companyId)
  await makeCompanyOrder(shop, customerId)
  const items = [{ productId: 1, quantity: 1 }]
  await ask(shop, 'POST', '/v3/io/shopping-list', { name: 'Weekly', customerId, items })
  const address = { companyId, firstName: 'A', lastName: 'L', addressLine1: '1', city: 'Aarhus', countryCode: 'DK' }
  await ask(shop, 'POST', '/v3/io/addresses', address)
  people = [ADMIN, (await makeUser(shop, companyId, 2)).email, undefined]
  tokens = await Promise.all(people.map(async (email) => email && (await tokenAt(shop, email))))
})

/** Changes with each write of the store: its counters, events, mails, masquerades and uploads. */
async function footprint(): Promise<string> {
  const db = await dbOf(shop)
  const id = shop.store.id
  const row = await db.row<{ digest: string }>(sql`
    select concat_ws(' ',
      (select sum(version) from counters where store_id = ${id}), (select max(seq) from events where store_id = ${id}),
      (select count(*) from mails where store_id = ${id}), (select count(*) from b2b_masquerades where store_id = ${id}),
      (select count(*) from b2b_portal_uploads where store_id = ${id}), (select max(updated_at) from companies where store_id = ${id}),
      (select max(updated_at) from b2b_shopping_lists where store_id = ${id})) as digest`)
  return row.digest
}

/** The answer to somebody. A token that has used up its budget of work is replaced; a guest waits, as it is told. */
async function answerTo(query: string, variables: object, who: number) {
  for (;;) {
    const { status, body, headers } = await askGraph(query, { variables, token: tokens[who] })
    const isTooOften = status === 429 || body.errors?.some(({ extensions }: Refused) => extensions?.code === 429)
    if (!isTooOften || headers['retry-after'] === undefined) return { status, body }
    const email = people[who]
    if (email === undefined) await wait(Number(headers['retry-after']) * 1_000)
    else tokens[who] = await tokenAt(shop, email)
  }
}

interface Refused {
  message: string
  extensions?: { code?: number }
}

test('generated documents are answered or refused, never by a fault, and a refused one writes nothing (C-109)', {
  timeout: 3_600_000,
}, async () => {
  const schema = buildSchema(await readFile(new URL('schema.graphql', import.meta.url), 'utf8'))
  const known = {
    storeHash: [shop.store.hash],
    companyId: [companyId, companyId, 999],
    channelId: [1],
    first: [1, 10, 250],
    currencyCode: ['USD'],
    currency: ['USD'],
    email: [ADMIN, 'nobody@example.com'],
  }
  const counts = { answered: 0, withErrors: 0, refused: 0 }
  for (let seed = FIRST_SEED; seed < FIRST_SEED + DOCUMENTS; seed++) {
    const { query, variables } = generatedDocument(schema, seed, { mutations: 40, known })
    const before = await footprint()
    const { status, body } = await answerTo(query, variables, seed % people.length)
    const errors: Refused[] = body?.errors ?? []
    const isPlanned =
      [200, 400, 413].includes(status) &&
      errors.every(({ message, extensions }) => {
        const { code = 0 } = extensions ?? {}
        return (code < 500 || code === 501 || code > 999) && !UNPLANNED.test(message.replaceAll(query, ''))
      })
    const fault = () => `seed ${seed}: ${status} ${JSON.stringify(errors)}\n${query}\n${JSON.stringify(variables)}`
    if (!isPlanned) expect.fail(fault())
    const isRefused = Object.entries(body.data ?? {}).every(([name, value]) => value === null || name === '__typename')
    if (isRefused && errors.length > 0) expect(await footprint(), fault()).toBe(before)
    if (isRefused && errors.length > 0) counts.refused++
    else if (errors.length > 0) counts.withErrors++
    else counts.answered++
  }
  console.info(`${DOCUMENTS} documents:`, JSON.stringify(counts))
  expect(counts.answered + counts.withErrors).toBeGreaterThan(DOCUMENTS / 10)
})
