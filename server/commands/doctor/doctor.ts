import type { Command } from 'commander'
import { environment, json, table } from '../command.ts'
import { examine } from './examine.ts'

/** `doctor`: examines everything that a server needs, and changes nothing. */
export function doctorCommand(program: Command) {
  program
    .command('doctor')
    .description(
      'look at settings, databases, folder, proxy, port and mail server, and say what to mend; changes nothing',
    )
    .addOption(json)
    .action(async ({ json }: { json?: true }) => {
      const findings = await examine(environment())
      if (json) console.log(JSON.stringify(findings, null, 2))
      else
        console.log(
          table(
            ['STATE', 'OF', 'SAYS'],
            findings.map(({ state, of, says }) => [state, of, says]),
          ),
        )
      const faults = findings.filter(({ state }) => state === 'mend').length
      if (faults > 0)
        throw new Error(faults === 1 ? 'There is 1 problem to fix.' : `There are ${faults} problems to fix.`)
    })
}
