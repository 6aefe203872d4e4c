/**
 * The cost of purchases in storefronts: a store with 20 automatic promotions, and carts of five lines. A new line by GraphQL beside REST; the
 * operation of a cart's page, in CPU of server and database; `createCheckout` beside the REST calls that reach the same state; the checkout
 * page, and a step of it, beside the operation of the cart's page; the rate of the page for visitors at once. Then shoppers at once, each from
 * the first line to the paid order, and the page of a product meanwhile.
 *
 *   node bench/shopping.ts [--quick] [--shoppers 200]
 *
 * Exits with 1 if a figure is above its bar. All runs in this process beside its PostgreSQL. Needs Linux: CPU time is read from /proc.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { Files } from '../server/core/files/files.ts'
import { signToken } from '../server/doors/storefront/tokens/tokens.ts'
import { createApp } from '../server/process/app.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { setUpTestGateway } from '../server/sales/payments/providers-command.ts'
import { cpuOf, cpuOfPostgres, memoryOf } from './cpu.ts'
import { compareWorks } from './ratio.ts'
import { figure } from './report.ts'
import { CARD_PAYMENT, COMPLETE, CREATE, furnish, LINE_ITEMS, NEW_CHECKOUT } from './shopping-data.ts'

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, shoppers: { type: 'string', default: '200' } },
})
const [ROUNDS, TIMES] = options.quick ? [5, 10] : [11, 30]
const VISITORS = 16
const VISITS_MS = options.quick ? 2_000 : 10_000
const ACCEPT = 'application/vnd.svc.v1+json'

const folder = await mkdtemp(join(tmpdir(), 'storeward-shopping-'))
const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))

async function open() {
  const files = new Files(join(folder, 'files'), 'http://127.0.0.1', installation.ids)
  await files.open()
  const log = pino({ level: 'silent' })
  const config = readConfig({ FAILED_LOGINS_MAX: '0' })
  const { server } = await createApp({ ...installation, files, log }, config, 'http://127.0.0.1')
  const store = await installation.directory.create({ name: 'Shopping', plan: 'unlimited' })
  const db = await installation.directory.dbById(store.id)
  if (!db) throw new Error('The store is not there.')
  await setUpTestGateway(db)
  const { access_token } = await installation.accounts.create(store.hash, 'bench', ['all'])
  const token = await signToken(db, installation.secrets, {
    iat: Math.floor(Date.now() / 1_000),
    eat: 0,
    cid: [1],
    sub: 'bench',
    token_type: 2,
    jti: randomUUID(),
  })
  const answered = ({ statusCode, body }: { statusCode: number; body: string }) => {
    if (statusCode >= 400) throw new Error(`${statusCode} ${body.slice(0, 300)}`)
    return body === '' ? {} : JSON.parse(body)
  }
  return {
    server,
    hash: store.hash,
    call: async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) =>
      answered(
        await server.inject({
          method,
          url: `/stores/${store.hash}${path}`,
          headers: { 'x-auth-token': access_token },
          ...(payload ? { payload } : {}),
        }),
      ),
    async graph(query: string, variables: object, remoteAddress = '127.0.0.1') {
      const body = answered(
        await server.inject({
          method: 'POST',
          url: `/storefront/${store.hash}/graphql`,
          remoteAddress,
          headers: { authorization: `Bearer ${token}` },
          payload: { query, variables },
        }),
      )
      if (body.errors) throw new Error(JSON.stringify(body.errors).slice(0, 300))
      return body.data
    },
    async pay(paymentToken: string, remoteAddress = '127.0.0.1') {
      return answered(
        await server.inject({
          method: 'POST',
          url: `/stores/${store.hash}/payments`,
          remoteAddress,
          headers: { authorization: `PAT ${paymentToken}`, accept: ACCEPT },
          payload: CARD_PAYMENT,
        }),
      )
    },
  }
}
type Opened = Awaited<ReturnType<typeof open>>

const address = {
  first_name: 'Ann',
  last_name: 'Lee',
  email: 'ann@example.com',
  address1: '1 Mill Road',
  city: 'Austin',
  state_or_province_code: 'TX',
  country_code: 'US',
  postal_code: '78701',
}

async function newCart({ call }: Opened): Promise<{ id: string; line_items: { physical_items: { id: string }[] } }> {
  return (await call('POST', '/v3/carts', { line_items: LINE_ITEMS })).data
}

/** A cart with addresses and a chosen option, as REST makes it. */
async function readyCart(opened: Opened): Promise<string> {
  const { call } = opened
  const { id, line_items } = await newCart(opened)
  await call('POST', `/v3/checkouts/${id}/billing-address`, address)
  const consignment = {
    address,
    line_items: line_items.physical_items.map(({ id }) => ({ item_id: id, quantity: 2 })),
  }
  const { data } = await call(
    'POST',
    `/v3/checkouts/${id}/consignments?include=consignments.available_shipping_options`,
    [consignment],
  )
  const [first] = data.consignments
  const shipping_option_id = first.available_shipping_options[0].id
  await call('PUT', `/v3/checkouts/${id}/consignments/${first.id}`, { shipping_option_id })
  return id
}

