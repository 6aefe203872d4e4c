import { type Db, prepared } from '../../../core/db/database.ts'
import { sql } from '../../../core/db/sql.ts'
import { addressOfPicture } from '../../../core/rest/input/picture-addresses.ts'
import { hasLiveChannel } from '../../channels/channels.ts'
import type { AddressRules } from '../../channels/sites/addresses.ts'
import { siteOf, urlOfSite } from '../../channels/sites/shape.ts'
import { storeProfile } from '../../settings/families/families.ts'
import { ALL_CHANNELS, type SettingsColumns, settingsColumns, settingsReader } from '../../settings/families/family.ts'
import { logo } from '../../settings/logo.ts'
import type { StoreContext } from '../contents/contexts.ts'

const RIGHT_TO_LEFT = new Set(['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'])

interface Message {
  /** 0 for none in particular. */
  channel: number
  locale: string
  /** The rules for addresses of sites, from the settings of the server. */
  sites: AddressRules
  now: Date
}

/** Returns the data of the store for a message. */
export async function storeContextOf(db: Db, { channel, locale, sites, now }: Message): Promise<StoreContext> {
  // A deleted channel has no site and no values of its own.
  const live = sql`case when ${hasLiveChannel(db, channel)} then ${channel}::bigint end`
  const { site, is_live, ...columns } = await db.row<
    SettingsColumns & { site: Parameters<typeof urlOfSite>[1]; is_live: boolean }
  >(
    prepared(sql`
    select ${settingsColumns(db, [storeProfile, logo], channel)}, (${siteOf(db, live)}) as site,
      ${hasLiveChannel(db, channel)} as is_live`),
  )
  const settings = settingsReader(columns, is_live ? channel : ALL_CHANNELS)
  const { store_name: name, store_address: address } = settings.of(storeProfile)
  const { type, logo_text, logo_image_url } = settings.of(logo)
  const url = urlOfSite(db.store, site, sites)
  const path = `${url}/`
  const picture = addressOfPicture(sites.publicUrl, logo_image_url)
  const [language = 'en'] = locale.toLowerCase().split('-')
  return {
    store: {
      name,
      domain_name: new URL(url).host,
      logo: { title: logo_text, name: logo_text, url: type === 'image' ? picture : '' },
      ssl_path: path,
      cdn_path: path,
      image_directory: 'images',
      img_path: `${path}images/`,
      path_normal: path,
      path,
      address,
      language: { code: locale, direction: RIGHT_TO_LEFT.has(language) ? 'rtl' : 'ltr' },
    },
    misc: { year: now.getUTCFullYear() },
  }
}
