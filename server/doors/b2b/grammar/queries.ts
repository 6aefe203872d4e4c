import t, { type Static } from 'typebox'
import { type Sql, sql } from '../../../core/db/sql.ts'

// Parts of queries that several lists have.

/** Unix seconds in filters. */
export const Seconds = t.Integer({ minimum: 0, maximum: 9_999_999_999 })
export const times = {
  minCreated: t.Optional(Seconds),
  maxCreated: t.Optional(Seconds),
  minModified: t.Optional(Seconds),
  maxModified: t.Optional(Seconds),
}
export const OrderBy = t.Optional(
  t.String({ pattern: '^([Aa][Ss][Cc]|[Dd][Ee][Ss][Cc])$', description: 'ASC or DESC' }),
)

/** The conditions of the four filters by time, bounds included. @param table the table of the times, in a join */
export function timesIn(query: Static<ReturnType<typeof t.Object<typeof times>>>, table?: string): Sql[] {
  const { minCreated, maxCreated, minModified, maxModified } = query
  const prefix = table === undefined ? '' : `${table}.`
  const [created, updated] = [sql.raw(`${prefix}created_at`), sql.raw(`${prefix}updated_at`)]
  const at = (seconds: number) => new Date(seconds * 1_000)
  return [
    ...(minCreated === undefined ? [] : [sql`${created} >= ${at(minCreated)}`]),
    ...(maxCreated === undefined ? [] : [sql`${created} <= ${at(maxCreated)}`]),
    ...(minModified === undefined ? [] : [sql`${updated} >= ${at(minModified)}`]),
    ...(maxModified === undefined ? [] : [sql`${updated} <= ${at(maxModified)}`]),
  ]
}
