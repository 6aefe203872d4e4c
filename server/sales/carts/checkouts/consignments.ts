import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Amount } from '../../../core/rest/input/amounts.ts'
import { ID_MAX, Id, NeededText } from '../../../core/rest/input/fields.ts'
import type { ItemCheck, Mistakes } from '../../../core/rest/input/mistakes.ts'
import { unknownId } from '../../../core/rest/problem.ts'
import { newHexId } from '../../../core/secrets/row-ids.ts'
import { findLocation } from '../../../goods/inventory/locations/location-shape.ts'
import { lockMethodsShared } from '../../../goods/pickup/methods.ts'
import type { CartParts } from '../changes/change.ts'
import { refuseField, refuseWithTitle } from '../changes/refusal.ts'
import { CUSTOM_SHIPPING, offersFor } from '../costs/shipping.ts'
import { evaluateCart } from '../evaluation/evaluate.ts'
import type { ChosenOption, PickupChoice } from '../row/document.ts'
import { addressInput, findAddressFields, toCartAddress } from './addresses.ts'
import {
  addConsignments,
  type ConsignmentChange,
  changeConsignment,
  findConsignment,
  type NewConsignment,
  newConsignmentId,
  removeConsignment,
} from './changes/consignments.ts'
import { A_LINE } from './examples.ts'
import {
  CHECKOUT,
  type ChangeCheckout,
  CheckoutVersion,
  changeCheckout,
  checkoutSchemas,
  ofCheckout,
  withOptionalBody,
  write,
} from './writes.ts'

// Consignments: the lines that go to one address, or are collected at one location (docs/contract/checkouts.md section 6). Each that is shipped has
// options, of which the shopper or the back end chooses one.

const DESCRIPTION_MAX = 100

const Units = t.Object(
  { item_id: t.String({ maxLength: 255 }), quantity: t.Integer({ minimum: 1, maximum: ID_MAX }) },
  { title: 'CheckoutConsignmentLine' },
)
const Lines = t.Array(Units, { minItems: 1, maxItems: 500 })
const Address = t.Object(addressInput, { title: 'CheckoutShippingAddress' })
const PickupOption = t.Object({ pickup_method_id: Id }, { title: 'CheckoutPickupChoice' })
const exampleAddress = {
  first_name: 'Ann',
  last_name: 'Lee',
  email: 'ann@example.com',
  address1: '1 Mill Road',
  city: 'Austin',
  state_or_province_code: 'TX',
  country_code: 'US',
  postal_code: '78701',
}

const NewOne = t.Object(
  {
    address: t.Optional(Address),
    pickup_option: t.Optional(PickupOption),
    line_items: Lines,
    version: CheckoutVersion,
  },
  { title: 'NewCheckoutConsignment' },
)
const NewConsignments = t.Array(NewOne, {
  minItems: 1,
  examples: [[{ address: exampleAddress, line_items: [{ item_id: A_LINE, quantity: 1 }] }]],
})
const Changes = t.Object(
  {
    address: t.Optional(Address),
    line_items: t.Optional(Lines),
    shipping_option_id: t.Optional(t.String({ maxLength: 255 })),
    pickup_option: t.Optional(PickupOption),
    custom_shipping: t.Optional(
      t.Object({ price: Amount(), description: NeededText(DESCRIPTION_MAX) }, { title: 'CheckoutCustomShipping' }),
    ),
    version: CheckoutVersion,
  },
  { title: 'CheckoutConsignmentChanges', examples: [{ custom_shipping: { price: 5, description: 'By bicycle' } }] },
)
type Changes = Static<typeof Changes>
const Deletion = t.Object({ version: CheckoutVersion }, { title: 'CheckoutConsignmentDeletion', examples: [{}] })

export function consignmentRoutes(api: Api, parts: CartParts) {
  const path = `${CHECKOUT}/consignments`
  const one = `${path}/:consignment_id`
  const underOne = t.Object({ ...ofCheckout, consignment_id: t.String() })

  api.post(
    path,
    {
      ...write,
      schema: {
        summary: 'Create consignments of a checkout',
        operationId: 'createCheckoutConsignments',
        description:
          'Units that another consignment has move to the new one. A checkout with a pickup has no other consignment.',
        params: t.Object(ofCheckout),
        body: NewConsignments,
        ...checkoutSchemas,
      },
    },
    (request) =>
      changeCheckout(request, parts, { version: versionIn(request.body) }, async ({ tx, document, facts }) =>
        addConsignments(document, evaluateCart(document, facts), await readConsignments(tx, request.body)),
      ),
  )

  api.put(
    one,
    {
      ...write,
      schema: {
        summary: 'Change a consignment of a checkout',
        operationId: 'updateCheckoutConsignment',
        description:
          'Exactly one of address with line_items (or one of both), shipping_option_id, custom_shipping and pickup_option. An address or lines drop the chosen option.',
        params: underOne,
        body: Changes,
        ...checkoutSchemas,
      },
    },
    (request) => {
      const { body, params } = request
      refuseMixture(body)
      return changeCheckout(request, parts, { version: body.version }, async (context) => {
        const { document, facts } = context
        const change = await readChange(context, params.consignment_id, body)
        return changeConsignment(document, evaluateCart(document, facts), params.consignment_id, change)
      })
    },
  )

  api.delete(
    one,
    {
      ...withOptionalBody,
      schema: {
        summary: 'Delete a consignment of a checkout',
        operationId: 'deleteCheckoutConsignment',
        params: underOne,
        body: Deletion,
        ...checkoutSchemas,
      },
    },
    (request) =>
      changeCheckout(request, parts, { version: request.body.version }, ({ document }) =>
        removeConsignment(document, request.params.consignment_id),
      ),
  )
}

