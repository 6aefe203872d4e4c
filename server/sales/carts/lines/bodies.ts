import t, { type Static } from 'typebox'
import { MAIL_ADDRESS } from '../../../core/mail/outbox.ts'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { ID_MAX, Id, NeededText, nullable } from '../../../core/rest/input/fields.ts'

// The lines of a cart as requests send them (docs/contract/carts.md section 4).

const Quantity = t.Integer({ minimum: 1, maximum: ID_MAX })
const Name = t.String({ minLength: 1, maxLength: 250 })

const WrapDetail = t.Object(
  { id: Id, message: t.Optional(t.String({ maxLength: 1_000 })) },
  { title: 'GiftWrapDetail' },
)
const Wrapping = t.Object(
  { wrap_together: t.Boolean(), wrap_details: t.Array(WrapDetail, { minItems: 1, maxItems: 500 }) },
  { title: 'GiftWrapDetails' },
)
export type WrappingInput = Static<typeof Wrapping>
const OptionalWrapping = t.Optional(t.Unsafe<WrappingInput | null>({ ...Wrapping, type: ['object', 'null'] }))

const Day = t.Object({ day: t.Integer(), month: t.Integer(), year: t.Integer() }, { title: 'OptionDay' })
const OptionFile = t.Object(
  { originalName: t.String({ maxLength: 255 }), temporaryPath: t.String({ maxLength: 1_024 }) },
  { title: 'OptionFile' },
)
const OptionValue = t.Union([t.String({ maxLength: 65_535 }), t.Number(), Day, OptionFile], {
  description: 'An id of a value, a text, a number, Unix seconds, a day, or the names of a file',
})
export type OptionValue = Static<typeof OptionValue>

const Selection = t.Object(
  {
    option_id: Id,
    option_value: OptionValue,
    name: t.Optional(t.String({ maxLength: 255 })),
    value: t.Optional(t.String({ maxLength: 65_535 })),
  },
  { title: 'CartOptionSelection' },
)
export type SelectionInput = Static<typeof Selection>

const NewCartLine = t.Object(
  {
    product_id: Id,
    quantity: Quantity,
    variant_id: t.Optional(nullable(Id)),
    list_price: t.Optional(nullable(Amount())),
    name: t.Optional(Name),
    option_selections: t.Optional(t.Array(Selection, { maxItems: 250 })),
    gift_wrapping: OptionalWrapping,
  },
  { title: 'NewCartLine', examples: [{ product_id: 1, variant_id: 1, quantity: 2 }] },
)
export type NewCartLine = Static<typeof NewCartLine>

const NewCustomItem = t.Object(
  {
    name: NeededText(250),
    quantity: Quantity,
    list_price: Amount(),
    sku: t.Optional(t.String({ maxLength: 255 })),
    image_url: t.Optional(t.String({ maxLength: 2_048 })),
    gift_wrapping: OptionalWrapping,
  },
  { title: 'NewCartCustomItem' },
)
export type NewCustomItem = Static<typeof NewCustomItem>

const THEMES = ['Birthday', 'Boy', 'Celebration', 'Christmas', 'General', 'Girl'] as const
const Person = t.Object(
  { name: NeededText(255), email: t.String({ minLength: 3, maxLength: 255, pattern: MAIL_ADDRESS }) },
  { title: 'NewGiftCertificatePerson' },
)
const NewCertificate = t.Object(
  {
    name: NeededText(255),
    theme: t.Enum([...THEMES]),
    amount: Amount(),
    quantity: t.Integer({ minimum: 1, maximum: 500 }),
    sender: Person,
    recipient: Person,
    message: t.Optional(t.String({ maxLength: 200 })),
  },
  { title: 'NewCartGiftCertificate' },
)
export type NewCertificate = Static<typeof NewCertificate>

/** Most lines that one request names. A cart has fewer. */
const NAMED_MAX = 1_000

/** The three kinds of lines of a request. */
export const newLines = {
  line_items: t.Optional(t.Array(NewCartLine, { maxItems: NAMED_MAX })),
  custom_items: t.Optional(t.Array(NewCustomItem, { maxItems: NAMED_MAX })),
  gift_certificates: t.Optional(t.Array(NewCertificate, { maxItems: NAMED_MAX })),
}

/** The lines of a request that adds some. */
export interface NewLines {
  line_items?: NewCartLine[]
  custom_items?: NewCustomItem[]
  gift_certificates?: NewCertificate[]
}

const LineChange = t.Object(
  {
    quantity: t.Optional(t.Integer({ minimum: 0, maximum: ID_MAX })),
    product_id: t.Optional(Id),
    variant_id: t.Optional(nullable(Id)),
    list_price: t.Optional(nullable(Amount())),
  },
  { title: 'CartLineChange' },
)
export type LineChange = Static<typeof LineChange>

const version = t.Optional(nullable(t.Integer({ description: 'The version that the caller has read' })))

export const CartItemChange = t.Object(
  {
    line_item: t.Optional(LineChange),
    line_items: t.Optional(t.Array(LineChange, { description: 'Exactly one: another form of line_item' })),
    gift_certificates: newLines.gift_certificates,
    version,
  },
  { title: 'CartItemChange', examples: [{ line_item: { product_id: 1, quantity: 3 } }] },
)
export type CartItemChange = Static<typeof CartItemChange>

export const NewItems = t.Object(
  { ...newLines, version },
  { title: 'NewCartItems', examples: [{ line_items: [{ product_id: 1, variant_id: 1, quantity: 2 }] }] },
)

export const Version = t.Object({ version }, { title: 'CartVersion', examples: [{}] })
