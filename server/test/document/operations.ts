import type { RouteOptions } from 'fastify'
import { A_WIDGET } from '../../content/widgets/placements/placements.ts'
import { A_PROFILE, A_SEGMENT } from '../../customers/segments/segments.ts'
import { A_COUPON, A_FEE, A_LINE } from '../../sales/carts/checkouts/examples.ts'
import { A_CART } from '../../sales/carts/metafields.ts'
import { abandonedToken, furnishedCheckout } from '../carts/checkouts.ts'
import {
  ask,
  enableCompanion,
  makeBackendToken,
  makeBuyer,
  makeCompany,
  makeDependent,
  makeMover,
  makeOrderWithRecord,
  makePayment,
  makeQuote,
  makeReceipt,
  makeRecord,
  makeRep,
  makeShoppingList,
  makeSuperAdmin,
} from '../fixtures/companion.ts'
import { CSV_HEADER, exportedRedirects, importedRedirects, putRedirect } from '../fixtures/content/redirects.ts'
import { payOrder, refundedOrder } from '../fixtures/orders.ts'
import { type Answered, type Call, form, type Shop, theRoutes } from '../fixtures/shop.ts'
import { registerTaxProvider } from '../fixtures/tax.ts'
import { activate, makeTheme, uploadBundle } from '../fixtures/themes.ts'
import { attempt, delivered } from '../fixtures/webhooks.ts'

/** A route of the management API, as generated tests see it. */
export interface Operation {
  /** Its name in the tests: `PUT /catalog/brands/:brand_id`. */
  readonly name: string
  readonly method: string
  readonly version: 'v2' | 'v3' | 'b2b'
  /** Its path below the store: `/catalog/brands/:brand_id`; for the companion API below `/b2b/api`. */
  readonly template: string
  /** Any one of these is enough. */
  readonly scopes: readonly string[]
  /** The names of its query parameters. */
  readonly queryNames: readonly string[]
  readonly example: Example | undefined
}

/** Input with which a route works: the first of the `examples` of its schema. */
interface Example {
  query: Record<string, string>
  body?: unknown
  /** For a route with a form: the field with a `contentMediaType` in its body schema. */
  file?: string
}

/** The facts of a schema that these tests read. */
interface SchemaFacts {
  properties?: Record<string, { contentMediaType?: string }>
  examples?: unknown[]
}

/** Every route of the management API. Tests that are generated from them cover new routes too. */
export const theOperations = async (): Promise<Operation[]> =>
  // Open routes get credentials in their bodies, which no example can have. server/doors/b2b/tokens/tokens.test.ts
  // tests them with other stores.
  (await theRoutes()).filter(({ config }) => !config?.isOpen).map(operation)

/** The routes of an area, by the beginnings of their paths below the store: `/catalog`, `/brands`. */
export async function operationsOf(...places: string[]): Promise<Operation[]> {
  const operations = await theOperations()
  return operations.filter(({ template }) => places.some((place) => isBelow(template, place)))
}

export const isBelow = (template: string, place: string) => template === place || template.startsWith(`${place}/`)

function operation({ method, url, config, schema }: RouteOptions): Operation {
  const isCompanion = url.startsWith('/b2b/')
  const [, , , ...below] = url.replaceAll(/(:\w+)\([^/]*\)/g, '$1').split('/')
  const [version, ...segments] = isCompanion ? ['b2b', ...below] : below
  const template = `/${segments.join('/')}`
  const query: SchemaFacts = schema?.querystring ?? {}
  return {
    name: `${method} ${template}`,
    method: String(method),
    version: version === 'v2' || version === 'b2b' ? version : 'v3',
    template,
    scopes: config?.scopes ?? [],
    queryNames: Object.keys(query.properties ?? {}),
    example: exampleOf(String(method), query, schema?.body, config?.isUpload),
  }
}

/** Undefined if a write needs a body or a DELETE needs a filter, and the schema has no example. */
function exampleOf(method: string, query: SchemaFacts, body: unknown, isUpload: boolean | 'either' = false) {
  const example: Example = { query: {} }
  const asked = query.examples?.[0]
  if (typeof asked === 'object' && asked !== null) {
    for (const [name, value] of Object.entries(asked)) example.query[name] = String(value)
  } else if (method === 'DELETE' && Object.keys(query.properties ?? {}).length > 0) return undefined
  if (typeof body !== 'object' || body === null) return example
  const { properties = {}, examples = [] }: SchemaFacts = body
  if (isUpload === true || (isUpload && examples.length === 0)) {
    const file = Object.keys(properties).find((name) => properties[name]?.contentMediaType !== undefined)
    return file === undefined ? undefined : { ...example, file }
  }
  return examples.length === 0 ? undefined : { ...example, body: examples[0] }
}

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The file that a route takes. */
const formOf = (template: string, field: string) =>
  template.endsWith('/imex/import')
    ? form(field, 'redirects.csv', Buffer.from(CSV_HEADER))
    : form(field, 'pixel.png', PIXEL)

