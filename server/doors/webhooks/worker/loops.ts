import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Wakeup } from './wakeup.ts'

const POLL_MS = 100
/** The pause between polls when nothing was found for a while. Events of other processes still leave within a quarter of a second. */
const QUIET_POLL_MS = 200
const QUIET_AFTER_MS = 5_000
/** The pause after a failure: an unreachable database is logged once a second, not ten times. */
const AFTER_FAILURE_MS = 1_000
/** Events that are published within this time are dispatched together. */
const GATHER_MS = 5
/** A pause lasts at least this many times as long as the statement before it, so statements take at most a fifth of the time. */
const PAUSE_TIMES = 4

interface WorkLoop {
  wakeup: Wakeup
  /** Does some work. @returns whether there is more */
  turn: () => Promise<boolean>
  signal: AbortSignal
  log: Pick<FastifyBaseLogger, 'error'>
}

/** Takes turns while there is work, then waits for the wakeup. */
export async function runLoop({ wakeup, turn, signal, log }: WorkLoop) {
  while (!signal.aborted) {
    const began = performance.now()
    let pause = 0
    const isMore = await turn().catch((error) => {
      log.error({ err: error }, 'webhooks could not be processed')
      pause = AFTER_FAILURE_MS
      return false
    })
    if (isMore || signal.aborted) continue
    wakeup.rest(Math.max(pause, PAUSE_TIMES * (performance.now() - began)))
    await wakeup.wait()
    await sleep(GATHER_MS)
  }
}

interface PollLoop {
  /** Looks for work. @returns whether there is some */
  look: () => Promise<boolean>
  /** Called after a failed look. The loops that it wakes find the same error and log it. */
  onFailure: () => void
  signal: AbortSignal
}

/** Polls for work that no wakeup announces: events of other processes, and hooks that become due. */
export async function runPolls({ look, onFailure, signal }: PollLoop) {
  let foundAt = performance.now()
  while (!signal.aborted) {
    const began = performance.now()
    let pause = began - foundAt < QUIET_AFTER_MS ? POLL_MS : QUIET_POLL_MS
    try {
      if (await look()) foundAt = began
    } catch {
      onFailure()
      pause = AFTER_FAILURE_MS
    }
    const rest = Math.max(pause, PAUSE_TIMES * (performance.now() - began))
    await sleep(rest, undefined, { signal }).catch(() => {})
  }
}
