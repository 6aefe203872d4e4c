import { beforeAll, expect, test } from 'vitest'
import { setCompanion } from '../../server/doors/b2b/tokens/store.ts'
import {
  asAdministrator,
  ask,
  clientOf,
  figure,
  inStore,
  newShop,
  type Reply,
  type ServerProcess,
  type Shop,
  sized,
  startTogether,
  type Together,
  until,
  whenFileEnds,
} from './rig.ts'

// Buyers of a company through two servers on one database (docs/contract/b2b-graphql.md). One of the servers is killed again and again.

const KILLS = sized(30, 2)
const CLIENTS = 8
const PASSWORD = 'correct horse 7'
const ADMIN = 'ann@acme.example.com'
const JUNIOR = 'jo@acme.example.com'
const options = { timeout: sized(7_200_000, 300_000) }
const atEnd = whenFileEnds()

let together: Together
let folder: string
let shop: Shop
let companyId: number
let customerId: number
let junior: { userId: number; bcId: number }
let productId: number
let variantId: number
let invoiceId: number

const at = (i: number) => together.at(i)
const companion = (method: string, path: string, body?: unknown): Promise<Reply> =>
  ask(at(0).url, method, `/b2b/api/v3/io${path}`, {
    body,
    headers: { 'x-auth-token': shop.token, 'x-store-hash': shop.hash },
  })
async function must(reply: Promise<Reply>) {
  const { status, body, text } = await reply
  if (status > 299) throw new Error(text)
  return body.data
}
/** Sends an operation of a buyer. @returns its data, or undefined where it is refused */
async function graph(server: ServerProcess, token: string | undefined, query: string, variables: object = {}) {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const { status, body, text } = await ask(server.url, 'POST', '/b2b/graphql', { body: { query, variables }, headers })
  // A busy machine refuses some with 503.
  expect([200, 503], text).toContain(status)
  return body?.errors ? { errors: body.errors } : { data: body?.data }
}
async function signIn(server: ServerProcess, email: string): Promise<string> {
  const query = 'mutation ($data: UserLoginType!) { login(loginData: $data) { result { token } } }'
  const { data } = await graph(server, undefined, query, { data: { storeHash: shop.hash, email, password: PASSWORD } })
  return data.login.result.token
}

beforeAll(async () => {
  together = await startTogether(atEnd)
  ;({ folder } = together)
  shop = await newShop(folder)
  await inStore(together, shop.hash, (db) => setCompanion(db, true))
  const call = clientOf(at(0), shop)
  const product = await call('POST', '/catalog/products', {
    name: 'Mug',
    sku: 'MUG-1',
    type: 'physical',
    weight: 1,
    price: 40,
    is_visible: true,
  })
  productId = product.body.data.id
  variantId = product.body.data.base_variant_id
  ;({ companyId, customerId } = await must(
    companion('POST', '/companies', {
      companyName: 'Acme',
      companyEmail: 'office@acme.example.com',
      companyPhone: '555 1234',
      country: 'Australia',
      adminFirstName: 'Ann',
      adminLastName: 'Lee',
      adminEmail: ADMIN,
    }),
  ))
  const user = { firstName: 'Jo', lastName: 'Ek', email: JUNIOR, companyId, role: 2, channelIds: [1] }
  junior = await must(companion('POST', '/users', user))
  for (const id of [customerId, junior.bcId]) {
    await call('PUT', '/customers', [{ id, authentication: { new_password: PASSWORD } }])
  }
  const balance = { code: 'USD', value: '1000' }
  const invoice = {
    invoiceNumber: 'INV 1',
    customerId: String(companyId),
    originalBalance: balance,
    openBalance: balance,
  }
  invoiceId = (await must(companion('POST', '/ip/invoices', invoice))).id
})

