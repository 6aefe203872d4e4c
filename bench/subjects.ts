import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Statement } from './floor.ts'
import type { Load, LoadPlan } from './load.ts'

const START_WAIT_MS = 600_000

export interface Subject {
  pid: number
  port: number
  stop(): Promise<void>
}

// As in the script `storeward` of package.json.
const MEMORY_FLAG = '--max-semi-space-size=16'
export const MEMORY_ENV = { MALLOC_ARENA_MAX: '2' }

/** The server as in production, with its embedded PostgreSQL in this folder; its log goes to a file. */
export async function startServer(
  folder: string,
  flags: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Subject> {
  const port = Number(settings.PORT ?? (await freePort()))
  const log = openSync(join(folder, 'log'), 'a')
  const child = spawn(
    process.execPath,
    [MEMORY_FLAG, ...flags, fileURLToPath(new URL('../server/bin/storeward.js', import.meta.url)), 'serve'],
    {
      env: {
        PATH: process.env.PATH,
        ...MEMORY_ENV,
        STOREWARD_DATA: folder,
        PORT: String(port),
        LOG_LEVEL: 'info',
        DRAIN_SECONDS: '0',
        ...settings,
      },
      stdio: ['ignore', log, log],
    },
  )
  for (const began = Date.now(); ; await sleep(20)) {
    if (child.exitCode !== null || Date.now() - began > START_WAIT_MS) {
      throw new Error(`The server does not start. It says: ${readFileSync(join(folder, 'log'), 'utf8')}`)
    }
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (answer?.ok) return { pid: child.pid ?? 0, port, stop: () => stop(child) }
  }
}

export async function startFloor(
  url: string,
  statements: Record<string, Statement[]>,
  { mapsRows = false } = {},
): Promise<Subject> {
  const child = fork(new URL('./floor.ts', import.meta.url))
  const { port } = await ask<{ port: number }>(child, { url, statements, mapsRows })
  return { pid: child.pid ?? 0, port, stop: () => stop(child) }
}

export interface Generator {
  run(plan: LoadPlan): Promise<Load>
  stop(): Promise<void>
}

export function startLoad(): Generator {
  const child = fork(new URL('./load.ts', import.meta.url))
  return { run: (plan) => ask<Load>(child, plan), stop: () => stop(child) }
}

export async function ask<Answer extends object>(child: ChildProcess, message: object): Promise<Answer> {
  const ended = new AbortController()
  child.send(message)
  const [answer] = await Promise.race([
    once(child, 'message', ended),
    once(child, 'exit', ended).then(() => [{ error: 'A process of the bench has ended.' }]),
  ])
  ended.abort()
  if ('error' in answer) throw new Error(answer.error)
  return answer
}

export async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('There is no free port on 127.0.0.1.')
  return address.port
}
