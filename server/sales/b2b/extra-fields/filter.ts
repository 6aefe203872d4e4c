import type { Db } from '../../../core/db/database.ts'
import { type Sql, sql } from '../../../core/db/sql.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { extraFieldsOf } from './definitions.ts'
import type { ExtraFieldKind } from './field.ts'

/**
 * The conditions of a filter by extra fields, on the column `extra_values`. A filter with an unknown field finds nothing.
 * @param filters `name:value` each; a row must meet all of them
 * @param isExact compares whole values; otherwise a part is enough, in any case
 */
export async function havingExtraFields(
  db: Db,
  kind: ExtraFieldKind,
  filters: readonly string[],
  isExact: boolean,
): Promise<Sql[]> {
  if (filters.length === 0) return []
  const fields = await extraFieldsOf(db, kind)
  return filters.map((filter) => {
    const colon = filter.indexOf(':')
    const name = fold(filter.slice(0, Math.max(colon, 0)))
    const value = filter.slice(colon + 1)
    const field = fields.find(({ field_name }) => fold(field_name) === name)
    if (!field) return sql.raw('false')
    const stored = sql`extra_values ->> ${String(field.id)}::text`
    return isExact ? sql`${stored} = ${value}` : sql`strpos(lower(${stored}), ${value.toLowerCase()}) > 0`
  })
}
