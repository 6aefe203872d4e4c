import t, { type Static } from 'typebox'
import type { Db } from '../../../../core/db/database.ts'
import { Answer, answer } from '../../../../core/rest/answer.ts'
import type { Api } from '../../../../core/rest/api.ts'
import { Id } from '../../../../core/rest/input/fields.ts'
import { Meta } from '../../../../core/rest/lists/collection.ts'
import { paging } from '../../../../core/rest/lists/paging.ts'
import { invalid, notFound } from '../../../../core/rest/problem.ts'
import { creditsOf } from '../../../../customers/row/store-credit.ts'
import { currencyPair } from '../../../../shop/channels/currencies/shape.ts'
import { access } from '../../../../stores/accounts/scopes.ts'
import { findCart } from '../../../carts/row/cart.ts'
import type { Gateways } from '../../../payments/gateways.ts'
import { configuredGateways, type Provider, providersAt } from '../../../payments/providers.ts'
import { instrumentsAt, type VaultInstrument } from '../../../payments/vault.ts'
import { anyCanPay } from '../../../promotions/certificate-balance.ts'
import { type OrderRow, orders } from '../../row/rows.ts'
import { findOrder } from '../../writing/archive.ts'
import { dueOf, reasonNotPayable } from '../payable.ts'

// Payment methods of orders (docs/contract/payments.md section 1).

/** The payment_method_id of store credit. The public documentation has another prefix. */
export const STORE_CREDIT_METHOD = 'svc.store_credit'
export const GIFT_CERTIFICATE_METHOD = 'svc.gift_certificate'

const BRANDS = ['VISA', 'MASTERCARD', 'DISCOVER', 'AMEX', 'DINERS_CLUB', 'JCB'] as const

const MethodInstrument = t.Object(
  {
    type: t.Literal('stored_card'),
    token: t.String(),
    is_default: t.Boolean(),
    brand: t.String(),
    expiry_month: t.Integer({ minimum: 1, maximum: 12 }),
    expiry_year: t.Integer(),
    issuer_identification_number: t.String(),
    last_4: t.String(),
  },
  { title: 'PaymentMethodStoredInstrument' },
)
const PaymentMethod = t.Object(
  {
    id: t.String({ description: 'The payment_method_id of payments' }),
    name: t.String(),
    type: t.String(),
    test_mode: t.Boolean(),
    supported_instruments: t.Array(
      t.Object({
        instrument_type: t.Enum([...BRANDS, 'STORED_CARD']),
        verification_value_required: t.Boolean(),
      }),
    ),
    stored_instruments: t.Array(MethodInstrument, { description: 'Those of the customer of the order' }),
  },
  { title: 'PaymentMethod' },
)
type PaymentMethod = Static<typeof PaymentMethod>

const MethodV2 = t.Object({ code: t.String(), name: t.String(), test_mode: t.Boolean() }, { title: 'PaymentMethodV2' })

export interface MethodParts {
  gateways: Gateways
}

export function paymentMethodRoutes(api: Api, { gateways }: MethodParts) {
  const { read } = access('paymentMethods')

  api.get(
    '/payments/methods',
    {
      ...read,
      schema: {
        summary: 'List the payment methods of an order or a checkout',
        description: 'order_id or checkout_id is required.',
        querystring: t.Object(
          { order_id: t.Optional(Id), checkout_id: t.Optional(t.String({ maxLength: 255 })), ...paging },
          { additionalProperties: false, examples: [{ order_id: 1 }] },
        ),
        response: { 200: t.Object({ data: t.Array(PaymentMethod), meta: Meta }) },
      },
    },
    async ({ db, query: { order_id, checkout_id } }) => {
      if (order_id === undefined && checkout_id !== undefined) {
        return answer(await methodsOf(db, gateways, await ofCheckout(db, checkout_id, db.now), db.now))
      }
      if (order_id === undefined) throw invalid({ order_id: 'error.path.missing' })
      const order = await findOrder(db, order_id)
      if (order.is_deleted) throw notFound(orders.noun, order_id)
      const isPayable = reasonNotPayable(order, await dueOf(db, order)) === undefined
      return answer(await methodsOf(db, gateways, { ...order, isPayable }, db.now))
    },
  )
}

