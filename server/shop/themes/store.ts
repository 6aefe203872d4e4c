import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Files } from '../../core/files/files.ts'
import { newUuid } from '../../core/secrets/row-ids.ts'
import type { Bundle } from './bundle/bundle.ts'
import { originalSettings, variationsOf } from './bundle/config.ts'

/** The owner of a theme's archive. */
const themeOwner = (uuid: string) => `theme ${uuid}`

/**
 * Makes a theme of a valid bundle: with its variations, and an original configuration of each.
 * @param archive name of the stored archive
 * @returns the uuid of the theme
 */
export async function storeTheme(tx: Tx, files: Files, bundle: Bundle, archive: string): Promise<string> {
  const { config, schema, custom_templates, regions } = bundle
  const store_id = tx.store.id
  const uuid = newUuid()
  const theme = {
    store_id,
    uuid,
    version_uuid: newUuid(),
    name: config.name || 'Theme',
    is_private: true,
    archive,
    config: JSON.stringify(config),
    schema: schema && JSON.stringify(schema),
    custom_templates: JSON.stringify(custom_templates),
    regions: JSON.stringify(regions),
    updated_at: tx.now,
  }
  await files.addOwner(tx, themeOwner(uuid), archive)
  await tx.rows(sql`insert into themes ${sql.rows([theme])}`)
  for (const [position, variation] of variationsOf(config).entries()) {
    const variation_uuid = newUuid()
    const row = { store_id, uuid: variation_uuid, theme_uuid: uuid, position, ...variation }
    await tx.rows(sql`insert into theme_variations ${sql.rows([row])}`)
    const original = {
      store_id,
      uuid: newUuid(),
      theme_uuid: uuid,
      variation_uuid,
      number: position + 1,
      is_original: true,
      settings: JSON.stringify(originalSettings(config, variation.external_id)),
      channel_id: 0,
      site_id: 0,
      date_created: tx.now,
    }
    await tx.rows(sql`insert into theme_configurations ${sql.rows([original])}`)
  }
  return uuid
}

/** Removes a theme, which is locked, with all that hangs on it. */
export async function removeTheme(tx: Tx, files: Files, uuid: string) {
  await files.removeOwner(tx, themeOwner(uuid))
  for (const table of ['theme_configurations', 'theme_variations']) {
    await tx.rows(
      sql`delete from ${sql.id(table)} where store_id = ${tx.store.id} and theme_uuid = ${uuid} returning uuid`,
    )
  }
  await tx.rows(sql`delete from themes where store_id = ${tx.store.id} and uuid = ${uuid} returning uuid`)
}
