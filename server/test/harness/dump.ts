import { createHash } from 'node:crypto'
import { asAdministrator } from './administrator.ts'

// Searches whole databases for texts that must not be in them (C-097).

/** A secret in clear, and in all encodings from which it could be recovered or looked up without the key. */
export function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const unkeyed = ['md5', 'sha1', 'sha256', 'sha512'].map((hash) => createHash(hash).update(secret).digest())
  return [
    secret,
    ...[bytes, ...unkeyed].flatMap((form) => [
      form.toString('hex'),
      form.toString('base64').replace(/=+$/, ''),
      form.toString('base64url'),
    ]),
  ]
}

/** All rows of a store, in all databases of the installation. */
export async function dumpOf(storeId: number, cells: readonly { name: string }[]): Promise<string> {
  const dumps: string[] = []
  for (const cell of new Set(['main', ...cells.map(({ name }) => name)])) dumps.push(await dumpOfCell(cell, storeId))
  return dumps.join('\n')
}

/** All rows of all tables of a database, except for PostgreSQL's own tables and the stores of other tests. */
const dumpOfCell = (cell: string, storeId: number) =>
  asAdministrator({ cell }, async (client) => {
    const { rows: tables } = await client.query(
      `select format('%I.%I', nspname, relname) as name,
         exists (select from pg_attribute where attrelid = c.oid and attname = 'store_id') as is_of_stores
       from pg_class c join pg_namespace n on n.oid = relnamespace
       where relkind in ('r', 'p') and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
    )
    const parts: string[] = []
    for (const { name, is_of_stores } of tables) {
      const { rows } = await client.query(
        `select t::text as row from ${name} t ${is_of_stores ? `where store_id = ${storeId}` : ''}`,
      )
      parts.push(name, ...rows.map(({ row }) => row))
    }
    return parts.join('\n')
  })
