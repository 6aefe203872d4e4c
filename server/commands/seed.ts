import { type Command, Option } from 'commander'
import { publicUrlOf } from '../process/config.ts'
import { filesOf } from '../process/files.ts'
import { progressOn } from '../sandbox/progress.ts'
import { SIZES, type Size } from '../sandbox/samples/sizes.ts'
import { config, json, print, withStore } from './command.ts'

/** `seed`: sample data. */
export function seedCommand(program: Command) {
  program
    .command('seed')
    .description('fill a new store with sample data; the next run continues an interrupted one')
    .requiredOption('--store <hash>', 'the store')
    .addOption(
      new Option(
        '--size <size>',
        'tiny has 12 products, demo 500, large 250,000, with 1,000,000 orders, 10,000 companies and 1,000,000 invoices of them',
      )
        .choices(Object.keys(SIZES))
        .makeOptionMandatory(),
    )
    .addOption(json)
    .action(async ({ store: hash, size, json }: { store: string; size: Size; json?: true }) =>
      withStore(hash, async (db, installation) => {
        const settings = config()
        if (settings.port === 0 && settings.publicUrl === undefined) {
          throw new Error(
            'Addresses of pictures contain the address of the server: set PUBLIC_URL, or PORT to its port.',
          )
        }
        const files = await filesOf(settings, publicUrlOf(settings, settings.port), installation)
        const { seed } = await import('../sandbox/demo/seed.ts')
        const contents = await seed(db, files, size, {
          progress: progressOn(process.stderr, 'products'),
          orders: { progress: progressOn(process.stderr, 'orders') },
          companies: { progress: progressOn(process.stderr, 'invoices') },
        })
        const counts = Object.entries(contents).map(([things, count]) => `${count} ${things}`)
        print({ store: hash, size, ...contents }, json, `Store ${hash} has ${counts.join(', ')}.`)
      }),
    )
}
