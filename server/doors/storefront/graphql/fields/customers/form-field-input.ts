import type { Definition, FormFieldKind } from '../../../../../customers/form-fields/shape.ts'
import type { FormFieldValue } from '../../../../../customers/form-fields/values.ts'
import type { StorefrontCaller } from '../../../caller.ts'
import { type ValidationError, validationError } from '../result-errors.ts'
import { FIRST_OWN_FIELD, MARKETING_CONSENT } from '../settings/form-fields.ts'
import { shopFor } from '../shop.ts'

interface Field {
  fieldEntityId: number
}
type ListIn<Value> = readonly (Field & Value)[] | null

/** Values of form fields, by the kind of their fields. */
export interface FormFieldsInput {
  checkboxes?: ListIn<{ fieldValueEntityIds: readonly number[] }>
  multipleChoices?: ListIn<{ fieldValueEntityId: number }>
  numbers?: ListIn<{ number: number }>
  dates?: ListIn<{ date: string }>
  texts?: ListIn<{ text: string }>
  multilineTexts?: ListIn<{ multilineText: string }>
  passwords?: ListIn<{ password: string }>
}

/** The types of fields that a list of the input is for. */
const TYPES: { readonly [List in keyof Required<FormFieldsInput>]: readonly Definition['type'][] } = {
  checkboxes: ['checkboxes'],
  multipleChoices: ['radiobuttons', 'picklist'],
  numbers: ['numbers'],
  dates: ['date'],
  texts: ['text'],
  multilineTexts: ['multiline'],
  passwords: ['password'],
}

interface SubmittedValue extends Field {
  list: keyof FormFieldsInput
  /** The value, with the options of a field of the store. @returns undefined for an unknown option */
  valueFor(options: readonly string[]): FormFieldValue['value'] | undefined
}

function sentIn(input: FormFieldsInput): SubmittedValue[] {
  const optionOf = (options: readonly string[], id: number) => options[id - 1]
  return [
    ...(input.checkboxes ?? []).map(({ fieldEntityId, fieldValueEntityIds }) => ({
      list: 'checkboxes' as const,
      fieldEntityId,
      valueFor(options: readonly string[]) {
        const labels = fieldValueEntityIds.flatMap((id) => optionOf(options, id) ?? [])
        return labels.length === fieldValueEntityIds.length ? labels : undefined
      },
    })),
    ...(input.multipleChoices ?? []).map(({ fieldEntityId, fieldValueEntityId }) => ({
      list: 'multipleChoices' as const,
      fieldEntityId,
      valueFor: (options: readonly string[]) => optionOf(options, fieldValueEntityId),
    })),
    // A field for a date has a day and no time.
    ...(input.dates ?? []).map(({ fieldEntityId, date }) => plain('dates', fieldEntityId, date.slice(0, 10))),
    ...(input.numbers ?? []).map(({ fieldEntityId, number }) => plain('numbers', fieldEntityId, number)),
    ...(input.texts ?? []).map(({ fieldEntityId, text }) => plain('texts', fieldEntityId, text)),
    ...(input.multilineTexts ?? []).map((field) => plain('multilineTexts', field.fieldEntityId, field.multilineText)),
    ...(input.passwords ?? []).map(({ fieldEntityId, password }) => plain('passwords', fieldEntityId, password)),
  ]
}

const plain = (list: keyof FormFieldsInput, fieldEntityId: number, value: string | number): SubmittedValue => ({
  list,
  fieldEntityId,
  valueFor: () => value,
})

interface ReadFormFields {
  values: FormFieldValue[]
  errors: ValidationError[]
  /** Whether the customer consents to e-mails; undefined if the input doesn't say. */
  hasConsent: boolean | undefined
}

/**
 * Reads the values of the store's form fields (docs/contract/storefront-graphql.md section 4).
 * @param path of the values in the input
 * @param isNew whether the values are all that the customer or the address will have, so that required fields must be among them
 */
export async function readFormFields(
  caller: StorefrontCaller,
  input: FormFieldsInput | null | undefined,
  { kind, path, isNew }: { kind: FormFieldKind; path: readonly string[]; isNew: boolean },
): Promise<ReadFormFields> {
  const { form_fields } = await shopFor(caller)
  const fields = (form_fields ?? []).filter((field) => field.kind === kind)
  const sent = sentIn(input ?? {})
  const isConsent = ({ list, fieldEntityId }: SubmittedValue) =>
    kind === 'customer' && list === 'checkboxes' && fieldEntityId === MARKETING_CONSENT
  const consent = sent.find(isConsent)
  const errors: ValidationError[] = []
  const values = new Map<number, FormFieldValue>()
  for (const one of sent.filter((one) => !isConsent(one))) {
    const field = fields.find(({ id }) => id === one.fieldEntityId - FIRST_OWN_FIELD + 1)
    const read = field && contentOf(field, one)
    if (field && read !== undefined) values.set(field.id, { name: field.name, value: read })
    else errors.push(validationError([...path, one.list], mistakeOf(field, one)))
  }
  for (const { id, label, required } of fields) {
    const value = values.get(id)?.value
    const isEmpty = value === undefined ? isNew : value === '' || (Array.isArray(value) && value.length === 0)
    if (required && isEmpty) errors.push(validationError(path, `${label} is required.`))
  }
  const hasConsent = consent && consent.valueFor(['yes'])?.toString() === 'yes'
  return { values: [...values.values()], errors, hasConsent }
}

const contentOf = ({ type, options }: Definition, { list, valueFor }: SubmittedValue) =>
  TYPES[list].includes(type) ? valueFor(options) : undefined

function mistakeOf(field: Definition | undefined, { list, fieldEntityId }: SubmittedValue): string {
  if (!field) return `There is no form field ${fieldEntityId} here.`
  return TYPES[list].includes(field.type)
    ? `${field.label} has no such option.`
    : `The values of ${field.label} do not belong to ${list}.`
}
