import type { Channel } from '../../../../shop/channels/channels.ts'
import { storeProfile } from '../../../../shop/settings/families/families.ts'
import { settingsOf } from '../../../../shop/settings/families/family.ts'
import type { Fields } from '../types.ts'

declare module '../types.ts' {
  interface Parents {
    Settings: object
  }
}

/** The settings of the storefront (docs/contract/storefront-graphql.md section 4). */
export const settingsFields: Fields<'Settings'> = {
  Settings: {
    async storeName(_, _args, { storefront }) {
      return (await settingsOf(storefront.db, storeProfile, storefront.channel)).store_name
    },
    storeHash: (_, _args, { storefront }) => storefront.db.store.hash,
    status: (_, _args, { storefront }) => STATUS[storefront.status],
    url: (_, _args, { storefront }) => ({ vanityUrl: storefront.url }),
    channelId: (_, _args, { storefront }) => storefront.channel,
  },
}

/** The storefront's word for each status of a channel (docs/contract/storefront-tokens.md section 5). */
const STATUS = {
  active: 'LAUNCHED',
  connected: 'LAUNCHED',
  prelaunch: 'PRE_LAUNCH',
  inactive: 'MAINTENANCE',
  disconnected: 'MAINTENANCE',
  archived: 'HIBERNATION',
  deleted: 'HIBERNATION',
  terminated: 'HIBERNATION',
} as const satisfies Record<Channel['status'], string>
