import { randomUUID, timingSafeEqual } from 'node:crypto'
import t from 'typebox'
import { Value } from 'typebox/value'
import { type Db, prepared, type Tx } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { enqueue } from '../../../core/jobs/enqueue.ts'
import { task } from '../../../core/jobs/task.ts'
import type { PortOutcome } from '../../../core/net/ports.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import {
  approved,
  declined,
  type FollowUpCall,
  type Gateway,
  type GatewayEvent,
  type GatewayResult,
  type Instrument,
  type Money,
  type Operation,
  PAYMENT_CODES,
  type PaymentCall,
  refused,
  type StatusQuery,
  type VaultedCard,
} from './gateway.ts'

// A gateway for tests. It takes no money, and decides by the number of the card and the last two digits of the amount
// (docs/contract/payments.md section 6). Like a provider it keeps its own entries, in the store's database and in its own transactions: each key
// has one entry, and tests can compare the entries with the state of the server.

export const TEST_GATEWAY = 'testgateway'

/** Capabilities that an operator can switch off. */
export const TestOptions = t.Object(
  { partialRefund: t.Boolean({ default: true }), multipleRefunds: t.Boolean({ default: true }) },
  { additionalProperties: false },
)

/** Cards that are approved. The others are declined with their code; unknown cards fail verification. */
const GOOD_CARDS = ['4111111111111111', '4242424242424242']
const BAD_CARDS: Readonly<Record<string, readonly [code: number, message: string]>> = {
  '4000000000000002': [PAYMENT_CODES.issuerRefused, 'The card was declined by the test gateway.'],
  '4000000000009995': [PAYMENT_CODES.insufficientFunds, 'The card has insufficient funds.'],
  '4000000000000069': [PAYMENT_CODES.expiredCard, 'The card has expired.'],
}
const UNKNOWN_CARD = declined(PAYMENT_CODES.verificationFailed, 'The test gateway does not know this card.')

/** The last two digits of an amount that decide its outcome. */
const CAPTURE_DECLINES = 51
const VOID_REFUSED = 52
const REFUND_DECLINES = 53
const APPROVES_LATER = 61
const DECLINES_LATER = 62
const ANSWER_IS_LOST = 63
const HELD_THEN_APPROVED = 64
const HELD_THEN_DECLINED = 65

const LATER_MS = 2_000
/** The prefix of references to stored cards. The last four digits follow. */
const VAULT_PREFIX = 'test-card-'

/** An entry of the test gateway. */
interface Entry {
  key: string
  id: string
  operation: Operation
  parent: string
  amount_minor: number
  currency: string
  outcome: GatewayResult['outcome']
  code: number
  message: string
  settles_as: 'approved' | 'declined'
  is_settled: boolean
}

/** Sends the callback of the test gateway, which the server processes like any other callback. */
export const testCallbackTask = task('call_back_for_testgateway', t.Object({ key: t.String() }), {
  maxMs: 30_000,
  retryDelay: (failures) => (failures < 10 ? 1_000 * failures : undefined),
})

/** The hundredths of an amount: 63 for 10.63 and 10.630, 0 for whole numbers. */
export const hundredths = ({ amountMinor, decimals }: Money): number =>
  Number((BigInt(amountMinor) * 100n) / 10n ** BigInt(decimals)) % 100

/** Decides a payment. Pure. */
export function decidePayment(money: Money, instrument: Instrument): GatewayResult {
  const refusal = refusalOf(instrument)
  if (refusal) return refusal
  const ending = hundredths(money)
  // A test payment of the server is always approved.
  if (instrument.type === 'none') return approved('')
  if (ending === APPROVES_LATER || ending === DECLINES_LATER) {
    return { ...approved(''), outcome: 'pending', message: 'The answer comes later.' }
  }
  if (ending === HELD_THEN_APPROVED || ending === HELD_THEN_DECLINED) {
    return { ...approved(''), outcome: 'review', message: 'The test gateway reviews the payment.' }
  }
  return approved('')
}

function refusalOf(instrument: Instrument): GatewayResult | undefined {
  if (instrument.type === 'none') return undefined
  const bare = numberOf(instrument)
  if (bare === undefined || GOOD_CARDS.includes(bare)) return undefined
  const [code, message] = BAD_CARDS[bare] ?? []
  return code === undefined || message === undefined ? UNKNOWN_CARD : declined(code, message)
}

