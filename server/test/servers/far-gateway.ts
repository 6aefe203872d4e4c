import { randomUUID } from 'node:crypto'
import t from 'typebox'
import { Value } from 'typebox/value'
import type { Db } from '../../core/db/database.ts'
import {
  approved,
  declined,
  type FollowUpCall,
  type Gateway,
  type GatewayEvent,
  type GatewayResult,
  type Operation,
  PAYMENT_CODES,
  type PaymentCall,
  type StatusQuery,
  unavailable,
} from '../../sales/payments/gateways/gateway.ts'
import { Gateways } from '../../sales/payments/gateways.ts'

// A gateway that keeps its book in memory and treats each call as a test has planned for its order. It stands for a
// provider whose answers are late, lost or later contradicted.

/**
 * The fate of a call. `lost` makes it and loses the answer. `dropped` never sees it. `late` sees it only when the test
 * says so, and denies it until then. `busy` refuses it for the moment.
 */
export const BEHAVIOURS = ['approve', 'decline', 'pending', 'review', 'lost', 'dropped', 'late', 'busy'] as const
export type Behaviour = (typeof BEHAVIOURS)[number]

interface Entry {
  key: string
  id: string
  orderId: number
  operation: Operation
  parent: string
  amountMinor: number
  outcome: 'approved' | 'declined' | 'pending' | 'review'
  /** A call that has not arrived yet: the gateway denies it. */
  isLate: boolean
}

const Callback = t.Object({
  eventId: t.String(),
  idempotencyKey: t.String(),
  gatewayTransactionId: t.String(),
  outcome: t.Enum(['approved', 'declined']),
  code: t.Integer(),
  message: t.String(),
})

const resultOf = ({ id, outcome }: Entry): GatewayResult =>
  outcome === 'declined'
    ? declined(PAYMENT_CODES.issuerRefused, 'The far gateway declined.', id)
    : { ...approved(id), outcome }

/** The far gateway of one store. */
export class FarGateway implements Gateway {
  readonly id = 'stripe'
  readonly name = 'Far away'
  readonly capabilities: Gateway['capabilities'] = {
    delayedCapture: true,
    void: true,
    refund: true,
    partialRefund: true,
    multipleRefunds: true,
    asyncResults: true,
    storedInstruments: [],
    currencies: undefined,
    settlementDelaySeconds: 0,
  }
  readonly #book = new Map<string, Entry>()
  readonly #plans = new Map<number, Behaviour>()

  /** Plans the fate of the next call of an order. Without a plan it is approved, if the book allows it. */
  plan(orderId: number, behaviour: Behaviour) {
    this.#plans.set(orderId, behaviour)
  }

  entriesOf(orderId: number): Entry[] {
    return [...this.#book.values()].filter((entry) => entry.orderId === orderId)
  }

  authorize = (call: PaymentCall) => this.#pay('authorize', call)
  purchase = (call: PaymentCall) => this.#pay('purchase', call)
  capture = (call: FollowUpCall) => this.#follow('capture', call)
  void = (call: FollowUpCall) => this.#follow('void', call)
  refund = (call: FollowUpCall) => this.#follow('refund', call)

  async fetchStatus({ idempotencyKey }: StatusQuery) {
    const entry = this.#book.get(idempotencyKey)
    return entry && !entry.isLate ? resultOf(entry) : undefined
  }

  async parseCallback(_: Readonly<Record<string, unknown>>, rawBody: Buffer): Promise<readonly GatewayEvent[]> {
    return [Value.Parse(Callback, JSON.parse(rawBody.toString()))]
  }

  /** Decides the pending calls of an order. @returns the callbacks that report it */
  decide(orderId: number, outcome: 'approved' | 'declined'): Buffer[] {
    const waiting = this.entriesOf(orderId).filter((one) => one.outcome === 'pending' || one.outcome === 'review')
    for (const entry of waiting) entry.outcome = outcome
    return waiting.filter(({ isLate }) => !isLate).map(callbackOf)
  }

  /** Lets delayed calls arrive. @returns the callbacks that report it */
  arrive(orderId: number): Buffer[] {
    const late = this.entriesOf(orderId).filter(({ isLate }) => isLate)
    for (const entry of late) entry.isLate = false
    return late.map(callbackOf)
  }

  /** Has the bank send approved refunds back. @returns the callbacks that report it */
  bounce(orderId: number): Buffer[] {
    const [entry] = this.entriesOf(orderId).filter((one) => one.operation === 'refund' && one.outcome === 'approved')
    if (!entry) return []
    entry.outcome = 'declined'
    return [callbackOf(entry)]
  }

  #pay(operation: Operation, call: PaymentCall): Promise<GatewayResult> {
    return this.#write(operation, call, { orderId: call.orderId, parent: '', isAllowed: true })
  }

  #follow(operation: Operation, call: FollowUpCall): Promise<GatewayResult> {
    const parent = [...this.#book.values()].find(({ id }) => id === call.reference)
    if (!parent) return Promise.resolve(declined(PAYMENT_CODES.invalid, 'The far gateway has no such payment.'))
    const children = [...this.#book.values()].filter(
      (one) => one.parent === parent.id && one.outcome !== 'declined' && one.key !== call.idempotencyKey,
    )
    const taken = children.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
    const isAllowed =
      parent.outcome === 'approved' &&
      (operation === 'refund'
        ? parent.operation !== 'authorize' && taken + call.amountMinor <= parent.amountMinor
        : parent.operation === 'authorize' && children.length === 0)
    return this.#write(operation, call, { orderId: parent.orderId, parent: parent.id, isAllowed })
  }

  async #write(
    operation: Operation,
    { idempotencyKey: key, amountMinor }: Pick<PaymentCall, 'idempotencyKey' | 'amountMinor'>,
    { orderId, parent, isAllowed }: { orderId: number; parent: string; isAllowed: boolean },
  ): Promise<GatewayResult> {
    const before = this.#book.get(key)
    if (before && !before.isLate) return resultOf(before)
    const how = this.#plans.get(orderId) ?? 'approve'
    this.#plans.delete(orderId)
    if (how === 'busy') return unavailable('The far gateway is busy.')
    if (how === 'dropped') throw new Error('It never came.')
    const outcome =
      how === 'decline' || !isAllowed ? 'declined' : how === 'pending' || how === 'review' ? how : 'approved'
    const isLate = how === 'late' && parent === ''
    const entry = { key, id: `far_${randomUUID()}`, orderId, operation, parent, amountMinor, outcome, isLate } as const
    this.#book.set(key, { ...entry })
    if (how === 'lost' || isLate) throw new Error('Its answer never came.')
    return resultOf(entry)
  }
}

function callbackOf(entry: Entry): Buffer {
  const { outcome, code, message } = resultOf(entry)
  const event = {
    eventId: randomUUID(),
    idempotencyKey: entry.key,
    gatewayTransactionId: entry.id,
    outcome,
    code,
    message,
  }
  return Buffer.from(JSON.stringify(event))
}

/** The gateways of a server. The provider stripe of one store is a far gateway. */
export class FarGateways extends Gateways {
  readonly #storeId: number
  readonly #far: FarGateway

  constructor(parts: Pick<Gateways, 'secrets'>, storeId: number, far: FarGateway) {
    super(parts)
    this.#storeId = storeId
    this.#far = far
  }

  override open(db: Db, provider: Parameters<Gateways['open']>[1]): Promise<Gateway> {
    const isFar = provider.gateway === this.#far.id && db.store.id === this.#storeId
    return isFar ? Promise.resolve(this.#far) : super.open(db, provider)
  }
}
