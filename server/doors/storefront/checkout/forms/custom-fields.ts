import type { Definition } from '../../../../customers/form-fields/shape.ts'
import type { CartAddress } from '../../../../sales/carts/row/document.ts'
import { type FieldErrors, type Form, textIn } from './form.ts'

// The store's own fields of addresses in forms. Pure.

type CustomField = CartAddress['custom_fields'][number]

const TEXT_MAX = 2_000

/** The name of a field in a form. @param option the position of a checkbox */
export const customFieldName = ({ id }: Pick<Definition, 'id'>, option?: number): string =>
  option === undefined ? `field-${id}` : `field-${id}-${option}`

/** Reads the fields of an address. Empty ones are left out. */
export function readCustomFields(
  form: Form,
  definitions: readonly Definition[],
): { fields: CustomField[]; errors: FieldErrors } {
  const errors: FieldErrors = {}
  const fields = definitions.flatMap((definition): CustomField[] => {
    const field_value = sentValue(form, definition)
    const name = customFieldName(definition)
    if (field_value.length === 0) {
      if (definition.required) errors[name] = 'needed'
      return []
    }
    const error = typeof field_value === 'string' ? faultOf(field_value, definition) : undefined
    if (error) errors[name] = error
    return [{ field_id: String(definition.id), field_value }]
  })
  return { fields, errors }
}

function sentValue(form: Form, definition: Definition): string | string[] {
  if (definition.type !== 'checkboxes') return textIn(form, customFieldName(definition))
  return definition.options.filter((_, i) => textIn(form, customFieldName(definition, i)) !== '')
}

function faultOf(text: string, { type, options }: Definition): FieldErrors[string] | undefined {
  if (text.length > TEXT_MAX) return 'tooLong'
  switch (type) {
    case 'numbers':
      return /^-?\d{1,15}([.,]\d{1,10})?$/.test(text) ? undefined : 'badNumber'
    case 'date':
      return isDay(text) ? undefined : 'badDate'
    case 'picklist':
    case 'radiobuttons':
      return options.includes(text) ? undefined : 'badChoice'
    default:
      return undefined
  }
}

/** Whether a text is a day of the calendar, as `2026-02-28`. */
function isDay(text: string): boolean {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** The fields of a stored address, as a form has them. */
export function customFieldValues(
  fields: readonly CustomField[],
  definitions: readonly Definition[],
): [name: string, value: string][] {
  return definitions.flatMap((definition): [string, string][] => {
    const value = fields.find(({ field_id }) => field_id === String(definition.id))?.field_value
    if (value === undefined) return []
    if (typeof value === 'string') return [[customFieldName(definition), value]]
    return definition.options.flatMap((option, i): [string, string][] =>
      value.includes(option) ? [[customFieldName(definition, i), '1']] : [],
    )
  })
}
