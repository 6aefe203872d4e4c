import t, { type Static, type TProperties } from 'typebox'

// The data for templates, type by type (docs/contract/email-templates.md section 5). Names are the public ones.

const text = t.String()
const texts = t.Array(text)
/** An amount: `value` to compute and compare with, `formatted` to show. */
const Money = t.Object({ value: t.Number(), formatted: text })
const Moment = t.Object({ value: t.String({ format: 'date-time' }), formatted: text })
const Flag = t.Boolean()
const NameAndValue = t.Object({ name: text, value: text })

/** The data of the store, the same in all e-mails of a channel. */
export const StoreContext = t.Object({
  store: t.Object({
    name: text,
    domain_name: text,
    logo: t.Object({ title: text, name: text, url: text }),
    ssl_path: text,
    cdn_path: text,
    image_directory: text,
    img_path: text,
    path_normal: text,
    path: text,
    address: text,
    language: t.Object({ code: text, direction: t.Enum(['ltr', 'rtl']) }),
  }),
  misc: t.Object({ year: t.Integer() }),
})
export type StoreContext = Static<typeof StoreContext>

const Customer = t.Object({
  first_name: text,
  full_name: text,
  email: text,
  group: t.Array(t.Object({ name: text })),
})

/** The recipient of an e-mail. */
const about = <P extends TProperties>(properties: P) => t.Object({ customer: Customer, ...properties })

const CartProduct = t.Object({
  id: t.Integer(),
  url: text,
  name: text,
  quantity: t.Integer(),
  sku: text,
  thumbnail: text,
  attributes: t.Array(NameAndValue),
  price: Money,
  type: t.Object({ name: text }),
})

const StatusProduct = t.Object({
  name: text,
  sku: text,
  price: text,
  quantity: t.Integer(),
  thumbnail: text,
  brand: text,
  attribute_lines: t.Array(NameAndValue),
})

const Hours = t.Object({
  is_open: Flag,
  opening_time: t.Object({ formatted: text }),
  closing_time: t.Object({ formatted: text }),
})

/** Where and when something can be picked up. */
const Pickup = t.Object({
  id: t.Integer(),
  name: text,
  email: text,
  phone: text,
  instructions: text,
  location: t.Object({
    id: t.Integer(),
    name: text,
    address: text,
    city: text,
    state: text,
    zip: text,
    country: text,
  }),
  operating_hours: t.Object({
    sunday: Hours,
    monday: Hours,
    tuesday: Hours,
    wednesday: Hours,
    thursday: Hours,
    friday: Hours,
    saturday: Hours,
  }),
})

const Address = t.Object({
  email: text,
  phone: text,
  first_name: text,
  last_name: text,
  company: text,
  country: text,
  city: text,
  state: text,
  zip: text,
  address_lines: texts,
  custom_fields: t.Array(t.Object({ label: text, value: text })),
})

const InvoiceProduct = t.Object({
  name: text,
  quantity: t.Integer(),
  sku: text,
  address_lines: texts,
  address_id: t.Integer(),
  options: t.Record(text, text),
  download_url: text,
  thumbnail: text,
  brand: text,
  type: text,
  event: t.Object({ name: text, date: Moment }),
  price: Money,
  total: Money,
  preorder: t.Object({ is_preorder: Flag, message: text, date: Moment }),
  attribute_lines: t.Array(NameAndValue),
  configurable_fields: t.Array(NameAndValue),
  pickup: Pickup,
})

const ReturnedProduct = t.Object({ name: text, quantity: t.Integer(), price: text, sku: text, thumbnail: text })

/** The data of each type, without the data of the store. Optional fields may be missing in an e-mail. */
export const contexts = {
  abandoned_cart_email: about({
    notification: t.Object({ unsubscribe_link: text, checkout_link: text }),
    coupon: t.Optional(t.Object({ code: text, type: t.Object({ name: text }), amount: Money })),
    cart: t.Object({ products: t.Array(CartProduct) }),
    abandoned_cart: t.Object({ body: text, unsubscribe_link: text }),
  }),
  account_details_changed_email: about({ details_changed: t.Object({ fields: texts }) }),
  account_reset_password_email: about({
    reset_password: t.Object({ link: text }),
    account: t.Object({ reset_password_link: text }),
  }),
  combined_order_status_email: about({
    order: t.Object({
      id: t.Integer(),
      new_status: text,
      new_formatted_status: text,
      total: Money,
      refund: t.Optional(Money),
      date_placed: Moment,
      payment_method: text,
      link: text,
      customer_name: text,
      downloadable_products: t.Array(t.Object({ name: text, link: text })),
      products: t.Array(StatusProduct),
      tracking: t.Array(t.Object({ id: text, shipping_method: text, link: text })),
      unshipped_products: t.Array(StatusProduct),
      ready_for_pickup_products: t.Array(StatusProduct),
      picked_up_products: t.Array(StatusProduct),
      pickup_methods: t.Array(Pickup),
    }),
  }),
  createaccount_email: about({}),
  createguestaccount_email: about({ guest_account: t.Object({ link: text }) }),
  giftcertificate_email: about({
    certificate: t.Object({
      code: text,
      to_name: text,
      to_email: text,
      from_name: text,
      from_email: text,
      amount: text,
      redeem_link: text,
      expiry_date: t.Optional(Moment),
    }),
  }),
  invoice_email: about({
    order: t.Object({
      id: t.Integer(),
      customer_message: text,
      customer_id: t.Integer(),
      date_placed: Moment,
      account_order_status_url: text,
      pickup_methods: t.Array(Pickup),
      shipping: t.Object({ methods: texts, address: t.Optional(Address) }),
      products: t.Array(t.Partial(InvoiceProduct)),
      payment: t.Object({
        is_test: Flag,
        provider_name: text,
        offline_payment_message: text,
        gateway_amount: Money,
        payment_method: text,
        provider: t.Object({ name: text }),
      }),
      billing: t.Object({ address: Address }),
      total_rows: t.Array(t.Object({ label: text, price: Money, shipping_discounts: t.Array(NameAndValue) })),
      total_cost: Money,
      meta: t.Object({}),
    }),
  }),
  ordermessage_notification: about({ notification: t.Object({ message: text, link: text, subject: text }) }),
  product_review_email: about({
    review: t.Object({
      products: t.Array(t.Object({ name: text, sku: text, link: text, price: text, thumbnail: text })),
      unsubscribe_link: text,
    }),
  }),
  return_confirmation_email: about({
    return: t.Object({
      return_id: t.Integer(),
      reason: text,
      action: text,
      comments: text,
      products: t.Array(ReturnedProduct),
    }),
    order: t.Object({ id: t.Integer() }),
  }),
  return_statuschange_email: about({
    return: t.Object({
      id: t.Integer(),
      reason: text,
      action: text,
      comments: text,
      product: ReturnedProduct,
      status: t.Object({ name: text }),
      store_credit: t.Optional(Money),
      link: text,
      instructions: text,
    }),
    order: t.Object({ id: t.Integer() }),
  }),
} as const

export type EmailType = keyof typeof contexts

/** The data of an e-mail of a type. */
export type ContextOf<T extends EmailType> = Static<(typeof contexts)[T]>

/** The twelve types, in the order of their names (docs/contract/email-templates.md section 2). */
export const EMAIL_TYPES: EmailType[] = Object.keys(contexts).filter(isEmailType).sort()

export function isEmailType(name: string): name is EmailType {
  return Object.hasOwn(contexts, name)
}