const blank = { country: '', state: '', city: '', zipCode: '', address: '', apartment: '', firstName: '', lastName: '' }
const place = { ...blank, phoneNumber: '', label: '', addressId: 0, extraFields: [] }
const QUOTE = 'mutation ($quoteData: QuoteInputType!) { quoteCreate(quoteData: $quoteData) { quote { id } } }'
const quoteData = () => ({
  message: 'By Friday?',
  referenceNumber: '',
  userEmail: ADMIN,
  quoteTitle: 'Mugs',
  subtotal: '80',
  grandTotal: '80.00',
  totalAmount: '',
  discount: '0.00',
  taxTotal: '',
  shippingTotal: '',
  shippingAddress: place,
  billingAddress: place,
  contactInfo: { name: 'Ann Lee', email: ADMIN, companyName: '', phoneNumber: '' },
  storeHash: shop.hash,
  currency: {
    currencyExchangeRate: '1.0000000000',
    token: '$',
    location: 'left',
    decimalToken: '.',
    decimalPlaces: 2,
    thousandsToken: ',',
    currencyCode: 'USD',
  },
  fileList: [],
  extraFields: [],
  recipients: [],
  channelId: 1,
  productList: [
    {
      productId,
      sku: 'MUG-1',
      basePrice: '40.00',
      discount: '0.00',
      offeredPrice: '40.00',
      quantity: 2,
      variantId,
      imageUrl: '',
      productName: 'Mug',
      itemId: 'line-1',
      options: [],
    },
  ],
})
const LIST =
  'mutation { shoppingListsCreate(shoppingListData: {name: "Weekly", description: "", status: 30}) { shoppingList { id } } }'
const fill = (id: number) =>
  `mutation { shoppingListsItemsCreate(shoppingListId: ${id}, items: [{productId: ${productId}, variantId: ${variantId}, quantity: 2}]) { shoppingListsItems { id } } }`
const submit = (id: number) =>
  `mutation { shoppingListsUpdate(id: ${id}, shoppingListData: {name: "Submitted", description: "yes", status: 40}) { shoppingList { id } } }`
const pay = () =>
  `mutation { invoiceCreateBcCart(bcCartData: {lineItems: [{invoiceId: ${invoiceId}, amount: "1.50"}], currency: "USD", details: {}}) { result { cartId } } }`

/** Rows that are halves of a deed: a quote without its event, texts or lines, a list between two states, and a cart without its invoices. */
const halves = () =>
  asAdministrator(folder, async (client) => {
    const { rows: quotes } = await client.query(`
      select quote.id from b2b_quotes quote
      where jsonb_array_length(quote.lines) <> 1 or jsonb_array_length(quote.history) <> 1
        or not exists (select from b2b_texts t where t.store_id = quote.store_id and t.kind = 'quote' and t.id = quote.id)
        or (select count(*) from events e where e.store_id = quote.store_id and e.scope = 'store/quote/created'
          and (e.data::jsonb ->> 'quote_uuid' = quote.quote_uuid or e.data like '%' || quote.quote_uuid || '%')) <> 1`)
    const { rows: events } = await client.query(`
      select seq from events e where scope = 'store/quote/created' and not exists (
        select from b2b_quotes quote where quote.store_id = e.store_id and e.data like '%' || quote.quote_uuid || '%')`)
    const { rows: lists } = await client.query(`
      select id, name, description, status from b2b_shopping_lists
      where (status = 40) <> (name = 'Submitted') or (status = 40) <> (description = 'yes')`)
    const { rows: carts } = await client.query(`
      select coalesce(cart.id, paying.cart_id) as id from carts cart
      full join b2b_payment_carts paying on paying.store_id = cart.store_id and paying.cart_id = cart.id
      where cart.id is null or paying.cart_id is null or jsonb_array_length(paying.lines) <> 1`)
    return { quotes, events, lists, carts }
  })

