import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import type { Mistakes } from '../../../core/rest/input/mistakes.ts'
import { differences } from '../../../core/rest/lists/verbs.ts'
import { countCreated, lockSets, publishRecords, type RecordKey } from './sets.ts'
import { type RecordChanges, type RecordRow, type Tier, toTiers } from './shape.ts'

/** A record that a request writes. List, variant and currency exist, and are kept from being deleted. */
export interface WishedRecord extends RecordKey {
  product_id: number
  changes: RecordChanges
}

/** The outcome of a wish: a record that is stored now, or why it is not. */
export type RecordOutcome =
  | { kind: 'created' | 'updated' | 'unchanged'; row: RecordRow }
  | { kind: 'refused'; mistakes: Mistakes }

type Stored = Omit<RecordRow, 'generation'>

// The columns of a record, with their types.
const KEY = { price_list_id: 'int', variant_id: 'int', currency: 'text' } as const
const VALUES = {
  product_id: 'int',
  price: 'numeric',
  sale_price: 'numeric',
  retail_price: 'numeric',
  map_price: 'numeric',
  calculated_price: 'numeric',
  bulk_pricing_tiers: 'jsonb',
  date_created: 'timestamptz',
  date_modified: 'timestamptz',
  generation: 'int',
} as const

/**
 * Creates and updates records, with one statement for all of them.
 * @param wishes each for another record
 * @param onlyNew whether existing records are refused
 * @returns the outcomes, in the order of the wishes
 */
export async function storeRecords(tx: Tx, wishes: readonly WishedRecord[], onlyNew = false): Promise<RecordOutcome[]> {
  if (wishes.length === 0) return []
  const generationOf = await lockSets(tx, wishes)
  const before = await existing(tx, wishes)
  const now = toSeconds(tx.now)
  const outcomes = wishes.map((wish): RecordOutcome => {
    const generation = generationOf(wish)
    const found = before.get(nameOf(wish))
    const live = found?.generation === generation ? found : undefined
    if (live && onlyNew) {
      return { kind: 'refused', mistakes: { variant_id: 'The list has a record of this variant and currency.' } }
    }
    if (!live) {
      if (wish.changes.price === undefined) return { kind: 'refused', mistakes: { price: 'error.path.missing' } }
      const row = newRow(wish, wish.changes.price, now)
      return { kind: 'created', row: { ...row, generation } }
    }
    const differing = differences(live, valuesOf(wish.changes))
    if (Object.keys(differing).length === 0) return { kind: 'unchanged', row: live }
    const changed: RecordRow = { ...live, ...differing, date_modified: now }
    return { kind: 'updated', row: { ...changed, calculated_price: changed.sale_price ?? changed.price } }
  })
  // The job that deletes hidden records does not find those that are replaced here.
  publishRecords(
    tx,
    'deleted',
    wishes.filter((wish, i) => outcomes[i]?.kind === 'created' && before.has(nameOf(wish))),
  )
  const written = outcomes.flatMap((outcome) =>
    outcome.kind === 'created' || outcome.kind === 'updated' ? [outcome.row] : [],
  )
  if (written.length > 0) await upsert(tx, written)
  await countCreated(
    tx,
    outcomes.flatMap((outcome) => (outcome.kind === 'created' ? [outcome.row] : [])),
  )
  return outcomes
}

const nameOf = ({ price_list_id, variant_id, currency }: RecordKey) => `${price_list_id} ${variant_id} ${currency}`

async function existing(tx: Tx, keys: readonly RecordKey[]): Promise<ReadonlyMap<string, RecordRow>> {
  const rows = await tx.rows<RecordRow>(
    prepared(sql`
    select ${sql.join(Object.keys({ ...KEY, ...VALUES }).map((name) => sql`record.${sql.id(name)}`))}
    from ${sql.table('wanted', keys, KEY)}
    join price_records record on record.store_id = ${tx.store.id} and record.price_list_id = wanted.price_list_id
      and record.variant_id = wanted.variant_id and record.currency = wanted.currency`),
  )
  return new Map(rows.map((row) => [nameOf(row), row]))
}

/** The fields that changes name, as they are stored. */
function valuesOf({ bulk_pricing_tiers: tiers, ...prices }: RecordChanges): Partial<Stored> {
  return { ...prices, ...(tiers === undefined ? {} : { bulk_pricing_tiers: toTiers(tiers) }) }
}

function newRow(
  { price_list_id, variant_id, currency, product_id, changes }: WishedRecord,
  price: number,
  now: string,
) {
  const { sale_price = null, retail_price = null, map_price = null, bulk_pricing_tiers = [] } = changes
  const tiers: Tier[] = toTiers(bulk_pricing_tiers)
  return {
    calculated_price: sale_price ?? price,
    date_created: now,
    date_modified: now,
    product_id,
    price_list_id,
    variant_id,
    currency,
    price,
    sale_price,
    retail_price,
    map_price,
    bulk_pricing_tiers: tiers,
  }
}

// One array a column: the database reads the same rows as JSON at four times the cost.
function upsert(tx: Tx, rows: readonly RecordRow[]) {
  const columns = { ...KEY, ...VALUES }
  const names = sql.join(Object.keys(columns).map(sql.id))
  const written = rows.map((row) => ({ ...row, bulk_pricing_tiers: JSON.stringify(row.bulk_pricing_tiers) }))
  return tx.rows(
    prepared(sql`
    insert into price_records (store_id, ${names})
    select ${tx.store.id}, ${names} from ${sql.table('written', written, columns)}
    on conflict (store_id, price_list_id, variant_id, currency) do update set
      ${sql.join(Object.keys(VALUES).map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`))}`),
  )
}
