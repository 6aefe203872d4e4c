/**
 * A public Python client uses the catalog, customers, orders, prices, marketing and content: npm run test:python-client
 *
 * Not part of `npm test`, which needs only Node. Needs python3 (3.10 or newer) with the packages of
 * test/python/requirements.txt, and says so if they are missing.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../server/process/config.ts'
import { start } from '../server/process/main.ts'
import { makePayable } from '../server/test/fixtures/payable.ts'

const scripts = ['catalog', 'customers', 'orders', 'prices', 'marketing', 'content'].map((name) =>
  fileURLToPath(new URL(`python/${name}.py`, import.meta.url)),
)

const missing = whatIsMissing()
if (missing === undefined) process.exitCode = await walk()
else {
  console.error(missing)
  process.exitCode = 1
}

function whatIsMissing(): string | undefined {
  const { error, status } = spawnSync('python3', ['-c', 'import bigc'])
  if (error) return 'There is no python3 on this machine.'
  return status === 0
    ? undefined
    : 'python3 lacks the client. Run: python3 -m pip install -r test/python/requirements.txt'
}

/** @returns the exit code of the client */
async function walk(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'storeward-python-'))
  const server = await start(readConfig({ STOREWARD_DATA: folder, PORT: '0', LOG_LEVEL: 'warn' }))
  try {
    const { directory, accounts } = server.installation
    // Each script has a store of its own, whose ids count from 1.
    for (const script of scripts) {
      const store = await directory.create({ name: 'A shop', plan: 'unlimited' })
      const { hash } = store
      await makePayable(server.installation, store)
      const { access_token } = await accounts.create(hash, 'python', ['all'])
      const facts = { STOREWARD_ORIGIN: server.address, STOREWARD_STORE: hash, STOREWARD_TOKEN: access_token }
      const code = await python(script, facts)
      if (code !== 0) return code
    }
    return 0
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function python(script: string, facts: Record<string, string>): Promise<number> {
  const [code] = await once(spawn('python3', [script], { env: { ...process.env, ...facts }, stdio: 'inherit' }), 'exit')
  return typeof code === 'number' ? code : 1
}
