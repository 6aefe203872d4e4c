// The data of callbacks as the document shows it: a schema with a sentence for each field, and an example with ids of a real store. Test events
// have the ids 0 (docs/contract/webhooks.md section 6), which say nothing to a reader.

const CART = '6a0a3ed3-6d0b-4a55-a7f1-5a4f8a8cbb12'
const LINE = 'f2b1c8d4-0f4e-4f7a-9c57-3b1f0f6a2d90'

/** A field: its value in examples, where that of a sample says nothing, and its sentence. */
type Field = readonly [example: unknown, sentence: string]

/** The fields of all events by their names, but `id`. A field of one object or of one type of event has that name before it. */
const FIELDS: Readonly<Record<string, Field>> = {
  address: [undefined, 'The owner of the address'],
  address_id: [18, 'The address of the company'],
  affected_product_ids: [[77], 'The products that have the option or the modifier'],
  cartId: [CART, 'The cart of the line, by its uuid'],
  cart_id: [CART, 'The cart, by its uuid'],
  cart_item_id: [LINE, 'The line of the cart, by its uuid'],
  category_id: [21, 'The category. Read it with `GET /v3/catalog/trees/categories`'],
  channel_id: [1, 'The channel'],
  channel_ids: [[1], 'The channels in which the customer may sign in'],
  code: ['', 'The code of the gateway; empty without one'],
  company_id: [9, 'The company'],
  configuration_id: ['3f6f8c0e-2f1c-4a0d-8a53-0c5b7c0a7a11', 'The configuration of the theme: its settings'],
  context: [undefined, 'The channel and language of the change; empty for a change of all'],
  couponId: [4, 'The coupon'],
  currency: ['USD', 'The currency of the record, in ISO 4217'],
  currency_code: ['USD', 'The same as `currency`'],
  customer_group_id: [3, 'The customer group'],
  customer_id: [12, 'The customer'],
  entity_id: [77, 'The product, brand, category, page or post to which the redirect leads; 0 for an address'],
  error_code: [90_001, 'The reason: 90001 if callbacks failed for two days'],
  from_path: ['/old-lamp', 'The path that is redirected'],
  inventory: [undefined, 'The new stock'],
  location_id: [1, 'The location: a place that has stock'],
  message: ['', 'A sentence for people'],
  'order.message': [undefined, 'The message'],
  metafield_id: [31, 'The metafield'],
  method: ['absolute', 'How `value` counts: `absolute` is the new stock, `relative` the change'],
  new_status_id: [2, 'The status after the change. `GET /v2/order_statuses` names all'],
  orderId: [250, 'The order'],
  order_id: [250, 'The order. Read it with `GET /v2/orders/{order_id}`'],
  order_message_id: [5, 'The message'],
  page_id: [8, 'The page of the storefront'],
  platform_transaction_id: ['250', 'The id of the transaction in this server'],
  previous_status_id: [11, 'The status before the change'],
  price_list_id: [2, 'The price list'],
  price_list_ids: [[2], 'The deleted price lists'],
  product_id: [77, 'The product'],
  provider_transaction_id: ['ch_1', 'The id of the transaction at its gateway'],
  quote_id: [14, 'The quote'],
  quote_uuid: ['b7d5a1c2-8c1e-4b2e-9a40-2f3c4d5e6f70', 'The quote, by its uuid'],
  refund: [undefined, 'The refund'],
  refund_id: [6, 'The refund. Read it with `GET /v3/orders/payment_actions/refunds/{refund_id}`'],
  resource_id: ['77', 'The resource that has the metafield, as text'],
  resource_type: ['product', 'The kind of resource that has the metafield'],
  result: [undefined, 'The answer of the gateway'],
  'result.type': ['', "The gateway's kind of answer"],
  site_id: [1000, 'The site of the channel'],
  sku: [undefined, 'The variant'],
  status: [undefined, 'The change of the status'],
  template_kind: ['invoice_email', 'The kind of e-mail: the `type_id` of its template'],
  theme_id: ['d6e6a0f4-51ad-4a9c-9b60-8a6a6b1a3c55', 'The theme'],
  to: [undefined, 'The target of the redirect'],
  'to.type': ['', 'The kind of resource to which the redirect leads; empty for an address'],
  token: [CART, 'The token of the cart, for `GET /v3/abandoned-carts/{token}`'],
  transaction_id: ['250', 'The transaction, as text'],
  transaction_status: ['ok', 'The outcome of the transaction'],
  transaction_type: ['capture', 'The kind of the transaction'],
  tree_id: [1, 'The category tree'],
  type: [undefined, 'The kind of resource that changed'],
  url: ['', 'An address outside of the store; empty for a resource of it'],
  user_id: [16, 'The user of the company, or the super admin'],
  uuid: ['0c1d2e3f-4a5b-4c6d-8e7f-90a1b2c3d4e5', 'The script'],
  value: [12, 'How many units'],
  variant_id: [95, 'The variant of the product'],
  variation_id: ['9b1f2a3c-4d5e-4f60-8a7b-1c2d3e4f5a6b', 'The variation of the theme'],
  version_id: ['5a6b7c8d-9e0f-4a1b-8c2d-3e4f5a6b7c8d', 'The version of the theme'],
}

