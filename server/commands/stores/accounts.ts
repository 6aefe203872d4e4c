import type { Command } from 'commander'
import { json, print, table, withInstallation } from '../command.ts'

/** `account ...`: the API accounts of a store. */
export function accountCommands(program: Command) {
  const account = program.command('account').description('API accounts of a store')

  account
    .command('create <store>')
    .description('create an account; its token and secret are shown only once')
    .requiredOption('--name <name>', 'the purpose of the account')
    .requiredOption('--scopes <scopes...>', 'scopes, or all, read_only or none')
    .addOption(json)
    .action(async (hash: string, { name, scopes, json }: { name: string; scopes: string[]; json?: true }) =>
      withInstallation(async ({ accounts }) => {
        const created = await accounts.create(
          hash,
          name,
          scopes.flatMap((list) => list.split(',')),
        )
        print(
          created,
          json,
          `Client id      ${created.client_id}\nClient secret  ${created.client_secret}\nAccess token   ${created.access_token}\nThey are shown only once.`,
        )
      }),
    )

  account
    .command('list <store>')
    .description('list the accounts of a store')
    .addOption(json)
    .action(async (hash: string, { json }: { json?: true }) =>
      withInstallation(async ({ accounts }) => {
        const list = await accounts.list(hash)
        print(
          list,
          json,
          table(
            ['CLIENT ID', 'SCOPES', 'NAME'],
            list.map(({ client_id, name, scopes }) => [client_id, String(scopes.length), name]),
          ),
        )
      }),
    )

  account
    .command('change <store> <client-id>')
    .description('replace the scopes of an account; its token stays')
    .requiredOption('--scopes <scopes...>', 'scopes, or all, read_only or none')
    .addOption(json)
    .action(async (hash: string, clientId: string, { scopes, json }: { scopes: string[]; json?: true }) =>
      withInstallation(async ({ accounts }) => {
        const names = scopes.flatMap((list) => list.split(','))
        const changed = await accounts.setScopes(hash, clientId, names)
        if (!changed) throw new Error(`The store ${hash} has no account "${clientId}".`)
        print(changed, json, `The account ${clientId} has ${changed.scopes.length} scopes.`)
      }),
    )

  account
    .command('delete <store> <client-id>')
    .description('revoke an account: its token fails within a second')
    .addOption(json)
    .action(async (hash: string, clientId: string, { json }: { json?: true }) =>
      withInstallation(async ({ accounts }) => {
        if (!(await accounts.delete(hash, clientId))) throw new Error(`The store ${hash} has no account "${clientId}".`)
        print({ client_id: clientId }, json, `The account ${clientId} is deleted.`)
      }),
    )

  account
    .command('rotate-secret <store> <client-id>')
    .description('create a new client secret; for a day the old one signs webhooks too')
    .addOption(json)
    .action(async (hash: string, clientId: string, { json }: { json?: true }) =>
      withInstallation(async ({ accounts }) => {
        const client_secret = await accounts.rotateSecret(hash, clientId)
        if (client_secret === undefined) throw new Error(`The store ${hash} has no account "${clientId}".`)
        print(
          { client_id: clientId, client_secret },
          json,
          `Client secret  ${client_secret}\nIt is shown only once. For 24 hours the old one signs webhooks too.`,
        )
      }),
    )
}
