import { createHash } from 'node:crypto'
import type { Clock } from '../../../core/clock.ts'
import type { Db } from '../../../core/db/database.ts'
import { ratio, type Units } from '../../../core/money/units.ts'
import { Breaker } from '../../../core/net/breaker.ts'
import type { ServiceClient } from '../../../core/net/service-client.ts'
import { isObject } from '../../../core/objects.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { visibleMetafields } from '../../../shared/metafields/metafields.ts'
import { ConcurrencyLimit } from '../../../stores/quotas/concurrency-limit.ts'
import type { PayingCurrency } from '../../pricing/calculation/price-of.ts'
import { type Consignment, paysByMethod } from '../consignment.ts'
import type { Method } from '../methods-row.ts'
import { type ConnectedCarrier, connectedCarriers } from './carriers.ts'
import { linesOf, logCarrier } from './messages.ts'
import { RateCache } from './rate-cache.ts'
import { keyOfRates, type Measures, parseRates, type Rate, rateBodyOf, ratesOf, ttlOf } from './rates.ts'

// Asks carriers for quotes: those of a zone side by side, 5 s in all. A carrier that doesn't answer in time, or not as agreed, quotes
// nothing, so that the fallback of the zone applies. Answers are kept in the memory of the process.

const ALL_MS = 5_000
const ERROR_SECONDS = 30
/** A failing carrier has one log entry in this time, for any number of carts. */
const LOG_SECONDS = 60
/** Calls at once of a store. The stores have no common bound, so that carriers that hang cost other stores nothing. */
const STORE_CALLS = 8

/** A quote of a carrier, in the currency of the options. */
interface CarrierQuote {
  service: string
  description: string
  additional_description: string
  cost: Units
  transit_time: string
}

/** Quotes by the id of the method that asked for them. A method without an entry got none. */
export type CarrierQuotes = ReadonlyMap<number, readonly CarrierQuote[]>

/** The facts of a store that quotes are made from. */
interface QuoteFacts {
  measures: Measures
  /** The currency of the options. */
  currency: PayingCurrency
  /** All currencies of the store, by code. */
  currencies: ReadonlyMap<string, PayingCurrency>
}

interface Parts {
  services: ServiceClient
  secrets: Pick<Secrets, 'unseal'>
  clock: Clock
}

