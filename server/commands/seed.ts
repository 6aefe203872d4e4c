import { writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { publicUrlOf } from '../process/config.ts'
import { filesOf } from '../process/files.ts'
import { progressOn } from '../sandbox/progress.ts'
import { SIZES, type Size } from '../sandbox/samples/sizes.ts'
import { config, json, print, withStore } from './command.ts'
import { withBundleParts } from './stores/quiet-app.ts'

/** `seed`, and `seed export`: data of stores for tests. */
export function seedCommand(program: Command) {
  const command = program
    .command('seed')
    .description('fill a new store with sample data; the next run continues an interrupted one')
    .option('--store <hash>', 'the store')
    .addOption(
      new Option(
        '--size <size>',
        'tiny has 12 products, demo 500, large 250,000, with 1,000,000 orders, 10,000 companies and 1,000,000 invoices of them',
      ).choices(Object.keys(SIZES)),
    )
    .addOption(json)
    .action(async ({ store: hash, size, json }: { store?: string; size?: Size; json?: true }) => {
      // Not mandatory for commander, which would ask for them in `seed export`, too.
      if (hash === undefined || size === undefined)
        throw new Error('Name the store and the size of its data: --store <hash> --size tiny.')
      await fill(hash, size, json)
    })

  command
    .command('export <store>')
    .description(
      'write the brands, categories, products and customers of a store as a fixture of the test kit (docs/testing.md)',
    )
    .option('--to <file>', 'the file; standard output if it is left out')
    .action(async (hash: string, { to }: { to?: string }) =>
      withBundleParts(async (parts) => {
        const { exportFixture } = await import('../doors/powers/bundles/store-bundles.ts')
        const text = JSON.stringify(await exportFixture(parts, hash), null, 2)
        if (to === undefined) return console.log(text)
        await writeFile(to, `${text}\n`)
        console.log(`${to} has the fixture of store ${hash}.`)
      }),
    )
}

const fill = (hash: string, size: Size, asJson: true | undefined) =>
  withStore(hash, async (db, installation) => {
    const settings = config()
    if (settings.port === 0 && settings.publicUrl === undefined) {
      throw new Error('Addresses of pictures contain the address of the server: set PUBLIC_URL, or PORT to its port.')
    }
    const files = await filesOf(settings, publicUrlOf(settings, settings.port), installation)
    const { seed } = await import('../sandbox/demo/seed.ts')
    const contents = await seed(db, files, size, {
      progress: progressOn(process.stderr, 'products'),
      orders: { progress: progressOn(process.stderr, 'orders') },
      companies: { progress: progressOn(process.stderr, 'invoices') },
    })
    const counts = Object.entries(contents).map(([things, count]) => `${count} ${things}`)
    print({ store: hash, size, ...contents }, asJson, `Store ${hash} has ${counts.join(', ')}.`)
  })
