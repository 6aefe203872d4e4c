import t, { type Static } from 'typebox'
import { type Db, prepared, type Tx } from '../../core/db/database.ts'
import { type Sql, sql } from '../../core/db/sql.ts'
import { answer } from '../../core/rest/answer.ts'
import type { Api } from '../../core/rest/api.ts'
import { envelope } from '../../core/rest/lists/collection.ts'
import { Problem } from '../../core/rest/problem.ts'
import { access } from '../../stores/accounts/scopes.ts'
import { CHANNEL_SEGMENT, ChannelId, isLive } from './channels.ts'

const Uuid = t.String({ format: 'uuid' })
const ActiveTheme = t.Object(
  {
    active_theme_uuid: Uuid,
    active_theme_configuration_uuid: Uuid,
    active_theme_version_uuid: Uuid,
    saved_theme_configuration_uuid: Uuid,
  },
  { title: 'ActiveTheme' },
)

export type ActiveTheme = Static<typeof ActiveTheme>

/** The active theme and configuration of each channel, except for deleted channels. */
export const activeThemes = (db: Db) =>
  db.rows<ActiveTheme & { channel_id: number }>(
    prepared(sql`
    select channel_id, active_theme_uuid, active_theme_configuration_uuid, active_theme_version_uuid, saved_theme_configuration_uuid
    from active_themes theme
    where store_id = ${db.store.id} and exists (
      select 1 from channels where store_id = ${db.store.id} and id = theme.channel_id and ${isLive})
    order by channel_id`),
  )

/**
 * The condition that a theme is active on a channel. Whether the channel is deleted does not matter.
 * @param theme the column with the theme, for example `themes.uuid`
 * @param channel the SQL of the channel
 */
export const isActiveTheme = ({ store }: Db, theme: string, channel: Sql): Sql => sql`exists (
  select 1 from active_themes active
  where active.store_id = ${store.id} and active.channel_id = ${channel} and active.active_theme_uuid = ${sql.raw(theme)})`

/** Sets the active theme of a locked channel. */
export async function setActiveTheme(tx: Tx, channel_id: number, theme: ActiveTheme) {
  await tx.rows(sql`
    insert into active_themes ${sql.rows([{ store_id: tx.store.id, channel_id, ...theme }])}
    on conflict (store_id, channel_id) do update set ${sql.set(theme)}`)
}

/** Sets the theme of the first channel of a new store. Does nothing if it has one. */
export async function setFirstTheme(tx: Tx, channel_id: number, theme: ActiveTheme) {
  const row = { store_id: tx.store.id, channel_id, ...theme }
  await tx.rows(sql`insert into active_themes ${sql.rows([row])} on conflict do nothing`)
}

/** Records the last saved configuration of a channel, if the theme is active there. */
export async function setSavedConfiguration(tx: Tx, channel_id: number, theme: string, configuration: string) {
  await tx.rows(sql`
    update active_themes set saved_theme_configuration_uuid = ${configuration}
    where store_id = ${tx.store.id} and channel_id = ${channel_id} and active_theme_uuid = ${theme}`)
}

/** Removes a deleted theme from deleted channels, so that a restored channel does not show it. */
export async function deleteActiveTheme(tx: Tx, theme: string) {
  await tx.rows(sql`
    delete from active_themes where store_id = ${tx.store.id} and active_theme_uuid = ${theme} returning channel_id`)
}

/** The theme that a channel shows (docs/contract/channels.md section 6). */
export function activeThemeRoutes(api: Api) {
  api.get(
    `/channels/${CHANNEL_SEGMENT}/active-theme`,
    {
      ...access('activeTheme').read,
      schema: {
        summary: "Get a channel's active theme",
        params: t.Object({ channel_id: ChannelId }),
        response: { 200: envelope(ActiveTheme) },
      },
    },
    async ({ db, params: { channel_id } }) => {
      const [found] = await db.rows<ActiveTheme>(
        prepared(sql`
        select active_theme_uuid, active_theme_configuration_uuid, active_theme_version_uuid, saved_theme_configuration_uuid
        from active_themes theme
        where store_id = ${db.store.id} and channel_id = ${channel_id} and exists (
          select 1 from channels where store_id = ${db.store.id} and id = theme.channel_id and ${isLive})`),
      )
      if (!found) throw new Problem(404, `The channel ${channel_id} has no active theme.`)
      return answer(found)
    },
  )
}
