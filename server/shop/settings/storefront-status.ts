import t from 'typebox'
import type { Tx } from '../../core/db/database.ts'
import { sql } from '../../core/db/sql.ts'
import type { Api } from '../../core/rest/api.ts'
import type { Ids } from '../../core/secrets/ids.ts'
import { ALL_CHANNELS, family, saveSettings } from './families/family.ts'
import { familyRoutes } from './families/family-routes.ts'

const message = (words: string) => t.String({ maxLength: 65_535, default: words })

export const storefrontStatus = family(
  'storefront/status',
  t.Object({
    down_for_maintenance_message: message('We are doing some work on this shop, and will be back soon.'),
    prelaunch_message: message('This shop opens soon. With its password you can look around already.'),
    prelaunch_password: t.String({ default: '' }),
  }),
  {
    noun: 'storefront status settings',
    example: { down_for_maintenance_message: 'Back on Monday', prelaunch_message: 'We open in May' },
    readOnly: ['prelaunch_password'],
  },
)

/**
 * Routes for the messages of a closed storefront, and the password that opens it. A channel gets a password with its first
 * messages, and loses it with them (docs/contract/settings.md section 3).
 */
export function storefrontStatusRoutes(api: Api, ids: Ids) {
  familyRoutes(api, storefrontStatus, {
    save(tx, level, values) {
      const isNew = level.channel !== ALL_CHANNELS && level.own.prelaunch_password === undefined
      const made = isNew ? { prelaunch_password: ids.storefrontPassword() } : {}
      return saveSettings(tx, storefrontStatus, level, values && { ...values, ...made })
    },
  })
}

/** Gives a new store the password of its storefront. Where it has one already, nothing happens. */
export async function makeStorefrontPassword(tx: Tx, ids: Ids) {
  const row = {
    store_id: tx.store.id,
    family: storefrontStatus.path,
    channel_id: ALL_CHANNELS,
    value: JSON.stringify({ prelaunch_password: ids.storefrontPassword() }),
  }
  await tx.rows(sql`insert into settings ${sql.rows([row])} on conflict do nothing`)
}
