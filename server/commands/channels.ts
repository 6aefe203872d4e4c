import type { Command } from 'commander'
import type { LocaleOptions } from '../shop/settings/locale/locales-command.ts'
import { channelNumber, json, print, withStore } from './command.ts'

/** `channel ...`: languages of a storefront, and channels that were deleted. */
export function channelCommands(program: Command) {
  const channel = program.command('channel').description('channels of a store')

  channel
    .command('locales <store> <channel>')
    .description('the languages of a storefront; with an option, changes them first')
    .option('--add <code>', 'a language that the storefront gets, such as de or fr-CA')
    .option('--change <code>', 'a language that becomes the default, active or inactive')
    .option('--delete <code>', 'a language that goes')
    .option('--default', 'it becomes the default in place of another one')
    .option('--active', 'shoppers can choose it')
    .option('--inactive', 'shoppers can not choose it')
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
    .command('restore <store> <channel>')
    .description('take the deletion of a channel back, within 90 days; it sells nothing until it gets another status')
    .addOption(json)
    .action(async (hash: string, id: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        const { restoreChannel } = await import('../shop/channels/deletion.ts')
        const channel = await restoreChannel(db, channelNumber(id))
        print(channel, json, `The channel ${channel.id} (${channel.name}) is ${channel.status}.`)
      }),
    )
}
