import type { Db } from '../../../core/db/database.ts'
import { instructionsIn, isOffline } from '../../../sales/payments/gateways/offline.ts'
import { providersAt } from '../../../sales/payments/providers.ts'
import type { PageParts } from './parts.ts'
import type { CheckoutState } from './state.ts'

/** A way to pay on the page. */
export interface PageMethod {
  /** The value of its field: for cards the method of `POST /payments`. */
  id: string
  /** The id of its element, by which browser tests of public shops find it. */
  elementId: string
  kind: 'card' | 'offline' | 'free'
  name: string
  /** The way to pay by an offline method; empty for none. */
  instructions: string
}

/** Balances have forms of their own. */
const BALANCES = new Set(['storecredit', 'giftcertificate'])
/** Public browser tests know the test gateway by another name. */
const ELEMENTS: Readonly<Record<string, string>> = { testgateway: 'radio-bigpaypay' }

/** The methods of the shop for a cart. One with nothing left to pay needs none. Methods that need a page of their provider are not offered. */
export async function methodsFor(
  db: Db,
  { gateways }: Pick<PageParts, 'gateways'>,
  { found: { cart }, face, balances }: CheckoutState,
): Promise<PageMethod[]> {
  if (balances.rest === 0n) {
    const name = face.language.texts.placeOrder
    return [{ id: 'free', elementId: 'radio-free', kind: 'free', name, instructions: '' }]
  }
  const providers = await providersAt(db, { channel_id: cart.channel_id, currency: cart.currency_code })
  return Promise.all(
    providers
      .filter(({ gateway }) => (isOffline(gateway) ? !BALANCES.has(gateway) : gateways.takesCards(gateway)))
      .map(async (provider): Promise<PageMethod> => {
        const { gateway } = provider
        const elementId = ELEMENTS[gateway] ?? `radio-${gateway}`
        const { name } = await gateways.open(db, provider)
        if (!isOffline(gateway)) return { id: `${gateway}.card`, elementId, kind: 'card', name, instructions: '' }
        return { id: gateway, elementId, kind: 'offline', name, instructions: instructionsIn(provider.options) }
      }),
  )
}