test('quotes, submitted lists and payment carts are whole or absent after kill -9 (C-001)', options, async () => {
  const tally = new Map<string, number>()
  const [admin, jo] = [await signIn(at(0), ADMIN), await signIn(at(1), JUNIOR)]
  for (let round = 0; round < KILLS; round++) {
    let answered = 0
    let isOver = false
    const victim = at(round)
    const deed = async (server: ServerProcess, n: number): Promise<[string, { errors?: unknown }]> => {
      if (n % 3 === 0) return ['quote', await graph(server, admin, QUOTE, { quoteData: quoteData() })]
      if (n % 3 === 1) return ['cart', await graph(server, admin, pay())]
      const made = await graph(server, jo, LIST)
      if (made.errors || !made.data) return ['list', made]
      const id = Number(made.data.shoppingListsCreate.shoppingList.id)
      await graph(server, jo, fill(id))
      return ['list', await graph(server, jo, submit(id))]
    }
    const work = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let n = client; !isOver; n++) {
        // The clients of a dead server get no answer.
        const done = await deed(at(client), n).catch(() => undefined)
        if (!done) return
        answered++
        const key = `${done[0]} ${done[1].errors ? 'refused' : 'made'}`
        tally.set(key, (tally.get(key) ?? 0) + 1)
      }
    })
    await until('some deeds are answered', () => answered > CLIENTS + (round % CLIENTS))
    process.kill(victim.pid, 'SIGKILL')
    isOver = true
    await Promise.all(work)
    await victim.ended
    expect(await halves()).toEqual({ quotes: [], events: [], lists: [], carts: [] })
    await together.restart(round)
  }
  for (const kind of ['quote', 'cart', 'list']) expect(tally.get(`${kind} made`)).toBeGreaterThan(0)
  const counts = [...tally].map(([outcome, count]) => `${outcome}: ${count}`).join(', ')
  figure('buyers', `${KILLS} kills, ${CLIENTS} clients, no half; ${counts}`)
})

test('masquerade, demotion and logout are seen by the next request at each server', options, async () => {
  const child = await must(
    companion('POST', '/companies', {
      companyName: 'Below',
      companyEmail: 'office@below.example.com',
      companyPhone: '555 1234',
      country: 'Australia',
      adminFirstName: 'Bo',
      adminLastName: 'Lee',
      adminEmail: 'bo@below.example.com',
    }),
  )
  await companion('POST', `/companies/${child.companyId}/parent`, { parentCompanyId: companyId })
  const permissions = ['get_company_subsidiaries', 'get_orders', 'get_users', 'get_quotes'].map((code) => ({
    code,
    permissionLevel: 3,
  }))
  const role = await must(companion('POST', '/companies/roles', { name: 'Wide', permissions }))
  await must(companion('PUT', `/users/${junior.userId}`, { companyRoleId: role.id }))
  const token = await signIn(at(0), JUNIOR)
  const acting = async (server: ServerProcess) => {
    const { data } = await graph(server, token, '{ userMasqueradingCompany { companyId } }')
    return Number(data?.userMasqueradingCompany?.companyId ?? 0)
  }
  const begun = await graph(
    at(0),
    token,
    `mutation { userMasqueradingCompanyBegin(companyId: ${child.companyId}) { userMasqueradingCompanyBegin { companyId } } }`,
  )
  expect(begun.errors).toBeUndefined()
  for (const server of [at(1), at(0)]) expect(await acting(server)).toBe(child.companyId)
  const usersOf = (server: ServerProcess) =>
    graph(server, token, `{ users(companyId: ${child.companyId}) { totalCount } }`)
  expect((await usersOf(at(1))).errors).toBeUndefined()
  await must(companion('PUT', `/users/${junior.userId}`, { role: 2 }))
  for (const server of [at(1), at(0)]) expect((await usersOf(server)).errors?.[0].extensions.code).toBe(403)
  const out = await ask(at(1).url, 'DELETE', '/b2b/api/v3/io/auth/customers/storefront', { body: { id: token } })
  expect(out.status, out.text).toBe(200)
  for (const server of [at(0), at(1)]) {
    const { errors } = await graph(server, token, '{ customerInfo { userType } }')
    expect(errors?.[0].extensions.code).toBe(40_101)
  }
})
