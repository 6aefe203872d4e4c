import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { packagePath } from '../../core/package.ts'

const STATE_FILE = '.sources'
const SOURCES = ['index.html', 'package.json', 'vite.config.ts', 'src']

/** The state of the built console: `building` in a clone whose sources have changed, `missing` if it can't be built here. */
export type BuildState = 'ready' | 'building' | 'missing'

/**
 * The built files of the console. The package and the image contain them. In a clone the sandbox builds them at the first visit, in a
 * child process and without network, once for each state of the sources. Other servers never build.
 */
export class ConsoleBuild {
  readonly folder = packagePath('consoleFiles')
  readonly #builds: boolean
  #state: BuildState | undefined
  #running: Promise<void> | undefined
  /** The text that the last failed build printed. */
  failure = ''

  /** @param builds whether to build files that are missing or older than their sources */
  constructor(builds: boolean) {
    this.#builds = builds
  }

  /** The state of the files. Begins a build if one is needed, and never waits for it. */
  async look(): Promise<BuildState> {
    if (this.#running) return 'building'
    this.#state ??= await this.#check()
    if (this.#state === 'building') {
      this.#running = this.#build().finally(() => {
        this.#running = undefined
      })
    }
    return this.#state
  }

  /** Waits for the build that is under way, if there is one. */
  async wait(): Promise<void> {
    await this.#running
  }

  async #check(): Promise<BuildState> {
    const isBuilt = existsSync(join(this.folder, 'index.html'))
    if (!this.#builds || this.#bundler() === undefined) return isBuilt ? 'ready' : 'missing'
    return (await this.#builtDigest()) === (await this.#sourcesDigest()) ? 'ready' : 'building'
  }

  /** The program that builds, which only a clone with its development packages has. */
  #bundler(): string | undefined {
    const sources = join(dirname(this.folder), 'package.json')
    if (!existsSync(sources)) return undefined
    try {
      return join(dirname(createRequire(sources).resolve('vite/package.json')), 'bin/vite.js')
    } catch {
      return undefined
    }
  }

  async #build() {
    const bundler = this.#bundler()
    if (bundler === undefined) return
    const digest = await this.#sourcesDigest()
    // Several processes may build at the same time. Each has a folder of its own, and the first one that is ready gives its files.
    const target = `${this.folder}-${process.pid}`
    const child = spawn(
      process.execPath,
      [bundler, 'build', '--logLevel', 'error', '--outDir', target, '--emptyOutDir'],
      {
        cwd: dirname(this.folder),
        // Tests set another mode, in which React is several times as large.
        env: { NODE_ENV: 'production' },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )
    let printed = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-4_000)
    })
    const code = await new Promise<number>((resolve) => {
      child.once('error', () => resolve(1))
      child.once('close', (exit) => resolve(exit ?? 1))
    })
    this.failure = code === 0 ? '' : printed
    if (code === 0) await this.#publish(target, digest)
    await rm(target, { recursive: true, force: true })
    this.#state = code === 0 ? 'ready' : 'missing'
  }

  /** Puts built files in place, unless another process did so. */
  async #publish(target: string, digest: string) {
    await writeFile(join(target, STATE_FILE), digest)
    if ((await this.#builtDigest()) === digest) return
    // A folder that another process puts in place meanwhile is moved away whole, never removed under its readers' hands.
    const former = `${target}-former`
    await rename(this.folder, former).catch(() => {})
    await rename(target, this.folder).catch(async (error) => {
      if ((await this.#builtDigest()) !== digest) throw error
    })
    await rm(former, { recursive: true, force: true })
  }

  /** The state of the sources that the files were built from; empty without files. */
  #builtDigest(): Promise<string> {
    return readFile(join(this.folder, STATE_FILE), 'utf8').catch(() => '')
  }

  async #sourcesDigest(): Promise<string> {
    const root = dirname(this.folder)
    const found = await Promise.all(
      SOURCES.map(async (source) => {
        const entries = await readdir(join(root, source), { recursive: true, withFileTypes: true }).catch(
          () => undefined,
        )
        if (!entries) return [source]
        return entries
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      }),
    )
    const hash = createHash('sha256')
    for (const file of found.flat().toSorted()) hash.update(file).update(await readFile(join(root, file)))
    return hash.digest('hex')
  }
}
