import t from 'typebox'
import { type Db, prepared } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import type { Files } from '../../core/files/files.ts'
import { done, runner, task } from '../../core/jobs/task.ts'
import { Problem } from '../../core/rest/problem.ts'
import { isActiveTheme } from '../channels/active-theme.ts'
import type { readBundle } from './bundle/bundle.ts'
import { BundleFaults, type Settings } from './bundle/config.ts'
import { BundleFault } from './bundle/faults.ts'
import type { ThemeRegions } from './bundle/regions.ts'
import { type ConfigurationRow, configurationSettings } from './configurations.ts'
import { stockBundle } from './stock.ts'

// The parts of the active theme of a channel that other areas need. No request opens an archive: both are recorded at the upload, and
// the stock theme is read once by each process.

/**
 * The names of the regions of a template in the active theme of a channel, in the order of the file and of the templates that it
 * includes. Names of global regions end in `--global`.
 * @param template as clients name it: `pages/home`
 * @returns undefined if the channel has no active theme, or the theme no such template
 * @throws Problem 503 while a job reads a theme of an earlier version
 */
export async function regionsOfTheme(
  db: Db,
  channel: number,
  template: string,
): Promise<readonly string[] | undefined> {
  const [theme] = await db.rows<{ is_stock: boolean; is_read: boolean; regions: string[] | null }>(
    prepared(sql`
    select archive is null as is_stock, regions is not null as is_read, regions -> ${template} as regions from themes
    where store_id = ${db.store.id} and ${isActiveTheme(db, 'themes.uuid', sql`${channel}::bigint`)}`),
  )
  if (!theme) return undefined
  if (theme.is_stock) return ownRegions((await stockBundle()).regions, template)
  if (!theme.is_read) {
    const retry = { headers: { 'retry-after': '5' } }
    throw new Problem(503, 'The server is reading the regions of this theme. Try again in a moment.', {}, retry)
  }
  return theme.regions ?? undefined
}

/** The values of the settings of a channel's theme, as they are active; empty for a channel without a theme. */
export async function settingsOfTheme(db: Db, channel: number): Promise<Settings> {
  const [active] = await db.rows<Pick<ConfigurationRow, 'settings' | 'external_id'>>(
    prepared(sql`
    select configuration.settings, variation.external_id from active_themes active
    join theme_configurations configuration
      on configuration.store_id = active.store_id and configuration.uuid = active.active_theme_configuration_uuid
    join theme_variations variation
      on variation.store_id = active.store_id and variation.uuid = configuration.variation_uuid
    where active.store_id = ${db.store.id} and active.channel_id = ${channel}`),
  )
  return active ? configurationSettings(active) : {}
}

const ownRegions = (regions: ThemeRegions, template: string) =>
  Object.hasOwn(regions, template) ? regions[template] : undefined

/**
 * The condition that the active theme of a channel has a custom template.
 * @param columns the SQL of the channel, of the kind of page (`product`, `category`, `brand` or `page`) and of the file
 */
export async function isCustomTemplate(db: Db, columns: { channel: Sql; kind: Sql; file: Sql }): Promise<Sql> {
  const stock = JSON.stringify((await stockBundle()).custom_templates)
  return sql`exists (
    select 1 from themes where themes.store_id = ${db.store.id} and ${isActiveTheme(db, 'themes.uuid', columns.channel)}
      and coalesce(themes.custom_templates, ${stock}::jsonb) -> ${columns.kind} ? ${columns.file})`
}

/** Enqueued by the migration that adds regions, once for each theme of an earlier version. */
const regionsTask = task('read_theme_regions', t.Object({ theme: t.String() }), {
  maxMs: 60_000,
  retryDelay: (failures) => (failures < 10 ? 60_000 : undefined),
  atOnce: 1,
})

/** Reads the regions of themes that an earlier version uploaded. @param read reads a bundle: in a process of its own, or, in tests, here */
export const regionsRunner = (files: Files, read: typeof readBundle) =>
  runner(regionsTask, async ({ db, payload: { theme }, signal }) => {
    const found = await db.maybeRow<{ archive: string | null }>(
      sql`select archive from themes where store_id = ${db.store.id} and uuid = ${theme} and regions is null`,
    )
    if (!found?.archive) return done
    const regions = await files.lend(db.store, found.archive, (path) => regionsIn(read, path, signal))
    await db.transaction((tx) =>
      tx.rows(sql`
        update themes set regions = ${JSON.stringify(regions)}::jsonb
        where store_id = ${tx.store.id} and uuid = ${theme} and regions is null`),
    )
    return done
  })

/** An archive that later rules refuse has no regions. */
async function regionsIn(read: typeof readBundle, path: string, signal: AbortSignal): Promise<ThemeRegions> {
  try {
    return (await read(path, () => {}, signal)).regions
  } catch (error) {
    if (error instanceof BundleFaults || error instanceof BundleFault) return {}
    throw error
  }
}
