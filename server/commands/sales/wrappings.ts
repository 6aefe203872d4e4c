import type { Command } from 'commander'
import { json, print, table, withStore, yesOrNo } from '../command.ts'

/** `wrapping ...`: the gift wrappings of a store. */
export function wrappingCommands(program: Command) {
  const wrapping = program.command('wrapping').description('gift wrappings of a store')

  wrapping
    .command('list <store>')
    .description('the wrappings of a store')
    .addOption(json)
    .action(async (hash: string, { json }: { json?: true }) =>
      withStore(hash, async (db) => {
        const { listWrappings } = await import('../../sales/carts/wrappings.ts')
        const found = await listWrappings(db)
        const rows = found.map(({ id, name, price, is_visible }) => [
          String(id),
          price.toFixed(4),
          yesOrNo(is_visible),
          name,
        ])
        print(found, json, table(['WRAPPING', 'PRICE', 'VISIBLE', 'NAME'], rows))
      }),
    )

  wrapping
    .command('add <store> <name>')
    .description('add a wrapping; lines of carts name it by the id that is printed')
    .requiredOption('--price <amount>', 'for one unit, in the default currency of the store')
    .option('--hidden', 'storefronts do not offer it; the API takes it')
    .addOption(json)
    .action(async (hash: string, name: string, { price, hidden, json }: AddOptions) =>
      withStore(hash, async (db) => {
        const { addWrapping } = await import('../../sales/carts/wrappings.ts')
        const added = await addWrapping(db, { name, price, isVisible: !hidden })
        print(added, json, `The wrapping ${added.id} "${added.name}" is added.`)
      }),
    )

  wrapping
    .command('remove <store> <wrapping>')
    .description('remove a wrapping by its id; carts that have it keep it')
    .action(async (hash: string, id: string) =>
      withStore(hash, async (db) => {
        const { removeWrapping } = await import('../../sales/carts/wrappings.ts')
        if (!(await removeWrapping(db, wrappingNumber(id)))) {
          throw new Error(`The store ${hash} has no wrapping ${id}.`)
        }
        console.log(`The wrapping ${id} is removed.`)
      }),
    )
}

interface AddOptions {
  price: string
  hidden?: true
  json?: true
}

function wrappingNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`The wrapping must be a number, not "${text}".`)
  return Number(text)
}
