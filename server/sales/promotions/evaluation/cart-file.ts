import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { AMOUNT_MAX } from '../../../core/rest/input/amounts.ts'
import { parseDate } from '../../../core/rest/input/dates.ts'

// A cart that an operator describes in a file, to explain its promotions.

const ID_MAX = 2_147_483_647
const CatalogId = t.Optional(t.Integer({ minimum: 1, maximum: ID_MAX }))
const Price = t.Number({ minimum: 0, maximum: AMOUNT_MAX })
const Text = t.String({ maxLength: 255 })
const strict = { additionalProperties: false }

const CartFile = t.Object(
  {
    lines: t.Array(
      t.Object(
        {
          product_id: CatalogId,
          variant_id: CatalogId,
          quantity: t.Integer({ minimum: 1, maximum: 1_000_000 }),
          /** One unit, before all discounts. */
          price: Price,
          is_on_sale: t.Optional(t.Boolean()),
        },
        strict,
      ),
      { minItems: 1, maxItems: 500 },
    ),
    channel_id: t.Optional(t.Integer({ minimum: 1, maximum: ID_MAX })),
    currency: t.Optional(t.String({ pattern: '^[A-Z]{3}$' })),
    customer_group_id: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX })),
    segments: t.Optional(t.Array(Text, { maxItems: 1_000 })),
    paid_orders: t.Optional(t.Integer({ minimum: 0 })),
    /** ISO codes of the shipping addresses. */
    countries: t.Optional(t.Array(t.String({ pattern: '^[A-Z]{2}$' }), { maxItems: 300 })),
    codes: t.Optional(t.Array(Text, { maxItems: 10 })),
    at: t.Optional(t.String()),
    /** Products and variants that promotions may add; the others count as out of stock. */
    goods: t.Optional(
      t.Array(
        t.Object(
          { product_id: CatalogId, variant_id: CatalogId, price: Price, available: t.Integer({ minimum: 0 }) },
          strict,
        ),
        { maxItems: 500 },
      ),
    ),
  },
  strict,
)
export type CartFile = Omit<Static<typeof CartFile>, 'at'> & { at: Date | undefined }

/**
 * Reads the file of a cart.
 * @throws Error with a sentence for the operator that names the field
 */
export function readCartFile(text: string): CartFile {
  const cart = parse(text)
  if (!Value.Check(CartFile, cart)) {
    const [first] = Value.Errors(CartFile, cart)
    const fault = first?.keyword === 'boolean' ? 'is no field of a cart' : first?.message
    throw new Error(`The file describes no cart: ${fieldOf(first?.instancePath)} ${fault}.`)
  }
  for (const list of ['lines', 'goods'] as const) {
    for (const [i, { product_id, variant_id }] of (cart[list] ?? []).entries()) {
      if ((product_id === undefined) === (variant_id === undefined)) {
        throw new Error(`The file describes no cart: ${list}.${i} must have exactly one of product_id and variant_id.`)
      }
    }
  }
  const at = cart.at === undefined ? undefined : parseDate(cart.at)?.at
  if (cart.at !== undefined && !at) {
    throw new Error('The file describes no cart: at must be a date and time, such as 2026-11-27T12:00:00Z.')
  }
  return { ...cart, at }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('The file of the cart is not JSON.')
  }
}

/** The path of a field, such as `lines.0.price`. */
const fieldOf = (pointer = '') => pointer.slice(1).replaceAll('/', '.') || 'the cart'
