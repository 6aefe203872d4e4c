import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'typebox'
import { Compile } from 'typebox/compile'
import { packagePath } from '../../core/package.ts'
import type { RenderingOutcome, Work } from './work.ts'

/**
 * The wait for a process that uses no time. A template can use its processor time only, which has a bound of its own; on a busy
 * machine, a process of low priority gets that time late.
 */
const PATIENCE_MS = 60_000
const START_MS = 20_000
const IDLE_MS = 30_000
const MEMORY_MIB = 64
const PROCESSES_MAX = 2
const WAITING_MAX = 500
const WAITING_OF_STORE_MAX = 20

/** Nothing can be rendered now: too much waits, or the machine gives the renderers no time. Worth another try. */
export class RenderersBusy extends Error {
  constructor() {
    super('Templates cannot be rendered at the moment.')
  }
}

const answered = Compile(
  t.Union([
    t.Object({
      ok: t.Literal(true),
      rendered: t.Object({
        outputs: t.Record(t.String(), t.String()),
        plainText: t.String(),
        phrases: t.Array(t.String()),
      }),
    }),
    t.Object({ ok: t.Literal(false), faults: t.Record(t.String(), t.String()) }),
  ]),
)

/** A render with its caller. */
interface RenderRequest {
  work: Work
  done(outcome: RenderingOutcome): void
  failed(error: unknown): void
}

/**
 * Renders templates in processes of their own, which can be killed: a template may loop, explode or take all memory, and only its
 * own output is lost (docs/decisions/014-templates-in-processes.md). Processes are started when there is
 * work, two at most, and end when there was none for half a minute. Stores take turns.
 */
export class Renderers {
  /** Waiting requests by store. The store with the next turn is first. */
  readonly #waiting = new Map<number, RenderRequest[]>()
  readonly #all = new Set<Renderer>()
  readonly #idle: Renderer[] = []
  #busy = 0
  #closed = false

  /** @throws RenderersBusy */
  render(storeId: number, work: Work): Promise<RenderingOutcome> {
    const queue = this.#waiting.get(storeId) ?? []
    const waiting = [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0)
    if (this.#closed || queue.length >= WAITING_OF_STORE_MAX || waiting >= WAITING_MAX) throw new RenderersBusy()
    return new Promise((done, failed) => {
      queue.push({ work, done, failed })
      this.#waiting.set(storeId, queue)
      this.#begin()
    })
  }

  /** Numbers of the processes that are there, for tests and measurements. */
  get pids(): number[] {
    return [...this.#all].map(({ pid }) => pid)
  }

  /** Ends the processes. Waiting requests fail. */
  close() {
    this.#closed = true
    for (const { failed } of [...this.#waiting.values()].flat()) failed(new RenderersBusy())
    this.#waiting.clear()
    for (const renderer of this.#all) renderer.kill()
  }

  #begin() {
    while (this.#busy < PROCESSES_MAX) {
      const request = this.#next()
      if (!request) return
      this.#busy++
      this.#serve(request).finally(() => {
        this.#busy--
        this.#begin()
      })
    }
  }

  /** The oldest request of the store whose turn it is. */
  #next(): RenderRequest | undefined {
    for (const [storeId, queue] of this.#waiting) {
      const request = queue.shift()
      this.#waiting.delete(storeId)
      if (queue.length > 0) this.#waiting.set(storeId, queue)
      if (request) return request
    }
    return undefined
  }

  async #serve({ work, done, failed }: RenderRequest) {
    const renderer = this.#idleRenderer() ?? this.#start()
    try {
      done(await renderer.render(work))
    } catch (error) {
      failed(error)
    }
    if (renderer.isAlive) this.#idle.push(renderer)
  }

  /** A process that was ended a moment ago, after half a minute without work, may still be in the list. */
  #idleRenderer(): Renderer | undefined {
    let renderer = this.#idle.pop()
    while (renderer && !renderer.isAlive) renderer = this.#idle.pop()
    return renderer
  }

  #start(): Renderer {
    const renderer = new Renderer(() => {
      this.#all.delete(renderer)
      const at = this.#idle.indexOf(renderer)
      if (at !== -1) this.#idle.splice(at, 1)
    })
    this.#all.add(renderer)
    return renderer
  }
}

const program = packagePath('templateProgram')

/** It may read its own code, and nothing else; and no text becomes code in it. */
const flags = [
  `--max-old-space-size=${MEMORY_MIB}`,
  '--max-semi-space-size=2',
  '--disallow-code-generation-from-strings',
  '--permission',
  `--allow-fs-read=${dirname(program)}/`,
  `--allow-fs-read=${fileURLToPath(new URL('..', import.meta.resolve('handlebars')))}`,
  ...linksTo('handlebars').map((path) => `--allow-fs-read=${path}`),
]

