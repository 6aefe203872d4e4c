import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { amountOf, minorUnit, ratio, type Units, unitsOf } from '../../../core/money/units.ts'
import { Amount, amountReader } from '../../../core/rest/input/amounts.ts'
import type { PayingCurrency } from '../../pricing/calculation/price-of.ts'
import { type Consignment, type ConsignmentItem, paysByMethod } from '../consignment.ts'
import { CarrierMessages } from './messages.ts'

// The request for quotes, and the answer (docs/contract/shipping.md section 4). Pure.

const TTL_DEFAULT_SECONDS = 900
const TTL_MAX_SECONDS = 86_400

const code = t.String({ minLength: 1, maxLength: 50 })
const Money = t.Object({ currency: t.String({ pattern: '^[A-Z]{3}$' }), amount: Amount() })
const Quote = t.Object({
  code,
  display_name: t.String({ maxLength: 100 }),
  cost: Money,
  discounted_cost: t.Optional(Money),
  rate_id: t.Optional(t.String({ maxLength: 50 })),
  description: t.Optional(t.String({ maxLength: 500 })),
  messages: t.Optional(CarrierMessages),
  transit_time: t.Optional(
    t.Object({
      units: t.Enum(['BUSINESS_DAYS', 'DAYS', 'HOURS']),
      duration: t.Integer({ minimum: 1, maximum: 90 }),
    }),
  ),
})
const RateAnswer = t.Object({
  quote_id: t.String({ maxLength: 50 }),
  ttl: t.Optional(t.Integer()),
  messages: t.Optional(CarrierMessages),
  carrier_quotes: t.Array(
    t.Object({
      carrier_info: t.Optional(t.Object({ code, display_name: t.String({ minLength: 1, maxLength: 100 }) })),
      quotes: t.Array(Quote, { maxItems: 50 }),
    }),
    { maxItems: 20 },
  ),
})
type RateAnswer = Static<typeof RateAnswer>

const readAmounts = amountReader(RateAnswer)

/** @returns undefined for a broken answer: one with a negative or huge amount, for example */
export function parseRates(body: unknown): RateAnswer | undefined {
  readAmounts?.(body)
  return Value.Check(RateAnswer, body) ? body : undefined
}

/** How long an answer may be used. */
export const ttlOf = ({ ttl = TTL_DEFAULT_SECONDS }: RateAnswer): number => Math.min(Math.max(ttl, 1), TTL_MAX_SECONDS)

/** A quote as it is kept: in the currency of the carrier. */
export interface Rate {
  /** Identifies the service among all of its carrier. */
  service: string
  description: string
  additional_description: string
  currency: string
  cost: Units
  transit_time: string
}

/** The quotes of an answer. @param name the registered name of a carrier that quotes for itself alone; undefined for a multi carrier */
export function ratesOf({ carrier_quotes }: RateAnswer, name: string | undefined): Rate[] {
  const rates = carrier_quotes.flatMap(({ carrier_info, quotes }) =>
    quotes.map((quote) => {
      const { currency, amount } = quote.discounted_cost ?? quote.cost
      return {
        service: `${carrier_info?.code ?? ''} ${quote.code}`,
        rate_id: quote.rate_id ?? '',
        description:
          name === undefined ? quote.display_name : `${carrier_info?.display_name ?? name} (${quote.display_name})`,
        additional_description: quote.description ?? '',
        currency,
        cost: unitsOf(amount),
        transit_time: transitText(quote),
      }
    }),
  )
  const repeated = new Set(rates.map(({ service }) => service)).size < rates.length
  // Rate ids may differ from answer to answer. They name a service only if codes don't.
  return rates.map(({ rate_id, ...rate }) => (repeated ? { ...rate, service: `${rate.service} ${rate_id}` } : rate))
}

const UNITS_OF_TIME = { BUSINESS_DAYS: 'business day', DAYS: 'day', HOURS: 'hour' } as const

function transitText({ transit_time }: Static<typeof Quote>): string {
  if (!transit_time) return ''
  const { units, duration } = transit_time
  return `${duration} ${UNITS_OF_TIME[units]}${duration === 1 ? '' : 's'}`
}

/** The units in which a store enters weights and lengths. */
export interface Measures {
  weight: string
  length: string
}

/** Carriers get ounces or grams. */
const WEIGHTS: Readonly<Record<string, { units: 'oz' | 'g'; factor: number }>> = {
  LBS: { units: 'oz', factor: 16 },
  Ounces: { units: 'oz', factor: 1 },
  KGS: { units: 'g', factor: 1_000 },
  Grams: { units: 'g', factor: 1 },
  Tonnes: { units: 'g', factor: 1_000_000 },
}

/** The facts of a request beside the consignment. */
export interface RateFacts {
  /** The hash of the store. */
  store: string
  account: Readonly<Record<string, unknown>>
  /** The `carrier_options` of the method. */
  settings: Readonly<Record<string, unknown>>
  measures: Measures
  currency: PayingCurrency
  attributes: readonly ItemAttribute[]
}

/** A metafield of a product or a variant in the namespace of the carrier. */
interface ItemAttribute {
  key: string
  value: string
  namespace: string
  resource_type: 'product' | 'variant'
  resource_id: number
}

export function rateBodyOf(consignment: Consignment, facts: RateFacts) {
  const { origin, destination, customer, cart_id, channel, lines } = consignment
  return {
    base_options: {
      origin: { address_type: 'COMMERCIAL', ...origin },
      destination: { address_type: 'RESIDENTIAL', form_fields: {}, ...destination },
      items: lines.filter(paysByMethod).map((line) => itemOf(line, consignment.currency, facts)),
      customer: {
        customer_id: customer.id,
        customer_groups: customer.group
          ? [{ customer_group_id: customer.group.id, customer_group_name: customer.group.name }]
          : [],
      },
      store_id: facts.store,
      request_context: {
        reference_values: [
          { name: 'cart_id', value: cart_id },
          { name: 'channel_id', value: String(channel) },
        ],
      },
    },
    connection_options: facts.account,
    zone_options: facts.settings,
    rate_options: [],
  }
}

/** The same for every cart: answers are kept by it. */
export function keyOfRates(body: ReturnType<typeof rateBodyOf>): string {
  const { request_context: _, ...others } = body.base_options
  const [, channel] = body.base_options.request_context.reference_values
  return JSON.stringify({ ...body, base_options: others, channel })
}

function itemOf(line: ConsignmentItem, code: string, { measures, currency, attributes }: RateFacts) {
  const { units, factor } = WEIGHTS[measures.weight] ?? { units: 'g', factor: 1 }
  const lengths = measures.length === 'Inches' ? 'in' : 'cm'
  const size = (value: number) => ({ units: lengths, value })
  const money = (amount: Units, share = 1n) => ({
    currency: code,
    amount: amountOf(ratio(amount, currency.rate, currency.one * share, minorUnit(currency.decimals))),
  })
  return {
    sku: line.sku,
    variant_id: String(line.variant_id),
    product_id: String(line.product_id),
    name: line.name,
    length: size(line.length),
    width: size(line.width),
    height: size(line.height),
    weight: { units, value: Number((line.weight * factor).toFixed(4)) },
    discounted_price: money(line.value, BigInt(line.quantity)),
    declared_value: money(line.list_price),
    quantity: line.quantity,
    attributes: attributes
      .filter(({ resource_type, resource_id }) =>
        resource_type === 'product' ? resource_id === line.product_id : resource_id === line.variant_id,
      )
      .map(({ resource_id, ...attribute }) => ({
        ...attribute,
        resource_id: String(resource_id),
        attribute_type: 'metafield',
      })),
  }
}
