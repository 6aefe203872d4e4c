/**
 * The theme client of merchants, @bigcommerce/stencil-cli, works against the server: npm run test:theme-client
 *
 * It has 400 packages of its own, so it is installed in a separate folder: THEME_CLIENT or a new one, without the
 * packages that only its other commands need. Without install scripts it lacks a compiled style sheet compiler, which
 * it needs to bundle a theme, so it gets a bundle to push. Its requests are unchanged: it lists, pushes with a
 * variation, activates, pulls, downloads and, at the limit of themes, deletes.
 */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readConfig } from '../server/process/config.ts'
import { start } from '../server/process/main.ts'
import { pack } from '../server/shop/themes/bundle/pack.ts'
import { stockBundle, stockFiles } from '../server/shop/themes/stock.ts'

const folder = await mkdtemp(join(tmpdir(), 'storeward-theme-client-'))
try {
  await walk(await install())
  console.log('The theme client has listed, pushed, activated, pulled, downloaded and deleted themes.')
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** @returns the folder of the client's commands */
async function install(): Promise<string> {
  const given = process.env.THEME_CLIENT ?? join(folder, 'client')
  const commands = join(given, 'node_modules/@bigcommerce/stencil-cli/bin')
  if (existsSync(commands)) return commands
  await cp(fileURLToPath(new URL('theme-client', import.meta.url)), given, { recursive: true })
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], {
    cwd: given,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('The theme client could not be installed.')
  return commands
}

async function walk(commands: string) {
  const server = await start(readConfig({ STOREWARD_DATA: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'warn' }))
  try {
    const { directory, accounts } = server.installation
    const { hash } = await directory.create({ name: 'A shop', plan: 'unlimited' })
    const { access_token } = await accounts.create(hash, 'theme tools', ['all'])
    const ask = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(`${server.address}/stores/${hash}/v3${path}`, {
        ...init,
        headers: { 'x-auth-token': access_token, ...init.headers },
      })
      return JSON.parse(await answer.text())
    }
    const theme = join(folder, 'theme')
    await cp(fileURLToPath(new URL('../server/shop/themes/stock', import.meta.url)), theme, { recursive: true })
    const config = { customLayouts: {}, normalStoreUrl: server.address, apiHost: server.address, port: 3000 }
    await writeFile(join(theme, 'config.stencil.json'), JSON.stringify(config))
    await writeFile(join(theme, 'secrets.stencil.json'), JSON.stringify({ accessToken: access_token }))
    const bundle = join(theme, 'bundle.zip')
    await writeFile(bundle, await bundleNamed('Pushed'))
    const stencil = async (...args: [string, ...string[]]) => {
      const [command, ...rest] = args
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [join(commands, `stencil-${command}.js`), ...rest],
        {
          cwd: theme,
          timeout: 120_000,
        },
      )
      return stdout
    }

    // Lists, pushes with a variation and activates it.
    must(
      await stencil('push', '-f', bundle, '-a', 'Dusk', '-c', '1'),
      /Stencil Push Finished. Variation ID: [0-9a-f-]{36}/,
    )
    const active = (await ask('/channels/1/active-theme')).data
    const pushed = (await ask(`/themes/${active.active_theme_uuid}`)).data
    must(pushed.name, /^Pushed$/)
    must(await stencil('pull', '-c', '1', '-f', 'pulled.json'), /Configuration written to pulled.json/)
    const pulled = JSON.parse(await readFile(join(theme, 'pulled.json'), 'utf8'))
    must(JSON.stringify(pulled), /#23272b/)
    must(await stencil('download', '-c', '1', '-o'), /updated from remote/)
    must(await readFile(join(theme, 'config.json'), 'utf8'), /"Pushed"/)

    // At the limit it deletes the oldest and pushes again.
    for (let nr = 2; nr <= 20; nr++) await pushByHand(ask, await bundleNamed(`Theme ${nr}`))
    const before = (await ask('/themes')).data
    must(await stencil('push', '-f', bundle, '-d', '-a', 'Light', '-allc'), /Stencil Push Finished/)
    const after = (await ask('/themes')).data
    const names = (themes: { name: string }[]) =>
      themes
        .map(({ name }) => name)
        .sort()
        .join()
    must(names(before), /Theme 2(,|$)/)
    if (/Theme 2(,|$)/.test(names(after)) || after.length !== 21) throw new Error('The oldest theme was not deleted.')
  } finally {
    await server.stop()
  }
}

async function bundleNamed(name: string): Promise<Buffer<ArrayBuffer>> {
  const { config } = await stockBundle()
  return Buffer.from(await buffer(Readable.from(pack(await stockFiles({ ...config, name })))))
}

async function pushByHand(
  ask: (path: string, init?: RequestInit) => Promise<{ job_id?: string; data?: { status: string } }>,
  bytes: Buffer<ArrayBuffer>,
) {
  const form = new FormData()
  form.append('file', new Blob([bytes]), 'bundle.zip')
  const { job_id } = await ask('/themes', { method: 'POST', body: form })
  for (let status = ''; status !== 'COMPLETED'; status = (await ask(`/themes/jobs/${job_id}`)).data?.status ?? '') {
    if (status === 'FAILED' || job_id === undefined) throw new Error('A theme could not be uploaded.')
  }
}

function must(text: string, pattern: RegExp) {
  if (!pattern.test(text)) throw new Error(`${pattern} is not in: ${text}`)
}