/** The places at which the process looks for a package. Some package managers put a link there, which it must be able to read. */
function linksTo(name: string): string[] {
  const folders = createRequire(program).resolve.paths(name) ?? []
  return folders.map((folder) => join(folder, name)).filter((path) => existsSync(path))
}

/** One process, and one work at a time. */
class Renderer {
  readonly #child: ChildProcess
  readonly #ready: Promise<unknown>
  #idle: NodeJS.Timeout | undefined

  constructor(ended: () => void) {
    this.#child = fork(program, { execArgv: flags, env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    this.#child.once('exit', ended)
    // Without a listener it would end the server; that the process is not there shows when it is asked.
    this.#child.on('error', () => {})
    this.#ready = this.#answer(START_MS)
    this.#ready.then(
      () => this.#yieldToApi(),
      () => {},
    )
  }

  /** The API comes first. The start is our own code and short; with a low priority it would take too long on a busy machine. */
  #yieldToApi() {
    try {
      if (this.pid > 0) setPriority(this.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    } catch {
      // The machine forbids it, or the process has ended.
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get isAlive(): boolean {
    const { connected, killed, exitCode, signalCode } = this.#child
    // It stays connected for a moment after its end.
    return connected && !killed && exitCode === null && signalCode === null
  }

  kill() {
    clearTimeout(this.#idle)
    this.#child.kill('SIGKILL')
  }

  /** @throws RenderersBusy if the verdict on the template is unknown */
  async render(work: Work): Promise<RenderingOutcome> {
    clearTimeout(this.#idle)
    // A pending render keeps the process alive; an idle renderer doesn't.
    this.#child.ref()
    this.#child.channel?.ref()
    try {
      await this.#ready
      const answer = this.#answer(PATIENCE_MS)
      this.#child.send(work)
      const outcome = await this.#inTime(answer, work)
      if (answered.Check(outcome)) return outcome
      this.kill()
      throw new RenderersBusy()
    } finally {
      this.#child.unref()
      this.#child.channel?.unref()
      this.#idle = setTimeout(() => this.kill(), IDLE_MS).unref()
    }
  }

  /** The answer, or the fault of a template that took all its time or memory. */
  async #inTime(answer: Promise<unknown>, { templates, bounds: { ms } }: Work): Promise<unknown> {
    const fault = (sentence: string): RenderingOutcome => {
      // The last template is the longest: it comes behind the subject of a mail.
      const field = Object.keys(templates).at(-1) ?? ''
      return { ok: false, faults: { [field]: sentence } }
    }
    const begin = this.#usedMs()
    const beginWall = performance.now()
    let watch: NodeJS.Timeout | undefined
    const late = new Promise<RenderingOutcome>((resolve) => {
      const look = () => {
        const now = this.#usedMs()
        const used = begin === undefined || now === undefined ? performance.now() - beginWall : now - begin
        if (used < ms) {
          watch = setTimeout(look, Math.max(10, ms - used))
          return
        }
        this.kill()
        resolve(fault(`rendering takes longer than ${ms} ms`))
      }
      watch = setTimeout(look, ms)
    })
    try {
      return await Promise.race([answer, late])
    } catch (error) {
      if (!(error instanceof OutOfMemory)) throw error
      return fault(`rendering takes more than ${MEMORY_MIB} MiB of memory`)
    } finally {
      clearTimeout(watch)
      answer.catch(() => {})
    }
  }

  /** Processor time of the process so far; undefined where the system does not tell. */
  #usedMs(): number | undefined {
    try {
      // Behind the name, which may hold blanks: fields 14 and 15, in hundredths of a second.
      const [user = '', system = ''] =
        readFileSync(`/proc/${this.pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ').slice(11) ?? []
      return (Number(user) + Number(system)) * 10
    } catch {
      return undefined
    }
  }

  /** The next message of the process. */
  #answer(ms: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.kill()
        reject(new RenderersBusy())
      }, ms)
      const heard = (message: unknown) => {
        unsubscribe()
        resolve(message)
      }
      const ended = (_code: number | null, signal: string | null) => {
        unsubscribe()
        reject(signal === 'SIGABRT' ? new OutOfMemory() : new RenderersBusy())
      }
      const unsubscribe = () => {
        clearTimeout(late)
        this.#child.off('message', heard)
        this.#child.off('exit', ended)
      }
      this.#child.once('message', heard)
      this.#child.once('exit', ended)
    })
  }
}

/** V8 ends a process in which there is no room left. */
class OutOfMemory extends Error {}
