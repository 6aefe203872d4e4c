import type { Db } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { toSeconds } from '../../../core/rest/input/dates.ts'
import { findWhere } from '../../../core/rest/lists/verbs.ts'
import { type Compiled, CompiledData } from '../../../core/stamps/compiled.ts'
import { readStamp } from '../../../core/stamps/stamps.ts'
import { type CompiledPromotions, compilePromotions } from '../engine/compile.ts'
import type { Promotion } from '../engine/promotion.ts'
import { promotionSettingsOf, type StoredPromotionSettings } from '../promotions/settings.ts'
import { type PromotionRow, promotions } from '../promotions/shape.ts'

// The promotions of a store in the form that carts are evaluated with. They are read whole and kept in memory while the stamp of the
// store is the same (`core/stamps`). Starts, ends and schedules are checked by each evaluation, so that no job has to change them.

const compiled = new CompiledData<ActivePromotions>()

/** The promotions of a store with the settings that they run by. */
export interface ActivePromotions extends CompiledPromotions {
  settings: StoredPromotionSettings
}

/**
 * The enabled promotions of a store, also those that start later.
 * @param at promotions that ended before may be missing
 * @param stamp of the subject `promotions`, if the caller has read it with a statement of its own (`stampOf`)
 */
export async function activePromotions(db: Db, at: Date, stamp?: number): Promise<ActivePromotions> {
  return compiled.get(db.store, stamp ?? (await readStamp(db, 'promotions')), () => load(db, at))
}

const PROMOTION_BYTES = 2_000
/** Bytes for each character of the rules as JSON, stored and compiled. */
const CHARACTER_BYTES = 4

async function load(db: Db, at: Date): Promise<Compiled<ActivePromotions>> {
  const { rows, settings } = await db.together(() => ({
    rows: findWhere(db, promotions, sql`status = 'ENABLED' and (end_date is null or end_date >= ${toSeconds(at)})`),
    settings: promotionSettingsOf(db),
  }))
  return {
    value: { ...compilePromotions(rows.map(toPromotion)), settings },
    bytes: rows.length * PROMOTION_BYTES + JSON.stringify(rows).length * CHARACTER_BYTES,
  }
}

/** A stored promotion as the engine reads it. */
function toPromotion({ start_date, end_date, channels, priority, ...row }: PromotionRow): Promotion {
  return {
    ...row,
    starts_at: Date.parse(start_date),
    ends_at: end_date === null ? null : Date.parse(end_date),
    channels: channels.map(({ id }) => id),
    priority: priority ?? 0,
  }
}
