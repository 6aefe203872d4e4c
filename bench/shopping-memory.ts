/**
 * The memory of a server whose shoppers make carts by the storefront's GraphQL and pay some of them by the test gateway, in 20 stores: before,
 * behind, and after a minute of rest. A first part of the same work warms the server up.
 *
 *   node bench/shopping-memory.ts [--carts 100000] [--paid 10000]
 *
 * Exits with 1 if the server has more than 50 MiB more in the end than after the first part. Needs Linux.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { signToken } from '../server/doors/storefront/tokens/tokens.ts'
import { readConfig } from '../server/process/config.ts'
import { openInstallation } from '../server/process/installation.ts'
import { setUpTestGateway } from '../server/sales/payments/providers-command.ts'
import { memoryOf } from './cpu.ts'
import { CARD_PAYMENT, COMPLETE, CREATE, furnish, NEW_CHECKOUT } from './shopping-data.ts'
import { startServer } from './subjects.ts'

const { values: options } = parseArgs({
  options: { carts: { type: 'string', default: '100000' }, paid: { type: 'string', default: '10000' } },
})
const [CARTS, PAID] = [Number(options.carts), Number(options.paid)]
const STORES = 20
const SHOPPERS = 16
/** The first part, after which the memory before is read. */
const WARM_UP = 0.05
const BAR_MIB = 50
const REST_MS = 60_000

const folder = await mkdtemp(join(tmpdir(), 'storeward-shopping-memory-'))
const server = await startServer(folder, [])
const base = `http://127.0.0.1:${server.port}`

interface Shop {
  hash: string
  /** The storefront's token. */
  token: string
}

async function send(path: string, headers: Record<string, string>, body: object) {
  const answer = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  return { status: answer.status, text, body: text === '' ? {} : JSON.parse(text) }
}

async function openShops(): Promise<Shop[]> {
  const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
  const { directory, accounts, secrets } = installation
  const shops: Shop[] = []
  for (let i = 1; i <= STORES; i++) {
    const { id, hash } = await directory.create({ name: `Shop ${i}`, plan: 'unlimited' })
    const db = await directory.dbById(id)
    if (!db) throw new Error('The store is not there.')
    await setUpTestGateway(db)
    const { access_token } = await accounts.create(hash, 'bench', ['all'])
    const iat = Math.floor(Date.now() / 1_000)
    const claims = { iat, eat: 0, cid: [1], sub: 'bench', token_type: 2 as const, jti: randomUUID() }
    shops.push({ hash, token: await signToken(db, secrets, claims) })
    await furnish(async (_, path, body) => {
      const { status, text } = await send(`/stores/${hash}${path}`, { 'x-auth-token': access_token }, body)
      if (status >= 300) throw new Error(`${path}: ${status} ${text}`)
    })
  }
  await installation.close()
  return shops
}

/** Repeats a request that has to wait for its turn. */
async function patiently(request: () => ReturnType<typeof send>) {
  for (;;) {
    const answer = await request()
    if (answer.status < 300) return answer.body
    if (answer.status !== 429) throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`)
    waits++
    await sleep(250)
  }
}
let waits = 0

const ask = async ({ hash, token }: Shop, query: string, variables: object) => {
  const body = await patiently(() =>
    send(`/storefront/${hash}/graphql`, { authorization: `Bearer ${token}` }, { query, variables }),
  )
  if (body.errors) throw new Error(JSON.stringify(body.errors).slice(0, 300))
  return body.data.checkout
}

async function buy(shop: Shop, isPaid: boolean) {
  const { checkout, errors } = (await ask(shop, CREATE, { input: NEW_CHECKOUT })).createCheckout
  if (!checkout) throw new Error(JSON.stringify(errors))
  if (!isPaid) return
  const { completeCheckout } = await ask(shop, COMPLETE, { id: checkout.entityId })
  const { paymentAccessToken } = completeCheckout
  if (!paymentAccessToken) throw new Error(JSON.stringify(completeCheckout.errors))
  const headers = { authorization: `PAT ${paymentAccessToken}`, accept: 'application/vnd.svc.v1+json' }
  await patiently(() => send(`/stores/${shop.hash}/payments`, headers, CARD_PAYMENT))
}

async function measure() {
  const shops = await openShops()
  const every = Math.round(CARTS / PAID)
  let next = 0
  const makeUntil = (end: number) =>
    Promise.all(
      Array.from({ length: SHOPPERS }, async () => {
        while (next < end) {
          const nr = next++
          const shop = shops[nr % STORES]
          if (shop) await buy(shop, Math.floor(nr / STORES) % every === 0)
        }
      }),
    )
  const began = performance.now()
  await makeUntil(Math.round(CARTS * WARM_UP))
  const before = memoryOf(server.pid)
  const show = () =>
    console.log(
      `${next} carts: ${memoryOf(server.pid).toFixed(0)} MiB, after ${((performance.now() - began) / 1_000).toFixed(0)} s, ${waits} waits, load ${loadavg()[0]?.toFixed(1)}`,
    )
  show()
  for (let part = 1; part <= 10; part++) {
    await makeUntil(Math.round(CARTS * (WARM_UP + ((1 - WARM_UP) * part) / 10)))
    show()
  }
  const behind = memoryOf(server.pid)
  await sleep(REST_MS)
  const rested = memoryOf(server.pid)
  const figures = [before, behind, rested].map((one) => one.toFixed(0)).join(', ')
  console.log(
    `memory before, behind and after a minute: ${figures} MiB; ${(behind - before).toFixed(0)} more, bar ${BAR_MIB}`,
  )
  if (behind - before > BAR_MIB) process.exitCode = 1
}

try {
  await measure()
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