/** The number of a card. A stored card is found by its last four digits. Other instruments have no number and are approved. */
function numberOf(instrument: Instrument): string | undefined {
  if (instrument.type === 'card') return instrument.number.replaceAll(/[ -]/g, '')
  if (instrument.type !== 'stored_card') return undefined
  const last4 = instrument.reference.replace(VAULT_PREFIX, '')
  return GOOD_CARDS.find((number) => number.endsWith(last4)) ?? ''
}

/**
 * Decides a capture, void or refund by its parent entry and the earlier children of that. Pure.
 * @param children approved entries with the same parent
 */
export function decideFollowUp(
  { operation, ...money }: Money & { operation: Operation },
  parent: Pick<Entry, 'operation' | 'outcome' | 'amount_minor' | 'currency'> | undefined,
  children: readonly Pick<Entry, 'operation' | 'amount_minor'>[],
  options: Readonly<{ partialRefund: boolean; multipleRefunds: boolean }>,
): GatewayResult {
  if (parent?.outcome !== 'approved' || parent.currency !== money.currency) {
    return declined(PAYMENT_CODES.invalid, 'The test gateway has no such payment.')
  }
  const ending = hundredths(money)
  const taken = children.reduce((sum, { amount_minor }) => sum + amount_minor, 0)
  if (operation === 'refund') {
    const isTaken = parent.operation === 'purchase' || parent.operation === 'capture'
    if (!isTaken) return declined(PAYMENT_CODES.invalid, 'Only purchases and captures can be refunded.')
    if (ending === REFUND_DECLINES) {
      return declined(PAYMENT_CODES.issuerRefused, 'Refund was declined by the test gateway')
    }
    if (taken + money.amountMinor > parent.amount_minor) {
      return declined(PAYMENT_CODES.invalid, 'The refund is greater than the payment.')
    }
    if (!options.partialRefund && money.amountMinor < parent.amount_minor) {
      return declined(PAYMENT_CODES.invalid, 'Only the whole payment can be refunded.')
    }
    if (!options.multipleRefunds && children.length > 0) {
      return declined(PAYMENT_CODES.invalid, 'A payment can be refunded once.')
    }
    return approved('')
  }
  if (parent.operation !== 'authorize' || children.length > 0) {
    return declined(PAYMENT_CODES.revoked, 'This authorization was captured or voided already.')
  }
  if (operation === 'capture') {
    if (ending === CAPTURE_DECLINES)
      return declined(PAYMENT_CODES.issuerRefused, 'Capture was declined by the test gateway')
    if (money.amountMinor > parent.amount_minor)
      return declined(PAYMENT_CODES.invalid, 'The capture is greater than the authorization.')
    return approved('')
  }
  if (ending === VOID_REFUSED) return declined(PAYMENT_CODES.issuerRefused, 'Void was refused by the test gateway')
  return approved('')
}

/**
 * Opens the test gateway of a store. A call inside a transaction of `db` joins it; otherwise it has its own.
 * @param options those of the provider; missing ones are on
 * @param occur lets a fault of the gateway occur
 */
export function testGateway(
  db: Db,
  options: unknown,
  secrets: Pick<Secrets, 'linkSignature'>,
  occur: () => Promise<PortOutcome | undefined> = async () => undefined,
): Gateway {
  const settled = Value.Default(TestOptions, Value.Clone(options))
  const rules = Value.Check(TestOptions, settled) ? settled : { partialRefund: true, multipleRefunds: true }
  const pay = async (operation: Operation, call: PaymentCall) => {
    const request = { ...moneyOf(call), operation, key: call.idempotencyKey, parent: '' }
    const result = await writeOrFail(db, request, await occur(), async () => decidePayment(call, call.instrument))
    const vaulted = call.saves && result.outcome === 'approved' ? vaultedCard(call.instrument) : undefined
    return vaulted ? { ...result, vaulted } : result
  }
  const follow = async (operation: Operation, call: FollowUpCall) => {
    const request = { ...moneyOf(call), operation, key: call.idempotencyKey, parent: call.reference }
    return writeOrFail(db, request, await occur(), async (tx) => {
      const parent = await lockEntry(tx, call.reference)
      return decideFollowUp(request, parent, await approvedOf(tx, call.reference), rules)
    })
  }
  return {
    id: TEST_GATEWAY,
    name: 'Test Payment Gateway',
    capabilities: {
      delayedCapture: true,
      void: true,
      refund: true,
      partialRefund: rules.partialRefund,
      multipleRefunds: rules.multipleRefunds,
      asyncResults: true,
      storedInstruments: ['stored_card'],
      currencies: undefined,
      settlementDelaySeconds: 0,
    },
    authorize: (call) => pay('authorize', call),
    purchase: (call) => pay('purchase', call),
    capture: (call) => follow('capture', call),
    void: (call) => follow('void', call),
    refund: (call) => follow('refund', call),
    async fetchStatus({ idempotencyKey }: StatusQuery) {
      const entry = await db.transaction((tx) => tx.maybeRow<Entry>(entries(tx, sql`key = ${idempotencyKey}`)))
      return entry && resultOf(entry)
    },
    async parseCallback(headers, rawBody) {
      return eventsOf(db, String(headers[SIGNATURE] ?? ''), rawBody, secrets)
    },
  }
}

