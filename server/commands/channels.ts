import type { Command } from 'commander'
import type { SocialLinkOptions } from '../shop/settings/families/social-links.ts'
import type { LocaleOptions } from '../shop/settings/locale/locales-command.ts'
import { channelNumber, json, print, withStore } from './command.ts'

/** `channel ...`: languages and social links of a storefront, and deleted channels. */
export function channelCommands(program: Command) {
  const channel = program.command('channel').description('channels of a store')

  channel
    .command('locales <store> <channel>')
    .description('list the languages of a storefront; options change them first')
    .option('--add <code>', 'add a language, such as de or fr-CA')
    .option('--change <code>', 'a language to make the default, active or inactive')
    .option('--delete <code>', 'delete a language')
    .option('--default', 'make it the default')
    .option('--active', 'let shoppers choose it')
    .option('--inactive', 'hide it from shoppers')
    .addOption(json)
    .action(async (hash: string, id: string, options: LocaleOptions & { json?: true }) =>
      withStore(hash, async (db) => {
        const { editLocales } = await import('../shop/settings/locale/locales-command.ts')
        const locales = await editLocales(db, channelNumber(id), options)
        print(
          locales,
          options.json,
          locales
            .map(({ code, is_active, is_default }) =>
              [code, is_default ? 'default' : is_active ? 'active' : 'inactive'].join('  '),
            )
            .join('\n'),
        )
      }),
    )

  channel
    .command('social-links <store> <channel>')
    .description('list the pages of a storefront in social networks; options change them first')
    .option('--set <links...>', 'replace them by these, such as Instagram=https://www.instagram.com/fern')
    .option('--clear', 'delete them')
    .addOption(json)
    .action(async (hash: string, id: string, options: SocialLinkOptions & { json?: true }) =>
      withStore(hash, async (db) => {
        const { editSocialLinks } = await import('../shop/settings/families/social-links.ts')
        const links = await editSocialLinks(db, channelNumber(id), options)
        print(links, options.json, links.map(({ name, url }) => `${name}  ${url}`).join('\n'))
      }),
    )

  channel
    .command('restore <store> <channel>')
    .description('restore a channel within 90 days of its deletion; it sells nothing until its status is changed')
    .addOption(json)
    .action(async (hash: string, id: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        const { restoreChannel } = await import('../shop/channels/deletion.ts')
        const channel = await restoreChannel(db, channelNumber(id))
        print(channel, json, `The channel ${channel.id} (${channel.name}) is ${channel.status}.`)
      }),
    )
}
