import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { buildSchema } from 'graphql'
import { pino } from 'pino'
import { systemClock } from '../core/clock.ts'
import { Database } from '../core/db/database.ts'
import { StoreClocks } from '../core/db/store-clocks.ts'
import { Files } from '../core/files/files.ts'
import { writeTypes } from '../core/graphql/write-types.ts'
import { randomIds } from '../core/secrets/ids.ts'
import { StoreSeeds } from '../core/secrets/row-ids.ts'
import { secretsFrom } from '../core/secrets/secrets.ts'
import { Accounts } from '../stores/accounts/accounts.ts'
import { ClockReader } from '../stores/clocks/clocks.ts'
import { Directory } from '../stores/directory/directory.ts'
import { OperatorKeys } from '../stores/operators/keys.ts'
import { createApp, describeApi } from './app.ts'
import { readConfig } from './config.ts'

// Writes server/openapi.json from the routes of the app, and the types of the GraphQL schemas. With --check, fails if a committed file
// is stale. No database is used.
const LINE_MAX = 120
const path = fileURLToPath(new URL('../openapi.json', import.meta.url))
const secrets = secretsFrom('no secret is needed to describe the routes')
const directory = new Directory({
  database: new Database('postgres://nowhere'),
  cells: [],
  clock: systemClock,
  ids: randomIds,
  furnish: async () => {},
  opensTestStores: false,
})
const clocks = new StoreClocks()
const { server, routes } = await createApp(
  {
    directory,
    accounts: new Accounts({ directory, secrets, clock: systemClock, ids: randomIds, deleteRows: async () => {} }),
    operatorKeys: new OperatorKeys({ database: directory.database, secrets, clock: systemClock, ids: randomIds }),
    secrets,
    clock: systemClock,
    clocks,
    clockReader: new ClockReader([], clocks),
    seeds: new StoreSeeds(),
    ids: randomIds,
    databases: [],
    connectAnew: async () => {},
    urlOf: () => 'postgres://nowhere',
    close: async () => {},
    files: new Files(tmpdir(), '', randomIds),
    log: pino({ level: 'silent' }),
  },
  readConfig({}),
  'http://localhost',
)
const fresh = `${print(describeApi(routes), '')}\n`
await server.close()

const files = [{ path, fresh }, await typesOf('../doors/storefront/graphql/'), await typesOf('../doors/b2b/graphql/')]
for (const { path, fresh } of files) {
  if (!process.argv.includes('--check')) await writeFile(path, fresh)
  else if (fresh !== (await readFile(path, 'utf8'))) {
    console.error(`${path} is stale: run npm run generate`)
    process.exitCode = 1
  }
}

/** The types of the schema in a folder. */
async function typesOf(folder: string) {
  const url = new URL(folder, import.meta.url)
  const schema = buildSchema(await readFile(new URL('schema.graphql', url), 'utf8'))
  return { path: fileURLToPath(new URL('schema-types.ts', url)), fresh: writeTypes(schema) }
}

/** Prints JSON for readable diffs: a value that fits into a line is one line. */
function print(value: unknown, indent: string): string {
  const line = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || indent.length + line.length < LINE_MAX) return line
  const deeper = `${indent} `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map((item) => `${deeper}${print(item, deeper)}`)
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => `${deeper}${JSON.stringify(name)}: ${print(item, deeper)}`)
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`
}
