import t, { type Static } from 'typebox'
import type { Tx } from '../../core/db/database.ts'
import type { Mistakes } from '../../core/rest/input/mistakes.ts'
import type { NewIds } from '../../core/rest/lists/verbs.ts'
import { unknownId } from '../../core/rest/problem.ts'
import {
  addressRow,
  type CustomerAddressRow,
  completeAddress,
  customerAddresses,
  insertAddresses,
  NestedAddress,
  placeMistakes,
} from '../addresses/shape.ts'
import {
  attributeMistake,
  attributeValues,
  insertAttributeValues,
  lockAttributesShared,
  NestedValue,
} from '../attributes/shape.ts'
import type { Definition } from '../form-fields/shape.ts'
import {
  type FieldValue,
  type FormFieldValue,
  FormFieldValues,
  formFieldValues,
  insertValues,
  lockFieldsShared,
  readValues,
  valueRow,
} from '../form-fields/values.ts'

const NESTED_MAX = 10

/** Sub-resources in the body of a new customer (docs/contract/customers.md section 2.3). */
export const NewSubResources = t.Partial(
  t.Object({
    addresses: t.Array(NestedAddress, { maxItems: NESTED_MAX }),
    attributes: t.Array(NestedValue, { maxItems: NESTED_MAX }),
    form_fields: FormFieldValues,
  }),
)
export type NewSubResources = Static<typeof NewSubResources>

/** Gives the path of a field of the nth customer in a body. */
type ItemPath = (i: number, field: string) => string

/** The sub-resources of one customer. Of two equal addresses, and of two values of an attribute, one is stored. */
interface Plan {
  body: NewSubResources
  /** Each with its index in the body. */
  addresses: { j: number; row: Omit<CustomerAddressRow, 'customer_id'>; form_fields: FormFieldValue[] }[]
  values: NestedValue[]
}

/**
 * Plans the sub-resources of new customers before anything is read or locked.
 * - `wanted` has the number of ids of each collection, for `takeIds`.
 * - `countsOf` returns the number of addresses and attributes of the nth customer.
 * - `read` finds and locks the attributes and form fields in the bodies. Call it after `takeIds`, and refuse its mistakes.
 */
export function planSubResources(bodies: readonly NewSubResources[]) {
  const plans = bodies.map(planOf)
  const namedBy = (values: readonly FormFieldValue[]) => new Set(values.map(({ name }) => name)).size
  const fieldsOf = ({ body, addresses }: Plan) =>
    [body.form_fields ?? [], ...addresses.map(({ form_fields }) => form_fields)].map(namedBy)
  return {
    wanted: [
      [customerAddresses, sum(plans.map((plan) => plan.addresses.length))],
      [attributeValues, sum(plans.map((plan) => plan.values.length))],
      [formFieldValues, sum(plans.flatMap(fieldsOf))],
    ] as const,
    countsOf: (i: number) => ({
      address_count: plans[i]?.addresses.length ?? 0,
      attribute_count: plans[i]?.values.length ?? 0,
    }),
    read: (tx: Tx, at: ItemPath) => readParts(tx, plans, at),
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

function planOf(body: NewSubResources): Plan {
  const rows = (body.addresses ?? []).map(({ form_fields = [], ...given }, j) => {
    const { customer_id: _, ...row } = addressRow(0, completeAddress(given))
    return { j, row, form_fields }
  })
  const first = new Map(rows.toReversed().map((address) => [address.row.fingerprint, address]))
  const last = new Map((body.attributes ?? []).map((value) => [value.attribute_id, value]))
  return {
    body,
    addresses: rows.filter((address) => first.get(address.row.fingerprint) === address),
    values: [...last.values()],
  }
}

/** @returns the mistakes, and a function that stores the sub-resources of the stored customers */
async function readParts(tx: Tx, plans: readonly Plan[], at: ItemPath) {
  const mistakes: Mistakes = {}
  const attributes = await lockAttributesShared(
    tx,
    plans.flatMap(({ values }) => values.map(({ attribute_id }) => attribute_id)),
  )
  const hasFields = plans.some(({ body }) => body.form_fields || body.addresses?.some(({ form_fields }) => form_fields))
  const fields: ReadonlyMap<string, Definition>[] = hasFields
    ? [await lockFieldsShared(tx, 'customer'), await lockFieldsShared(tx, 'address')]
    : []
  const [ofCustomers = new Map(), ofAddresses = new Map()] = fields
  const read = plans.map((plan, i) => {
    const { body, addresses } = plan
    for (const [j, { attribute_id, attribute_value }] of (body.attributes ?? []).entries()) {
      const attribute = attributes.get(attribute_id)
      const reason = attribute && attributeMistake(attribute, attribute_value)
      const place = (field: string) => at(i, `attributes.${j}.${field}`)
      if (!attribute) mistakes[place('attribute_id')] = unknownId('customer attribute', attribute_id)
      else if (reason !== undefined) mistakes[place('attribute_value')] = reason
    }
    const own = readValues(body.form_fields ?? [], ofCustomers, (j, part) => at(i, `form_fields.${j}.${part}`))
    Object.assign(mistakes, own.mistakes)
    const kept = new Map(addresses.map(({ j }) => [j, [] as FieldValue[]]))
    for (const [j, address] of (body.addresses ?? []).entries()) {
      const place = (field: string) => at(i, `addresses.${j}.${field}`)
      const fields = readValues(address.form_fields ?? [], ofAddresses, (k, part) => place(`form_fields.${k}.${part}`))
      Object.assign(mistakes, placeMistakes(address, place), fields.mistakes)
      if (kept.has(j)) kept.set(j, fields.values)
    }
    return { plan, own: own.values, ofAddress: kept }
  })
  return {
    mistakes,
    /** Stores the sub-resources and publishes the addresses. @param customerIds in the order of the bodies */
    async store(customerIds: readonly number[], ids: NewIds) {
      const owned = read.map((one, i) => ({ ...one, customer_id: customerIds[i] ?? 0 }))
      const values = owned.flatMap(({ plan, customer_id }) => plan.values.map((value) => ({ ...value, customer_id })))
      await insertAttributeValues(tx, values, ids)
      const rows = owned.flatMap(({ plan, customer_id }) => plan.addresses.map(({ row }) => ({ ...row, customer_id })))
      const stored = (await insertAddresses(tx, rows, ids)).values()
      const fieldRows = owned.flatMap(({ plan, own, ofAddress, customer_id }) => [
        ...own.map((value) => valueRow({ customer_id, address_id: 0 }, value)),
        ...plan.addresses.flatMap(({ j }) => {
          const address_id = stored.next().value?.id ?? 0
          return (ofAddress.get(j) ?? []).map((value) => valueRow({ customer_id, address_id }, value))
        }),
      ])
      await insertValues(tx, fieldRows, ids)
    },
  }
}
