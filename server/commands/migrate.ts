import type { Command } from 'commander'
import type { HeldLock, Rehearsal } from '../core/db/setup/rehearsal.ts'
import { openInstallation, type RehearsedDatabase, rehearseInstallation } from '../process/installation.ts'
import { config, json, print, table } from './command.ts'

interface MigrateOptions {
  setSecret?: boolean
  dryRun?: boolean
  json?: true
}

/** `storeward migrate` (docs/operations.md section 2). */
export function migrateCommand(program: Command) {
  program
    .command('migrate')
    .description('prepare the databases: roles, tables, secret; serve does the same at its start')
    .option('--set-secret', 'replace the secret of the installation by SECRET; all tokens become void')
    .option(
      '--dry-run',
      'list the changes of the tables and try them, to see how long their locks last; change nothing',
    )
    .addOption(json)
    .action(async ({ setSecret = false, dryRun = false, json: asJson }: MigrateOptions) => {
      if (dryRun) {
        const databases = await rehearseInstallation(config())
        print(databases, asJson, databases.map(textOf).join('\n\n') || 'There is no database yet. A start makes one.')
        return
      }
      const installation = await openInstallation(config(), { prepares: true, setsSecret: setSecret })
      await installation.close()
      print({ isUpToDate: true }, asJson, 'The databases are up to date.')
    })
}

const NOT_TRIED: Readonly<Record<NonNullable<Rehearsal['reason']>, string>> = {
  'nothing to change': 'The tables are up to date.',
  new: 'The database has no tables yet, so nobody waits.',
  'in use':
    'Not tried, because servers use this database and would wait: restore a backup elsewhere, and run this with its DATABASE_URL.',
  'several nodes': 'Not tried: a database with several nodes makes these changes in several steps.',
}

const textOf = ({ name, rehearsals }: RehearsedDatabase): string =>
  rehearsals.map((rehearsal) => `${name}, ${rehearsal.part}\n${partOf(rehearsal)}`).join('\n')

function partOf({ changes, trial, reason }: Rehearsal): string {
  const list = changes.flatMap(({ name, commands }) => [
    `  ${name}`,
    ...commands.map((text) => `    ${firstLine(text)}`),
  ])
  if (reason !== undefined) return [...list, NOT_TRIED[reason]].join('\n')
  if (trial === undefined) return list.join('\n')
  const locks = trial.locks.map(({ table: name, waits, ms, rows }: HeldLock) => [
    name,
    waits,
    secondsOf(ms),
    rows === undefined ? 'not counted' : String(rows),
  ])
  return [
    ...list,
    `Tried and taken back in ${secondsOf(trial.ms)}.`,
    locks.length > 0
      ? table(['Table', 'Others wait with', 'For', 'Rows'], locks)
      : 'No table that exists is locked against others.',
  ].join('\n')
}

const firstLine = (command: string) => {
  const [line = '', ...more] = command.split('\n')
  return more.length > 0 ? `${line} ...` : line
}

const secondsOf = (ms: number) => `${(ms / 1_000).toFixed(3)} s`
