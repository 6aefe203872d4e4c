import { amountOf, smaller, sumOf, type Units, unitsOf } from '../../../core/money/units.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'

/** Money that an order received from one provider: a gateway, store credit, a gift certificate, or outside of this server. */
export interface Tender {
  provider_id: string
  captured: Units
  /** The amount that was refunded to it, without declined payments. */
  refunded: Units
  /** The reason why the gateway can't refund an amount by itself; undefined if it can. */
  whyOffline?(amount: Units): string | undefined
}

/** A payment of a refund method. */
export interface PaymentOption {
  provider_id: string
  amount: Units
  offline: boolean
  offline_provider: boolean
  offline_reason: string
}

export interface Paid {
  tenders: readonly Tender[]
  /** Whether the customer can have store credit in the currency of the order. */
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

/** Whether the money of a provider is a balance in this server, so that no gateway is called. */
export const isBalance = (provider_id: string): boolean =>
  provider_id === STORE_CREDIT_PROVIDER || provider_id === GIFT_CERTIFICATE_PROVIDER

const OFFLINE = 'This is an offline payment provider.'
const SECOND_GATEWAY = 'Only one gateway can be refunded online at a time.'

/** The order in which tenders are refunded: gateways first, store credit last. */
const rank = ({ provider_id }: Tender) =>
  provider_id === STORE_CREDIT_PROVIDER ? 2 : provider_id === GIFT_CERTIFICATE_PROVIDER ? 1 : 0

/**
 * Returns the methods to refund an amount. A refund makes all payments of one method (docs/contract/refunds.md section 3). Pure.
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

/** Refunds each tender. Returns no payments if the tenders hold less than the total. */
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

/** A payment in a request for a refund. */
export interface WantedPayment {
  provider_id: string
  amount: number
  offline?: boolean
}

/** The sentence for a refund whose payments match no method. */
export const NO_SUCH_METHOD = 'Refund payments do not match an available refund method'
export const NO_CREDIT_FOR_GUESTS = 'Unable to provide store credit for a guest customer.'

/**
 * Checks that the payments of a refund are all those of one method. Pure.
 * @param methods as `refundMethods` returns them
 */
export function paymentMistakes(
  { mayHaveStoreCredit }: Paid,
  methods: readonly (readonly PaymentOption[])[],
  payments: readonly WantedPayment[],
): Mistakes {
  if (!mayHaveStoreCredit && payments.length === 1 && payments[0]?.provider_id === STORE_CREDIT_PROVIDER) {
    const isOffered = methods.some((method) => method.some(({ provider_id }) => provider_id === STORE_CREDIT_PROVIDER))
    if (!isOffered) return { payments: NO_CREDIT_FOR_GUESTS }
  }
  if (methods.some((method) => isPaidBy(method, payments))) return {}
  const quoted = methods.map((method) =>
    method.map(({ provider_id, amount }) => `${provider_id} ${amountOf(amount)}`).join(' and '),
  )
  return { payments: `${NO_SUCH_METHOD}: ${quoted.join(', or ')}.` }
}

/** An online payment may be recorded as offline, but not the reverse. */
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
