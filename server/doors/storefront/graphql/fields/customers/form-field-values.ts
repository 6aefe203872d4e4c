import { prepared } from '../../../../../core/db/database.ts'
import { sql } from '../../../../../core/db/sql.ts'
import { Load } from '../../../../../core/graphql/loads.ts'
import type { StoredValue } from '../../../../../customers/form-fields/values.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { FIRST_OWN_FIELD } from '../settings/form-fields.ts'
import { shopFor } from '../shop.ts'

type ValueRow = Pick<StoredValue, 'address_id' | 'field_id' | 'name' | 'type' | 'value'>

/** All values of a customer, those of the addresses included. */
const valueLoad = new Load<StorefrontCaller, number, ValueRow[]>(async ({ storefront: { db } }, ids) => {
  const rows = await db.rows<ValueRow & { customer_id: number }>(
    prepared(sql`
    select customer_id, address_id, field_id, name, type, value from customer_form_field_values
    where store_id = ${db.store.id} and customer_id = ${sql.anyOf(ids)} order by field_id, id`),
  )
  return Map.groupBy(rows, ({ customer_id }) => customer_id)
})

/** The values of the store's form fields. @param address 0 for those of the customer itself */
export async function formFieldValuesOf(caller: StorefrontCaller, customer: number, address: number) {
  const [rows, { form_fields }] = await Promise.all([valueLoad.find(caller, customer, undefined), shopFor(caller)])
  const optionsOf = (field: number) => form_fields?.find(({ id }) => id === field)?.options ?? []
  return (rows ?? []).filter(({ address_id }) => address_id === address).map((row) => valueToAnswer(row, optionsOf))
}

function valueToAnswer({ field_id, name, type, value }: ValueRow, optionsOf: (field: number) => readonly string[]) {
  const field = { entityId: field_id + FIRST_OWN_FIELD - 1, name }
  const text = String(value)
  const positionOf = (label: string) => optionsOf(field_id).indexOf(label) + 1
  switch (type) {
    case 'checkboxes': {
      const values = Array.isArray(value) ? value : [text]
      return {
        __typename: 'CheckboxesFormFieldValue' as const,
        ...field,
        values,
        valueEntityIds: values.map(positionOf),
      }
    }
    case 'radiobuttons':
    case 'picklist':
      return {
        __typename: 'MultipleChoiceFormFieldValue' as const,
        ...field,
        value: text,
        valueEntityId: positionOf(text),
      }
    case 'date':
      return { __typename: 'DateFormFieldValue' as const, ...field, date: { utc: new Date(text).toISOString() } }
    case 'numbers':
      return { __typename: 'NumberFormFieldValue' as const, ...field, number: Number(value) }
    case 'multiline':
      return { __typename: 'MultilineTextFormFieldValue' as const, ...field, multilineText: text }
    case 'password':
      return { __typename: 'PasswordFormFieldValue' as const, ...field, password: text }
    default:
      return { __typename: 'TextFormFieldValue' as const, ...field, text }
  }
}
