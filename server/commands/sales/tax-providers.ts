import type { Command } from 'commander'
import type { TaxProviderRegistration } from '../../sales/tax/providers/registration.ts'
import { yesOrNo } from '../command.ts'
import { optionalNumber, type ServiceOptions, serviceCommands } from './service-commands.ts'

interface Options extends ServiceOptions {
  url?: string
  estimateMs?: string
  active?: boolean
  documents?: boolean
  region?: string[]
}

/** `tax-provider ...`: services that calculate tax for a store. */
export const taxProviderCommands = (program: Command) =>
  serviceCommands<TaxProviderRegistration, Options>(program, {
    command: 'tax-provider',
    noun: 'tax provider',
    description: 'services that calculate tax for a store',
    list: {
      description: 'the tax providers of a store; without an active one its own rates apply',
      headings: ['PROVIDER', 'ACTIVE', 'CONNECTED', 'DOCUMENTS', 'REGIONS', 'ESTIMATE'],
      row,
    },
    set: {
      description: 'register a tax provider, or change it; a client of the store then connects it',
      options: (command) =>
        command
          .option('--url <address>', 'the address before /estimate, /commit, /adjust and /void; it may hold {profile}')
          .option('--estimate-ms <number>', 'how long an estimate may take, at most 4000')
          .option('--active', 'let it calculate the tax of the store; no other one does then')
          .option('--no-active', 'let the rates of the store apply')
          .option('--documents', 'send it the documents of orders')
          .option('--no-documents', 'send it estimates only')
          .option('--region <code...>', 'where it calculates, such as US or US-CA; everywhere if not given'),
      sentence: ({ is_configured }) => (is_configured ? ', and connected' : ', and not connected yet'),
    },
    remove: { description: 'remove a tax provider with its connection' },
    async load() {
      const { listTaxProviders, removeTaxProvider, setTaxProvider } = await import(
        '../../sales/tax/providers/registration.ts'
      )
      return {
        listed: listTaxProviders,
        removed: removeTaxProvider,
        register: (db, id, { url, estimateMs, active, documents, region, secret }, parts) =>
          setTaxProvider(
            db,
            {
              id,
              url,
              estimateMs: optionalNumber(estimateMs),
              isActive: active,
              submitsOrders: documents,
              regions: region,
              secret,
            },
            parts,
          ),
      }
    },
  })

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
