import t, { type Static } from 'typebox'
import type { Tx } from '../../../core/db/database.ts'
import { answer, noContent } from '../../../core/rest/answer.ts'
import type { Api } from '../../../core/rest/api.ts'
import { Id, idSegment, NeededText } from '../../../core/rest/input/fields.ts'
import { type Mistakes, repeated } from '../../../core/rest/input/mistakes.ts'
import { collection, type RowWithId } from '../../../core/rest/lists/collection.ts'
import { change, findBelow, insert, lock, type NewIds, pick, remove } from '../../../core/rest/lists/verbs.ts'
import { access } from '../../../stores/accounts/scopes.ts'
import { products, touch } from '../product-row/shape.ts'
import { findParts, lockPart, type PartList, refuseTooMany, replaceParts } from './sub-resource.ts'

const CUSTOM_FIELDS_MAX = 200

const { read, write } = access('catalog')

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

/** As they stand in the body of a new product. */
export const NewCustomFields = t.Array(NewCustomField, { maxItems: CUSTOM_FIELDS_MAX })
/** As they stand in the change of a product. */
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
  const list = `/catalog/products/${idSegment('product_id')}/custom-fields`
  const one = `${list}/${idSegment('custom_field_id')}`
  const ofProduct = t.Object({ product_id: Id })
  const params = t.Object({ product_id: Id, custom_field_id: Id })

  app.get(
    list,
    { ...read, schema: { summary: 'List the custom fields of a product', params: ofProduct, ...customFields.list } },
    ({ db, params, query }) => findParts(db, customFields, params.product_id, query),
  )

  app.post(
    list,
    {
      ...write,
      schema: { summary: 'Create a custom field', params: ofProduct, body: NewCustomField, ...customFields.answersOne },
    },
    async ({ db, params, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const product = await lock(tx, products, params.product_id)
          const { field } = await tx.together(() => ({
            field: insert(tx, customFields, customFieldRow(product, body)),
            limit: refuseTooMany(tx, customFields, product, CUSTOM_FIELDS_MAX),
            product: touch(tx, product),
          }))
          return field
        }),
      ),
  )

  app.get(
    one,
    { ...read, schema: { summary: 'Get a custom field', params, ...customFields.one } },
    async ({ db, params: { product_id, custom_field_id }, query }) =>
      answer(pick(customFields, await findBelow(db, customFields, { product_id }, custom_field_id), query)),
  )

  app.put(
    one,
    { ...write, schema: { summary: 'Change a custom field', params, body: Changes, ...customFields.answersOne } },
    async ({ db, params: { product_id, custom_field_id }, body }) =>
      answer(
        await db.transaction(async (tx) => {
          const [product, field] = await lockPart(tx, customFields, product_id, custom_field_id)
          const changed = await change(tx, customFields, field, body)
          if (changed !== field) await touch(tx, product)
          return changed
        }),
      ),
  )

  app.delete(
    one,
    { ...write, schema: { summary: 'Delete a custom field', params } },
    async ({ db, params: { product_id, custom_field_id } }) => {
      await db.transaction(async (tx) => {
        const [product, field] = await lockPart(tx, customFields, product_id, custom_field_id)
        await remove(tx, customFields, field.id)
        await touch(tx, product)
      })
      return noContent()
    },
  )
}

/** A new custom field as it is stored, but for its id. */
export const customFieldRow = ({ id }: RowWithId, { name, value }: NewCustomField) => ({
  product_id: id,
  name,
  value,
})

/** What is wrong with the custom fields in the body of a product. */
export const customFieldMistakes = (fields: readonly NewCustomField[], path: string): Mistakes =>
  repeated(
    fields,
    ({ name, value }) => JSON.stringify([name, value]),
    (i) => `${path}.${i}.value`,
    'This list already has a custom field with this name and value.',
  )

/** Makes a list the whole of them. @returns whether anything has changed */
export const replaceCustomFields = (
  tx: Tx,
  product: RowWithId,
  list: PartList<Static<typeof CustomFieldItem>>,
  newIds: NewIds,
) => replaceParts(tx, customFields, product, list, (item) => customFieldRow(product, item), newIds)
