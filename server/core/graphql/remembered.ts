import type { Db, NamedQuery } from '../db/database.ts'
import type { Sql } from '../db/sql.ts'

/**
 * The database of a store for one request of GraphQL, whose fields often need the same settings, channels or currencies: the same read
 * is sent once. A transaction of the request makes it forget all reads, before it begins and after it ends.
 */
export function rememberingReads(db: Db): Db {
  const known = new Map<string, Promise<unknown>>()
  const remember = async <Rows>(way: string, { text, values }: Sql | NamedQuery, read: () => Promise<Rows>) => {
    const key = `${way} ${text} ${JSON.stringify(values)}`
    const found = known.get(key) ?? read()
    known.set(key, found)
    // The type of rows is that of the statement, which is part of the key.
    return (await found) as Rows
  }
  const rows = async <Row>(query: Sql | NamedQuery) => [
    // Callers may sort their list.
    ...(await remember('rows', query, () => db.rows<Row>(query))),
  ]
  return {
    store: db.store,
    ...(db.places ? { places: db.places } : {}),
    get now() {
      return db.now
    },
    rows,
    async row<Row>(query: Sql | NamedQuery) {
      const [only, ...others] = await rows<Row>(query)
      if (only === undefined || others.length > 0) throw new Error('The statement does not return exactly one row.')
      return only
    },
    maybeRow: async <Row>(query: Sql) => (await rows<Row>(query))[0],
    byKey: <Row>(query: NamedQuery) => remember('key', query, () => db.byKey<Row>(query)),
    jsonRows: (query, json) => db.jsonRows(query, json),
    jsonByKey: (query, json) => db.jsonByKey(query, json),
    together: (begin) => db.together(begin),
    async transaction(work) {
      known.clear()
      try {
        return await db.transaction(work)
      } finally {
        known.clear()
      }
    },
  }
}
