import type { Db } from '../../../db/database.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import type { Collection } from '../collection.ts'

/** The resource's counter, as a part of a `with`; no row before the first thing is stored. */
export const counterOf = ({ store }: Db, { table }: Collection): Sql => sql`counter as (
  select total, version from counters where store_id = ${store.id} and resource = ${table}
)`

/** Two columns of the counter. */
export const TOTAL_AND_VERSION = sql`coalesce((select total from counter), 0), coalesce((select version from counter), 0)`
