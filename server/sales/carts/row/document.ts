import t, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { AMOUNT_MAX } from '../../../core/rest/input/amounts.ts'
import { ID_MAX, Id, nullable } from '../../../core/rest/input/fields.ts'
import { Problem } from '../../../core/rest/problem.ts'

// The document of a cart is the input of its shopper and of the merchant's back end: lines, addresses, chosen shipping, codes, fees and
// discounts by hand. It has no result: prices, discounts and taxes are calculated from it by each request (`evaluation/evaluate.ts`).
// Amounts are in the currency of the cart, except prices of wrappings.

/** Most bytes of a document as JSON (docs/contract/carts.md section 8). */
const DOCUMENT_MAX = 1_048_576

const Uuid = t.String({ minLength: 36, maxLength: 36 })
const Money = t.Number({ minimum: 0, maximum: AMOUNT_MAX })
const Quantity = t.Integer({ minimum: 1, maximum: ID_MAX })
const nullableOf = <S extends TSchema>(schema: S) => t.Union([schema, t.Null()])

/** A wrapping as it was when it was chosen. The price is for one unit, in the default currency of the store. */
const WrappingDetail = t.Object({ id: Id, name: t.String(), price: Money, message: t.String() })

/** `together` wraps every unit in the first of the details; if false, each detail wraps one unit. */
const ChosenWrapping = t.Object({ together: t.Boolean(), details: t.Array(WrappingDetail, { minItems: 1 }) })
export type ChosenWrapping = Static<typeof ChosenWrapping>

/** A chosen value of a modifier. `value_id` is null for texts, numbers, dates and files; only files have a path. */
const ChosenModifier = t.Object({
  option_id: Id,
  value_id: nullable(Id),
  name: t.String(),
  value: t.String(),
  path: nullable(t.String()),
})

/** Texts that replace those of an option of the variant. */
const OptionTexts = t.Object({ option_id: Id, name: nullable(t.String()), value: nullable(t.String()) })

/** A line with a variant of the catalog. */
const CatalogLine = t.Object({
  id: Uuid,
  product_id: Id,
  variant_id: Id,
  quantity: Quantity,
  /** The price that the back end has set; null for the price of the catalog. */
  list_price: nullable(Money),
  /** The name that the back end has set; null for that of the product. */
  name: nullable(t.String()),
  modifiers: t.Array(ChosenModifier),
  texts: t.Array(OptionTexts),
  wrapping: nullableOf(ChosenWrapping),
})
export type CatalogLine = Static<typeof CatalogLine>

/** A line that a promotion added. It follows from the evaluation, and is stored so that the next change finds the difference. */
const AddedLine = t.Object({ id: Uuid, promotion_id: Id, product_id: Id, variant_id: Id, quantity: Quantity })
export type AddedLine = Static<typeof AddedLine>

const CustomLine = t.Object({
  id: Uuid,
  name: t.String(),
  sku: t.String(),
  quantity: Quantity,
  list_price: Money,
  image_url: t.String(),
  wrapping: nullableOf(ChosenWrapping),
})
export type CustomLine = Static<typeof CustomLine>

const Person = t.Object({ name: t.String(), email: t.String() })

/** One gift certificate to buy. */
const CertificateLine = t.Object({
  id: Uuid,
  name: t.String(),
  theme: t.String(),
  amount: Money,
  sender: Person,
  recipient: Person,
  message: t.String(),
})
export type CertificateLine = Static<typeof CertificateLine>

const CustomField = t.Object({ field_id: t.String(), field_value: t.Union([t.String(), t.Array(t.String())]) })

/** A billing or shipping address, with the fields of the wire. Missing texts are empty. */
const CartAddress = t.Object({
  id: t.String(),
  first_name: t.String(),
  last_name: t.String(),
  email: t.String(),
  company: t.String(),
  address1: t.String(),
  address2: t.String(),
  city: t.String(),
  state_or_province: t.String(),
  state_or_province_code: t.String(),
  country_code: t.String(),
  postal_code: t.String(),
  phone: t.String(),
  custom_fields: t.Array(CustomField),
})
export type CartAddress = Static<typeof CartAddress>

