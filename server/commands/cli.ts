import { Command, CommanderError, Option } from 'commander'
import { VERSION } from '../core/package.ts'
import { describeSettings, misspeltSettings, ROLES } from '../process/config.ts'
import { refusePowers } from '../sandbox/powers.ts'
import { companionCommands } from './b2b.ts'
import { channelCommands } from './channels.ts'
import { config, environment, recordCommands } from './command.ts'
import { customerCommands } from './customers.ts'
import { doctorCommand } from './doctor/doctor.ts'
import { examine } from './doctor/examine.ts'
import { emailCommands } from './emails.ts'
import { jobCommands } from './jobs.ts'
import { migrateCommand } from './migrate.ts'
import { carrierCommands, shippingCommands } from './sales/carriers.ts'
import { certificateCommands } from './sales/certificates.ts'
import { paymentCommands } from './sales/payments.ts'
import { promotionCommands } from './sales/promotions.ts'
import { taxClassCommands } from './sales/tax-classes.ts'
import { taxProviderCommands } from './sales/tax-providers.ts'
import { wrappingCommands } from './sales/wrappings.ts'
import { seedCommand } from './seed.ts'
import { shopSettingsCommands } from './storefronts/shop-settings.ts'
import { storefrontKeyCommands } from './storefronts/storefront-keys.ts'
import { accountCommands } from './stores/accounts.ts'
import { bundleCommands } from './stores/bundles.ts'
import { clockCommands } from './stores/clock.ts'
import { compareCommand } from './stores/compare.ts'
import { copyCommands } from './stores/copies.ts'
import { faultCommands } from './stores/faults.ts'
import { logCommands } from './stores/logs.ts'
import { operatorKeyCommands } from './stores/operator-keys.ts'
import { personCommands } from './stores/people.ts'
import { storeCommands } from './stores/stores.ts'
import { webhookCommands } from './webhooks.ts'

const program = new Command('storeward')
  // `import hosted --store` has the option of `hosted`, and not that of `import`.
  .enablePositionalOptions()
  .exitOverride()
  .description('A self-hosted, multi-store commerce administration server.')
  .version(VERSION)
  .addHelpText('after', `\nSettings, from the environment:\n${describeSettings()}`)

program
  .command('serve')
  .description('run the server')
  .addOption(
    new Option('--role <role>', 'api answers requests, worker sends webhooks; the default is ROLE').choices(ROLES),
  )
  .action(async ({ role }: { role?: (typeof ROLES)[number] }) => {
    const settings = role === undefined ? config() : { ...config(), role }
    refusePowers(settings)
    for (const sentence of misspeltSettings(environment())) console.error(sentence)
    const { start, stopOnSignal } = await theServer()
    const running = await start(settings, { examine: examineHere })
    stopOnSignal(running)
    console.log(`storeward ${VERSION} listens at ${running.address}`)
  })

migrateCommand(program)

program
  .command('sandbox')
  .description('run the server with a demo store for experiments; the command without arguments does the same')
  .action(async () => {
    const { sandbox } = await import('../sandbox/sandbox.ts')
    const { stopOnSignal } = await theServer()
    stopOnSignal(await sandbox(config(), examineHere))
  })

program
  .command('dev')
  .description('run the server with the stores that storeward.json of this folder describes (docs/dev.md)')
  .option('--fresh', 'delete the data of earlier starts first')
  .action(async ({ fresh = false }: { fresh?: boolean }) => {
    const { dev } = await import('../sandbox/dev/dev.ts')
    const { stopOnSignal } = await theServer()
    stopOnSignal(await dev(environment(), { project: process.cwd(), isFresh: fresh }))
  })

recordCommands(program)
doctorCommand(program)
clockCommands(program)
copyCommands(program, storeCommands(program))
bundleCommands(program)
seedCommand(program)
accountCommands(program)
operatorKeyCommands(program)
personCommands(program)
faultCommands(program)
compareCommand(program)
logCommands(program)
webhookCommands(program)
jobCommands(program)
customerCommands(program)
storefrontKeyCommands(program)
shopSettingsCommands(program)
companionCommands(program)
channelCommands(program)
emailCommands(program)
paymentCommands(program)
taxClassCommands(program)
taxProviderCommands(program)
certificateCommands(program)
promotionCommands(program)
carrierCommands(program)
shippingCommands(program)
wrappingCommands(program)

/** The examination of `doctor`, for the console of a server. */
const examineHere = () => examine(environment())

/** Loads the server. The other commands don't, and start in a third of the time. */
const theServer = () => import('../process/main.ts')

/**
 * Runs a command. It returns when `serve` and `sandbox` have started.
 * @param args the arguments behind the name of the program; without any it runs the sandbox
 * @returns the exit code
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await program.parseAsync(args.length > 0 ? args : ['sandbox'], { from: 'user' })
    return 0
  } catch (error) {
    // The parser has printed its message.
    if (error instanceof CommanderError) return error.exitCode
    console.error(refusedFolder(error) ?? (error instanceof Error ? error.message : error))
    return 1
  }
}

const FOLDER_FAILURES = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOENT', 'ENOSPC']

/** Explains to the operator that a folder can't be used; undefined for another failure. */
function refusedFolder(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return undefined
  const { code, path } = error
  if (!FOLDER_FAILURES.includes(String(code))) return undefined
  return `${path} can't be used (${code}). STOREWARD_DATA must be a folder that this user may make, read and write, with space left.`
}
