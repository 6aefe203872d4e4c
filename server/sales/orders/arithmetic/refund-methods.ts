import { amountOf, smaller, sumOf, type Units, unitsOf } from '../../../core/money/units.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'

/** Money that an order received by one way: a gateway, store credit, a gift certificate, or outside of this server. */
export interface Tender {
  provider_id: string
  captured: Units
  /** What was given back to it; declined payments don't count. */
  refunded: Units
  /** Why the gateway can't give this amount back by itself; undefined if it can. @param amount to be given back */
  whyOffline?(amount: Units): string | undefined
}

/** One of the payments of a way to give money back. */
export interface PaymentOption {
  provider_id: string
  amount: Units
  offline: boolean
  offline_provider: boolean
  offline_reason: string
}

export interface Paid {
  tenders: readonly Tender[]
  /** Whether the customer has an account that can hold store credit, in the currency of the order. */
  mayHaveStoreCredit: boolean
}

/** Providers that settle outside of this server. */
const OFFLINE_PROVIDERS: ReadonlySet<string> = new Set([
  'cod',
  'cheque',
  'moneyorder',
  'bankdeposit',
  'instore',
  'custom',
])
export const isOfflineProvider = (provider_id: string): boolean => OFFLINE_PROVIDERS.has(provider_id)

export const STORE_CREDIT_PROVIDER = 'storecredit'
export const GIFT_CERTIFICATE_PROVIDER = 'giftcertificate'
const OFFLINE = 'This is an offline payment provider.'
const SECOND_GATEWAY = 'Only one gateway can be refunded online at a time.'

/** The order in which original tenders get their money back: the outside source first. */
const rank = ({ provider_id }: Tender) =>
  provider_id === STORE_CREDIT_PROVIDER ? 2 : provider_id === GIFT_CERTIFICATE_PROVIDER ? 1 : 0

/**
 * The ways in which an amount can be given back; of each way all payments are made (docs/contract/refunds.md section 3). Pure.
 * @param total more than 0
 */
export function refundMethods({ tenders, mayHaveStoreCredit }: Paid, total: Units): PaymentOption[][] {
  const methods = [
    ...(mayHaveStoreCredit ? [[online(STORE_CREDIT_PROVIDER, total)]] : []),
    [offline('custom', total, OFFLINE, true)],
    originalMethod(tenders, total),
  ]
  const isNew = (method: PaymentOption[], i: number) =>
    method.length > 0 &&
    methods.findIndex((other) => JSON.stringify(other, asText) === JSON.stringify(method, asText)) === i
  return methods.filter(isNew)
}

const asText = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

/** Back to where the money came from; nothing if that was less. */
function originalMethod(tenders: readonly Tender[], total: Units): PaymentOption[] {
  let [left, hasGateway] = [total, false]
  const options: PaymentOption[] = []
  for (const tender of tenders.toSorted((one, other) => rank(one) - rank(other))) {
    const held = tender.captured - tender.refunded
    const amount = smaller(held, left)
    if (amount <= 0n) continue
    const option = optionOf(tender, amount, hasGateway)
    hasGateway ||= rank(tender) === 0 && !option.offline
    options.push(option)
    left -= amount
  }
  return left > 0n ? [] : options
}

function optionOf(tender: Tender, amount: Units, hasGateway: boolean): PaymentOption {
  const { provider_id } = tender
  if (isOfflineProvider(provider_id)) return offline(provider_id, amount, OFFLINE, true)
  const reason = tender.whyOffline?.(amount) ?? (hasGateway && rank(tender) === 0 ? SECOND_GATEWAY : undefined)
  return reason === undefined ? online(provider_id, amount) : offline(provider_id, amount, reason, false)
}

const online = (provider_id: string, amount: Units): PaymentOption => ({
  provider_id,
  amount,
  offline: false,
  offline_provider: false,
  offline_reason: '',
})

const offline = (provider_id: string, amount: Units, offline_reason: string, isProvider: boolean): PaymentOption => ({
  provider_id,
  amount,
  offline: true,
  offline_provider: isProvider,
  offline_reason,
})

/** A payment as a request for a refund names it. */
export interface WantedPayment {
  provider_id: string
  amount: number
  offline?: boolean
}

/** What a refund is refused with whose payments are not those of one method. */
export const NO_SUCH_METHOD = 'Refund payments do not match an available refund method'
export const NO_CREDIT_FOR_GUESTS = 'Unable to provide store credit for a guest customer.'

/**
 * What is wrong with the payments of a refund: they must be all those of one method. Pure.
 * @param methods as `refundMethods` gives them
 */
export function paymentMistakes(
  { mayHaveStoreCredit }: Paid,
  methods: readonly (readonly PaymentOption[])[],
  payments: readonly WantedPayment[],
): Mistakes {
  if (!mayHaveStoreCredit && payments.length === 1 && payments[0]?.provider_id === STORE_CREDIT_PROVIDER) {
    const wasPaidSo = methods.some((method) => method.some(({ provider_id }) => provider_id === STORE_CREDIT_PROVIDER))
    if (!wasPaidSo) return { payments: NO_CREDIT_FOR_GUESTS }
  }
  if (methods.some((method) => isPaidBy(method, payments))) return {}
  const quoted = methods.map((method) =>
    method.map(({ provider_id, amount }) => `${provider_id} ${amountOf(amount)}`).join(' and '),
  )
  return { payments: `${NO_SUCH_METHOD}: ${quoted.join(', or ')}.` }
}

/** A payment that could be made online may be booked as made outside, but not the other way. */
function isPaidBy(method: readonly PaymentOption[], payments: readonly WantedPayment[]): boolean {
  if (method.length !== payments.length) return false
  if (sumOf(payments.map(({ amount }) => unitsOf(amount))) === 0n) return false
  const left = [...payments]
  return method.every((option) => {
    const at = left.findIndex(
      ({ provider_id, amount, offline = false }) =>
        provider_id === option.provider_id && unitsOf(amount) === option.amount && (offline || !option.offline),
    )
    if (at >= 0) left.splice(at, 1)
    return at >= 0
  })
}