/** The resource that `id` names, by the `type` beside it. */
const IDS: Readonly<Record<string, Field>> = {
  order: [250, 'The order. Read it with `GET /v2/orders/{order_id}`'],
  shipment: [41, 'The shipment'],
  cart: [CART, 'The cart, by its uuid. Read it with `GET /v3/carts/{cart_id}`'],
  cart_line_item: [LINE, 'The line of the cart, by its uuid'],
  product: [77, 'The product. Read it with `GET /v3/catalog/products/{product_id}`'],
  sku: [95, 'The variant'],
  local_option: [36, 'The option'],
  shared_modifier: [38, 'The modifier'],
  category: [21, 'The category. Read it with `GET /v3/catalog/trees/categories`'],
  customer: [12, 'The customer. Read it with `GET /v3/customers?id:in=`'],
  subscriber: [7, 'The subscriber'],
  channel: [1, 'The channel'],
  redirect: [17, 'The redirect'],
  webhook: [3, 'The hook that was switched off'],
}

/** @throws Error for a field that this file does not have */
function fieldOf(name: string, type: unknown, parent: string): Field {
  const field =
    name === 'id'
      ? IDS[String(type ?? 'redirect')]
      : (FIELDS[`${parent}.${name}`] ?? FIELDS[`${type}.${name}`] ?? FIELDS[name])
  if (!field) throw new Error(`The field ${name} of events has no sentence.`)
  return field
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The data of a sample with ids as a store has them. */
export function exampleOfEvent(data: unknown, parent = ''): unknown {
  if (Array.isArray(data)) return data.map((item) => exampleOfEvent(item, parent))
  if (!isObject(data)) return data
  const type = 'type' in data ? data.type : undefined
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      if (isObject(value) && !Array.isArray(value)) return [name, exampleOfEvent(value, name)]
      const [example] = fieldOf(name, type, parent)
      // A sample has another value than 0 where that says more than an id.
      const isEmpty = value === 0 || value === '' || value === '0' || (Array.isArray(value) && value.length === 0)
      if (!isEmpty || example === undefined) return [name, value]
      return [name, typeof value === 'string' ? String(example) : example]
    }),
  )
}

type EventSchema = {
  type: string
  description?: string
  items?: EventSchema
  properties?: Record<string, EventSchema>
}

/** The schema of the data of an event, with a sentence for each field. */
export function schemaOfEvent(data: unknown, parent = ''): EventSchema {
  if (Array.isArray(data)) return { type: 'array', items: schemaOfEvent(data[0] ?? 0, parent) }
  if (!isObject(data)) return { type: typeof data === 'number' ? 'integer' : typeof data }
  const type = 'type' in data ? data.type : undefined
  const properties = Object.entries(data).map(([name, value]) => [
    name,
    { ...schemaOfEvent(value, name), description: sentenceOf(name, data, type, parent) },
  ])
  return { type: 'object', ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}) }
}

function sentenceOf(name: string, data: object, type: unknown, parent: string): string {
  if (name === 'id' && 'address' in data) return 'The address of the customer'
  const [, sentence] = fieldOf(name, type, parent)
  return sentence
}
