import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// A client that sends hostile heads, in a process of its own, so that its work doesn't delay the measured requests.
// Each head is sent on a connection of its own, and only the server closes it.

/** The heads to be sent in turn. */
export interface Attack {
  port: number
  heads: string[]
  aSecond: number
  seconds: number
}

/** The outcome of an attack. */
export interface Attacked {
  /** Heads that were sent. */
  sent: number
  /** Connections that the server has answered or closed. */
  ended: number
  /** Connections that failed before the head was sent. */
  failed: number
  seconds: number
  /** Seconds of the processor. */
  processor: number
}

process.once('message', async ({ port, heads, aSecond, seconds }: Attack) => {
  const counts = { sent: 0, ended: 0, failed: 0 }
  const attack = (head: string) => {
    let isSent = false
    let isEnded = false
    const end = () => {
      if (isSent && !isEnded) counts.ended++
      isEnded = true
    }
    const socket = connect(port, '127.0.0.1').on('data', end).on('close', end)
    socket.on('error', () => {
      if (!isSent) counts.failed++
    })
    socket.write(head, (error) => {
      if (error) return
      isSent = true
      counts.sent++
    })
  }
  const began = performance.now()
  const elapsed = () => (performance.now() - began) / 1_000
  for (let begun = 0; elapsed() < seconds; await sleep(2)) {
    for (const due = Math.floor(Math.min(seconds, elapsed()) * aSecond); begun < due; begun++) {
      attack(heads[begun % heads.length] ?? '')
    }
  }
  const { user, system } = process.cpuUsage()
  const attacked: Attacked = { ...counts, seconds: elapsed(), processor: (user + system) / 1e6 }
  process.send?.(attacked, () => process.exit(0))
})
