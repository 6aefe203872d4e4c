import { createHash } from 'node:crypto'
import type { Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { invalid } from '../../../core/rest/problem.ts'
import type { ExtraField } from './field.ts'
import { type ExtraValues, withValues } from './values.ts'

/** A resource with values of extra fields. */
export interface ExtraOwner {
  id: number
  extra_values: ExtraValues
}

/** A unique value with its owner. */
interface Claim {
  field_id: number
  digest: string
  owner_id: number
}

/**
 * Claims the values of unique fields for resources that the transaction has stored. Folded values are compared.
 * @param table the table of the resources, with the columns `id` and `extra_values`
 * @throws Problem 422 for a value of another resource
 */
export async function claimUniqueValues(
  tx: Tx,
  table: string,
  fields: readonly ExtraField[],
  owners: readonly ExtraOwner[],
) {
  const unique = fields.filter(({ is_unique }) => is_unique)
  const claims = owners.flatMap(({ id: owner_id, extra_values }) =>
    withValues(unique, extra_values).map(({ field, value }) => ({
      field_id: field.id,
      digest: digestOf(value),
      owner_id,
    })),
  )
  if (claims.length === 0) return
  const wanted = sql.table('wanted', claims, { field_id: 'int', digest: 'text', owner_id: 'int' })
  const taken = await tx.rows<Claim>(sql`
    insert into b2b_unique_values (store_id, field_id, digest, owner_id)
    select ${tx.store.id}, field_id, digest, owner_id from ${wanted} order by field_id, digest
    on conflict do nothing returning field_id, digest, owner_id`)
  const keyOf = ({ field_id, digest, owner_id }: Claim) => `${field_id} ${digest} ${owner_id}`
  const claimed = new Set(taken.map(keyOf))
  const open = claims.filter((claim) => !claimed.has(keyOf(claim)))
  if (open.length > 0) await takeOver(tx, table, fields, open)
}

/**
 * Takes over values that another resource had and has lost. It reads the other resources after it has locked their claims: earlier
 * statements may not see the rows of a transaction that they waited for.
 */
async function takeOver(tx: Tx, table: string, fields: readonly ExtraField[], claims: readonly Claim[]) {
  const wanted = sql.table('wanted', claims, { field_id: 'int', digest: 'text', owner_id: 'int' })
  const isWanted = sql`v.store_id = ${tx.store.id} and v.field_id = wanted.field_id and v.digest = wanted.digest`
  await tx.rows(sql`
    select v.field_id from b2b_unique_values v join ${wanted} on ${isWanted} order by v.field_id, v.digest for update of v`)
  const former = await tx.rows<Claim & { stored: string | null }>(sql`
    select v.field_id, v.digest, v.owner_id, o.extra_values ->> v.field_id::text as stored
    from b2b_unique_values v join ${wanted} on ${isWanted} and v.owner_id <> wanted.owner_id
    join ${sql.id(table)} o on o.store_id = ${tx.store.id} and o.id = v.owner_id`)
  const names = new Map(fields.map(({ id, field_name }) => [id, field_name]))
  const mistakes = former.flatMap(({ field_id, digest, stored }) =>
    stored !== null && digestOf(stored) === digest
      ? [`Another resource has this value of the extra field "${names.get(field_id) ?? ''}".`]
      : [],
  )
  if (mistakes.length > 0) throw invalid({ extraFields: mistakes.join(' ') })
  await tx.rows(sql`
    update b2b_unique_values v set owner_id = wanted.owner_id from ${wanted} where ${isWanted} returning v.field_id`)
}

const digestOf = (value: string): string => createHash('sha256').update(fold(value)).digest('hex')
