import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { channelNumber, json, print, table, withStore } from '../command.ts'

/** `payments ...`: the payment providers of a store. */
export function paymentCommands(program: Command) {
  const payments = program.command('payments').description('payment providers of a store')
  const ofChannel = new Option('--channel <number>', 'for this channel only')
  const ofCurrency = new Option('--currency <code>', 'for this currency only, such as EUR')

  payments
    .command('list <store>')
    .description('list the providers of a store; without any, payments are refused')
    .addOption(json)
    .action(async (hash: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        const { listProviders } = await import('../../sales/payments/providers-command.ts')
        const providers = await listProviders(db)
        const text = table(
          ['GATEWAY', 'CHANNEL', 'CURRENCY', 'MODE', 'TEST', 'OPTIONS'],
          providers.map(({ gateway, channel_id, currency, mode, is_test, options }) => [
            gateway,
            channel_id === 0 ? 'all' : String(channel_id),
            currency || 'all',
            mode,
            is_test ? 'yes' : 'no',
            JSON.stringify(options),
          ]),
        )
        print(providers, json, text)
        warnAbout(hash, providers)
      }),
    )

  payments
    .command('set <store> <gateway>')
    .description('set a provider up: stripe, an offline one such as cod, or testgateway, which takes no money')
    .addOption(ofChannel)
    .addOption(ofCurrency)
    .addOption(
      new Option('--mode <mode>', 'take the money at once, or keep it until it is captured')
        .choices(['purchase', 'authorize'])
        .default('purchase'),
    )
    .option('--credentials <file>', 'a file of JSON, - for standard input; they are stored encrypted')
    .option('--option <name=value...>', 'an option of the test gateway, such as partialRefund=false', [])
    .addOption(json)
    .action(
      async (
        hash: string,
        gateway: string,
        {
          channel = '0',
          currency = '',
          mode,
          credentials,
          option,
          json,
        }: {
          channel?: string
          currency?: string
          mode: 'purchase' | 'authorize'
          credentials?: string
          option: string[]
          json?: true
        },
      ) =>
        withStore(hash, async (db, { secrets }) => {
          const { setProvider } = await import('../../sales/payments/providers-command.ts')
          const text =
            credentials === undefined ? undefined : readFileSync(credentials === '-' ? 0 : credentials, 'utf8')
          const wish = {
            gateway,
            channel: channelNumber(channel),
            currency: currency.toUpperCase(),
            mode,
            options: option,
          }
          const provider = await setProvider(db, { ...wish, credentials: text }, secrets)
          const kind = provider.is_test ? 'in test mode' : 'for real money'
          print(provider, json, `The provider ${gateway} is set up, ${kind}. The server uses it at once.`)
        }),
    )

  payments
    .command('remove <store> <gateway>')
    .description('remove a provider; its payments can no longer be captured, voided or refunded')
    .addOption(ofChannel)
    .addOption(ofCurrency)
    .addOption(json)
    .action(
      async (
        hash: string,
        gateway: string,
        { channel = '0', currency = '', json }: { channel?: string; currency?: string; json?: true },
      ) =>
        withStore(hash, async (db) => {
          const { listProviders, removeProvider } = await import('../../sales/payments/providers-command.ts')
          const place = { gateway, channel: channelNumber(channel), currency: currency.toUpperCase() }
          if (!(await removeProvider(db, place))) throw new Error(`The store ${hash} has no such provider ${gateway}.`)
          print(place, json, `The provider ${gateway} is removed.`)
          warnAbout(hash, await listProviders(db))
        }),
    )
}

/** Warns the operator on standard error, so that JSON stays readable. */
function warnAbout(hash: string, providers: readonly { gateway: string }[]) {
  if (providers.length === 0) {
    console.error(
      `Warning: no provider is set up, so payments are refused. Run: storeward payments set ${hash} <gateway>`,
    )
  }
  if (providers.some(({ gateway }) => gateway === 'testgateway')) {
    console.error('Warning: the test gateway takes no money, and anyone can pay with its public card numbers.')
  }
}
