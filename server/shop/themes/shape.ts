import t, { type Static } from 'typebox'
import type { Db, Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import { Moment } from '../../core/rest/input/fields.ts'
import { notFound } from '../../core/rest/problem.ts'

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** The path segment of a uuid. Other forms are 404. */
export const themeUuidSegment = (name: string) => `:${name}(^${UUID}$)`
export const ThemeUuid = t.String({ format: 'uuid' })
/** A uuid in a body or a query. One that has not the form is of nothing that is there. */
export const UuidText = t.String({ maxLength: 100 })

/** How a theme can look (docs/contract/themes.md section 2). */
const Variation = t.Object(
  { uuid: ThemeUuid, name: t.String(), description: t.String(), external_id: t.String() },
  { title: 'ThemeVariation' },
)
export const Theme = t.Object(
  {
    uuid: ThemeUuid,
    name: t.String(),
    is_private: t.Boolean(),
    is_active: t.Boolean(),
    updated_at: Moment,
    variations: t.Array(Variation),
  },
  { title: 'Theme' },
)

/** Of a theme and which of its configurations something is to be done with. */
export const ConfigurationChoice = t.Enum(['original', 'last_activated', 'last_created'])
export type ConfigurationChoice = Static<typeof ConfigurationChoice>

/**
 * A theme decides how the pages of a storefront look. Every store has the stock theme, which comes with the server and cannot be
 * deleted. Clients upload further ones as archives, at most 20 for a store; a job validates the archive and creates the theme. A
 * theme has one to four variations, and each variation has configurations: sets of values for its settings. The original
 * configuration comes with the theme; saved ones never change. A channel shows one configuration of one theme; activating another
 * one is the only way to change that. A theme cannot be deleted while it is active or a job works on it. Its archive never
 * changes after the upload, and a download is a copy of it with the settings of a configuration. A theme never runs code on the
 * server (docs/contract/themes.md).
 */
export interface ThemeRow {
  uuid: string
  version_uuid: string
  name: string
  is_private: boolean
  archive: string | null
  updated_at: string
}

export type VariationRow = Static<typeof Variation> & { theme_uuid: string }

const columns = sql.raw(
  "uuid, version_uuid, name, is_private, archive, date_trunc('second', updated_at)::timestamptz(0) as updated_at",
)

/** All themes of a store: those that were changed last come first. */
export const allThemes = (db: Db) =>
  db.rows<ThemeRow>(sql`
    select ${columns} from themes where store_id = ${db.store.id} order by themes.updated_at desc, uuid`)

/** @throws Problem 404 */
export async function findTheme(db: Db, uuid: string): Promise<ThemeRow> {
  const theme = await db.maybeRow<ThemeRow>(
    sql`select ${columns} from themes where store_id = ${db.store.id} and uuid = ${uuid}`,
  )
  if (!theme) throw noTheme(uuid)
  return theme
}

/** Reads a theme and holds it until the transaction ends: it neither goes nor gets another job meanwhile. @throws Problem 404 */
export async function lockTheme(tx: Tx, uuid: string): Promise<ThemeRow> {
  const theme = await tx.maybeRow<ThemeRow>(
    sql`select ${columns} from themes where store_id = ${tx.store.id} and uuid = ${uuid} for update`,
  )
  if (!theme) throw noTheme(uuid)
  return theme
}

/** Notes that a theme was activated, or that a configuration of it was saved. */
export const touchTheme = (tx: Tx, uuid: string) =>
  tx.rows(sql`update themes set updated_at = ${tx.now} where store_id = ${tx.store.id} and uuid = ${uuid}`)

/** The variations of themes, of each in its order. */
export const variationsOfThemes = (db: Db, uuids: readonly string[]) =>
  db.rows<VariationRow>(sql`
    select uuid, theme_uuid, name, description, external_id from theme_variations
    where store_id = ${db.store.id} and theme_uuid = any(${uuids}) order by theme_uuid, position`)

/** @throws Problem 404 */
export async function findVariation(db: Db, uuid: string): Promise<VariationRow> {
  const found = await db.maybeRow<VariationRow>(sql`
    select uuid, theme_uuid, name, description, external_id from theme_variations
    where store_id = ${db.store.id} and uuid = ${uuid}`)
  if (!found) throw notFound('theme variation', uuid)
  return found
}

const noTheme = (uuid: string) => notFound('theme', uuid)
