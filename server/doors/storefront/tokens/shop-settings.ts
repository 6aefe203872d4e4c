import type { Clock } from '../../../core/clock.ts'
import type { Db } from '../../../core/db/database.ts'
import type { Secrets } from '../../../core/secrets/secrets.ts'
import { findSiteOfChannel } from '../../../shop/channels/sites/shape.ts'
import { createShopToken } from './shop-token.ts'

interface ShopParts {
  secrets: Secrets
  clock: Clock
  channel: number
  /** The domain of the default addresses of sites, with its port. */
  domain: string
  /** The host of pictures, with its port. */
  picturesHost: string
  /** The certificate of the authority that signs for the domain, if clients don't know it anyway. */
  trustedFile: string | undefined
}

/** The settings with which a public shop runs on a channel, by their names in its environment. @throws Problem if the channel has no site */
export async function shopSettings(db: Db, parts: ShopParts): Promise<Record<string, string>> {
  const { secrets, channel, trustedFile } = parts
  await findSiteOfChannel(db, channel)
  return {
    BIGCOMMERCE_STORE_HASH: db.store.hash,
    BIGCOMMERCE_CHANNEL_ID: String(channel),
    BIGCOMMERCE_STOREFRONT_TOKEN: await createShopToken(db, secrets, { channel, now: db.now }),
    BIGCOMMERCE_TRUSTED_PROXY_SECRET: secrets.proxySecret(db.store.hash),
    BIGCOMMERCE_GRAPHQL_API_DOMAIN: parts.domain,
    NEXT_PUBLIC_BIGCOMMERCE_CDN_HOSTNAME: parts.picturesHost,
    ...(trustedFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: trustedFile }),
  }
}

/** The settings as lines of an environment file. */
export const settingLines = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
