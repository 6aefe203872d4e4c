import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { findPostmaster } from '../../core/db/setup/embedded.ts'
import { type Config, readConfig } from '../../process/config.ts'
import { PATIENCE } from '../../process/installation.ts'
import { freePort, type RunningServer, start } from '../../process/main.ts'
import { addFault, clearFaults } from '../../stores/faults/faults.ts'
import { seed } from '../demo/seed.ts'
import { replaceFile } from '../https/replace-file.ts'
import { withPowers } from '../powers.ts'
import { PLAIN_ACCOUNTS, PLAIN_PROJECT, type ProjectStore, readProject } from './project.ts'

// `storeward dev`: the server of a project, with the stores that its file describes.

/** The folder of the data, and the file with the addresses and tokens, in the folder of the project. */
const DATA_FOLDER = '.storeward'
const ENV_FILE = '.env.storeward'
const PROJECT_FILE = 'storeward.json'

const Account = t.Object({ client_id: t.String(), client_secret: t.String(), access_token: t.String() })
type Account = Static<typeof Account>

/** The secrets of earlier starts: the database knows tokens only as hashes. */
const Secrets = t.Object({
  /** Stores whose seed is complete. */
  seeded: t.Array(t.String()),
  operator_key: t.Optional(t.String()),
  accounts: t.Record(t.String(), t.Record(t.String(), Account)),
})
type Secrets = Static<typeof Secrets>

/** A store as it runs. */
interface DevStore {
  hash: string
  name: string
  accounts: Readonly<Record<string, Account>>
  /** The things that this start has created. */
  made: string[]
}

/**
 * Runs the server with the stores of a project. Things that are there stay; missing ones are created; faults are those of the file. Prints all of it
 * and writes `.env.storeward`.
 * @param project the folder of the project
 * @throws Error with a sentence for the developer
 */
export async function dev(
  environment: NodeJS.ProcessEnv,
  { project, isFresh }: { project: string; isFresh: boolean },
): Promise<RunningServer> {
  const described = (await readProject(join(project, PROJECT_FILE))) ?? PLAIN_PROJECT
  const folder = environment.STOREWARD_DATA ?? join(project, DATA_FOLDER)
  const config = readConfig({ ...environment, STOREWARD_DATA: folder })
  if (isFresh) await startAfresh(config)
  await mkdir(folder, { recursive: true })
  // Neither data nor secrets belong into the history of the project.
  await writeFile(join(folder, '.gitignore'), '*\n')
  const http = config.port || (await freePort(config.host))
  const { httpsPort } = config
  const powerful = { ...withPowers(config, { http, https: httpsPort ?? 0 }), httpsPort, logLevel: 'error' as const }
  const running = await start(powerful, { inspector: true, patience: PATIENCE })
  try {
    const path = join(folder, 'dev.json')
    const secrets = await readSecrets(path)
    secrets.operator_key = await operatorKey(running, secrets.operator_key)
    const stores: DevStore[] = []
    for (const [hash, store] of Object.entries(described.stores)) {
      const open = await openStore(running, hash, store, secrets.accounts[hash] ?? {})
      secrets.accounts[hash] = { ...open.accounts }
      await replaceFile(path, `${JSON.stringify(secrets, null, 2)}\n`, 0o600)
      await plant(running, store, { open, isSeeded: secrets.seeded.includes(hash) })
      if (!secrets.seeded.includes(hash)) secrets.seeded.push(hash)
      await replaceFile(path, `${JSON.stringify(secrets, null, 2)}\n`, 0o600)
      stores.push(open)
    }
    const envFile = join(project, ENV_FILE)
    await replaceFile(envFile, envText(running.address, secrets.operator_key, stores), 0o600)
    console.log(summary(running.address, stores, described === PLAIN_PROJECT))
    running.log.level = config.logLevel
    return running
  } catch (error) {
    await running.stop()
    throw error
  }
}

/** Deletes the data of earlier starts. @throws Error if they are in another place, or in use */
async function startAfresh({ dataFolder, databaseUrl }: Config) {
  if (databaseUrl !== undefined)
    throw new Error('--fresh deletes the data folder, and these data are in the database of DATABASE_URL.')
  if (findPostmaster(join(dataFolder, 'postgres/cluster')))
    throw new Error(`Another server uses ${dataFolder}. Stop it first.`)
  await rm(dataFolder, { recursive: true, force: true })
}

async function readSecrets(path: string): Promise<Secrets> {
  const text = await readFile(path, 'utf8').catch(() => '{}')
  const found: unknown = JSON.parse(text)
  return Value.Check(Secrets, found) ? found : { seeded: [], accounts: {} }
}

const KEY_NAME = 'dev'

async function operatorKey({ installation }: RunningServer, known: string | undefined): Promise<string> {
  const { operatorKeys } = installation
  if (known !== undefined && (await operatorKeys.find(known))) return known
  for (const { id, name } of await operatorKeys.list()) if (name === KEY_NAME) await operatorKeys.revoke(id)
  return (await operatorKeys.create(KEY_NAME)).key
}