/** The chosen way to ship a consignment, with its costs as they were at the last change. */
const ChosenOption = t.Object({
  id: t.String(),
  /** Null for custom shipping; 0 for an option without a method, such as free shipping. */
  method_id: nullable(t.Integer({ minimum: 0 })),
  /** Null for custom shipping. */
  zone_id: nullable(Id),
  zone_name: t.String(),
  /** `custom` for custom shipping. */
  type: t.String(),
  description: t.String(),
  additional_description: t.String(),
  transit_time: t.String(),
  image_url: t.String(),
  /** As prices are entered: with tax or without. */
  cost: Money,
  handling_cost: Money,
})
export type ChosenOption = Static<typeof ChosenOption>

/** The place at which a consignment is picked up. */
const PickupChoice = t.Object({
  pickup_method_id: Id,
  location_id: Id,
  country_code: t.String(),
  state: t.String(),
  postal_code: t.String(),
  city: t.String(),
  address1: t.String(),
  address2: t.String(),
})
export type PickupChoice = Static<typeof PickupChoice>

/** Units of lines that go to one address or are picked up at one location: exactly one of both is set. */
const CartConsignment = t.Object({
  id: t.String(),
  address: nullableOf(CartAddress),
  pickup: nullableOf(PickupChoice),
  lines: t.Array(t.Object({ item_id: Uuid, quantity: Quantity })),
  option: nullableOf(ChosenOption),
})
export type CartConsignment = Static<typeof CartConsignment>

const CartFee = t.Object({
  id: Uuid,
  name: t.String(),
  display_name: t.String(),
  source: t.String(),
  /** As prices are entered: with tax or without. */
  cost: Money,
  tax_class_id: nullable(t.Integer({ minimum: 0 })),
})
export type CartFee = Static<typeof CartFee>

/** Discounts by hand. While there are any, no automatic promotion runs. */
const ManualDiscounts = t.Object({
  lines: t.Array(t.Object({ id: Uuid, amount: Money })),
  /** Taken off the order. */
  order: Money,
})

export const CartDocument = t.Object({
  locale: t.String(),
  lines: t.Array(CatalogLine),
  added: t.Array(AddedLine),
  /** Counts lines of promotions that the shopper deleted: a promotion that adds such a line again gives it a new id. */
  removals: t.Integer({ minimum: 0 }),
  custom: t.Array(CustomLine),
  certificates: t.Array(CertificateLine),
  billing: nullableOf(CartAddress),
  consignments: t.Array(CartConsignment),
  /** Codes of coupons, in the order in which they were applied. */
  codes: t.Array(t.String()),
  fees: t.Array(CartFee),
  manual: nullableOf(ManualDiscounts),
  message: t.String(),
  /** Codes of gift certificates that pay the order, in the order in which they were applied. */
  redeemed: t.Optional(t.Array(t.String())),
  /** Whether the store credit of the customer pays the order too. */
  uses_credit: t.Optional(t.Boolean()),
  /** The quote of a company that the cart was made from. Its prices are final: no promotion runs, and no coupon applies. */
  quote_id: t.Optional(Id),
  /** Whether the custom lines are invoices of a company: debts, which are neither taxed nor shipped. */
  pays_invoices: t.Optional(t.Boolean()),
})
export type CartDocument = Static<typeof CartDocument>

/** A document without anything. */
export const emptyDocument = (): CartDocument => ({
  locale: '',
  lines: [],
  added: [],
  removals: 0,
  custom: [],
  certificates: [],
  billing: null,
  consignments: [],
  codes: [],
  fees: [],
  manual: null,
  message: '',
})

let compiled: ReturnType<typeof Compile<typeof CartDocument>> | undefined

/** Validates a document that was read. @throws Error for one that this version of the server can't have written */
export function readDocument(value: unknown): CartDocument {
  compiled ??= Compile(CartDocument)
  if (compiled.Check(value)) return value
  const [first] = compiled.Errors(value)
  throw new Error(`The document of a cart is malformed at ${first?.instancePath ?? ''}: ${first?.message ?? ''}`)
}

/** The JSON of a document. @throws Problem 422 if it is larger than `DOCUMENT_MAX` */
export function writeDocument(document: CartDocument): string {
  const json = JSON.stringify(document)
  if (Buffer.byteLength(json) > DOCUMENT_MAX) {
    throw new Problem(422, `A cart can have at most ${DOCUMENT_MAX} bytes.`)
  }
  return json
}

/** Whether the document has no line that a shopper or a back end added. */
export const isEmptyDocument = ({ lines, custom, certificates }: CartDocument): boolean =>
  lines.length + custom.length + certificates.length === 0
