import { sql } from '../core/db/sql.ts'
import type { Shop } from './shop.ts'
import { dbOf } from './webhooks.ts'

/** What a channel's active theme is after `activate`. */
export const activeTheme = {
  active_theme_uuid: '7d0f36c0-0f4b-4d3e-9d0a-6c1f1f1b1a01',
  active_theme_configuration_uuid: '7d0f36c0-0f4b-4d3e-9d0a-6c1f1f1b1a02',
  active_theme_version_uuid: '7d0f36c0-0f4b-4d3e-9d0a-6c1f1f1b1a03',
  saved_theme_configuration_uuid: '7d0f36c0-0f4b-4d3e-9d0a-6c1f1f1b1a02',
}

/** Gives a channel a theme, as activating one will. */
export async function activate(shop: Shop, channel_id: number) {
  const row = { store_id: shop.store.id, channel_id, ...activeTheme }
  await (await dbOf(shop)).transaction((tx) =>
    tx.rows(sql`insert into active_themes ${sql.rows([row])} on conflict do nothing`),
  )
}