type Id = string | number
export type Ids = Readonly<Record<string, Id>>

/** Sends a route its example or another body, with these ids in the path. */
export async function send(
  shop: Shop,
  { name, method, version, template, example }: Operation,
  ids: Ids,
  options: Call & { body?: unknown; query?: Record<string, string> } = {},
): Promise<Answered> {
  if (!example) throw new Error(`${name} has no example.`)
  const { body = example.body, query = example.query, ...call } = options
  if (version === 'b2b') await enableCompanion(shop)
  const asked = new URLSearchParams(query).toString()
  const path = template.replaceAll(/:(\w+)/g, (_, param) => encodeURIComponent(ids[param] ?? ''))
  const { headers, payload } = example.file === undefined ? { headers: {} } : formOf(template, example.file)
  return shop.call(method, asked === '' ? path : `${path}?${asked}`, body, {
    version,
    ...call,
    headers: { ...headers, ...call.headers },
    ...(payload === undefined ? {} : { payload }),
  })
}

/**
 * Creates in one shop the resources that routes need, by sending the POST routes their examples once. For
 * `/catalog/brands/:brand_id/metafields` it creates a brand. For `PUT /catalog/brands/metafields`, a batch, it creates
 * a brand and a metafield, so that the ids of the example, which count from 1, exist. An id in an example's body that
 * is named like one in a path (`brand_id`) is replaced by the id of such a resource.
 */
export class Maker {
  readonly #shop: Shop
  readonly #operations: readonly Operation[]
  readonly #made = new Map<string, Promise<Id | undefined>>()

  constructor(shop: Shop, operations: readonly Operation[]) {
    this.#shop = shop
    this.#operations = operations
  }