/** The version that all items agree on. @throws Problem 422 if they don't */
function versionIn(items: Static<typeof NewConsignments>): number | undefined {
  const versions = new Set(items.flatMap(({ version }) => version ?? []))
  if (versions.size > 1) refuseField('0.version', 'The consignments name different versions of the checkout.')
  return [...versions][0]
}

/** @throws Problem 422 with all mistakes */
async function readConsignments(tx: Tx, items: Static<typeof NewConsignments>): Promise<NewConsignment[]> {
  const mistakes: Mistakes = {}
  const fields = await findAddressFields(
    tx,
    items.flatMap(({ address }) => address ?? []),
  )
  const read: NewConsignment[] = []
  for (const [i, { address, pickup_option, line_items: lines }] of items.entries()) {
    const at = (field: string) => `${i}.${field}`
    if ((address === undefined) === (pickup_option === undefined)) {
      mistakes[at('address')] = 'A consignment has either an address or a pickup_option.'
    } else if (address) {
      const check = { at: (field: string) => at(`address.${field}`), mistakes }
      read.push({ destination: { address: toCartAddress(newConsignmentId(), address, fields, check) }, lines })
    } else if (pickup_option) {
      const pickup = await findPickup(tx, pickup_option.pickup_method_id, { at, mistakes })
      if (pickup) read.push({ destination: { pickup }, lines })
    }
  }
  refuseWithTitle(mistakes)
  return read
}

/** A body changes the destination, or chooses a way to ship. @throws Problem 422 */
function refuseMixture({ address, line_items, shipping_option_id, pickup_option, custom_shipping }: Changes) {
  const kinds = [address ?? line_items, shipping_option_id, pickup_option, custom_shipping]
  if (kinds.filter((kind) => kind !== undefined).length !== 1) {
    refuseField('', 'Send either an address or line_items, a shipping_option_id, custom_shipping, or a pickup_option.')
  }
}

type Context = Parameters<ChangeCheckout>[0]

async function readChange(context: Context, id: string, body: Changes): Promise<ConsignmentChange> {
  const { tx, document } = context
  const consignment = findConsignment(document, id)
  const { address, line_items, shipping_option_id, custom_shipping, pickup_option } = body
  const mistakes: Mistakes = {}
  if (shipping_option_id !== undefined) return { option: await findOption(context, id, shipping_option_id) }
  if (custom_shipping) return { option: customOption(custom_shipping) }
  if (pickup_option) {
    const pickup = await findPickup(tx, pickup_option.pickup_method_id, { at: (field) => field, mistakes })
    refuseWithTitle(mistakes)
    if (!pickup) throw new Error('A pickup method without mistakes is missing.')
    return { pickup }
  }
  if (!address) return line_items ? { lines: line_items } : {}
  const fields = await findAddressFields(tx, [address])
  const addressId = consignment.address?.id ?? newConsignmentId()
  const check = { at: (field: string) => `address.${field}`, mistakes }
  const read = toCartAddress(addressId, address, fields, check)
  refuseWithTitle(mistakes)
  return { address: read, ...(line_items ? { lines: line_items } : {}) }
}

/** One of the current options of a consignment. @throws Problem 422, NeedsPreparation */
export async function findOption({ tx, cart, document, facts, quotes }: Context, id: string, option: string) {
  const state = { customer_id: cart.customer_id, document, result: evaluateCart(document, facts), facts }
  const offers = await offersFor(tx, state, [findConsignment(document, id)], quotes.shipping)
  const found = offers.get(id)?.find((one) => one.id === option)
  if (!found) refuseField('shipping_option_id', `The consignment has no shipping option ${option}.`)
  return found
}

const customOption = ({ price, description }: { price: number; description: string }): ChosenOption => ({
  id: newHexId(16),
  method_id: null,
  zone_id: null,
  zone_name: '',
  type: CUSTOM_SHIPPING,
  description,
  additional_description: '',
  transit_time: '',
  image_url: '',
  cost: price,
  handling_cost: 0,
})

/** The place of a pickup method. @returns undefined, with a mistake, if nothing can be collected there */
async function findPickup(tx: Tx, id: number, { at, mistakes }: ItemCheck): Promise<PickupChoice | undefined> {
  const field = at('pickup_option.pickup_method_id')
  const method = (await lockMethodsShared(tx, [id])).get(id)
  if (!method) {
    mistakes[field] = unknownId('pickup method', id)
    return undefined
  }
  const location = await findLocation(tx, method.location_id)
  if (!location?.enabled) {
    mistakes[field] = `Orders can't be collected at the location ${method.location_id}.`
    return undefined
  }
  const { address } = location
  return {
    pickup_method_id: id,
    location_id: location.id,
    country_code: address?.country_code ?? '',
    state: address?.state ?? '',
    postal_code: address?.zip ?? '',
    city: address?.city ?? '',
    address1: address?.address1 ?? '',
    address2: address?.address2 ?? '',
  }
}
