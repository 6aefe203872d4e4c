import type pg from 'pg'
import type { Engine } from './engine.ts'
import { plain } from './plain.ts'

/** Asks a database for its engine. That of Citus is loaded only where it is needed: its parser has 1.8 MB. */
export async function engineOf(client: Pick<pg.Client, 'query'>): Promise<Engine> {
  const { rowCount } = await client.query(`select 1 from pg_extension where extname = 'citus'`)
  if (!rowCount) return plain
  const { citus } = await import('./citus.ts')
  return citus
}