const MONEY = 'value currencyCode'
/** The operation of the page of a cart: cart, checkout, options, countries and settings, as the public shop asks for them. */
const CART_PAGE = `query ($id: String) { site {
  settings { url { checkoutUrl } giftCertificates { isEnabled } locales { code isDefault } }
  cart(entityId: $id) { entityId version currencyCode discountedAmount { ${MONEY} } lineItems { totalQuantity
    physicalItems { entityId name brand sku quantity image { url: urlTemplate } productEntityId variantEntityId url
      extendedListPrice { ${MONEY} } extendedSalePrice { ${MONEY} } originalPrice { ${MONEY} } listPrice { ${MONEY} }
      selectedOptions { __typename entityId name ... on CartSelectedMultipleChoiceOption { value valueEntityId } } }
    digitalItems { entityId name quantity } giftCertificates { entityId name amount { ${MONEY} } } } }
  checkout(entityId: $id) { entityId subtotal { ${MONEY} } grandTotal { ${MONEY} } outstandingBalance { ${MONEY} } taxTotal { ${MONEY} }
    shippingCostTotal { ${MONEY} } handlingCostTotal { ${MONEY} } coupons { code discountedAmount { ${MONEY} } } giftCertificates { code balance { ${MONEY} } }
    shippingConsignments { entityId address { city countryCode stateOrProvince postalCode }
      availableShippingOptions { entityId description cost { ${MONEY} } } selectedShippingOption { entityId description cost { ${MONEY} } } } } }
  geography { countries { code name statesOrProvinces { entityId name abbreviation } } } }`

const ADD = `mutation ($input: AddCartLineItemsInput!) { cart { addCartLineItems(input: $input) { cart { entityId version } } } }`
const PRODUCT = `query ($id: Int!) { site { product(entityId: $id) { name path prices { price { value } } inventory { isInStock } } } }`

/** A cart by GraphQL with one request. */
async function createCheckout({ graph }: Pick<Opened, 'graph'>): Promise<string> {
  const { checkout, errors } = (await graph(CREATE, { input: NEW_CHECKOUT })).checkout.createCheckout
  if (!checkout) throw new Error(JSON.stringify(errors))
  return checkout.entityId
}

async function compare() {
  const opened = await open()
  const { call, graph } = opened
  await furnish(call)
  const postmaster = Number.parseInt(await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)
  const both = () => cpuOf(process.pid) + cpuOfPostgres(postmaster)
  console.log(`load ${loadavg()[0]?.toFixed(1)}; CPU in milliseconds, median of ${ROUNDS} rounds`)
  const works = { cpu: both, rounds: ROUNDS, times: TIMES }

  // Each new line is merged with the line of its product, so that the cart stays as it is.
  const [one, other] = [await newCart(opened), await newCart(opened)]
  await compareWorks({
    ...works,
    name: 'a new line by GraphQL, beside REST',
    bar: 1.3,
    own: () =>
      graph(ADD, { input: { cartEntityId: one.id, data: { lineItems: [{ productEntityId: 3, quantity: 1 }] } } }),
    beside: () => call('POST', `/v3/carts/${other.id}/items`, { line_items: [{ product_id: 3, quantity: 1 }] }),
  })
  await compareWorks({
    ...works,
    name: 'createCheckout, beside the REST calls to the same state',
    bar: 1.2,
    own: () => createCheckout(opened),
    beside: () => readyCart(opened),
  })
  const ready = await readyCart(opened)
  const cartPage = () => graph(CART_PAGE, { id: ready })
  for (let n = 0; n < 20; n++) await cartPage()
  for (const [side, cpu] of [
    ['server', () => cpuOf(process.pid)],
    ['database', () => cpuOfPostgres(postmaster)],
  ] as const) {
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = cpu()
      for (let n = 0; n < TIMES; n++) await cartPage()
      rounds.push((cpu() - before) / TIMES / 1_000)
    }
    const { median, lowest, highest } = figure(rounds)
    console.log(
      `the page of a cart, ${side}: ${median.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)}), bar 5`,
    )
    if (median > 5) process.exitCode = 1
  }
  const checkoutPage = await pageOfCart(opened, ready)
  await compareWorks({
    ...works,
    name: 'the checkout page, beside the operation of the cart',
    bar: 1.5,
    own: checkoutPage,
    beside: cartPage,
  })
  await visitAtOnce(checkoutPage)
  await compareWorks({
    ...works,
    name: 'a step of the checkout page, beside the operation of the cart',
    bar: 1.5,
    own: await postedStep(opened, await readyCart(opened)),
    beside: cartPage,
  })
  await shopAtOnce(opened, Number(options.shoppers))
  await opened.server.close()
}

