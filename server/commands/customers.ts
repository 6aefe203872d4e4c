import type { Command } from 'commander'
import type { Db } from '../core/db/database.ts'
import { publicUrlOf } from '../process/config.ts'
import { filesOf } from '../process/files.ts'
import type { Installation } from '../process/installation.ts'
import type { Cell } from '../stores/directory/directory.ts'
import { config, json, print, withStore } from './command.ts'

/** `customer ...`: the data of one person in a store. */
export function customerCommands(program: Command) {
  const customer = program.command('customer').description('the data of one customer')

  customer
    .command('export <store> <customer>')
    .description('export all data of a customer as JSON, for a person who requests it')
    .action(async (hash: string, id: string) =>
      withStore(hash, async (db, installation) => {
        const { exportPerson } = await import('../doors/console/store/person-data.ts')
        const exported = await exportPerson(db, await cellOf(installation, db), customerNumber(id))
        console.log(JSON.stringify(exported, null, 2))
      }),
    )

  customer
    .command('erase <store> <customer>')
    .description('delete a customer and all other personal data; data that bookkeeping needs is kept and listed')
    .addOption(json)
    .action(async (hash: string, id: string, { json }: { json?: true }) =>
      withStore(hash, async (db, installation) => {
        const settings = config()
        const files = await filesOf(settings, publicUrlOf(settings, settings.port), installation)
        const { erasePerson } = await import('../doors/console/store/person-data.ts')
        const erased = await erasePerson(db, await cellOf(installation, db), files, customerNumber(id))
        const summary = `The customer ${erased.id} is deleted, with ${erased.carts} carts, ${erased.quotes} quotes, ${erased.mails} mails, ${erased.stored_answers} stored answers and ${erased.requests} logged requests.`
        print(erased, json, [summary, 'Kept data:', ...erased.kept.map((kept) => `  ${kept}`)].join('\n'))
      }),
    )
}

async function cellOf({ directory }: Installation, { store }: Db): Promise<Cell> {
  const cell = await directory.cellById(store.id)
  if (!cell) throw new Error(`There is no store "${store.hash}".`)
  return cell
}

function customerNumber(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new Error(`The customer must be a number, not "${text}".`)
  return Number(text)
}
