import type pg from 'pg'
import { citus } from './citus.ts'
import type { Engine } from './engine.ts'
import { plain } from './plain.ts'

/** Asks a database for its engine. */
export async function engineOf(client: Pick<pg.Client, 'query'>): Promise<Engine> {
  const { rowCount } = await client.query(`select 1 from pg_extension where extname = 'citus'`)
  return rowCount ? citus : plain
}
