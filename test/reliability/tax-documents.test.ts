import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../server/process/config.ts'
import { openInstallation } from '../../server/process/installation.ts'
import { setTaxProvider } from '../../server/sales/tax/providers/registration.ts'
import { TaxServer } from '../../server/test/servers/tax-server.ts'
import { asAdministrator, ask, clientOf, figure, newFolder, type Shop, sized, startServer, until } from './rig.ts'

// Tax documents of orders that are paid, edited and cancelled, while the server is killed and every fifth answer of the tax provider is
// lost. In the end the provider's book has one document of each paid order, with its final sums, and no other.

const KILLS = sized(20, 2)
const ORDERS = sized(200, 24)
const CLIENTS = 6
const options = { timeout: sized(3_600_000, 300_000) }

const ORIGIN = 'http://127.0.0.1:*'
const outgoing = { WEBHOOK_ORIGINS: ORIGIN, OUTGOING_SUBNETS: '127.0.0.0/8' }
const PRICE = 20
const PROVIDER = 'book'
/** Awaiting fulfilment, which counts as paid, and cancelled. */
const [PAID, CANCELLED] = [11, 5]

interface Edited {
  id: number
  line: number
}

/** Registers a provider that gets documents, at an address of this process. */
async function registerProvider(folder: string, shop: Shop, url: string) {
  const installation = await openInstallation(readConfig({ STOREWARD_DATA: folder }))
  try {
    const store = await installation.directory.find(shop.hash)
    const db = store && (await installation.directory.dbById(store.id))
    if (!db) throw new Error('The store has no database.')
    const { secrets } = installation
    await setTaxProvider(db, { id: PROVIDER, url, isActive: true, submitsOrders: true }, { secrets, origins: [ORIGIN] })
  } finally {
    await installation.close()
  }
}

/** Makes due what waits for a retry or for the end of a lease. */
const hasten = (folder: string) =>
  asAdministrator(folder, (client) =>
    client.query('update job_lanes set due_at = now(), is_new = true where due_at > now()'),
  )

test(
  'C-133: after kill -9 and lost answers the book of the tax provider has one document of each paid order, with its final sums',
  options,
  async () => {
    const provider = await new TaxServer().open()
    onTestFinished(() => provider.close())
    const { folder, shop } = await newFolder()
    await registerProvider(folder, shop, provider.url)
    let server = await startServer(folder, outgoing)
    const v2 = (method: string, path: string, body?: unknown) =>
      ask(server.url, method, `/stores/${shop.hash}/v2${path}`, { body, headers: { 'x-auth-token': shop.token } })
    const call = clientOf(server, shop)
    await call('PUT', '/tax/settings', { document_submission_strategy: 'ON_ORDER_CREATION' })
    await call('PUT', `/tax/providers/${PROVIDER}/connection`, { username: 'shop', password: 'a secret' })
    const orders: Edited[] = []
    for (let i = 0; i < ORDERS; i++) {
      const products = [{ name: 'Print', quantity: 1 + (i % 5), price_ex_tax: PRICE, price_inc_tax: 21.6 }]
      const billing_address = { first_name: 'Ida', zip: '90210', country_iso2: 'US', state: 'California' }
      const { status, body, text } = await v2('POST', '/orders', { billing_address, products, status_id: PAID })
      expect(status, text).toBe(200)
      const [{ id: line }] = (await v2('GET', `/orders/${body.id}/products`)).body
      orders.push({ id: body.id, line })
    }
    // The book is written before the answer, which every fifth time gets lost.
    let answered = 0
    provider.mode = (response, answer) =>
      ++answered % 5 === 0 ? response.destroy() : response.end(answer === undefined ? '' : JSON.stringify(answer))
    const edit = () => {
      const { id, line } = orders[Math.floor(Math.random() * orders.length)] ?? { id: 0, line: 0 }
      const choice = Math.floor(Math.random() * 4)
      if (choice === 0) return v2('PUT', `/orders/${id}`, { status_id: CANCELLED })
      if (choice === 1) return v2('PUT', `/orders/${id}`, { status_id: PAID })
      return v2('PUT', `/orders/${id}`, { products: [{ id: line, quantity: 1 + Math.floor(Math.random() * 9) }] })
    }
    let edits = 0
    for (let round = 0; round < KILLS; round++) {
      let isOn = true
      const before = edits
      const client = async () => {
        while (isOn) {
          // A client that loses the connection has no answer.
          const answer = await edit().catch(() => sleep(20).then(() => undefined))
          if (answer) expect(answer.status, answer.text).toBe(200)
          edits++
        }
      }
      const all = Promise.all(Array.from({ length: CLIENTS }, client))
      await Promise.race([all, until('some orders are edited', () => edits - before >= 60)])
      await sleep(Math.random() * 200)
      process.kill(server.pid, 'SIGKILL')
      isOn = false
      await all
      await server.ended
      server = await startServer(folder, outgoing)
      await hasten(folder)
    }
    provider.mode = undefined
    await until('all documents are submitted', async () => {
      await hasten(folder)
      const { rows } = await asAdministrator(folder, (client) =>
        client.query("select id from jobs where task = 'submit_tax_document' and state = 'waiting' limit 1"),
      )
      return rows.length === 0
    })
    const wanted = new Map<string, [number, number]>()
    for (const { id } of orders) {
      const { body } = await v2('GET', `/orders/${id}`)
      const [line] = (await v2('GET', `/orders/${id}/products`)).body
      if (body.status_id === PAID) wanted.set(`tax-${id}`, [line.quantity, line.quantity * PRICE])
    }
    const book = [...provider.book].map(([id, { documents }]) => {
      const [item] = documents[0]?.items ?? []
      return [id, [item?.quantity, item?.price.amount]] as const
    })
    expect(new Map(book)).toEqual(wanted)
    // A document is adjusted or voided only after its commit.
    const committed = new Set<string>()
    for (const { call: name, id, document } of provider.calls) {
      if (name === 'commit') committed.add(`tax-${document.id}`)
      else if (name !== 'estimate') expect(committed).toContain(id)
    }
    const count = (name: string) => provider.calls.filter((one) => one.call === name).length
    const calls = `${count('commit')} commits, ${count('adjust')} adjustments, ${count('void')} voids`
    figure('C-133', `${KILLS} kills, ${ORDERS} orders, ${edits} edits: ${calls}; ${book.length} documents, all right`)
  },
)
