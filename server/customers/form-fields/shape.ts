import t, { type Static } from 'typebox'
import { type Db, prepared } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { Id, NeededLine } from '../../core/rest/input/fields.ts'
import { collection } from '../../core/rest/lists/collection.ts'

const OPTIONS_MAX = 100

/** The kinds of owners of form fields. */
export const FORM_FIELD_KINDS = ['customer', 'address'] as const
export type FormFieldKind = (typeof FORM_FIELD_KINDS)[number]

const TYPES = ['checkboxes', 'date', 'multiline', 'numbers', 'password', 'radiobuttons', 'text', 'picklist'] as const
export const FormFieldType = t.Enum([...TYPES])

export const FormField = t.Object(
  {
    name: NeededLine,
    label: t.String({ maxLength: 255, description: 'The text for shoppers; the default is the name' }),
    type: FormFieldType,
    required: t.Boolean({ description: 'Binds the storefront, not this API' }),
    options: t.Array(NeededLine, {
      maxItems: OPTIONS_MAX,
      description: 'The options of checkboxes, radiobuttons and picklist',
    }),
  },
  { title: 'FormField' },
)
const Definition = t.Object({
  id: Id,
  kind: t.Enum([...FORM_FIELD_KINDS]),
  sort_order: t.Integer(),
  ...FormField.properties,
})
/** A stored form field. */
export type Definition = Static<typeof Definition>

export const formFields = collection('customer_form_fields', Definition, { noun: 'form field', filters: '' })

const columns = sql.join(formFields.columns.map(sql.id))

/** All form fields of a store, as a column of any statement; null without any. */
export const definitionRows = ({ store }: Pick<Db, 'store'>): Sql => sql`(
  select jsonb_agg(to_jsonb(field) order by kind, sort_order, id) from customer_form_fields field
  where store_id = ${store.id}
)`

/** All form fields of a store in their order. @param locking locks them until the transaction ends */
export const findDefinitions = (db: Db, locking: '' | 'for update' | 'for key share' = ''): Promise<Definition[]> =>
  db.rows<Definition>(
    prepared(sql`
    select ${columns} from customer_form_fields where store_id = ${db.store.id}
    order by kind, sort_order, id ${sql.raw(locking)}`),
  )
