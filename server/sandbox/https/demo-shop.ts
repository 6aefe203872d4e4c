import { lookup } from 'node:dns/promises'
import { settingLines, shopSettings } from '../../doors/storefront/tokens/shop-settings.ts'
import type { Installation } from '../../process/installation.ts'
import { FIRST_CHANNEL } from '../../shop/channels/channels.ts'

interface ShopHosts {
  /** The domain of the default addresses of sites, without and with the port of https. */
  domain: string
  host: string
  picturesHost: string
  trustedFile: string
}

/** The text with which a public shop runs on the demo store. */
export interface DemoShop {
  /** The lines of its environment file; undefined while the store is closed. */
  settings: string | undefined
  /** The line that the hosts file of this machine needs; undefined if the host of the shop is known. */
  hostsLine: string | undefined
}

/** The settings of a shop on the first channel of a store, with a new token. */
export async function demoShop(installation: Installation, hash: string, hosts: ShopHosts): Promise<DemoShop> {
  const { directory, secrets, clock } = installation
  const store = await directory.find(hash)
  const db = store && (await directory.dbById(store.id))
  const parts = { secrets, clock, channel: FIRST_CHANNEL, ...hosts, domain: hosts.host }
  const settings = db && store.state === 'active' ? settingLines(await shopSettings(db, parts)) : undefined
  return { settings, hostsLine: await missingHosts(hash, hosts.domain) }
}

/** The line of a hosts file for both names of the first channel. Some systems don't resolve the names below `localhost`. */
async function missingHosts(hash: string, domain: string): Promise<string | undefined> {
  const names = [`store-${hash}.${domain}`, `store-${hash}-${FIRST_CHANNEL}.${domain}`]
  try {
    await Promise.all(names.map((name) => lookup(name)))
    return undefined
  } catch {
    return `127.0.0.1 ${names.join(' ')}`
  }
}
