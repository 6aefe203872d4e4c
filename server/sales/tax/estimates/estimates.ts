import { createHash } from 'node:crypto'
import type { Clock } from '../../../core/clock.ts'
import type { Db } from '../../../core/db/database.ts'
import { Breaker } from '../../../core/net/breaker.ts'
import type { ServiceClient } from '../../../core/net/service-client.ts'
import { Problem } from '../../../core/rest/problem.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { ConcurrencyLimit } from '../../../stores/quotas/concurrency-limit.ts'
import { callTaxProvider } from '../providers/client.ts'
import { recordTaxFailure, recordTaxRecovery } from '../providers/health.ts'
import type { TaxProvider } from '../providers/providers.ts'
import { readAnswer, type TaxAnswer } from './answer.ts'
import { AnswerMemory } from './answer-memory.ts'
import { digestOf, type TaxDocument } from './document.ts'

/** The calls that wait for the provider of a store at the same time. Others wait for them within their own time. */
const AT_ONCE = 20

/** Why a sale has no answer of its provider. */
type EstimateFailure =
  | 'skipped'
  | 'busy'
  | 'unauthorized'
  | 'refused'
  | 'inconsistent'
  | 'forbidden'
  | 'timeout'
  | 'unreachable'
  | 'unreadable'

export type Estimate = { ok: true; answer: TaxAnswer } | { ok: false; reason: EstimateFailure }

export interface EstimateParts {
  services: ServiceClient
  secrets: Pick<Secrets, 'unseal'>
  clock: Clock
}

/**
 * Asks tax providers for the tax of sales. An answer is kept for ten minutes, and identical requests at the same time are one call. A
 * provider that fails five times within a minute is skipped for half a minute. All of this is per store, so a provider that hangs costs
 * the other stores nothing. Each process has its own memory of answers and failures (docs/decisions/074-answers-of-tax-providers.md).
 */
export class Estimates {
  readonly #parts: EstimateParts
  readonly #answers: AnswerMemory
  readonly #breaker: Breaker
  readonly #running = new Map<string, Promise<Estimate>>()
  /** By the time that a call may take, which the wait for a slot can use up. */
  readonly #slots = new Map<number, ConcurrencyLimit>()

  constructor(parts: EstimateParts) {
    this.#parts = parts
    this.#answers = new AnswerMemory(parts.clock)
    this.#breaker = new Breaker(parts.clock)
  }

  /**
   * Asks the provider, unless its answer is in memory. Never call it in a transaction.
   * @param provider active and configured
   */
  async ask(db: Db, provider: TaxProvider, document: TaxDocument): Promise<Estimate> {
    const key = keyOf(provider, document)
    const kept = this.#answers.find(db.store, key)
    if (kept) return { ok: true, answer: kept }
    const lane = `${db.store.id} ${key}`
    const running = this.#running.get(lane)
    if (running) return running
    const asking = this.#askOnce(db, provider, document, key).finally(() => this.#running.delete(lane))
    this.#running.set(lane, asking)
    return asking
  }

  /** Calls a provider whose connection has changed, even if it failed before. Its answer is not kept. */
  async test(db: Db, provider: TaxProvider, document: TaxDocument): Promise<Estimate> {
    this.#breaker.succeed(laneOf(db, provider))
    const estimate = await this.#callInTurn(db, provider, document)
    await this.#record(db, provider, estimate)
    return estimate
  }

  async #askOnce(db: Db, provider: TaxProvider, document: TaxDocument, key: string): Promise<Estimate> {
    const lane = laneOf(db, provider)
    if (this.#breaker.isOpen(lane)) {
      this.#parts.services.calls.skip('tax_estimate')
      return { ok: false, reason: 'skipped' }
    }
    const estimate = await this.#callInTurn(db, provider, document)
    if (estimate.ok) this.#answers.add(db.store, key, estimate.answer)
    if (estimate.ok) this.#breaker.succeed(lane)
    else if (estimate.reason !== 'busy') this.#breaker.fail(lane)
    await this.#record(db, provider, estimate)
    return estimate
  }

  async #record(db: Db, { provider_id, failing_since }: TaxProvider, estimate: Estimate) {
    if (!estimate.ok && estimate.reason !== 'busy') await recordTaxFailure(db, provider_id, estimate.reason)
    else if (estimate.ok && failing_since !== null) await recordTaxRecovery(db, provider_id)
  }

  async #callInTurn(db: Db, provider: TaxProvider, document: TaxDocument): Promise<Estimate> {
    const began = performance.now()
    const { estimate_ms } = provider
    const slots = this.#slots.get(estimate_ms) ?? new ConcurrencyLimit(AT_ONCE, estimate_ms)
    this.#slots.set(estimate_ms, slots)
    try {
      return await slots.run(db.store, async () => {
        const left = Math.floor(estimate_ms - (performance.now() - began))
        return left < 1 ? { ok: false, reason: 'busy' } : this.#call(db, { ...provider, estimate_ms: left }, document)
      })
    } catch (error) {
      // It waited for a slot as long as its call may take.
      if (error instanceof Problem) return { ok: false, reason: 'busy' }
      throw error
    }
  }

  async #call({ store }: Db, provider: TaxProvider, document: TaxDocument): Promise<Estimate> {
    const { services, secrets } = this.#parts
    const call = { call: 'estimate' as const, store: store.hash, document }
    const outcome = await callTaxProvider(services, provider, call, secrets)
    if (!outcome.ok) return outcome
    if (outcome.status === 401) return { ok: false, reason: 'unauthorized' }
    if (outcome.status !== 200) return { ok: false, reason: 'refused' }
    const answer = readAnswer(document, outcome.body)
    return answer ? { ok: true, answer } : { ok: false, reason: 'inconsistent' }
  }
}

const laneOf = ({ store }: Db, { provider_id }: TaxProvider): string => `${store.id} ${provider_id}`

/** An answer belongs to a document and to a login: after another registration or connection it counts no more. */
function keyOf(provider: TaxProvider, document: TaxDocument): string {
  const { provider_id, urls, username, password, profile } = provider
  return createHash('sha256')
    .update(JSON.stringify([provider_id, urls, username, password, profile, digestOf(document)]))
    .digest('base64url')
}
