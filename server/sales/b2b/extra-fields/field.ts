import t, { type Static } from 'typebox'
import { Id, NeededText, nullable } from '../../../core/rest/input/fields.ts'
import { collection } from '../../../core/rest/lists/collection.ts'

/**
 * An extra field: a field that a store defines for its companies, users, addresses, orders, quotes or invoices.
 *
 * Only the operator's command defines fields, so a client finds the same ones at each of its requests. A field has a type with limits.
 * It may be required, and its values may be unique. Resources store values by the id of the field: if a field is removed, its values
 * disappear from all answers at once, and a later field of the same name begins without values.
 */
export const EXTRA_FIELD_KINDS = ['company', 'user', 'address', 'order', 'quote', 'invoice'] as const
export type ExtraFieldKind = (typeof EXTRA_FIELD_KINDS)[number]

/** The fields of one kind. */
export const EXTRA_FIELDS_MAX = 50
/** Characters in a value. */
export const VALUE_MAX = 10_000

export const FIELD_TYPES = { text: 0, lines: 1, number: 2, dropdown: 3 } as const

const Row = t.Object({
  id: Id,
  kind: t.String(),
  uuid: t.String(),
  field_name: NeededText(200),
  field_type: t.Integer(),
  is_required: t.Boolean(),
  is_unique: t.Boolean(),
  visible_to_enduser: t.Boolean(),
  default_value: t.String(),
  maximum_length: nullable(t.Integer()),
  number_of_rows: nullable(t.Integer()),
  maximum_value: nullable(t.Number()),
  list_of_value: t.Array(t.String()),
})
export type ExtraField = Static<typeof Row>

export const extraFields = collection('b2b_extra_fields', Row, {
  noun: 'extra field',
  filters: '',
  twins: ['field_name'],
  conflicts: { b2b_extra_fields_name_unique: ['Another extra field has this name.', 'fieldName'] },
})

/** The definition of a field in answers (docs/contract/b2b-extra-fields.md section 2). */
export const ExtraFieldDefinition = t.Object(
  {
    id: Id,
    uuid: t.String(),
    fieldName: t.String(),
    fieldType: t.Integer({ description: '0 text, 1 lines of text, 2 number, 3 one of listOfValue' }),
    isRequired: t.Boolean(),
    isUnique: t.Boolean(),
    visibleToEnduser: t.Boolean(),
    configType: t.Integer({ description: 'Always 2: the store has defined the field' }),
    defaultValue: t.String(),
    maximumLength: t.String(),
    numberOfRows: t.String(),
    maximumValue: t.String(),
    listOfValue: t.Array(t.String()),
  },
  { title: 'ExtraFieldDefinition' },
)

export const extraFieldToAnswer = (row: ExtraField): Static<typeof ExtraFieldDefinition> => ({
  id: row.id,
  uuid: row.uuid,
  fieldName: row.field_name,
  fieldType: row.field_type,
  isRequired: row.is_required,
  isUnique: row.is_unique,
  visibleToEnduser: row.visible_to_enduser,
  configType: 2,
  defaultValue: row.default_value,
  maximumLength: String(row.maximum_length ?? ''),
  numberOfRows: String(row.number_of_rows ?? ''),
  maximumValue: String(row.maximum_value ?? ''),
  listOfValue: row.list_of_value,
})
