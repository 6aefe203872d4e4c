import { existsSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import type { Db } from '../core/db/database.ts'
import { Audit } from '../doors/people/audit.ts'
import { readConfig } from '../process/config.ts'
import { type Installation, openInstallation, PATIENCE } from '../process/installation.ts'

export const environment = () => process.env

/** The settings, from the environment. */
export const config = () => readConfig(environment())

export const json = new Option('--json', 'print JSON')

/** The command that runs, for the audit. */
let command: { action: string; object: string } | undefined

/** Commands that only read. They are not recorded. */
const READING = new Set([
  'list',
  'tail',
  'show',
  'why',
  'doctor',
  'export',
  'ids',
  'sandbox',
  'dev',
  'serve',
  'migrate',
  'shop-settings',
])

/** Records every command that changes something. Options are not recorded, because some are secrets. */
export function recordCommands(program: Command) {
  program.hook('preAction', (_program, running) => {
    const names = namesOf(running)
    const isReading = names.some((name) => READING.has(name))
    command = isReading ? undefined : { action: names.join(' '), object: running.args.join(' ').slice(0, 500) }
  })
}

function namesOf(running: Pick<Command, 'name' | 'parent'>): string[] {
  const above = running.parent?.parent ? namesOf(running.parent) : []
  return [...above, running.name()]
}

/** Does the work of a command, which is recorded before and after it. */
async function recorded({ directory, clock, ids }: Installation, work: () => Promise<void>) {
  if (!command) return work()
  const audit = new Audit({ database: directory.database, clock })
  const actor = userInfo().username
  const id = await audit.begin({ kind: 'command', actor, store_hash: '', ...command, request_id: ids.fileName() })
  try {
    await work()
    await audit.finish(id, 0)
  } catch (error) {
    await audit.finish(id, 1)
    throw error
  }
}

/** Opens the databases for a command, and closes them. */
export async function withInstallation(work: (installation: Installation) => Promise<void>) {
  const settings = config()
  const isNew = settings.databaseUrl === undefined && !existsSync(join(settings.dataFolder, 'postgres'))
  const installation = await openInstallation(settings, { patience: PATIENCE })
  // An operator who forgot the settings of the server would miss its stores.
  if (isNew) console.error(`DATABASE_URL is not set: a new installation was created in ${settings.dataFolder}.`)
  try {
    await recorded(installation, () => work(installation))
  } finally {
    await installation.close()
  }
}

/** Like `withInstallation`, for a command about one store. @throws Error for an unknown store */
export const withStore = (hash: string, work: (db: Db, installation: Installation) => Promise<void>) =>
  withInstallation(async (installation) => {
    const store = await installation.directory.find(hash)
    const db = store && (await installation.directory.dbById(store.id))
    if (!db) throw new Error(`There is no store "${hash}".`)
    await work(db, installation)
  })

/** Prints the result of a command as JSON or as text. */
export function print(value: unknown, asJson: true | undefined, text: string) {
  console.log(asJson ? JSON.stringify(value, null, 2) : text)
}

/** Formats rows below their headings, with columns as wide as their widest cell. */
export function table(headings: string[], rows: string[][]): string {
  const widths = headings.map((heading, i) => Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd()
  return [headings, ...rows].map(line).join('\n')
}

export function channelNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`The channel must be a number, not "${text}".`)
  return Number(text)
}

export const yesOrNo = (truth: boolean) => (truth ? 'yes' : 'no')

/** The secret in a file. @param path - for standard input */
export const readSecret = (path: string | undefined): string | undefined =>
  path === undefined ? undefined : readFileSync(path === '-' ? 0 : path, 'utf8').trim()
