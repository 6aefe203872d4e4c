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
        const [{ settingLines, shopSettings }, { authorityOf }, { addressRulesOf }, { readShopHost }] =
          await Promise.all([
            import('../../doors/storefront/tokens/shop-settings.ts'),
            import('../../shop/channels/sites/addresses.ts'),
            import('../../process/config.ts'),
            import('../../sandbox/demo/record.ts'),
          ])
        const settings = config()
        const publicUrl = settings.publicUrl ?? `http://localhost:${settings.port}`
        const { domain, httpsPort } = addressRulesOf(settings, publicUrl)
        // A sandbox chose its port of https, and is the only server of its folder.
        const sandbox = settings.databaseUrl === undefined ? await readShopHost(settings.dataFolder) : undefined
        const lines = await shopSettings(db, {
          secrets,
          clock,
          channel,
          domain: sandbox?.domain ?? authorityOf(domain, httpsPort),
          picturesHost: settings.cdnHost ?? sandbox?.domain ?? new URL(publicUrl).host,
          trustedFile: sandbox?.trusted_file,
        })
        print(lines, json, settingLines(lines))
      }),
    )
}
