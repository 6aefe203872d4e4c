import type { Definition } from '../../../../../../customers/form-fields/shape.ts'
import type { CartAddress } from '../../../../../../sales/carts/row/document.ts'
import type { StorefrontCaller } from '../../../../caller.ts'
import type { SchemaInputs } from '../../../schema-types.ts'
import { FIRST_OWN_FIELD } from '../../settings/form-fields.ts'
import { shopFor } from '../../shop.ts'

// The store's own fields of addresses. The storefront names fields and options by numbers; documents of carts have the id of the field, and the
// options as texts.

type CustomField = CartAddress['custom_fields'][number]
type Input = SchemaInputs['CheckoutAddressCustomFieldInput']

const fieldIdOf = (entityId: number) => entityId - FIRST_OWN_FIELD + 1
const entityIdOf = (fieldId: string) => Number(fieldId) + FIRST_OWN_FIELD - 1

const definitionsFor = async (caller: StorefrontCaller) =>
  ((await shopFor(caller)).form_fields ?? []).filter(({ kind }) => kind === 'address')

/** The fields as REST takes them. An option that the field doesn't have is an empty text. */
export async function toCustomFields(
  caller: StorefrontCaller,
  input: Input | null | undefined,
): Promise<CustomField[]> {
  if (!input) return []
  const definitions = await definitionsFor(caller)
  const labelOf = (field: number, option: number) =>
    definitions.find(({ id }) => id === fieldIdOf(field))?.options[option - 1] ?? ''
  const valued = (fieldEntityId: number, field_value: string | string[]): CustomField => ({
    field_id: String(fieldIdOf(fieldEntityId)),
    field_value,
  })
  const { checkboxes, multipleChoices, numbers, dates, texts, passwords } = input
  return [
    ...(checkboxes ?? []).map(({ fieldEntityId: field, fieldValueEntityIds }) =>
      valued(
        field,
        fieldValueEntityIds.map((option) => labelOf(field, option)),
      ),
    ),
    ...(multipleChoices ?? []).map(({ fieldEntityId: field, fieldValueEntityId }) =>
      valued(field, labelOf(field, fieldValueEntityId)),
    ),
    ...(numbers ?? []).map(({ fieldEntityId, number }) => valued(fieldEntityId, String(number))),
    ...(dates ?? []).map(({ fieldEntityId, date }) => valued(fieldEntityId, date)),
    ...(texts ?? []).map(({ fieldEntityId, text }) => valued(fieldEntityId, text)),
    ...(passwords ?? []).map(({ fieldEntityId, password }) => valued(fieldEntityId, password)),
  ]
}

/** The fields of an address as the storefront shows them. Fields that the store has deleted are left out. */
export async function customFieldsToAnswer(caller: StorefrontCaller, { custom_fields }: CartAddress) {
  if (custom_fields.length === 0) return []
  const definitions = await definitionsFor(caller)
  return custom_fields.flatMap((field) => {
    const found = definitions.find(({ id }) => String(id) === field.field_id)
    return found ? [customFieldToAnswer(field, found)] : []
  })
}

function customFieldToAnswer({ field_id, field_value }: CustomField, { type, options }: Definition) {
  const entityId = entityIdOf(field_id)
  const texts = Array.isArray(field_value) ? field_value : [field_value]
  const [text = ''] = texts
  const positions = texts.map((label) => options.indexOf(label) + 1)
  const [valueEntityId = 0] = positions
  switch (type) {
    case 'checkboxes':
      return { __typename: 'CheckoutAddressCheckboxesCustomField' as const, entityId, valueEntityIds: positions }
    case 'radiobuttons':
    case 'picklist':
      return { __typename: 'CheckoutAddressMultipleChoiceCustomField' as const, entityId, valueEntityId }
    case 'numbers':
      return { __typename: 'CheckoutAddressNumberCustomField' as const, entityId, number: Number(text) || 0 }
    case 'date':
      return { __typename: 'CheckoutAddressDateCustomField' as const, entityId, date: { utc: text } }
    case 'password':
      return { __typename: 'CheckoutAddressPasswordCustomField' as const, entityId, password: text }
    default:
      return { __typename: 'CheckoutAddressTextFieldCustomField' as const, entityId, text }
  }
}
