import { ALL_COUNTRIES } from '../../../../../core/geography/countries.ts'
import type { Definition, FormFieldKind } from '../../../../../customers/form-fields/shape.ts'
import type { Fields } from '../../types.ts'
import { shopFor } from '../shop.ts'

// The form fields of the shop: the built-in ones with fixed ids, and those of the store with ids from 26 up
// (docs/contract/storefront-graphql.md section 4).

declare module '../../types.ts' {
  interface Parents {
    FormFields: object
  }
}

interface FieldFilters {
  entityIds?: readonly number[] | null
  isRequired?: boolean | null
  isBuiltIn?: boolean | null
}
interface Wish {
  filters?: FieldFilters | null
  sortBy: 'FIELD_ID' | 'SORT_ORDER' | null
}

/** The lists of the forms. */
export const formFieldFields: Fields<'FormFields'> = {
  FormFields: {
    customer: async (_, wish, caller) => listOf(CUSTOMER, 'customer', (await shopFor(caller)).form_fields, wish),
    shippingAddress: async (_, wish, caller) => listOf(ADDRESS, 'address', (await shopFor(caller)).form_fields, wish),
    billingAddress: async (_, wish, caller) => listOf(ADDRESS, 'address', (await shopFor(caller)).form_fields, wish),
  },
}

/** Ids of the store's own fields begin here. */
export const FIRST_OWN_FIELD = 26
/** The built-in field that asks for consent to e-mails. */
export const MARKETING_CONSENT = 25

const own = (position: number) => ({ isBuiltIn: true, sortOrder: position })
const TEXT = { __typename: 'TextFormField', defaultText: null, maxLength: 255 } as const
const PASSWORD = { __typename: 'PasswordFormField', defaultText: null, maxLength: 255 } as const

const text = <Id extends string>(entityId: number, builtInFieldId: Id, label: string, isRequired: boolean) => ({
  ...TEXT,
  ...own(entityId),
  entityId,
  builtInFieldId,
  label,
  isRequired,
})
const password = <Id extends string>(entityId: number, builtInFieldId: Id, label: string) => ({
  ...PASSWORD,
  ...own(entityId),
  entityId,
  builtInFieldId,
  label,
  isRequired: true,
})

const CUSTOMER = [
  text(1, 'EmailAddress', 'Email Address', true),
  password(2, 'Password', 'Password'),
  password(3, 'ConfirmPassword', 'Confirm Password'),
  password(24, 'CurrentPassword', 'Current Password'),
  {
    __typename: 'CheckboxesFormField',
    ...own(MARKETING_CONSENT),
    entityId: MARKETING_CONSENT,
    builtInFieldId: 'ReceiveMarketingEmails',
    label: 'Receive marketing emails',
    isRequired: false,
    options: [{ entityId: 1, label: 'Yes' }],
  },
] as const

const ADDRESS = [
  text(4, 'FirstName', 'First Name', true),
  text(5, 'LastName', 'Last Name', true),
  text(6, 'CompanyName', 'Company Name', false),
  text(7, 'Phone', 'Phone Number', false),
  text(8, 'AddressLine1', 'Address Line 1', true),
  text(9, 'AddressLine2', 'Address Line 2', false),
  text(10, 'City', 'Suburb/City', true),
  {
    __typename: 'PicklistFormField',
    ...own(11),
    entityId: 11,
    builtInFieldId: 'Country',
    label: 'Country',
    isRequired: true,
    choosePrefix: '',
    options: ALL_COUNTRIES.map(({ id, name }) => ({ entityId: id, label: name })),
  },
  {
    __typename: 'PicklistOrTextFormField',
    ...own(12),
    entityId: 12,
    builtInFieldId: 'State',
    label: 'State/Province',
    isRequired: false,
    maxLength: 255,
    picklistPrefix: '',
  },
  text(13, 'Zip', 'Zip/Postcode', false),
] as const

function listOf<BuiltIn extends typeof CUSTOMER | typeof ADDRESS>(
  builtIn: BuiltIn,
  kind: FormFieldKind,
  definitions: readonly Definition[] | null,
  { filters, sortBy }: Wish,
) {
  const ofStore = (definitions ?? []).filter((field) => field.kind === kind).map(ownFieldToAnswer)
  const { entityIds, isRequired, isBuiltIn } = filters ?? {}
  const found = [...builtIn, ...ofStore].filter(
    (field) =>
      (entityIds == null || entityIds.includes(field.entityId)) &&
      (isRequired == null || field.isRequired === isRequired) &&
      (isBuiltIn == null || field.isBuiltIn === isBuiltIn),
  )
  // In the order of ids the built-in ones come first in both orders.
  return sortBy === 'SORT_ORDER' ? found : found.sort((one, other) => one.entityId - other.entityId)
}

/** A field of the store. An option has its position as id. */
function ownFieldToAnswer({ id, label, required, type, sort_order, options: labels }: Definition) {
  const field = {
    entityId: id + FIRST_OWN_FIELD - 1,
    label,
    // Behind the built-in ones.
    sortOrder: FIRST_OWN_FIELD + sort_order,
    isBuiltIn: false,
    isRequired: required,
    builtInFieldId: null,
  }
  const options = labels.map((label, i) => ({ entityId: i + 1, label }))
  switch (type) {
    case 'checkboxes':
      return { __typename: 'CheckboxesFormField' as const, ...field, options }
    case 'radiobuttons':
      return { __typename: 'RadioButtonsFormField' as const, ...field, options }
    case 'picklist':
      return { __typename: 'PicklistFormField' as const, ...field, choosePrefix: '', options }
    case 'date':
      return { __typename: 'DateFormField' as const, ...field, defaultDate: null, minDate: null, maxDate: null }
    case 'multiline':
      return { __typename: 'MultilineTextFormField' as const, ...field, defaultText: null, rows: 5 }
    case 'numbers':
      return {
        __typename: 'NumberFormField' as const,
        ...field,
        defaultNumber: null,
        maxLength: null,
        minNumber: null,
        maxNumber: null,
      }
    case 'password':
      return { ...PASSWORD, ...field }
    case 'text':
      return { ...TEXT, ...field }
  }
}
