import { type Command, Option } from 'commander'
import { addressRulesOf, publicUrlOf } from '../process/config.ts'
import { channelNumber, config, json, print, withStore } from './command.ts'

/** `emails ...`: a store's e-mail templates. */
export function emailCommands(program: Command) {
  const emails = program.command('emails').description("a store's e-mail templates")

  emails
    .command('preview <store> <type>')
    .description('print a mail of a type as the store would send it, with sample data')
    .option('--channel <number>', 'the channel of the template')
    .option('--locale <locale>', 'language of the message', 'en')
    .addOption(
      new Option('--part <part>', 'the part of the mail to print').choices(['html', 'text', 'subject']).default('html'),
    )
    .addOption(json)
    .action(
      async (
        hash: string,
        type: string,
        {
          channel = '0',
          locale,
          part,
          json,
        }: { channel?: string; locale: string; part: 'html' | 'text' | 'subject'; json?: true },
      ) =>
        withStore(hash, async (db, { clock }) => {
          const { preview } = await import('../shop/emails/preview/preview-command.ts')
          const settings = config()
          const mail = await preview(
            db,
            type,
            { channel: channelNumber(channel), locale },
            { clock, sites: addressRulesOf(settings, publicUrlOf(settings, settings.port)) },
          )
          print(mail, json, mail[part])
        }),
    )

  emails
    .command('opt-in <store>')
    .description('let a store edit its templates permanently; needed with EMAIL_TEMPLATES=false')
    .addOption(json)
    .action(async (hash: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        const { optIn } = await import('../shop/emails/opt-in.ts')
        await optIn(db)
        print({ hash, email_templates: true }, json, `Store ${hash} has opted in to e-mail templates.`)
      }),
    )
}
