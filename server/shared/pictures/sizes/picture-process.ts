import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { packagePath } from '../../../core/package.ts'
import { Problem } from '../../../core/rest/problem.ts'

const IDLE_MS = 30_000
const MEMORY_MIB = 64

/** A picture that is to be measured or, with `made`, resized. */
export interface PictureWish {
  id: number
  path: string
  made?: { width: number; extension: string } | undefined
}

/** `missing` if this platform lacks the library, and `damaged` if it can't read the picture. */
export type PictureAnswer = { id: number } & (
  | { kind: 'made'; bytes: Uint8Array }
  | { kind: 'measured'; width: number; height: number }
  | { kind: 'missing' | 'damaged' }
)

interface Waiting {
  resolve(answer: PictureAnswer): void
  reject(error: Error): void
}

/**
 * Reads and resizes pictures in a process of its own at a low priority, so that other requests come first and a decoder that crashes takes
 * nothing along (docs/decisions/089-pictures-in-sizes.md). The process starts with the first picture, and ends when it had none for half a
 * minute.
 */
export class PictureProcess {
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #last = 0
  readonly #waiting = new Map<number, Waiting>()

  /** The number of the process, for tests and measurements; undefined while there is none. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** @throws Problem 503 if the process ends before it has answered */
  async ask(wish: Omit<PictureWish, 'id'>): Promise<PictureAnswer> {
    clearTimeout(this.#idle)
    const child = this.#child?.connected ? this.#child : this.#start()
    const id = ++this.#last
    // A picture that is being made keeps the server alive; an idle process doesn't.
    child.ref()
    child.channel?.ref()
    try {
      return await new Promise<PictureAnswer>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject })
        child.send({ ...wish, id }, (error) => error && reject(ended()))
      })
    } finally {
      this.#waiting.delete(id)
      if (this.#waiting.size === 0) {
        child.unref()
        child.channel?.unref()
        this.#idle = setTimeout(() => child.connected && child.disconnect(), IDLE_MS).unref()
      }
    }
  }

  #start(): ChildProcess {
    const child = fork(packagePath('pictureProgram'), {
      execArgv: [`--max-old-space-size=${MEMORY_MIB}`, '--max-semi-space-size=2'],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    // Without a listener it would end the server; that the process is not there shows when it is asked.
    child.on('error', () => {})
    child.on('message', (answer: PictureAnswer) => this.#waiting.get(answer.id)?.resolve(answer))
    child.once('exit', () => {
      if (this.#child !== child) return
      this.#child = undefined
      for (const { reject } of this.#waiting.values()) reject(ended())
    })
    try {
      // Its threads begin later, and get the same priority.
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // The machine forbids it.
    }
    this.#child = child
    return child
  }
}

const ended = () =>
  new Problem(503, 'The picture can not be resized at the moment.', {}, { headers: { 'retry-after': '1' } })
