import type { Db } from '../../../../../core/db/database.ts'
import { type FormFieldKind, findDefinitions } from '../../../../../customers/form-fields/shape.ts'
import { extraFieldsOf } from '../../../../../sales/b2b/extra-fields/definitions.ts'
import { type ExtraField, type ExtraFieldKind, FIELD_TYPES } from '../../../../../sales/b2b/extra-fields/field.ts'
import { type BuyerCaller, storeOf } from '../../caller.ts'
import type { QueryFields } from '../../types.ts'

// The fields of forms: those of registrations, and the extra fields of a store (docs/contract/b2b-graphql.md section 6).

export const formQueries: QueryFields<
  'companyExtraFields' | 'userExtraFields' | 'addressExtraFields' | 'quoteExtraFieldsConfig' | 'accountFormFields'
> = {
  companyExtraFields: (_, { storeHash }, caller) => configsOf(caller, storeHash, 'company'),
  userExtraFields: (_, _args, caller) => configsOf(caller, undefined, 'user'),
  addressExtraFields: (_, { storeHash }, caller) => configsOf(caller, storeHash, 'address'),
  async quoteExtraFieldsConfig(_, { storeHash }, caller) {
    const fields = await visibleFields(await storeOf(caller, storeHash), 'quote')
    return fields.map((field) => ({
      ...configOf(field),
      id: String(field.id),
      fieldCategory: 'quote',
      isUnique: field.is_unique,
      valueConfigs: {},
    }))
  },
  async accountFormFields(_, { storeHash, formType }, caller) {
    const db = await storeOf(caller, storeHash)
    return formType === BUSINESS ? businessForm(db) : customerForm(db)
  },
}

/** Buyers see the fields that the store shows to them. */
const visibleFields = async (db: Db, kind: ExtraFieldKind) =>
  (await extraFieldsOf(db, kind)).filter(({ visible_to_enduser }) => visible_to_enduser)

async function configsOf(caller: BuyerCaller, storeHash: string | undefined, kind: ExtraFieldKind) {
  return (await visibleFields(await storeOf(caller, storeHash), kind)).map(configOf)
}

const configOf = (field: ExtraField) => ({
  fieldName: field.field_name,
  fieldType: field.field_type,
  isRequired: field.is_required,
  defaultValue: field.default_value,
  maximumLength: String(field.maximum_length ?? ''),
  numberOfRows: String(field.number_of_rows ?? ''),
  maximumValue: String(field.maximum_value ?? ''),
  listOfValue: field.list_of_value,
  visibleToEnduser: field.visible_to_enduser,
  labelName: field.field_name,
})

/** `formType` of the registration of a company; 1 is that of a plain customer. */
const BUSINESS = 2

/** The groups of fields on the pages of a registration. */
const GROUPS = {
  contact: { id: 1, name: 'Contact Information' },
  additional: { id: 2, name: 'Additional Information' },
  business: { id: 3, name: 'Business Details' },
  address: { id: 4, name: 'Address' },
  password: { id: 5, name: 'Password' },
} as const

interface FormField {
  fieldId: string
  fieldName: string
  labelName: string
  group: (typeof GROUPS)[keyof typeof GROUPS]
  fieldType?: string
  isRequired?: boolean
  custom?: boolean
  valueConfigs?: Readonly<Record<string, unknown>>
}

const CONTACT: readonly FormField[] = [
  { fieldId: 'field_first_name', fieldName: 'first_name', labelName: 'First Name', group: GROUPS.contact },
  { fieldId: 'field_last_name', fieldName: 'last_name', labelName: 'Last Name', group: GROUPS.contact },
  { fieldId: 'field_email', fieldName: 'email', labelName: 'Email Address', group: GROUPS.contact },
  {
    fieldId: 'field_phone_number',
    fieldName: 'phone',
    labelName: 'Phone Number',
    group: GROUPS.contact,
    isRequired: false,
  },
]

const PASSWORDS: readonly FormField[] = [
  {
    fieldId: 'field_create_password',
    fieldName: 'password',
    labelName: 'Create Password',
    group: GROUPS.password,
    fieldType: 'password',
  },
  {
    fieldId: 'field_confirm_password',
    fieldName: 'confirm_password',
    labelName: 'Confirm Password',
    group: GROUPS.password,
    fieldType: 'password',
  },
]

const ADDRESS: readonly FormField[] = [
  {
    fieldId: 'field_country',
    fieldName: 'country',
    labelName: 'Country',
    group: GROUPS.address,
    fieldType: 'dropdown',
  },
  { fieldId: 'field_address_1', fieldName: 'address1', labelName: 'Address Line 1', group: GROUPS.address },
  {
    fieldId: 'field_address_2',
    fieldName: 'address2',
    labelName: 'Address Line 2',
    group: GROUPS.address,
    isRequired: false,
  },
  { fieldId: 'field_city', fieldName: 'city', labelName: 'City', group: GROUPS.address },
  {
    fieldId: 'field_state',
    fieldName: 'state',
    labelName: 'State',
    group: GROUPS.address,
    fieldType: 'dropdown',
    isRequired: false,
  },
]

