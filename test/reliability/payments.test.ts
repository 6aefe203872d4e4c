import { expect, test } from 'vitest'
import { setCompanion } from '../../server/doors/b2b/tokens/store.ts'
import {
  asAdministrator,
  ask,
  figure,
  inStore,
  newShop,
  type Reply,
  type ServerProcess,
  type Shop,
  sized,
  startTogether,
  until,
  whenFileEnds,
} from './rig.ts'

// Payments of invoices of companies, by 16 clients through two servers, one of which is killed again and again. No receipt is without its
// change of balance, and no change of balance without its receipt (docs/contract/b2b-invoices.md).

const KILLS = sized(50, 2)
const INVOICES = sized(200, 20)
const CLIENTS = 16
/** The requests of a client between two kills. */
const DEEDS = sized(40, 6)
const options = { timeout: sized(7_200_000, 300_000) }
const atEnd = whenFileEnds()

const COMPANIES = 4

const companionAt = (server: ServerProcess, { hash, token }: Shop) => {
  const headers = { 'x-auth-token': token, 'x-store-hash': hash }
  return (method: string, path: string, body?: unknown): Promise<Reply> =>
    ask(server.url, method, `/b2b/api/v3/io${path}`, { body, headers })
}
type Companion = ReturnType<typeof companionAt>

async function must(reply: Promise<Reply>) {
  const { status, body, text } = await reply
  if (status !== 200) throw new Error(text)
  return body.data
}

const random = (below: number) => Math.floor(Math.random() * below)
/** 0.0001 to 40, with four decimals. */
const amount = () => ((1 + random(400_000)) / 10_000).toFixed(4)

interface Books {
  /** The ids of the invoices of each company. */
  invoices: number[][]
  companies: number[]
  /** Payments that a client may change; some are deleted. */
  payments: number[]
}

/** One random change. @returns the request in a word, and its answer */
async function change(call: Companion, { invoices, companies, payments }: Books): Promise<[deed: string, Reply]> {
  const payment = payments[random(payments.length)]
  const kind = payment === undefined ? 0 : random(10)
  if (kind < 4 || payment === undefined) {
    const at = random(COMPANIES)
    const own = invoices[at] ?? []
    const chosen = new Set(Array.from({ length: 1 + random(4) }, () => own[random(own.length)] ?? 0))
    const made = await call('POST', '/ip/payments/offline', {
      lineItems: [...chosen].map((invoiceId) => ({ invoiceId, amount: amount() })),
      currency: 'USD',
      details: {},
      customerId: String(companies[at]),
      processingStatus: 1 + random(3),
    })
    if (made.status === 200) payments.push(Number(made.body.data.paymentId))
    return ['pay', made]
  }
  const path = `/ip/payments/${payment}`
  if (kind < 7) return ['status', await call('PUT', `${path}/processing-status`, { processingStatus: 1 + random(4) })]
  if (kind < 9) return ['operate', await call('POST', `${path}/operations`, { operationCode: random(2) })]
  return ['delete', await call('DELETE', path)]
}

