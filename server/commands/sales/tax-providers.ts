import type { Command } from 'commander'
import type { TaxProviderRegistration } from '../../sales/tax/providers/registration.ts'
import { config, json, print, readSecret, table, withStore, yesOrNo } from '../command.ts'

interface Options {
  url?: string
  estimateMs?: string
  active?: boolean
  documents?: boolean
  region?: string[]
  secret?: string
  json?: true
}

/** `tax-provider ...`: services that calculate tax for a store. */
export function taxProviderCommands(program: Command) {
  const providers = program.command('tax-provider').description('services that calculate tax for a store')

  providers
    .command('list <store>')
    .description('the tax providers of a store; without an active one its own rates apply')
    .addOption(json)
    .action(async (hash: string, { json }: Pick<Options, 'json'>) =>
      withStore(hash, async (db) => {
        const { listTaxProviders } = await import('../../sales/tax/providers/registration.ts')
        const listed = await listTaxProviders(db)
        print(
          listed,
          json,
          table(['PROVIDER', 'ACTIVE', 'CONNECTED', 'DOCUMENTS', 'REGIONS', 'ESTIMATE'], listed.map(row)),
        )
      }),
    )

  providers
    .command('set <store> <provider>')
    .description('register a tax provider, or change it; a client of the store then connects it')
    .option('--url <address>', 'the address before /estimate, /commit, /adjust and /void; it may hold {profile}')
    .option('--estimate-ms <number>', 'how long an estimate may take, at most 4000')
    .option('--active', 'let it calculate the tax of the store; no other one does then')
    .option('--no-active', 'let the rates of the store apply')
    .option('--documents', 'send it the documents of orders')
    .option('--no-documents', 'send it estimates only')
    .option('--region <code...>', 'where it calculates, such as US or US-CA; everywhere if not given')
    .option(
      '--secret <file>',
      'a file with the secret that signs requests, - for standard input; it is stored encrypted',
    )
    .addOption(json)
    .action(async (hash: string, id: string, options: Options) =>
      withStore(hash, async (db, { secrets }) => {
        const { setTaxProvider } = await import('../../sales/tax/providers/registration.ts')
        const { url, estimateMs, active, documents, region, secret } = options
        const wish = {
          id,
          url,
          estimateMs: estimateMs === undefined ? undefined : Number(estimateMs),
          isActive: active,
          submitsOrders: documents,
          regions: region,
          secret: readSecret(secret),
        }
        const provider = await setTaxProvider(db, wish, { secrets, origins: config().webhookOrigins })
        const state = provider.is_configured ? 'connected' : 'not connected yet'
        print(
          provider,
          options.json,
          `The tax provider ${id} is registered, and ${state}. The server knows it at once.`,
        )
      }),
    )

  providers
    .command('remove <store> <provider>')
    .description('remove a tax provider with its connection')
    .addOption(json)
    .action(async (hash: string, id: string, { json }: Pick<Options, 'json'>) =>
      withStore(hash, async (db) => {
        const { removeTaxProvider } = await import('../../sales/tax/providers/registration.ts')
        if (!(await removeTaxProvider(db, id))) throw new Error(`The store ${hash} has no tax provider ${id}.`)
        print({ provider_id: id }, json, `The tax provider ${id} is removed.`)
      }),
    )
}

const row = ({
  provider_id,
  is_active,
  is_configured,
  submits_orders,
  target,
  estimate_ms,
}: TaxProviderRegistration) => [
  provider_id,
  yesOrNo(is_active),
  yesOrNo(is_configured),
  yesOrNo(submits_orders),
  [...target.country_codes, ...target.subdivision_codes].join(',') || 'all',
  `${estimate_ms} ms`,
]
