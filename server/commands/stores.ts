import { createInterface } from 'node:readline'
import { type Command, Option } from 'commander'
import { publicUrlOf } from '../process/config.ts'
import { filesOf } from '../process/files.ts'
import { type DeletedStore, STORE_STATES, type StoreRecord, type StoreState } from '../stores/directory/directory.ts'
import { isPlan, LIMITABLE, plans } from '../stores/directory/plans.ts'
import { config, json, print, table, withInstallation } from './command.ts'

/** `store ...`: opens stores, lists them, changes their state, deletes them. */
export function storeCommands(program: Command) {
  const store = program.command('store').description('open stores and change their state')

  store
    .command('create')
    .description('open a store')
    .requiredOption('--name <name>', 'name of the store')
    .option('--hash <hash>', 'store hash; made up if not given')
    .addOption(new Option('--plan <plan>', 'request quota').choices(Object.keys(plans)).default('standard'))
    .option('--limit <resource=number...>', 'plan limits, such as brands=100', [])
    .addOption(json)
    .action(
      async ({
        name,
        hash,
        plan,
        limit,
        json,
      }: {
        name: string
        hash?: string
        plan: string
        limit: string[]
        json?: true
      }) => {
        const limits = limitsOf(limit)
        await withInstallation(async ({ directory }) => {
          const created = await directory.create({ name, hash, plan: isPlan(plan) ? plan : 'standard', limits })
          print(created, json, `Store ${created.hash} (number ${created.id}) is open.`)
        })
      },
    )

  store
    .command('list')
    .description('all stores')
    .option('--deleted', 'those that were deleted instead, and whether all of them is gone')
    .addOption(json)
    .action(async ({ deleted, json }: { deleted?: true; json?: true }) =>
      withInstallation(async ({ directory }) => {
        if (deleted) return printDeleted(await directory.deletedStores(), json)
        const stores = await directory.list()
        print(
          stores,
          json,
          table(
            ['HASH', 'NUMBER', 'STATE', 'PLAN', 'NAME'],
            stores.map(({ hash, id, state, plan, name }) => [hash, String(id), state, plan, name]),
          ),
        )
      }),
    )

  store
    .command('change <hash>')
    .description("change a store's name, plan or limits; every process knows it within a second")
    .option('--name <name>', 'the new name')
    .addOption(new Option('--plan <plan>', 'request quota').choices(Object.keys(plans)))
    .option('--limit <resource=number...>', 'plan limits, such as brands=100; brands=none removes one', [])
    .addOption(json)
    .action(
      async (
        hash: string,
        { name, plan, limit, json }: { name?: string; plan?: string; limit: string[]; json?: true },
      ) => {
        const limits = limitChangesOf(limit)
        if (name === undefined && plan === undefined && limit.length === 0)
          throw new Error('Say what to change: --name, --plan or --limit.')
        await withInstallation(async ({ directory }) => {
          const chosen = plan !== undefined && isPlan(plan) ? plan : undefined
          const changed = await directory.change(hash, { name, plan: chosen, limits })
          const pairs = Object.entries(changed.limits).map(([resource, max]) => `${resource}=${max}`)
          const limited = pairs.length === 0 ? 'no limits' : `the limits ${pairs.join(' ')}`
          print(changed, json, `Store ${hash} (${changed.name}) has the plan ${changed.plan} and ${limited}.`)
        })
      },
    )

  store
    .command('set-state <hash>')
    .description('every state but active answers 503')
    .addOption(new Option('--state <state>', 'the new state').choices(STORE_STATES).makeOptionMandatory())
    .addOption(json)
    .action(async (hash: string, { state, json }: { state: StoreState; json?: true }) =>
      withInstallation(async ({ directory }) => {
        if (!(await directory.setState(hash, state))) throw new Error(`There is no store "${hash}".`)
        print({ hash, state }, json, `The state of store ${hash} is ${state}.`)
      }),
    )

  store
    .command('delete <hash>')
    .description('delete a store with all that it holds, for good; one that was cut short goes on')
    .option('--yes', 'do not ask')
    .addOption(json)
    .action(async (hash: string, { yes, json }: { yes?: true; json?: true }) =>
      withInstallation(async (installation) => {
        const { directory } = installation
        const store = (await directory.list()).find((store) => store.hash === hash)
        if (store && !yes) await mustType(store)
        const settings = config()
        const files = await filesOf(settings, publicUrlOf(settings, settings.port), installation)
        const { deleteStore } = await import('../stores/directory/deletion.ts')
        const removed = await deleteStore({ ...installation, files }, hash, { progress: countOn(process.stderr) })
        if (!removed) throw new Error(`There is no store "${hash}".`)
        print(
          { hash, ...removed },
          json,
          `Store ${hash} is deleted, with ${removed.rows} rows and ${removed.files} files.`,
        )
      }),
    )
}

const printDeleted = (stores: readonly DeletedStore[], asJson: true | undefined) =>
  print(
    stores,
    asJson,
    table(
      ['HASH', 'NUMBER', 'DELETED AT', 'FINISHED AT', 'NAME'],
      stores.map(({ hash, id, deleted_at, finished_at, name }) => [
        hash,
        String(id),
        deleted_at,
        finished_at ?? 'no',
        name,
      ]),
    ),
  )

/** Asks whoever sits there, or what is piped in, to type the name or the hash of a store. @throws Error if it is anything else */
async function mustType({ hash, name }: StoreRecord) {
  process.stderr.write(
    `This deletes the store ${hash} (${name}) with all that it holds. There is no way back but a backup.\n` +
      'Type its hash or its name to go on: ',
  )
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) {
    lines.close()
    if ([hash, name].includes(line.trim())) return
    throw new Error(`Nothing was deleted: the store is called ${hash} or ${name}.`)
  }
  throw new Error(`Nothing was deleted. Without somebody to ask, say --yes.`)
}

/** Counts rows on a terminal; elsewhere nobody reads it. */
const countOn = (out: NodeJS.WriteStream) => (rows: number) => {
  if (out.isTTY) out.write(`\r${rows} rows are gone\x1b[K`)
}

function limitsOf(pairs: string[]): Record<string, number> {
  return Object.fromEntries(pairs.map((pair) => limitOf(pair)))
}

/** The limits to set; null for those to remove. */
function limitChangesOf(pairs: string[]): Record<string, number | null> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const removed = /^(.*)=none$/.exec(pair)?.[1]
      return removed === undefined ? limitOf(pair) : [limitOf(`${removed}=0`)[0], null]
    }),
  )
}

function limitOf(pair: string): [resource: string, max: number] {
  const [resource = '', max = ''] = pair.split('=')
  if (!/^[a-z_]+$/.test(resource) || !/^\d{1,9}$/.test(max))
    throw new Error(`--limit: "${pair}" is not resource=number.`)
  if (!LIMITABLE.some((name) => name === resource))
    throw new Error(`--limit: there is no limit of ${resource}; there are ${LIMITABLE.join(', ')}.`)
  return [resource, Number(max)]
}
