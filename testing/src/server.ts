import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Server } from './operator.ts'

const run = promisify(execFile)

/** A server that the kit has started. */
export interface StartedServer extends Server {
  /** Stops the server and deletes its data. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** The command of the server. The package `storeward` of the project, if it is left out. */
  command?: readonly string[]
  /** Settings of the server besides those of the kit. */
  environment?: Record<string, string>
  /** The stores to make, each with the data of its name: `tiny` has 12 products, `demo` 500. Without it those of STOREWARD_SEEDS, or `tiny`. */
  seeds?: readonly Seed[]
}

const SEEDS = ['tiny', 'demo'] as const
export type Seed = (typeof SEEDS)[number]

/** @throws Error for an unknown name */
function seedsOf(text = 'tiny'): Seed[] {
  return text.split(/[\s,]+/).map((name) => {
    const seed = SEEDS.find((known) => known === name)
    if (seed === undefined)
      throw new Error(`STOREWARD_SEEDS: there is no seed "${name}"; there are ${SEEDS.join(', ')}.`)
    return seed
  })
}

/**
 * Starts a server for tests on a free port, with its data in memory if the machine has a folder for that. It ends with this process, also if
 * that is killed, and does not keep this process running.
 * @throws Error with the last lines of the server, if it ends
 */
export async function startServer({
  command = installedCommand(),
  environment = {},
  seeds = seedsOf(process.env.STOREWARD_SEEDS),
}: StartOptions = {}): Promise<StartedServer> {
  const memory = '/dev/shm'
  const data = mkdtempSync(
    join(existsSync(memory) && process.platform === 'linux' ? memory : tmpdir(), 'storeward-testing-'),
  )
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? '',
    PORT: '0',
    LOG_LEVEL: 'error',
    TEST_STORES: 'true',
    WEBHOOK_ORIGINS: 'http://127.0.0.1:*',
    OUTGOING_SUBNETS: '127.0.0.0/8',
    ...environment,
    STOREWARD_DATA: data,
  }
  const [program = '', ...args] = command
  // The watcher stops the server and deletes its data when this process closes the pipe, also by its death.
  const watcher = spawn(process.execPath, [watcherPath(), data, program, ...args, 'serve'], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  try {
    const url = await addressOf(watcher)
    const own = { ...env, PUBLIC_URL: url }
    const storeward = async (...more: string[]) => (await run(program, [...args, ...more], { env: own })).stdout
    const { key } = JSON.parse(await storeward('operator-key', 'create', '--name', 'tests', '--json'))
    for (const seed of seeds) {
      await storeward('store', 'create', '--hash', `${seed}shop`, '--name', seed, '--test')
      await storeward('seed', '--store', `${seed}shop`, '--size', seed)
    }
    letEnd(watcher)
    return { url, operatorKey: key, stop: () => stop(watcher) }
  } catch (error) {
    await stop(watcher)
    throw error
  }
}

/** The program beside this file, compiled or not. */
function watcherPath(): string {
  const compiled = join(import.meta.dirname, 'watcher.js')
  return existsSync(compiled) ? compiled : join(import.meta.dirname, 'watcher.ts')
}

/** Lets this process end while the watcher runs. Its pipes close then, and the watcher ends, too. */
function letEnd(watcher: ChildProcess) {
  watcher.unref()
  for (const pipe of [watcher.stdin, watcher.stdout, watcher.stderr]) if (pipe instanceof Socket) pipe.unref()
}

async function stop(watcher: ChildProcess): Promise<void> {
  watcher.ref()
  watcher.stdin?.end()
  if (watcher.exitCode === null && watcher.signalCode === null)
    await new Promise((resolve) => watcher.once('close', resolve))
}

function addressOf(watcher: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (text: string) => {
      output += text
      const address = /listens at (\S+)/.exec(output)?.[1]
      if (address !== undefined) resolve(address)
    }
    watcher.stdout?.setEncoding('utf8').on('data', read)
    watcher.stderr?.setEncoding('utf8').on('data', read)
    watcher.once('error', reject)
    watcher.once('close', () => reject(new Error(`The server has ended:\n${output.split('\n').slice(-10).join('\n')}`)))
  })
}

/** The command of the package `storeward` in the project. @throws Error if it isn't installed */
function installedCommand(): string[] {
  const require = createRequire(join(process.cwd(), 'package.json'))
  try {
    const manifest = require.resolve('storeward/package.json')
    return [process.execPath, join(manifest, '../bin/storeward.js')]
  } catch {
    throw new Error(
      'The package "storeward" is not installed in this project. Install it, or set STOREWARD_URL and STOREWARD_OPERATOR_KEY to a running server.',
    )
  }
}

let own: Promise<StartedServer> | undefined

/**
 * The server of this run: that of STOREWARD_URL and STOREWARD_OPERATOR_KEY, which all processes of a run share, or one that this process
 * starts at the first call.
 */
export async function theServer(): Promise<Server> {
  const { STOREWARD_URL: url, STOREWARD_OPERATOR_KEY: operatorKey } = process.env
  if (url !== undefined && operatorKey !== undefined) return { url, operatorKey }
  own ??= startServer()
  return own
}

/** Stops the server that this process has started, if it has. */
export async function stopServer(): Promise<void> {
  const started = await own
  own = undefined
  await started?.stop()
}
