import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import { Database } from '../core/db/database.ts'
import { Files } from '../core/files/files.ts'
import { randomIds } from '../core/ids.ts'
import { secretsFrom } from '../core/secrets.ts'
import { Accounts } from '../stores/accounts.ts'
import { Directory } from '../stores/directory.ts'

// Writes server/openapi.json from the live routes; with --check it fails if the committed one is stale.
// No database is asked: the routes alone make the document.
const path = fileURLToPath(new URL('../openapi.json', import.meta.url))
const secrets = secretsFrom('no secret is needed to describe the routes')
const directory = new Directory(new Database('postgres://nowhere'), [], systemClock, randomIds)
const { server } = await createApp(
  {
    directory,
    accounts: new Accounts(directory, secrets, systemClock, randomIds),
    secrets,
    clock: systemClock,
    ids: randomIds,
    databases: [],
    connectAnew: async () => {},
    close: async () => {},
    files: new Files(tmpdir(), '', randomIds),
    log: pino({ level: 'silent' }),
  },
  readConfig({}),
  '',
)
const fresh = `${JSON.stringify(server.swagger(), null, 1)}\n`
await server.close()

if (!process.argv.includes('--check')) await writeFile(path, fresh)
else if (fresh !== (await readFile(path, 'utf8'))) {
  console.error('server/openapi.json is stale: run npm run generate')
  process.exit(1)
}