const moneyOf = ({ amountMinor, currency, decimals }: Money): Money => ({ amountMinor, currency, decimals })

/** A request for an entry. */
interface EntryRequest extends Money {
  operation: Operation
  key: string
  /** The id of the entry that it follows; empty for a payment. */
  parent: string
}

/** A lost answer: the entry is stored. */
class LostAnswer extends Error {
  constructor() {
    super('The test gateway lost its answer.')
    this.name = 'LostAnswer'
  }
}

/**
 * Stores an entry, unless a fault prevents it: a call that times out has not arrived. A declined or pending result replaces an approved
 * one.
 * @throws LostAnswer also for a fault that loses the answer of a stored entry
 */
async function writeOrFail(
  db: Db,
  request: EntryRequest,
  fault: PortOutcome | undefined,
  decide: (tx: Tx) => Promise<GatewayResult>,
): Promise<GatewayResult> {
  if (fault === 'timed_out') throw new LostAnswer()
  const result = await write(db, request, async (tx) => {
    const decided = await decide(tx)
    if (decided.outcome !== 'approved') return decided
    if (fault === 'declined')
      return declined(PAYMENT_CODES.issuerRefused, 'A fault of this test store declines the call.')
    if (fault === 'pending') return { ...decided, outcome: 'pending', message: 'The answer comes later.' }
    return decided
  })
  if (fault === 'answer_lost') throw new LostAnswer()
  return result
}

/**
 * Stores one entry for each key. A second call gets the result of the first.
 * @throws LostAnswer at the first call with an amount that demands it
 */
async function write(
  db: Db,
  request: EntryRequest,
  decide: (tx: Tx) => Promise<GatewayResult>,
): Promise<GatewayResult> {
  const { operation, parent, key, amountMinor, currency } = request
  const { result, isNew } = await db.transaction(async (tx) => {
    const before = await tx.maybeRow<Entry>(entries(tx, sql`key = ${key}`))
    if (before) return { result: repeatedResult(before, request), isNew: false }
    const { outcome, code, message } = await decide(tx)
    const entry: Omit<Entry, 'is_settled'> = {
      key,
      id: `test_${randomUUID().replaceAll('-', '')}`,
      operation,
      parent,
      amount_minor: amountMinor,
      currency,
      outcome,
      code,
      message,
      settles_as: [DECLINES_LATER, HELD_THEN_DECLINED].includes(hundredths(request)) ? 'declined' : 'approved',
    }
    const [written] = await tx.rows(
      prepared(sql`
        insert into testgateway_entries (store_id, key, id, operation, parent, amount_minor, currency, outcome, code, message,
          settles_as, settles_at, created_at)
        values (${tx.store.id}, ${key}, ${entry.id}, ${operation}, ${parent}, ${amountMinor}, ${currency}, ${outcome}, ${code},
          ${message}, ${entry.settles_as}, ${tx.present} + ${LATER_MS} * interval '1 ms', ${tx.now})
        on conflict (store_id, key) do nothing returning key`),
    )
    if (!written) {
      // Another process has stored the same request at the same time.
      return { result: repeatedResult(await tx.row<Entry>(entries(tx, sql`key = ${key}`)), request), isNew: false }
    }
    if (isWaiting({ outcome })) {
      await enqueue(tx, testCallbackTask, { payload: { key }, dueAt: new Date(tx.now.getTime() + LATER_MS) })
    }
    return { result: resultOf({ ...entry, is_settled: false }), isNew: true }
  })
  const isLost = isNew && result.outcome === 'approved' && hundredths(request) === ANSWER_IS_LOST
  if (isLost) throw new LostAnswer()
  return result
}

