import { once } from 'node:events'
import { createWriteStream, existsSync, statSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import type { BundleTarget } from '../../doors/powers/bundles/bundle.ts'
import type { ChangeBack } from '../../doors/powers/bundles/hosted/back.ts'
import type { ImportReport } from '../../doors/powers/bundles/imports/work.ts'
import { AREAS, type BundleArea } from '../../doors/powers/bundles/kinds/kind.ts'
import type { BundleParts } from '../../doors/powers/bundles/store-bundles.ts'
import { json, print, readSecret, table, withStore } from '../command.ts'
import { withBundleParts } from './quiet-app.ts'
import { mustType } from './typed-hash.ts'

const only = () =>
  new Option('--only <areas>', `areas, with commas between them: ${AREAS.join(', ')}`).argParser((text): BundleArea[] =>
    text.split(',').map((name) => {
      const area = AREAS.find((one) => one === name)
      if (!area) throw new Error(`--only: there is no area "${name}"; there are ${AREAS.join(', ')}.`)
      return area
    }),
  )

/** `export`, and `import ...`: bundles of stores. */
export function bundleCommands(program: Command) {
  program
    .command('export <store>')
    .description('write a bundle of a store: a tar archive of JSON lines, with its pictures and without secrets')
    .requiredOption('--to <path>', 'the archive; a folder if it ends with a slash; - for standard output')
    .addOption(only())
    .addOption(json)
    .action(async (hash: string, { to, only: areas, json }: { to: string; only?: BundleArea[]; json?: true }) =>
      withBundleParts(async (parts) => {
        const { exportBundle } = await import('../../doors/powers/bundles/store-bundles.ts')
        const { target, finish } = await openTarget(to)
        try {
          const rows = await exportBundle(parts, hash, target, { areas, progress: progressOf(process.stderr) })
          await finish(true)
          // Standard output may be the archive.
          if (to !== '-') print({ store: hash, to, rows }, json, `${to} has ${sumOf(rows)} rows of store ${hash}.`)
        } catch (error) {
          await finish(false)
          throw error
        }
      }),
    )

  const command = program
    .command('import')
    .enablePositionalOptions()
    .description('bring a bundle into a store; the next run continues an interrupted one')
    .argument('[bundle]', 'the archive, or the folder')
    .option('--store <hash>', 'the store')
    .option('--yes', 'do not ask if the store has data')
    .addOption(only())
    .addOption(json)
    .action(
      async (
        path: string | undefined,
        { store: hash, yes, only: areas, json }: { store?: string; yes?: true; only?: BundleArea[]; json?: true },
      ) => {
        if (path === undefined || hash === undefined) throw new Error('Name the bundle, and the store: --store <hash>.')
        await importFrom(path, { hash, yes, areas, json })
      },
    )

  command
    .command('ids <store>')
    .description('list the ids that the rows of an imported bundle had, with those that they have now')
    .option('--kind <kind>', 'the kind of resource, such as products')
    .option('--old <id>', 'the former id')
    .option('--new <id>', 'the id in the store')
    .addOption(json)
    .action(
      async (hash: string, { kind, old, new: id, json }: { kind?: string; old?: string; new?: string; json?: true }) =>
        withStore(hash, async (db) => {
          const { findImportedIds } = await import('../../doors/powers/bundles/stored-ids.ts')
          const ids = await findImportedIds(db, { kind, old_id: old, new_id: id, limit: 100_000 })
          const rows = ids.map((one) => [one.kind, one.old_id, one.new_id])
          print(ids, json, table(['KIND', 'OLD', 'NEW'], rows))
        }),
    )

  command
    .command('hosted')
    .description(
      'write a bundle of a store of another server that has the same API; the next run continues an interrupted one. With --back: send the changes of an imported store there',
    )
    .requiredOption('--token-file <path>', 'a file with an access token of that store; - for standard input')
    .option('--url <url>', 'the address of the store: https://api.example.com/stores/abc123')
    .option('--b2b-url <url>', 'the address of its companion API, if it is not /b2b of the same server')
    .option('--to <folder>', 'the folder of the bundle')
    .option('--back', 'list the changes of --store since --since that the other server does not have')
    .option('--store <hash>', 'the imported store')
    .option('--since <bundle>', 'a bundle of it from the time when both had the same data')
    .option('--send', 'send the changes')
    .addOption(only())
    .addOption(json)
    .action(async (options: HostedInput) => (options.back ? sendToHosted(options) : readHosted(options)))
}

interface HostedInput {
  tokenFile: string
  url?: string
  b2bUrl?: string
  to?: string
  back?: true
  store?: string
  since?: string
  send?: true
  only?: BundleArea[]
  json?: true
}

const sayPause = (seconds: number) => console.error(`The server asked for a pause of ${seconds} s.`)

async function readHosted({ tokenFile, url, b2bUrl: companionUrl, to, only: areas, json }: HostedInput) {
  if (url === undefined || to === undefined)
    throw new Error('Name the store and the folder of the bundle: --url <url> --to <folder>.')
  const { dumpHosted } = await import('../../doors/powers/bundles/hosted/dump.ts')
  const dumped = await dumpHosted({
    url,
    token: readSecret(tokenFile) ?? '',
    companionUrl,
    folder: to,
    areas,
    progress: progressOf(process.stderr),
    onPause: sayPause,
  })
  const lost = dumped.lost_pictures > 0 ? ` ${dumped.lost_pictures} pictures could not be fetched.` : ''
  const omitted = dumped.omitted.map((each) => `  ${each}`).join('\n')
  print(dumped, json, `${to} has ${sumOf(dumped.rows)} rows.${lost}\nIt does not have:\n${omitted}`)
}

async function sendToHosted({
  tokenFile,
  b2bUrl: companionUrl,
  to,
  store,
  since,
  send,
  only: areas,
  json,
}: HostedInput) {
  if (store === undefined || since === undefined)
    throw new Error('Name the imported store and a bundle of it: --store <hash> --since <bundle>.')
  if (to !== undefined && existsSync(`${to}/manifest.json`)) throw new Error(`${to} has a bundle already.`)
  await withBundleParts(async (parts) => {
    const { sendStoreBack } = await import('../../doors/powers/bundles/hosted/store-back.ts')
    const { db } = await findStore(parts, store)
    const token = readSecret(tokenFile) ?? ''
    const isSent = send !== undefined
    const sent = await sendStoreBack(parts, db, { since, token, companionUrl, to, areas, isSent, onPause: sayPause })
    print(sent, json, textOfChanges(sent, isSent))
  })
}

const CHANGES_SHOWN = 500

function textOfChanges({ url, changes }: { url: string; changes: readonly ChangeBack[] }, isSent: boolean): string {
  const count = (state: ChangeBack['state']) => changes.filter((one) => one.state === state).length
  const rows = changes
    .slice(0, CHANGES_SHOWN)
    .map(({ kind, id, change, fields, state, reason }) => [kind, id, change, fields.join(', '), reason ?? state])
  const more =
    changes.length > CHANGES_SHOWN ? [`There are ${changes.length - CHANGES_SHOWN} more; --json has all.`] : []
  return [
    ...(changes.length > 0 ? [table(['KIND', 'ID', 'CHANGE', 'FIELDS', 'STATE'], rows), ...more] : []),
    isSent
      ? `${url} has ${count('sent')} more changes of the store. ${count('stays here')} stay here.`
      : `${url} does not have ${count('to send')} changes of the store, which --send sends. ${count('stays here')} stay here.`,
  ].join('\n')
}

interface ImportInput {
  hash: string
  yes: true | undefined
  areas: BundleArea[] | undefined
  json: true | undefined
}

async function importFrom(path: string, { hash, yes, areas, json }: ImportInput) {
  const { openBundle } = await import('../../doors/powers/bundles/bundle.ts')
  const bundle = await openBundle(path)
  try {
    await withBundleParts(async (parts) => {
      const { hasOtherData, importInto } = await import('../../doors/powers/bundles/store-bundles.ts')
      const { store, db } = await findStore(parts, hash)
      const isOver = await hasOtherData(db, bundle)
      if (isOver && !store.is_test && !yes) {
        await mustType(store, {
          warning: `The store ${hash} (${store.name}) has data. The import adds the rows of the bundle to them, and no command removes them.`,
          nothing: 'Nothing was changed',
        })
      }
      const report = await importInto(parts, db, bundle, {
        areas,
        overData: isOver,
        progress: progressOf(process.stderr),
      })
      print(report, json, textOf(report, hash))
      if (report.refusals > 0) throw new Error(`The store refused ${report.refusals} rows of the bundle.`)
    })
  } finally {
    await bundle.close()
  }
}

async function findStore({ directory }: BundleParts, hash: string) {
  const store = (await directory.list()).find((each) => each.hash === hash)
  const db = store && (await directory.dbById(store.id))
  if (!db) throw new Error(`There is no store "${hash}".`)
  return { store, db }
}

function textOf({ rows, refused, refusals, dropped }: ImportReport, hash: string): string {
  const kinds = Object.entries(rows).map(([kind, count]) => [kind, String(count)])
  const lines = refused.slice(0, 20).map(({ kind, id, status, reason }) => `  ${kind} ${id}: ${status} ${reason}`)
  const references = Object.entries(dropped).map(([field, count]) => `  ${field}: ${count}`)
  return [
    `Store ${hash} has these rows of the bundle:`,
    table(['KIND', 'ROWS'], kinds),
    ...(references.length > 0 ? ['References to rows that the store does not have were left out:', ...references] : []),
    ...(lines.length > 0 ? [`It refused ${refusals} rows:`, ...lines] : []),
  ].join('\n')
}

const sumOf = (rows: Readonly<Record<string, number>>) => Object.values(rows).reduce((sum, count) => sum + count, 0)

/** Shows the kinds on a terminal, as they are done. */
const progressOf = (out: NodeJS.WriteStream) => (kind: string, rows: number) => {
  if (out.isTTY && rows > 0) out.write(`${kind}: ${rows}\n`)
}

/** The destination of an export. An archive has its name when it is complete. */
async function openTarget(to: string): Promise<{ target: BundleTarget; finish(isWhole: boolean): Promise<void> }> {
  const { FolderTarget, TarTarget } = await import('../../doors/powers/bundles/bundle.ts')
  if (to === '-') return { target: new TarTarget(process.stdout), finish: async () => {} }
  if (to.endsWith('/') || (existsSync(to) && statSync(to).isDirectory())) {
    if (existsSync(`${to}/manifest.json`)) throw new Error(`${to} has a bundle already.`)
    await mkdir(to, { recursive: true })
    return { target: new FolderTarget(to), finish: async () => {} }
  }
  const part = `${to}.part`
  const out = createWriteStream(part)
  await once(out, 'open')
  return {
    target: new TarTarget(out),
    async finish(isWhole) {
      await new Promise<void>((resolve, reject) =>
        out.end((error?: Error | null) => (error ? reject(error) : resolve())),
      )
      if (isWhole) await rename(part, to)
      else await rm(part, { force: true })
    },
  }
}