/** The payment methods of the store in the v2 API. */
export function paymentMethodRoutesV2(api: Api, { gateways }: MethodParts) {
  const { read } = access('paymentMethods')

  api.get(
    '/payments/methods',
    {
      ...read,
      schema: {
        summary: 'List the payment methods of the store',
        querystring: t.Object(paging),
        response: { 200: t.Array(MethodV2), 204: t.Null() },
      },
    },
    async ({ db, query: { page = 1, limit = 50 } }) => {
      const providers = (await configuredGateways(db)).slice((page - 1) * limit, page * limit)
      const methods = await Promise.all(
        providers.map(async (provider) => {
          const { id, name } = await gateways.open(db, provider)
          return { code: id, name, test_mode: provider.is_test }
        }),
      )
      return methods.length === 0 ? new Answer(undefined, 204) : new Answer(methods)
    },
  )
}

/** The thing that is paid: an order, or a checkout before its order. */
interface Payable extends Pick<OrderRow, 'channel_id' | 'currency_code' | 'customer_id' | 'default_currency_code'> {
  isPayable: boolean
}

/** @throws Problem 404 */
async function ofCheckout(db: Db, id: string, at: Date): Promise<Payable> {
  const { cart } = await findCart(db, id, at)
  const { standard } = await currencyPair(db, undefined)
  return { ...cart, default_currency_code: standard.currency_code, isPayable: true }
}

/**
 * The methods of an order or a checkout: the gateways of its channel and currency, the store credit of its customer, and gift certificates while any of
 * its currency could pay.
 */
async function methodsOf(db: Db, gateways: Gateways, order: Payable, now: Date): Promise<PaymentMethod[]> {
  const scope = { channel_id: order.channel_id, currency: order.currency_code }
  const instruments = await instrumentsAt(db, order.customer_id)
  const byCard = (await providersAt(db, scope)).filter((provider) => gateways.takesCards(provider.gateway))
  const methods = await Promise.all(byCard.map((provider) => cardMethod(db, gateways, provider, instruments)))
  if (!order.isPayable) return methods
  const [hasCredit, hasCertificates] = await Promise.all([
    canUseCredit(db, order),
    anyCanPay(db, order.currency_code, now),
  ])
  return [...methods, ...(hasCredit ? [creditMethod] : []), ...(hasCertificates ? [certificateMethod] : [])]
}

async function cardMethod(
  db: Db,
  gateways: Gateways,
  provider: Provider,
  instruments: readonly VaultInstrument[],
): Promise<PaymentMethod> {
  const { id, name, capabilities } = await gateways.open(db, provider)
  const keepsCards = capabilities.storedInstruments.includes('stored_card')
  const stored = instruments.filter(({ gateway, type }) => gateway === id && type === 'stored_card')
  return {
    id: `${id}.card`,
    name,
    type: 'card',
    test_mode: provider.is_test,
    supported_instruments: [...BRANDS, ...(keepsCards ? (['STORED_CARD'] as const) : [])].map((instrument_type) => ({
      instrument_type,
      verification_value_required: false,
    })),
    stored_instruments: stored.flatMap(({ token, is_default, details }) => {
      const { billing_address: _, ...card } = details
      // A stored instrument has the details of its type.
      return [{ type: 'stored_card', token, is_default, ...card } as Static<typeof MethodInstrument>]
    }),
  }
}

const creditMethod: PaymentMethod = {
  id: STORE_CREDIT_METHOD,
  name: 'Store credit',
  type: 'store_credit',
  test_mode: false,
  supported_instruments: [],
  stored_instruments: [],
}

const certificateMethod: PaymentMethod = {
  ...creditMethod,
  id: GIFT_CERTIFICATE_METHOD,
  name: 'Gift certificate',
  type: 'gift_certificate',
}

/** Store credit is in the default currency of the store. */
async function canUseCredit(db: Db, order: Payable): Promise<boolean> {
  if (order.customer_id === 0 || order.currency_code !== order.default_currency_code) return false
  return ((await creditsOf(db, [order.customer_id])).get(order.customer_id) ?? 0) > 0
}
