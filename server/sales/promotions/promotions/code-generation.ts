import { randomInt } from 'node:crypto'
import t, { type Static } from 'typebox'
import { prepared, type Tx } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { Moment } from '../../../core/rest/input/fields.ts'
import { type Mistakes, refuse } from '../../../core/rest/input/mistakes.ts'
import { fold } from '../../../core/rest/lists/fold.ts'
import { takeIds } from '../../../core/rest/lists/verbs.ts'
import { invalid, Problem } from '../../../core/rest/problem.ts'
import { promotionCodes } from '../coupon-row.ts'
import type { PromotionRow } from './shape.ts'

// Generates codes of a promotion from random characters. A batch is one statement; codes that another coupon has are replaced by others.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const CODE_MAX = 50
/** So many times as many codes must be possible as are generated. */
const SPARE_FACTOR = 10
/** A batch of 6 from 64 codes of which 42 are taken fails once in a million times. */
const ROUNDS_MAX = 40

const Uses = t.Integer({ minimum: 0, maximum: 100_000, description: '0 for no maximum' })
const Affix = t.String({ maxLength: 20, pattern: '^[A-Z0-9_-]*$' })

export const NewCodes = t.Object(
  {
    batch_size: t.Integer({ minimum: 1, maximum: 250 }),
    max_uses: t.Optional(Uses),
    max_uses_per_customer: t.Optional(Uses),
    prefix: t.Optional(Affix),
    suffix: t.Optional(Affix),
    delimiter: t.Optional(t.String({ maxLength: 1, pattern: '^[_-]?$' })),
    exclude_characters: t.Optional(t.Array(t.String({ maxLength: 36, pattern: '^[A-Z0-9]*$' }), { maxItems: 36 })),
    code_length: t.Optional(t.Integer({ minimum: 6, maximum: 16 })),
  },
  { title: 'NewPromotionCodes', examples: [{ batch_size: 2, prefix: 'VIP', delimiter: '-', code_length: 8 }] },
)
type NewCodes = Static<typeof NewCodes>

export const GeneratedCodes = t.Object(
  {
    created: Moment,
    max_uses: t.Integer(),
    max_uses_per_customer: t.Integer(),
    batch_size: t.Integer(),
    codes: t.Array(t.Object({ code: t.String() })),
  },
  { title: 'GeneratedPromotionCodes' },
)

/** @throws Problem 405 for a promotion without generated codes, 422 by field */
export async function generateCodes(
  tx: Tx,
  { id, redemption_type, coupon_type }: PromotionRow,
  { batch_size, max_uses = 1, max_uses_per_customer = 1, ...form }: NewCodes,
): Promise<Static<typeof GeneratedCodes>> {
  if (redemption_type !== 'COUPON' || coupon_type !== 'BULK') {
    throw new Problem(405, 'Codes are generated for coupon promotions of the coupon_type BULK only.')
  }
  const { characters, length, before, after } = formOf(form, batch_size)
  const created = toSeconds(tx.now)
  const ids = await takeIds(tx, [[promotionCodes, batch_size]])
  const first = ids.next(promotionCodes, batch_size)
  const codes: string[] = []
  for (let round = 0; codes.length < batch_size && round < ROUNDS_MAX; round++) {
    const wanted = new Set<string>()
    while (wanted.size < batch_size - codes.length) wanted.add(`${before}${randomText(characters, length)}${after}`)
    const rows = [...wanted].map((code, i) => ({ id: first + codes.length + i, code, code_key: fold(code) }))
    const stored = await tx.rows<{ code: string }>(
      prepared(sql`
      insert into coupons (store_id, id, promotion_id, code, code_key, max_uses, max_uses_per_customer, current_uses, created)
      select ${tx.store.id}, ${first}::int + row_number() over () - 1 + ${codes.length}, ${id}, code, code_key,
        ${max_uses}, ${max_uses_per_customer}, 0, ${created}
      from ${sql.table('wanted', rows, { id: 'int', code: 'text', code_key: 'text' })}
      where not exists (select 1 from coupons other where other.store_id = ${tx.store.id} and other.code_key = wanted.code_key)
      on conflict (store_id, code_key) do nothing returning code`),
    )
    codes.push(...stored.map(({ code }) => code))
  }
  if (codes.length < batch_size)
    throw invalid({ code_length: 'Nearly all codes of this form are taken: use longer codes.' })
  return { created, max_uses, max_uses_per_customer, batch_size, codes: codes.map((code) => ({ code })) }
}

interface CodeForm {
  characters: string
  length: number
  before: string
  after: string
}

/** The form of the codes of a batch. @throws Problem 422 by field */
function formOf(
  {
    prefix = '',
    suffix = '',
    delimiter = '',
    exclude_characters = [],
    code_length: length = 16,
  }: Omit<NewCodes, 'batch_size'>,
  batchSize: number,
): CodeForm {
  const mistakes: Mistakes = {}
  const excluded = new Set(exclude_characters.join(''))
  const characters = [...ALPHABET].filter((character) => !excluded.has(character)).join('')
  const before = prefix && `${prefix}${delimiter}`
  const after = suffix && `${delimiter}${suffix}`
  if (characters.length === 0) mistakes.exclude_characters = 'exclude_characters leaves no character for the codes.'
  else if (characters.length ** length < SPARE_FACTOR * batchSize) {
    mistakes.exclude_characters = `exclude_characters must leave at least ${SPARE_FACTOR} times as many codes as batch_size.`
  }
  if (before.length + length + after.length > CODE_MAX) {
    mistakes.code_length = `prefix, suffix and code_length make codes of more than ${CODE_MAX} characters.`
  }
  refuse(mistakes)
  return { characters, length, before, after }
}

const randomText = (characters: string, length: number): string =>
  Array.from({ length }, () => characters[randomInt(characters.length)]).join('')
