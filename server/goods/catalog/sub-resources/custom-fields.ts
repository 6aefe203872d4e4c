import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, NeededText } from '../../../core/rest/input/fields.ts'
import { type Mistakes, repeated } from '../../../core/rest/input/mistakes.ts'
import { collection, type RowWithId } from '../../../core/rest/lists/collection.ts'
import { plainSubResourceRoutes } from './plain-sub-resource.ts'
import { type Replacement, replaceSubResources } from './sub-resource.ts'

const CUSTOM_FIELDS_MAX = 200

const CustomField = t.Object({
  id: Id,
  name: NeededText(250),
  value: t.String({ minLength: 1, maxLength: 250 }),
})
const { name, value } = CustomField.properties
const Changes = t.Partial(t.Object({ name, value }), { title: 'CustomFieldChanges', examples: [{ value: 'Oak' }] })
const NewCustomField = t.Object(
  { name, value },
  { title: 'NewCustomField', examples: [{ name: 'Material', value: 'Ash' }] },
)
type NewCustomField = Static<typeof NewCustomField>
const CustomFieldItem = t.Object({ id: t.Optional(Id), name, value }, { title: 'CustomFieldItem' })

/** The list in the body of a new product. */
export const NewCustomFields = t.Array(NewCustomField, { maxItems: CUSTOM_FIELDS_MAX })
/** The list in the body of a changed product. */
export const CustomFieldItems = t.Array(CustomFieldItem, { maxItems: CUSTOM_FIELDS_MAX })

const ALREADY_THERE = 'This product already has a custom field with this name and value.'

export const customFields = collection('custom_fields', CustomField, {
  noun: 'custom field',
  filters: '',
  hidden: ['product_id'],
  conflicts: { custom_fields_unique: [ALREADY_THERE, 'value'] },
})

/** The five operations of a product's custom fields (docs/contract/product-parts.md section 2). */
export function customFieldRoutes(app: Api) {
  plainSubResourceRoutes(app, {
    collection: customFields,
    segment: 'custom-fields',
    idName: 'custom_field_id',
    max: CUSTOM_FIELDS_MAX,
    newBody: t.Unsafe<NewCustomField>(NewCustomField),
    changesBody: t.Unsafe<object>(Changes),
    toRow: customFieldRow,
  })
}

/** The row of a new custom field, without its id. */
export const customFieldRow = ({ id }: RowWithId, { name, value }: NewCustomField) => ({
  product_id: id,
  name,
  value,
})

/** The mistakes of the custom fields in the body of a product. */
export const customFieldMistakes = (fields: readonly NewCustomField[], path: string): Mistakes =>
  repeated(
    fields,
    ({ name, value }) => JSON.stringify([name, value]),
    (i) => `${path}.${i}.value`,
    'This list already has a custom field with this name and value.',
  )

/** Replaces the custom fields of a product by a list. @returns whether anything has changed */
export const replaceCustomFields = (tx: Tx, list: Replacement<Static<typeof CustomFieldItem>>) =>
  replaceSubResources(tx, customFields, list, (item) => customFieldRow(list.product, item))