/** The rows that break an invariant. */
const faultsOf = (folder: string) =>
  asAdministrator(folder, async (client) => {
    const { rows } = await client.query(`
      with applied as (
        select line.invoice_id, sum(line.amount) as amount from b2b_payment_lines line
        join b2b_payments payment on payment.store_id = line.store_id and payment.id = line.payment_id
        where payment.applied_status = 1 group by line.invoice_id
      ), receipted as (
        select line.invoice_id, sum(case receipt.transaction_type when 'Paid' then line.amount else -line.amount end) as amount
        from b2b_receipt_lines line
        join b2b_receipts receipt on receipt.store_id = line.store_id and receipt.id = line.receipt_id group by line.invoice_id
      ), waiting as (
        select line.invoice_id, count(*)::int as number from b2b_payment_lines line
        join b2b_payments payment on payment.store_id = line.store_id and payment.id = line.payment_id
        where payment.processing_status in (1, 2) group by line.invoice_id
      )
      select invoice.id, invoice.original_balance, invoice.open_balance, invoice.status, applied.amount as applied,
        receipted.amount as receipted
      from b2b_invoices invoice left join applied on applied.invoice_id = invoice.id
      left join receipted on receipted.invoice_id = invoice.id left join waiting on waiting.invoice_id = invoice.id
      where invoice.open_balance <> invoice.original_balance - coalesce(applied.amount, 0)
        or coalesce(applied.amount, 0) <> coalesce(receipted.amount, 0)
        or invoice.pending_payments <> coalesce(waiting.number, 0)
        or invoice.open_balance < 0
        or invoice.status <> case when invoice.open_balance <= 0 then 2
          when invoice.open_balance < invoice.original_balance then 1 else 0 end`)
    const { rows: mixed } = await client.query(`
      select payment.id from b2b_payments payment
      join b2b_payment_lines line on line.store_id = payment.store_id and line.payment_id = payment.id
      join b2b_invoices invoice on invoice.store_id = line.store_id and invoice.id = line.invoice_id
      where invoice.company_id <> payment.company_id`)
    const { rows: halves } = await client.query(`
      select receipt.id from b2b_receipts receipt where receipt.total <> (
        select coalesce(sum(amount), 0) from b2b_receipt_lines line
        where line.store_id = receipt.store_id and line.receipt_id = receipt.id)`)
    return { rows, mixed, halves }
  })

test(
  'balances, payments and receipts agree after kill -9 in the middle of payments through two servers',
  options,
  async () => {
    const together = await startTogether(atEnd)
    const { folder, at } = together
    const shop = await newShop(folder)
    await inStore(together, shop.hash, (db) => setCompanion(db, true))
    const call = companionAt(at(0), shop)
    const books: Books = { invoices: [], companies: [], payments: [] }
    for (let i = 0; i < COMPANIES; i++) {
      const host = `company${i}.example.com`
      const { companyId } = await must(
        call('POST', '/companies', {
          companyName: `Company ${i}`,
          companyEmail: `office@${host}`,
          companyPhone: '555 1234',
          country: 'Australia',
          adminFirstName: 'Ann',
          adminLastName: 'Lee',
          adminEmail: `ann@${host}`,
        }),
      )
      books.companies.push(companyId)
      const own: number[] = []
      for (let n = 0; n < INVOICES / COMPANIES; n++) {
        const balance = { code: 'USD', value: '100' }
        const made = await must(
          call('POST', '/ip/invoices', {
            invoiceNumber: `INV ${i}-${n}`,
            customerId: String(companyId),
            originalBalance: balance,
            openBalance: balance,
          }),
        )
        own.push(made.id)
      }
      books.invoices.push(own)
    }

    const tally = new Map<string, number>()
    for (let round = 0; round < KILLS; round++) {
      let answered = 0
      const victim = at(round)
      const work = Array.from({ length: CLIENTS }, async (_, client) => {
        const own = companionAt(at(client), shop)
        for (let i = 0; i < DEEDS; i++) {
          // The clients of a dead server get no answer.
          const done = await change(own, books).catch(() => undefined)
          if (!done) {
            tally.set('no answer', (tally.get('no answer') ?? 0) + 1)
            return
          }
          answered++
          const [deed, reply] = done
          // A busy machine refuses some with 503. What they have written is checked below.
          expect([200, 400, 404, 422, 503], reply.text).toContain(reply.status)
          const key = `${deed} ${reply.status}`
          tally.set(key, (tally.get(key) ?? 0) + 1)
        }
      })
      await until('some changes are answered', () => answered > CLIENTS + (round % CLIENTS))
      process.kill(victim.pid, 'SIGKILL')
      await Promise.all(work)
      await victim.ended
      expect(await faultsOf(folder)).toEqual({ rows: [], mixed: [], halves: [] })
      await together.restart(round)
    }
    // Payments of killed requests that were stored have no client that knows them; the books agree all the same.
    const counts = [...tally].map(([outcome, count]) => `${outcome}: ${count}`).join(', ')
    figure('payments', `${KILLS} kills, ${INVOICES} invoices, ${CLIENTS} clients, no difference; ${counts}`)
  },
)