/** The form of a plain customer. Clients take the name from `valueConfigs` if it has an id, and know those of contacts and passwords themselves. */
async function customerForm(db: Db) {
  const fields = [
    ...CONTACT,
    ...[
      {
        fieldId: 'field_company',
        fieldName: 'company',
        labelName: 'Company',
        group: GROUPS.contact,
        isRequired: false,
      },
      ...(await ownFields(db, 'customer')),
      ...ADDRESS,
      { fieldId: 'field_zip_code', fieldName: 'postal_code', labelName: 'Zip Code', group: GROUPS.address },
    ].map(withConfigs),
    ...PASSWORDS,
  ]
  return fields.map((field, i) => toAnswer(field, i, 1))
}

const withConfigs = (field: FormField): FormField => ({
  ...field,
  valueConfigs: field.valueConfigs ?? {
    id: field.fieldId,
    name: camel(field.fieldName),
    label: field.labelName,
    type: 'string',
    fieldType: field.fieldType ?? 'text',
    required: field.isRequired ?? true,
  },
})

async function businessForm(db: Db) {
  const extra = async (kind: ExtraFieldKind, group: FormField['group']): Promise<FormField[]> =>
    (await visibleFields(db, kind)).map((field) => ({
      fieldId: `field_${field.id}`,
      fieldName: field.field_name,
      labelName: field.field_name,
      group,
      fieldType: WIDGETS[field.field_type] ?? 'text',
      isRequired: field.is_required,
      custom: true,
      valueConfigs: { ...configOf(field), custom: true },
    }))
  const fields: readonly FormField[] = [
    ...CONTACT,
    ...(await extra('user', GROUPS.contact)),
    { fieldId: 'field_company_name', fieldName: 'company_name', labelName: 'Company Name', group: GROUPS.business },
    { fieldId: 'field_company_email', fieldName: 'company_email', labelName: 'Company Email', group: GROUPS.business },
    {
      fieldId: 'field_company_phone_number',
      fieldName: 'company_phone_number',
      labelName: 'Company Phone Number',
      group: GROUPS.business,
    },
    ...(await extra('company', GROUPS.business)),
    {
      fieldId: 'field_attachments',
      fieldName: 'company_attachments',
      labelName: 'Attachments',
      group: GROUPS.business,
      fieldType: 'files',
      isRequired: false,
    },
    ...ADDRESS,
    { fieldId: 'field_zip_code', fieldName: 'zip_code', labelName: 'Zip Code', group: GROUPS.address },
    ...(await extra('address', GROUPS.address)),
    ...PASSWORDS,
  ]
  return fields.map((field, i) => toAnswer(field, i, BUSINESS))
}

/** The widget of each type of extra field. */
const WIDGETS: Readonly<Record<number, string>> = {
  [FIELD_TYPES.text]: 'text',
  [FIELD_TYPES.lines]: 'multiline',
  [FIELD_TYPES.number]: 'number',
  [FIELD_TYPES.dropdown]: 'dropdown',
}

/** The widget of each type of form field. */
const FORM_WIDGETS: Readonly<Record<string, string>> = {
  checkboxes: 'checkbox',
  picklist: 'dropdown',
  radiobuttons: 'radio',
  multiline: 'multiline',
  numbers: 'number',
}

/** The form fields that the store has defined for its customers. */
async function ownFields(db: Db, kind: FormFieldKind): Promise<FormField[]> {
  const fields = (await findDefinitions(db)).filter((field) => field.kind === kind)
  return fields.map(({ id, name, label, type, required, options }) => {
    const fieldType = FORM_WIDGETS[type] ?? type
    return {
      fieldId: `field_${id}`,
      fieldName: name,
      labelName: label,
      group: GROUPS.additional,
      fieldType,
      isRequired: required,
      custom: true,
      valueConfigs: {
        id: `field_${id}`,
        name,
        label,
        fieldType,
        required,
        custom: true,
        type: 'string',
        options: { items: options.map((option) => ({ label: option, value: option })) },
      },
    }
  })
}

const toAnswer = (field: FormField, position: number, formType: number) => ({
  id: String(position + 1),
  createdAt: 0,
  updatedAt: 0,
  formType,
  fieldFrom: field.custom ? 2 : 1,
  fieldId: field.fieldId,
  fieldIndex: position,
  custom: field.custom ?? false,
  groupId: field.group.id,
  groupName: field.group.name,
  isRequired: field.isRequired ?? true,
  visible: true,
  labelName: field.labelName,
  fieldName: field.fieldName,
  fieldType: field.fieldType ?? 'text',
  valueConfigs: field.valueConfigs ?? {},
})

const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
