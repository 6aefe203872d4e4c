import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { ServiceClient } from '../../core/net/service-client.ts'
import { policyOf } from '../../doors/webhooks/sending/destination.ts'
import type { CarrierSummary } from '../../sales/shipping/carriers/registration.ts'
import type { ParcelOptions } from '../../sales/shipping/parcels/parcel-file.ts'
import { config, json, print, table, withStore, yesOrNo } from '../command.ts'
import { optionalNumber, type ServiceOptions, serviceCommands } from './service-commands.ts'

interface Options extends ServiceOptions {
  rateUrl?: string
  checkUrl?: string
  name?: string
  multi?: boolean
  rateMs?: string
  connectionSchema?: string
  settingsSchema?: string
}

/** `carrier ...`: services that quote shipping costs for a store. */
export const carrierCommands = (program: Command) =>
  serviceCommands<CarrierSummary, Options>(program, {
    command: 'carrier',
    noun: 'carrier',
    description: 'services that quote shipping costs for a store',
    list: {
      description: 'the carriers of a store',
      headings: ['CARRIER', 'NAME', 'KIND', 'CHECKS', 'SIGNED', 'TIME', 'RATE ADDRESS'],
      row,
    },
    set: {
      description:
        'register a carrier, or change it; a client of the store then connects it and adds a method to a zone',
      options: (command) =>
        command
          .option('--rate-url <address>', 'where it quotes')
          .option('--check-url <address>', 'where it checks connections; an empty text for none')
          .option('--name <name>', 'stands before the names of its services; the default is the id')
          .option('--multi', 'it quotes for several carriers, whose services have names of their own')
          .option('--no-multi', 'it quotes for itself alone')
          .option('--rate-ms <number>', 'how long its quotes may take, at most 5000')
          .option('--connection-schema <file>', 'a file of JSON: the fields of a connection')
          .option('--settings-schema <file>', 'a file of JSON: the fields of the settings of a method'),
      sentence: () => '',
    },
    remove: { description: 'remove a carrier; its methods then offer nothing' },
    async load() {
      const { listCarriers, removeCarrier, setCarrier } = await import('../../sales/shipping/carriers/registration.ts')
      return {
        listed: listCarriers,
        removed: removeCarrier,
        register: (db, id, { multi, rateMs, connectionSchema, settingsSchema, ...others }, parts) =>
          setCarrier(
            db,
            {
              id,
              ...others,
              isMulti: multi,
              rateMs: optionalNumber(rateMs),
              connectionSchema: textOf(connectionSchema),
              settingsSchema: textOf(settingsSchema),
            },
            parts,
          ),
      }
    },
  })

/** `shipping ...`: what a store's shipping costs. */
export function shippingCommands(program: Command) {
  program
    .command('shipping')
    .description("the shipping of a store's parcels")
    .command('options <store>')
    .description('the shipping options of a parcel, to explain a price; carriers are asked')
    .requiredOption('--file <file>', 'a file of JSON, - for standard input: destination, lines, currency')
    .addOption(json)
    .action(async (hash: string, { file, json }: { file: string; json?: true }) =>
      withStore(hash, async (db, { secrets, clock }) => {
        const { explainParcel } = await import('../../sales/shipping/parcels/parcel-file.ts')
        const { CarrierDesk } = await import('../../sales/shipping/carriers/quotes.ts')
        const services = new ServiceClient(policyOf(config()))
        try {
          const desk = new CarrierDesk({ services, secrets, clock })
          const found = await explainParcel(db, desk, readFileSync(file === '-' ? 0 : file, 'utf8'))
          print(found, json, textOfOptions(found))
        } finally {
          await services.close()
        }
      }),
    )
}

function textOfOptions({ zone, currency, options }: ParcelOptions): string {
  if (!zone) return 'No shipping zone serves this address.'
  const rows = options.map(({ method_id, type, description, transit_time, cost, handling_cost }) => [
    method_id === 0 ? '' : String(method_id),
    type,
    description,
    transit_time,
    `${cost} ${currency}`,
    `${handling_cost} ${currency}`,
  ])
  return `Zone ${zone.id} "${zone.name}"\n${table(['METHOD', 'TYPE', 'OPTION', 'TIME', 'COST', 'HANDLING'], rows)}`
}

const row = ({ carrier_id, name, is_multi, check_url, has_secret, rate_ms, rate_url }: CarrierSummary) => [
  carrier_id,
  name,
  is_multi ? 'multi' : 'single',
  yesOrNo(check_url !== ''),
  yesOrNo(has_secret),
  `${rate_ms} ms`,
  rate_url,
]

const textOf = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path, 'utf8'))
