import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { json, print, withStore } from '../command.ts'

/** `b2b quote-draft ...`: drafts of quotes, which no buyer sees before they are sent. */
export function quoteDraftCommands(b2b: Command) {
  const draft = b2b.command('quote-draft').description('drafts of quotes, which no buyer sees before they are sent')

  draft
    .command('create <store> <file>')
    .description('create a draft; the file has the body of POST /rfq as JSON')
    .addOption(json)
    .action(async (hash: string, file: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        const { NewCompanyQuote } = await import('../../sales/b2b/quotes/bodies.ts')
        const { itemReader } = await import('../../core/rest/input/validator.ts')
        const { createQuote } = await import('../../sales/b2b/quotes/quote-changes.ts')
        const { SELLER } = await import('../../sales/b2b/shared/caller.ts')
        const { repOf } = await import('../../doors/b2b/staff/staff.ts')
        const body = itemReader(NewCompanyQuote)(JSON.parse(await readFile(file, 'utf8')))
        const rep = await repOf(db, body.userEmail)
        const { id, quote_number } = await createQuote(db, SELLER, body, { rep, isDraft: true })
        print({ hash, id, number: quote_number }, json, `The draft ${quote_number} is created.`)
      }),
    )

  draft
    .command('send <store> <number>')
    .description('send a draft to its buyer')
    .addOption(json)
    .action(async (hash: string, number: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        const { sendDraft } = await import('../../sales/b2b/quotes/quote-changes.ts')
        const { id, quote_number } = await sendDraft(db, number)
        print({ hash, id, number: quote_number }, json, `The quote ${quote_number} is sent.`)
      }),
    )
}
