import type { Command } from 'commander'
import type { CostClasses } from '../../sales/tax/classes/cost-classes.ts'
import { json, print, table, withStore } from '../command.ts'

interface Options extends Partial<Record<keyof CostClasses, string>> {
  json?: true
}

/** `tax-classes`: the tax classes of costs that are no products. */
export function taxClassCommands(program: Command) {
  program
    .command('tax-classes <store>')
    .description('the tax classes of shipping, handling and wrapping; options change them')
    .option('--shipping <class>', 'the id of the class of shipping costs; 2 in a new store')
    .option('--handling <class>', 'the id of the class of handling costs; 2 in a new store')
    .option('--wrapping <class>', 'the id of the class of gift wrapping; 3 in a new store')
    .addOption(json)
    .action(async (hash: string, { json, ...given }: Options) =>
      withStore(hash, async (db) => {
        const { costClassesOf, setCostClasses } = await import('../../sales/tax/classes/cost-classes.ts')
        const { taxClassNames } = await import('../../sales/tax/classes/classes.ts')
        const changes = Object.entries(given).map(([cost, id]) => [cost, classNumber(id)] as const)
        const classes = await (changes.length === 0
          ? costClassesOf(db)
          : setCostClasses(db, Object.fromEntries(changes)))
        const names = await taxClassNames(db)
        const rows = Object.entries(classes).map(([cost, id]) => [cost, String(id), names.get(id) ?? ''])
        print(classes, json, table(['COST', 'CLASS', 'NAME'], rows))
      }),
    )
}

function classNumber(text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new Error(`A tax class is a number from 0 to 255, not "${text}".`)
  return Number(text)
}
