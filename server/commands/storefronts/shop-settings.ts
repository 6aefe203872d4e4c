import type { Command } from 'commander'
import { channelNumber, config, json, print, withStore } from '../command.ts'

/** `shop-settings ...`: the settings with which a public shop runs on a channel. */
export function shopSettingsCommands(program: Command) {
  program
    .command('shop-settings')
    .description('print the settings of a shop on a channel, with a new token that never expires')
    .requiredOption('--store <hash>', 'the store')
    .option('--channel <id>', 'the channel; it needs a site', channelNumber, 1)
    .addOption(json)
    .action(async ({ store, channel, json }: { store: string; channel: number; json?: true }) =>
      withStore(store, async (db, { secrets, clock }) => {
        const [{ createShopToken }, { findSiteOfChannel }, { addressRulesOf }] = await Promise.all([
          import('../../doors/storefront/tokens/shop-token.ts'),
          import('../../shop/channels/sites/shape.ts'),
          import('../../process/config.ts'),
        ])
        const settings = config()
        const publicUrl = settings.publicUrl ?? `http://localhost:${settings.port}`
        await findSiteOfChannel(db, channel)
        const lines = {
          BIGCOMMERCE_STORE_HASH: store,
          BIGCOMMERCE_CHANNEL_ID: String(channel),
          BIGCOMMERCE_STOREFRONT_TOKEN: await createShopToken(db, secrets, { channel, now: clock.now() }),
          BIGCOMMERCE_TRUSTED_PROXY_SECRET: secrets.proxySecret(store),
          BIGCOMMERCE_GRAPHQL_API_DOMAIN: addressRulesOf(settings, publicUrl).domain,
          NEXT_PUBLIC_BIGCOMMERCE_CDN_HOSTNAME: settings.cdnHost ?? new URL(publicUrl).host,
        }
        const text = Object.entries(lines).map(([name, value]) => `${name}=${value}`)
        print(lines, json, text.join('\n'))
      }),
    )
}