/** Opens a store with its accounts. @param known accounts of earlier starts */
async function openStore(
  { installation }: RunningServer,
  hash: string,
  { name = hash, accounts = PLAIN_ACCOUNTS }: ProjectStore,
  known: Readonly<Record<string, Account>>,
): Promise<DevStore> {
  const { directory } = installation
  const made: string[] = []
  const stores = await directory.list()
  // A store without a name has no profile: its creation was interrupted.
  if (!stores.some((store) => store.hash === hash && store.name !== '')) {
    await directory.create({ name, hash, isTest: true })
    made.push('the store')
  }
  const living = new Map((await installation.accounts.list(hash)).map((one) => [one.client_id, one]))
  const open: Record<string, Account> = {}
  for (const [account, scopes] of Object.entries(accounts)) {
    const earlier = known[account]
    if (earlier && living.has(earlier.client_id)) {
      await installation.accounts.setScopes(hash, earlier.client_id, scopes)
      open[account] = earlier
      continue
    }
    const { client_id, client_secret, access_token } = await installation.accounts.create(hash, account, scopes)
    open[account] = { client_id, client_secret, access_token }
    made.push(`the account ${account}`)
  }
  return { hash, name, accounts: open, made }
}

/** Fills a store with its seed, its receivers and its faults. */
async function plant(
  { installation, files, address }: RunningServer,
  { seed: size, receivers = [], faults = [] }: ProjectStore,
  { open: { hash, accounts, made }, isSeeded }: { open: DevStore; isSeeded: boolean },
) {
  const { directory } = installation
  const store = await directory.find(hash)
  const db = store && (await directory.dbById(store.id))
  if (!store || !db) throw new Error(`The store ${hash} can't be opened.`)
  if (size !== undefined && !isSeeded) {
    // Continues a seed that was interrupted. A store with other products is refused.
    const { products } = await seed(db, files, size)
    made.push(`${products} products`)
  }
  for (const { scope, destination, account } of receivers) {
    const sender = account === undefined ? Object.values(accounts)[0] : accounts[account]
    if (sender && (await addHook(`${address}/stores/${hash}/v3/hooks`, sender, { scope, destination })))
      made.push(`a hook on ${scope}`)
  }
  await clearFaults(directory.database, store.id)
  for (const rule of faults) await addFault(directory.database, store.id, rule)
  if (faults.length > 0) made.push(`${faults.length} faults`)
}

const Hooks = t.Object({ data: t.Array(t.Object({ scope: t.String() })) })

/** Creates a hook unless the account has it. @returns whether it is new @throws Error with the refusal of the server */
async function addHook(
  url: string,
  { access_token }: Account,
  hook: { scope: string; destination: string },
): Promise<boolean> {
  const headers = { 'X-Auth-Token': access_token, 'Content-Type': 'application/json' }
  const listed = await fetch(`${url}?${new URLSearchParams({ destination: hook.destination })}`, { headers })
  const found: unknown = await listed.json()
  if (Value.Check(Hooks, found) && found.data.some(({ scope }) => scope === hook.scope)) return false
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(hook) })
  if (!answer.ok)
    throw new Error(`The receiver ${hook.destination} of ${hook.scope} is refused: ${await answer.text()}`)
  return true
}

/** The variables of a project: those of its first store and account by plain names, and all by the names of store and account. */
function envText(url: string, key: string, stores: readonly DevStore[]): string {
  const of = (prefix: string, { hash, accounts }: DevStore) =>
    Object.entries(accounts).flatMap(([name, { access_token, client_id, client_secret }], i) => {
      const named = `${prefix}_${name.toUpperCase()}`
      const plain =
        i === 0
          ? [`${prefix}_STORE=${hash}`, `${prefix}_TOKEN=${access_token}`, `${prefix}_CLIENT_SECRET=${client_secret}`]
          : []
      return [
        ...plain,
        `${named}_TOKEN=${access_token}`,
        `${named}_CLIENT_ID=${client_id}`,
        `${named}_CLIENT_SECRET=${client_secret}`,
      ]
    })
  const [first] = stores
  const lines = [
    '# Written by storeward dev at each start.',
    `STOREWARD_URL=${url}`,
    `STOREWARD_OPERATOR_KEY=${key}`,
    ...(first ? of('STOREWARD', first) : []),
    ...stores.slice(1).flatMap((store) => of(`STOREWARD_${store.hash.toUpperCase()}`, store)),
  ]
  return `${lines.join('\n')}\n`
}

function summary(url: string, stores: readonly DevStore[], isPlain: boolean): string {
  const lines = stores.flatMap(({ hash, name, accounts, made }) => [
    `Store ${hash} (${name}): ${url}/stores/${hash}/v3`,
    ...Object.entries(accounts).map(([account, { access_token }]) => `  ${account.padEnd(12)} ${access_token}`),
    ...(made.length > 0 ? [`  created      ${made.join(', ')}`] : []),
  ])
  return [
    `storeward runs at ${url}`,
    ...lines,
    `The reference is at ${url}/docs. All of this is in ${ENV_FILE}; keep that file out of git.`,
    ...(isPlain ? [`Describe your own stores in ${PROJECT_FILE} (docs/dev.md).`] : []),
  ].join('\n')
}