/** A browser that has followed the link into the checkout. */
async function visit({ server, hash, call }: Opened, cart: string) {
  const { data } = await call('POST', `/v3/carts/${cart}/redirect_urls`)
  const link = new URL(data.checkout_url)
  const entered = await server.inject({ url: `/storefront/${hash}/cart.php${link.search}` })
  const cookie = String(entered.headers['set-cookie']).split(';')[0] ?? ''
  const url = `/storefront/${hash}/checkout`
  return { url, cookie }
}

async function pageOfCart(opened: Opened, cart: string) {
  const { url, cookie } = await visit(opened, cart)
  return async () => {
    const { statusCode, body } = await opened.server.inject({ url, headers: { cookie } })
    if (statusCode !== 200) throw new Error(`${statusCode} ${body.slice(0, 300)}`)
    return body
  }
}

/** Visitors who look at a page again and again for some seconds. */
async function visitAtOnce(show: () => Promise<unknown>) {
  const times: number[] = []
  const end = performance.now() + VISITS_MS
  const look = async () => {
    for (let began = performance.now(); began < end; began = performance.now()) {
      await show()
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: VISITORS }, look))
  const rate = times.length / (VISITS_MS / 1_000)
  console.log(
    `the checkout page for ${VISITORS} visitors at once: ${rate.toFixed(0)} a second, bar 300; p99 ${p99(times).toFixed(0)} ms, bar 100`,
  )
  if (rate < 300 || p99(times) > 100) process.exitCode = 1
}

/** Sends the address of the customer again and again. The page that follows is not part of it. */
async function postedStep(opened: Opened, cart: string) {
  const { url, cookie } = await visit(opened, cart)
  const show = async () => (await opened.server.inject({ url: `${url}?step=customer`, headers: { cookie } })).body
  const fieldOf = (page: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
  const first = await show()
  const [token, total] = [fieldOf(first, 'token'), fieldOf(first, 'total')]
  let version = Number(fieldOf(first, 'version'))
  return async () => {
    const seen = `SHOP_SEEN=${version}.${total.replace(' ', '.')}`
    const form = { step: 'customer', token, total, version: String(version++), email: `ann${version}@example.com` }
    const { statusCode, body, headers } = await opened.server.inject({
      method: 'POST',
      url,
      // The page that was shown before lets the browser remember its amounts.
      headers: { cookie: `${cookie}; ${seen}`, 'content-type': 'application/x-www-form-urlencoded' },
      payload: String(new URLSearchParams(form)),
    })
    if (statusCode !== 303) throw new Error(`${statusCode} ${body.slice(0, 300)}`)
    if (String(headers.location).includes('notice')) throw new Error(`The amounts have changed: ${headers.location}`)
    return statusCode
  }
}

const p99 = (times: readonly number[]) =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? 0

/**
 * Shoppers at once, while others look at a product. A store has 40 requests of GraphQL at once and takes 50 payments in four seconds: a request
 * beyond that is told to wait, and is sent again.
 */
async function shopAtOnce(opened: Opened, shoppers: number) {
  const { graph } = opened
  const waits = { 429: 0, 503: 0 }
  const patiently = async <T>(request: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await request()
      } catch (error) {
        const [status] = error instanceof Error ? error.message.split(' ') : []
        if (status !== '429' && status !== '503') throw error
        waits[status]++
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
    }
  }
  const look = async () => {
    const began = performance.now()
    await patiently(() => graph(PRODUCT, { id: 7 }))
    return performance.now() - began
  }
  const quiet: number[] = []
  for (let n = 0; n < 500; n++) quiet.push(await look())
  const memory = memoryOf(process.pid)
  let isOn = true
  const during: number[] = []
  const looking = (async () => {
    while (isOn) during.push(await look())
  })()
  // Each shopper has an address of its own, as browsers do.
  const buy = async (shopper: number) => {
    const at = `10.0.${shopper >> 8}.${shopper & 255}`
    const ask: Opened['graph'] = (query, variables) => patiently(() => graph(query, variables, at))
    const id = await createCheckout({ graph: ask })
    const { paymentAccessToken, errors } = (await ask(COMPLETE, { id })).checkout.completeCheckout
    if (!paymentAccessToken) throw new Error(JSON.stringify(errors))
    await patiently(() => opened.pay(paymentAccessToken, at))
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: shoppers }, (_, shopper) => buy(shopper)))
  const seconds = (performance.now() - began) / 1_000
  isOn = false
  await looking
  const ratio = p99(during) / p99(quiet)
  console.log(
    `${shoppers} shoppers at once: ${(shoppers / seconds).toFixed(1)} paid orders a second; told to wait: ${JSON.stringify(waits)}`,
  )
  console.log(
    `a product meanwhile (${during.length} times): p99 ${p99(during).toFixed(1)} / ${p99(quiet).toFixed(1)} ms = ${ratio.toFixed(2)}, bar 1.5`,
  )
  console.log(`memory: ${memory.toFixed(0)} MiB before, ${memoryOf(process.pid).toFixed(0)} after`)
  if (ratio > 1.5) process.exitCode = 1
}

try {
  await compare()
} finally {
  await installation.close()
  await rm(folder, { recursive: true, force: true })
}
