import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Bundle, readBundle } from './bundle.ts'
import { BundleFaults } from './config.ts'
import type { Fault } from './faults.ts'

const IDLE_MS = 30_000
const MEMORY_MIB = 128

/** What the process says: how far it has come, and in the end what came of it. */
export type Report = { part: number } | { bundle: Bundle } | { faults: readonly Fault[] } | { failure: string }

const program = fileURLToPath(new URL('process.ts', import.meta.url))

let present: ChildProcess | undefined
let idle: NodeJS.Timeout | undefined

/**
 * As `readBundle`, in a process of its own at a low priority: a bundle of 20 MiB takes a quarter of a second of processor time and
 * 65 MiB of buffers, which V8 clears away by marking the heap of the server again and again (docs/decisions/026-files-and-archives.md).
 * The process is started at the first bundle and ends when there was none for half a minute. One bundle at a time.
 * @throws BundleFaults, and Error if the process ends before it has answered; `signal` ends it
 */
export const readBundleApart: typeof readBundle = async (path, progress = () => {}, signal) => {
  signal?.throwIfAborted()
  clearTimeout(idle)
  const judge = present?.connected ? present : start()
  present = judge
  // Whoever waits keeps this process alive; a judge who is idle does not.
  judge.ref()
  judge.channel?.ref()
  try {
    return await asked(judge, path, progress, signal)
  } finally {
    judge.unref()
    judge.channel?.unref()
    // The process ends when it is left alone.
    idle = setTimeout(() => judge.connected && judge.disconnect(), IDLE_MS).unref()
  }
}

function start(): ChildProcess {
  const flags = [`--max-old-space-size=${MEMORY_MIB}`, '--max-semi-space-size=2']
  const child = fork(program, { execArgv: flags, env: {}, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  // Without a listener it would end the server; that the process is not there shows when it is asked.
  child.on('error', () => {})
  try {
    // The API comes first. Not the lowest: bundles have to be judged on a busy machine, too.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // A machine that does not let us.
  }
  return child
}

function asked(child: ChildProcess, path: string, progress: (part: number) => void, signal?: AbortSignal) {
  return new Promise<Bundle>((resolve, reject) => {
    const hear = (report: Report) => {
      if ('part' in report) return progress(report.part)
      forget()
      if ('bundle' in report) resolve(report.bundle)
      else reject('faults' in report ? new BundleFaults(report.faults) : new Error(report.failure))
    }
    const fail = () => {
      forget()
      reject(signal?.reason ?? new Error('The process that judges bundles has ended.'))
    }
    const stop = () => {
      child.kill('SIGKILL')
      child.disconnect()
      fail()
    }
    const forget = () => {
      child.off('message', hear).off('exit', fail)
      signal?.removeEventListener('abort', stop)
    }
    child.on('message', hear).once('exit', fail)
    signal?.addEventListener('abort', stop, { once: true })
    child.send(path, (error) => error && fail())
  })
}
