import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import type { AddressRules } from '../../../shop/channels/sites/addresses.ts'
import { checkoutUrlOf } from '../../../shop/channels/sites/shape.ts'
import { refuseField } from '../changes/refusal.ts'
import type { Cart } from '../row/cart.ts'
import { issueRedirectToken, type RedirectTokenParts } from './redirect-tokens.ts'

const PAIRS_MAX = 20
const CHARACTERS_MAX = 2_000

/** The addresses that lead a shopper into a cart (docs/contract/carts.md section 11). */
export const RedirectUrls = t.Object(
  { cart_url: t.String(), checkout_url: t.String(), embedded_checkout_url: t.String() },
  { title: 'CartRedirectUrls' },
)

const Pair = t.Object({ key: t.String({ minLength: 1 }), value: t.String() }, { title: 'CartRedirectParam' })

export const NewRedirectUrls = t.Object(
  {
    query_params: t.Optional(
      t.Union([Pair, t.Array(Pair, { maxItems: PAIRS_MAX }), t.Record(t.String(), t.String())], {
        description: `Names with their values, or pairs of key and value: at most ${PAIRS_MAX}, and ${CHARACTERS_MAX} characters`,
      }),
    ),
  },
  { title: 'NewCartRedirectUrls', examples: [{ query_params: { utm_source: 'mail' } }] },
)
type QueryParams = NonNullable<Static<typeof NewRedirectUrls>['query_params']>

/** Parts of other areas that redirect URLs need. */
export interface RedirectParts extends RedirectTokenParts {
  sites: AddressRules
}

interface RedirectWish {
  query_params?: QueryParams | undefined
  /** The customer whom a visit logs in; 0 for nobody. */
  customer_id?: number
}

/**
 * Stores a new token of a cart, and gives its addresses. The caller has created or locked the cart.
 * @throws Problem 422 for more parameters than an address takes
 */
export async function issueRedirectUrls(
  tx: Tx,
  { id, channel_id }: Pick<Cart, 'id' | 'channel_id'>,
  parts: RedirectParts,
  { query_params = {}, customer_id = 0 }: RedirectWish = {},
): Promise<Static<typeof RedirectUrls>> {
  const pairs = pairsOf(query_params)
  const token = await issueRedirectToken(tx, { cart_id: id, customer_id }, parts)
  const base = `${await checkoutUrlOf(tx, channel_id, parts.sites)}/cart.php`
  const address = (...fixed: [string, string][]) =>
    `${base}?${new URLSearchParams([...fixed, ['id', id], ['token', token], ...pairs])}`
  return {
    cart_url: address(['action', 'load']),
    checkout_url: address(['action', 'loadInCheckout']),
    embedded_checkout_url: address(['embedded', '1'], ['action', 'loadInCheckout']),
  }
}

/** An object with `key` and `value` is a pair, and any other one has names with their values. @throws Problem 422 */
function pairsOf(params: QueryParams): [string, string][] {
  const pairs = listed(params)
  if (pairs.length > PAIRS_MAX) refuseField('query_params', `A cart's address takes at most ${PAIRS_MAX} parameters.`)
  if (pairs.some(([name]) => name === '')) refuseField('query_params', 'A parameter needs a name.')
  if (pairs.flat().join('').length > CHARACTERS_MAX) {
    refuseField('query_params', `The parameters have at most ${CHARACTERS_MAX} characters, names and values together.`)
  }
  return pairs
}

function listed(params: QueryParams): [string, string][] {
  if (Array.isArray(params)) return params.map(({ key, value }) => [key, value])
  const { key, value } = params
  if (key !== undefined && value !== undefined) return [[key, value]]
  return Object.entries(params)
}
