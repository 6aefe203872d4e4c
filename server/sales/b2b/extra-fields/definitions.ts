import { type Db, prepared } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { lockCounter } from '../../../core/rest/lists/counters.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { insert, remove } from '../../../core/rest/lists/verbs.ts'
import { newUuid } from '../../../core/secrets/row-ids.ts'
import { findWindow, type Window } from '../shared/pages.ts'
import { EXTRA_FIELDS_MAX, type ExtraField, type ExtraFieldKind, extraFields, FIELD_TYPES } from './field.ts'
import { type ExtraValues, mistakeOf } from './values.ts'

const columns = sql.join(extraFields.columns.map(sql.id))

/** All fields of a kind, in the order of their creation. */
export const extraFieldsOf = (db: Db, kind: ExtraFieldKind): Promise<ExtraField[]> =>
  db.rows<ExtraField>(
    prepared(sql`
    select ${columns} from b2b_extra_fields
    where store_id = ${db.store.id} and kind = ${kind} order by id limit ${EXTRA_FIELDS_MAX}`),
  )

/** The same as a column of any statement: a list of fields. */
export const extraFieldsColumn = ({ store }: Pick<Db, 'store'>, kind: ExtraFieldKind): Sql => sql`coalesce((
  select jsonb_agg(to_jsonb(field) order by id) from (
    select ${columns} from b2b_extra_fields where store_id = ${store.id} and kind = ${kind} order by id limit ${EXTRA_FIELDS_MAX}
  ) field), '[]')`

/** The fields that rows need in answers: all of a kind, or none if no row has a value. */
export const extraFieldsIn = async (
  db: Db,
  kind: ExtraFieldKind,
  rows: readonly { extra_values: ExtraValues }[],
): Promise<readonly ExtraField[]> =>
  rows.some(({ extra_values }) => Object.keys(extra_values).length > 0) ? extraFieldsOf(db, kind) : []

export const listExtraFields = (db: Db, kind: ExtraFieldKind, window: Window) =>
  findWindow<ExtraField>(
    db,
    { table: extraFields.table, columns, where: [sql`kind = ${kind}`], order: sql`id` },
    window,
  )

/** The definition of a new field. */
export interface NewExtraField {
  kind: ExtraFieldKind
  name: string
  type: keyof typeof FIELD_TYPES
  isRequired: boolean
  isUnique: boolean
  isVisible: boolean
  /** The value of new resources without one; '' for none. */
  defaultValue: string
  maximumLength: number | undefined
  rows: number | undefined
  maximumValue: number | undefined
  /** The values of a dropdown. */
  values: readonly string[]
}

/** @throws Error with a sentence for the operator */
export async function addExtraField(db: Db, field: NewExtraField): Promise<ExtraField> {
  const { name, type, values, defaultValue, isUnique } = field
  if (!/\S/.test(name) || name.length > 200 || name.includes(':')) {
    throw new Error('A field needs a name of at most 200 characters without a colon.')
  }
  if ((type === 'dropdown') !== values.length > 0) throw new Error('A dropdown, and only a dropdown, needs values.')
  if (isUnique && defaultValue !== '') throw new Error("The values of a unique field can't have a default.")
  const row = {
    kind: field.kind,
    uuid: newUuid(),
    field_name: name,
    field_type: FIELD_TYPES[type],
    is_required: field.isRequired,
    is_unique: isUnique,
    visible_to_enduser: field.isVisible,
    default_value: defaultValue,
    maximum_length: field.maximumLength ?? null,
    number_of_rows: field.rows ?? null,
    maximum_value: field.maximumValue ?? null,
    list_of_value: [...values],
  }
  const mistake = mistakeOf(row, defaultValue)
  if (mistake !== undefined) throw new Error(`The default is no value of the field. ${mistake}`)
  return db.transaction(async (tx) => {
    await lockCounter(tx, extraFields.table)
    if ((await extraFieldsOf(tx, field.kind)).length === EXTRA_FIELDS_MAX) {
      throw new Error(`At most ${EXTRA_FIELDS_MAX} fields of a kind can be defined.`)
    }
    return insert(tx, extraFields, row)
  })
}

/** Removes a field; its values disappear from all answers. @throws Error with a sentence for the operator */
export const removeExtraField = (db: Db, kind: ExtraFieldKind, name: string) =>
  db.transaction(async (tx) => {
    const [field] = await tx.rows<{ id: number }>(sql`
      select id from b2b_extra_fields
      where store_id = ${tx.store.id} and kind = ${kind} and field_name_key = ${fold(name)}`)
    if (!field) throw new Error(`There is no extra field "${name}" of the kind ${kind}.`)
    await remove(tx, extraFields, field.id)
  })
