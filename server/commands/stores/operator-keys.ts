import type { Command } from 'commander'
import { json, print, table, withInstallation } from '../command.ts'

/** `operator-key ...`: the keys of the operator's API. */
export function operatorKeyCommands(program: Command) {
  const keys = program.command('operator-key').description("keys of the operator's API, /operator/v1")

  keys
    .command('create')
    .description('create a key for all stores; it is shown only once')
    .requiredOption('--name <name>', 'the person or program that will use the key')
    .addOption(json)
    .action(async ({ name, json }: { name: string; json?: true }) =>
      withInstallation(async ({ operatorKeys }) => {
        const created = await operatorKeys.create(name)
        print(created, json, `Operator key  ${created.key}\nIt is shown only once.`)
      }),
    )

  keys
    .command('list')
    .description('list the keys')
    .addOption(json)
    .action(async ({ json }: { json?: true }) =>
      withInstallation(async ({ operatorKeys }) => {
        const list = await operatorKeys.list()
        const rows = list.map(({ id, created_at, name }) => [String(id), created_at, name])
        print(list, json, table(['ID', 'CREATED AT', 'NAME'], rows))
      }),
    )

  keys
    .command('revoke <id>')
    .description('revoke a key; the next request with it fails')
    .addOption(json)
    .action(async (id: string, { json }: { json?: true }) =>
      withInstallation(async ({ operatorKeys }) => {
        if (!/^\d{1,9}$/.test(id) || !(await operatorKeys.revoke(Number(id))))
          throw new Error(`There is no operator key "${id}".`)
        print({ id: Number(id) }, json, `The operator key ${id} is revoked.`)
      }),
    )
}
