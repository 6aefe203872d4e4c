import type { Command } from 'commander'
import { json, print, table, withStore } from '../command.ts'

/** `storefront-keys ...`: the keys that sign the storefront tokens of a store. */
export function storefrontKeyCommands(program: Command) {
  const keys = program.command('storefront-keys').description('keys that sign the storefront tokens of a store')

  keys
    .command('list <store>')
    .description('list the keys, newest first; the first one signs, all of them verify')
    .addOption(json)
    .action(async (hash: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        const { listKeys } = await import('../../doors/storefront/tokens/keys.ts')
        const list = await listKeys(db)
        const rows = list.map(({ kid, created_at, signs }) => [kid, created_at, signs ? 'signs' : 'verifies'])
        print(list, json, table(['KEY', 'CREATED AT', 'USE'], rows))
      }),
    )

  keys
    .command('rotate <store>')
    .description('sign with a new key; tokens of older keys stay valid until their key is removed')
    .addOption(json)
    .action(async (hash: string, { json }: { json?: true }) =>
      withStore(hash, async (db, { secrets }) => {
        const { rotateKeys } = await import('../../doors/storefront/tokens/keys.ts')
        const kid = await rotateKeys(db, secrets)
        print({ kid }, json, `New tokens of the store ${hash} are signed by the key ${kid}.`)
      }),
    )

  keys
    .command('remove <store> <key>')
    .description('remove a key; all its tokens fail within a second')
    .addOption(json)
    .action(async (hash: string, kid: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        const { removeKey } = await import('../../doors/storefront/tokens/keys.ts')
        if (!(await removeKey(db, kid))) throw new Error(`The store ${hash} has no key "${kid}".`)
        print({ kid }, json, `The key ${kid} is removed.`)
      }),
    )
}
