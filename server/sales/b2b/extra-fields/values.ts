import t, { type Static } from 'typebox'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { invalid } from '../../../core/rest/problem.ts'
import { type ExtraField, FIELD_TYPES, VALUE_MAX } from './field.ts'

// The values of extra fields (docs/contract/b2b-extra-fields.md section 3). Pure.

/** The values of a resource, by the id of their field. */
export const ExtraValues = t.Record(t.String(), t.String())
export type ExtraValues = Static<typeof ExtraValues>

/** Values in bodies. */
export const WrittenExtraFields = t.Array(
  t.Object({ fieldName: t.String(), fieldValue: t.String() }, { title: 'ExtraFieldInput' }),
  { maxItems: 100 },
)
type WrittenExtraFields = Static<typeof WrittenExtraFields>

/** Values in answers. */
export const ExtraFieldValues = t.Array(
  t.Object({ fieldName: t.String(), fieldValue: t.String() }, { title: 'ExtraFieldValue' }),
)

/** The values in answers, in the order of their fields. Values of removed fields are omitted. */
export const extraValuesToAnswer = (fields: readonly ExtraField[], values: ExtraValues) =>
  withValues(fields, values).map(({ field, value }) => ({ fieldName: field.field_name, fieldValue: value }))

/** The fields that have a value. */
export const withValues = (fields: readonly ExtraField[], values: ExtraValues) =>
  fields.flatMap((field) => {
    const value = values[field.id]
    return value === undefined ? [] : [{ field, value }]
  })

/** The field of a body with the values. */
type BodyField = 'extraFields' | 'userExtraFields'

/**
 * The values of a new resource: those of the body, and the defaults of the other fields.
 * @throws Problem 422 for an unknown field, an invalid value, and a required field without a value
 */
export function newExtraValues(
  fields: readonly ExtraField[],
  written: WrittenExtraFields = [],
  at: BodyField = 'extraFields',
): ExtraValues {
  const { values, mistakes } = mergedWithDefaults(fields, written)
  if (mistakes.length > 0) throw invalid({ [at]: mistakes.join(' ') })
  return values
}

/** The mistakes that `newExtraValues` would throw. */
export function newExtraMistakes(
  fields: readonly ExtraField[],
  written: WrittenExtraFields = [],
  at: BodyField = 'extraFields',
): Mistakes {
  const { mistakes } = mergedWithDefaults(fields, written)
  return mistakes.length > 0 ? { [at]: mistakes.join(' ') } : {}
}

function mergedWithDefaults(fields: readonly ExtraField[], written: WrittenExtraFields) {
  const defaults = fields.flatMap(({ id, default_value }) => (default_value === '' ? [] : [[id, default_value]]))
  return merged(fields, Object.fromEntries(defaults), written, fields)
}

/**
 * The values of a resource after a change: written values replace those of the same fields, and empty ones delete them.
 * @throws Problem 422 for an unknown field, an invalid value, and an empty value of a required field
 */
export function changedExtraValues(
  fields: readonly ExtraField[],
  stored: ExtraValues,
  written: WrittenExtraFields,
): ExtraValues {
  const names = new Set(written.map(({ fieldName }) => fold(fieldName)))
  const needed = fields.filter(({ field_name }) => names.has(fold(field_name)))
  const { values, mistakes } = merged(fields, stored, written, needed)
  if (mistakes.length > 0) throw invalid({ extraFields: mistakes.join(' ') })
  return values
}

/** @param needed the fields that must have a value in the end if they are required */
function merged(
  fields: readonly ExtraField[],
  stored: ExtraValues,
  written: WrittenExtraFields,
  needed: readonly ExtraField[],
): { values: ExtraValues; mistakes: readonly string[] } {
  const byName = new Map(fields.map((field) => [fold(field.field_name), field]))
  const values = new Map(withValues(fields, stored).map(({ field, value }) => [field.id, value]))
  const mistakes: string[] = []
  for (const { fieldName, fieldValue } of written) {
    const field = byName.get(fold(fieldName))
    const mistake = field ? mistakeOf(field, fieldValue) : `The extra field "${fieldName}" does not exist.`
    if (mistake !== undefined) mistakes.push(mistake)
    if (field && fieldValue === '') values.delete(field.id)
    else if (field) values.set(field.id, fieldValue)
  }
  const empty = needed.filter(({ id, is_required }) => is_required && !values.has(id))
  mistakes.push(...empty.map(({ field_name }) => `The extra field "${field_name}" is required.`))
  return { values: Object.fromEntries(values), mistakes }
}

const NUMBER = /^-?\d{1,11}(\.\d{1,4})?$/

/** The mistake of a value that is not empty. */
export function mistakeOf(
  field: Pick<ExtraField, 'field_name' | 'field_type' | 'maximum_length' | 'maximum_value' | 'list_of_value'>,
  value: string,
): string | undefined {
  const { field_name: name, field_type, maximum_length, maximum_value, list_of_value } = field
  const longest = maximum_length ?? VALUE_MAX
  if (value === '') return undefined
  if ([...value].length > longest) return `The extra field "${name}" has at most ${longest} characters.`
  if (field_type === FIELD_TYPES.number) {
    if (!NUMBER.test(value)) return `The extra field "${name}" is a plain decimal number.`
    if (maximum_value !== null && Number(value) > maximum_value) {
      return `The extra field "${name}" is at most ${maximum_value}.`
    }
  }
  if (field_type === FIELD_TYPES.dropdown && !list_of_value.includes(value)) {
    return `The extra field "${name}" is one of: ${list_of_value.join(', ')}.`
  }
  return undefined
}