  /** Every id that was assigned so far. */
  async ids(): Promise<Set<Id>> {
    const made = await Promise.all(this.#made.values())
    return new Set(made.filter((id) => id !== undefined))
  }

  /** The ids of an operation's path, each of an existing resource. */
  idsFor(operation: Operation): Promise<Ids> {
    return this.#walk(operation, false)
  }

  /** As `idsFor`; the collections on the path and at its end get a resource too. */
  prepare(operation: Operation): Promise<Ids> {
    return this.#walk(operation, true)
  }

  /** The example's body, with the ids in it replaced by those of existing resources. */
  async bodyFor({ example }: Operation): Promise<unknown> {
    return this.#withIds(example?.body)
  }

  async #walk(operation: Operation, everything: boolean): Promise<Ids> {
    const ids: Record<string, Id> = {}
    const segments = operation.template.split('/').slice(1)
    for (const [i, segment] of segments.entries()) {
      if (segment.startsWith(':')) continue
      const place = `/${segments.slice(0, i + 1).join('/')}`
      const param = segments[i + 1]?.startsWith(':') ? segments[i + 1]?.slice(1) : undefined
      if (param !== undefined) ids[param] = await this.#oneOf(operation, place, ids)
      else if (everything && place === creating(operation)) await mustHave[place]?.(this.#shop, ids)
      else if (everything) {
        const made = (await this.#byHand(place)) ?? (await this.#make(operation.version, place, ids))
        if (made === undefined) await comesAbout[place]?.(this.#shop, ids)
      }
    }
    // Behind another id, it names no collection of its own.
    return operation.template.includes(':currency_code') ? { ...ids, currency_code: 'usd' } : ids
  }

  /** The id of a resource in a collection: a new one, or the first that every store has. */
  async #oneOf(operation: Operation, place: string, ids: Ids): Promise<Id> {
    const common = COMMON[place]
    if (common !== undefined) return common
    const made = (await this.#byHand(place)) ?? (await this.#make(operation.version, place, ids))
    if (made !== undefined) return made
    const listed = (await this.#firstOf(operation, place, ids)) ?? (await this.#waitFor(operation, place, ids))
    if (listed === undefined) throw new Error(`${operation.name}: nothing at ${place} can be made or listed.`)
    return listed
  }

  async #firstOf({ version }: Operation, place: string, ids: Ids): Promise<Id | undefined> {
    const list = this.#find('GET', version, listedElsewhere[place] ?? place)
    return list && idIn((await send(this.#shop, list, ids)).body)
  }

  async #waitFor(operation: Operation, place: string, ids: Ids): Promise<Id | undefined> {
    await comesAbout[place]?.(this.#shop, ids)
    return this.#firstOf(operation, place, ids)
  }

  async #make(version: string, place: string, ids: Ids): Promise<Id | undefined> {
    const at = comesWith[place] ?? place
    // Orders are created in the older family, also for routes of the newer one.
    const creator = this.#find('POST', version, at) ?? this.#find('POST', 'v2', at)
    if (!creator) return undefined
    const key = `${creator.version} ${creator.template} ${JSON.stringify(ids)}`
    const made = this.#made.get(key) ?? this.#create(creator, ids)
    this.#made.set(key, made)
    return made
  }

  /** Resources that no single request creates, each once. */
  #byHand(place: string): Promise<Id | undefined> | undefined {
    const make = madeByHand[place]
    const made = this.#made.get(place) ?? make?.(this.#shop)
    if (made) this.#made.set(place, made)
    return made
  }

  async #create(creator: Operation, ids: Ids): Promise<Id | undefined> {
    await mustHave[creator.template]?.(this.#shop, ids)
    const { status, text, body } = await send(this.#shop, creator, ids, { body: await this.bodyFor(creator) })
    // It exists already: another path needed it before.
    if (status === 409) return undefined
    // A batch refuses its items, and not the request.
    if (text.includes('The list has a record of this variant')) return undefined
    // The answer of a connection is empty.
    if (status === 204) return undefined
    if (status > 201) throw new Error(`The example of ${creator.name} is answered with ${status}: ${text}`)
    return idOfPart[creator.template]?.(body) ?? idIn(body) ?? this.#lastOf(creator, ids)
  }

  /** The last resource of a list: a request that answers without an id appends its resource there. */
  async #lastOf({ version, template }: Operation, ids: Ids): Promise<Id | undefined> {
    const list = this.#find('GET', version, template)
    const data: unknown = list && (await send(this.#shop, list, ids)).body?.data
    return Array.isArray(data) ? idIn({ data: data.at(-1) }) : undefined
  }

  async #withIds(example: unknown): Promise<unknown> {
    if (typeof example === 'string') return this.#meant(example)
    if (typeof example !== 'object' || example === null) return example
    if (Array.isArray(example)) return Promise.all(example.map((item) => this.#withIds(item)))
    const entries = Object.entries(example).map(async ([key, value]) => [key, await this.#idNamed(key, value)])
    return Object.fromEntries(await Promise.all(entries))
  }

  async #idNamed(key: string, value: unknown): Promise<unknown> {
    if (key === 'url' && typeof value === 'string') return this.#ownHost(value)
    const name = key.replace(/(?<=[a-z])Id$/, '_id')
    if (!name.endsWith('_id') || value === 0) return this.#withIds(value)
    // The companion API has the id of a company as text here.
    if (key === 'customerId' && typeof value === 'string')
      return String(await this.#make('b2b', '/v3/io/companies', {}))
    if (key === 'variation_id') return (await makeTheme(this.#shop)).variation
    const owner = this.#operations.find(
      ({ template }) => template.endsWith(`/:${name}`) && template.split(':').length === 2,
    )
    if (owner) return (await this.idsFor(owner))[name]
    const list = this.#find('GET', 'v2', listedAt[name] ?? '')
    if (list) return this.#firstOf(list, list.template, await this.idsFor(list))
    const place = belongsTo[name]
    return (place && (await this.#make('v3', place, {}))) ?? this.#withIds(value)
  }

  async #meant(text: string): Promise<unknown> {
    const place = standsFor[text]
    return (place && (await (this.#byHand(place) ?? this.#make('v3', place, {})))) ?? text
  }

  /** Only one of all stores can have a host. */
  #ownHost(url: string): string {
    return url.replace(/(?=\.example\.com$)/, `-${this.#shop.store.hash}`)
  }

  #find(method: string, version: string, place: string): Operation | undefined {
    return this.#operations.find((op) => op.method === method && op.version === version && op.template === place)
  }
}

/** Ids in examples for resources without a path of their own: the route that creates them. */
const belongsTo: Readonly<Record<string, string>> = {
  customer_id: '/customers',
  pickup_method_id: '/pickup/methods',
  // The first product, and its first variant.
  variant_id: '/catalog/products',
}

/** Ids in examples for resources that come with another one: the route that lists them. */
const listedAt: Readonly<Record<string, string>> = { order_product_id: '/orders/:order_id/products' }

/** Resources that another route than their own lists. */
const listedElsewhere: Readonly<Record<string, string>> = {
  '/orders/:order_id/consignments/shipping': '/orders/:order_id/shipping_addresses',
}

/** Uuids and codes in examples, and the place of a resource with a uuid or code of its own. */
const standsFor: Readonly<Record<string, string>> = {
  [A_SEGMENT]: '/segments',
  [A_PROFILE]: '/shopper-profiles',
  [A_WIDGET]: '/content/widgets',
  [A_CART]: '/carts',
  [A_LINE]: '/checkouts/:checkout_id/lines',
  [A_FEE]: '/checkouts/:checkout_id/fees',
  [A_COUPON]: '/checkouts/:checkout_id/coupons',
}

/** Collections without a POST: their resources came with another one. */
const comesWith: Readonly<Record<string, string>> = {
  '/catalog/variants': '/catalog/products',
  '/pickup': '/catalog/products',
  '/customers/settings/channels': '/channels',
  '/orders/settings/channels': '/channels',
  '/carts/settings/channels': '/channels',
  '/abandoned-carts/settings/channels': '/channels',
  '/checkouts/settings/channels': '/channels',
  '/shipping/settings/channels': '/channels',
}

/** Resources that every store has under the same ids. The first country has no states. */
const COMMON: Readonly<Record<string, Id>> = { '/countries': 226 }

/** Routes that answer with the owner of the new resource. */
const idOfPart: Readonly<Record<string, (body: Answered['body']) => Id>> = {
  '/carts/:cart_id/items': ({ data }) => data.line_items.physical_items[0].id,
}

/** Resources that several requests and a job create. */
const madeByHand: Readonly<Record<string, (shop: Shop) => Promise<Id>>> = {
  '/themes': async (shop) => (await makeTheme(shop)).uuid,
  '/themes/custom-templates': async (shop) => (await makeTheme(shop)).version,
  '/themes/jobs': uploadBundle,
  '/orders/payment_actions/refunds': refundedOrder,
  '/pricelists/:price_list_id/assignments': groupWithoutRules,
  '/v3/io/sales-staffs': makeRep,
  '/v3/io/users/customer': makeBuyer,
  '/v3/io/super-admins/info': makeSuperAdmin,
  '/v3/io/customer-groups': groupWithoutRules,
  '/v3/io/orders': makeOrderWithRecord,
  '/v3/io/customers': makeMover,
  '/v3/io/ip/orders': makeRecord,
  '/v3/io/rfq': makeQuote,
  '/v3/io/shopping-list': async (shop) => (await makeShoppingList(shop)).list,
  '/v3/io/shopping-list/:shopping_list_id/items': async (shop) => (await makeShoppingList(shop)).item,
  '/v3/io/ip/payments': makePayment,
  '/v3/io/ip/payments/offline': makePayment,
  '/v3/io/ip/receipts': makeReceipt,
  '/tax/providers': registerTaxProvider,
  '/io/auth/backend': makeBackendToken,
  '/abandoned-carts': abandonedToken,
  '/checkouts': async (shop) => (await furnishedCheckout(shop)).id,
  '/checkouts/:checkout_id/lines': async (shop) => (await furnishedCheckout(shop)).line,
  '/checkouts/:checkout_id/consignments': async (shop) => (await furnishedCheckout(shop)).consignment,
  '/checkouts/:checkout_id/billing-address': async (shop) => (await furnishedCheckout(shop)).address,
  '/checkouts/:checkout_id/fees': async (shop) => (await furnishedCheckout(shop)).fee,
  '/checkouts/:checkout_id/coupons': async (shop) => (await furnishedCheckout(shop)).coupon,
  '/storefront/redirects/imex/import': importedRedirects,
  '/storefront/redirects/imex/export': exportedRedirects,
}

/** Resources that the server creates by itself, without a request. */
const comesAbout: Readonly<Record<string, (shop: Shop, ids: Ids) => Promise<unknown>>> = {
  '/tax/providers/:provider_id/connection': (shop, { provider_id }) =>
    shop.call('PUT', `/tax/providers/${provider_id}/connection`, { username: 'shop', password: 'a secret' }),
  async '/hooks/:webhook_id/deliveries'(shop, { webhook_id }) {
    await shop.call('POST', `/hooks/${webhook_id}/test`, {})
    await attempt(shop, Number(webhook_id), delivered)
  },
  async '/customers/attribute-values'(shop) {
    await shop.call('POST', '/customers/attributes', [{ name: 'Shoe size', type: 'number' }])
  },
  async '/customers/form-field-values'(shop) {
    await shop.call('PUT', '/settings/form-fields', { customer: [{ name: 'Nickname', type: 'text' }] })
  },
  '/payments/methods': incompleteOrder,
  async '/v3/io/companies/:company_id/subsidiaries'(shop, { company_id }) {
    const { companyId } = await makeCompany(shop, 'Subsidiaries')
    await ask(shop, 'POST', `/v3/io/companies/${companyId}/parent`, { parentCompanyId: company_id })
  },
  '/v3/io/companies/:company_id/super-admins': makeSuperAdmin,
  async '/v3/io/companies/:company_id/catalogs'(shop) {
    await makeDependent(shop)
    await shop.call('POST', '/pricelists', { name: 'Trade' })
  },
  async '/v3/io/customers/:customer_id/orders/company'(shop) {
    await makeDependent(shop)
    await makeCompany(shop, 'Dependent')
  },
  async '/v3/io/rfq/:quote_id/shipping-rate'(shop, { quote_id }) {
    const custom = { customShippingMethodName: 'Van', customShippingMethodCost: 1 }
    await ask(shop, 'PUT', `/v3/io/rfq/${quote_id}/shipping-rate`, custom)
  },
  // The channel of the example shows no themes.
  async '/channels/:channel_id/active-theme'(shop, { channel_id }) {
    await activate(shop, Number(channel_id))
  },
}

/** Conditions that a request needs and that no request establishes. */
const mustHave: Readonly<Record<string, (shop: Shop, ids: Ids) => Promise<unknown>>> = {
  '/orders/:order_id/payment_actions/capture': payFor('authorize'),
  '/payments/access_tokens': incompleteOrder,
  '/v3/io/orders': makeOrderWithRecord,
  '/v3/io/companies/:company_id/parent': (shop) => makeCompany(shop, 'Parents'),
  '/v3/io/customer-groups/:customer_group_id/companies': makeDependent,
  '/storefront/redirects/imex/export': putRedirect,
  '/orders/:order_id/payment_actions/void': payFor('authorize'),
  '/orders/:order_id/payment_actions/refund_quotes': payFor('purchase'),
  '/orders/:order_id/payment_actions/refunds': payFor('purchase'),
  '/orders/payment_actions/refund_quotes': payFor('purchase'),
}

/** A group with discount rules takes no price list, and the example of a group has rules. @returns its id */
async function groupWithoutRules(shop: Shop): Promise<Id> {
  const call = (method: string, path: string, body?: unknown) =>
    shop.call(method, `/customer_groups${path}`, body, { version: 'v2' })
  await call('POST', '', { name: 'Trade' })
  const groups: { id: number }[] = (await call('GET', '')).body
  for (const { id } of groups) await call('PUT', `/${id}`, { discount_rules: [] })
  return groups[0]?.id ?? 0
}

/** Pays the order of a path, or the first one, unless another operation has paid it. */
function payFor(operation: 'authorize' | 'purchase') {
  return async (shop: Shop, { order_id = 1 }: Ids) => {
    const { body } = await shop.call('GET', `/orders/${order_id}`, undefined, { version: 'v2' })
    if (body.payment_status === '') await payOrder(shop, Number(order_id), operation)
  }
}

/** An order that its shopper can pay. */
async function incompleteOrder(shop: Shop) {
  const products = [{ name: 'Print', quantity: 1, price_ex_tax: 20, price_inc_tax: 25 }]
  await shop.call('POST', '/orders', { billing_address: { zip: '1' }, products, status_id: 0 }, { version: 'v2' })
}

/** The collection to which an operation adds a resource. */
const creating = ({ method, template }: Operation) => (method === 'POST' ? template : undefined)

const ID_NAMES = ['id', 'uuid', 'type_id', 'listing_id', 'addressId', 'companyId', 'userId', 'variant_id']

/** The id in an answer; the first one if there are several. */
function idIn(body: { data?: unknown } | undefined): Id | undefined {
  const data = body?.data ?? body
  const one: unknown = Array.isArray(data) ? data[0] : data
  if (typeof one !== 'object' || one === null) return undefined
  const [, id] = Object.entries(one).find(([key]) => ID_NAMES.includes(key)) ?? []
  return typeof id === 'number' || typeof id === 'string' ? id : undefined
}
