import t, { type Static } from 'typebox'
import { prepared } from '../core/db/database.ts'
import { sql } from '../core/db/sql.ts'
import { answer } from '../core/rest/answer.ts'
import type { Api } from '../core/rest/api.ts'
import { envelope } from '../core/rest/collection.ts'
import { idSegment } from '../core/rest/fields.ts'
import { Problem } from '../core/rest/problem.ts'
import { access } from '../stores/scopes.ts'
import { ChannelId, isLive } from './channels.ts'

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

/** The theme that a channel shows (docs/contract/channels.md section 6). */
export function activeThemeRoutes(api: Api) {
  api.get(
    `/channels/${idSegment('channel_id')}/active-theme`,
    {
      ...access('activeTheme').read,
      schema: {
        summary: "Get a channel's active theme",
        params: t.Object({ channel_id: ChannelId }),
        response: { 200: envelope(ActiveTheme) },
      },
    },
    async ({ db, params: { channel_id } }) => {
      const [found] = await db.rows<Static<typeof ActiveTheme>>(
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
