import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startEmbedded } from '../../server/core/db/setup/embedded.ts'
import {
  asAdministrator,
  ask,
  type Client,
  clientOf,
  figure,
  newFolder,
  newShop,
  percentile,
  restartServer,
  sized,
  startServer,
  until,
  whenFileEnds,
} from './rig.ts'

// Prices, taxes and promotions that change while others read them, and servers that are killed meanwhile.

const options = { timeout: sized(3_600_000, 300_000) }
const atEnd = whenFileEnds()

/** Sends a request that must succeed. */
async function must(call: Client, method: string, path: string, body?: unknown) {
  const reply = await call(method, path, body)
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`)
  return reply.body?.data
}

const goods = (count: number, price: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `Mug ${i}`, type: 'physical', weight: 1, price }))

/** Ends leases, so that the jobs of a dead process run now. */
const hasten = (folder: string) =>
  asAdministrator(folder, (client) =>
    client.query('update job_lanes set due_at = now(), is_new = true where due_at > now()'),
  )

test(
  'C-002: after kill -9 batches of records, of rates and of codes are wholly there or wholly absent',
  options,
  async () => {
    const KILLS = sized(20, 2)
    const [CLIENTS, RECORDS, RATES, CODES] = [4, 50, 10, 25]
    const { folder, shop } = await newFolder(atEnd)
    let server = await startServer(folder, {}, atEnd)
    const first = clientOf(server, shop)
    for (let i = 0; i < RECORDS; i += 10)
      await must(
        first,
        'POST',
        '/catalog/products',
        goods(10, 5).map((one, n) => ({ ...one, name: `Mug ${i + n}` })),
      )
    const rules = [{ action: { cart_value: { discount: { fixed_amount: '1' } } } }]
    const bulk = { redemption_type: 'COUPON', coupon_type: 'BULK', name: 'Bulk', rules }
    for (let i = 0; i < CLIENTS; i++) {
      await must(first, 'POST', '/pricelists', { name: `List ${i}` })
      await must(first, 'POST', '/promotions', bulk)
      await must(first, 'POST', '/tax/zones', [
        { name: `Zone ${i}`, shopper_target_settings: { locations: [{ country_code: 'DK' }] } },
      ])
    }
    /** The batches that were answered, by kind and client. */
    const answered = new Map<string, number>()
    let [sent, price] = [0, 0]
    for (let round = 0; round < KILLS; round++) {
      let isOn = true
      const call = clientOf(server, shop)
      const client = async (i: number) => {
        while (isOn) {
          const records = Array.from({ length: RECORDS }, (_, n) => ({
            variant_id: n + 1,
            currency: 'usd',
            price: ++price,
          }))
          const newPrice = records[0]?.price ?? 0
          const same = records.map((record) => ({ ...record, price: newPrice }))
          const rates = Array.from({ length: RATES }, () => ({
            name: 'Rate',
            tax_zone_id: i + 2,
            class_rates: [{ rate: 5, tax_class_id: 0 }],
          }))
          const count = (kind: string, to: number) => answered.set(`${kind} ${i}`, to)
          const before = answered.get(`rates ${i}`) ?? 0
          try {
            if ((await call('PUT', `/pricelists/${i + 1}/records`, same)).status === 200) count('price', newPrice)
            if (before < 20 && (await call('POST', '/tax/rates', rates)).status === 200) count('rates', before + 1)
            const codes = await call('POST', `/promotions/${i + 1}/codegen`, { batch_size: CODES })
            if (codes.status === 201) count('codes', (answered.get(`codes ${i}`) ?? 0) + 1)
          } catch {
            // A client that loses the connection has no answer.
            await sleep(20)
          }
          sent++
        }
      }
      const before = sent
      const all = Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)))
      await Promise.race([all, until('some batches are answered', () => sent - before >= CLIENTS * 2)])
      await sleep(Math.random() * 100)
      process.kill(server.pid, 'SIGKILL')
      isOn = false
      await all
      await server.ended
      server = await restartServer(folder, {}, atEnd)
      for (let i = 0; i < CLIENTS; i++) {
        const found = await asAdministrator(folder, async (client) => {
          const { rows } = await client.query(
            `select (select count(distinct price)::int from price_records where price_list_id = $1) as prices,
             (select count(*)::int from price_records where price_list_id = $1) as records,
             (select coalesce(min(price), 0)::int from price_records where price_list_id = $1) as price,
             (select count(*)::int from tax_rates where tax_zone_id = $1 + 1) as rates,
             (select count(*)::int from coupons where promotion_id = $1) as codes`,
            [i + 1],
          )
          return rows[0]
        })
        expect([0, RECORDS]).toContain(found.records)
        expect(found.prices).toBeLessThanOrEqual(1)
        expect(found.price).toBeGreaterThanOrEqual(answered.get(`price ${i}`) ?? 0)
        expect([found.rates % RATES, found.codes % CODES]).toEqual([0, 0])
        expect(found.rates).toBeGreaterThanOrEqual((answered.get(`rates ${i}`) ?? 0) * RATES)
        expect(found.codes).toBeGreaterThanOrEqual((answered.get(`codes ${i}`) ?? 0) * CODES)
        answered.set(`rates ${i}`, found.rates / RATES).set(`codes ${i}`, found.codes / CODES)
      }
    }
    figure('C-002', `${KILLS} kills, ${sent} rounds of batches: none torn, none of the answered ones lost`)
  },
)

test(
  'C-130: a read that begins after a write was answered shows it, in both processes, also after kill -9',
  options,
  async () => {
    // Reads between two kills that find no list changing.
    const READS = sized(300, 12)
    const { folder } = await newFolder(atEnd)
    const database = await startEmbedded({ folder })
    atEnd(() => database.stop())
    const url = new URL(database.url)
    url.pathname = '/storeward'
    const env = { DATABASE_URL: url.href, SECRET: await readFile(join(folder, 'secret'), 'utf8') }
    const folders = [folder, join(folder, 'second')]
    const servers = await Promise.all(folders.map((one) => startServer(one, env, atEnd)))
    const shop = await newShop(folder)
    let calls = servers.map((server) => clientOf(server, shop))
    const at = (i: number): Client => {
      const call = calls[i % 2]
      if (!call) throw new Error('There are two servers.')
      return call
    }
    const price = 10_000
    await must(at(0), 'POST', '/catalog/products', goods(4, price))
    await must(at(0), 'PUT', '/tax/classes', [{ id: 1, name: 'Exempt' }])
    await must(
      at(0),
      'PUT',
      '/catalog/products',
      [1, 3, 4].map((id) => ({ id, tax_class_id: 1 })),
    )
    await must(at(0), 'POST', '/pricelists', { name: 'Trade' })
    for (const variant_id of [1, 4]) {
      await must(at(0), 'PUT', `/pricelists/1/records/${variant_id}/usd`, { price: 1 })
    }
    await must(at(0), 'POST', '/tax/rates', [
      { name: 'Rate', tax_zone_id: 1, class_rates: [{ rate: 0.01, tax_class_id: 0 }] },
    ])
    const off = (amount: number) => [{ action: { cart_value: { discount: { fixed_amount: String(amount) } } } }]
    await must(at(0), 'POST', '/promotions', { redemption_type: 'AUTOMATIC', name: 'Off', rules: off(1) })
    const { id: cart } = await must(at(0), 'POST', '/carts', { line_items: [{ product_id: 3, quantity: 1 }] })

    /** A value that writes raise one by one. */
    interface Subject {
      started: number
      answered: number
      write(call: Client, value: number): Promise<unknown>
    }
    const subject = (write: Subject['write']): Subject => ({ started: 1, answered: 1, write })
    const record = subject((call, n) => must(call, 'PUT', '/pricelists/1/records/1/usd', { price: n }))
    const rate = subject((call, n) =>
      must(call, 'PUT', '/tax/rates', [{ id: 1, class_rates: [{ rate: n / 100, tax_class_id: 0 }] }]),
    )
    const promotion = subject((call, n) => must(call, 'PUT', '/promotions/1', { rules: off(n) }))
    // Odd values: the list is assigned to the channel, or active.
    const assignment = subject((call, n) =>
      n % 2 === 1
        ? must(call, 'POST', '/pricelists/assignments', [{ price_list_id: 1, channel_id: 1 }])
        : must(call, 'DELETE', '/pricelists/assignments?channel_id=1'),
    )
    const list = subject((call, n) => must(call, 'PUT', '/pricelists/1', { active: n % 2 === 1 }))
    await assignment.write(at(0), 1)
    const subjects = [record, rate, promotion, assignment, list]

    let isOn = true
    let [reads, steady] = [0, 0]
    const writer = async (one: Subject, i: number) => {
      for (let turn = i; isOn; turn++) {
        const value = ++one.started
        // The value of a request without an answer may be there or not: it is written again.
        for (let isWritten = false; !isWritten && isOn; ) {
          isWritten = await one.write(at(turn++), value).then(
            () => true,
            () => sleep(20).then(() => false),
          )
        }
        if (isOn) one.answered = value
        // Reads find the last two without a write under way.
        const before = steady
        if (i < 3) await sleep(5)
        else await until('some reads find both unchanged', () => !isOn || steady >= before + 4)
      }
    }
    const items = [1, 2, 4].map((product_id) => ({ product_id }))
    const pricing = { channel_id: 1, currency_code: 'USD', items }
    const reader = async (i: number) => {
      for (let turn = i; isOn; turn++) {
        const before = subjects.map(({ answered, started }) => ({ answered, started }))
        const [ofRecord, ofRate, ofPromotion, ofAssignment, ofList] = before
        const [priced, shown] = await Promise.all([
          must(at(turn), 'POST', '/pricing/products', pricing),
          must(at(turn), 'GET', `/carts/${cart}`),
        ]).catch(() => sleep(20).then(() => []))
        if (!priced || !shown) continue
        reads++
        const [first, second, fourth] = priced.map((one: { calculated_price: object }) => one.calculated_price)
        expect(second.tax_inclusive).toBeGreaterThanOrEqual(price + (ofRate?.answered ?? 0))
        expect(price - shown.cart_amount).toBeGreaterThanOrEqual(ofPromotion?.answered ?? 0)
        const isSteady = [assignment, list].every(
          ({ answered, started }, k) =>
            answered === started &&
            answered === [ofAssignment, ofList][k]?.answered &&
            started === [ofAssignment, ofList][k]?.started,
        )
        // While neither changes, the list applies or it doesn't.
        const applies = (ofAssignment?.answered ?? 0) % 2 === 1 && (ofList?.answered ?? 0) % 2 === 1
        if (isSteady) {
          steady++
          expect(fourth.as_entered).toBe(applies ? 1 : price)
        }
        if (isSteady && applies) expect(first.as_entered).toBeGreaterThanOrEqual(ofRecord?.answered ?? 0)
      }
    }
    const work = Promise.all([...subjects.map(writer), ...Array.from({ length: 16 }, (_, i) => reader(i))])
    const kills = sized(10, 2)
    const killing = (async () => {
      const more = async () => {
        const before = steady
        await until('more reads are answered', () => steady >= before + READS)
      }
      for (let round = 0; round < kills; round++) {
        await more()
        const server = servers[round % 2]
        if (!server) throw new Error('There are two servers.')
        process.kill(server.pid, 'SIGKILL')
        await server.ended
        servers[round % 2] = await restartServer(folders[round % 2] ?? '', env, atEnd)
        calls = servers.map((one) => clientOf(one, shop))
      }
      await more()
      isOn = false
    })()
    await Promise.race([Promise.all([work, killing]), work.then(() => killing)])
    const writes = subjects.reduce((sum, { answered }) => sum + answered, 0)
    figure(
      'C-130',
      `${kills} kills, ${writes} writes, ${reads} reads by 16 clients (${steady} while no list changed): none stale`,
    )
  },
)

test(
  'C-131: a large list, its group and a currency disappear at once, and their rows after kill -9 too',
  options,
  async () => {
    const RECORDS = sized(1_000_000, 20_000)
    const KILLS = sized(5, 2)
    const { folder, shop } = await newFolder(atEnd)
    let server = await startServer(folder, {}, atEnd)
    let call = clientOf(server, shop)
    const other = await newShop(folder)
    const v2 = (method: string, path: string, body?: unknown) =>
      ask(server.url, method, `/stores/${shop.hash}/v2${path}`, { body, headers: { 'x-auth-token': shop.token } })
    await must(call, 'POST', '/catalog/products', goods(10, 20))
    await v2('POST', '/customer_groups', { name: 'Trade' })
    const euro = { currency_code: 'EUR', name: 'Euro', currency_exchange_rate: '1', token: '€', token_location: 'left' }
    const more = { decimal_token: ',', thousands_token: '.', decimal_places: 2, enabled: true, is_transactional: true }
    const { body: currency } = await v2('POST', '/currencies', { ...euro, ...more })
    for (const name of ['Large', 'Euro']) await must(call, 'POST', '/pricelists', { name })
    await must(call, 'POST', '/pricelists/assignments', [{ price_list_id: 1, customer_group_id: 1 }])
    const prices = (code: string) =>
      Array.from({ length: 10 }, (_, i) => ({ variant_id: i + 1, currency: code, price: 5 }))
    await must(call, 'PUT', '/pricelists/1/records', prices('usd'))
    await must(call, 'PUT', '/pricelists/2/records', prices('eur'))
    await asAdministrator(folder, async (client) => {
      for (const list of [1, 2]) {
        await client.query(
          `insert into price_records select made.* from price_records kind, generate_series(11, $2::int) n,
           lateral jsonb_populate_record(kind, jsonb_build_object('variant_id', n, 'product_id', n)) made
         where kind.price_list_id = $1 and kind.variant_id = 1`,
          [list, RECORDS / 2 + 10],
        )
      }
      await client.query('analyze price_records')
    })
    const rowsLeft = () =>
      asAdministrator(folder, async (client) => {
        const { rows } = await client.query('select count(*)::int as count from price_records')
        return Number(rows[0]?.count)
      })
    const pricing = {
      channel_id: 1,
      currency_code: 'USD',
      customer_group_id: 1,
      items: goods(10, 0).map((_, i) => ({ product_id: i + 1 })),
    }
    let isOn = true
    let isDeleted = false
    const times: number[] = []
    /** Prices are those of the list, or those of the catalog; after the deletion was answered always the latter. */
    const reader = async () => {
      while (isOn) {
        const after = isDeleted
        const reply = await call('POST', '/pricing/products', pricing).catch(() => sleep(20).then(() => undefined))
        if (reply?.status !== 200) continue
        const shown = new Set(
          reply.body.data.map((one: { calculated_price: { as_entered: number } }) => one.calculated_price.as_entered),
        )
        expect([...shown]).toEqual(after ? [20] : [expect.toBeOneOf([5, 20])])
      }
    }
    const neighbour = async () => {
      while (isOn) {
        const theirs = clientOf(server, other, 1)
        const reply = await theirs('GET', '/pricelists').catch(() => sleep(20).then(() => undefined))
        if (reply?.status === 200) times.push(reply.ms)
      }
    }
    const readers = Promise.all([reader(), reader(), neighbour()])
    await sleep(500)
    const alone = percentile(times.splice(0), 0.99)
    expect((await call('DELETE', '/pricelists/1')).status).toBe(204)
    isDeleted = true
    expect((await call('GET', '/pricelists/1/records')).status).toBe(404)
    expect((await v2('DELETE', `/currencies/${currency.id}`)).status).toBe(204)
    expect((await call('GET', '/pricelists/2/records')).body.data).toEqual([])
    expect((await v2('DELETE', '/customer_groups/1')).status).toBe(204)
    expect((await call('GET', '/pricelists/assignments')).body.data).toEqual([])
    const seen: number[] = []
    for (let round = 0; round < KILLS; round++) {
      await sleep(Math.random() * sized(2_000, 0))
      process.kill(server.pid, 'SIGKILL')
      await server.ended
      server = await restartServer(folder, {}, atEnd)
      seen.push(await rowsLeft())
      call = clientOf(server, shop)
      await hasten(folder)
    }
    await until('all records are deleted', async () => (await rowsLeft()) === 0, sized(600_000, 120_000))
    isOn = false
    await readers
    const orphans = await asAdministrator(folder, (client) => client.query('select 1 from price_record_sets'))
    expect(orphans.rows.length).toBeLessThanOrEqual(1)
    const p99 = `p99 of another store ${alone.toFixed(0)} ms before, ${percentile(times, 0.99).toFixed(0)} ms meanwhile`
    figure('C-131', `${RECORDS} records, ${KILLS} kills with ${seen.join(', ')} rows left; none stays; ${p99}`)
  },
)
