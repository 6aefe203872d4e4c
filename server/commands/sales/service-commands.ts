import type { Command } from 'commander'
import type { Db } from '../../core/db/database.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { config, json, print, readSecret, table, withStore } from '../command.ts'

/** The options of `set` that all services have. */
export interface ServiceOptions {
  secret?: string
  json?: true
}

/** The settings that all services have, and the parts that store them. */
interface ServiceWish {
  secret: string | undefined
}

interface RegistrationParts {
  secrets: Secrets
  /** Addresses that need neither https nor port 443. */
  origins: readonly string[]
}

/** A kind of services of third parties that an operator registers for a store. */
interface ServiceKind<Summary, Options> {
  /** The name of the command, such as `tax-provider`. */
  command: string
  noun: string
  description: string
  list: { description: string; headings: string[]; row(service: Summary): string[] }
  set: {
    description: string
    /** Adds the options that only this kind has. */
    options(command: Command): Command
    /** The sentence about a service that was registered. */
    sentence(service: Summary): string
  }
  remove: { description: string }
  /** Loaded with the command, so that other commands start without it. */
  load(): Promise<{
    listed(db: Db): Promise<Summary[]>
    register(db: Db, id: string, options: Options & ServiceWish, parts: RegistrationParts): Promise<Summary>
    /** @returns whether it was registered */
    removed(db: Db, id: string): Promise<boolean>
  }>
}

/** Adds the commands `list`, `set` and `remove` of a kind of services. */
export function serviceCommands<Summary, Options extends ServiceOptions>(
  program: Command,
  { command, noun, description, list, set, remove, load }: ServiceKind<Summary, Omit<Options, keyof ServiceOptions>>,
) {
  const services = program.command(command).description(description)
  const argument = noun.split(' ').at(-1)

  services
    .command('list <store>')
    .description(list.description)
    .addOption(json)
    .action(async (hash: string, { json }: ServiceOptions) =>
      withStore(hash, async (db) => {
        const listed = await (await load()).listed(db)
        print(listed, json, table(list.headings, listed.map(list.row)))
      }),
    )

  set
    .options(services.command(`set <store> <${argument}>`).description(set.description))
    .option(
      '--secret <file>',
      'a file with the secret that signs requests, - for standard input; it is stored encrypted',
    )
    .addOption(json)
    .action(async (hash: string, id: string, { secret, json, ...options }: Options) =>
      withStore(hash, async (db, { secrets }) => {
        const wish = { ...options, secret: readSecret(secret) }
        const parts = { secrets, origins: config().webhookOrigins }
        const service = await (await load()).register(db, id, wish, parts)
        print(service, json, `The ${noun} ${id} is registered${set.sentence(service)}. The server knows it at once.`)
      }),
    )

  services
    .command(`remove <store> <${argument}>`)
    .description(remove.description)
    .addOption(json)
    .action(async (hash: string, id: string, { json }: ServiceOptions) =>
      withStore(hash, async (db) => {
        if (!(await (await load()).removed(db, id))) throw new Error(`The store ${hash} has no ${noun} ${id}.`)
        print({ [`${argument}_id`]: id }, json, `The ${noun} ${id} is removed.`)
      }),
    )
}

/** An option that is a number; undefined if it is not given. */
export const optionalNumber = (text: string | undefined) => (text === undefined ? undefined : Number(text))