/** The result of an entry, or a refusal if its key is used for another request. */
const repeatedResult = (entry: Entry, { operation, amountMinor, currency }: EntryRequest): GatewayResult =>
  entry.operation === operation && entry.amount_minor === amountMinor && entry.currency === currency
    ? resultOf(entry)
    : refused(PAYMENT_CODES.invalid, 'This key was used for another request.')

const isWaiting = ({ outcome }: Pick<Entry, 'outcome'>) => outcome === 'pending' || outcome === 'review'

/** The result of an entry. One that waited has its final result after it was settled. */
function resultOf({ id, outcome, code, message, settles_as, is_settled }: Omit<Entry, 'key'>): GatewayResult {
  if (!isWaiting({ outcome }) || !is_settled) {
    return { outcome, gatewayTransactionId: id, code, message, retryable: false }
  }
  if (settles_as === 'approved') return approved(id)
  return declined(PAYMENT_CODES.issuerRefused, 'The card was declined by the test gateway.', id)
}

const entries = (tx: Tx, which: Sql) => sql`
  select key, id, operation, parent, amount_minor, currency, outcome, code, message, settles_as,
    settles_at <= ${tx.present} as is_settled
  from testgateway_entries where store_id = ${tx.store.id} and ${which}`

/** Lets pending payments settle earlier. @param ms milliseconds by which the clock of the store moves on */
export async function advanceTestGateway(tx: Tx, ms: number) {
  await tx.rows(sql`
    update testgateway_entries set settles_at = settles_at - ${ms} * interval '1 millisecond'
    where store_id = ${tx.store.id} and settles_at > ${tx.present}`)
}

/** Locks the parent of a capture, void or refund, so that they follow each other. */
async function lockEntry(tx: Tx, id: string): Promise<Entry | undefined> {
  const entry = await tx.maybeRow<Entry>(sql`${entries(tx, sql`id = ${id}`)} for update`)
  return entry && { ...entry, outcome: resultOf(entry).outcome }
}

const approvedOf = (tx: Tx, parent: string) =>
  tx.rows<Entry>(entries(tx, sql`parent = ${parent} and outcome = 'approved'`))

function vaultedCard(instrument: Instrument): VaultedCard | undefined {
  if (instrument.type !== 'card') return undefined
  const bare = numberOf(instrument) ?? ''
  const { expiry_month, expiry_year } = instrument
  const last_4 = bare.slice(-4)
  // All cards that it approves are of this brand.
  const brand = 'VISA'
  const issuer_identification_number = bare.slice(0, 6)
  return {
    reference: `${VAULT_PREFIX}${last_4}`,
    brand,
    expiry_month,
    expiry_year,
    issuer_identification_number,
    last_4,
  }
}

const SIGNATURE = 'x-testgateway-signature'
const Callback = t.Object({
  event_id: t.String(),
  key: t.String(),
  id: t.String(),
  outcome: t.Enum(['approved', 'declined']),
  code: t.Integer(),
  message: t.String(),
})

const sign = ({ store }: Db, body: string, secrets: Pick<Secrets, 'linkSignature'>) =>
  secrets.linkSignature(`testgateway callback ${store.hash} ${body}`)

/**
 * The callback about an entry, as the gateway sends it.
 * @returns undefined while the entry waits
 */
export async function callbackOf(db: Db, key: string, secrets: Pick<Secrets, 'linkSignature'>) {
  const entry = await db.transaction((tx) => tx.maybeRow<Entry>(entries(tx, sql`key = ${key}`)))
  if (!entry?.is_settled) return undefined
  const { outcome, code, message } = resultOf(entry)
  const body = JSON.stringify({ event_id: `event_${entry.id}`, key, id: entry.id, outcome, code, message })
  return { headers: { [SIGNATURE]: sign(db, body, secrets) }, body: Buffer.from(body) }
}

function eventsOf(
  db: Db,
  signature: string,
  rawBody: Buffer,
  secrets: Pick<Secrets, 'linkSignature'>,
): GatewayEvent[] | undefined {
  const body = rawBody.toString()
  const [received, expected] = [Buffer.from(signature), Buffer.from(sign(db, body, secrets))]
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return undefined
  const event: unknown = JSON.parse(body)
  if (!Value.Check(Callback, event)) return undefined
  const { event_id, key, id, ...rest } = event
  return [{ eventId: event_id, idempotencyKey: key, gatewayTransactionId: id, ...rest }]
}
