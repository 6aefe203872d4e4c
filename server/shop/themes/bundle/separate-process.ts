import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { packagePath } from '../../../core/package.ts'
import type { Bundle, readBundle } from './bundle.ts'
import { BundleFaults } from './config.ts'
import type { Fault } from './faults.ts'
import type { Repacking, WrittenFile } from './repack.ts'

const IDLE_MS = 30_000
const MEMORY_MIB = 128

/** The task of a process: to check the archive at a path, or to repack one. */
export type Wish = { judge: string } | { repack: Repacking }

/** A message of the process: its progress, and in the end the outcome. */
export type Report =
  | { part: number }
  | { bundle: Bundle }
  | { written: WrittenFile }
  | { faults: readonly Fault[] }
  | { failure: string }

/** A process that is started at its first wish, and that ends when it had none for half a minute. One wish at a time. */
class SeparateProcess {
  #present: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined

  /** @throws BundleFaults, and Error if the process ends before it has answered; `signal` ends it */
  async ask<T>(
    wish: Wish,
    read: (report: Report) => T | undefined,
    { progress = () => {}, signal }: { progress?: (part: number) => void; signal?: AbortSignal | undefined },
  ): Promise<T> {
    signal?.throwIfAborted()
    clearTimeout(this.#idle)
    const child = this.#present?.connected ? this.#present : start()
    this.#present = child
    // A pending wish keeps this process alive; an idle one doesn't.
    child.ref()
    child.channel?.ref()
    try {
      return await answerOf(child, wish, read, { progress, signal })
    } finally {
      child.unref()
      child.channel?.unref()
      // The process ends when it is left alone.
      this.#idle = setTimeout(() => child.connected && child.disconnect(), IDLE_MS).unref()
    }
  }
}

// Two processes: one that is stopped at the end of its time takes no other work along.
const judge = new SeparateProcess()
const packer = new SeparateProcess()

/**
 * As `readBundle`, in a process of its own at a low priority: a bundle of 20 MiB takes a quarter of a second of processor time and
 * 65 MiB of buffers, which V8 clears away by marking the heap of the server again and again (docs/decisions/026-files-and-archives.md).
 * @throws BundleFaults, and Error if the process ends before it has answered; `signal` ends it
 */
export const readBundleInProcess: typeof readBundle = (path, progress = () => {}, signal) =>
  judge.ask({ judge: path }, (report) => ('bundle' in report ? report.bundle : undefined), { progress, signal })

/** As `repack`, in a process of its own. @throws Error if the process ends before it has answered; `signal` ends it */
export const repackInProcess = (repacking: Repacking, signal?: AbortSignal): Promise<WrittenFile> =>
  packer.ask({ repack: repacking }, (report) => ('written' in report ? report.written : undefined), { signal })

function start(): ChildProcess {
  const flags = [`--max-old-space-size=${MEMORY_MIB}`, '--max-semi-space-size=2']
  const child = fork(packagePath('bundleProgram'), {
    execArgv: flags,
    env: {},
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // Without a listener it would end the server; that the process is not there shows when it is asked.
  child.on('error', () => {})
  try {
    // The API comes first. Not the lowest: bundles have to be validated on a busy machine, too.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // A machine that does not let us.
  }
  return child
}

function answerOf<T>(
  child: ChildProcess,
  wish: Wish,
  read: (report: Report) => T | undefined,
  { progress, signal }: { progress: (part: number) => void; signal: AbortSignal | undefined },
) {
  return new Promise<T>((resolve, reject) => {
    const hear = (report: Report) => {
      if ('part' in report) return progress(report.part)
      forget()
      const answer = read(report)
      if (answer !== undefined) resolve(answer)
      else if ('faults' in report) reject(new BundleFaults(report.faults))
      else reject(new Error('failure' in report ? report.failure : 'The process has answered another wish.'))
    }
    const fail = () => {
      forget()
      reject(signal?.reason ?? new Error('The process that works on bundles has ended.'))
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
    child.send(wish, (error) => error && fail())
  })
}
