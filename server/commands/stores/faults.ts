import type { Command } from 'commander'
import { Value } from 'typebox/value'
import { addFault, clearFaults, FaultRule, faultsOf } from '../../stores/faults/faults.ts'
import { json, print, table, withInstallation } from '../command.ts'

/** `faults ...`: failures of requests to a test store. */
export function faultCommands(program: Command) {
  const faults = program.command('faults').description('make requests to a test store fail')

  faults
    .command('add <store> <rule>')
    .description('add a fault; its rule is JSON (docs/powers.md)')
    .addOption(json)
    .action((hash: string, text: string, { json }: { json?: true }) =>
      withTestStore(hash, async (database, id) => {
        const added = await addFault(database, id, ruleIn(text))
        print(added, json, `The fault ${added.id} ends at ${added.ends_at}.`)
      }),
    )

  faults
    .command('list <store>')
    .description('list the faults that have not ended')
    .addOption(json)
    .action((hash: string, { json }: { json?: true }) =>
      withTestStore(hash, async (database, id) => {
        const list = await faultsOf(database, id)
        const rows = list.map(({ id, seen, ends_at, rule }) => [
          String(id),
          String(seen),
          ends_at,
          JSON.stringify(rule),
        ])
        print(list, json, table(['ID', 'MATCHED', 'ENDS AT', 'RULE'], rows))
      }),
    )

  faults
    .command('clear <store>')
    .description('end all faults of a store; it takes effect within a second')
    .addOption(json)
    .action((hash: string, { json }: { json?: true }) =>
      withTestStore(hash, async (database, id) => {
        const cleared = await clearFaults(database, id)
        print({ cleared }, json, `${cleared} faults are cleared.`)
      }),
    )
}

const withTestStore = (
  hash: string,
  work: (database: Parameters<typeof addFault>[0], store: number) => Promise<void>,
) =>
  withInstallation(async ({ directory }) => {
    const store = await directory.find(hash)
    if (!store) throw new Error(`There is no store "${hash}".`)
    if (!store.is_test) throw new Error(`Store ${hash} is a real store. Only test stores can have faults.`)
    await work(directory.database, store.id)
  })

function ruleIn(text: string): FaultRule {
  try {
    const rule: unknown = JSON.parse(text)
    const isClosed = Object.keys(Object(rule)).every((key) => key in FaultRule.properties)
    if (isClosed && Value.Check(FaultRule, rule)) return rule
  } catch {
    // The sentence below says so.
  }
  throw new Error('The rule of a fault is JSON such as {"status":503,"next":2} (docs/powers.md).')
}