/** The carriers that a process asks. */
export class CarrierDesk {
  readonly #parts: Parts
  readonly #slots = new ConcurrencyLimit(STORE_CALLS, ALL_MS)
  readonly #breaker: Breaker
  readonly #kept = new RateCache<readonly Rate[]>()
  readonly #logged = new RateCache<true>()
  /** Calls that run. A second request with the same body waits for the first. */
  readonly #running = new Map<string, Promise<readonly Rate[]>>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#breaker = new Breaker(parts.clock)
  }

  /**
   * The quotes for methods of one zone. Never call it in a transaction.
   * @param methods those with the type of a carrier are asked for
   */
  async quotesFor(
    db: Db,
    consignment: Consignment,
    methods: readonly Method[],
    facts: QuoteFacts,
  ): Promise<CarrierQuotes> {
    const types = [...new Set(methods.map(({ type }) => type))]
    const asks = types.length > 0 && consignment.lines.some(paysByMethod)
    const carriers = asks ? await connectedCarriers(db, types) : []
    if (carriers.length === 0) return new Map()
    const deadline = performance.now() + ALL_MS
    const attributes = await visibleMetafields(
      db,
      carriers.map(({ carrier_id }) => namespaceOf(carrier_id)),
      {
        product: consignment.lines.map(({ product_id }) => product_id),
        variant: consignment.lines.map(({ variant_id }) => variant_id),
      },
    )
    const quoted = methods.map(async (method) => {
      const carrier = carriers.find(({ carrier_id }) => carrier_id === method.type)
      if (!carrier) return []
      const account = this.#accountOf(carrier)
      const body = rateBodyOf(consignment, {
        store: db.store.hash,
        account,
        settings: method.settings.carrier_options ?? {},
        measures: facts.measures,
        currency: facts.currency,
        attributes: attributes.filter(({ namespace }) => namespace === namespaceOf(carrier.carrier_id)),
      })
      const rates = await this.#rates(db, { carrier, account, body, deadline })
      const quotes = rates.flatMap((rate) => quoteOf(rate, consignment.currency, facts))
      return quotes.length > 0 ? [[method.id, quotes] as const] : []
    })
    return new Map((await Promise.all(quoted)).flat())
  }

  #accountOf({ connection }: ConnectedCarrier): Record<string, unknown> {
    const account: unknown = JSON.parse(this.#parts.secrets.unseal(connection))
    return isObject(account) ? account : {}
  }

  /** The rates that are kept, or those of a call. */
  #rates(db: Db, call: RateCall): Promise<readonly Rate[]> {
    const { carrier_id, rate_url } = call.carrier
    const key = createHash('sha256')
      .update(JSON.stringify([db.store.id, carrier_id, rate_url, keyOfRates(call.body)]))
      .digest('base64')
    const kept = this.#kept.get(key, this.#now())
    if (kept) return Promise.resolve(kept)
    const running = this.#running.get(key)
    if (running) return running
    const asked = this.#ask(db, call, key).finally(() => this.#running.delete(key))
    this.#running.set(key, asked)
    return asked
  }

  async #ask(db: Db, call: RateCall, key: string): Promise<readonly Rate[]> {
    const { carrier, account } = call
    const lane = `${db.store.id} ${carrier.carrier_id}`
    if (this.#breaker.isOpen(lane)) {
      this.#parts.services.calls.skip('carrier_rate')
      return []
    }
    const answer = await this.#call(db, call)
    // A full queue says nothing of the carrier.
    if (answer === 'busy') return []
    if (typeof answer === 'string') this.#breaker.fail(lane)
    else this.#breaker.succeed(lane)
    const rates = typeof answer === 'string' ? [] : ratesOf(answer, carrier.is_multi ? undefined : carrier.name)
    const seconds = typeof answer === 'string' ? ERROR_SECONDS : ttlOf(answer)
    const bytes = 200 + Buffer.byteLength(JSON.stringify(rates.map((rate) => ({ ...rate, cost: '' }))))
    this.#kept.set(key, { store: db.store.id, bytes, expires: this.#now() + seconds * 1_000, value: rates })
    if (typeof answer === 'string') {
      await this.#log(db, 'errors', `The carrier ${carrier.carrier_id} gave no quotes: ${answer}.`, [])
    } else {
      const quotes = answer.carrier_quotes.flatMap((one) => one.quotes)
      const lines = linesOf(
        [answer, ...quotes].flatMap(({ messages = [] }) => messages),
        account,
      )
      if (lines.length > 0) await this.#log(db, 'warnings', `The carrier ${carrier.carrier_id} has remarks.`, lines)
    }
    return rates
  }

  /** @returns the answer, or the reason why there is none; 'busy' if nothing was sent */
  async #call(db: Db, { carrier, body, deadline }: RateCall) {
    const left = () => Math.ceil(deadline - performance.now())
    const post = async () => {
      if (left() <= 0) return 'busy'
      const outcome = await this.#parts.services.post({
        kind: 'carrier_rate',
        url: carrier.rate_url,
        headers: {},
        body,
        totalMs: Math.min(carrier.rate_ms, left()),
        secret: carrier.secret === '' ? undefined : this.#parts.secrets.unseal(carrier.secret),
      })
      if (!outcome.ok) return outcome.reason
      if (outcome.status !== 200) return `status ${outcome.status}`
      return parseRates(outcome.body) ?? 'unreadable'
    }
    try {
      return await this.#slots.run(db.store, post)
    } catch (error) {
      if (error instanceof Problem) return 'busy'
      throw error
    }
  }

  async #log(db: Db, severity: 'warnings' | 'errors', summary: string, lines: readonly string[]) {
    const key = `${db.store.id} ${summary}`
    if (this.#logged.get(key, this.#now())) return
    const expires = this.#now() + LOG_SECONDS * 1_000
    this.#logged.set(key, { store: db.store.id, bytes: 2 * key.length, expires, value: true })
    await db.transaction((tx) => logCarrier(tx, severity, summary, lines))
  }

  #now = () => this.#parts.clock.now().getTime()
}

/** One request for quotes. */
interface RateCall {
  carrier: ConnectedCarrier
  account: Record<string, unknown>
  body: ReturnType<typeof rateBodyOf>
  /** By `performance.now()`. */
  deadline: number
}

const namespaceOf = (carrier: string) => `shipping_carrier_${carrier}`

/** Converts a rate. @returns none if the store doesn't have its currency */
function quoteOf(
  { currency: code, cost, ...rate }: Rate,
  wanted: string,
  { currency, currencies }: QuoteFacts,
): CarrierQuote[] {
  if (code === wanted) return [{ ...rate, cost }]
  const quoted = currencies.get(code)
  if (!quoted || quoted.rate === 0n) return []
  return [{ ...rate, cost: ratio(cost, currency.rate * quoted.one, currency.one * quoted.rate) }]
}
